"""decisions.csv: what a teacher decided for the whole class. Delete a row to undo it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from rooflib import whole
from rooflib.classroom import mark
from rooflib.classroom.assignment import Assignment, AssignmentError
from rooflib.classroom.mark import Decisions
from rooflib.i18n import _
from rooflib.names import unknown

NAME = "decisions.csv"
HEADER = ("decision", "question", "answer")
ACCEPT, DROP = "accept", "drop"


def load(path: Path, assignment: Assignment) -> Decisions:
    """What the file says; nothing where there is no file.

    Raises AssignmentError with the line of a row that cannot be followed: a decision for the
    whole class is never skipped in silence.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return mark.NOTHING
    except (OSError, UnicodeError) as error:
        raise AssignmentError(_("{path}: {why}").format(path=path, why=error)) from error
    decisions = mark.NOTHING
    rows = csv.reader(io.StringIO(text))
    for row in rows:
        if not any(row) or tuple(cell.strip().lower() for cell in row) == HEADER:
            continue
        action, name, answer = (*(cell.strip() for cell in row), "", "", "")[:3]
        try:
            decisions = decided(decisions, action, name, answer, assignment)
        except AssignmentError as error:
            text = _("{path}, line {line}: {why}")
            raise AssignmentError(text.format(path=path, line=rows.line_num, why=error)) from error
    return decisions


def decided(
    before: Decisions, action: str, name: str, answer: str, assignment: Assignment
) -> Decisions:
    """The decisions with one more among them.

    Raises AssignmentError for another action than accept or drop, for a question that does not
    exist, and for an answer that is none to it.
    """
    if action == ACCEPT:
        part = mark.acceptable(name, answer, assignment)
        known = before.accept.get(part, ())
        more = known if answer in known else (*known, answer)
        return Decisions({**before.accept, part: more}, before.drop)
    if action == DROP:
        question, part_ = mark.place(name, assignment)
        full = f"{question.id}.{part_.name}" if "." in name and part_ else question.id
        drop = before.drop if full in before.drop else (*before.drop, full)
        return Decisions(before.accept, drop)
    raise AssignmentError(unknown("decision", action, (ACCEPT, DROP)))


def save(path: Path, decisions: Decisions) -> None:
    """Write the file anew; one that says the same stays as it is."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(HEADER)
    table.writerows(_rows(decisions))
    whole.write(path, out.getvalue())


def _rows(decisions: Decisions) -> Iterable[tuple[str, str, str]]:
    for name, answers in decisions.accept.items():
        for answer in answers:
            yield ACCEPT, name, answer
    for name in decisions.drop:
        yield DROP, name, ""
