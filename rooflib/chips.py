"""Chips: what a machine can do. The numbers stand in chips.toml, each with its source."""

from __future__ import annotations

import dataclasses
import functools
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rooflib.i18n import _
from rooflib.names import nearest, pick
from rooflib.table import Table
from rooflib.units import dtype as as_dtype
from rooflib.units import parse, plain, si

GIVEN = "given by the user"
UNITS = ("matrix", "vector")


@dataclass(frozen=True)
class Rate:
    """A peak: operations per second, dense, of the whole chip."""

    rate: float
    source: str = GIVEN
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", _positive("rate", self.rate, "FLOP/s"))


@dataclass(frozen=True)
class Link:
    """A way in or out: bytes per second one way, and where known what it holds and its latency.

    bandwidth in B/s; capacity in bytes; latency in seconds a message; axes: in how many
    directions of the network a chip has such a link.
    """

    bandwidth: float
    capacity: float | None = None
    latency: float = 0.0
    axes: int = 1
    source: str = GIVEN
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", _positive("bandwidth", self.bandwidth, "B/s"))
        if self.capacity is not None:
            object.__setattr__(self, "capacity", _positive("capacity", self.capacity, "B"))
        if self.latency:
            object.__setattr__(self, "latency", _positive("latency", self.latency, "s"))


@dataclass(frozen=True)
class Chip:
    """A set of rates: a peak for each number format and unit, and named links.

    Numbers may be given plainly (FLOP/s, B/s) or as text with a unit:

    >>> mine = Chip("mine", matrix={"bf16": "100 TFLOP/s"}, links={"hbm": "1 TB/s"})
    >>> mine.ridge()
    100.0

    Raises ValueError or TypeError for a number that is not above 0 and finite, and for a number
    format that does not exist.
    """

    name: str
    matrix: Mapping[str, Rate] = field(default_factory=dict)
    links: Mapping[str, Link] = field(default_factory=dict)
    vector: Mapping[str, Rate] = field(default_factory=dict)
    cores: int = 1
    aliases: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        for unit in UNITS:
            rates = {
                as_dtype(name).name: _coerce(Rate, rate)
                for name, rate in getattr(self, unit).items()
            }
            object.__setattr__(self, unit, MappingProxyType(rates))
        links = {name.casefold(): _coerce(Link, link) for name, link in self.links.items()}
        object.__setattr__(self, "links", MappingProxyType(links))
        object.__setattr__(self, "aliases", tuple(self.aliases))

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The number formats that the matrix unit has a rate for."""
        return tuple(self.matrix)

    def peak(self, dtype: object = "bf16", unit: str = "matrix") -> float:
        """FLOP/s (OP/s for integers), dense, for a number format on the matrix or vector unit.

        Raises ValueError when the catalogue has no such rate, naming those that it has.
        """
        unit = pick(_("unit"), unit, UNITS)
        name = as_dtype(dtype).name
        rates: Mapping[str, Rate] = getattr(self, unit)
        if name not in rates:
            raise ValueError(
                _("{chip} has no {dtype} rate on its {unit} unit; it has: {names}").format(
                    chip=self.name, dtype=name, unit=unit, names=", ".join(rates) or _("none")
                )
            )
        return rates[name].rate

    def link(self, name: str) -> Link:
        """The link of that name; ValueError, with the names there are, if it has none."""
        return self.links[pick(_("link of {chip}").format(chip=self.name), name, self.links)]

    def bandwidth(self, link: str = "hbm") -> float:
        """Bytes per second, one way."""
        return self.link(link).bandwidth

    def capacity(self, link: str = "hbm") -> float:
        """Bytes that the memory behind a link holds; ValueError if the catalogue does not say."""
        capacity = self.link(link).capacity
        if capacity is None:
            known = ", ".join(name for name, each in self.links.items() if each.capacity)
            raise ValueError(
                _("no capacity is known for {link} of {chip}; known: {known}").format(
                    link=link, chip=self.name, known=known or _("none")
                )
            )
        return capacity

    def ridge(self, dtype: object = "bf16", link: str = "hbm", unit: str = "matrix") -> float:
        """FLOP/byte from which on a work is compute-bound: peak over bandwidth."""
        return self.peak(dtype, unit) / self.bandwidth(link)

    def achieving(self, share: float) -> Chip:
        """This chip at a share of its peaks: real programs reach 0.80-0.85 of an H100's or
        B200's quoted peak, about 0.95 of a TPU's (the chapter's footnote). Bandwidths stay.

        >>> round(chip("H100").achieving(0.8).ridge())
        236
        """
        if not 0 < share <= 1:
            raise ValueError(
                _("share must be above 0 and at most 1; got {share!r}").format(share=share)
            )
        at = _("{share} of the peak").format(share=plain(share))

        def scaled(rates: Mapping[str, Rate]) -> dict[str, Rate]:
            return {
                n: dataclasses.replace(r, rate=r.rate * share, note=at) for n, r in rates.items()
            }

        return dataclasses.replace(
            self,
            name=f"{self.name} ({at})",
            matrix=scaled(self.matrix),
            vector=scaled(self.vector),
            aliases=(),
        )

    def __repr__(self) -> str:
        rows = [
            (
                f"{name} {unit}",
                si(rate.rate, "FLOP/s" if "int" not in name else "OP/s", 4),
                "",
                rate,
            )
            for unit in UNITS
            for name, rate in getattr(self, unit).items()
        ] + [
            (
                name,
                si(link.bandwidth, "B/s", 4),
                si(link.capacity, "B") if link.capacity else "",
                link,
            )
            for name, link in self.links.items()
        ]
        lines = [self.name]
        for label, rate, capacity, entry in rows:
            remark = entry.source + (f"; {entry.note}" if entry.note else "")
            lines.append(f"  {label:<12} {rate:>13} {capacity:>8}  {remark}")
        if self.note:
            lines.append(f"  {self.note}")
        return "\n".join(lines)


def _positive(name: str, value: Any, unit: str) -> float:
    number = parse(value, unit)
    if not 0 < number < float("inf"):
        raise ValueError(
            _("{name} must be above 0 and finite; got {value!r}").format(name=name, value=value)
        )
    return number


def _coerce(kind: type[Any], value: Any) -> Any:
    if isinstance(value, kind):
        return value
    return kind(**value) if isinstance(value, Mapping) else kind(value)


def load(path: str | os.PathLike[str]) -> list[Chip]:
    """The chips of a TOML file of the same form as rooflib's own chips.toml."""
    import tomllib  # here, so that importing rooflib stays light

    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_("{path} is no TOML: {error}").format(path=path, error=error)) from None
    sources = data.get("sources", {})
    chips = []
    for entry in data.get("chip", []):
        for group in ("matrix", "vector", "links"):
            for number in entry.get(group, {}).values():
                if isinstance(number, dict) and "source" in number:
                    number["source"] = sources.get(number["source"], number["source"])
        try:
            chips.append(Chip(**entry))
        except (TypeError, ValueError) as error:
            name = entry.get("name", _("a chip without a name"))
            raise ValueError(f"{path}: {name}: {error}") from None
    return chips


