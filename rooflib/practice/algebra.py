"""Exact rational functions of a question's letters, with max and min inside.

A letter stands for a whole number of at least 1 (a size). A `Formula` is a quotient of two
polynomials with Fraction coefficients; a maximum is one more letter that remembers its
arguments, and a minimum is the maximum of the negatives with its sign turned. Formulas carry
`free_symbols` and the operators + - * / **, so `rooflib.matmul(B, D, F)` takes them as sizes
and answers with a formula; nothing here needs sympy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rooflib.practice.polynomial import (
    MAX_DEGREE,
    Atom,
    Largest,
    Number,
    Polynomial,
    TooLong,
)


class Formula:
    """A quotient of two polynomials, with a denominator that is not zero."""

    # samples: values at the fixed points of `decide`, once they were needed
    __slots__ = ("den", "num", "samples")
    # numpy scalars on the left of * and friends hand over to these operators.
    __array_priority__ = 1000

    def __init__(self, num: Polynomial, den: Polynomial | None = None) -> None:
        if den is None:
            den = Polynomial.constant(1)
        if not den:
            raise ZeroDivisionError("division by zero")
        if not den.is_constant():
            a, b = num.common_monomial(), den.common_monomial()
            # A maximum could be zero, but dividing by it assumed that it is not.
            common = {k: min(e, b[k]) for k, e in a.items() if k in b} if num else b
            num, den = num.without(common), den.without(common)
        lead = next(iter(den.terms.values()))
        if lead != 1:
            num, den = num.scaled(Fraction(1, lead)), den.scaled(Fraction(1, lead))
        self.num, self.den = num, den
        self.samples: tuple[Fraction | None, ...] | None = None

    @staticmethod
    def constant(value: Fraction | int) -> Formula:
        return Formula(Polynomial.constant(value))

    @staticmethod
    def letter(name: str) -> Formula:
        return Formula(Polynomial.of(name))

    # What makes it a size for rooflib.
    @property
    def free_symbols(self) -> frozenset[str]:
        """The letters in it, those inside a maximum included."""
        found: set[str] = set()
        for atom in self.num.atoms() | self.den.atoms():
            if isinstance(atom, str):
                found.add(atom)
            else:
                found.update(*(option.free_symbols for option in atom.options))
        return frozenset(found)

    @property
    def is_nonpositive(self) -> bool | None:
        sign = self.sign()
        return None if sign is None else sign <= 0

    def sign(self) -> int | None:
        num, den = self.num.sign(), self.den.sign()
        if num == 0:
            return 0
        return None if num is None or den is None else num * den

    def never_negative(self) -> bool:
        den = self.den.sign()
        if den is None:
            return False
        return (self.num if den > 0 else -self.num).never_negative()

    def atoms(self) -> set[Largest]:
        return {a for a in self.num.atoms() | self.den.atoms() if isinstance(a, Largest)}

    def as_number(self) -> Fraction | None:
        """Its value when it is the same for all letters, as (2B + 2D)/(B + D) is; else None."""
        num, den = self.num.terms, self.den.terms
        if not num:
            return Fraction(0)
        if num.keys() != den.keys():
            return None
        ratios = {Fraction(c) / den[m] for m, c in num.items()}
        return ratios.pop() if len(ratios) == 1 else None

    def substitute(self, values: Mapping[Atom, Formula]) -> Formula:
        return _substitute(self.num, values) / _substitute(self.den, values)

    def at(self, point: Mapping[str, Number]) -> Fraction:
        """Its exact value; raises ZeroDivisionError where it has none."""
        return Fraction(self.num.at(point)) / self.den.at(point)

    def __add__(self, other: object) -> Formula:
        o = as_formula(other)
        if o is None:
            return NotImplemented
        if self.den == o.den:
            return Formula(self.num + o.num, self.den)
        return Formula(self.num * o.den + o.num * self.den, self.den * o.den)

    __radd__ = __add__

    def __neg__(self) -> Formula:
        return Formula(-self.num, self.den)

    def __pos__(self) -> Formula:
        return self

    def __sub__(self, other: object) -> Formula:
        o = as_formula(other)
        return NotImplemented if o is None else self + -o

    def __rsub__(self, other: object) -> Formula:
        o = as_formula(other)
        return NotImplemented if o is None else o + -self

    def __mul__(self, other: object) -> Formula:
        o = as_formula(other)
        return NotImplemented if o is None else Formula(self.num * o.num, self.den * o.den)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Formula:
        o = as_formula(other)
        return NotImplemented if o is None else Formula(self.num * o.den, self.den * o.num)

    def __rtruediv__(self, other: object) -> Formula:
        o = as_formula(other)
        return NotImplemented if o is None else o / self

    def __pow__(self, other: object) -> Formula:
        o = as_formula(other)
        power = o.as_number() if o is not None else None
        if power is None or power.denominator != 1:
            raise ValueError("a power must be a whole number")
        if abs(power) > MAX_DEGREE:
            raise TooLong("too high a power")
        base = Formula(self.den, self.num) if power < 0 else self
        result = Formula.constant(1)
        for _ in range(abs(power.numerator)):
            result = result * base
        return result

    def __abs__(self) -> Formula:
        return largest([self, -self])

    def __eq__(self, other: object) -> bool:
        """The same rational function (maxima are compared by their arguments only)."""
        o = as_formula(other)
        return NotImplemented if o is None else self.num * o.den == o.num * self.den

    def __hash__(self) -> int:
        return hash(self.free_symbols)

    def _no_order(self, other: object) -> bool:
        raise TypeError("a formula has no order; use max(a, b) or min(a, b) in the text")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def __bool__(self) -> bool:
        raise TypeError("a formula is neither true nor false")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """np.maximum(a, b) and the like in a reader's function, without importing numpy."""
        work = _UFUNCS.get(ufunc.__name__)
        values = [as_formula(x) for x in inputs]
        if work is None or method != "__call__" or options or any(v is None for v in values):
            return NotImplemented
        return work(*values)

    def __str__(self) -> str:
        if self.den == Polynomial.constant(1):
            return str(self.num)
        num, den = str(self.num), str(self.den)
        if len(self.num.terms) > 1:
            num = f"({num})"
        if len(self.den.terms) > 1 or "·" in den or "/" in den:
            den = f"({den})"
        return f"{num}/{den}"

    def __repr__(self) -> str:
        return f"<formula {self}>"


