"""The commands as they are typed: what they print, where, and their exit codes."""

import re
import socket
import sys
from importlib.metadata import version

import pytest

from rooflib.cli import main

PROJECT = '[project]\nname = "rooflib"\n'
CELL = "```{{code-cell}} ipython3\n{}\n```\n"


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A book in which one stands."""
    (tmp_path / "notebooks" / "text").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A folder outside of any book, and a package installed elsewhere."""
    monkeypatch.setattr("rooflib.book.__file__", str(tmp_path / "site" / "rooflib" / "book.py"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def exit_code(argv):
    try:
        return main(argv)
    except SystemExit as stop:
        return stop.code


def test_help_lists_the_commands_and_the_exit_codes(capsys):
    assert exit_code(["--help"]) == 0
    said = capsys.readouterr().out
    for word in ("restore", "build", "chips", "--port", "--no-browser", "--version", "exit codes"):
        assert word in said


def test_version(capsys):
    assert exit_code(["--version"]) == 0
    assert capsys.readouterr().out == f"rooflib {version('rooflib')}\n"


@pytest.mark.parametrize(
    "argv, said",
    [
        (
            ["biuld"],
            "unknown command 'biuld'; valid: restore, build, chips, assign, key, grade, sample-class. Did you mean 'build'",
        ),
        (["--port", "9000", "chip"], "Did you mean 'chips'"),
        (["--port", "http"], "a port is a whole number from 1 to 65535; got 'http'"),
        (["--port", "0"], "a port is a whole number"),
        (["--port", "65536"], "a port is a whole number"),
        (["--prot", "9000"], "9000"),
        (["build", "--chekc"], "--chekc"),
    ],
)
def test_a_slip_on_the_command_line(argv, said, capsys):
    assert exit_code(argv) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("argv", [[], ["restore", "01_time"], ["build"], ["build", "--check"]])
def test_without_a_book(argv, nowhere, capsys):
    assert exit_code(argv) == 1
    said = capsys.readouterr().err
    assert str(nowhere) in said
    assert "git clone" in said


def test_a_book_without_pages(clone, capsys):
    assert exit_code(["--no-browser"]) == 1
    assert "rooflib build" in capsys.readouterr().err


def test_a_busy_port_is_named(clone, capsys):
    (clone / "notebooks" / "01_time.ipynb").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert exit_code(["--no-browser", "--port", str(port)]) == 1
    said = capsys.readouterr().err
    assert f"port {port} cannot be had" in said
    assert f"rooflib --port {port + 1}" in said


@pytest.mark.parametrize(
    "argv, module", [(["--no-browser"], "jupyterlab"), (["build"], "jupytext")]
)
def test_without_what_the_book_needs(argv, module, clone, capsys, monkeypatch):
    (clone / "notebooks" / "01_time.ipynb").touch()
    for loaded in [*sys.modules]:
        if loaded.split(".")[0] == module or loaded in ("rooflib.launch", "rooflib.build"):
            monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    assert exit_code(argv) == 1
    said = capsys.readouterr().err
    assert re.search(rf"{module}\S* is not installed", said)
    assert 'pip install "rooflib[book]"' in said


def test_chips_prints_the_table(capsys):
    assert exit_code(["chips"]) == 0
    said = capsys.readouterr().out
    assert "TPU v5e" in said
    assert "H100" in said


def test_build_check_and_what_mends_it(clone, capsys):
    text = clone / "notebooks" / "text" / "01_time.md"
    text.write_text(CELL.format("6 * 7"), encoding="utf-8")
    assert exit_code(["build", "--check"]) == 1
    assert "stale: notebooks/01_time.ipynb; `rooflib build 01_time`" in capsys.readouterr().err
    assert exit_code(["build", "01_time"]) == 0
    assert "wrote notebooks/01_time.ipynb" in capsys.readouterr().out
    assert exit_code(["build", "--check"]) == 0
    stray = clone / "notebooks" / "02_gone.ipynb"
    stray.touch()
    assert exit_code(["build", "--check"]) == 1
    assert "orphan: notebooks/02_gone.ipynb" in capsys.readouterr().err


def test_build_of_an_unknown_notebook(clone, capsys):
    (clone / "notebooks" / "text" / "01_time.md").touch()
    assert exit_code(["build", "01_tmie"]) == 2
    assert "Did you mean '01_time'" in capsys.readouterr().err


def test_build_of_a_cell_that_raises(clone, capsys):
    text = clone / "notebooks" / "text" / "01_time.md"
    text.write_text(CELL.format("1 / 0"), encoding="utf-8")
    assert exit_code(["build"]) == 1
    said = capsys.readouterr().err
    assert "notebooks/text/01_time.md, cell 1 raises ZeroDivisionError" in said
    assert "nothing was written" in said
    assert not list(clone.rglob("*.ipynb"))
