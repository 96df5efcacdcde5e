"""Answers that are Python objects: a function of the letters, a function of numbers, a plot."""

from __future__ import annotations

import builtins
import inspect
from types import FunctionType
from typing import Any

from rooflib.i18n import _
from rooflib.practice.algebra import Formula, as_formula, largest, letters, smallest
from rooflib.practice.guard import Failed, call
from rooflib.practice.tokens import Unreadable


def formula_of_function(function: Any, names: tuple[str, ...]) -> Formula:
    """What the function makes of the letters themselves; raises `Unreadable`."""
    try:
        result = call(_apply, function, names)
    except Failed as failure:
        why = _("Your function, called with the letters {letters}, did not return: {why}.")
        raise Unreadable(why.format(letters=", ".join(names), why=failure)) from None
    value = as_formula(result)
    if value is None:
        why = _("Your function returned a {kind}; a formula of {letters} is asked.")
        kind = type(result).__name__[:40]
        raise Unreadable(why.format(kind=kind, letters=", ".join(names)))
    return value


def _apply(function: Any, names: tuple[str, ...]) -> object:
    """function(B, D, F), by name where its parameters are some of the letters."""
    wanted = list(inspect.signature(function).parameters)
    values = dict(zip(names, letters(names), strict=True))
    if isinstance(function, FunctionType):
        function = _with_our_extremes(function)
    if set(wanted) <= set(names):
        return function(**{name: values[name] for name in wanted})
    return function(*values.values())


def _with_our_extremes(function: FunctionType) -> FunctionType:
    """The same function, in whose world max and min know formulas."""
    ours = FunctionType(
        function.__code__,
        {"max": _max, "min": _min, **function.__globals__},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    ours.__kwdefaults__ = function.__kwdefaults__
    return ours


def _max(*args: Any, **options: Any) -> Any:
    return _extreme(largest, builtins.max, args, options)


def _min(*args: Any, **options: Any) -> Any:
    return _extreme(smallest, builtins.min, args, options)


def _extreme(ours: Any, theirs: Any, args: Any, options: Any) -> Any:
    given = args if len(args) > 1 else tuple(args[0])
    if options or not any(isinstance(value, Formula) for value in given):
        return theirs(given, **options)
    return ours([Formula.constant(0) + value for value in given])
