"""A plot as an answer, without its objects: the Axes as plain data, and Axes drawn from such data.

What `judge_plot` looks at is kept: curves and scattered points, labels, limits, whether there is
a legend, how many texts. A curve of many points is thinned out evenly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

MAX_LINES, MAX_POINTS, MAX_TOTAL, MAX_LABEL, MAX_TEXTS = 20, 2000, 8000, 200, 100
_SCALES = ("linear", "log", "symlog", "logit")


def record(axes: Any) -> dict[str, Any]:
    """The Axes as numbers and text; raises ValueError or TypeError when they hold others."""
    drawn = [
        (line.get_xdata(), line.get_ydata(), line.get_label(), "line")
        for line in axes.get_lines()[:MAX_LINES]
    ]
    drawn += [
        (*np.asarray(found.get_offsets()).T, found.get_label(), "points")
        for found in axes.collections[:MAX_LINES]
        if len(found.get_offsets())
    ]
    drawn = drawn[:MAX_LINES]
    most = min(MAX_POINTS, MAX_TOTAL // max(1, len(drawn)))
    return {
        "lines": [_line(*one, most) for one in drawn],
        "xlabel": _label(axes.get_xlabel()),
        "ylabel": _label(axes.get_ylabel()),
        "xlim": [float(x) for x in axes.get_xlim()],
        "ylim": [float(y) for y in axes.get_ylim()],
        "scales": [str(axes.get_xscale())[:20], str(axes.get_yscale())[:20]],
        "legend": axes.get_legend() is not None,
        "texts": min(len(axes.texts), MAX_TEXTS),
    }


def _line(xs: Any, ys: Any, label: Any, kind: str, most: int) -> dict[str, Any]:
    x, y = np.asarray(xs, dtype=float).ravel(), np.asarray(ys, dtype=float).ravel()
    if x.shape != y.shape:
        x = y = np.empty(0)
    good = np.isfinite(x) & np.isfinite(y)
    x, y = x[good], y[good]
    if len(x) > most:
        order = np.argsort(x, kind="stable")  # so that both ends stay
        kept = order[np.linspace(0, len(x) - 1, most).astype(int)]
        x, y = x[kept], y[kept]
    return {"kind": kind, "label": _label(label), "x": _short(x), "y": _short(y)}


def _short(values: Any) -> list[float]:
    """Nine digits: far finer than any tolerance, and half as long to send."""
    return [float(f"{value:.9g}") for value in values.tolist()]


def _label(value: Any) -> str:
    return str(value)[:MAX_LABEL]


def valid(data: object) -> bool:
    """Whether this is such a record, of a bearable size; it may come from anybody."""
    if type(data) is not dict or data.keys() != {
        "lines", "xlabel", "ylabel", "xlim", "ylim", "scales", "legend", "texts",
    }:  # fmt: skip
        return False
    lines = data["lines"]
    return (
        all(_is_label(data[name]) for name in ("xlabel", "ylabel"))
        and all(_are_numbers(data[name], 2) and len(data[name]) == 2 for name in ("xlim", "ylim"))
        and type(data["scales"]) is list
        and all(map(_is_label, data["scales"]))
        and len(data["scales"]) == 2
        and type(data["legend"]) is bool
        and type(data["texts"]) is int
        and 0 <= data["texts"] <= MAX_TEXTS
        and type(lines) is list
        and len(lines) <= MAX_LINES
        and all(map(_is_line, lines))
    )


def _is_line(data: object) -> bool:
    return (
        type(data) is dict
        and data.keys() == {"kind", "label", "x", "y"}
        and data["kind"] in ("line", "points")
        and _is_label(data["label"])
        and _are_numbers(data["x"], MAX_POINTS)
        and _are_numbers(data["y"], MAX_POINTS)
        and len(data["x"]) == len(data["y"])
    )


def _is_label(value: object) -> bool:
    return type(value) is str and len(value) <= MAX_LABEL


def _are_numbers(value: object, most: int) -> bool:
    return (
        type(value) is list
        and len(value) <= most
        and all(type(x) in (int, float) and abs(x) < 1e300 for x in value)
    )


def redraw(data: Mapping[str, Any]) -> Any:
    """Axes on which `judge_plot` sees what it would have seen on the student's own."""
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    for line in data["lines"]:
        if line["kind"] == "line":
            axes.plot(line["x"], line["y"], label=line["label"])
        else:
            axes.scatter(line["x"], line["y"], label=line["label"])
    axes.set_xlabel(data["xlabel"])
    axes.set_ylabel(data["ylabel"])
    if min(data["xlim"]) > 0 and data["scales"][0] in _SCALES[:2]:
        axes.set_xscale(data["scales"][0])
    if min(data["ylim"]) > 0 and data["scales"][1] in _SCALES[:2]:
        axes.set_yscale(data["scales"][1])
    if data["xlim"][0] != data["xlim"][1]:
        axes.set_xlim(*data["xlim"])
    if data["ylim"][0] != data["ylim"][1]:
        axes.set_ylim(*data["ylim"])
    if data["legend"]:
        axes.legend([], [])
    for _text in range(data["texts"]):
        axes.text(0, 0, "-")
    return axes
