"""The contract between the texts and the notebooks. Each test is one promise to a reader, and its
failure tells an author what to do. That the stored outputs are what the code gives is not shown
here but by nbval and by `rooflib build --check`."""

import os
import re
import tempfile
from pathlib import Path

import nbformat
import pytest

import rooflib.practice as practice
from rooflib.book import Book
from rooflib.build import read
from rooflib.execution import PNG, TEXT, WIDGET
from rooflib.exercise import ANSWER, SOLUTION, derive
from rooflib.pages import jobs, orphans

BOOK = Book(Path(__file__).resolve().parents[1])
JOBS = jobs(BOOK)

# How many outputs of each notebook nbval compares. Fewer than that means that something a reader
# could rely on is no longer looked at.
COMPARED = {
    "notebooks/00_start.ipynb": 2,
    "notebooks/01_time.ipynb": 17,
    "notebooks/02_roofline.ipynb": 6,
    "notebooks/03_matmul.ipynb": 9,
    "notebooks/04_network.ipynb": 13,
    "notebooks/04b_tiles.ipynb": 6,
    "solutions/problem_1.ipynb": 14,
    "exercises/problem_1.ipynb": 7,
    "solutions/problem_2.ipynb": 11,
    "exercises/problem_2.ipynb": 7,
    "solutions/problem_3.ipynb": 10,
    "exercises/problem_3.ipynb": 6,
    "solutions/problem_4.ipynb": 9,
    "exercises/problem_4.ipynb": 6,
    "solutions/problem_5.ipynb": 6,
    "exercises/problem_5.ipynb": 5,
    "solutions/problem_6.ipynb": 8,
    "exercises/problem_6.ipynb": 6,
    "solutions/problem_7.ipynb": 8,
    "exercises/problem_7.ipynb": 6,
    "solutions/problem_8.ipynb": 11,
    "exercises/problem_8.ipynb": 7,
}


def name(job):
    return job.target.relative_to(BOOK.root).as_posix()


every_notebook = pytest.mark.parametrize("job", JOBS, ids=name)
every_solution = pytest.mark.parametrize(
    "job", [job for job in JOBS if job.target.parent == BOOK.solutions], ids=name
)
every_exercise = pytest.mark.parametrize("job", [job for job in JOBS if job.is_exercise], ids=name)


def stored(job):
    assert job.target.is_file(), f"{name(job)} is missing; run `rooflib build {job.text.stem}`"
    return nbformat.read(job.target, as_version=4)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook):
    return [output for cell in code(notebook) for output in cell.outputs]


def words(notebook):
    """All that a reader can see in words, cell by cell."""
    for cell in notebook.cells:
        yield cell.source
        for output in cell.get("outputs", []):
            yield str(output.get("text", ""))
            yield from (str(v) for k, v in output.get("data", {}).items() if k != PNG)


def test_there_is_something_to_check():
    kinds = {job.target.parent.name for job in JOBS}
    assert kinds == {"notebooks", "solutions", "exercises"}, "texts are missing: is this the book?"


def test_every_notebook_comes_from_a_text():
    assert orphans(BOOK) == [], "write a text for each of these, or `git rm` it"


@every_notebook
def test_every_code_cell_was_run(job):
    counts = [cell.execution_count for cell in code(stored(job))]
    assert counts, f"{name(job)} has no code cell, so nothing in it can be wrong"
    assert counts == list(range(1, len(counts) + 1)), f"run `rooflib build {job.text.stem}`"


@every_exercise
def test_every_question_is_asked_above_its_answer(job):
    above, asked = "", []
    for cell in stored(job).cells:
        if cell.cell_type == "markdown":
            above = cell.source
        elif found := re.match(r'check\(\s*"(\w+)"', cell.source):
            asked.append(found[1])
            assert f"## {found[1]}" in above, (
                f"{found[1]} has no words: put `+++` before its heading"
            )
    assert asked


def test_no_fewer_outputs_are_compared():
    found = {name(job): sum(map(_compared, outputs(stored(job)))) for job in JOBS}
    assert found == COMPARED, "if that is meant, set COMPARED in this file to what was found"


def _compared(output):
    return output.output_type == "stream" or bool(set(output.get("data", {})) - {PNG, WIDGET})


@every_notebook
def test_no_widget_state_is_stored(job):
    notebook = stored(job)
    assert "widgets" not in notebook.metadata, f"run `rooflib build {job.text.stem}`"
    for output in outputs(notebook):
        assert WIDGET not in output.get("data", {}), (
            f"without a kernel a reader sees 'Loading widget'; run `rooflib build {job.text.stem}`"
        )


