"""What was found in a hand-in: a notebook, or a trouble; and what a file is by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rooflib.classroom.intake.gradescope import Submitter
from rooflib.i18n import _

_NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.IGNORECASE)  # as some browsers save it
_ARCHIVE = (".tar", ".tgz", ".gz", ".bz2", ".xz", ".rar", ".7z", ".zipx")
_INSTEAD = (".py", ".pdf", ".html", ".htm", ".docx", ".doc", ".md", ".rtf", ".odt", ".pages")
_PASSED_OVER = ("__MACOSX", "__pycache__", "node_modules", "site-packages")


@dataclass(frozen=True)
class Found:
    """A notebook as it was handed in; `path` is what was given, its folders, and the file name."""

    place: str
    path: tuple[str, ...]
    data: bytes = field(repr=False)
    time: float | None
    digest: str
    submitters: tuple[Submitter, ...] = ()  # Gradescope's word on who handed it in


@dataclass(frozen=True)
class Trouble:
    """Something that was not read. `instead`: no notebook, but perhaps handed in for one, which
    matters only if its student handed in none."""

    place: str
    what: str
    todo: str
    path: tuple[str, ...] = ()
    submitters: tuple[Submitter, ...] = ()
    instead: bool = False


@dataclass(frozen=True)
class Spot:
    """Where we are: how it is called, its path, who it belongs to, and how deep."""

    place: str
    path: tuple[str, ...]
    submitters: tuple[Submitter, ...] = ()
    root: str = ""

    def at(self, name: str, submitters: tuple[Submitter, ...] | None = None) -> Spot:
        name = printable(name)
        return Spot(
            f"{self.place}/{name}",
            (*self.path, stem(name)),
            self.submitters if submitters is None else submitters,
            self.root,
        )

    def trouble(self, what: str, todo: str, *, instead: bool = False) -> Trouble:
        return Trouble(
            self.place,
            _("This file was left aside: {what}.").format(what=what),
            todo,
            self.path,
            self.submitters,
            instead,
        )


def other(name: str, spot: Spot) -> Iterator[Trouble]:
    """A file that is neither a notebook nor a zip."""
    ending = Path(name).suffix.lower()
    if ending in _ARCHIVE:
        yield spot.trouble(
            _("{ending} archives are not read, only .zip").format(ending=ending),
            _("Unpack it by hand, and give the folder."),
        )
    elif ending in _INSTEAD:
        yield spot.trouble(
            _("it is no notebook ({ending})").format(ending=ending),
            _("If it was handed in instead of one, ask for the .ipynb file."),
            instead=True,
        )


def printable(text: str, longest: int = 255) -> str:
    """`text` as it can be shown and stored: no control characters, no broken bytes."""
    text = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return text if len(text) <= longest else text[:longest] + "…"


def stem(name: str) -> str:
    return name[:-4] if is_zip(name) else name


def is_zip(name: str) -> bool:
    return name.lower().endswith(".zip")


def wanted(name: str) -> bool:
    return is_zip(name) or bool(_NOTEBOOK.search(name))


def passed_over(name: str) -> bool:
    """Hidden files, what programs leave behind, and Jupyter's own copies."""
    return (name.startswith(".") and name.strip(".") != "") or (
        name in _PASSED_OVER or "-checkpoint.ipynb" in name
    )
