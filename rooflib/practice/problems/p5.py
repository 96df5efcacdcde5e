"""Problem 5: the batch of an H100, from a spec sheet with its rows, columns and footnotes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from rooflib.i18n import _
from rooflib.practice.question import (
    ChoicePart,
    NumberPart,
    Problem,
    Question,
    Together,
    Wrong,
)
from rooflib.units import si


@dataclass(frozen=True)
class Sheet:
    """A column of a sheet. Peaks as printed: with sparsity where `starred`, else dense."""

    name: str
    bf16: float
    tf32: float
    fp8: float
    fp32: float
    bandwidth: float
    nvlink: float
    starred: bool = True

    @property
    def dense(self) -> float:
        return self.bf16 / 2 if self.starred else self.bf16


H100_SXM = Sheet("H100 SXM", 1.979e15, 9.89e14, 3.958e15, 6.7e13, 3.35e12, 9.0e11)
H100_PCIE = Sheet("H100 PCIe", 1.513e15, 7.56e14, 3.026e15, 5.1e13, 2.0e12, 6.0e11)
H100_NVL = Sheet("H100 NVL", 1.671e15, 8.35e14, 3.341e15, 6.0e13, 3.9e12, 6.0e11)
H200_SXM = Sheet("H200 SXM", 1.979e15, 9.89e14, 3.958e15, 6.7e13, 4.8e12, 9.0e11)
B200 = Sheet("B200", 4.5e15, 2.2e15, 9.0e15, 7.5e13, 8.0e12, 1.8e12)
# This one prints the dense number first and the sparse one, with its asterisk, after a bar.
A100_80GB = Sheet("A100 80 GB SXM", 3.12e14, 1.56e14, 6.24e14, 1.95e13, 2.039e12, 6.0e11, False)


@dataclass(frozen=True)
class Numbers:
    """sheet: the one asked; others: columns beside it, which a reader may slip into."""

    sheet: Sheet = H100_SXM
    others: tuple[Sheet, ...] = (H100_PCIE, H100_NVL)
    rounded: tuple[float, ...] = (300.0,)
    old_peak: float | None = 1e15


BOOK = Numbers()


def deal(random: random.Random) -> Numbers:
    sheet, *others = random.sample([H100_SXM, H100_PCIE, H100_NVL, H200_SXM, B200], 3)
    return Numbers(sheet, tuple(others), rounded=(), old_peak=None)


def build(numbers: Numbers) -> Problem:
    columns = sorted([numbers.sheet, *numbers.others], key=lambda s: s.name)

    def row(unit: str, star: str, of: Callable[[Sheet], float]) -> str:
        return " | ".join(si(of(column), unit, 4) + star for column in columns)

    return Problem(
        id="5",
        title=_("a spec sheet"),
        aim=_("find the row, the column and the footnote that belong to a question"),
        given={
            _("asked"): numbers.sheet.name,
            _("columns"): " | ".join(column.name for column in columns),
            "FP32": row("FLOP/s", "", lambda s: s.fp32),
            _("TF32 tensor core"): row("FLOP/s", "*", lambda s: s.tf32),
            _("BFLOAT16 tensor core"): row("FLOP/s", "*", lambda s: s.bf16),
            _("FP8 tensor core"): row("FLOP/s", "*", lambda s: s.fp8),
            _("GPU memory bandwidth"): row("B/s", "", lambda s: s.bandwidth),
            _("NVLink, both directions"): row("B/s", "", lambda s: s.nvlink),
            "*": _("with sparsity"),
            _("in 5c, another sheet"): _(
                "A100 80 GB SXM: BFLOAT16 tensor core 312 TFLOP/s | 624 TFLOP/s*, memory 2.039 TB/s"
            ),
        },
        questions=(_cell(numbers), _batch(numbers), _another()),
        numbers=numbers,
    )


def _row() -> ChoicePart:
    ask_row = _("In which format are the operands, and on which unit do they meet?")
    # fmt: off
    return ChoicePart(
        "row",
        _("the row for the peak"),
        right="BF16",
        choices={
            "FP32": _("FP32"),
            "TF32": _("TF32 tensor core"),
            "BF16": _("BFLOAT16 tensor core"),
            "FP8": _("FP8 tensor core"),
        },
        why=_("The row is that of the operands' format, on the unit that multiplies matrices."),
        wrongs=(
            Wrong("FP32", "FP32", _("the vector units"), _("Which unit does matrix products?")),
            Wrong("TF32", "TF32", _("operands of four bytes"), ask_row),
            Wrong("FP8", "FP8", _("operands of one byte"), ask_row),
        ),
    )
    # fmt: on


def _cell(n: Numbers) -> Question:
    names = [s.name for s in sorted((n.sheet, *n.others), key=lambda s: s.name)]
    # fmt: off
    column = ChoicePart(
        "column",
        _("the column"),
        right=n.sheet.name,
        choices={name: name for name in names},
        why=_("The module that the question names."),
        wrongs=tuple(
            Wrong(s.name, s.name, _("another module"), _("Which module does the question name?"))
            for s in n.others
        ),
    )
    star = ChoicePart(
        "star",
        _("what the asterisk asks of the matrices"),
        right="sparse",
        choices={
            "sparse": _("two of every four weights are zero, in a fixed pattern"),
            "boost": _("the chip runs at its boost clock"),
            "both": _("multiplications and additions are counted as one"),
            "nothing": _("nothing: it is an ordinary peak"),
        },
        why=_("An ordinary matmul has no such zeros, and gets half of the printed number."),
        wrongs=(
            Wrong("boost", "boost", _("every row of the sheet, starred or not"),
                  _("What does the footnote say, word for word?")),
            Wrong("both", "both", _("another way of counting"),
                  _("What does the footnote say, word for word?")),
            Wrong("nothing", "nothing", _("a row without a footnote"),
                  _("What does the footnote say, and do your matrices look like that?")),
        ),
    )
    link = ChoicePart(
        "link",
        _("the row for the bandwidth"),
        right="memory",
        choices={
            "memory": _("GPU memory bandwidth"),
            "nvlink": _("NVLink"),
        },
        why=_("The weights wait in the GPU's own memory."),
        wrongs=(
            Wrong("nvlink", "nvlink", _("what comes from another GPU"),
                  _("Where do the weights wait before the multiplication?")),
        ),
    )
    # fmt: on
    return Question(
        id="5a",
        asks=_("Before any number: which column, which footnote, which bandwidth?"),
        parts=(column, star, link),
        hints=(
            _("Where do the weights wait before they are multiplied?"),
            _("The footnote is short. What does it ask of the matrices?"),
        ),
        solution=_(
            "The column of the module that is named; an asterisk which says that the number holds "
            "for matrices with structured zeros only; and the memory's bandwidth."
        ),
        why=_("Row, footnote, column: three places to slip before the first division."),
        look_next=_("Is the number to halve always? 5c has a sheet that prints otherwise."),
    )


def _batch(n: Numbers) -> Question:
    s = n.sheet
    ask_star = _("What does the asterisk beside that number ask of the matrices?")
    # fmt: off
    peak_wrongs = [
        Wrong("sparse", s.bf16, _("matrices with structured zeros"), ask_star),
        Wrong("fp8, dense", s.fp8 / 2, _("operands of one byte, dense"),
              _("Which row is that?")),
        Wrong("halved twice", s.dense / 2, _("a number that was halved twice"),
              _("How often does the footnote ask you to halve?")),
        Wrong("TF32, dense", s.tf32 / 2, _("operands of four bytes, dense"),
              _("And which row is that?")),
        Wrong("fp32", s.fp32, _("the vector units"), _("Which unit does matrix products?")),
    ]
    bandwidth_wrongs = [
        Wrong("nvlink", s.nvlink, _("what comes from another GPU, both directions added up"),
              _("Where do the weights wait before the multiplication?")),
        Wrong("nvlink one way", s.nvlink / 2, _("what comes from another GPU"),
              _("Where do the weights wait before the multiplication?")),
    ]
    right = s.dense / s.bandwidth
    batch_wrongs = [
        Wrong("sparse", s.bf16 / s.bandwidth, _("matrices with structured zeros"), ask_star),
        Wrong("fp8, dense", s.fp8 / 2 / s.bandwidth, _("an fp8 peak with two-byte operands"),
              _("Is the format of your peak the format of your bytes?")),
        Wrong("halved twice", right / 2, _("a peak that was halved twice"),
              _("How often does the footnote ask you to halve?")),
        Wrong("TF32, dense", s.tf32 / 2 / s.bandwidth, _("the dense TF32 peak"),
              _("Which row is that?")),
        Wrong("nvlink one way", s.dense / (s.nvlink / 2), _("weights that come over NVLink"),
              _("Where do the weights wait before the multiplication?")),
        Wrong("nvlink", s.dense / s.nvlink, _("weights that come over NVLink, both ways at once"),
              _("Where do the weights wait before the multiplication?")),
        Wrong("fp32", s.fp32 / s.bandwidth, _("the vector units"),
              _("Which unit does matrix products?")),
        Wrong("fp32, halved", s.fp32 / 2 / s.bandwidth, _("the vector units, halved"),
              _("Which unit does matrix products, and which rows carry the asterisk?")),
    ]
    for other in n.others:
        column = _("the column of the {name}").format(name=other.name)
        ask = _("Which module does the question name?")
        peak_wrongs.append(Wrong(other.name, other.dense, column, ask))
        peak_wrongs.append(Wrong(f"{other.name}, sparse", other.bf16, column, ask))
        bandwidth_wrongs.append(Wrong(other.name, other.bandwidth, column, ask))
        batch_wrongs.append(Wrong(other.name, other.dense / other.bandwidth, column, ask))
    if n.old_peak:
        batch_wrongs.append(
            Wrong("rounded", n.old_peak / s.bandwidth, _("a peak that was rounded on the way"),
                  _("Which digits does the sheet print?")))
    # fmt: on
    peak = NumberPart(
        "peak",
        _("the peak for an ordinary bf16 matmul"),
        right=s.dense,
        unit="FLOP/s",
        why=_("Half of the starred number: dense matrices have no zeros to skip."),
        wrongs=_apart(peak_wrongs, s.dense),
    )
    bandwidth = NumberPart(
        "bandwidth",
        _("the bandwidth"),
        right=s.bandwidth,
        unit="B/s",
        why=_("The memory's own, one number for reading and writing together."),
        wrongs=_apart(bandwidth_wrongs, s.bandwidth),
    )
    batch = NumberPart(
        "batch",
        _("the batch from which on a bf16 matmul is compute-bound, in tokens"),
        right=right,
        unit="token",
        up=True,
        above=True,
        rounded=n.rounded,
        why=_("Peak over bandwidth; in bf16 the intensity is the batch itself, for small B."),
        wrongs=_apart(batch_wrongs, right),
    )
    return Question(
        id="5b",
        asks=_("Which row, which peak and bandwidth, and from which batch on does compute bind?"),
        parts=(_row(), peak, bandwidth, batch),
        hints=(
            _("Which of the sheet's numbers hold for a matrix without structured zeros?"),
            _("The intensity of a bf16 matmul for small B: what is it in terms of B?"),
            _("Is your answer to three digits, from numbers that you did not round?"),
        ),
        solution=_(
            "Halve the starred bf16 number, divide by the memory bandwidth: in bf16 the intensity "
            "for small B is B itself."
        ),
        why=_("A very different chip from a TPU, and a critical batch in the same neighbourhood."),
        look_next=_("An H200 has the same peak and more bandwidth. Which way does its batch go?"),
        together=(
            Together(
                "right number, wrong row",
                {"row": "TF32", "batch": right},
                on="row",
                says=_(
                    "The batch stands, by luck: that row happens to print such a number. Which row "
                    "is for your operands, and does what it prints carry an asterisk?"
                ),
            ),
        ),
    )


def _apart(wrongs: list[Wrong], right: float) -> tuple[Wrong, ...]:
    """Those that the number alone can tell from the right one: a row of TF32 prints bf16's."""
    return tuple(w for w in wrongs if abs(w.value / right - 1) > 0.008)


