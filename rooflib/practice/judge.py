"""Judge one part of an answer: known wrong answers first, then the right one, then diagnosis.

The order matters. A known slip may lie within a tolerance of the right answer, and a slip that
is recognised gets a better question than any general rule could ask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rooflib.i18n import _
from rooflib.practice import diagnose
from rooflib.practice.algebra import Formula
from rooflib.practice.decide import near, same
from rooflib.practice.given_answer import Answer, as_formula_answer, as_number_answer
from rooflib.practice.quantity import WrongUnit
from rooflib.practice.question import (
    ChoicePart,
    FormulaPart,
    FunctionPart,
    NumberPart,
    Part,
    PlotPart,
    Question,
    Wrong,
)
from rooflib.practice.tokens import Unreadable
from rooflib.practice.verdict import PARTLY, RIGHT, UNATTEMPTED, UNDECIDED, UNREADABLE, WRONG
from rooflib.practice.verdict import Verdict as V

FORMULA_TOLERANCE = Fraction(1, 200)
# A known wrong number is recognised when it is this close, and closer than to the right one.
KNOWN_TOLERANCE = Fraction(1, 400)


def is_blank(answer: object) -> bool:
    """Whether there is no answer yet: `...`, None, or empty text."""
    return answer is ... or answer is None or (type(answer) is str and not answer.strip())


def judge(question: Question, answers: Mapping[str, object]) -> dict[str, V]:
    """The verdict on every part of a question, by name."""
    read: dict[str, Answer | V] = {}
    for part in question.parts:
        answer = answers.get(part.name)
        read[part.name] = (
            V(UNATTEMPTED, "", name=part.name) if is_blank(answer) else _read(part, answer)
        )
    values = {name: a.value for name, a in read.items() if isinstance(a, Answer)}
    judged: dict[str, V] = {}
    for part in question.parts:
        found = read[part.name]
        judged[part.name] = found if isinstance(found, V) else _judge(part, found, values)
    for together in question.together:
        if all(_is(values.get(name), value) for name, value in together.values.items()):
            was = judged[together.on]
            judged[together.on] = V(
                WRONG, together.says, name=was.name, echo=was.echo, key=together.key
            )
    return judged


def _is(given: object, value: object) -> bool:
    """Whether a part's answer is the value of a known wrong set."""
    if isinstance(given, Fraction) and isinstance(value, (int, float, Fraction)):
        return close(given, value, KNOWN_TOLERANCE)
    return type(given) is type(value) and bool(given == value)


def _read(part: Part, answer: object) -> Answer | V:
    try:
        match part:
            case FormulaPart():
                return as_formula_answer(answer, part)
            case NumberPart():
                return as_number_answer(answer, part)
            case ChoicePart():
                from rooflib.practice.choose import as_choice

                return as_choice(answer, part)
            case _:
                return Answer(answer, "")
    except Unreadable as error:
        return V(UNREADABLE, error.shown(), name=part.name)
    except WrongUnit as error:
        return V(WRONG, str(error), name=part.name, key="unit")


def _judge(part: Part, answer: Answer, values: Mapping[str, object]) -> V:
    match part:
        case FormulaPart():
            return _judge_formula(part, answer, values)
        case NumberPart():
            return _judge_number(part, answer)
        case ChoicePart():
            return _judge_choice(part, answer)
        case FunctionPart():
            from rooflib.practice.judge_function import judge_function

            return judge_function(part, answer.value)
        case PlotPart():
            from rooflib.practice.judge_plot import judge_plot

            return judge_plot(part, answer.value)


# Formulas