def _substitute(polynomial: Polynomial, values: Mapping[Atom, Formula]) -> Formula:
    total = Formula.constant(0)
    for m, c in polynomial.terms.items():
        kept = tuple((a, e) for a, e in m if a not in values)
        term = Formula(Polynomial({kept: c}))
        for a, e in m:
            if a in values:
                term = term * values[a] ** e
        total = total + term
    return total


_UFUNCS: dict[str, Any] = {
    "maximum": lambda a, b: largest([a, b]),
    "minimum": lambda a, b: smallest([a, b]),
    "absolute": abs,
    "negative": lambda a: -a,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "power": lambda a, b: a**b,
    "square": lambda a: a * a,
}


def as_formula(value: object) -> Formula | None:
    """The value as a formula: formulas, whole numbers, Fractions, finite floats; else None."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, Fraction)):
        return Formula.constant(value)
    if isinstance(value, float):
        # 8.2e11 and 0.1 mean what they say, not their nearest binary fraction.
        text = float.__repr__(value)
        return None if "n" in text else Formula.constant(Fraction(text))
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.integer, numpy.floating)):
        return as_formula(value.item())
    return None


def letters(names: str | Iterable[str]) -> tuple[Formula, ...]:
    """`B, D, F = letters("B D F")`."""
    return tuple(Formula.letter(n) for n in (names.split() if isinstance(names, str) else names))


def largest(options: Iterable[Formula]) -> Formula:
    """max of the options; those that another one dominates for all letters >= 1 are dropped."""
    flat: list[Formula] = []
    for option in options:
        inner = _only_maximum(option)
        flat.extend(inner.options if inner else [option])
    kept: list[Formula] = []
    for option in flat:
        differences = [option - other for other in kept]
        if any((-d).never_negative() for d in differences):
            continue
        kept = [o for o, d in zip(kept, differences, strict=True) if not d.never_negative()]
        kept.append(option)
    if len(kept) == 1:
        return kept[0]
    return Formula(Polynomial.of(Largest(tuple(sorted(kept, key=str)))))


def smallest(options: Iterable[Formula]) -> Formula:
    return -largest([-option for option in options])


def _only_maximum(formula: Formula) -> Largest | None:
    """The maximum that the formula is, when it is nothing else."""
    if formula.den.is_constant() and len(formula.num.terms) == 1:
        (m, c), *_ = formula.num.terms.items()
        if c == 1 and len(m) == 1 and m[0][1] == 1 and isinstance(m[0][0], Largest):
            return m[0][0]
    return None
