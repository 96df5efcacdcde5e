"""hint, solution, progress and given: what the reader may ask back."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from rooflib.i18n import _
from rooflib.practice import problems, session, store
from rooflib.practice.question import Problem, show
from rooflib.practice.verdict import RIGHT, Verdict, markdown_escaped


@dataclass(frozen=True)
class Said:
    """A few lines of text with a heading, for a terminal, a notebook and a screen reader."""

    heading: str
    lines: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "\n".join([self.heading, *(f"  {line}" for line in self.lines)])

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(line)}</li>" for line in self.lines)
        body = f"<ul>{items}</ul>" if items else ""
        return f"<div><strong>{html.escape(self.heading)}</strong>{body}</div>"

    def _repr_markdown_(self) -> str:
        lines = [f"- {markdown_escaped(line)}" for line in self.lines]
        return "\n".join([f"**{markdown_escaped(self.heading)}**", "", *lines])


# How many hints were asked for in this session, and for which solutions a first time.
_hints: dict[str, int] = {}
_asked: set[str] = set()


def hint(question: str) -> Said:
    """The next hint for a question; each call says more, and the last one stays."""
    found = session.find(question)
    if isinstance(found, str):
        return Said(found)
    level = min(_hints.get(found.id, 0), len(found.hints) - 1)
    _hints[found.id] = level + 1
    heading = _("{id}  hint {n} of {all}").format(id=found.id, n=level + 1, all=len(found.hints))
    lines = [found.hints[level]]
    if level == len(found.hints) - 1:
        lines.append(
            _('That is the last hint; solution("{id}") shows the way.').format(id=found.id)
        )
    return Said(heading, tuple(lines))


def solution(question: str) -> Said:
    """How a question is worked out: once it is right, or when asked for a second time."""
    found = session.find(question)
    if isinstance(found, str):
        return Said(found)
    passed = session.state_of(store.load().get(found.id)) == RIGHT
    if not passed and found.id not in _asked:
        _asked.add(found.id)
        text = _(
            'Not answered yet. A hint may do: hint("{id}"). To see the solution all the same, ask '
            "once more."
        )
        return Said(_("{id}  solution").format(id=found.id), (text.format(id=found.id),))
    answers = [f"{part.name} = {shown}" for part in found.parts if (shown := show(part))]
    return Said(_("{id}  solution").format(id=found.id), (found.solution, *answers, found.why))


def progress(reset: bool = False) -> Said:
    """Where each question stands. reset=True forgets it all and begins again."""
    if reset:
        store.reset()
        forget()
    kept = store.load()
    lines: list[str] = []
    done = total = 0
    for number in problems.ORDER:
        problem = session.current(number)
        states = []
        for question in problem.questions:
            state = session.state_of(kept.get(question.id))
            states.append(f"{question.id} {Verdict(state, '').mark}")
            done += state == RIGHT
            total += 1
        lines.append(f"{number} {problem.title}: " + "  ".join(states))
    return Said(_("{done} of {total} questions right").format(done=done, total=total), tuple(lines))


def forget() -> None:
    """What this session remembers besides the file: hints shown, solutions asked for."""
    _hints.clear()
    _asked.clear()


@dataclass(frozen=True)
class Given(Said):
    """The numbers of a problem, as text and as `numbers` for calculation."""

    numbers: Any = None

    __repr__ = Said.__repr__


def given(problem: str, student: str | None = None, course: str = "") -> Said:
    """The numbers of a problem: the book's, or for a `student` others, always the same ones."""
    from rooflib.practice import deal

    name = str(problem).strip()
    if name not in problems.ORDER:
        listed = ", ".join(problems.ORDER)
        return Said(
            _("There is no problem {name}; there are {listed}.").format(name=name, listed=listed)
        )
    try:
        dealt: Problem = deal.dealt(name, student, course)
    except ValueError as error:
        return Said(str(error))
    session.deal(name, dealt)
    lines = tuple(f"{label}: {value}" for label, value in dealt.given.items())
    return Given(f"{name}  {dealt.title}", lines, numbers=dealt.numbers)
