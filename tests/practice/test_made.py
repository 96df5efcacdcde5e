"""Functions and plots as answers."""

import inspect

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

from rooflib.practice import check, problems
from rooflib.practice.question import FunctionPart

matplotlib.use("agg")

PEAK, BANDWIDTH = 1.97e14, 8.2e11


def throughput(B, D, F):
    math = 2 * B * D * F / PEAK
    comms = (2 * B * D + D * F + 2 * B * F) / BANDWIDTH
    return 2 * B * D * F / np.maximum(math, comms)


def verdict(function):
    return check("3a", throughput=function).parts["throughput"]


def test_right():
    assert verdict(throughput).outcome == "right"
    assert check("3a", throughput).outcome == "right"


def test_the_reference_is_what_rooflib_counts():
    part = problems.book("3").questions[0].parts[0]
    assert isinstance(part, FunctionPart)
    for point in part.points:
        assert part.right(*point) == pytest.approx(throughput(*point), rel=1e-12)


FUNCTION_PART = problems.book("3").questions[0].parts[0]


@pytest.mark.parametrize("wrong", FUNCTION_PART.wrongs, ids=lambda w: w.key)
def test_each_known_slip_has_its_message(wrong):
    found = verdict(wrong.value)
    assert found.outcome == "wrong"
    assert found.key == wrong.key
    assert wrong.ask in found.message


@pytest.mark.parametrize(
    "function, key, says",
    [
        (lambda B, D, F: None, "no number", "Is there a return?"),
        (lambda B, D, F: "fast", "no number", "a str"),
        (lambda B, D, F: np.array([1.0, 2.0]), "no number", "a ndarray"),
        (lambda B, D: B, "raised", "TypeError"),
        (lambda B, D, F: B / 0, "raised", "division by zero"),
        (lambda B, D, F: PEAK * B, "counterexample", "Work this one case out"),
        (lambda B, D, F: 4 * throughput(B, D, F), "counterexample", "a factor of 4"),
        (lambda B, D, F: throughput(B, D, F) / 1000, "counterexample", "a factor of 1000"),
        (lambda B, D, F: throughput(B, D, F) if B < 400 else 0, "counterexample", "(511, "),
        (lambda B, D, F: True, "no number", "a bool"),
        (lambda B, D, F: float("nan"), "counterexample", "nan"),
    ],
)
def test_what_comes_back_is_shown(function, key, says):
    found = verdict(function)
    assert (found.outcome, found.key) == ("wrong", key)
    assert says in found.message


def test_the_smallest_counterexample_is_shown_and_not_the_right_value():
    found = verdict(lambda B, D, F: throughput(B, D, F) if B < 100 else 7.0)
    assert "(120, 4096, 4096) gave 7" in found.message
    right = throughput(120, 4096, 4096)
    assert f"{right:.4g}" not in found.message


def test_a_maximum_over_the_array_is_told_from_one_for_each_element():
    def reduces(B, D, F):
        math, comms = 2 * B * D * F / PEAK, (2 * B * D + D * F + 2 * B * F) / BANDWIDTH
        return 2 * B * D * F / np.max([math, comms])

    def raises(B, D, F):
        math, comms = 2 * B * D * F / PEAK, (2 * B * D + D * F + 2 * B * F) / BANDWIDTH
        return 2 * B * D * F / max(math, comms)

    for function in (reduces, raises):
        found = verdict(function)
        assert (found.outcome, found.key, found.score) == ("partly", "array", 0.5)
        assert "one number, or" in found.message


@pytest.mark.parametrize("answer", [3, "2*B*D*F", int, {}, object()])
def test_something_else_than_a_function(answer):
    found = verdict(answer)
    assert found.outcome == "unreadable"
    assert "throughput(B, D, F)" in found.message


# Plots


def drawn(
    function=throughput,
    sizes=((4096, 4096), (1024, 1024)),
    x=None,
    xlabel="batch size (tokens)",
    ylabel="throughput (FLOP/s)",
    legend=True,
    scale=1.0,
):
    ax = Figure().subplots()
    batches = np.arange(1, 512) if x is None else x
    for D, F in sizes:
        ax.plot(batches, function(batches, D, F) / scale, label=f"D={D}, F={F}")
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    if legend and sizes:
        ax.legend()
    return ax


def plot_verdict(ax):
    return check("3c", plot=ax).parts["plot"]


