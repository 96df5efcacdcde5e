"""A page as it was, for a reader who broke it: the original comes back, their version stays beside.

The original is what the last commit has, which is there at once. Where there is no git, or the
page is not in it (a downloaded archive), it is made anew from its text, which takes some seconds.
"""

import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rooflib.book import Book, BookError
from rooflib.i18n import _
from rooflib.pages import Job, pages, relative
from rooflib.whole import write

PATIENCE = 60  # seconds for git, which may have to fetch what a partial clone left out


@dataclass(frozen=True)
class Restored:
    """What became of one page; `kept` is where the reader's version lies now, if there was one."""

    page: str
    changed: bool
    kept: str = ""

    def __str__(self) -> str:
        if not self.changed:
            return _("{page} is the original already; nothing was done").format(page=self.page)
        if not self.kept:
            return _("{page} was missing and is back").format(page=self.page)
        return _("{page} is the original again; your version is kept as {kept}").format(
            page=self.page, kept=self.kept
        )


def restore(book: Book, names: Iterable[str]) -> list[Restored]:
    """Bring the pages that `names` mean back; rooflib.pages says how they are named.

    Raises ValueError for a name that is no page's, and BookError if an original cannot be had or
    a file cannot be written. Nothing is changed before all originals are at hand.
    """
    found = [(page, _original(book, page)) for page in pages(book, names)]
    return [_bring_back(book, page.target, original) for page, original in found]


def _bring_back(book: Book, target: Path, original: bytes | None) -> Restored:
    name = relative(target, book)
    if original is None:
        return Restored(name, changed=False)
    kept = _free(target) if os.path.lexists(target) else None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write(target, original, keep=kept)
    except OSError as error:
        raise BookError(
            _("{page} is as it was, since it could not be written: {error}").format(
                page=name, error=error
            )
        ) from error
    return Restored(name, changed=True, kept=relative(kept, book) if kept else "")


def _free(target: Path) -> Path:
    """X.mine.ipynb, or the first X.mine-2.ipynb, X.mine-3.ipynb, ... that nothing has yet."""
    kept, number = target.with_name(f"{target.stem}.mine.ipynb"), 1
    while os.path.lexists(kept):
        number += 1
        kept = target.with_name(f"{target.stem}.mine-{number}.ipynb")
    return kept


def _original(book: Book, page: Job) -> bytes | None:
    """The page as it was, or None if it lies there like that."""
    try:
        present = page.target.read_bytes() if page.target.exists() else None
    except OSError as error:
        raise BookError(
            _("{page} cannot be read: {error}").format(
                page=relative(page.target, book), error=error
            )
        ) from error
    committed = _committed(book, relative(page.target, book))
    if committed is None:
        return _made_anew(book, page)
    return None if present == committed else committed


def _committed(book: Book, name: str) -> bytes | None:
    """The file `name` of the last commit, with the line ends of this checkout; None without."""
    ours = {k: v for k, v in os.environ.items() if k not in ("GIT_DIR", "GIT_WORK_TREE")}
    try:
        # --filters: a checkout on Windows may have other line ends than the commit.
        git = ["git", "cat-file", "--filters", f"HEAD:./{name}"]
        done = subprocess.run(git, cwd=book.root, env=ours, capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _made_anew(book: Book, page: Job) -> bytes | None:
    from rooflib.build import anew  # slow to load, and a clone with git needs none of it
    from rooflib.exercise import AuthorError

    try:
        return anew(book, page)
    except AuthorError as error:
        raise BookError(
            _(
                "the original of {page} is not in git, and its text cannot be run:\n\n{error}"
            ).format(page=relative(page.target, book), error=error)
        ) from error
