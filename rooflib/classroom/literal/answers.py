"""One answer in its wire form: a small dict that JSON can hold, with one key that says its kind.

{"blank": true}, {"text": "2*B*D*F"}, {"number": "3/2"}, {"formula": "2*B*D*F"} (made from an
object), {"returns": ...} (of a function), {"plot": ...}; {"odd": "a list"} is read, but no answer,
and {"code": "it calls f(...)"} cannot be known without a run.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from rooflib.i18n import _

Wire = dict[str, Any]

MAX_TEXT = 2000
MAX_DIGITS = 400
MAX_PHRASE = 200
# What a function returned or a plot holds: so many numbers and texts in all, so deeply nested.
MAX_PIECES = 50_000
MAX_DEPTH = 8

_NUMBER = re.compile(
    r"(?P<whole>[+-]?\d+)(/(?P<below>\d+))?"
    r"|[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?",
    re.ASCII,
)


def wire(value: object) -> Wire:
    """The wire form of a plain Python value; what is none of an answer's kinds is odd."""
    kind = type(value)
    if value is None or value is ...:
        return {"blank": True}
    if kind is str:
        assert isinstance(value, str)
        return _text("text", value)
    if kind in (int, float, Fraction):
        assert isinstance(value, (int, float, Fraction))
        return _number(value)
    return {"odd": _what(value)}


def _text(key: str, text: str) -> Wire:
    if not text.strip():
        return {"blank": True}
    if len(text) > MAX_TEXT:
        what = _("a text of {n} characters ({most} are the most)")
        return {"odd": what.format(n=len(text), most=MAX_TEXT)}
    return {key: clean(text)}


def clean(text: str) -> str:
    """The text without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _number(number: int | float | Fraction) -> Wire:
    if isinstance(number, float) and math.isnan(number):
        return {"odd": _("nan, not a number")}
    if isinstance(number, float) and math.isinf(number):
        return {"odd": _("an infinite number")}
    long = {"odd": _("a number of more than {most} digits").format(most=MAX_DIGITS)}
    if not isinstance(number, float):
        size = max(abs(number.numerator), number.denominator)
        if size.bit_length() > 4 * MAX_DIGITS:  # before it is written out, which may take long
            return long
    text = repr(number) if isinstance(number, float) else str(number)
    return {"number": text} if len(text) <= MAX_DIGITS else long


def _what(value: object) -> str:
    if isinstance(value, bool):
        return _("the value {value}").format(value=value)
    names = {
        complex: _("a complex number"),
        bytes: _("a text in bytes"),
        list: _("a list"),
        tuple: _("a tuple"),
        dict: _("a dict"),
        set: _("a set"),
    }
    return names.get(type(value)) or _("an object of type {kind}").format(
        kind=phrase(type(value).__name__, 40)
    )


def phrase(text: str, most: int = MAX_PHRASE) -> str:
    """One printable line of at most `most` characters."""
    line = "".join(c if c.isprintable() else " " for c in clean(text[: most + 1]))
    return line if len(line) <= most else line[: most - 1] + "…"


def code(why: str) -> Wire:
    """The wire form of an answer that only a run can tell."""
    return {"code": phrase(why)}


def is_blank(answer: Wire) -> bool:
    return "blank" in answer


def valid(data: object) -> Wire | None:
    """The answer, if `data` from an untrusted process is one in all its shapes and sizes."""
    if type(data) is not dict or len(data) != 1:
        return None
    [(key, value)] = data.items()
    match key:
        case "blank":
            return {"blank": True} if value is True else None
        case "text" | "formula":
            return _text(key, value) if _is_text(value, MAX_TEXT) else None
        case "number":
            good = _is_text(value, MAX_DIGITS) and _parsed(value) is not None
            return {"number": value} if good else None
        case "odd" | "code":
            good = _is_text(value, MAX_PHRASE) and value.strip()
            return {key: phrase(value)} if good else None
        case "returns" | "plot":
            return {key: value} if type(value) is dict and _is_plain(value) else None
    return None


def _is_text(value: object, most: int) -> bool:
    return type(value) is str and len(value) <= most


def _is_plain(value: object) -> bool:
    """Whether it is JSON of a bounded size and depth, walked without recursion."""
    pieces = 0
    level = [value]
    for _depth in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            pieces += 1
            if type(item) is dict:
                if not all(_is_text(key, MAX_PHRASE) for key in item):
                    return False
                inner += item.values()
            elif type(item) is list:
                inner += item
            elif not (item is None or type(item) in (bool, int, float) or _is_text(item, MAX_TEXT)):
                return False
        if pieces + len(inner) > MAX_PIECES:
            return False
        if not inner:
            return True
        level = inner
    return False


def _parsed(text: str) -> int | float | Fraction | None:
    """The finite number that `text` writes, or None."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    if found["below"]:
        below = int(found["below"])
        return Fraction(int(found["whole"]), below) if below else None
    if found["whole"]:
        return int(found["whole"])
    number = float(text)
    return number if math.isfinite(number) else None


def value(answer: Wire, part: object) -> object:
    """What `rooflib.practice.judge.judge` takes for an answer in its (valid) wire form."""
    [(key, held)] = answer.items()
    match key:
        case "blank":
            return ...
        case "text" | "formula":
            return held
        case "number":
            number = _parsed(held)
            assert number is not None, held
            return number
        case "returns":
            from rooflib.classroom.confined import returns

            return returns.replay(held)
        case "plot":
            from rooflib.classroom.confined import plotdata

            return plotdata.redraw(held)
    # The judge names the type of what it cannot read: "this is of type a list".
    return type(str(held)[:40].replace("\0", " "), (), {})()
