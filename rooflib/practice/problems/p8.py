"""Problem 8, our own: layers that no batch makes compute-bound."""

from __future__ import annotations

import dataclasses
import math
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


@dataclass(frozen=True)
class Numbers:
    """D, F: the layer of 8c, which is split along F; ways: into how many pieces."""

    machine: Machine = V5E
    D: int = 8192
    F: int = 28672
    ways: int = 64


BOOK = Numbers()


def deal(random: random.Random) -> Numbers:
    known = [Machine(c.name, c.bandwidth(), c.peak("bf16"), 2 * c.peak("bf16")) for c in rl.chips()]
    return Numbers(
        random.choice(known),
        D=random.choice([5120, 6144, 8192, 12288]),
        F=random.choice([14336, 20480, 28672, 36864]),
        ways=random.choice([8, 16, 32, 64]),
    )


def well_posed(n: Numbers) -> bool:
    at = _batch(n, n.F / n.ways)
    most = _most(n)
    return (
        n.F / n.D not in (0.5, 1, 2)
        and math.isfinite(at)
        and 1.2 < at / n.machine.ridge < 6
        and most % 1 > 0.05
        and most % 1 < 0.95
    )


def _batch(n: Numbers, F: float) -> float:
    rest = 1 / n.machine.ridge - 1 / n.D - 1 / F
    return 1 / rest if rest > 0 else math.inf


def _most(n: Numbers) -> float:
    """The number of pieces at which the layer would just miss the peak for ever."""
    ridge = n.machine.ridge
    return n.F / (n.D * ridge / (n.D - ridge))


def build(numbers: Numbers) -> Problem:
    m = numbers.machine
    return Problem(
        id="8",
        title=_("never compute-bound"),
        aim=_("see when no batch is large enough, and why splitting weights can lead there"),
        given={
            _("operation"): "bf16[B, D] · bf16[D, F] → bf16[B, F]",
            _("HBM bandwidth"): si(m.bandwidth, "B/s"),
            _("peak, bf16"): si(m.bf16, "FLOP/s"),
            _("machine"): m.name,
            _("in 8c"): _("D = {D}, F = {F}, split along F into {ways} pieces").format(
                D=numbers.D, F=numbers.F, ways=numbers.ways
            ),
        },
        questions=(_ceiling(), _square(m), _split(numbers), _concept(), _dot()),
        numbers=numbers,
    )


def _ceiling() -> Question:
    B, D, F = letters("B D F")
    exact: Formula = rl.matmul(B, D, F).intensity("hbm")
    right = D * F / (D + F)
    # fmt: off
    part = FormulaPart(
        "ceiling",
        _("the intensity that a bf16 matmul tends to when B grows without end"),
        right=right,
        words="intensity",
        why=_("With weights that cost nothing, X and Z are still to be moved for every row."),
        wrongs=(
            Wrong("small B", B, _("a B that is small beside D and F"),
                  _("Which letter is the large one here, and which term holds no B?")),
            Wrong("exact", exact, _("every B"),
                  _("Now let B grow: which term below the line fades?")),
            Wrong("int8", 2 * right, _("elements of one byte each"),
                  _("How many bytes has one element?")),
            Wrong("multiplies only", right / 2, _("a count of the multiplications alone"),
                  _("What did you count for one multiply-add?")),
            Wrong("D", D, _("an F that is far larger than D"),
                  _("Two dimensions are left. What does each of them cost?")),
            Wrong("F", F, _("a D that is far larger than F"),
                  _("Two dimensions are left. What does each of them cost?")),
            Wrong("inverted", 1 / right, _("the bytes for each operation"),
                  _("Which unit does your result have, and which one is asked?")),
            Wrong("sum", D + F, _("the sum of two sides"),
                  _("Do the two add up above the line or below it?")),
        ),
    )
    # fmt: on
    return Question(
        id="8a",
        asks=_("To which intensity does a bf16 matmul tend when B grows without end?"),
        parts=(part,),
        hints=(
            _("Write one over the intensity as a sum of three terms. Which of them fades?"),
            _("Which tensors grow with B, and how many bytes has each for one row?"),
        ),
        solution=_("One over the intensity is 1/B + 1/D + 1/F. For large B the first one fades."),
        why=_("More rows reuse the weights more, but each row still brings X and takes Z away."),
        look_next=_("And when that is below the machine's own intensity?"),
    )


