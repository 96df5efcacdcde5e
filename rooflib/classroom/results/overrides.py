"""overrides.csv: the teacher's corrections by hand, a row a part of a student's.

We read it and never write over it. A row that cannot be used gets a sentence with its line, and
the others count. Spreadsheets save it as they like: commas, semicolons or tabs, any encoding,
0,5 for 0.5.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rooflib.classroom.results.record import Correction
from rooflib.classroom.results.tables import ENCODING, unguarded
from rooflib.i18n import _
from rooflib.names import nearest

COLUMNS = ("student", "part", "points", "note")
LONGEST = 5_000_000
LONGEST_ROW = 50


@dataclass(frozen=True)
class Overrides:
    """The corrections by student and part; troubles: a sentence for each row that is not used."""

    of: Mapping[str, Mapping[str, Correction]] = field(default_factory=dict)
    troubles: tuple[str, ...] = ()


def template(path: Path) -> bool:
    """Write a file with the header alone where there is none; whether it did."""
    try:
        with open(path, "x", encoding=ENCODING, newline="") as file:
            csv.writer(file).writerow(COLUMNS)
    except FileExistsError:
        return False
    return True


def load(path: Path, students: Collection[str], parts: Sequence[str]) -> Overrides:
    """The corrections in the file; none where there is no file.

    students: the ids of the roster. parts: `record.columns(problems)`.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Overrides()
    except OSError as error:
        text = _("{file} cannot be read: {why}").format(file=path.name, why=error.strerror)
        return Overrides(troubles=(text,))
    if len(data) > LONGEST:
        text = _("{file} is larger than any table of corrections; none of it is used.")
        return Overrides(troubles=(text.format(file=path.name),))
    return read(data, students, parts, path.name)


def read(
    data: bytes, students: Collection[str], parts: Sequence[str], file: str = "overrides.csv"
) -> Overrides:
    """The corrections in a file's bytes; `file` names it in the sentences."""
    text = _decoded(data)
    first = text.split("\n", 1)[0]
    if first.lower().startswith("sep="):  # a line that spreadsheets know
        delimiter = first[4:5] if first[4:5] in (",", ";", "\t") else ","
    else:
        delimiter = max(",;\t", key=first.count)
    lines = list(io.StringIO(text, newline=""))
    found: dict[str, dict[str, Correction]] = {}
    troubles: list[str] = []
    columns: dict[str, int] | None = None
    reading = _Row(students, parts)
    after = 0
    while after < len(lines):
        at = after
        cells, after = _record(lines, at, delimiter)
        line = at + 1
        if isinstance(cells, str):
            troubles.append(_told(file, line, cells))
            continue
        if not any(cells) or (at == 0 and first.lower().startswith("sep=")):
            continue
        if columns is None:
            columns = {name.casefold(): i for i, name in reversed(list(enumerate(cells)))}
            missing = [name for name in COLUMNS[:3] if name not in columns]
            if missing:
                why = _("the header needs the columns {columns}; {missing} is missing")
                why = why.format(columns=", ".join(COLUMNS), missing=", ".join(missing))
                return Overrides(troubles=(_told(file, line, why),))
            continue
        got = reading.read({n: cells[i] if i < len(cells) else "" for n, i in columns.items()})
        if isinstance(got, str):
            troubles.append(_told(file, line, got))
            # A quote that was never closed may have swallowed the rows below.
            after = at + 1
            continue
        student, part, correction = got
        if part in found.setdefault(student, {}):
            why = _("{part} of {student} was corrected above; this row counts")
            troubles.append(_told(file, line, why.format(part=part, student=student)))
        found[student][part] = correction
    return Overrides(found, tuple(troubles))


def _record(lines: Sequence[str], at: int, delimiter: str) -> tuple[list[str] | str, int]:
    """The cells of the row that begins at line `at`, or what is wrong; and where the next begins.

    A note may hold new lines, a few dozen of them.
    """
    rows = csv.reader(lines[at : at + LONGEST_ROW], delimiter=delimiter, strict=True)
    try:
        cells = [unguarded(cell).strip() for cell in next(rows)]
    except csv.Error as error:
        why = _("this is no row of a table, perhaps since a quote is left open ({error})")
        return why.format(error=error), at + 1
    return cells, at + rows.line_num


def _told(file: str, line: int, why: str) -> str:
    return _("{file}, line {line}: {why}.").format(file=file, line=line, why=why)


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").replace("\0", "").lstrip("\ufeff")
    try:
        text = data.decode(ENCODING)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return text.replace("\0", "").lstrip("\ufeff")


class _Row:
    """Rows against the roster and the parts, letter case aside."""

    def __init__(self, students: Collection[str], parts: Sequence[str]) -> None:
        self.students = {student.casefold(): student for student in students}
        self.parts = {part.casefold(): part for part in parts}
        questions: dict[str, list[str]] = {}
        for part in parts:
            questions.setdefault(part.partition(".")[0], []).append(part)
        # A question of one part is as good as its part.
        self.parts |= {q.casefold(): own[0] for q, own in questions.items() if len(own) == 1}

    def read(self, row: Mapping[str, str]) -> tuple[str, str, Correction] | str:
        student = self.students.get(row["student"].casefold())
        if student is None:
            return _unknown("student", row["student"], self.students.values())
        part = self.parts.get(row["part"].casefold().replace(" ", "."))
        if part is None:
            return _unknown("part", row["part"], self.parts.values())
        points = _number(row["points"])
        if points is None:
            why = _("points are a number from 0 up, such as 0.5; got {given!r}")
            return why.format(given=row["points"])
        return student, part, Correction(points=points, note=row.get("note", ""))


def _unknown(what: str, given: str, valid: Collection[str]) -> str:
    text = _("there is no {what} {given!r}").format(what=what, given=given)
    close = nearest(given, valid)
    return text + (_("; the nearest is {close!r}").format(close=close[0]) if close else "")


# 1,000 may be one or a thousand, and is refused.
_POINTS = re.compile(r"(?![1-9]\d{0,2},\d{3}$)(?:\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6})")


def _number(text: str) -> float | None:
    if not _POINTS.fullmatch(text.strip()) or not text.isascii():
        return None
    value = float(text.replace(",", "."))
    return value if math.isfinite(value) else None
