"""A file is there whole, or as it was."""

import os
import stat

import pytest

from rooflib.whole import CannotWrite, replacing, write


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize(
    "data, stored",
    [("Zoë\n", "Zoë\n".encode()), (b"\0\xff\r\n", b"\0\xff\r\n"), ("", b""), ("a\r\nb", b"a\r\nb")],
)
def test_text_and_bytes_arrive_as_they_are(tmp_path, data, stored, durable):
    path = tmp_path / "grades.csv"
    assert write(path, data, durable=durable)
    assert path.read_bytes() == stored
    assert names(tmp_path) == ["grades.csv"]


def test_the_same_content_is_left_alone(tmp_path):
    path = tmp_path / "page.html"
    write(path, "one")
    before = path.stat().st_ino
    assert not write(path, b"one")
    assert path.stat().st_ino == before
    assert write(path, "two")
    assert path.read_text() == "two"


def test_a_failure_half_way_keeps_the_old_file(tmp_path):
    path = tmp_path / "grades.csv"
    write(path, "old")

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
    write(path, "old")

    def held(*_paths):
        raise PermissionError(13, "The file is held")

    monkeypatch.setattr(os, "replace", held)
    with pytest.raises(CannotWrite, match=r"cannot write .*grades.csv: the file is held") as error:
        write(path, "new")
    assert "open in another program" in str(error.value)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["grades.csv"]


def test_a_folder_that_is_missing_is_said(tmp_path):
    with pytest.raises(CannotWrite, match="its folder missing"):
        write(tmp_path / "nowhere" / "grades.csv", "x")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_in_place_of_the_file_is_not_followed(tmp_path):
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    folder = tmp_path / "grades"
    folder.mkdir()
    (folder / "a.html").symlink_to(outside)
    # Even the same content must not stay a link.
    write(folder / "a.html", "mine")
    assert not (folder / "a.html").is_symlink()
    write(folder / "a.html", "new")
    assert outside.read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="no such modes there")
def test_the_mode_is_the_users_own(tmp_path):
    old = os.umask(0o027)
    try:
        write(tmp_path / "a", "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_what_lay_there_is_kept_where_it_should_go(tmp_path):
    path, kept = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"old")
    assert write(path, b"new", keep=kept)
    assert (path.read_bytes(), kept.read_bytes()) == (b"new", b"old")


def test_a_failure_while_replacing_brings_back_what_was_kept(tmp_path, monkeypatch):
    path, kept = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"old")

    def fails(*_paths):
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(CannotWrite):
        write(path, b"new", keep=kept)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]
