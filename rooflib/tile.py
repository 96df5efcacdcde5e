"""Tiles: a large matmul as many small ones, and what has to be read again for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rooflib import exact
from rooflib.chips import Chip
from rooflib.chips import chip as as_chip
from rooflib.exact import Count
from rooflib.i18n import _
from rooflib.roofline import COMPUTE, estimate
from rooflib.units import Dtype, dtype, parse, quantity, size_text
from rooflib.work import Operation, Work


def tile(work: Work, bm: Count, bk: Count, bn: Count, *, ragged: bool = True) -> Work:
    """X[m, k] · Y[k, n] in tiles of bm × bk and bk × bn, the output's tile kept on the chip.

    X is read once for each column of tiles, Y once for each row of tiles, the output is written
    once: mk·ceil(n/bn) + kn·ceil(m/bm) + mn elements. Edge tiles are as small as they are, so
    nothing is padded. bk drops out of the traffic; it matters for what has to fit (`tile_bytes`).
    With 2-byte elements 1/intensity = 1/bm + 1/bn + 1/k where bm and bn divide m and n.

    ragged=False takes m/bm and n/bn as they are, without rounding up: the smooth law, also for
    symbols. On a GPU re-reads often hit the L2 cache, so this is pessimistic there.

    >>> from rooflib.operations import matmul
    >>> round(tile(matmul(1024, 2048, 512), bm=128, bk=256, bn=64).intensity(), 3)
    41.796

    Raises ValueError for an operation that is no matmul, or that is tiled already, and what
    `rooflib.exact.count` raises for the sizes of the tile.
    """
    operation = work.one
    m, _k, n = _matmul_letters(operation)
    if not all(each.once for each in operation.operands):
        raise ValueError(_("this work is tiled already"))
    bm, bk, bn = (exact.count(name, b) for name, b in (("bm", bm), ("bk", bk), ("bn", bn)))
    exact.broadcast(**operation.sizes, bm=bm, bk=bk, bn=bn)
    pieces: Callable[[Count, Count], Count] = exact.ceildiv if ragged else exact.divide
    x, y, z = operation.operands
    operands = (
        dataclasses.replace(x, times=pieces(operation.sizes[n], bn)),
        dataclasses.replace(y, times=pieces(operation.sizes[m], bm)),
        z,
    )
    note = _("in tiles {bm} × {bk} of {x} and {bk} × {bn} of {y}").format(
        bm=size_text(bm), bk=size_text(bk), bn=size_text(bn), x=x.name, y=y.name
    )
    tiled = dataclasses.replace(operation, operands=operands, notes=(*operation.notes, note))
    return Work((tiled,))


def tile_bytes(
    work: Work, bm: Count, bk: Count, bn: Count, *, accumulator: object = "fp32", buffers: int = 1
) -> Count:
    """Bytes that one step of `tile` needs on the chip: a tile of X, one of Y, and the sums.

    accumulator: the dtype in which the output's tile is summed. buffers: 2 where the next tiles
    of X and Y are loaded while these are in use.
    """
    x, y, _z = work.one.operands
    return _tile_bytes(x.dtype, y.dtype, bm, bk, bn, dtype(accumulator), buffers)


def _tile_bytes(
    x: Dtype, y: Dtype, bm: Count, bk: Count, bn: Count, sums: Dtype, buffers: int
) -> Count:
    inputs = exact.total(exact.product(x.bits, bm, bk), exact.product(y.bits, bk, bn))
    bits = exact.total(exact.product(buffers, inputs), exact.product(sums.bits, bm, bn))
    return exact.divide(bits, 8)


@dataclass(frozen=True)
class Tile:
    """A choice of tile: its sides, the bytes it needs on the chip, and its intensity there."""

    bm: int
    bk: int
    bn: int
    bytes: int
    intensity: float


def fitting_tiles(
    work: Work,
    memory: float | str,
    *,
    multiple: int = 128,
    bk: int = 128,
    accumulator: object = "fp32",
    buffers: int = 2,
) -> list[Tile]:
    """Every tile whose sides are multiples of `multiple` and that fits, most intense first.

    memory: bytes, or text such as "16 MiB". Of two tiles of the same intensity the one that needs
    less comes first. Sizes must be numbers. An empty list: not even the smallest fits.
    """
    operation = work.one
    m, _k, n = (operation.sizes[letter] for letter in _matmul_letters(operation))
    room = parse(memory, "B")
    step = exact.count("multiple", multiple)
    sides = [np.arange(1, exact.ceildiv(size, step) + 1) * step for size in (m, n)]
    bm, bn = (grid.ravel().astype(float) for grid in np.meshgrid(*sides, indexing="ij"))
    needs = tile_bytes(work, bm, bk, bn, accumulator=accumulator, buffers=buffers)
    fits = needs <= room
    intensity = tile(work, bm[fits], bk, bn[fits]).intensity() if fits.any() else np.array([])
    found = [
        Tile(int(a), bk, int(b), int(c), float(i))
        for a, b, c, i in zip(bm[fits], bn[fits], needs[fits], intensity, strict=True)
    ]
    return sorted(found, key=lambda each: (-each.intensity, each.bytes))


def useful_tile(
    work: Work, chip: Chip | str, memory: float | str | None = None, **options: Any
) -> Tile:
    """The largest tile that is of use: the smallest one at which compute binds, if it fits.

    Larger tiles would buy nothing then. Where none that fits reaches the peak, the most intense
    that fits. memory: bytes or text; by default the chip's VMEM. options: as for `fitting_tiles`.

    Raises ValueError if no tile fits, or the chip's memory is not known and none is given.
    """
    machine = as_chip(chip)
    room = machine.capacity("vmem") if memory is None else memory
    tiles = fitting_tiles(work, room, **options)
    if not tiles:
        raise ValueError(
            _("no tile fits in {memory}").format(memory=quantity(parse(room, "B"), "B"))
        )
    enough = [
        each
        for each in tiles
        if estimate(tile(work, each.bm, each.bk, each.bn), machine).bound == COMPUTE
    ]
    return min(enough, key=lambda each: each.bytes) if enough else tiles[0]


def _matmul_letters(operation: Operation) -> tuple[str, str, str]:
    """m, k, n of X[m, k] · Y[k, n] → Z[m, n]; ValueError for any other operation."""
    if len(operation.operands) == 3:
        x, y, z = (each.letters for each in operation.operands)
        if len(x) == len(y) == 2 and x[1] == y[0] and z == x[0] + y[1] and x[0] != y[1]:
            return x[0], x[1], y[1]
    raise ValueError(
        _("only a matmul such as 'mk,kn->mn' can be tiled; this is {spec!r}").format(
            spec=operation.spec
        )
    )
