"""A broken page comes back, and nothing of the reader's is lost: with git, and without."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from rooflib.book import Book, BookError
from rooflib.cli import main
from rooflib.pages import orphans, pages
from rooflib.restore import Restored, restore

ROOT = Path(__file__).parent.parent
TEXTS = {
    "notebooks/text/01_time.md": b"```{code-cell} ipython3\n6 * 7\n```\n",
    "notebooks/text/02_roofline.md": b"```{code-cell} ipython3\n1 / 0\n```\n",
    "solutions/text/problem_1.md": b"The page is not made in these tests.\n",
}
PAGE, OTHER = "notebooks/01_time.ipynb", "notebooks/02_roofline.ipynb"
SOLUTION, EXERCISE = "solutions/problem_1.ipynb", "exercises/problem_1.ipynb"
ALL = (PAGE, OTHER, SOLUTION, EXERCISE)
AS_MADE = b'{\n "cells": [],\n "nbformat": 4\n}\n'
MINE = "notebooks/01_time.mine.ipynb"
BROKEN = b'{"cells": [], "the reader": "was here"}'


def git(root, *words):
    who = ["-c", "user.name=A Reader", "-c", "user.email=reader@example.org"]
    return subprocess.run(
        ["git", *who, *words], cwd=root, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """A small book as it is downloaded: no git around it."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    book = Book(tmp_path / "book")
    for name, data in {**TEXTS, **dict.fromkeys(ALL, AS_MADE)}.items():
        path = book.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (book.root / "pyproject.toml").write_text('[project]\nname = "rooflib"\n', encoding="utf-8")
    shutil.copy(ROOT / ".gitignore", book.root)
    return book


@pytest.fixture
def clone(archive, monkeypatch):
    """The same in a git repository; what would run a notebook is out of reach."""
    git(archive.root, "init", "--quiet")
    git(archive.root, "add", ".")
    git(archive.root, "commit", "--quiet", "--message", "The book")
    monkeypatch.setitem(sys.modules, "rooflib.build", None)
    return archive


def lying(book):
    return {
        path.relative_to(book.root).as_posix(): path.read_bytes()
        for path in book.root.rglob("*.ipynb")
    }


def write(book, name, data=BROKEN):
    (book.root / name).write_bytes(data)


@pytest.mark.parametrize("name", ["01_time", "notebooks/01_time.ipynb", "01-Time"])
def test_the_original_comes_back_and_the_readers_version_stays_beside(clone, name):
    before = lying(clone)
    write(clone, PAGE)
    (done,) = restore(clone, [name])
    assert lying(clone) == {**before, MINE: BROKEN}
    assert done == Restored(PAGE, changed=True, kept=MINE)
    assert PAGE in str(done)
    assert MINE in str(done)


def test_no_version_is_overwritten(clone):
    for again in (b"one", b"two", b"three"):
        write(clone, PAGE, again)
        restore(clone, ["01_time"])
    kept = {name: data for name, data in lying(clone).items() if ".mine" in name}
    assert kept == {
        MINE: b"one",
        "notebooks/01_time.mine-2.ipynb": b"two",
        "notebooks/01_time.mine-3.ipynb": b"three",
    }


def test_a_page_that_is_the_original_is_left_alone(clone):
    path = clone.root / PAGE
    before, time = lying(clone), path.stat().st_mtime_ns
    (done,) = restore(clone, ["01_time"])
    assert "nothing was done" in str(done)
    assert (lying(clone), path.stat().st_mtime_ns) == (before, time)


def test_a_missing_page_comes_back(clone):
    before = lying(clone)
    (clone.root / PAGE).unlink()
    (done,) = restore(clone, [PAGE])
    assert "was missing and is back" in str(done)
    assert lying(clone) == before


def test_a_folder_that_was_deleted_comes_back(clone):
    before = lying(clone)
    shutil.rmtree(clone.exercises)
    restore(clone, ["problem_1"])
    assert lying(clone) == before


def test_line_ends_of_the_checkout(clone):
    git(clone.root, "config", "core.autocrlf", "true")
    (clone.root / PAGE).unlink()
    git(clone.root, "checkout", "--", PAGE)
    before = lying(clone)
    assert b"\r\n" in before[PAGE]
    assert not restore(clone, ["01_time"])[0].changed
    write(clone, PAGE)
    restore(clone, ["01_time"])
    assert lying(clone) == {**before, MINE: BROKEN}
    assert git(clone.root, "status", "--porcelain") == ""


