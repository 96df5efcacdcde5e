"""Problem 1: an int8 matmul. Bytes, operations, intensity, times and bounds."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import rooflib as rl
from rooflib.i18n import _
from rooflib.practice.algebra import Formula, largest, letters, smallest
from rooflib.practice.problems.common import V5E, Machine, deal_machine
from rooflib.practice.question import (
    ChoicePart,
    FormulaPart,
    NumberPart,
    Problem,
    Question,
    Together,
    Wrong,
)
from rooflib.units import si


@dataclass(frozen=True)
class Numbers:
    """B, D, F: the sizes of 1e."""

    machine: Machine = V5E
    B: int = 320
    D: int = 4096
    F: int = 14336


BOOK = Numbers()


def deal(random: random.Random) -> Numbers:
    D, F = random.sample([2048, 3072, 4096, 5120, 6144, 8192, 10240, 12288, 14336], 2)
    return Numbers(deal_machine(random), random.choice(range(64, 1025, 32)), D, F)


def well_posed(n: Numbers) -> bool:
    """Both times and both bounds are told apart, and the output is a visible share of the bytes."""
    sizes = (n.B, n.D, n.F)
    t = rl.estimate(rl.matmul(*sizes, dtype="int8"), n.machine.chip)
    ratio = t.math / t.comms["hbm"]
    times = (t.math, t.comms["hbm"], t.lower, t.upper)
    return (
        all(a / b not in (0.5, 1, 2) for a in sizes for b in sizes if a is not b)
        and (0.15 < ratio < 0.9 or 1.1 < ratio < 7)
        and n.D / n.B + n.D / n.F <= 49
        and all(abs(1e6 * time / n.B - 1) > 0.02 for time in times)
    )


def build(numbers: Numbers) -> Problem:
    B, D, F = letters("B D F")
    # rooflib counts; nothing below is typed in twice.
    work = rl.matmul(B, D, F, dtype="int8")
    wide = rl.matmul(B, D, F, dtype="bf16")
    x, y, z = (operand.bytes for operand in work.one.operands)
    ops: Formula = work.ops
    moved: Formula = work.bytes["hbm"]
    return Problem(
        id="1",
        title=_("an int8 matmul"),
        aim=_("count bytes and operations by operand, and get from them to both bounds"),
        given={
            _("operation"): "int8[B, D] · int8[D, F] → int8[B, F]",
            _("HBM bandwidth"): si(numbers.machine.bandwidth, "B/s"),
            _("peak, int8"): si(numbers.machine.int8, "OP/s"),
            _("peak, bf16"): si(numbers.machine.bf16, "FLOP/s"),
            _("machine"): numbers.machine.name,
            _("in 1e"): f"B = {numbers.B}, D = {numbers.D}, F = {numbers.F}",
        },
        questions=(
            _bytes(x, y, z, wide, ops),
            _ops(work, moved),
            _intensity(ops, moved, z, wide, numbers.machine),
            _times(ops, moved, z, numbers.machine),
            _sized(numbers),
        ),
        numbers=numbers,
    )


ASK_UNIT = _("What unit does your expression have, and what unit should an intensity have?")
ASK_SMALL = _("Which of the three letters is the small one here, and which term holds no B?")

# fmt: off
# A known wrong answer takes two or three lines here, not six.


def _bytes(x: Formula, y: Formula, z: Formula, wide: Any, ops: Formula) -> Question:
    two_bytes = _("elements of two bytes each")
    ask_size = _("How many bits does one element have here, and how many bytes is that?")
    read = FormulaPart(
        "read",
        _("bytes read"),
        right=x + y,
        words="bytes",
        why=_("X and Y, each element once, one byte each."),
        wrongs=(
            Wrong("bf16 bytes", 2 * (x + y), two_bytes, ask_size),
            Wrong("bf16 bytes of all", wide.bytes["hbm"], two_bytes, ask_size),
            Wrong("all three", x + y + z, _("everything that crosses the bus, in either direction"),
                  _("Which of the three tensors exists only once the work is done?")),
            Wrong("weights alone", y, _("one of the two inputs"),
                  _("What else does the multiplier need before it can begin?")),
            Wrong("activations alone", x, _("one of the two inputs"),
                  _("What else does the multiplier need before it can begin?")),
            Wrong("result", z, _("the result"),
                  _("Is that tensor there to be read when the operation starts?")),
            Wrong("product of sizes", x * y,
                  _("the number of pairs of one element of X with one of Y"),
                  _("How many elements has each matrix by itself, and what joins the two counts?")),
            Wrong("operations", ops, _("the operations, not the bytes"),
                  _("If the multiplier were infinitely fast, what would still have to be loaded?")),
            Wrong("points", ops / 2, _("the multiplications, not the bytes"),
                  _("If the multiplier were infinitely fast, what would still have to be loaded?")),
        ),
    )
    written = FormulaPart(
        "written",
        _("bytes written"),
        right=z,
        words="bytes",
        why=_("Z, once, one byte an element: the sums are cast down before they leave the chip."),
        wrongs=(
            Wrong("BF missing", 0 * z, _("an operation whose result nobody keeps"),
                  _("Where does Z have to be for the next operation to find it?")),
            Wrong("bf16 bytes", 2 * z, two_bytes, ask_size),
            Wrong("fp32 sums", 4 * z,
                  _("a result that leaves the chip in the type of its sums, four bytes each"),
                  _("In which type does the problem want Z?")),
            Wrong("inputs", x + y, _("the inputs"),
                  _("Which tensor is new when the operation is over?")),
            Wrong("inputs, one", x, _("one of the inputs"),
                  _("Which tensor is new when the operation is over?")),
            Wrong("inputs, other", y, _("one of the inputs"),
                  _("Which tensor is new when the operation is over?")),
            Wrong("all three", x + y + z, _("everything that crosses the bus, in either direction"),
                  _("Which of these tensors did not exist before?")),
            Wrong("points", ops / 2, _("the multiplications, not the bytes"),
                  _("How many of those sums are left once the contracted dimension is gone?")),
            Wrong("operations", ops, _("the operations, not the bytes"),
                  _("How many numbers has the result?")),
        ),
    )
    return Question(
        id="1a",
        asks=_("How many bytes are read from HBM, and how many are written back?"),
        parts=(read, written),
        hints=(
            _("How many elements has each of X, Y and Z? Write the three counts down first."),
            _("How many bits has an int8, and so how many bytes has each element?"),
            _("Which of the three tensors are there before the operation, and which one after?"),
        ),
        solution=_(
            "Each tensor crosses the bus once, and an int8 element is one byte, so the bytes are "
            "simply the elements: X and Y on the way in, Z on the way out."
        ),
        why=_("One byte an element makes bytes and elements the same number."),
        look_next=_("Which of the three terms is the largest when B is small?"),
    )


def _ops(work: Any, moved: Formula) -> Question:
    ops: Formula = work.ops
    B, _D, F = letters("B D F")
    part = FormulaPart(
        "ops",
        _("operations"),
        right=ops,
        also=(work.ops_exact,),
        words="ops",
        why=_(
            "A multiply and an add for each triple of b, d and f; the type does not change that."
        ),
        wrongs=(
            Wrong("BDF", ops / 2, _("the multiplications"),
                  _("What happens to each product once it has been formed?")),
            Wrong("4BDF", 2 * ops, _("a count in which each multiply-add appears twice"),
                  _("For one b, one d and one f: which operations are there, one by one?")),
            Wrong("bytes", moved, _("the bytes, not the operations"),
                  _("How many multiplications go into one element of Z?")),
            Wrong("outputs", B * F, _("the elements of the result"),
                  _("How many multiplications go into one of them?")),
            Wrong("outputs, twice", 2 * B * F,
                  _("one multiply and one add for each element of the result"),
                  _("Along which dimension does a row meet a column, and how long is it?")),
            Wrong("extra B", ops * B, _("B such products, one after the other"),
                  _("How often does each row of X meet the matrix Y?")),
            Wrong("int8 halves it", ops / 4, _("a type that spares operations"),
                  _("Does a smaller type make fewer operations, or faster ones?")),
        ),
    )
    return Question(
        id="1b",
        asks=_("How many operations (OPs) are done?"),
        parts=(part,),
        hints=(
            _("How many elements has Z, and how is one of them made?"),
            _("One element of Z is a dot product: how long are its two vectors?"),
            _("For each pair of numbers in that dot product, what is done with them?"),
        ),
        solution=_(
            "Each element of Z is a dot product of length D: D multiplications and "
            "(all but one) as many additions. The usual count takes that as two for each of the D."
        ),
        why=_("The count is that of bf16: a type changes how fast operations run, not how many."),
        look_next=_(
            "Strictly, each result takes one addition less. From which D on is that under 1%?"
        ),
    )


def _intensity(ops: Formula, moved: Formula, z: Formula, wide: Any, m: Machine) -> Question:
    B, D, F = letters("B D F")
    right: Formula = ops / moved
    exact = FormulaPart(
        "intensity",
        _("operations per byte, exactly"),
        right=right,
        also=((ops - z) / moved,),
        words="intensity",
        why=_("Operations over all the bytes that cross the bus, in both directions."),
        wrongs=(
            Wrong("bf16's exact form", wide.intensity("hbm"),
                  _("bf16, whose every element is two bytes"),
                  _("In bf16 a 2 cancelled here; is it still there to cancel?")),
            Wrong("multiplies only", ops / 2 / moved, _("a count of the multiplications alone"),
                  _("What did you count for one multiply-add?")),
            Wrong("inverted", moved / ops, _("the bytes for each operation"),
                  ASK_UNIT),
            Wrong("no output", ops / (moved - z), _("an operation that writes nothing back"),
                  _("Does it follow from your 1a? Where does Z live when the operation is over?")),
            Wrong("output alone", ops / z, _("an operation that loads nothing, and only writes"),
                  _("What has to be loaded before?")),
            Wrong("counted twice", 2 * right, _("a count in which each multiply-add appears twice"),
                  _("For one b, one d and one f: which operations are there, one by one?")),
            Wrong("approximated", 2 * B, _("an approximation, good in some cases only"),
                  _("The exact form is asked here: which bytes did you leave out?")),
            Wrong("bf16, approximated", B, _("an approximation for another type"),
                  _("The exact form is asked here: which bytes did you leave out, of which size?")),
            Wrong("operations", ops, _("the operations"),
                  _("An intensity is a quotient: what stands below the line?")),
            Wrong("product", ops * moved, _("a product of operations and bytes"),
                  _("An intensity says how much one byte feeds: what joins the two counts?")),
        ),
    )
    limit = FormulaPart(
        "limit",
        _("the same when B is much smaller than D and F"),
        right=2 * B,
        words="intensity",
        why=_("When B is small the weights are nearly all of the traffic; D and F cancel."),
        wrongs=(
            Wrong("bf16's B", B, _("bf16"),
                  _("Each element is half as wide here: what becomes of the bytes and the ratio?")),
            Wrong("multiplies only", B, _("a count of the multiplications alone"),
                  _("And what did you count for one multiply-add?")),
            Wrong("exact", right, _("every B"),
                  _("Now let B be far smaller than D and F: which terms below the line fade?")),
            Wrong("counted twice", 4 * B, _("bytes halved twice, or operations counted double"),
                  _("Which bytes did you count for one weight, and what for one multiply-add?")),
            Wrong("half", B / 2, _("elements twice as wide as bf16's"),
                  _("When elements shrink, does one byte carry more of them or fewer?")),
            Wrong("inverted", 1 / (2 * B), _("the bytes for each operation"),
                  ASK_UNIT),
            Wrong("small D", 2 * D, _("a D far smaller than B and F"),
                  ASK_SMALL),
            Wrong("small F", 2 * F, _("an F far smaller than B and D"),
                  ASK_SMALL),
            Wrong("large B", 2 * D * F / (D + F), _("a B without end"),
                  ASK_SMALL),
            Wrong("own matrices", Formula.constant(2),
                  _("B rows that each have a matrix of their own (that is problem 4)"),
                  _("How often is one weight used, once it is loaded?")),
        ),
    )
    ridge = m.int8 / m.bandwidth
    ridge_bf16 = m.bf16 / m.bandwidth
    machine_wrongs = [
        Wrong("bf16 peak", ridge_bf16, _("the bf16 peak"),
              _("The number stands for bf16. Which of the chip's peaks do these operands run at?")),
        Wrong("inverted", m.bandwidth / m.int8, _("bytes for each operation"),
              _("What unit should it have, to be compared with an intensity?")),
        Wrong("peak", m.int8, _("the peak by itself"),
              _("How many operations could the chip do while one byte arrives?")),
        Wrong("bandwidth", m.bandwidth, _("the bandwidth by itself"),
              _("How many operations could the chip do while one byte arrives?")),
    ]
    batch_wrongs = [
        Wrong("480", ridge, _("the machine: so many operations it can do while one byte arrives"),
              _("What is the operation's own intensity, in terms of B, when B is small?")),
        Wrong("halved twice", ridge / 4, _("a number that was halved twice"),
              _("At which step does a 2 come in, and does it come in once?")),
        Wrong("bf16 rate, int8 bytes", ridge_bf16 / 2,
              _("int8 bytes that are multiplied at the bf16 rate (that is problem 2)"),
              _("Which of the chip's peaks did you divide?")),
        Wrong("doubled", 2 * ridge, _("a 2 on the wrong side"),
              _("If each byte feeds more arithmetic, does the batch have to grow or to shrink?")),
    ]
    if m.old_bandwidth:
        edition = _("the bandwidth that an older edition of the book gives")
        ask = _("Which bandwidth does this problem give?")
        machine_wrongs += [
            Wrong("older edition", m.int8 / m.old_bandwidth, edition, ask),
            Wrong("older edition, bf16", m.bf16 / m.old_bandwidth, edition, ask),
        ]
        batch_wrongs += [
            Wrong("older edition", m.int8 / m.old_bandwidth / 2, edition, ask),
            Wrong("older edition, 480", m.int8 / m.old_bandwidth,
                  _("the machine, with the bandwidth of an older edition of the book"),
                  _("Which bandwidth is given, and what is the operation's own intensity?")),
            Wrong("older edition, halved twice", m.int8 / m.old_bandwidth / 4,
                  _("the bandwidth of an older edition, and a number that was halved twice"),
                  _("Which bandwidth does this problem give, and how often does a 2 come in?")),
        ]
    machine = NumberPart(
        "machine",
        _("the chip's own operations per byte"),
        right=ridge,
        unit="FLOP/B",
        why=_("The peak for the type that is multiplied, over the bandwidth."),
        wrongs=tuple(machine_wrongs),
    )
    batch = NumberPart(
        "batch",
        _("the batch from which on it is compute-bound, in tokens, for small B"),
        right=Fraction(ridge) / 2,
        unit="token",
        up=True,
        above=True,
        why=_("There the operation's intensity reaches the machine's."),
        wrongs=tuple(batch_wrongs),
    )
    int8_ignored = Together(
        "int8 ignored",
        {"machine": ridge_bf16, "batch": ridge / 2},
        on="machine",
        says=_(
            "That is right for bf16. Your batch can be had that way as well, but would the "
            "route survive a chip whose int8 peak is 1.5 times its bf16 peak?"
        ),
    )
    return Question(
        id="1c",
        asks=_(
            "What is the intensity, what does it tend to for small B, what is the machine's, and "
            "from which batch on is the operation compute-bound?"
        ),
        parts=(exact, limit, machine, batch),
        hints=(
            _("Which two counts, both of them yours by now, make an intensity?"),
            _("Divide above and below by D·F. What is left below the line when B/D and B/F fade?"),
            _("Which of the chip's two peaks runs int8, and how fast do bytes arrive meanwhile?"),
            _("The batch is where two intensities are equal. Which two, and which has a B in it?"),
        ),
        solution=_(
            "Intensity is operations over bytes. For B far below D and F only the D·F weights "
            "count below the line, and each of them is one byte that feeds B multiply-adds. Set "
            "that equal to the machine's peak over bandwidth and solve for B."
        ),
        why=_(
            "Against bf16 the bytes halved and the peak doubled: both intensities doubled, so the "
            "batch at which they meet stayed where it was."
        ),
        look_next=_(
            "It stayed, but not for every chip: on a TPU v4p int8 runs at the bf16 rate. Where "
            "does the batch go there?"
        ),
        # On such a chip the right batch can be had without noticing int8 at all.
        together=(int8_ignored,) if m.int8 == 2 * m.bf16 else (),
    )


def _times(ops: Formula, moved: Formula, z: Formula, m: Machine) -> Question:
    t_math: Formula = ops / Fraction(repr(m.int8))
    t_comms: Formula = moved / Fraction(repr(m.bandwidth))
    slow = Fraction(repr(m.bf16))
    rates = (m.int8, m.bandwidth)
    names = {"T_math": t_math, "T_comms": t_comms, "Tmath": t_math, "Tcomms": t_comms}
    ask_rate = _("What does each of the two rates count per second?")
    both = largest([t_math, t_comms])
    # T_math with the additions counted one by one is right as well, and so are its bounds.
    strict = (ops - z) / Fraction(repr(m.int8))
    old = () if m.old_bandwidth is None else (Fraction(repr(m.old_bandwidth)),)
    math = FormulaPart(
        "math",
        _("T_math in seconds"),
        right=t_math,
        also=(strict,),
        rates=rates,
        words="s",
        why=_("Operations over the rate at which int8 operations are done."),
        wrongs=(
            Wrong("bf16 peak", ops / slow, _("the bf16 peak"),
                  _("Which rate did the question hand you, and for which type?")),
            Wrong("rates swapped", ops / Fraction(repr(m.bandwidth)),
                  _("no unit: it divides operations by bytes per second"),
                  ask_rate),
            Wrong("bytes", moved / Fraction(repr(m.int8)),
                  _("no unit: it divides bytes by operations per second"),
                  ask_rate),
            Wrong("comms", t_comms, _("the other of the two times"),
                  _("Which of them is the arithmetic?")),
            Wrong("multiplies only", ops / 2 / Fraction(repr(m.int8)),
                  _("the multiplications alone"),
                  _("What did you count for one multiply-add?")),
            Wrong(
                "count", ops, _("the operations themselves"), _("How long does one of them take?")
            ),
            Wrong("inverted", Fraction(repr(m.int8)) / ops,
                  _("how often it could be done in one second"),
                  _("Which unit should a time have?")),
        ),
    )
    comms = FormulaPart(
        "comms",
        _("T_comms in seconds"),
        right=t_comms,
        rates=rates,
        words="s",
        why=_("All bytes, in and out, over the bandwidth."),
        wrongs=(
            *(
                Wrong(
                    "older edition",
                    moved / w,
                    _("the bandwidth of an older edition of the book"),
                    _("Which bandwidth does this problem give?"),
                )
                for w in old
            ),
            Wrong("rates swapped", moved / Fraction(repr(m.int8)),
                  _("no unit: it divides bytes by operations per second"),
                  ask_rate),
            Wrong("operations", ops / Fraction(repr(m.bandwidth)),
                  _("no unit: it divides operations by bytes per second"),
                  ask_rate),
            Wrong(
                "math", t_math, _("the other of the two times"), _("Which of them is the traffic?")
            ),
            Wrong("bf16 bytes", 2 * t_comms, _("elements of two bytes each"),
                  _("How many bytes has one element here?")),
            Wrong("no output", (moved - z) / Fraction(repr(m.bandwidth)),
                  _("an operation that writes nothing back"),
                  _("Which tensor leaves the chip, and over which bus?")),
            Wrong("count", moved, _("the bytes themselves"), _("How long does one of them take?")),
            Wrong("inverted", Fraction(repr(m.bandwidth)) / moved,
                  _("how often it could be done in one second"),
                  _("Which unit should a time have?")),
        ),
    )
    lower = FormulaPart(
        "lower",
        _("lower bound in seconds"),
        right=both,
        also=(largest([strict, t_comms]),),
        names=names,
        rates=rates,
        words="s",
        follows=lambda own: (
            largest([own["math"], own["comms"]]) if {"math", "comms"} <= own.keys() else None
        ),
        why=_("With everything overlapped, the longer of the two is all that shows."),
        wrongs=(
            Wrong("swapped", t_math + t_comms, _("an operation in which nothing overlaps"),
                  _("Is that the best case or the worst?")),
            Wrong("min", smallest([t_math, t_comms]), _("the part that is over first"),
                  _("Can the operation be finished while one of its two parts still runs?")),
            Wrong("math alone", t_math, _("a chip whose memory is infinitely fast"),
                  _("When is that the longer of the two times, and what if it is not?")),
            Wrong("comms alone", t_comms, _("a chip whose arithmetic is infinitely fast"),
                  _("When is that the longer of the two times, and what if it is not?")),
            Wrong("average", (t_math + t_comms) / 2, _("a compromise between the two"),
                  _("With full overlap, what is running at the average of the two times?")),
            Wrong("product", t_math * t_comms, _("seconds squared"),
                  _("Which unit should a bound on a time have?")),
        ),
    )
    upper = FormulaPart(
        "upper",
        _("upper bound in seconds"),
        right=t_math + t_comms,
        also=(strict + t_comms,),
        names=names,
        rates=rates,
        words="s",
        follows=lambda own: own["math"] + own["comms"] if {"math", "comms"} <= own.keys() else None,
        why=_("With nothing overlapped, one part follows the other."),
        wrongs=(
            Wrong("swapped", both, _("an operation in which everything overlaps"),
                  _("Is that the best case or the worst?")),
            Wrong("twice the max", 2 * both, _("a bound that holds and is seldom reached"),
                  _("When is it reached, and can you name something that is never larger?"), 0.5),
            Wrong("min", smallest([t_math, t_comms]), _("the part that is over first"),
                  _("What is the worst that can happen, if loading and computing take turns?")),
            Wrong("average", (t_math + t_comms) / 2, _("a compromise between the two"),
                  _("What is the worst that can happen, if loading and computing take turns?")),
            Wrong("math alone", t_math, _("a chip whose memory is infinitely fast"),
                  _("What is the worst that can happen, if loading and computing take turns?")),
            Wrong("comms alone", t_comms, _("a chip whose arithmetic is infinitely fast"),
                  _("What is the worst that can happen, if loading and computing take turns?")),
        ),
    )
    return Question(
        id="1d",
        asks=_("What are T_math and T_comms, and between which bounds does the whole lie?"),
        parts=(math, comms, lower, upper),
        hints=(
            _("A time is a count over a rate. Which count goes with which rate?"),
            _("What does the chip do while bytes arrive: wait, or multiply what is there already?"),
            _("Draw two bars, one for each time. How short and how long can the whole be?"),
        ),
        solution=_(
            "Operations over the int8 peak, bytes over the bandwidth. If both go on at once the "
            "longer one decides; if they take turns they add up. With two terms the bounds are "
            "never more than a factor 2 apart."
        ),
        why=_("The truth lies between, and the two bounds are at most a factor 2 apart."),
        look_next=_("For which B are the two bounds exactly a factor 2 apart?"),
    )


def _sized(n: Numbers) -> Question:
    m = n.machine
    work = rl.matmul(n.B, n.D, n.F, dtype="int8")
    t = rl.estimate(work, m.chip)
    ops, moved, z = work.ops, work.bytes["hbm"], work.one.output.bytes
    t_math, t_comms = float(t.math), float(t.comms["hbm"])
    ask_rate = _("What does each of the two rates count per second?")
    parts = (
        NumberPart(
            "math", _("T_math"), right=t_math, unit="s",
            why=_("The operations over the int8 peak."),
            wrongs=_apart(t_math, [
                Wrong("bf16 peak", ops / m.bf16, _("the bf16 peak"),
                      _("Which rate belongs to these operands?")),
                Wrong("multiplies only", t_math / 2, _("the multiplications alone"),
                      _("What did you count for one multiply-add?")),
                Wrong("rates swapped", ops / m.bandwidth,
                      _("no unit: it divides operations by bytes per second"), ask_rate),
                Wrong("comms", t_comms, _("the other of the two times"),
                      _("Which of them is the arithmetic?")),
            ]),
        ),
        NumberPart(
            "comms", _("T_comms"), right=t_comms, unit="s",
            why=_("All bytes, in and out, over the bandwidth."),
            wrongs=_apart(t_comms, [
                Wrong("no output", (moved - z) / m.bandwidth,
                      _("an operation that writes nothing back"),
                      _("Which tensor leaves the chip, and over which bus?")),
                Wrong("bf16 bytes", 2 * t_comms, _("elements of two bytes each"),
                      _("How many bytes has one element here?")),
                Wrong("rates swapped", moved / m.int8,
                      _("no unit: it divides bytes by operations per second"), ask_rate),
                Wrong("weights alone", n.D * n.F / m.bandwidth, _("the weights"),
                      _("What else crosses the bus?")),
                Wrong("math", t_math, _("the other of the two times"),
                      _("Which of them is the traffic?")),
            ]),
        ),
        NumberPart(
            "lower", _("the lower bound"), right=float(t.lower), unit="s",
            why=_("The longer of the two."),
            wrongs=_apart(float(t.lower), [
                Wrong("min", min(t_math, t_comms), _("the part that is over first"),
                      _("Can the operation be finished while one of its parts still runs?")),
                Wrong("swapped", float(t.upper), _("an operation in which nothing overlaps"),
                      _("Is that the best case or the worst?")),
                Wrong("average", float(t.upper) / 2, _("a compromise between the two"),
                      _("With full overlap, what is running at the average of the two?")),
            ]),
        ),
        NumberPart(
            "upper", _("the upper bound"), right=float(t.upper), unit="s",
            why=_("One after the other."),
            wrongs=_apart(float(t.upper), [
                Wrong("swapped", float(t.lower), _("an operation in which everything overlaps"),
                      _("Is that the best case or the worst?")),
                Wrong("twice the max", 2 * float(t.lower), _("a bound that is not tight"),
                      _("Can you name something that is never larger?"), 0.5),
                Wrong("min", min(t_math, t_comms), _("the part that is over first"),
                      _("What is the worst that can happen?")),
            ]),
        ),
        ChoicePart(
            "bound", _("what binds"), right="compute" if t.bound == "compute" else "memory",
            choices={"compute": _("the arithmetic"), "memory": _("the bandwidth")},
            why=_("The longer of the two times binds."),
            wrongs=(_other_bound(str(t.bound)),),
        ),
    )
    return Question(
        id="1e",
        asks=_(
            "Now with sizes: B = {B}, D = {D}, F = {F}. Both times, both bounds, and what binds?"
        ).format(B=n.B, D=n.D, F=n.F),
        parts=parts,
        hints=(
            _("Put the sizes into your formulas of 1d. In which unit does each come out?"),
            _("Is B above or below the batch of 1c, and by how much? D and F count a little, too."),
        ),
        solution=_("The formulas of 1d with these sizes; the longer time binds."),
        why=_("Near the corner the two times are alike, and overlap is worth the most."),
        look_next=_("At which B are the two times equal, for this D and F?"),
    )


def _apart(right: float, wrongs: list[Wrong]) -> tuple[Wrong, ...]:
    """Those that lie apart from the right one: the mean of two like times does not."""
    return tuple(w for w in wrongs if abs(w.value / right - 1) > 0.015)


def _other_bound(bound: str) -> Wrong:
    other = "memory" if bound == "compute" else "compute"
    ask = _("Which of your two times is the longer one?")
    small, large = _("a smaller batch"), _("a larger batch")
    return Wrong(other, other, small if other == "memory" else large, ask)
