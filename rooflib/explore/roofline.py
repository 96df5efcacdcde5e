"""The roofline, to be dragged: one point, three handles, and the roof of before as a ghost."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rooflib import chip as as_chip
from rooflib.explore.canvas import Canvas
from rooflib.explore.controls import Control, round_steps
from rooflib.explore.explorer import Explorer
from rooflib.explore.scene import SIZES, Question
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.plots import look
from rooflib.plots.roofline import Point, Roof, RooflineView, roof
from rooflib.units import plain, si

ROOF, ZONES = "roof", "zones"
H200 = as_chip("H200").bandwidth() / as_chip("H100").bandwidth()


def roofline(*, chip: str = "TPU v5e", size: str = "page", ask: bool = True) -> Explorer:
    """Lesson 2's picture: four works A to D and one of your own under a chip's roof.

    Sliders: the point's intensity, the bandwidth, the peak. Menu: "zones" shades where a work is
    bound by the old and the new bandwidth, by one of them, or by the peak.
    """
    return Explorer(RooflineScene(chip, size), ask=ask)


class Level:
    """The reader's mark at one of the points: a short line at the height that they expect."""

    def __init__(self, ax: Axes, x: float, base: float) -> None:
        self.x, self.base = x, base
        self.y = base
        (self.line,) = ax.plot([x / 1.33, x * 1.33], [base, base], color=look.MARK, lw=3, zorder=10)
        self.line.set_solid_capstyle("butt")
        words: dict[str, Any] = {"color": look.MARK_INK, "weight": "bold", "zorder": 10}
        self.text = ax.text(x / 1.45, base, "", ha="right", va="center", **words)
        self.text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.0})
        self.hide()

    @property
    def artists(self) -> list[Any]:
        return [self.line, self.text]

    def show(self, factor: float, words: str) -> None:
        self.y = self.base * factor
        self.line.set_ydata([self.y, self.y])
        self.text.set_y(self.y)
        self.text.set_text(words)
        for artist in self.artists:
            artist.set_visible(True)

    def hide(self) -> None:
        for artist in self.artists:
            artist.set_visible(False)

    def places(self) -> list[dict[str, Any]]:
        """Before the line, above or below it, after it: where the roof and its words leave room."""
        x, y = self.x, self.y
        before, after = {"x": x / 1.45, "ha": "right"}, {"x": x * 1.45, "ha": "left"}
        return [
            {**before, "y": y, "va": "center"},
            *({"x": x, "ha": "center", "y": y * up, "va": "bottom"} for up in (1.2, 2, 3, 4.5)),
            *({"x": x, "ha": "center", "y": y / down, "va": "top"} for down in (1.2, 2, 3)),
            {**after, "y": y, "va": "center"},
        ]