def test_another_repository_named_in_the_environment_is_not_asked(clone, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    write(clone, PAGE)
    assert restore(clone, ["01_time"])[0].kept == MINE


@pytest.mark.parametrize("why", ["no repository", "no git", "not committed"])
def test_without_git_it_is_made_anew(archive, why, monkeypatch, tmp_path):
    if why == "no git":
        (tmp_path / "empty").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    elif why == "not committed":
        git(archive.root, "init", "--quiet")
    monkeypatch.setattr("rooflib.build.anew", lambda book, page: b"made anew")
    before = lying(archive)
    (done,) = restore(archive, [EXERCISE])
    assert done.kept == "exercises/problem_1.mine.ipynb"
    assert lying(archive) == {**before, EXERCISE: b"made anew", done.kept: AS_MADE}


def test_made_anew_is_the_text_run_and_the_second_time_it_is_there(archive):
    restore(archive, ["01_time"])
    (cell,) = nbformat.read(archive.root / PAGE, as_version=4).cells
    assert cell.outputs[0].data["text/plain"] == "42"
    assert [each.changed for each in restore(archive, ["01_time"])] == [False]


def test_if_one_original_cannot_be_had_nothing_changes(archive):
    before = lying(archive)
    with pytest.raises(BookError, match=r"(?s)02_roofline\.ipynb is not in git.*ZeroDivisionError"):
        restore(archive, ["01_time", "02_roofline"])
    assert lying(archive) == before


def test_if_it_cannot_be_written_the_page_is_as_it_was(clone, monkeypatch):
    write(clone, PAGE)
    before = lying(clone)

    def full(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(BookError, match=r"01_time\.ipynb is as it was.*disk full"):
        restore(clone, ["01_time"])
    assert lying(clone) == before
    assert not list(clone.lessons.glob(".*"))


@pytest.mark.parametrize(
    "folder, given, meant",
    [
        (".", "problem_1", [SOLUTION, EXERCISE]),
        (".", "problem_1.ipynb", [SOLUTION, EXERCISE]),
        (".", "solutions/text/problem_1.md", [SOLUTION, EXERCISE]),
        (".", "exercises/problem_1.ipynb", [EXERCISE]),
        (".", "exercises/problem_1", [EXERCISE]),
        (".", r"exercises\problem_1.ipynb", [EXERCISE]),
        ("exercises", "problem_1.ipynb", [EXERCISE]),
        ("exercises", "./problem_1", [EXERCISE]),
        ("exercises", "../solutions/problem_1.ipynb", [SOLUTION]),
        ("exercises", "notebooks/01_time.ipynb", [PAGE]),
        ("notebooks", "01_time", [PAGE]),
    ],
)
def test_how_a_page_is_named(archive, folder, given, meant, monkeypatch):
    monkeypatch.chdir(archive.root / folder)
    found = [page.target.relative_to(archive.root).as_posix() for page in pages(archive, [given])]
    assert found == meant


@pytest.mark.parametrize(
    "given, said",
    [
        (["01_tmie"], r"unknown page '01_tmie'; valid: 01_time, .*Did you mean '01_time'"),
        (["exercise/problem_1.ipynb"], "Did you mean 'exercises/problem_1.ipynb'"),
        (["01_time.mine"], "Did you mean '01_time'"),
        ([], "say which page: 01_time, 02_roofline, problem_1"),
    ],
)
def test_an_unknown_name_gets_the_nearest_and_nothing_changes(clone, given, said):
    write(clone, PAGE)
    before = lying(clone)
    with pytest.raises(ValueError, match=said):
        restore(clone, ["01_time", *given] if given else [])
    assert lying(clone) == before


def test_the_command(clone, monkeypatch, capsys):
    monkeypatch.chdir(clone.lessons)
    write(clone, PAGE)
    assert main(["restore", "01_time.ipynb"]) == 0
    said = capsys.readouterr().out
    assert f"{PAGE} is the original again; your version is kept as {MINE}" in said
    assert "Reload Notebook from Disk" in said
    assert main(["restore", "1_time"]) == 2
    assert "Did you mean '01_time'" in capsys.readouterr().err
    assert main(["restore"]) == 2
    assert "say which page" in capsys.readouterr().err


def test_what_is_kept_is_a_page_to_nobody(archive):
    """Neither to the build, nor to git, nor to pytest, nor to who opens the book."""
    git(archive.root, "init", "--quiet")
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0", execution_count=1)])
    for name in ("01_time.mine", "01_time.mine-2", "00_start.mine"):
        nbformat.write(page, archive.lessons / f"{name}.ipynb")
    (archive.root / "conftest.py").write_bytes((ROOT / "conftest.py").read_bytes())
    assert orphans(archive) == []
    assert archive.first_page().name == "01_time.ipynb"
    assert ".mine" not in git(archive.root, "status", "--porcelain", "--untracked-files=all")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "--collect-only", "--quiet", "notebooks"],
        cwd=archive.root,
        capture_output=True,
        text=True,
    )
    assert PAGE in done.stdout
    assert ".mine" not in done.stdout
