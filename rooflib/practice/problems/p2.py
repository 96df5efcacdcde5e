"""Problem 2: int8 weights, everything else in bf16."""

from __future__ import annotations

import random
from dataclasses import dataclass

import rooflib as rl
from rooflib.i18n import _
from rooflib.practice.algebra import Formula, letters
from rooflib.practice.problems.common import V5E, Machine, deal_machine, inverted, older_edition
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
    """weights: the number format of Y; D and F: the sizes at which the gain is asked."""

    machine: Machine = V5E
    weights: str = "int8"
    size: int = 10240
    sequences: int = 512
    length: int = 4096
    gpus: int = 2048
    per_replica: int = 8

    @property
    def narrower(self) -> int:
        """How many weights fit into the two bytes of a bf16 one."""
        return 16 // rl.units.dtype(self.weights).bits


BOOK = Numbers()


def deal(random: random.Random) -> Numbers:
    return Numbers(
        machine=deal_machine(random),
        weights=random.choice(["int8", "int4"]),
        size=random.choice([6144, 8192, 10240, 12288]),
        sequences=random.choice([384, 512, 640, 768]),
        length=random.choice([2048, 4096, 8192]),
        gpus=random.choice([1024, 2048]),
        per_replica=random.choice([4, 8, 16]),
    )


def build(numbers: Numbers) -> Problem:
    machine, weights = numbers.machine, numbers.weights
    return Problem(
        id="2",
        title=_("{weights} weights, bf16 activations").format(weights=weights),
        aim=_("redo the bytes when the operands differ, and see what that does to the batch"),
        given={
            _("operation"): f"bf16[B, D] · {weights}[D, F] → bf16[B, F]",
            _("arithmetic"): "bf16",
            _("HBM bandwidth"): si(machine.bandwidth, "B/s"),
            _("peak, bf16"): si(machine.bf16, "FLOP/s"),
            _("machine"): machine.name,
        },
        questions=(
            _changed(numbers),
            _moved(numbers),
            _batch(numbers),
            _gain(numbers),
            _tokens(numbers),
        ),
        numbers=numbers,
    )


def _work(numbers: Numbers, B: object, D: object, F: object) -> rl.Work:
    return rl.matmul(B, D, F, x="bf16", w=numbers.weights, out="bf16", compute="bf16")


def _changed(numbers: Numbers) -> Question:
    # fmt: off
    part = ChoicePart(
        "changed",
        _("what changes against bf16 throughout"),
        right="bytes",
        choices={
            "bytes": _("the bytes that are moved"),
            "peak": _("the peak that the arithmetic can reach"),
            "both": _("both"),
            "neither": _("neither"),
        },
        why=_("The weights are stored narrower, and widened before they are multiplied."),
        wrongs=(
            Wrong("peak", "peak", _("a chip that is slower or faster at bf16 than it was"),
                  _("Which number format does the multiplier see?")),
            Wrong("both", "both", _("operands that are multiplied as they are stored"),
                  _("Which number format does the multiplier see here?")),
            Wrong("neither", "neither", _("a format that is no narrower in memory"),
                  _("How many bytes does one weight take now?")),
        ),
    )
    # fmt: on
    return Question(
        id="2a",
        asks=_("Before any number: what changes against bf16 throughout, bytes, peak, or both?"),
        parts=(part,),
        hints=(
            _("Where does the narrow format live, and where does the arithmetic happen?"),
            _("In which format do the two factors of a product arrive at the multiplier?"),
        ),
        solution=_(
            "Only the storage of Y changes. The products are formed in bf16, at the bf16 peak, so "
            "the roof stays where it was and the point moves along under it."
        ),
        why=_("The roof stays and the point moves right: that is all there is to this problem."),
        look_next=_("Which of the three tensors is nearly all of the traffic when B is small?"),
    )


def _moved(numbers: Numbers) -> Question:
    B, D, F = letters("B D F")
    work = _work(numbers, B, D, F)
    x, y, z = (operand.bytes for operand in work.one.operands)
    wide = rl.matmul(B, D, F).bytes["hbm"]
    ask_which = _("Which of the three operands were quantised, and which were not?")
    # fmt: off
    wrongs = [
        Wrong("bf16 throughout", wide, _("weights of two bytes each"),
              _("How many bytes does one weight take here?")),
        Wrong("all narrow", x / numbers.narrower + y + z / numbers.narrower,
              _("three tensors in {weights}").format(weights=numbers.weights),
              ask_which),
        Wrong("X narrow", x / numbers.narrower + y + z, _("activations that are narrow as well"),
              ask_which),
        Wrong("Z narrow", x + y + z / numbers.narrower, _("a result that is narrow as well"),
              ask_which),
        Wrong("no output", x + y, _("an operation that writes nothing back"),
              _("Where does Z live when the operation is over?")),
        Wrong("weights alone", y, _("the weights"),
              _("That may be nearly all for small B; what else crosses the bus?")),
        Wrong("averaged", (1 + Formula.constant(1) / numbers.narrower) * (wide / 2),
              _("three tensors of some width in between"),
              _("How wide is an element of X, one of Y and one of Z, each by itself?")),
        Wrong("operations", work.ops, _("the operations"), _("What has to be loaded for them?")),
    ]
    if numbers.narrower == 4:
        wrongs.append(
            Wrong("as int8", x + 2 * y + z, _("weights of one byte each"),
                  _("How many int4 weights fit into one byte?")))
    # fmt: on
    part = FormulaPart(
        "moved",
        _("bytes read and written together, exactly"),
        right=work.bytes["hbm"],
        words="bytes",
        why=_("Each tensor at its own width: X and Z at two bytes an element, Y narrower."),
        wrongs=tuple(wrongs),
    )
    return Question(
        id="2b",
        asks=_("How many bytes cross the HBM bus, read and written together?"),
        parts=(part,),
        hints=(
            _("How many elements has each tensor, and how many bits has an element of each?"),
            _("Write three terms, one for each tensor. Which of them differs from bf16's?"),
        ),
        solution=_("Three tensors, each at its own width. Only the term of the weights shrinks."),
        why=_("Only one term shrank, and for small B it is the one that counts."),
        look_next=_("From which B on are the weights less than half of the traffic?"),
    )


