"""The race of two chips against one, to be dragged: when does sharing a matmul pay?"""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rooflib import chip as as_chip
from rooflib import matmul
from rooflib.explore.canvas import Canvas
from rooflib.explore.controls import Control, whole_steps
from rooflib.explore.explorer import Explorer
from rooflib.explore.scene import SIZES, Question
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.plots import look
from rooflib.plots.race import Race, RaceView, race_of
from rooflib.shard import shard
from rooflib.units import si


def race(*, chip: str = "TPU v5e", size: str = "page", ask: bool = True) -> Explorer:
    """Lesson 4's picture: two chips that split a bf16 matmul along D, against one chip alone.

    Sliders: D (512 to 32,768), B (16 to 4096), and F after the second prediction.
    """
    return Explorer(RaceScene(as_chip(chip).name, size), ask=ask)


class RaceScene:
    START = {"D": 8192, "B": 1024, "F": 8192}  # noqa: RUF012

    def __init__(self, chip: str, size: str) -> None:
        self.chip = chip
        links = as_chip(chip).links
        self.link = next(each for each in ("ici", "nvlink") if each in links)
        self.title = _("Two chips against one: arithmetic, HBM and the link between them")
        with look.style():
            scale = SIZES[pick(_("size"), size, list(SIZES))]
            figure = Figure(figsize=(7.2, 4.5), dpi=100 * scale)
            top = figure.add_axes((0.0, 0.72, 1.0, 0.27))
            self.sent = _chips(top)
            below = figure.add_axes((0.205, 0.115, 0.765, 0.60))
            self.view = RaceView(below, ["compute", "hbm", self.link], link=self.link)
        self.canvas = Canvas(figure, [*self.view.artists, self.sent])
        sizes = whole_steps(512, 32_768, per_octave=6, also=(8192,))
        self.controls: tuple[Control, ...] = (
            Control("D", _("D, contracted"), sizes, 8192),
            Control("B", _("B, rows of X"), whole_steps(16, 4096, per_octave=8), 1024),
            Control("F", _("F, columns of Y"), sizes, 8192, after=2),
        )
        self.questions: tuple[Question, ...] = (self._first(), self._second())

    def _question(
        self, ask: str, label: str, start: float, reveal: dict[str, Any], **kw: Any
    ) -> Question:
        return Question(
            ask=ask,
            label=label,
            values=tuple(round(i / 50, 2) for i in range(10, 151)),
            start=start,
            pin=self.view.mark,
            words="{:.2f}".format,
            reveal=reveal,
            **kw,
        )

    def _first(self) -> Question:
        what = self.model(self.START)
        over, after = what.relative(what.overlapped), what.relative(what.after)
        return self._question(
            _(
                "D = 8192 is split over two chips: half of the arithmetic each, then both send all "
                "of Z's partial sums, {sent} each way. One chip alone takes 1. If all of it "
                "overlaps, where do two chips end? Move your mark there."
            ).format(sent=self._sent(self.START)),
            _("two chips end at"),
            1.0,
            self.START,
            reply=lambda marked: _(
                "You marked {marked:.2f}; all overlapped it is {over:.2f}, {fast:.3g} times as "
                "fast. But when the link waits for the rest, it is {after:.2f}."
            ).format(marked=marked, over=over, fast=1 / over, after=after),
        )

    def _second(self) -> Question:
        now, twice = self.model(self.START), self.model({**self.START, "B": 2048})
        return self._question(
            _(
                "At B = 1024 the link takes {link:.2f} of one chip's time. B doubles to 2048, so "
                "twice as much is sent. Where does the link's bar end now? Move your mark there."
            ).format(link=now.relative(now.parts[self.link])),
            _("the link ends at"),
            1.5,
            {**self.START, "B": 2048},
            reply=lambda marked: _(
                "You marked {marked:.2f}; it stays at {link:.2f}. Twice as much is sent, and twice "
                "as much computed: B cancels, as long as one chip is compute-bound."
            ).format(marked=marked, link=twice.relative(twice.parts[self.link])),
        )

    def _works(self, s: dict[str, Any]) -> tuple[Any, Any]:
        one = matmul(s["B"], s["D"], s["F"])
        return one, shard(one, "D", chips=2, link=self.link)

    def _sent(self, s: dict[str, Any]) -> str:
        return si(float(self._works(s)[1].bytes[self.link]), "B")

    def model(self, settings: dict[str, Any]) -> Race:
        return race_of(*self._works(settings), self.chip, link=self.link)

    def show(self, settings: dict[str, Any], answered: int) -> str:
        what = self.model(settings)
        self.view.show(what, known=answered > 0)
        self.sent.set_text(_("{sent} each way").format(sent=self._sent(settings)))
        return self.say(settings, what)

    def say(self, s: dict[str, Any], what: Race) -> str:
        link = look.link_name(self.link)

        def said(seconds: float) -> str:
            return f"{look.microseconds(seconds)} ({what.relative(seconds):.3g})"

        return _(
            "B = {B:,}, D = {D:,}, F = {F:,}: one chip takes {one}. Each of two takes {math} for "
            "the arithmetic, {hbm} for HBM and {sent} for {link}. All overlapped {over}; {link} "
            "after the rest {after}. {verdict}"
        ).format(
            **s,
            one=look.microseconds(what.one),
            math=said(what.parts["compute"]),
            hbm=said(what.parts["hbm"]),
            sent=said(what.parts[self.link]),
            link=link,
            over=said(what.overlapped),
            after=said(what.after),
            verdict=self._verdict(what),
        )

    def _verdict(self, what: Race) -> str:
        if what.after < what.one:
            return _("Two chips are faster, overlapped or not.")
        if what.overlapped < what.one:
            return _("Two chips are faster only if the link overlaps.")
        return _("Two chips are no faster than one.")

    def code(self, settings: dict[str, Any]) -> str:
        s = settings
        return (
            "import rooflib as rl\n"
            "from rooflib import plots\n"
            "from rooflib.shard import shard\n\n"
            f"one = rl.matmul({s['B']}, {s['D']}, {s['F']})\n"
            f"each = shard(one, 'D', chips=2, link={self.link!r})\n"
            f"plots.race(one, each, {self.chip!r}, link={self.link!r})"
        )


