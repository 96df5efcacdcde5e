"""What an untrusted process says, line by line: checked, and put together in the page's order.

A line that is too long, no JSON, or not of one of the four shapes is dropped, with a note. So a
process that forges lines can say nothing but what somebody answered, which is its good right.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rooflib.classroom.confined import plotdata, returns
from rooflib.classroom.literal import answers
from rooflib.i18n import _

MAX_WHY, MAX_NOTES, MAX_ANSWERS = 20_000, 20, 500


class Heard:
    """Answers by the cell they were given in, over several tries of the same cells."""

    def __init__(self, questions: Mapping[str, Any], cells: int, line: int) -> None:
        self._questions = questions
        self._count = cells
        self._line = line
        self._cells: dict[int, list[tuple[str, str, Any]]] = {}
        self._raised: dict[int, str] = {}
        self._lost: dict[int | None, str] = {}
        self._odd: list[str] = []

    def take(self, data: bytes, skip: Collection[int] = ()) -> tuple[bool, int | None]:
        """Whether the cells (but those to skip) ran to their end, and the last one that began."""
        complete, cell = False, None
        final = max((n for n in range(self._count) if n not in skip), default=None)
        for found in self._lines(data):
            match found:
                case {"end": True}:
                    complete = cell == final
                case {"cell": int(number)} if type(number) is int and 0 <= number < self._count:
                    cell = number
                    self._cells[cell] = []
                    self._raised.pop(cell, None)
                case {"raised": [int(), str(reason)]} if cell is not None:
                    self._raised[cell] = reason[:300]
                case {"answer": [str(question), str(part), dict(wire)]} if cell is not None:
                    self._answer(cell, question, part[:40], wire)
                case {"why": [str(question), str(text)]} if cell is not None:
                    if question in self._questions:
                        self._keep(cell, question, "why", text[:MAX_WHY])
                case _:
                    self._note(_("a line was dropped: it is of no shape that is known"))
        return complete, cell

    def _lines(self, data: bytes) -> Iterator[Any]:
        for line in data.split(b"\n"):
            if not line:
                continue
            if len(line) > self._line:
                self._note(_("a line was dropped: it is too long"))
                continue
            try:
                found = json.loads(line.decode())
                if b"\\u" in line:  # half a character, which no file can hold
                    json.dumps(found, ensure_ascii=False).encode()
                yield found
            except (ValueError, RecursionError):
                self._note(_("a line was dropped: it cannot be read"))

    def _answer(self, cell: int, question: str, part: str, wire: dict[str, Any]) -> None:
        if question not in self._questions:
            self._note(_("there is no question {name!r}").format(name=question[:40]))
            return
        valid = answers.valid(wire)
        if (
            valid is None
            or ("returns" in valid and not returns.valid(valid["returns"]))
            or ("plot" in valid and not plotdata.valid(valid["plot"]))
        ):
            self._note(
                _("an answer to {name} was dropped: it is of no shape that is known").format(
                    name=question
                )
            )
            return
        self._keep(cell, question, part, valid)

    def _keep(self, cell: int, question: str, part: str, what: Any) -> None:
        kept = self._cells[cell]
        if len(kept) < MAX_ANSWERS:
            kept.append((question, part, what))

    def _note(self, text: str) -> None:
        if text not in self._odd and len(self._odd) < MAX_NOTES:
            self._odd.append(text)

    def lost(self, cell: int | None, how: str) -> None:
        """That cell ended the process."""
        self._lost.setdefault(cell, how)

    def answers(self) -> dict[str, dict[str, Any]]:
        """By question and part, the last one that is not blank, in the order of the page."""
        found: dict[str, dict[str, Any]] = {}
        for cell in sorted(self._cells):
            for question, part, what in self._cells[cell]:
                if isinstance(what, str):
                    continue
                parts = found.setdefault(question, {})
                if part not in parts or "blank" not in what:
                    parts[part] = what
        return found

    def whys(self) -> dict[str, str]:
        return {
            question: what
            for cell in sorted(self._cells)
            for question, _part, what in self._cells[cell]
            if isinstance(what, str)
        }

    def notes(self) -> tuple[str, ...]:
        how = {
            "time": _("it ran too long"),
            "output": _("it said too much"),
            "exit": _("it ended the program"),
            "killed": _("it brought the program down"),
        }
        said = [
            _("cell {number} was left out: {why}").format(
                number=(cell + 1) if cell is not None else "?", why=how.get(why, why)
            )
            for cell, why in self._lost.items()
        ]
        said += [
            _("cell {number} stopped with {why}").format(number=cell + 1, why=why)
            for cell, why in sorted(self._raised.items())
        ]
        return tuple((said + self._odd)[:MAX_NOTES])
