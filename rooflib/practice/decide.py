"""Are two formulas the same for all whole letters >= 1? Yes, no (with a point), or not decided.

Without maxima the answer is a theorem: two rational functions agree everywhere when their
cross-multiplied polynomials are equal, and differ somewhere when they are not. With maxima,
every way in which they can turn out is followed, and the two must be the same rational
function in each way that can happen at all.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from rooflib.practice.algebra import Formula, largest
from rooflib.practice.polynomial import Atom, Largest, Monomial, Polynomial, TooLong

MAX_WAYS = 256


@dataclass(frozen=True)
class Decision:
    """same: True, False, or None for not decided; where: a point at which they differ."""

    same: bool | None
    where: dict[str, int] | None = None


def same(left: Formula, right: Formula) -> Decision:
    """Decide `left == right` exactly, for all whole letters >= 1."""
    for sample, ours, theirs in zip(_SAMPLES, samples(left), samples(right), strict=True):
        if ours != theirs:  # a proof already, and most comparisons end here
            names = sorted(left.free_symbols | right.free_symbols)
            return Decision(False, {name: sample(name) for name in names})
    try:
        if not left.atoms() and not right.atoms():
            if left == right:
                return Decision(True)
            return Decision(False, witness(left, right))
        ways = list(itertools.islice(_ways(left - right, ()), MAX_WAYS + 1))
    except (TooLong, ZeroDivisionError):
        ways = None
    if ways is not None and len(ways) <= MAX_WAYS:
        if all(not d.num for _, d in ways):
            return Decision(True)
        point = witness(left, right)
        if point is not None:
            return Decision(False, point)
        if all(not d.num or _impossible(conditions) for conditions, d in ways):
            return Decision(True)
        return Decision(None)
    point = witness(left, right)
    return Decision(None) if point is None else Decision(False, point)


def _sample(most: int) -> Callable[[str], int]:
    """A point to try: to every letter its own whole number, the same in every session."""
    return lambda name: 1 + zlib.crc32(f"{most} {name}".encode()) % most


_SAMPLES = tuple(_sample(most) for most in (9, 600, 20011))


def samples(formula: Formula) -> tuple[Fraction | None, ...]:
    """Its exact values at the fixed points (None where it has none); worked out once."""
    if formula.samples is None:
        names = formula.free_symbols
        formula.samples = tuple(
            _value(formula, {name: point(name) for name in names}) for point in _SAMPLES
        )
    return formula.samples


Conditions = tuple[Polynomial, ...]


def _ways(difference: Formula, conditions: Conditions) -> Iterator[tuple[Conditions, Formula]]:
    """(what must be positive, the difference then) for each way its maxima can turn out.

    Ties need no case of their own: where two options are equal, both ways give the value.
    """
    innermost = next((a for a in difference.atoms() if _is_plain(a)), None)
    if innermost is None:
        atom = next(iter(difference.atoms()), None)
        if atom is None:
            yield conditions, difference
            return
        innermost = _inside(atom)
    for winner in innermost.options:
        now: Conditions | None = conditions
        for other in innermost.options:
            if other is not winner and now is not None:
                now = _and_positive(now, winner - other)
        if now is not None:
            yield from _ways(_replace(difference, innermost, winner), now)


def _is_plain(atom: Largest) -> bool:
    return not any(option.atoms() for option in atom.options)


def _inside(atom: Largest) -> Largest:
    while not _is_plain(atom):
        atom = next(a for option in atom.options for a in option.atoms())
    return atom


def _replace(formula: Formula, atom: Largest, value: Formula) -> Formula:
    """The formula with a maximum settled, inside other maxima too."""
    values: dict[str | Largest, Formula] = {}
    for outer in formula.atoms():
        if outer == atom:
            values[outer] = value
        elif any(o.atoms() for o in outer.options):
            values[outer] = largest(_replace(o, atom, value) for o in outer.options)
    return formula.substitute(values) if values else formula


def _and_positive(conditions: Conditions, value: Formula) -> Conditions | None:
    """The conditions and `value > 0`; None when that cannot be."""
    den = value.den.sign()
    condition = _standard(value.num if den == 1 else -value.num if den == -1 else _product(value))
    sign = condition.sign()
    if sign in (0, -1):
        return None
    if sign == 1 or condition in conditions:
        return conditions
    for known in conditions:
        quotient = _quotient(condition, known) or _quotient(known, condition)
        if quotient is not None and quotient.sign() == 1:
            return conditions
        if quotient is not None and quotient.sign() == -1:
            return None
    return (*conditions, condition)


def _product(value: Formula) -> Polynomial:
    return value.num * value.den


def _standard(p: Polynomial) -> Polynomial:
    """The polynomial up to a positive factor: no common monomial, first coefficient 1 or -1."""
    if not p:
        return p
    common: dict[Atom, int] = {a: e for a, e in p.common_monomial().items() if isinstance(a, str)}
    p = p.without(common)
    return p.scaled(1 / abs(Fraction(p.terms[max(p.terms, key=_rank)])))


def _rank(m: Monomial) -> tuple[int, str]:
    return (sum(e for _, e in m), str(m))


def _quotient(p: Polynomial, q: Polynomial) -> Polynomial | None:
    """p / q when q divides p exactly, by long division in a fixed lexicographic order."""
    names = sorted({str(a): a for a in p.atoms() | q.atoms()}.items())

    def lead(poly: Polynomial) -> Monomial:
        return max(poly.terms, key=lambda m: tuple(dict(m).get(a, 0) for _, a in names))

    top = lead(q)
    result = Polynomial({})
    for _ in range(60):
        if not p:
            return result
        m = dict(lead(p))
        if any(m.get(a, 0) < e for a, e in top):
            return None
        ratio = Fraction(p.terms[lead(p)], q.terms[top])
        rest = {a: e - dict(top).get(a, 0) for a, e in m.items()}
        step = Polynomial({tuple((a, e) for a, e in rest.items() if e): ratio})
        result, p = result + step, p - step * q
    return None


def _impossible(conditions: Conditions) -> bool:
    """Whether sums of the positive conditions, suitably weighted, are provably not positive."""
    made = list(conditions)
    for first, second in itertools.combinations(range(min(len(made), 8)), 2):
        for combined in _cancelled(made[first], made[second]):
            if combined.sign() in (0, -1):
                return True
            for third in range(min(len(conditions), 8)):
                if any(c.sign() in (0, -1) for c in _cancelled(combined, made[third])):
                    return True
    return False


def _cancelled(p: Polynomial, q: Polynomial) -> Iterator[Polynomial]:
    """p + k q for each positive k that makes a monomial of both vanish."""
    for m, c in p.terms.items():
        d = q.terms.get(m)
        if d is not None and (c > 0) != (d > 0):
            yield p + q.scaled(-Fraction(c, d))


_SIZES = (1, 2, 3, 7, 24, 96, 239, 240, 241, 511, 1024, 4096, 8755, 8756, 65536, 10**9)


def points(names: list[str]) -> Iterator[dict[str, int]]:
    """Whole points to try, the telling ones first: all different, then a grid."""
    for shift in (0, 5, 9, 2):
        yield {n: _SIZES[(3 + 4 * i + shift) % 15] + i for i, n in enumerate(names)}
    sizes = _SIZES if len(names) <= 3 else (1, 2, 7, 240, 8756)
    for values in itertools.islice(itertools.product(sizes, repeat=len(names)), 4096):
        yield dict(zip(names, values, strict=True))


def witness(left: Formula, right: Formula) -> dict[str, int] | None:
    """A point of whole letters >= 1 at which the two differ (or only one has a value)."""
    names = sorted(left.free_symbols | right.free_symbols)
    for point in points(names):
        if _value(left, point) != _value(right, point):
            return point
    return None


def _value(formula: Formula, point: dict[str, int]) -> Fraction | None:
    try:
        return formula.at(point)
    except ZeroDivisionError:
        return None


def near(left: Formula, right: Formula, tolerance: Fraction) -> bool:
    """The same terms, each coefficient within a relative tolerance; maxima option by option."""
    kind, ours = _options(left)
    their_kind, theirs = _options(right)
    if kind != their_kind or len(ours) != len(theirs):
        return False
    return any(
        all(_near(x, y, tolerance) for x, y in zip(ours, order, strict=True))
        for order in itertools.islice(itertools.permutations(theirs), 24)
    )


def _near(left: Formula, right: Formula, tolerance: Fraction) -> bool:
    if left.atoms() or right.atoms():
        return False
    p, q = (left.num * right.den).terms, (right.num * left.den).terms
    return p.keys() == q.keys() and all(
        abs(Fraction(c) / q[m] - 1) <= tolerance for m, c in p.items()
    )


def _options(formula: Formula) -> tuple[str, tuple[Formula, ...]]:
    """("max" or "min", the options) of one maximum, scaled or shifted; else ("one", itself)."""
    atoms = formula.atoms()
    if len(atoms) == 1 and formula.den.sign() == 1:
        (atom,) = atoms
        slope = Polynomial(
            {
                tuple((a, e) for a, e in m if a != atom): c
                for m, c in formula.num.terms.items()
                if dict(m).get(atom) == 1
            }
        ).sign()
        powers = {dict(m).get(atom, 0) for m in formula.num.terms}
        if _is_plain(atom) and powers <= {0, 1} and slope in (1, -1):
            options = tuple(formula.substitute({atom: option}) for option in atom.options)
            return ("max" if slope == 1 else "min"), options
    return "one", (formula,)
