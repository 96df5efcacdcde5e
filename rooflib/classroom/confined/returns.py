"""A function as an answer, without the function: what it returned where it was asked.

`record` runs beside the student's code and calls the function at the points of the question.
`replay` is the other half, where the key is: a callable that answers from the record, so that
`judge_function` judges it as it judges the function itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rooflib.i18n import _
from rooflib.practice.guard import Failed, Stopped, call
from rooflib.practice.judge_function import NotANumber, fill, number, with_array

MAX_POINTS, MAX_TEXT, MAX_NAME = 200, 400, 40


def record(function: Any, points: Sequence[Sequence[float]]) -> dict[str, Any]:
    """{"name", "points": [[arguments, value], …], "array": value}.

    A value is a number, or {"raised": why} or {"odd": the name of its type}. The array call is
    made when all the others gave numbers, as `judge_function` does.
    """
    asked = [tuple(point) for point in points]
    values: list[Any] = []
    try:
        call(fill, function, asked, values)
        came = [_value(value) for value in values]
    except Failed as failure:
        came = [*map(_value, values), {"raised": str(failure)[:MAX_TEXT]}]
    name = getattr(function, "__name__", "")
    name = name[:MAX_NAME] if type(name) is str and name.isidentifier() else ""
    found = {"name": name, "points": [list(pair) for pair in zip(asked, came, strict=False)]}
    arguments = with_array(asked) if asked else None
    if arguments is not None and not any(isinstance(value, dict) for value in came):
        found["array"] = _array(function, arguments)
    return found


def _array(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        result = call(function, *arguments)
        values = np.asarray(result, dtype=float)
    except Failed as failure:
        return {"raised": str(failure)[:MAX_TEXT]}
    except (TypeError, ValueError):
        return {"odd": _kind(result)}
    if values.shape != arguments[0].shape:
        return {"odd": _kind(result)}
    return [_plain(float(value)) for value in values]


def _value(value: Any) -> Any:
    try:
        return _plain(number(value))
    except (NotANumber, OverflowError):
        return {"odd": _kind(value)}


def _plain(value: float) -> float | str:
    """JSON has no nan and no infinity."""
    return value if math.isfinite(value) and abs(value) < 1e308 else repr(value * 1e10)


def _kind(value: object) -> str:
    name = type(value).__name__
    return "".join(c for c in name if c.isprintable())[:MAX_NAME] or "object"


def valid(data: object) -> bool:
    """Whether this is such a record, of a bearable size; it may come from anybody."""
    if type(data) is not dict or not data.keys() <= {"name", "points", "array"}:
        return False
    points = data.get("points")
    if type(points) is not list or len(points) > MAX_POINTS:
        return False
    name = data.get("name", "")
    if type(name) is not str or len(name) > MAX_NAME:
        return False
    for pair in points:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not list:
            return False
        if len(pair[0]) > 20 or not all(_is_number(x) for x in pair[0]) or not _is_value(pair[1]):
            return False
    array = data.get("array", [])
    if type(array) is list:
        return len(array) <= MAX_POINTS and all(map(_is_number, array))
    return _is_value(array)


def _is_number(value: object) -> bool:
    if type(value) is str:
        return value in ("nan", "inf", "-inf")
    return isinstance(value, (int, float)) and type(value) is not bool and abs(value) < 1e308


def _is_value(value: object) -> bool:
    if type(value) is not dict:
        return _is_number(value)
    text = next(iter(value.values()), None)
    return (
        len(value) == 1
        and value.keys() <= {"raised", "odd"}
        and type(text) is str
        and len(text) <= MAX_TEXT
        and "\0" not in text
    )


def replay(data: Mapping[str, Any]) -> Callable[..., Any]:
    """A function that gives back, or raises, what the recorded one did."""
    table = {tuple(map(float, args)): value for args, value in data["points"]}
    never = {"raised": _("it was not called there")}

    def function(*arguments: Any) -> Any:
        if any(isinstance(argument, np.ndarray) for argument in arguments):
            value = data.get("array", never)
        else:
            value = table.get(arguments, never)
        if isinstance(value, list):
            return np.array([float(one) for one in value])
        if not isinstance(value, dict):
            return float(value)
        if "raised" in value:
            raise Stopped(value["raised"])  # which `guard.call` hands on word for word
        kind = value["odd"]
        return None if kind == "NoneType" else type(kind, (), {})()

    function.__name__ = data.get("name") or "<lambda>"
    return function
