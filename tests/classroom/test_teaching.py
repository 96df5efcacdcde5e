"""The teacher's page: its commands run as they stand, and what it says of them is so."""

import re
import shlex
from pathlib import Path

import pytest

from rooflib import cli
from rooflib.classroom import sample
from rooflib.classroom.results import folder as results
from rooflib.classroom.results import overrides

PAGE = Path(__file__).parents[2] / "solutions" / "TEACHING.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()
]


def test_there_are_commands():
    assert len(COMMANDS) == 5


def test_the_round_works_as_it_is_written(tmp_path, monkeypatch, capsys):
    # The loop without end takes its time limit, and nothing here is about it.
    calm = [one for one in sample.submissions() if "farid_4006_70006_problem_3" not in one[0]]
    monkeypatch.setattr(sample, "submissions", lambda: iter(calm))
    monkeypatch.chdir(tmp_path)
    codes = []
    for command in COMMANDS:
        program, *words = shlex.split(command)
        assert program == "rooflib"
        codes.append(cli.main(words))
    assert codes == [0, 0, 0, 1, 1]
    capsys.readouterr()
    made = {path.name for path in (tmp_path / "sample/grades").iterdir()}
    listed = set(re.findall(r"^\| `([\w.]+)/?` \|", TEXT, re.MULTILINE))
    assert made - {".journal.sqlite"} == listed | {"report.html"}
    names = (tmp_path / "sample").iterdir()
    assert {p.name for p in names} == {"roster.csv", "handout", "submissions.zip", "grades"}


def test_the_columns_it_names_are_the_columns():
    assert f"`{','.join(overrides.COLUMNS)}`" in TEXT
    assert "3b.big" in results.columns(sample.ASSIGNMENT)


@pytest.mark.parametrize("accident", ["late", "two versions", "damaged", "neighbour", "loop"])
def test_the_accidents_it_promises_are_in_the_class(accident):
    names = [name for name, _data in sample.submissions()]
    found = {
        "late": any("_LATE_" in name for name in names),
        "two versions": any("-1.ipynb" in name for name in names),
        "damaged": any(not data.endswith(b"}") for _name, data in sample.submissions()),
        "neighbour": any("kimgrace" in n and b'"s03"' in d for n, d in sample.submissions()),
        "loop": any(b"while True" in data for _name, data in sample.submissions()),
    }
    assert found[accident]
    assert accident in TEXT
