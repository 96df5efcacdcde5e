"""One operation over many chips: what each computes, reads, writes and sends."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from rooflib import exact
from rooflib.exact import Count
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.units import dtype
from rooflib.work import Operation, Traffic, Work

RINGS = ("one-way", "both-ways")


def shard(
    work: Work,
    axis: str,
    chips: int = 2,
    *,
    link: str = "ici",
    ring: str = "one-way",
    sums: object = None,
) -> Work:
    """The work of one chip when an operation is split along `axis` over `chips` chips.

    A letter of the output (B or F of a matmul) is split: each chip does its share and nothing is
    exchanged. A contracted letter (D) is split: each chip has a partial sum of the whole output,
    and they are added over `link`. Every chip then writes the whole output, so per chip
    1/intensity = 1/B + 1/F + chips/D.

    ring: how partial sums are added (AllReduce, V bytes of partial sum per chip, n chips).
    "one-way": 2V(n-1)/n bytes one way, in 2(n-1) messages. For two chips that is V, the chapter's
    case: each sends its whole sum while it receives the other's. "both-ways": half of it in each
    direction of a ring, so V(n-1)/n a direction; takes more than two chips. sums: the dtype of the
    partial sums as they travel, by default the output's. Source: the book's chapter on sharding.

    Sizes that do not divide are split evenly all the same: fractions, the average share, and the
    report says so.

    >>> from rooflib.operations import matmul
    >>> two = shard(matmul(1024, 8192, 8192), "D", chips=2)
    >>> two.bytes["ici"], two.intensity("ici")
    (16777216, 4096.0)

    One chip is the work itself. Raises ValueError for an axis that the operation does not have, and
    for a work that is tiled already (shard first, then tile); TypeError if chips is not whole.
    """
    operation = work.one
    axis = _axis(operation, axis)
    n = exact.count("chips", chips)
    if not isinstance(n, int):
        raise TypeError(_("chips must be a whole number; got {chips!r}").format(chips=chips))
    ring = pick(_("ring"), ring, RINGS)
    if n == 1:
        return work
    if n == 2 and ring == "both-ways":
        raise ValueError(
            _("two chips share one link, whose two directions are in use already: take one-way")
        )
    if not all(each.once for each in operation.operands):
        raise ValueError(_("this work is tiled already: shard first, then tile"))

    sizes = dict(operation.sizes) | {axis: exact.divide(operation.sizes[axis], n)}
    operands = tuple(
        dataclasses.replace(each, shape=tuple(sizes[letter] for letter in each.letters))
        for each in operation.operands
    )
    notes = [_("per chip, {axis} split over {n} chips").format(axis=axis, n=n)]
    if isinstance(sizes[axis], Fraction):
        notes.append(_("{axis} does not divide: the average share").format(axis=axis))
    sent = dict(operation.sent)
    if axis not in operation.output.letters:
        carried = dtype(sums) if sums is not None else operation.output.dtype
        traffic = _all_reduce(exact.product(carried.bits, *operands[-1].shape), n, ring)
        sent[link.casefold()] = _plus(sent.get(link.casefold()), traffic)
        notes.append(
            _("partial sums in {dtype} added over {link}, {ring}").format(
                dtype=carried, link=link.casefold(), ring=ring
            )
        )
    split = dataclasses.replace(
        operation,
        sizes=sizes,
        operands=operands,
        sent=sent,
        notes=(*operation.notes, "; ".join(notes)),
    )
    return Work((split,))


def _axis(operation: Operation, axis: object) -> str:
    """The letter meant; exact letter case first, since "b" and "B" may both be there."""
    letters = list(operation.sizes)
    return axis if axis in letters else pick(_("axis"), axis, letters)


def _all_reduce(bits: Count, n: int, ring: str) -> Traffic:
    directions = 2 if ring == "both-ways" else 1
    return Traffic(
        bytes=exact.divide(exact.product(2 * (n - 1), bits), 8 * n * directions),
        messages=2 * (n - 1) if n > 2 else 1,
    )


def _plus(before: Traffic | None, traffic: Traffic) -> Traffic:
    if before is None:
        return traffic
    return Traffic(
        exact.total(before.bytes, traffic.bytes), exact.total(before.messages, traffic.messages)
    )
