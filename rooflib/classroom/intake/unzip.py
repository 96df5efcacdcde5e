"""Look into a zip from a stranger: bounded in bytes, members and depth, and nothing unpacked.

A zip that claims more than it should is never trusted with memory: its directory is read only
up to a limit, a member only up to the size it declares, and what one archive may unpack in all
is bounded by an allowance that the archives within it share.
"""

from __future__ import annotations

import stat
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from rooflib.i18n import _


@dataclass(frozen=True)
class Limits:
    """What is still looked at; far above what a class hands in."""

    file: int = 20_000_000  # bytes of one notebook
    members: int = 20_000  # files in one archive
    depth: int = 4  # archives within archives
    folders: int = 64  # folders within folders
    ratio: int = 200  # unpacked to packed, for a member of more than a megabyte
    unpacked: int = 16_000_000_000  # bytes of one archive that was given
    inner: int = 400_000_000  # bytes of an archive within another; a quarter a level further
    times: int = 30  # ... or so many times its own size, where that is more


class Unreadable(Exception):
    """An archive, or a member of one, that is left aside: what it is, and what to do."""

    def __init__(self, what: str, todo: str) -> None:
        super().__init__(what)
        self.what, self.todo = what, todo


class Allowance:
    """What an archive may still unpack; what the archives within it unpack counts too."""

    def __init__(self, size: int, above: Allowance | None = None) -> None:
        self._left = size
        self._above = above

    def spend(self, size: int) -> None:
        """Raise Unreadable when that is more than is left."""
        self._left -= size
        if self._left < 0:
            raise Exhausted(
                _("it would unpack to far more than a class hands in"),
                _("Look into it by hand, and give a folder with the notebooks in it."),
            )
        if self._above:
            self._above.spend(size)


class Exhausted(Unreadable):
    """Nothing more of this archive is read."""


_SMALL = 1_000_000
_ENTRY = 400  # bytes of an archive's directory for one member
_COST = 1_000  # what it costs to know of a member
_TAIL = 1 << 17  # where the end of a directory is looked for; at most half of it is used
_IN_MEMORY = 8_000_000
_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)


class _Bounded:
    """A file that is never asked for more than so much at once."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._file, self._most = file, most
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > self._most:
            raise Unreadable(
                _("it lists too many files"),
                _("Look into it by hand, and give a folder with the notebooks in it."),
            )
        return self._file.read(_TAIL if size < 0 else size)

    def close(self) -> None:
        """The file belongs to who opened it."""


class Archive:
    """One zip, open for reading."""

    def __init__(self, file: IO[bytes], limits: Limits) -> None:
        self.limits = limits
        try:
            self._zip = zipfile.ZipFile(cast(IO[bytes], _Bounded(file, limits.members * _ENTRY)))
        except Unreadable:
            raise
        except _ERRORS:
            raise Unreadable(
                _("it is damaged or cut off"), _("Download it again, or ask for it again.")
            ) from None
        self.members = self._zip.infolist()
        if len(self.members) > limits.members:
            raise Unreadable(
                _("it holds {n:,} files, more than {most:,}").format(
                    n=len(self.members), most=limits.members
                ),
                _("Look into it by hand, and give a folder with the notebooks in it."),
            )

    def cost(self) -> int:
        """What looking at the directory costs of an allowance."""
        return len(self.members) * _COST

    def read(self, member: zipfile.ZipInfo, allowance: Allowance) -> bytes:
        """The bytes of a member that is a notebook."""
        if member.file_size > self.limits.file:
            raise Unreadable(*too_large(member.file_size, self.limits))
        self._check(member, allowance)
        with self._open(member) as file:
            data = file.read(member.file_size)
            # Only at the end does the checksum speak.
            if len(data) != member.file_size or file.read(1):
                raise zipfile.BadZipFile
        return data

    @contextmanager
    def within(self, member: zipfile.ZipInfo, allowance: Allowance) -> Iterator[IO[bytes]]:
        """A member that is an archive itself, as a file; a large one waits nameless on disk."""
        self._check(member, allowance)
        with SpooledTemporaryFile(max_size=_IN_MEMORY) as copy:
            with self._open(member) as file:
                while chunk := file.read(1 << 18):
                    copy.write(chunk)
            copy.seek(0)
            yield cast(IO[bytes], copy)

    def _check(self, member: zipfile.ZipInfo, allowance: Allowance) -> None:
        if member.flag_bits & 0x41:
            raise Unreadable(
                _("it is encrypted"), _("Ask for it without a password, or unpack it by hand.")
            )
        if stat.S_ISLNK(member.external_attr >> 16):
            raise Unreadable(_("it is a link, not a file"), _("Ask for the file itself."))
        # The others need memory before their first byte.
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Unreadable(
                _("it is packed with a method that is not read here"),
                _("Unpack it by hand, and give the folder."),
            )
        if member.file_size > max(_SMALL, self.limits.ratio * member.compress_size):
            raise Unreadable(
                _("it would unpack to {n:,} times its size").format(
                    n=member.file_size // max(1, member.compress_size)
                ),
                _("No notebook does that; ask for it again."),
            )
        allowance.spend(member.file_size)

    @contextmanager
    def _open(self, member: zipfile.ZipInfo) -> Iterator[IO[bytes]]:
        try:
            with self._zip.open(member) as file:
                yield file
        except _ERRORS:
            raise Unreadable(
                _("it is damaged or cut off"), _("Download it again, or ask for it again.")
            ) from None

    def close(self) -> None:
        self._zip.close()


def too_large(size: int, limits: Limits) -> tuple[str, str]:
    """What is said of a file above the limit."""
    return (
        _("it has {size:,.0f} MB; at most {most:,.0f} MB are read").format(
            size=size / 1e6, most=limits.file / 1e6
        ),
        _("Ask for it with its outputs cleared."),
    )


def name_of(member: zipfile.ZipInfo) -> str:
    """The member's name; many programs write UTF-8 without saying so."""
    if not member.flag_bits & 0x800:
        try:
            return member.filename.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return member.filename


def time_of(member: zipfile.ZipInfo) -> float | None:
    """When the member was changed last, by this machine's clock; None if nobody wrote it down."""
    if member.date_time <= (1980, 1, 1, 0, 0, 0):
        return None
    try:
        return time.mktime((*member.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return None
