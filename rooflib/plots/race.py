"""The race: what each chip of several takes, measured in the time that one chip would take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter

from rooflib import estimate
from rooflib.i18n import _
from rooflib.plots import look

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

LOOKS: dict[str, dict[str, Any]] = {"compute": look.MATH, "hbm": look.BYTES}


@dataclass(frozen=True)
class Race:
    """Seconds: one chip alone, and what one of several chips spends on each thing."""

    one: float
    parts: dict[str, float]  # "compute" and each link
    link: str  # the link between the chips
    after: float  # the link begins when the rest has ended

    @property
    def overlapped(self) -> float:
        return max(self.parts.values())

    @property
    def rest(self) -> float:
        """All but the link between the chips, overlapped."""
        return max(time for name, time in self.parts.items() if name != self.link)

    def relative(self, seconds: float) -> float:
        return seconds / self.one


def race_of(one: Any, each: Any, chip: Any, *, link: str = "ici") -> Race:
    """Compare `one`, the whole work on one chip, with `each`, the share of one of several."""
    alone, share = estimate(one, chip), estimate(each, chip)
    parts = {"compute": float(share.math), **{k: float(v) for k, v in share.comms.items()}}
    parts.setdefault(link, 0.0)
    after = float(share.at({link: 0.0})) if link in share.comms else float(share.lower)
    return Race(float(alone.lower), parts, link, after)


def race(
    one: Any,
    each: Any,
    chip: Any,
    *,
    link: str = "ici",
    until: float = 3.0,
    ax: Axes | None = None,
) -> Axes:
    """Draw what a chip of several spends, in units of one chip's time; returns the Axes.

    one: the whole work; each: the share of one chip, as rl.shard(one, "D", chips=2) gives.
    link: the one between the chips. until: the right edge, in times of one chip.
    """
    what = race_of(one, each, chip, link=link)
    view = RaceView(look.axes(ax, (7.2, 3.4)), [*what.parts], link=link, until=until)
    view.show(what)
    return view.ax


class RaceView:
    """A bar for each thing that a chip does, and below, how they add up to a time."""

    HEIGHT = 0.66

    def __init__(
        self, ax: Axes, parts: list[str], *, link: str = "ici", until: float = 3.0
    ) -> None:
        self.ax, self.until, self.link = ax, until, link
        n = len(parts)
        self.at = {name: float(i) for i, name in enumerate(parts)}
        self.at |= {"overlapped": n + 0.5, "after": n + 1.5}
        names = {"compute": _("compute"), "overlapped": _("all overlapped")}
        names["after"] = _("{link} after the rest").format(link=look.link_name(link))
        ax.set(xlim=(0, until), ylim=(n + 2.05, -1.5))
        ax.set_xlabel(_("time, as a share of what one chip alone takes"))
        ax.set_yticks(
            [*self.at.values()], [names.get(each, look.link_name(each)) for each in self.at]
        )
        for label in ax.get_yticklabels()[n:]:
            label.set_fontweight("bold")
        ax.tick_params(axis="y", length=0, labelcolor=look.INK)
        ax.grid(axis="y", visible=False)
        ax.spines["left"].set_visible(False)
        ax.xaxis.set_major_locator(FixedLocator([i / 2 for i in range(int(2 * until) + 1)]))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _pos: f"{x:g}"))
        self.line = ax.axvline(1, ymax=0.93, color=look.INK, lw=1.6, ls=(0, (6, 2)), zorder=3.5)
        ax.text(1, -1.46, _("one chip alone"), ha="center", va="top", weight="bold", zorder=6)
        self.bars = {name: self._bar(y, self._look(name)) for name, y in self.at.items()}
        self.last = self._bar(self.at["after"], self._look(link))
        self.torn = {name: look.torn(ax, until, y, self.HEIGHT) for name, y in self.at.items()}
        self.words = {
            name: ax.text(0, y, "", va="center", zorder=6, weight="bold" if y > n else "normal")
            for name, y in self.at.items()
        }
        for words in self.words.values():
            words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.0})
        self.mark = look.Mark(ax, top=0.865)

    @property
    def artists(self) -> list[Artist]:
        named = (self.bars, self.torn, self.words)
        return [
            self.last,
            self.line,
            *(a for each in named for a in each.values()),
            *self.mark.artists,
        ]

    def show(self, what: Race, *, known: bool = True) -> None:
        """known=False leaves the bars out."""
        ends = {**what.parts, "overlapped": what.overlapped, "after": what.after}
        for name, seconds in ends.items():
            end = what.relative(seconds)
            self.bars[name].set_width(what.relative(what.rest) if name == "after" else end)
            self.torn[name].set_visible(known and end > self.until)
            self._say(name, end)
        self.last.set_x(what.relative(what.rest))
        self.last.set_width(what.relative(what.after - what.rest))
        for artist in (self.last, *self.bars.values(), *self.words.values()):
            artist.set_visible(known)

    def _say(self, name: str, end: float) -> None:
        text = self.words[name]
        words = f"{end:.3g}"
        if name in ("overlapped", "after") and end > 0:
            words += (
                _(", {speed:.3g} times as fast").format(speed=1 / end)
                if end < 1
                else _(", slower than one")
            )
        text.set_text(words)
        if end < 0.66 * self.until:
            text.set(x=end + 0.012 * self.until, ha="left")
        else:
            text.set(x=min(end, self.until) - 0.035 * self.until, ha="right")

    def _look(self, name: str) -> dict[str, Any]:
        if name in ("overlapped", "after"):
            return {"facecolor": "#BBBBBB", "edgecolor": "white", "linewidth": 0}
        return LOOKS.get(name, look.SENT)

    def _bar(self, y: float, style: dict[str, Any]) -> Rectangle:
        bar = Rectangle((0, y - self.HEIGHT / 2), 0, self.HEIGHT, zorder=3, **style)
        self.ax.add_patch(bar)
        return bar
