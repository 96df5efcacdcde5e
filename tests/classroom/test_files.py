"""A file is there whole, or as it was."""

import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.classroom.files import CannotWrite, file_name, replacing, write_atomic


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize(
    "data, stored",
    [("Zoë\n", "Zoë\n".encode()), (b"\0\xff\r\n", b"\0\xff\r\n"), ("", b""), ("a\r\nb", b"a\r\nb")],
)
def test_text_and_bytes_arrive_as_they_are(tmp_path, data, stored, durable):
    path = tmp_path / "grades.csv"
    assert write_atomic(path, data, durable=durable)
    assert path.read_bytes() == stored
    assert names(tmp_path) == ["grades.csv"]


def test_the_same_content_is_left_alone(tmp_path):
    path = tmp_path / "page.html"
    write_atomic(path, "one")
    before = path.stat().st_ino
    assert not write_atomic(path, b"one")
    assert path.stat().st_ino == before
    assert write_atomic(path, "two")
    assert path.read_text() == "two"


def test_a_failure_half_way_keeps_the_old_file(tmp_path):
    path = tmp_path / "grades.csv"
    write_atomic(path, "old")

    def stopped():
        with replacing(path) as file:
            file.write(b"half of the new")
            file.flush()
            assert path.read_text() == "old"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["grades.csv"]


def test_a_failure_while_replacing_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "grades.csv"
    write_atomic(path, "old")

    def held(*_paths):
        raise PermissionError(13, "The file is held")

    monkeypatch.setattr(os, "replace", held)
    with pytest.raises(CannotWrite, match=r"cannot write .*grades.csv: the file is held") as error:
        write_atomic(path, "new")
    assert "open in another program" in str(error.value)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["grades.csv"]


def test_a_folder_that_is_missing_is_said(tmp_path):
    with pytest.raises(CannotWrite, match="its folder missing"):
        write_atomic(tmp_path / "nowhere" / "grades.csv", "x")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_in_place_of_the_file_is_not_followed(tmp_path):
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    folder = tmp_path / "grades"
    folder.mkdir()
    (folder / "a.html").symlink_to(outside)
    # Even the same content must not stay a link.
    write_atomic(folder / "a.html", "mine")
    assert not (folder / "a.html").is_symlink()
    write_atomic(folder / "a.html", "new")
    assert outside.read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="no such modes there")
def test_the_mode_is_the_users_own(tmp_path):
    old = os.umask(0o027)
    try:
        write_atomic(tmp_path / "a", "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


@pytest.mark.parametrize("id", ["s001", "S001", "ada@uni.edu", "12345", "a.b-c_d", "x" * 61])
def test_a_plain_id_is_its_own_name(id):
    assert file_name(id) == id


@pytest.mark.parametrize(
    "id",
    ["../x", "a/b", "a\\b", "..", ".hidden", "con", "NUL", "com1.txt", "a.", "", " ", "-rf", "é",
     "a:b", "x" * 62, "李", "a\0b", "\ud800", "a\nb", "*", "~"],
)  # fmt: skip
def test_any_other_id_gets_a_safe_name_of_its_own(id):
    name = file_name(id)
    assert name != id
    assert name.isascii()
    assert name.replace("-", "").isalnum()
    assert 0 < len(name) < 60
    assert not name.startswith("-")


@given(st.text(), st.text())
def test_two_students_never_share_a_name(one, other):
    if one != other:
        assert file_name(one) != file_name(other)
