"""A file is written as a whole or not at all: nobody ever meets half of one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from rooflib.i18n import _


class CannotWrite(OSError):
    """A file that could not be written, as a sentence; what was there before is still there."""


def write(path: Path, data: bytes | str, *, keep: Path | None = None, durable: bool = True) -> bool:
    """Put `data` at `path` (text as UTF-8); whether that changed anything.

    keep: where what lay there goes, instead of being replaced. durable=False does not wait for
    the disk: for files that can be made again. Raises CannotWrite.
    """
    content = data.encode("utf-8") if isinstance(data, str) else data
    if keep is None and _holds(path, content):
        return False
    with replacing(path, keep=keep, durable=durable) as file:
        file.write(content)
    return True


@contextlib.contextmanager
def replacing(path: Path, *, keep: Path | None = None, durable: bool = True) -> Iterator[IO[bytes]]:
    """A file to write piece by piece; it becomes `path` when the block ends without an error."""
    beside = path.with_name(f".{path.name[:80]}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        # "x" never follows a link that somebody has put there; the mode is the user's own umask.
        file = beside.open("xb")
    except OSError as error:
        raise _cannot(path, error) from error
    try:
        with file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
        try:
            _put(beside, path, keep)
        except OSError as error:  # on Windows: the file is open in another program
            raise _cannot(path, error) from error
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _put(beside: Path, path: Path, keep: Path | None) -> None:
    if keep is not None:
        os.rename(path, keep)
    try:
        os.replace(beside, path)
    except BaseException:
        if keep is not None:
            os.rename(keep, path)
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
