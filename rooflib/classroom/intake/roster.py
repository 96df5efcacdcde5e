"""The roster: who is in the class, from the table that a teacher has anyway."""

from __future__ import annotations

import csv
import functools
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rooflib.classroom.intake.finder import Finder
from rooflib.i18n import _

# The columns as they are named in the wild, letters and digits only; the first that is there wins.
_ID = (
    "id",
    "studentid",
    "sisuserid",
    "sid",
    "idnumber",
    "studentnumber",
    "matriculationnumber",
    "orgdefinedid",
    "sisloginid",
    "loginid",
    "login",
    "username",
)
_NAME = ("name", "fullname", "studentname", "student", "displayname")
_GIVEN = ("firstname", "givenname", "forename")
_FAMILY = ("lastname", "surname", "familyname")
_EMAIL = ("email", "emailaddress", "mail")

_LARGEST = 10_000_000
_LONGEST_ID = 64
_SHOWN = 5  # mistakes named in one message


class RosterError(ValueError):
    """A roster that cannot be used, in a sentence that says what to change."""


@dataclass(frozen=True)
class Student:
    """One person of the class."""

    id: str
    name: str
    email: str = ""


@dataclass(frozen=True)
class Roster:
    """The class, in the order of its table; `note` says what was guessed in reading it."""

    students: tuple[Student, ...]
    note: str = ""

    def __len__(self) -> int:
        return len(self.students)

    def get(self, id: str) -> Student | None:
        """The student with this id, letter case and blanks around it aside."""
        return self._by_key.get(_key(id))

    @functools.cached_property
    def _by_key(self) -> dict[str, Student]:
        return {_key(student.id): student for student in self.students}

    @functools.cached_property
    def finder(self) -> Finder:
        """Looks up who a path or a name speaks of."""
        return Finder(self.students)


def load(path: str | Path) -> Roster:
    """The roster in a CSV file: columns `id` and `name`, or what the learning platforms call them.

    Commas, semicolons or tabs; UTF-8, UTF-16 with its mark, or else Latin-1, which is noted.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise RosterError(
            _("The roster {path} cannot be read: {why}.").format(path=path, why=error.strerror)
        ) from None
    if len(data) > _LARGEST:
        raise RosterError(
            _("{path} is too large for a roster; it should be a table of ids and names.").format(
                path=path
            )
        )
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise RosterError(
            _("{path} is a spreadsheet; save it as CSV and give that file.").format(path=path)
        )
    text, note = _decoded(data)
    return parse(text, str(path), note)


def parse(text: str, place: str = "roster", note: str = "") -> Roster:
    """The roster in a text; `place` is what messages call it."""
    rows = _rows(text)
    if not rows:
        raise RosterError(
            _("{place} is empty; a roster has a first line `id,name` and a line a student.").format(
                place=place
            )
        )
    header = [_squeezed(cell) for cell in rows[0][1]]
    id_at, name_at = _column(header, _ID), _column(header, _NAME)
    given_at, family_at = _column(header, _GIVEN), _column(header, _FAMILY)
    email_at = _column(header, _EMAIL)
    missing = [] if id_at is not None else ["id"]
    if name_at is None and (given_at is None or family_at is None):
        missing.append("name")
    if missing:
        raise RosterError(
            _(
                "{place} has no column {missing}; its first line reads {header!r}. "
                "A roster needs the columns `id` and `name` (or `First name` and `Last name`)."
            ).format(
                place=place,
                missing=_(" and no column ").join(f"`{column}`" for column in missing),
                header=", ".join(rows[0][1])[:200],
            )
        )
    students: list[Student] = []
    mistakes: list[str] = []
    lines: dict[str, int] = {}
    for line, row in rows[1:]:
        id = _cell(row, id_at)
        name = _cell(row, name_at) if name_at is not None else ""
        name = name or f"{_cell(row, given_at)} {_cell(row, family_at)}".strip()
        if not id and name.casefold() == "points possible":
            continue  # the second line of a Canvas gradebook
        mistake = _mistake(id, name, line, lines)
        if mistake:
            mistakes.append(mistake)
            continue
        lines[_key(id)] = line
        students.append(Student(id, name, _cell(row, email_at)))
    if mistakes:
        shown = mistakes[:_SHOWN]
        if len(mistakes) > _SHOWN:
            shown.append(_("and {n} more").format(n=len(mistakes) - _SHOWN))
        raise RosterError(
            _("{place} cannot be used: {mistakes}.").format(place=place, mistakes="; ".join(shown))
        )
    if not students:
        raise RosterError(
            _("{place} has a first line and no students below it.").format(place=place)
        )
    return Roster(tuple(students), note)


def _mistake(id: str, name: str, line: int, lines: dict[str, int]) -> str:
    """What is wrong with one line; empty if nothing is."""
    if not id:
        return _("line {line}: {name!r} has no id").format(line=line, name=name)
    if not name:
        return _("line {line}: the id {id!r} has no name").format(line=line, id=id)
    if _key(id) in lines:
        return _("lines {first} and {line}: both have the id {id!r}").format(
            first=lines[_key(id)], line=line, id=id
        )
    # An id also names files.
    if set(id) & set('/\\:*?"<>|') or not id.isprintable() or not id.strip("."):
        return _("line {line}: the id {id!r} cannot be part of a file name").format(
            line=line, id=id
        )
    if len(id) > _LONGEST_ID:
        return _("line {line}: the id {id!r} is longer than {n} characters").format(
            line=line, id=id[:20] + "...", n=_LONGEST_ID
        )
    return ""


def _decoded(data: bytes) -> tuple[str, str]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), ""
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return data.decode("latin-1"), _(
            "The roster is not UTF-8, so it was read as Latin-1. "
            "If names look wrong, save it as UTF-8."
        )


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The lines that are not blank, each with its number, cut at what cuts the first line best."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    known = {*_ID, *_NAME, *_GIVEN, *_FAMILY, *_EMAIL}

    def columns(delimiter: str) -> tuple[int, int]:
        cells = next(csv.reader([first], delimiter=delimiter), [])
        return len({_squeezed(cell) for cell in cells} & known), len(cells)

    reader = csv.reader(
        io.StringIO(text.replace("\x00", ""), newline=""), delimiter=max(",;\t", key=columns)
    )
    rows = []
    try:
        for row in reader:
            cells = [unicodedata.normalize("NFC", " ".join(cell.split())) for cell in row]
            if any(cells):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise RosterError(
            _("Line {line} of the roster is no line of a table: {why}.").format(
                line=reader.line_num, why=error
            )
        ) from None
    return rows


def _column(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _cell(row: Sequence[str], at: int | None) -> str:
    return row[at] if at is not None and at < len(row) else ""


def _squeezed(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _key(id: str) -> str:
    return unicodedata.normalize("NFC", id.strip().casefold())
