"""Grade a class: collect, read, find out whose each notebook is, mark, write the results.

Files are looked at one at a time and students marked one at a time, so that memory does not grow
with the class; what has been done once is in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from rooflib.classroom import worker
from rooflib.classroom.assignment import Assignment, written
from rooflib.classroom.confined import sandbox
from rooflib.classroom.intake import collect, layouts
from rooflib.classroom.intake.collect import Found, Trouble
from rooflib.classroom.intake.roster import Roster, Student
from rooflib.classroom.journal import Journal, fingerprint
from rooflib.classroom.mark import NOTHING, Decisions
from rooflib.classroom.pool import Pool, Ready
from rooflib.classroom.results import folder as results
from rooflib.classroom.results import overrides
from rooflib.classroom.results.record import Record
from rooflib.i18n import _

T = TypeVar("T")
# Wraps an iterable of work with a word for it and, if known, how much there is.
Progress = Callable[[Iterable[T], str, "int | None"], Iterable[T]]


@dataclass(frozen=True)
class Job:
    """What to grade, and how. paths: files and folders as they came back."""

    paths: Sequence[Path]
    out: Path
    assignment: Assignment
    roster: Roster
    decisions: Decisions = NOTHING
    trust: bool = False
    release: bool = False


@dataclass
class Summary:
    """How it went. marked: students who were judged anew; kept: from the journal."""

    notebooks: int = 0
    students: int = 0
    handed_in: int = 0
    marked: int = 0
    kept: int = 0
    look: int = 0
    troubles: list[Trouble] = field(default_factory=list)


@dataclass(frozen=True)
class _Sheet:
    """A notebook whose owner is known: enough to find its reading in the journal."""

    place: str
    digest: str
    order: tuple[float, ...]
    late: bool
    flags: tuple[str, ...]


# A page that names its student only inside never takes the place of one the platform vouches for.
_SUREST = ("inside", "file", "folder", "lms")


def _quietly(work: Iterable[T], _what: str, _total: int | None) -> Iterable[T]:
    return work


def grade(job: Job, pool: Pool, progress: Progress[Any] = _quietly) -> Summary:
    """Grade everything under the paths and write the results into `job.out`."""
    summary = Summary(students=len(job.roster))
    with Journal(job.out, worker.version()) as journal:
        by_student = _sheets(job, pool, journal, summary, progress)
        corrections = overrides.load(
            job.out / results.OVERRIDES,
            [student.id for student in job.roster.students],
            results.columns(job.assignment),
        )
        for why in corrections.troubles:
            todo = _("Correct the row, then grade again.")
            summary.troubles.append(Trouble(results.OVERRIDES, why, todo))
        marked = _marked(job, pool, journal, by_student, summary)
        total = len(job.roster)
        with results.Results(job, corrections, summary) as out:
            for record in progress(marked, _("students"), total):
                summary.handed_in += bool(record["files"])
                summary.look += bool(record["flags"])
                out.add(record)
    return summary


# Whose is each notebook?


def _sheets(
    job: Job, pool: Pool, journal: Journal, summary: Summary, progress: Progress[Any]
) -> dict[str, list[_Sheet]]:
    by_student: dict[str, list[_Sheet]] = {}
    found = _read(job.paths, pool, journal, summary)
    for one, reading in progress(found, _("notebooks"), None):
        summary.notebooks += 1
        trouble = reading.get("trouble")
        if not trouble and not reading["answers"] and not reading["needs_run"]:
            trouble = _("there is no answer in it: no call of check was found")
        if trouble:
            todo = _("Ask for the notebook again, saved from JupyterLab.")
            summary.troubles.append(Trouble(one.place, trouble, todo))
            continue
        claims = layouts.claims(one.path, job.roster, one.submitters)
        owner = layouts.owner(claims, reading["claims"], job.roster)
        if owner.student is None:
            what = _("It is not clear whose this is.")
            summary.troubles.append(Trouble(one.place, what, owner.trouble))
            continue
        deadline = job.assignment.deadline
        after = bool(deadline and one.time and one.time > deadline.timestamp())
        sheet = _Sheet(
            one.place,
            one.digest,
            (_SUREST.index(owner.source), claims.upload, claims.version, one.time or 0.0),
            claims.late or after,
            tuple(owner.notes),
        )
        by_student.setdefault(owner.student, []).append(sheet)
    summary.troubles[:] = [t for t in summary.troubles if not _made_up_for(t, by_student, job)]
    for sheets in by_student.values():
        sheets.sort(key=lambda sheet: (sheet.order, sheet.place))
    return by_student


def _made_up_for(trouble: Trouble, by_student: Mapping[str, Any], job: Job) -> bool:
    """A PDF or the like, handed in beside the notebook by the same student."""
    if not trouble.instead:
        return False
    claims = layouts.claims(trouble.path, job.roster, trouble.submitters)
    return layouts.owner(claims, (), job.roster).student in by_student


def _read(
    paths: Sequence[Path], pool: Pool, journal: Journal, summary: Summary
) -> Iterator[tuple[Found, Mapping[str, Any]]]:
    """Every notebook that was found, without its bytes, and its reading."""

    def tasks() -> Iterator[tuple[Any, ...]]:
        for one in collect.walk(paths):
            if isinstance(one, Trouble):
                summary.troubles.append(replace(one, place=_below(one.place, paths)))
                continue
            known = journal.get("reading", one.digest)
            light = replace(one, data=b"", place=_below(one.place, paths))
            yield light, one.data if known is None else Ready(known)

    for (one, data), made in pool.each(_read_one, tasks()):
        if isinstance(made, Exception):
            text = _("reading it took its process down: {why}").format(why=type(made).__name__)
            made = {"trouble": text}
        elif not isinstance(data, Ready):
            journal.put("reading", one.digest, made)
        yield one, made


def _below(place: str, paths: Sequence[Path]) -> str:
    """The place from the path on that was given: the folders above it are nobody's business."""
    for path in paths:
        above = str(path.parent) + "/"
        if place.startswith(str(path)) and place.startswith(above):
            return place.removeprefix(above)
    return place


