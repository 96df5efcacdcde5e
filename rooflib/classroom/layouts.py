"""Whose notebook it is: what the learning platform, the teacher's folders and the file name say.

The platform's word counts most, then the folders, outermost first, then what the student
wrote: the file name, the rest of a name after the platform's own part, and the id inside. So
nobody hands in under another name by choosing a file name.

Canvas      lovelaceada_LATE_12345_678901_problem-2.ipynb   name, late, user, upload, file
Moodle      Ada Lovelace_12345_assignsubmission_file_/problem.ipynb, or the same with `_` for `/`
Gradescope  submission_12345/problem.ipynb, and who it is in submission_metadata.yml
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rooflib.classroom.gradescope import Submitter
from rooflib.classroom.roster import Roster
from rooflib.classroom.words import folded, is_dense, words
from rooflib.i18n import _

# A name in Canvas is what is left of "Lovelace, Ada" without blanks and marks, in small letters.
_CANVAS = re.compile(
    r"(?P<name>[\w-]+?)_(?:(?P<late>LATE|late)_)?(?P<user>[0-9]{2,})_(?P<upload>[0-9]{2,})_(?P<rest>.*)",
    re.DOTALL,
)
_CANVAS_NAMELESS = re.compile(
    r"(?:(?P<late>LATE)_)?anon_[A-Za-z0-9]+_(?P<upload>[0-9]{2,})_(?P<rest>.*)", re.DOTALL
)
_MOODLE = re.compile(
    r"(?P<name>.*?)(?:_(?P<user>[0-9]+))?_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.DOTALL
)
_GRADESCOPE = re.compile(r"submission_[0-9]+")
_NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.IGNORECASE)
# Canvas numbers a name it had before, ahead of everything that looks like an ending.
_VERSION = re.compile(r"-([0-9]{1,2})(?:\.[A-Za-z][A-Za-z0-9]*)*$")
# What Moodle calls everybody in an anonymous assignment.
_NOBODY = frozenset(
    "participant participante partecipante teilnehmer teilnehmerin deelnemer uczestnik deltagare "
    "deltaker deltager osallistuja ucastnik участник 参与者 参加者".split()  # noqa: SIM905
)


class Level(NamedTuple):
    """What one source says: `together` if it names several, not one of several of that name."""

    source: str  # "lms", "folder" or "file"
    ids: tuple[str, ...]
    together: bool = False
    text: str = ""


@dataclass(frozen=True)
class Claims:
    """Who a path speaks of. `said` is the platform's name for the person; empty if it is silent."""

    levels: tuple[Level, ...] = ()
    late: bool = False
    version: int = 0  # Canvas's -2 and so on, in a name it had before
    upload: int = 0  # Canvas's number of the file: a later one is larger
    system: str = ""
    said: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Owner:
    """Whose it is and who says so, or the sentence for the teacher when that cannot be known."""

    student: str | None
    notes: tuple[str, ...] = ()
    trouble: str = ""
    source: str = ""  # "lms", "folder", "file" or "inside", from the surest to the least sure


def claims(path: Sequence[str], roster: Roster, submitters: Sequence[Submitter] = ()) -> Claims:
    """Who the folders and the name of a file speak of; `submitters` is Gradescope's word on it."""
    own: Claims | None = None
    outside: list[Level] = []
    inside: list[Level] = []
    for i, part in enumerate(path):
        last = i == len(path) - 1
        text = _NOTEBOOK.sub("", part) if last else part
        if own is None:
            read = _lms(text, roster, submitters)
            if read:
                own, text = read
            elif not last:
                outside.append(_level("folder", text, roster))
                continue
        inside.append(_level("file", text, roster))
    own = own or Claims()
    levels = (*own.levels, *outside, *inside)
    return Claims(
        tuple(level for level in levels if level.ids or level.source == "lms"),
        own.late,
        own.version,
        own.upload,
        own.system,
        own.said,
        own.notes,
    )


