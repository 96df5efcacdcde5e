"""What `check`, `given` and `why` are while a notebook is graded: they write down, no more.

This runs beside the student's code, in the same process. Nothing here is secret and nothing
here is trusted: whatever it writes, the reader outside checks anew. What it must be is sturdy, so
that one cell that breaks the world does not lose the answers of the others.
"""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from rooflib.classroom.confined import plotdata, returns
from rooflib.practice.algebra import Formula
from rooflib.practice.given_answer import as_formula_answer
from rooflib.practice.judge import is_blank
from rooflib.practice.judge_plot import is_axes
from rooflib.practice.question import FormulaPart
from rooflib.practice.run import formula_of_function
from rooflib.practice.tokens import Unreadable
from rooflib.serial import from_dict

MAX_TEXT, MAX_FORMULA, MAX_PHRASE, MAX_WHY = 2000, 2000, 200, 20_000

# What a cell may have overwritten is put back before we read or write.
_BUILTINS = dict(vars(builtins))
_put_back = vars(builtins).update
_write = os.write
# The encoder itself, and not the module's functions that a cell may replace.
_encode = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, None, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, False
)


class Recorded:
    """What `check` answers with while nothing is judged; it has the fields of a `Verdict`."""

    outcome, message, score, name, echo, key, mark = "recorded", "", 0.0, "", "", "", ""

    def __init__(self) -> None:
        self.parts: dict[str, Recorded] = {}

    def __repr__(self) -> str:
        return "recorded"

    def __float__(self) -> float:
        return 0.0


class Desk(NamedTuple):
    """What opening the desk gives, in the order of the real one."""

    check: Callable[..., Any]
    given: Callable[..., Any]
    why: Callable[..., Any]


class Recorder:
    """The functions that a notebook calls, writing to the pipe `to`."""

    def __init__(
        self, to: int, given: Mapping[str, Any], parts: Mapping[str, Any], line: int
    ) -> None:
        self._to, self._given, self._parts, self._line = to, given, parts, line

    def say(self, data: Any) -> bool:
        """One line for the reader outside; whether it was short enough."""
        text = ("".join(_encode(data, 0)) + "\n").encode()
        if len(text) > self._line:
            return False
        while text:
            text = text[_write(self._to, text) :]
        return True

    def check(self, question: object = None, *answers: object, **parts: object) -> Recorded:
        _put_back(_BUILTINS)
        name = _text(question).strip().lower()
        asked = self._parts.get(name, {})
        parts.pop("grader", None)
        given = dict(parts)
        if len(answers) == 1:
            given[""] = answers[0]
        elif not all(is_blank(answer) for answer in answers):
            self._record(name, "", {"odd": "several answers without the names of their parts"})
        for part, answer in given.items():
            spec = asked.get(part, {})
            if part == "" and len(asked) == 1:
                spec = next(iter(asked.values()))
            self._record(name, part, wire(answer, spec))
        return Recorded()

    def _record(self, question: str, part: str, answer: dict[str, Any]) -> None:
        line = {"answer": [question[:40], part[:40], answer]}
        if not self.say(line):
            self.say({"answer": [question[:40], part[:40], {"odd": "more than can be recorded"}]})

    def why(self, question: object = None, text: object = None, *_more: object) -> None:
        _put_back(_BUILTINS)
        self.say({"why": [_text(question).strip().lower()[:40], _text(text)[:MAX_WHY]]})

    def given(self, problem: object = None, student: object = None, course: object = "") -> Any:
        _put_back(_BUILTINS)
        sent = self._given.get(str(problem).strip())
        if sent is None:
            return SimpleNamespace(heading="", lines=(), numbers=None)
        lines = tuple(f"{label}: {value}" for label, value in sent["lines"])
        return SimpleNamespace(heading=str(problem), lines=lines, numbers=_object(sent["numbers"]))

    def modules(self) -> dict[str, ModuleType]:
        """The stand-ins for the modules that a notebook imports these from."""
        practice = ModuleType("rooflib.practice", "The exercises, while they are graded.")
        vars(practice).update(self.names())
        desk = ModuleType("rooflib.classroom.desk", "The desk, while it is graded.")
        vars(desk).update(self.names())
        desk.open_desk = desk.desk = self._open  # type: ignore[attr-defined]
        classroom = ModuleType("rooflib.classroom", "")
        classroom.desk = desk  # type: ignore[attr-defined]
        return {
            "rooflib.practice": practice,
            "rooflib.practice.session": practice,
            "rooflib.practice.talk": practice,
            "rooflib.classroom": classroom,
            "rooflib.classroom.desk": desk,
        }

    def names(self) -> dict[str, Callable[..., Any]]:
        found: dict[str, Callable[..., Any]] = dict.fromkeys(
            ("hint", "solution", "progress"), _nothing
        )
        return {**found, "check": self.check, "given": self.given, "why": self.why}

    def _open(self, *_arguments: object, **_options: object) -> Desk:
        return Desk(self.check, self.given, self.why)


