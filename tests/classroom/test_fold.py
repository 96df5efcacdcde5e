"""What needs no running has its value; what does says why; nothing takes long."""

import ast
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.classroom.literal.bindings import bindings
from rooflib.classroom.literal.bounded import BUILTINS, FRACTION
from rooflib.classroom.literal.fold import Unfoldable, fold

NAMES = {"n": 4, "s": "B", "d": {"a": 1}, "l": [1, 2], "p": (3, 4)}
FUNCTIONS = {**BUILTINS, "Fraction": FRACTION}


def value(text: str) -> object:
    return fold(ast.parse(text, mode="eval").body, NAMES, FUNCTIONS)


# Python itself says what is right.
SAME = [
    "1", "-1", "+1.5", "~5", "not 0", "1_000", "0x10", "1e-3", "2j", "...", "None", "True", "'a' 'b'", "b'x'",
    "1 + 2 * 3 - 4", "7 / 2", "7 // 2", "-7 // 2", "7 % 3", "2 ** 10", "2 ** -1", "2 ** 0.5", "(-8) ** 0.5", "0.1 + 0.2",
    "1 << 20", "1024 >> 3", "6 | 1", "6 & 3", "6 ^ 3", "True + 1",
    "'a' + 'b'", "'ab' * 3", "3 * 'ab'", "'ab' * -1",
    "(1, 2)", "[1, 'a']", "{1, 2}", "{'a': 1}", "()", "[*l, 3]", "(*p, *l)", "{**d, 'b': 2}",
    "n * n", "s + '*D'", "l[0]", "d['a']", "p[-1]",
    "f'{n}*{s}'", "f'{n:03d} {1/3:.3f} {s!r:>5}'", "f'{n:{n}}'", "f'{{}}'", "f'{n=}'",
    "abs(-3)", "min(3, 1)", "max([1, 5, 2])", "max((1, 2))", "round(2.5)", "round(2.567, 2)", "round(1234, -2)", "int(2.9)", "int('12')",
    "int('ff', 16)", "float('1e3')", "float('inf')", "dict(a=1)", "dict()",
    "Fraction(3, 2)", "Fraction('3/2')", "Fraction(1, 3) + 1", "Fraction(0.5)", "Fraction(1, 2) ** 3", "Fraction(1, 2) ** 0.5",
    "1 if n else 2", "1 if n > 9 else 2", "n == 4", "1 < n <= 4", "n != 4", "0 or s", "n and s", "0 and boom", "1 or boom",
]  # fmt: skip


@pytest.mark.parametrize("text", SAME)
def test_folding_is_what_python_makes_of_it(text):
    expected = eval(text, {**NAMES, "Fraction": Fraction})
    found = value(text)
    assert type(found) is type(expected)
    assert found == expected


WHY = {
    "m": "it uses the name m",
    "f(1)": "it calls f(...)",
    "a.b.c(1)": "it calls c(...)",
    "f()()": "it calls a function",
    "lambda: 1": "it is a function",
    "x.y": "it looks up .y",
    "[i for i in l]": "it runs through a loop",
    "max(i for i in l)": "it runs through a loop",
    "1 / 0": "it divides by zero",
    "Fraction(1, 0)": "it divides by zero",
    "1 + 'a'": "it joins things other than numbers or texts",
    "'%d' % 3": "it joins things other than numbers or texts",
    "l * 1000": "it joins things other than numbers or texts",
    "-'a'": "it joins things other than numbers or texts",
    "1 @ 2": "it multiplies matrices",
    "l[5]": "it raises IndexError",
    "d['x']": "it raises KeyError",
    "int('x')": "it raises ValueError",
    "{[]: 1}": "it raises TypeError",
    "1.5 << 2": "it raises TypeError",
    "1 << -1": "it raises ValueError",
    "1e308 * 10 ** 400": "it raises OverflowError",
    "2.0 ** 5000": "it raises OverflowError",
    "1 in l": "it compares in a way that takes a run",
    "'abc'[0]": "it takes a piece of something other than a list or a dict",
    "l[0:1]": "it takes a run to know",
    "[*n]": "it spreads out something other than a list",
    "{**l}": "it spreads out something other than a dict",
    "f'{l}'": "it writes out things other than numbers or texts",
    "abs(**d)": "it calls abs(...)",
    "max(l, key=abs)": "it calls max(...)",
    "min(['a', 'b'])": "it calls min(...)",
    "(yield)": "it takes a run to know",
    # Bombs
    "9 ** 9 ** 9": "it makes a number of too many digits",
    "9.5 ** 9 ** 9": "it raises OverflowError",
    "Fraction(3, 2) ** 10 ** 9": "it makes a number of too many digits",
    "2 ** -10 ** 9": "it makes a number of too many digits",
    "1 << 10 ** 9": "it makes a number of too many digits",
    "'a' * 10 ** 9": "it makes a text that is too long",
    "'a' * 9999 + 'bb'": "it makes a text that is too long",
    "f'{1:>999999999}'": "it writes out too many places",
    "f'{1.5:.999999999f}'": "it writes out too many places",
    "f'{n:{10 ** 9}}'": "it writes out too many places",
    "round(5, -10 ** 9)": "it rounds to too many places",
    "round(Fraction(1, 3), 10 ** 9)": "it rounds to too many places",
    "Fraction('1e1000000000')": "it takes a run to read a number from this text",
    "[" + "1," * 1001 + "]": "it holds too much",
    "[" + ("'" + "x" * 9000 + "',") * 20 + "]": "it holds too much",
    "(" + "1 + " * 90 + "1)": "it is nested too deeply",
}  # fmt: skip


