"""How a slider feels: its key pressed 40 times in a real JupyterLab, for every explorer.

    uv run python tests/benchmarks/bench_page.py [--every 80] [explorer ...]

The browser itself says when a key went down and when it painted each picture (Element Timing);
from the last key to the last picture is the lag that a reader sees. A screencast cannot tell it:
Chromium's recorder holds a last picture back for a quarter of a second at times, long after it is
on the screen. Wanted are 36 pictures of 40 keys at 80 ms, a lag under 150 ms, no move of what is
below the picture, no dialog and no error. Last, in the same way, ipywidgets.interact with pyplot
draws the picture of explore.clock.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import nbformat.v4 as nb
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rooflib import explore
from tests.browser.lab import FLAGS, NotebookPage, Server, find_browser

_SHOW = """from rooflib import explore

explore.{name}(ask=False)"""
_INTERACT = """import matplotlib.pyplot as plt
from ipywidgets import interact

import rooflib as rl
from rooflib import plots

@interact(B=(1, 1024))
def draw(B=200):
    plots.clock(rl.matmul(B, 8192, 8192), "TPU v5e", until=400, ax=plt.subplots(figsize=(7.2, 3.3))[1])
    plt.show()"""
EXPLORERS = [name for name in explore.__all__ if name not in ("Explorer", "predict")]
PRESSES, PICTURES, LAG_MS = 40, 36, 150
THERE_AND_BACK = 5  # presses: what the shortest slider has room for

_WATCH = """cell => {
  const handle = [...cell.querySelectorAll('.noUi-handle')].find(each => each.checkVisibility());
  window.seen = {keys: [], painted: [], places: new Set(), done: false};
  const time = () => cell.querySelectorAll('img').forEach(e => e.setAttribute('elementtiming', 'it'));
  new MutationObserver(time).observe(cell, {childList: true, subtree: true});
  time();
  cell.querySelector('img').scrollIntoView({block: 'center'});
  handle.focus({preventScroll: true});
  new PerformanceObserver(list => seen.painted.push(...list.getEntries().map(e => e.renderTime)))
    .observe({type: 'element'});
  handle.addEventListener('keydown', event => seen.keys.push(event.timeStamp), true);
  const look = () => {
    seen.places.add(Math.round(cell.nextElementSibling.getBoundingClientRect().top));
    if (!seen.done) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
_SEEN = """() => {
  seen.done = true;
  return [seen.keys, seen.painted, seen.places.size - 1];
}"""


def write_book(book: Path, sources: dict[str, str]) -> None:
    """A page for each source, with something below its picture."""
    shutil.copy(Path(__file__).resolve().parents[2] / "pyproject.toml", book)
    (book / "notebooks").mkdir()
    for name, source in sources.items():
        page = nb.new_notebook(cells=[nb.new_code_cell(source), nb.new_markdown_cell("Below it.")])
        (book / f"notebooks/{name}.ipynb").write_text(nb.writes(page), encoding="utf-8")


def press(page: NotebookPage, cell, every: int) -> tuple[list[float], list[float], int]:
    """When keys went down and pictures were painted, in ms, and how often the page moved."""
    time.sleep(1)  # for what JupyterLab does after a run
    cell.evaluate(_WATCH)
    time.sleep(0.5)
    for number in range(PRESSES):
        back = number // THERE_AND_BACK % 2
        page.page.keyboard.press("ArrowLeft" if back else "ArrowRight")
        time.sleep(every / 1000)
    time.sleep(1)
    keys, painted, moves = page.page.evaluate(_SEEN)
    assert len(keys) == PRESSES, "the slider lost the focus"
    return keys, [at for at in painted if at > keys[0]], moves


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("explorers", nargs="*", metavar="explorer", help=", ".join(EXPLORERS))
    parser.add_argument("--every", type=int, default=80, metavar="MS", help="between two keys")
    arguments = parser.parse_args()
    names = arguments.explorers or EXPLORERS
    if unknown := [name for name in names if name not in EXPLORERS]:
        parser.error(f"no explorer is called {unknown[0]!r}; there are {', '.join(EXPLORERS)}")
    sources = {name: _SHOW.format(name=name) for name in names} | {"interact": _INTERACT}
    good = True
    with ExitStack() as stack:
        book = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        write_book(book, sources)
        server = Server(book, {**os.environ, "JUPYTER_CONFIG_DIR": str(book / "config")})
        stack.callback(server.stop)
        playwright = stack.enter_context(sync_playwright())
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        profile = chromium.new_context(viewport={"width": 1300, "height": 1000})
        for name in sources:
            page = NotebookPage(profile.new_page(), server.page_url(f"notebooks/{name}.ipynb"))
            page.run_all()
            [shown] = page.widgets(1)
            keys, painted, moves = press(page, shown.cell, arguments.every)
            lag, apart = painted[-1] - keys[-1], (keys[-1] - keys[0]) / (PRESSES - 1)
            faults = [*page.errors, *page.dialogs]
            print(
                f"{name:<13} {PRESSES} keys {apart:3.0f} ms apart: {len(painted):2} pictures, "
                f"lag {lag:4.0f} ms, {moves} moves",
                *faults,
                flush=True,
            )
            if name in names:
                good &= len(painted) >= PICTURES and lag < LAG_MS and not moves and not faults
            page.page.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
