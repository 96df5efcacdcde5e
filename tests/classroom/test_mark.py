"""Judging what was read: the student's own numbers, credit part by part, decisions for all."""

import json
from fractions import Fraction

import pytest

from rooflib.classroom.assignment import Assignment, AssignmentError
from rooflib.classroom.decisions import ACCEPT, DROP, decided, load, save
from rooflib.classroom.mark import NOTHING, Decisions, look, mark
from rooflib.practice.question import ChoicePart, FormulaPart, NumberPart

BOOK = Assignment("C", ("1", "2", "3"), variants="book")
OWN = Assignment("C", ("1", "2"))


def text(value):
    return {"text": value}


def marked(answers, assignment=BOOK, decisions=NOTHING, student="ada", number="1"):
    return mark(assignment.problem(number, student), assignment, answers, decisions)


def parts_of(record, question):
    return {name: (p["outcome"], p["score"]) for name, p in record[question]["parts"].items()}


@pytest.mark.parametrize(
    "question, given, expected",
    [
        ("1a", {"read": text("B*D + D*F"), "written": text("BF")}, {"read": ("right", 1), "written": ("right", 1)}),
        ("1a", {"read": text("B*D + D*F")}, {"read": ("right", 1), "written": ("unattempted", 0)}),
        ("1a", {"read": text("BD"), "written": {"blank": True}}, {"read": ("wrong", 0), "written": ("unattempted", 0)}),
        ("1a", {"read": text("B*("), "written": text("B*F")}, {"read": ("unreadable", 0), "written": ("right", 1)}),
        ("1a", {"read": {"odd": "a list"}, "written": text("B*F")}, {"read": ("unreadable", 0), "written": ("right", 1)}),
        ("1a", {"read": {"code": "it calls f"}, "written": text("B*F")}, {"read": ("unreadable", 0), "written": ("right", 1)}),
        ("1a", {"": text("B*D")}, {"read": ("unreadable", 0), "written": ("unreadable", 0)}),
        ("1a", {"": {"blank": True}}, {"read": ("unattempted", 0), "written": ("unattempted", 0)}),
        ("1a", {"reed": text("B*D"), "written": text("B*F")}, {"read": ("unreadable", 0), "written": ("right", 1)}),
        ("1b", {"": text("2BDF")}, {"ops": ("right", 1)}),
        ("1b", {"ops": {"formula": "2*B*D*F"}}, {"ops": ("right", 1)}),
        ("1b", {"ops": text("BDF")}, {"ops": ("wrong", 0)}),
        ("1b", {"": text("BDF"), "ops": text("2BDF")}, {"ops": ("right", 1)}),
        ("1b", {}, {"ops": ("unattempted", 0)}),
    ],
)  # fmt: skip
def test_each_part_gets_its_own_verdict(question, given, expected):
    assert parts_of(marked({question: given}), question) == expected


def test_a_question_that_nobody_asked_changes_nothing():
    assert marked({"9z": {"x": text("1")}}) == marked({})


def right(part):
    match part:
        case FormulaPart():
            return text(str(part.right))
        case NumberPart():
            return {"number": repr(float(part.right))}
        case ChoicePart():
            return text(part.right)


def all_right(assignment, student, number):
    problem = assignment.problem(number, student)
    return {q.id: {p.name: right(p) for p in q.parts} for q in problem.questions}


@pytest.mark.parametrize("student", [f"s{n}" for n in range(5)])
@pytest.mark.parametrize("number", ["1", "2"])
def test_by_the_student_s_own_numbers_and_no_other_s(student, number):
    answers = all_right(OWN, student, number)
    own = marked(answers, OWN, student=student, number=number)
    assert all(part["score"] == 1 for q in own.values() for part in q["parts"].values())
    other = marked(answers, OWN, student="somebody else", number=number)
    assert any(part["score"] < 1 for q in other.values() for part in q["parts"].values())


def test_points_are_shared_by_the_parts():
    worth = Assignment("C", ("1",), variants="book", points={"1a": 3.0})
    record = marked({}, worth)
    assert [p["points"] for p in record["1a"]["parts"].values()] == [1.5, 1.5]
    assert record["1a"]["points"] == 3.0
    assert record["1b"]["points"] == 1.0


