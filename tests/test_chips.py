"""The catalogue against the table of facts, and chips of one's own."""

import re

import pytest

import rooflib as rl
from rooflib.chips import GIVEN, Chip, Link, Rate, chip, chips, chips_table, load

# name: HBM bytes, HBM B/s, bf16, int8, fp8, {other links}
FACTS = {
    "TPU v3": (32e9, 9.0e11, 1.4e14, 1.4e14, None, {"ici": 1.0e11, "dcn": 6.25e9, "pcie": 1.6e10}),
    "TPU v4p": (32e9, 1.2e12, 2.75e14, 2.75e14, None, {"ici": 4.5e10, "dcn": 6.25e9, "pcie": 1.6e10}),
    "TPU v5p": (96e9, 2.8e12, 4.59e14, 9.18e14, 4.59e14, {"ici": 9e10, "dcn": 6.25e9, "pcie": 1.6e10}),
    "TPU v5e": (16e9, 8.2e11, 1.97e14, 3.94e14, None, {"ici": 4.5e10, "dcn": 3.125e9, "vmem": 1.8e13}),
    "TPU v6e": (32e9, 1.6e12, 9.20e14, 1.84e15, 9.2e14, {"ici": 9e10, "dcn": 12.5e9, "pcie": 3.2e10}),
    "TPU7x": (192e9, 7.4e12, 2.30e15, None, 4.61e15, {"ici": 9e10, "dcn": 12.5e9}),
    "A100": (80e9, 2.0e12, 3.1e14, 6.2e14, None, {"nvlink": 3.0e11}),
    "H100": (80e9, 3.35e12, 9.89e14, 1.979e15, 1.979e15, {"nvlink": 4.5e11, "infiniband": 5e10}),
    "H200": (141e9, 4.8e12, 9.89e14, 1.979e15, 1.979e15, {"nvlink": 4.5e11, "infiniband": 5e10}),
    "B200": (192e9, 8.0e12, 2.25e15, 4.5e15, 4.5e15, {"nvlink": 9.0e11, "infiniband": 5e10}),
}  # fmt: skip
RIDGES = {
    "TPU v3": 156, "TPU v4p": 229, "TPU v5p": 164, "TPU v5e": 240, "TPU v6e": 575, "TPU7x": 311,
    "A100": 155, "H100": 295, "H200": 206, "B200": 281,
}  # fmt: skip


