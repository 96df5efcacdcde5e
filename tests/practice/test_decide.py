"""Two formulas are the same, or differ at a point that is shown, or it is said to be open."""

from fractions import Fraction

import pytest

from rooflib.practice.algebra import letters
from rooflib.practice.decide import near, same
from rooflib.practice.reader import read

B, D, F = letters("B D F")


def formula(text):
    return read(text, "BDF").value


SAME = [
    ("2*B*D*F/(B*D+D*F+B*F)", "2/(1/B + 1/D + 1/F)"),
    ("2*B*D*F/(B*D+D*F+B*F)", "1/(1/(2B) + 1/(2D) + 1/(2F))"),
    ("(B-D)*(B+D)", "B**2 - D**2"),
    ("(B**2 - D**2)/(B - D)", "B + D"),
    ("max(B, D)", "(B + D + abs(B - D))/2"),
    ("min(B, D)", "(B + D - abs(D - B))/2"),
    ("max(B, D) + min(B, D)", "B + D"),
    ("max(B, D)*min(B, D)", "B*D"),
    ("F*max(B, D)", "max(B*F, D*F)"),
    ("max(B, D, F)", "max(max(F, B), D)"),
    ("max(B, min(D, F))", "min(max(B, D), max(B, F))"),
    ("max(B*(B+D), D*(B+D))", "max(B, D)*(B+D)"),
    ("max(B, 1)", "B"),
    ("max(B, B*D)", "B*D"),
    ("1/max(B, D)", "min(1/B, 1/D)"),
    ("max(B, D)**2", "max(B**2, D**2)"),
    ("abs(B - D)", "max(B, D) - min(B, D)"),
    ("abs(abs(B - D))", "abs(D - B)"),
    ("max(2*B, D)", "2*max(B, D/2)"),
    ("max(B, D) + max(D, F) + max(B, F)", "max(B,D,F) + B + D + F - min(B,D,F)"),
]
DIFFERENT = [
    ("2*B*D*F", "2*B*D*F + 1e-30*B"),
    ("2*B*D*F", "2*B*D*F + (B-2)*(B-3)*(B-5)*(B-7)*(D-2)*(D-3)*(D-5)*(F-11)"),
    ("(B-1)*(B-2)*(B-3)*(B-4)*(B-5)*(B-6)", "0"),
    ("max(B, D)", "D"),
    ("max(B, D)", "min(B, D)"),
    ("max(B, D) + F", "max(B + F, D)"),
    ("max(B, 241)", "max(B, 240)"),
    ("max(B, D, F)", "max(B, D)"),
    ("max(B - 10**8, 1)", "1"),
    ("abs(B - D)", "B - D"),
]


@pytest.mark.parametrize("left, right", SAME)
def test_same(left, right):
    assert same(formula(left), formula(right)).same is True
    assert same(formula(right), formula(left)).same is True


@pytest.mark.parametrize("left, right", DIFFERENT)
def test_different_with_a_point_that_proves_it(left, right):
    left, right = formula(left), formula(right)
    decision = same(left, right)
    assert decision.same is False
    assert decision.where is not None
    assert all(size >= 1 for size in decision.where.values())
    assert left.at(decision.where) != right.at(decision.where)


def test_open_is_said_to_be_open():
    # equal up to B = 10**30, which no point that is tried reaches
    decision = same(formula("max(B, 1e30)"), formula("max(B, 1e30) + max(B - 1e30, 0)*0"))
    assert decision.same is True
    assert same(formula("max(B - 1e30, 0)"), formula("0")).same is None


@pytest.mark.parametrize(
    "left, right, close",
    [
        ("B/9.89e14", "B/9.9e14", True),
        ("B/9.89e14", "B/9.8e14", False),
        ("2B + D", "2.004B + D", True),
        ("2B + D", "2.004B", False),
        ("2B + D", "2B + D + F", False),
        ("max(2B, D)", "max(D, 2.004B)", True),
        ("max(2B, D)", "min(D, 2B)", False),
        ("max(2B, D)", "max(D, 2.1B)", False),
        ("F + max(2B, D)", "max(2.001*B + F, D + F)", True),
        ("max(2B, D)", "2B", False),
    ],
)
def test_near(left, right, close):
    assert near(formula(left), formula(right), Fraction(1, 200)) is close
