"""Times, bounds and critical sizes: the chapter's numbers, and the laws that they obey."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rooflib as rl
from rooflib.chips import Chip

V5E, H100 = rl.chip("TPU v5e"), rl.chip("H100")
US = 1e6


# times ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "B, formats, math_us, hbm_us",
    [
        (1, {}, 0.681, 163.7),
        (240, {}, 163.5, 173.3),
        (256, {}, 87.2 * 2, 174.0),
        (512, {}, 348.8, 184.1),
        (1, {"w": "int8"}, 0.681, 81.9),
        (240, {"w": "int8"}, 163.5, 91.4),
        (512, {"w": "int8"}, 348.8, 102.3),
        (256, {"dtype": "int8"}, 87.2, 87.0),
    ],
)
def test_times_of_a_layer_of_8192(B, formats, math_us, hbm_us):
    t = rl.estimate(rl.matmul(B, 8192, 8192, **formats), V5E)
    assert t.math * US == pytest.approx(math_us, rel=1e-3)
    assert t.comms["hbm"] * US == pytest.approx(hbm_us, rel=1e-3)
    assert t.lower == max(t.math, t.comms["hbm"])
    assert t.upper == t.math + t.comms["hbm"]


def test_the_chapters_first_numbers():
    v6e = Chip("v6e of the chapter", matrix={"bf16": 9.1e14}, links={"hbm": 1.6e12})
    work = rl.matmul(1000, 500_000, 1000)
    assert work.ops == 10**12
    assert rl.estimate(work, H100).math == pytest.approx(1.01e-3, abs=5e-6)
    assert rl.estimate(work, v6e).math == pytest.approx(1.10e-3, abs=5e-6)
    assert v6e.ridge() == 568.75


def test_240_times_the_work_for_6_percent_more_time():
    one, many = (rl.estimate(rl.matmul(B, 8192, 8192), V5E).lower for B in (1, 240))
    assert many / one == pytest.approx(1.058, abs=5e-4)


def test_overlap_is_worth_most_where_both_times_are_equal():
    gain = {
        B: (t := rl.estimate(rl.matmul(B, 8192, 8192), V5E)).upper / t.lower for B in (1, 255, 1024)
    }
    assert gain[1] == pytest.approx(1.004, abs=5e-4)
    assert gain[255] > 1.99
    assert gain[1024] < 1.3


def test_a_dot_product_is_priced_on_the_vector_unit():
    t = rl.estimate(rl.dot(10**9), V5E)
    assert t.comms["hbm"] == pytest.approx(4.88e-3, abs=5e-6)
    assert t.math == pytest.approx(0.33e-3, abs=5e-6)
    assert t.bound == "hbm"
    mxu_roof, vpu_roof = V5E.peak("bf16"), V5E.peak("fp32", "vector")
    assert mxu_roof / t.attained == pytest.approx(480, abs=1)
    assert vpu_roof / t.attained == pytest.approx(15, abs=0.2)


@pytest.mark.parametrize(
    "B, D, formats, share",
    [
        (240, 1024, {}, 0.68),
        (120, 4096, {"w": "int8"}, 0.89),
        (120, 1024, {"w": "int8"}, 0.68),
        (300, 8192, {}, 1.0),
    ],
)
def test_share_of_the_peak(B, D, formats, share):
    assert rl.estimate(rl.matmul(B, D, D, **formats), V5E).utilisation == pytest.approx(
        share, abs=6e-3
    )


def test_arrays_give_curves():
    B = np.arange(1, 512)
    t = rl.estimate(rl.matmul(B, 4096, 4096), V5E)
    assert t.lower.shape == t.attained.shape == t.bound.shape == (511,)
    assert np.flatnonzero(t.bound == "compute")[0] + 1 == 273
    for i in (0, 100, 300):
        single = rl.estimate(rl.matmul(int(B[i]), 4096, 4096), V5E)
        assert t.lower[i] == pytest.approx(single.lower, rel=1e-14)
        assert t.attained[i] == pytest.approx(single.attained, rel=1e-14)
        assert t.bound[i] == single.bound
    grid = rl.estimate(rl.matmul(B, np.array([[1024], [4096]]), 4096), V5E)
    assert grid.bound.shape == (2, 511)


def test_each_operation_of_a_sum_is_priced_at_its_own_peak():
    a, b = rl.matmul(512, 4096, 4096), rl.matmul(512, 4096, 4096, dtype="int8")
    both = rl.estimate(a + b, V5E)
    assert both.math == pytest.approx(rl.estimate(a, V5E).math + rl.estimate(b, V5E).math)
    assert 0 < both.utilisation <= 1


def test_at_a_tie_the_chip_is_at_its_peak():
    even = Chip("even", matrix={"bf16": 1e12}, links={"hbm": 1e12})
    work = rl.einsum("b,f->bf", b=1, f=1, dtypes="int8", compute="bf16")
    tie = Chip("tie", matrix={"bf16": work.ops}, links={"hbm": work.bytes["hbm"]})
    assert rl.estimate(work, tie).bound == "compute"
    assert rl.estimate(work, even).bound == "hbm"


def test_a_huge_work_is_no_problem():
    t = rl.estimate(rl.matmul(2**40, 2**40, 2**40), V5E)
    assert t.math == pytest.approx(2.0**121 / 1.97e14)


# laws -------------------------------------------------------------------------------------------

sizes = st.integers(1, 2**16)
rates = st.floats(1e9, 1e16)
shares = st.floats(0, 1)


def machine(peak, bandwidth):
    return Chip("any", matrix={"bf16": peak}, links={"hbm": bandwidth})


@given(sizes, sizes, sizes, rates, rates, shares)
def test_lower_overlapped_upper(B, D, F, peak, bandwidth, overlap):
    t = rl.estimate(rl.matmul(B, D, F), machine(peak, bandwidth))
    slack = 1 + 1e-12
    assert t.lower <= t.at(overlap) * slack
    assert t.at(overlap) <= t.upper * slack
    assert t.upper <= (len(t.comms) + 1) * t.lower * slack
    assert t.at(1) == t.lower
    assert t.at(0) == pytest.approx(t.upper)
    assert (t.bound == "compute") == (t.math >= t.comms["hbm"])
    assert t.attained <= peak * slack
    assert t.utilisation <= 1


@given(sizes, sizes, sizes, rates, rates, st.floats(1, 100))
def test_more_bandwidth_or_a_higher_peak_never_hurts(B, D, F, peak, bandwidth, factor):
    work = rl.matmul(B, D, F)
    now = rl.estimate(work, machine(peak, bandwidth))
    for better in (machine(peak * factor, bandwidth), machine(peak, bandwidth * factor)):
        then = rl.estimate(work, better)
        assert then.lower <= now.lower
        assert then.upper <= now.upper


@given(sizes, sizes, sizes, rates, rates)
def test_attained_is_the_smaller_of_peak_and_slope(B, D, F, peak, bandwidth):
    work, chip = rl.matmul(B, D, F), machine(peak, bandwidth)
    roof = min(peak, work.intensity() * bandwidth)
    assert rl.estimate(work, chip).attained == pytest.approx(roof)


@given(shares, shares)
def test_more_overlap_never_takes_longer(a, b):
    t = rl.estimate(rl.matmul(200, 4096, 4096), V5E)
    less, more = sorted((a, b))
    assert t.at(more) <= t.at(less) * (1 + 1e-12)


# bad input --------------------------------------------------------------------------------------

MM = rl.matmul(8, 8, 8)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: rl.estimate(MM, "v5"), ValueError, "unknown chip 'v5'"),
        (lambda: rl.estimate(5, V5E), TypeError, "work must be a Work"),
        (lambda: rl.estimate(rl.matmul(8, 8, 8, dtype="fp4"), V5E), ValueError, "TPU v5e has no fp4 rate"),
        (lambda: rl.estimate(rl.dot(8), "A100"), ValueError, "A100 has no fp32 rate on its vector unit"),
        (lambda: rl.estimate(rl.matmul(*rl.symbols("B D F")), V5E), TypeError, "the letters B, D, F"),
        (lambda: rl.estimate(MM, V5E).comms["ici"], ValueError, "moves nothing on 'ici'"),
        (lambda: rl.estimate(MM, V5E).at(1.5), ValueError, "overlap must be between 0 and 1; got 1.5 for hbm"),
        (lambda: rl.estimate(MM, V5E).at(float("nan")), ValueError, "between 0 and 1"),
        (lambda: rl.estimate(MM, V5E).at(True), ValueError, "got True"),
        (lambda: rl.estimate(MM, V5E).at("all"), ValueError, "got 'all'"),
        (lambda: rl.estimate(MM, V5E).at({"ici": 1}), ValueError, "moves nothing on 'ici'"),
        (lambda: rl.estimate(rl.matmul([1, 2], 8, 8), V5E).explain(), ValueError, "one size"),
    ],
)  # fmt: skip
def test_bad_input_says_what_and_what_instead(call, error, says):
    with pytest.raises(error, match=re.escape(says)):
        call()


# reports ----------------------------------------------------------------------------------------


def test_the_report():
    assert repr(rl.estimate(rl.matmul(128, 4096, 4096, w="int8"), V5E)) == (
        "matmul on TPU v5e\n"
        "  math   21.8 µs   4.29 GFLOP at 197 TFLOP/s\n"
        "  hbm    23.0 µs   18.9 MB at 820 GB/s\n"
        "  lower  23.0 µs   all overlapped; bound by hbm\n"
        "  upper  44.8 µs   nothing overlapped\n"
        "  attains 187 TFLOP/s, 94.7% of the peak"
    )


def test_explain_says_what_binds_and_what_would_help():
    assert rl.estimate(rl.matmul(8, 8192, 8192), V5E).explain().splitlines() == [
        "Bound by hbm: 164 µs, 30.1 times as long as the arithmetic.",
        "Twice the FLOP/s: no faster.",
        "Twice the bandwidth of hbm, or twice the intensity there: 2 times as fast.",
    ]
    fast = rl.estimate(rl.matmul(1024, 8192, 8192), V5E).explain().splitlines()
    assert fast[0] == "Compute-bound: 698 µs, 3.41 times as long as hbm."
    assert fast[2].endswith("no faster.")


def test_what_each_remedy_would_buy():
    t = rl.estimate(rl.shard(rl.matmul(1024, 8192, 8192), "D"), V5E)
    gains = t.gains()
    assert gains["compute"] == gains["hbm"] == 1
    assert gains["ici"] == pytest.approx(372.83 / 348.83, abs=1e-4)  # until the arithmetic binds
    slow = rl.estimate(rl.matmul(8, 8192, 8192), V5E)
    assert slow.gains()["hbm"] == pytest.approx(2)
    assert slow.gains(100)["hbm"] == pytest.approx(slow.comms["hbm"] / slow.math)
    curve = rl.estimate(rl.matmul([8, 8192], 8192, 8192), V5E).gains()
    assert curve["hbm"].tolist() == pytest.approx([2, 1])


def test_what_has_to_fit():
    assert rl.estimate(rl.matmul(8, 8192, 8192), V5E).fits
    large = rl.estimate(rl.matmul(8, 100_000, 100_000), V5E)
    assert not large.fits
    assert "does not fit in the memory of this chip" in repr(large)
    curve = rl.estimate(rl.matmul([8, 10**6], 8192, 8192), V5E)
    assert curve.fits.tolist() == [True, False]


def test_weights_in_vmem():
    t = rl.estimate(rl.matmul(8, 4096, 4096).resident("Y"), V5E)
    assert list(t.comms) == ["hbm", "vmem"]
    assert t.comms["vmem"] == pytest.approx(2 * 4096**2 / 1.8e13)
    found = rl.critical(lambda B: rl.matmul(B, 4096, 4096).resident("Y"), V5E, link="vmem")
    assert found == pytest.approx(10.94, abs=0.01)
    with pytest.raises(
        ValueError, match=r"no room: 134 MB of operands in vmem, which holds 134 MB"
    ):
        rl.estimate(rl.matmul(8, 8192, 8192).resident("Y"), V5E)
    with pytest.raises(ValueError, match="unknown operand 'W'; valid: X, Y, Z"):
        rl.matmul(8, 8, 8).resident("W")
    with pytest.raises(ValueError, match="unknown link of H100 'vmem'"):
        rl.estimate(rl.matmul(8, 8, 8).resident("Y"), "H100")
