"""What a picture has to offer to be explored: a canvas, controls, questions, and words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from matplotlib.text import Text

from rooflib.explore.canvas import Canvas
from rooflib.explore.controls import Control
from rooflib.explore.room import Place

SIZES = {"page": 1.0, "projector": 1.5}


class Pin(Protocol):
    """The reader's mark on a picture, and the places for its words, the best one first."""

    text: Text

    def show(self, value: Any, words: str) -> None: ...
    def hide(self) -> None: ...
    def places(self) -> Sequence[Place]: ...


@dataclass(frozen=True)
class Question:
    """A prediction that is placed on the picture before the controls open."""

    ask: str
    label: str  # of the slider that moves the mark
    values: tuple[Any, ...]
    start: Any
    pin: Pin
    words: Callable[[Any], str]  # the mark's words: "170 µs"
    reply: Callable[[Any], str]  # what the sentence says of a prediction
    reveal: Mapping[str, Any] = field(default_factory=dict)  # settings that show the answer


class Scene(Protocol):
    """A picture as the connector sees it."""

    title: str
    controls: tuple[Control, ...]
    questions: tuple[Question, ...]
    canvas: Canvas

    def show(self, settings: dict[str, Any], answered: int) -> str:
        """Move the artists to `settings`; returns the sentence that says what they show."""

    def code(self, settings: dict[str, Any]) -> str:
        """The rooflib.plots call that draws the same picture."""