def owner(found: Claims, inside: Sequence[str], roster: Roster) -> Owner:
    """Whose it is, with the ids that are named inside the notebook, surest last."""
    notes = list(found.notes)
    named = [student.id for id in inside if (student := roster.get(id))]
    strangers = sorted({id for id in inside if not roster.get(id)})
    ids, source, together = _decided(found.levels)
    if together:
        return Owner(None, trouble=_several(ids, found, roster))
    if len(ids) > 1 and len(set(named) & set(ids)) == 1:
        ids, source = tuple(set(named) & set(ids)), "inside"
    elif not ids:
        ids, source = tuple(sorted(set(named))), "inside"
        if len(ids) > 1:
            return Owner(
                None,
                trouble=_(
                    "Nothing in its path says whose it is, and the notebook itself names {names}. "
                    "Put it in a folder named with the right id."
                ).format(names=_names(ids, roster)),
            )
    if not ids:
        return Owner(None, trouble=_nobody(found, strangers))
    if len(ids) > 1:
        return Owner(
            None,
            trouble=_(
                "{names} have the same name, so that only an id or an e-mail address can tell "
                "whose it is. Put it in a folder named with the right id."
            ).format(names=_names(ids, roster)),
        )
    (id,) = ids
    if found.said and source in ("file", "inside"):
        if not _akin(found.said, roster, id):
            return Owner(
                None,
                trouble=_(
                    "{system} says it is from {said!r}, who is not in the roster, but {source} "
                    "says {names}. Put it in a folder named with the right id, or write the name "
                    "in the roster as {system} has it."
                ).format(
                    system=found.system,
                    said=found.said,
                    source=_called(source),
                    names=_names(ids, roster),
                ),
            )
        notes.append(
            _("{system} calls this student {said!r}; {source} says {names}.").format(
                system=found.system,
                said=found.said,
                source=_called(source),
                names=_names(ids, roster),
            )
        )
    for level in found.levels:
        if level.ids and id not in level.ids:
            if level.source == "folder" and source == "lms":
                both = tuple(sorted({id, *level.ids}))
                return Owner(None, trouble=_several(both, found, roster))
            notes.append(
                _("{source} {text!r} names {names}.").format(
                    source=_called(level.source).capitalize(),
                    text=level.text,
                    names=_names(level.ids, roster),
                )
            )
    others = tuple(sorted(set(named) - {id}))
    if others:
        notes.append(
            _("Another student's variant: the notebook names {names} inside.").format(
                names=_names(others, roster)
            )
        )
    if strangers:
        notes.append(
            _("The notebook names {ids} inside, who is not in the roster.").format(
                ids=", ".join(map(repr, strangers[:3]))
            )
        )
    return Owner(id, tuple(dict.fromkeys(notes)), source=source)


def _lms(text: str, roster: Roster, submitters: Sequence[Submitter]) -> tuple[Claims, str] | None:
    """What the platform's part of a folder or file name says, and what follows it."""
    if submitters and (_GRADESCOPE.match(text) or text.isdigit()):
        return _gradescope(roster, submitters), ""
    if match := _MOODLE.fullmatch(text):
        name = match["name"].replace("_", " ").strip()
        if "".join(words(folded(name))) in _NOBODY:
            name = ""
        finder = roster.finder
        ids = finder.by_name(name)
        if not ids and name:  # some put the login before the name
            ids = finder.by_id(name.split()[0]) or finder.by_email(name.split()[0])
        level = Level("lms", ids, text=name)
        rest = match["rest"] or ""
        return Claims((level,), system="Moodle", said="" if ids else name), rest
    if match := _CANVAS_NAMELESS.fullmatch(text):
        return (
            Claims(
                (Level("lms", ()),),
                bool(match["late"]),
                _version(match["rest"]),
                int(match["upload"]),
                "Canvas",
            ),
            match["rest"],
        )
    if match := _CANVAS.fullmatch(text):
        return _canvas(match, roster), match["rest"]
    return None


