"""What a class is asked and how it counts: `assignment.toml`, read strictly.

The file holds no answer, so it may lie beside the handed-out notebooks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from rooflib.i18n import _
from rooflib.names import nearest, unknown
from rooflib.practice import deal, problems
from rooflib.practice.question import FunctionPart, NumberPart, Part, PlotPart, Problem, Question

NAME = "assignment.toml"
STUDENT, CLASS, BOOK = "student", "class", "book"
VARIANTS = (STUDENT, CLASS, BOOK)
# A known slip lies at least three ordinary tolerances (0.5%) from the right answer.
WIDEST = 0.015


class AssignmentError(ValueError):
    """A slip in an assignment; the text says where and what would be right."""


@dataclass(frozen=True)
class Assignment:
    """One assignment.

    problems: their numbers. variants: who shares the numbers, each student for himself
    ("student"), one set for the whole class ("class"), or the book's own ("book"). graded: before
    the deadline `check` says how an answer was read, not whether it is right. attempts: so many
    verdicts a question, 0 for any number. points: by question; one a part where nothing is said.
    tolerance: relative, by question. why: questions with a free-text "why".
    """

    course: str
    problems: tuple[str, ...]
    variants: str = STUDENT
    graded: bool = False
    deadline: datetime | None = None
    attempts: int = 0
    points: Mapping[str, float] = field(default_factory=dict)
    tolerance: Mapping[str, float] = field(default_factory=dict)
    why: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.course.strip():
            raise AssignmentError(_("an assignment needs the name of its course"))
        if not self.problems:
            raise AssignmentError(_("an assignment needs at least one problem"))
        for number in self.problems:
            if number not in problems.ORDER:
                raise AssignmentError(unknown("problem", number, problems.ORDER))
        if len(set(self.problems)) < len(self.problems):
            raise AssignmentError(_("a problem is listed twice"))
        if self.variants not in VARIANTS:
            raise AssignmentError(unknown("kind of variants", self.variants, VARIANTS))
        if self.attempts < 0:
            raise AssignmentError(_("attempts cannot be below 0; 0 sets no limit"))
        if self.deadline is not None and self.deadline.tzinfo is None:
            raise AssignmentError(
                _("the deadline needs its time zone, such as {example}").format(
                    example="2027-01-15T23:59:00+01:00"
                )
            )
        asked = [q.id for n in self.problems for q in problems.book(n).questions]
        for what, names in (
            ("points", self.points),
            ("tolerance", self.tolerance),
            ("why", self.why),
        ):
            for name in names:
                if name not in asked:
                    raise AssignmentError(f"{what}: " + unknown("question", name, asked))
        for name, worth in self.points.items():
            if not 0 <= worth < float("inf"):
                text = _("points of {name}: a number from 0 up; got {worth}")
                raise AssignmentError(text.format(name=name, worth=worth))
        for name, share in self.tolerance.items():
            if not 0 < share <= WIDEST:
                text = _(
                    "tolerance of {name}: a share above 0 and up to {most}, since known slips lie "
                    "close by; got {share}"
                )
                raise AssignmentError(text.format(name=name, most=WIDEST, share=share))

    def problem(self, number: str, student: str) -> Problem:
        """The problem with this student's numbers."""
        dealt = deal.dealt(number, whose(self.variants, self.course, student), self.course)
        return replace(dealt, questions=tuple(self._loosened(q) for q in dealt.questions))

    def _loosened(self, question: Question) -> Question:
        share = self.tolerance.get(question.id)
        if share is None:
            return question
        exact = Fraction(repr(share))
        return replace(
            question, parts=tuple(_with_tolerance(part, exact) for part in question.parts)
        )

    def worth(self, question: Question) -> float:
        """The points of a question; its parts share them evenly."""
        return float(self.points.get(question.id, len(question.parts)))


def _with_tolerance(part: Part, share: Fraction) -> Part:
    if isinstance(part, NumberPart | FunctionPart | PlotPart):
        return replace(part, tolerance=share)
    return part


