"""Rooflines: what a chip makes of a work. Times, bounds, and what binds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from rooflib import exact
from rooflib.chips import Chip
from rooflib.chips import chip as as_chip
from rooflib.exact import Number
from rooflib.i18n import _
from rooflib.units import plain, quantity, si
from rooflib.work import Operation, PerLink, Work

COMPUTE = "compute"


@dataclass(frozen=True, eq=False)
class Times:
    """What a chip makes of a work; all times in seconds, numbers or arrays as the sizes are."""

    work: Work
    chip: Chip
    math: Number
    comms: Mapping[str, Number]

    @cached_property
    def lower(self) -> Number:
        """The longest of them: everything overlaps."""
        return exact.maximum(self.math, *self.comms.values())

    @cached_property
    def upper(self) -> Number:
        """The sum of them: nothing overlaps. At most (links + 1) times `lower`."""
        return exact.total(self.math, *self.comms.values())

    @cached_property
    def bound(self) -> Any:
        """What binds: "compute" or the name of a link; an array of names for arrays.

        At a tie, "compute": the chip is at its peak there.
        """
        names, times = [COMPUTE, *self.comms], [self.math, *self.comms.values()]
        if not any(exact.is_array(time) for time in times):
            return names[max(range(len(times)), key=lambda i: times[i])]
        return np.array(names)[np.argmax(np.stack(np.broadcast_arrays(*times)), axis=0)]

    @property
    def attained(self) -> Number:
        """FLOP/s when the work takes `lower`."""
        return exact.product(exact.ratio(self.work.ops, 1), 1 / self.lower)

    @property
    def utilisation(self) -> Number:
        """The share of `lower` in which the compute unit is busy: 1 when compute-bound."""
        return self.math / self.lower

    def at(self, overlap: float | Mapping[str, Any] = 1.0) -> Number:
        """Seconds when only a share of each link's time can hide behind the rest.

        overlap: between 0 (gives `upper`) and 1 (gives `lower`), for all links or by link:
        {"hbm": 1, "ici": 0} lets the exchange begin when everything else has ended. A link that
        is not named hides fully.
        """
        shares = self.shares(overlap)
        hidden = [shares[link] * time for link, time in self.comms.items()]
        after = [(1 - shares[link]) * time for link, time in self.comms.items()]
        return exact.total(exact.maximum(self.math, *hidden), *after)

    def shares(self, overlap: Any) -> dict[str, Any]:
        """The overlap of every link, checked: between 0 and 1, and of links that are used."""
        given = overlap if isinstance(overlap, Mapping) else dict.fromkeys(self.comms, overlap)
        for link, share in given.items():
            self.comms[link]  # raises for a link that the work does not use
            if isinstance(share, bool) or not isinstance(share, Real) or not 0 <= float(share) <= 1:
                raise ValueError(
                    _("overlap must be between 0 and 1; got {share!r} for {link}").format(
                        share=share, link=link
                    )
                )
        return dict.fromkeys(self.comms, 1) | dict(given)

    def gains(self, factor: float = 2.0) -> dict[str, Number]:
        """How many times faster, overlapped, if one thing alone were `factor` times better.

        "compute": FLOP/s. A link's name: its bandwidth, or the intensity on it, which is the same.
        """
        parts = {COMPUTE: self.math, **self.comms}
        return {
            name: self.lower / exact.maximum(*(parts | {name: time / factor}).values())
            for name, time in parts.items()
        }

    def explain(self) -> str:
        """What binds, by how much, and what each remedy would buy; for one size, not arrays."""
        if exact.is_array(self.lower):
            raise ValueError(_("explain() is about one size; these times are arrays"))
        parts = {COMPUTE: self.math, **self.comms}
        second = max((name for name in parts if name != self.bound), key=lambda name: parts[name])
        names = {COMPUTE: _("the arithmetic")}
        said = _("Compute-bound") if self.bound == COMPUTE else _("Bound by {link}")
        lines = [
            (said + _(": {time}, {factor} times as long as {other}.")).format(
                link=self.bound,
                time=si(self.lower, "s"),
                factor=plain(self.lower / parts[second]),
                other=names.get(second, second),
            )
        ]
        for name, gain in self.gains().items():
            remedy = (
                _("Twice the FLOP/s")
                if name == COMPUTE
                else _("Twice the bandwidth of {link}, or twice the intensity there").format(
                    link=name
                )
            )
            worth = (
                _("no faster") if gain == 1 else _("{gain} times as fast").format(gain=plain(gain))
            )
            lines.append(f"{remedy}: {worth}.")
        return "\n".join(lines)

    @property
    def fits(self) -> Any:
        """Whether each operation's operands fit in the memories they live in, as far as known."""
        return np.logical_and.reduce(
            [need <= capacity for _link, need, capacity in _needs(self.work, self.chip)] or [True]
        )

    def __repr__(self) -> str:
        work = " + ".join(each.name for each in self.work.operations)
        lines = [_("{work} on {chip}").format(work=work, chip=self.chip.name)]
        rows = [("math", self.math, _rate(self.work, self.chip))]
        for link, time in self.comms.items():
            moved = quantity(self.work.bytes[link], "B")
            at = si(self.chip.bandwidth(link), "B/s")
            rows.append((link, time, _("{moved} at {rate}").format(moved=moved, rate=at)))
        binding = self.bound if isinstance(self.bound, str) else " / ".join(np.unique(self.bound))
        rows.append(
            ("lower", self.lower, _("all overlapped; bound by {what}").format(what=binding))
        )
        rows.append(("upper", self.upper, _("nothing overlapped")))
        texts = [quantity(time, "s") for _label, time, _remark in rows]
        width = max(map(len, texts))
        for (label, _time, remark), text in zip(rows, texts, strict=True):
            lines.append(f"  {label:<6} {text:>{width}}   {remark}")
        share = quantity(self.utilisation * 100, "%")
        rate = quantity(self.attained, "FLOP/s")
        lines.append(_("  attains {rate}, {share} of the peak").format(rate=rate, share=share))
        if not np.all(self.fits):
            lines.append(_("  does not fit in the memory of this chip"))
        return "\n".join(lines)


