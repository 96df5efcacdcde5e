"""Texts become notebooks: what is written, when, and what stands in it."""

import os
import shutil
from pathlib import Path

import nbformat
import pytest

from rooflib.book import Book
from rooflib.build import build, read
from rooflib.exercise import AuthorError
from rooflib.pages import jobs

LESSON = """\
# A lesson

```{code-cell} ipython3
import os
from pathlib import Path

print(Path.cwd().name, os.environ["LANGUAGE"], os.environ["LC_ALL"])
print(Path(os.environ["ROOFLIB_PROGRESS"]).exists(), os.environ["ROOFLIB_PROGRESS"] == "mine")
```

```{code-cell} ipython3
import base64, io
import ipywidgets as widgets
import matplotlib
import matplotlib.pyplot as plt

class Explorer:
    def _repr_mimebundle_(self, **kwargs):
        figure, ax = plt.subplots(figsize=(2, 1))
        ax.plot([1, 2])
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
        plt.close(figure)
        png = base64.b64encode(buffer.getvalue()).decode()
        bundle = widgets.IntSlider()._repr_mimebundle_(**kwargs)
        return {**bundle, "text/plain": "A line goes up.", "image/png": png}

Explorer()
```

```{code-cell} ipython3
:tags: [hide-input]

matplotlib.get_backend()
```
"""

PROBLEM = """\
# A problem

```{code-cell} ipython3
def check(name, answer):
    return f"{name}: {answer}"
```

```{code-cell} ipython3
:tags: [answer]

check("1a", 240)  # tokens
```

+++ {"tags": ["solution"]}

Because.
"""

