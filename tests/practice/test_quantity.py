"""Numbers as people write them."""

from fractions import Fraction

import pytest

from rooflib.practice.quantity import WrongUnit, quantity
from rooflib.practice.tokens import Unreadable

READ = [
    ("240", "token", 240, "", "240"),
    ("240.0", "token", 240, "", "240.0"),
    ("240 tokens", "token", 240, "", "240 tokens"),
    ("240tokens", "token", 240, "", "240 tokens"),
    ("２４０", "token", 240, "", "240"),
    ("2.4e2", "token", 240, "", "2.4e2"),
    ("2.4e2 tokens", "token", 240, "", "2.4e2 tokens"),
    ("2.4×10^2", "token", 240, "", "2.4·10^2"),
    ("~240", "token", 240, "", "240"),
    ("≈ 240", "token", 240, "", "240"),
    ("B > 240", "token", 240, ">", "240"),
    ("B ≥ 240", "token", 240, ">", "240"),
    ("B >= 240 tokens", "token", 240, ">", "240 tokens"),
    ("240 < B", "token", 240, ">", "240"),
    ("> 240", "token", 240, ">", "240"),
    ("B < 240", "token", 240, "<", "240"),
    ("240 > B", "token", 240, "<", "240"),
    ("B = 240", "token", 240, "", "240"),
    ("3/2", "", Fraction(3, 2), "", "3/2"),
    ("480/2", "token", 240, "", "480/2"),
    ("max(3, 4)", "", 4, "", "max(3, 4)"),
    ("1.01 ms", "s", Fraction(101, 100_000), "", "1.01 ms"),
    ("174 µs", "s", Fraction(174, 10**6), "", "174 μs"),
    ("174 us", "s", Fraction(174, 10**6), "", "174 us"),
    ("3.35 TB/s", "B/s", 3350 * 10**9, "", "3.35 TB/s"),
    ("3.35e12", "B/s", 3350 * 10**9, "", "3.35e12"),
    ("8.2×10^11 bytes/s", "B/s", 82 * 10**10, "", "8.2·10^11 bytes/s"),
    ("1 GiB/s", "B/s", 2**30, "", "1 GiB/s"),
    ("394 TOPs/s", "FLOP/s", 394 * 10**12, "", "394 TOPs/s"),
    ("989 TFLOP/s", "FLOP/s", 989 * 10**12, "", "989 TFLOP/s"),
    ("480 FLOPs/byte", "FLOP/B", 480, "", "480 FLOPs/byte"),
    ("480 OPs/byte", "FLOP/B", 480, "", "480 OPs/byte"),
    ("989 Tflop/s", "FLOP/s", 989 * 10**12, "", "989 Tflop/s"),
    ("989 TFLOPS", "FLOP/s", 989 * 10**12, "", "989 TFLOPS"),
    ("989 teraFLOPS", "FLOP/s", 989 * 10**12, "", "989 teraFLOPS"),
    ("0.989 PFLOPs/s", "FLOP/s", 989 * 10**12, "", "0.989 PFLOPs/s"),
    ("3350 GBytes/s", "B/s", 3350 * 10**9, "", "3350 GBytes/s"),
    ("89 %", "share", Fraction(89, 100), "", "89 %"),
    ("240 rows", "row", 240, "", "240 rows"),
    ("480 ops/bytes", "FLOP/B", 480, "", "480 ops/bytes"),
]


@pytest.mark.parametrize("text, unit, value, relation, echo", READ)
def test_reads(text, unit, value, relation, echo):
    found = quantity(text, unit)
    assert (found.value, found.relation, found.echo) == (value, relation, echo)


@pytest.mark.parametrize(
    "text, unit, says",
    [
        ("240 bytes", "token", "tokens"),
        ("3.35 Tb/s", "B/s", "bit"),
        ("1.01 ms", "B/s", "unit of s"),
        ("240 FLOPs/s", "FLOP/B", "unit of FLOP/s"),
        ("240 GB", "B/s", "unit of B"),
        ("2 tokens", "", "plain number"),
        ("394 TOPs", "FLOP/s", "unit of FLOP"),
        ("989 TFLOPs", "FLOP/s", "unit of FLOP"),
        ("3.35 Tbit/s", "B/s", "bit"),
    ],
)
def test_names_a_wrong_unit(text, unit, says):
    with pytest.raises(WrongUnit, match=says):
        quantity(text, unit)


@pytest.mark.parametrize(
    "text", ["", "1,000", "tokens", "nan", "inf", "about 240", "240 240", "B > ", "1e999999", "1/0"]
)
def test_unreadable(text):
    with pytest.raises(Unreadable):
        quantity(text, "token")


@pytest.mark.parametrize(
    "text", ["3 furlongs", "x > 3 furlongs", "3·10² furlongs", "3 furlongs < x"]
)
def test_a_word_that_is_no_unit_at_all_is_not_held_against_anyone(text):
    with pytest.raises(Unreadable, match="no unit") as caught:
        quantity(text, "B/s")
    assert caught.value.at == text.index("furlongs")
