"""Problem 4: every row of X has a matrix of its own; then G rows share one."""

from __future__ import annotations

import random
from dataclasses import dataclass

import rooflib as rl
from rooflib.i18n import _
from rooflib.practice.algebra import Formula, letters
from rooflib.practice.problems.common import V5E, Machine, deal_machine, inverted
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
    """dtype: that of all three tensors; D, F, G: the sizes of the follow-up."""

    machine: Machine = V5E
    D: int = 4096
    F: int = 4096
    G: int = 64


BOOK = Numbers()


def deal(random: random.Random) -> Numbers:
    D, F = random.sample([1536, 2048, 2560, 3072, 4096, 5120, 6144, 7168, 8192, 10240], 2)
    return Numbers(deal_machine(random), D, F, random.choice([16, 24, 32, 48, 64, 96]))


def well_posed(n: Numbers) -> bool:
    return n.D / n.F not in (0.5, 1, 2)


def build(numbers: Numbers) -> Problem:
    machine = numbers.machine
    return Problem(
        id="4",
        title=_("a matrix for every row"),
        aim=_("see that reuse, not size, makes intensity"),
        given={
            _("operation"): "int8[B, D] · int8[B, D, F] → int8[B, F]",
            _("HBM bandwidth"): si(machine.bandwidth, "B/s"),
            _("peak, int8"): si(machine.int8, "OP/s"),
            _("peak, bf16"): si(machine.bf16, "FLOP/s"),
            _("machine"): machine.name,
            _("in 4d"): f"D = {numbers.D}, F = {numbers.F}, G = {numbers.G}",
        },
        questions=(_counts(), _intensity(), _bound(numbers), _shared(numbers)),
        numbers=numbers,
    )


def _work(B: object, D: object, F: object) -> rl.Work:
    return rl.einsum("bd,bdf->bf", b=B, d=D, f=F, dtypes="int8")


def _counts() -> Question:
    B, D, F = letters("B D F")
    work = _work(B, D, F)
    x, y, z = (operand.bytes for operand in work.one.operands)
    moved = work.bytes["hbm"]
    # fmt: off
    ops = FormulaPart(
        "ops",
        _("operations"),
        right=work.ops,
        also=(work.ops_exact,),
        words="ops",
        why=_("B rows, each times a matrix: as many multiply-adds as with one matrix for all."),
        wrongs=(
            Wrong("extra B", work.ops * B, _("every row times every one of the matrices"),
                  _("How many matrices does one row of X meet?")),
            Wrong("multiplies only", work.ops / 2, _("the multiplications"),
                  _("What happens to each product once it has been formed?")),
            Wrong("one row", work.ops / B, _("one row of X"), _("And for all of the rows?")),
            Wrong("counted twice", 2 * work.ops,
                  _("a count in which each multiply-add appears twice"),
                  _("For one b, one d and one f: which operations are there, one by one?")),
            Wrong("bytes", moved, _("the bytes"),
                  _("How many multiplications go into one element of Z?")),
        ),
    )
    bytes_ = FormulaPart(
        "moved",
        _("bytes read and written together"),
        right=moved,
        words="bytes",
        why=_("The second operand has a matrix for every row, and each is read once."),
        wrongs=(
            Wrong("shared", x + y / B + z, _("one matrix that all rows share"),
                  _("How many different matrices does the second operand contain?")),
            Wrong("bf16", 2 * moved, _("elements of two bytes each"),
                  _("How many bits does one element have here?")),
            Wrong("matrices alone", y, _("the matrices"),
                  _("They are nearly all of it; the exact count is asked. What else is there?")),
            Wrong("no output", x + y, _("an operation that writes nothing back"),
                  _("Where does Z live when the operation is over?")),
            Wrong("no activations", y + z, _("an operation that finds X on the chip"),
                  _("Where does X come from?")),
            Wrong("operations", work.ops, _("the operations"),
                  _("If the multiplier were infinitely fast, what would still have to be loaded?")),
        ),
    )
    # fmt: on
    return Question(
        id="4a",
        asks=_("How many operations are done, and how many bytes cross the bus?"),
        parts=(ops, bytes_),
        hints=(
            _("Take B = 1 first. Which operation is that, and what does a second row add to it?"),
            _("How many elements has the second operand, with its three dimensions?"),
            _("Which of the two counts differs from an ordinary matmul, and which one does not?"),
        ),
        solution=_(
            "Row by row it is a vector times a matrix. B of them take B times the operations of "
            "one, as in an ordinary matmul; but each brings its own matrix, so that its bytes come "
            "B times as well."
        ),
        why=_("The operations are those of an ordinary matmul; the bytes are not."),
        look_next=_("What happens to each of the two when B doubles?"),
    )


