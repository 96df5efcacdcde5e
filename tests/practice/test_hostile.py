"""Whatever is handed in gets a kind sentence within a second, and nothing happens besides."""

import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy

from rooflib.practice import check, guard, session
from rooflib.practice.verdict import Verdict


class EqualsEverything:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __bool__(self):
        return True


class Explodes:
    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __str__(self):
        raise RuntimeError

    __repr__ = __eq__ = __float__ = __len__ = __str__


class Exits:
    @property
    def __class__(self):
        raise SystemExit


class LyingText(str):
    def __str__(self):
        return "2*B*D*F"

    def strip(self, *_):
        return "2*B*D*F"


class LyingNumber(int):
    def __int__(self):
        return 240

    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


def raises(B, D, F):
    raise ValueError("no")


def exits(B, D, F):
    sys.exit()


def interrupts(B, D, F):
    raise KeyboardInterrupt


def loops(B, D, F):
    while True:
        pass


def loops_and_catches(B, D, F):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def prints(B, D, F):
    while True:
        print("x" * 1000)


def recurses(B, D, F):
    return recurses(B, D, F)


def grows(B, D, F):
    while True:
        B = B * (B + D)


SYMBOL_LOOKALIKE = type("Symbol", (), {"__module__": "sympy", "free_symbols": set()})()

HOSTILE = [
    float("nan"),
    float("inf"),
    -float("inf"),
    1j,
    True,
    False,
    np.True_,
    np.float64("nan"),
    np.array([1, 2]),
    np.array("B"),
    [1],
    (),
    {},
    {"a": 1},
    {1},
    b"2*B*D*F",
    object(),
    int,
    EqualsEverything(),
    Explodes(),
    Exits(),
    LyingText("nonsense!"),
    SYMBOL_LOOKALIKE,
    Decimal("nan"),
    10**5000,
    "9**9**9**9",
    "(" * 10_000,
    "(" * 200,
    "B+" * 299 + "B",
    "1e999999999",
    "9" * 590,
    "B" * 590,
    "B**(9**9)",
    "(B+D)**60*(B+F)**60",
    "0/0",
    "\0",
    "\ud800",
    "💥",
    "<script>alert(1)</script>",
    "__import__('os').system('true')",
    "{B}",
    "%s",
    "lambda: 0",
    "1,000",
    "½½",
    "٣",
    "max()",
    "max(,)",
    ",",
    "nan",
    "inf",
    "None",
    "True",
    sympy.oo,
    sympy.nan,
    sympy.pi,
    sympy.Symbol("Q"),
    sympy.sin(sympy.Symbol("B")),
    sympy.Matrix([1]),
    raises,
    exits,
    interrupts,
    prints,
    recurses,
    grows,
    print,
    lambda: 3,
    lambda B, D, F: None,
    lambda B, D, F: 2 if B > 3 else 1,
    len,
]

PLACES = [("1b", "ops"), ("1c", "batch"), ("1d", "lower")]


@pytest.mark.parametrize("question, part", PLACES)
@pytest.mark.parametrize("number", range(len(HOSTILE)))  # pytest would look at the objects
def test_a_kind_sentence_within_a_second(question, part, number, capfd):
    answer = HOSTILE[number]
    began = time.perf_counter()
    verdict = check(question, **{part: answer})
    took = time.perf_counter() - began
    assert isinstance(verdict, Verdict)
    assert verdict.outcome in ("unreadable", "wrong", "undecided")
    assert verdict.score == 0
    assert verdict.message
    for shown in (repr(verdict), verdict._repr_html_(), verdict._repr_markdown_()):
        assert len(shown) < 3000
        assert "<script>" not in shown or shown is not verdict._repr_html_()
    out, err = capfd.readouterr()
    assert out + err == ""
    assert took < 1


