"""What stands in the brackets of a call, as far as it can be known without a run."""

from __future__ import annotations

import ast
from typing import NamedTuple

from rooflib.classroom.literal import answers
from rooflib.classroom.literal.answers import Wire
from rooflib.classroom.literal.bindings import Bindings
from rooflib.classroom.literal.fold import Unfoldable, fold
from rooflib.i18n import _


class Arguments(NamedTuple):
    """Each value, or an `Unfoldable` in its place. more: what was spread out by ** or * and only
    a run can tell, if there was any."""

    positional: list[object]
    named: dict[str, object]
    more: Unfoldable | None


def arguments(node: ast.Call, known: Bindings) -> Arguments:
    """The arguments of a call."""
    found = Arguments([], {}, None)
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            spread = value(argument.value, known)
            if isinstance(spread, (list, tuple)):
                found.positional.extend(spread)
            else:
                found = found._replace(more=_spread(spread))
        else:
            found.positional.append(value(argument, known))
    for keyword in node.keywords:
        held = value(keyword.value, known)
        if keyword.arg is not None:
            found.named[keyword.arg] = held
        elif isinstance(held, dict) and all(type(name) is str for name in held):
            found.named.update(held)
        else:
            found = found._replace(more=_spread(held))
    return found


def value(node: ast.expr, known: Bindings) -> object:
    """What the expression is, or why only a run can tell."""
    try:
        return fold(node, known.values, known.functions)
    except Unfoldable as why:
        return why


def _spread(held: object) -> Unfoldable:
    return held if isinstance(held, Unfoldable) else Unfoldable(_("it spreads out what it cannot"))


def as_wire(held: object) -> Wire:
    """The wire form of a value, or of why it is not known."""
    return answers.code(str(held)) if isinstance(held, Unfoldable) else answers.wire(held)


def alone(held: list[object]) -> Wire:
    """The wire form of the answers without a part's name; more than one cannot be told apart."""
    given = [as_wire(one) for one in held]
    if len(given) == 1 or all(map(answers.is_blank, given)):
        return given[0]
    return {"odd": _("{n} answers without their parts' names").format(n=len(given))}


def text(held: object, most: int) -> str:
    """A name in an argument, or "" if it is none."""
    if type(held) is int and held.bit_length() < 64:
        held = str(held)
    return answers.phrase(held.strip(), most) if type(held) is str else ""