def _intensity() -> Question:
    B, D, F = letters("B D F")
    work = _work(B, D, F)
    right: Formula = work.intensity("hbm")
    shared: Formula = rl.matmul(B, D, F, dtype="int8").intensity("hbm")
    one = Formula.constant(1)
    # fmt: off
    exact = FormulaPart(
        "intensity",
        _("operations per byte, exactly"),
        right=right,
        also=(work.ops_exact / work.bytes["hbm"],),
        words="intensity",
        why=_("B stands in every term, above and below, and cancels."),
        wrongs=(
            Wrong("shared", shared, _("one matrix that all rows share"),
                  _("How many different matrices does the second operand contain?")),
            Wrong("bf16", right / 2, _("elements of two bytes each"),
                  _("How many bits does one element have here?")),
            Wrong("multiplies only", right / 2, _("a count of the multiplications alone"),
                  _("And what did you count for one multiply-add?")),
            Wrong("one row over all", right / B, _("one row's work, and the bytes of all"),
                  _("Whose operations, and whose bytes, are in your fraction?")),
            Wrong("extra B", right * B, _("operations with a B too many"),
                  _("How many matrices does one row of X meet?")),
            Wrong("limit", 2 * one, _("very large D and F"),
                  _("The exact form is asked here: which bytes did you leave out?")),
            inverted(1 / right, _("the bytes for each operation")),
        ),
    )
    limit = FormulaPart(
        "limit",
        _("the same when D and F are large"),
        right=2 * one,
        words="intensity",
        why=_("Each element of a matrix is loaded for one multiply-add, and never used again."),
        wrongs=(
            Wrong("shared", 2 * B, _("one matrix that all rows share"),
                  _("How often is one element of a matrix used, once it is loaded?")),
            Wrong("bf16", one, _("elements of two bytes each"),
                  _("How many bytes does one element take here?")),
            Wrong("multiplies only", one, _("a count of the multiplications alone"),
                  _("And what did you count for one multiply-add?")),
            Wrong("one row over all", 2 / B, _("one row's work, and the bytes of all"),
                  _("Whose operations, and whose bytes, are in your fraction?")),
            Wrong("inverted", one / 2, _("the bytes for each operation"),
                  _("Which unit does your result have, and which one is asked?")),
            Wrong("exact", right, _("every D and F"),
                  _("Now let D and F grow: which terms below the line fade?")),
            Wrong("bf16, shared", B, _("one matrix of two-byte elements that all rows share"),
                  _("How often is one element of a matrix used, and how wide is it?")),
        ),
    )
    # fmt: on
    return Question(
        id="4b",
        asks=_("What is the intensity, exactly, and what does it tend to for large D and F?"),
        parts=(exact, limit),
        hints=(
            _("Write one count over the other. Which letter stands in every term?"),
            _("Divide above and below by the largest term. What is left?"),
        ),
        solution=_(
            "Every term has a B, so it cancels. What is left tends to the two operations that "
            "each one-byte element of a matrix is loaded for."
        ),
        why=_("It does not matter how many rows there are: none of them helps another."),
        look_next=_("If B does not help, what would?"),
    )


def _bound(n: Numbers) -> Question:
    m = n.machine
    # fmt: off
    machine = NumberPart(
        "machine",
        _("the chip's own operations per byte, to compare with"),
        right=m.ridge8,
        unit="FLOP/B",
        why=_("Both operands are int8, so the int8 peak counts."),
        wrongs=(
            Wrong("bf16 peak", m.ridge, _("bf16 operands"),
                  _("Which peak belongs to these operands?")),
            inverted(m.bandwidth / m.int8, _("the bytes for each operation")),
        ),
    )
    bound = ChoicePart(
        "bound",
        _("what binds"),
        right="memory",
        choices={
            "memory": _("the bandwidth, at every B"),
            "large B": _("the bandwidth for small B, the arithmetic for large B"),
            "compute": _("the arithmetic, at every B"),
            "vector": _("the arithmetic, since it has to run on the vector unit"),
        },
        why=_("The intensity is far below the machine's, and no B lifts it."),
        wrongs=(
            Wrong("batch helps", "large B", _("a matrix that all rows share"),
                  _("When B doubles, what else doubles?")),
            Wrong("compute", "compute", _("work that uses what it loads many times over"),
                  _("How many operations does the chip have time for while one byte arrives?")),
            Wrong("vector unit", "vector", _("a vector unit with a ridge below this intensity"),
                  _("What is that unit's own ridge?")),
        ),
    )
    reason = ChoicePart(
        "reason",
        _("why the intensity is so nearly what it tends to"),
        right="D and F large",
        choices={
            "B small": _("because B is much smaller than D"),
            "D and F large": _("because 1/D + 1/F is far below 1"),
            "B large": _("because B is large"),
            "int8": _("because int8 elements are small"),
        },
        why=_("X and Z are small beside the matrices, by factors of F and of D."),
        wrongs=(
            Wrong("B small", "B small", _("an intensity in which B is left"),
                  _("Does B appear in your exact form at all?")),
            Wrong("B large", "B large", _("an intensity that grows with B"),
                  _("Does B appear in your exact form at all?")),
            Wrong("int8", "int8", _("the factor in front"),
                  _("Every term has the width. Which terms keep the form from its limit?")),
        ),
    )
    # fmt: on
    return Question(
        id="4c",
        asks=_("What is the machine's intensity, what binds, and why is the limit so good?"),
        parts=(machine, bound, reason),
        hints=(
            _("Which peak belongs to int8 operands?"),
            _("By how much is the intensity below the machine's, and what could change it?"),
            _("Which terms did you drop on the way to the limit, and what makes them small?"),
        ),
        solution=_(
            "The intensity is hundreds of times below the machine's and B cancels, so memory binds "
            "at every B. The limit needs 1/D + 1/F to be far below 1, and says nothing about B."
        ),
        why=_("Memory-bound for ever, since nothing is used twice."),
        look_next=_("Let G rows share a matrix: from which G on would that change? That is 4d."),
    )