ALL = ["notebooks/01_time.ipynb", "solutions/problem_1.ipynb", "exercises/problem_1.ipynb"]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def contents(root):
    return {path.relative_to(root): path.read_bytes() for path in root.rglob("*.ipynb")}


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A small book, built once by an author with settings of their own; and the report."""
    root = tmp_path_factory.mktemp("book")
    write(root / "notebooks/text/01_time.md", LESSON)
    write(root / "solutions/text/problem_1.md", PROBLEM)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROOFLIB_PROGRESS", "mine")
        patch.setenv("LANGUAGE", "zh")
        patch.setenv("MPLBACKEND", "pdf")
        return root, build(Book(root))


@pytest.fixture
def book(first, tmp_path):
    root = tmp_path / "copy"
    shutil.copytree(first[0], root)
    return Book(root)


def outputs(root, name):
    return [
        output
        for cell in nbformat.read(root / name, as_version=4).cells
        for output in cell.get("outputs", [])
    ]


def test_everything_is_built(first):
    root, report = first
    assert report.errors == ()
    assert [name for name, _ in report.stale] == ALL
    assert {path.as_posix() for path in contents(root)} == set(ALL)


def test_the_authors_machine_does_not_reach_the_outputs(first):
    stream, *_, backend = outputs(first[0], ALL[0])
    assert stream.text == "notebooks C C\nFalse False\n"
    assert "inline" in backend.data["text/plain"]


def test_of_a_widget_the_picture_and_the_sentence_stay(first):
    shown = outputs(first[0], ALL[0])[1]
    assert set(shown.data) == {"text/plain", "image/png"}
    assert shown.data["text/plain"] == shown.metadata["image/png"]["alt"] == "A line goes up."


def test_nothing_passing_is_stored(first):
    for name in ALL:
        notebook = nbformat.read(first[0] / name, as_version=4)
        assert set(notebook.metadata) == {"kernelspec", "language_info"}
        assert notebook.metadata.kernelspec.name == "python3"
        assert "version" not in notebook.metadata.language_info
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
        tags = [tag for cell in notebook.cells for tag in cell.metadata.get("tags", [])]
        assert tags == (["hide-input"] if name == ALL[0] else [])
        assert all(set(cell.metadata) <= {"tags"} for cell in notebook.cells)


def test_the_exercise_is_the_solution_with_blanks_and_was_run(first):
    exercise = nbformat.read(first[0] / ALL[2], as_version=4)
    assert exercise.cells[-1].source == 'check("1a", ...)  # tokens'
    assert exercise.cells[-1].outputs[0].data["text/plain"] == "'1a: Ellipsis'"
    assert "Because" not in nbformat.writes(exercise)


def test_an_unchanged_text_gives_the_same_bytes_and_is_not_written(book):
    before = contents(book.root)
    times = [path.stat().st_mtime_ns for path in book.root.rglob("*.ipynb")]
    report = build(book)
    assert report.clean
    assert set(report.fresh) == set(ALL)
    assert [path.stat().st_mtime_ns for path in book.root.rglob("*.ipynb")] == times
    (book.root / ALL[0]).unlink()  # made anew, not compared leniently
    build(book, ["01_time"])
    assert contents(book.root) == before


def test_check_names_what_is_stale_or_belongs_to_nothing_and_writes_nothing(book):
    text = book.solutions / "text/problem_1.md"
    write(text, text.read_text(encoding="utf-8").replace("# A problem", "# Another problem"))
    write(book.exercises / "problem_9.ipynb", "{}")
    by_hand = book.root / ALL[0]
    write(by_hand, by_hand.read_text(encoding="utf-8").replace("A line goes", "A line went"))
    before = contents(book.root)
    report = build(book, write=False)
    assert report.stale == (
        (ALL[0], "01_time"),
        (ALL[1], "problem_1"),
        (ALL[2], "problem_1"),
    )
    assert report.orphans == ("exercises/problem_9.ipynb",)
    assert not report.clean
    assert contents(book.root) == before


def test_editing_one_cell_renews_no_other_id(book):
    def ids():
        return [cell.id for cell in nbformat.read(book.root / ALL[1], as_version=4).cells]

    before = ids()
    text = book.solutions / "text/problem_1.md"
    write(text, text.read_text(encoding="utf-8").replace("# A problem", "# Another problem"))
    report = build(book, ["problem_1"])
    assert [name for name, _ in report.stale] == ALL[1:]
    assert ids()[0] != before[0]
    assert ids()[1:] == before[1:]


def test_after_an_error_nothing_is_written(book):
    before = contents(book.root)
    write(book.lessons / "text/01_time.md", "```{code-cell} ipython3\nprint(0)\n```\n")
    write(book.lessons / "text/02_bad.md", "```{code-cell} ipython3\nfactor = 1 / 0\n```\n")
    report = build(book, ["01_time", "02_bad"])
    (error,) = report.errors
    assert "notebooks/text/02_bad.md, cell 1 raises ZeroDivisionError" in error
    assert "factor = 1 / 0" in error
    assert contents(book.root) == before


def test_a_file_is_replaced_as_a_whole_or_not_at_all(book, monkeypatch):
    before = contents(book.root)
    write(book.lessons / "text/01_time.md", "```{code-cell} ipython3\nprint(0)\n```\n")

    def full(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="disk full"):
        build(book, ["01_time"])
    assert contents(book.root) == before
    assert not list(book.lessons.glob(".*"))


@pytest.mark.parametrize("name", ["problem_1", "problem_1.md", "solutions/text/problem_1.md"])
def test_a_notebook_may_be_named_by_its_stem_or_a_path(book, name):
    assert [job.target.parent.name for job in jobs(book, [name])] == ["solutions", "exercises"]


def test_an_unknown_name_gets_the_nearest(book):
    with pytest.raises(ValueError, match="Did you mean '01_time'"):
        jobs(book, ["1_time"])


@pytest.mark.parametrize(
    "text, said",
    [
        ("```{code-cell} ipython3\n---\ntags: [a\n---\nx\n```\n", "not readable as MyST"),
        ("```{code-cel} ipython3\nx\n```\n", "cell 1: a code cell that was not understood"),
        ("```code-cell\nx\n```\n", "cell 1: a code cell that was not understood"),
        ("```{code-cell} ipython3\nx\n\nText\n\n```{code-cell} ipython3\ny\n```\n", "runs on"),
        ("```{code-cell} ipython3\n```\n", "cell 1: this code cell is empty"),
    ],
)
def test_malformed_text_is_named_with_its_place(tmp_path, text, said):
    path = Path(tmp_path, "a.md")
    write(path, text)
    with pytest.raises(AuthorError, match=said) as caught:
        read(path, "notebooks/text/a.md")
    assert "notebooks/text/a.md" in str(caught.value)


def test_a_text_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "a.md").write_bytes(b"caf\xe9")
    with pytest.raises(AuthorError, match=r"a\.md is not UTF-8"):
        read(tmp_path / "a.md", "notebooks/text/a.md")
