"""The grades folder: every table and page of a graded class, written student by student."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rooflib import whole
from rooflib.classroom.assignment import Assignment
from rooflib.classroom.results import overrides, report, tables
from rooflib.classroom.results import record as records
from rooflib.classroom.results.counts import Counts
from rooflib.classroom.results.feedback import feedback
from rooflib.classroom.results.files import file_name
from rooflib.classroom.results.overrides import Overrides
from rooflib.classroom.results.record import Record

if TYPE_CHECKING:
    from rooflib.classroom.grade import Job, Summary

GRADES, PROBLEMS, WHYS, REPORT = "grades.csv", "problems.csv", "whys.csv", "report.html"
OVERRIDES = "overrides.csv"
FEEDBACK, GRADESCOPE = "feedback", "gradescope"


def columns(assignment: Assignment) -> tuple[str, ...]:
    """The parts of an assignment in their order: 1a.read, 1a.written, …"""
    return records.columns(assignment.problem(number, "") for number in assignment.problems)


class Results:
    """Takes one record after another; the tables take their place when the block ends well."""

    def __init__(self, job: Job, corrections: Overrides, summary: Summary) -> None:
        self.job, self.corrections, self.summary = job, corrections, summary
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        out = self.job.out
        for folder in (out / FEEDBACK, out / GRADESCOPE):
            folder.mkdir(parents=True, exist_ok=True)
        overrides.template(out / OVERRIDES)
        self.counts = Counts()
        self.grades = self._stack.enter_context(
            tables.Grades(out / GRADES, columns(self.job.assignment))
        )
        self.whys = self._stack.enter_context(tables.Whys(out / WHYS))
        return self

    def add(self, record: Record) -> None:
        """Write what belongs to one student."""
        for part_name, correction in self.corrections.of.get(record["student"], {}).items():
            question, _dot, part = part_name.partition(".")
            record["questions"][question]["parts"][part]["override"] = correction
        self.grades.add(record)
        self.whys.add(record)
        self.counts.add(record)
        out, name = self.job.out, file_name(record["student"])
        release = self.job.release
        page = feedback(record, self.job.assignment.course, release=release)
        whole.write(out / FEEDBACK / f"{name}.html", page, durable=False)
        data = tables.gradescope(record, release=release)
        whole.write(out / GRADESCOPE / f"{name}.json", _json(data), durable=False)

    def __exit__(self, *error: Any) -> bool | None:
        if error[0] is None:
            out = self.job.out
            troubles = self.summary.troubles
            tables.problems(out / PROBLEMS, troubles)
            course = self.job.assignment.course
            page = report.shown(self.counts, course, troubles=len(troubles))
            whole.write(out / REPORT, page)
            _clear(out, (student.id for student in self.job.roster.students))
        return self._stack.__exit__(*error)


def _json(data: object) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _clear(out: Path, students: Iterable[str]) -> None:
    """Remove the pages of students who are not in the class any more."""
    kept = {file_name(student) for student in students}
    for folder in (out / FEEDBACK, out / GRADESCOPE):
        for path in folder.glob("*"):
            if path.stem not in kept and path.suffix in (".html", ".json"):
                path.unlink()
