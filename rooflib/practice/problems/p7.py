"""Problem 7, our own: a large matmul in tiles that reach the peak."""

from __future__ import annotations

import dataclasses
import random
from dataclasses import dataclass
from fractions import Fraction

import rooflib as rl
from rooflib.i18n import _
from rooflib.practice.algebra import Formula, letters
from rooflib.practice.problems.common import V5E, Machine
from rooflib.practice.question import (
    ChoicePart,
    FormulaPart,
    NumberPart,
    Problem,
    Question,
    Wrong,
)
from rooflib.units import si

NAMES = "m k n bm bk bn"
# A size so large that its own term is gone.
LONG = 10**12


@dataclass(frozen=True)
class Numbers:
    """bm, bn: the tile of 7c, for a large k; step: sides are whole multiples of it."""

    machine: Machine = V5E
    bm: int = 128
    bn: int = 384
    step: int = 128


BOOK = Numbers()


def deal(random: random.Random) -> Numbers:
    known = [
        Machine(c.name, c.bandwidth(), c.peak("bf16"), 2 * c.peak("bf16"))
        for c in rl.chips()
        if c.name.startswith("TPU")
    ]
    bm, bn = random.sample([64, 128, 192, 256, 320, 384, 512], 2)
    return Numbers(random.choice(known), bm, bn)


def well_posed(n: Numbers) -> bool:
    share = _share(n, n.bm, n.bn)
    side = 2 * n.machine.ridge
    return n.bm / n.bn not in (0.5, 1, 2) and share < 0.9 and side % n.step > 0.05 * n.step


def _share(n: Numbers, bm: float, bn: float) -> float:
    return min(1.0, bm * bn / (bm + bn) / n.machine.ridge)


def build(numbers: Numbers) -> Problem:
    m = numbers.machine
    return Problem(
        id="7",
        title=_("tiles that reach the peak"),
        aim=_("count what has to be read again, and choose a tile that is wide enough"),
        given={
            _("operation"): "bf16[m, k] · bf16[k, n] → bf16[m, n]",
            _("tiles"): _("bm × bk of X and bk × bn of Y; the output's tile stays on the chip"),
            _("HBM bandwidth"): si(m.bandwidth, "B/s"),
            _("peak, bf16"): si(m.bf16, "FLOP/s"),
            _("machine"): m.name,
            _("in 7c"): _("bm = {bm}, bn = {bn}, k large; sides in steps of {step}").format(
                bm=numbers.bm, bn=numbers.bn, step=numbers.step
            ),
        },
        questions=(_moved(), _intensity(), _side(numbers), _which()),
        numbers=numbers,
    )


def _moved() -> Question:
    m, k, n, bm, bk, bn = letters(NAMES)
    plain = rl.matmul(m, k, n)
    moved: Formula = rl.tile(plain, bm, bk, bn, ragged=False).bytes["hbm"]
    # fmt: off
    part = FormulaPart(
        "moved",
        _("bytes moved, with whole tiles"),
        right=moved,
        letters=NAMES,
        words="bytes",
        why=_("X is read once for each column of tiles, Y once for each row, Z written once."),
        wrongs=(
            Wrong("once", plain.bytes["hbm"], _("operands that are read once, and fit the chip"),
                  _("How many tiles of the output need the same tile of X?")),
            Wrong("elements", moved / 2, _("elements of one byte each"),
                  _("How many bytes has one element?")),
            Wrong("exchanged", 2 * (m * k * m / bm + k * n * n / bn + m * n),
                  _("an X that is read once for each row of tiles"),
                  _("Which tiles of the output need a given tile of X: a row, or a column?")),
            Wrong("output each step", moved + 2 * m * n * k / bk - 2 * m * n,
                  _("an output that is written after every step along k"),
                  _("Where are the sums kept until they are complete?")),
            Wrong("no output", moved - 2 * m * n, _("an operation that writes nothing back"),
                  _("Where does Z live when the operation is over?")),
            Wrong("operations", 2 * m * k * n, _("the operations"),
                  _("What has to be loaded for one tile of the output?")),
            Wrong("one tile", 2 * (bm * bk + bk * bn + bm * bn), _("one step of one tile"),
                  _("How many such steps are there?")),
        ),
    )
    # fmt: on
    return Question(
        id="7a",
        asks=_("How many bytes does the whole matmul move, in tiles?"),
        parts=(part,),
        hints=(
            _("Take one tile of the output: which part of X and which part of Y does it need?"),
            _("How many tiles has the output, and what does each of them load?"),
            _("How often is one element of X loaded, over all tiles?"),
        ),
        solution=_(
            "The output has (m/bm)·(n/bn) tiles. Each loads bm rows of X and bn columns of Y, in "
            "full length k, and writes bm·bn sums: times two bytes."
        ),
        why=_("Counted that way bk drops out: it says how finely the same bytes are cut."),
        look_next=_("What becomes of it when bm = m and bn = n?"),
    )


