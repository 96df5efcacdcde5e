"""What is sent to a confined process, and what comes back from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rooflib.chips import Chip
from rooflib.practice.question import (
    ChoicePart,
    FormulaPart,
    FunctionPart,
    NumberPart,
    Part,
    PlotPart,
    Problem,
)
from rooflib.serial import to_dict


@dataclass(frozen=True)
class Limits:
    """What one notebook may use.

    cpu: seconds of processor time. wall: seconds by the clock, in all; quiet: without a word.
    memory, file, line, results: bytes, beyond what Python itself takes, of all files, of one
    line and of all that is said. files: open ones. processes: or threads, besides its own.
    """

    cpu: int = 10
    wall: float = 20.0
    quiet: float = 8.0
    memory: int = 1 << 30
    file: int = 16 << 20
    line: int = 256 << 10
    results: int = 1 << 20
    files: int = 64
    processes: int = 0


@dataclass(frozen=True)
class Request:
    """cells: code, already transformed. given: by problem, {"lines": [[label, value], …],
    "numbers": {…}}. parts: by question and part, what is asked; never what is right.
    """

    cells: tuple[str, ...]
    given: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """What was answered, by question and part ("" for one without a name), and how it ended.

    ended: "" (every cell ran), "time", "output", "exit", "killed", or "not run"; answers
    given before that count, and so do those of the cells after it. notes: for the teacher.
    """

    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    whys: Mapping[str, str] = field(default_factory=dict)
    ended: str = ""
    notes: tuple[str, ...] = ()
    protection: str = ""


def request_for(problems: Mapping[str, Problem]) -> tuple[dict[str, Any], dict[str, Any]]:
    """`given` and `parts` of a request: what the problems say and ask, and not one answer."""
    given = {
        name: {"lines": [list(line) for line in p.given.items()], "numbers": _plain(p.numbers)}
        for name, p in problems.items()
    }
    parts = {
        question.id: {part.name: _asked(part) for part in question.parts}
        for problem in problems.values()
        for question in problem.questions
    }
    return given, parts


def _asked(part: Part) -> dict[str, Any]:
    match part:
        case FormulaPart():
            return {"kind": "formula", "letters": part.letters}
        case NumberPart():
            return {"kind": "number"}
        case ChoicePart():
            return {"kind": "choice"}
        case FunctionPart():
            return {"kind": "function", "points": [list(point) for point in part.points]}
        case PlotPart():
            return {"kind": "plot"}


def _plain(value: Any) -> Any:
    """Numbers with names as a dict: a dataclass's fields, and what it works out from them."""
    if isinstance(value, Chip):
        return to_dict(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if not dataclasses.is_dataclass(value):
        return value if isinstance(value, (int, float, str, bool)) else None
    names = [f.name for f in dataclasses.fields(value)]
    names += [n for n, made in vars(type(value)).items() if isinstance(made, property)]
    return {name: _plain(getattr(value, name)) for name in names}