def _canvas(match: re.Match[str], roster: Roster) -> Claims:
    """The first number is a person's, and may be the roster's id; the second is the file's."""
    ids = roster.finder.by_name(match["name"])
    numbered = roster.finder.by_id(match["user"])
    notes: tuple[str, ...] = ()
    said = match["name"]
    if len(ids) > 1 and len(set(ids) & set(numbered)) == 1:
        ids = tuple(set(ids) & set(numbered))
    elif not ids and numbered:
        ids = numbered
        notes = (
            _("Canvas calls this student {said!r}; found by the number {number} alone.").format(
                said=said, number=match["user"]
            ),
        )
    return Claims(
        (Level("lms", ids, text=said),),
        bool(match["late"]),
        _version(match["rest"]),
        int(match["upload"]),
        "Canvas",
        "" if ids else said,
        notes,
    )


def _gradescope(roster: Roster, submitters: Sequence[Submitter]) -> Claims:
    """Each by id, or else by e-mail address, or else by name."""
    finder = roster.finder
    groups: list[tuple[str, ...]] = []
    for person in submitters:
        by_id = finder.by_id(person.sid) if person.sid else ()
        by_email = finder.by_email(person.email) if person.email else ()
        sure = tuple(sorted({*by_id, *by_email}))
        groups.append(sure or finder.by_name(person.name))
    ids = tuple(sorted({id for group in groups for id in group}))
    sure_and_one = len(submitters) == 1 and not (
        len(ids) > 1 and finder.by_name(submitters[0].name) != ids
    )
    said = ", ".join(person.name or person.email or person.sid for person in submitters)
    level = Level("lms", ids, bool(ids) and not sure_and_one, said)
    return Claims((level,), system="Gradescope", said="" if ids else said)


def _level(source: str, text: str, roster: Roster) -> Level:
    named = roster.finder.search(text)
    return Level(source, named.ids, named.together, text)


def _decided(levels: Sequence[Level]) -> tuple[tuple[str, ...], str, bool]:
    """The ids that are left, who said so, and whether they are several together.

    The first source that names anybody decides; a later one can only choose among its several.
    """
    ids: tuple[str, ...] = ()
    source, together = "", False
    for level in levels:
        if not level.ids:
            continue
        if not ids:
            ids, source, together = level.ids, level.source, level.together
        elif len(ids) > 1 and not level.together and not (together and source == "lms"):
            common = tuple(id for id in ids if id in level.ids)
            if common:
                ids, together = common, together and len(common) > 1
    return ids, source, together


def _several(ids: Sequence[str], found: Claims, roster: Roster) -> str:
    if found.system == "Gradescope" and any(level.together for level in found.levels):
        return _(
            "It was handed in by several: {names}. Put a copy in a folder for each, named with "
            "the id."
        ).format(names=_names(ids, roster))
    return _(
        "Its path names several students: {names}. Put it in a folder named with the right id, "
        "outside the others."
    ).format(names=_names(ids, roster))


def _nobody(found: Claims, strangers: Sequence[str]) -> str:
    if found.said:
        text = _("{system} says it is from {said!r}, who is not in the roster.").format(
            system=found.system, said=found.said
        )
    elif strangers:
        text = _("It names {ids} inside, who is not in the roster.").format(
            ids=", ".join(map(repr, strangers[:3]))
        )
    else:
        text = _("Neither its path nor the notebook says whose it is.")
    return f"{text} " + _("Put it in a folder named with the student's id.")


def _names(ids: Sequence[str], roster: Roster) -> str:
    """The students as a teacher knows them; the first few of many."""
    students = [student for id in ids if (student := roster.get(id))]
    text = ", ".join(f"{student.name} ({student.id})" for student in students[:4])
    return text if len(students) <= 4 else text + _(" and {n} more").format(n=len(students) - 4)


def _called(source: str) -> str:
    return {
        "lms": _("the platform"),
        "folder": _("the folder"),
        "file": _("the file name"),
        "inside": _("the notebook itself"),
    }[source]


def _akin(said: str, roster: Roster, id: str) -> bool:
    """Whether a name the roster does not know may still be this student: a word in common."""
    student = roster.get(id)
    own = words(folded(student.name)) if student else ()
    theirs = words(folded(said))
    letters = "".join(theirs)
    return any(
        word in theirs or ((len(word) > 2 or is_dense(word)) and word in letters) for word in own
    )


def _version(rest: str) -> int:
    match = _VERSION.search(rest)
    return int(match[1]) if match else 0
