"""From the texts that authors edit to the notebooks that readers open.

    notebooks/text/*.md  ->  notebooks/*.ipynb
    solutions/text/*.md  ->  solutions/*.ipynb  and  exercises/*.ipynb

A text is MyST Markdown as jupytext reads it. Each notebook is run in a fresh kernel, in its own
folder, and its outputs are stored. Two conventions turn a solution into an exercise: in a code
cell tagged `answer` what answers becomes `...`, and a cell tagged `solution` is left out
(rooflib/exercise.py has the rules). Only notebooks that came out otherwise than they lie there
are written.
"""

import asyncio
import contextlib
import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from rooflib.book import Book
from rooflib.execution import run, same_but_for_pictures
from rooflib.exercise import AuthorError, derive
from rooflib.names import pick

AT_ONCE = 2  # kernels
_ALMOST_A_CELL = re.compile(r"^\s*(`{3,}|~{3,})\s*\{?\s*code.?cel", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Job:
    """One notebook to be made: from which text, to which file."""

    text: Path
    target: Path
    is_exercise: bool = False

    def origin(self, book: Book) -> str:
        where = _relative(self.text, book)
        return f"{where} (as an exercise)" if self.is_exercise else where


@dataclass(frozen=True)
class Report:
    """What a build found: paths relative to the book, in the order of the jobs.

    `stale` are the notebooks that differ from what their text gives (after a build: that were
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


def jobs(book: Book, names: Iterable[str] = ()) -> list[Job]:
    """Everything to be made, or what belongs to `names`: a text's stem or any path to it.

    Raises ValueError, with the nearest name, for one that has no text.
    """
    everything = [
        *(Job(text, book.lessons / f"{text.stem}.ipynb") for text in _texts(book.lessons)),
        *(
            job
            for text in _texts(book.solutions)
            for job in (
                Job(text, book.solutions / f"{text.stem}.ipynb"),
                Job(text, book.exercises / f"{text.stem}.ipynb", is_exercise=True),
            )
        ),
    ]
    stems = list(dict.fromkeys(job.text.stem for job in everything))
    wanted = {pick("notebook", Path(name).stem, stems) for name in names}
    return [job for job in everything if not wanted or job.text.stem in wanted]


def build(book: Book, names: Iterable[str] = (), *, write: bool = True) -> Report:
    """Make the notebooks of `book`; without `write` only say what would be written.

    If one text has an error, nothing is written at all.
    """
    names = tuple(names)
    todo = jobs(book, names)
    # Not Windows' own kind of loop: the kernels' sockets need one that selects.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        made = runner.run(_make_all(book, todo))
    errors = tuple(dict.fromkeys(result for result in made if isinstance(result, str)))
    stale, fresh = [], []
    for job, result in zip(todo, made, strict=True):
        name = _relative(job.target, book)
        if isinstance(result, str):
            continue
        if not _differs(result, job.target):
            fresh.append(name)
            continue
        stale.append((name, job.text.stem))
        if write and not errors:
            _write(result, job.target)
    orphans = () if names else tuple(_orphans(book, todo))
    return Report(stale=tuple(stale), fresh=tuple(fresh), orphans=orphans, errors=errors)


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


async def _make_all(book: Book, todo: list[Job]) -> list[Any]:
    """For each job the notebook, or the text of what went wrong."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def make(job: Job) -> Any:
        where = _relative(job.text, book)
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


def _texts(folder: Path) -> list[Path]:
    return sorted((folder / "text").glob("*.md"))


def _orphans(book: Book, todo: list[Job]) -> list[str]:
    """Notebooks that no text makes: left over when a text was renamed, or edited by hand."""
    made = {job.target for job in todo}
    lying = (
        path
        for folder in (book.lessons, book.solutions, book.exercises)
        for path in sorted(folder.glob("*.ipynb"))
    )
    return [_relative(path, book) for path in lying if path not in made]


def _differs(notebook: Any, target: Path) -> bool:
    try:
        stored = target.read_bytes().decode()
        old = nbformat.reads(stored, as_version=4)
    except (OSError, ValueError):  # not there, or not a notebook
        return True
    # Written otherwise though it says the same (CRLF, another indent) is stale too.
    return nbformat.writes(old) + "\n" != stored or not same_but_for_pictures(notebook, old)


def _write(notebook: Any, target: Path) -> None:
    """All or nothing: a reader, or the next build, never meets half a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(nbformat.writes(notebook) + "\n")
        Path(name).chmod(0o644)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _relative(path: Path, book: Book) -> str:
    return path.relative_to(book.root).as_posix()
