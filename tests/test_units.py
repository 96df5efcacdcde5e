"""Spellings of dtypes; quantities as text, read strictly and written for readers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.units import DTYPES, dtype, parse, plain, si


@pytest.mark.parametrize(
    "spelling, name, bits",
    [
        ("bf16", "bf16", 16), ("bfloat16", "bf16", 16), ("BF16", "bf16", 16),
        ("torch.bfloat16", "bf16", 16), ("float16", "fp16", 16), ("half", "fp16", 16),
        ("f32", "fp32", 32), ("float32", "fp32", 32), ("tf32", "tf32", 32), ("fp64", "fp64", 64),
        ("float8_e4m3fn", "fp8", 8), ("e5m2", "fp8", 8), ("FP8", "fp8", 8),
        ("nvfp4", "fp4", 4), ("int8", "int8", 8), ("s8", "int8", 8), ("uint8", "int8", 8),
        ("i4", "int4", 4), ("INT4", "int4", 4), ("int32", "int32", 32),
        (np.int8, "int8", 8), (np.dtype("float32"), "fp32", 32), (np.float16, "fp16", 16),
    ],
)  # fmt: skip
def test_usual_spellings(spelling, name, bits):
    assert (dtype(spelling).name, dtype(spelling).bits) == (name, bits)


def test_every_name_is_its_own_spelling():
    assert all(dtype(name) is each for name, each in DTYPES.items())
    assert dtype(DTYPES["bf16"]) is DTYPES["bf16"]


def test_a_torch_like_object_is_read_by_its_text():
    class Torch:
        def __str__(self):
            return "torch.bfloat16"

    assert dtype(Torch()).name == "bf16"


def test_unknown_dtype():
    with pytest.raises(ValueError, match=r"unknown dtype 'bf17'; valid: .* Did you mean 'bf16'"):
        dtype("bf17")


@pytest.mark.parametrize("bad", [None, 16, True, ["bf16"]])
def test_no_name_of_a_dtype(bad):
    with pytest.raises(TypeError, match="dtype must be one of the names"):
        dtype(bad)


@pytest.mark.parametrize(
    "value, unit, text",
    [
        (1.97e14, "FLOP/s", "197 TFLOP/s"), (8.2e11, "B/s", "820 GB/s"), (3.35e12, "B/s", "3.35 TB/s"),
        (1.737e-4, "s", "174 µs"), (1.01e-3, "s", "1.01 ms"), (0, "B", "0 B"), (12, "B", "12 B"),
        (999.96e3, "B", "1 MB"), (999.4, "B", "999 B"), (1e21, "B", "1,000 EB"), (4.88, "s", "4.88 s"),
        (float("inf"), "s", "inf s"), (240.24, "", "240"),
    ],
)  # fmt: skip
def test_si(value, unit, text):
    assert si(value, unit) == text


def test_si_may_keep_zeros_so_that_columns_align():
    assert si(23e-6, "s", fixed=True) == "23.0 µs"


@pytest.mark.parametrize(
    "value, digits, text",
    [(4377.78, 5, "4,377.8"), (0.5, 3, "0.5"), (240.24, 4, "240.2"), (1e-9, 3, "1.00e-09"),
     (float("inf"), 3, "∞"), (12345.6, 3, "12,346"), (0, 3, "0")],
)  # fmt: skip
def test_plain(value, digits, text):
    assert plain(value, digits) == text


@pytest.mark.parametrize(
    "text, unit, value",
    [
        ("3.35 TB/s", "B/s", 3.35e12), ("3.35TB/s", "B/s", 3.35e12), ("820 GB/s", "B/s", 8.2e11),
        ("197 TFLOP/s", "FLOP/s", 1.97e14), ("197 TFLOPs/s", "FLOP/s", 1.97e14),
        ("394 TOPs/s", "FLOP/s", 3.94e14), ("16 GiB", "B", 16 * 2**30), ("16 GB", "B", 16e9),
        ("1.01 ms", "s", 1.01e-3), ("174 µs", "s", 1.74e-4), ("174 us", "s", 1.74e-4),
        ("2.4e2 FLOP/byte", "FLOP/B", 240.0), ("1e12 FLOPs", "FLOP", 1e12), (" 5 B ", "B", 5.0),
        (3.35e12, "B/s", 3.35e12), (5, "B", 5.0), (np.float32(2), "s", 2.0),
    ],
)  # fmt: skip
def test_parse(text, unit, value):
    assert parse(text, unit) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "text, unit, says",
    [
        ("900 Gb/s", "B/s", "bit"), ("900 Gbit/s", "B/s", "bit"), ("900 Gbps", "B/s", "bit"),
        ("1 000 B", "B", "without blanks"), ("9,8 TB/s", "B/s", "comma"), ("1,000 B", "B", "comma"),
        ("3.35 tB/s", "B/s", "Prefixes"), ("3.35 mB/s", "B/s", "Prefixes"), ("5 KB", "B", "Prefixes"),
        ("3.35", "B/s", "needs its unit"), ("197 TFLOP", "FLOP/s", "unit of FLOP"),
        ("16 GB/s", "B", "unit of B/s"), ("197 GiFLOP/s", "FLOP/s", "FLOP/s"),
        ("fast", "B/s", "cannot read"), ("", "B/s", "cannot read"), ("3.35 TB/h", "B/s", "no unit"),
        ("1.2.3 GB/s", "B/s", "cannot read"), ("٣ GB/s", "B/s", "cannot read"), ("5 m", "s", "no unit"),
    ],
)  # fmt: skip
def test_what_is_ambiguous_is_refused_with_a_cause(text, unit, says):
    with pytest.raises(ValueError, match="cannot read") as error:
        parse(text, unit)
    assert says in str(error.value)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("bad", [None, True, [1], 1j, np.ones(2)])
def test_what_is_no_quantity(bad):
    with pytest.raises(TypeError, match="cannot read"):
        parse(bad, "B/s")


@given(st.floats(1e-11, 1e20))
def test_what_si_writes_parse_reads(value):
    assert (
        parse(si(value, "s", 17).replace(",", ""), "s") == pytest.approx(value, rel=1e-9)
        or value > 1e3
    )
    if value >= 1:
        assert parse(si(value, "B/s", 17).replace(",", ""), "B/s") == pytest.approx(value, rel=1e-9)
