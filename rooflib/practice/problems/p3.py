"""Problem 3: throughput against batch, with the exact bytes; where the curves reach the roof."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rooflib as rl
from rooflib.i18n import _
from rooflib.practice.problems.common import V5E, Machine, older_edition
from rooflib.practice.question import (
    FunctionPart,
    NumberPart,
    Part,
    PlotPart,
    Problem,
    Question,
    Wrong,
)
from rooflib.units import si


@dataclass(frozen=True)
class Numbers:
    """big and small: (D, F) of the two layers; most: the largest batch of the plot."""

    machine: Machine = V5E
    big: tuple[int, int] = (4096, 4096)
    small: tuple[int, int] = (1024, 1024)
    most: int = 511


BOOK = Numbers()


def deal(random: random.Random) -> Numbers:
    known = [
        Machine(c.name, c.bandwidth(), c.peak("bf16"), c.peak("int8"))
        for c in rl.chips()
        if "int8" in c.dtypes
    ]
    sizes = [768, 1024, 1536, 2048, 3072, 4096, 5120, 6144, 8192]
    D, F, d, f = (random.choice(sizes) for _ in range(4))
    big, small = sorted([(D, F), (d, f)], key=lambda s: -s[0] * s[1] / (s[0] + s[1]))
    return Numbers(machine=random.choice(known), big=big, small=small)


def well_posed(n: Numbers) -> bool:
    """TEACHING's conditions on the sizes, besides those that hold for every number."""
    if any(D / F in (0.5, 1, 2) for D, F in (n.big, n.small)):
        return False
    batches = [crossing(n, *n.big), crossing(n, *n.small)]
    return (
        all(100 < b < n.most / 2 for b in batches)
        and batches[1] / batches[0] > 1.15
        and all(b * 2 * n.machine.bandwidth / n.machine.bf16 <= 2 for b in batches)
    )


def build(numbers: Numbers) -> Problem:
    m = numbers.machine
    return Problem(
        id="3",
        title=_("throughput against batch"),
        aim=_("write down throughput as a function of B, plot it, and read off where it bends"),
        given={
            _("operation"): "bf16[B, D] · int8[D, F] → bf16[B, F]",
            _("layers"): _("D, F = {big} and {small}").format(
                big=_sizes(numbers.big), small=_sizes(numbers.small)
            ),
            _("batch"): _("1 to {most}").format(most=numbers.most),
            _("HBM bandwidth"): si(m.bandwidth, "B/s"),
            _("peak, bf16"): si(m.bf16, "FLOP/s"),
            _("machine"): m.name,
        },
        questions=(_function(numbers), _bends(numbers), _plot(numbers), _shares(numbers)),
        numbers=numbers,
    )


def _sizes(pair: tuple[int, int]) -> str:
    return ", ".join(map(str, pair))


def _work(B: Any, D: Any, F: Any) -> rl.Work:
    return rl.matmul(B, D, F, w="int8")


def _right(numbers: Numbers) -> Callable[..., float]:
    chip = numbers.machine.chip
    return lambda B, D, F: float(rl.estimate(_work(int(B), int(D), int(F)), chip).attained)


def crossing(numbers: Numbers, D: int, F: int) -> float:
    """The exact batch at which the layer reaches the roof."""
    return _crossing(numbers.machine, D, F)


@functools.cache  # a class draws the same few layers and chips over and over
def _crossing(machine: Machine, D: int, F: int) -> float:
    return float(rl.critical(lambda B: _work(B, D, F), machine.chip))


def batch(
    n: Numbers, D: int, F: int, *, x: float = 2, w: float = 1, z: float = 2, ops: float = 2,
    peak: float = 0, bandwidth: float = 0,
) -> float:  # fmt: skip
    """The same by the closed form, for other bytes an element, operations and rates."""
    machine = (peak or n.machine.bf16) / (bandwidth or n.machine.bandwidth)
    return machine * w * D * F / (ops * D * F - machine * (x * D + z * F))


