"""Judge what one student answered, by the numbers that this student was given.

Nothing of the student's runs here: answers arrive in their wire form (`literal.answers`) and leave
as a record of plain data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rooflib.classroom.assignment import Assignment, AssignmentError
from rooflib.classroom.literal import answers as wire
from rooflib.classroom.results import record as records
from rooflib.i18n import _
from rooflib.names import unknown
from rooflib.practice import session
from rooflib.practice.given_answer import as_formula_answer, as_number_answer
from rooflib.practice.judge import judge
from rooflib.practice.question import (
    ChoicePart,
    FormulaPart,
    NumberPart,
    Part,
    Problem,
    Question,
    show,
)
from rooflib.practice.verdict import RIGHT, UNATTEMPTED, UNDECIDED, UNREADABLE, Verdict

Answers = Mapping[str, Mapping[str, wire.Wire]]  # by question, then by part ("" by position)


@dataclass(frozen=True)
class Decisions:
    """What a teacher decided for the whole class.

    accept: part ("2c.batch") to the answers that count as right too. drop: questions or parts
    that do not count.
    """

    accept: Mapping[str, Sequence[str]]
    drop: Sequence[str] = ()

    def of(self, problem: str) -> list[object]:
        """Those that concern one problem, as plain data."""
        accept = sorted((k, list(v)) for k, v in self.accept.items() if k.startswith(problem))
        return [accept, sorted(name for name in self.drop if name.startswith(problem))]


NOTHING = Decisions({})


def place(name: str, assignment: Assignment, student: str = "") -> tuple[Question, Part | None]:
    """The question or part that a decision names: "2c", "2c.batch"; a lone part by its question.

    Raises AssignmentError with the valid names.
    """
    questions = [q for n in assignment.problems for q in assignment.problem(n, student).questions]
    number, _dot, part = name.strip().partition(".")
    found = next((q for q in questions if q.id == number.lower()), None)
    if found is None:
        raise AssignmentError(unknown("question", number, [q.id for q in questions]))
    if part:
        names = [p.name for p in found.parts]
        if part not in names:
            raise AssignmentError(unknown(f"part of {found.id}", part, names))
        return found, found.part(part)
    return found, found.parts[0] if len(found.parts) == 1 else None


def mark(
    problem: Problem, assignment: Assignment, answers: Answers, decisions: Decisions = NOTHING
) -> dict[str, records.Question]:
    """The record of one problem, by question."""
    return {q.id: _question(q, assignment, answers, decisions) for q in problem.questions}


def _question(
    question: Question, assignment: Assignment, answers: Answers, decisions: Decisions
) -> records.Question:
    given = dict(answers.get(question.id, {}))
    verdicts = _verdicts(question, given)
    each = assignment.worth(question) / len(question.parts)
    dropped = question.id in decisions.drop
    parts: dict[str, records.Part] = {}
    for part in question.parts:
        verdict = verdicts[part.name]
        answer = given.get(part.name) or (given.get("") if len(question.parts) == 1 else None)
        name = f"{question.id}.{part.name}"
        accepted = verdict.outcome != RIGHT and any(
            _is(part, answer, other) for other in decisions.accept.get(name, ())
        )
        if accepted:
            text = _("Accepted for the whole class.")
            verdict = replace(verdict, outcome=RIGHT, score=1.0, message=text)
        parts[part.name] = {
            "outcome": verdict.outcome,
            "score": verdict.score,
            "points": 0.0 if dropped or name in decisions.drop else each,
            "answer": records.shown(answer),
            "echo": verdict.echo,
            "message": verdict.message,
            "key": verdict.key,
            "accepted": accepted,
            "override": None,
            "asks": part.asks,
            "right": show(part),
        }
    total = sum(part["points"] for part in parts.values())
    return {"asks": question.asks, "points": total, "dropped": dropped, "parts": parts}


def _verdicts(question: Question, given: Mapping[str, wire.Wire]) -> dict[str, Verdict]:
    """One for each part of the question, whatever was given."""
    settled: dict[str, Verdict] = {}
    values: dict[str, object] = {}
    for part in question.parts:
        answer = given.get(part.name)
        if answer is None:
            continue
        why = _unfit(answer)
        if why:
            settled[part.name] = Verdict(UNREADABLE, why, name=part.name, key=_key(answer))
        else:
            values[part.name] = wire.value(answer, part)
    slip = _slip(question, given)
    positional: tuple[object, ...] = ()
    if "" in given and not slip:
        lone = question.parts[0]
        why = _unfit(given[""])
        if why:
            settled[lone.name] = Verdict(UNREADABLE, why, name=lone.name, key=_key(given[""]))
        elif lone.name not in given:
            positional = (wire.value(given[""], lone),)
    judged = session.judged(question, positional, values)
    blank = Verdict(UNREADABLE, judged.message, key=judged.key) if not judged.parts else None
    found = {}
    for part in question.parts:
        verdict = settled.get(part.name) or blank or judged.parts[part.name]
        if slip and verdict.outcome == UNATTEMPTED:
            verdict = Verdict(UNREADABLE, slip, name=part.name)
        found[part.name] = verdict
    return found


def _slip(question: Question, given: Mapping[str, wire.Wire]) -> str:
    """What is wrong with the call itself: a part that is none, or answers without their part."""
    names = [part.name for part in question.parts]
    strange = [name for name in given if name and name not in names]
    if strange:
        return unknown(f"part of {question.id}", strange[0], names)
    if "" in given and len(names) > 1 and "blank" not in given[""]:
        return _("Answers were given without the names of their parts: {names}.").format(
            names=", ".join(names)
        )
    return ""


def _unfit(answer: wire.Wire) -> str:
    """Why this is nothing to judge, or ""."""
    if "odd" in answer:
        return _("This is {what}; an answer is text, a number or a formula.").format(
            what=answer["odd"]
        )
    if "code" in answer:
        return _("This answer comes out of code that was not run, or did not come to an end.")
    return ""


def _key(answer: wire.Wire) -> str:
    return "not run" if "code" in answer else "odd"


def _is(part: Part, answer: wire.Wire | None, accepted: str) -> bool:
    """Whether an answer says the same as one that the teacher accepts."""
    if answer is None or _unfit(answer) or "blank" in answer:
        return False
    try:
        wanted = _accepting(part, accepted)
    except ValueError:  # not an answer to this student's numbers
        return False
    if wanted is None:
        return False
    alone = Question("", "", (wanted,), (), "", "")
    return judge(alone, {part.name: wire.value(answer, part)})[part.name].outcome == RIGHT


def _accepting(part: Part, accepted: str) -> Part | None:
    """The same part with another right answer.

    Raises ValueError (`Unreadable`, `WrongUnit`) if it is no answer to this part.
    """
    match part:
        case FormulaPart():
            value = as_formula_answer(accepted, part).value
            return replace(part, right=value, also=(), wrongs=(), follows=None)
        case NumberPart():
            value = as_number_answer(accepted, part).value
            return replace(part, right=value, also=(), wrongs=(), up=False, rounded=())
        case ChoicePart():
            from rooflib.practice.choose import as_choice

            right = str(as_choice(accepted, part).value)
            return replace(part, right=right)
    return None


def acceptable(name: str, answer: str, assignment: Assignment) -> str:
    """The full name of the part for which `answer` can be accepted.

    Raises AssignmentError if there is no such part, or that is no answer to it.
    """
    question, part = place(name, assignment)
    if part is None:
        names = ", ".join(f"{question.id}.{p.name}" for p in question.parts)
        raise AssignmentError(_("say which part: {names}").format(names=names))
    try:
        found = _accepting(part, answer)
    except ValueError as error:
        raise AssignmentError(f"{question.id}.{part.name}: {error}") from error
    if found is None:
        text = _("{name} is answered by a function or a plot; use overrides.csv for it")
        raise AssignmentError(text.format(name=f"{question.id}.{part.name}"))
    return f"{question.id}.{part.name}"


def look(record: Mapping[str, records.Question]) -> list[str]:
    """Why a person should look at a problem's record, one sentence each."""
    found = []
    for number, question in record.items():
        for name, part in question["parts"].items():
            if part["outcome"] == UNDECIDED:
                text = _("{part}: cannot decide whether the answer is right: {answer}")
                found.append(text.format(part=f"{number}.{name}", answer=part["answer"]))
            elif part["key"] == "not run":
                text = _("{part}: the answer comes out of code that was not run to its end")
                found.append(text.format(part=f"{number}.{name}"))
    return found
