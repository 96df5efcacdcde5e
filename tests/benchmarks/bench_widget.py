"""One slider step, to the new PNG in the Image: ours against ipywidgets.interact with pyplot.

    uv run python tests/benchmarks/bench_widget.py

Both draw the same picture with the same pixels, sharp on a HiDPI screen, in the same run, turn and
turn about, so that the ratio holds on any machine. `interact` gets what it does in a notebook: a
fresh pyplot figure each time, shown through the inline backend. Every explorer of the book is then
timed alone.
"""

import asyncio
import statistics
import sys
import time

import matplotlib

matplotlib.use("module://matplotlib_inline.backend_inline")

import ipywidgets as widgets
import matplotlib.pyplot as plt
from IPython.core.interactiveshell import InteractiveShell
from matplotlib_inline.backend_inline import set_matplotlib_formats

import rooflib as rl
from rooflib import explore, plots

STEPS = 40
LIMIT_MS, RATIO = 20.0, 5.0


def interactive() -> widgets.IntSlider:
    """The usual way, with the very same picture."""
    import matplotlib_inline.backend_inline as inline

    @widgets.interact(B=widgets.IntSlider(1, min=1, max=1024))
    def draw(B: int) -> None:
        ax = plt.subplots(figsize=(7.2, 3.3))[1]
        plots.clock(rl.matmul(B, 8192, 8192), "TPU v5e", until=400, ax=ax)
        inline.show(close=True)

    return draw.widget.children[0]


def timed(slider: object, name: str, value: object) -> float:
    start = time.perf_counter()
    setattr(slider, name, value)
    return 1e3 * (time.perf_counter() - start)


async def side_by_side() -> tuple[list[float], list[float]]:
    ours, theirs = explore.clock(ask=False), interactive()
    slider = ours.sliders["B"]
    times: tuple[list[float], list[float]] = ([], [])
    for i in range(1, STEPS + 1):
        index = (i * 7) % len(slider.options)
        before = ours.image.value
        times[0].append(timed(slider, "index", index))
        assert ours.image.value != before
        times[1].append(timed(theirs, "value", slider.value))
    return times


async def alone(make: object) -> list[float]:
    explorer = make(ask=False)
    slider = next(iter(explorer.sliders.values()))
    return [timed(slider, "index", (i * 7) % len(slider.options)) for i in range(1, STEPS + 1)]


def main() -> int:
    # A shell of IPython's knows how to make a PNG of a figure, as in a notebook; where the
    # PNG goes afterwards is not timed.
    shell = InteractiveShell.instance()
    set_matplotlib_formats("retina")
    shown = []
    shell.display_pub.publish = lambda data, *args, **kwargs: shown.append("image/png" in data)
    ours, theirs = asyncio.run(side_by_side())
    assert sum(shown) >= STEPS  # interact did draw each time
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"explore.clock      {a:7.1f} ms median (want under {LIMIT_MS:g} on the build machine)")
    print(f"interact + pyplot  {b:7.1f} ms median")
    print(f"ratio              {b / a:7.1f}    (want at least {RATIO:g})")
    for name in explore.__all__:
        if name not in ("Explorer", "predict"):
            times = asyncio.run(alone(getattr(explore, name)))
            print(f"explore.{name:<10} {statistics.median(times):7.1f} ms median")
    return 0 if b / a >= RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
