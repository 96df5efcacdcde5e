"""What students write goes into tables and pages as text, and as nothing else."""

import csv
import html.parser
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.classroom import report, tables
from rooflib.classroom.assignment import Assignment
from rooflib.classroom.feedback import feedback
from rooflib.classroom.files import file_name, write_atomic
from rooflib.classroom.mark import mark
from rooflib.classroom.record import columns, earned, parts, total, worth
from rooflib.practice import problems

BOOK = Assignment("C", ("1",), variants="book")
PROBLEM = problems.book("1")
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "=HYPERLINK(\"http://x\")",
    "@SUM(A1)",
    "+1+1",
    "-2+3",
    "\t=1",
    "x\n=1",
    "</textarea></style><style>*{display:none}",
    "\u202egnorw",
    "a" * 3000,
    "\0",
    "&lt;b&gt;",
]  # fmt: skip


def record(text="", answers=None):
    return {
        "student": text or "s1",
        "name": text or "Ada",
        "files": [text or "a.ipynb"],
        "superseded": [],
        "late": False,
        "protection": "",
        "flags": [text] if text else [],
        "questions": mark(PROBLEM, BOOK, answers or {}),
        "whys": {"1c": text} if text else {},
    }


def with_answer(text):
    return record(text, {"1a": {"read": {"text": text or "x"}, "written": {"text": "B*F"}}})


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        assert not any(name.startswith("on") for name, _value in attrs)


def tags(page):
    parser = Tags()
    parser.feed(page)
    return parser.seen


@pytest.mark.parametrize("text", HOSTILE)
def test_a_page_has_no_tag_that_we_did_not_write(text):
    plain = tags(feedback(with_answer("plain"), "C")) | tags(
        report.report([with_answer("plain")], "C")
    )
    page = feedback(with_answer(text), "C")
    assert tags(page) <= plain
    assert tags(report.report([with_answer(text)], "C")) <= plain
    assert "script" not in plain
    assert "\0" not in page
    assert "\u202e" not in page


@given(st.text(max_size=60))
def test_no_text_at_all_makes_a_tag(text):
    plain = tags(feedback(with_answer("plain"), "C"))
    assert tags(feedback(with_answer(text), "C")) <= plain


@given(st.text(max_size=60))
def test_no_cell_begins_a_formula_and_guarding_can_be_undone(text):
    safe = tables.guarded(text)
    assert not safe.lstrip().startswith(("=", "+", "-", "@"))
    assert tables.unguarded(safe) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_the_tables_stay_tables(tmp_path, text):
    names = columns([PROBLEM])
    tables.grades(tmp_path / "grades.csv", names, [with_answer(text), record()])
    tables.whys(tmp_path / "whys.csv", [with_answer(text), record()])
    for name, size in (("grades.csv", 3), ("whys.csv", 2)):
        with open(tmp_path / name, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))
        assert len(rows) == size
        assert len({len(row) for row in rows}) == 1
        for row in rows:
            assert not any(cell.lstrip().startswith(("=", "+", "@")) for cell in row)
    json.dumps(tables.gradescope(with_answer(text)))


def test_points_add_up():
    full = {q.id: {p.name: {"text": str(p.right)} for p in q.parts} for q in PROBLEM.questions[:2]}
    one = record(answers=full)
    assert total(one) == sum(earned(part) for _name, _question, part in parts(one))
    assert total(one) == 3.0
    assert worth(one) == sum(len(q.parts) for q in PROBLEM.questions)
    data = tables.gradescope(one)
    assert data["score"] == total(one)
    assert sum(test["score"] for test in data["tests"]) == total(one)


def test_the_key_only_when_it_is_released():
    right = str(PROBLEM.questions[1].part("ops").right)
    assert right not in feedback(record(), "C")
    assert right in feedback(record(), "C", release=True)


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_no_two_students_share_a_file(one, other):
    names = {file_name(one), file_name(other)}
    assert len(names) == len({one, other})
    assert not any(set(name) & set('/\\:*?"<>|\0') or name.startswith(".") for name in names)


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "a.txt"
    assert write_atomic(path, "one")
    assert not write_atomic(path, "one")
    assert write_atomic(path, "two")
    assert path.read_text() == "two"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    with pytest.raises(OSError, match="cannot write"):
        write_atomic(tmp_path / "none" / "a.txt", "x")