def _intensity() -> Question:
    m, k, n, bm, bk, bn = letters(NAMES)
    tiled = rl.tile(rl.matmul(m, k, n), bm, bk, bn, ragged=False)
    right: Formula = tiled.intensity("hbm")
    short = bm * bn / (bm + bn)
    ask = _("Which terms stand below the line, and which of them fades when k grows?")
    # fmt: off
    exact = FormulaPart(
        "intensity",
        _("FLOP per byte, exactly"),
        right=right,
        also=(tiled.ops_exact / tiled.bytes["hbm"],),
        letters=NAMES,
        words="intensity",
        why=_("Three resistances in a row: one for each side of the tile, and one for k."),
        wrongs=(
            Wrong("limit", short, _("a very large k"),
                  _("The exact form is asked here: which bytes did you leave out?")),
            Wrong("untiled", rl.matmul(m, k, n).intensity("hbm"),
                  _("operands that are read once, and fit the chip"),
                  _("How often is one element of X loaded?")),
            Wrong("with bk", 1 / (1 / bm + 1 / bn + 1 / bk),
                  _("an output that is written after every step along k"),
                  _("Where are the sums kept until they are complete?")),
            Wrong("multiplies only", right / 2, _("a count of the multiplications alone"),
                  _("What did you count for one multiply-add?")),
            Wrong("elements", 2 * right, _("elements of one byte each"),
                  _("How many bytes has one element?")),
            Wrong("inverted", 1 / right, _("the bytes for each operation"),
                  _("Which unit does your result have, and which one is asked?")),
        ),
    )
    limit = FormulaPart(
        "limit",
        _("the same when k is large"),
        right=short,
        letters=NAMES,
        words="intensity",
        why=_("Half the harmonic mean of the two sides: the shorter one decides."),
        wrongs=(
            Wrong("exact", right, _("every k"), ask),
            Wrong("area", bm * bn, _("a tile's area"), ask),
            Wrong("doubled", 2 * short, _("elements of one byte each"),
                  _("How many bytes has one element?")),
            Wrong("halved", short / 2, _("a count of the multiplications alone"),
                  _("What did you count for one multiply-add?")),
            Wrong("sum", bm + bn, _("the outline of a tile"), ask),
            Wrong("inverted", 1 / short, _("the bytes for each operation"),
                  _("Which unit does your result have, and which one is asked?")),
            Wrong("untiled", m * n / (m + n), _("a single tile as large as the output"),
                  _("How often is one element of X loaded?")),
        ),
    )
    # fmt: on
    return Question(
        id="7b",
        asks=_("What is the intensity, exactly and for large k?"),
        parts=(exact, limit),
        hints=(
            _("Operations over the bytes of 7a. Which letters cancel?"),
            _("Write one over the intensity as a sum. What is each of its terms?"),
        ),
        solution=_("One over the intensity is 1/bm + 1/bn + 1/k. For large k the last one fades."),
        why=_("The law of the whole matmul again, with the tile's sides for B and F."),
        look_next=_("Double both sides: what happens to the traffic? And when bk doubles?"),
    )