def _nothing(*_arguments: object, **_options: object) -> None:
    """Asked for while nobody is there to read it."""


def _text(value: object) -> str:
    return str.__str__(value) if issubclass(type(value), str) else ""


def _object(data: Any) -> Any:
    """Numbers as `given` has them: with names, and tuples for lists."""
    if isinstance(data, dict):
        if "rooflib" in data:
            return from_dict(data)
        return SimpleNamespace(**{name: _object(value) for name, value in data.items()})
    return tuple(map(_object, data)) if isinstance(data, list) else data


def wire(answer: object, part: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as plain data. Types are asked of `type`, never of the object itself."""
    try:
        return _wire(answer, type(answer), part)
    except Unreadable as error:
        return {"odd": " ".join(str(error).split())[:MAX_PHRASE]}
    except (Exception, SystemExit):
        return {"odd": "something that cannot be looked at"}


def _wire(answer: Any, kind: type, part: Mapping[str, Any]) -> dict[str, Any]:
    asked = part.get("kind", "")
    if is_blank(answer):
        return {"blank": True}
    if issubclass(kind, str):
        text = str.__str__(answer)
        return {"text": text} if len(text) <= MAX_TEXT else {"odd": "a very long text"}
    if asked == "plot" and is_axes(answer):
        return {"plot": plotdata.record(answer)}
    if asked == "function" and callable(answer) and not issubclass(kind, type):
        return {"returns": returns.record(answer, part["points"])}
    module = str(kind.__module__).partition(".")[0]
    if issubclass(kind, bool) or kind.__name__ in ("bool", "bool_"):
        return {"odd": "True or False"}
    if module == "numpy" and hasattr(answer, "item") and getattr(answer, "shape", 0) == ():
        answer = answer.item()
        kind = type(answer)
    if module == "decimal":
        answer, kind = float(answer), float
    if issubclass(kind, (int, float, Fraction)):
        return _number(answer, kind)
    if kind is Formula or module == "sympy" or _is_function(kind):
        return _formula(answer, kind, part)
    return {"odd": _what(kind, module)}


def _number(answer: Any, kind: type) -> dict[str, Any]:
    if issubclass(kind, float):
        value = float.__float__(answer)
        if value != value or value in (float("inf"), -float("inf")):
            return {"odd": "nan" if value != value else "an infinite number"}
        return {"number": repr(value)}
    if issubclass(kind, Fraction):
        top, bottom = int(answer.numerator), int(answer.denominator)
        text = f"{top}/{bottom}" if top.bit_length() + bottom.bit_length() < 1300 else ""
    else:
        whole = int.__int__(answer)
        text = str(whole) if whole.bit_length() < 1300 else ""
    return {"number": text} if text else {"odd": "a number beyond anything that is asked"}


def _formula(answer: Any, kind: type, part: Mapping[str, Any]) -> dict[str, Any]:
    """A function of the letters, or an expression in them, as text."""
    asked = part.get("kind", "")
    letters = tuple(part.get("letters", "").split())
    if _is_function(kind):
        if asked != "formula":
            return {"odd": "a function"}
        value = formula_of_function(answer, letters)
    else:
        shape = FormulaPart("", "", Formula.constant(0), " ".join(letters))
        value = as_formula_answer(answer, shape).value
    number = value.as_number()
    if number is not None:
        return _number(number, Fraction)
    text = str(value)
    if len(text) > MAX_FORMULA:
        return {"odd": "a formula that is too long"}
    return {"formula": text}


def _is_function(kind: type) -> bool:
    return kind.__name__ in ("function", "builtin_function_or_method", "method", "partial")


def _what(kind: type, module: str) -> str:
    if module == "numpy":
        return "an array"
    if module in ("matplotlib", "mpl_toolkits"):
        return "a figure" if kind.__name__ == "Figure" else "a part of a plot"
    if issubclass(kind, (list, tuple, set, dict)):
        return "a collection"
    name = "".join(c for c in kind.__name__ if c.isalnum() or c == "_")[:40]
    return f"an object of type {name}"