class RooflineScene:
    """A roof, its ghost, four fixed points and a movable one, with a table beside them."""

    # Intensities as shares of the ridge: far below, below, just below, above.
    SHARES = {"A": 1 / 60, "B": 1 / 8, "C": 3 / 4, "D": 6.0}  # noqa: RUF012

    def __init__(self, chip: str, size: str) -> None:
        self.chip, self.old = chip, roof(chip)
        self.title = _("A roofline with a point and three handles")
        self.fixed = {name: _round(share * self.old.ridge) for name, share in self.SHARES.items()}
        with look.style():
            scale = SIZES[pick(_("size"), size, list(SIZES))]
            figure = Figure(figsize=(7.2, 5.2), dpi=100 * scale)
            # A decade is as long across as up, so that slope 1 is 45 degrees.
            side = 4.5 / 6
            ax = figure.add_axes((0.098, 0.112, 5 * side / 7.2, 4.5 / 5.2))
            self.view = RooflineView(ax, ylim=(1e10, 1e16))
            self.points = {name: Point(ax, name, color=look.GREY, own=False) for name in "ABCD"}
            self.own = Point(ax, _("you"), zorder=11)
            self.level = Level(ax, self.fixed["C"], self.old.at(self.fixed["C"]))
            self.mark = look.Mark(ax)
            self.rows = self._table(figure)
        moving = [
            *self.view.artists,
            *(a for p in (*self.points.values(), self.own) for a in p.artists),
            *self.level.artists,
            *self.mark.artists,
            *self.rows.values(),
        ]
        self.canvas = Canvas(figure, moving)
        self.controls = self._controls()
        self.truth = self._after(2).at(self.fixed["C"]) / self.old.at(self.fixed["C"])
        self.questions: tuple[Question, ...] = (self._first(), self._second())

    def _first(self) -> Question:
        return Question(
            ask=_(
                "Four works on {chip}, with {rate} from HBM. Now the bandwidth doubles, and "
                "nothing else. How much faster does C become? Move your mark to its new place."
            ).format(chip=self.chip, rate=si(self.old.bandwidth, "B/s")),
            label=_("C becomes"),
            values=tuple(round(1 + i / 20, 2) for i in range(31)),
            start=1.0,
            pin=self.level,
            words="×{:.2f}".format,
            reply=self.reply,
            reveal={"bandwidth": self.controls[1].nearest(2 * self.old.bandwidth)},
        )

    def _second(self) -> Question:
        ridges = self.old.ridge, self._after(H200).ridge
        return Question(
            ask=_(
                "From H100 to H200 the bandwidth grows by {more:.0%} at the same peak. Do the same "
                "to this chip: its ridge is at {ridge}. Where does it go? Move your mark there."
            ).format(more=H200 - 1, ridge=plain(ridges[0])),
            label=_("the new ridge"),
            values=round_steps(ridges[0] / 4, ridges[0] * 4, 40, also=(_round(ridges[0]),)),
            start=_round(ridges[0]),
            pin=self.mark,
            words=plain,
            reply=lambda marked: _(
                "You marked {marked}; the ridge goes down to {ridge}. A better chip, and it takes "
                "less intensity to fill it: H100 {h100:.0f}, H200 {h200:.0f}."
            ).format(
                marked=plain(marked),
                ridge=plain(ridges[1]),
                h100=as_chip("H100").ridge(),
                h200=as_chip("H200").ridge(),
            ),
            reveal={"bandwidth": H200 * self.old.bandwidth},
        )

    def _after(self, factor: float) -> Roof:
        return Roof(self.old.peak, factor * self.old.bandwidth)

    def _controls(self) -> tuple[Control, ...]:
        def around(value: float) -> tuple[float, ...]:
            return tuple(sorted({value * 2 ** (i / 8) for i in range(-24, 25)}))

        intensities = round_steps(0.1, 10_000, 20, also=(12.0,))
        return (
            Control("intensity", _("your intensity"), intensities, 12.0, words=plain),
            Control(
                "bandwidth",
                _("bandwidth"),
                around(self.old.bandwidth),
                self.old.bandwidth,
                words=lambda v: si(v, "B/s"),
            ),
            Control(
                "peak",
                _("peak"),
                around(self.old.peak),
                self.old.peak,
                words=lambda v: si(v, "FLOP/s"),
            ),
            Control(
                "show",
                _("show"),
                (ROOF, ZONES),
                ROOF,
                menu=True,
                after=1,
                words={ROOF: _("the roof"), ZONES: _("the zones between the two")}.__getitem__,
            ),
        )

    def _table(self, figure: Figure) -> dict[str, Any]:
        """A column beside the chart: what each point attains, and how much more than before."""
        x, y, step = 0.655, 0.80, 0.055
        figure.text(x, y + 1.5 * step, _("attainable, against before"), weight="bold")
        rows = {}
        for i, name in enumerate([*self.fixed, _("you")]):
            color = look.BLUE if i == 4 else look.INK
            figure.text(x, y - i * step, name, weight="bold", color=color)
            if i < 4:
                at = _("at {}").format(plain(self.fixed[name]))
                figure.text(x + 0.04, y - i * step, at, color=look.GREY)
            rows[name] = figure.text(x + 0.14, y - i * step, "", color=color)
        lines: tuple[tuple[str, dict[str, Any]], ...] = (
            (_("now"), {"color": look.INK, "lw": 2.2}),
            (_("before"), {"color": look.GREY, "lw": 1.4, "ls": (0, (4, 2))}),
        )
        for i, (words, style) in enumerate(lines):
            height = y - (6 + i) * step
            figure.add_artist(Line2D([x, x + 0.06], [height + 0.01] * 2, **style))
            figure.text(x + 0.075, height, words)
        return rows

    def show(self, settings: dict[str, Any], answered: int) -> str:
        now = Roof(settings["peak"], settings["bandwidth"])
        zones = settings["show"] == ZONES
        self.view.show(now, self.old if now != self.old else None, zones=zones)
        own = settings["intensity"]
        for name, x in {**self.fixed, _("you"): own}.items():
            point = self.points.get(name) or self.own
            point.show(x, now.at(x), now)
            factor = now.at(x) / self.old.at(x)
            text = si(now.at(x), "FLOP/s")
            self.rows[name].set_text(
                text if now == self.old else f"{text}   ×{factor:.{2 if factor < 1 else 3}g}"
            )
        return self.say(now, own, zones)

    def say(self, now: Roof, own: float, zones: bool) -> str:
        said = _(
            "Peak {peak}, bandwidth {bandwidth}: the ridge is at {ridge} FLOP/byte. At "
            "{own} your work attains {rate}, {share:.3g}% of the peak, and is bound by {what}."
        ).format(
            peak=si(now.peak, "FLOP/s"),
            bandwidth=si(now.bandwidth, "B/s"),
            ridge=plain(now.ridge),
            own=plain(own),
            rate=si(now.at(own), "FLOP/s"),
            share=100 * now.at(own) / now.peak,
            what=_("the peak") if own >= now.ridge else _("the bandwidth"),
        )
        if now != self.old:
            factors = ", ".join(
                f"{name} ×{now.at(x) / self.old.at(x):.3g}" for name, x in self.fixed.items()
            )
            said += " " + _("Against {chip}: {factors}.").format(chip=self.chip, factors=factors)
        if zones:
            said += " " + _("A stands for the chapter's Algo 1, D for its Algo 2.")
        return said

    def reply(self, marked: float) -> str:
        return _(
            "You marked ×{marked:.2f}; C becomes ×{truth:.3g}. It rises until it meets the "
            "peak, and there more bandwidth buys nothing."
        ).format(marked=marked, truth=self.truth)

    def code(self, settings: dict[str, Any]) -> str:
        points = {**self.fixed, "you": settings["intensity"]}
        peak, bandwidth = f"{settings['peak']:.6g}", f"{settings['bandwidth']:.6g}"
        rates = f"matrix={{'bf16': {peak}}}, links={{'hbm': {bandwidth}}}"
        zones = ", zones=True" if settings["show"] == ZONES else ""
        return (
            "import rooflib as rl\n"
            "from rooflib import plots\n\n"
            f"mine = rl.Chip('mine', {rates})\n"
            f"points = {points}\n"
            f"plots.roofline(mine, points, before={self.chip!r}{zones})"
        )


def _round(value: float) -> float:
    return float(f"{value:.2g}")
