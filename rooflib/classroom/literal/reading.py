"""What a notebook answers, read from its code without running any of it."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rooflib.classroom.literal import answers as wire
from rooflib.classroom.literal.answers import Wire
from rooflib.classroom.literal.arguments import Arguments, alone, arguments, as_wire, text
from rooflib.classroom.literal.bindings import Bindings, bindings
from rooflib.classroom.literal.calls import Call, calls
from rooflib.classroom.literal.cells import MAX_SOURCE, Broken, Cell, Page, magic, parsed
from rooflib.classroom.literal.fold import Unfoldable
from rooflib.i18n import _

MAX_CODE = 500_000  # characters in a page; reading takes seconds for so many
MAX_NOTES = 40
MAX_PARTS = 20  # of a question
MAX_STRANGE = 50  # questions with ids unlike ours
MAX_NAME = 60
MAX_WHY = 10_000
NO_PARTS = ("question", "grader")
_OURS = re.compile(r"[1-9][a-z]")
_CHECK = re.compile(r"""\bcheck\s*\(\s*["']\s*\d""")


@dataclass(frozen=True)
class Reading:
    """What was read of one notebook.

    answers: by question and part ("" for an answer without its part's name) in the order in which
    they were last given; the last that is not blank counts. claims, courses: the students and
    courses named inside. whys: free text by question. notes: for the teacher. needs_run: some
    answer only a run can tell. code: the cells for that run.
    """

    answers: dict[str, dict[str, Wire]] = field(default_factory=dict)
    claims: tuple[str, ...] = ()
    courses: tuple[str, ...] = ()
    whys: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    needs_run: bool = False
    code: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {name: list(v) if type(v) is tuple else v for name, v in asdict(self).items()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Reading:
        """The reading that `to_json` wrote."""
        kept: dict[str, Any] = {n: tuple(v) if type(v) is list else v for n, v in data.items()}
        return cls(**kept)


def read(page: Page) -> Reading:
    """Everything that the page's code says by itself."""
    reader = _Reader(list(page.notes))
    code = reader.code(page.cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trees = {number: reader.alive(number, tree) for number, (_text, tree) in code.items()}
    known = bindings(list(trees.values()))
    found = calls(trees, known)
    for number in found.deep:
        reader.note(_("Cell {n} cannot be read: it is nested too deeply.").format(n=number))
    for call in found.calls:
        reader.call(call, known)
    reader.handed(page)
    needs_run = reader.unclear or found.loose or bool(found.deep) or reader.has_code()
    return Reading(
        reader.answers,
        _each([*reader.claims, page.student]),
        _each([*reader.courses, page.course]),
        reader.whys,
        tuple(reader.notes),
        needs_run,
        tuple(text for text, _tree in code.values()) if needs_run else (),
    )


def readable(cells: Sequence[str], question: str) -> dict[str, Wire]:
    """The answers to one question, by part, as these code cells give them; {"code": why} for one
    that only a run can tell."""
    reading = read(Page(tuple(Cell(source) for source in cells)))
    return reading.answers.get(_id(question), {})


def _id(question: str) -> str:
    return question.strip().lower()


def _each(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


class _Reader:
    def __init__(self, notes: list[str]) -> None:
        self.notes = notes
        self.answers: dict[str, dict[str, Wire]] = {}
        self.claims: list[str] = []
        self.courses: list[str] = []
        self.whys: dict[str, str] = {}
        self.unclear = False  # a run may tell of more answers than are known of
        self.strange = 0

    def note(self, text: str) -> None:
        if text not in self.notes and len(self.notes) <= MAX_NOTES:
            self.notes.append(text if len(self.notes) < MAX_NOTES else _("There is more."))

    def has_code(self) -> bool:
        return any("code" in answer for held in self.answers.values() for answer in held.values())

    # Cells

    def code(self, cells: Iterable[Cell]) -> dict[int, tuple[str, ast.Module]]:
        """The code cells that Python can read, by their number in the page."""
        kept: dict[int, tuple[str, ast.Module]] = {}
        left = MAX_CODE
        for number, cell in enumerate(cells, 1):
            if cell.kind != "code":
                if _CHECK.search(cell.source[:MAX_CODE]):
                    text = _("Cell {n} holds a check, but is text and no code; it does not count.")
                    self.note(text.format(n=number))
                continue
            left -= len(cell.source) if len(cell.source) <= MAX_SOURCE else 0
            if not cell.source.strip():
                continue
            try:
                if left < 0:
                    raise Broken(_("the page holds too much code"))
                text, tree = parsed(cell.source)
            except Broken as error:
                why = _("Cell {n} is broken and counts for nothing ({why}).")
                self.note(why.format(n=number, why=error))
                continue
            if tree.body:
                kept[number] = text, tree
            elif _CHECK.search(cell.source) and magic(cell.source):
                why = _("Cell {n} holds a check under %%{magic}, which does not run it.")
                self.note(why.format(n=number, magic=wire.phrase(magic(cell.source), 40)))
        return kept

    def alive(self, number: int, tree: ast.Module) -> ast.Module:
        """The statements up to one that Python cannot compile, where a notebook stops too."""
        for index, statement in enumerate(tree.body):
            try:
                compile(
                    ast.Module([statement], []),
                    "<cell>",
                    "exec",
                    ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
                    dont_inherit=True,
                )
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                why = _("Cell {n} is broken from line {line} on and counts up to there ({why}).")
                said = error.msg if isinstance(error, SyntaxError) else str(error)
                self.note(why.format(n=number, line=statement.lineno, why=wire.phrase(said or "?")))
                return ast.Module(tree.body[:index], [])
        return tree

    def handed(self, page: Page) -> None:
        """What became of the answer cells that were handed out."""
        kinds = {cell.id: cell.kind for cell in page.cells if cell.id}
        if not page.handed or not kinds:  # some programs keep no ids
            return
        missing = [name for name in page.handed if name not in kinds]
        turned = [name for name in page.handed if kinds.get(name, "code") != "code"]
        if len(missing) == len(page.handed):
            self.note(_("None of the answer cells that were handed out is here any more."))
        elif missing:
            text = _("Answer cells that were handed out are missing: {ids}.")
            self.note(text.format(ids=wire.phrase(", ".join(missing))))
        if turned:
            text = _("Answer cells were turned into text: {ids}.")
            self.note(text.format(ids=wire.phrase(", ".join(turned))))

    # Calls

    def call(self, call: Call, known: Bindings) -> None:
        given = arguments(call.node, known)
        if call.name == "check":
            self._check(call, given)
        elif call.name == "why":
            self._why(call, given)
        elif not call.within:
            places = ("", "student", "course") if call.name == "given" else ("course", "student")
            named = {**dict(zip(places, given.positional, strict=False)), **given.named}
            self.claims.append(text(named.get("student"), MAX_NAME))
            self.courses.append(text(named.get("course"), MAX_NAME))

    def _check(self, call: Call, given: Arguments) -> None:
        named = {name: as_wire(held) for name, held in given.named.items() if name not in NO_PARTS}
        rest = given.positional
        question = given.named.get("question")
        if "question" not in given.named:
            question, rest = (rest[0] if rest else given.more), rest[1:]
        if isinstance(question, Unfoldable):
            self.unclear = True
            return
        name = _id(question) if type(question) is str else ""
        if not 0 < len(name) <= MAX_NAME:
            what = _("Cell {n} has a check of something that is no question.")
            self.note(what.format(n=call.cell))
            return
        if name not in self.answers and not _OURS.fullmatch(name):
            self.strange += 1
            if self.strange > MAX_STRANGE:
                self.note(_("There are more answers, or longer names, than were read."))
                return
        held = self.answers.setdefault(wire.phrase(name), {})
        if given.more is not None:
            parts = _parts(name)
            self.unclear |= not parts
            named = {**dict.fromkeys(parts, as_wire(given.more)), **named}
        if rest:
            named = {"": alone(rest), **named}
        for part, answer in named.items():
            if call.within and not wire.is_blank(answer):
                answer = wire.code(call.within)
            self._answer(name, held, part, answer)

    def _answer(self, question: str, held: dict[str, Wire], part: str, answer: Wire) -> None:
        before = held.get(part)
        if before is not None and wire.is_blank(answer):
            return
        if len(part) > MAX_NAME or (before is None and len(held) >= MAX_PARTS):
            self.note(_("There are more answers, or longer names, than were read."))
            return
        known = before is not None and not wire.is_blank(before) and "code" not in before
        if known and before != answer and "code" not in answer:
            what = _("{question} is answered more than once, differently; the last answer counts.")
            name = f"{question} {part}".strip()
            self.note(what.format(question=wire.phrase(name)))
        held.pop(part, None)
        held[wire.clean(part)] = answer

    def _why(self, call: Call, given: Arguments) -> None:
        held = [*given.positional, *given.named.values()][:2]
        if call.within or given.more or any(isinstance(one, Unfoldable) for one in held):
            self.unclear = True
        elif len(held) == 2 and type(held[0]) is str and type(held[1]) is str:
            question, words = _id(held[0]), wire.clean(held[1].strip())
            if words and 0 < len(question) <= MAX_NAME and len(self.whys) < MAX_STRANGE:
                self.whys[wire.phrase(question)] = words[:MAX_WHY]


def _parts(question: str) -> list[str]:
    """The names of a question's parts; they are the same for every student."""
    from rooflib.practice import session

    found = session.find(question)
    return [] if isinstance(found, str) else [part.name for part in found.parts]