@every_notebook
def test_nothing_went_wrong_in_it(job):
    for output in outputs(stored(job)):
        assert output.output_type != "error", "mend the cell that raises"
        assert output.get("name") != "stderr", f"mend what warns: {output.text}"


PLACES = [
    str(BOOK.root),
    str(Path.home()) + os.sep,
    tempfile.gettempdir() + os.sep,
    r"/home/\w",
    r"/Users/\w",
    r"[A-Z]:\\\w",
    r"\bat 0x[0-9a-f]{6,}",
]


@every_notebook
def test_nothing_tells_on_the_authors_machine(job):
    found = re.compile("|".join([*map(re.escape, PLACES[:3]), *PLACES[3:]]))
    for text in words(stored(job)):
        match = found.search(text)
        assert not match, f"{match[0]!r} holds on one machine, or for one run; do not show it"


@every_notebook
def test_every_picture_has_its_sentence(job):
    for cell in code(stored(job)):
        for output in cell.outputs:
            if PNG not in output.get("data", {}):
                continue
            sentence = output.data.get(TEXT, "")
            beside = [o.get("data", {}).get(TEXT, "") for o in cell.outputs if o is not output]
            if sentence.startswith("<Figure") and any(map(_is_sentence, beside)):
                continue  # a reader's own plot, and the verdict that speaks of it
            assert _is_sentence(sentence), (
                f"{sentence!r} says nothing to one who cannot see the picture; show an object "
                "whose _repr_mimebundle_ gives a sentence as text/plain"
            )
            assert output.metadata[PNG]["alt"] == sentence, f"`rooflib build {job.text.stem}`"


def _is_sentence(text):
    return not text.startswith("<") and len(text.split()) > 3


LINK = re.compile(r"\]\((?!https?:|#|attachment:)([^)#\s]+)")


@every_notebook
def test_every_link_leads_somewhere(job):
    for cell in stored(job).cells:
        if cell.cell_type == "markdown":
            for link in LINK.findall(cell.source):
                assert (job.target.parent / link).exists(), f"{link} is not there; mend the link"


@every_notebook
def test_no_authors_tag_is_left(job):
    for cell in stored(job).cells:
        assert not {ANSWER, SOLUTION} & set(cell.metadata.get("tags", []))


@every_exercise
def test_the_exercise_is_what_its_solution_gives(job):
    derived = derive(read(job.text, job.text.name), job.text.name)
    assert [(cell.cell_type, cell.source) for cell in stored(job).cells] == [
        (cell.cell_type, cell.source) for cell in derived.cells
    ], f"an exercise is never edited; run `rooflib build {job.text.stem}`"


@pytest.fixture
def verdicts(monkeypatch, tmp_path):
    """Runs a notebook's code here; returns the verdict on each question it checks."""

    def run(job):
        given = {}

        def check(question, *answers, **parts):
            given[question] = practice_check(question, *answers, **parts)
            return given[question]

        practice_check = practice.check
        monkeypatch.setattr(practice, "check", check)
        monkeypatch.setenv("ROOFLIB_PROGRESS", str(tmp_path / "progress.json"))
        monkeypatch.chdir(job.target.parent)
        scope = {"__name__": "__main__"}
        for cell in code(stored(job)):
            exec(compile(cell.source, name(job), "exec"), scope)
        assert given, f"{name(job)} checks nothing"
        return given

    return run


@every_exercise
def test_every_exercise_starts_unsolved(job, verdicts):
    for question, verdict in verdicts(job).items():
        assert verdict.outcome == "unattempted", f"{question} gives its answer away"
        assert verdict.score == 0


@every_solution
def test_every_solution_passes_and_asks_what_the_exercise_asks(job, verdicts):
    solved = verdicts(job)
    for question, verdict in solved.items():
        assert verdict.outcome == "right", f"{question}: {verdict.message}"
        assert verdict.score == 1
    (exercise,) = (j for j in JOBS if j.is_exercise and j.text == job.text)
    asked = set(re.findall(r"check\(\s*[\"']([^\"']+)", "\n".join(words(stored(exercise)))))
    assert asked >= set(solved), "tag `answer`, not `solution`, each cell that checks"


@every_solution
def test_every_question_has_a_hint(job, verdicts):
    for question in verdicts(job):
        hint = practice.hint(question)
        assert len(str(hint).split()) > 3, f"{question} needs a hint"
