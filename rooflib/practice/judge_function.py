"""Judge a Python function by what it returns: at single points, then for a whole array."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rooflib.i18n import _
from rooflib.practice.guard import Failed, call
from rooflib.practice.judge import KNOWN_TOLERANCE, recognised
from rooflib.practice.question import FunctionPart
from rooflib.practice.verdict import PARTLY, RIGHT, UNREADABLE, WRONG, Verdict

Point = tuple[float, ...]


def judge_function(part: FunctionPart, function: Any) -> Verdict:
    """The verdict, with the smallest call that goes wrong and what came back."""
    name = _name(function)

    def verdict(outcome: str, message: str, score: float = 0.0, key: str = "") -> Verdict:
        return Verdict(outcome, message, score, name=part.name, key=key)

    if not callable(function) or isinstance(function, type):
        why = _("A function is asked here: {name}({parameters}).")
        listed = ", ".join(part.parameters)
        return verdict(UNREADABLE, why.format(name=part.name, parameters=listed))
    came_back: list[Any] = []
    try:
        call(fill, function, part.points, came_back)
    except Failed as failure:
        why = _("{call} did not return a value: {why}.")
        shown = _call(name, part.points[len(came_back)])
        return verdict(WRONG, why.format(call=shown, why=failure), key="raised")
    results: list[float] = []
    try:
        for value in came_back:
            results.append(number(value))
    except NotANumber as odd:
        why = _("{call} returned {what}; one number is asked. {ask}")
        ask = _("Is there a return?") if odd.what == "None" else _("What did you mean to return?")
        shown = _call(name, part.points[len(results)])
        return verdict(WRONG, why.format(call=shown, what=odd.what, ask=ask), key="no number")
    for wrong in part.wrongs:
        if _agree(results, wrong.value, part.points, KNOWN_TOLERANCE):
            found = [
                w for w in part.wrongs if _agree(results, w.value, part.points, KNOWN_TOLERANCE)
            ]
            return recognised(part, found, "")
    for point, result in zip(part.points, results, strict=True):
        if not _close(result, part.right(*point), part.tolerance):
            return verdict(WRONG, _counterexample(part, name, point, result), key="counterexample")
    slip = _array_slip(part, function, name)
    if slip:
        return verdict(PARTLY, slip, 0.5, "array")
    return verdict(RIGHT, part.why, 1.0, "right")


class NotANumber(ValueError):
    """Something else came back: what it is, in words."""

    def __init__(self, value: object) -> None:
        self.what = (
            "None" if value is None else _("a {kind}").format(kind=type(value).__name__[:40])
        )


def fill(function: Callable[..., Any], points: Sequence[Point], came_back: list[Any]) -> None:
    """Call it at every point; what came back before it failed stays in the list."""
    for point in points:
        came_back.append(function(*point))


def number(value: Any) -> float:
    """A plain number, or a numpy one, or an array of just one."""
    if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool):
        return float(value)
    numpy = sys.modules.get("numpy")
    if (
        numpy is not None
        and isinstance(value, (numpy.number, numpy.ndarray))
        and numpy.size(value) == 1
        and numpy.isrealobj(value)
    ):
        return float(numpy.ravel(value)[0])
    raise NotANumber(value)


def _close(value: float, right: float, tolerance: Fraction) -> bool:
    return abs(value - right) <= float(tolerance) * abs(right)


def _agree(
    results: Sequence[float],
    function: Callable[..., float],
    points: Sequence[Point],
    tolerance: Fraction,
) -> bool:
    return all(
        _close(result, function(*point), tolerance)
        for point, result in zip(points, results, strict=True)
    )


def _counterexample(part: FunctionPart, name: str, point: Point, result: float) -> str:
    shown = _call(name, point)
    text = _("{call} gave {result:.4g}, and that is not what is asked.").format(
        call=shown, result=result
    )
    right = part.right(*point)
    ratio = result / right if right else 0.0
    for factor in (2, 4, 8, 1000, 1_000_000):
        if any(_close(ratio, r, Fraction(1, 500)) for r in (factor, 1 / factor)):
            ask = _("It is off by a factor of {factor} there. Where could one slip in?")
            return text + " " + ask.format(factor=factor)
    return text + " " + _("Work this one case out by hand: which step comes out otherwise?")


def _call(name: str, point: Point) -> str:
    return f"{name}({', '.join(f'{x:g}' for x in point)})"


def _name(function: object) -> str:
    name = getattr(function, "__name__", "")
    return name if isinstance(name, str) and name.isidentifier() else _("your function")


def with_array(points: Sequence[Point]) -> tuple[Any, ...] | None:
    """The arguments of one call for many sizes: those of the points that differ in nothing else."""
    import numpy as np

    rest = points[0][1:]
    sizes = [point[0] for point in points if point[1:] == rest]
    return (np.array(sizes), *rest) if len(sizes) > 1 else None


def _array_slip(part: FunctionPart, function: Any, name: str) -> str:
    """What is wrong when the first argument is an array, or ""."""
    import numpy as np

    arguments = with_array(part.points)
    if arguments is None:
        return ""
    sizes, *rest = arguments
    shown = f"{name}(np.array([{', '.join(f'{x:g}' for x in sizes[:3])}, …]), …)"
    ask = _("What do you want back for {n} sizes: one number, or {n}?").format(n=len(sizes))
    try:
        result = call(function, sizes, *rest)
    except Failed as failure:
        text = _("Right for single numbers, but {call} did not return: {why}.")
        return text.format(call=shown, why=failure) + " " + ask
    right = [part.right(x, *rest) for x in sizes]
    try:
        values = np.asarray(result, dtype=float)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.shape != sizes.shape or not np.allclose(values, right, rtol=float(part.tolerance)):
        text = _("Right for single numbers, but not for an array of them: {call}.")
        return text.format(call=shown) + " " + ask
    return ""
