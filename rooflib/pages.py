"""The pages of the book: which there are, from which text each is made, and how they are named.

    notebooks/text/*.md  ->  notebooks/*.ipynb
    solutions/text/*.md  ->  solutions/*.ipynb  and  exercises/*.ipynb

Beside them may lie a reader's own versions, kept by `rooflib restore`: these are no pages.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rooflib.book import Book, is_kept
from rooflib.i18n import _
from rooflib.names import pick, unknown


@dataclass(frozen=True)
class Job:
    """One notebook to be made: from which text, to which file."""

    text: Path
    target: Path
    is_exercise: bool = False

    def origin(self, book: Book) -> str:
        where = relative(self.text, book)
        return f"{where} (as an exercise)" if self.is_exercise else where


def jobs(book: Book, names: Iterable[str] = ()) -> list[Job]:
    """Everything to be made, or what belongs to `names`: a text's stem or any path to it.

    Raises ValueError, with the nearest name, for one that has no text.
    """
    everything = _everything(book)
    stems = list(dict.fromkeys(job.text.stem for job in everything))
    wanted = {pick("notebook", Path(name).stem, stems) for name in names}
    return [job for job in everything if not wanted or job.text.stem in wanted]


def pages(book: Book, names: Iterable[str]) -> list[Job]:
    """What a reader means by `names`: a stem is every page of that name, a path only its page.

    A path counts from the current folder or from the book's. Raises ValueError, with the valid
    names and the nearest of them, for a name that is no page's, and for no name at all.
    """
    names, everything = list(names), _everything(book)
    stems = list(dict.fromkeys(job.text.stem for job in everything))
    if not names:
        raise ValueError(_("say which page: {stems}").format(stems=", ".join(stems)))
    wanted: set[Path] = set()
    for name in names:
        named = name.replace("\\", "/")
        page = _page_at(named, book, everything)
        if page is not None:
            wanted.add(page.target)
        elif "/" in named and not named.endswith(".md"):
            valid = [relative(job.target, book) for job in everything]
            raise ValueError(unknown("page", name, valid))
        else:
            stem = re.sub(r"\.(ipynb|md)$", "", named.rpartition("/")[2])
            picked = pick("page", stem, stems)
            wanted |= {job.target for job in everything if job.text.stem == picked}
    return [job for job in everything if job.target in wanted]


def orphans(book: Book) -> list[Path]:
    """Notebooks that no text makes: left over when a text was renamed, or edited by hand."""
    made = {job.target for job in _everything(book)}
    return [path for path in _lying(book) if path not in made and not is_kept(path)]


def relative(path: Path, book: Book) -> str:
    return path.relative_to(book.root).as_posix()


def _everything(book: Book) -> list[Job]:
    return [
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


def _texts(folder: Path) -> list[Path]:
    return sorted((folder / "text").glob("*.md"))


def _lying(book: Book) -> Iterable[Path]:
    for folder in (book.lessons, book.solutions, book.exercises):
        yield from sorted(folder.glob("*.ipynb"))


def _page_at(name: str, book: Book, everything: list[Job]) -> Job | None:
    """The page that lies at the path `name`, or would if it were there."""
    if "/" not in name and not name.endswith(".ipynb"):
        return None
    for folder in (Path.cwd(), book.root):
        path = (folder / name).resolve()
        if path.suffix != ".ipynb":
            path = path.with_name(f"{path.name}.ipynb")
        for job in everything:
            if job.target.resolve() == path:
                return job
    return None
