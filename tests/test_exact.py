"""Numbers, arrays and symbols alike; bad sizes named."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rooflib import exact


@pytest.mark.parametrize(
    "given_, expected, kind",
    [
        (5, 5, int),
        (np.int32(5), 5, int),
        (np.uint8(200), 200, int),
        (5.0, 5, int),
        (1e6, 10**6, int),
        (np.float32(0.5), 0.5, float),
        (128.5, 128.5, float),
        (Fraction(3, 2), Fraction(3, 2), Fraction),
        (Fraction(4, 2), 2, int),
        (np.array(7), 7, int),
        (2**200, 2**200, int),
    ],
)
def test_a_count_is_an_int_where_it_is_whole(given_, expected, kind):
    result = exact.count("B", given_)
    assert result == expected
    assert type(result) is kind


@pytest.mark.parametrize("given_", [[1, 2], (1, 2), range(1, 3), np.array([1, 2], dtype="int8")])
def test_sequences_become_float64(given_):
    result = exact.count("B", given_)
    assert result.dtype == np.float64
    assert result.tolist() == [1, 2]


def test_integer_arrays_do_not_wrap_round():
    size = exact.count("B", np.array([2**22]))
    assert exact.product(2, size, size, size)[0] == 2.0 * 2.0**66


@pytest.mark.parametrize(
    "bad", [0, -1, 0.0, -0.5, math.nan, math.inf, -math.inf, Fraction(-1, 2), np.float64("nan")]
)
def test_what_is_not_above_zero_and_finite(bad):
    with pytest.raises(ValueError, match=r"^B must be above 0 and finite; got "):
        exact.count("B", bad)


@pytest.mark.parametrize("bad", [[1, 0], [1.0, math.nan], [math.inf, 1.0], [-3, 1]])
def test_one_bad_element_is_named(bad):
    named = next(x for x in bad if not 0 < x < math.inf)
    with pytest.raises(ValueError, match=f"got {float(named)!r}"):
        exact.count("B", bad)


@pytest.mark.parametrize(
    "bad",
    [True, np.True_, "8", None, 1j, np.complex64(1), object(), {}, ["a"], [True, False], [1j]],
)
def test_what_is_no_number(bad):
    with pytest.raises(TypeError, match="B must be"):
        exact.count("B", bad)


def test_a_ragged_list_is_named():
    with pytest.raises(ValueError, match="no regular array"):
        exact.count("B", [[1, 2], [3]])


def test_a_symbol_that_is_provably_not_positive():
    assert exact.count("B", sympy.Symbol("B", positive=True)).is_positive
    with pytest.raises(ValueError, match="above 0"):
        exact.count("B", sympy.Symbol("B", negative=True))


positive = st.integers(1, 10**30)


@given(positive, positive)
def test_division_of_ints_is_exact(a, b):
    result = exact.divide(a, b)
    assert result * b == a
    assert isinstance(result, int) == (a % b == 0)


@given(positive, positive)
def test_ratio_is_correctly_rounded(a, b):
    assert exact.ratio(a, b) == a / b


@given(st.integers(1, 2**40), st.integers(1, 2**20))
def test_ceildiv_of_numbers_arrays_and_symbols(a, b):
    n = exact.ceildiv(a, b)
    assert (n - 1) * b < a <= n * b
    assert exact.ceildiv(np.array([float(a)]), b)[0] == n
    x = sympy.Symbol("x", positive=True, integer=True)
    assert exact.ceildiv(x, b).subs(x, a) == n


@given(st.lists(st.integers(1, 2**40), min_size=1, max_size=4), st.integers(1, 2**30))
def test_products_and_sums_agree_for_scalars_and_arrays(scalars, element):
    array = np.array([float(element)])
    assert exact.product(*scalars, array)[0] == pytest.approx(exact.product(*scalars, element))
    assert exact.total(*scalars, array)[0] == pytest.approx(exact.total(*scalars, element))


def test_a_huge_int_times_an_array_stays_a_float_array():
    assert exact.product(2**80, np.array([2.0])).dtype == np.float64
    assert exact.total(2**80, np.array([2.0])).dtype == np.float64
    assert exact.divide(Fraction(1, 3), np.array([2.0])).dtype == np.float64


def test_maximum():
    assert exact.maximum(1, Fraction(3, 2), 1.2) == Fraction(3, 2)
    assert exact.maximum(np.array([1.0, 5.0]), 3.0).tolist() == [3.0, 5.0]
    assert exact.maximum(3.0, np.array([1.0, 5.0])).tolist() == [3.0, 5.0]


def test_arrays_that_do_not_broadcast_are_named_with_their_shapes():
    exact.broadcast(B=np.ones(3), D=np.ones((2, 1)), F=5)
    with pytest.raises(ValueError, match=r"B \(3,\), D \(2,\)"):
        exact.broadcast(B=np.ones(3), D=np.ones(2))
