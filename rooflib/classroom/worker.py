"""What a worker process does: read one notebook, or mark one student. Plain data in and out."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rooflib.classroom import mark as marks
from rooflib.classroom.assignment import Assignment
from rooflib.classroom.confined.sandbox import Request, Sandbox, request_for
from rooflib.classroom.journal import fingerprint
from rooflib.classroom.literal.cells import NotANotebook, page
from rooflib.classroom.literal.reading import Reading, read
from rooflib.classroom.mark import Decisions
from rooflib.classroom.results import record as records
from rooflib.i18n import _
from rooflib.practice.question import Problem

Answers = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Notebook:
    """A notebook of a student's: where it lay, its content's hash, and what was read in it."""

    place: str
    digest: str
    reading: Mapping[str, Any]
    run: Mapping[str, Any] | None = None
    late: bool = False
    flags: Sequence[str] = ()


@dataclass(frozen=True)
class Task:
    """One student's work. notebooks: the latest last. old: what was found the last time."""

    student: str
    name: str
    notebooks: Sequence[Notebook]
    assignment: Assignment
    decisions: Decisions
    trust: bool = False
    old: Mapping[str, Any] | None = None


@dataclass
class Outcome:
    """keys: by problem, from what its verdicts were made. runs: by content hash."""

    record: records.Record
    keys: dict[str, str]
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)


@functools.cache
def version() -> str:
    """Of the code that judges: when it changes, everything is judged again."""
    root = Path(__file__).resolve().parent.parent
    sources = sorted([*root.glob("*.py"), *root.glob("*.toml"), *root.glob("practice/**/*.py")])
    sources += sorted(root.glob("classroom/**/*.py"))
    return fingerprint([path.read_bytes().hex() for path in sources])


def read_notebook(data: bytes) -> dict[str, Any]:
    """The reading of a notebook, as plain data, or {"trouble": why it is none}."""
    try:
        return read(page(data)).to_json()
    except NotANotebook as error:
        return {"trouble": str(error)}


def mark_student(task: Task) -> Outcome:
    """Everything about one student: run what has to be run, judge what is new."""
    dealt = _Dealt(task.assignment, task.student)
    used, superseded = _latest(task.notebooks, task.assignment)
    answers: Answers = {}
    flags: list[str] = []
    runs: dict[str, dict[str, Any]] = {}
    protection = ""
    for notebook, questions in used:
        reading = Reading.from_json(dict(notebook.reading))
        notes = [*notebook.flags, *reading.notes]
        run: Mapping[str, Any] | None = None
        if reading.needs_run:
            run = notebook.run or _run(reading, dealt, task.trust)
            if run is not notebook.run:
                runs[notebook.digest] = dict(run)
            notes += run["notes"]
            protection = str(run["protection"]) or protection
        flags += [_("{place}: {note}").format(place=notebook.place, note=note) for note in notes]
        found = _joined(reading.answers, run["answers"] if run else {})
        for question in questions | (set(found) - set(answers) if run else set()):
            if question in found:
                answers[question] = found[question]
    whys = _whys(task.notebooks, runs)
    old = task.old or {}
    keys: dict[str, str] = {}
    questions_: dict[str, records.Question] = {}
    for number in task.assignment.problems:
        own = {q: a for q, a in answers.items() if q.startswith(number)}
        keys[number] = key = fingerprint(
            version(), _settings(task.assignment, number), task.student, own,
            task.decisions.of(number),
        )  # fmt: skip
        if old.get("keys", {}).get(number) == key:
            made = {q: v for q, v in old["record"]["questions"].items() if q.startswith(number)}
        else:
            made = marks.mark(dealt[number], task.assignment, own, task.decisions)
        questions_ |= made
        if own:
            flags += marks.look(made)
    record: records.Record = {
        "student": task.student,
        "name": task.name,
        "files": [notebook.place for notebook, _questions in used],
        "superseded": superseded,
        "late": any(notebook.late for notebook, _questions in used),
        "protection": protection,
        "flags": list(dict.fromkeys(flags)),
        "questions": questions_,
        "whys": whys,
    }
    return Outcome(record, keys, runs)


class _Dealt(dict[str, Problem]):
    """The student's problems, dealt when first asked for."""

    def __init__(self, assignment: Assignment, student: str) -> None:
        super().__init__()
        self.assignment, self.student = assignment, student

    def __missing__(self, number: str) -> Problem:
        self[number] = self.assignment.problem(number, self.student)
        return self[number]

    def all(self) -> dict[str, Problem]:
        return {number: self[number] for number in self.assignment.problems}


def _settings(assignment: Assignment, number: str) -> list[object]:
    """What of an assignment the verdicts of one problem hang on."""
    mine = [
        sorted((q, v) for q, v in table.items() if q.startswith(number))
        for table in (assignment.points, assignment.tolerance)
    ]
    return [assignment.course, assignment.variants, *mine]


def _latest(
    notebooks: Sequence[Notebook], assignment: Assignment
) -> tuple[list[tuple[Notebook, set[str]]], list[str]]:
    """The notebooks that count, each with the questions it answers; places of those that do not.

    The latest notebook that holds a question's check counts, blank or not.
    """
    used: list[tuple[Notebook, set[str]]] = []
    superseded: list[str] = []
    covered: set[str] = set()
    for notebook in reversed(notebooks):
        asked = {q for q in notebook.reading["answers"] if q[:1] in assignment.problems}
        new = asked - covered
        dynamic = notebook.reading["needs_run"] and not asked
        if new or dynamic:
            used.append((notebook, new))
            covered |= asked
        else:
            superseded.append(notebook.place)
    return used[::-1], superseded[::-1]


def _joined(read: Mapping[str, Mapping[str, Any]], ran: Mapping[str, Any]) -> Answers:
    """What was read; where only a run could tell, what the run recorded."""
    joined: Answers = {question: dict(parts) for question, parts in read.items()}
    for question, parts in ran.items():
        own = joined.setdefault(question, {})
        for part, answer in parts.items():
            if part not in own or "code" in own[part]:
                own[part] = answer
    return joined


def _whys(notebooks: Iterable[Notebook], runs: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    whys: dict[str, str] = {}
    for notebook in notebooks:
        whys |= (runs.get(notebook.digest) or notebook.run or {}).get("whys", {})
        whys |= {q: text for q, text in notebook.reading["whys"].items() if text.strip()}
    return whys


# One sandbox for this process; it ends when its pipe does, at the latest.
_sandboxes: dict[bool, Sandbox] = {}


def _run(reading: Reading, dealt: _Dealt, trust: bool) -> dict[str, Any]:
    sandbox = _sandboxes.get(trust)
    if sandbox is None:
        sandbox = _sandboxes[trust] = Sandbox(trust=trust)
    if not sandbox.protection:
        note = _(
            "its code was not run, since nothing here can confine it; --trust runs it all the same"
        )
        return {"answers": {}, "whys": {}, "notes": [note], "protection": "", "ended": "not run"}
    given, parts = request_for(dealt.all())
    run = sandbox.run(Request(cells=reading.code, given=given, parts=parts))
    return asdict(run)
