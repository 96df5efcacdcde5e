"""Deal a problem with other numbers to each student: the same ones each time.

A problem's file says what may vary (`deal`) and which sizes make sense (`well_posed`). What holds
of every problem is said here: in each part every known wrong answer must lie well apart from the
right one, so that no slip is taken for the right answer, nor the right answer for a slip.
"""

from __future__ import annotations

import hashlib
import random
from fractions import Fraction
from typing import Any

from rooflib.i18n import _
from rooflib.practice import problems
from rooflib.practice.question import FormulaPart, NumberPart, Part, Problem

TRIES = 2000
# A known wrong answer lies at least so many tolerances away from the right one.
APART = 3


def dealt(problem: str, student: object, course: object = "") -> Problem:
    """The book's numbers without a student; else those of (course, student, problem).

    Raises ValueError for a student or course that is no text.
    """
    if student is None:
        return problems.book(problem)
    return _dealt(problem, _named("student", student), _named("course", course))


def _named(what: str, name: object) -> str:
    """The name, blanks and letter case aside: "Ada " is "ada"."""
    if not isinstance(name, str):
        text = _("{what} must be text, such as {example!r}; got {name!r}")
        raise ValueError(text.format(what=what, example="ada", name=name))
    return " ".join(name.split()).casefold()


def _dealt(problem: str, student: str, course: str) -> Problem:
    file = problems.module(problem)
    # Python's own hash differs from session to session; this one does not.
    seed = hashlib.sha256("\0".join((course, student, problem)).encode()).digest()
    roll = random.Random(int.from_bytes(seed, "big"))
    for _try in range(TRIES):
        numbers = file.deal(roll)
        if hasattr(file, "well_posed") and not file.well_posed(numbers):
            continue
        built: Problem = file.build(numbers)
        if not faults(built):
            return built
    raise AssertionError(f"problem {problem} has no well-posed variant in {TRIES} tries")


def faults(problem: Problem) -> list[str]:
    """What makes a variant unfair, one line for each; none for a good one."""
    return [
        f"{question.id} {part.name}: {fault}"
        for question in problem.questions
        for part in question.parts
        for fault in _faults(part)
    ]


def _faults(part: Part) -> list[str]:
    found = []
    if isinstance(part, NumberPart):
        if not _finite(part.right):
            return ["the right answer is not finite and above 0"]
        for wrong in part.wrongs:
            if not _finite(wrong.value):
                found.append(f"{wrong.key} is not finite and above 0")
            elif _gap(wrong.value, part.right) < APART * part.tolerance:
                found.append(f"{wrong.key} lies too close to the right answer")
            elif part.up and float(wrong.value).is_integer() and wrong.value == -(-part.right // 1):
                found.append(f"{wrong.key} is the next whole number up")
    if isinstance(part, FormulaPart):
        found += [f"{w.key} is right" for w in part.wrongs if w.value == part.right]
    return found


def _finite(value: Any) -> bool:
    return bool(0 < value < float("inf"))


def _gap(wrong: Any, right: Any) -> Fraction:
    return abs(Fraction(wrong) / Fraction(right) - 1)
