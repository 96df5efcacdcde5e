"""What all pictures share: colours, hatches, numbers as labels, and where a label fits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import atan2, degrees, log, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.lines import Line2D

STYLE = Path(__file__).parent.parent / "style.mplstyle"

# Okabe and Ito's colours, by what they stand for. Hatches are lines: dots take ten times as long.
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
PINK, SKY, RED, YELLOW = "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"
INK, GREY, FAINT = "#222222", "#6B6B6B", "#EDEDED"

MATH: dict[str, Any] = {"facecolor": BLUE, "edgecolor": "white", "linewidth": 0}
BYTES: dict[str, Any] = {"facecolor": ORANGE, "edgecolor": "white", "linewidth": 0, "hatch": "///"}
SENT: dict[str, Any] = {"facecolor": GREEN, "edgecolor": "white", "linewidth": 0, "hatch": "\\\\\\"}
IDLE: dict[str, Any] = {"facecolor": FAINT, "edgecolor": "white", "linewidth": 0}
# The operands of a work, in their order: the two that are read, the one that is written, more.
OPERANDS: tuple[dict[str, Any], ...] = tuple(
    {"facecolor": color, "edgecolor": "white", "linewidth": 0, "hatch": hatch}
    for color, hatch in (
        (SKY, "|||"),
        (ORANGE, "///"),
        (GREEN, "\\\\\\"),
        (PINK, "xxx"),
        (YELLOW, "---"),
    )
)
# The reader's own mark: pink as text is too pale on white, so its words are darker.
MARK, MARK_INK = PINK, "#8F3F6E"


@contextmanager
def style() -> Iterator[None]:
    """The book's look, for the time in which a figure is made."""
    with matplotlib.rc_context(fname=str(STYLE)):
        yield


def axes(ax: Axes | None, figsize: tuple[float, float]) -> Axes:
    """`ax` as given; without one, new Axes by pyplot, so that a notebook or `show` finds them."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    with style():
        return plt.subplots(figsize=figsize, layout="constrained")[1]


def microseconds(seconds: float) -> str:
    """A time as a lane's label: 0.68 µs, 163.7 µs, 39,000 µs."""
    t = seconds * 1e6
    if t < 1:
        return f"{t:.2g} µs"
    return f"{t:,.1f} µs" if t < 9999.95 else f"{t:,.0f} µs"


LINKS = {
    "hbm": "HBM",
    "vmem": "VMEM",
    "ici": "ICI",
    "nvlink": "NVLink",
    "infiniband": "InfiniBand",
    "dcn": "DCN",
    "pcie": "PCIe",
}


def link_name(link: str) -> str:
    return LINKS.get(link, link)


def fraction(ax: Axes, x: float) -> float:
    """Where `x` is between the left edge (0) and the right edge (1)."""
    left, right = ax.get_xlim()
    if ax.get_xscale() == "log":
        return log(x / left) / log(right / left)
    return (x - left) / (right - left)


def fraction_up(ax: Axes, y: float) -> float:
    """Where `y` is between the bottom (0) and the top (1)."""
    bottom, top = ax.get_ylim()
    if ax.get_yscale() == "log":
        return log(y / bottom) / log(top / bottom)
    return (y - bottom) / (top - bottom)


def place(text: Text, ax: Axes, x: float, *, edge: float = 0.12) -> None:
    """Centre `text` on `x` where there is room, and keep it inside `ax` at either edge.

    edge: the share of the axes that half the words take.
    """
    share = fraction(ax, x)
    if share < edge:
        text.set(x=ax.get_xlim()[0], ha="left")
    elif share > 1 - edge:
        text.set(x=ax.get_xlim()[1], ha="right")
    else:
        text.set(x=x, ha="center")


class Mark:
    """The reader's prediction: a dashed line with its words above, which stays.

    A prediction beyond the right edge stands at the edge, with an arrow and its number.
    top: how high the words are, as a share of the axes; unit: what a prediction of 1 is on them.
    """

    def __init__(self, ax: Axes, *, top: float = 0.955, unit: float = 1.0) -> None:
        self.ax, self.unit = ax, unit
        self.at = x = ax.get_xlim()[1]
        across = ax.get_xaxis_transform()
        (self.line,) = ax.plot(
            [x, x], [0, top + 0.015], color=MARK, lw=2, ls=(0, (4, 2)), zorder=4, clip_on=False
        )
        self.line.set_transform(across)
        self.text = ax.text(
            x, top, "", transform=across, color=MARK_INK, va="center", weight="bold", zorder=7
        )
        self.text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
        self.hide()

    @property
    def artists(self) -> list[Artist]:
        return [self.line, self.text]

    def show(self, x: float, words: str) -> None:
        x, right = x * self.unit, self.ax.get_xlim()[1]
        self.at = min(x, right)
        self.line.set_xdata([self.at, self.at])
        self.text.set_text(words + " ▸" if x > right else words)
        place(self.text, self.ax, self.at)
        for artist in self.artists:
            artist.set_visible(True)

    def hide(self) -> None:
        for artist in self.artists:
            artist.set_visible(False)

    def places(self) -> list[dict[str, Any]]:
        """Where its words may stand, the best place first: the height is theirs alone."""
        here = {"x": self.text.get_position()[0], "ha": self.text.get_horizontalalignment()}
        return [here, *({"x": self.at, "ha": side} for side in ("left", "right"))]


