"""The journal: kept across runs, forgotten with another version, never in the way when damaged."""

import pytest

from rooflib.classroom.journal import NAME, Journal, fingerprint


def test_what_is_put_is_there_after_a_run_that_was_killed(tmp_path):
    journal = Journal(tmp_path, "1")
    journal.put("reading", "a", {"x": [1, "é", "\ud800"]})
    # Not closed: as a killed process leaves it.
    with Journal(tmp_path, "1") as again:
        assert again.get("reading", "a") == {"x": [1, "é", "\ud800"]}
        assert again.get("reading", "b") is None
        assert again.get("student", "a") is None


def test_the_last_value_counts(tmp_path):
    with Journal(tmp_path, "1") as journal:
        journal.put("student", "a", 1)
        journal.put("student", "a", 2)
        assert journal.get("student", "a") == 2


def test_another_version_begins_anew(tmp_path):
    with Journal(tmp_path, "1") as journal:
        journal.put("reading", "a", 1)
    with Journal(tmp_path, "2") as journal:
        assert journal.get("reading", "a") is None


@pytest.mark.parametrize("damage", [b"", b"no database at all, but long enough to be one" * 50])
def test_a_damaged_journal_is_set_aside(tmp_path, damage):
    (tmp_path / NAME).write_bytes(damage)
    with Journal(tmp_path, "1") as journal:
        journal.put("reading", "a", 1)
        assert journal.get("reading", "a") == 1
    aside = list(tmp_path.glob(f"{NAME}.damaged-*"))
    assert [path.read_bytes() for path in aside] == ([damage] if damage else [])


def test_a_journal_cut_short(tmp_path):
    with Journal(tmp_path, "1") as journal:
        for n in range(500):
            journal.put("reading", str(n), "x" * 100)
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with Journal(tmp_path, "1") as journal:
        journal.put("reading", "new", 1)
        assert journal.get("reading", "new") == 1


def test_a_fingerprint_is_of_the_content():
    assert fingerprint({"a": 1, "b": [2]}) == fingerprint({"b": [2], "a": 1})
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint("\ud800") != fingerprint("?")
