"""Read a number as a person writes it: 240, "2.4e2", "3/2", "240 tokens", "1.01 ms", "B > 240"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from rooflib.i18n import _
from rooflib.practice.reader import read
from rooflib.practice.tokens import Unreadable, plain

_RELATION = re.compile(r"^\s*[^\W\d]\w*\s*(?P<sign>>=|<=|>|<|=)\s*(?P<rest>.*)$", re.S)
_RELATION_AFTER = re.compile(r"^(?P<rest>[^<>=]*?)\s*(?P<sign>>=|<=|>|<)\s*[^\W\d]\w*\s*$", re.S)
_BARE = re.compile(r"^\s*(?P<sign>>=|<=|>|<|=|~)\s*(?P<rest>.*)$", re.S)
_NUMBER = re.compile(r"[\d.][\d_.]*(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[^\W\d]+")
_COUNTS = {"token", "tokens", "row", "rows"}
# Words in a unit, in any letter case, and how rooflib.units spells them. A prefix stands before.
_SPELLED = (
    (re.compile(r"(flops?|ops?)", re.I), "FLOP"),
    (re.compile(r"(bytes?)", re.I), "B"),
    (re.compile(r"(secs?|seconds?)", re.I), "s"),
)
_PREFIX = re.compile(r"(?P<short>[kMGTPE]i?|[munpµμ])?(?P<word>.+)", re.S)
# The way in which data sheets print FLOP/s.
_SHEET = re.compile(r"(?P<prefix>[kMGTPE]?|kilo|mega|giga|tera|peta|exa)FLOPS")
_LONG = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E"}
_BITS = re.compile(r"[kKMGTPE]?i?(b|bits?)(/s|ps)?")
_TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


@dataclass(frozen=True)
class Quantity:
    """value: in the unit that was asked. relation: ">" or "<" as written, or "". echo: as read."""

    value: Fraction
    relation: str
    echo: str


class WrongUnit(ValueError):
    """It was read, but its unit measures something else; the text says which."""


def quantity(text: str, unit: str) -> Quantity:
    """Read `text` as a number in `unit`; a bare number is taken to be in it.

    Raises `Unreadable`, or `WrongUnit` for a unit of another dimension.
    """
    source, places = plain(text)
    relation, rest = _relation(source)
    start = _unit_start(rest)
    number, given = rest[:start], rest[start:].strip()
    if not given:
        reading = read(number, ())
        return Quantity(_number(reading.value.as_number(), text), relation, reading.echo)
    if not number.strip():
        raise Unreadable(_("There is a word here, but no number."), text)
    reading = read(number, ())
    at = places[source.index(rest) + start]
    value = _number(reading.value.as_number(), text) * _scale(given, unit, text, at)
    return Quantity(value, relation, f"{reading.echo} {given}")


def _unit_start(text: str) -> int:
    """Where the unit begins: the first word that is no function and no part of a number."""
    position = 0
    while position < len(text):
        found = _NUMBER.match(text, position)
        if text[position] == "%":
            return position
        if found is None:
            found = _WORD.match(text, position)
            if found and not text[found.end() :].lstrip().startswith("("):
                return position
        position = found.end() if found else position + 1
    return len(text)


def _number(value: Fraction | None, text: str) -> Fraction:
    if value is None:
        raise Unreadable(_("A number is asked here."), text)
    return value


def _relation(text: str) -> tuple[str, str]:
    if match := _RELATION.match(text):
        sign = match["sign"]
    elif match := _RELATION_AFTER.match(text):
        sign = _TURNED[match["sign"]]
    elif match := _BARE.match(text):
        sign = match["sign"]
    else:
        return "", text
    return ("" if sign in "=~" else sign[0]), match["rest"]


def _scale(given: str, unit: str, text: str, at: int) -> Fraction:
    from rooflib.units import parse

    if unit in ("token", "row"):
        if given.lower() in _COUNTS:
            return Fraction(1)
        why = _("This is a batch, counted in tokens (rows); {given} measures something else.")
        raise WrongUnit(why.format(given=given))
    if unit == "share" and given in ("%", "percent"):
        return Fraction(1, 100)
    if unit in ("", "share"):
        why = _("This is a plain number, without a unit; what does {given} say here?")
        raise WrongUnit(why.format(given=given))
    spelled = _spelled(given)
    try:
        return Fraction(repr(parse("1 " + spelled, unit)))
    except ValueError as error:
        cause = str(error).partition(". ")[2] or str(error)
    if _BITS.fullmatch(given) or any(_parses(spelled, other) for other in UNITS if other != unit):
        raise WrongUnit(cause)
    raise Unreadable(cause, text, at)


UNITS = ("B", "B/s", "FLOP", "FLOP/s", "FLOP/B", "s")


def _spelled(given: str) -> str:
    """OPs/byte as FLOP/B, teraFLOPS as TFLOP/s, Tflops/s as TFLOP/s."""
    sheet = _SHEET.fullmatch(given)
    if sheet:
        return _LONG.get(sheet["prefix"], sheet["prefix"]) + "FLOP/s"
    return "/".join(_word(piece.strip()) for piece in given.split("/"))


def _word(piece: str) -> str:
    for pattern, spelling in _SPELLED:
        if pattern.fullmatch(piece):
            return spelling
        found = _PREFIX.fullmatch(piece)
        if found and found["short"] and pattern.fullmatch(found["word"]):
            return found["short"] + spelling
    return piece


def _parses(spelled: str, unit: str) -> bool:
    from rooflib.units import parse

    try:
        parse("1 " + spelled, unit)
    except ValueError:
        return False
    return True
