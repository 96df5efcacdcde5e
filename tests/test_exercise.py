"""What is taken out of a solution, and what stays as it was written."""

import ast

import nbformat.v4 as v4
import pytest

from rooflib.exercise import AuthorError, blank, derive

BLANKED = [
    ('check("1b", 240)', 'check("1b", ...)'),
    ('check("1a", read="B*D", written="B*F")', 'check("1a", read=..., written=...)'),
    ('v = practice.check("1b", 240)', 'v = practice.check("1b", ...)'),
    ('check("1b",\n      240,  # tokens\n      )', 'check("1b",\n      ...,  # tokens\n      )'),
    ('check("µ", t=1, u="µs")  # in µs', 'check("µ", t=..., u=...)  # in µs'),
    ('check("1c", lower=max(a, b))\nshow(a)', 'check("1c", lower=...)\nshow(a)'),
    ('check("1d", [1,\n 2])', 'check("1d", ...)'),
    ("def f(B):\n    return 2 * B", "def f(B):\n    ..."),
    ("def f(B): return 2 * B", "def f(B): ..."),
    ('def f(B):\n    """Rate."""\n    return 2 * B', 'def f(B):\n    """Rate."""\n    ...'),
    ("def f(B):\n    # twice\n    x = 2\n    return x * B  # yes\n    # end", "def f(B):\n    ..."),
    ("def f(B):\n    return 2 * B\n\n# keep", "def f(B):\n    ...\n\n# keep"),
    (
        "@cache\ndef f(\n    B,  # batch\n):\n    return B",
        "@cache\ndef f(\n    B,  # batch\n):\n    ...",
    ),
    ('def f(B):\n    return check("1", B)', "def f(B):\n    ..."),
]


@pytest.mark.parametrize("solved, open_", BLANKED, ids=[solved for solved, _ in BLANKED])
def test_an_answer_becomes_dots_and_the_rest_stays(solved, open_):
    assert blank(solved) == open_
    ast.parse(open_)


@pytest.mark.parametrize("solved", [solved for solved, _ in BLANKED])
def test_blanking_twice_changes_nothing_more(solved):
    assert blank(blank(solved)) == blank(solved)


@pytest.mark.parametrize(
    "source, said",
    [
        ("x = 1", "nothing to blank"),
        ('check("1a")', "nothing to blank"),
        ("%matplotlib inline", "plain Python"),
        ('check("1a", *answers)', "spell out"),
        ('check("1a", **answers)', "spell out"),
        ('def f():\n    """Only this."""', "no body"),
    ],
)
def test_what_cannot_be_blanked_is_said(source, said):
    with pytest.raises(ValueError, match=said):
        blank(source)


def notebook(*cells):
    made = v4.new_notebook()
    for kind, source, tags in cells:
        new = v4.new_code_cell if kind == "code" else v4.new_markdown_cell
        made.cells.append(new(source, metadata={"tags": tags} if tags else {}))
    return made


def test_cells_tagged_solution_are_left_out():
    solution = notebook(
        ("markdown", "Question", []),
        ("code", "x = check", []),
        ("code", 'check("1a", 3)', ["answer"]),
        ("markdown", "Because.", ["solution"]),
        ("code", "print('3')", ["solution"]),
    )
    sources = [cell.source for cell in derive(solution, "p.md").cells]
    assert sources == ["Question", "x = check", 'check("1a", ...)']
    assert solution.cells[2].source == 'check("1a", 3)'


@pytest.mark.parametrize(
    "cells, said",
    [
        ([("code", 'check("1a", 3)', [])], "p.md: no cell is tagged `answer`"),
        ([("code", "a", []), ("code", "x = 1", ["answer"])], "p.md, cell 2: .*nothing to blank"),
        ([("markdown", "Text", ["answer"])], "p.md, cell 1: only a code cell"),
        ([("markdown", "Because.\n\n## 1b: more\n\nHow?", ["solution"])], "cell 1: `## 1b: more`"),
    ],
)
def test_an_author_is_told_file_and_cell(cells, said):
    with pytest.raises(AuthorError, match=said):
        derive(notebook(*cells), "p.md")
