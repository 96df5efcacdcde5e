"""Two lanes and a clock, to be dragged: where does the time of one matmul go?"""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from rooflib import chips, matmul
from rooflib.explore.canvas import Canvas
from rooflib.explore.controls import Control, round_steps, whole_steps
from rooflib.explore.explorer import Explorer
from rooflib.explore.scene import SIZES, Question
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.plots import look
from rooflib.plots.clock import Clock, Lanes, lanes
from rooflib.units import plain


def clock(
    *,
    D: int = 8192,
    F: int = 8192,
    chip: str = "TPU v5e",
    until: float = 400.0,
    size: str = "page",
    ask: bool = True,
) -> Explorer:
    """The lesson's first picture: a bf16 matmul [B, D] x [D, F] as two lanes over time.

    Sliders: B (1 to 1024), chip, and after the first prediction overlap (0 to 1). `until` is the
    picture's right edge in microseconds; `size` "page" or "projector"; ask=False opens the
    sliders without a question.
    """
    return Explorer(ClockScene(D, F, chip, until, size), ask=ask)


class ClockScene:
    """Sizes, question and words around the artists of `plots.clock`."""

    ASKED = 240

    def __init__(self, D: int, F: int, chip: str, until: float, size: str) -> None:
        self.D, self.F, self.until = D, F, until
        self.title = _("Two lanes and a clock: the bytes and the arithmetic of one matmul")
        names = tuple(each.name for each in chips() if "bf16" in each.dtypes)
        with look.style():
            scale = SIZES[pick(_("size"), size, list(SIZES))]
            figure = Figure(figsize=(7.2, 3.3), dpi=100 * scale)
            self.view = Clock(figure.add_axes((0.155, 0.15, 0.815, 0.84)), until=until)
        self.canvas = Canvas(figure, self.view.artists)
        self.controls: tuple[Control, ...] = (
            Control("B", _("B, rows of X"), whole_steps(1, 1024, also=(240, 256)), 1),
            Control("chip", _("chip"), names, pick(_("chip"), chip, list(names)), menu=True),
            Control(
                "overlap",
                _("overlap"),
                tuple(i / 20 for i in range(21)),
                0.0,
                after=1,
                words="{:.2f}".format,
            ),
        )
        first = self.model({"B": 1, "chip": chip, "overlap": 0.0})
        self.asked = self.model({"B": self.ASKED, "chip": chip, "overlap": 0.0})
        self.grown = self.asked.lower / first.lower - 1
        self.questions: tuple[Question, ...] = (
            Question(
                ask=_(
                    "B = 1 takes {first} when bytes and arithmetic overlap. B = {asked} is {asked} "
                    "times the work: where will it end? Move your mark there; it may lie beyond "
                    "the right edge."
                ).format(first=look.microseconds(first.lower), asked=self.ASKED),
                label=_("it ends at"),
                values=round_steps(100, 100_000),
                start=400.0,
                pin=self.view.mark,
                words=lambda us: f"{us:,.0f} µs",
                reply=self.reply,
                reveal={"B": self.ASKED},
            ),
        )

    def model(self, settings: dict[str, Any]) -> Lanes:
        """What is drawn and said, from the settings alone."""
        work = matmul(settings["B"], self.D, self.F)
        return lanes(work, settings["chip"], overlap=settings["overlap"])

    def show(self, settings: dict[str, Any], answered: int) -> str:
        what = self.model(settings)
        self.view.show(what)
        return self.say(settings, what)

    def reply(self, marked: float) -> str:
        """The prediction beside the truth."""
        truth = self.asked.lower * 1e6
        factor = max(marked / truth, truth / marked)
        said = _("You marked {marked:,.0f} µs; B = {asked} ends at {truth:.1f} µs").format(
            marked=marked, truth=truth, asked=self.ASKED
        )
        if factor < 1.1:
            verdict = _("close.")
        elif marked > truth:
            verdict = _("your mark is {factor} times too late.").format(factor=plain(factor))
        else:
            verdict = _("your mark is {factor} times too early.").format(factor=plain(factor))
        return said + _(": {verdict} {asked} times the work for {more:.1%} more time.").format(
            verdict=verdict, asked=self.ASKED, more=self.grown
        )

    def say(self, settings: dict[str, Any], what: Lanes) -> str:
        binds = _("the arithmetic binds") if what.bound == "compute" else _("HBM binds")
        said = _(
            "B = {B:,} on {chip}: the bytes take {comms}, the arithmetic {math}; {binds}. "
            "Overlapped it ends at {lower}, end to end at {upper}, {ratio:.4g} times as long; "
            "overlapped, the matrix unit works {busy:.3g}% of the time."
        ).format(
            B=settings["B"],
            chip=settings["chip"],
            comms=look.microseconds(what.comms),
            math=look.microseconds(what.math),
            binds=binds,
            lower=look.microseconds(what.lower),
            upper=look.microseconds(what.upper),
            ratio=what.ratio,
            busy=100 * what.utilisation,
        )
        if what.overlap:
            said += " " + _("With an overlap of {overlap:.2f} it ends at {end}.").format(
                overlap=what.overlap, end=look.microseconds(what.end)
            )
        if max(what.end, what.lower) * 1e6 > self.until:
            said += " " + _("The picture stops at {until:.0f} µs; torn bars go on.").format(
                until=self.until
            )
        return said

    def code(self, settings: dict[str, Any]) -> str:
        return (
            "import rooflib as rl\n"
            "from rooflib import plots\n\n"
            f"mm = rl.matmul({settings['B']}, {self.D}, {self.F})\n"
            f"chip = rl.chip({settings['chip']!r})\n"
            f"plots.clock(mm, chip, overlap={settings['overlap']}, until={self.until:g})"
        )