def _chips(ax: Axes) -> Any:
    """Two chips, each with its half of X and of Y, and arrows between; returns what is sent."""
    ax.set(xlim=(0, 720), ylim=(0, 122))
    ax.set_axis_off()
    for chip, x in enumerate((60, 430)):
        ax.add_patch(
            Rectangle((x, 6), 230, 108, facecolor="#F7F7F7", edgecolor="#999999", linewidth=0.8)
        )
        ax.text(x + 8, 100, _("chip {n}").format(n=chip + 1), color=look.GREY, va="center")
        _matrix(ax, x + 14, 36, 60, 30, chip, columns=True)
        ax.text(x + 44, 78, "X", ha="center", va="center", weight="bold")
        ax.text(x + 85, 51, "·", ha="center", va="center", weight="bold")
        _matrix(ax, x + 96, 21, 44, 60, chip, columns=False)
        ax.text(x + 118, 93, "Y", ha="center", va="center", weight="bold")
        ax.text(x + 153, 51, "→", ha="center", va="center")
        ax.add_patch(Rectangle((x + 168, 36), 44, 30, **look.SENT))
        ax.text(x + 190, 78, "Z", ha="center", va="center", weight="bold")
        ax.text(x + 190, 24, _("partial"), ha="center", va="center", fontsize="small")
    arrow = {"arrowstyle": "-|>", "color": look.GREEN, "lw": 2}
    ax.annotate("", (428, 66), (292, 66), arrowprops=arrow)
    ax.annotate("", (292, 42), (428, 42), arrowprops=arrow)
    return ax.text(360, 84, "", ha="center", va="center", weight="bold")


def _matrix(ax: Axes, x: float, y: float, w: float, h: float, half: int, *, columns: bool) -> None:
    """A matrix of which one half, left or upper for the first chip, is here."""
    ax.add_patch(Rectangle((x, y), w, h, facecolor="white", edgecolor="#999999", linewidth=0.8))
    if columns:
        here = Rectangle((x + half * w / 2, y), w / 2, h, **look.BYTES)
    else:
        here = Rectangle((x, y + (1 - half) * h / 2), w, h / 2, **look.BYTES)
    ax.add_patch(here)