def test_the_catalogue_is_this_table():
    assert [each.name for each in chips()] == list(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_rates_of(name):
    memory, bandwidth, bf16, int8, fp8, links = FACTS[name]
    machine = chip(name)
    assert machine.capacity("hbm") == memory
    assert machine.bandwidth("hbm") == bandwidth
    assert machine.peak("bf16") == bf16
    for dtype, rate in (("int8", int8), ("fp8", fp8)):
        assert (machine.peak(dtype) if dtype in machine.dtypes else None) == rate
    assert {link: machine.bandwidth(link) for link in links} == links
    assert round(machine.ridge()) == RIDGES[name]


def test_special_rates():
    assert chip("B200").peak("fp4") == 9.0e15
    assert chip("TPU v5e").peak("fp32", "vector") == 6.1e12
    assert chip("TPU v5p").peak("fp32", "vector") == 1.43e13
    assert chip("TPU v5p").ridge("fp32", unit="vector") == pytest.approx(5.1, abs=0.01)
    assert chip("TPU v5e").capacity("vmem") == 128 * 2**20
    assert chip("TPU v5e").ridge(link="vmem") == pytest.approx(11, abs=0.1)
    assert chip("H100").peak("fp32", "vector") == 3.35e13


def test_every_number_has_a_source_and_no_source_is_a_bare_key():
    for each in chips():
        for entry in [*each.matrix.values(), *each.vector.values(), *each.links.values()]:
            assert len(entry.source) > 20, (each.name, entry)
            assert entry.source != GIVEN


@pytest.mark.parametrize(
    "spelling, name",
    [("v5e", "TPU v5e"), ("tpu-v5e", "TPU v5e"), ("h100 sxm", "H100"), ("NVIDIA H100", "H100"),
     ("Ironwood", "TPU7x"), ("v7x", "TPU7x")],
)  # fmt: skip
def test_usual_spellings(spelling, name):
    assert chip(spelling).name == name


def test_a_chip_is_its_own_name():
    assert chip(chip("H100")) is chip("H100")


def test_an_unknown_chip_lists_all_and_suggests_the_nearest():
    with pytest.raises(
        ValueError, match=r"unknown chip 'H10'; valid: TPU v3, .*, B200\. Did you mean 'H100'"
    ):
        chip("H10")


def test_no_name_is_a_type_error():
    with pytest.raises(TypeError, match="chip must be a Chip or one of the names TPU v3"):
        chip(5)


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda c: c.peak("fp4"), "TPU v5e has no fp4 rate on its matrix unit; it has: bf16, int8"),
        (lambda c: c.peak("bf17"), "unknown dtype 'bf17'"),
        (lambda c: c.peak("bf16", "vector"), "no bf16 rate on its vector unit; it has: fp32"),
        (lambda c: c.peak("bf16", "scalar"), "unknown unit 'scalar'; valid: matrix, vector"),
        (
            lambda c: c.bandwidth("nvlink"),
            "unknown link of TPU v5e 'nvlink'; valid: hbm, vmem, ici",
        ),
        (lambda c: c.capacity("ici"), "no capacity is known for ici of TPU v5e; known: hbm, vmem"),
        (lambda c: c.achieving(1.2), "share must be above 0 and at most 1; got 1.2"),
        (lambda c: c.achieving(0), "share must be above 0 and at most 1; got 0"),
    ],
)
def test_what_a_chip_does_not_have(call, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        call(chip("TPU v5e"))


def test_a_chip_that_reaches_a_share_of_its_peak_has_a_lower_ridge():
    assert round(chip("H100").achieving(0.8).ridge()) == 236
    assert chip("H100").achieving(0.8).bandwidth() == chip("H100").bandwidth()


def test_a_chip_of_ones_own_in_numbers_or_text():
    mine = Chip(
        "mine",
        matrix={"bfloat16": "100 TFLOP/s", "int8": Rate(2e14, source="my sheet")},
        links={"HBM": {"bandwidth": "1 TB/s", "capacity": "16 GiB"}, "wire": Link(5e10)},
    )
    assert (mine.peak("bf16"), mine.ridge(), mine.capacity()) == (1e14, 100.0, 16 * 2**30)
    assert mine.matrix["bf16"].source == GIVEN
    assert mine.matrix["int8"].source == "my sheet"


@pytest.mark.parametrize(
    "make, error, says",
    [
        (lambda: Chip("x", matrix={"bf16": "900 Gb/s"}), ValueError, "cannot read '900 Gb/s'"),
        (
            lambda: Chip("x", matrix={"bf16": 0}),
            ValueError,
            "rate must be above 0 and finite; got 0",
        ),
        (lambda: Chip("x", links={"hbm": -1}), ValueError, "bandwidth must be above 0"),
        (lambda: Chip("x", links={"hbm": float("nan")}), ValueError, "bandwidth must be above 0"),
        (lambda: Chip("x", links={"hbm": True}), TypeError, "cannot read True"),
        (lambda: Chip("x", matrix={"bf99": 1e14}), ValueError, "unknown dtype 'bf99'"),
        (lambda: Link(1e9, capacity="16 Gb"), ValueError, "cannot read '16 Gb'"),
    ],
)
def test_a_chip_that_cannot_be(make, error, says):
    with pytest.raises(error, match=re.escape(says)):
        make()


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        '[sources]\nsheet = "the sheet"\n[[chip]]\nname = "mine"\n'
        'matrix.bf16 = { rate = "100 TFLOP/s", source = "sheet" }\nlinks.hbm = "1 TB/s"\n',
        encoding="utf-8",
    )
    (mine,) = rl.load(path)
    assert (mine.ridge(), mine.matrix["bf16"].source) == (100.0, "the sheet")


@pytest.mark.parametrize(
    "text, says",
    [("[[chip", "is no TOML"), ('[[chip]]\nname = "a"\nmatrix.bf16 = "fast"', "a: cannot read 'fast'"),
     ("[[chip]]\ncores = 1", "a chip without a name"), ('[[chip]]\nname="a"\nspeed=1', "speed")],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_which_chip(tmp_path, text, says):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(says)) as error:
        load(path)
    assert "mine.toml" in str(error.value)


def test_reports_hold_what_a_reader_looks_for():
    report = repr(chip("H100"))
    assert "989 TFLOP/s" in report
    assert "3.35 TB/s" in report
    assert "with sparsity" in report
    table = chips_table()
    for name, ridge in RIDGES.items():
        row = next(line for line in table.splitlines() if line.startswith(name))
        assert str(ridge) in row.replace(",", "") or str(ridge - 1) + "." in row
    assert len({len(line) for line in table.splitlines()[:-1]}) == 1