@pytest.mark.parametrize("function", [loops, loops_and_catches])
@pytest.mark.parametrize("thread", [False, True])
def test_a_function_without_end_is_stopped(function, thread, monkeypatch):
    """By signal in the main thread, by tracing lines elsewhere."""
    monkeypatch.setattr(guard, "SECONDS", 0.2)
    found = []
    began = time.perf_counter()
    if thread:
        runner = threading.Thread(target=lambda: found.append(check("1b", function)))
        runner.start()
        runner.join(5)
        assert not runner.is_alive()
    else:
        found.append(check("1b", function))
    assert time.perf_counter() - began < 1.5
    assert found[0].outcome == "unreadable"
    assert "stopped" in found[0].message


def test_the_limit_is_two_seconds():
    assert guard.SECONDS == 2


def test_a_function_says_what_it_raised():
    assert "ValueError: no" in check("1b", raises).message
    assert "SystemExit" in check("1b", exits).message
    assert "interrupted" in check("1b", interrupts).message
    assert "prints without end" in check("1b", prints).message
    assert "calls itself" in check("1b", recurses).message


def test_lies_about_a_value_are_not_believed():
    assert check("1b", LyingText("B*D*F")).outcome == "wrong"
    assert check("1c", batch=LyingNumber(7)).parts["batch"].outcome == "wrong"


def test_numbers_of_other_kinds_are_numbers():
    for number in (240, 240.0, Fraction(240), Decimal(240), np.int64(240), np.float32(240)):
        assert check("1c", batch=number).parts["batch"].outcome == "right", type(number)
    assert check("1c", batch=sympy.Integer(240)).parts["batch"].outcome == "right"
    assert check("1c", batch=sympy.Rational(480, 2)).parts["batch"].outcome == "right"


def test_sympy_expressions_are_read():
    B, D, F = sympy.symbols("B D F", positive=True)
    assert check("1b", 2 * B * D * F).outcome == "right"
    assert check("1b", B * D * F).key == "BDF"
    assert check("1c", intensity=2 / (1 / B + 1 / D + 1 / F)).parts["intensity"].score == 1
    t_math, t_comms = 2 * B * D * F / 3.94e14, (B * D + D * F + B * F) / 8.2e11
    assert check("1d", lower=sympy.Max(t_math, t_comms)).parts["lower"].score == 1
    assert check("1d", lower=sympy.Min(t_math, t_comms)).parts["lower"].key == "min"


def test_functions_of_the_letters_are_read():
    assert check("1b", lambda B, D, F: 2 * B * D * F).outcome == "right"
    assert check("1b", lambda F, B, D: B * D * F).key == "BDF"
    assert check("1c", limit=lambda B: 2 * B).parts["limit"].outcome == "right"
    t = lambda B, D, F: (2 * B * D * F / 3.94e14, (B * D + D * F + B * F) / 8.2e11)  # noqa: E731
    assert check("1d", lower=lambda B, D, F: max(t(B, D, F))).parts["lower"].score == 1
    assert check("1d", lower=lambda B, D, F: np.maximum(*t(B, D, F))).parts["lower"].score == 1
    assert check("1d", lower=lambda B, D, F: min(*t(B, D, F))).parts["lower"].key == "min"


def test_an_error_of_our_own_would_be_a_sentence_too(monkeypatch):
    def broken(*_):
        raise RuntimeError

    monkeypatch.setattr(session, "judge", broken)
    assert check("1b", "B").key == "fault"


NO_NAMES = ["", "1", "9z", None, 3, 1.5, ..., [], EqualsEverything(), Explodes(), "💥"]


@pytest.mark.parametrize("number", range(len(NO_NAMES)))
def test_any_question_name(number):
    verdict = check(NO_NAMES[number], "2BDF")
    assert verdict.outcome == "unreadable"
    assert "1a" in verdict.message


def test_names_are_read_in_any_letter_case():
    assert check(" 1B ", "2BDF").outcome == "right"


def test_more_answers_than_parts():
    assert check("1b", "B", "D").outcome == "unreadable"
    assert check("1a", "B*D", "B*F").outcome == "unreadable"
    assert 'check("1a", read=..., written=...)' in check("1a", "B*D", "B*F").message
    assert check("1a", ...).outcome == "unattempted"
    assert check("1a").outcome == "unattempted"
    assert check("1b", "2BDF", ops="2BDF").outcome == "right"
