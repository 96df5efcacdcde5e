"""The resistances of a work: bytes per FLOP, operand by operand, against what the chip can afford.

Intensities do not add, but their inverses do: each operand costs some bytes for every FLOP, and
the work is compute-bound when the sum stays within the chip's budget, one over its ridge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter

from rooflib import estimate
from rooflib.i18n import _
from rooflib.plots import look
from rooflib.units import plain

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Budget:
    """Bytes per FLOP for each operand, and how many of them the chip can hide."""

    names: tuple[str, ...]
    costs: tuple[float, ...]
    limit: float

    @property
    def total(self) -> float:
        """One over the intensity."""
        return sum(self.costs)

    @property
    def share(self) -> float:
        """The share of the peak that is attained: all of it within the budget."""
        return min(1.0, self.limit / self.total)


def budget(work: Any, chip: Any, *, link: str = "hbm") -> Budget:
    """The resistances of a work of one operation. Raises ValueError for a sum of several."""
    if len(work.operations) != 1:
        raise ValueError(
            _("a work of one operation is needed; this one has {n}: draw each part").format(
                n=len(work.operations)
            )
        )
    times, ops = estimate(work, chip), float(work.ops)
    operands = [o for o in work.operations[0].operands if o.link == link]
    verbs = {"read": _("read {name}"), "written": _("write {name}")}
    # What a byte costs in seconds over what a FLOP costs: one over the ridge of this very work.
    limit = float(times.math) / ops / (float(times.comms[link]) / float(work.bytes[link]))
    return Budget(
        tuple(verbs[o.role].format(name=o.name) for o in operands),
        tuple(float(o.bytes) / ops for o in operands),
        limit,
    )


def resistances(
    work: Any, chip: Any, *, link: str = "hbm", until: float = 2.0, ax: Axes | None = None
) -> Axes:
    """Draw the bytes per FLOP of each operand of `work`, end to end, against the chip's budget.

    until: the right edge, in budgets. Returns the Axes.
    """
    what = budget(work, chip, link=link)
    view = Resistances(look.axes(ax, (5.0, 3.2)), what, until=until)
    view.show(what)
    return view.ax


class Resistances:
    """One row for each operand, each starting where the one above ends, and their sum below."""

    HEIGHT = 0.62

    def __init__(self, ax: Axes, what: Budget, *, until: float = 2.0) -> None:
        self.ax, self.until = ax, until * what.limit
        n, unit = len(what.names), what.limit
        ax.set(xlim=(0, self.until), ylim=(n + 0.55, -1.2), xlabel=_("bytes per FLOP"))
        ax.set_yticks(range(n + 1), [*what.names, _("together")])
        ax.tick_params(axis="y", length=0, labelcolor=look.INK)
        ax.get_yticklabels()[-1].set_fontweight("bold")
        ax.grid(axis="y", visible=False)
        ax.spines["left"].set_visible(False)
        step = until / 4  # so that there is room for the labels
        ax.xaxis.set_major_locator(FixedLocator([k * step * unit for k in range(1, 5)]))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _pos: f"1/{1 / x:.0f}"))
        # Over the bars, so that it is seen which of them crosses it.
        self.line = ax.axvline(unit, ymax=0.9, color=look.INK, lw=1.8, zorder=5)
        ax.text(
            unit, -1.17, _("the budget, 1/{ridge}").format(ridge=plain(1 / unit)),
            ha="center", va="top", weight="bold", zorder=6,
        )  # fmt: skip
        looks = [look.OPERANDS[i % len(look.OPERANDS)] for i in range(n)]
        self.bars = [self._bar(i, looks[i]) for i in range(n)]
        self.stack = [self._bar(n, looks[i]) for i in range(n)]
        self.torn = look.torn(ax, self.until, n, self.HEIGHT)
        self.words = [ax.text(0, i, "", va="center", zorder=6) for i in range(n + 1)]
        for words in self.words:
            words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.0})
        self.words[n].set_fontweight("bold")

    @property
    def artists(self) -> list[Artist]:
        return [*self.bars, *self.stack, self.line, self.torn, *self.words]

    def show(self, what: Budget) -> None:
        start = 0.0
        for i, cost in enumerate(what.costs):
            for bar in (self.bars[i], self.stack[i]):
                bar.set_x(start)
                bar.set_width(cost)
            start += cost
            self._say(i, start, start - cost, _fraction(cost))
        self.torn.set_visible(start > self.until)
        self._say(len(what.costs), start, 0.0, _fraction(what.total))

    def _say(self, row: int, end: float, start: float, words: str) -> None:
        """The cost beside its bar: after it, or before it, or in it where the page is full."""
        text, gap = self.words[row], 0.02 * self.until
        if end < 0.78 * self.until:
            text.set(x=end + gap, ha="left")
        elif start > 0.25 * self.until:
            text.set(x=min(start, self.until) - gap, ha="right")
        else:
            text.set(x=0.75 * self.until, ha="center")
        text.set_text(words)

    def _bar(self, row: int, style: dict[str, Any]) -> Rectangle:
        bar = Rectangle((0, row - self.HEIGHT / 2), 0, self.HEIGHT, zorder=3, **style)
        self.ax.add_patch(bar)
        return bar


def _fraction(cost: float) -> str:
    return f"1/{plain(1 / cost)}"


@dataclass(frozen=True)
class Curve:
    """Share of the peak at each size."""

    sizes: np.ndarray
    share: np.ndarray

    def at(self, size: float) -> float:
        return float(self.share[int(np.searchsorted(self.sizes, size))])


def curve(fn: Any, chip: Any, sizes: Any) -> Curve:
    sizes = np.asarray(sizes)
    return Curve(sizes, np.asarray(estimate(fn(sizes), chip).utilisation))


def throughput(
    fn: Any,
    chip: Any,
    sizes: Any,
    *,
    at: float | None = None,
    rule: float | None = None,
    xlabel: str = "B",
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of the peak that fn(size) attains against size; returns the Axes.

    fn: gives a Work for an array of sizes. at: one of the sizes, to be marked. rule: a rule of
    thumb for the size from which on the peak is reached, drawn faintly beside the truth.
    """
    what = curve(fn, chip, sizes)
    view = Throughput(look.axes(ax, (5.0, 3.2)), what.sizes, xlabel=xlabel)
    view.show(what, at if at is not None else float(what.sizes[-1]), rule=rule)
    return view.ax


