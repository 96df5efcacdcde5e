"""The pictures for people outside the notebooks: Axes in, Axes out, and the model's numbers."""

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from picture import faults

import rooflib as rl
from rooflib import plots
from rooflib.plots import look
from rooflib.plots.resistances import budget
from rooflib.shard import shard


def matmul(B):
    return rl.matmul(B, 8192, 8192)


PICTURES = {
    "clock": lambda **ax: plots.clock(matmul(240), "TPU v5e", **ax),
    "roofline": lambda **ax: plots.roofline("TPU v5e", {"a dot product": 0.5}, **ax),
    "zones": lambda **ax: plots.roofline("H200", before="H100", zones=True, **ax),
    "resistances": lambda **ax: plots.resistances(matmul(240), "TPU v5e", **ax),
    "throughput": lambda **ax: plots.throughput(
        matmul, "TPU v5e", np.arange(1, 512), at=240, rule=240, **ax
    ),
    "times": lambda **ax: plots.times(
        {"bf16": matmul, "int8 weights": lambda B: rl.matmul(B, 8192, 8192, w="int8")},
        "TPU v5e",
        np.arange(1, 513),
        at=64,
        **ax,
    ),
    "race": lambda **ax: plots.race(matmul(1024), shard(matmul(1024), "D"), "TPU v5e", **ax),
    "tiles": lambda **ax: plots.tiles(rl.matmul(4096, 4096, 4096), 512, 128, 1024, **ax),
    "tiled": lambda **ax: plots.resistances(
        rl.tile(rl.matmul(4096, 4096, 4096), 256, 128, 256), "TPU v5e", until=4, **ax
    ),
    "bounds": lambda **ax: plots.bounds(matmul, "TPU v5e", np.arange(1, 1025), **ax),
}
every = pytest.mark.parametrize("name", PICTURES)


@pytest.fixture
def ax():
    return Figure().add_subplot()


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def words(ax):
    return [text.get_text() for text in ax.texts if text.get_visible()]


@every
def test_axes_in_axes_out(name, ax):
    assert PICTURES[name](ax=ax) is ax
    assert ax.has_data()
    assert plt.get_fignums() == []  # and no figure of pyplot's


@every
def test_without_axes_one_figure_of_pyplots(name):
    drawn = PICTURES[name]()
    assert plt.get_fignums() == [drawn.figure.number]


@every
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_it_saves_as(name, kind, tmp_path):
    target = tmp_path / f"picture.{kind}"
    PICTURES[name]().figure.savefig(target)
    assert target.stat().st_size > 2000


@every
def test_no_words_are_cut_off_or_on_top_of_each_other(name):
    assert faults(PICTURES[name]().figure) == []


def test_the_clock_of_the_chapter(ax):
    plots.clock(matmul(240), rl.chip("TPU v5e"), ax=ax)
    assert {"173.3 µs", "163.5 µs", "336.8 µs", "end to end"} <= set(words(ax))


def test_the_clock_takes_any_work_chip_and_link(ax):
    plots.clock(rl.dot(10**9), "H100", ax=ax)
    times = rl.estimate(rl.dot(10**9), "H100")
    assert look.microseconds(times.comms["hbm"]) in words(ax)
    assert ax.get_xlim()[1] > times.upper * 1e6


def test_bounds_say_the_factor(ax):
    plots.bounds(matmul, "TPU v5e", np.arange(1, 1025), at=1, ax=ax)
    assert "×1.004 at 1" in words(ax)
    lower, upper = (line.get_ydata() for line in ax.lines[:2])
    times = rl.estimate(matmul(np.arange(1, 1025)), "TPU v5e")
    assert lower == pytest.approx(times.lower * 1e6)
    assert upper == pytest.approx(times.upper * 1e6)


@pytest.mark.parametrize(
    "seconds, says",
    [
        (6.8e-7, "0.68 µs"),
        (1.636e-4, "163.6 µs"),
        (1.1681e-3, "1,168.1 µs"),
        (4.88e-3, "4,880.0 µs"),
        (0.039, "39,000 µs"),
    ],
)
def test_times_as_labels(seconds, says):
    assert look.microseconds(seconds) == says


def test_the_style_is_there_for_everybody():
    with plt.style.context("rooflib.style"):
        assert plt.rcParams["axes.spines.top"] is False


def test_a_picture_leaves_the_readers_settings_alone():
    before = dict(plt.rcParams)
    PICTURES["clock"]()
    assert dict(plt.rcParams) == before


def test_the_package_itself_loads_no_matplotlib_or_ipywidgets():
    program = (
        "import sys, rooflib; print([m for m in ('matplotlib', 'ipywidgets') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout.strip() == "[]"


def test_slope_words_run_along_the_roof(ax):
    plots.roofline("TPU v5e", ax=ax)
    words = next(text for text in ax.texts + ax.artists if isinstance(text, look.Along))
    xy = ax.transData.transform([(1, 8.2e11), (10, 8.2e12)])
    slope = np.degrees(np.arctan2(xy[1, 1] - xy[0, 1], xy[1, 0] - xy[0, 0]))
    assert words.get_rotation() == pytest.approx(slope)
    ax.figure.set_size_inches(12, 3)
    assert words.get_rotation() < slope - 5


def test_a_work_stands_at_what_it_attains_on_its_own_unit(ax):
    plots.roofline("TPU v5e", {"dot": rl.dot(10**9)}, ax=ax)
    dot = [line for line in ax.lines if line.get_marker() == "o"][-1]
    times = rl.estimate(rl.dot(10**9), "TPU v5e")
    assert (dot.get_xdata()[0], dot.get_ydata()[0]) == pytest.approx(
        (0.5, times.attained), rel=1e-3
    )


def test_zones_need_two_roofs():
    with pytest.raises(ValueError, match="before="):
        plots.roofline("TPU v5e", zones=True)


def test_resistances_add_up_to_one_over_the_intensity(ax):
    work = rl.matmul(100, 3000, 5000, w="int4")
    plots.resistances(work, "H100", ax=ax)
    what = budget(work, "H100")
    assert what.total == pytest.approx(1 / work.intensity("hbm"))
    assert 1 / what.limit == pytest.approx(rl.chip("H100").ridge())
    assert what.share == pytest.approx(rl.estimate(work, "H100").utilisation)


def test_resistances_want_one_operation(ax):
    with pytest.raises(ValueError, match="one operation"):
        plots.resistances(matmul(1) + matmul(2), "H100", ax=ax)
