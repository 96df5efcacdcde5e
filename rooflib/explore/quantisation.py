"""Quantisation as time, to be dragged: what narrower numbers gain, and up to which batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rooflib import chip as as_chip
from rooflib import critical, matmul
from rooflib.explore.canvas import Canvas
from rooflib.explore.controls import Control, round_steps, whole_steps
from rooflib.explore.explorer import Explorer
from rooflib.explore.scene import SIZES, Question
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.plots import look
from rooflib.plots.times import STYLES, TimesView, time_lines
from rooflib.units import plain

# The words on the picture, and the call that makes the work.
KINDS: dict[str, dict[str, str]] = {
    "bf16": {},
    "int8 weights": {"w": "int8"},
    "int4 weights": {"w": "int4"},
    "int8 everywhere": {"dtype": "int8"},
}
BF16, W8, W4, INT8 = KINDS


def quantisation(
    *, D: int = 8192, F: int = 8192, chip: str = "TPU v5e", size: str = "page", ask: bool = True
) -> Explorer:
    """Lesson 3's second picture: the time of a matmul in four number formats against B.

    One slider: B (1 to 512). The lines appear with the predictions.
    """
    return Explorer(QuantisationScene(D, F, as_chip(chip).name, size), ask=ask)


class QuantisationScene:
    LAST = 512

    def __init__(self, D: int, F: int, chip: str, size: str) -> None:
        self.D, self.F, self.chip = D, F, chip
        self.title = _("Time against B in four number formats")
        works = {
            name: lambda B, formats=formats: matmul(B, D, F, **formats)
            for name, formats in KINDS.items()
        }
        self.what = time_lines(works, chip, np.arange(1, self.LAST + 1))
        self.meets = critical(works[BF16], chip)
        with look.style():
            scale = SIZES[pick(_("size"), size, list(SIZES))]
            figure = Figure(figsize=(7.2, 3.8), dpi=100 * scale)
            ax = figure.add_axes((0.098, 0.132, 0.56, 0.85))
            self.view = TimesView(ax, self.what, xlabel=_("B, rows of X"))
            self.mark, self.level = look.Mark(ax), look.Level(ax)
            self.head = figure.text(0.69, 0.86, "", weight="bold")
            self.rows = {}
            for i, name in enumerate(KINDS):
                y = 0.765 - 0.15 * i
                figure.text(0.69, y, name, color=STYLES[i][0], weight="bold")
                self.rows[name] = figure.text(0.69, y - 0.062, "")
        moving = [*self.view.artists, *self.mark.artists, *self.level.artists]
        self.canvas = Canvas(figure, [*moving, self.head, *self.rows.values()])
        steps = whole_steps(1, self.LAST, also=(120, 128, 240, 255, 256))
        self.controls: tuple[Control, ...] = (Control("B", _("B, rows of X"), steps, 1),)
        self.questions: tuple[Question, ...] = (self._weights(steps), self._everything())

    def _weights(self, steps: tuple[int, ...]) -> Question:
        return Question(
            ask=_(
                "At B = 1 int8 weights halve the time, because nearly all of it goes into reading "
                "them. From which B on do they gain nothing over bf16? Move your mark there."
            ),
            label=_("nothing from B"),
            values=steps,
            start=16,
            pin=self.mark,
            words=_("B = {:,}").format,
            reply=lambda marked: _(
                "You marked B = {marked}; the two lines meet at B = {meets}, bf16's own critical "
                "batch. Below it int8 weights gain something, at {marked} a factor of {gain:.3g}."
            ).format(marked=marked, meets=plain(self.meets), gain=self._gain(marked, W8)),
            reveal={"B": 255},
        )

    def _everything(self) -> Question:
        last = self.what.at(self.LAST)
        return Question(
            ask=_(
                "With int8 everywhere the critical batch is the same as in bf16. At B = {last} "
                "bf16 takes {bf16}. How long does int8 everywhere take? Move your mark there."
            ).format(last=self.LAST, bf16=look.microseconds(last[BF16])),
            label=_("it takes"),
            values=round_steps(50, 500, 60),
            start=300.0,
            pin=self.level,
            words=lambda us: f"{us:.3g} µs",
            reply=lambda marked: _(
                "You marked {marked:.3g} µs; it takes {int8}. The critical batch says when compute "
                "binds, not how fast it goes: int8 halves both times, at every B."
            ).format(marked=marked, int8=look.microseconds(last[INT8])),
            reveal={"B": self.LAST},
        )

    def _gain(self, B: int, name: str) -> float:
        at = self.what.at(B)
        return at[BF16] / at[name]

    def show(self, settings: dict[str, Any], answered: int) -> str:
        B = settings["B"]
        known = [*KINDS] if answered > 1 else [BF16, W8, W4]
        self.view.show(B, dots=set(known), lines=answered > 0)
        self.head.set_text(_("at B = {B}").format(B=B))
        at = self.what.at(B)
        for name, row in self.rows.items():
            words = look.microseconds(at[name])
            gain = at[BF16] / at[name]
            if name != BF16:
                words += ", " + (
                    _("{gain:.3g} times as fast").format(gain=gain)
                    if gain > 1.005
                    else _("no faster")
                )
            row.set_text(words if name in known else "?")
        said = ", ".join(f"{name} {look.microseconds(at[name])}" for name in known)
        return _(
            "B = {B:,} on {chip}, D = {D:,} and F = {F:,}, everything overlapped: {said}. Narrower "
            "weights gain only while reading them is what takes the time."
        ).format(B=B, chip=self.chip, D=self.D, F=self.F, said=said)

    def code(self, settings: dict[str, Any]) -> str:
        lines = "".join(
            f"    {name!r}: lambda B: rl.matmul(B, {self.D}, {self.F}"
            + "".join(f", {key}={value!r}" for key, value in formats.items())
            + "),\n"
            for name, formats in KINDS.items()
        )
        return (
            "import numpy as np\n"
            "import rooflib as rl\n"
            "from rooflib import plots\n\n"
            f"works = {{\n{lines}}}\n"
            f"plots.times(works, {self.chip!r}, np.arange(1, {self.LAST + 1}), at={settings['B']})"
        )