@pytest.mark.parametrize("text", WHY)
def test_what_takes_a_run_says_why_at_once(text):
    start = time.process_time()
    with pytest.raises(Unfoldable) as raised:
        value(text)
    assert str(raised.value) == WHY[text]
    assert time.process_time() - start < 0.5


NUMBERS = st.one_of(
    st.integers(-(10**30), 10**30).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.fractions(max_denominator=10**6).map(repr),
)
SUMS = st.recursive(
    NUMBERS,
    lambda inner: st.builds(
        "({} {} {})".format,
        inner,
        st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|"]),
        inner,
    ),
    max_leaves=6,
)


@given(SUMS)
def test_any_arithmetic_is_bounded_and_right_where_it_is_done(text):
    start = time.process_time()
    try:
        found = value(text)
    except Unfoldable:
        found = None
    assert time.process_time() - start < 0.5
    if found is not None:
        expected = eval(text)
        assert type(found) is type(expected)
        assert found == expected or found != found


@given(st.text(max_size=60) | st.text(alphabet="n1+-*/()[]{}'\"f:.,<> eabslmdp", max_size=60))
def test_any_expression_has_a_value_or_a_reason(text):
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return
    try:
        fold(node, NAMES, FUNCTIONS)
    except Unfoldable as error:
        why = str(error)
    else:
        why = "known"
    assert why


# Names of a page

KNOWN = {
    "once": ("a = 1", {"a": 1}),
    "in a chain": ("a = 1\nb = a + 1", {"a": 1, "b": 2}),
    "to another value below": ("a = 1\nb = a\na = 2", {"b": 1}),
    "as a tuple": ("a, b = 1, 2\n[c, d] = [3, 4]", {"a": 1, "b": 2, "c": 3, "d": 4}),
    "too few": ("a, b = 1,", {}),
    "in a function": ("a = 1\ndef f():\n    a = 2", {"a": 1}),
    "in a class": ("a = 1\nclass A:\n    a = 2", {"a": 1}),
    "by a lambda's argument": ("a = 1\nf = lambda a: a", {"a": 1}),
    "with a type alone": ("a: int\nb: int = 2", {"b": 2}),
    "in an attribute": ("a = 1\na.b = 2", {"a": 1}),
    "below itself": ("a = a + 1", {}),
    "with a star": ("a, *b = 1, 2, 3", {}),
    "under if True": ("if True:\n    a = 1", {}),
    "in a dict that is only looked up": ("d = {1: 2}\na = d[1]\nf(**d)\ng(*d)", {"d": {1: 2}, "a": 2}),
    "in a dict that is handed on": ("d = {1: 2}\nf(d)", {}),
    "in a list that is written to": ("l = [1]\nl[0] = 2", {}),
    "in a list under another name": ("l = [1]\nm = l\nm[0] = 2", {}),
    "in a tuple of lists": ("t = ([1],)", {}),
    "to a number of many digits": (("a = 0x" + "f" * 20_000 + "\n") * 2, {}),
    "in a text": ("s = 'x'\nf(s)", {"s": "x"}),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_the_known_names_of_a_page(name):
    code, known = KNOWN[name]
    assert dict(bindings([ast.parse(code)]).values) == known


def test_known_names_have_an_end():
    code = "\n".join(f"a{i} = {i}" for i in range(2_000))
    assert len(bindings([ast.parse(code)]).values) == 500