def _shared(n: Numbers) -> Question:
    G, D, F = letters("G D F")
    m = n.machine
    work = rl.matmul(G, D, F, dtype="int8")
    exact: Formula = work.intensity("hbm")
    value = float(rl.matmul(n.G, n.D, n.F, dtype="int8").intensity("hbm"))
    batch = rl.critical(lambda g: rl.matmul(g, 10**9, 10**9, dtype="int8"), m.chip).rule
    ask_reuse = _("How often is one element of a matrix used now, once it is loaded?")
    # fmt: off
    limit = FormulaPart(
        "limit",
        _("intensity for large D and F, when G rows share a matrix"),
        right=2 * G,
        letters="G D F",
        words="intensity",
        why=_("Each element that is loaded now serves G rows."),
        wrongs=(
            Wrong("bf16", G, _("elements of two bytes each"),
                  _("How many bytes does one element take here?")),
            Wrong("not shared", Formula.constant(2), _("a matrix for every row"), ask_reuse),
            Wrong("exact", exact, _("every D and F"),
                  _("Now let D and F grow: which terms below the line fade?")),
            Wrong("inverted", 1 / (2 * G), _("the bytes for each operation"),
                  _("Which unit does your result have, and which one is asked?")),
            Wrong("other way", 2 / G, _("rows that each need G matrices"), ask_reuse),
        ),
    )
    at = NumberPart(
        "intensity",
        _("intensity at G = {G}, D = {D}, F = {F}, exactly").format(G=n.G, D=n.D, F=n.F),
        right=value,
        unit="FLOP/B",
        why=_("A little below the limit: X and Z count too."),
        wrongs=(
            Wrong("limit", 2 * n.G, _("very large D and F"),
                  _("The exact value is asked: which bytes does the limit leave out?")),
            Wrong("bf16", value / 2, _("elements of two bytes each"),
                  _("How many bytes does one element take here?")),
            Wrong("bf16 limit", n.G, _("elements of two bytes each, and very large D and F"),
                  _("How many bytes does one element take, and which bytes did you leave out?")),
            Wrong("not shared", 2, _("a matrix for every row"), ask_reuse),
        ),
    )
    needed = NumberPart(
        "rows",
        _("how many rows must share a matrix before arithmetic binds, for large D and F"),
        right=batch,
        unit="row",
        up=True,
        above=True,
        why=_("G is what the batch is in an ordinary matmul: rows for each weight."),
        wrongs=(
            Wrong("machine", m.ridge8, _("the machine: operations for one byte"),
                  _("What is the operation's own intensity, in terms of G?")),
            Wrong("halved twice", m.ridge8 / 4, _("a number that was halved twice"),
                  _("At which step do you halve, and is it once?")),
            Wrong("bf16 peak", m.ridge / 2, _("bf16 arithmetic on int8 bytes"),
                  _("Which peak belongs to these operands?")),
        ),
    )
    # fmt: on
    return Question(
        id="4d",
        asks=_("Now groups of G rows share a matrix. What is the intensity, and which G suffices?"),
        parts=(limit, at, needed),
        hints=(
            _("One group of G rows and its matrix: which ordinary operation is that?"),
            _("How often is a loaded element used by its group?"),
            _("Which two intensities have to be equal?"),
        ),
        solution=_(
            "A group is an ordinary int8 matmul with G rows, and the groups all look alike: the "
            "intensity is that of one, and the rule of problem 1 holds with G for B."
        ),
        why=_("Reuse makes intensity: how many rows use one loaded weight is all that counts."),
        look_next=_("Attention reads each sequence's own keys and values: what is its G?"),
    )
