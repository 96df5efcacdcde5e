"""The predictions that lessons ask for in words: what is asked, the options, the replies.

Each is a function, so that the numbers in it are computed by rooflib when it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import rooflib as rl
from rooflib.i18n import _


@dataclass(frozen=True)
class Option:
    """One answer, and what is said to a reader who chose it."""

    text: str
    reply: str


@dataclass(frozen=True)
class Prediction:
    """A question with options, the right one's number, and what is said to everybody after.

    reason: a second question, which asks why, once the first has been answered.
    """

    ask: str
    options: tuple[Option, ...]
    right: int
    truth: str
    reason: Prediction | None = None


def peak_reached() -> Prediction:
    h100 = rl.chip("H100")
    return Prediction(
        ask=_(
            "A program reaches only 80% of an H100's quoted peak. Does it become compute-bound at "
            "a larger or at a smaller batch?"
        ),
        options=(
            Option(_("at a larger one"), _("That is what intuition says of a slower chip.")),
            Option(
                _("at the same one"), _("The bandwidth is the same, but the ridge has two parts.")
            ),
            Option(_("at a smaller one"), _("Yes.")),
        ),
        right=2,
        truth=_(
            "The ridge is peak over bandwidth, so it falls with the peak: from {quoted:.0f} to "
            "{reached:.0f}. Slower arithmetic is easier to keep fed."
        ).format(quoted=h100.ridge(), reached=h100.achieving(0.8).ridge()),
        reason=Prediction(
            ask=_("So is it good news that the batch need not be so large?"),
            options=(
                Option(_("yes, it is compute-bound sooner"), _("Sooner, but at a lower speed.")),
                Option(_("no, it only waits for the other lane"), _("Just so.")),
            ),
            right=1,
            truth=_(
                "Compute-bound says which of the two times is longer. It does not say that either "
                "of them is short."
            ),
        ),
    )


def faster_unit() -> Prediction:
    times = rl.estimate(rl.dot(10**9), "TPU v5e")
    return Prediction(
        ask=_(
            "A dot product of 10⁹ bf16 elements on a v5e. Would a unit 30 times as fast as the "
            "vector unit help?"
        ),
        options=(
            Option(
                _("yes, about 30 times"), _("That is so where the arithmetic is the longer lane.")
            ),
            Option(_("yes, a little"), _("It would if nothing overlapped.")),
            Option(_("no"), _("Yes: it would not.")),
        ),
        right=2,
        truth=_(
            "The bytes take {comms:.2f} ms and the arithmetic {math:.2f} ms of them. A faster unit "
            "waits longer."
        ).format(comms=times.comms["hbm"] * 1e3, math=times.math * 1e3),
    )


def more_bandwidth() -> Prediction:
    h100, h200 = rl.chip("H100"), rl.chip("H200")
    return Prediction(
        ask=_(
            "An H200 is an H100 with {more:.0%} more bandwidth and the same peak. What happens to "
            "the batch from which on a matmul is compute-bound?"
        ).format(more=h200.bandwidth() / h100.bandwidth() - 1),
        options=(
            Option(_("it goes up"), _("A better chip does not ask for a larger batch by itself.")),
            Option(_("it stays"), _("The peak stays; the batch depends on both numbers.")),
            Option(_("it goes down"), _("Yes.")),
        ),
        right=2,
        truth=_(
            "The same peak over more bandwidth: {h100:.0f} becomes {h200:.0f}. More bytes arrive, "
            "so fewer operations have to be found for each."
        ).format(h100=h100.ridge(), h200=h200.ridge()),
    )


def which_roof() -> Prediction:
    times, v5e = rl.estimate(rl.dot(10**9), "TPU v5e"), rl.chip("TPU v5e")
    vector = v5e.peak("fp32", "vector") / times.attained
    matrix = v5e.peak("bf16") / times.attained
    return Prediction(
        ask=_(
            "A dot product has intensity 0.5. How far below the peak of the unit that it really "
            "runs on is the rate that it can attain on a v5e?"
        ),
        options=(
            Option(
                _("about 500 times"), _("That is the matrix unit's roof, and it runs on another.")
            ),
            Option(_("about 15 times"), _("Yes.")),
            Option(_("about 2 times"), _("0.5 is its intensity; what is the unit's ridge?")),
        ),
        right=1,
        truth=_(
            "Bandwidth times 0.5 is {rate:.2g} FLOP/s: {vector:.0f} times below the vector unit's "
            "peak, {matrix:.0f} times below the matrix unit's."
        ).format(rate=times.attained, vector=vector, matrix=matrix),
    )


def link_threshold() -> Prediction:
    return Prediction(
        ask=_(
            "Two chips, split along D. B doubles. What happens to the D above which the link is no "
            "longer the longer of link and arithmetic?"
        ),
        options=(
            Option(
                _("it doubles"), _("The bytes that are sent double, but something else does too.")
            ),
            Option(_("it stays"), _("Yes.")),
            Option(_("it halves"), _("The arithmetic doubles, but something else does too.")),
        ),
        right=1,
        truth=_("The threshold stays where it is."),
        reason=Prediction(
            ask=_("And why?"),
            options=(
                Option(
                    _("B is small beside D and F"),
                    _("That was the argument of lesson 3. Here nothing had to be small."),
                ),
                Option(
                    _("each output number is sent once and bought with D multiply-adds"),
                    _("Yes."),
                ),
                Option(
                    _("the links are full-duplex"),
                    _("They are, and that settles a factor of 2, not a letter."),
                ),
                Option(
                    _("the chips share the batch"),
                    _("They share D: each has all B rows, and half of their length."),
                ),
            ),
            right=1,
            truth=_(
                "B (and F) count output numbers, and stand in the work and in the bytes alike."
            ),
        ),
    )


def few_rows() -> Prediction:
    pays = rl.break_even(
        lambda D: rl.matmul(128, D, 8192),
        lambda D: rl.shard(rl.matmul(128, D, 8192), "D"),
        "TPU v5e",
    )
    return Prediction(
        ask=_("B = 128, F = 8192, overlapped. From which D on are two chips faster than one?"),
        options=(
            Option(_("about 2,200"), _("Yes.")),
            Option(_("about 4,400"), _("That is so where arithmetic binds the single chip.")),
            Option(
                _("about 8,800"), _("That is where the link no longer outlasts the arithmetic.")
            ),
            Option(_("never"), _("At B = 128, what does a single chip spend its time on?")),
        ),
        right=0,
        truth=_(
            "From {pays:,.0f} on. With few rows one chip waits for HBM, and two chips have two "
            "memories: each reads half of Y."
        ).format(pays=pays),
    )


def other_axis() -> Prediction:
    return Prediction(
        ask=_("Y is split along F instead, half of its columns on each chip. What must be sent?"),
        options=(
            Option(_("2BF bytes, as before"), _("Which sums would be incomplete?")),
            Option(_("half of that"), _("Which sums would be incomplete?")),
            Option(_("nothing"), _("Yes.")),
        ),
        right=2,
        truth=_(
            "Each chip has its columns of the output complete. Partial sums arise only where the "
            "summed letter is split."
        ),
    )


PREDICTIONS: dict[str, Callable[[], Prediction]] = {
    "peak reached": peak_reached,
    "faster unit": faster_unit,
    "more bandwidth": more_bandwidth,
    "which roof": which_roof,
    "link threshold": link_threshold,
    "few rows": few_rows,
    "other axis": other_axis,
}
