"""What a newcomer meets: the book in real JupyterLab and Notebook 7, worked by keys."""

import json
import re
from pathlib import Path

import nbformat.v4 as nb
import pytest

LESSONS = sorted(Path(__file__).parents[2].glob("notebooks/*.ipynb"))
FIRST, *OTHERS = [f"notebooks/{lesson.name}" for lesson in LESSONS]


def how_many_widgets(path):
    """In how many cells the lesson at `path` shows one."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return sum(bool(re.search(r"^explore\.\w+\(", source, re.MULTILINE)) for source in code)


def faults(page, count, **seconds):
    """Work all widgets of a page whose cells have run; what stood in the way or does not answer."""
    found = [
        f"widget {number}: {fault}"
        for number, widget in enumerate(page.widgets(count, **seconds), 1)
        for fault in widget.work()
    ]
    return [*page.errors, *page.dialogs, *found]


def test_the_first_page_opens_and_runs(open_page):
    first = open_page()
    assert FIRST.endswith(first.name)
    first.run_all()
    assert faults(first, 0) == []


@pytest.mark.parametrize(
    "path, application",
    [*((path, "JupyterLab") for path in OTHERS), ("notebooks/02_roofline.ipynb", "Notebook 7")],
)
def test_a_lesson_runs_and_all_its_widgets_answer_to_keys(open_page, path, application, request):
    count = how_many_widgets(request.config.rootpath / path)
    assert count > 0
    lesson = open_page(path, application)
    lesson.run_all()
    assert faults(lesson, count) == []


def test_a_dead_slider_and_a_cell_that_raises_are_noticed(open_page, newcomer):
    cells = (
        "from rooflib import explore\nlesson = explore.overlap()",
        'lesson.sliders["B"].unobserve_all()\nlesson',
        "1 / 0",
    )
    broken = nb.new_notebook(cells=[nb.new_code_cell(source) for source in cells])
    book, _environment = newcomer
    (book / "notebooks/broken.ipynb").write_text(nb.writes(broken), encoding="utf-8")
    page = open_page("notebooks/broken.ipynb")
    page.run_all()
    error, *others = faults(page, 1, seconds=5)
    assert "ZeroDivisionError" in error
    assert others == [
        "widget 1: 'B, rows of X' does not move the picture",
        "widget 1: 'B, rows of X' does not change the sentence",
    ]


def test_problem_1_is_answered_wrongly_then_rightly(open_page):
    problem = open_page("exercises/problem_1.ipynb")
    problem.run_all()
    assert problem.dialogs == []
    assert problem.errors == []
    cell = problem.code_cell('"1c"')
    assert "not attempted" in cell.locator(".jp-OutputArea").inner_text()

    answer = 'check("1c", intensity=..., limit=..., machine=..., batch="{}")'
    wrong = problem.rewrite_and_run(cell, answer.format(480))
    assert "not yet" in wrong
    assert "?" in wrong, "a wrong answer is met with a question"
    assert "240" not in wrong, "the right value is not given away"
    assert "2B" not in wrong.replace("·", "").replace("*", "")

    right = problem.rewrite_and_run(cell, answer.format(240))
    assert "batch: ✓ right" in right
    assert problem.errors == []
