"""A matmul in tiles: one tile of the output, and the bands of X and Y that it needs."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from rooflib.i18n import _
from rooflib.plots import look

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

INPUT, GAP = 0.42, 0.07  # how wide X is drawn and the gap beside it, in sides of the output


def tiles(work: Any, bm: int, bk: int, bn: int, *, ax: Axes | None = None) -> Axes:
    """Draw the output of the matmul `work` in tiles of bm × bn, with what one of them reads.

    The k dimension is drawn shortened; bk shows as the block of X and of Y that is in use at one
    time. Returns the Axes. Raises ValueError for a work that is no matmul of one operation.
    """
    m, k, n = _sides(work)
    view = TilesView(look.axes(ax, (4.4, 4.4)), m, k, n)
    view.show(bm, bk, bn)
    return view.ax


def _sides(work: Any) -> tuple[int, int, int]:
    operands = work.operations[0].operands
    if len(work.operations) != 1 or len(operands) != 3:
        raise ValueError(
            _("tiles are drawn of one matmul; this work is {work!r}").format(work=work)
        )
    (m, k), n = operands[0].shape, operands[1].shape[-1]
    return int(m), int(k), int(n)


class TilesView:
    """X to the left, Y above, and the output between them, each with its band for one tile."""

    def __init__(self, ax: Axes, m: int, k: int, n: int) -> None:
        self.ax, self.m, self.k, self.n = ax, m, k, n
        start = INPUT + GAP
        ax.set(xlim=(-0.02, start + 1.02), ylim=(start + 1.02, -0.02), aspect="equal")
        ax.set_axis_off()
        frame: dict[str, Any] = {
            "facecolor": "white",
            "edgecolor": look.GREY,
            "linewidth": 0.8,
            "zorder": 2,
        }
        ax.add_patch(Rectangle((0, start), INPUT, 1, **frame))
        ax.add_patch(Rectangle((start, 0), 1, INPUT, **frame))
        ax.add_patch(Rectangle((start, start), 1, 1, **frame))
        x, y, z = look.OPERANDS[:3]
        self.bands = {
            "X": self._patch(x, 3, alpha=0.35),
            "Y": self._patch(y, 3, alpha=0.35),
            "x": self._patch(x, 4),
            "y": self._patch(y, 4),
            "z": self._patch(z, 4),
        }
        self.grid = LineCollection([], colors="#AAAAAA", linewidths=0.6, zorder=3)
        ax.add_collection(self.grid)
        middle: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 6}
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        self.x = ax.text(INPUT / 2, start + 0.86, "", bbox=ground, **middle)
        self.y = ax.text(start + 0.72, INPUT / 2, "", bbox=ground, **middle)
        self.z = ax.text(start + 0.5, start + 0.86, "", bbox=ground, **middle)
        ax.text(0.03, start - 0.035, "X", weight="bold", va="center")
        ax.text(start - 0.035, 0.05, "Y", weight="bold", ha="center", va="center")
        ax.text(
            INPUT / 2, INPUT / 2, _("Z = X · Y\n{m} × {n}").format(m=m, n=n),
            ha="center", va="center", weight="bold", linespacing=1.5,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        return [*self.bands.values(), self.grid, self.x, self.y, self.z]

    def show(self, bm: int, bk: int, bn: int) -> None:
        start = INPUT + GAP
        rows, columns = ceil(self.m / bm), ceil(self.n / bn)
        high, wide = min(bm / self.m, 1.0), min(bn / self.n, 1.0)
        deep = INPUT * min(bk / self.k, 1.0)
        # The second tile each way where there is one, so that its bands are seen to be bands.
        i, j = min(1, rows - 1), min(1, columns - 1)
        top, left = start + i * high, start + j * wide
        high, wide = min(high, start + 1 - top), min(wide, start + 1 - left)
        self.bands["X"].set_bounds(0, top, INPUT, high)
        self.bands["Y"].set_bounds(left, 0, wide, INPUT)
        self.bands["x"].set_bounds(0, top, deep, high)
        self.bands["y"].set_bounds(left, 0, wide, deep)
        self.bands["z"].set_bounds(left, top, wide, high)
        across = [[(start, start + r * bm / self.m), (start + 1, start + r * bm / self.m)]
                  for r in range(1, rows)]  # fmt: skip
        down = [[(start + c * bn / self.n, start), (start + c * bn / self.n, start + 1)]
                for c in range(1, columns)]  # fmt: skip
        self.grid.set_segments([*across, *down])
        self.x.set_text(_("read {times}×").format(times=columns))
        self.y.set_text(_("read {times}×").format(times=rows))
        self.z.set_text(
            _("{tiles:,} tiles of {bm} × {bn}").format(tiles=rows * columns, bm=bm, bn=bn)
        )

    def _patch(self, style: dict[str, Any], zorder: float, alpha: float = 1.0) -> Rectangle:
        patch = Rectangle((0, 0), 0, 0, zorder=zorder, alpha=alpha, **style)
        self.ax.add_patch(patch)
        return patch
