"""Sheets: what is halved, what is not, and that nothing enters unmarked."""

import re

import pytest

import rooflib as rl

SHEET = {
    "matrix": {"bf16": "1979 TFLOP/s", "tf32": "989 TFLOP/s"},
    "links": {"hbm": "3.35 TB/s", "nvlink": "900 GB/s"},
}


def test_all_rates_sparse_and_links_both_ways():
    h100 = rl.from_datasheet("sheet", **SHEET, sparse=True, both_ways=True)
    assert h100.peak("bf16") == 9.895e14
    assert h100.peak("tf32") == 4.945e14
    assert h100.bandwidth("nvlink") == 4.5e11
    assert h100.bandwidth("hbm") == 3.35e12  # a memory has one direction
    assert h100.matrix["bf16"].note == "half of 1979 TFLOP/s, quoted with sparsity"
    assert "both directions" in h100.links["nvlink"].note
    assert h100.links["hbm"].note == ""


def test_only_the_named_ones():
    chip = rl.from_datasheet("sheet", **SHEET, sparse=["tf32"], both_ways=False)
    assert chip.peak("bf16") == 1.979e15
    assert chip.peak("tf32") == 4.945e14
    assert chip.bandwidth("nvlink") == 9e11


def test_it_agrees_with_the_catalogue():
    h100 = rl.from_datasheet("sheet", **SHEET, sparse=True, both_ways=True)
    assert h100.ridge() == pytest.approx(rl.chip("H100").ridge(), rel=1e-3)
    assert h100.bandwidth("nvlink") == rl.chip("H100").bandwidth("nvlink")


@pytest.mark.parametrize(
    "how, error, says",
    [
        ({"sparse": ["int8"], "both_ways": False}, ValueError, "unknown sparse 'int8'; valid: bf16, tf32"),
        ({"sparse": True, "both_ways": ["hbm"]}, ValueError, "unknown both_ways 'hbm'; valid: nvlink"),
        ({"sparse": "bf16", "both_ways": False}, TypeError, "sparse must be True, False or a list of names"),
        ({"sparse": None, "both_ways": False}, TypeError, "sparse must be True, False or a list of names"),
        ({"sparse": True}, TypeError, "both_ways"),
        ({"both_ways": True}, TypeError, "sparse"),
    ],
)  # fmt: skip
def test_both_questions_must_be_answered(how, error, says):
    with pytest.raises(error, match=re.escape(says)):
        rl.from_datasheet("sheet", **SHEET, **how)
