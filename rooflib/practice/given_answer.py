"""From what a reader hands over (text, a number, sympy, a function) to a formula or a number.

Nothing of the reader's is trusted: types are asked of `type(x)`, never of the object itself, so
that an object which equals everything, or pretends to be a number, gets a sentence.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rooflib.i18n import _
from rooflib.practice.algebra import Formula, as_formula, largest, smallest
from rooflib.practice.polynomial import TooLong
from rooflib.practice.quantity import quantity
from rooflib.practice.question import FormulaPart, NumberPart
from rooflib.practice.reader import read
from rooflib.practice.tokens import Unreadable, plain

SNAP = Fraction(1, 500)


@dataclass(frozen=True)
class Answer:
    """What was read; echo: how, when it was text; relation: a > or < written with a number."""

    value: Any
    echo: str
    relation: str = ""


def as_formula_answer(answer: Any, part: FormulaPart) -> Answer:
    """Raises `Unreadable`."""
    letters = tuple(part.letters.split())
    if issubclass(type(answer), str):
        text = _without_words(str.__str__(answer), part)
        reading = read(text, letters, part.names, lambda number: _snapped(number, part.rates))
        return Answer(reading.value, reading.echo)
    if isinstance(answer, Formula):
        value: Formula | None = answer
    elif _module(answer) == "sympy":
        value = _from_sympy(answer, letters)
    elif _is_function(answer):
        from rooflib.practice.run import formula_of_function

        value = formula_of_function(answer, letters)
    else:
        value = as_formula(_number(answer))
    assert value is not None
    strange = value.free_symbols - set(letters)
    if strange:
        why = _("{word} is not one of this question's letters, {letters}.")
        raise Unreadable(why.format(word=min(strange), letters=", ".join(letters)))
    return Answer(value, _plain_echo(value))


def as_number_answer(answer: Any, part: NumberPart) -> Answer:
    """Raises `Unreadable`, or `WrongUnit`."""
    if issubclass(type(answer), str):
        found = quantity(str.__str__(answer), part.unit)
        return Answer(_as_share(found.value, part), found.echo, found.relation)
    value = as_formula(_number(answer))
    number = value.as_number() if value is not None else None
    if number is None:
        raise Unreadable(_("A number is asked here."))
    return Answer(_as_share(number, part), f"{float(number):.10g}")


def _as_share(value: Fraction, part: NumberPart) -> Fraction:
    """A share above 1 was given in percent, even without the sign."""
    return value / 100 if part.unit == "share" and 2 < value <= 100 else value


def _plain_echo(value: Formula) -> str:
    text = str(value)
    return text if len(text) <= 200 else ""


def _snapped(number: Fraction, rates: tuple[float, ...]) -> Fraction:
    """A rate as the question gives it, when the answer gives another last digit of it."""
    if abs(number) < 10**6:
        return number
    for rate in rates:
        exact = Fraction(repr(rate))
        for multiple in (exact, 2 * exact, exact / 2):
            if abs(number - multiple) <= SNAP * multiple:
                return multiple
    return number


_UNIT_WORDS = {
    "bytes": ("bytes", "byte"),
    "ops": ("ops", "op", "flops", "flop", "operations"),
    "s": ("seconds", "second", "sec", "s"),
    "intensity": ("ops/byte", "flops/byte", "op/byte", "flop/byte"),
}


def _without_words(text: str, part: FormulaPart) -> str:
    """The text without a unit after a blank at its end; a unit of something else is named."""
    head, blank, last = text.rstrip().rpartition(" ")
    if not blank or not head.strip() or not part.words:
        return text
    word = plain(last)[0].lower()
    for kind, words in _UNIT_WORDS.items():
        if word in words:
            if kind == part.words:
                return head
            why = _("{word} is a unit of something else than what is asked here.")
            raise Unreadable(why.format(word=last), text, len(head) + 1)
    return text


def _module(value: object) -> str:
    return str(type(value).__module__).partition(".")[0]


def _is_function(value: object) -> bool:
    return type(value).__name__ in ("function", "builtin_function_or_method", "method", "partial")


def _number(value: Any) -> object:
    """The value as an int, a Fraction or a finite float; raises `Unreadable` with the reason."""
    kind = type(value)
    if issubclass(kind, bool) or kind.__name__ in ("bool_", "bool"):
        raise Unreadable(_("True and False are no answer here."))
    if issubclass(kind, int):
        number = int.__int__(value)
        if number.bit_length() > 4000:
            raise Unreadable(_("This number is beyond anything that is asked here."))
        return number
    if issubclass(kind, Fraction):
        return Fraction(value)
    if issubclass(kind, float):
        return _finite(float.__float__(value))
    if issubclass(kind, complex):
        raise Unreadable(_("A complex number is no answer here."))
    if _module(value) == "decimal":
        return _finite(float(value))
    numpy = sys.modules.get("numpy")
    if numpy is not None and _module(value) == "numpy":
        if isinstance(value, (numpy.integer, numpy.floating)):
            return _number(value.item())
        if isinstance(value, numpy.ndarray):
            why = _("This is an array; one number is asked, for instance one element of it.")
            raise Unreadable(why)
    if _module(value) == "sympy":
        found = _from_sympy(value, ()).as_number()
        if found is not None:
            return found
    if issubclass(kind, (list, tuple, set, dict)):
        raise Unreadable(_("One answer is asked here, not a collection of them."))
    why = _("An answer is text, a number or a formula; this is of type {kind}.")
    raise Unreadable(why.format(kind=kind.__name__[:40]))


def _finite(value: float) -> float:
    if math.isnan(value):
        raise Unreadable(_("This is nan, not a number; what went into it?"))
    if math.isinf(value):
        raise Unreadable(_("This is infinite; a finite answer is asked."))
    return value


def _from_sympy(expression: Any, letters: tuple[str, ...], depth: int = 0) -> Formula:
    """A sympy expression, walked node by node."""
    import sympy

    def inner(e: Any) -> Formula:
        return _from_sympy(e, letters, depth + 1)

    if depth > 60:
        raise Unreadable(_("This is nested too deeply."))
    try:
        match expression:
            case sympy.Rational():
                return Formula.constant(Fraction(int(expression.p), int(expression.q)))
            case sympy.Float():
                value = as_formula(_finite(float(expression)))
                assert value is not None
                return value
            case sympy.Symbol():
                return Formula.letter(_letter(expression.name, letters))
            case sympy.Add():
                return sum((inner(a) for a in expression.args), Formula.constant(0))
            case sympy.Mul():
                return math.prod((inner(a) for a in expression.args), start=Formula.constant(1))
            case sympy.Pow():
                return inner(expression.args[0]) ** inner(expression.args[1])
            case sympy.Max():
                return largest(inner(a) for a in expression.args)
            case sympy.Min():
                return smallest(inner(a) for a in expression.args)
            case sympy.Abs():
                return abs(inner(expression.args[0]))
    except ZeroDivisionError:
        raise Unreadable(_("This divides by zero.")) from None
    except TooLong:
        raise Unreadable(_("This grows too large to be compared.")) from None
    except ValueError as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(_("A power here is a whole number.")) from None
    what = type(expression).__name__[:40]
    why = _("I do not know {what} here; use the letters, + - * / ** and max or min.")
    raise Unreadable(why.format(what=what))


def _letter(name: str, letters: tuple[str, ...]) -> str:
    if name in letters:
        return name
    why = _("{word} is not one of this question's letters, {letters}.")
    raise Unreadable(why.format(word=name[:40], letters=", ".join(letters) or "-"))
