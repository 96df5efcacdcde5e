"""Notebooks are found wherever they lie, and no archive from a stranger does harm."""

import hashlib
import io
import os
import random
import stat
import struct
import sys
import time
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.classroom.intake.collect import Found, Limits, Trouble, walk
from rooflib.classroom.intake.gradescope import Submitter

PAGE = b'{"cells": []}'


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    """A zip of (name, bytes) pairs."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, data in members:
            file.writestr(name, data)
    return buffer.getvalue()


@pytest.fixture
def handin(tmp_path):
    folder = tmp_path / "handin"
    folder.mkdir()
    return folder


def put(folder, **files):
    for name, data in files.items():
        (folder / f"{name}.zip").write_bytes(data)


def rows(*paths, **limits):
    everything = list(walk(paths, Limits(**limits)))
    return (
        [row for row in everything if isinstance(row, Found)],
        [row for row in everything if isinstance(row, Trouble)],
    )


def test_a_folder(handin):
    (handin / "ada").mkdir()
    (handin / "ada" / "lab.ipynb").write_bytes(PAGE)
    os.utime(handin / "ada" / "lab.ipynb", (1e9, 1e9))
    ((found,), troubles) = rows(handin)
    assert found.place == f"{handin}/ada/lab.ipynb"
    assert found.path == ("handin", "ada", "lab.ipynb")
    assert (found.data, found.time) == (PAGE, 1e9)
    assert found.digest == hashlib.sha256(PAGE).hexdigest()
    assert troubles == []


def test_zips_of_zips(handin):
    inner = zipped(("sub/ada.ipynb", PAGE), ("bob.IPYNB", b""))
    put(handin, all=zipped(("inner.ZIP", inner), ("cy.ipynb", PAGE)))
    found, troubles = rows(handin / "all.zip")
    assert [one.path for one in found] == [
        ("all", "inner", "sub", "ada.ipynb"),
        ("all", "inner", "bob.IPYNB"),
        ("all", "cy.ipynb"),
    ]
    assert found[0].place == f"{handin}/all.zip/inner.ZIP/sub/ada.ipynb"
    assert troubles == []


def test_single_files_and_what_is_not_there(handin):
    (handin / "ada.ipynb").write_bytes(PAGE)
    (found, troubles) = rows(handin / "ada.ipynb", handin / "none.zip")
    assert [one.path for one in found] == [("ada.ipynb",)]
    assert [one.place for one in troubles] == [f"{handin}/none.zip"]
    assert "no file or folder" in troubles[0].what


def test_the_time_in_a_zip_is_kept(handin):
    member = zipfile.ZipInfo("a.ipynb", (2026, 9, 15, 12, 30, 0))
    unknown = zipfile.ZipInfo("b.ipynb")
    put(handin, all=zipped((member, PAGE), (unknown, PAGE)))
    found, _ = rows(handin)
    assert time.localtime(found[0].time)[:5] == (2026, 9, 15, 12, 30)
    assert found[1].time is None


PASSED_OVER = [
    "ada/.ipynb_checkpoints/lab-checkpoint.ipynb",
    "ada/lab-checkpoint.ipynb",
    "__MACOSX/ada/._lab.ipynb",
    ".hidden/lab.ipynb",
    "._lab.ipynb",
    "data.csv",
    "picture.png",
    "node_modules/x/readme.md",
]


def test_passed_over_in_silence(handin):
    put(handin, all=zipped(*((name, PAGE) for name in PASSED_OVER)))
    for name in PASSED_OVER:
        (handin / name).parent.mkdir(parents=True, exist_ok=True)
        (handin / name).write_bytes(PAGE)
    assert rows(handin) == ([], [])


OTHERS = {
    "lab.tar": ("only .zip", False),
    "lab.tar.gz": ("only .zip", False),
    "lab.RAR": ("only .zip", False),
    "lab.7z": ("only .zip", False),
    "lab.py": ("no notebook (.py)", True),
    "lab.pdf": ("no notebook (.pdf)", True),
    "lab.html": ("no notebook (.html)", True),
}


@pytest.mark.parametrize("name, about", OTHERS.items(), ids=OTHERS)
def test_other_files_are_named_with_what_to_do(handin, name, about):
    sentence, instead = about
    (handin / name).write_bytes(b"x")
    put(handin, all=zipped((f"ada/{name}", b"x")))
    found, troubles = rows(handin)
    assert found == []
    assert {one.path for one in troubles} == {("handin", name), ("handin", "all", "ada", name)}
    for one in troubles:
        assert sentence in one.what
        assert one.todo
        assert one.instead == instead


def test_a_notebook_that_a_browser_renamed(handin):
    (handin / "lab.ipynb.txt").write_bytes(PAGE)
    (handin / "lab (1).ipynb.json").write_bytes(PAGE)
    assert len(rows(handin)[0]) == 2


def test_gradescope_says_who_it_is(handin):
    metadata = b"submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: s1\n"
    members = [
        ("assignment_9_export/submission_1/sub/lab.ipynb", PAGE),
        ("assignment_9_export/submission_2/lab.ipynb", PAGE),
        ("assignment_9_export/submission_metadata.yml", metadata),
    ]
    put(handin, all=zipped(*members))
    for name, data in members:
        (handin / name).parent.mkdir(parents=True, exist_ok=True)
        (handin / name).write_bytes(data)
    found, troubles = rows(handin)
    assert troubles == []
    assert len(found) == 4
    for one in found:
        assert one.submitters == ((Submitter("Ada", "s1"),) if "submission_1" in one.path else ())


NAMES = {
    "../x.ipynb": None,
    "sub/../../x.ipynb": None,
    "/etc/x.ipynb": None,
    "\\etc\\x.ipynb": None,
    "C:\\Users\\x.ipynb": None,
    "c:x.ipynb": None,
    "sub\\x.ipynb": ("sub", "x.ipynb"),
    "./sub//x.ipynb": ("sub", "x.ipynb"),
    "王小明/josé 😀.ipynb": ("王小明", "josé 😀.ipynb"),
    "a" * 249 + ".ipynb": ("a" * 249 + ".ipynb",),
    "a\nb\u202ec.ipynb": ("a\ufffdb\ufffdc.ipynb",),
    "..x.ipynb": (),  # hidden
    "x..ipynb": ("x..ipynb",),
    "d/" * 100 + "x.ipynb": None,
}


@pytest.mark.parametrize("name, path", NAMES.items(), ids=range(len(NAMES)))
def test_names_in_a_zip(handin, name, path):
    put(handin, all=zipped((name, PAGE)))
    found, troubles = rows(handin / "all.zip")
    if path is None:
        assert found == []
        (trouble,) = troubles
        assert trouble.todo
    else:
        assert [one.path[1:] for one in found] == ([path] if path else [])
        assert troubles == []


def test_a_name_of_sixty_thousand_characters_is_cut(handin):
    put(handin, all=zipped(("b" * 60_000 + ".ipynb", PAGE)))
    ((found,), _) = rows(handin)
    assert len(found.place) < 500


def test_utf8_names_that_do_not_say_so(handin):
    data = zipped(("jos\u00e9.ipynb", PAGE))
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(header) + flags
        data = data[:at] + b"\0\0" + data[at + 2 :]
    put(handin, all=data)
    ((found,), troubles) = rows(handin)
    assert (found.path[-1], troubles) == ("jos\u00e9.ipynb", [])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_twice_in_a_zip(handin):
    put(handin, all=zipped(("a.ipynb", b"1"), ("a.ipynb", b"2")))
    found, _ = rows(handin)
    assert [one.data for one in found] == [b"1", b"2"]
    assert len({one.place for one in found}) == 2


def test_links_in_a_zip_are_not_followed(handin):
    link = zipfile.ZipInfo("ada.ipynb")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    put(handin, all=zipped((link, "/etc/passwd")))
    found, (trouble,) = rows(handin)
    assert found == []
    assert "a link" in trouble.what


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_on_disk_lead_nowhere_outside(tmp_path, handin):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.ipynb").write_bytes(b"key")
    (handin / "ada").mkdir()
    (handin / "ada" / "lab.ipynb").write_bytes(PAGE)
    (handin / "bob.ipynb").symlink_to(secret / "key.ipynb")
    (handin / "cy").symlink_to(secret)
    (handin / "dan.ipynb").symlink_to(handin / "ada" / "lab.ipynb")
    (handin / "eve").symlink_to(handin)
    (handin / "fay.ipynb").symlink_to(handin / "none.ipynb")
    (handin / "notes.csv").symlink_to(secret / "key.ipynb")
    found, troubles = rows(handin)
    assert [one.path[1:] for one in found] == [("ada", "lab.ipynb"), ("dan.ipynb",)]
    assert [one.path[1:] for one in troubles] == [("bob.ipynb",), ("cy",), ("fay.ipynb",)]
    (tmp_path / "way").symlink_to(handin)  # a given path is the teacher's own
    assert len(rows(tmp_path / "way")[0]) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_what_is_no_file_is_not_waited_for(handin):
    os.mkfifo(handin / "a.ipynb")
    (handin / "b.ipynb").mkdir()
    found, troubles = rows(handin)
    assert found == []
    assert ["no ordinary file" in one.what for one in troubles] == [True]


@pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin", reason="names are text there")
def test_names_on_disk_that_are_no_text(handin):
    with open(os.fsencode(handin) + b"/jos\xe9.ipynb", "wb") as file:
        file.write(PAGE)
    ((found,), _) = rows(handin)
    assert found.path[-1].encode()
    assert found.place.encode()
    assert found.data == PAGE


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_what_cannot_be_read_is_said(handin):
    (handin / "a.ipynb").write_bytes(PAGE)
    (handin / "a.ipynb").chmod(0)
    assert "cannot be read" in rows(handin)[1][0].what


def test_200_megabytes_are_not_read(handin):
    with open(handin / "large.ipynb", "wb") as file:
        file.truncate(200_000_000)
    put(handin, all=zipped(("large.ipynb", b"0" * 20_000_001)))
    tracemalloc.start()
    found, troubles = rows(handin)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == []
    assert [one.what for one in troubles] == [
        "This file was left aside: it has 20 MB; at most 20 MB are read.",
        "This file was left aside: it has 200 MB; at most 20 MB are read.",
    ]
    assert peak < 2_000_000


def damaged(data, header, offset, form, value):
    """`data` with a number overwritten in its local or central header."""
    at = data.index(header) + offset
    return data[:at] + struct.pack(form, value) + data[at + struct.calcsize(form) :]


LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
ONE = zipped(("a.ipynb", PAGE))
BROKEN = {
    "encrypted": (damaged(damaged(ONE, CENTRAL, 8, "<H", 1), LOCAL, 6, "<H", 1), "encrypted"),
    "a wrong checksum": (damaged(ONE, CENTRAL, 16, "<I", 7), "damaged"),
    "more than it declares": (damaged(ONE, CENTRAL, 24, "<I", 3), "damaged"),
    "less than it declares": (damaged(ONE, CENTRAL, 24, "<I", 3000), "damaged"),
    "another name in front": (ONE.replace(b"a.ipynb", b"b.ipynb", 1), "damaged"),
    "cut off": (ONE[:-10], "damaged"),
    "empty": (b"", "damaged"),
    "no zip": (b"Rar!" * 100, "damaged"),
    "bzip2": (zipped(("a.ipynb", PAGE), method=zipfile.ZIP_BZIP2), "method"),
    "lzma": (zipped(("a.ipynb", PAGE), method=zipfile.ZIP_LZMA), "method"),
    "an unknown method": (damaged(ONE, CENTRAL, 10, "<H", 98), "method"),
    "a name that is no UTF-8": (
        damaged(damaged(ONE, CENTRAL, 8, "<H", 0x800), CENTRAL, 46, "<B", 0xFF),
        "damaged",
    ),
}


@pytest.mark.parametrize("data, sentence", BROKEN.values(), ids=BROKEN)
def test_a_broken_zip_is_one_row(handin, data, sentence):
    put(handin, a=data, b=zipped(("in.zip", data)), c=ONE)
    found, troubles = rows(handin)
    assert [one.path for one in found] == [("handin", "c", "a.ipynb")]
    assert len(troubles) == 2
    assert all(sentence in one.what and one.todo for one in troubles)


def test_a_member_without_a_name_is_none(handin):
    put(handin, all=damaged(zipped(("/", b""), ("a.ipynb", PAGE)), CENTRAL, 46, "<B", 0))
    found, troubles = rows(handin)
    assert ([one.path[-1] for one in found], troubles) == (["a.ipynb"], [])


def test_a_zip_with_a_bad_member_gives_the_others(handin):
    data = zipped(("a.ipynb", PAGE), ("b.ipynb", PAGE))
    put(handin, all=damaged(data, CENTRAL, 16, "<I", 7))
    found, troubles = rows(handin)
    assert [one.path[-1] for one in found] == ["b.ipynb"]
    assert [one.path[-1] for one in troubles] == ["a.ipynb"]


def test_damage_anywhere_raises_nothing(handin):
    """Every tenth cut, and a few hundred scattered bytes, in a zip within a zip."""
    noise = random.Random(6)
    data = zipped(("in.zip", zipped(("a.ipynb", PAGE * 9), ("b.ipynb", PAGE))), ("c.ipynb", PAGE))
    cuts = [data[:n] for n in range(0, len(data), 10)]
    for _ in range(200):
        flipped = bytearray(data)
        for _ in range(noise.randint(1, 8)):
            flipped[noise.randrange(len(data))] = noise.randrange(256)
        cuts.append(bytes(flipped))
    for cut in cuts:
        put(handin, all=cut)
        found, _ = rows(handin)
        assert all(len(one.data) <= len(PAGE) * 9 for one in found)


@given(st.binary(max_size=200), st.binary(max_size=80))
def test_any_bytes_are_read_or_reported(tmp_path_factory, noise, tail):
    folder = tmp_path_factory.mktemp("any")
    put(folder, a=noise, b=ONE + tail, c=noise + ONE)
    list(walk([folder]))


def nested(depth, name="lab.ipynb", data=PAGE):
    for level in range(depth):
        data = zipped((name, data))
        name = f"{level}.zip"
    return data


@pytest.mark.parametrize("depth, reached", [(1, True), (4, True), (5, False), (60, False)])
def test_archives_within_archives_end_somewhere(handin, depth, reached):
    put(handin, all=nested(depth))
    found, troubles = rows(handin)
    assert len(found) == reached
    assert len(troubles) == (not reached)
    if troubles:
        assert "within 4 archives" in troubles[0].what


def test_a_member_that_would_unpack_to_a_thousand_times_its_size(handin):
    put(
        handin,
        all=zipped(("a.ipynb", b" " * 10_000_000), ("b.zip", b" " * 10_000_000), ("c.ipynb", PAGE)),
    )
    found, troubles = rows(handin)
    assert [one.path[-1] for one in found] == ["c.ipynb"]
    assert len(troubles) == 2
    assert all("times its size" in one.what for one in troubles)


def test_a_bomb_of_many_small_charges_is_stopped_and_harms_no_neighbour(handin):
    charge = zipped(*((f"{i}.ipynb", os.urandom(200) * 500) for i in range(40)))  # 4 MB from 40 kB
    charge = zipped(*((f"{i}.zip", charge) for i in range(40)))
    bomb = zipped(*((f"{i}.zip", charge) for i in range(40)))  # 6.4 GB in all
    put(handin, all=zipped(("ada_1.ipynb", PAGE), ("bob.zip", bomb), ("cy.ipynb", PAGE)))
    found, troubles = rows(handin, inner=20_000_000, times=2)
    assert [one.path[-1] for one in found if len(one.path) == 3] == ["ada_1.ipynb", "cy.ipynb"]
    assert sum(len(one.data) for one in found) < 21_000_000
    assert ("handin", "all", "bob") in {one.path for one in troubles}
    assert all("far more than a class" in one.what for one in troubles)


def hundred_thousand(entries):
    """A zip whose directory lists one small file again and again."""
    name = b"a.ipynb"
    local = struct.pack("<4s5H3I2H", LOCAL, 20, 0, 0, 0, 33, 0, 0, 0, len(name), 0) + name
    entry = struct.pack(
        "<4s6H3I5H2I", CENTRAL, 20, 20, 0, 0, 0, 33, 0, 0, 0, len(name), 0, 0, 0, 0, 0, 0
    )
    directory = (entry + name) * entries
    count = min(entries, 0xFFFF - 1)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(local), 0)
    return local + directory + end


@pytest.mark.parametrize("entries", [30_000, 100_000])
def test_a_hundred_thousand_members_are_too_many(handin, entries):
    put(handin, all=hundred_thousand(entries))
    found, (trouble,) = rows(handin)
    assert found == []
    assert f"holds {entries:,} files, more than 20,000" in trouble.what


def test_a_million_members_are_not_even_listed(handin):
    put(handin, all=hundred_thousand(1_000_000))
    tracemalloc.start()
    found, (trouble,) = rows(handin)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == []
    assert "lists too many files" in trouble.what
    assert peak < 1_000_000


def test_an_archive_full_of_troubles_is_not_a_thousand_rows(handin):
    flood = zipped(*((f"x/{i}.py", b"") for i in range(500)), ("a.ipynb", PAGE))
    put(handin, all=zipped(("ada.zip", flood), ("bob.py", b"")))
    found, troubles = rows(handin)
    assert [one.path[-1] for one in found] == ["a.ipynb"]
    assert len(troubles) == 201
    assert "not listed" in troubles[199].what
    assert troubles[200].path[-1] == "bob.py"


def test_memory_holds_a_few_files_however_many_there_are(handin):
    noise = random.Random(1)
    inner = zipped(*((f"{i}.ipynb", noise.randbytes(500_000)) for i in range(4)))
    for i in range(8):
        put(handin, **{f"class{i}": zipped(*((f"{j}.zip", inner) for j in range(4)))})
        (handin / f"{i}.ipynb").write_bytes(noise.randbytes(500_000))
    tracemalloc.start()
    seen = 0
    for one in walk([handin]):
        assert isinstance(one, Found)
        seen += len(one.data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seen == 8 * 17 * 500_000
    assert peak < 8_000_000  # an inner archive of 2 MB, and a few notebooks


def test_walking_is_lazy_and_can_be_left(handin):
    put(handin, all=zipped(("in.zip", ONE), ("b.ipynb", PAGE)), broken=b"")
    one = walk([handin])
    assert isinstance(next(one), Found)
    one.close()


def test_nothing_is_written(handin, monkeypatch):
    put(handin, all=zipped(("in.zip", ONE), ("../../x.ipynb", PAGE)))
    before = sorted(handin.parent.rglob("*"))
    monkeypatch.setattr("tempfile.NamedTemporaryFile", None)
    rows(handin)
    assert sorted(handin.parent.rglob("*")) == before