def _another() -> Question:
    s = A100_80GB
    right = s.dense / s.bandwidth
    # fmt: off
    part = NumberPart(
        "batch",
        _("the same for the A100, in tokens"),
        right=right,
        unit="token",
        up=True,
        above=True,
        also=(3.1e14 / 2.0e12,),
        why=_("This sheet prints the dense number first; there was nothing to halve."),
        wrongs=(
            Wrong("halved by habit", right / 2, _("a number that is dense already, halved"),
                  _("Which of the two numbers before and behind the bar carries the asterisk?")),
            Wrong("sparse", 2 * right, _("matrices with structured zeros"),
                  _("Which of the two numbers before and behind the bar carries the asterisk?")),
        ),
    )
    # fmt: on
    return Question(
        id="5c",
        asks=_("An older sheet, the A100's, is printed otherwise. What is the batch there?"),
        parts=(part,),
        hints=(
            _("How many numbers does this sheet print in the bf16 row?"),
            _("Which of them carries the asterisk, and which one holds for your matrices?"),
        ),
        solution=_("The number before the bar is dense. Divide it by the bandwidth as it stands."),
        why=_("A rule such as 'always halve' is a rule about one sheet. The footnote decides."),
        look_next=_("Why is the A100's batch so much smaller than the H100's?"),
    )
