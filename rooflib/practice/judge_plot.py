"""Judge a plot: its curves, scales, labels and ceiling, each defect named by itself."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rooflib.i18n import _
from rooflib.practice.question import PlotPart
from rooflib.practice.verdict import PARTLY, RIGHT, UNREADABLE, WRONG, Verdict

# What a label may say that the axis counts in.
_SCALES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
Curve = Callable[[float], float]


@dataclass(frozen=True)
class Line:
    """A curve as drawn: its points in order of x, and the label it carries."""

    x: Any
    y: Any
    label: str


@dataclass(frozen=True)
class Defect:
    key: str
    says: str


def judge_plot(part: PlotPart, axes: Any) -> Verdict:
    """The verdict on an Axes; what is good and what is not are both worth their share."""
    if not is_axes(axes):
        why = _("A plot is asked here: hand over its Axes, for instance {example}.")
        text = why.format(example="fig, ax = plt.subplots(); …; ax")
        return Verdict(UNREADABLE, text, name=part.name)
    lines = _lines(axes)
    if not lines:
        text = _("These Axes are empty. Did you draw on others, or show the figure before?")
        return Verdict(WRONG, text, name=part.name, key="empty")
    aspects = {
        "curves": _curves(part, lines, _scale(axes.get_ylabel())),
        "range": _range(part, lines, axes),
        "ceiling": _ceiling(part, axes, _scale(axes.get_ylabel())),
        "x label": _xlabel(part, axes.get_xlabel()),
        "y label": _ylabel(part, axes.get_ylabel()),
        "legend": _legend(part, axes, lines),
    }
    defects = [defect for defect in aspects.values() if defect is not None]
    picture = functools.partial(_picture, part, axes.get_ylabel(), lines)
    if not defects:
        return Verdict(RIGHT, part.why, 1.0, name=part.name, key="right", draws=picture)
    # The curves are the point of it: half of the score.
    weights = {name: 0.5 if name == "curves" else 0.1 for name in aspects}
    score = sum(w for name, w in weights.items() if aspects[name] is None)
    keys = " & ".join(defect.key for defect in defects)
    text = "\n".join(defect.says for defect in defects)
    outcome = PARTLY if aspects["curves"] is None else WRONG
    score = round(score, 3) if outcome == PARTLY else 0.0
    return Verdict(outcome, text, score, name=part.name, key=keys, draws=picture)


def is_axes(value: object) -> bool:
    return type(value).__module__.split(".")[0] in ("matplotlib", "mpl_toolkits") and hasattr(
        value, "get_lines"
    )


def _lines(axes: Any) -> list[Line]:
    """The drawn curves: lines and scattered points of more than three different x."""
    found = [(line.get_xdata(), line.get_ydata(), line.get_label()) for line in axes.get_lines()]
    found += [(*c.get_offsets().T, c.get_label()) for c in axes.collections if len(c.get_offsets())]
    lines = []
    for xs, ys, label in found:
        x, y = np.asarray(xs, dtype=float), np.asarray(ys, dtype=float)
        good = np.isfinite(x) & np.isfinite(y) if x.shape == y.shape else np.zeros(0, bool)
        if good.size and len(np.unique(x[good])) > 3:
            order = np.argsort(x[good])
            lines.append(Line(x[good][order], y[good][order], str(label)))
    return lines


def _scale(label: str) -> float:
    """FLOP/s per unit of the axis: a label in TFLOP/s counts in 1e12."""
    found = re.search(r"([kMGTP]?)(?:FL)?OPs?\s*/\s*s", label)
    return _SCALES[found[1]] if found else 1.0


def _matches(line: Line, curve: Curve, scale: float, tolerance: float) -> bool:
    right = np.array([curve(x) for x in line.x]) / scale
    return bool(np.all(np.abs(line.y - right) <= tolerance * np.abs(right)))


def _curves(part: PlotPart, lines: Sequence[Line], scale: float) -> Defect | None:
    tolerance = float(part.tolerance)
    missing = [
        label
        for label, curve in part.curves.items()
        if not any(_matches(line, curve, scale, tolerance) for line in lines)
    ]
    if not missing:
        return None
    for wrong in part.wrongs:
        curves = list(wrong.value.values())
        if all(any(_matches(line, c, scale, tolerance / 2) for line in lines) for c in curves):
            text = _("That is right for {what}. {ask}")
            return Defect(wrong.key, text.format(what=wrong.right_for, ask=wrong.ask))
    for power in (1e3, 1e6, 1e9, 1e12):
        for factor in (power, 1 / power):
            if all(
                any(_matches(line, c, scale * factor, tolerance) for line in lines)
                for c in part.curves.values()
            ):
                text = _(
                    "The curves have the right shape. In which unit are they, and which one does "
                    "the label say?"
                )
                return Defect("scale", text)
    if len(missing) < len(part.curves):
        text = _("One curve is as it should be; the one for {label} is not there.")
        return Defect("one missing", text.format(label=", ".join(missing)))
    text = _(
        "The curves are not those of the question. What comes out at the left end, and where does "
        "it stop rising? Work out one point by hand."
    )
    return Defect("curves", text)


def _range(part: PlotPart, lines: Sequence[Line], axes: Any) -> Defect | None:
    low, high = part.x
    view = sorted(axes.get_xlim())
    reach_low = max(min(line.x.min() for line in lines), view[0])
    reach_high = min(max(line.x.max() for line in lines), view[1])
    if reach_low <= low * 1.5 + 1 and reach_high >= 0.98 * high:
        return None
    text = _(
        "The question asks for {low:g} to {high:g} along the bottom; this shows {a:g} to {b:g}."
    )
    return Defect("range", text.format(low=low, high=high, a=reach_low, b=reach_high))


def _ceiling(part: PlotPart, axes: Any, scale: float) -> Defect | None:
    """The roof must be in view: not cut off by the axis."""
    bottom, top = sorted(axes.get_ylim())
    if bottom <= part.ceiling / scale <= top * 1.0001:
        return None
    return Defect("ceiling", _("The ceiling is out of sight. How high can the chip go, at best?"))


def _said(words: Sequence[str], label: str) -> bool:
    return any(re.search(rf"\b{re.escape(word)}\b", label, re.IGNORECASE) for word in words)


def _xlabel(part: PlotPart, label: str) -> Defect | None:
    if not label.strip():
        return Defect("x label", _("The axis along the bottom has no label. What does it count?"))
    if not _said(part.xlabel, label):
        return Defect(
            "x label", _("Does the label along the bottom say what it counts, and in what?")
        )
    return None


def _ylabel(part: PlotPart, label: str) -> Defect | None:
    if not label.strip():
        return Defect("y label", _("The axis on the left has no label. What does it measure?"))
    if not any(unit.lower() in label.lower().replace(" ", "") for unit in part.units):
        return Defect(
            "y unit",
            _("The label on the left should carry its unit. Is it a count, a rate, or a time?"),
        )
    return None


def _legend(part: PlotPart, axes: Any, lines: Sequence[Line]) -> Defect | None:
    named = [line for line in lines if line.label and not line.label.startswith("_")]
    told = axes.get_legend() is not None or len(axes.texts) >= len(part.curves)
    if len(part.curves) < 2 or (told and (len(named) >= 2 or axes.texts)):
        return None
    return Defect("legend", _("Which curve is which? A legend or a word beside each would say so."))


def _picture(part: PlotPart, ylabel: str, lines: Sequence[Line]) -> bytes:
    """The reader's curves over the shape that was asked for: grey, and without a number."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3), dpi=80)
    drawn = figure.subplots()
    x = np.linspace(*part.x, 200)
    for curve in part.curves.values():
        drawn.plot(x, [curve(v) for v in x], color="0.75", linewidth=6, solid_capstyle="round")
    scale = _scale(ylabel)
    for line, style in zip(lines, "-" * len(lines), strict=True):
        drawn.plot(line.x, line.y * scale, style, color="black", linewidth=1.2)
    drawn.set_xticks([])
    drawn.set_yticks([])
    drawn.set_xlim(*part.x)
    drawn.set_ylim(0, 1.15 * part.ceiling)
    drawn.set_title(_("yours in black, over the shape that is asked for in grey"), fontsize=9)
    out = io.BytesIO()
    FigureCanvasAgg(figure).print_png(out)
    return out.getvalue()
