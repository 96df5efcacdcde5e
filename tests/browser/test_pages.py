"""What a newcomer meets: the book in real JupyterLab, worked by mouse and keys."""

from tests.browser.lab import wait_for


def test_the_first_page_opens_and_runs(open_page):
    first = open_page()
    assert first.name == "00_start.ipynb"
    first.run_all()
    assert first.dialogs == []
    assert first.errors == []


def test_lesson_01_runs_and_moves(open_page):
    lesson = open_page("notebooks/01_time.ipynb")
    lesson.run_all()
    assert lesson.dialogs == []
    assert lesson.errors == []

    clock = lesson.explorer()
    question, width = clock.sentence, clock.width
    assert "Move your mark" in question
    assert clock.slider("B, rows").get_attribute("disabled") is not None or (
        clock.slider("B, rows").locator("xpath=ancestor::*[@disabled]").count() > 0
    ), "the sliders are locked until the reader commits"

    before = clock.picture
    clock.press("it ends at", "ArrowLeft", times=3)
    wait_for(lambda: clock.picture != before, "picture with the mark moved")

    clock.click("Skip")
    wait_for(lambda: clock.sentence.startswith("B = 240"), "sentence on B = 240")
    before, said = clock.picture, clock.sentence
    clock.press("B, rows", "ArrowRight", times=4)
    wait_for(lambda: clock.sentence != said, "other sentence")
    wait_for(lambda: clock.picture != before, "other picture")
    assert "compute" in clock.sentence or "arithmetic" in clock.sentence
    assert clock.width == width, "a picture that changes its size makes the page jump"
    assert lesson.errors == []
    assert lesson.dialogs == []


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
