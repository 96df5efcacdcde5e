"""Time against size for several works: where lines meet, one has nothing over the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rooflib import estimate
from rooflib.i18n import _
from rooflib.plots import look

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

STYLES: tuple[tuple[str, Any], ...] = (
    (look.INK, "-"),
    (look.BLUE, (0, (6, 2))),
    (look.GREEN, (0, (1.5, 1.5))),
    (look.RED, (0, (7, 2, 1.5, 2))),
    (look.PINK, (0, (3, 1))),
)


@dataclass(frozen=True)
class TimeLines:
    """Seconds for each name at each size, everything overlapped."""

    sizes: np.ndarray
    lines: Mapping[str, np.ndarray]

    def at(self, size: float) -> dict[str, float]:
        i = int(np.searchsorted(self.sizes, size))
        return {name: float(line[i]) for name, line in self.lines.items()}

    def apart(self, name: str) -> int:
        """Where a line is farthest from every other, as a share: the place for its name."""
        others = [np.log(line) for other, line in self.lines.items() if other != name]
        if not others:
            return len(self.sizes) // 2
        gaps = np.min([np.abs(np.log(self.lines[name]) - other) for other in others], axis=0)
        # Not at the very edges, where the words would leave the axes.
        where = np.log(self.sizes / self.sizes[0]) / np.log(self.sizes[-1] / self.sizes[0])
        return int(np.argmax(np.where((where > 0.05) & (where < 0.95), gaps, -1.0)))


def time_lines(works: Mapping[str, Callable[[Any], Any]], chip: Any, sizes: Any) -> TimeLines:
    sizes = np.asarray(sizes)
    return TimeLines(
        sizes, {name: np.asarray(estimate(fn(sizes), chip).lower) for name, fn in works.items()}
    )


def times(
    works: Mapping[str, Callable[[Any], Any]],
    chip: Any,
    sizes: Any,
    *,
    at: float | None = None,
    xlabel: str = "B",
    ax: Axes | None = None,
) -> Axes:
    """Draw the time of each work against size, everything overlapped; returns the Axes.

    works: names, each with a function that gives a Work for an array of sizes.
    at: one of the sizes, to be marked.
    """
    view = TimesView(look.axes(ax, (6.4, 4.0)), time_lines(works, chip, sizes), xlabel=xlabel)
    view.show(at if at is not None else float(view.what.sizes[-1]))
    return view.ax


class TimesView:
    """The lines with their names, and a cursor with a dot on each."""

    def __init__(self, ax: Axes, what: TimeLines, *, xlabel: str = "B") -> None:
        self.ax, self.what = ax, what
        ax.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=_("time in µs, overlapped"))
        ax.set_xlim(what.sizes[0], what.sizes[-1])
        all_times = np.concatenate(list(what.lines.values())) * 1e6
        ax.set_ylim(all_times.min() / 1.6, all_times.max() * 1.9)
        look.powers_of_two(ax.xaxis)
        look.one_two_five(ax.yaxis)
        (self.cursor,) = ax.plot([1, 1], [0, 1], color=look.GREY, lw=0.8, ls=":", zorder=2)
        self.cursor.set_transform(ax.get_xaxis_transform())
        self.lines: dict[str, Line2D] = {}
        self.names: dict[str, Text] = {}
        self.dots: dict[str, Line2D] = {}
        for i, (name, line) in enumerate(what.lines.items()):
            color, ls = STYLES[i % len(STYLES)]
            (self.lines[name],) = ax.plot(
                what.sizes, line * 1e6, color=color, ls=ls, lw=2.2, zorder=4 + i / 10
            )
            (self.dots[name],) = ax.plot([], [], "o", color=color, ms=6, zorder=6, clip_on=False)
            self.names[name] = self._name(name, color)

    def _name(self, name: str, color: str) -> Text:
        """A line's name where it is by itself; under the lowest line, above the others."""
        what, i = self.what, self.what.apart(name)
        x, y = float(what.sizes[i]), float(what.lines[name][i]) * 1e6
        lowest = y <= 1e6 * min(line[i] for line in what.lines.values())
        right = look.fraction(self.ax, x) > 0.4
        return self.ax.text(
            float(what.sizes[-1]) if right and lowest else x,
            y / 1.1 if lowest else y * 1.07,
            name,
            color=color,
            weight="bold",
            ha="right" if right else "left",
            va="top" if lowest else "bottom",
            zorder=5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )

    @property
    def artists(self) -> list[Artist]:
        named = (self.lines, self.names, self.dots)
        return [self.cursor, *(artist for each in named for artist in each.values())]

    def show(self, size: float, *, dots: set[str] | None = None, lines: bool = True) -> None:
        """dots: the names that are shown at all; lines=False shows only their dots at `size`."""
        self.cursor.set_xdata([size, size])
        for name, seconds in self.what.at(size).items():
            shown = dots is None or name in dots
            self.dots[name].set_data([size], [seconds * 1e6])
            self.dots[name].set_visible(shown)
            self.lines[name].set_visible(shown and lines)
            self.names[name].set_visible(shown and lines)
