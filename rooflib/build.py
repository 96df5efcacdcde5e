"""From the texts that authors edit to the notebooks that readers open.

    notebooks/text/*.md  ->  notebooks/*.ipynb
    solutions/text/*.md  ->  solutions/*.ipynb  and  exercises/*.ipynb
    notebooks/pictures/gallery.toml  ->  notebooks/pictures/*.png

A text is MyST Markdown as jupytext reads it. Each notebook is run in a fresh kernel, in its own
folder, and its outputs are stored. Two conventions turn a solution into an exercise: in a code
cell tagged `answer` what answers becomes `...`, and a cell tagged `solution` is left out
(rooflib/exercise.py has the rules). Only notebooks that came out otherwise than they lie there
are written; so with the pictures of the gallery (rooflib/gallery.py).
"""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from rooflib.book import Book
from rooflib.execution import look_alike, run, same_but_for_pictures
from rooflib.exercise import AuthorError, derive
from rooflib.gallery import drawn, pictures
from rooflib.pages import Job, jobs, orphans, relative
from rooflib.whole import write as write_whole

AT_ONCE = 2  # kernels
_ALMOST_A_CELL = re.compile(r"^\s*(`{3,}|~{3,})\s*\{?\s*code.?cel", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Report:
    """What a build found: paths relative to the book, in the order of the jobs.

    `stale` are the files that differ from what their text gives (after a build: that were
    written), with the text's stem; `orphans` those that belong to no text; `errors` what went
    wrong, one message per text.
    """

    stale: tuple[tuple[str, str], ...]
    fresh: tuple[str, ...]
    orphans: tuple[str, ...]
    errors: tuple[str, ...]

    @property
    def clean(self) -> bool:
        return not (self.stale or self.orphans or self.errors)


def build(book: Book, names: Iterable[str] = (), *, write: bool = True) -> Report:
    """Make the notebooks of `book`; without `write` only say what would be written.

    If one text has an error, nothing is written at all.
    """
    names = tuple(names)
    todo = jobs(book, names)
    made = _made(book, todo)
    lessons = {job.text.stem for job in todo}
    try:
        shown = [each for each in pictures(book) if each.lesson in lessons]
        drawings = drawn(shown)
    except AuthorError as error:
        shown, drawings, made = [], {}, [*made, str(error)]
    errors = tuple(dict.fromkeys(result for result in made if isinstance(result, str)))
    found = [
        (job.target, job.text.stem, _bytes(result), _differs(result, job.target))
        for job, result in zip(todo, made, strict=False)
        if not isinstance(result, str)
    ]
    for each in shown:
        target, png = book.pictures / each.file, drawings[each.file]
        found.append((target, each.lesson, png, not _shows(target, png)))
    stale, fresh = [], []
    for target, stem, data, differs in found:
        name = relative(target, book)
        if not differs:
            fresh.append(name)
            continue
        stale.append((name, stem))
        if write and not errors:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, data)
    strays = () if names else tuple(relative(path, book) for path in orphans(book))
    return Report(stale=tuple(stale), fresh=tuple(fresh), orphans=strays, errors=errors)


def anew(book: Book, job: Job) -> bytes | None:
    """One notebook as its text gives it, or None if it lies there like that.

    Raises AuthorError if it cannot be made.
    """
    (made,) = _made(book, [job])
    if isinstance(made, str):
        raise AuthorError(made)
    return _bytes(made) if _differs(made, job.target) else None


def read(text: Path, where: str) -> Any:
    """The notebook, not yet run, that the Markdown file `text` describes.

    Raises AuthorError, naming the file `where` and the place, if the text is malformed.
    """
    try:
        source = text.read_text(encoding="utf-8")
        notebook = jupytext.reads(source, fmt="md:myst")
    except UnicodeDecodeError as error:
        raise AuthorError(f"{where} is not UTF-8: {error}") from error
    except Exception as error:  # jupytext and its YAML reader raise what they like
        raise AuthorError(f"{where} is not readable as MyST Markdown: {error}") from error
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type != "code" and _ALMOST_A_CELL.search(cell.source):
            raise AuthorError(
                f"{where}, cell {number}: a code cell that was not understood stands as text here; "
                "it must open with ```{code-cell} ipython3 at the beginning of a line and close "
                f"with ```\n\n{cell.source}"
            )
        if cell.cell_type == "code" and re.search(r"^```", cell.source, re.MULTILINE):
            raise AuthorError(
                f"{where}, cell {number}: this code cell runs on into the text; "
                f"close it with ```\n\n{cell.source}"
            )
        if cell.cell_type == "code" and not cell.source.strip():
            raise AuthorError(f"{where}, cell {number}: this code cell is empty; take it out")
    return notebook


def _made(book: Book, todo: list[Job]) -> list[Any]:
    """For each job the notebook, or the text of what went wrong."""
    # Not Windows' own kind of loop: the kernels' sockets need one that selects.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(_make_all(book, todo))


async def _make_all(book: Book, todo: list[Job]) -> list[Any]:
    gate = asyncio.Semaphore(AT_ONCE)

    async def make(job: Job) -> Any:
        where = relative(job.text, book)
        try:
            notebook = read(job.text, where)
            if job.target.parent == book.solutions or job.is_exercise:
                exercise = derive(notebook, where)
                notebook = exercise if job.is_exercise else notebook
            async with gate:
                folder = job.target.parent if job.target.parent.is_dir() else book.root
                return await run(notebook, folder, job.origin(book))
        except AuthorError as error:
            return str(error)

    return await asyncio.gather(*map(make, todo))


def _differs(notebook: Any, target: Path) -> bool:
    try:
        stored = target.read_bytes().decode()
        old = nbformat.reads(stored, as_version=4)
        # Written otherwise though it says the same (CRLF, another indent) is stale too.
        if _bytes(old).decode() != stored:
            return True
    except Exception:  # not there, or not a notebook, of which nbformat says what it likes
        return True
    return not same_but_for_pictures(notebook, old)


def _shows(target: Path, png: bytes) -> bool:
    try:
        return look_alike(target.read_bytes(), png)
    except OSError:
        return False


def _bytes(notebook: Any) -> bytes:
    return (str(nbformat.writes(notebook)) + "\n").encode()