def throughput(
    n: Numbers, *, x: float = 2, w: float = 1, z: float = 2, ops: float = 2, peak: float = 0,
    bandwidth: float = 0, of: Callable[[float, float], float] = max, time: bool = False,
) -> Callable[..., float]:  # fmt: skip
    """throughput(B, D, F) with one thing done otherwise, as a reader may have it."""

    def curve(B: float, D: float, F: float) -> float:
        count = ops * B * D * F
        t_math = count / (peak or n.machine.bf16)
        t_comms = (x * B * D + w * D * F + z * B * F) / (bandwidth or n.machine.bandwidth)
        took = of(t_math, t_comms)
        return took if time else count / took

    return curve


def _slips(n: Numbers) -> tuple[Wrong, ...]:
    """Other functions than the one asked, each with what it would be right for."""
    ask_operand = _("Which of the three operands were quantised, and which were not?")
    m = n.machine
    # fmt: off
    slips = [
        Wrong("sum", throughput(n, of=lambda a, b: a + b),
              _("an operation in which nothing overlaps"),
              _("A roofline is the best case: what does the chip do while bytes arrive?")),
        Wrong("time", throughput(n, time=True), _("the time that it takes"),
              _("Throughput is work per second: what did you divide by what?")),
        Wrong("no ceiling", throughput(n, of=lambda a, b: b),
              _("a chip whose arithmetic is infinitely fast"),
              _("What stops the curve from rising for ever?")),
        Wrong("ceiling alone", throughput(n, of=lambda a, b: a),
              _("a chip whose memory is infinitely fast"),
              _("At B = 1, what does the chip wait for?")),
        Wrong("min", throughput(n, of=min), _("the part that is over first"),
              _("Can the operation be finished while one of its two parts still runs?")),
        Wrong("two-byte weights", throughput(n, w=2), _("weights of two bytes each"), ask_operand),
        Wrong("X and Z narrow", throughput(n, x=1, z=1), _("three tensors in int8"), ask_operand),
        Wrong("X narrow", throughput(n, x=1), _("activations in int8 as well"), ask_operand),
        Wrong("Z narrow", throughput(n, z=1), _("a result in int8 as well"), ask_operand),
        Wrong("no output", throughput(n, z=0), _("an operation that writes nothing back"),
              _("Where does Z live when the operation is over?")),
        Wrong("no activations", throughput(n, x=0), _("an operation that finds X on the chip"),
              _("Where does X come from?")),
        Wrong("weights alone", throughput(n, x=0, z=0), _("a B that is small beside D and F"),
              _("The exact bytes are asked here: which ones did you leave out?")),
        Wrong("fp32 output", throughput(n, z=4), _("a result of four bytes an element"),
              _("In which type does Z leave the chip here?")),
        Wrong("int8 peak", throughput(n, peak=m.int8), _("arithmetic in int8"),
              _("Which number format does the multiplier see?")),
        Wrong("BDF", throughput(n, ops=1), _("a count of the multiplications alone"),
              _("What does one multiply-add count for?")),
    ]
    if m.old_bandwidth:
        slips.append(Wrong(
            "older edition", throughput(n, bandwidth=m.old_bandwidth),
            _("the bandwidth that an older edition of the book gives"),
            _("Which bandwidth does this problem give?")))
    # fmt: on
    return tuple(slips)


def _function(n: Numbers) -> Question:
    sizes = [n.big, n.small, (n.small[0], n.big[1] * 2), (n.big[0] * 2, n.small[1])]
    points = [(float(b), float(D), float(F)) for b in (1, 64, 120, 300, n.most) for D, F in sizes]
    part = FunctionPart(
        "throughput",
        _("a function throughput(B, D, F) in FLOP/s"),
        right=_right(n),
        parameters=("B", "D", "F"),
        points=tuple(sorted(points, key=lambda p: p[0])),
        unit="FLOP/s",
        why=_("Operations over the longer of the two times."),
        wrongs=_slips(n),
    )
    return Question(
        id="3a",
        asks=_("Write throughput(B, D, F), in FLOP/s, with the exact bytes."),
        parts=(part,),
        hints=(
            _("Throughput is a count over a time. Which count, and which time?"),
            _("Two times compete. Which one do you wait for when they overlap?"),
            _("Is your maximum one number for an array of batches, or one for each?"),
        ),
        solution=_(
            "Take T_math = 2BDF over the bf16 peak and T_comms = (2BD + DF + 2BF) over the "
            "bandwidth, and divide 2BDF by the larger of the two, with np.maximum so that an "
            "array of batches gives an array."
        ),
        why=_("One line for the bytes, one for the maximum: that is the whole roofline model."),
        look_next=_("Which of the two curves will reach the roof first, and by how many tokens?"),
    )