def _rate(work: Work, chip: Chip) -> str:
    peaks = dict.fromkeys(chip.peak(op.compute, op.unit) for op in work.operations)
    rates = ", ".join(si(peak, "FLOP/s") for peak in peaks)
    return _("{ops} at {rates}").format(ops=quantity(work.ops, "FLOP"), rates=rates)


def estimate(work: Work, chip: Chip | str) -> Times:
    """The times of a work on a chip: arithmetic, each link, and the bounds.

    Options live with what they change: `Times.at` for partial overlap, `Chip.achieving` for the
    share of the peak that real programs reach, `Work.resident` for operands in another memory,
    out= and sums= for wider outputs and partial sums, einsum(unit="vector") for the vector unit.

    Raises ValueError if the chip has no rate for a number format of the work, lacks a link that
    it uses, or has no room for operands that were put into a memory other than HBM; and TypeError
    if the sizes are symbols: a time needs numbers.
    """
    if not isinstance(work, Work):
        raise TypeError(
            _("work must be a Work, such as matmul(...) gives; got {x!r}").format(x=work)
        )
    machine = as_chip(chip)
    if exact.is_symbol(work.ops) or any(exact.is_symbol(moved) for moved in work.bytes.values()):
        raise TypeError(
            _(
                "a time needs numbers, and this work has the letters {letters}; "
                "symbols go as far as ops, bytes and intensity"
            ).format(letters=", ".join(sorted(map(str, work.ops.free_symbols))))
        )
    for link, need, capacity in _needs(work, machine):
        if link != "hbm" and np.any(need >= capacity):
            raise ValueError(
                _("no room: {need} of operands in {link}, which holds {capacity} on {chip}").format(
                    need=quantity(need, "B"),
                    link=link,
                    capacity=quantity(capacity, "B"),
                    chip=machine.name,
                )
            )
    return Times(work, machine, math_time(work, machine), link_times(work, machine))


def _needs(work: Work, chip: Chip) -> list[tuple[str, Number, float]]:
    """For each operation and memory: the bytes that its operands take, and those there are."""
    found = []
    for operation in work.operations:
        for link in dict.fromkeys(operand.link for operand in operation.operands):
            capacity = chip.link(link).capacity
            if capacity is not None:
                bits = [
                    exact.product(operand.dtype.bits, *operand.shape)
                    for operand in operation.operands
                    if operand.link == link
                ]
                found.append((link, exact.divide(exact.total(*bits), 8), capacity))
    return found


def math_time(work: Work, chip: Chip, kind: type = float) -> Number:
    """Seconds of arithmetic, each operation at its own peak; kind=Fraction keeps them exact."""
    parts = [_over(each.ops, chip.peak(each.compute, each.unit), kind) for each in work.operations]
    return exact.total(*parts)


def link_times(work: Work, chip: Chip, kind: type = float) -> PerLink:
    """Seconds on each link; kind=Fraction keeps them exact."""
    return PerLink(
        {
            link: exact.total(
                *(
                    _crossing(each, link, chip, kind)
                    for each in work.operations
                    if link in each.traffic
                )
            )
            for link in work.bytes
        }
    )


def _crossing(operation: Operation, link: str, chip: Chip, kind: type) -> Number:
    """Seconds on one link: the bytes, but never less than the latency of the messages."""
    traffic, wire = operation.traffic[link], chip.link(link)
    time = _over(traffic.bytes, wire.bandwidth, kind)
    if not wire.latency or not traffic.messages:
        return time
    return exact.maximum(time, exact.product(traffic.messages, kind(wire.latency)))


def _over(amount: Number, rate: float, kind: type) -> Number:
    if exact.is_array(amount):
        return amount / rate
    return float(amount / Fraction(rate)) if kind is float else Fraction(amount) / Fraction(rate)
