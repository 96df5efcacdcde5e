"""A plot judged by its data gets the verdict that it would get itself."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

from rooflib.classroom.confined import plotdata
from rooflib.practice import problems
from rooflib.practice.judge_plot import judge_plot

PART = next(q for q in problems.book("3").questions if q.id == "3c").parts[0]
BATCHES = np.arange(1, 512)


def curve(B, D, F):
    return np.minimum(1.97e14, 2 * B * D * F / ((2 * B * D + D * F + 2 * B * F) / 8.2e11))


def drawn(of=curve, x=BATCHES, sizes=(4096, 1024), scale=1.0, xlabel="batch size (tokens)",
          ylabel="throughput (FLOP/s)", legend=True, scatter=False):  # fmt: skip
    axes = Figure().subplots()
    for size in sizes:
        y = np.array([of(b, size, size) for b in x]) / scale
        (axes.scatter if scatter else axes.plot)(x, y, label=f"D = F = {size}")
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    if legend and sizes:
        axes.legend()
    return axes


def changed(change, **options):
    axes = drawn(**options)
    change(axes)
    return axes


def with_gaps():
    axes = drawn()
    line = axes.get_lines()[0]
    line.set_ydata(np.where(BATCHES % 7 == 0, np.nan, line.get_ydata()))
    return axes


PLOTS = {
    "right": drawn,
    "in TFLOP/s": lambda: drawn(scale=1e12, ylabel="throughput [TFLOP/s]"),
    "another unit than it says": lambda: drawn(scale=1e12),
    "scattered": lambda: drawn(scatter=True),
    "backwards": lambda: drawn(x=BATCHES[::-1]),
    "gaps": with_gaps,
    "dense": lambda: drawn(x=np.linspace(1, 511, 20_000)),
    "shuffled and dense": lambda: drawn(x=np.random.default_rng(1).permutation(np.linspace(1, 511, 20_000))),
    "many lines": lambda: changed(lambda a: [a.plot([0, 500], [n, n]) for n in range(50)]),
    "log": lambda: changed(lambda a: (a.set_xscale("log"), a.set_yscale("log"))),
    "no x label": lambda: drawn(xlabel=""),
    "another x label": lambda: drawn(xlabel="intensity"),
    "no y label": lambda: drawn(ylabel=""),
    "no unit": lambda: drawn(ylabel="speed"),
    "no legend": lambda: drawn(legend=False),
    "words for a legend": lambda: changed(lambda a: (a.text(1, 1, "a"), a.text(2, 2, "b")), legend=False),
    "cut": lambda: changed(lambda a: a.set_ylim(0, 1e14)),
    "narrow view": lambda: changed(lambda a: a.set_xlim(1, 100)),
    "turned around": lambda: changed(lambda a: a.set_xlim(511, 1)),
    "short": lambda: drawn(x=np.arange(1, 100)),
    "one alone": lambda: drawn(sizes=(4096,)),
    "empty": lambda: drawn(sizes=()),
    "a point": lambda: changed(lambda a: a.plot([1], [1]), sizes=()),
    "several defects": lambda: drawn(xlabel="", ylabel="", legend=False),
    "dollars": lambda: drawn(xlabel="batch size $B$", ylabel=r"FLOP/s $\frac{"),
    **{wrong.key: lambda wrong=wrong: drawn(of=lambda b, D, F: wrong.value[f"D, F = {D}, {F}"](b))
       for wrong in PART.wrongs if "" not in wrong.value},
}  # fmt: skip


@pytest.mark.parametrize("name", PLOTS)
def test_the_data_are_judged_as_the_plot_is(name):
    axes = PLOTS[name]()
    text = json.dumps(plotdata.record(axes), allow_nan=False)
    assert len(text) < 250_000
    data = json.loads(text)
    assert plotdata.valid(data)
    ours, theirs = judge_plot(PART, plotdata.redraw(data)), judge_plot(PART, axes)
    assert (ours.outcome, ours.score, ours.key) == (theirs.outcome, theirs.score, theirs.key)
    assert ours.message == theirs.message


def test_points_that_are_no_numbers_are_refused():
    axes = Figure().subplots()
    axes.plot(["a", "b"], [1, 2])
    with pytest.raises((ValueError, TypeError)):
        plotdata.record(axes)


GOOD = plotdata.record(drawn(x=BATCHES[:3]))
LINE = GOOD["lines"][0]


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {**GOOD, "more": 1},
        {**GOOD, "xlabel": 3},
        {**GOOD, "xlabel": "x" * 10_000},
        {**GOOD, "xlim": [1]},
        {**GOOD, "xlim": [1, "a"]},
        {**GOOD, "ylim": [float("nan"), 1]},
        {**GOOD, "ylim": [10**400, 1]},
        {**GOOD, "scales": ["log"]},
        {**GOOD, "legend": 1},
        {**GOOD, "texts": 10**9},
        {**GOOD, "texts": -1},
        {**GOOD, "lines": [LINE] * 100},
        {**GOOD, "lines": [{**LINE, "x": [1]}]},
        {**GOOD, "lines": [{**LINE, "kind": "file"}]},
        {**GOOD, "lines": [{**LINE, "x": [True, 1, 2]}]},
        {**GOOD, "lines": [{**LINE, "x": [1] * 9999, "y": [1] * 9999}]},
    ],
)
def test_what_is_no_plot_is_turned_away(data):
    assert plotdata.valid(GOOD)
    assert not plotdata.valid(data)
