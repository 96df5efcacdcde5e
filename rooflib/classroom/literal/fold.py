"""The value of an expression that needs no running: literals, arithmetic on them, known names."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from rooflib.classroom.literal.answers import phrase
from rooflib.classroom.literal.bounded import (
    COMPARE,
    MAX_LENGTH,
    MAX_PLACES,
    MAX_SIZE,
    UNARY,
    Unfoldable,
    binary,
    is_number,
    size,
)
from rooflib.i18n import _

MAX_DEPTH = 80
_CONVERT: Mapping[int, Callable[[object], str]] = {ord("r"): repr, ord("s"): str, ord("a"): ascii}


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
                return binary(type(node.op), inner(node.left), inner(node.right))
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
        if type(op) is not ast.Not and not is_number(value):
            raise Unfoldable(_("it joins things other than numbers or texts"))
        return UNARY[type(op)](value)

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
        if size(items) > MAX_SIZE:
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
        if size(made) > MAX_SIZE:
            raise Unfoldable(_("it holds too much"))
        return made

    def _joined(self, node: ast.JoinedStr, depth: int) -> str:
        pieces: list[str] = []
        for piece in node.values:
            if isinstance(piece, ast.FormattedValue):
                value = self.value(piece.value, depth)
                if not (is_number(value) or type(value) is str):
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
        if size(made) > MAX_SIZE:
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
            compare = COMPARE.get(type(op))
            if compare is None:
                raise Unfoldable(_("it compares in a way that takes a run"))
            if not compare(left, right):
                return False
            left = right
        return True


def _plain(value: object) -> bool:
    """A number or text, or a collection of numbers for min and max."""
    if isinstance(value, (list, tuple, set)):
        return all(is_number(item) for item in value)
    return is_number(value) or type(value) is str


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


__all__ = ["Unfoldable", "called", "fold"]
