"""Vendors' sheets: sparse rates and two-way bandwidths, halved and marked as such."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rooflib.chips import Chip, Link, Rate
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.units import parse


def from_datasheet(
    name: str,
    *,
    matrix: Mapping[str, float | str],
    links: Mapping[str, float | str],
    sparse: bool | Collection[str],
    both_ways: bool | Collection[str],
    source: str = "data sheet",
    **others: Any,
) -> Chip:
    """A chip from a vendor's sheet, made dense and one-way; each halved number says so.

    sparse: True if the sheet's matrix rates assume 2:4 sparsity (most of NVIDIA's since the
    H100 do), False if they are dense, or the names of those that do. both_ways: the same for
    links whose bandwidth counts both directions, as NVLink's usually does. Memories have one.

    >>> h100 = from_datasheet(
    ...     "H100 by its sheet", matrix={"bf16": "1979 TFLOP/s"},
    ...     links={"hbm": "3.35 TB/s", "nvlink": "900 GB/s"},
    ...     sparse=True, both_ways=["nvlink"])
    >>> round(h100.ridge(), 1), h100.bandwidth("nvlink")
    (295.4, 450000000000.0)

    Raises ValueError for names in sparse or both_ways that are not on the sheet, and what
    Chip raises.
    """
    memories = {"hbm", "vmem"}
    halved = _marked("sparse", sparse, list(matrix))
    two_way = _marked("both_ways", both_ways, [link for link in links if link not in memories])

    def dense(dtype: str, rate: float | str) -> Rate:
        if dtype not in halved:
            return Rate(rate, source)  # type: ignore[arg-type]
        note = _("half of {rate}, quoted with sparsity").format(rate=rate)
        return Rate(parse(rate, "FLOP/s") / 2, source, note)

    def one_way(link: str, rate: float | str) -> Link:
        if link not in two_way:
            return Link(rate, source=source)  # type: ignore[arg-type]
        note = _("half of {rate}, quoted for both directions").format(rate=rate)
        return Link(parse(rate, "B/s") / 2, source=source, note=note)

    return Chip(
        name,
        matrix={dtype: dense(dtype, rate) for dtype, rate in matrix.items()},
        links={link: one_way(link, rate) for link, rate in links.items()},
        **others,
    )


def _marked(what: str, given: bool | Collection[str], names: list[str]) -> set[str]:
    """Which of `names` are meant: all, none, or the ones listed."""
    if isinstance(given, bool):
        return set(names) if given else set()
    if isinstance(given, str) or not isinstance(given, Collection):
        raise TypeError(
            _("{what} must be True, False or a list of names; got {given!r}").format(
                what=what, given=given
            )
        )
    return {pick(what, each, names) for each in given}
