"""Polynomials in the letters of a question, with exact coefficients.

A letter stands for a whole number of at least 1. A maximum is one more letter (`Largest`), which
remembers the formulas that it is the largest of.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rooflib.practice.algebra import Formula

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