def _read_one(_one: Found, data: bytes) -> dict[str, Any]:
    return worker.read_notebook(data)


# What is it worth?


def _marked(
    job: Job,
    pool: Pool,
    journal: Journal,
    by_student: Mapping[str, Sequence[_Sheet]],
    summary: Summary,
) -> Iterator[Record]:
    """A record for every student of the roster, in its order."""
    everywhere = (written(job.assignment), job.decisions, job.trust, not sandbox.confinable())

    def tasks() -> Iterator[tuple[Any, ...]]:
        for student in job.roster.students:
            sheets = by_student.get(student.id, ())
            mine = fingerprint(everywhere, student.id, student.name, [astuple(s) for s in sheets])
            old = journal.get("student", student.id)
            if old is not None and old["made of"] == mine:
                yield student, mine, Ready(None)
            else:
                yield student, mine, _task(job, journal, student, sheets, old)

    for (student, mine, task), made in pool.each(_mark_one, tasks()):
        if isinstance(task, Ready):
            summary.kept += 1
            yield journal.get("student", student.id)["record"]
            continue
        if isinstance(made, Exception):
            text = _("judging it failed, which is our fault, not the student's: {why}")
            places = ", ".join(notebook.place for notebook in task.notebooks)
            todo = _("Grade this student by hand, and please report it.")
            why = text.format(why=f"{type(made).__name__}: {made}")
            summary.troubles.append(Trouble(places, why, todo))
            made = worker.mark_student(replace(task, notebooks=()))
        else:
            for digest, run in made.runs.items():
                if run["protection"]:  # what was not run is tried again the next time
                    journal.put("run", _run_key(job, student, digest), run)
            kept = {"made of": mine, "record": made.record, "keys": made.keys}
            journal.put("student", student.id, kept)
        summary.marked += 1
        yield made.record


def _task(
    job: Job, journal: Journal, student: Student, sheets: Sequence[_Sheet], old: Any
) -> worker.Task:
    notebooks = [
        worker.Notebook(
            sheet.place,
            sheet.digest,
            journal.get("reading", sheet.digest),
            journal.get("run", _run_key(job, student, sheet.digest)),
            sheet.late,
            sheet.flags,
        )
        for sheet in sheets
    ]
    return worker.Task(
        student.id, student.name, notebooks, job.assignment, job.decisions, job.trust, old
    )


def _run_key(job: Job, student: Student, digest: str) -> str:
    """A run hangs on the code and on the numbers that this student was given."""
    a = job.assignment
    return fingerprint(digest, student.id, a.course, a.variants, a.problems, job.trust)


def _mark_one(_student: Student, _made_of: str, task: worker.Task) -> worker.Outcome:
    return worker.mark_student(task)
