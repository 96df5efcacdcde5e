"""What holds of every problem, whoever wrote it: each is data, and this is its compiler."""

import math
import re
from fractions import Fraction
from pathlib import Path

import jupytext
import pytest

from rooflib.exercise import derive
from rooflib.practice import check, hint, problems, session, solution
from rooflib.practice.algebra import Formula
from rooflib.practice.question import ChoicePart, FormulaPart, FunctionPart, NumberPart, PlotPart

BOOK = Path(__file__).parents[2]
QUESTIONS = [q for number in problems.ORDER for q in problems.book(number).questions]
PARTS = [(q, p) for q in QUESTIONS for p in q.parts]
PART_IDS = [f"{q.id}-{p.name}" for q, p in PARTS]


def verdict(question, part, answer):
    return check(question.id, **{part.name: answer}).parts[part.name]


def as_answer(part, value):
    """A right or wrong value in the shape in which a reader would give it."""
    return str(value) if isinstance(value, Formula) else value


def test_there_is_something_to_check():
    assert len(problems.ORDER) >= 1
    assert len(QUESTIONS) >= 4
    assert sum(len(p.wrongs) for _q, p in PARTS) >= 80


@pytest.mark.parametrize("question, part", PARTS, ids=PART_IDS)
def test_right_answers_are_right(question, part):
    if isinstance(part, (PlotPart, FunctionPart)):
        pytest.skip("judged in tests of its own kind")
    rights = [part.right, *getattr(part, "also", ())]
    for right in rights:
        found = verdict(question, part, as_answer(part, right))
        assert found.outcome == "right", found.message


@pytest.mark.parametrize("question, part", PARTS, ids=PART_IDS)
def test_each_wrong_answer_gets_its_own_message_and_no_other(question, part):
    if isinstance(part, (PlotPart, FunctionPart)):
        pytest.skip("judged in tests of its own kind")
    for wrong in part.wrongs:
        found = verdict(question, part, as_answer(part, wrong.value))
        assert found.outcome == ("partly" if wrong.credit else "wrong"), wrong.key
        keys = found.key.split(" & ")
        assert wrong.key in keys, (wrong.key, found.key)
        assert wrong.ask in found.message
        said = " ".join(w.ask for w in part.wrongs if w.key in keys)
        for other in part.wrongs:
            if other.key not in keys:
                assert other.value != wrong.value
                assert other.ask not in found.message or other.ask in said


@pytest.mark.parametrize("question, part", PARTS, ids=PART_IDS)
def test_each_wrong_answer_ends_in_a_question(question, part):
    for wrong in part.wrongs:
        assert wrong.ask.endswith("?"), wrong
        assert wrong.right_for, wrong
        assert not wrong.right_for.endswith("."), wrong


def shapes(part):
    """How the right answer of a part could look inside a sentence."""
    if isinstance(part, FormulaPart):
        if part.right.as_number() is not None:
            return {f"{float(part.right.as_number()):g}"}
        text = str(part.right)
        named = {name for name, value in part.names.items() if value == part.right}
        texts = {text, text.replace("·", "*"), text.replace("·", ""), *named}
        return texts | {t.replace(" ", "") for t in texts} | {t.replace("^", "**") for t in texts}
    if isinstance(part, NumberPart):
        found = set()
        for right in (part.right, *part.also):
            value = float(right)
            found |= {f"{value:.{n}g}" for n in (3, 4, 5, 6)} | {str(value), repr(value)}
            if part.unit == "share":
                found |= {f"{100 * value:.{n}f}" for n in (0, 1, 2)}
            elif abs(value) < 1e7:
                found |= {str(round(value)), f"{round(value):,}"}
            if part.up:
                found.add(str(math.ceil(value)))
        return found
    return set()


def names(text, shape):
    """Whether the text holds the shape as a whole token."""
    return re.search(rf"(?<![\w.·*/^]){re.escape(shape)}(?![\w·*/^]|\.\d)", text) is not None


