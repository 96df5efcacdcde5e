"""Operations and bytes: the chapter's counts, exact, for numbers, arrays and symbols alike."""

import re
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import rooflib as rl
from rooflib.units import DTYPES

sizes = st.integers(1, 2**20)
formats = st.sampled_from(sorted(DTYPES))


def test_a_bf16_matmul():
    mm = rl.matmul(3, 5, 7)
    assert mm.ops == 2 * 3 * 5 * 7
    assert mm.ops_exact == 3 * 7 * (2 * 5 - 1)
    assert mm.bytes["hbm"] == 2 * (3 * 5 + 5 * 7 + 3 * 7)


@pytest.mark.parametrize(
    "formats_, expected",
    [
        ({"dtype": "int8"}, 15 + 35 + 21),
        ({"w": "int8"}, 30 + 35 + 42),
        ({"w": "int4"}, Fraction(8 * (30 + 42) + 4 * 35, 8)),
        ({"out": "fp32"}, 30 + 70 + 84),
        ({"dtype": "fp4"}, Fraction(4 * (15 + 35 + 21), 8)),
    ],
)
def test_bytes_of_each_precision(formats_, expected):
    assert rl.matmul(3, 5, 7, **formats_).bytes["hbm"] == expected


def test_counts_stay_exact():
    assert rl.matmul(2**40, 2**40, 2**40).ops == 2 * 2**120
    assert rl.matmul(np.int64(2**40), 2.0**40, 2**40).ops == 2 * 2**120
    assert rl.matmul(np.array([2**22]), 2**22, 2**22).ops[0] == 2.0**67


def test_the_dot_product():
    assert rl.dot(1000).ops == 1999
    assert rl.dot(1000).bytes["hbm"] == 4002
    assert rl.dot(1000).one.unit == "vector"
    N = rl.symbols("N")
    assert rl.limit(rl.dot(N).intensity("hbm"), large="N") == sympy.Rational(1, 2)


def test_a_matrix_for_each_row():
    b, d, f = rl.symbols("b d f")
    work = rl.einsum("bd,bdf->bf", b=b, d=d, f=f, dtypes=("int8", "int8", "int8"))
    assert work.ops == 2 * b * d * f
    assert sympy.expand(work.bytes["hbm"]) == b * d + b * d * f + b * f
    assert sympy.simplify(work.intensity("hbm") - 2 * d * f / (d + f + d * f)) == 0


@pytest.mark.parametrize(
    "spec, sizes_, ops, ops_exact",
    [
        ("n,n->n", {"n": 10}, 10, 10),
        ("b,f->bf", {"b": 3, "f": 4}, 12, 12),
        ("ij->i", {"i": 3, "j": 4}, 12, 9),
        ("ab,bc,cd->ad", {"a": 2, "b": 3, "c": 5, "d": 7}, 3 * 210, 3 * 210 - 14),
        ("b d, d f -> b f", {"b": 3, "d": 5, "f": 7}, 210, 189),
    ],
)
def test_operations_of_an_einsum(spec, sizes_, ops, ops_exact):
    work = rl.einsum(spec, **sizes_)
    assert (work.ops, work.ops_exact) == (ops, ops_exact)


@given(sizes, sizes, sizes, formats, formats, formats)
def test_numbers_arrays_and_symbols_agree(b, d, f, x, w, out):
    named = {"x": x, "w": w, "out": out, "compute": "bf16"}
    exact = rl.matmul(b, d, f, **named)
    array = rl.matmul(np.array([b]), d, f, **named)
    B, D, F = rl.symbols("B D F")
    symbol = rl.matmul(B, D, F, **named)
    at = {B: b, D: d, F: f}
    assert symbol.ops.subs(at) == exact.ops
    assert Fraction(int(8 * symbol.bytes["hbm"].subs(at)), 8) == exact.bytes["hbm"]
    assert array.ops[0] == pytest.approx(exact.ops, rel=1e-15)
    assert array.bytes["hbm"][0] == pytest.approx(float(exact.bytes["hbm"]), rel=1e-15)
    assert array.intensity()[0] == pytest.approx(exact.intensity(), rel=1e-14)
    assert float(symbol.intensity().subs(at)) == pytest.approx(exact.intensity(), rel=1e-14)


@given(sizes, sizes, sizes)
def test_the_three_resistances(b, d, f):
    assert 1 / rl.matmul(b, d, f).intensity() == pytest.approx(1 / b + 1 / d + 1 / f)


