"""What a handed-out notebook imports: `check`, `given` and `why`, set up for one student.

    check, given, why = open_desk("ROOF 101", student="s001", graded=True, deadline="2027-01-15...")

Everything here is for the student's comfort; nothing of it is believed when the class is graded.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from rooflib.classroom.assignment import STUDENT, whose
from rooflib.i18n import _
from rooflib.names import unknown
from rooflib.practice import deal, problems, session, store
from rooflib.practice.question import Question
from rooflib.practice.talk import Given, Said
from rooflib.practice.verdict import UNATTEMPTED, UNREADABLE, Verdict


class Desk(NamedTuple):
    """The three functions that a notebook works with."""

    check: Callable[..., Any]
    given: Callable[[str], Said]
    why: Callable[[str, str], Said]


def open_desk(
    course: str,
    student: str = "",
    *,
    variants: str = STUDENT,
    graded: bool = False,
    deadline: str = "",
    attempts: int = 0,
) -> Desk:
    """`check`, `given` and `why` for this student of this course.

    graded: until the deadline (ISO 8601, with its time zone), `check` says how an answer was read
    and not whether it is right. attempts: so many verdicts a question, 0 for any number.

    Raises ValueError for a deadline without a time zone, or that is none.
    """
    ends = _moment(deadline)
    rules = _Rules(course, student, variants, graded, ends, attempts)
    return Desk(rules.check, rules.given, rules.why)


class _Rules:
    """One student's assignment, as the notebook's own first cell tells it."""

    def __init__(
        self,
        course: str,
        student: str,
        variants: str,
        graded: bool,
        ends: datetime | None,
        attempts: int,
    ) -> None:
        self.course, self.student, self.variants = course, student, variants
        self.graded, self.ends, self.attempts = graded, ends, attempts

    def given(self, problem: str) -> Said:
        """The numbers of a problem, as they are for this student."""
        name = str(problem).strip()
        if name not in problems.ORDER:
            return Said(unknown("problem", name, problems.ORDER))
        dealt = deal.dealt(name, whose(self.variants, self.course, self.student), self.course)
        session.deal(name, dealt)
        lines = tuple(f"{label}: {value}" for label, value in dealt.given.items())
        return Given(f"{name}  {dealt.title}", lines, numbers=dealt.numbers)

    def check(self, question: str, *answers: object, **parts: object) -> Any:
        """Note an answer and say how it was read; where it may be said, whether it is right."""
        number = str(question).strip()[:1]
        if number in problems.ORDER:
            self.given(number)
        found = session.find(question)
        if isinstance(found, str):
            return Verdict(UNREADABLE, found, name=_("question?"))
        verdict = session.judged(found, answers, parts)
        computed = _computed(found.id)
        if self.graded and (self.ends is None or datetime.now(UTC) < self.ends):
            return _noted(found, verdict, computed, self._until())
        if not self._counted(found.id, verdict):
            text = _("You have had the {n} verdicts that this question allows; the answer counts.")
            return _noted(found, verdict, computed, text.format(n=self.attempts))
        return verdict

    def why(self, question: str, text: str) -> Said:
        """Note a few words in answer to "why", for a person to read."""
        found = session.find(question)
        if isinstance(found, str):
            return Said(found)
        heading = _("{id}  why").format(id=found.id)
        if not isinstance(text, str) or not text.strip():
            return Said(heading, (_("Nothing is written here yet: a sentence or two will do."),))
        words = len(text.split())
        return Said(heading, (_("Noted, {n} words; a person will read them.").format(n=words),))

    def _until(self) -> str:
        if self.ends is None:
            return _("Whether it is right is said when the class is graded.")
        when = f"{self.ends:%Y-%m-%d %H:%M %Z}".strip()
        return _("Whether it is right is said after {when}.").format(when=when)

    def _counted(self, question: str, verdict: Verdict) -> bool:
        """Count a verdict; False when there were as many as are allowed already."""
        if not self.attempts or verdict.outcome in (UNATTEMPTED, UNREADABLE):
            return True
        name = f"{self.course}, {self.student}: {question}"
        kept = store.load()
        tries = kept.get(name, {}).get("tries")
        before = tries if isinstance(tries, int) else 0
        if before >= self.attempts:
            return False
        store.save({**kept, name: {"tries": before + 1}})
        return True


def _moment(deadline: str) -> datetime | None:
    if not deadline:
        return None
    try:
        moment = datetime.fromisoformat(deadline)
    except (TypeError, ValueError):
        moment = None
    if moment is None or moment.tzinfo is None:
        example = "2027-01-15T23:59:00+01:00"
        text = _(
            "a deadline is a date and time with its time zone, such as {example}; got {given!r}"
        )
        raise ValueError(text.format(example=example, given=deadline))
    return moment


def _noted(question: Question, verdict: Verdict, computed: Mapping[str, str], last: str) -> Said:
    """How each part was read, and nothing about whether it is right."""
    if not verdict.parts:
        return Said(f"{question.id}  {verdict.mark}", (verdict.message,))
    lines = []
    for name, part in verdict.parts.items():
        if part.outcome == UNATTEMPTED:
            lines.append(_("{part}: still open").format(part=name))
        elif part.outcome == UNREADABLE:
            lines.append(_("{part}: could not be read. {why}").format(part=name, why=part.message))
        else:
            read = _("{part}: noted") if not part.echo else _("{part}: noted, read as {echo}")
            lines.append(read.format(part=name, echo=part.echo))
        if name in computed and part.outcome != UNATTEMPTED:
            lines.append(
                _(
                    "{part}: this answer comes out of your code, so grading has to run the "
                    "notebook. A formula as text or a number is read as it stands."
                ).format(part=name)
            )
    return Said(_("{id}  noted").format(id=question.id), (*lines, last))


# Can it be read without running it?


def _computed(question: str) -> dict[str, str]:
    """The parts of a question whose answer, as the cells stand, only a run can tell."""
    cells = _cells()
    if not cells:  # not in a notebook
        return {}
    from rooflib.classroom.literal.reading import readable

    found = readable(cells, question)
    return {part: answer["code"] for part, answer in found.items() if "code" in answer}


def _cells() -> list[str]:
    """The running cell, and before it the earlier ones that it did not replace."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return []
    kept: list[str] = []
    seen: set[str] = set()
    for source in reversed(shell.history_manager.input_hist_raw):
        names = _bound(source)
        if kept and (names & seen or not names):
            continue  # an earlier version of a cell that was run again, or nothing to look up
        seen |= names
        kept.append(source)
    return kept[::-1]


def _bound(source: str) -> set[str]:
    try:
        body: Iterable[ast.stmt] = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    targets = [t for node in body if isinstance(node, ast.Assign) for t in node.targets]
    return {target.id for target in targets if isinstance(target, ast.Name)}


__all__ = ["Desk", "open_desk"]
