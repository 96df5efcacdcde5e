"""What can be said of a wrong answer that no problem foresaw: a factor, a term, a letter.

Each message describes the reader's own answer and ends in a question; none says what is right.
"""

from __future__ import annotations

from fractions import Fraction

from rooflib.i18n import _
from rooflib.practice.algebra import Formula
from rooflib.practice.polynomial import TooLong
from rooflib.practice.question import FormulaPart, NumberPart

_CLOSE = Fraction(1, 200)
# 1.024 and its powers lie among the numbers that other slips give, so this one is tight.
_VERY_CLOSE = Fraction(1, 1000)


def formula(value: Formula, part: FormulaPart) -> tuple[str, str]:
    """(key, message) for a wrong formula."""
    try:
        return _formula(value, part)
    except (TooLong, ZeroDivisionError):
        return "other", _unlike(value, part)


def _formula(value: Formula, part: FormulaPart) -> tuple[str, str]:
    if not value.num:
        return "zero", _("This is zero for every size. Can that be?")
    if value.as_number() is not None and part.right.as_number() is None:
        return "constant", _("This is one number for every size. Which letters must it grow with?")
    if not value.atoms() and not part.right.atoms():
        ratio = (value / part.right).as_number()
        if ratio is not None:
            return _ratio(ratio, offormula=True)
        product = (value * part.right).as_number()
        if product is not None:
            return "inverted", _(
                "The letters are all there, upside down. Which unit does your expression have, "
                "and which one is asked?"
            )
        swapped = _swapped(value, part.right)
        if swapped is not None:
            ask = _("Two letters, {a} and {b}, seem to have changed places. Which is which?")
            return "swapped letters", ask.format(a=swapped[0], b=swapped[1])
        if value.den == part.right.den:
            found = _terms(value, part.right)
            if found is not None:
                return found
    missing = sorted(part.right.free_symbols - value.free_symbols)
    if missing:
        ask = _("{letter} has no part in this. What would change if {letter} doubled?")
        return "missing letter", ask.format(letter=missing[0])
    return "other", _unlike(value, part)


def _terms(value: Formula, right: Formula) -> tuple[str, str] | None:
    ours, theirs = value.num.terms, right.num.terms
    common = [m for m, c in ours.items() if theirs.get(m) == c]
    missing = [m for m in theirs if m not in ours]
    extra = [m for m in ours if m not in theirs]
    odd = [m for m in ours if m in theirs and ours[m] != theirs[m]]
    if not common or odd:
        return None
    if missing and not extra:
        return "missing term", _(
            "All that you have belongs there, and something is missing still. "
            "What else takes part in the operation?"
        )
    if extra and not missing:
        return "extra term", _(
            "There is more here than is asked. Which of your terms is not part of it?"
        )
    return None


def _swapped(value: Formula, right: Formula) -> tuple[str, str] | None:
    names = sorted(right.free_symbols)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            turned = value.substitute({a: Formula.letter(b), b: Formula.letter(a)})
            if turned == right:
                return a, b
    return None


def _unlike(value: Formula, part: FormulaPart) -> str:
    names = part.letters.split()
    point: dict[str, int | Fraction] = dict(zip(names, (2, 3, 5, 7, 11), strict=False))
    sizes = ", ".join(f"{n} = {v}" for n, v in point.items())
    try:
        result = f"{float(value.at(point)):.4g}"
    except (ZeroDivisionError, KeyError, OverflowError):
        return _("This is another formula than the one asked. Which tensors, and how big is each?")
    ask = _(
        "Try a case small enough to count by hand. With {sizes} your formula gives {result}; "
        "what do you count?"
    )
    return ask.format(sizes=sizes, result=result)


def number(value: Fraction, part: NumberPart) -> tuple[str, str]:
    """(key, message) for a wrong number."""
    right = Fraction(part.right)
    if value == 0:
        return "zero", _("Zero says that it costs nothing. Can that be?")
    if value < 0:
        return "negative", _(
            "A negative number cannot be right here. Which way round did you subtract?"
        )
    if right and abs(value * right - 1) <= _CLOSE:
        return "inverted", _("This looks upside down. Which unit should the result have?")
    return _ratio(value / right, offormula=False)


def _ratio(ratio: Fraction, offormula: bool) -> tuple[str, str]:
    if ratio < 0:
        return "sign", _("The sign is turned. Which way round did you subtract?")
    for power in (1, -1, 2, -2, 3, -3, 4, -4):
        binary = Fraction(1024, 1000) ** power
        if abs(ratio / binary - 1) <= _VERY_CLOSE:
            return "binary prefix", _(
                "This differs by about what lies between GiB and GB. Are your prefixes powers "
                "of 1024 or of 1000?"
            )
    for power in (3, -3, 6, -6, 9, -9, 12, -12):
        if abs(ratio / Fraction(10) ** power - 1) <= _CLOSE:
            return "prefix", _(
                "Only the prefix is off: by a thousand, once or more. Which of k, M, G, T and of "
                "m, µ, n did you start from?"
            )
    if any(abs(ratio / Fraction(2) ** p - 1) <= _CLOSE for p in (3, -3)):
        return "bits", _("This is off by exactly 8 one way. Where do bits become bytes?")
    if any(abs(ratio / Fraction(2) ** p - 1) <= _CLOSE for p in (1, -1, 2, -2, 4, -4)):
        return "power of two", _(
            "A two has slipped in or out, once or twice. Look at each place where one can hide: "
            "the bytes of an element, the multiply and its add, the number of chips."
        )
    if offormula:
        return "factor", _(
            "The letters are as they should be; the number in front is not. What does it count?"
        )
    if Fraction(1, 2) < ratio < 2:
        return "near", _(
            "This is in the neighbourhood, and further off than rounding explains. Which of the "
            "given numbers did you use, and did you round on the way?"
        )
    return "other", _(
        "I do not recognise the route to this number. Which two quantities did you divide, and "
        "in which unit is each?"
    )
