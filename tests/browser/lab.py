"""A reader's JupyterLab: the server that `rooflib` starts, and its page as a reader works it."""

import base64
import json
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

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
PATIENCE = 90  # seconds; a loaded machine starts kernels slowly

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
# JupyterLab brings back the pages that were open before, in tabs behind this one.
CODE_CELL = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell"
# A cell that raises ends a run: those behind it never get their number.
_RUN = """([before, cell]) => window.promptChanges > before && (
  document.querySelector('[data-mime-type="application/vnd.jupyter.error"]') ||
  [...document.querySelectorAll(`${cell} .jp-InputPrompt`)]
    .every(prompt => /\\[\\d+\\]/.test(prompt.innerText)))"""
# Before its kernel is connected a page says "No Kernel" and idle.
_READY = """name => {
  const panel = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)');
  const tab = document.querySelector('.lm-TabBar-tab.jp-mod-current');
  return tab?.innerText.trim() === name
    && panel?.querySelector('.jp-KernelName')?.innerText.startsWith('Python 3')
    && panel.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle';
}"""
_PNG = """async image => {
  const bytes = new Uint8Array(await (await fetch(image.src)).arrayBuffer());
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}"""
_WRONG = (
    '[data-mime-type="application/vnd.jupyter.error"],'
    '[data-mime-type="application/vnd.jupyter.stderr"]'
)


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

    def page_url(self, path: str) -> str:
        """The address of another page of the book than the first."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}/lab/tree/{path}?{parts.query}"

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
    """One notebook, open in JupyterLab. Code cells are counted from 0, Markdown left out."""

    def __init__(self, page, url: str) -> None:
        self.page = page
        self.console: list[str] = []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.add_init_script(_WATCH)
        page.goto(url, wait_until="domcontentloaded")
        self.name = PurePosixPath(urlsplit(url).path).name
        page.wait_for_selector(CODE_CELL)
        page.wait_for_function(_READY, arg=self.name)

    @property
    def dialogs(self) -> list[str]:
        """The texts of all dialogs that stood in the way so far."""
        return self.page.evaluate("() => window.dialogsSeen")

    @property
    def errors(self) -> list[str]:
        """Error outputs, what went to stderr, and errors of the page itself."""
        return [*self.page.locator(_WRONG).all_inner_texts(), *self.console]

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

    def explorer(self, number: int = 0) -> "ExplorerOnPage":
        cells = self.page.locator(CODE_CELL, has=self.page.locator(".noUi-handle"))
        return ExplorerOnPage(self.page, cells.nth(number))

    def _prompt_changes(self) -> int:
        return self.page.evaluate("() => window.promptChanges")

    def _wait_until_run(self, before: int) -> None:
        self.page.wait_for_function(_RUN, arg=[before, CODE_CELL])
        self.page.wait_for_function(_READY, arg=self.name)


class ExplorerOnPage:
    """A picture with its sentence and controls, in the cell that shows it."""

    def __init__(self, page, cell) -> None:
        self._page, self._cell = page, cell
        self._image = cell.locator(".jp-OutputArea img").first

    @property
    def picture(self) -> bytes:
        return base64.b64decode(self._image.evaluate(_PNG))

    @property
    def width(self) -> float:
        return self._image.bounding_box()["width"]

    @property
    def sentence(self) -> str:
        return self._cell.locator('[role="status"]').first.inner_text()

    def click(self, button: str) -> None:
        self._cell.get_by_role("button", name=button, exact=True).click()

    def slider(self, label: str):
        row = self._cell.locator(".widget-slider", has_text=label)
        return row.locator(".noUi-handle")

    def press(self, label: str, key: str, times: int = 1) -> None:
        """Keys alone: focus the slider and press."""
        self.slider(label).focus()
        for _ in range(times):
            self._page.keyboard.press(key)


def wait_for(found: Callable[[], object], what: str, seconds: float = PATIENCE):
    """What `found` returns, as soon as that is true of anything."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.1)
    raise AssertionError(f"after {seconds:.0f} s still no {what}")
