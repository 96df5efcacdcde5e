"""Find the notebooks in what was handed in: folders, zips, and zips within zips.

One file at a time, and each is read once. What cannot be read becomes a `Trouble`, never an
exception: one bad file must not stop the grading of a class. Nothing is unpacked to disk.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import IO

from rooflib.classroom.intake import gradescope
from rooflib.classroom.intake.found import (
    Found,
    Spot,
    Trouble,
    is_zip,
    other,
    passed_over,
    printable,
    stem,
    wanted,
)
from rooflib.classroom.intake.gradescope import Submitter
from rooflib.classroom.intake.unzip import (
    Allowance,
    Archive,
    Exhausted,
    Limits,
    Unreadable,
    name_of,
    time_of,
    too_large,
)
from rooflib.i18n import _

__all__ = ["Found", "Limits", "Trouble", "walk"]

_SHOWN = 200  # troubles of an archive within another: it may be one student's


def walk(
    paths: Iterable[str | os.PathLike[str]], limits: Limits | None = None
) -> Iterator[Found | Trouble]:
    """Every notebook in `paths`, one at a time, and what could not be read."""
    limits = limits or Limits()
    for given in paths:
        path = os.fspath(given)
        name = printable(os.path.basename(os.path.normpath(path)))
        spot = Spot(
            printable(path, 4096),
            () if name in (".", "..", "") else (stem(name),),
            root=os.path.realpath(path),
        )
        if not os.path.exists(path):
            yield Trouble(
                spot.place,
                _("There is no file or folder of this name."),
                _("Check the spelling, and the folder the command is run in."),
            )
        elif os.path.isdir(path):
            yield from _folder(path, spot, limits)
        else:
            yield from _file(path, name, spot, limits)


def _folder(folder: str, spot: Spot, limits: Limits) -> Iterator[Found | Trouble]:
    if len(spot.path) > limits.folders:
        yield spot.trouble(_("its folders are nested too deep"), _("Give the folder further in."))
        return
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        yield spot.trouble(_why(error), _("Make it readable, and run the command again."))
        return
    beside: Mapping[str, tuple[Submitter, ...]] = {}
    if any(entry.name == gradescope.NAME for entry in entries):
        try:
            with open(os.path.join(folder, gradescope.NAME), "rb") as file:
                size = min(os.fstat(file.fileno()).st_size, limits.file)
                beside = gradescope.submitters(file.read(size).decode("utf-8", "replace"))
        except OSError as error:
            yield spot.at(gradescope.NAME).trouble(_why(error), _("Make it readable."))
    for entry in entries:
        if passed_over(entry.name):
            continue
        inner = spot.at(entry.name, beside.get(entry.name))
        try:
            path = entry.path
            if entry.is_symlink():
                path = os.path.realpath(path)
                if os.path.isdir(path) and _below(path, spot.root):
                    continue  # found where it really is
                if not _below(path, spot.root):
                    if wanted(entry.name) or os.path.isdir(path):
                        yield inner.trouble(
                            _("it is a link that leads out of what was given"),
                            _("Put the file itself there."),
                        )
                    continue
            if os.path.isdir(path):
                yield from _folder(path, inner, limits)
            else:
                yield from _file(path, entry.name, inner, limits)
        except OSError as error:
            yield inner.trouble(_why(error), _("Make it readable, and run the command again."))


def _file(path: str, name: str, spot: Spot, limits: Limits) -> Iterator[Found | Trouble]:
    if not wanted(name):
        yield from other(name, spot)
        return
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            yield spot.trouble(_("it is no ordinary file"), _("Put the file itself there."))
            return
        with open(path, "rb") as file:
            if is_zip(name):
                yield from _archive(file, spot, limits, 1, Allowance(limits.unpacked))
                return
            # No more than it has: a buffer of the whole limit would be set aside at once.
            data = file.read(about.st_size + 1) if about.st_size <= limits.file else b""
    except OSError as error:
        yield spot.trouble(_why(error), _("Make it readable, and run the command again."))
        return
    if max(about.st_size, len(data)) > limits.file:
        yield spot.trouble(*too_large(about.st_size, limits))
    else:
        yield _found(spot, data, about.st_mtime)


def _archive(
    file: IO[bytes], spot: Spot, limits: Limits, depth: int, allowance: Allowance
) -> Iterator[Found | Trouble]:
    try:
        archive = Archive(file, limits)
    except Unreadable as error:
        yield spot.trouble(error.what, error.todo)
        return
    try:
        allowance.spend(archive.cost())
        rows = _members(archive, spot, depth, allowance)
        yield from rows if depth == 1 else _few(rows)
    except Exhausted as error:
        yield spot.trouble(error.what, error.todo)
    finally:
        archive.close()


def _members(
    archive: Archive, spot: Spot, depth: int, allowance: Allowance
) -> Iterator[Found | Trouble]:
    limits = archive.limits
    beside: dict[tuple[str, ...], tuple[Submitter, ...]] = {}
    for member in archive.members:
        parts = _parts(name_of(member))
        if parts and parts[-1] == gradescope.NAME:
            try:
                text = archive.read(member, allowance).decode("utf-8", "replace")
            except Exhausted:
                raise
            except Unreadable as error:
                yield spot.at(gradescope.NAME).trouble(error.what, error.todo)
                continue
            for folder, people in gradescope.submitters(text).items():
                beside[(*parts[:-1], folder)] = people
    times: Counter[tuple[str, ...]] = Counter()
    for member in archive.members:
        name = name_of(member).replace("\\", "/")
        if not name or name.endswith("/"):  # a damaged zip may have members without a name
            continue
        parts = _parts(name)
        if any(map(passed_over, parts)):
            continue
        inner = spot
        for i, part in enumerate(parts):
            inner = inner.at(part, beside.get(parts[: i + 1]))
        if not wanted(parts[-1]):
            yield from other(parts[-1], inner)
            continue
        if name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name):
            yield inner.trouble(
                _("its name leads out of the archive"),
                _("No honest program writes that; ask for it again."),
            )
            continue
        if len(parts) > limits.folders:
            yield inner.trouble(
                _("its folders are nested too deep"), _("Unpack it by hand, and give the folder.")
            )
            continue
        times[parts] += 1
        if times[parts] > 1:  # a zip may hold a name twice
            inner = Spot(f"{inner.place} ({times[parts]})", inner.path, inner.submitters)
        try:
            if not is_zip(parts[-1]):
                yield _found(inner, archive.read(member, allowance), time_of(member))
                continue
            if depth >= limits.depth:
                raise Unreadable(
                    _("it is an archive within {n} archives").format(n=depth),
                    _("Unpack it by hand, and give the folder."),
                )
            size = max(limits.inner // 4 ** (depth - 1), limits.times * member.compress_size)
            with archive.within(member, allowance) as file:
                own = Allowance(size, allowance if depth > 1 else None)
                yield from _archive(file, inner, limits, depth + 1, own)
        except Exhausted:
            raise
        except Unreadable as error:
            yield inner.trouble(error.what, error.todo)


def _few(rows: Iterator[Found | Trouble]) -> Iterator[Found | Trouble]:
    """All that was found, and the first troubles: a hostile archive can be full of them."""
    troubles = 0
    for row in rows:
        if isinstance(row, Trouble):
            troubles += 1
            if troubles == _SHOWN:
                row = replace(
                    row,
                    what=_(
                        "Here {n} files were left aside; if there are more, they are not listed."
                    ).format(n=_SHOWN),
                    instead=False,
                )
            elif troubles > _SHOWN:
                continue
        yield row


def _found(spot: Spot, data: bytes, time: float | None) -> Found:
    digest = hashlib.sha256(data).hexdigest()
    return Found(spot.place, spot.path, data, time, digest, spot.submitters)


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def _below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _why(error: OSError) -> str:
    return _("it cannot be read ({why})").format(why=error.strerror or type(error).__name__)
