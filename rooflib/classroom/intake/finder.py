"""Who a piece of text speaks of: the students of a roster by id, e-mail address or full name."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from rooflib.classroom.intake.words import is_dense, spellings, variants

_LONGEST = 12  # words of one name or id
_NUMBER = 5  # digits from which a number inside other words can be an id: a year has four


class Person(Protocol):
    """What is needed of a student."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def email(self) -> str: ...


class Named(NamedTuple):
    """Whom a text names: nobody, one, one of several of the same name, or several together."""

    ids: tuple[str, ...] = ()
    together: bool = False


class Finder:
    """Looks students up in words; made once for a roster."""

    def __init__(self, students: Iterable[Person]) -> None:
        self._students = tuple(students)
        self._ids: dict[tuple[str, ...], set[str]] = {}
        self._full: dict[str, set[str]] = {}
        self._short: dict[str, set[str]] = {}
        self._emails: dict[str, set[str]] = {}
        for student in self._students:
            for own in variants(student.id):
                self._ids.setdefault(own, set()).add(student.id)
            full, short = spellings(student.name)
            for spelling in full:
                self._full.setdefault(spelling, set()).add(student.id)
            for spelling in short:
                self._short.setdefault(spelling, set()).add(student.id)
            if student.email:
                self._emails.setdefault(_address(student.email), set()).add(student.id)
        self._ids.pop((), None)
        self._cached = functools.lru_cache(maxsize=512)(self._search)

    def __reduce__(self) -> tuple[object, ...]:
        return (Finder, (self._students,))  # another process makes its own

    def by_id(self, text: str) -> tuple[str, ...]:
        """Those whose id is the whole text."""
        return _union(self._ids.get(own, set()) for own in variants(text))

    def by_email(self, text: str) -> tuple[str, ...]:
        """Those whose e-mail address is the whole text."""
        return _union([self._emails.get(_address(text), set())])

    def by_name(self, text: str) -> tuple[str, ...]:
        """Those whose name is the whole text, in any order; else without middle names."""
        spelled = {"".join(own) for own in variants(text)}
        return _union(self._full.get(one, set()) for one in spelled) or _union(
            self._short.get(one, set()) for one in spelled
        )

    def search(self, text: str) -> Named:
        """Those whom the words of `text` name."""
        return self._cached(text)

    def _search(self, text: str) -> Named:
        rest, groups = self._take_emails(text)
        spans: dict[tuple[int, int], set[str]] = {}
        for own in variants(rest):
            for span, ids in self._spans(own, self._full).items():
                spans.setdefault(span, set()).update(ids)
        if not spans and not groups:
            for own in variants(rest):
                for span, ids in self._spans(own, self._short).items():
                    spans.setdefault(span, set()).update(ids)
        # "Ana Lee Park" does not speak of Ana Lee.
        groups += [ids for span, ids in spans.items() if not any(_inside(span, s) for s in spans)]
        return _joined(groups)

    def _spans(
        self, own: Sequence[str], names: dict[str, set[str]]
    ) -> dict[tuple[int, int], set[str]]:
        found: dict[tuple[int, int], set[str]] = {}
        for i in range(len(own)):
            for j in range(i + 1, min(i + _LONGEST, len(own)) + 1):
                some = tuple(own[i:j])
                ids = set(names.get("".join(some), ()))
                if not _is_small_number(some) or len(own) == len(some):
                    ids |= self._ids.get(some, set())
                if ids:
                    found[i, j] = ids
            if (i, i + 1) not in found and is_dense(own[i]):
                ids = self._in_run(own[i], names)
                if ids:
                    found[i, i + 1] = ids
        return found

    def _in_run(self, run: str, names: dict[str, set[str]]) -> set[str]:
        """The longest name that begins or ends a run of a script without blanks.

        Two characters are too few: they begin many a longer name.
        """
        for size in range(min(len(run) - 1, 32), 2, -1):
            ids = names.get(run[:size], set()) | names.get(run[-size:], set())
            if ids:
                return ids
        return set()

    def _take_emails(self, text: str) -> tuple[str, list[set[str]]]:
        if "@" not in text:
            return text, []
        groups: list[set[str]] = []
        lower = text.casefold()
        for address in sorted(self._emails, key=len, reverse=True):
            if address in lower:
                whole = rf"(?<![^\W_])(?<![.+-]){re.escape(address)}(?![^\W_]|-|\.\w)"
                lower, count = re.subn(whole, " ", lower)
                if count:
                    groups.append(set(self._emails[address]))
        return lower, groups


def _joined(groups: list[set[str]]) -> Named:
    """A name and an id side by side narrow each other; two that disagree are both named."""
    if not groups:
        return Named()
    common = set.intersection(*groups)
    if common:
        return Named(tuple(sorted(common)))
    return Named(_union(groups), together=True)


def _inside(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def _is_small_number(some: tuple[str, ...]) -> bool:
    return len(some) == 1 and some[0].isdigit() and len(some[0]) < _NUMBER


def _address(email: str) -> str:
    return email.strip().casefold()


def _union(groups: Iterable[set[str]]) -> tuple[str, ...]:
    return tuple(sorted(set().union(*groups)))
