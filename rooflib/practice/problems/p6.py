"""Problem 6, our own: one matmul on two chips, and whether that was worth it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import rooflib as rl
from rooflib.critical import break_even
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


@dataclass(frozen=True)
class Numbers:
    """B and F: the sizes of 6c; D: that at which the gain is asked; few: the small batch."""

    machine: Machine = V5E
    B: int = 1024
    D: int = 8192
    F: int = 8192
    few: int = 128


BOOK = Numbers()


def deal(random: random.Random) -> Numbers:
    known = [
        Machine(c.name, c.bandwidth(), c.peak("bf16"), 2 * c.peak("bf16"), link=c.bandwidth("ici"))
        for c in rl.chips()
        if "ici" in c.links
    ]
    machine = random.choice(known)
    above = 1.2 * machine.ridge
    return Numbers(
        machine,
        B=random.choice([b for b in (512, 768, 1024, 1280, 1536, 2048) if b > above]),
        D=128 * round(random.uniform(1.3, 1.9) * machine.bf16 / machine.link / 128),
        F=random.choice([6144, 10240, 12288, 14336]),
        few=random.choice([64, 96, 128]),
    )


def well_posed(n: Numbers) -> bool:
    sizes = (n.B, n.D, n.F)
    return all(a / b not in (0.5, 1, 2) for a in sizes for b in sizes if a is not b)


def build(numbers: Numbers) -> Problem:
    m = numbers.machine
    return Problem(
        id="6",
        title=_("two chips"),
        aim=_("price what is computed, read and sent, and compare with a single chip"),
        given={
            _("operation"): _("bf16[B, D] · bf16[D, F] → bf16[B, F], D split over two chips"),
            _("exchange"): _("each chip sends its bf16 partial sum to the other, all at once"),
            _("link, one way"): si(m.link, "B/s"),
            _("HBM bandwidth, each chip"): si(m.bandwidth, "B/s"),
            _("peak, bf16, each chip"): si(m.bf16, "FLOP/s"),
            _("machine"): m.name,
            _("in 6c"): f"B = {numbers.B}, D = {numbers.D}, F = {numbers.F}",
            _("in 6d"): f"B = {numbers.few}, F = {numbers.F}",
        },
        questions=(_times(m), _threshold(m), _worth(numbers), _few(numbers)),
        numbers=numbers,
    )


def _times(m: Machine) -> Question:
    B, D, F = letters("B D F")
    one = rl.matmul(B, D, F)
    two = rl.shard(one, "D", chips=2)
    C, W, L = (Fraction(repr(rate)) for rate in (m.bf16, m.bandwidth, m.link))
    math: Formula = two.ops / C
    hbm: Formula = two.bytes["hbm"] / W
    sent: Formula = two.bytes["ici"] / L
    whose = _("How much of the work does one of the two chips do?")
    # fmt: off
    parts = (
        FormulaPart(
            "math", _("T_math of each chip, in seconds"), right=math,
            also=(two.ops_exact / C,), rates=(m.bf16,), words="s",
            why=_("Each chip does half of the work at its own peak."),
            wrongs=(
                Wrong("one chip", 2 * math, _("a single chip that does it all"), whose),
                Wrong("quarter", math / 2, _("work that was halved twice"), whose),
                Wrong("hbm", hbm, _("the bytes from memory"),
                      _("Which of the three times is the arithmetic?")),
                inverted_time(1 / math),
            ),
        ),
        FormulaPart(
            "hbm", _("the time of each chip's own memory, in seconds"), right=hbm,
            rates=(m.bandwidth,), words="s",
            why=_("Half of X and half of Y come in; the whole of the partial sum goes out."),
            wrongs=(
                Wrong("one chip", one.bytes["hbm"] / W, _("a single chip that holds it all"),
                      _("How much of X and of Y lies with each chip?")),
                Wrong("half of all", one.bytes["hbm"] / W / 2,
                      _("a chip that writes half of the result"),
                      _("How many elements has the partial sum of one chip?")),
                Wrong("no output", (B * D + D * F) / W, _("an operation that writes nothing back"),
                      _("Where does the partial sum go?")),
                inverted_time(1 / hbm),
            ),
        ),
        FormulaPart(
            "link", _("the time of the exchange, in seconds"), right=sent, rates=(m.link,),
            words="s",
            why=_("A whole partial sum goes out while the other one comes in."),
            wrongs=(
                Wrong("both directions", 2 * sent, _("a link that sends and receives in turns"),
                      _("Can a chip receive while it sends?")),
                Wrong("fp32 sums", 2 * sent, _("sums of four bytes each"),
                      _("And in which format are the sums sent?")),
                Wrong("bidirectional", sent / 2, _("a rate that adds up both directions"),
                      _("Is the rate that is given for one way or for both?")),
                Wrong("half sent", sent / 2, _("chips that send half of their sums"),
                      _("And how many elements has the partial sum of one chip?")),
                Wrong("through memory", two.bytes["ici"] / W, _("bytes that move inside a chip"),
                      _("Over which wire does the partial sum travel?")),
                Wrong("inputs", (B * D + D * F) / L, _("chips that send their inputs"),
                      _("What has the other chip not got when both have multiplied?")),
                inverted_time(1 / sent),
            ),
        ),
    )
    # fmt: on
    return Question(
        id="6a",
        asks=_("What are each chip's three times: arithmetic, memory, exchange?"),
        parts=parts,
        hints=(
            _("Draw X and Y, each cut along D. What shape is the product of two halves?"),
            _("Which bytes does each chip load, which does it write, and which does it send?"),
            _("Each count over its own rate: which rate belongs to which?"),
        ),
        solution=_(
            "Half of D is half of the operations and half of X and of Y. But each chip has a sum "
            "for every element of Z, so it writes a whole Z, and sends a whole one."
        ),
        why=_("Splitting D halves the inputs and not the output: every chip has a whole one."),
        look_next=_("Which of the three times shrinks when there are more chips, and which not?"),
    )


def inverted_time(value: Formula) -> Wrong:
    return Wrong(
        "inverted",
        value,
        _("how often it could be done in one second"),
        _("Which unit should a time have?"),
    )


def _threshold(m: Machine) -> Question:
    right = rl.critical(lambda D: rl.shard(rl.matmul(1024, D, 8192), "D"), m.chip, link="ici")
    half = float(right) / 2
    # fmt: off
    threshold = NumberPart(
        "threshold",
        _("the size from which on the arithmetic takes longer than the exchange"),
        right=float(right),
        up=True,
        why=_("Work per byte sent is proportional to the dimension that is summed over."),
        wrongs=(
            Wrong("bidirectional", half, _("a rate that adds up both directions"),
                  _("Is the rate one way?")),
            Wrong("per chip", half, _("the share of one chip"),
                  _("Is your size the whole contracted dimension, or a chip's share?")),
            Wrong("not halved", half, _("chips that each do all of the work"),
                  _("How much of the work does one of the two chips do?")),
            Wrong("both directions", 2 * float(right), _("a link that sends and receives in turns"),
                  _("Can a chip receive while it sends?")),
            Wrong("fp32 sums", 2 * float(right), _("sums of four bytes each"),
                  _("In which format are the sums sent?")),
            Wrong("hbm", m.ridge, _("the chip's memory"),
                  _("Which link is asked about, and how fast is that one?")),
        ),
    )
    letter = ChoicePart(
        "letter",
        _("the dimension that the threshold is about"),
        right="D",
        choices={"B": "B", "D": "D", "F": "F"},
        why=_("The other two stand in the work and in what is sent, and cancel."),
        wrongs=(
            Wrong("B", "B", _("the roofline of a single chip's memory"),
                  _("Which dimensions appear both in the work and in what is sent?")),
            Wrong("F", "F", _("an exchange in which one dimension is missing"),
                  _("Which dimensions appear both in the work and in what is sent?")),
        ),
    )
    reason = ChoicePart(
        "reason",
        _("why that one and no other"),
        right="bought",
        choices={
            "bought": _("each number that is sent was bought with so many multiply-adds"),
            "longest": _("it is the longest of the three"),
            "split": _("it is the one that was split"),
            "weights": _("it decides how large the weights are"),
        },
        why=_("However many numbers are sent, each one costs that many multiply-adds."),
        wrongs=(
            Wrong("longest", "longest", _("a matrix of some other shape"),
                  _("Would the threshold move if F were longer still?")),
            Wrong("split", "split", _("this case, and not as a reason"),
                  _("Split along F instead: what has to be sent then?"), 0.5),
            Wrong("weights", "weights", _("the memory of one chip"),
                  _("Are weights sent over the link at all?")),
        ),
    )
    # fmt: on
    return Question(
        id="6b",
        asks=_("From which size on does the arithmetic outlast the exchange? Which, and why?"),
        parts=(threshold, letter, reason),
        hints=(
            _("Divide the operations of one chip by the bytes that it sends. What cancels?"),
            _("Which machine intensity belongs to a link: what over what?"),
            _("How many multiply-adds stand behind one number that is sent?"),
        ),
        solution=_(
            "Per chip BDF operations for 2BF bytes sent: half of D for each byte. Set that equal "
            "to the peak over the link's bandwidth."
        ),
        why=_("A different link asks about a different dimension."),
        look_next=_("Below that size the exchange takes longer. Is it slower than one chip, then?"),
    )


def _worth(n: Numbers) -> Question:
    m = n.machine

    def one(D: int) -> rl.Work:
        return rl.matmul(n.B, D, n.F)

    def two(D: int) -> rl.Work:
        return rl.shard(one(D), "D")

    alone = rl.estimate(one(n.D), m.chip).lower
    times = rl.estimate(two(n.D), m.chip)
    overlapped = float(alone / times.lower)
    after = float(alone / times.at({"ici": 0}))
    summed = float(rl.estimate(one(n.D), m.chip).upper / times.upper)
    pays = float(break_even(one, two, m.chip))
    link = float(rl.critical(two, m.chip, link="ici"))
    # fmt: off
    parts = (
        NumberPart(
            "overlapped",
            _("how many times as fast as one chip, with everything overlapped"),
            right=overlapped,
            why=_("The longest of three times against the longest of two."),
            wrongs=(
                Wrong("twice", 2.0, _("chips that have nothing to tell each other"),
                      _("What is the longest of the three times?")),
                Wrong("after", after, _("an exchange that begins when the rest is over"),
                      _("What can go on while the sums travel, at best?")),
                Wrong("inverted", 1 / overlapped, _("the share of the time that is left"),
                      _("Which of the two is faster, and which way round is a speed-up?")),
            ),
        ),
        NumberPart(
            "after",
            _("the same, with the exchange after everything else"),
            right=after,
            why=_("Memory hides behind arithmetic as before; the exchange adds to that."),
            wrongs=(
                Wrong("overlapped", overlapped, _("an exchange that hides behind the arithmetic"),
                      _("When does it begin here?")),
                Wrong("all summed", summed, _("times of which none overlap"),
                      _("What still overlaps when the exchange comes last?")),
                Wrong("inverted", 1 / after, _("the share of the time that is left"),
                      _("Which way round is a speed-up?")),
            ),
        ),
        NumberPart(
            "pays",
            _("the D from which on two chips beat one, overlapped, at this B and F"),
            right=pays,
            up=True,
            above=True,
            why=_("There the exchange takes as long as one chip alone would have needed."),
            wrongs=(
                Wrong("link", link, _("the place where exchange and arithmetic take equally long"),
                      _("Slower than the arithmetic of one half: is that slower than one chip?")),
                Wrong("half", pays / 2, _("a chip's share of it"),
                      _("Is your D the whole contracted dimension or a chip's share?")),
            ),
        ),
    )
    # fmt: on
    return Question(
        id="6c",
        asks=_(
            "At B = {B}, D = {D}, F = {F}: how much faster are two chips, and from which D on?"
        ).format(B=n.B, D=n.D, F=n.F),
        parts=parts,
        hints=(
            _("How long does one chip take alone? Two times compete there."),
            _("And each of the two: three times. Which is the longest?"),
            _("At which D does the exchange take just as long as one chip alone?"),
        ),
        solution=_(
            "Compare the longest of math, memory and exchange of one half with the longest of math "
            "and memory of the whole. The exchange need only beat the whole, not the half."
        ),
        why=_(
            "Bound by the exchange is a statement about a half; worthwhile is one about a whole."
        ),
        look_next=_("Does the D from which on it pays depend on B? Try a small one: 6d."),
    )


def _few(n: Numbers) -> Question:
    m, B, F = n.machine, n.few, n.F

    def one(D: int) -> rl.Work:
        return rl.matmul(B, D, F)

    def two(D: int) -> rl.Work:
        return rl.shard(one(D), "D")

    pays = float(break_even(one, two, m.chip))
    large = m.bf16 / m.link
    # fmt: off
    binds = ChoicePart(
        "binds",
        _("what one chip spends most of its time on at this B"),
        right="memory",
        choices={"math": _("arithmetic"), "memory": _("its memory"), "link": _("the exchange")},
        why=_("The batch is below the ridge, so the bytes take longer."),
        wrongs=(
            Wrong("math", "math", _("a batch above the ridge"),
                  _("What is the intensity for small B, and what is the chip's?")),
            Wrong("link", "link", _("two chips"), _("What has a single chip to exchange?")),
        ),
    )
    part = NumberPart(
        "pays",
        _("the D from which on two chips beat one, overlapped, at this B"),
        right=pays,
        up=True,
        above=True,
        why=_("Each of two memories has half of the inputs to read: that is what is gained."),
        wrongs=(
            Wrong("as before", large, _("a batch at which arithmetic decides"),
                  _("At this B, what does one chip spend most of its time on?")),
            Wrong("link", 2 * large, _("the place where exchange and arithmetic take equally long"),
                  _("At this B, what does one chip spend most of its time on?")),
            Wrong("no output", B * F / (B + F) * m.bandwidth / m.link,
                  _("a single chip that writes nothing back"),
                  _("Which bytes does one chip move that two chips move as well?")),
        ),
    )
    # fmt: on
    return Question(
        id="6d",
        asks=_("At B = {B}, F = {F}: what binds one chip, and from which D on do two pay?").format(
            B=B, F=F
        ),
        parts=(binds, part),
        hints=(
            _("Is this batch above or below the ridge of one chip?"),
            _("Which bytes does one chip move, and which of them are halved by a second?"),
            _("Set the exchange equal to the memory time of one chip, and solve for D."),
        ),
        solution=_(
            "Below the ridge one chip needs 2(BD + DF + BF) over its bandwidth. Set that equal to "
            "2BF over the link's: D = BF/(B + F) · (W_hbm/W_link - 1)."
        ),
        why=_("So 'D and not B' holds for the link against arithmetic, and not for all three."),
        look_next=_("Split along F instead. What is sent, and why would anyone split D?"),
    )