class Level:
    """A prediction of a height: a dashed line across, with its words at one end."""

    def __init__(self, ax: Axes) -> None:
        self.ax, self.y = ax, 0.0
        across = ax.get_yaxis_transform()
        (self.line,) = ax.plot(
            [0, 1], [0, 0], color=MARK, lw=2, ls=(0, (4, 2)), zorder=4.5, transform=across
        )
        self.text = ax.text(
            0.02, 0, "", transform=across, color=MARK_INK, va="center", weight="bold", zorder=8
        )
        self.text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.0})
        self.hide()

    @property
    def artists(self) -> list[Artist]:
        return [self.line, self.text]

    def show(self, y: float, words: str) -> None:
        self.y = y
        self.line.set_ydata([y, y])
        self.text.set_y(y)
        self.text.set_text(words)
        for artist in self.artists:
            artist.set_visible(True)

    def hide(self) -> None:
        for artist in self.artists:
            artist.set_visible(False)

    def places(self) -> list[dict[str, Any]]:
        """Where its words may stand, the best place first: on the line at either end, or beside."""
        ends: tuple[dict[str, Any], ...] = ({"x": 0.02, "ha": "left"}, {"x": 0.98, "ha": "right"})
        page = self.ax.transData
        line, clear = page.transform((1, self.y))[1], 4 * self.line.figure.dpi / 72
        heights = {
            va: page.inverted().transform((0, line + shift))[1]
            for va, shift in (("center", 0), ("bottom", clear), ("top", -clear))
        }
        return [{**end, "va": va, "y": y} for va, y in heights.items() for end in ends]


def one_two_five(axis: Axis) -> None:
    """Ticks at 1, 2, 5, 10, 20, 50, ..."""
    ticks = [digit * 10.0**k for k in range(-3, 9) for digit in (1, 2, 5)]
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(FuncFormatter(lambda t, _pos: f"{t:,g}"))
    axis.set_minor_locator(NullLocator())


def powers_of_two(axis: Axis) -> None:
    """Ticks at 1, 2, 4, 8, ... for sizes that are counted."""
    axis.set_major_locator(FixedLocator([2.0**k for k in range(-4, 40)]))
    axis.set_major_formatter(FuncFormatter(lambda t, _pos: f"{t:,g}"))
    axis.set_minor_locator(NullLocator())


def torn(ax: Axes, right: float, y: float, height: float) -> Line2D:
    """A white zigzag near the right edge: the bar at `y` goes on beyond the page."""
    steps = np.arange(7)
    xs = right * (0.978 + 0.006 * (steps % 2))
    ys = y + height * (steps / 6 - 0.5)
    return ax.plot(xs, ys, color="white", lw=2.4, zorder=4, visible=False)[0]


class Along(Text):
    """A label that runs along a line from (x, y) to `towards`, however the axes are stretched.

    matplotlib's own transform_rotates_text knows linear axes only.
    """

    def __init__(self, x: float, y: float, text: str, towards: tuple[float, float], **kw: Any):
        super().__init__(x, y, text, rotation_mode="anchor", **kw)
        self.towards = towards

    def get_rotation(self) -> float:
        across, up = self.get_transform().transform([self.get_position(), self.towards])
        return degrees(atan2(up[1] - across[1], up[0] - across[0]))


def si_ticks(axis: Axis) -> None:
    """Ticks at powers of ten, as 10 G, 100 G, 1 T: on an axis of rates."""
    prefixes = {0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}

    def label(value: float, _pos: int | None = None) -> str:
        power = round(log10(value))
        step = 3 * (power // 3)
        return f"{10 ** (power - step)} {prefixes.get(step, f'e{step}')}".strip()

    axis.set_major_locator(LogLocator(base=10, numticks=20))
    axis.set_major_formatter(FuncFormatter(label))
    axis.set_minor_locator(NullLocator())


def decades(axis: Axis) -> None:
    """Ticks at powers of ten, as 0.1, 1, 10, ... 10,000."""
    axis.set_major_locator(LogLocator(base=10, numticks=20))
    axis.set_major_formatter(FuncFormatter(lambda t, _pos: f"{t:,g}"))
    axis.set_minor_locator(NullLocator())
