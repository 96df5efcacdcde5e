"""Formulas keep the laws of arithmetic, and rooflib counts with them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rooflib as rl
from rooflib.practice.algebra import Formula, as_formula, largest, letters, smallest
from rooflib.practice.polynomial import TooLong

B, D, F = letters("B D F")
POINT = {"B": 3, "D": 5, "F": 7}

numbers = st.one_of(st.integers(-9, 9), st.fractions(-9, 9, max_denominator=9))
trees = st.recursive(
    st.one_of(numbers, st.sampled_from("BDF")),
    lambda inner: st.tuples(st.sampled_from(["+", "-", "*", "max", "min"]), inner, inner),
    max_leaves=8,
)


def built(tree):
    if isinstance(tree, str):
        return Formula.letter(tree)
    if not isinstance(tree, tuple):
        return Formula.constant(tree)
    op, a, b = tree[0], built(tree[1]), built(tree[2])
    return _apply(op, a, b, largest, smallest)


def value(tree):
    if isinstance(tree, str):
        return Fraction(POINT[tree])
    if not isinstance(tree, tuple):
        return Fraction(tree)
    return _apply(tree[0], value(tree[1]), value(tree[2]), max, min)


def _apply(op, a, b, most, least):
    if op in ("max", "min"):
        return (most if op == "max" else least)([a, b])
    return a + b if op == "+" else a - b if op == "-" else a * b


@given(trees)
@settings(max_examples=300, deadline=None)
def test_a_formula_has_the_value_of_its_tree(tree):
    assert built(tree).at(POINT) == value(tree)


@given(trees, trees)
@settings(max_examples=100, deadline=None)
def test_division_undoes_multiplication(a, b):
    if built(b).num:
        assert (built(a) * built(b)) / built(b) == built(a)


@given(trees)
@settings(max_examples=200, deadline=None)
def test_a_sign_that_is_claimed_holds(tree):
    formula = built(tree)
    sign = formula.sign()
    for point in (POINT, {"B": 1, "D": 1, "F": 1}, {"B": 900, "D": 1, "F": 40}):
        at = formula.at(point)
        if sign is not None:
            assert (at > 0) - (at < 0) == sign
        if formula.never_negative():
            assert at >= 0


@pytest.mark.parametrize(
    "formula, sign",
    [
        (B * D + D * F, 1),
        (-B, -1),
        (B - B, 0),
        (B - D, None),
        (B - 1, None),
        (B * D - D + 1, 1),
        (B * D * F - B + 1, 1),
        (1 / (B + D), 1),
        (largest([B, D]), 1),
        (smallest([B, D]), 1),
        (largest([-B, -D]), -1),
        (B - Fraction(1, 2), 1),
    ],
    ids=str,
)
def test_signs(formula, sign):
    assert formula.sign() == sign


def test_options_that_are_dominated_are_dropped():
    assert largest([B, B + D]) == B + D
    assert largest([B * D, B]) == B * D
    assert largest([B, Formula.constant(1)]) == B
    assert smallest([B, B * D, D * B * F]) == B
    assert len(next(iter(largest([B, D, B - 1]).atoms())).options) == 2


def test_rooflib_counts_with_formulas():
    work = rl.matmul(B, D, F, x="bf16", w="int4", out="fp32")
    assert work.ops == 2 * B * D * F
    assert work.bytes["hbm"] == 2 * B * D + D * F / 2 + 4 * B * F
    assert work.intensity("hbm") == work.ops / work.bytes["hbm"]
    assert work.ops_exact == B * F * (2 * D - 1)
    assert rl.einsum("bd,bdf->bf", b=B, d=D, f=F, dtypes="int8").bytes["hbm"] == (
        B * D + B * D * F + B * F
    )


def test_a_formula_is_refused_as_a_size_only_when_it_is_never_positive():
    with pytest.raises(ValueError, match="above 0"):
        rl.matmul(-B, D, F)
    assert rl.matmul(B - D, D, F).ops == 2 * (B - D) * D * F


def test_decimals_mean_what_they_say():
    assert as_formula(0.1) == as_formula(Fraction(1, 10))
    assert 8.2e11 * B == 820 * 10**9 * B
    assert as_formula(np.float64(0.1)) == as_formula(0.1)
    assert as_formula(np.int64(3)) == as_formula(3)
    assert as_formula(float("nan")) is None
    assert as_formula(float("inf")) is None
    assert as_formula(True) is None
    assert as_formula("B") is None


def test_numpy_functions_work_on_formulas():
    assert np.maximum(B, D) == largest([B, D])
    assert np.minimum(B, 3) == smallest([B, Formula.constant(3)])
    assert np.float64(2.0) * B == 2 * B
    assert np.int64(2) * B == 2 * B


def test_no_order_and_no_truth():
    with pytest.raises(TypeError, match="no order"):
        assert B < D
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(B)


@pytest.mark.parametrize(
    "big", [lambda: B**61, lambda: (B + D + F + 1) ** 40, lambda: Formula.constant(9) ** 60**1**2]
)
def test_growth_is_bounded(big):
    try:
        formula = big()
    except TooLong:
        return
    assert len(formula.num.terms) == 1


def test_division_by_zero_is_an_error():
    with pytest.raises(ZeroDivisionError):
        B / (D - D)


@pytest.mark.parametrize(
    "formula, text",
    [
        (2 * B * D * F, "2·B·D·F"),
        (B / (B + D), "B/(B + D)"),
        ((B + D) / F, "(B + D)/F"),
        (B / (D * F), "B/(D·F)"),
        (B - D, "B - D"),
        (B * 0, "0"),
        (B / 2, "1/2·B"),
        (B * B, "B^2"),
        (largest([B, D]), "max(B, D)"),
    ],
)
def test_formulas_print_as_on_paper(formula, text):
    assert str(formula) == text
