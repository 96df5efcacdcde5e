"""Critical sizes: where compute begins to bind, and where many chips begin to pay."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from rooflib import exact
from rooflib.chips import Chip
from rooflib.chips import chip as as_chip
from rooflib.i18n import _
from rooflib.roofline import Times, link_times, math_time
from rooflib.work import PerLink, Work

Family = Callable[[Any], Work]


class Critical(float):
    """A critical size: a float that also knows its exact value, its direction and the rule.

    exact: Fraction, or None when it is 0 or inf. direction: the side on which the thing asked
    for holds: "above", "below", "always", "never". rule: the approximation that leaves out the
    traffic which grows with the size (240.12 for bf16 batches on a v5e); nan where there is none.
    """

    exact: Fraction | None
    direction: str
    rule: float

    @classmethod
    def of(cls, crossing: Fraction | None, direction: str, rule: float = math.nan) -> Critical:
        ends = {"always": 0.0, "never": math.inf}
        self = cls(ends[direction] if crossing is None else crossing)
        self.exact, self.direction, self.rule = crossing, direction, rule
        return self

    @property
    def whole(self) -> float:
        """The first whole size at or beyond it; inf when there is none."""
        return math.ceil(self) if math.isfinite(self) else float(self)


class _Line(NamedTuple):
    """A time that is affine in the size, exact."""

    slope: Fraction
    start: Fraction

    def __call__(self, size: Fraction) -> Fraction:
        return self.slope * size + self.start


def critical(fn: Family, chip: Chip | str, link: str = "hbm") -> Critical:
    """The size from which on compute binds against `link`; inf: never; 0: always.

    fn takes one size and returns a Work: critical(lambda B: matmul(B, D, F), chip) asks for a
    batch. It is evaluated in exact fractions at a few sizes. `.direction` is "below" where growing
    the size makes a work less intense. Other links are left aside: with three times that compete,
    ask for each link.

    >>> from rooflib.operations import matmul
    >>> found = critical(lambda B: matmul(B, 4096, 4096, w="int8"), "TPU v5e")
    >>> round(found, 2), found.whole, round(found.rule)
    (136.09, 137, 120)

    Raises ValueError when a time is not affine in the size, as with ragged tiles, and names
    `intervals`, which has an answer for those; TypeError if fn gives no Work.
    """
    machine = _called_with(fn, chip)
    compute = _line(fn, lambda work: math_time(work, machine, Fraction), _("the arithmetic"))
    wire = _line(fn, lambda work: link_times(work, machine, Fraction)[link], link)
    gap = _Line(compute.slope - wire.slope, compute.start - wire.start)
    rule = math.nan
    if compute.slope:
        rule = max(0.0, float((wire.start - compute.start) / compute.slope))
    crossing = -gap.start / gap.slope if gap.slope else None
    if crossing is not None and crossing > 0:
        return Critical.of(crossing, "above" if gap.slope > 0 else "below", rule)
    always = gap.slope > 0 or (gap.slope == 0 and gap.start >= 0)
    return Critical.of(None, "always" if always else "never", rule)


def intervals(
    fn: Family, chip: Chip | str, link: str = "hbm", *, low: int = 1, high: int = 65_536
) -> list[tuple[int, int]]:
    """The whole sizes from low to high at which compute binds against `link`, as (first, last).

    For works whose times are no straight lines: ragged tiles, latency. fn is called once, with
    the array of all these sizes.
    """
    machine = _called_with(fn, chip)
    low, high = exact.count("low", low), exact.count("high", high)
    if low > high:
        raise ValueError(
            _("low must not be above high; got {low} and {high}").format(low=low, high=high)
        )
    sizes = np.arange(low, high + 1)
    work = _work(fn(sizes))
    binds = np.broadcast_to(
        math_time(work, machine) >= link_times(work, machine)[link], sizes.shape
    )
    edges = np.flatnonzero(np.diff(np.concatenate([[False], binds, [False]]).astype(int)))
    return [(int(sizes[a]), int(sizes[b - 1])) for a, b in edges.reshape(-1, 2)]


def break_even(
    one: Family, many: Family, chip: Chip | str, overlap: float | Mapping[str, float] = 1.0
) -> Critical:
    """The size from which on `many` takes less time than `one`: where sharding begins to pay.

    one, many: functions of one size that return a Work; overlap as for `Times.at`, links that a
    work does not use aside.

    >>> from rooflib import matmul, shard
    >>> def one(D):
    ...     return matmul(1024, D, 8192)
    >>> def two(D):
    ...     return shard(one(D), "D")
    >>> round(break_even(one, two, "TPU v5e"), 1)
    4377.8
    >>> round(break_even(one, two, "TPU v5e", overlap={"ici": 0}), 1)
    8755.6

    Raises ValueError when a time is not affine in the size, or when there are several such sizes,
    which are named then.
    """
    machine = _called_with(one, chip)
    _called_with(many, chip)
    first, second = _Clock(one, machine, overlap), _Clock(many, machine, overlap)

    def gain(size: Fraction) -> Fraction:
        return first(size) - second(size)

    corners = sorted({Fraction(0), *first.corners(), *second.corners()})
    # beyond the last corner the gain is a straight line too: two points tell where it goes
    ends = [*corners, corners[-1] + 1]
    roots = []
    for i, (a, b) in enumerate(pairwise(ends)):
        slope = (gain(b) - gain(a)) / (b - a)
        root = a - gain(a) / slope if slope else None
        if root is not None and root > a and (root <= b or i == len(ends) - 2):
            roots.append((root, "above" if slope > 0 else "below"))
    turns = [found for n, found in enumerate(roots) if n == 0 or roots[n - 1][0] != found[0]]
    if len(turns) > 1:
        listed = ", ".join(f"{side} {float(size):.6g}" for size, side in turns)
        raise ValueError(_("there are several such sizes: {listed}").format(listed=listed))
    if turns:
        return Critical.of(*turns[0])
    return Critical.of(None, "always" if gain(ends[-1]) > 0 else "never")


class _Clock:
    """The time of a family of works as a function of the size: exact, and piecewise affine."""

    def __init__(self, fn: Family, machine: Chip, overlap: float | Mapping[str, float]) -> None:
        self.compute = _line(
            fn, lambda work: math_time(work, machine, Fraction), _("the arithmetic")
        )
        self.links = {
            link: _line(fn, lambda work, link=link: link_times(work, machine, Fraction)[link], link)  # type: ignore[misc]
            for link in _work(fn(_SIZES[0])).bytes
        }
        self.work, self.machine = _work(fn(_SIZES[0])), machine
        if isinstance(overlap, Mapping):
            overlap = {link: share for link, share in overlap.items() if link in self.links}
        shares = Times(self.work, machine, 0, PerLink(self.links)).shares(overlap)
        self.shares = {link: Fraction(share) for link, share in shares.items()}

    def __call__(self, size: Fraction) -> Fraction:
        comms = PerLink({link: line(size) for link, line in self.links.items()})
        return Fraction(Times(self.work, self.machine, self.compute(size), comms).at(self.shares))

    def corners(self) -> list[Fraction]:
        """Where one of its parts overtakes another."""
        hidden = [self.compute] + [
            _Line(line.slope * self.shares[link], line.start * self.shares[link])
            for link, line in self.links.items()
        ]
        crossings = [
            (b.start - a.start) / (a.slope - b.slope)
            for a, b in combinations(hidden, 2)
            if a.slope != b.slope
        ]
        return [size for size in crossings if size > 0]


# far apart and without common factors, so that a staircase does not pass for a line
_SIZES = (1, 997, 104_729, 15_485_863)


def _line(fn: Family, time: Callable[[Work], Fraction], what: str) -> _Line:
    points = [(size, time(_work(fn(size)))) for size in _SIZES]
    (x0, y0), (x1, y1), *rest = points
    slope = Fraction(y1 - y0) / (x1 - x0)
    line = _Line(slope, y0 - slope * x0)
    if any(line(Fraction(x)) != y for x, y in rest):
        raise ValueError(
            _(
                "the time of {what} is not affine in this size, so there may be several "
                "crossings; intervals(fn, chip, low=, high=) lists the sizes where compute binds"
            ).format(what=what)
        )
    return line


def _called_with(fn: object, chip: Chip | str) -> Chip:
    if not callable(fn):
        raise TypeError(_("fn must be a function of one size; got {fn!r}").format(fn=fn))
    return as_chip(chip)


def _work(found: object) -> Work:
    if not isinstance(found, Work):
        raise TypeError(_("fn must return a Work; got {found!r}").format(found=found))
    return found
