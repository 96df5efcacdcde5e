"""What a reader has done so far: one small JSON file beside the notebooks.

It is written whole to a neighbour and renamed, so a crash leaves the old one. A file that
cannot be read is set aside under another name, and a new one begun.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from rooflib.whole import write

NAME = ".rooflib-progress.json"


def place() -> Path:
    """ROOFLIB_PROGRESS if set; else in the book's folder, if we are in it; else here."""
    chosen = os.environ.get("ROOFLIB_PROGRESS")
    if chosen:
        return Path(chosen)
    try:
        here = Path.cwd()
    except OSError:  # the folder was removed under us
        return Path(NAME)
    for folder in (here, *here.parents):
        if (folder / "notebooks").is_dir() and (folder / "pyproject.toml").is_file():
            return folder / NAME
    return here / NAME


def load(path: Path | None = None) -> dict[str, Any]:
    """What is stored, by question; empty when there is nothing to read."""
    path = path or place()
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:  # not there, or not ours to read: leave it alone
        return {}
    except UnicodeError:
        _set_aside(path)
        return {}
    try:
        data = json.loads(text)
        questions = data["questions"]
        if isinstance(questions, dict) and all(isinstance(q, dict) for q in questions.values()):
            return questions
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    _set_aside(path)
    return {}


def save(questions: dict[str, Any], path: Path | None = None) -> bool:
    """Whether it could be written; a folder without write permission is no reason to fail."""
    path = path or place()
    text = json.dumps({"version": 1, "questions": questions}, indent=1, sort_keys=True)
    try:
        write(path, text + "\n", durable=False)
    except OSError:
        return False
    return True


def _set_aside(path: Path) -> None:
    for number in range(1, 100):
        aside = path.with_name(f"{path.name}.damaged-{number}")
        if not aside.exists():
            with contextlib.suppress(OSError):
                os.replace(path, aside)
            return


def reset(path: Path | None = None) -> None:
    """Forget everything: the file is removed."""
    with contextlib.suppress(OSError):
        (path or place()).unlink()
