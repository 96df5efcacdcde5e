"""Critical sizes: every row of the facts, never and always, any letter."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rooflib as rl
from rooflib.chips import Chip

V5E, H100 = rl.chip("TPU v5e"), rl.chip("H100")


def batch(D, F, **formats):
    return lambda B: rl.matmul(B, D, F, **formats)


@pytest.mark.parametrize(
    "D, bf16, weights_int8",
    [
        (8192, 255.21, 127.61),
        (4096, 272.17, 136.09),
        (2048, 313.89, 156.94),
        (1024, 452.63, 226.31),
        (512, 3903.41, 1951.70),
    ],
)
def test_critical_batches_on_v5e(D, bf16, weights_int8):
    assert rl.critical(batch(D, D), V5E) == pytest.approx(bf16, abs=5.1e-3)
    assert rl.critical(batch(D, D, dtype="int8"), V5E) == pytest.approx(bf16, abs=5.1e-3)
    assert rl.critical(batch(D, D, w="int8"), V5E) == pytest.approx(weights_int8, abs=5.1e-3)
    exact = rl.critical(batch(D, D), V5E).exact, rl.critical(batch(D, D, w="int8"), V5E).exact
    assert exact[0] == 2 * exact[1]


@pytest.mark.parametrize(
    "chip, fn, expected",
    [
        ("TPU v5e", batch(8192, 28672), 249.66),
        ("TPU v5e", batch(4096, 4096, out="fp32"), 291.54),
        ("TPU v5e", batch(1024, 1024, out="fp32"), 811.20),
        ("TPU v5e", batch(2048, 768, w="int8"), 210.8),
        ("H100", batch(4096, 4096), 344.95),
        ("H100", batch(1024, 1024), 697.28),
        ("H100", batch(768, 2048, w="int8"), 313.1),
        ("H200", batch(768, 2048, w="int8"), 163.2),
    ],
)
def test_other_critical_batches(chip, fn, expected):
    assert rl.critical(fn, chip) == pytest.approx(expected, abs=0.06)


@pytest.mark.parametrize(
    "chip, D", [("TPU v5e", 480), ("TPU v5e", 128), ("H100", 590), ("H100", 256)]
)
def test_never(chip, D):
    found = rl.critical(batch(D, D), chip)
    assert (found, found.direction, found.exact) == (math.inf, "never", None)


def test_just_after_never():
    assert math.isfinite(rl.critical(batch(481, 481), V5E))
    assert math.isfinite(rl.critical(batch(591, 591), H100))


@pytest.mark.parametrize(
    "name, bf16, int8_weights, int4_weights",
    [
        ("TPU v3", 156, 78, 39), ("TPU v4p", 229, 115, 57), ("TPU v5p", 164, 82, 41), ("TPU v5e", 240, 120, 60),
        ("TPU v6e", 575, 288, 144), ("TPU7x", 311, 155, 78), ("A100", 155, 78, 39), ("H100", 295, 148, 74),
        ("H200", 206, 103, 52), ("B200", 281, 141, 70),
    ],
)  # fmt: skip
def test_the_rule_for_small_batches(name, bf16, int8_weights, int4_weights):
    for formats, rule in (({}, bf16), ({"w": "int8"}, int8_weights), ({"w": "int4"}, int4_weights)):
        assert abs(rl.critical(batch(10**6, 10**6, **formats), name).rule - rule) <= 0.51


def test_int8_everywhere_halves_the_batch_where_its_rate_does_not_double():
    assert rl.critical(batch(10**6, 10**6, dtype="int8"), "TPU v4p").rule == pytest.approx(
        114.6, abs=0.05
    )


def test_a_critical_size_tells_more_than_its_number():
    found = rl.critical(batch(4096, 4096, w="int8"), V5E)
    assert isinstance(found.exact, Fraction)
    assert (found.direction, found.whole, round(found.rule, 1)) == ("above", 137, 120.1)
    assert rl.critical(batch(1024, 1024, w="int8"), V5E).whole == 227


@given(st.integers(600, 2**15), st.integers(600, 2**15))
def test_compute_binds_just_above_and_not_just_below(D, F):
    found = rl.critical(batch(D, F), V5E)
    if found.direction == "above":
        above, below = Fraction(found.exact * 1001, 1000), Fraction(found.exact * 999, 1000)
        assert rl.estimate(rl.matmul(above, D, F), V5E).bound == "compute"
        assert rl.estimate(rl.matmul(below, D, F), V5E).bound == "hbm"
        assert 1 / float(found) == pytest.approx(1 / V5E.ridge() - 1 / D - 1 / F)


def test_critical_in_another_letter():
    assert rl.critical(lambda D: rl.matmul(300, D, 4096), V5E) == pytest.approx(
        1 / (1 / V5E.ridge() - 1 / 300 - 1 / 4096)
    )
    assert rl.critical(lambda D: rl.matmul(200, D, 4096), V5E) == math.inf


def test_a_batch_that_does_not_help_is_never_or_always():
    def own_matrices(b):
        return rl.einsum("bd,bdf->bf", b=b, d=4096, f=4096, dtypes="int8")

    assert rl.critical(own_matrices, V5E) == math.inf
    slow = Chip("slow", matrix={"int8": 1e12}, links={"hbm": 1e12})
    found = rl.critical(own_matrices, slow)
    assert (found, found.direction) == (0, "always")


def test_growing_may_also_lose():
    def fixed_work(b):  # the arithmetic is fixed and the traffic grows
        return rl.einsum("n,m->nm", n=1, m=1) + rl.einsum(
            "b->", b=b, dtypes="int8", compute="bf16", unit="vector"
        )

    odd = Chip("odd", matrix={"bf16": 1e-1}, vector={"bf16": 1e15}, links={"hbm": 1.0})
    found = rl.critical(fixed_work, odd)
    assert found.direction == "below"
    assert rl.estimate(fixed_work(2), odd).bound == "compute"
    assert rl.estimate(fixed_work(100), odd).bound == "hbm"


MM = rl.matmul(8, 8, 8)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: rl.critical(lambda B: 5, V5E), TypeError, "fn must return a Work; got 5"),
        (lambda: rl.critical(MM, V5E), TypeError, "fn must be a function"),
        (lambda: rl.critical(batch(8, 8), V5E, link="ici"), ValueError, "moves nothing on 'ici'"),
        (lambda: rl.critical(lambda B: rl.matmul(B * B, B, 8), V5E), ValueError, "not affine"),
        (
            lambda: rl.critical(lambda B: rl.matmul(B - 1, 8, 8), V5E),
            ValueError,
            "B must be above 0",
        ),
    ],
)
def test_bad_input_says_what_and_what_instead(call, error, says):
    with pytest.raises(error, match=re.escape(says)):
        call()
