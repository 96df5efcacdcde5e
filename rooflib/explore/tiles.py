"""A matmul in tiles, to be dragged: what is read again, and what a larger tile saves."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from rooflib import chip as as_chip
from rooflib import matmul
from rooflib.explore.canvas import Canvas
from rooflib.explore.controls import Control
from rooflib.explore.explorer import Explorer
from rooflib.explore.scene import SIZES, Question
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.plots import look
from rooflib.plots.resistances import Budget, Resistances, budget
from rooflib.plots.tiles import TilesView
from rooflib.tile import tile, tile_bytes
from rooflib.units import plain, si


def tiles(
    *, side: int = 4096, chip: str = "TPU v5e", size: str = "page", ask: bool = True
) -> Explorer:
    """Lesson 4b's picture: a square bf16 matmul in tiles, and what each operand costs.

    Sliders: bm, bn and bk, the sides of the tiles. The costs add up as in `resistances`:
    1/bm + 1/bn + 1/k against one over the ridge.
    """
    return Explorer(TilesScene(side, as_chip(chip).name, size), ask=ask)


class TilesScene:
    START = {"bm": 256, "bn": 256, "bk": 512}  # noqa: RUF012

    def __init__(self, side: int, chip: str, size: str) -> None:
        self.side, self.chip = side, chip
        self.work = matmul(side, side, side)
        self.title = _("A matmul in tiles, and what each operand costs")
        first = self.model(self.START)
        with look.style():
            scale = SIZES[pick(_("size"), size, list(SIZES))]
            figure = Figure(figsize=(7.2, 3.9), dpi=100 * scale)
            self.view = TilesView(figure.add_axes((0.0, 0.01, 0.53, 0.98)), side, side, side)
            right = figure.add_axes((0.645, 0.13, 0.325, 0.86))
            self.bars = Resistances(right, first, until=4)
            self.mark = look.Mark(right, top=0.875, unit=first.total)
        self.canvas = Canvas(figure, [*self.view.artists, *self.bars.artists, *self.mark.artists])
        steps = tuple(128 * i for i in (1, 2, 3, 4, 6, 8, 12, 16))
        self.controls: tuple[Control, ...] = (
            Control("bm", _("bm, rows of X"), steps, 256, words=str),
            Control("bn", _("bn, columns of Y"), steps, 256, words=str),
            Control("bk", _("bk, contracted"), (*steps, 4096), 512, words=str),
        )
        self.questions: tuple[Question, ...] = (
            self._question(
                _(
                    "Tiles of 256 × 256 cost 1/{cost} bytes per FLOP together, more than the "
                    "budget. Both sides double to 512. Where will the sum end? Mark it."
                ),
                _("The traffic halves: each band is read half as often."),
                {"bm": 512, "bn": 512, "bk": 512},
            ),
            self._question(
                _(
                    "Back to 256 × 256, at 1/{cost}. Now bk doubles from 512 to 1024. Where will "
                    "the sum end? Mark it."
                ),
                _("bk drops out: it cuts the same reading into fewer pieces."),
                {"bm": 256, "bn": 256, "bk": 1024},
            ),
        )

    def _question(self, ask: str, why: str, reveal: dict[str, Any]) -> Question:
        first, truth = self.model(self.START), self.model(reveal)
        return Question(
            ask=ask.format(cost=plain(1 / first.total)),
            label=_("times as much"),
            values=tuple(i / 20 for i in range(2, 41)),
            start=1.5,
            pin=self.mark,
            words="×{:.2f}".format,
            reply=lambda marked: _("You marked ×{marked:.2f}; it is ×{truth:.2f}. {why}").format(
                marked=marked, truth=truth.total / first.total, why=why
            ),
            reveal=reveal,
        )

    def model(self, s: dict[str, Any]) -> Budget:
        return budget(tile(self.work, s["bm"], s["bk"], s["bn"]), self.chip)

    def show(self, settings: dict[str, Any], answered: int) -> str:
        s, what = settings, self.model(settings)
        self.view.show(s["bm"], s["bk"], s["bn"])
        self.bars.show(what)
        costs = ", ".join(
            f"{name} 1/{plain(1 / cost)}" for name, cost in zip(what.names, what.costs, strict=True)
        )
        return _(
            "Tiles of {bm} × {bn} on {chip}: {costs}; together 1/{total} bytes per FLOP against a "
            "budget of 1/{ridge}, {share:.3g}% of the peak. With bk = {bk}, a step needs {needs} "
            "on the chip."
        ).format(
            **s,
            chip=self.chip,
            costs=costs,
            total=plain(1 / what.total),
            ridge=plain(1 / what.limit),
            share=100 * what.share,
            needs=si(float(tile_bytes(self.work, s["bm"], s["bk"], s["bn"])), "B"),
        )

    def code(self, settings: dict[str, Any]) -> str:
        s = settings
        sides = f"{s['bm']}, {s['bk']}, {s['bn']}"
        return (
            "import matplotlib.pyplot as plt\n"
            "import rooflib as rl\n"
            "from rooflib import plots\n\n"
            f"mm = rl.matmul({self.side}, {self.side}, {self.side})\n"
            'with plt.style.context("rooflib.style"):\n'
            "    sides = {'figsize': (7.2, 3.9), 'layout': 'constrained'}\n"
            "    figure, (left, right) = plt.subplots(1, 2, **sides)\n"
            f"plots.tiles(mm, {sides}, ax=left)\n"
            f"plots.resistances(rl.tile(mm, {sides}), {self.chip!r}, until=4, ax=right)"
        )
