"""Many chips: what each does, reads and sends; the chapter's two chips and their two meanings."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rooflib as rl

V5E = rl.chip("TPU v5e")


def two(B, D, F, **how):
    return rl.shard(rl.matmul(B, D, F), "D", chips=2, **how)


@pytest.mark.parametrize(
    "B, D, F, math_us, ici, hbm, one, overlapped, not_overlapped, nothing_overlapped",
    [
        (1024, 8192, 8192, 348.8, 372.8, 112.5, 697.7, 372.8, 721.7, 834.2),
        (1024, 4096, 8192, 174.4, 372.8, 66.5, 348.8, 372.8, 547.2, 613.7),
        (128, 16384, 16384, 174.4, 93.2, 335.0, 665.0, 335.0, 428.2, 602.7),
    ],
)
def test_two_chips(B, D, F, math_us, ici, hbm, one, overlapped, not_overlapped, nothing_overlapped):
    t = rl.estimate(two(B, D, F), V5E)
    found = (
        t.math, t.comms["ici"], t.comms["hbm"], rl.estimate(rl.matmul(B, D, F), V5E).lower,
        t.lower, t.at({"ici": 0}), t.upper,
    )  # fmt: skip
    expected = (math_us, ici, hbm, one, overlapped, not_overlapped, nothing_overlapped)
    assert [x * 1e6 for x in found] == pytest.approx(expected, abs=0.051)


@pytest.mark.parametrize("D, overlapped, not_overlapped", [(8192, 1.87, 0.97), (4096, 0.94, 0.64)])
def test_speed_up_over_one_chip(D, overlapped, not_overlapped):
    one, both = rl.estimate(rl.matmul(1024, D, 8192), V5E), rl.estimate(two(1024, D, 8192), V5E)
    assert one.lower / both.lower == pytest.approx(overlapped, abs=5e-3)
    assert one.lower / both.at({"ici": 0}) == pytest.approx(not_overlapped, abs=5e-3)


def test_the_symbols_of_the_chapter():
    B, D, F = rl.symbols("B D F")
    work = two(B, D, F)
    assert work.ops == B * D * F
    assert work.bytes["ici"] == 2 * B * F
    assert work.intensity("ici") == D / 2
    hbm = 1 / work.intensity("hbm")
    assert (hbm - (1 / B + 1 / F + 2 / D)).simplify() == 0


@pytest.mark.parametrize(
    "chip, link, threshold, digits",
    [
        ("TPU v5e", "ici", 8755.6, 0.05), ("TPU v5p", "ici", 10_200, 0.5), ("TPU v4p", "ici", 12_222, 0.5),
        ("TPU v6e", "ici", 20_444, 0.5), ("H100", "nvlink", 4396, 0.5), ("H100", "infiniband", 39_560, 0.5),
    ],
)  # fmt: skip
def test_the_width_from_which_the_link_no_longer_binds(chip, link, threshold, digits):
    machine = rl.chip(chip)
    found = rl.critical(lambda D: two(1024, D, 8192, link=link), machine, link=link)
    assert found == pytest.approx(threshold, abs=digits)
    other = rl.critical(lambda D: two(7, D, 999_983, link=link), machine, link=link)
    assert other.exact == found.exact  # neither B nor F is in it


def test_partial_sums_in_fp32_double_the_width():
    found = rl.critical(lambda D: two(1024, D, 8192, sums="fp32"), V5E, link="ici")
    assert found == pytest.approx(17_511, abs=0.5)


def test_where_two_chips_break_even():
    def one(D, B=1024):
        return rl.matmul(B, D, 8192)

    def both(D, B=1024):
        return rl.shard(one(D, B), "D")

    assert rl.break_even(one, both, V5E) == pytest.approx(4377.8, abs=0.05)
    assert rl.break_even(one, both, V5E, overlap={"ici": 0}) == pytest.approx(8755.6, abs=0.05)
    narrow = rl.break_even(lambda D: one(D, 128), lambda D: both(D, 128), V5E)
    assert narrow == pytest.approx(2171, abs=0.5)
    ratio = Fraction(820, 45)
    assert narrow.exact == Fraction(128 * 8192, 128 + 8192) * (ratio - 1)
    assert narrow.direction == "above"


def test_below_the_ridge_math_never_binds_and_above_it_only_from_some_width_on():
    found = rl.critical(lambda D: two(256, D, 8192), V5E)
    assert found == pytest.approx(14_912, abs=0.5)
    assert rl.critical(lambda D: two(128, D, 8192), V5E) == math.inf


@pytest.mark.parametrize(
    "F, chips, batch", [(28672, 1, 249.66), (28672, 64, 553), (28672, 128, math.inf)]
)
def test_the_batch_per_replica_stays_only_while_shards_stay_wide(F, chips, batch):
    def share(B):
        layer = rl.matmul(B, 8192, F)
        return rl.shard(layer, "F", chips)

    assert rl.critical(share, V5E) == pytest.approx(batch, abs=0.5)


def test_one_chip_is_the_work_itself():
    work = rl.matmul(64, 128, 256)
    assert rl.shard(work, "D", 1) is work


def test_an_output_axis_needs_no_exchange():
    for axis in "BF":
        work = rl.shard(rl.matmul(64, 128, 256), axis, chips=4)
        assert list(work.bytes) == ["hbm"]
        assert work.ops * 4 == rl.matmul(64, 128, 256).ops


@pytest.mark.parametrize("n", [3, 4, 8, 16])
def test_rings(n):
    V = 2 * 64 * 256
    one_way = rl.shard(rl.matmul(64, 480, 256), "D", n)
    both_ways = rl.shard(rl.matmul(64, 480, 256), "D", n, ring="both-ways")
    assert one_way.bytes["ici"] == Fraction(2 * V * (n - 1), n)
    assert both_ways.bytes["ici"] == Fraction(V * (n - 1), n)
    assert one_way.one.traffic["ici"].messages == 2 * (n - 1)


def test_a_large_ring_costs_twice_the_array_over_both_directions():
    V, W = 2 * 64 * 256, 2 * 4.5e10
    work = rl.shard(rl.matmul(64, 2**20, 256), "D", 1000, ring="both-ways")
    assert work.bytes["ici"] / 4.5e10 == pytest.approx(2 * V / W, rel=2e-3)


def test_a_small_message_is_bound_by_the_hop():
    assert rl.estimate(two(8, 8192, 1024), V5E).comms["ici"] == 1e-6  # 16 kB
    assert rl.estimate(two(64, 8192, 1024), V5E).comms["ici"] == pytest.approx(131072 / 4.5e10)
    assert pytest.approx(45e3) == 1e-6 * 4.5e10


def test_what_does_not_divide_is_an_average_and_says_so():
    work = rl.shard(rl.matmul(64, 4097, 256), "D")
    assert work.ops == rl.matmul(64, 4097, 256).ops // 2
    assert "does not divide" in repr(work)


def test_splits_can_follow_each_other():
    work = rl.shard(rl.shard(rl.matmul(64, 128, 256), "D", 2), "F", 2)
    assert work.ops * 4 == rl.matmul(64, 128, 256).ops
    again = rl.shard(rl.shard(rl.matmul(64, 128, 256), "D", 2), "D", 2)
    assert again.bytes["ici"] == 2 * (2 * 64 * 256)


def test_the_report_names_what_was_done():
    text = repr(two(1024, 8192, 8192))
    assert "per chip, D split over 2 chips; partial sums in bf16 added over ici, one-way" in text
    assert "16.8 MB" in text
    assert "ici" in repr(rl.estimate(two(1024, 8192, 8192), V5E))


sizes = st.integers(1, 2**16)


@given(sizes, sizes, sizes, st.integers(2, 64), st.sampled_from("BDF"))
def test_sharding_conserves_operations(B, D, F, n, axis):
    whole, share = rl.matmul(B, D, F), rl.shard(rl.matmul(B, D, F), axis, n)
    assert share.ops * n == whole.ops
    assert share.bytes["hbm"] * n >= whole.bytes["hbm"]


@given(sizes, sizes, sizes, st.integers(2, 64), st.sampled_from("BDF"))
def test_numbers_arrays_and_symbols_agree(B, D, F, n, axis):
    number = rl.shard(rl.matmul(B, D, F), axis, n)
    array = rl.shard(rl.matmul(np.array([B]), D, F), axis, n)
    letters = rl.symbols("B D F")
    symbol = rl.shard(rl.matmul(*letters), axis, n)
    at = dict(zip(letters, (B, D, F), strict=True))
    for link in number.bytes:
        assert np.ravel(array.bytes[link])[0] == pytest.approx(float(number.bytes[link]))
        assert symbol.bytes[link].subs(at) == number.bytes[link]


@given(sizes, sizes, sizes, st.integers(2, 64), st.floats(0, 1), st.floats(0, 1))
def test_three_times_obey_the_bounds(B, D, F, n, hbm, ici):
    t = rl.estimate(rl.shard(rl.matmul(B, D, F), "D", n), V5E)
    slack = 1 + 1e-12
    assert t.lower <= t.at({"hbm": hbm, "ici": ici}) * slack
    assert t.at({"hbm": hbm, "ici": ici}) <= t.upper * slack
    assert t.upper <= 3 * t.lower * slack


MM = rl.matmul(8, 8, 8)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: rl.shard(MM, "G"), ValueError, "unknown axis 'G'; valid: B, D, F"),
        (lambda: rl.shard(MM, 3), TypeError, "axis must be one of the names B, D, F"),
        (lambda: rl.shard(MM, "D", 0), ValueError, "chips must be above 0"),
        (lambda: rl.shard(MM, "D", 2.5), TypeError, "chips must be a whole number; got 2.5"),
        (lambda: rl.shard(MM, "D", True), TypeError, "chips must be a number"),
        (lambda: rl.shard(MM, "D", np.array([2, 4])), TypeError, "chips must be a whole number"),
        (lambda: rl.shard(MM, "D", ring="both-ways"), ValueError, "two chips share one link"),
        (lambda: rl.shard(MM, "D", 4, ring="duplex"), ValueError, "unknown ring 'duplex'; valid: one-way, both-ways"),
        (lambda: rl.shard(MM, "D", sums="bf61"), ValueError, "unknown dtype 'bf61'"),
        (lambda: rl.shard(MM + MM, "D"), ValueError, "do each part, then add"),
        (lambda: rl.shard(rl.tile(MM, 2, 2, 2), "D"), ValueError, "shard first, then tile"),
        (lambda: rl.estimate(two(8, 8, 8, link="nvlink"), V5E), ValueError, "unknown link of TPU v5e 'nvlink'; valid: hbm"),
        (lambda: two(8, 8, 8).bytes["nvlink"], ValueError, "moves nothing on 'nvlink'; it uses: hbm, ici"),
        (lambda: rl.break_even(MM, lambda D: MM, V5E), TypeError, "fn must be a function"),
        (lambda: rl.break_even(lambda D: MM, lambda D: 3, V5E), TypeError, "fn must return a Work; got 3"),
    ],
)  # fmt: skip
def test_bad_input_says_what_and_what_instead(call, error, says):
    with pytest.raises(error, match=re.escape(says)):
        call()
