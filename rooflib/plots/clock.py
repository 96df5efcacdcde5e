"""Two lanes and a clock: when the bytes have arrived, when the arithmetic is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.patches import Rectangle

from rooflib import estimate
from rooflib.i18n import _
from rooflib.plots import look

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Lanes:
    """What the two lanes show, in seconds."""

    math: float
    comms: float
    lower: float
    upper: float
    overlap: float
    end: float
    bound: str
    link: str
    utilisation: float

    @property
    def math_start(self) -> float:
        """Bytes start at 0; the arithmetic slides under them as the overlap grows."""
        return (1 - self.overlap) * self.comms

    @property
    def ratio(self) -> float:
        return self.upper / self.lower


def lanes(work: Any, chip: Any, *, overlap: float = 0.0, link: str = "hbm") -> Lanes:
    """The times of `work` on `chip` as two lanes: the arithmetic, and the bytes over `link`."""
    times = estimate(work, chip)
    return Lanes(
        math=float(times.math),
        comms=float(times.comms[link]),
        lower=float(times.lower),
        upper=float(times.upper),
        overlap=overlap,
        end=float(times.at(overlap)),
        bound=str(times.bound),
        link=link,
        utilisation=float(times.utilisation),
    )


def clock(
    work: Any,
    chip: Any,
    *,
    overlap: float = 0.0,
    link: str = "hbm",
    until: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw `work` on `chip` as two lanes over time; returns the Axes.

    Above, bytes and arithmetic both start at 0 and the longer one decides; below, they run with
    `overlap`: 0 is one after the other, 1 is together. `until` is the right edge in microseconds;
    a bar that goes on beyond it says so. Raises ValueError when `work` does not use `link`.
    """
    what = lanes(work, chip, overlap=overlap, link=link)
    ax = look.axes(ax, (7.2, 3.2))
    Clock(ax, until=what.upper * 1.08e6 if until is None else until, link=link).show(what)
    return ax


class Clock:
    """The artists of the two lanes on `ax`; `show` moves them and never makes new ones."""

    TOP, BOTTOM = 1.95, 5.25  # where each panel's first lane is; y grows downwards
    HEIGHT, STEP = 0.86, 1.0

    def __init__(self, ax: Axes, *, until: float = 400.0, link: str = "hbm") -> None:
        self.ax, self.until = ax, until
        ax.set(xlim=(0, until), ylim=(7.3, 0), xlabel=_("time in µs"))
        ax.spines["left"].set_visible(False)
        ax.grid(axis="y", visible=False)
        ax.grid(axis="x", visible=True)
        names = [look.link_name(link), _("compute")]
        ax.set_yticks(
            [y + i * self.STEP for y in (self.TOP, self.BOTTOM) for i in (0, 1)], names * 2
        )
        ax.tick_params(axis="y", length=0, labelcolor=look.INK)
        self._heading(self.TOP, _("overlapped"))
        self.name = self._heading(self.BOTTOM, "")
        self.panels = [self._panel(y) for y in (self.TOP, self.BOTTOM)]
        self.mark = look.Mark(ax)

    @property
    def artists(self) -> list[Artist]:
        """All that moves."""
        return [
            self.name,
            *self.mark.artists,
            *(a for panel in self.panels for a in panel.artists),
        ]

    def show(self, what: Lanes) -> None:
        self.name.set_text(
            _("end to end")
            if what.overlap == 0
            else _("overlap {share:.2f}").format(share=what.overlap)
        )
        self.panels[0].show(what, math_start=0.0, end=what.lower)
        self.panels[1].show(what, math_start=what.math_start, end=what.end)

    def _heading(self, y: float, text: str) -> Any:
        return self.ax.text(
            -0.016,
            y - 0.95,
            text,
            transform=self.ax.get_yaxis_transform(),
            ha="right",
            va="center",
            weight="bold",
        )

    def _panel(self, y: float) -> _Panel:
        return _Panel(self.ax, y, self.until, self.HEIGHT, self.STEP)


class _Panel:
    """One pair of lanes: two bars with their times, the idle rest, and the end."""

    def __init__(self, ax: Axes, y: float, until: float, height: float, step: float) -> None:
        self.ax, self.until = ax, until
        ys = (y, y + step)
        self.idle = [self._bar(y_, height, look.IDLE, zorder=2) for y_ in ys]
        self.bars = [
            self._bar(y_, height, style, zorder=3)
            for y_, style in zip(ys, (look.BYTES, look.MATH), strict=True)
        ]
        self.times = [ax.text(0, y_, "", va="center", zorder=6) for y_ in ys]
        # Words over the hatch of the bytes' bar need a quiet ground.
        self.times[0].set_bbox({"facecolor": look.ORANGE, "edgecolor": "none", "pad": 1.5})
        self.torn = [look.torn(ax, until, y_, height) for y_ in ys]
        bottom = ys[1] + height / 2 + 0.08
        (self.line,) = ax.plot([0, 0], [y - 0.62, bottom], color=look.INK, lw=1.6, zorder=5)
        self.end = ax.text(0, y - 0.95, "", va="center", weight="bold", zorder=6)
        self.end.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})

    @property
    def artists(self) -> list[Artist]:
        return [*self.idle, *self.bars, *self.torn, *self.times, self.line, self.end]

    def show(self, what: Lanes, *, math_start: float, end: float) -> None:
        end_us = end * 1e6
        spans = ((0.0, what.comms * 1e6), (math_start * 1e6, what.math * 1e6))
        for i, (start, width) in enumerate(spans):
            self.bars[i].set_x(start)
            self.bars[i].set_width(width)
            self.idle[i].set_width(end_us)
            self.torn[i].set_visible(start + width > self.until)
            self._say(self.times[i], start, width, end_us)
        self.line.set_xdata([end_us, end_us])
        self.line.set_visible(end_us <= self.until)
        text = look.microseconds(end)
        if end_us > self.until:
            text += " ▸"
        self.end.set_text(text)
        look.place(self.end, self.ax, min(end_us, self.until))

    def _say(self, text: Any, start: float, width: float, last: float) -> None:
        """The time inside its bar, or beside it where the bar is too short for words."""
        end = start + width
        beside = last if last - end < 0.15 * self.until else end  # not across the end's line
        words = look.microseconds(width * 1e-6)
        visible = min(end, self.until) - start
        inside = visible > 0.16 * self.until
        if end > self.until:
            words += " ▸"
        text.set_text(words)
        if inside:
            text.set(x=start + visible / 2, ha="center", weight="bold")
        elif beside < 0.84 * self.until:
            text.set(x=beside + 0.012 * self.until, ha="left", weight="normal")
        else:
            text.set(x=min(start, self.until) - 0.012 * self.until, ha="right", weight="normal")
        text.set_color("white" if inside and text is self.times[1] else look.INK)
        if (ground := text.get_bbox_patch()) is not None:
            ground.set_visible(inside)

    def _bar(self, y: float, height: float, style: dict[str, Any], zorder: int) -> Rectangle:
        bar = Rectangle((0, y - height / 2), 0, height, zorder=zorder, **style)
        self.ax.add_patch(bar)
        return bar