def test_a_record_is_plain_data():
    record = marked({"1a": {"read": text("B*D"), "written": {"code": "x"}}})
    assert json.loads(json.dumps(record)) == record


def test_what_needs_a_look():
    record = marked({"1a": {"read": {"code": "it calls f"}, "written": text("B*F")}})
    assert look(record) == ["1a.read: the answer comes out of code that was not run to its end"]
    assert look(marked({"1a": {"written": text("B*F")}})) == []


@pytest.mark.parametrize(
    "part, accepted, given, counts",
    [
        ("1b.ops", "3BDF", "3*B*D*F", True),
        ("1b.ops", "3BDF", "4*B*D*F", False),
        ("1b.ops", "BDF", "B*D*F", True),  # also a known slip may be accepted
        ("1c.batch", "300", "300", True),
        ("1c.batch", "300", "303", False),
        ("1e.bound", "memory", "memory", True),
    ],
)
def test_accepting_an_answer_for_everybody(part, accepted, given, counts):
    question, _dot, name = part.partition(".")
    decisions = Decisions({part: [accepted]})
    answers = {question: {name: text(given)}}
    before = marked(answers)[question]["parts"][name]
    after = marked(answers, decisions=decisions)[question]["parts"][name]
    assert before["outcome"] != "right"
    assert after["accepted"] is counts
    assert (after["score"] == 1.0) is counts
    own = all_right(BOOK, "ada", "1")
    assert marked(own, decisions=decisions)[question]["parts"][name]["accepted"] is False


def test_dropping():
    gone = marked({}, decisions=Decisions({}, ("1a", "1c.batch")))
    assert gone["1a"]["dropped"]
    assert gone["1a"]["points"] == 0
    assert not gone["1c"]["dropped"]
    assert gone["1c"]["parts"]["batch"]["points"] == 0
    assert gone["1c"]["points"] == 3


@pytest.mark.parametrize(
    "action, name, answer, says",
    [
        (ACCEPT, "1c", "1", "say which part: 1c.intensity, 1c.limit, 1c.machine, 1c.batch"),
        (ACCEPT, "1x", "1", "unknown question '1x'"),
        (ACCEPT, "1c.bach", "1", "Did you mean 'batch'?"),
        (ACCEPT, "1b", "2*", "1b.ops: "),
        (ACCEPT, "1b", "2*Q", "1b.ops: "),
        (ACCEPT, "3a", "f", "use overrides.csv"),
        (DROP, "7a", "", "unknown question '7a'"),
        ("acept", "1b", "1", "Did you mean 'accept'?"),
    ],
)
def test_a_decision_that_cannot_be_followed(action, name, answer, says):
    with pytest.raises(AssignmentError) as raised:
        decided(NOTHING, action, name, answer, BOOK)
    assert says in str(raised.value)


def test_decisions_are_kept_in_a_file(tmp_path):
    path = tmp_path / "decisions.csv"
    assert load(path, BOOK) == NOTHING
    made = decided(NOTHING, ACCEPT, "1b", "3BDF", BOOK)
    made = decided(made, ACCEPT, "1b.ops", "2BDF + 1", BOOK)
    made = decided(made, ACCEPT, "1b.ops", "3BDF", BOOK)  # twice is once
    made = decided(made, DROP, "2c", "", BOOK)
    made = decided(made, DROP, "1c.batch", "", BOOK)
    save(path, made)
    again = load(path, BOOK)
    assert {k: list(v) for k, v in again.accept.items()} == {"1b.ops": ["3BDF", "2BDF + 1"]}
    assert list(again.drop) == ["2c", "1c.batch"]


def test_a_bad_row_stops_and_says_where(tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_text("decision,question,answer\ndrop,1a,\ndrop,9z,\n", encoding="utf-8")
    with pytest.raises(AssignmentError, match=r"decisions\.csv, line 3: unknown question '9z'"):
        load(path, BOOK)


def test_a_function_and_a_fraction_have_their_wire_form():
    third = marked({"1c": {"batch": {"number": str(Fraction(240))}}})
    assert third["1c"]["parts"]["batch"]["outcome"] == "right"
