"""Three resistances against the budget, and what they leave of the peak, to be dragged."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rooflib import chip as as_chip
from rooflib import critical, matmul
from rooflib.explore.canvas import Canvas
from rooflib.explore.controls import Control, whole_steps
from rooflib.explore.explorer import Explorer
from rooflib.explore.scene import SIZES, Question
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.plots import look
from rooflib.plots.resistances import Budget, Curve, Resistances, Throughput, budget, curve
from rooflib.units import dtype, plain


def resistances(*, chip: str = "TPU v5e", size: str = "page", ask: bool = True) -> Explorer:
    """Lesson 3's first picture: 1/B + 1/D + 1/F against one over the ridge.

    Left, what each operand costs in bytes per FLOP; right, the share of the peak against B.
    Sliders: B, D, F; menu: the number format of the weights.
    """
    return Explorer(ResistancesScene(as_chip(chip).name, size), ask=ask)


class ResistancesScene:
    def __init__(self, chip: str, size: str) -> None:
        self.chip, self.ridge = chip, as_chip(chip).ridge()
        self._kept: dict[tuple[int, int, str], tuple[Curve, float]] = {}
        self.title = _("What each operand costs against the budget, and the share of the peak")
        with look.style():
            scale = SIZES[pick(_("size"), size, list(SIZES))]
            figure = Figure(figsize=(7.2, 3.4), dpi=100 * scale)
            left = figure.add_axes((0.112, 0.15, 0.425, 0.84))
            right = figure.add_axes((0.605, 0.15, 0.37, 0.77))
            # Far enough to see the curve flatten: past twice the rule on most chips.
            self.batches = np.arange(1, 512 if self.ridge < 256 else 1024)
            start = budget(matmul(1, 8192, 8192), chip)
            self.bars = Resistances(left, start)
            self.curve = Throughput(right, self.batches, xlabel=_("B, rows of X"))
            self.level = look.Level(right)
        self.canvas = Canvas(figure, [*self.bars.artists, *self.curve.artists, *self.level.artists])
        sizes = whole_steps(128, 32_768, per_octave=4, also=(480, 8000))
        rules = [round(self.ridge), round(self.ridge / 2)]
        batches = whole_steps(1, int(self.batches[-1]), per_octave=8, also=(*rules, 256))
        formats = tuple(f for f in ("bf16", "int8", "int4"))
        self.controls: tuple[Control, ...] = (
            Control("B", _("B, rows of X"), batches, rules[0]),
            Control("D", _("D, contracted"), sizes, 8192),
            Control("F", _("F, columns of Y"), sizes, 8192),
            Control("w", _("weights Y in"), formats, "bf16", menu=True),
        )
        self.questions: tuple[Question, ...] = (
            self._question(
                _(
                    "B = {B} and D = F = 8192 attain {share:.0%} of the peak. Keep B and shrink D "
                    "and F to 1024. What share of the peak is left? Move your mark there."
                ),
                {"B": round(self.ridge), "D": 8192, "F": 8192, "w": "bf16"},
                {"B": round(self.ridge), "D": 1024, "F": 1024, "w": "bf16"},
            ),
            self._question(
                _(
                    "Now the weights are int8 and D = F = 4096, and the rule says B = {B}. What "
                    "share of the peak does it attain? Move your mark there."
                ),
                {"B": round(self.ridge), "D": 8192, "F": 8192, "w": "bf16"},
                {"B": round(self.ridge / 2), "D": 4096, "F": 4096, "w": "int8"},
            ),
        )

    def _question(self, ask: str, before: dict[str, Any], after: dict[str, Any]) -> Question:
        truth = self.model(after).share
        return Question(
            ask=ask.format(B=after["B"], share=self.model(before).share),
            label=_("share of the peak"),
            values=tuple(i / 50 for i in range(51)),
            start=0.5,
            pin=self.level,
            words="{:.0%}".format,
            reply=lambda marked: _(
                "You marked {marked:.0%}; it is {truth:.0%}. The rule counts one resistance of "
                "three."
            ).format(marked=marked, truth=truth),
            reveal=after,
        )

    def model(self, settings: dict[str, Any]) -> Budget:
        s = settings
        return budget(matmul(s["B"], s["D"], s["F"], w=s["w"]), self.chip)

    def rule(self, settings: dict[str, Any]) -> float:
        """The critical batch when only the weights count."""
        return self.ridge * dtype(settings["w"]).bits / 16

    def show(self, settings: dict[str, Any], answered: int) -> str:
        s, what = settings, self.model(settings)
        self.bars.show(what)

        whole, needed = self._against_batch(s["D"], s["F"], s["w"])
        self.curve.show(whole, s["B"], rule=self.rule(s), known=answered > 0)
        return self.say(s, what, needed)

    def _against_batch(self, D: int, F: int, w: str) -> tuple[Curve, float]:
        """The curve and the critical batch; kept, since only D, F and w change them."""

        def fn(B: Any) -> Any:
            return matmul(B, D, F, w=w)

        if (D, F, w) not in self._kept:
            self._kept = {(D, F, w): (curve(fn, self.chip, self.batches), critical(fn, self.chip))}
        return self._kept[D, F, w]

    def say(self, s: dict[str, Any], what: Budget, needed: float) -> str:
        costs = ", ".join(
            f"{name} 1/{plain(1 / cost)}" for name, cost in zip(what.names, what.costs, strict=True)
        )
        said = _(
            "B = {B:,}, D = {D:,}, F = {F:,}, weights in {w}: {costs}; together 1/{intensity} "
            "bytes per FLOP against a budget of 1/{ridge}. So it attains {share:.3g}% of the peak. "
        ).format(
            **s,
            costs=costs,
            intensity=plain(1 / what.total),
            ridge=plain(1 / what.limit),
            share=100 * what.share,
        )
        if needed == float("inf"):
            return said + _(
                "X and Z alone use up the budget: however large B is, it is never compute-bound."
            )
        return said + _("Compute-bound from B = {B} on; the rule said {rule}.").format(
            B=plain(needed), rule=plain(self.rule(s))
        )

    def code(self, settings: dict[str, Any]) -> str:
        s = settings
        return (
            "import numpy as np\n"
            "import matplotlib.pyplot as plt\n"
            "import rooflib as rl\n"
            "from rooflib import plots\n\n"
            f"fn = lambda B: rl.matmul(B, {s['D']}, {s['F']}, w={s['w']!r})\n"
            'with plt.style.context("rooflib.style"):\n'
            "    sides = {'figsize': (7.2, 3.4), 'layout': 'constrained'}\n"
            "    figure, (left, right) = plt.subplots(1, 2, **sides)\n"
            f"plots.resistances(fn({s['B']}), {self.chip!r}, ax=left)\n"
            f"sizes = np.arange(1, {len(self.batches) + 1})\n"
            f"rule = {self.rule(s):g}\n"
            f"plots.throughput(fn, {self.chip!r}, sizes, at={s['B']}, rule=rule, ax=right)"
        )
