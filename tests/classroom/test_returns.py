"""A function judged by its record gets the verdict that it would get itself."""

import json
import time

import numpy as np
import pytest

from rooflib.classroom.confined import returns
from rooflib.practice import problems
from rooflib.practice.judge_function import judge_function

PART = problems.book("3").questions[0].parts[0]
PEAK, BANDWIDTH = 1.97e14, 8.2e11


def throughput(B, D, F):
    math = 2 * B * D * F / PEAK
    comms = (2 * B * D + D * F + 2 * B * F) / BANDWIDTH
    return 2 * B * D * F / np.maximum(math, comms)


def for_single_numbers(B, D, F):
    math, comms = 2 * B * D * F / PEAK, (2 * B * D + D * F + 2 * B * F) / BANDWIDTH
    return 2 * B * D * F / max(math, comms)


def one_for_all(B, D, F):
    math, comms = 2 * B * D * F / PEAK, (2 * B * D + D * F + 2 * B * F) / BANDWIDTH
    return 2 * B * D * F / np.max([math, comms])


def raises_late(B, D, F):
    if B > 100:
        raise ValueError("too large")
    return throughput(B, D, F)


def recurses(B, D, F):
    return recurses(B, D, F)


def prints(B, D, F):
    while True:
        print("x" * 1000)


def leaves(B, D, F):
    raise SystemExit


class Odd:
    def __call__(self, B, D, F):
        return self


FUNCTIONS = [
    throughput,
    for_single_numbers,
    one_for_all,
    raises_late,
    recurses,
    prints,
    leaves,
    Odd(),
    lambda B, D, F: throughput(B, D, F),
    lambda B, D, F: None,
    lambda B, D, F: "fast",
    lambda B, D, F: True,
    lambda B, D, F: np.array([1.0, 2.0]),
    lambda B, D, F: np.array([throughput(B, D, F)]).ravel()[:1],
    lambda B, D, F: 1j,
    lambda B, D, F: float("nan"),
    lambda B, D, F: float("inf"),
    lambda B, D: B,
    lambda B, D, F: B / 0,
    lambda B, D, F: 4 * throughput(B, D, F),
    lambda B, D, F: throughput(B, D, F) if B < 100 else 7.0,
    lambda B, D, F: throughput(B, D, F) if np.ndim(B) == 0 else None,
    lambda B, D, F: throughput(B, D, F) if np.ndim(B) == 0 else [["a"]],
    *(wrong.value for wrong in PART.wrongs),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_record_is_judged_as_the_function_is(function):
    record = json.loads(json.dumps(returns.record(function, PART.points), allow_nan=False))
    assert returns.valid(record)
    assert judge_function(PART, returns.replay(record)) == judge_function(PART, function)


def test_a_function_that_hangs_is_told_as_it_would_be():
    def hangs(B, D, F):
        time.sleep(100)

    record = returns.record(hangs, PART.points)
    found = judge_function(PART, returns.replay(record))
    assert found.key == "raised"
    assert "stopped" in found.message


def test_a_number_too_large_to_send_is_infinite():
    record = returns.record(lambda B: 1.7e308, [(1.0,)])
    assert record["points"] == [[(1.0,), "inf"]]


def test_points_that_were_not_asked_are_no_answer():
    replayed = returns.replay(returns.record(throughput, PART.points[:3]))
    assert "not called there" in judge_function(PART, replayed).message


GOOD = {"name": "f", "points": [[[1, 2.0], 3.0], [[2, 2.0], {"raised": "x"}]], "array": [1.0]}


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"points": "all"},
        {**GOOD, "more": 1},
        {**GOOD, "name": 3},
        {**GOOD, "name": "f" * 1000},
        {**GOOD, "points": [[[1], 1]] * 1000},
        {**GOOD, "points": [[[1]]]},
        {**GOOD, "points": [[["a"], 1]]},
        {**GOOD, "points": [[[True], 1]]},
        {**GOOD, "points": [[[10**400], 1]]},
        {**GOOD, "points": [[[1], None]]},
        {**GOOD, "points": [[[1], {"raised": 3}]]},
        {**GOOD, "points": [[[1], {"raised": "x", "odd": "y"}]]},
        {**GOOD, "points": [[[1], {"odd": "a\0b"}]]},
        {**GOOD, "array": {"eval": "1"}},
        {**GOOD, "array": [[1]]},
        {**GOOD, "array": [1] * 1000},
    ],
)
def test_what_is_no_record_is_turned_away(data):
    assert returns.valid(GOOD)
    assert not returns.valid(data)
