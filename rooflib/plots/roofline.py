"""The roofline: what a chip can do at each intensity, on log-log axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from rooflib import Work, estimate
from rooflib import chip as as_chip
from rooflib.i18n import _
from rooflib.plots import look
from rooflib.units import plain, si

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Roof:
    """A peak in FLOP/s and a bandwidth in B/s: slope 1 up to the ridge, then flat."""

    peak: float
    bandwidth: float

    @property
    def ridge(self) -> float:
        """FLOP/byte from which on the peak is the limit."""
        return self.peak / self.bandwidth

    def at(self, intensity: float) -> float:
        """FLOP/s that can be attained at an intensity."""
        return min(self.peak, intensity * self.bandwidth)


def roof(chip: Any, *, dtype: str = "bf16", unit: str = "matrix", link: str = "hbm") -> Roof:
    machine = as_chip(chip)
    return Roof(machine.peak(dtype, unit), machine.bandwidth(link))


def roofline(
    chip: Any,
    points: Mapping[str, Any] | None = None,
    *,
    before: Any = None,
    zones: bool = False,
    dtype: str = "bf16",
    unit: str = "matrix",
    link: str = "hbm",
    xlim: tuple[float, float] = (0.1, 1e4),
    ylim: tuple[float, float] = (1e10, 1e16),
    ax: Axes | None = None,
) -> Axes:
    """Draw the roofline of `chip`; returns the Axes.

    points: names with a Work each, or an intensity in FLOP/byte. A Work stands at the rate that
    it attains on the chip, on its own unit and number format; an intensity stands under the roof.
    before: a chip whose roof is drawn faintly, for comparison. zones: shade where a work is bound
    by the bandwidth of both, of one only, or by the peak; needs `before`.
    """
    if zones and before is None:
        raise ValueError(_("zones compare two chips: say before=... as well"))
    now = roof(chip, dtype=dtype, unit=unit, link=link)
    ax = look.axes(ax, (6.0, 6.0))
    view = RooflineView(ax, xlim=xlim, ylim=ylim)
    old = None if before is None else roof(before, dtype=dtype, unit=unit, link=link)
    view.show(now, old, zones=zones)
    for name, point in (points or {}).items():
        if isinstance(point, Work):
            x, y = float(point.intensity(link)), float(estimate(point, chip).attained)
        else:
            x, y = float(point), now.at(float(point))
        Point(ax, name).show(x, y, now)
    return ax


def axes_of_rates(ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float]) -> None:
    ax.set(xscale="log", yscale="log", xlim=xlim, ylim=ylim)
    ax.set(xlabel=_("intensity in FLOP/byte"), ylabel=_("attainable FLOP/s"))
    look.decades(ax.xaxis)
    look.si_ticks(ax.yaxis)


class RooflineView:
    """The roof, the roof of before, the ridge and the zones on `ax`; `show` moves them."""

    def __init__(
        self, ax: Axes, *, xlim: tuple[float, float] = (0.1, 1e4), ylim: tuple[float, float]
    ) -> None:
        self.ax, self.xlim, self.ylim = ax, xlim, ylim
        axes_of_rates(ax, xlim, ylim)
        self.zones = [
            _Zone(ax, look.RED, "\\\\", _("bandwidth-bound at both"), "right"),
            _Zone(ax, look.YELLOW, "xx", _("at the lower one only"), "center"),
            _Zone(ax, look.GREEN, "..", _("compute-bound at both"), "left"),
        ]
        (self.ghost,) = ax.plot([], [], color=look.GREY, lw=1.4, ls=(0, (4, 2)), zorder=3)
        (self.line,) = ax.plot([], [], color=look.INK, lw=2.2, zorder=4)
        (self.drop,) = ax.plot([], [], color=look.GREY, lw=0.8, ls=":", zorder=3)
        (self.dot,) = ax.plot([], [], "o", color=look.INK, ms=5, zorder=5)
        self.slope = look.Along(1, 1, "", (10, 10), va="bottom", fontsize="small", zorder=6)
        ax.add_artist(self.slope)
        self.peak = ax.text(xlim[1], 1, "", ha="right", va="bottom", zorder=6)
        self.ridge = ax.text(
            1, 0.025, "", va="center", zorder=6, transform=ax.get_xaxis_transform()
        )
        self.ridge.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.0})

    @property
    def artists(self) -> list[Artist]:
        zones = [artist for zone in self.zones for artist in zone.artists]
        lines = [self.ghost, self.line, self.drop, self.dot]
        return [*zones, *lines, self.slope, self.peak, self.ridge]

    def show(self, now: Roof, before: Roof | None = None, *, zones: bool = False) -> None:
        left, right = self.xlim
        for line, roof in ((self.line, now), (self.ghost, before)):
            xs = [] if roof is None else [left, roof.ridge, right]
            line.set_data(xs, [] if roof is None else [roof.at(x) for x in xs])
        self.drop.set_data([now.ridge] * 2, [self.ylim[0], now.peak])
        self.dot.set_data([1.0], [now.at(1.0)])
        self.dot.set_visible(now.ridge > 1)
        # The words run along the slope from where it enters the page.
        x = max(left, self.ylim[0] / now.bandwidth) * 1.12
        self.slope.set_position((x, x * now.bandwidth * 1.18))
        self.slope.towards = (x * 10, x * now.bandwidth * 11.8)
        self.slope.set_text(_("bandwidth {rate}").format(rate=si(now.bandwidth, "B/s")))
        self.peak.set_y(now.peak * 1.3)
        self.peak.set_text(_("peak {rate}").format(rate=si(now.peak, "FLOP/s")))
        self.ridge.set_text(_("ridge {ridge}").format(ridge=plain(now.ridge)))
        look.place(self.ridge, self.ax, min(max(now.ridge, left), right))
        borders = [left, now.ridge, before.ridge if before else now.ridge, right]
        borders = sorted(min(max(b, left), right) for b in borders)
        for zone, x0, x1 in zip(self.zones, borders[:-1], borders[1:], strict=True):
            zone.show(x0, x1, visible=zones)


class Point:
    """A work on the chart: a dot with its name on the side away from the roof's own words."""

    def __init__(
        self, ax: Axes, name: str, *, color: str = look.BLUE, own: bool = True, zorder: float = 8
    ) -> None:
        self.ax, self.name, self.own = ax, name, own
        (self.drop,) = ax.plot([], [], color=color, lw=0.8, ls=":", zorder=5, visible=own)
        (self.dot,) = ax.plot(
            [], [], "o", ms=8, color=color, mfc=color if own else "white", mew=1.8,
            zorder=zorder, clip_on=False,
        )  # fmt: skip
        self.text = ax.text(1, 1, name, color=color, weight="bold", zorder=zorder + 1)
        self.text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})

    @property
    def artists(self) -> list[Artist]:
        return [self.drop, self.dot, self.text]

    def show(self, x: float, y: float, under: Roof) -> None:
        """Move to (x, y). Where the peak's words are above, the name goes below."""
        self.dot.set_data([x], [y])
        self.drop.set_data([x, x], [self.ax.get_ylim()[0], y])
        share = look.fraction(self.ax, x)
        flat = x >= under.ridge
        crowded = not flat and share > 0.5 and under.at(x) * 1.8 > under.peak
        low = look.fraction_up(self.ax, y) < 0.1  # the axis' own words are below
        right = share < 0.88 and (self.own or crowded or low)
        above = low or not (self.own or flat or crowded)
        self.text.set(ha="left" if right else "right", va="bottom" if above else "top")
        # One's own name is a line lower, so that two names below do not meet.
        below = 1.9 if self.own else 1.2
        if low:  # in the corner between the slope and the axis
            self.text.set_position((x * 1.7 if right else x / 1.22, y))
            return
        self.text.set_position((x * 1.22 if right else x / 1.22, y * 1.15 if above else y / below))


class _Zone:
    """A hatched band with its words running up beside the border that they speak of."""

    def __init__(self, ax: Axes, color: str, hatch: str, words: str, side: str) -> None:
        self.side = side
        self.band = Rectangle(
            (1, 0), 0, 1, transform=ax.get_xaxis_transform(), facecolor=to_rgba(color, 0.15),
            hatch=hatch, edgecolor=to_rgba(color, 0.3), linewidth=0, zorder=1,
        )  # fmt: skip
        ax.add_patch(self.band)
        self.text = ax.text(
            1, 0.075, words, transform=ax.get_xaxis_transform(), rotation=90,
            rotation_mode="anchor", ha="left", va="center", fontsize="small", zorder=6,
        )  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        return [self.band, self.text]

    def show(self, x0: float, x1: float, *, visible: bool) -> None:
        self.band.set_x(x0)
        self.band.set_width(x1 - x0)
        at = {"right": x1 / 1.35, "center": (x0 * x1) ** 0.5, "left": x0 * 1.35}[self.side]
        self.text.set_x(at)
        self.band.set_visible(visible and x1 > x0)
        # The words of a band too thin for them are left to the sentence.
        self.text.set_visible(visible and x1 > 1.6 * x0)
