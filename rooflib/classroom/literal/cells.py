"""A notebook as its cells: read from bytes of any kind, without running anything.

What is wrong with a cell or a field loses that cell or field; the page's notes say so.
"""

from __future__ import annotations

import ast
import functools
import json
import re
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rooflib.classroom.literal.answers import clean, phrase
from rooflib.i18n import _

# Twenty million bytes of "[],[],..." would fill the memory with seven million lists.
MAX_PIECES = 3_000_000
MAX_CELLS = 10_000
MAX_NAME = 200
# A cell longer than this holds data, not answers.
MAX_SOURCE = 200_000
# IPython reads a cell that is no plain Python word by word, and anew for each of its commands.
MAX_COMMANDS_COST = 200_000


class NotANotebook(ValueError):
    """The file holds no notebook; the text says why."""


class Broken(ValueError):
    """A cell that Python cannot read; the text says why."""


@dataclass(frozen=True)
class Cell:
    """One cell. kind: "code", "markdown" or "raw"."""

    source: str
    kind: str = "code"
    id: str = ""


@dataclass(frozen=True)
class Page:
    """A notebook. student, course, problem and handed (the ids of its answer cells) were written
    into it when it was handed out; notes: what was wrong with the file."""

    cells: tuple[Cell, ...]
    student: str | None = None
    course: str | None = None
    problem: str | None = None
    handed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def page(data: bytes) -> Page:
    """The notebook in `data`; raises `NotANotebook`."""
    notes: list[str] = []
    document = _document(data, notes)
    if not isinstance(document, dict):
        raise NotANotebook(_("This is JSON, but no notebook: it holds no cells."))
    cells = _cells(document, notes)
    if not cells:
        raise NotANotebook(_("This notebook has no cells."))
    about = _dict(_dict(document.get("metadata")).get("rooflib"))
    ids = about.get("cells")
    handed = [i for i in ids if type(i) is str][:MAX_CELLS] if type(ids) is list else []
    return Page(
        tuple(cells),
        _name(about.get("student")),
        _name(about.get("course")),
        _name(about.get("problem")),
        tuple(handed),
        tuple(notes),
    )


def _document(data: bytes, notes: list[str]) -> object:
    if not data.strip():
        raise NotANotebook(_("The file is empty."))
    if sum(map(data.count, (b"[", b"{", b",", b'"'))) > MAX_PIECES:
        raise NotANotebook(_("The file holds too many pieces to be a notebook."))
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        notes.append(_("The file is damaged: some of its characters cannot be read."))
    try:
        return json.loads(text)
    except RecursionError:
        raise NotANotebook(_("The file is nested too deeply to be a notebook.")) from None
    except json.JSONDecodeError as error:
        why = _("The file is no notebook, or a damaged one: it is no JSON (line {line}: {why}).")
        raise NotANotebook(why.format(line=error.lineno, why=error.msg)) from None
    except ValueError:  # a number of too many digits
        raise NotANotebook(_("The file is no notebook, or a damaged one.")) from None


def _cells(document: dict[str, Any], notes: list[str]) -> list[Cell]:
    listed = document.get("cells")
    if type(listed) is not list:  # nbformat 3 has its cells on sheets
        sheets = document.get("worksheets")
        sheets = sheets if type(sheets) is list else []
        found = [_dict(sheet).get("cells") for sheet in sheets]
        listed = [cell for cells in found if type(cells) is list for cell in cells]
    if len(listed) > MAX_CELLS:
        text = _("The notebook has {n} cells; only the first {most} were read.")
        notes.append(text.format(n=len(listed), most=MAX_CELLS))
    return [_cell(number, cell, notes) for number, cell in enumerate(listed[:MAX_CELLS], 1)]


def _cell(number: int, cell: object, notes: list[str]) -> Cell:
    fields = _dict(cell)
    kind = fields.get("cell_type")
    source = fields.get("source", fields.get("input", ""))
    lines = source if type(source) is list else [source]
    kept = [line for line in lines if type(line) is str]
    known = {"code": "code", "markdown": "markdown", "heading": "markdown", "raw": "raw"}
    if type(cell) is not dict or len(kept) < len(lines) or type(kind) is not str:
        notes.append(_("Cell {n} is damaged; what could be read of it was read.").format(n=number))
    marked = fields.get("id", _dict(fields.get("metadata")).get("id"))  # Colab's place for it
    return Cell(
        "".join(kept),
        known.get(kind, "raw") if type(kind) is str else "raw",
        marked if type(marked) is str else "",
    )


