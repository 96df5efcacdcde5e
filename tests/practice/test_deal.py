"""Variants: the same for the same student, different between students, and fair."""

import random
import subprocess
import sys

import pytest

from rooflib.practice import check, given, problems
from rooflib.practice.deal import APART, dealt, faults
from rooflib.practice.question import FormulaPart, NumberPart

ALL = pytest.mark.parametrize("problem", problems.ORDER)


@ALL
def test_the_book_is_the_default(problem):
    assert dealt(problem, None) is problems.book(problem)
    assert problems.book(problem).numbers == problems.module(problem).BOOK


@ALL
def test_the_same_student_gets_the_same_numbers(problem):
    first, again = dealt(problem, "ada", "c1"), dealt(problem, " Ada ", "C1")
    assert first.numbers == again.numbers
    assert first.given == again.given


def test_another_session_deals_the_same():
    code = "from rooflib.practice import given; print(given('3', student='ada', course='x'))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "ROOFLIB_PROGRESS": "none"},
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
    assert str(given("3", student="ada", course="x")) in seen.pop()


@ALL
def test_students_and_courses_differ(problem):
    dealt_numbers = {repr(dealt(problem, f"student {i}").numbers) for i in range(24)}
    assert len(dealt_numbers) >= 8
    assert len({repr(dealt(problem, "ada", f"c{i}").numbers) for i in range(8)}) >= 3


@ALL
def test_every_variant_is_fair(problem):
    """Some rolls for each problem here; the benchmark rolls thousands."""
    for i in range(40):
        variant = dealt(problem, f"s{i}", "fairness")
        assert faults(variant) == []
        for question in variant.questions:
            for part in question.parts:
                check_apart(question.id, part)


def check_apart(where, part):
    """TEACHING's rule, written out once more without the code that deals."""
    for wrong in part.wrongs:
        if isinstance(part, NumberPart):
            gap = abs(float(wrong.value) / float(part.right) - 1)
            assert gap >= APART * float(part.tolerance) * 0.999, (where, part.name, wrong.key)
        elif isinstance(part, FormulaPart):
            assert wrong.value != part.right


@pytest.mark.parametrize("problem", ["1", "3", "4", "6"])
def test_sizes_are_neither_equal_nor_halves_nor_doubles(problem):
    for i in range(30):
        n = dealt(problem, f"s{i}", "sizes").numbers
        pairs = {
            "1": [(n.B, n.D), (n.D, n.F), (n.B, n.F)] if problem == "1" else [],
            "3": [n.big, n.small] if problem == "3" else [],
            "4": [(n.D, n.F)] if problem == "4" else [],
            "6": [(n.B, n.D), (n.D, n.F), (n.B, n.F)] if problem == "6" else [],
        }[problem]
        assert pairs
        for a, b in pairs:
            assert a / b not in (0.5, 1, 2)
            assert problem in "16" or a % 128 == b % 128 == 0


def test_an_unfair_variant_is_noticed():
    file = problems.module("3")
    square = file.Numbers(big=(4096, 4096), small=(1024, 1024))
    assert not file.well_posed(square)
    v4p = problems.module("2").Numbers(
        machine=problems.module("2").Machine("v4p", 1.2e12, 2.75e14, 2.75e14)
    )
    assert any("too close" in fault for fault in faults(problems.module("2").build(v4p)))


@ALL
def test_checks_follow_the_variant(problem):
    given(problem, student="ada")
    variant = dealt(problem, "ada")
    moved = 0
    for question in variant.questions:
        for part in question.parts:
            if not isinstance(part, NumberPart):
                continue
            verdict = check(question.id, **{part.name: float(part.right)}).parts[part.name]
            assert verdict.outcome == "right", (question.id, part.name, verdict)
            for wrong in part.wrongs:
                verdict = check(question.id, **{part.name: float(wrong.value)}).parts[part.name]
                assert wrong.key in verdict.key.split(" & "), (wrong.key, verdict.key)
            book = next(q for q in problems.book(problem).questions if q.id == question.id)
            moved += abs(float(book.part(part.name).right) / float(part.right) - 1) > 0.01
    assert moved
    given(problem)
    for question in problems.book(problem).questions:
        for part in question.parts:
            if isinstance(part, NumberPart):
                verdict = check(question.id, **{part.name: float(part.right)}).parts[part.name]
                assert verdict.outcome == "right"


@pytest.mark.parametrize("student", [3, ["ada"], b"ada", True])
def test_a_student_is_named_by_text(student):
    with pytest.raises(ValueError, match="student must be text"):
        dealt("1", student)
    assert "must be text" in str(given("1", student=student))


def test_rolls_have_a_spread():
    """Nobody gets a trivial or freak case: exact over approximate stays between 1.05 and 2."""
    file = problems.module("3")
    for i in range(30):
        n = dealt("3", f"s{i}").numbers
        rule = n.machine.ridge / 2
        for D, F in (n.big, n.small):
            assert 1.0 < file.crossing(n, D, F) / rule < 2.5


def test_deal_is_a_function_of_its_roll():
    for problem in problems.ORDER:
        file = problems.module(problem)
        assert file.deal(random.Random(7)) == file.deal(random.Random(7))
