"""Whose notebook it is: what the learning platform, the teacher's folders and the file name say.

The platform's word counts most, then the folders, outermost first, then what the student
wrote: the file name, all that follows the platform's own part, and the id inside. So nobody
hands in under another name by choosing a file name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rooflib.classroom.intake import lms
from rooflib.classroom.intake.gradescope import Submitter
from rooflib.classroom.intake.roster import Roster
from rooflib.classroom.intake.words import folded, is_dense, words
from rooflib.i18n import _

_NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.IGNORECASE)


class Level(NamedTuple):
    """What one source says: `together` if it names several, not one of several of that name."""

    source: str  # "lms", "folder" or "file"
    ids: tuple[str, ...]
    together: bool = False
    text: str = ""


@dataclass(frozen=True)
class Claims:
    """Who a path speaks of, the surest source first."""

    levels: tuple[Level, ...] = ()
    late: bool = False
    version: int = 0  # Canvas's -2 and so on, for a file name it had before
    upload: int = 0  # Canvas's number of the file: a later one is larger
    system: str = ""  # "Canvas", "Moodle", "Gradescope", or none
    said: str = ""  # the platform's name for somebody who is not in the roster
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
    said: lms.Part | None = None
    theirs = False  # whether we are past the platform's part, in what the student wrote
    outside: list[Level] = []
    inside: list[Level] = []
    for i, name in enumerate(path):
        last = i == len(path) - 1
        text = _NOTEBOOK.sub("", name) if last else name
        if not theirs:
            if submitters and lms.is_gradescope(text):
                said, theirs = lms.gradescope(submitters, roster), True
                continue
            part = lms.part(text, roster)
            # The teacher's own zip may look the same by chance ("course_2026_101_all.zip").
            if part and (i or last or part.ids):
                said, theirs, text = part, True, part.rest
        if theirs or last:
            inside.append(_level("file", text, roster))
        else:
            outside.append(_level("folder", text, roster))
    if submitters and not said:
        said = lms.gradescope(submitters, roster)
    levels = [level for level in (*outside, *inside) if level.ids]
    if not said:
        return Claims(tuple(levels))
    return Claims(
        (Level("lms", said.ids, said.together, said.name), *levels),
        said.late,
        said.version,
        said.upload,
        said.system,
        "" if said.ids else said.name,
        said.notes,
    )


def owner(found: Claims, inside: Sequence[str], roster: Roster) -> Owner:
    """Whose it is, given what its path says and the ids that are named inside the notebook."""
    named = {student.id for id in inside if (student := roster.get(id))}
    strangers = sorted({id for id in inside if not roster.get(id)})
    ids, source, together = _decided(found.levels)
    if not ids:
        ids, source, together = tuple(sorted(named)), "inside", True
    elif not together and len(ids) > 1 and len(named & set(ids)) == 1:
        ids, source = tuple(named & set(ids)), "inside"
    if not ids:
        return Owner(None, trouble=_nobody(found, strangers))
    if len(ids) > 1:
        return Owner(None, trouble=_several(ids, source, together, found, roster))
    (id,) = ids
    who = _names([id], roster)
    notes = list(found.notes)
    if found.said and source in ("file", "inside"):
        said = _("{system} calls the student {said!r}; {source} says {who}.").format(
            system=found.system, said=found.said, source=_called(source), who=who
        )
        if not _akin(found.said, roster, id):
            return Owner(
                None,
                trouble=f"{said} "
                + _(
                    "Put it in a folder named with the right id, or write the name in the roster "
                    "as {system} has it."
                ).format(system=found.system),
            )
        notes.append(said)
    for level in found.levels:
        if not level.ids or id in level.ids:
            continue
        if level.source == "folder" and source == "lms":
            both = (id, *level.ids)
            return Owner(None, trouble=_several(both, "folder", True, found, roster))
        notes.append(
            _("{source} {text!r} names {who}.").format(
                source=_called(level.source).capitalize(),
                text=level.text[:100],
                who=_names(level.ids, roster),
            )
        )
    if named - {id}:
        notes.append(
            _("Another student's variant: the notebook names {who} inside.").format(
                who=_names(sorted(named - {id}), roster)
            )
        )
    if strangers:
        notes.append(_stranger(strangers))
    return Owner(id, tuple(dict.fromkeys(notes)), source=source)


def _level(source: str, text: str, roster: Roster) -> Level:
    named = roster.finder.search(text)
    return Level(source, named.ids, named.together, text)


def _decided(levels: Sequence[Level]) -> tuple[tuple[str, ...], str, bool]:
    """The ids that are left, which source says so, and whether it names them all together.

    The first source that names anybody decides; a later one can only choose among its several,
    and not among those who handed in together.
    """
    ids: tuple[str, ...] = ()
    source, together = "", False
    for level in levels:
        if not ids:
            ids, source, together = level.ids, level.source, level.together
        elif len(ids) > 1 and not level.together and not (together and source == "lms"):
            common = tuple(id for id in ids if id in level.ids)
            ids = common or ids
    return ids, source, together


def _several(ids: Sequence[str], source: str, together: bool, found: Claims, roster: Roster) -> str:
    who = _names(ids, roster)
    if not together:
        return _(
            "{who} have the same name, so that only an id or an e-mail address can tell whose it "
            "is. Put it in a folder named with the right id."
        ).format(who=who)
    if source == "inside":
        return _(
            "Its path does not say whose it is, and the notebook itself names {who}. "
            "Put it in a folder named with the right id."
        ).format(who=who)
    if found.system == "Gradescope" and source == "lms":
        return _(
            "Gradescope says it is from {who}. Put a copy in a folder for each, named with the id."
        ).format(who=who)
    return _(
        "Its path names several students: {who}. Put it alone in a folder named with the right id."
    ).format(who=who)


def _nobody(found: Claims, strangers: Sequence[str]) -> str:
    if found.said:
        text = _("{system} calls the student {said!r}, who is not in the roster.").format(
            system=found.system, said=found.said
        )
    elif strangers:
        text = _stranger(strangers)
    else:
        text = _("Neither its path nor the notebook says whose it is.")
    return f"{text} " + _("Put it in a folder named with the student's id.")


def _stranger(ids: Sequence[str]) -> str:
    return _("The notebook names {ids} inside, which is no id of the roster.").format(
        ids=", ".join(repr(id[:64]) for id in ids[:3])
    )


def _names(ids: Sequence[str], roster: Roster) -> str:
    """The students as a teacher knows them; of many, the first few."""
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