def _bends(n: Numbers) -> Question:
    return Question(
        id="3b",
        asks=_("From which batch on does each layer reach the roof?"),
        parts=(_bend(n, "big", *n.big), _bend(n, "small", *n.small)),
        hints=(
            _("At the bend both times are equal. Which equation is that, and is it linear in B?"),
            _("Two terms of the bytes grow with B. On which side of the equation do they belong?"),
            _("Check your result: does throughput(B, D, F) stop rising there?"),
        ),
        solution=_(
            "Set both times equal. With I for the machine's intensity, 2BDF = I·(2BD + DF + 2BF), "
            "so B = I·DF / (2DF - I·(2D + 2F))."
        ),
        why=_("The terms with B in them make the corner come later, and more so in a small layer."),
        look_next=_("How far from the peak is a layer that trusts the rule for small B? See 3d."),
    )


def _bend(n: Numbers, name: str, D: int, F: int) -> Part:
    ask_operand = _("Which of the three operands were quantised, and which were not?")
    m, right = n.machine, crossing(n, D, F)
    rule = m.ridge / 2
    rounded = 50 * math.ceil(m.ridge / 50)
    # fmt: off
    wrongs = [
        Wrong("approximated", rule, _("a B that is small beside D and F"),
              _("Which two terms of the bytes does that rule leave out, and do they shrink?")),
        Wrong("no output", batch(n, D, F, z=0), _("an operation that writes nothing back"),
              _("Which of the three tensors are in your bytes, and at which width?")),
        Wrong("no activations", batch(n, D, F, x=0), _("an operation that finds X on the chip"),
              _("Which of the three tensors are in your bytes, and at which width?")),
        Wrong("X and Z narrow", batch(n, D, F, x=1, z=1), _("three tensors in int8"), ask_operand),
        Wrong("X narrow", batch(n, D, F, x=1), _("activations in int8 as well"), ask_operand),
        Wrong("Z narrow", batch(n, D, F, z=1), _("a result in int8 as well"), ask_operand),
        Wrong("two-byte weights", batch(n, D, F, w=2), _("weights of two bytes each"),
              ask_operand),
        Wrong("fp32 output", batch(n, D, F, z=4), _("a result of four bytes an element"),
              _("In which type does Z leave the chip here?")),
        Wrong("int8 peak", batch(n, D, F, peak=m.int8), _("arithmetic in int8"),
              _("Which number format does the multiplier see?")),
        Wrong("BDF", batch(n, D, F, ops=1), _("a count of the multiplications alone"),
              _("What does one multiply-add count for?")),
        Wrong("rounded first", batch(n, D, F, peak=rounded * m.bandwidth),
              _("a machine intensity that was rounded on the way"),
              _("Which numbers did you round before the last step?")),
    ]
    # fmt: on
    if m.old_bandwidth:
        wrongs.append(older_edition("older edition", batch(n, D, F, bandwidth=m.old_bandwidth)))
    return NumberPart(
        name,
        _("D, F = {sizes}: the batch, in tokens").format(sizes=_sizes((D, F))),
        right=right,
        unit="token",
        up=True,
        above=True,
        why=_("There both times are equal, with the exact bytes."),
        wrongs=tuple(w for w in wrongs if 0 < w.value < float("inf")),
    )


