"""The band between the bounds, to be dragged: at which batch is overlap worth most?"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rooflib import chip as as_chip
from rooflib import matmul
from rooflib.explore.canvas import Canvas
from rooflib.explore.controls import Control, whole_steps
from rooflib.explore.explorer import Explorer
from rooflib.explore.scene import SIZES, Question
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.plots import look
from rooflib.plots.bounds import Bounds, band


def overlap(
    *, D: int = 8192, F: int = 8192, chip: str = "TPU v5e", size: str = "page", ask: bool = True
) -> Explorer:
    """Both bounds of a bf16 matmul [B, D] x [D, F] against B, and the factor between them.

    One slider: B (1 to 1024). The curves are hidden until the reader has marked the B at which
    overlap is worth most.
    """
    return Explorer(OverlapScene(D, F, as_chip(chip).name, size), ask=ask)


class OverlapScene:
    def __init__(self, D: int, F: int, chip: str, size: str) -> None:
        self.D, self.F, self.chip = D, F, chip
        self.title = _("The time at best and at worst, against B")
        self.band = band(lambda B: matmul(B, D, F), chip, np.arange(1, 1025))
        with look.style():
            scale = SIZES[pick(_("size"), size, list(SIZES))]
            figure = Figure(figsize=(7.2, 3.6), dpi=100 * scale)
            axes = figure.add_axes((0.105, 0.14, 0.86, 0.84))
            self.view = Bounds(axes, self.band, xlabel=_("B, rows of X"))
        self.canvas = Canvas(figure, self.view.artists)
        steps = whole_steps(1, 1024, also=(240, 255, 256))
        self.controls: tuple[Control, ...] = (Control("B", _("B, rows of X"), steps, 1),)
        self.questions: tuple[Question, ...] = (
            Question(
                ask=_(
                    "At B = 1 it makes next to no difference whether bytes and arithmetic overlap: "
                    "end to end takes {ratio:.4g} times as long. At which B is overlap worth most? "
                    "Move your mark there."
                ).format(ratio=self.band.ratio[0]),
                label=_("worth most at B"),
                values=steps,
                start=16,
                pin=self.view.mark,
                words=_("B = {:,}").format,
                reply=self.reply,
                reveal={"B": int(self.band.widest)},
            ),
        )

    def show(self, settings: dict[str, Any], answered: int) -> str:
        self.view.show(settings["B"], curves=answered > 0)
        lower, upper = self.band.at(settings["B"])
        return _(
            "B = {B:,} on {chip}: {lower} overlapped, {upper} end to end, so overlap is worth a "
            "factor of {ratio:.4g}. It is most where both take equally long, B = {widest:.0f}, and "
            "can never be more than 2; at either end there is little to hide."
        ).format(
            B=settings["B"],
            chip=self.chip,
            lower=look.microseconds(lower),
            upper=look.microseconds(upper),
            ratio=upper / lower,
            widest=self.band.widest,
        )

    def reply(self, marked: int) -> str:
        lower, upper = self.band.at(marked)
        return _(
            "You marked B = {marked}, where overlap is worth a factor of {ratio:.3g}; it is worth "
            "most, {most:.3g}, at B = {widest:.0f}."
        ).format(
            marked=marked,
            ratio=upper / lower,
            most=self.band.ratio.max(),
            widest=self.band.widest,
        )

    def code(self, settings: dict[str, Any]) -> str:
        return (
            "import numpy as np\n"
            "import rooflib as rl\n"
            "from rooflib import plots\n\n"
            f"fn = lambda B: rl.matmul(B, {self.D}, {self.F})\n"
            f"plots.bounds(fn, {self.chip!r}, np.arange(1, 1025), at={settings['B']})"
        )
