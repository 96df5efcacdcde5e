"""What a problem is made of. All of it is data; `rooflib/practice/problems/` holds the problems.

A `Problem` has questions, a `Question` has parts, and a part has its right answer (computed by
rooflib), an ordered list of known wrong answers, and what is said when it is right. A wrong
answer is described by what it would be right *for* and by the question to put back; answers
that several slips lead to get one message that names them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rooflib.practice.algebra import Formula


@dataclass(frozen=True)
class Wrong:
    """A known wrong answer.

    value: the formula or number itself. right_for: a noun phrase, "That is right for …".
    ask: the question to put back. credit: what it is worth (an upper bound that holds but is
    not tight is worth half).
    """

    key: str
    value: Any
    right_for: str
    ask: str
    credit: float = 0.0


@dataclass(frozen=True)
class FormulaPart:
    """A formula of `letters`; each of them is a whole number >= 1.

    also: other forms that are right too. names: words the answer may use, with their meaning.
    rates: measured numbers in it, which may be given with another last digit. follows: the right
    answer as it follows from the reader's own other parts.
    """

    name: str
    asks: str
    right: Formula
    letters: str = "B D F"
    also: tuple[Formula, ...] = ()
    names: Mapping[str, Formula] = field(default_factory=dict)
    rates: tuple[float, ...] = ()
    follows: Callable[[Mapping[str, Formula]], Formula | None] | None = None
    words: str = ""
    wrongs: tuple[Wrong, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class NumberPart:
    """A number, in `unit` (one that `rooflib.units.parse` knows, or "token", "row" or "share";
    "" for none).

    up: the next whole number up is right too (a batch size). rounded: values that are right only
    to the chapter's own rounding. above: the answer is a bound from below, so B > 7 is the
    right direction and B < 7 is not.
    """

    name: str
    asks: str
    right: float | Fraction
    unit: str = ""
    up: bool = False
    above: bool = False
    rounded: tuple[float, ...] = ()
    also: tuple[float, ...] = ()
    tolerance: Fraction = Fraction(1, 200)
    wrongs: tuple[Wrong, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class ChoicePart:
    """One of `choices` (key to text); every wrong one has its own `Wrong` with that key."""

    name: str
    asks: str
    right: str
    choices: Mapping[str, str]
    wrongs: tuple[Wrong, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class FunctionPart:
    """A Python function of `parameters`, judged on `points` (each one a tuple of arguments).

    The first parameter may be given as a numpy array. A `Wrong` has as its value a function.
    """

    name: str
    asks: str
    right: Callable[..., float]
    parameters: tuple[str, ...]
    points: tuple[tuple[float, ...], ...]
    unit: str = ""
    tolerance: Fraction = Fraction(1, 200)
    wrongs: tuple[Wrong, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class PlotPart:
    """A matplotlib Axes with one curve for each of `curves` (label to function of x).

    x: the values along the bottom; ceiling: the height of the roof, drawn or reached.
    """

    name: str
    asks: str
    curves: Mapping[str, Callable[[float], float]]
    x: tuple[float, float]
    ceiling: float
    xlabel: tuple[str, ...]
    units: tuple[str, ...]
    tolerance: Fraction = Fraction(1, 100)
    wrongs: tuple[Wrong, ...] = ()
    why: str = ""


Part = FormulaPart | NumberPart | ChoicePart | FunctionPart | PlotPart


@dataclass(frozen=True)
class Together:
    """A wrong *set* of parts: each value may look right alone, the route to them is not."""

    key: str
    values: Mapping[str, Any]
    on: str
    says: str


@dataclass(frozen=True)
class Question:
    """One sub-question: `check("1a", …)`.

    hints: questions first, each level says more. solution: how it is worked out. why and
    look_next: said when everything is right.
    """

    id: str
    asks: str
    parts: tuple[Part, ...]
    hints: tuple[str, ...]
    solution: str
    why: str
    look_next: str = ""
    together: tuple[Together, ...] = ()

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)


@dataclass(frozen=True)
class Problem:
    """A problem with its numbers: `given` says them in the order in which they are shown."""

    id: str
    title: str
    aim: str
    given: Mapping[str, str]
    questions: tuple[Question, ...]
    numbers: Any = None


def show(part: Part) -> str:
    """The right answer of a part, for `solution`."""
    match part:
        case FormulaPart():
            return str(part.right)
        case NumberPart():
            if part.unit == "share":
                return f"{float(part.right):.1%}"
            unit = {"token": "tokens", "row": "rows"}.get(part.unit, part.unit)
            return f"{float(part.right):.6g} {unit}".strip()
        case ChoicePart():
            return f"{part.right}: {part.choices[part.right]}"
        case _:
            return ""