def test_the_chapter_s_own_plot_is_right():
    found = plot_verdict(drawn(xlabel="batch size", ylabel="peak bfloat16 FLOPs/s on TPU v5e"))
    assert found.outcome == "right", found.message
    assert found.score == 1


def test_a_label_in_tflops_is_taken_at_its_word():
    assert plot_verdict(drawn(scale=1e12, ylabel="throughput [TFLOP/s]")).outcome == "right"
    found = plot_verdict(drawn(scale=1e12))
    assert "scale" in found.key.split(" & ")


def logx():
    ax = drawn()
    ax.set_xscale("log")
    ax.set_yscale("log")
    return ax


def scattered():
    ax = Figure().subplots()
    for D in (4096, 1024):
        ax.scatter(np.arange(1, 512), throughput(np.arange(1, 512), D, D), label=f"D = F = {D}")
    ax.set(xlabel="B", ylabel="FLOPs/s")
    ax.legend()
    return ax


@pytest.mark.parametrize("make", [logx, scattered, lambda: drawn(x=np.linspace(1, 511, 40))])
def test_other_ways_to_draw_it_are_right(make):
    assert plot_verdict(make()).outcome == "right"


def cut():
    ax = drawn()
    ax.set_ylim(0, 1e14)
    return ax


@pytest.mark.parametrize(
    "make, key",
    [
        (lambda: drawn(xlabel=""), "x label"),
        (lambda: drawn(xlabel="intensity"), "x label"),
        (lambda: drawn(ylabel=""), "y label"),
        (lambda: drawn(ylabel="speed"), "y unit"),
        (lambda: drawn(legend=False), "legend"),
        (lambda: drawn(x=np.arange(1, 200)), "range"),
        (cut, "ceiling"),
    ],
)
def test_each_defect_is_named_and_costs_its_share(make, key):
    found = plot_verdict(make())
    assert found.outcome == "partly"
    assert found.key == key
    assert found.score == pytest.approx(0.9)
    assert found.message.strip()


def test_several_defects_are_all_named():
    found = plot_verdict(drawn(xlabel="", ylabel="", legend=False))
    assert found.key == "x label & y label & legend"
    assert len(found.message.splitlines()) == 3
    assert found.score == pytest.approx(0.7)


PLOT_SLIPS = {
    "sum": lambda B, D, F: 2 * B * D * F / (2 * B * D * F / PEAK + moved(B, D, F) / BANDWIDTH),
    "time": lambda B, D, F: np.maximum(2 * B * D * F / PEAK, moved(B, D, F) / BANDWIDTH),
    "no ceiling": lambda B, D, F: 2 * B * D * F / (moved(B, D, F) / BANDWIDTH),
    "ceiling alone": lambda B, D, F: PEAK + 0 * B,
    "weights alone": lambda B, D, F: np.minimum(PEAK, 2 * B * BANDWIDTH),
}


def moved(B, D, F):
    return 2 * B * D + D * F + 2 * B * F


@pytest.mark.parametrize("key", PLOT_SLIPS)
def test_wrong_curves_are_recognised(key):
    found = plot_verdict(drawn(PLOT_SLIPS[key]))
    assert found.outcome == "wrong"
    assert key in found.key.split(" & ")


def test_a_curve_that_is_missing_is_named():
    found = plot_verdict(drawn(sizes=((4096, 4096),)))
    assert "one missing" in found.key
    assert "1024, 1024" in found.message


def test_no_axes_or_empty_ones():
    assert plot_verdict(drawn(sizes=())).key == "empty"
    for other in (3, "plot", [1], Figure()):
        assert plot_verdict(other).outcome == "unreadable"


def test_the_picture_has_the_reader_s_curve_and_no_number():
    found = plot_verdict(drawn())
    assert found.picture.startswith(b"\x89PNG")
    from rooflib.practice import judge_plot

    source = inspect.getsource(judge_plot._picture)
    assert "set_xticks([])" in source
    assert "set_yticks([])" in source


def test_a_notebook_shows_words_and_picture(monkeypatch):
    import IPython.display

    shown = []
    monkeypatch.setattr(IPython.display, "display", lambda data, raw: shown.append(data))
    check("3c", plot=drawn())._ipython_display_()
    assert set(shown[0]) == {"text/plain", "text/html", "text/markdown"}
    assert set(shown[1]) == {"text/plain", "image/png"}
    with pytest.raises(NotImplementedError):
        check("1b", "2BDF")._ipython_display_()


def test_no_figure_is_left_open():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    plot_verdict(drawn())
    assert plt.get_fignums() == before
