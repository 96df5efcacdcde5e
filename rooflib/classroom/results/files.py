"""What a student's file is called: the id, where every file system takes it."""

from __future__ import annotations

import hashlib
import re

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_@.-]{0,60}")
# Names that Windows keeps for devices, with any ending.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def file_name(student: str) -> str:
    """A name for a student's file: the id itself where that is safe in every file system.

    Other ids keep their plain letters and get a number made from the whole id, so that no two
    students share a file and none leaves the folder.
    """
    if _PLAIN.fullmatch(student) and not student.endswith(".") and not _DEVICES.fullmatch(student):
        return student
    letters = re.sub(r"[^A-Za-z0-9]+", "-", student).strip("-")[:40] or "student"
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{letters}-{digest[:10]}"
