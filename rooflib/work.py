"""Work: what a computation costs, before any machine is named.

A count of operations, and per link the bytes it moves. Formulas are plain arithmetic, so sizes
may be ints (exact), arrays (they broadcast: a curve) or symbols (the equation itself).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rooflib import exact
from rooflib.exact import Count, Number
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.table import Table
from rooflib.units import Dtype, quantity, size_text


class PerLink(dict[str, Any]):
    """Values by link; a link that the work does not use is an error that names those it does."""

    def __missing__(self, link: object) -> Any:
        used = ", ".join(self) or _("no link at all")
        raise ValueError(
            _("this work moves nothing on {link!r}; it uses: {used}").format(link=link, used=used)
        )


@dataclass(frozen=True, eq=False)
class Operand:
    """One tensor of an operation: read from a memory, or written to it, `times` times over."""

    name: str
    letters: str
    shape: tuple[Count, ...]
    dtype: Dtype
    role: str
    times: Count = 1
    link: str = "hbm"

    @property
    def once(self) -> bool:
        """It crosses its link a single time: the operation is not tiled."""
        return not exact.is_array(self.times) and bool(self.times == 1)

    @property
    def elements(self) -> Count:
        return exact.product(*self.shape)

    @property
    def bits(self) -> Count:
        return exact.product(self.dtype.bits, self.times, *self.shape)

    @property
    def bytes(self) -> Count:
        return exact.divide(self.bits, 8)


@dataclass(frozen=True)
class Traffic:
    """What crosses a link, one way: bytes, in how many messages one after the other.

    Each message costs at least the link's latency; a memory's traffic has none to speak of.
    """

    bytes: Count
    messages: Count = 1


@dataclass(frozen=True, eq=False)
class Operation:
    """One einsum: its sizes, its operands, and the unit and number format that it runs in."""

    name: str
    spec: str
    sizes: Mapping[str, Count]
    operands: tuple[Operand, ...]
    compute: Dtype
    unit: str = "matrix"
    exactly: bool = False
    sent: Mapping[str, Traffic] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def output(self) -> Operand:
        return self.operands[-1]

    @cached_property
    def ops(self) -> Count:
        """Operations, by the usual rounding: 2BDF for a matmul (`ops_exact` for a dot product)."""
        if self.exactly:
            return self.ops_exact
        return exact.product(self._per_point, *self.sizes.values())

    @cached_property
    def ops_exact(self) -> Count:
        """Multiplies, and the additions that there really are: BF(2D-1) for a matmul."""
        additions_saved = self.output.elements if self._contracts else 0
        points = exact.product(self._per_point, *self.sizes.values())
        return exact.total(points, exact.product(-1, additions_saved))

    @property
    def _contracts(self) -> bool:
        return set(self.output.letters) != set(self.sizes)

    @property
    def _per_point(self) -> int:
        """Operations for each point of the iteration space: the multiplies, and one addition."""
        return len(self.operands) - 2 + self._contracts

    @cached_property
    def traffic(self) -> Mapping[str, Traffic]:
        """What crosses each link: the operands from and to their memories, and what is sent."""
        links = dict.fromkeys(operand.link for operand in self.operands)
        memories = {
            link: Traffic(
                exact.divide(
                    exact.total(*(each.bits for each in self.operands if each.link == link)), 8
                ),
                messages=0,
            )
            for link in links
        }
        return PerLink(memories | dict(self.sent))

    @cached_property
    def bytes(self) -> Mapping[str, Count]:
        return PerLink({link: each.bytes for link, each in self.traffic.items()})

    def describe(self) -> str:
        """bf16[B=128, D=4096] · int8[D=4096, F=4096] → bf16[128, 4096]"""
        seen: set[str] = set()
        parts = []
        for operand in self.operands:
            axes = []
            for letter, size in zip(operand.letters, operand.shape, strict=True):
                text = size_text(size)
                axes.append(text if letter in seen or text == letter else f"{letter}={text}")
                seen.add(letter)
            parts.append(f"{operand.dtype}[{', '.join(axes)}]")
        return " · ".join(parts[:-1]) + " → " + parts[-1]


@dataclass(frozen=True, eq=False)
class Work:
    """One or more operations. Works add by keeping both, since their peaks may differ."""

    operations: tuple[Operation, ...]

    @cached_property
    def ops(self) -> Count:
        """Operations of all parts: FLOP, or OP for integers. A count, not a rate."""
        return exact.total(*(each.ops for each in self.operations))

    @cached_property
    def ops_exact(self) -> Count:
        """The same with the additions counted one by one: BF(2D-1) for a matmul."""
        return exact.total(*(each.ops_exact for each in self.operations))

    @cached_property
    def bytes(self) -> Mapping[str, Count]:
        """Bytes moved, by link. ValueError for a link that this work does not use."""
        links = dict.fromkeys(link for each in self.operations for link in each.traffic)
        return PerLink(
            {
                link: exact.total(*(e.bytes[link] for e in self.operations if link in e.bytes))
                for link in links
            }
        )

    def intensity(self, link: str = "hbm") -> Number:
        """FLOP/byte on a link: a float, an array, or a formula, as the sizes are."""
        moved = self.bytes[link]
        ratio = exact.ratio(self.ops, moved)
        if type(ratio).__module__.startswith("sympy"):
            import sympy

            return sympy.cancel(ratio)
        return ratio

    @property
    def one(self) -> Operation:
        """The single operation; ValueError for a sum, which has to be taken part by part."""
        if len(self.operations) != 1:
            raise ValueError(
                _("this work is a sum of {n} operations: do each part, then add").format(
                    n=len(self.operations)
                )
            )
        return self.operations[0]

    def resident(self, *names: str, memory: str = "vmem") -> Work:
        """The same work with these operands in another memory, weights in VMEM for instance.

        They cross that memory's link instead of HBM's; `estimate` checks that they fit. For a work
        of one operation. Raises ValueError for an operand that it does not have.

        >>> from rooflib.operations import matmul
        >>> matmul(8, 4096, 4096).resident("Y").bytes["vmem"]
        33554432
        """
        valid = [operand.name for operand in self.one.operands]
        chosen = {pick(_("operand"), name, valid) for name in names}
        operands = tuple(
            dataclasses.replace(each, link=memory.casefold()) if each.name in chosen else each
            for each in self.one.operands
        )
        return replace(self, operands=operands)

    def table(self) -> Table:
        """Operand by operand: shape, dtype, bytes, read or written; as text, Markdown and HTML."""
        rows = []
        for operation in self.operations:
            for operand in operation.operands:
                times = "" if operand.once else f" × {size_text(operand.times)}"
                rows.append(
                    (
                        operand.name,
                        f"[{', '.join(map(size_text, operand.shape))}]",
                        operand.dtype.name,
                        quantity(operand.bytes, "B"),
                        (
                            _("read from {link}")
                            if operand.role == "read"
                            else _("written to {link}")
                        ).format(link=operand.link)
                        + times,
                    )
                )
        head = (_("operand"), _("shape"), _("dtype"), _("bytes"), _("moved"))
        return Table(head, tuple(rows), right=frozenset({_("bytes")}))

    def __add__(self, other: object) -> Work:
        return (
            Work(self.operations + other.operations) if isinstance(other, Work) else NotImplemented
        )

    def __radd__(self, other: object) -> Work:
        return self if other == 0 else NotImplemented  # so that sum(works) works

    def __repr__(self) -> str:
        lines = [f"{each.name}  {each.describe()}" for each in self.operations]
        unit = "OP" if all("int" in each.compute.name for each in self.operations) else "FLOP"
        where = dict.fromkeys(f"{each.compute}, {each.unit} unit" for each in self.operations)
        rows = [("work", quantity(self.ops, unit), "; ".join(where))]
        for link, moved in self.bytes.items():
            rows.append(
                (link, quantity(moved, "B"), quantity(self.intensity(link), f"{unit}/byte"))
            )
        width = max(len(row[1]) for row in rows)
        lines += [f"  {label:<6} {value:>{width}}   {remark}" for label, value, remark in rows]
        lines += [f"  {note}" for each in self.operations for note in each.notes]
        return "\n".join(lines)

    def _repr_latex_(self) -> str | None:
        if not type(self.ops).__module__.startswith("sympy"):
            return None
        import sympy

        rows = [r"\text{ops} &= " + sympy.latex(self.ops)]
        for link, moved in self.bytes.items():
            rows.append(rf"\text{{bytes}}_\text{{{link}}} &= {sympy.latex(sympy.expand(moved))}")
            intensity = sympy.latex(self.intensity(link))
            rows.append(rf"\text{{intensity}}_\text{{{link}}} &= {intensity}")
        return "$$\\begin{aligned}" + r" \\[4pt] ".join(rows) + "\\end{aligned}$$"


def replace(work: Work, **changes: Any) -> Work:
    """A work of one operation with some of it changed."""
    return Work((dataclasses.replace(work.one, **changes),))
