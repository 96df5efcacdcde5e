"""Where the book is: the folder of a clone, with its notebooks beside the package."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from rooflib.i18n import _

KEPT = re.compile(r"\.mine(-\d+)?\.ipynb$")


class BookError(Exception):
    """A slip in how the book was called for; the text says what to do about it."""


@dataclass(frozen=True)
class Book:
    """The book's folder and what lies in it."""

    root: Path

    @property
    def lessons(self) -> Path:
        return self.root / "notebooks"

    @property
    def pictures(self) -> Path:
        return self.lessons / "pictures"

    @property
    def solutions(self) -> Path:
        return self.root / "solutions"

    @property
    def exercises(self) -> Path:
        return self.root / "exercises"

    def first_page(self) -> Path:
        """The first lesson in the order of names.

        Raises BookError if no lesson has been built yet.
        """
        pages = sorted(path for path in self.lessons.glob("*.ipynb") if not is_kept(path))
        if not pages:
            raise BookError(
                _(
                    "the book in {root} has no page yet: there is no .ipynb in notebooks/. "
                    "`rooflib build` makes them from notebooks/text/."
                ).format(root=self.root)
            )
        return pages[0]


def is_kept(path: Path) -> bool:
    """A reader's own version of a page, which `rooflib restore` put beside it."""
    return KEPT.search(path.name) is not None


def find_book(start: Path | None = None, package: Path | None = None) -> Book:
    """The book around `start` (default: the current folder), else the one around the package.

    The second is where an editable install, which `uv run` makes, has its clone.
    Raises BookError, with the folders that were searched, if neither holds it.
    """
    start = Path.cwd() if start is None else start
    package = Path(__file__).resolve().parent if package is None else package
    for folder in (start, *start.parents, package.parent):
        if _is_book(folder):
            return Book(folder)
    raise BookError(
        _(
            "the book is not here. A folder with its pyproject.toml and notebooks/ was looked for "
            "in {start}, in the folders above it, and in {package}. Go to your clone of the "
            "project first (cd), or make one (git clone), and run rooflib there."
        ).format(start=start, package=package.parent)
    )


def _is_book(folder: Path) -> bool:
    project = folder / "pyproject.toml"
    if not (folder / "notebooks").is_dir() or not project.is_file():
        return False
    try:
        described = tomllib.loads(project.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # someone else's folder on the way up, and out of order
        return False
    name: object = described.get("project", {}).get("name")
    return name == "rooflib"