def _batch(numbers: Numbers) -> Question:
    B, D, F = letters("B D F")
    n, m = numbers.narrower, numbers.machine
    ridge, ridge8 = m.ridge, m.ridge8
    ask_sees = _("Which number format does the multiplier see?")
    ask_cost = _("What does it cost to read one weight?")
    ask_two = _("At which step does the width of a weight come in, and does it come in once?")
    exact: Formula = _work(numbers, B, D, F).intensity("hbm")
    # fmt: off
    intensity = FormulaPart(
        "intensity",
        _("FLOP per byte when B is much smaller than D and F"),
        right=n * B,
        words="intensity",
        why=_("Each weight that is loaded feeds B multiply-adds, and it is cheaper to load now."),
        wrongs=(
            Wrong("bf16's", B, _("weights of two bytes each"), ask_cost),
            Wrong("multiplies only", n * B / 2, _("a count of the multiplications alone"),
                  _("What did you count for one multiply-add?")),
            Wrong("halved twice", 2 * n * B, _("weights that are narrower still"), ask_cost),
            Wrong("exact", exact, _("every B"),
                  _("Now let B be far smaller than D and F: which terms below the line fade?")),
            Wrong("averaged", 2 * B / (1 + Formula.constant(1) / n),
                  _("traffic of some average width"),
                  _("When B is small, which operand is nearly all of the traffic?")),
            inverted(1 / (n * B), _("the bytes for each operation")),
        ),
    )
    machine_wrongs = [
        Wrong("int8 peak", ridge8, _("arithmetic in int8"), ask_sees),
        Wrong("halved", ridge / 2, _("a machine whose bandwidth doubled"),
              _("Do narrow weights change the chip, or what it is given?")),
        Wrong("peak", m.bf16, _("the peak by itself"),
              _("How many operations could the chip do while one byte arrives?")),
        inverted(m.bandwidth / m.bf16, _("the bytes for each operation")),
    ]
    batch_wrongs = [
        Wrong("two-byte weights", ridge, _("weights of two bytes each"), ask_cost),
        Wrong("problem 1", ridge8 / n, _("arithmetic that runs at the int8 peak"), ask_sees),
        Wrong("wrong side", ridge * n, _("a factor on the wrong side"),
              _("If each byte feeds more arithmetic, does the batch have to grow or to shrink?")),
        Wrong("int8 peak, intensity B", ridge8, _("the int8 peak, with weights of two bytes"),
              f"{ask_sees} {ask_cost}"),
        Wrong("halved twice", ridge / n / 2, _("a number that was halved once too often"),
              ask_two),
        Wrong("averaged", ridge * (1 + 1 / n) / 2, _("bytes averaged over the operands"),
              _("When B is small, which operand is nearly all of the traffic?")),
    ]
    if n == 4:
        batch_wrongs.append(
            Wrong("as int8", ridge / 2, _("weights of one byte each"), ask_cost))
    # fmt: on
    if m.old_bandwidth:
        machine_wrongs.append(older_edition("older edition", m.bf16 / m.old_bandwidth))
        batch_wrongs.append(older_edition("older edition", m.bf16 / m.old_bandwidth / n))
        batch_wrongs.append(
            older_edition("older edition, two-byte weights", m.bf16 / m.old_bandwidth)
        )
    machine = NumberPart(
        "machine",
        _("the chip's own FLOP per byte, for this arithmetic"),
        right=ridge,
        unit="FLOP/B",
        why=_("The arithmetic is bf16, so the peak is bf16's."),
        wrongs=tuple(machine_wrongs),
    )
    batch = NumberPart(
        "batch",
        _("the batch from which on it is compute-bound, in tokens, for small B"),
        # rooflib's own rule for small sizes: the exact batch depends on D and F
        right=rl.critical(lambda b: _work(numbers, b, 10**9, 10**9), m.chip).rule,
        unit="token",
        up=True,
        above=True,
        why=_("The operation's intensity grows faster with B, and meets the same roof earlier."),
        wrongs=tuple(batch_wrongs),
    )
    return Question(
        id="2c",
        asks=_("For small B: the intensity, the machine's, and the batch where they meet?"),
        parts=(intensity, machine, batch),
        hints=(
            _("For small B, which single term of the bytes is left below the line?"),
            _("In which format is the multiplication done, and what is the peak for it?"),
            _("What is the ratio of the bytes of a bf16 weight and of one of these?"),
        ),
        solution=_(
            "For small B the traffic is the weights. They got narrower, so the intensity grew by "
            "as much, while peak and bandwidth are as they were: the batch shrinks by that factor."
        ),
        why=_("Narrow weights alone lower the batch: here the peak does not rise along with them."),
        look_next=_("A lower critical batch: is it faster at every batch, then? That is 2d."),
    )


