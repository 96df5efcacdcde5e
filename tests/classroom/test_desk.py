"""The desk of a handed-out notebook: notes, says how it was read, and keeps its rules."""

from datetime import UTC, datetime, timedelta

import pytest
from IPython.testing.globalipapp import get_ipython as start

from rooflib.classroom.desk import open_desk
from rooflib.practice import problems, session, store
from rooflib.practice.verdict import RIGHT

BOOK = {"variants": "book"}
LATER = (datetime.now(UTC) + timedelta(days=1)).isoformat()
EARLIER = (datetime.now(UTC) - timedelta(days=1)).isoformat()


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ROOFLIB_PROGRESS", str(tmp_path / "progress.json"))
    yield
    session._dealt.clear()


def test_without_grading_it_judges_like_the_book():
    check, _given, _why = open_desk("C", "ada", **BOOK)
    assert check("1b", ops="2BDF").outcome == RIGHT
    assert check("1b", ops="BDF").outcome == "wrong"


def test_it_judges_by_the_student_s_numbers_without_being_asked_for_them():
    check, given, _why = open_desk("C", "ada")
    dealt = given("1")
    right = session.find("1c").part("machine").right
    session._dealt.clear()
    judged = check("1c", machine=float(right)).parts["machine"]
    assert judged.outcome == RIGHT
    assert "HBM bandwidth" in str(dealt)


@pytest.mark.parametrize("deadline", ["", LATER], ids=["no deadline", "a later one"])
@pytest.mark.parametrize("answer", ["2*B*D*F", "B*D*F", "3 bytes * B"])
def test_graded_it_says_how_it_was_read_and_nothing_more(deadline, answer):
    check, _given, _why = open_desk("C", "ada", graded=True, deadline=deadline, **BOOK)
    said = str(check("1b", ops=answer))
    assert not hasattr(check("1b", ops=answer), "score")
    for word in ("✓", "✗", "right for", "That is", "multiply"):
        assert word not in said
    assert "Whether it is right is said" in said


def test_right_and_wrong_are_noted_in_the_same_words():
    check, _given, _why = open_desk("C", "ada", graded=True, **BOOK)
    right, wrong = (str(check("1e", bound=bound)) for bound in ("compute", "memory"))
    assert right.replace("compute", "memory") == wrong


def test_after_the_deadline_it_judges():
    check, _given, _why = open_desk("C", "ada", graded=True, deadline=EARLIER, **BOOK)
    assert check("1b", ops="2BDF").outcome == RIGHT


def test_graded_a_slip_of_the_pen_is_told_at_once():
    check, _given, _why = open_desk("C", "ada", graded=True, **BOOK)
    assert "could not be read" in str(check("1b", ops="2*("))
    assert "Name the parts" in str(check("1a", "B*D"))
    assert "still open" in str(check("1b", ops=...))
    assert "no question" in str(check("1z", ops="2"))


def test_graded_nothing_goes_into_the_reader_s_progress():
    check, _given, _why = open_desk("C", "ada", graded=True, **BOOK)
    check("1b", ops="2BDF")
    assert store.load() == {}


def test_attempts_are_counted_by_question_and_slips_are_free():
    check, _given, _why = open_desk("C", "ada", attempts=2, **BOOK)
    for answer in ("2*(", ...):
        check("1b", ops=answer)
    assert [check("1b", ops="BDF").outcome for _ in range(2)] == ["wrong", "wrong"]
    said = str(check("1b", ops="2BDF"))
    assert "You have had the 2 verdicts" in said
    assert "✓" not in said
    assert check("2a", changed="bytes").outcome == RIGHT


def test_why_is_noted():
    _check, _given, why = open_desk("C", "ada", **BOOK)
    assert "Noted, 3 words" in str(why("1c", "both sides double"))
    assert "Nothing is written" in str(why("1c", "  "))
    assert "no question" in str(why("1z", "x"))


def test_given_shows_the_student_s_numbers():
    _check, given, _why = open_desk("C", "ada")
    _check, other, _why = open_desk("C", "bob")
    assert str(given("1")) != str(other("1"))
    assert "valid: 1, 2" in str(given("9"))
    _check, book, _why = open_desk("C", "ada", **BOOK)
    assert str(next(iter(problems.book("1").given.values()))) in str(book("1"))


@pytest.mark.parametrize("deadline", ["tomorrow", "2027-01-15", "2027-01-15T10:00:00", 3])
def test_a_deadline_needs_its_zone(deadline):
    with pytest.raises(ValueError, match="with its time zone"):
        open_desk("C", "ada", deadline=deadline)


def test_an_answer_that_only_a_run_can_tell_is_said_at_once():
    shell = start()
    shell.run_cell("from rooflib.classroom.desk import open_desk")
    shell.run_cell('check, given, why = open_desk("C", "ada", graded=True, variants="book")')

    def said(source):
        return str(shell.run_cell(source, store_history=True).result)

    computed = "comes out of your code"
    assert computed in said("import math\ncheck('1c', batch=math.floor(240.2))")
    assert computed not in said("check('1c', batch=240)")
    said("batch = 240")
    assert computed not in said("check('1c', batch=batch)")
    said("batch = 241")  # the cell again, with another number
    assert computed not in said("check('1c', batch=batch)")
    assert computed in said("def f():\n    return 240\ncheck('1c', batch=f())")
