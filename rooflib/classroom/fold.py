"""The value of an expression that needs no running: literals, arithmetic on them, known names.

Every step is bounded, so that neither 9**9**9 nor "x" * 10**9 costs time or memory.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from rooflib.classroom.answers import phrase
from rooflib.i18n import _

MAX_DEPTH = 80
MAX_BITS = 20_000
MAX_LENGTH = 10_000  # of a text
MAX_SIZE = 1_000  # of a collection, with all that it holds
MAX_PLACES = 400  # digits in a format, or to round to

Number = int | float | Fraction


class Unfoldable(ValueError):
    """It takes a run to know; the text says why: "it calls f(...)"."""


def fold(node: ast.expr, names: Mapping[str, object], functions: Mapping[str, Any]) -> object:
    """The value of `node`, with `names` for its names and `functions` that it may call.

    Raises `Unfoldable`.
    """
    try:
        return _Folding(names, functions).value(node, 0)
    except Unfoldable:
        raise
    except ZeroDivisionError:
        raise Unfoldable(_("it divides by zero")) from None
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        text = _("it raises {kind}").format(kind=type(error).__name__)
        raise Unfoldable(text) from None


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


_CONVERT: Mapping[int, Callable[[object], str]] = {ord("r"): repr, ord("s"): str, ord("a"): ascii}

# Operators

_UNARY: dict[type[ast.unaryop], Callable[[Any], object]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
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


def _is_number(value: object) -> bool:
    return type(value) in (bool, int, float, Fraction)


def _bits(value: Any) -> int:
    if isinstance(value, float):
        return 64
    return max(int(value.numerator).bit_length(), int(value.denominator).bit_length())


def _binary(kind: type[ast.operator], left: Any, right: Any) -> object:
    operate = _BINARY.get(kind)
    if operate is None:
        raise Unfoldable(_("it multiplies matrices"))
    if _is_number(left) and _is_number(right):
        bits = _bits(left) + _bits(right)
        if kind is ast.Pow and not isinstance(left, float) and not isinstance(right, float):
            bits = _bits(left) * (1 + abs(int(right))) if abs(right) < MAX_BITS else MAX_BITS + 1
        elif kind is ast.LShift and right > 0:
            bits = _bits(left) + int(right)
        if bits > MAX_BITS:
            raise Unfoldable(_("it makes a number of too many digits"))
        return operate(left, right)
    if type(left) is str and type(right) is str and kind is ast.Add:
        return left + right if _fits(len(left) + len(right)) else ""
    if kind is ast.Mult and {type(left), type(right)} == {str, int}:
        text, times = (left, right) if type(left) is str else (right, left)
        return text * times if _fits(len(text) * times) else ""
    raise Unfoldable(_("it joins things other than numbers or texts"))


def _fits(length: int) -> bool:
    if length > MAX_LENGTH:
        raise Unfoldable(_("it makes a text that is too long"))
    return True


def _size(value: object) -> int:
    """How much a collection holds in all; each was bounded when it was made."""
    if isinstance(value, dict):
        return 1 + sum(_size(k) + _size(v) for k, v in value.items())
    if isinstance(value, (list, tuple, set)):
        return 1 + sum(map(_size, value))
    return 1 + len(value) // 100 if isinstance(value, str) else 1


class _Folding:
    def __init__(self, names: Mapping[str, object], functions: Mapping[str, Any]) -> None:
        self.names, self.functions = names, functions

    def value(self, node: ast.expr, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise Unfoldable(_("it is nested too deeply"))
        depth += 1

        def inner(one: ast.expr) -> Any:
            return self.value(one, depth)

        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self._name(node.id)
            case ast.UnaryOp():
                return self._unary(node.op, inner(node.operand))
            case ast.BinOp():
                return _binary(type(node.op), inner(node.left), inner(node.right))
            case ast.Tuple() | ast.List() | ast.Set():
                return self._collection(node, depth)
            case ast.Dict():
                return self._dict(node, depth)
            case ast.JoinedStr():
                return self._joined(node, depth)
            case ast.Call():
                return self._call(node, depth)
            case ast.Subscript():
                return self._item(inner(node.value), node.slice, depth)
            case ast.IfExp():
                return inner(node.body if inner(node.test) else node.orelse)
            case ast.BoolOp():
                return self._either(node, depth)
            case ast.Compare():
                return self._compare(node, depth)
        raise Unfoldable(_describe(node))

    def _name(self, name: str) -> object:
        try:
            return self.names[name]
        except KeyError:
            text = _("it uses the name {name}").format(name=phrase(name, 40))
            raise Unfoldable(text) from None

    def _unary(self, op: ast.unaryop, value: object) -> object:
        if type(op) is not ast.Not and not _is_number(value):
            raise Unfoldable(_("it joins things other than numbers or texts"))
        return _UNARY[type(op)](value)

    def _collection(self, node: ast.Tuple | ast.List | ast.Set, depth: int) -> object:
        if len(node.elts) > MAX_SIZE:
            raise Unfoldable(_("it holds too much"))
        items: list[Any] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                more = self.value(element.value, depth)
                if not isinstance(more, (list, tuple)):
                    raise Unfoldable(_("it spreads out something other than a list"))
                items += more
            else:
                items.append(self.value(element, depth))
        made = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)](items)
        if _size(items) > MAX_SIZE:
            raise Unfoldable(_("it holds too much"))
        return made

    def _dict(self, node: ast.Dict, depth: int) -> dict[Any, Any]:
        if len(node.values) > MAX_SIZE:
            raise Unfoldable(_("it holds too much"))
        made: dict[Any, Any] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.value(item, depth)
            if key is not None:
                made[self.value(key, depth)] = value
            elif isinstance(value, dict):
                made |= value
            else:
                raise Unfoldable(_("it spreads out something other than a dict"))
        if _size(made) > MAX_SIZE:
            raise Unfoldable(_("it holds too much"))
        return made

    def _joined(self, node: ast.JoinedStr, depth: int) -> str:
        pieces: list[str] = []
        for piece in node.values:
            if isinstance(piece, ast.FormattedValue):
                value = self.value(piece.value, depth)
                if not (_is_number(value) or type(value) is str):
                    raise Unfoldable(_("it writes out things other than numbers or texts"))
                spec = self.value(piece.format_spec, depth) if piece.format_spec else ""
                if any(int(n) > MAX_PLACES for n in re.findall(r"\d+", spec[:MAX_LENGTH])):
                    raise Unfoldable(_("it writes out too many places"))
                convert = _CONVERT.get(piece.conversion)
                pieces.append(format(convert(value) if convert else value, spec))
            else:
                pieces.append(self.value(piece, depth))
            if sum(map(len, pieces)) > MAX_LENGTH:
                raise Unfoldable(_("it makes a text that is too long"))
        return "".join(pieces)

    def _call(self, node: ast.Call, depth: int) -> object:
        function = self.functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if function is None or any(k.arg is None for k in node.keywords):
            raise Unfoldable(_describe(node))
        if node.keywords and function is not dict:
            raise Unfoldable(_describe(node))
        args = self._collection(ast.Tuple(node.args, ast.Load()), depth)
        assert isinstance(args, tuple)
        if function is not dict and not all(_plain(arg) for arg in args):
            raise Unfoldable(_describe(node))
        options = {k.arg: self.value(k.value, depth) for k in node.keywords if k.arg is not None}
        if len(options) > MAX_SIZE:
            raise Unfoldable(_("it holds too much"))
        made = function(*args, **options)
        if _size(made) > MAX_SIZE:
            raise Unfoldable(_("it holds too much"))
        return made

    def _item(self, held: Any, index: ast.expr, depth: int) -> object:
        key = self.value(index, depth)
        if not isinstance(held, (list, tuple, dict)):
            raise Unfoldable(_("it takes a piece of something other than a list or a dict"))
        return held[key]

    def _either(self, node: ast.BoolOp, depth: int) -> object:
        value: object = None
        for one in node.values:
            value = self.value(one, depth)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def _compare(self, node: ast.Compare, depth: int) -> bool:
        left = self.value(node.left, depth)
        for op, one in zip(node.ops, node.comparators, strict=True):
            right = self.value(one, depth)
            compare = _COMPARE.get(type(op))
            if compare is None:
                raise Unfoldable(_("it compares in a way that takes a run"))
            if not compare(left, right):
                return False
            left = right
        return True


def _plain(value: object) -> bool:
    """A number or text, or a collection of numbers for min and max."""
    if isinstance(value, (list, tuple, set)):
        return all(_is_number(item) for item in value)
    return _is_number(value) or type(value) is str


def _describe(node: ast.expr) -> str:
    """What it is that takes a run."""
    match node:
        case ast.Call():
            name = called(node)
            if name:
                return _("it calls {name}(...)").format(name=phrase(name, 40))
            return _("it calls a function")
        case ast.Lambda():
            return _("it is a function")
        case ast.Attribute():
            return _("it looks up .{name}").format(name=phrase(node.attr, 40))
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return _("it runs through a loop")
    return _("it takes a run to know")


def called(node: ast.Call) -> str:
    """The last name of what is called: f for f(...) and for module.f(...)."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
