"""Answers that are Python objects: a function of the letters, a function of numbers, a plot."""

from __future__ import annotations

from typing import Any

from rooflib.i18n import _
from rooflib.practice.algebra import Formula, as_formula, letters
from rooflib.practice.guard import Failed, call
from rooflib.practice.reader import Unreadable


def formula_of_function(function: Any, names: tuple[str, ...]) -> Formula:
    """What the function makes of the letters themselves; raises `Unreadable`."""
    try:
        result = call(function, *letters(names))
    except Failed as failure:
        why = _("Your function, called with the letters {letters}, did not return: {why}.")
        raise Unreadable(why.format(letters=", ".join(names), why=failure)) from None
    value = as_formula(result)
    if value is None:
        why = _("Your function returned a {kind}; a formula of {letters} is asked.")
        raise Unreadable(why.format(kind=type(result).__name__[:40], letters=", ".join(names)))
    return value
