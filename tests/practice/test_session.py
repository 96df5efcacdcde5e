"""The conversation, its memory, and what graders see."""

import json
import subprocess
import sys

import pytest

from rooflib.practice import check, given, hint, progress, session, solution, store


def test_as_shipped_everything_is_unattempted_and_kind():
    for call in (
        lambda: check("1a", read=..., written=...),
        lambda: check("1b", ops=...),
        lambda: check("1c", intensity=..., limit=..., machine=..., batch=...),
        lambda: check("1d", math=..., comms=..., lower=..., upper=...),
    ):
        verdict = call()
        assert verdict.outcome == "unattempted"
        assert verdict.score == 0
        assert "hint(" in verdict.message


def test_partial_credit_by_part():
    verdict = check("1a", read="B*D + D*F", written="2*B*F")
    assert (verdict.outcome, verdict.score) == ("partly", 0.5)
    assert verdict.parts["read"].outcome == "right"
    assert verdict.parts["written"].outcome == "wrong"


def test_what_is_still_open_is_said():
    assert "Still to answer: written." in check("1a", read="B*D + D*F").message


def test_right_says_why_and_what_next():
    message = check("1a", read="B*D + D*F", written="B*F").message
    question = session.find("1a")
    assert question.why in message
    assert question.look_next in message


def test_480_asks_and_tells_neither_240_nor_2b():
    message = check("1c", batch=480).message
    assert "machine" in message
    assert "?" in message
    assert "240" not in message
    assert "2B" not in message.replace("·", "")


def test_240_for_the_machine_stands_alone_and_with_the_batch():
    alone = check("1c", machine=240).parts["machine"]
    together = check("1c", machine="240", batch="240 tokens").parts
    assert alone.key == "bf16 peak"
    assert together["machine"].key == "int8 ignored"
    assert "1.5 times" in together["machine"].message
    assert together["batch"].outcome == "right"


def test_a_bound_that_follows_from_a_wrong_time_gets_part_of_the_credit():
    verdict = check(
        "1d",
        math="2*B*D*F/1.97e14",
        comms="(B*D+D*F+B*F)/8.2e11",
        lower="max(2*B*D*F/1.97e14, (B*D+D*F+B*F)/8.2e11)",
        upper="2*B*D*F/1.97e14 + (B*D+D*F+B*F)/8.2e11",
    )
    assert [p.key for p in verdict.parts.values()] == ["bf16 peak", "right", "follows", "follows"]
    assert verdict.outcome == "partly"
    assert verdict.score == pytest.approx(0.5)


# Progress


def test_progress_is_kept_and_shown(fresh):
    assert "0 of" in str(progress())
    check("1b", "B*D*F")
    assert "1b ✗ not yet" in str(progress())
    check("1b", "2*B*D*F")
    check("1b", "B*D*F")  # a later slip takes nothing away
    assert "1b ✓ right" in str(progress())
    stored = json.loads(fresh.read_text())["questions"]
    assert stored["1b"]["state"] == "right"
    assert stored["1b"]["score"] == 1


def test_blanks_and_misreadings_leave_no_trace(fresh):
    check("1b", ...)
    check("1b", "2BDG")
    assert not fresh.exists()


def test_progress_can_be_reset(fresh):
    check("1b", "2*B*D*F")
    assert "0 of" in str(progress(reset=True))
    assert not fresh.exists()


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", "3", '{"questions": 3}', '{"questions": {"1a": 3}}', "\x00", "[" * 100_000],
)
def test_a_damaged_file_is_set_aside(fresh, damage):
    fresh.write_text(damage)
    assert "0 of" in str(progress())
    assert fresh.with_name(fresh.name + ".damaged-1").read_text() == damage
    check("1b", "2*B*D*F")
    assert "1b ✓ right" in str(progress())


def test_two_damaged_files_are_both_kept(fresh):
    for n in (1, 2):
        fresh.write_text(f"damage {n}")
        store.load()
    assert fresh.with_name(fresh.name + ".damaged-1").read_text() == "damage 1"
    assert fresh.with_name(fresh.name + ".damaged-2").read_text() == "damage 2"


