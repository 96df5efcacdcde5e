"""The reader of formulas: what it understands, what it says of the rest."""

from fractions import Fraction

import pytest

from rooflib.practice.algebra import Formula, letters
from rooflib.practice.reader import read
from rooflib.practice.tokens import Unreadable

B, D, F = letters("B D F")

READ = [
    ("2*B*D*F", 2 * B * D * F, "2·B·D·F"),
    ("2BDF", 2 * B * D * F, "2·B·D·F"),
    ("2·B·D·F", 2 * B * D * F, "2·B·D·F"),
    ("2×B×D×F", 2 * B * D * F, "2·B·D·F"),
    ("2⋅B∗D•F", 2 * B * D * F, "2·B·D·F"),
    ("B*D*F*2.0", 2 * B * D * F, "B·D·F·2.0"),
    ("2*B*D*F + 0*B", 2 * B * D * F, "2·B·D·F + 0·B"),
    ("bdf", B * D * F, "B·D·F"),
    ("2 B D F", 2 * B * D * F, "2·B·D·F"),
    ("B(D+F)", B * (D + F), "B·(D + F)"),
    ("(B+D)(B+F)", (B + D) * (B + F), "(B + D)·(B + F)"),
    ("[B+D]{F}", (B + D) * F, "(B + D)·F"),
    ("２ＢＤＦ", 2 * B * D * F, "2·B·D·F"),
    ("２×（Ｂ＋Ｄ）", 2 * (B + D), "2·(B + D)"),
    ("B^2", B * B, "B^2"),
    ("B**2", B * B, "B^2"),
    ("B²D³", B * B * D * D * D, "B^2·D^3"),
    ("B⁻¹", 1 / B, "B^(-1)"),
    ("B**-1", 1 / B, "B^(-1)"),
    ("-B**2", -B * B, "-B^2"),
    ("2**3*B", 8 * B, "2^3·B"),
    ("2.4e2*B", 240 * B, "2.4e2·B"),
    ("2.4E2*B", 240 * B, "2.4E2·B"),
    ("1_000*B", 1000 * B, "1_000·B"),
    (".5B", B / 2, ".5·B"),
    ("3/2*B", Fraction(3, 2) * B, "3/2·B"),
    ("B − D", B - D, "B - D"),
    ("B – D", B - D, "B - D"),
    ("B ÷ D", B / D, "B/D"),
    ("B/D/F", B / D / F, "B/D/F"),
    ("B/(D/F)", B * F / D, "B/(D/F)"),
    ("B-(D-F)", B - D + F, "B - (D - F)"),
    ("1/(1/B + 1/D)", B * D / (B + D), "1/(1/B + 1/D)"),
    ("ops = 2*B", 2 * B, "2·B"),
    ("≈ 2B", 2 * B, "2·B"),
    ("+B", B, "B"),
    ("B*-D", -B * D, "B·-D"),
    ("  2 *\tB\n* D", 2 * B * D, "2·B·D"),
    ("8.2×10^11", Formula.constant(82 * 10**10), "8.2·10^11"),
]


@pytest.mark.parametrize("text, value, echo", READ)
def test_reads(text, value, echo):
    reading = read(text, "BDF")
    assert reading.value == value
    assert reading.echo == echo


# text, place of the caret, a word of the reason
UNREADABLE = [
    ("1,000*B", 1, "comma"),
    ("max(1,000, B)", 5, "comma"),
    ("B, D", 1, "comma"),
    ("2*H*D", 2, "H is not one"),
    ("2BHD", 2, "HD is not one"),
    ("2DBH", 3, "H is not one"),
    ("batch*D", 0, "batch is not one"),
    ("B2", 1, "A number right after a letter"),
    ("2 3", 2, "side by side"),
    ("B 2", 2, "A number right after a letter"),
    ("2BDF/2BF", 6, "two ways"),
    ("2BDF/BD", 6, "two ways"),
    ("(B + D", 0, "never closed"),
    ("B + D)", 5, "never opened"),
    ("B + * D", 4, "missing before"),
    ("B +", 3, "missing at the end"),
    ("B/0", 1, "divides by zero"),
    ("B/(D-D)", 1, "divides by zero"),
    ("B**0.5", 1, "whole number"),
    ("B**D", 1, "whole number"),
    ("B**99", 1, "too large"),
    ("9**9**9**9", 4, "too large"),
    ("(B+D+F+1)**50", 9, "too large"),
    ("1e999999", 0, "beyond"),
    ("B > 240", 2, "without a comparison"),
    ("B == D", 2, "without a comparison"),
    ("max(B)", 0, "2 or more"),
    ("abs(B, D)", 0, "1 arguments"),
    ("max B", 0, "brackets"),
    ("sqrt(B)", 0, "sqrt is not one"),
    ("__import__('os')", 0, "__import__ is not one"),
    ("B.real", 1, "sign ."),
    ("B if D else F", 2, "if is not one"),
    ("lambda: B", 0, "lambda is not one"),
    ("B:D", 1, "sign :"),
    ("B @ D", 2, "sign @"),
    ("2$B", 1, "sign $"),
    ("B\0D", 1, "sign"),
    ("1.2.3*B", 3, "side by side"),
    ("", 0, "nothing here"),
    ("(" * 500, 40, "nested deeper"),
    ("-" * 500 + "B", 40, "nested deeper"),
    ("(" * 10_000 + ")" * 10_000, 0, "characters long"),
]


@pytest.mark.parametrize("text, at, reason", UNREADABLE, ids=lambda x: str(x)[:20])
def test_says_what_it_cannot_read_and_where(text, at, reason):
    with pytest.raises(Unreadable) as caught:
        read(text, "BDF")
    assert reason in caught.value.why
    assert caught.value.at == at


def test_caret_stands_under_the_place():
    with pytest.raises(Unreadable) as caught:
        read("2*B*H*F", "BDF")
    _why, text, caret = caught.value.shown().splitlines()
    assert text[caret.index("^")] == "H"


def test_caret_counts_full_width_characters_as_two_columns():
    with pytest.raises(Unreadable) as caught:
        read("２×Ｈ", "BDF")
    assert caught.value.shown().splitlines()[2].index("^") == 4 + 2 + 1


def test_caret_of_a_long_text_shows_its_neighbourhood():
    with pytest.raises(Unreadable) as caught:
        read("B+" * 100 + "H" + "+B" * 100, "BDF")
    _why, text, caret = caught.value.shown().splitlines()
    assert len(text) < 80
    assert text[caret.index("^")] == "H"


def test_names_mean_what_the_question_says():
    names = {"T_math": B * D, "T_comms": F}
    assert read("T_math + T_comms", "BDF", names).value == B * D + F
    assert read("max(T_math, T_comms)", "BDF", names).echo == "max(T_math, T_comms)"


def test_several_letters_of_more_than_one_character():
    bm, bn = letters("bm bn")
    assert read("bm*bn/(bm+bn)", ("bm", "bn")).value == bm * bn / (bm + bn)
    assert read("2bmbn", ("bm", "bn")).value == 2 * bm * bn


def test_a_literal_rate_may_be_replaced():
    reading = read("B/9.895e14", "B", literal=lambda n: Fraction(989 * 10**12) if n > 1 else n)
    assert reading.value == B / (989 * 10**12)
