"""What is known of one student's work, as plain data, and the arithmetic of its points.

A record is a dict that JSON can hold; these types say its shape. A student of the roster with
nothing handed in has no files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NotRequired, TypedDict

from rooflib.i18n import _
from rooflib.practice.question import Problem


class Correction(TypedDict):
    """A hand correction: the points that count, and a note that is the teacher's own."""

    points: float
    note: str


class Part(TypedDict):
    """One part. answer: as given, shown (or its wire form). right: the key, never for a student
    before it is released."""

    outcome: str
    score: float
    points: float
    answer: Any
    echo: str
    message: str
    key: str
    accepted: bool
    right: str
    override: NotRequired[Correction | None]
    dropped: NotRequired[bool]
    asks: NotRequired[str]


class Question(TypedDict):
    """One question; a dropped one counts for nobody."""

    points: float
    dropped: bool
    parts: dict[str, Part]
    asks: str


class Record(TypedDict):
    """One student. superseded: older versions. flags: sentences for the teacher."""

    student: str
    name: str
    files: list[str]
    superseded: list[str]
    late: bool
    protection: str
    flags: list[str]
    questions: dict[str, Question]
    whys: dict[str, str]


def columns(problems: Iterable[Problem]) -> tuple[str, ...]:
    """The parts of the problems in their order: 1a.read, 1a.written, …"""
    return tuple(
        f"{question.id}.{part.name}"
        for problem in problems
        for question in problem.questions
        for part in question.parts
    )


def parts(record: Record) -> Iterator[tuple[str, Question, Part]]:
    """(column, question, part) for every part of a record."""
    for name, question in record["questions"].items():
        for part_name, part in question["parts"].items():
            yield f"{name}.{part_name}", question, part


def dropped(question: Question, part: Part) -> bool:
    """Whether a part counts for nobody, alone or with its question."""
    return question["dropped"] or part.get("dropped", False)


def earned(part: Part) -> float:
    """The points of a part: what a hand correction says, else its share of the points."""
    override = part.get("override")
    return override["points"] if override else part["score"] * part["points"]


def question_earned(question: Question) -> float:
    counted = (part for part in question["parts"].values() if not dropped(question, part))
    return sum((earned(part) for part in counted), 0.0)


def question_worth(question: Question) -> float:
    counted = (part for part in question["parts"].values() if not dropped(question, part))
    return sum((part["points"] for part in counted), 0.0)


def total(record: Record) -> float:
    """All points earned; dropped questions aside."""
    return round(sum(question_earned(q) for q in record["questions"].values()), 6)


def worth(record: Record) -> float:
    """All points that could be earned; dropped questions aside."""
    return round(sum(question_worth(q) for q in record["questions"].values()), 6)


def points(value: float, digits: int = 2) -> str:
    """Points as people write them: 1, 0.5, 0.33."""
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def shown(answer: object) -> str:
    """An answer in words a person reads; takes the text itself or an answer's wire form."""
    if not isinstance(answer, Mapping):
        return "" if answer is None else str(answer)
    for kind in ("text", "number", "formula", "odd", "code"):
        if isinstance(answer.get(kind), str):
            return str(answer[kind])
    returns = answer.get("returns")
    if isinstance(returns, Mapping):
        run = returns.get("points")
        if isinstance(run, list):
            return _("a function, run on {n} points").format(n=len(run))
        return _("a function")
    return _("a plot") if "plot" in answer else ""