@pytest.mark.parametrize("entry", [{}, {"state": 3}, {"state": "odd", "tries": "x", "score": None}])
def test_strange_entries_do_no_harm(fresh, entry):
    store.save({"1b": entry, "77x": entry})
    assert "1b ○" in str(progress())
    assert check("1b", "2*B*D*F").outcome == "right"
    assert "77x" in json.loads(fresh.read_text())["questions"]


def test_a_folder_that_cannot_be_written_is_no_obstacle(monkeypatch, tmp_path):
    monkeypatch.setenv("ROOFLIB_PROGRESS", str(tmp_path / "missing" / "progress.json"))
    assert check("1b", "2*B*D*F").outcome == "right"
    assert "0 of" in str(progress())


def test_a_folder_in_its_place_is_left_alone(fresh):
    fresh.mkdir()
    (fresh / "mine.txt").write_text("mine")
    assert check("1b", "2*B*D*F").outcome == "right"
    assert "0 of" in str(progress())
    assert (fresh / "mine.txt").read_text() == "mine"


def test_a_folder_that_was_removed_is_no_obstacle(monkeypatch, tmp_path):
    monkeypatch.delenv("ROOFLIB_PROGRESS")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert check("1b", "2*B*D*F").outcome == "right"


def test_nothing_half_written_is_left(fresh):
    check("1b", "2*B*D*F")
    assert [p.name for p in fresh.parent.iterdir()] == [fresh.name]


def test_the_file_lies_in_the_book_or_here(monkeypatch, tmp_path):
    monkeypatch.delenv("ROOFLIB_PROGRESS")
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path / "exercises")
    assert store.place() == tmp_path / store.NAME
    (tmp_path / "pyproject.toml").unlink()
    assert store.place().parent.name == "exercises"


# Hints and solutions


def test_hints_say_more_each_time():
    first, second, third, again = (str(hint("1a")) for _ in range(4))
    assert len({first, second, third}) == 3
    assert again == third
    assert "hint 1 of 3" in first
    assert "solution" in third


def test_the_solution_comes_on_the_second_call_or_when_it_is_right():
    assert "B·D" not in str(solution("1a"))
    assert "read = B·D + D·F" in str(solution("1a"))
    check("1b", "2*B*D*F")
    assert "ops = 2·B·D·F" in str(solution("1b"))


@pytest.mark.parametrize("ask", [hint, solution])
def test_unknown_questions_are_answered_kindly(ask):
    assert "1a" in str(ask("1q"))


def test_given_shows_the_numbers():
    shown = str(given("1"))
    assert "820 GB/s" in shown
    assert "394 TOP/s" in shown
    assert "There is no problem 99" in str(given("99"))
    assert str(given(1)) == shown


# Graders


def test_for_graders_it_raises_or_gives_a_float(monkeypatch):
    with pytest.raises(AssertionError, match="not yet"):
        check("1b", "B*D*F", grader="raise")
    assert check("1b", "2*B*D*F", grader="raise").outcome == "right"
    score = check("1a", read="B*D + D*F", written="B", grader="score")
    assert type(score) is float
    assert score == 0.5
    monkeypatch.setenv("ROOFLIB_GRADER", "raise")
    with pytest.raises(AssertionError):
        check("1b", ...)
    with pytest.raises(AssertionError):
        check("99", "x")
    monkeypatch.setenv("ROOFLIB_GRADER", "score")
    assert check("1b", "2*B*D*F") == 1.0


# Weight


def test_importing_is_light_and_checking_needs_no_sympy():
    code = (
        "import sys, rooflib.practice as p; "
        "heavy = ('sympy', 'matplotlib', 'ipywidgets', 'IPython', 'hypothesis'); "
        "assert not set(heavy) & set(sys.modules), 'import'; "
        "v = p.check('1d', lower='max(T_math, T_comms)'); "
        "assert v.parts['lower'].outcome == 'right', v; "
        "p.hint('1a'), p.progress(), p.given('1'), v._repr_html_(); "
        "assert not set(heavy) & set(sys.modules), 'check'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout + done.stderr == ""
