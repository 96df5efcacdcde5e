"""The lessons' main pictures as files, for who looks at the project without opening a notebook.

`notebooks/pictures/gallery.toml` has a few lines for each: which lesson, which explorer, where a
reader might have put the marks. `rooflib build` draws them into `notebooks/pictures/`, and
`rooflib build --check` says which of them is stale.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooflib.book import Book
from rooflib.execution import clean_environment
from rooflib.exercise import AuthorError


@dataclass(frozen=True)
class Picture:
    """One explorer in a state that says something: its questions answered with `marks`."""

    lesson: str
    explorer: str
    marks: tuple[Any, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.explorer}.png"

    def draw(self) -> Any:
        """The Explorer, its questions answered one after the other."""
        from rooflib import explore

        explorer = getattr(explore, self.explorer)(ask=bool(self.marks))
        for i, mark in enumerate(self.marks):
            if i:
                explorer.commit.click()  # Next question
            explorer.predict(mark)
        return explorer


def pictures(book: Book) -> list[Picture]:
    """What the gallery shows; none without a gallery.toml.

    Raises AuthorError if the file is malformed.
    """
    listed = book.pictures / "gallery.toml"
    if not listed.is_file():
        return []
    try:
        rows = tomllib.loads(listed.read_text(encoding="utf-8")).get("picture", [])
        return [
            Picture(row["lesson"], row["explorer"], tuple(row.get("marks", ()))) for row in rows
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AuthorError(f"{listed.name} is not read as a gallery: {error!r}") from error


def drawn(wanted: list[Picture]) -> dict[str, bytes]:
    """The PNG of each picture by its file name, drawn in a process that nothing personal reaches.

    Raises AuthorError, with Python's own words, if one cannot be drawn.
    """
    if not wanted:
        return {}
    rows = json.dumps([[each.lesson, each.explorer, each.marks] for each in wanted])
    with tempfile.TemporaryDirectory(prefix="rooflib-gallery-") as empty:
        done = subprocess.run(
            [sys.executable, "-m", "rooflib.gallery"],
            input=rows,
            env=clean_environment(Path(empty)),
            capture_output=True,
            encoding="utf-8",
        )
    if done.returncode != 0:
        raise AuthorError(f"a picture of gallery.toml cannot be drawn\n\n{done.stderr.strip()}")
    found = json.loads(done.stdout)
    return {name: base64.b64decode(png) for name, png in found.items()}


def _draw_what_is_asked() -> None:
    """The other side of `drawn`."""
    wanted = [Picture(lesson, name, tuple(marks)) for lesson, name, marks in json.load(sys.stdin)]
    found = {each.file: base64.b64encode(each.draw().png()).decode() for each in wanted}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    _draw_what_is_asked()
