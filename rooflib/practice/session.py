"""The conversation: check, hint, solution, progress, given."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from rooflib.i18n import _
from rooflib.practice import problems, store
from rooflib.practice.judge import is_blank, judge
from rooflib.practice.question import Problem, Question
from rooflib.practice.verdict import (
    PARTLY,
    RIGHT,
    UNATTEMPTED,
    UNDECIDED,
    UNREADABLE,
    WRONG,
    Verdict,
)

# The problems as dealt in this session, where `given` dealt other numbers than the book's.
_dealt: dict[str, Problem] = {}


class NotRight(AssertionError):
    """Raised for graders only, by a check whose answer is not right."""


def current(problem: str) -> Problem:
    """The problem as it stands in this session."""
    return _dealt.get(problem) or problems.book(problem)


def deal(problem: str, dealt: Problem) -> None:
    """Judge by these numbers from now on."""
    _dealt[problem] = dealt


def find(question: str) -> Question | str:
    """The question of that name, or a sentence that says which there are."""
    from rooflib.names import nearest

    name = str.__str__(question).strip().lower() if issubclass(type(question), str) else None
    if name is not None:
        for number in problems.ORDER:
            if name.startswith(number):
                found = next((q for q in current(number).questions if q.id == name), None)
                if found is not None:
                    return found
    every = [q.id for number in problems.ORDER for q in current(number).questions]
    close = [q for q in every if name and q[0] == name[0]]
    if name and not close:
        close = nearest(name, every)
    text = _("There is no question {name}. ").format(name=repr(name) if name else _("of that name"))
    if close:
        return text + _("Did you mean {close}?").format(close=", ".join(close))
    return text + _("The questions are {every}.").format(every=", ".join(every))


def check(question: str, *answers: object, grader: str | None = None, **parts: object) -> Any:
    """Judge an answer: `check("1a", read="B*D", written="B*F")`; one part: `check("1b", "B*D")`.

    An answer is text such as "2*B*D*F", a number, a sympy expression, a function of the letters,
    or one of the choices. `...`, None and "" mean: not answered yet.

    Returns a `Verdict`; never raises for a slip in an answer. For graders: with
    grader="raise" it raises `NotRight` unless the answer is right, with grader="score" it
    returns the score as a float; ROOFLIB_GRADER in the environment sets the same.
    """
    found = find(question)
    if isinstance(found, str):
        verdict = Verdict(UNREADABLE, found, name=_("question?"))
    else:
        verdict = judged(found, answers, parts)
        _remember(found, verdict)
    mode = grader or os.environ.get("ROOFLIB_GRADER", "")
    if mode == "raise" and verdict.outcome != RIGHT:
        raise NotRight(repr(verdict))
    return float(verdict.score) if mode == "score" else verdict


def judged(question: Question, answers: tuple[object, ...], parts: Mapping[str, object]) -> Verdict:
    """The verdict on a question, from answers by position and by the name of their part."""
    given, slip = _assign(question, answers, parts)
    if slip:
        return Verdict(UNREADABLE, slip, name=question.id)
    try:
        return _whole(question, judge(question, given))
    except (Exception, SystemExit):  # an object of the reader's that misbehaves even when looked at
        text = _("I could not read this answer. Is it text, a number or a formula?")
        return Verdict(UNREADABLE, text, name=question.id, key="fault")


def _assign(
    question: Question, answers: tuple[object, ...], parts: Mapping[str, object]
) -> tuple[dict[str, object], str]:
    """The answers by part, and what is wrong with the call."""
    from rooflib.names import nearest

    names = [part.name for part in question.parts]
    listed = ", ".join(f"{name}=..." for name in names)
    for name in parts:
        if name not in names:
            close = nearest(name, names)
            text = _("{id} has no part {name}; its parts are {names}.").format(
                id=question.id, name=name, names=", ".join(names)
            )
            return {}, text + (
                " " + _("Did you mean {close}?").format(close=close[0]) if close else ""
            )
    blank = all(is_blank(answer) for answer in answers)
    if len(answers) > len(names) or (len(names) > 1 and answers and not blank):
        text = _('Name the parts, so that none is mistaken for another: check("{id}", {parts})')
        return {}, text.format(id=question.id, parts=listed)
    return {**(dict(zip(names, answers, strict=False)) if not blank else {}), **parts}, ""


def _whole(question: Question, parts: dict[str, Verdict]) -> Verdict:
    """The verdict on the question from those on its parts."""
    outcomes = {v.outcome for v in parts.values()}
    score = sum(v.score for v in parts.values()) / len(parts)
    if outcomes == {RIGHT}:
        outcome = RIGHT
    elif score > 0:
        outcome = PARTLY
    else:
        order = (WRONG, UNDECIDED, UNREADABLE, UNATTEMPTED)
        outcome = next(o for o in order if o in outcomes)
    lines = [v.message for v in parts.values() if v.message and v.outcome != UNATTEMPTED]
    if outcome == RIGHT:
        lines += [question.why]
        if question.look_next:
            lines.append(_("Next: {look}").format(look=question.look_next))
    elif outcome == UNATTEMPTED:
        lines = [
            _('Nothing is answered here yet. {asks} hint("{id}") helps to begin.').format(
                asks=question.asks, id=question.id
            )
        ]
    else:
        open_ = [n for n, v in parts.items() if v.outcome == UNATTEMPTED]
        if open_:
            lines.append(_("Still to answer: {names}.").format(names=", ".join(open_)))
    text = "\n".join(line for line in lines if line)
    key = next(iter(parts.values())).key if len(parts) == 1 else ""
    return Verdict(outcome, text, score, parts, name=question.id, key=key)


def _remember(question: Question, verdict: Verdict) -> None:
    if verdict.outcome in (UNATTEMPTED, UNREADABLE, UNDECIDED):
        return
    kept = store.load()
    entry = kept.get(question.id, {})
    tries = entry.get("tries")
    best = entry.get("score")
    best = best if isinstance(best, (int, float)) else 0.0
    state = RIGHT if RIGHT in (entry.get("state"), verdict.outcome) else verdict.outcome
    new = {
        **entry,
        "tries": (tries if isinstance(tries, int) else 0) + 1,
        "score": max(best, verdict.score),
        "state": state,
    }
    if entry.get("state") == RIGHT == state:
        return  # nothing new: a saved notebook run again leaves the file as it is
    store.save({**kept, question.id: new})


def state_of(entry: object) -> str:
    """The state that a stored entry says, whatever was stored."""
    state = entry.get("state") if isinstance(entry, dict) else None
    return state if state in (RIGHT, PARTLY, WRONG) else UNATTEMPTED