def _square(m: Machine) -> Question:
    right = 2 * m.ridge
    # fmt: off
    part = NumberPart(
        "side",
        _("the D = F up to which no batch makes it compute-bound"),
        right=right,
        why=_("There the ceiling of 8a is the machine's own intensity."),
        wrongs=(
            Wrong("ridge", m.ridge, _("a layer with one narrow side"),
                  _("Two terms are left when B is large. What do they add up to?")),
            Wrong("three sides", 3 * m.ridge, _("a cube, with B as long as D and F"),
                  _("How large may B be here?")),
            Wrong("int8 bytes", m.ridge / 2, _("a ridge that was halved"),
                  _("What is the ceiling of 8a when D = F?")),
            Wrong("doubled twice", 4 * m.ridge, _("elements of four bytes"),
                  _("How many bytes has one element?")),
        ),
    )
    # fmt: on
    return Question(
        id="8b",
        asks=_("For D = F on this machine: up to which size does no batch suffice?"),
        parts=(part,),
        hints=(
            _("What is the ceiling of 8a when both sides are equal?"),
            _("Which intensity of the machine must it reach?"),
        ),
        solution=_("For D = F the ceiling is D/2; it stays below the machine up to twice that."),
        why=_("A narrow layer has a roof of its own, lower than the chip's."),
        look_next=_("Where does one meet layers as narrow as that? 8c has a way to make them."),
    )


def _split(n: Numbers) -> Question:
    m = n.machine
    F = Fraction(n.F, n.ways)
    at = float(rl.critical(lambda B: rl.matmul(B, n.D, F), m.chip))
    whole = float(rl.critical(lambda B: rl.matmul(B, n.D, n.F), m.chip))
    most = math.floor(_most(n))
    # fmt: off
    batch = NumberPart(
        "batch",
        _("the batch at which each piece becomes compute-bound"),
        right=at,
        unit="token",
        up=True,
        above=True,
        why=_("Each chip has a layer with a narrow F, and its own corner."),
        wrongs=(
            Wrong("rule", m.ridge, _("a B that is small beside D and F"),
                  _("How wide is a piece? Is the batch small beside that?")),
            Wrong("whole", whole, _("the layer before it is split"),
                  _("How wide is the piece that one chip holds?")),
            Wrong("times ways", whole * n.ways, _("a batch that is split along with F"),
                  _("Does splitting F split the rows as well?")),
            Wrong("D forgotten", 1 / (1 / m.ridge - 1 / F), _("a D without end"),
                  _("Which three resistances are there?")),
            Wrong("D split", 1 / (1 / m.ridge - 1 / n.F - n.ways / n.D)
                  if 1 / m.ridge > 1 / n.F + n.ways / n.D else 0.0,
                  _("a split along D"), _("Along which dimension is it split?")),
        ),
    )
    ways = NumberPart(
        "most",
        _("into how many pieces it may be split at most, if some batch is to suffice"),
        right=most,
        tolerance=Fraction(1, 10**9),
        why=_("With one piece more, no batch would do."),
        wrongs=(
            Wrong("one more", most + 1, _("a piece just too narrow"),
                  _("Try it: is that piece wide enough for some batch?")),
            Wrong("D forgotten", math.floor(n.F / m.ridge), _("a D without end"),
                  _("Two terms are left when B is large. Which is the other?")),
            Wrong("square", math.floor(n.F / (2 * m.ridge)), _("a layer with D = F"),
                  _("D is not as narrow as a piece. What does it cost?")),
        ),
    )
    # fmt: on
    return Question(
        id="8c",
        asks=_(
            "The layer is split along F over {ways} chips. Which batch does each piece need, and "
            "how far could one split at all?"
        ).format(ways=n.ways),
        parts=(_apart(batch), _apart(ways)),
        hints=(
            _("How wide is one piece, and what is one over its intensity?"),
            _("Which width leaves no room for 1/B at all?"),
            _("How many pieces of that width are in F, rounded which way?"),
        ),
        solution=_(
            "A piece has F/n columns: 1/B = 1/I - 1/D - n/F, with I for the machine. The right "
            "side must stay above zero, which bounds n."
        ),
        why=_("Splitting keeps the batch only while the pieces stay wide."),
        look_next=_("Split along D instead: which of the three terms grows then?"),
    )


