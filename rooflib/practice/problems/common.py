"""What the problems share: a machine with its rates, and phrases that come back."""

from __future__ import annotations

import random
from dataclasses import dataclass

import rooflib as rl
from rooflib.chips import Link, Rate
from rooflib.i18n import _
from rooflib.practice.question import Wrong


@dataclass(frozen=True)
class Machine:
    """Rates as a problem gives them. old_bandwidth: what an older edition of the book gave."""

    name: str
    bandwidth: float
    bf16: float
    int8: float
    old_bandwidth: float | None = None
    link: float = 0.0

    @property
    def chip(self) -> rl.Chip:
        links = {"hbm": Link(self.bandwidth)} | ({"ici": Link(self.link)} if self.link else {})
        return rl.Chip(
            name=self.name,
            matrix={"bf16": Rate(self.bf16), "int8": Rate(self.int8)},
            links=links,
        )

    @property
    def ridge(self) -> float:
        """bf16 FLOP per byte of HBM."""
        return self.bf16 / self.bandwidth

    @property
    def ridge8(self) -> float:
        """int8 OP per byte of HBM."""
        return self.int8 / self.bandwidth


V5E = Machine("TPU v5e", 8.2e11, 1.97e14, 3.94e14, old_bandwidth=8.1e11, link=4.5e10)

# Made up, and named so: their int8 is not just twice as fast, which tells more slips apart.
FICTIONAL = (
    Machine(_("Made-up chip A"), 1.1e12, 2.2e14, 3.3e14),
    Machine(_("Made-up chip B"), 1.6e12, 3.7e14, 1.11e15),
    Machine(_("Made-up chip C"), 7.5e11, 1.6e14, 2.4e14),
    Machine(_("Made-up chip D"), 2.4e12, 4.3e14, 1.29e15),
)


def older_edition(key: str, value: float) -> Wrong:
    return Wrong(
        key,
        value,
        _("the bandwidth that an older edition of the book gives"),
        _("Which bandwidth does this problem give?"),
    )


def inverted(value: object, right_for: str) -> Wrong:
    return Wrong(
        "inverted",
        value,
        right_for,
        _("Which unit does your result have, and which one is asked?"),
    )


def deal_machine(random: random.Random) -> Machine:
    """A chip of the catalogue that does int8 faster than bf16, or a made-up one that says so."""
    known = [
        Machine(c.name, c.bandwidth(), c.peak("bf16"), c.peak("int8"))
        for c in rl.chips()
        if "int8" in c.dtypes and c.peak("int8") > c.peak("bf16")
    ]
    return random.choice([*known, *FICTIONAL])