class Throughput:
    """Share of the peak against size, with a dot at one of them."""

    def __init__(self, ax: Axes, sizes: np.ndarray, *, xlabel: str = "B") -> None:
        self.ax = ax
        ax.set(xlim=(0, sizes[-1]), ylim=(0, 1.18), xlabel=xlabel)
        ax.set_title(_("share of the peak"), fontsize="medium", weight="normal", pad=4)
        ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _pos: f"{y:.0%}"))
        (self.rule,) = ax.plot([], [], color=look.GREY, lw=1.4, ls=(0, (4, 2)), zorder=3)
        (self.line,) = ax.plot([], [], color=look.BLUE, zorder=4)
        (self.dot,) = ax.plot([], [], "o", color=look.BLUE, ms=8, zorder=6, clip_on=False)
        (self.drop,) = ax.plot([], [], color=look.BLUE, lw=0.8, ls=":", zorder=3)
        self.text = ax.text(0, 0.07, "", weight="bold", color=look.BLUE, va="center", zorder=7)
        self.text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.0})
        self.said = ax.text(0, 1.09, "", va="center", color=look.GREY, zorder=5)

    @property
    def artists(self) -> list[Artist]:
        return [self.rule, self.line, self.drop, self.dot, self.text, self.said]

    def show(
        self, what: Curve, at: float, *, rule: float | None = None, known: bool = True
    ) -> None:
        """known=False hides the curve, but not the dot and the rule."""
        self.line.set_data(what.sizes, what.share)
        self.line.set_visible(known)
        share = what.at(at)
        self.dot.set_data([at], [share])
        self.drop.set_data([at, at], [0, share])
        words = "100%" if share == 1 else f"{share:.1%}"
        self.text.set_text(_("{share} at {size:g}").format(share=words, size=at))
        self.text.set_y(0.07 if share > 0.15 else share + 0.1)  # not over its own dot
        look.place(self.text, self.ax, at, edge=0.2)
        if rule is not None:
            right = what.sizes[-1]
            self.rule.set_data([0, min(rule, right), right], [0, min(1, right / rule), 1])
            self.said.set_text(_("the rule: B = {rule}").format(rule=plain(rule)))
            look.place(self.said, self.ax, min(rule, right), edge=0.27)
        for artist in (self.rule, self.said):
            artist.set_visible(rule is not None)