def test_a_sum_keeps_both_operations():
    both = rl.matmul(4, 8, 16) + rl.matmul(4, 16, 8, dtype="int8")
    assert [str(each.compute) for each in both.operations] == ["bf16", "int8"]
    assert both.ops == 2 * (2 * 4 * 8 * 16)
    assert both.bytes["hbm"] == 2 * (32 + 128 + 64) + (64 + 128 + 32)
    assert sum([rl.dot(3), rl.dot(4)]).ops == 5 + 7
    with pytest.raises(ValueError, match="sum of 2 operations: do each part, then add"):
        _ = both.one
    with pytest.raises(TypeError):
        _ = both + 3


@pytest.mark.parametrize(
    "x, w, compute",
    [
        ("bf16", "int8", "bf16"),
        ("int8", "int8", "int8"),
        ("bf16", "fp32", "fp32"),
        ("int8", "int4", "int8"),
    ],
)
def test_arithmetic_is_as_wide_as_the_widest_operand(x, w, compute):
    assert rl.matmul(1, 1, 1, x=x, w=w).one.compute.name == compute


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: rl.matmul(0, 1, 1), ValueError, "B must be above 0 and finite; got 0"),
        (lambda: rl.matmul(1, -4, 1), ValueError, "D must be above 0 and finite; got -4"),
        (lambda: rl.matmul(1, 1, float("inf")), ValueError, "F must be above 0"),
        (lambda: rl.matmul(True, 1, 1), TypeError, "B must be a number, an array of numbers or a symbol"),
        (lambda: rl.matmul("8", 1, 1), TypeError, "got '8'"),
        (lambda: rl.dot(float("nan")), ValueError, "N must be above 0 and finite; got nan"),
        (lambda: rl.matmul(1, 1, 1, x="bf61"), ValueError, "unknown dtype 'bf61'"),
        (lambda: rl.matmul(1, 1, 1, x="bf16", w="fp16"), ValueError, "say compute="),
        (lambda: rl.matmul(1, 1, 1, x="int8", w="fp8"), ValueError, "int8, fp8 are equally wide"),
        (lambda: rl.matmul(np.ones(3), np.ones(2), 1), ValueError, "B (3,), D (2,)"),
        (lambda: rl.einsum("bd,df", b=1, d=1, f=1), ValueError, "it has no ->"),
        (lambda: rl.einsum("->b", b=1), ValueError, "no operand before the ->"),
        (lambda: rl.einsum("b1,1f->bf", b=1, f=1), ValueError, "'b1' is not made of letters alone"),
        (lambda: rl.einsum("bb->b", b=1), ValueError, "'bb' repeats a letter"),
        (lambda: rl.einsum("bd,df->bg", b=1, d=1, f=1, g=1), ValueError, "output letters g are in no operand"),
        (lambda: rl.einsum(5, b=1), TypeError, "spec must be text"),
        (lambda: rl.einsum("bd,df->bf", b=1, d=1), ValueError, "no size for f"),
        (lambda: rl.einsum("bd,df->bf", b=1, d=1, f=1, g=2), ValueError, "no such letter: g"),
        (lambda: rl.einsum("bd,df->bf", b=1, d=1, F=1), ValueError, "no size for f; no such letter: F"),
        (lambda: rl.einsum("n,n->", n=4, dtypes=("int8", "int8")), ValueError, "has 3 tensors, output included, but dtypes has 2"),
        (lambda: rl.einsum("n,n->", n=4, unit="tensor"), ValueError, "unknown unit 'tensor'; valid: matrix, vector"),
        (lambda: rl.matmul(1, 1, 1).bytes["ici"], ValueError, "moves nothing on 'ici'; it uses: hbm"),
        (lambda: rl.matmul(1, 1, 1).intensity("HBM2"), ValueError, "moves nothing on 'HBM2'"),
    ],
)  # fmt: skip
def test_bad_input_says_what_and_what_instead(call, error, says):
    with pytest.raises(error, match=re.escape(says)):
        call()


def test_the_report():
    assert repr(rl.matmul(128, 4096, 4096, w="int8")) == (
        "matmul  bf16[B=128, D=4096] · int8[4096, F=4096] → bf16[128, 4096]\n"
        "  work   4.29 GFLOP   bf16, matrix unit\n"
        "  hbm       18.9 MB   227.6 FLOP/byte"
    )
    B, D, F = rl.symbols("B D F")
    assert "B*D*F/(B*D + B*F + D*F)" in repr(rl.matmul(B, D, F))
    assert r"\frac{B D F}{B D + B F + D F}" in rl.matmul(B, D, F)._repr_latex_()
    assert rl.matmul(1, 1, 1)._repr_latex_() is None
    assert "33.6 MFLOP … 17.1 GFLOP" in repr(rl.matmul(np.arange(1, 512), 4096, 4096))
    assert "empty" in repr(rl.matmul(np.array([]), 4096, 4096))


def test_import_brings_in_numpy_at_most():
    code = "import sys, rooflib; print([m for m in ('sympy', 'matplotlib', 'ipywidgets') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
