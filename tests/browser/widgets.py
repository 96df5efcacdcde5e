"""The book's widgets on a page, worked by keys alone, with a list of what did not answer."""

import base64
from collections.abc import Iterator

from tests.browser.patience import happens

# A key press reaches the kernel and comes back as a picture in a tenth of a second; on a machine
# that does other things as well it may take a few.
SECONDS = 20

_PNG = """async image => {
  const bytes = new Uint8Array(await (await fetch(image.src)).arrayBuffer());
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}"""
# The key that leads from what has the focus towards an element.
_WAY = """element => {
  const here = document.activeElement;
  if (here === element) return '';
  const after = here.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
  return after ? 'Tab' : 'Shift+Tab';
}"""
_STOPS = 15  # more than any widget has


class OnPage:
    """A widget in the cell that shows it."""

    def __init__(self, page, cell, seconds: float = SECONDS) -> None:
        self._page, self.cell, self._seconds = page, cell, seconds

    @property
    def sentence(self) -> str:
        return self.cell.locator('[role="status"]').first.inner_text()

    def button(self, name: str):
        return self.cell.get_by_role("button", name=name, exact=True)

    def reach(self, element) -> bool:
        """Go to `element` by Tab from what has the focus; whether that led there."""
        for _stop in range(_STOPS):
            way = element.evaluate(_WAY)
            if not way:
                return True
            self._page.keyboard.press(way)
        return False

    def push(self, name: str, said=None) -> Iterator[str]:
        """Push a button by keys; a fault if that changes nothing in what `said` gives."""
        said = said or (lambda: self.sentence)
        before = said()
        happens(self.button(name).is_enabled, self._seconds)
        if not self.reach(self.button(name)):
            yield f"Tab does not lead to {name!r}"
        self._page.keyboard.press("Enter")
        if not happens(lambda: said() != before, self._seconds):
            yield f"{name!r} does nothing"


class PredictorOnPage(OnPage):
    """A prediction in words."""

    def work(self) -> Iterator[str]:
        """Choose and commit, then skip the question for the reason if there is one; the faults."""
        choices = self.cell.locator("input[type=radio]")
        choices.first.focus()
        if not self.reach(choices.nth(1)):
            yield "Tab does not lead to the second choice"
        self._page.keyboard.press("Space")
        yield from self.push("I predict this")
        if "You said" not in self.sentence:
            yield f"no answer to the choice: {self.sentence!r}"
        if choices.first.is_visible():
            yield from self.push("Skip")
        if choices.first.is_visible():
            yield "after all that it still asks"


class ExplorerOnPage(OnPage):
    """A picture with its sentence and controls."""

    def __init__(self, page, cell, seconds: float = SECONDS) -> None:
        super().__init__(page, cell, seconds)
        self._image = cell.locator(".jp-OutputArea img").first
        self._mark = cell.locator(".widget-hbox .widget-slider")
        self._controls = cell.locator(".widget-vbox > :is(.widget-slider, .widget-dropdown)")

    @property
    def picture(self) -> bytes:
        return base64.b64decode(self._image.evaluate(_PNG))

    @property
    def width(self) -> float:
        return self._image.bounding_box()["width"]

    def work(self) -> Iterator[str]:
        """Commit to the first prediction, skip the others, move all that there is; the faults."""
        width, question = self.width, self.sentence
        if open_ := [name for name, control in self._shown() if _is_open(control)]:
            yield f"not locked before the reader commits: {open_}"
        _handle(self._mark).focus()
        yield from self._turn("the mark", self._mark, sentence=False)
        yield from self.push("I predict this")
        if "You marked" not in self.sentence or question in self.sentence:
            yield f"no answer to the mark: {self.sentence!r}"
        while self.button("Next question").is_visible():
            yield from self.push("Next question")
            yield from self.push("Skip")
        for name, control in self._shown():
            yield from self._turn(name, control)
        if hidden := self._controls.count() - len(self._shown()):
            yield f"{hidden} controls stay hidden"
        yield from self.push("Show as code", said=lambda: self.cell.locator("pre").count())
        if self.width != width:
            yield f"the picture was {width} wide and now is {self.width}"

    def _turn(self, name: str, control, sentence: bool = True) -> Iterator[str]:
        """One key press on a slider or a menu; both picture and sentence must change."""
        said, drawn = self.sentence, self.picture
        handle = _handle(control)
        if not self.reach(handle):
            yield f"Tab does not lead to {name!r}"
        for key in _keys(handle):
            self._page.keyboard.press(key)
        if not happens(
            lambda: self.picture != drawn and (self.sentence != said or not sentence), self._seconds
        ):
            if self.picture == drawn:
                yield f"{name!r} does not move the picture"
            if self.sentence == said and sentence:
                yield f"{name!r} does not change the sentence"

    def _shown(self) -> list:
        """The names and elements of the controls that can be seen."""
        seen = [control for control in self._controls.all() if control.is_visible()]
        return [(control.locator(".widget-label").inner_text(), control) for control in seen]


def _handle(control):
    """What takes the keys."""
    return control.locator(".noUi-handle, select")


def _is_open(control) -> bool:
    return control.locator("[disabled]").count() == 0


def _keys(handle) -> tuple[str, ...]:
    """What moves a control. In command mode Jupyter takes arrow keys for itself: from a closed
    menu everywhere, from a slider in Notebook 7, where Page Up and Page Down are left."""
    if handle.evaluate("element => element.tagName") == "SELECT":
        first = handle.evaluate("menu => menu.selectedIndex === 0")
        return "Space", "ArrowDown" if first else "ArrowUp", "Enter"
    last = handle.get_attribute("aria-valuemax") == handle.get_attribute("aria-valuenow")
    pages = handle.evaluate("() => !location.pathname.startsWith('/lab')")
    return (("PageDown" if last else "PageUp") if pages else "ArrowLeft" if last else "ArrowRight",)