def whose(variants: str, course: str, student: str) -> str | None:
    """For whom the numbers are dealt: one student, the class, or (None) nobody: the book's."""
    if variants == STUDENT:
        return student
    return f"class of {course}" if variants == CLASS else None


# The file


def load(path: Path) -> Assignment:
    """The assignment that the file describes.

    Raises AssignmentError, with what is wrong and what would be right.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = error.strerror or str(error)
        raise AssignmentError(
            _("{path}: cannot be read: {why}").format(path=path, why=why)
        ) from error
    except ValueError as error:  # not UTF-8, or not TOML
        raise AssignmentError(_("{path}: {why}").format(path=path, why=error)) from error
    try:
        return _from(data)
    except AssignmentError as error:
        raise AssignmentError(f"{path}: {error}") from error


_KINDS: Mapping[str, tuple[type, ...]] = {
    "course": (str,),
    "problems": (list,),
    "variants": (str,),
    "graded": (bool,),
    "deadline": (datetime,),
    "attempts": (int,),
    "points": (dict,),
    "tolerance": (dict,),
    "why": (list,),
}
_CALLED = {str: "text", list: "a list", bool: "true or false", int: "a whole number"}
_CALLED |= {datetime: "a date and time", dict: "a table"}


def _from(data: Mapping[str, Any]) -> Assignment:
    for name, value in data.items():
        if name not in _KINDS:
            close = nearest(name, list(_KINDS))
            listed = ", ".join(close or _KINDS)
            raise AssignmentError(
                _("there is no setting {name}; did you mean {listed}?").format(
                    name=repr(name), listed=listed
                )
            )
        kinds = _KINDS[name]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            text = _("{name} is {kind}; got {value!r}")
            raise AssignmentError(text.format(name=name, kind=_CALLED[kinds[0]], value=value))
    for name in ("course", "problems"):
        if name not in data:
            raise AssignmentError(_("the setting {name} is missing").format(name=name))
    return Assignment(
        course=data["course"],
        problems=tuple(str(number) for number in data["problems"]),
        variants=data.get("variants", STUDENT),
        graded=data.get("graded", False),
        deadline=data.get("deadline"),
        attempts=data.get("attempts", 0),
        points=_numbers("points", data.get("points", {})),
        tolerance=_numbers("tolerance", data.get("tolerance", {})),
        why=tuple(str(question) for question in data.get("why", [])),
    )


def _numbers(what: str, table: Mapping[str, Any]) -> dict[str, float]:
    for name, value in table.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            text = _("{what} of {name} is a number; got {value!r}")
            raise AssignmentError(text.format(what=what, name=name, value=value))
    return {name: float(value) for name, value in table.items()}


def written(assignment: Assignment) -> str:
    """The file's text, with a word on every setting."""
    a = assignment
    lines = [
        "# What the class is asked, and how it counts. Edit, then run `rooflib assign` again.",
        f"course = {_text(a.course)}",
        f"problems = {_list(a.problems)}",
        "",
        '# Other numbers for each "student", one set for the "class", or those of the "book".',
        f"variants = {_text(a.variants)}",
        "",
        "# true: before the deadline a check says how an answer was read, not whether it is right.",
        f"graded = {'true' if a.graded else 'false'}",
        "# With its time zone, as in 2027-01-15T23:59:00+01:00.",
        f"deadline = {a.deadline.isoformat()}" if a.deadline else "# deadline = ",
        "# So many verdicts on each question; 0 sets no limit.",
        f"attempts = {a.attempts}",
        "# Questions that also ask for a free-text why, which is collected for you to read.",
        f"why = {_list(a.why)}",
        "",
        "# Points by question; a question counts one point a part where nothing is said.",
        "[points]",
        *(f"{_text(name)} = {worth:g}" for name, worth in a.points.items()),
        "",
        "# Relative tolerance by question; 0.005 where nothing is said.",
        "[tolerance]",
        *(f"{_text(name)} = {share!r}" for name, share in a.tolerance.items()),
    ]
    return "\n".join(lines) + "\n"


def _list(names: Iterable[str]) -> str:
    return "[" + ", ".join(_text(name) for name in names) + "]"


def _text(text: str) -> str:
    """A TOML basic string."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in plain) + '"'
