"""The table of answers, row by row."""

from collections import Counter

import pytest
from corpus import ROWS

from rooflib.practice import check, session
from rooflib.practice.question import FunctionPart, PlotPart


def part_verdict(question, part, answer):
    return check(question, **{part: answer}).parts[part]


@pytest.mark.parametrize(
    "question, part, answer, outcome, key",
    ROWS,
    ids=[f"{i}-{r[0]}-{r[1]}" for i, r in enumerate(ROWS)],
)
def test_row(question, part, answer, outcome, key):
    verdict = part_verdict(question, part, answer)
    assert (verdict.outcome, verdict.key) == (outcome, key), verdict.message
    assert (verdict.score == 1) is (outcome == "right")
    assert bool(verdict.message) is (outcome != "unattempted")


def test_no_row_is_there_twice():
    rows = Counter((r[0], r[1], repr(r[2])) for r in ROWS if not callable(r[2]))
    assert [row for row, n in rows.items() if n > 1] == []


def test_every_known_wrong_answer_of_the_book_has_a_row():
    keys = {(r[0], r[1], key) for r in ROWS for key in r[4].split(" & ")}
    missing = [
        (question.id, part.name, wrong.key)
        for problem in session.problems.ORDER
        for question in session.current(problem).questions
        for part in question.parts
        if not isinstance(part, FunctionPart | PlotPart)  # test_made.py has those
        for wrong in part.wrongs
        if (question.id, part.name, wrong.key) not in keys
    ]
    assert missing == []


def test_the_table_is_long_and_mixed():
    outcomes = Counter(row[3] for row in ROWS)
    assert len(ROWS) >= 600
    assert outcomes["right"] >= 150
    assert outcomes["wrong"] >= 300
    assert outcomes["unreadable"] >= 10