_CATALOGUE = os.path.join(os.path.dirname(__file__), "chips.toml")


@functools.cache
def _catalogue() -> dict[str, Chip]:
    return {each.name: each for each in load(_CATALOGUE)}


def chips() -> list[Chip]:
    """Every chip of the catalogue, in its order."""
    return list(_catalogue().values())


def chip(name: str | Chip) -> Chip:
    """The chip of that name: "TPU v5e", "v5e", "H100", "h100 sxm".

    Raises ValueError with the nearest names for one that does not exist.
    """
    if isinstance(name, Chip):
        return name
    spellings = {}
    for each in chips():
        for spelling in (each.name, *each.aliases, each.name.removeprefix("TPU ")):
            spellings[spelling] = each
            spellings[f"NVIDIA {spelling}"] = each
    valid = ", ".join(each.name for each in chips())
    if not isinstance(name, str):
        raise TypeError(
            _("chip must be a Chip or one of the names {valid}; got {name!r}").format(
                valid=valid, name=name
            )
        )
    try:
        return spellings[pick(_("chip"), name, spellings)]
    except ValueError:
        close = dict.fromkeys(spellings[each].name for each in nearest(name, spellings))
        text = _("unknown chip {name!r}; valid: {valid}.").format(name=name, valid=valid)
        if close:
            text += " " + _("Did you mean {names}?").format(names=", ".join(map(repr, close)))
        raise ValueError(text) from None


def chips_table() -> str:
    """The catalogue as a table: memory, rates, and the ridge of each number format."""
    rates, ridges = ("bf16", "int8", "fp8", "fp4"), ("bf16", "int8", "fp8")
    rows = []
    for each in chips():
        hbm = each.link("hbm")
        rows.append(
            (
                each.name,
                si(hbm.capacity or math.nan, "B"),
                si(hbm.bandwidth, "B/s"),
                *(si(each.peak(d), "", 4) if d in each.dtypes else "-" for d in rates),
                *(plain(each.ridge(d), 4) if d in each.dtypes else "-" for d in ridges),
            )
        )
    head = ("chip", "HBM", "HBM B/s", *(f"{d} /s" for d in rates), *(f"ridge {d}" for d in ridges))
    table = Table(head, tuple(rows), right=frozenset(head[1:]))
    remark = _("Peaks are dense and per chip; bandwidth is one way; ridge = peak / HBM, FLOP/byte.")
    return f"{table}\n{remark}"
