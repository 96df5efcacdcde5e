"""`assignment.toml`: every setting read, every slip told."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.classroom.assignment import (
    VARIANTS,
    Assignment,
    AssignmentError,
    load,
    whose,
    written,
)
from rooflib.practice import deal, problems
from rooflib.practice.question import NumberPart

PLAIN = Assignment("ROOF 101", ("1", "2"))


def from_text(tmp_path, text):
    path = tmp_path / "assignment.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


@given(
    course=st.text(min_size=1).filter(str.strip),
    numbers=st.lists(st.sampled_from("12345678"), min_size=1, unique=True),
    variants=st.sampled_from(VARIANTS),
    graded=st.booleans(),
    deadline=st.none() | st.datetimes(timezones=st.just(timezone(timedelta(hours=1)))),
    attempts=st.integers(0, 99),
)
def test_what_is_written_is_read_back(
    tmp_path_factory, course, numbers, variants, graded, deadline, attempts
):
    first = problems.book(numbers[0]).questions[0].id
    assignment = Assignment(
        course, tuple(numbers), variants, graded, deadline, attempts,
        {first: 2.5}, {first: 0.01}, (first,),
    )  # fmt: skip
    assert from_text(tmp_path_factory.mktemp("a"), written(assignment)) == assignment


def test_the_least_file(tmp_path):
    assert from_text(tmp_path, 'course = "ROOF 101"\nproblems = [1, "2"]\n') == PLAIN


@pytest.mark.parametrize(
    "text, says",
    [
        ("problems = [1]", "course is missing"),
        ('course = "X"', "problems is missing"),
        ('course = " "\nproblems = [1]', "needs the name"),
        ('course = "X"\nproblems = []', "at least one problem"),
        ('course = "X"\nproblems = [9]', "unknown problem '9'; valid: 1, 2, 3"),
        ('course = "X"\nproblems = [1, 1]', "listed twice"),
        ('course = "X"\nproblems = 1', "problems is a list; got 1"),
        ("course = 3\nproblems = [1]", "course is text; got 3"),
        ('course = "X"\nproblems = [1]\nvariant = "class"', "did you mean variants?"),
        ('course = "X"\nproblems = [1]\nvariants = "clas"', "Did you mean 'class'?"),
        ('course = "X"\nproblems = [1]\ngraded = 1', "graded is true or false; got 1"),
        ('course = "X"\nproblems = [1]\nattempts = true', "attempts is a whole number; got True"),
        ('course = "X"\nproblems = [1]\nattempts = -1', "cannot be below 0"),
        ('course = "X"\nproblems = [1]\ndeadline = "tomorrow"', "deadline is a date and time"),
        ('course = "X"\nproblems = [1]\ndeadline = 2027-01-15T23:59:00', "needs its time zone"),
        ('course = "X"\nproblems = [1]\n[points]\n"2a" = 1', "points: unknown question '2a'"),
        ('course = "X"\nproblems = [1]\n[points]\n"1a" = -1', "a number from 0 up; got -1"),
        ('course = "X"\nproblems = [1]\n[points]\n"1a" = "two"', "is a number; got 'two'"),
        ('course = "X"\nproblems = [1]\n[points]\n"1a" = nan', "a number from 0 up; got nan"),
        ('course = "X"\nproblems = [1]\n[tolerance]\n"1e" = 0.5', "up to 0.015"),
        ('course = "X"\nproblems = [1]\n[tolerance]\n"1e" = 0', "above 0"),
        ('course = "X"\nproblems = [1]\nwhy = ["7z"]', "why: unknown question '7z'"),
        ("course = ", "Invalid value"),
    ],
)
def test_a_slip_is_told_with_its_file(tmp_path, text, says):
    with pytest.raises(AssignmentError) as raised:
        from_text(tmp_path, text)
    assert says in str(raised.value)
    assert "assignment.toml" in str(raised.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(AssignmentError, match="No such file"):
        load(tmp_path / "none.toml")


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "assignment.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AssignmentError, match=r"assignment\.toml"):
        load(tmp_path / "assignment.toml")


def test_who_shares_the_numbers():
    assert whose("student", "C", "ada") == "ada"
    assert whose("class", "C", "ada") == whose("class", "C", "bob")
    assert whose("book", "C", "ada") is None
    own = [PLAIN.problem("1", s).numbers for s in ("ada", "bob")]
    assert own[0] != own[1]
    assert own[0] == deal.dealt("1", "ada", "ROOF 101").numbers
    shared = replace(PLAIN, variants="class")
    assert shared.problem("1", "ada").numbers == shared.problem("1", "bob").numbers
    assert replace(PLAIN, variants="book").problem("1", "ada").numbers == problems.book("1").numbers


def test_points_and_tolerance():
    loose = replace(PLAIN, points={"1a": 3.0}, tolerance={"1e": 0.01})
    first, *_rest, last = loose.problem("1", "ada").questions
    assert loose.worth(first) == 3.0
    assert loose.worth(last) == len(last.parts)
    shares = {part.tolerance for part in last.parts if isinstance(part, NumberPart)}
    assert shares == {Fraction(1, 100)}
    strict = {
        p.tolerance
        for p in PLAIN.problem("1", "ada").questions[-1].parts
        if isinstance(p, NumberPart)
    }
    assert strict == {Fraction(1, 200)}


def test_a_deadline_keeps_its_zone(tmp_path):
    text = 'course = "X"\nproblems = [1]\ndeadline = 2027-01-15T23:59:00+01:00\n'
    read = from_text(tmp_path, text).deadline
    assert read == datetime(2027, 1, 15, 22, 59, tzinfo=UTC)
    assert read.isoformat() == "2027-01-15T23:59:00+01:00"
