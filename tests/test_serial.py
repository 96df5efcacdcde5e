"""Dicts and JSON, there and back, exactly."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rooflib as rl

sizes = st.one_of(
    st.integers(1, 2**130),
    st.floats(1e-6, 1e30),
    st.fractions(min_value=Fraction(1, 1000), max_value=10**9),
)


def same(a, b):
    assert repr(a) == repr(b)
    assert type(a.ops) is type(b.ops)
    assert np.all(a.ops == b.ops)
    assert dict(a.bytes).keys() == dict(b.bytes).keys()
    for link in a.bytes:
        assert np.all(a.bytes[link] == b.bytes[link])


@given(sizes, sizes, sizes, st.sampled_from(["bf16", "int8", "int4"]))
def test_any_work_comes_back(B, D, F, w):
    work = rl.matmul(B, D, F, w=w)
    same(work, rl.from_json(rl.to_json(work)))


@pytest.mark.parametrize(
    "work",
    [
        rl.matmul(2**40, 2**40, 2**40),
        rl.dot(1000),
        rl.matmul(np.linspace(0.1, 7, 5), 4096, 4096),
        rl.matmul(np.ones((2, 1)), np.ones(3), 8),
        rl.shard(rl.matmul(64, 4097, 256), "D", 3, sums="fp32"),
        rl.tile(rl.matmul(1000, 300, 700), 128, 64, 256),
        rl.matmul(64, 128, 128).resident("Y"),
        rl.matmul(8, 8, 8) + rl.einsum("bd,bdf->bf", b=1, d=2, f=3, dtypes="int8"),
        rl.matmul(*rl.symbols("B D F")),
    ],
)
def test_every_kind_of_work_comes_back(work):
    same(work, rl.from_json(rl.to_json(work)))


@pytest.mark.parametrize("chip", rl.chips(), ids=lambda chip: chip.name)
def test_every_chip_comes_back(chip):
    assert rl.from_json(rl.to_json(chip)) == chip


def test_times_come_back_and_can_be_read_by_others():
    times = rl.estimate(rl.shard(rl.matmul(1024, 8192, 8192), "D"), "TPU v5e")
    data = json.loads(rl.to_json(times))
    assert data["seconds"]["lower"] == times.lower
    back = rl.from_dict(data)
    assert (back.lower, back.upper, back.bound) == (times.lower, times.upper, times.bound)
    curve = rl.estimate(rl.matmul([1, 2, 3], 8, 8), "TPU v5e")
    assert np.all(rl.from_json(rl.to_json(curve)).lower == curve.lower)


def test_a_dict_is_plain():
    def plain(x):
        if isinstance(x, dict):
            return all(type(k) is str and plain(v) for k, v in x.items())
        if isinstance(x, list):
            return all(map(plain, x))
        return x is None or type(x) in (str, int, float, bool)

    assert plain(rl.to_dict(rl.estimate(rl.matmul([1, 2], Fraction(7, 2), 8), "H100")))


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: rl.to_dict(5), TypeError, "can store a Work, a Chip or Times; got 5"),
        (lambda: rl.to_dict(rl.shard(rl.matmul(*rl.symbols("B D F")), "D")), ValueError, "cannot store the formula D/2"),
        (lambda: rl.from_dict({}), ValueError, "unknown kind of thing None; valid: work, chip, times"),
        (lambda: rl.from_dict({"rooflib": "works"}), ValueError, "Did you mean 'work'"),
        (lambda: rl.from_dict([1]), ValueError, "unknown kind of thing"),
        (lambda: rl.from_dict({"rooflib": "work"}), ValueError, "this work has no 'operations'"),
        (lambda: rl.from_dict({"rooflib": "work", "operations": 3}), ValueError, "this is no stored work"),
        (lambda: rl.from_dict({"rooflib": "chip", "name": "x", "matrix": {}, "vector": {}, "links": {"hbm": {}}}), ValueError, "this is no stored chip"),
        (lambda: rl.from_json("{"), ValueError, "Expecting"),
    ],
)  # fmt: skip
def test_bad_input_says_what_and_what_instead(call, error, says):
    with pytest.raises(error, match=re.escape(says)):
        call()


def test_a_size_that_was_damaged_in_the_file_is_refused():
    data = rl.to_dict(rl.matmul(8, 8, 8))
    data["operations"][0]["sizes"]["B"] = -8
    with pytest.raises(ValueError, match="B must be above 0 and finite; got -8"):
        rl.from_dict(data)