def _apart(part: NumberPart) -> NumberPart:
    wrongs = tuple(w for w in part.wrongs if w.value > 0 and abs(w.value / part.right - 1) > 0.006)
    return dataclasses.replace(part, wrongs=wrongs)


def _concept() -> Question:
    # fmt: off
    chips = ChoicePart(
        "chips",
        _("more of the same chips, each with a full copy: the critical batch of a copy"),
        right="same",
        choices={
            "same": _("stays the same"),
            "falls": _("falls"),
            "grows": _("grows"),
        },
        why=_("A copy is on one chip still, with that chip's peak and bandwidth."),
        wrongs=(
            Wrong("falls", "falls", _("the time that a large job takes"),
                  _("What happens to the ratio when both are multiplied by n?")),
            Wrong("grows", "grows", _("the batch of all copies together"),
                  _("How many tokens does one copy see?")),
        ),
    )
    better = ChoicePart(
        "better",
        _("the same peak with more bandwidth: the critical batch"),
        right="falls",
        choices={
            "falls": _("falls"),
            "same": _("stays the same"),
            "grows": _("grows"),
        },
        why=_("Faster bytes need less arithmetic to hide behind."),
        wrongs=(
            Wrong("same", "same", _("a chip in which both improve alike"),
                  _("Which of the two numbers improved more?")),
            Wrong("grows", "grows", _("more peak at the same bandwidth"),
                  _("Which of the two numbers improved more?")),
        ),
    )
    word = ChoicePart(
        "word",
        _("memory-bound means"),
        right="arrives",
        choices={
            "arrives": _("the bytes take longer to arrive than the arithmetic takes"),
            "full": _("the memory is full"),
            "bad": _("something is wrong with the program"),
        },
        why=_("It says which of two times is the longer one, and nothing else."),
        wrongs=(
            Wrong("full", "full", _("a third limit, capacity"),
                  _("Does the word speak of how much fits or of how fast it arrives?")),
            Wrong("bad", "bad", _("a program that could do better"),
                  _("At B = 1, could it be otherwise?")),
        ),
    )
    ridge = ChoicePart(
        "ridge",
        _("right at the critical batch, with nothing overlapped, the unit is busy"),
        right="half",
        choices={
            "half": _("half of the time"),
            "always": _("all of the time"),
            "never": _("none of the time"),
        },
        why=_("Both times are equal there, and without overlap one waits for the other."),
        wrongs=(
            Wrong("always", "always", _("full overlap"),
                  _("How long does it take there if nothing overlaps?")),
            Wrong("never", "never", _("an empty program"), _("How long is T_math there?")),
        ),
    )
    twice = ChoicePart(
        "twice",
        _("beyond the critical batch, twice the batch: the time for it"),
        right="doubles",
        choices={
            "doubles": _("doubles"),
            "same": _("stays the same"),
            "halves": _("halves"),
        },
        why=_("The throughput has reached the roof, so twice the work takes twice as long."),
        wrongs=(
            Wrong("same", "same", _("a batch far below the critical one"),
                  _("What does the chip wait for there, bytes or arithmetic?")),
            Wrong("halves", "halves", _("the time of one row, far below the critical batch"),
                  _("Which of throughput and time for a batch changes beyond the ridge?")),
        ),
    )
    # fmt: on
    return Question(
        id="8d",
        asks=_("Five statements that are easily mixed up: which way does each of them end?"),
        parts=(chips, better, word, ridge, twice),
        hints=(
            _("The critical batch is a ratio. Of which two numbers?"),
            _("Which of the chapter's three limits does each word speak of?"),
        ),
        solution=_(
            "The critical batch is a ratio of peak to bandwidth. Copies leave it alone, more "
            "bandwidth lowers it. Memory-bound compares two times; where they are equal, overlap "
            "is worth the most; and beyond that the roof is reached, so that time goes with work."
        ),
        why=_("A bound is neither good nor bad; it says where the next second is to be won."),
        look_next=_("A chip that reaches 80% of its peak: does its critical batch rise or fall?"),
    )