def _gain(numbers: Numbers) -> Question:
    size, m = numbers.size, numbers.machine

    def gain(batch: int) -> float:
        narrow = rl.estimate(_work(numbers, batch, size, size), m.chip).lower
        return float(rl.estimate(rl.matmul(batch, size, size), m.chip).lower / narrow)

    half = _("no gain at all")
    # fmt: off
    small = NumberPart(
        "small",
        _("how many times faster than bf16 throughout, at B = 1"),
        right=gain(1),
        why=_("A single row waits for the weights alone, and they are that much narrower."),
        wrongs=(
            Wrong("none", 1, half, _("With a single row, what does the chip wait for?")),
            Wrong("twice that", 2 * gain(1), _("weights that are narrower still"),
                  _("How many bytes had a weight before, and how many has it now?")),
            inverted(1 / gain(1), _("how much of the time is left")),
        ),
    )
    large = NumberPart(
        "large",
        _("and at B = 4096"),
        right=gain(4096),
        why=_("There the arithmetic decides, and it is the same arithmetic as before."),
        wrongs=(
            Wrong("as at 1", gain(1), _("a batch at which the bytes decide"),
                  _("Which of the two times is the longer one at this batch?")),
        ),
    )
    # fmt: on
    return Question(
        id="2d",
        asks=_(
            "At D = F = {size}, everything overlapped: how many times faster than bf16 throughout "
            "is it at B = 1, and at B = 4096?"
        ).format(size=size),
        parts=(small, large),
        hints=(
            _("Work out T_math and T_comms for both, and take the longer. Which one is it?"),
            _("What do narrow weights do to T_math?"),
        ),
        solution=_(
            "A short batch waits for weights, so narrower weights pay in full. A long batch waits "
            "for arithmetic, and narrower weights pay nothing."
        ),
        why=_("A lower critical batch is no speed-up beyond it; it says where the gain ends."),
        look_next=_("From which batch on does it gain nothing at all? Compare with bf16's own."),
    )


def _tokens(n: Numbers) -> Question:
    total = n.sequences * n.length
    replicas = n.gpus // n.per_replica
    ask = _("How many GPUs hold one complete copy of the weights?")
    # fmt: off
    tokens = NumberPart(
        "tokens", _("tokens in the whole batch"), right=total, unit="token",
        why=_("B counts rows of X, and every token is one."),
        wrongs=(
            Wrong("sequences", n.sequences, _("the sequences"),
                  _("Which does a row of X stand for: a sequence, or one of its tokens?")),
            Wrong("length", n.length, _("a single sequence"), _("And in the whole batch?")),
            Wrong("per GPU", total / n.gpus, _("one GPU"), _("And in the whole batch?")),
        ),
    )
    replica = NumberPart(
        "replica", _("tokens for each replica"), right=total / replicas, unit="token",
        why=_("The GPUs of a replica work on the same rows, each with a part of the weights."),
        wrongs=(
            Wrong("per GPU", total / n.gpus, _("a GPU that holds all of the weights"), ask),
            Wrong("other way", total / n.per_replica, _("as many replicas as one has GPUs"),
                  _("How many replicas are there?")),
            Wrong("twice divided", total / n.gpus / n.per_replica,
                  _("GPUs that each hold several copies"), ask),
            Wrong("all", total, _("a single replica"), _("How many replicas are there?")),
        ),
    )
    # fmt: on
    return Question(
        id="2e",
        asks=_(
            "A batch of {sequences} sequences of {length} tokens, on {gpus} GPUs of which "
            "{per_replica} share each copy of the weights. How large is B, and B of each replica?"
        ).format(sequences=n.sequences, length=n.length, gpus=n.gpus, per_replica=n.per_replica),
        parts=(tokens, replica),
        hints=(
            _("What is one row of X: a sequence, or a token of it?"),
            _("How many complete copies of the weights are there?"),
        ),
        solution=_("Multiply sequences by length, and divide by the number of copies."),
        why=_("The critical batch is one of tokens, and for each copy of the weights."),
        look_next=_("Would attention allow the same sum, with sequences melted into tokens?"),
    )
