"""Work: what a computation costs, before any machine is named.

A count of operations, and per link the bytes it moves. Formulas are plain arithmetic, so sizes
may be ints (exact), arrays (they broadcast: a curve) or symbols (the equation itself).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rooflib import exact
from rooflib.exact import Count, Number
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.units import Dtype, dtype, plain, si


class PerLink(dict[str, Any]):
    """Values by link; a link that the work does not use is an error that names those it does."""

    def __missing__(self, link: object) -> Any:
        used = ", ".join(self) or _("no link at all")
        raise ValueError(
            _("this work moves nothing on {link!r}; it uses: {used}").format(link=link, used=used)
        )


@dataclass(frozen=True, eq=False)
class Operand:
    """One tensor of an operation: read from HBM, or written to it, `times` times over."""

    name: str
    letters: str
    shape: tuple[Count, ...]
    dtype: Dtype
    role: str
    times: Count = 1

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
    """What crosses a link, one way: bytes, in how many messages one after the other."""

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
        bits = exact.total(*(operand.bits for operand in self.operands))
        return PerLink({"hbm": Traffic(exact.divide(bits, 8))} | dict(self.sent))

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
                text = _size(size)
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


def quantity(value: Number, unit: str) -> str:
    """A number with its unit, the span of an array, or the formula."""
    if exact.is_symbol(value):
        return f"{value} {unit}"
    if exact.is_array(value):
        if not value.size:
            return _("empty")
        return f"{quantity(value.min(), unit)} … {quantity(value.max(), unit)}"
    if unit == "%":
        return f"{plain(value)}%"
    if unit.endswith("/byte"):
        return f"{plain(value, 4)} {unit}"
    return si(value, unit, fixed=True)


def _size(size: Count) -> str:
    if exact.is_array(size):
        return f"{plain(size.min(), 6)}…{plain(size.max(), 6)}" if size.size else _("empty")
    return str(size) if isinstance(size, int) or exact.is_symbol(size) else plain(size, 6)


def einsum(
    spec: str,
    *,
    dtypes: str | Sequence[object] = "bf16",
    compute: object = None,
    unit: str = "matrix",
    exactly: bool = False,
    name: str = "einsum",
    **sizes: Count,
) -> Work:
    """The work of an einsum: every operand read once, the output written once.

    spec: letters of each operand and of the output, "bd,df->bf". sizes: one for each letter.
    dtypes: one for each operand and one for the output, or a single one for all. compute: the
    number format of the arithmetic, by default the widest operand's. unit: "matrix" or "vector".
    exactly: count the additions one by one (BF(2D-1)) instead of by the usual rounding (2BDF).

    Operations are (operands - 1) multiplies for every combination of letters and, where a letter
    is summed away, one addition.

    >>> einsum("bd,bdf->bf", b=8, d=512, f=512, dtypes="int8").intensity("hbm")
    1.9922178988326849

    Raises ValueError for a spec that cannot be read, letters without a size, sizes without a
    letter, arrays that do not broadcast, dtypes that do not fit; TypeError for a size that is
    no number.
    """
    letters = _read_spec(spec)
    _same_letters(spec, letters, sizes)
    # the order of first appearance, whatever the order of the arguments
    order = dict.fromkeys("".join(letters))
    counted = {letter: exact.count(letter, sizes[letter]) for letter in order}
    exact.broadcast(**counted)
    formats = _formats(dtypes, spec, len(letters))
    names = _operand_names(len(letters))
    operands = tuple(
        Operand(
            name=names[i],
            letters=text,
            shape=tuple(counted[letter] for letter in text),
            dtype=formats[i],
            role="written" if i == len(letters) - 1 else "read",
        )
        for i, text in enumerate(letters)
    )
    return Work(
        (
            Operation(
                name=name,
                spec=spec.replace(" ", ""),
                sizes=counted,
                operands=operands,
                compute=_compute(compute, formats[:-1]),
                unit=pick(_("unit"), unit, ("matrix", "vector")),
                exactly=exactly,
            ),
        )
    )


def matmul(
    B: Count,
    D: Count,
    F: Count,
    *,
    dtype: object = "bf16",
    x: object = None,
    w: object = None,
    out: object = None,
    compute: object = None,
) -> Work:
    """X[B, D] · Y[D, F] → Z[B, F]: 2BDF operations, BD and DF elements read, BF written.

    dtype is that of all three unless x, w (the weights Y) or out says otherwise; compute is the
    number format of the arithmetic, by default the wider one of x and w. B counts tokens, the
    rows of X.

    >>> matmul(256, 8192, 8192).intensity("hbm")
    240.94117647058823

    Raises what `einsum` raises.
    """
    formats = [dtype if each is None else each for each in (x, w, out)]
    return einsum("BD,DF->BF", B=B, D=D, F=F, dtypes=formats, compute=compute, name="matmul")


def dot(N: Count, *, dtype: object = "bf16", compute: object = "fp32") -> Work:
    """x[N] · y[N] → one number: N multiplies, N-1 additions, on the vector unit in fp32.

    >>> dot(1000).ops, dot(1000).bytes["hbm"]
    (1999, 4002)

    Raises what `einsum` raises.
    """
    return einsum(
        "N,N->", N=N, dtypes=[dtype] * 3, compute=compute, unit="vector", exactly=True, name="dot"
    )


def _read_spec(spec: object) -> list[str]:
    if not isinstance(spec, str):
        raise TypeError(_('spec must be text such as "bd,df->bf"; got {spec!r}').format(spec=spec))
    inputs, arrow, output = spec.replace(" ", "").partition("->")
    letters = [*inputs.split(","), output]

    def wrong(cause: str) -> ValueError:
        return ValueError(
            _('cannot read spec {spec!r}: {cause}; write for example "bd,df->bf"').format(
                spec=spec, cause=cause
            )
        )

    if not arrow:
        raise wrong(_("it has no ->"))
    if not inputs:
        raise wrong(_("it has no operand before the ->"))
    for text in letters:
        if text and not text.isalpha():
            raise wrong(_("{text!r} is not made of letters alone").format(text=text))
        if len(set(text)) < len(text):
            raise wrong(
                _("{text!r} repeats a letter, and diagonals are not counted").format(text=text)
            )
    new = set(output) - set(inputs)
    if new:
        raise wrong(
            _("the output letters {new} are in no operand").format(new=", ".join(sorted(new)))
        )
    return letters


def _same_letters(spec: str, letters: list[str], sizes: Mapping[str, Count]) -> None:
    wanted = set("".join(letters))
    missing, extra = sorted(wanted - set(sizes)), sorted(set(sizes) - wanted)
    if missing or extra:
        problem = _("no size for {missing}").format(missing=", ".join(missing)) if missing else ""
        if extra:
            problem += "; " * bool(problem)
            problem += _("no such letter: {extra}").format(extra=", ".join(extra))
        raise ValueError(
            _("{spec!r} needs a size for each of {wanted}: {problem}").format(
                spec=spec, wanted=", ".join(sorted(wanted)), problem=problem
            )
        )


def _formats(dtypes: str | Sequence[object], spec: str, wanted: int) -> list[Dtype]:
    given = list(dtypes) if isinstance(dtypes, list | tuple) else [dtypes] * wanted
    if len(given) != wanted:
        raise ValueError(
            _("{spec!r} has {wanted} tensors, output included, but dtypes has {given}").format(
                spec=spec, wanted=wanted, given=len(given)
            )
        )
    return [dtype(each) for each in given]


def _compute(given: object, operands: Sequence[Dtype]) -> Dtype:
    if given is not None:
        return dtype(given)
    bits = max(each.bits for each in operands)
    widest = dict.fromkeys(each for each in operands if each.bits == bits)
    if len(widest) > 1:
        raise ValueError(
            _(
                "operands of {names} are equally wide: say compute=, the format of the arithmetic"
            ).format(names=", ".join(each.name for each in widest))
        )
    return next(iter(widest))


def _operand_names(n: int) -> list[str]:
    return ["X", "Y", "Z"] if n == 3 else [*(f"X{i}" for i in range(1, n)), "Z"]


def replace(work: Work, **changes: Any) -> Work:
    """A work of one operation with some of it changed."""
    return Work((dataclasses.replace(work.one, **changes),))
