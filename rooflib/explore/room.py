"""The words of a reader's mark keep off everything else that is written, wherever sliders go.

A mark offers a few places for its words, the best one first. The first that is free is taken; if
none is, the one that covers least.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from rooflib.explore.lettering import box

Place = Mapping[str, Any]  # what `Text.set` takes
AIR = 2.0  # pixels at the page's own size


def make(words: Text, places: Sequence[Place]) -> None:
    """Put `words` where they cover no other words and no dot of their figure."""
    figure = words.figure
    if not isinstance(figure, Figure) or not words.get_visible() or not places:
        return
    taken = list(_taken(figure, words))
    covered = []
    for place in places:
        words.set(**place)
        air = AIR * figure.dpi / 100
        here = box(words).padded(air)
        inside = words.axes is None or _within(here, words.axes.bbox.padded(2 * air))
        covered.append(sum(_common(here, each) for each in taken) + (0 if inside else 1e6))
        if covered[-1] == 0:
            return
    words.set(**places[covered.index(min(covered))])


def _taken(figure: Figure, words: Text) -> Iterator[Bbox]:
    """The boxes of what must stay readable: other words that stand upright, and dots."""
    texts = [*figure.texts, *(text for ax in figure.axes for text in (*ax.texts, ax.title))]
    for text in texts:
        if text is not words and text.get_visible() and text.get_text():
            yield box(text)
    for line in (line for ax in figure.axes for line in ax.lines):
        if line.get_visible() and line.get_marker() == "o":
            yield from _dots(line, figure.dpi)


def _dots(line: Line2D, dpi: float) -> Iterator[Bbox]:
    half = line.get_markersize() / 2 * dpi / 72
    for x, y in line.get_transform().transform(line.get_xydata()):
        yield Bbox.from_bounds(x - half, y - half, 2 * half, 2 * half)


def _within(here: Bbox, page: Bbox) -> bool:
    return bool(page.x0 <= here.x0 and here.x1 <= page.x1 and here.y1 <= page.y1)


def _common(one: Bbox, other: Bbox) -> float:
    """The area that two boxes share."""
    wide = min(one.x1, other.x1) - max(one.x0, other.x0)
    high = min(one.y1, other.y1) - max(one.y0, other.y0)
    return float(max(wide, 0) * max(high, 0))