def _plot(n: Numbers) -> Question:
    def curves(function: Callable[..., float]) -> dict[str, Callable[[float], float]]:
        return {f"D, F = {_sizes(pair)}": _of_batch(function, *pair) for pair in (n.big, n.small)}

    def intensity(B: float) -> float:
        return min(n.machine.bf16, B * n.machine.bandwidth)

    # fmt: off
    wrongs = (
        *(Wrong(w.key, curves(w.value), w.right_for, w.ask) for w in _slips(n)),
        Wrong("x is intensity", {"": intensity}, _("a roofline with intensity along the bottom"),
              _("Which quantity did the question want along the bottom?")),
    )
    # fmt: on
    part = PlotPart(
        "plot",
        _("throughput against batch, for both layers"),
        curves=curves(throughput(n)),
        x=(1, float(n.most)),
        ceiling=n.machine.bf16,
        xlabel=("batch", "B", "tokens", "batch size"),
        units=("FLOP/s", "FLOPs/s"),
        why=_("Two straight starts, two corners, one roof."),
        wrongs=wrongs,
    )
    return Question(
        id="3c",
        asks=_(
            "Plot throughput against B from 1 to {most} for both layers, in one picture."
        ).format(most=n.most),
        parts=(part,),
        hints=(
            _("What goes along the bottom, what on the left, and in which units?"),
            _("Which curve is which, and would somebody else see it from the picture alone?"),
        ),
        solution=_(
            "B along the bottom, the function of 3a on the left, one curve for each layer, both "
            "axes labelled with their units, and a legend."
        ),
        why=_("Both layers reach the same roof, at batches that the picture lets you read off."),
        look_next=_("What would the picture look like had you forgotten to write Z?"),
    )


def _of_batch(function: Callable[..., float], D: int, F: int) -> Callable[[float], float]:
    return lambda B: function(B, D, F)


def _shares(n: Numbers) -> Question:
    rule = round(n.machine.ridge / 2)

    def share(name: str, D: int, F: int) -> NumberPart:
        peak = n.machine.bf16
        right = float(rl.estimate(_work(rule, D, F), n.machine.chip).utilisation)

        def other(**slip: Any) -> float:
            return throughput(n, **slip)(rule, D, F) / peak

        # fmt: off
        wrongs = [
            Wrong("the rule", 1.0, _("a B that is small beside D and F"),
                  _("Which terms of the bytes does that rule leave out?")),
            Wrong("one forgotten", other(z=0), _("an operation that writes nothing back"),
                  _("Which of the three tensors are in your bytes, and at which width?")),
            Wrong("X forgotten", other(x=0), _("an operation that finds X on the chip"),
                  _("Which of the three tensors are in your bytes, and at which width?")),
            Wrong("X and Z narrow", other(x=1, z=1), _("three tensors in int8"),
                  _("Which of the three tensors are in your bytes, and at which width?")),
            Wrong("two-byte weights", other(w=2), _("weights of two bytes each"),
                  _("How many bytes does one weight take here?")),
            Wrong("sum", other(of=lambda a, b: a + b), _("an operation without any overlap"),
                  _("What does the chip do while bytes arrive, at best?")),
            inverted_share(1 / right),
        ]
        # fmt: on
        return NumberPart(
            name,
            _("D, F = {sizes}: share of the peak").format(sizes=_sizes((D, F))),
            right=right,
            unit="share",
            why=_("The activations and the result cost what the rule leaves out."),
            wrongs=tuple(wrongs),
        )

    return Question(
        id="3d",
        asks=_(
            "Take the batch that the rule for small B gives, as in problem 2. Which share of the "
            "peak does each layer reach there?"
        ),
        parts=(share("big", *n.big), share("small", *n.small)),
        hints=(
            _("What does the function of 3a say at that batch, beside the peak?"),
            _("Is the operation above or below its own corner there?"),
        ),
        solution=_("The throughput of 3a at that batch, divided by the peak."),
        why=_(
            "The rule is fair for wide layers only: the narrow one leaves much of the chip idle."
        ),
        look_next=_("How wide must a layer be for the rule to reach 95% of the peak?"),
    )


def inverted_share(value: float) -> Wrong:
    return Wrong(
        "inverted",
        value,
        _("the peak as a multiple of what is reached"),
        _("Can a share be larger than the whole?"),
    )
