"""The wire form of an answer: what each value becomes, what comes back, and what is refused."""

import json
import math
from collections import OrderedDict
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.classroom.literal import answers
from rooflib.practice.judge import judge
from rooflib.practice.question import NumberPart, Question

WIRE = {
    "an ellipsis": (..., {"blank": True}),
    "None": (None, {"blank": True}),
    "empty text": ("", {"blank": True}),
    "blanks": (" \n\t", {"blank": True}),
    "text": ("2*B", {"text": "2*B"}),
    "text with blanks": (" 2*B ", {"text": " 2*B "}),
    "the longest text": ("x" * 2000, {"text": "x" * 2000}),
    "a longer text": ("x" * 2001, {"odd": "a text of 2001 characters (2000 are the most)"}),
    "half a character": ("2\ud800", {"text": "2?"}),
    "int": (120, {"number": "120"}),
    "negative": (-3, {"number": "-3"}),
    "float": (0.5, {"number": "0.5"}),
    "a tiny float": (5e-324, {"number": "5e-324"}),
    "a large float": (1.97e14, {"number": "197000000000000.0"}),
    "Fraction": (Fraction(-3, 2), {"number": "-3/2"}),
    "a whole Fraction": (Fraction(3), {"number": "3"}),
    "the longest int": (10**399, {"number": str(10**399)}),
    "a longer int": (10**400, {"odd": "a number of more than 400 digits"}),
    "a far longer int": (1 << 10**7, {"odd": "a number of more than 400 digits"}),
    "a long Fraction": (Fraction(1, 10**400), {"odd": "a number of more than 400 digits"}),
    "nan": (math.nan, {"odd": "nan, not a number"}),
    "infinite": (-math.inf, {"odd": "an infinite number"}),
    "True": (True, {"odd": "the value True"}),
    "complex": (1j, {"odd": "a complex number"}),
    "bytes": (b"2", {"odd": "a text in bytes"}),
    "list": ([1], {"odd": "a list"}),
    "tuple": ((1,), {"odd": "a tuple"}),
    "dict": ({}, {"odd": "a dict"}),
    "set": ({1}, {"odd": "a set"}),
    "another object": (OrderedDict(), {"odd": "an object of type OrderedDict"}),
}  # fmt: skip


@pytest.mark.parametrize("name", WIRE)
def test_the_wire_form_of_a_value(name):
    value, wire = WIRE[name]
    assert answers.wire(value) == wire
    assert answers.valid(json.loads(json.dumps(wire))) == wire


class Pretends(str):
    def strip(self, *_):
        return ""


def test_a_type_that_only_pretends_is_odd():
    assert answers.wire(Pretends("2")) == {"odd": "an object of type Pretends"}


BACK = ["2*B", 120, -3, 0.5, 5e-324, 1e308, Fraction(-3, 2), 10**399]


@pytest.mark.parametrize("value", BACK)
def test_a_value_comes_back_as_it_was(value):
    back = answers.value(answers.wire(value), None)
    assert type(back) is type(value)
    assert back == value


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.fractions())
def test_every_number_comes_back_exactly(value):
    wire = answers.wire(value)
    if "odd" not in wire:
        assert answers.valid(json.loads(json.dumps(wire))) == wire
        assert answers.value(wire, None) == value


def test_blank_and_formula_come_back_as_the_judge_takes_them():
    assert answers.value({"blank": True}, None) is ...
    assert answers.value({"formula": "2*B"}, None) == "2*B"


def test_what_is_odd_is_named_by_the_judge():
    part = NumberPart("batch", "How many?", 240)
    question = Question("1a", "How many?", (part,), (), "", "")
    for wire in ({"odd": "a list"}, {"code": "a\0list"}):
        verdict = judge(question, {"batch": answers.value(wire, part)})["batch"]
        assert verdict.outcome == "unreadable"
        assert "this is of type a list." in verdict.message


DEEP = [1.0]
for _ in range(20):
    DEEP = [DEEP]

REFUSED = {
    "None": None,
    "text": "2*B",
    "a list": [{"text": "2*B"}],
    "nothing": {},
    "two at once": {"text": "2*B", "number": "3"},
    "another kind": {"pickle": "2*B"},
    "a key that is no text": {1: "x"},
    "a subclass of dict": OrderedDict(text="2*B"),
    "blank, but no": {"blank": False},
    "blank by a number": {"blank": 1},
    "text that is none": {"text": 3},
    "a longer text": {"text": "x" * 2001},
    "a longer formula": {"formula": "x" * 2001},
    "a number that is none": {"number": 3},
    "words": {"number": "three"},
    "nothing written": {"number": ""},
    "blanks about": {"number": " 3"},
    "a line end": {"number": "3\n"},
    "nan": {"number": "nan"},
    "inf": {"number": "inf"},
    "beyond floats": {"number": "1e999"},
    "a long exponent": {"number": "1e99999999"},
    "divided by zero": {"number": "1/0"},
    "divided twice": {"number": "1/2/3"},
    "other digits": {"number": "१"},
    "hexadecimal": {"number": "0x10"},
    "underscores": {"number": "1_000"},
    "too many digits": {"number": "1" * 401},
    "odd, but blank": {"odd": " "},
    "odd at length": {"odd": "x" * 201},
    "code that is no text": {"code": ["x"]},
    "returns that is none": {"returns": [1]},
    "nested too deeply": {"returns": {"points": DEEP}},
    "too much": {"plot": {"x": [0] * 60_000}},
    "too much in many": {"plot": {"x": [[0] * 300] * 300}},
    "a key too long": {"plot": {"x" * 201: 0}},
    "a long text inside": {"plot": {"x": ["y" * 2001]}},
    "an object inside": {"plot": {"x": [object()]}},
    "a key that is no text inside": {"plot": {"x": {1: 2}}},
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_answer_is_refused(name):
    assert answers.valid(REFUSED[name]) is None


KEPT = {
    "a signed number": ({"number": "+3"}, {"number": "+3"}),
    "a number without a digit before": ({"number": ".5"}, {"number": ".5"}),
    "a blank text": ({"text": "  "}, {"blank": True}),
    "half a character": ({"formula": "2\ud800"}, {"formula": "2?"}),
    "lines in a phrase": ({"code": "it\ncalls\x00f"}, {"code": "it calls f"}),
    "returns": ({"returns": {"points": [[[1, 2], 3.5], [[4, 5], {"raised": "E"}]]}},) * 2,
    "plot": ({"plot": {"lines": [{"x": [1, 2], "label": None}]}},) * 2,
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_what_is_an_answer_is_kept(name):
    data, kept = KEPT[name]
    assert answers.valid(data) == kept


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
KEYS = st.sampled_from(["blank", "text", "number", "formula", "odd", "code", "returns", "plot"])


@given(
    JSON
    | st.dictionaries(KEYS, JSON, max_size=2)
    | KEYS.flatmap(lambda k: st.fixed_dictionaries({k: JSON}))
)
def test_whatever_is_valid_stays_so(data):
    kept = answers.valid(data)
    if kept is not None:
        json.dumps(kept).encode("ascii")
        assert repr(answers.valid(kept)) == repr(kept)


@given(st.text(max_size=300), st.integers(1, 50))
def test_a_phrase_is_one_printable_line(text, most):
    line = answers.phrase(text, most)
    assert len(line) <= most
    assert line.isprintable()
    line.encode("utf-8")
