"""What the reader can turn: core ipywidgets, whole steps, and no key press without effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets

from rooflib.i18n import _

WIDE = {"description_width": "120px"}


def spoken(value: Any) -> str:
    """A value as the sentences say it: whole numbers with their thousands marked."""
    return f"{value:,}" if isinstance(value, int) else str(value)


@dataclass(frozen=True)
class Control:
    """One setting: its name in the code, its words on the page, and the values it can take."""

    name: str
    label: str
    values: tuple[Any, ...]
    start: Any
    menu: bool = False
    after: int = 0  # shown once that many questions are answered
    words: Callable[[Any], str] = spoken

    def check(self, value: Any) -> Any:
        """`value` if the control can take it; a slider takes what lies between its stops."""
        if value in self.values:
            return value
        kind = int if all(isinstance(each, int) for each in self.values) else (int, float)
        number = isinstance(value, kind) and not isinstance(value, bool)
        if not self.menu and number and self.values[0] <= value <= self.values[-1]:
            return value
        raise ValueError(
            _("{name} cannot be {value!r}; it goes from {first} to {last}").format(
                name=self.name, value=value, first=self.values[0], last=self.values[-1]
            )
            if not self.menu
            else _("{name} cannot be {value!r}; it can be {valid}").format(
                name=self.name, value=value, valid=", ".join(map(self.words, self.values))
            )
        )

    def nearest(self, value: float) -> Any:
        """The value on the control that is closest to `value`."""
        return min(self.values, key=lambda each: abs(each - value))

    def widget(self) -> Any:
        """A Dropdown, or a SelectionSlider, where every key press is a new value."""
        kind = widgets.Dropdown if self.menu else widgets.SelectionSlider
        made = kind(
            options=options(self.values, self.words),
            value=self.start,
            description=self.label,
            style=WIDE,
            layout=widgets.Layout(width="300px" if self.menu else "600px", max_width="98%"),
        )
        if not self.menu:
            made.continuous_update = True
        return made

    def put(self, widget: Any, value: Any) -> None:
        """Set `widget` to `value`, adding it to the slider's stops when it is not one of them."""
        self.check(value)
        stops = [each for _words, each in widget.options]
        if value not in stops:
            words = {each: text for text, each in widget.options} | {value: self.words(value)}
            widget.options = options(sorted(words), words.__getitem__)
        widget.value = value


def options(values: Iterable[Any], words: Callable[[Any], str]) -> list[tuple[str, Any]]:
    return [(words(value), value) for value in values]


def whole_steps(
    low: int, high: int, per_octave: int = 12, also: Iterable[int] = ()
) -> tuple[int, ...]:
    """Whole numbers from `low` to `high`, evenly spaced on a log scale where there are enough."""
    steps = {low, high, *also}
    count, x = 0, float(low)
    while x < high:
        steps.add(round(x))
        count += 1
        x = low * 2 ** (count / per_octave)
    return tuple(sorted(steps))


def round_steps(
    low: float, high: float, per_decade: int = 40, also: Iterable[float] = ()
) -> tuple[float, ...]:
    """Round numbers (two digits) from `low` to `high`, evenly spaced on a log scale."""
    steps = set(also)
    count, x = 0, float(low)
    while x < high * 1.0001:
        steps.add(float(f"{x:.2g}"))
        count += 1
        x = low * 10 ** (count / per_decade)
    return tuple(sorted(steps))
