"""The part of a folder or file name that the learning platform wrote, and who it says it is.

Canvas      lovelaceada_LATE_12345_678901_problem-2.ipynb   name, late, person, upload, file
            anon_x7Kp2_678901_problem.ipynb                 where the assignment is anonymous
Moodle      Ada Lovelace_12345_assignsubmission_file_/problem.ipynb, or flat, with `_` for `/`
            Participant_12345_assignsubmission_file_        where it is anonymous
Gradescope  submission_12345/problem.ipynb, and who it is in submission_metadata.yml

What follows such a part is the student's: it never changes how the part is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rooflib.classroom.intake.gradescope import Submitter
from rooflib.classroom.intake.roster import Roster
from rooflib.classroom.intake.words import folded, words
from rooflib.i18n import _

# A name in Canvas is what is left of "Lovelace, Ada" without blanks and marks, in small letters.
_CANVAS = re.compile(
    r"(?P<name>[\w-]+?)(?P<late>_LATE|_late)?_(?P<person>[0-9]+)_(?P<upload>[0-9]+)_(?P<rest>.*)",
    re.DOTALL,
)
_CANVAS_NAMELESS = re.compile(
    r"(?P<name>)(?P<late>LATE_)?anon_[A-Za-z0-9]+_(?P<upload>[0-9]+)_(?P<rest>.*)", re.DOTALL
)
_MOODLE = re.compile(
    r"(?P<name>.*?)(?:_[0-9]+)?_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.DOTALL
)
_GRADESCOPE = re.compile(r"submission_[0-9]+")
# Canvas numbers a name that it had before, ahead of all that looks like an ending.
_VERSION = re.compile(r"-([0-9]{1,2})(?:\.[A-Za-z][A-Za-z0-9]*)*$")
# Numbers as small as a month or a year also stand in names that no platform wrote.
_PERSON, _UPLOAD = 2, 3
# What Moodle calls everybody in an anonymous assignment.
_NOBODY = frozenset(
    words(
        "participant participante partecipante teilnehmer teilnehmerin deelnemer uczestnik "
        "deltagare deltaker deltager osallistuja ucastnik участник 参与者 参加者"
    )
)


@dataclass(frozen=True)
class Part:
    """What a platform says: whom it names (`name` as it stands there), and what follows."""

    system: str
    name: str = ""
    ids: tuple[str, ...] = ()
    together: bool = False
    late: bool = False
    version: int = 0
    upload: int = 0
    rest: str = ""
    notes: tuple[str, ...] = ()


def part(text: str, roster: Roster) -> Part | None:
    """The platform's part at the beginning of a folder or file name; None if there is none."""
    tried = (_CANVAS_NAMELESS, _MOODLE, _CANVAS)
    matches = [match for pattern in tried if (match := pattern.fullmatch(text))]
    if not matches:
        return None
    # A student may append what looks like another platform's: the one that begins first is real.
    first = min(matches, key=lambda match: match.end("name"))
    if first.re is _MOODLE:
        return _moodle(first, roster)
    if first.re is _CANVAS:
        return _canvas(first, roster)
    return Part("Canvas", **_upload(first))


def is_gradescope(text: str) -> bool:
    """Whether a folder is one of a Gradescope export."""
    return bool(_GRADESCOPE.match(text))


def gradescope(people: Sequence[Submitter], roster: Roster) -> Part:
    """What the export says: each person by id and e-mail address, or else by name."""
    finder = roster.finder
    ids: set[str] = set()
    several = len(people) > 1
    missing = []
    for person in people:
        by_id = set(finder.by_id(person.sid)) if person.sid else set()
        by_email = set(finder.by_email(person.email)) if person.email else set()
        one = by_id & by_email or by_id | by_email
        several = several or len(one) > 1
        one = one or set(finder.by_name(person.name))
        if not one:
            missing.append(person.name or person.email or person.sid)
        ids |= one
    name = ", ".join(person.name or person.email or person.sid for person in people)
    notes: tuple[str, ...] = ()
    if ids and missing:
        notes = (
            _("Gradescope also names {names}, who is not in the roster.").format(
                names=", ".join(map(repr, missing))
            ),
        )
    return Part(
        "Gradescope", name, tuple(sorted(ids)), together=several and len(ids) > 1, notes=notes
    )


def _moodle(match: re.Match[str], roster: Roster) -> Part:
    name = match["name"].replace("_", " ").strip()
    if "".join(words(folded(name))) in _NOBODY:
        name = ""
    ids = roster.finder.by_name(name)
    if not ids and name:  # some put the login before the name
        login = name.split()[0]
        ids = roster.finder.by_id(login) or roster.finder.by_email(login)
    return Part("Moodle", name, ids, rest=match["rest"] or "")


def _canvas(match: re.Match[str], roster: Roster) -> Part | None:
    """The first number is the person's, and may be the roster's id; the second is the file's."""
    name, number = match["name"], match["person"]
    ids = roster.finder.by_name(name)
    numbered = roster.finder.by_id(number)
    small = len(number) < _PERSON or len(match["upload"]) < _UPLOAD
    if not ids and small:
        return None
    notes: tuple[str, ...] = ()
    both = tuple(id for id in ids if id in numbered)
    if len(ids) > 1 and len(both) == 1:
        ids = both
    elif not ids and numbered:
        ids = numbered
        notes = (
            _("Canvas calls this student {name!r}; found by the number {number} alone.").format(
                name=name, number=number
            ),
        )
    return Part("Canvas", name, ids, notes=notes, **_upload(match))


def _upload(match: re.Match[str]) -> dict[str, Any]:
    version = _VERSION.search(match["rest"])
    return {
        "late": bool(match["late"]),
        "version": int(version[1]) if version else 0,
        "upload": int(match["upload"][:18]),
        "rest": match["rest"],
    }
