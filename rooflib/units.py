"""dtypes, and quantities as text: "3.35 TB/s" to 3.35e12 and back.

No units library: in those, "Gb" is the gilbert and "B" the bel. Inside rooflib everything is a
plain number in FLOP, byte and second; this module stands at the edge.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from rooflib.exact import Count, Number, is_array, is_symbol
from rooflib.i18n import _
from rooflib.names import pick


@dataclass(frozen=True)
class Dtype:
    """A number format: its short name and the bits that one element takes in memory."""

    name: str
    bits: int

    def __str__(self) -> str:
        return self.name


# fmt: off
DTYPES = {d.name: d for d in (
    Dtype("fp64", 64), Dtype("fp32", 32), Dtype("tf32", 32), Dtype("bf16", 16), Dtype("fp16", 16),
    Dtype("fp8", 8), Dtype("fp4", 4), Dtype("int32", 32), Dtype("int16", 16), Dtype("int8", 8),
    Dtype("int4", 4),
)}
_SPELLINGS = {
    "fp64": "float64 f64 double", "fp32": "float32 f32 float single", "tf32": "tfloat32",
    "bf16": "bfloat16 bfloat", "fp16": "float16 f16 half",
    "fp8": "float8 f8 e4m3 e5m2 float8e4m3 float8e5m2 float8e4m3fn float8e4m3fnuz float8e5m2fnuz "
           "fp8e4m3 fp8e5m2 f8e4m3fn f8e5m2",
    "fp4": "float4 f4 e2m1 float4e2m1 float4e2m1fn float4e2m1fnx2 nvfp4 mxfp4 fp4e2m1",
    "int32": "i32 s32 uint32 u32", "int16": "i16 s16 uint16 u16", "int8": "i8 s8 uint8 u8",
    "int4": "i4 s4 uint4 u4",
}
# fmt: on
_BY_SPELLING = {word: name for name, words in _SPELLINGS.items() for word in words.split()}


def dtype(given: object) -> Dtype:
    """The number format meant by `given`: a name in any usual spelling, or a dtype object.

    "bf16", "bfloat16", "BF16", "torch.bfloat16", numpy's, jax's and ml_dtypes' own objects.
    Raises TypeError for what is no name, and ValueError, with the valid names, for an unknown one.
    """
    if isinstance(given, Dtype):
        return given
    name = given
    if not isinstance(given, str) and given is not None:
        name = getattr(given, "name", None) or getattr(given, "__name__", None)
        if name is None and str(given).startswith("torch."):
            name = str(given)
        if not isinstance(name, str):
            name = given
    if isinstance(name, str):
        word = name.strip().rpartition(".")[2].casefold().replace("_", "").replace("-", "")
        if word in _BY_SPELLING:
            return DTYPES[_BY_SPELLING[word]]
        if word in DTYPES:
            return DTYPES[word]
    return DTYPES[pick(_("dtype"), name, DTYPES)]


_PREFIXES = {
    -12: "p",
    -9: "n",
    -6: "µ",
    -3: "m",
    0: "",
    3: "k",
    6: "M",
    9: "G",
    12: "T",
    15: "P",
    18: "E",
}


def si(value: Number, unit: str, digits: int = 3, fixed: bool = False) -> str:
    """`value` for a reader: si(1.97e14, "FLOP/s") is "197 TFLOP/s"; 174e-6 s is "174 µs".

    Decimal prefixes, `digits` significant digits (but never fewer than the whole part has);
    fixed keeps the zeros at the end, so that columns align.
    """
    number = float(value)
    if number == 0 or not math.isfinite(number):
        return f"{number:g} {unit}"
    exponent = _thousands(number)
    # rounding may carry into the next prefix: 999.9996 k is 1 M
    rounded = float(f"{number / 10.0**exponent:.{digits}g}")
    if abs(rounded) >= 1000 and exponent < max(_PREFIXES):
        exponent += 3
    text = plain(number / 10.0**exponent, digits, fixed=fixed)
    return f"{text} {_PREFIXES[exponent]}{unit}".rstrip()


def _thousands(number: float) -> int:
    exponent = 3 * math.floor(math.log10(abs(number)) / 3)
    return min(max(exponent, min(_PREFIXES)), max(_PREFIXES))


def plain(value: Number, digits: int = 3, fixed: bool = False) -> str:
    """A number with `digits` significant digits, without an exponent where that is readable."""
    number = float(value)
    if not math.isfinite(number):
        return "∞" if number > 0 else f"{number:g}"
    if number and not 1e-4 <= abs(number) < 1e15:
        return f"{number:.{digits - 1}e}"
    places = max(0, digits - 1 - math.floor(math.log10(abs(number)))) if number else 0
    text = f"{number:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text and not fixed else text


def quantity(value: Number, unit: str) -> str:
    """A number with its unit, the span of an array, or the formula."""
    if is_symbol(value):
        return f"{value} {unit}"
    if is_array(value):
        if not value.size:
            return _("empty")
        return f"{quantity(value.min(), unit)} … {quantity(value.max(), unit)}"
    if unit == "%":
        return f"{plain(value)}%"
    if unit.endswith("/byte"):
        return f"{plain(value, 4)} {unit}"
    return si(value, unit, fixed=True)


def size_text(size: Count) -> str:
    """A size, exactly where it is whole; the span of an array; the letter of a symbol."""
    if is_array(size):
        return f"{plain(size.min(), 6)}…{plain(size.max(), 6)}" if size.size else _("empty")
    return str(size) if isinstance(size, int) or is_symbol(size) else plain(size, 6)


_DECIMAL = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
_SMALL = {"m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9, "p": 1e-12}
_SYMBOLS = {
    "B": "B B byte bytes",
    "B/s": "B/s Bytes/s bytes/s byte/s Bps",
    "FLOP": "FLOP FLOPs OP OPs",
    "FLOP/s": "FLOP/s FLOPs/s OP/s OPs/s",
    "FLOP/B": "FLOP/B FLOPs/B FLOP/byte FLOPs/byte OP/B OPs/byte OP/byte",
    "s": "s second seconds",
}
_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(?P<unit>\S*)", re.ASCII
)


def parse(text: object, unit: str) -> float:
    """The number of `unit` that `text` says: parse("3.35 TB/s", "B/s") is 3.35e12.

    `unit` is one of "B", "B/s", "FLOP", "FLOP/s", "FLOP/B", "s". Decimal prefixes k M G T P E,
    binary Ki Mi Gi Ti Pi, and for seconds m µ (or u) n p. A plain number passes through.

    Raises ValueError for whatever can be read in two ways: a bare number as text, bits, a comma,
    a blank between digits, lower-case prefixes, another dimension; and says what to write.
    """
    if not isinstance(text, str):
        if isinstance(text, bool) or is_array(text) or is_symbol(text):
            raise TypeError(_not_a_quantity(text, unit))
        try:
            return float(text)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise TypeError(_not_a_quantity(text, unit)) from None
    found = _QUANTITY.fullmatch(text.strip())
    if not found:
        hint = ""
        if "," in text:
            hint = " " + _("A comma can be a decimal mark or a thousands mark; write 9.8 or 9800.")
        elif re.search(r"\d\s+\d", text):
            hint = " " + _("Write the digits without blanks.")
        raise ValueError(_not_a_quantity(text, unit) + hint)
    return float(found["number"]) * _scale(text, found["unit"], unit)


def _scale(text: str, given: str, unit: str) -> float:
    """How many of `unit` one of `given` is."""
    prefixes = (
        _DECIMAL | (_BINARY if unit in ("B", "B/s") else {}) | (_SMALL if unit == "s" else {})
    )
    for symbol in _SYMBOLS[unit].split():
        if given == symbol:
            return 1.0
        if given.endswith(symbol) and given[: -len(symbol)] in prefixes:
            return float(prefixes[given[: -len(symbol)]])
    raise ValueError(_not_a_quantity(text, unit) + " " + _cause(given, unit))


def _cause(given: str, unit: str) -> str:
    if not given:
        return _(
            "A number in quotes needs its unit; write it without quotes if it is in {unit}."
        ).format(unit=unit)
    if re.fullmatch(r"[kKMGTPE]?i?(b|bit|bits)(/s|ps)?", given) and unit.startswith("B"):
        return _("A small b is a bit; eight of them are one byte (B).")
    for other, symbols in _SYMBOLS.items():
        if other != unit and any(
            given.endswith(s) and len(given) - len(s) < 3 for s in symbols.split()
        ):
            return _("{given!r} is a unit of {other}, and this is a quantity in {unit}.").format(
                given=given, other=other, unit=unit
            )
    if re.fullmatch(r"[mgtpeK]\S+", given) or given.isupper():
        return _("Prefixes are k, M, G, T, P and E, in just this letter case.")
    return _("{given!r} is no unit of {unit}.").format(given=given, unit=unit)


def _not_a_quantity(given: object, unit: str) -> str:
    example = {"B": "16 GiB", "B/s": "3.35 TB/s", "FLOP": "1 TFLOP", "FLOP/s": "197 TFLOP/s"}
    return _(
        "cannot read {given!r} as a quantity in {unit}; write for example {example!r}."
    ).format(given=given, unit=unit, example=example.get(unit, f"1 {unit}"))
