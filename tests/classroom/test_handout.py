"""What a class is handed: whole, without the key, the same each time, and answerable."""

import ast
import itertools
import json
import re
from dataclasses import replace
from datetime import datetime

import nbformat
import pytest

from rooflib.classroom.assignment import Assignment
from rooflib.classroom.handout import notebook, pages, skeleton
from rooflib.classroom.literal.cells import page
from rooflib.classroom.literal.reading import read
from rooflib.practice import problems
from rooflib.practice.question import ChoicePart, show

FIVE = ("1", "2", "3", "4", "5")
CLASS = Assignment("ROOF 101", FIVE, graded=True, why=("1c",))
STUDENTS = ("s001", "s002")
HANDED = dict(pages(CLASS, STUDENTS))


def sources(text):
    return "\n\n".join(cell["source"] for cell in json.loads(text)["cells"])


def test_a_page_for_each_student_and_problem():
    expected = {f"{s}/problem_{n}.ipynb" for s, n in itertools.product(STUDENTS, FIVE)}
    assert {path.as_posix() for path in HANDED} == expected


def test_the_same_class_gives_the_same_bytes():
    assert dict(pages(CLASS, STUDENTS)) == HANDED


def test_one_set_for_a_class_with_one_set_of_numbers():
    shared = dict(pages(replace(CLASS, variants="class"), STUDENTS))
    assert {path.parts[0] for path in shared} == {"everyone"}
    assert 'student=""' in sources(next(iter(shared.values())))


@pytest.mark.parametrize("path", HANDED, ids=str)
def test_it_is_a_valid_notebook_whose_code_is_python(path):
    made = nbformat.reads(HANDED[path], as_version=4)
    nbformat.validate(made)
    assert made.nbformat_minor == 5
    for cell in made.cells:
        if cell.cell_type == "code":
            ast.parse(cell.source)
            assert cell.outputs == []


@pytest.mark.parametrize("path", HANDED, ids=str)
def test_neither_the_key_nor_a_neighbour_is_inside(path):
    text = HANDED[path]
    student = path.parts[0]
    (other,) = set(STUDENTS) - {student}
    assert other not in text
    number = path.stem[-1]
    for question in CLASS.problem(number, student).questions:
        for part in question.parts:
            if isinstance(part, ChoicePart):
                continue  # its right choice stands among the others
            right = show(part)
            if len(right) > 3:
                assert right not in text, (question.id, part.name)


@pytest.mark.parametrize("path", HANDED, ids=str)
def test_as_handed_out_nothing_is_answered(path):
    reading = read(page(HANDED[path].encode()))
    number = path.stem[-1]
    asked = {q.id for q in problems.book(number).questions}
    assert set(reading.answers) == asked
    literal = [a for parts in reading.answers.values() for a in parts.values() if "code" not in a]
    assert all(answer == {"blank": True} for answer in literal)
    assert set(reading.claims) == {path.parts[0]}


@pytest.mark.parametrize("path", HANDED, ids=str)
def test_every_number_of_the_variant_is_in_the_page(path):
    problem = CLASS.problem(path.stem[-1], path.parts[0])
    plain = re.sub(r"\\(.)", r"\1", sources(HANDED[path]))
    for label, value in problem.given.items():
        assert f"| {label} | {value} |" in plain
    for question in problem.questions:
        assert question.asks in plain


def test_rules_are_said_in_words_and_in_the_desk():
    deadline = datetime.fromisoformat("2027-01-15T23:59:00+01:00")
    strict = replace(CLASS, deadline=deadline, attempts=3)
    (_path, text), *_rest = pages(strict, ["s001"])
    said = sources(text)
    for words in ("graded=True", f'deadline="{deadline.isoformat()}"', "attempts=3"):
        assert words in said
    assert "Hand in by 2027-01-15 23:59 UTC+01:00." in said
    free = sources(next(iter(dict(pages(replace(CLASS, graded=False), ["s001"])).values())))
    assert "graded" not in free


@pytest.mark.parametrize(
    "student, course",
    [('s"1', 'A "quoted" course'), ("../../etc", "x\ny"), ("学生", "课程"), ("a/b", "C")],
)
def test_odd_names_stay_inside_their_quotes_and_the_folder(student, course):
    odd = Assignment(course, ("1",))
    ((path, text),) = pages(odd, [student])
    assert ".." not in path.parts
    assert not path.is_absolute()
    assert len(path.parts) == 2
    assert read(page(text.encode())).claims == (student,)
    code = [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    call = ast.parse(code[0]).body[-1].value
    assert call.args[0].value == course
    assert call.keywords[0].value.value == student


def test_ids_that_would_share_a_folder_do_not():
    made = [path.parts[0] for path, _text in pages(Assignment("C", ("1",)), ["a/b", "a?b", "a_b"])]
    assert len(set(made)) == 3


def test_a_why_is_asked_where_the_assignment_says_so():
    with_why = notebook(CLASS.problem("1", "s001"), CLASS, "s001")
    assert [c["source"] for c in with_why["cells"] if c["id"] == "why-1c"] == ['why("1c", "")']
    without = notebook(CLASS.problem("2", "s001"), CLASS, "s001")
    assert not any(cell["id"].startswith("why") for cell in without["cells"])


@pytest.mark.parametrize("number", problems.ORDER)
def test_a_skeleton_names_every_part_once(number):
    for question in problems.book(number).questions:
        call = ast.parse(skeleton(question)).body[-1].value
        assert call.args[0].value == question.id
        assert [k.arg for k in call.keywords] == [part.name for part in question.parts]