def _dot() -> Question:
    (N,) = letters("N")
    work = rl.dot(N)
    ops: Formula = work.ops
    moved: Formula = work.bytes["hbm"]
    half = Formula.constant(1) / 2
    ask_type = _("How many bytes has one element in bf16?")
    ask_ops = _("How many operations are there for each pair of elements?")
    # fmt: off
    parts = (
        FormulaPart(
            "ops", _("operations, counted one by one"), right=ops, also=(2 * N,), letters="N",
            words="ops",
            why=_("A multiplication for each pair, and one addition less."),
            wrongs=(
                Wrong("multiplies only", N, _("the multiplications"),
                      _("What happens to the products once they have been formed?")),
                Wrong("one more", 2 * N + 1, _("a sum with one addition too many"),
                      _("How many additions does it take to add two numbers? And three?")),
            ),
        ),
        FormulaPart(
            "moved", _("bytes read and written"), right=moved, also=(4 * N,), letters="N",
            words="bytes",
            why=_("Two vectors in, one number out."),
            wrongs=(
                Wrong("one vector", 2 * N, _("one of the two vectors"),
                      _("How many vectors does the operation read?")),
                Wrong("one byte", 2 * N + 1, _("elements of one byte each"), ask_type),
                Wrong("fp32", 8 * N + 4, _("elements of four bytes each"), ask_type),
            ),
        ),
        FormulaPart(
            "limit", _("FLOP per byte for large N"), right=half, letters="N", words="intensity",
            why=_("Two operations for the four bytes of a pair, however many pairs there are."),
            wrongs=(
                Wrong("one byte", 2 * half, _("elements of one byte each"), ask_type),
                Wrong("one vector", 2 * half, _("one vector, and no other"),
                      _("How many vectors does the operation read?")),
                Wrong("multiplies only", half / 2, _("a count of the multiplications alone"),
                      ask_ops),
                Wrong("fp32", half / 2, _("elements of four bytes each"), ask_type),
                Wrong("inverted", 4 * half, _("the bytes for each operation"),
                      _("Which unit does your result have, and which one is asked?")),
                Wrong("exact", ops / moved, _("every N"), _("And as N grows without end?")),
                Wrong("grows", N, _("a work that reuses what it loads"),
                      _("When N doubles, what happens to numerator and denominator?")),
            ),
        ),
        ChoicePart(
            "bound", _("from which N on it is compute-bound"),
            right="never",
            choices={
                "never": _("never, on a unit that does more than that for each byte"),
                "large": _("for large N"),
                "small": _("for small N"),
            },
            why=_("No N changes the ratio, and every unit here does far more for each byte."),
            wrongs=(
                Wrong("large", "large", _("a work that reuses what it loads"),
                      _("When N doubles, what happens to numerator and denominator?")),
                Wrong("small", "small", _("vectors that are on the chip already"),
                      _("Where do the vectors come from?")),
            ),
        ),
    )
    # fmt: on
    return Question(
        id="8e",
        asks=_("The dot product of two bf16[N]: operations, bytes, intensity, and what binds?"),
        parts=parts,
        hints=(
            _("Write it out for three elements. How many multiplications, and additions?"),
            _("What comes in, what goes out, and how wide is each element?"),
            _("When N doubles, what happens to each of the two counts?"),
        ),
        solution=_(
            "N multiplications and N - 1 additions for 2N + 2N bytes read and 2 written: for large "
            "N two operations for every four bytes."
        ),
        why=_("Each element is used a single time. Size does not help; reuse would."),
        look_next=_("A matrix times a vector: is each element used more often there?"),
    )
