"""The band between the bounds: how long at best, how long at worst, as a size grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rooflib import estimate
from rooflib.i18n import _
from rooflib.plots import look

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Band:
    """Both bounds at each size, in seconds; on a log axis their distance is the factor between."""

    sizes: np.ndarray
    math: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    @property
    def ratio(self) -> np.ndarray:
        return np.asarray(self.upper / self.lower)

    @property
    def widest(self) -> float:
        """The size at which overlap is worth most."""
        return float(self.sizes[np.argmax(self.ratio)])

    def at(self, size: float) -> tuple[float, float]:
        """Lower and upper at one of the sizes."""
        i = int(np.searchsorted(self.sizes, size))
        return float(self.lower[i]), float(self.upper[i])


def band(fn: Callable[[Any], Any], chip: Any, sizes: Sequence[float] | np.ndarray) -> Band:
    """The bounds of fn(size) on `chip`; `fn` gets all sizes at once, as an array."""
    sizes = np.asarray(sizes)
    times = estimate(fn(sizes), chip)
    return Band(sizes, np.asarray(times.math), np.asarray(times.lower), np.asarray(times.upper))


def bounds(
    fn: Callable[[Any], Any],
    chip: Any,
    sizes: Sequence[float] | np.ndarray,
    *,
    at: float | None = None,
    xlabel: str = "B",
    ax: Axes | None = None,
) -> Axes:
    """Draw the lower and the upper bound of fn(size) against size; returns the Axes.

    fn: gives a Work for an array of sizes, as lambda B: rl.matmul(B, 8192, 8192) does.
    at: one of the sizes, at which a bracket says how far the two are apart.
    """
    what = band(fn, chip, sizes)
    view = Bounds(look.axes(ax, (7.2, 3.6)), what, xlabel=xlabel)
    view.show(what.widest if at is None else at)
    return view.ax


class Bounds:
    """The two curves of one band on `ax`, and a bracket that `show` moves along them."""

    def __init__(self, ax: Axes, what: Band, *, xlabel: str = "B") -> None:
        self.ax, self.what = ax, what
        sizes, lower, upper = what.sizes, what.lower * 1e6, what.upper * 1e6
        ax.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=_("time in µs"))
        ax.set_xlim(sizes[0], sizes[-1])
        ax.set_ylim(lower.min() * 0.5, upper.max() * 1.9)
        look.powers_of_two(ax.xaxis)
        look.one_two_five(ax.yaxis)
        self.fill = ax.fill_between(
            sizes, lower, upper, facecolor=look.SKY, alpha=0.3, linewidth=0, zorder=2
        )
        (self.low,) = ax.plot(sizes, lower, color=look.BLUE, zorder=3)
        (self.high,) = ax.plot(sizes, upper, color=look.RED, ls=(0, (5, 1.5)), zorder=3)
        x, i = sizes[0] * (sizes[-1] / sizes[0]) ** 0.03, int(len(sizes) * 0.03)
        self.names = [
            ax.text(x, upper[i] * 1.06, _("end to end: the sum"), va="bottom", zorder=6),
            ax.text(x, lower[i] / 1.06, _("overlapped: the longer"), va="top", zorder=6),
        ]
        (self.bracket,) = ax.plot(
            [1, 1], [1, 1], color=look.INK, marker="_", ms=9, lw=1.6, zorder=5, clip_on=False
        )
        across = ax.get_xaxis_transform()
        (self.drop,) = ax.plot([1, 1], [0.1, 0.5], color=look.GREY, lw=0.8, ls=":", zorder=2.5)
        self.factor = ax.text(1, 0.055, "", va="center", weight="bold", zorder=6, transform=across)
        self.factor.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
        self.mark = look.Mark(ax)

    @property
    def curves(self) -> list[Artist]:
        """What gives the answer away."""
        return [self.fill, self.low, self.high, *self.names]

    @property
    def artists(self) -> list[Artist]:
        return [*self.curves, self.drop, self.bracket, self.factor, *self.mark.artists]

    def show(self, size: float, *, curves: bool = True) -> None:
        lower, upper = self.what.at(size)
        self.bracket.set_data([size, size], [lower * 1e6, upper * 1e6])
        self.factor.set_text(_("×{ratio:.4g} at {size:g}").format(ratio=upper / lower, size=size))
        self.drop.set_data([size, size], [self.ax.get_ylim()[0] * 1.2, lower * 1e6])
        look.place(self.factor, self.ax, size)
        for artist in self.curves:
            artist.set_visible(curves)
