"""How a test looks at a picture: is every word on the page, and does none lie on another?"""

from collections.abc import Iterator

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

SLACK = 1.0  # pixels: boxes of text have some air of their own


def visible_texts(figure: Figure) -> Iterator[Text]:
    """Every text that is drawn; ticks beyond an axis' limits are not."""
    for ax in figure.axes:
        hidden = {id(t) for t in _beyond(ax)}
        for text in ax.findobj(Text):
            if text.get_visible() and text.get_text().strip() and id(text) not in hidden:
                yield text
    yield from (text for text in figure.texts if text.get_visible() and text.get_text().strip())


def _beyond(ax: Axes) -> Iterator[Text]:
    for axis, limits, place in ((ax.xaxis, ax.get_xlim(), 0), (ax.yaxis, ax.get_ylim(), 1)):
        low, high = sorted(limits)
        for tick in axis.get_major_ticks() + axis.get_minor_ticks():
            for label in (tick.label1, tick.label2):
                if not low <= label.get_position()[place] <= high:
                    yield label


def faults(figure: Figure) -> list[str]:
    """The words that leave the page or lie on others."""
    figure.canvas.draw()
    boxes = [
        # The box around slanted words is mostly empty, so what it touches says nothing.
        (t.get_text(), t.get_window_extent().padded(-SLACK), t.get_rotation() % 90 != 0)
        for t in visible_texts(figure)
    ]
    page, found = figure.bbox, []
    for i, (text, box, turned) in enumerate(boxes):
        if box.x0 < page.x0 or box.x1 > page.x1 or box.y0 < page.y0 or box.y1 > page.y1:
            found.append(f"{text!r} is cut off")
        if not turned:
            found += [
                f"{text!r} on {other!r}"
                for other, b, slanted in boxes[i + 1 :]
                if not slanted and box.overlaps(b)
            ]
    return found


def covered(figure: Figure, words: Text) -> list[str]:
    """What `words` lie on: other upright words and dots. Quick, since nothing is drawn for it."""
    here, found = words.get_window_extent().padded(-SLACK), []
    for text in visible_texts(figure):
        upright = text is not words and text.get_rotation() % 90 == 0
        if upright and here.overlaps(text.get_window_extent().padded(-SLACK)):
            found.append(text.get_text())
    for line in (line for ax in figure.axes for line in ax.lines):
        if line.get_visible() and line.get_marker() == "o":
            places = line.get_transform().transform(line.get_xydata())
            found += ["a dot" for x, y in places if here.contains(x, y)]
    return found
