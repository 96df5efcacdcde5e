"""A reader's JupyterLab: the server that `rooflib` starts, and its page as a reader works it.

The same server gives the pages to Notebook 7 too, where that is installed.
"""

import json
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from tests.browser.patience import PATIENCE, wait_for
from tests.browser.widgets import SECONDS, ExplorerOnPage, OnPage, PredictorOnPage

# Chromium without a screen, as root, and without calls home.
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Where each application opens a page. In a workspace of its own JupyterLab does not bring back,
# in tabs behind it, the pages that were open before.
APPLICATIONS = {"JupyterLab": "lab/workspaces/{name}/tree", "Notebook 7": "notebooks"}
POLL = 100  # milliseconds between two looks; playwright's own is every frame

# Every dialog that ever opens is counted, not just one that is still there when we look; and every
# change of a prompt, since [*] may come and go between two looks.
_WATCH = """
window.dialogsSeen = [];
window.promptChanges = 0;
new MutationObserver(records => {
  for (const record of records) {
    const target = record.target.nodeType === 1 ? record.target : record.target.parentElement;
    if (target?.closest('.jp-CodeCell .jp-InputPrompt')) window.promptChanges++;
    for (const node of record.addedNodes) {
      if (node.nodeType !== 1) continue;
      const found = node.matches('.jp-Dialog') ? node : node.querySelector('.jp-Dialog');
      if (found) window.dialogsSeen.push(found.innerText);
    }
  }
}).observe(document, {childList: true, characterData: true, subtree: true});
"""
CODE_CELL = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell"
# A cell that raises ends a run: those behind it never get their number.
_RUN = """([before, cell]) => window.promptChanges > before && (
  document.querySelector('[data-mime-type="application/vnd.jupyter.error"]') ||
  [...document.querySelectorAll(`${cell} .jp-InputPrompt`)]
    .every(prompt => /\\[\\d+\\]/.test(prompt.innerText)))"""
# Before its kernel is connected a page says "No Kernel" and idle.
_READY = """() => {
  const panel = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)');
  return panel?.querySelector('.jp-KernelName')?.innerText.startsWith('Python 3')
    && panel.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle';
}"""
_WRONG = (
    '[data-mime-type="application/vnd.jupyter.error"],'
    '[data-mime-type="application/vnd.jupyter.stderr"]'
)


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
USUAL_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)


def find_browser() -> str | None:
    """The path of a Chromium or one of its kin on this machine."""
    return next(filter(None, map(shutil.which, (*BROWSERS, *USUAL_PLACES))), None)


_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # past any proxy


class Server:
    """`rooflib --no-browser`, with or without `--port N`, in the folder of a book."""

    def __init__(self, book: Path, environment: dict[str, str], port: int | None = None) -> None:
        command = shutil.which("rooflib", path=str(Path(sys.executable).parent))
        assert command, "no rooflib command beside this Python; run the tests with `uv run pytest`"
        self._log = book / "server.log"
        with self._log.open("w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [command, "--no-browser", *(["--port", str(port)] if port else [])],
                cwd=book,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )
        self.url = wait_for(self._printed_url, f"an address from rooflib; it said: {self.said()}")

    def said(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def page_url(self, path: str, application: str = "JupyterLab") -> str:
        """The address of another page of the book than the first."""
        parts, name = urlsplit(self.url), PurePosixPath(path).stem
        place = APPLICATIONS[application].format(name=name)
        return f"{parts.scheme}://{parts.netloc}/{place}/{path}?{parts.query}"

    def api(self, path: str, token: bool = True) -> object:
        """What the server answers to GET, as the page itself would ask it."""
        parts = urlsplit(self.url)
        url = f"{parts.scheme}://{parts.netloc}/{path}" + (f"?{parts.query}" if token else "")
        with _DIRECT.open(url, timeout=PATIENCE) as answer:
            return json.load(answer)

    def interrupt(self) -> int:
        """Ctrl-C; returns the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(PATIENCE)

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _printed_url(self) -> str | None:
        assert self._process.poll() is None, f"rooflib ended: {self.said()}"
        found = re.search(r"http://\S+token=\w+", self.said())
        return found[0] if found else None


class NotebookPage:
    """One notebook, open in the browser. Code cells are counted from 0, Markdown left out."""

    def __init__(self, page, url: str) -> None:
        self.page = page
        self.name = PurePosixPath(urlsplit(url).path).name
        self._console: list[str] = []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: self._console.append(str(error)))
        page.on("console", lambda said: said.type == "error" and self._console.append(said.text))
        page.add_init_script(_WATCH)
        page.goto(url, wait_until="domcontentloaded")
        page.wait_for_selector(CODE_CELL)
        self._wait_until(_READY)
        if "/lab/" not in url:
            self._console.clear()  # Notebook 7.6 has errors of its own while it loads any page

    @property
    def dialogs(self) -> list[str]:
        """The texts of all dialogs that stood in the way so far."""
        return self.page.evaluate("() => window.dialogsSeen")

    @property
    def errors(self) -> list[str]:
        """Error outputs, what went to stderr, and errors of the page itself."""
        return [*self.page.locator(_WRONG).all_inner_texts(), *self._console]

    def run_all(self) -> None:
        before = self._prompt_changes()
        self.page.click('.lm-MenuBar-itemLabel:text-is("Run")')
        self.page.click('.lm-Menu-itemLabel:text-is("Run All Cells")')
        self._wait_until_run(before)

    def code_cell(self, containing: str):
        return self.page.locator(CODE_CELL).filter(has_text=containing)

    def rewrite_and_run(self, cell, source: str) -> str:
        """Type `source` into a code cell in place of what stands there; returns its output."""
        before = self._prompt_changes()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(source)
        self.page.keyboard.press("Control+Enter")
        self._wait_until_run(before)
        return cell.locator(".jp-OutputArea").inner_text()

    def widgets(self, count: int, seconds: float = SECONDS) -> list[OnPage]:
        """Its widgets, in order, as soon as all `count` of them are there."""
        live = ".jp-OutputArea :is(.noUi-handle, .widget-radio-box)"
        cells = self.page.locator(CODE_CELL, has=self.page.locator(live))
        wait_for(lambda: cells.count() >= count, f"{count} widgets")
        return [
            (ExplorerOnPage if cell.locator(".noUi-handle").count() else PredictorOnPage)(
                self.page, cell, seconds
            )
            for cell in cells.all()
        ]

    def _prompt_changes(self) -> int:
        return self.page.evaluate("() => window.promptChanges")

    def _wait_until_run(self, before: int) -> None:
        self._wait_until(_RUN, [before, CODE_CELL])
        self._wait_until(_READY)

    def _wait_until(self, true: str, argument: object = None) -> None:
        self.page.wait_for_function(true, arg=argument, polling=POLL)
