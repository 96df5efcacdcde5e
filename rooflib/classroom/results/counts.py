"""What a whole class did, as counts: one record after another is added and let go.

Memory grows with the parts of the assignment and the kinds of slips, not with the students: the
two lists of people are cut at a length that is read, and say how many more there are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rooflib.classroom.results import record as records
from rooflib.classroom.results.page import short
from rooflib.classroom.results.record import Part, Record
from rooflib.practice.verdict import RIGHT, UNATTEMPTED

BINS = 10
MOST_PEOPLE = 200
MOST_KINDS = 100
# What the judge says when it knows no better: no misconception of its own.
UNNAMED = frozenset({"", "other", "right", "undecided", "odd", "not run", "fault"})


@dataclass
class PartCount:
    """One part. slips: how often each known slip; example: what was said about it, once each."""

    asks: str = ""
    outcomes: Counter[str] = field(default_factory=Counter)
    slips: Counter[str] = field(default_factory=Counter)
    example: dict[str, str] = field(default_factory=dict)
    accepted: Counter[str] = field(default_factory=Counter)
    corrected: int = 0
    dropped: bool = False

    def add(self, part: Part, dropped: bool) -> None:
        self.asks = self.asks or part.get("asks", "")
        self.dropped |= dropped
        self.outcomes[part["outcome"]] += 1
        if part["accepted"]:
            answer = short(records.shown(part["answer"]), 200)
            _count(self.accepted, answer)
        key = part["key"]
        known = key not in UNNAMED and part["outcome"] not in (RIGHT, UNATTEMPTED)
        if known and _count(self.slips, short(key, 200)):
            self.example.setdefault(short(key, 200), short(part["message"], 600))


def _count(counter: Counter[str], what: str) -> bool:
    """Count `what`, unless there are too many kinds already; whether it was counted."""
    if what not in counter and len(counter) >= MOST_KINDS:
        return False
    counter[what] += 1
    return True


@dataclass
class Counts:
    """A class. looks: (student, name, flags) of those who need a look, the first of them."""

    students: int = 0
    handed_in: int = 0
    late: int = 0
    several: int = 0
    worth: float = 0.0
    totals: Counter[float] = field(default_factory=Counter)
    bins: Counter[int] = field(default_factory=Counter)
    parts: dict[str, PartCount] = field(default_factory=dict)
    looking: int = 0
    looks: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    absent: list[tuple[str, str]] = field(default_factory=list)
    protections: Counter[str] = field(default_factory=Counter)
    whys: Counter[str] = field(default_factory=Counter)

    def add(self, record: Record) -> None:
        self.students += 1
        if record["flags"]:
            self.looking += 1
            if len(self.looks) < MOST_PEOPLE:
                flags = tuple(short(flag, 400) for flag in record["flags"][:20])
                self.looks.append((record["student"], record["name"], flags))
        for column, question, part in records.parts(record):
            count = self.parts.setdefault(column, PartCount())
            count.dropped |= records.dropped(question, part)
            if part.get("override"):
                count.corrected += 1
        if not record["files"]:
            if len(self.absent) < MOST_PEOPLE:
                self.absent.append((record["student"], record["name"]))
            return
        self.handed_in += 1
        self.late += record["late"]
        self.several += bool(record["superseded"])
        _count(self.protections, short(record["protection"], 400))
        for column, question, part in records.parts(record):
            self.parts[column].add(part, records.dropped(question, part))
        for id, text in record["whys"].items():
            if text.strip():
                _count(self.whys, id)
        self._total(records.total(record), records.worth(record))

    def _total(self, total: float, worth: float) -> None:
        self.worth = max(self.worth, worth)
        self.totals[round(total, 2)] += 1
        share = total / worth if worth else 0.0
        self.bins[min(BINS - 1, max(0, int(share * BINS + 1e-9)))] += 1

    def quantile(self, share: float) -> float:
        """The total that this share of those who handed in do not exceed."""
        below, wanted = 0, share * self.handed_in
        for total in sorted(self.totals):
            below += self.totals[total]
            if below >= wanted:
                return total
        return 0.0

    @property
    def mean(self) -> float:
        if not self.handed_in:
            return 0.0
        return sum(total * n for total, n in self.totals.items()) / self.handed_in
