"""Exact rational functions of a question's letters, with max and min inside.

A letter stands for a whole number of at least 1 (a size). A `Formula` is a quotient of two
polynomials with Fraction coefficients; a maximum is one more letter that remembers its
arguments, and a minimum is the maximum of the negatives with its sign turned. Formulas carry
`free_symbols` and the operators + - * / **, so `rooflib.matmul(B, D, F)` takes them as sizes
and answers with a formula; nothing here needs sympy.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

MAX_TERMS = 600
MAX_DEGREE = 60
MAX_BITS = 6000


class TooLong(ValueError):
    """The formula grows beyond what is compared here."""


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest of several formulas, as one more letter of a polynomial."""

    options: tuple[Formula, ...]

    def __str__(self) -> str:
        return "max(" + ", ".join(str(option) for option in self.options) + ")"


Atom = str | Largest
Number = int | Fraction
Monomial = tuple[tuple[Atom, int], ...]


def _order(power: tuple[Atom, int]) -> tuple[bool, str]:
    atom = power[0]
    return (not isinstance(atom, str), str(atom))


def _times(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    powers = dict(left)
    for atom, exponent in right:
        powers[atom] = powers.get(atom, 0) + exponent
    if sum(powers.values()) > MAX_DEGREE:
        raise TooLong("too high a power")
    return tuple(sorted(powers.items(), key=_order))


class Polynomial:
    """A sum of monomials with exact coefficients; never holds a zero coefficient."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, Number]) -> None:
        # Whole coefficients are kept as ints, which are many times faster than Fractions.
        self.terms: dict[Monomial, Number] = {
            m: c.numerator if c.denominator == 1 else c for m, c in terms.items() if c
        }
        if len(self.terms) > MAX_TERMS:
            raise TooLong("too many terms")
        for c in self.terms.values():
            if c.numerator.bit_length() > MAX_BITS or c.denominator.bit_length() > MAX_BITS:
                raise TooLong("too large a number")

    @staticmethod
    def constant(value: Fraction | int) -> Polynomial:
        return Polynomial({(): value})

    @staticmethod
    def of(atom: Atom) -> Polynomial:
        return Polynomial({((atom, 1),): 1})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Polynomial) -> Polynomial:
        terms = dict(self.terms)
        for m, c in other.terms.items():
            terms[m] = terms.get(m, 0) + c
        return Polynomial(terms)

    def __neg__(self) -> Polynomial:
        return Polynomial({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        if len(self.terms) * len(other.terms) > 40 * MAX_TERMS:
            raise TooLong("too many terms")
        terms: dict[Monomial, Number] = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                product = _times(m, n)
                terms[product] = terms.get(product, 0) + c * d
        return Polynomial(terms)

    def scaled(self, factor: Number) -> Polynomial:
        return Polynomial({m: c * factor for m, c in self.terms.items()})

    def atoms(self) -> set[Atom]:
        return {atom for m in self.terms for atom, _ in m}

    def is_constant(self) -> bool:
        return not self.terms or set(self.terms) == {()}

    def common_monomial(self) -> dict[Atom, int]:
        """The largest monomial that divides every term."""
        powers: dict[Atom, int] | None = None
        for m in self.terms:
            here = dict(m)
            powers = (
                here
                if powers is None
                else {a: min(e, here[a]) for a, e in powers.items() if a in here}
            )
        return powers or {}

    def without(self, common: Mapping[Atom, int]) -> Polynomial:
        """The quotient by a monomial that divides every term."""
        if not common:
            return self
        return Polynomial(
            {
                tuple((a, e - common.get(a, 0)) for a, e in m if e > common.get(a, 0)): c
                for m, c in self.terms.items()
            }
        )

    def substitute(self, values: Mapping[Atom, Formula]) -> Formula:
        total = Formula.constant(0)
        for m, c in self.terms.items():
            kept = tuple((a, e) for a, e in m if a not in values)
            term = Formula(Polynomial({kept: c}))
            for a, e in m:
                if a in values:
                    term = term * values[a] ** e
            total = total + term
        return total

    def at(self, point: Mapping[str, Number]) -> Number:
        total: Number = 0
        for m, c in self.terms.items():
            for atom, exponent in m:
                if isinstance(atom, str):
                    c *= point[atom] ** exponent
                else:
                    c *= max(option.at(point) for option in atom.options) ** exponent
            total += c
        return total

    def sign(self) -> int | None:
        """1 or -1 when that is its sign for all letters >= 1, 0 for zero, None when not known."""
        if not self.terms:
            return 0
        found = {_sign_of(m) * (1 if c > 0 else -1) for m, c in self.terms.items()}
        if len(found) == 1 and 0 not in found:
            return found.pop()
        if len(self.terms) > 30 or len(self._seen_signs()) > 1:
            return None
        # With every letter written as 1 + t, t >= 0, more signs show: B·D - D + 1 is one.
        shifted = self._shifted().terms
        signs = {c > 0 for c in shifted.values()}
        if len(signs) == 1 and () in shifted:
            return 1 if signs.pop() else -1
        return None

    def never_negative(self) -> bool:
        """Whether it is provably >= 0 for all letters >= 1; it may touch zero, as B - 1 does."""
        if self.sign() in (0, 1):
            return True
        if len(self.terms) > 30 or -1 in self._seen_signs():
            return False
        return all(c > 0 for c in self._shifted().terms.values())

    def _seen_signs(self) -> set[int]:
        """Signs that it does take: two of them save the work of a proof."""
        atoms = self.atoms()
        if any(isinstance(a, Largest) for a in atoms):
            return {-1, 1}
        values = [self.at(dict.fromkeys(map(str, atoms), size)) for size in (1, 10**6)]
        return {(v > 0) - (v < 0) for v in values if v}

    def _shifted(self) -> Polynomial:
        one = Polynomial.constant(1)
        total = Polynomial({})
        for m, c in self.terms.items():
            term = Polynomial.constant(c)
            for atom, exponent in m:
                for _ in range(exponent):
                    term = term * (one + Polynomial.of(atom))
            total = total + term
        return total

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        parts: list[str] = []
        for m, c in self.terms.items():
            letters = "·".join(str(a) if e == 1 else f"{a}^{e}" for a, e in m)
            size: Number = -c if c < 0 else c
            body = letters if letters and size == 1 else "·".join(filter(None, (_n(size), letters)))
            parts.append(("-" if c < 0 else "+" if parts else "") + body)
        return " ".join(p if i == 0 else f"{p[0]} {p[1:]}" for i, p in enumerate(parts))


def _n(value: Number) -> str:
    if value.denominator == 1 and value < 10**7:
        return str(value.numerator)
    if value.denominator <= 1000 and value < 1000:
        return f"{value.numerator}/{value.denominator}"
    return f"{float(value):.6g}"


@functools.lru_cache(maxsize=4096)
def _sign_of(monomial: Monomial) -> int:
    """The sign of a monomial, 0 when it is not known."""
    sign = 1
    for atom, exponent in monomial:
        if isinstance(atom, str) or exponent % 2 == 0:
            continue
        signs = [option.sign() for option in atom.options]
        if 1 in signs:  # a maximum is at least its largest argument
            continue
        if all(s == -1 for s in signs):
            sign = -sign
        else:
            return 0
    return sign


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
        return self.num.substitute(values) / self.den.substitute(values)

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
