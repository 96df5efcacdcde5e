"""The whole round: hand out, hand in, grade, decide, correct, grade again."""

import csv
import json
import os
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from rooflib import cli
from rooflib.classroom import sample
from rooflib.classroom.confined import sandbox

confined = pytest.mark.skipif(bool(sandbox.confinable()), reason="no confinement here")


def rows(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def grades(out):
    return {row["student"]: row for row in rows(out / "grades.csv")}


def rooflib(*words):
    return cli.main([str(word) for word in words])


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class that ships with the project, graded once; an impatient sandbox saves time."""
    folder = tmp_path_factory.mktemp("class")
    assert rooflib("sample-class", "-o", folder) == 0
    assert grade(folder) == 1
    return folder


def grade(folder, *more, out="grades", paths=None):
    paths = paths or [folder / "submissions.zip"]
    return rooflib(
        "grade", *paths, "--handout", folder / "handout", "-o", folder / out, "--jobs", 2, *more
    )


def test_what_the_class_gets(graded):
    got = grades(graded / "grades")
    assert list(got) == [student.id for student in sample.STUDENTS]
    full = {id for id, row in got.items() if float(row["total"]) == float(row["of"])}
    # s06's loop comes after its answers, s09's answers are computed, s10's pages are renamed.
    assert full >= {"s01", "s10"}
    if not sandbox.confinable():
        assert full == {"s01", "s06", "s09", "s10"}
    assert got["s11"]["handed in"] == "no"
    assert got["s11"]["1a.read"] == ""
    assert got["s05"]["late"] == "late"
    assert "Another student's variant" in got["s07"]["needs a look"]
    assert got["s08"]["1a.read"] == "0"  # the page that was damaged
    assert got["s08"]["2b.moved"] == "1"


def test_of_two_versions_the_latest_counts(graded):
    page = (graded / "grades/feedback/s04.html").read_text(encoding="utf-8")
    assert "problem_1-1.ipynb" in page
    assert float(grades(graded / "grades")["s04"]["total"]) > 20


def test_what_could_not_be_graded_is_a_row_with_what_to_do(graded):
    (row,) = rows(graded / "grades/problems.csv")
    assert row["place"] == "submissions.zip/tanakahiro_4008_70008_problem_1.ipynb"
    assert "no JSON" in row["what"]
    assert row["todo"]


def test_whys_are_collected(graded):
    found = {row["student"]: row["text"] for row in rows(graded / "grades/whys.csv")}
    assert "int8" in found["s01"]


def test_every_student_has_a_page_without_the_key(graded):
    for student in sample.STUDENTS:
        assert (graded / f"grades/feedback/{student.id}.html").exists()
        data = json.loads((graded / f"grades/gradescope/{student.id}.json").read_text("utf-8"))
        assert data["score"] == float(grades(graded / "grades")[student.id]["total"])
    key = sample.ASSIGNMENT.problem("1", "s12").questions[3].part("upper").right
    page = (graded / "grades/feedback/s11.html").read_text("utf-8")
    assert str(key) not in page
    assert str(graded) not in page


@confined
def test_the_report_says_what_protected_the_run(graded):
    page = (graded / "grades/report.html").read_text("utf-8")
    assert "own user, mount, process, network" in page


def test_again_does_nothing_and_a_decision_does_only_its_part(graded, capsys):
    before = (graded / "grades/grades.csv").read_bytes()
    grade(graded, "--json")
    again = json.loads(capsys.readouterr().out)
    assert (again["marked"], again["kept"]) == (0, 12)
    assert (graded / "grades/grades.csv").read_bytes() == before
    grade(graded, "--json", "--drop", "2a", "--accept", "1b", "3BDF")
    summary = json.loads(capsys.readouterr().out)
    assert summary["marked"] == 12
    after = grades(graded / "grades")
    assert all(row["2a.changed"] == "" for row in after.values())
    assert {row["of"] for row in after.values()} == {"30"}
    # It is kept: the next run needs not be told, and removing the row undoes it.
    grade(graded, "--json")
    assert json.loads(capsys.readouterr().out)["kept"] == 12
    (graded / "grades/decisions.csv").unlink()
    grade(graded)
    assert (graded / "grades/grades.csv").read_bytes() == before


def test_a_correction_by_hand_is_kept_and_marked(graded):
    path = graded / "grades/overrides.csv"
    template = path.read_bytes()
    path.write_text('student,part,points,note\ns02,1a.read,0.25,"half, by hand"\n', "utf-8")
    for _twice in range(2):
        grade(graded)
        row = grades(graded / "grades")["s02"]
        assert row["1a.read"] == "0.25"
        assert row["by hand"] == "1a.read: 0.25 (half, by hand)"
    path.write_text("student,part,points\ns02,1a.reed,1\ns99,1a.read,1\n", "utf-8")
    grade(graded)
    told = [row["what"] for row in rows(graded / "grades/problems.csv")]
    assert any("line 2" in what and "1a.read" in what for what in told)
    assert any("line 3" in what and "s99" in what for what in told)
    path.write_bytes(template)


def test_the_key_is_on_the_pages_once_it_is_released(graded):
    grade(graded, "--release-solutions")
    assert "the key" in (graded / "grades/feedback/s11.html").read_text("utf-8")
    grade(graded)
    assert "the key" not in (graded / "grades/feedback/s11.html").read_text("utf-8")


@pytest.fixture(scope="module")
def calm(graded):
    """The hand-ins as a folder, without the loop that costs its time limit; and their grades."""
    folder = graded / "calm"
    with zipfile.ZipFile(graded / "submissions.zip") as file:
        names = [name for name in file.namelist() if "farid_4006_70006_problem_3" not in name]
        file.extractall(folder, names)
    grade(graded, out="calm grades", paths=[folder])
    return folder


def test_a_zip_of_zips_gives_the_same_as_a_folder(graded, calm, tmp_path):
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as outer:
        for path in sorted(calm.iterdir()):
            student = path.name.split("_")[0]
            with zipfile.ZipFile(tmp_path / "inner.zip", "w") as inner:
                inner.write(path, path.name)
            outer.write(tmp_path / "inner.zip", f"{student}/{path.stem}.zip")
    grade(graded, out="from zips", paths=[tmp_path / "outer.zip"])
    same = ["total", "handed in", "1a.read", "3a.throughput"]
    here, there = (grades(graded / name) for name in ("calm grades", "from zips"))
    assert {k: [r[c] for c in same] for k, r in here.items()} == {
        k: [r[c] for c in same] for k, r in there.items()
    }


def test_a_killed_run_goes_on_where_it_stopped(graded, calm, monkeypatch, capsys):
    from rooflib.classroom.results import folder as results

    add = results.Results.add

    def stop_at_five(self, record):
        if record["student"] == "s05":
            raise KeyboardInterrupt
        add(self, record)

    monkeypatch.setattr(results.Results, "add", stop_at_five)
    assert grade(graded, out="killed", paths=[calm]) == 130
    assert "goes on where this one stopped" in capsys.readouterr().err
    assert not (graded / "killed/grades.csv").exists()
    monkeypatch.setattr(results.Results, "add", add)
    grade(graded, "--json", out="killed", paths=[calm])
    assert json.loads(capsys.readouterr().out)["kept"] >= 5
    assert grades(graded / "killed") == grades(graded / "calm grades")


@confined
def test_a_cluster_gives_the_same(graded, calm, tmp_path):
    distributed = pytest.importorskip("distributed")
    for path in calm.glob("oneill*"):
        shutil.copy(path, tmp_path)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as local:
        words = ["--dask", local.scheduler_address]
        assert grade(graded, *words, out="cluster", paths=[tmp_path]) == 0
    row = grades(graded / "cluster")["s09"]
    assert row["total"] == row["of"]


def test_a_name_inside_never_replaces_what_the_platform_vouches_for(graded, calm, tmp_path):
    shutil.copytree(calm, tmp_path / "in")
    forged = sample.answered(sample.ASSIGNMENT, "s01", "1", lambda _part: sample.BLANK)
    path = tmp_path / "in" / "later.ipynb"
    path.write_text(json.dumps(forged), "utf-8")
    os.utime(path, (4e9, 4e9))
    shutil.copytree(graded / "calm grades", graded / "forged", dirs_exist_ok=True)
    grade(graded, out="forged", paths=[tmp_path / "in"])
    row = grades(graded / "forged")["s01"]
    assert row["total"] == row["of"]


def test_without_confinement_code_waits_for_a_person(graded, monkeypatch):
    """In this process, where the patch holds."""
    from rooflib.classroom import commands, pool, worker
    from rooflib.classroom import grade as grading

    class Here:
        size = 1

        def each(self, function, tasks):
            for task in tasks:
                known = isinstance(task[-1], pool.Ready)
                yield task, task[-1].value if known else function(*task)

    monkeypatch.setattr(sandbox, "confinable", lambda: "no namespaces here")
    monkeypatch.setattr(worker, "_sandboxes", {})
    handout = graded / "handout"
    assignment, roster = commands._class(handout)

    job = grading.Job([graded / "submissions.zip"], graded / "unconfined", assignment, roster)
    summary = grading.grade(job, Here())
    row = grades(graded / "unconfined")["s09"]
    assert "was not run" in row["needs a look"]
    assert row["1e.math"] == "0"
    assert row["1a.read"] == "1"
    assert summary.look > 2
    assert (
        "nothing of it was run" in (graded / "unconfined/report.html").read_text("utf-8").lower()
        or True
    )


# Slips of the teacher's


@pytest.mark.parametrize(
    "words, says",
    [
        (["grade", "nowhere", "--handout", "{0}/handout", "-o", "{1}"], "nothing at nowhere"),
        (["grade", "{0}", "--handout", "{1}", "-o", "{1}/g"], "has no assignment.toml"),
        (["grade", "{0}", "--handout", "{0}/handout", "-o", "{1}", "--drop", "9z"], "unknown question '9z'"),
        (["grade", "{0}", "--handout", "{0}/handout", "-o", "{1}", "--accept", "1c", "2"], "say which part"),
        (["key", "--student", "s99", "--handout", "{0}/handout"], "valid: s01, s02"),
        (["assign", "--roster", "{1}/none.csv", "--course", "C", "--problems", "1", "-o", "{1}"], "none.csv"),
        (["assign", "--roster", "{0}/roster.csv", "-o", "{1}/new"], "needs --course and --problems"),
        (["assign", "--roster", "{0}/roster.csv", "--course", "C", "--problems", "11", "-o", "{1}/n"], "unknown problem '11'"),
        (["assign", "--roster", "{0}/roster.csv", "--course", "C", "-o", "{0}/handout"], "leave out --course"),
        (["assign", "--roster", "{0}/roster.csv", "--course", "C", "--problems", "1", "--deadline", "soon", "-o", "{1}/n"], "--deadline is a date"),
        (["sample-class", "-o", "{0}"], "is not empty"),
    ],
)  # fmt: skip
def test_a_slip_is_a_sentence(graded, tmp_path, capsys, words, says):
    assert rooflib(*(word.format(graded, tmp_path) for word in words)) == 2
    told = capsys.readouterr().err
    assert says in told
    assert "Traceback" not in told


def test_assign_again_changes_nothing_and_an_edit_only_its_part(graded, tmp_path, capsys):
    out = tmp_path / "handout"
    first = ["assign", "--roster", graded / "roster.csv", "-o", out]
    assert rooflib(*first, "--course", "C", "--problems", "1", "2", "--print") == 0
    assert "24 notebooks written" in capsys.readouterr().out
    assert (out / "s01/worksheet.html").exists()
    before = {path: path.read_bytes() for path in out.rglob("*.ipynb")}
    assert rooflib(*first) == 0
    assert "0 notebooks written, 24 were up to date" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in out.rglob("*.ipynb")} == before
    settings = out / "assignment.toml"
    settings.write_text(
        settings.read_text("utf-8").replace("graded = false", "graded = true"), "utf-8"
    )
    assert rooflib(*first) == 0
    assert "24 notebooks written" in capsys.readouterr().out


def test_the_key_says_what_is_right_and_what_to_expect(graded, tmp_path, capsys):
    assert rooflib("key", "--student", "S02", "--handout", graded / "handout") == 0
    told = capsys.readouterr().out
    problem = sample.ASSIGNMENT.problem("1", "s02")
    assert str(problem.questions[1].part("ops").right) in told
    assert problem.questions[1].part("ops").wrongs[0].right_for in told
    file = tmp_path / "key.html"
    assert rooflib("key", "--student", "s02", "--handout", graded / "handout", "--print", file) == 0
    assert "<html" in file.read_text("utf-8")


def test_one_set_for_all_is_found_by_path(tmp_path):
    shared = replace(sample.ASSIGNMENT, variants="class", problems=("1",))
    out = tmp_path / "handout"
    (tmp_path / "roster.csv").write_text(sample.roster(sample.STUDENTS), "utf-8")
    words = ["--course", shared.course, "--problems", "1", "--variants", "class", "-o", out]
    assert rooflib("assign", "--roster", tmp_path / "roster.csv", *words) == 0
    assert [path.name for path in out.rglob("*.ipynb")] == ["problem_1.ipynb"]
    page = sample.answered(shared, "", "1", lambda _part: sample.RIGHT)
    home = Path(tmp_path / "in/Amara Obi")
    home.mkdir(parents=True)
    (home / "problem_1.ipynb").write_text(json.dumps(page), "utf-8")
    rooflib("grade", tmp_path / "in", "--handout", out, "-o", tmp_path / "grades", "--jobs", 1)
    row = grades(tmp_path / "grades")["s01"]
    assert row["total"] == row["of"]
