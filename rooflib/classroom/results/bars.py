"""Bars inside a table's cells, as drawings: they print, and each kind has a pattern and a word."""

from __future__ import annotations

from collections.abc import Iterable

from rooflib.classroom.results.page import Html, tag
from rooflib.classroom.results.style import BLUE, FAINT, INK, ORANGE, PINK, SKY, YELLOW
from rooflib.practice.verdict import PARTLY, RIGHT, UNATTEMPTED, UNDECIDED, UNREADABLE, WRONG

# Outcome to (colour, the strokes over it in a square of eight).
_LOOKS = {
    RIGHT: (BLUE, ""),
    PARTLY: (SKY, "M2 0V8M6 0V8"),
    WRONG: (ORANGE, "M-2 2L2 -2M0 8L8 0M6 10L10 6"),
    UNDECIDED: (PINK, "M0 8L8 0M0 0L8 8"),
    UNREADABLE: (YELLOW, "M0 2H8M0 6H8"),
    UNATTEMPTED: (FAINT, ""),
}


def patterns() -> Html:
    """The patterns that the bars of this page refer to; once a page."""
    made = []
    for name, (colour, strokes) in _LOOKS.items():
        ground = tag("rect", width=8, height=8, fill=colour)
        over = tag("path", d=strokes, stroke=INK, stroke_width="0.9", fill="none")
        made.append(
            tag(
                "pattern",
                ground,
                over if strokes else None,
                id=f"p-{name}",
                width=8,
                height=8,
                patternUnits="userSpaceOnUse",
            )
        )
    return tag("svg", tag("defs", *made), class_="store", aria_hidden="true", focusable="false")


def stacked(shares: Iterable[tuple[str, float]]) -> Html:
    """Outcomes side by side, each with its share of the whole; the numbers stand beside it."""
    at = 0.0
    drawn = []
    for name, share in shares:
        if share > 0:
            drawn.append(_rect(at, share, name))
            at += share
    return _svg(*drawn, *_edge(at))


def single(share: float, name: str = RIGHT) -> Html:
    """One bar of that share of the width."""
    return _svg(_rect(0, share, name), *_edge(share)) if share > 0 else _svg()


def swatch(name: str) -> Html:
    rect = tag("rect", width="100%", height="100%", fill=f"url(#p-{name})", stroke=INK)
    return tag("svg", rect, class_="swatch", aria_hidden="true")


def _svg(*drawn: Html) -> Html:
    # The cells beside it say the same in numbers, so a screen reader need not stop here.
    return tag("svg", *drawn, class_="bar", aria_hidden="true")


def _rect(at: float, share: float, name: str) -> Html:
    return tag(
        "rect",
        x=_percent(at),
        width=_percent(share),
        height="100%",
        fill=f"url(#p-{name})",
        stroke="#fff",
        stroke_width=1,
    )


def _edge(end: float) -> list[Html]:
    """A line around the whole, so that the palest kind has an end as well."""
    if end <= 0:
        return []
    whole = tag(
        "rect", width=_percent(end), height="100%", fill="none", stroke=INK, stroke_width="1.2"
    )
    return [whole]


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"
