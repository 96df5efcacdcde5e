"""Arithmetic on plain values in which no step costs more than a little time and memory.

Neither 9**9**9 nor "x" * 10**9 nor Fraction("1e1000000000") is worked out.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from rooflib.i18n import _

MAX_BITS = 20_000
MAX_LENGTH = 10_000  # of a text
MAX_SIZE = 1_000  # of a collection, with all that it holds
MAX_PLACES = 400  # digits to write or to round to


class Unfoldable(ValueError):
    """It takes a run to know; the text says why: "it calls f(...)"."""


# Functions


def _no_bomb(text: Any) -> Any:
    """Fraction("1e1000000000") would write out its billion digits."""
    if isinstance(text, str) and (len(text) > 100 or "e" in text.lower()):
        raise Unfoldable(_("it takes a run to read a number from this text"))
    return text


def _fraction(*args: Any) -> Fraction:
    made: Fraction = Fraction(*[_no_bomb(argument) for argument in args])
    return made


def _round(number: Any, places: Any = None) -> Any:
    if places is not None and abs(places) > MAX_PLACES:
        raise Unfoldable(_("it rounds to too many places"))
    return round(number, places)


BUILTINS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "round": _round,
    "int": int,
    "float": float,
    "dict": dict,
}
FRACTION: Callable[..., Fraction] = _fraction


# Operators

UNARY: dict[type[ast.unaryop], Callable[[Any], object]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}


def is_number(value: object) -> bool:
    return type(value) in (bool, int, float, Fraction)


def _bits(value: Any) -> int:
    if isinstance(value, float):
        return 64
    return max(int(value.numerator).bit_length(), int(value.denominator).bit_length())


def binary(kind: type[ast.operator], left: Any, right: Any) -> object:
    operate = _BINARY.get(kind)
    if operate is None:
        raise Unfoldable(_("it multiplies matrices"))
    if is_number(left) and is_number(right):
        bits = _bits(left) + _bits(right)
        if kind is ast.Pow and not isinstance(left, float) and not isinstance(right, float):
            bits = _bits(left) * (1 + abs(int(right))) if abs(right) < MAX_BITS else MAX_BITS + 1
        elif kind is ast.LShift and right > 0:
            bits = _bits(left) + int(right)
        if bits > MAX_BITS:
            raise Unfoldable(_("it makes a number of too many digits"))
        return operate(left, right)
    if type(left) is str and type(right) is str and kind is ast.Add:
        _fits(len(left) + len(right))
        return left + right
    if kind is ast.Mult and {type(left), type(right)} == {str, int}:
        text, times = (left, right) if type(left) is str else (right, left)
        _fits(len(text) * times)
        return text * times
    raise Unfoldable(_("it joins things other than numbers or texts"))


def _fits(length: int) -> None:
    if length > MAX_LENGTH:
        raise Unfoldable(_("it makes a text that is too long"))


def size(value: object) -> int:
    """How much a collection holds in all; each was bounded when it was made."""
    if isinstance(value, dict):
        return 1 + sum(size(k) + size(v) for k, v in value.items())
    if isinstance(value, (list, tuple, set)):
        return 1 + sum(map(size, value))
    return 1 + len(value) // 100 if isinstance(value, str) else 1