def _side(n: Numbers) -> Question:
    ridge = n.machine.ridge
    # A square tile of side b has intensity b/2 for large k; what rooflib counts is linear in b.
    side = ridge / (float(_square(n.step).intensity("hbm")) / n.step)
    share = _share(n, n.bm, n.bn)
    steps = n.step * (int(side // n.step) + 1)
    # fmt: off
    parts = (
        NumberPart(
            "side",
            _("the side of the smallest square tile that reaches the peak, for large k"),
            right=side,
            up=True,
            above=True,
            why=_("A square tile's intensity is half of its side."),
            wrongs=(
                Wrong("ridge", ridge, _("a tile whose side is its intensity"),
                      _("Two equal resistances in a row: what is the intensity of a square tile?")),
                Wrong("halved", ridge / 2, _("a tile that is loaded along one side only"),
                      _("Two equal resistances in a row: do they add up?")),
                Wrong("doubled", 2 * side, _("elements of four bytes"),
                      _("How many bytes has one element?")),
            ),
        ),
        NumberPart(
            "steps",
            _("the same when a side is a whole multiple of {step}").format(step=n.step),
            right=steps,
            tolerance=Fraction(1, 10**9),
            why=_("The next whole step up."),
            wrongs=(
                Wrong("step below", steps - n.step, _("a tile a little too small"),
                      _("Does that one reach the peak, or nearly?")),
            ),
        ),
        NumberPart(
            "share",
            _("the share of the peak of a tile of {bm} × {bn}, for large k").format(
                bm=n.bm, bn=n.bn),
            right=share,
            unit="share",
            why=_("Its intensity over the machine's."),
            wrongs=(
                Wrong("area", _share(n, *[(n.bm * n.bn) ** 0.5] * 2),
                      _("a square tile of the same area"),
                      _("Does the area decide, or the two sides one by one?")),
                Wrong("longer side", min(1.0, _share(n, *[max(n.bm, n.bn)] * 2)),
                      _("a square tile with the longer side"),
                      _("What does the shorter side cost?")),
                Wrong("shorter side", _share(n, *[min(n.bm, n.bn)] * 2),
                      _("a square tile with the shorter side"),
                      _("What does the longer side save?")),
                Wrong("doubled", 2 * share, _("elements of one byte each"),
                      _("How many bytes has one element?")),
                Wrong("mean", (n.bm + n.bn) / 4 / ridge, _("a square tile with the mean side"),
                      _("Do two resistances in a row average, or add up?")),
            ),
        ),
    )
    # fmt: on
    return Question(
        id="7c",
        asks=_("Which square tile reaches the peak, and what does this other one reach?"),
        parts=tuple(_kept(part) for part in parts),
        hints=(
            _("What is the intensity of a square tile, in terms of its side?"),
            _("Which two intensities have to be equal at the peak?"),
            _("For a tile that is not square: do the two sides count alike?"),
        ),
        solution=_(
            "A square tile of side b has intensity b/2, so b must be twice the machine's. For "
            "other tiles take bm·bn/(bm + bn) over the machine's intensity."
        ),
        why=_("Wide in one direction does not make up for narrow in the other."),
        look_next=_("How many bytes does that tile need on the chip, with sums of four bytes?"),
    )


def _kept(part: NumberPart) -> NumberPart:
    """Without the slips that land on the right number or beyond the whole."""
    wrongs = tuple(
        w
        for w in part.wrongs
        if abs(w.value / part.right - 1) > 0.01 and not (part.unit == "share" and w.value >= 1)
    )
    return dataclasses.replace(part, wrongs=wrongs)


def _square(b: int) -> rl.Work:
    return rl.tile(rl.matmul(LONG, LONG, LONG), b, b, b, ragged=False)


def _which() -> Question:
    # fmt: off
    sides = ChoicePart(
        "sides",
        _("both sides bm and bn double: the traffic of X and Y"),
        right="halves",
        choices={
            "halves": _("halves"),
            "quarter": _("becomes a quarter"),
            "same": _("stays the same"),
            "doubles": _("doubles"),
        },
        why=_("X is read for half as many columns of tiles, Y for half as many rows."),
        wrongs=(
            Wrong("quarter", "quarter", _("the number of tiles"),
                  _("There are fewer tiles; how much does each of them load?")),
            Wrong("same", "same", _("the operations"), _("How often is one element of X loaded?")),
            Wrong("doubles", "doubles", _("one tile"), _("And how many tiles are there now?")),
        ),
    )
    depth = ChoicePart(
        "depth",
        _("bk doubles: the traffic of X and Y"),
        right="same",
        choices={
            "same": _("stays the same"),
            "halves": _("halves"),
            "doubles": _("doubles"),
        },
        why=_("The same bytes in fewer, larger steps."),
        wrongs=(
            Wrong("halves", "halves", _("the number of steps"),
                  _("There are fewer steps; how much does each of them load?")),
            Wrong("doubles", "doubles", _("one step"), _("And how many steps are there now?")),
        ),
    )
    # fmt: on
    return Question(
        id="7d",
        asks=_("What do wider and what do deeper tiles do to the traffic?"),
        parts=(sides, depth),
        hints=(
            _("Where do bm, bn and bk stand in your 7a?"),
            _("How often is one element of X loaded, before and after?"),
        ),
        solution=_(
            "The traffic of X and Y goes with 1/bn and 1/bm, so twice the sides is half of it. bk "
            "is in neither: it only says in how many steps a tile is made."
        ),
        why=_("bk is paid for in room on the chip, and buys nothing in traffic."),
        look_next=_("What does bk cost, and what else might it be good for?"),
    )