def _dict(value: object) -> dict[str, Any]:
    return value if type(value) is dict else {}


def _name(value: object) -> str | None:
    if type(value) is int:
        value = str(value) if value.bit_length() < 64 else ""
    return (phrase(value.strip(), MAX_NAME) or None) if type(value) is str else None


# From a cell to Python

# These run their cell as it stands, in the notebook itself.
TRANSPARENT = ("time", "timeit", "capture", "prun")
_CELL_MAGIC = re.compile(r"\s*^%%(?P<name>\w+)(?P<rest>[^\n]*)\n?", re.M)
_TIMED_LINE = re.compile(r"^(?P<indent> *)get_ipython\(\)\.run_line_magic\('time', (?P<text>.*)\)$")
# Where IPython may read something else than Python does: commands, prompts, indented cells.
_COMMAND = re.compile(r"^[ \t]*(?:[%!?,;/>]|In \[|\.{3,}:)|[=][ \t]*[%!]|\?[ \t]*$", re.M)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|In \[|\.{3,}:)", re.M)


def transformed(source: str) -> str:
    """The cell's Python, as IPython makes it; "" for a cell that is another language's.

    Raises `Broken` for a cell beyond all measure.
    """
    return _transformed(source)[0]


def parsed(source: str) -> tuple[str, ast.Module]:
    """The cell's Python, as text and as a tree; raises `Broken`."""
    text, tree = _transformed(source)
    return text, tree or _tree(text)


def magic(source: str) -> str:
    """The name of a cell magic for which nothing in the cell is run here, or ""."""
    found = _CELL_MAGIC.match(source)
    while found and found["name"] in TRANSPARENT and not found["rest"].startswith("?"):
        source = source[found.end() :]
        found = _CELL_MAGIC.match(source)
    return found["name"] if found else ""


def _transformed(source: str) -> tuple[str, ast.Module | None]:
    """The text, and its tree where that is known already."""
    source = clean(source)
    if len(source) > MAX_SOURCE:
        text = _("it has {n} characters, and {most} are the most that are read")
        raise Broken(text.format(n=len(source), most=MAX_SOURCE))
    found = _CELL_MAGIC.match(source)
    while found:
        if found["name"] not in TRANSPARENT or found["rest"].startswith("?"):
            return "", None
        source = source[found.end() :]
        found = _CELL_MAGIC.match(source)
    if not _PROMPT.search(source):
        try:
            return source, _tree(source)  # what is Python already, IPython leaves alone
        except Broken as error:
            if not isinstance(error.__cause__, SyntaxError):
                raise
    commands = len(_COMMAND.findall(source))
    if not commands and not source[:1].isspace():
        return source, None
    if len(source) * (1 + commands) > MAX_COMMANDS_COST:
        raise Broken(_("it has too many commands (with % or !) and too much text"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = _ipython()(source)
    except Exception:  # a parser of others, on text of anybody's
        return textwrap.dedent(source), None
    return "".join(map(_timed, text.splitlines(keepends=True))), None


def _timed(line: str) -> str:
    """`%time check(...)` is that call itself."""
    found = _TIMED_LINE.match(line.rstrip("\n"))
    try:
        return f"{found['indent']}{ast.literal_eval(found['text'])}\n" if found else line
    except (ValueError, SyntaxError):  # not IPython's own writing, then
        return line


@functools.cache
def _ipython() -> Callable[[str], str]:
    from IPython.core.inputtransformer2 import TransformerManager

    transform: Callable[[str], str] = TransformerManager().transform_cell  # type: ignore[no-untyped-call]
    return transform


def _tree(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        why = _("line {line}: {why}").format(line=error.lineno or 1, why=phrase(error.msg))
        raise Broken(why) from error
    except (RecursionError, MemoryError) as error:
        raise Broken(_("it is nested too deeply")) from error
    except ValueError as error:  # a null character, in Python 3.11
        raise Broken(phrase(str(error))) from error