def _judge_formula(part: FormulaPart, answer: Answer, values: Mapping[str, object]) -> V:
    value = answer.value
    assert isinstance(value, Formula)
    undecided = False
    for exactly in (True, False):
        known = [w for w in part.wrongs if _matches(value, w.value, part, exactly)]
        if known:
            return recognised(part, known, answer.echo)
        for right in (part.right, *part.also):
            decision = same(value, right) if exactly else None
            if decision is None:
                if part.rates and near(value, right, FORMULA_TOLERANCE):
                    return V(RIGHT, part.why, 1.0, name=part.name, echo=answer.echo, key="right")
                continue
            if decision.same:
                return V(RIGHT, part.why, 1.0, name=part.name, echo=answer.echo, key="right")
            undecided |= decision.same is None
    if undecided:
        why = _(
            "I cannot decide whether this is the same for every size. Can you write it without "
            "max, min and abs inside one another?"
        )
        return V(UNDECIDED, why, name=part.name, echo=answer.echo, key="undecided")
    if part.follows is not None:
        own = {n: v for n, v in values.items() if isinstance(v, Formula) and n != part.name}
        expected = part.follows(own)
        if expected is not None and same(value, expected).same:
            why = _(
                "This follows from your other answers, so the step is the right one; "
                "which of them needs another look?"
            )
            return V(PARTLY, why, 0.5, name=part.name, echo=answer.echo, key="follows")
    key, message = diagnose.formula(value, part)
    return V(WRONG, message, name=part.name, echo=answer.echo, key=key)


def _matches(value: Formula, wrong: object, part: FormulaPart, exactly: bool) -> bool:
    assert isinstance(wrong, Formula)
    if exactly:
        return same(value, wrong).same is True
    return bool(part.rates) and near(value, wrong, KNOWN_TOLERANCE)


def recognised(part: Part, wrongs: Sequence[Wrong], echo: str) -> V:
    """One message for all the slips that lead to this answer."""
    asks = list(dict.fromkeys(w.ask for w in wrongs))
    causes = list(dict.fromkeys(w.right_for for w in wrongs))
    if len(causes) == 1:
        text = _("That is right for {what}. {ask}").format(what=causes[0], ask=" ".join(asks))
    else:
        listed = _("; and also for ").join(causes)
        text = _("More than one route leads here. That is right for {what}. {ask}").format(
            what=listed, ask=" ".join(asks)
        )
    credit = max(w.credit for w in wrongs)
    key = " & ".join(w.key for w in wrongs)
    return V(PARTLY if credit else WRONG, text, credit, name=part.name, echo=echo, key=key)


# Numbers


def close(value: Fraction, other: float | Fraction, tolerance: Fraction) -> bool:
    """Within a relative tolerance; there is no absolute one."""
    target = Fraction(other)
    return abs(value - target) <= tolerance * abs(target)


def _accepts(value: Fraction, right: float | Fraction, part: NumberPart, tol: Fraction) -> bool:
    if close(value, right, tol):
        return True
    target = Fraction(right)
    return part.up and value == -(-target.numerator // target.denominator)


def _judge_number(part: NumberPart, answer: Answer) -> V:
    value = answer.value
    assert isinstance(value, Fraction)
    echo = answer.echo
    rights = (part.right, *part.also)
    distance = min(abs(value - Fraction(r)) for r in rights)
    known = [
        w
        for w in part.wrongs
        if _accepts(value, w.value, part, KNOWN_TOLERANCE)
        and abs(value - Fraction(w.value)) < distance
    ]
    if known:
        return recognised(part, known, echo)
    if any(_accepts(value, right, part, part.tolerance) for right in rights):
        if part.above and answer.relation == "<":
            why = _(
                "The number stands. On which side of it is the operation compute-bound: when "
                "each byte feeds more arithmetic, or less?"
            )
            return V(PARTLY, why, 0.5, name=part.name, echo=echo, key="direction")
        return V(RIGHT, part.why, 1.0, name=part.name, echo=echo, key="right")
    if any(value == Fraction(r) for r in part.rounded):
        why = _("That is right to the chapter's own rounding. What are its first three digits?")
        return V(PARTLY, why, 0.5, name=part.name, echo=echo, key="rounded")
    key, message = diagnose.number(value, part)
    return V(WRONG, message, name=part.name, echo=echo, key=key)


def _judge_choice(part: ChoicePart, answer: Answer) -> V:
    if answer.value == part.right:
        return V(RIGHT, part.why, 1.0, name=part.name, echo=answer.echo, key="right")
    return recognised(part, [w for w in part.wrongs if w.value == answer.value], answer.echo)


__all__ = ["close", "is_blank", "judge"]