def test_the_whole_token_test_sees_tokens():
    assert names("it is 240, so", "240")
    assert names("B > 240.", "240")
    assert not names("it is 2400", "240")
    assert not names("1.240", "240")
    assert names("so 2B tokens", "2B")
    assert not names("2BDF", "2B")


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_no_message_names_a_right_answer_of_an_open_part(question):
    """Hints and wrong answers may name none at all; what is said when right, none of another."""
    problem = problems.book(question.id[0])
    every = {(q.id, p.name): shapes(p) for q in problem.questions for p in q.parts}
    for part in question.parts:
        for wrong in part.wrongs:
            said = verdict(question, part, as_answer(part, wrong.value)).message
            own = shapes_of_value(part, wrong.value)
            for where, found in every.items():
                for shape in found - own:
                    assert not names(said, shape), (said, shape, where)
        for where, found in every.items():
            if where != (question.id, part.name):
                for shape in found - every[question.id, part.name]:
                    assert not names(part.why, shape), (part.why, shape, where)
    for text in question.hints:
        for where, found in every.items():
            for shape in found:
                assert not names(text, shape), (text, shape, where)
    for text in (question.asks, question.why, question.look_next):
        for where, found in every.items():
            if where[0] != question.id:
                for shape in found - set().union(
                    *(every[question.id, p.name] for p in question.parts)
                ):
                    assert not names(text, shape), (text, shape, where)


def shapes_of_value(part, value):
    """What the reader typed may be said back."""
    if isinstance(value, (int, float, Fraction)) and isinstance(part, NumberPart):
        return shapes(NumberPart("", "", value))
    return set()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_hints_are_questions_first_and_the_solution_is_not_given_at_once(question):
    assert len(question.hints) >= 2
    assert question.hints[0].rstrip(".").count("?") >= 1 or "Write" in question.hints[0]
    seen = [str(hint(question.id)) for _ in question.hints]
    assert len(set(seen)) == len(seen)
    assert str(hint(question.id)) == seen[-1]
    first = str(solution(question.id))
    assert question.solution not in first
    assert question.solution in str(solution(question.id))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_a_question_is_complete(question):
    assert question.id[0] in problems.ORDER
    assert question.asks
    assert question.why
    assert question.solution
    assert len({p.name for p in question.parts}) == len(question.parts)
    for part in question.parts:
        assert part.asks
        assert part.why
        keys = [w.key for w in part.wrongs]
        assert len(set(keys)) == len(keys), keys
        if isinstance(part, ChoicePart):
            assert {w.value for w in part.wrongs} == set(part.choices) - {part.right}


def test_wrong_answers_differ_from_the_right_one():
    for question, part in PARTS:
        for wrong in part.wrongs:
            if isinstance(part, NumberPart):
                gap = abs(Fraction(wrong.value) / Fraction(part.right) - 1)
                assert gap > part.tolerance, (question.id, part.name, wrong.key)


def test_unknown_names_get_the_nearest():
    assert "Did you mean 1a, 1b, 1c, 1d, 1e?" in session.find("1z")
    assert "1a" in session.find(None)
    assert "read" in check("1a", reed="B").message
    assert check("1a", reed="B").outcome == "unreadable"


@pytest.mark.parametrize("problem", problems.ORDER)
def test_the_exercise_s_page_does_not_give_the_answers_away(problem):
    text = BOOK / "solutions" / "text" / f"problem_{problem}.md"
    page = derive(jupytext.read(text), text.name)
    said = "\n".join(cell.source for cell in page.cells)
    for question in problems.book(problem).questions:
        assert f'check("{question.id}"' in re.sub(r"check\(\s+", "check(", said)
        for part in question.parts:
            for shape in shapes(part):
                if len(shape) > 2:
                    assert not names(said, shape), (question.id, part.name, shape)


@pytest.mark.parametrize("problem", problems.ORDER)
def test_the_solution_s_page_answers_every_question(problem):
    text = (BOOK / "solutions" / "text" / f"problem_{problem}.md").read_text(encoding="utf-8")
    for question in problems.book(problem).questions:
        call = re.search(rf'check\(\s*"{question.id}".*?\n```', text, re.DOTALL)
        assert call, question.id
        for part in question.parts:
            assert f"{part.name}=" in call.group(), (question.id, part.name)
