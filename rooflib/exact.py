"""What does not come out the same by itself for ints, fractions, arrays and symbols.

A *count* is a size, or a product of sizes: a Python int (exact, however large), a Fraction, a
float, a float64 array, or a symbol. A symbol is anything with `free_symbols`: sympy's
expressions, and the formulas that `rooflib.practice` reads, which need no sympy.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, TypeAlias

import numpy as np

from rooflib.i18n import _

Count: TypeAlias = Any  # int | Fraction | float | numpy.ndarray | symbol
Number: TypeAlias = Any  # the same, for quantities that need not be whole


def is_symbol(value: object) -> bool:
    return hasattr(value, "free_symbols")


def is_array(value: object) -> bool:
    return isinstance(value, np.ndarray)


def count(name: str, value: object) -> Count:
    """`value` as a size: above 0 and finite, a whole number where it is one.

    numpy integers and whole floats become Python ints, so that products stay exact. Lists,
    ranges and arrays become float64 arrays: in integers 2·(2^22)^3 would wrap round to 0.

    Raises TypeError for what is no number, and ValueError for zero, negative, NaN or inf.
    """
    if is_symbol(value):
        if getattr(value, "is_nonpositive", None) is True:
            raise ValueError(_above_zero(name, value))
        return value
    if isinstance(value, list | tuple | range) or (isinstance(value, np.ndarray) and value.ndim):
        return _array(name, value)
    if isinstance(value, np.ndarray):
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.number)):
        raise TypeError(
            _("{name} must be a number, an array of numbers or a symbol; got {value!r}").format(
                name=name, value=value
            )
        )
    if isinstance(value, np.complexfloating):
        raise TypeError(
            _("{name} must be a real number; got {value!r}").format(name=name, value=value)
        )
    if isinstance(value, Rational):
        number: int | Fraction | float = Fraction(int(value.numerator), int(value.denominator))
    else:
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(_above_zero(name, value))
    if number <= 0:
        raise ValueError(_above_zero(name, value))
    return whole(number)


def _array(name: str, value: object) -> np.ndarray:
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(
            _("{name} is no regular array of numbers: {error}").format(name=name, error=error)
        ) from None
    if array.dtype.kind not in "iuf":
        raise TypeError(
            _("{name} must be an array of real numbers; got one of {dtype}").format(
                name=name, dtype=array.dtype
            )
        )
    array = array.astype(np.float64, copy=False)
    # min and max pass NaN on, so two reductions tell all that can be wrong
    if array.size and not (array.min() > 0 and array.max() < math.inf):
        bad = array[~((array > 0) & (array < math.inf))].flat[0]
        raise ValueError(_above_zero(name, float(bad)))
    return array


def _above_zero(name: str, value: object) -> str:
    return _("{name} must be above 0 and finite; got {value!r}").format(name=name, value=value)


def whole(value: Number) -> Number:
    """An int where the value is a whole Fraction or float, else the value itself."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def divide(a: Number, b: Number) -> Number:
    """a / b: ints stay exact (an int where whole, else a Fraction)."""
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return whole(Fraction(a, b))
    if isinstance(b, Fraction) and (is_symbol(a) or is_array(a)):
        a, b = a * b.denominator, b.numerator
    if isinstance(a, Fraction) and is_array(b):
        a = float(a)
    if isinstance(b, int) and type(a).__module__.startswith("sympy"):
        import sympy

        b = sympy.Integer(b)
    return a / b


def ratio(a: Number, b: Number) -> Number:
    """a / b as a float for numbers (correctly rounded even beyond 2^53), else as it comes."""
    result = divide(a, b)
    return float(result) if isinstance(result, int | Fraction) else result


def maximum(*values: Number) -> Number:
    """The largest, elementwise where there are arrays."""
    first, *rest = values
    if any(is_array(value) for value in values):
        for value in rest:
            first = np.maximum(first, value)
        return first
    return max(values)


def ceildiv(a: Count, b: Count) -> Count:
    """How many pieces of size b cover a."""
    if is_symbol(a) or is_symbol(b):
        import sympy

        return sympy.ceiling(a / b)
    if is_array(a) or is_array(b):
        return np.ceil(divide(a, b))
    return math.ceil(divide(a, b))


def broadcast(**named: Count) -> None:
    """Raise ValueError, naming each shape, unless the arrays among these broadcast together."""
    shapes = {name: value.shape for name, value in named.items() if is_array(value)}
    if len(set(shapes.values())) < 2:
        return
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(
            _("the arrays do not broadcast together: {shapes}").format(shapes=listed)
        ) from None


def product(*factors: Count) -> Count:
    """The product; scalars first, so that a curve costs one pass over each array."""
    arrays = [factor for factor in factors if is_array(factor)]
    result = math.prod(factor for factor in factors if not is_array(factor))
    if arrays:
        result = float(result)
    for array in arrays:
        result = result * array
    return result


def total(*terms: Count) -> Count:
    """The sum; scalars first, as in `product`."""
    arrays = [term for term in terms if is_array(term)]
    result = sum(term for term in terms if not is_array(term))
    if arrays:
        result = float(result)
    for array in arrays:
        result = result + array
    return result
