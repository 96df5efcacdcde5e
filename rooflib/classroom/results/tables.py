"""The tables a teacher takes away: grades.csv, whys.csv, problems.csv, and Gradescope's JSON.

They are UTF-8 with a byte order mark, since a spreadsheet that opens a CSV by a double click
reads it as some older encoding otherwise and spoils every accent; `utf-8-sig` reads it back. Text
is quoted, numbers are not, and `guarded` text is never taken for a formula.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol, Self

from rooflib.classroom.results import record as records
from rooflib.classroom.results.page import short, visible
from rooflib.classroom.results.record import Record
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.practice.verdict import UNATTEMPTED, Verdict
from rooflib.whole import replacing

ENCODING = "utf-8-sig"
# A spreadsheet's cell holds 32,767 characters; the rest would spill into the next row.
LONGEST_CELL = 30_000
GRADES = ("student", "name", "total", "of", "handed in", "late", "needs a look", "by hand")
PROBLEMS = ("place", "what", "todo")
WHYS = ("student", "question", "text", "points")
VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")

# Where a spreadsheet may begin a cell: at the start, after a new line, and, where it separates by
# something else than commas, after that, even inside quotes. Wide signs count in some languages.
_BEGIN = r"((?:^|[;\t\r\n])[\s\"]*)"
_SIGNS = r"[=+\-@＝＋－＠]"  # noqa: RUF001
_RISKY = re.compile(rf"{_BEGIN}('*{_SIGNS})")
_GUARDED = re.compile(rf"{_BEGIN}'('*{_SIGNS})")
# Some skip these at a cell's start.
_LEADING = re.compile(r"^('*[\t\r])")
_KEPT = re.compile(r"^'('*[\t\r])")

Cell = str | int | float | None


def guarded(text: str) -> str:
    """The text with a quote mark before everything that a spreadsheet would calculate."""
    return _LEADING.sub(r"'\1", _RISKY.sub(r"\1'\2", text))


def unguarded(text: str) -> str:
    """What `guarded` was given."""
    return _GUARDED.sub(r"\1\2", _KEPT.sub(r"\1", text))


class Sheet:
    """A CSV file that grows row by row and takes its place when the block ends well."""

    def __init__(self, path: Path, header: Sequence[str]) -> None:
        self.path, self.header = path, tuple(header)
        self.rows = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            raw = stack.enter_context(replacing(self.path))
            # The wrapper must not close the file below before it is flushed to the disk.
            self._text = io.TextIOWrapper(raw, encoding=ENCODING, newline="")
            stack.callback(self._text.detach)
            # Text in quotes, numbers bare; lines end as RFC 4180 has them.
            self._csv = csv.writer(self._text, quoting=csv.QUOTE_NONNUMERIC)
            self._csv.writerow(self.header)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> bool | None:
        return self._stack.__exit__(*error)

    def row(self, *cells: Cell) -> None:
        self._csv.writerow([_cell(cell) for cell in cells])
        self.rows += 1


def _cell(cell: Cell) -> Cell:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return guarded(short(visible(cell), LONGEST_CELL))
    value = round(float(cell), 4)
    return int(value) if value.is_integer() else value


class Grades(Sheet):
    """grades.csv: a row a student, a column a part.

    columns: the parts in their order, `record.columns(problems)`. A dropped part's cells are
    empty, and so are those of a student who handed in nothing.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        super().__init__(path, (*GRADES, *columns))
        self.columns = tuple(columns)

    def add(self, record: Record) -> None:
        handed_in = bool(record["files"])
        cells: dict[str, float] = {}
        corrected = []
        for column, question, part in records.parts(record):
            if records.dropped(question, part):
                continue
            override = part.get("override")
            if override or handed_in:
                cells[column] = records.earned(part)
            if override:
                note = f" ({override['note']})" if override["note"] else ""
                corrected.append(f"{column}: {records.points(override['points'])}{note}")
        self.row(
            record["student"],
            record["name"],
            records.total(record),
            records.worth(record),
            "yes" if handed_in else "no",
            "late" if record["late"] else "",
            " | ".join(record["flags"]),
            " | ".join(corrected),
            *(cells.get(column) for column in self.columns),
        )


class Whys(Sheet):
    """whys.csv: what students wrote in their own words, with an empty column for points."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, WHYS)

    def add(self, record: Record) -> None:
        for question, text in record["whys"].items():
            if text.strip():
                self.row(record["student"], question, text, None)


class Row(Protocol):
    """A row of problems.csv."""

    @property
    def place(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def todo(self) -> str: ...


class Problems(Sheet):
    """problems.csv: each file that could not be graded, what is wrong, and what to do."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, PROBLEMS)

    def add(self, row: Row) -> None:
        self.row(row.place, row.what, row.todo)


def grades(path: Path, columns: Sequence[str], students: Iterable[Record]) -> None:
    with Grades(path, columns) as sheet:
        for record in students:
            sheet.add(record)


def whys(path: Path, students: Iterable[Record]) -> None:
    with Whys(path) as sheet:
        for record in students:
            sheet.add(record)


def problems(path: Path, rows: Iterable[Row]) -> None:
    with Problems(path) as sheet:
        for row in rows:
            sheet.add(row)


def gradescope(
    record: Record, *, release: bool = False, visibility: str = "after_published"
) -> dict[str, Any]:
    """One student's results as Gradescope reads them from results.json; a test a part.

    visibility: when students see them, one of `VISIBILITIES`. release: with the key.
    Raises ValueError for another visibility, with the valid ones.
    """
    shown = pick("visibility", visibility, VISIBILITIES)
    tests = []
    for column, question, part in records.parts(record):
        gone = records.dropped(question, part)
        lines = [Verdict(part["outcome"], "").mark]
        if gone:
            lines.append(_("Dropped: this counts for nobody."))
        if answer := records.shown(part["answer"]):
            lines.append(_("your answer: {answer}").format(answer=answer))
        if part["echo"]:
            lines.append(_("read as: {echo}").format(echo=part["echo"]))
        if part["outcome"] != UNATTEMPTED:
            lines.append(part["message"])
        if part.get("override") and not gone:
            lines.append(_("Corrected by hand."))
        if release and part["right"]:
            lines.append(_("the key: {right}").format(right=part["right"]))
        tests.append(
            {
                "name": visible(column.replace(".", " ")),
                "score": 0.0 if gone else round(records.earned(part), 4),
                "max_score": 0.0 if gone else round(part["points"], 4),
                "output": visible(short("\n".join(line for line in lines if line))),
                "output_format": "text",
                "visibility": shown,
            }
        )
    notes = [_("Handed in after the deadline.")] if record["late"] else []
    if not record["files"]:
        notes.append(_("Nothing was handed in under this name."))
    return {
        "score": records.total(record),
        "output": " ".join(notes),
        "output_format": "text",
        "visibility": shown,
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {"student": visible(record["student"])},
    }
