"""Write a file whole or not at all: to a neighbour first, which then takes its place."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rooflib.i18n import _


class CannotWrite(OSError):
    """A file that could not be written, as a sentence."""


def write_atomic(path: Path, data: bytes | str, *, durable: bool = True) -> bool:
    """Put `data` at `path` (text as UTF-8); whether that changed anything.

    Whoever reads `path` meanwhile sees the old file or the new one, never a part. durable=False
    does not wait for the disk: for pages that the next run would make again.
    """
    content = data.encode("utf-8") if isinstance(data, str) else data
    if _holds(path, content):
        return False
    with replacing(path, durable=durable) as file:
        file.write(content)
    return True


@contextmanager
def replacing(path: Path, *, durable: bool = True) -> Iterator[IO[bytes]]:
    """A file to write piece by piece; it becomes `path` when the block ends without an error."""
    beside = path.with_name(f".{path.name[:80]}.{os.getpid()}.{secrets.token_hex(4)}.new")
    try:
        # "x" never follows a link that somebody has put there; the mode is the user's own umask.
        file = open(beside, "xb")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise _cannot(path, error) from error
    try:
        with file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
        try:
            os.replace(beside, path)
        except OSError as error:  # on Windows: the file is open in another program
            raise _cannot(path, error) from error
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _holds(path: Path, content: bytes) -> bool:
    try:
        return (
            not path.is_symlink()
            and path.stat().st_size == len(content)
            and path.read_bytes() == content
        )
    except OSError:
        return False


def _cannot(path: Path, error: OSError) -> CannotWrite:
    text = _("I cannot write {path}: {why}. Is it open in another program, or its folder missing?")
    return CannotWrite(text.format(path=path, why=(error.strerror or str(error)).lower()))


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
