"""The class report: one page that says how the class did, what was hard, and where to look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil

from rooflib.classroom.results.bars import patterns, single, stacked, swatch
from rooflib.classroom.results.counts import BINS, MOST_PEOPLE, Counts, PartCount
from rooflib.classroom.results.page import Html, code, fill, join, lines, page, said, table, tag
from rooflib.classroom.results.record import Record, points
from rooflib.i18n import _
from rooflib.practice.verdict import (
    PARTLY,
    RIGHT,
    UNATTEMPTED,
    UNDECIDED,
    UNREADABLE,
    WRONG,
)

OUTCOMES = (RIGHT, PARTLY, WRONG, UNDECIDED, UNREADABLE, UNATTEMPTED)
# A slip is common when two make it, and one in fifty; so many of each part are shown.
COMMON, COMMON_SHARE = 2, 0.02
MOST_SLIPS = 5


def report(students: Iterable[Record], title: str, *, troubles: int = 0) -> str:
    """The page for a class; `students` is gone through once and nothing of it is kept."""
    counts = Counts()
    for record in students:
        counts.add(record)
    return shown(counts, title, troubles=troubles)


def shown(counts: Counts, title: str, *, troubles: int = 0) -> str:
    """The page for these counts. troubles: the rows of problems.csv."""
    return page(
        _("{title}: the class").format(title=title),
        patterns(),
        _head(counts, title, troubles),
        _totals(counts),
        _parts(counts),
        _slips(counts),
        _looks(counts),
        _decisions(counts),
        _whys(counts),
        _absent(counts),
        _protection(counts),
        kind="report",
    )


def word(outcome: str) -> str:
    """An outcome as a teacher reads it."""
    return {
        RIGHT: _("right"),
        PARTLY: _("partly"),
        WRONG: _("wrong"),
        UNDECIDED: _("cannot decide"),
        UNREADABLE: _("unreadable"),
        UNATTEMPTED: _("missing"),
    }[outcome]


def _of(n: int, all: int) -> str:
    return _("{n} of {all}").format(n=n, all=all)


def _head(counts: Counts, title: str, troubles: int) -> Html:
    facts: list[tuple[str, object]] = [(_("handed in"), _of(counts.handed_in, counts.students))]
    if counts.handed_in:
        facts += [
            (_("median"), _("{n} of {all}").format(n=_median(counts), all=points(counts.worth))),
            (_("mean"), points(counts.mean, 1)),
        ]
    if counts.late:
        facts.append((_("late"), str(counts.late)))
    if counts.several:
        facts.append((_("several versions"), str(counts.several)))
    looking = tag("a", counts.looking, href="#looks") if counts.looking else 0
    facts.append((_("need a look"), looking))
    if troubles:
        facts.append((_("files not graded"), str(troubles)))
    return tag(
        "header",
        tag("p", title, class_="above"),
        tag("h1", _("How the class did")),
        tag("dl", *(tag("div", tag("dt", a), tag("dd", b)) for a, b in facts), class_="facts"),
        tag("p", _("problems.csv says of each file that was not graded what to do."))
        if troubles
        else None,
    )


def _median(counts: Counts) -> str:
    return points(counts.quantile(0.5))


def _totals(counts: Counts) -> Html | None:
    if not counts.handed_in:
        return None
    most = max(counts.bins.values())
    rows = [
        tag(
            "tr",
            tag("th", _bin(i, counts.worth), scope="row", class_="n"),
            tag("td", counts.bins[i], class_="n"),
            tag("td", single(counts.bins[i] / most), class_="bar"),
        )
        for i in reversed(range(BINS))
    ]
    caption = _("Half of those who handed in have between {low} and {high} points.").format(
        low=points(counts.quantile(0.25)), high=points(counts.quantile(0.75))
    )
    head = [
        tag("th", _("points"), scope="col", class_="n"),
        tag("th", _("students"), scope="col", class_="n"),
        tag("th", "", scope="col", class_="bar", aria_label=_("bar")),
    ]
    return tag("section", tag("h2", _("Totals")), table(head, rows, caption))


def _bin(i: int, worth: float) -> str:
    low, high = worth * i / BINS, worth * (i + 1) / BINS
    if i == BINS - 1:
        return _("{low} and up").format(low=points(low))
    return _("{low} to below {high}").format(low=points(low), high=points(high))


def _parts(counts: Counts) -> Html | None:
    if not counts.handed_in:
        return None
    head = [
        tag("th", _("part"), scope="col"),
        tag("th", "", scope="col", class_="bar", aria_label=_("bar")),
        *(tag("th", swatch(o), word(o), scope="col", class_="n") for o in OUTCOMES),
    ]
    caption = _("Each row stands for the {n} who handed in.").format(n=counts.handed_in)
    return tag(
        "section",
        tag("h2", _("Part by part")),
        table(head, _part_rows(counts), caption),
    )


def _part_rows(counts: Counts) -> Iterator[Html]:
    before = ""
    for column, part in counts.parts.items():
        question = column.partition(".")[0]
        n = part.outcomes
        note = " " + _("(dropped)") if part.dropped else ""
        yield tag(
            "tr",
            tag(
                "th",
                said(column + note),
                tag("div", part.asks, class_="quiet small") if part.asks else None,
                scope="row",
                class_="text",
            ),
            tag(
                "td",
                stacked((o, n[o] / counts.handed_in) for o in OUTCOMES),
                class_="bar",
            ),
            *(tag("td", n[o] or "·", class_="n" if n[o] else "n none") for o in OUTCOMES),
            class_="first" if question != before and before else None,
        )
        before = question


def _slips(counts: Counts) -> Html | None:
    # The longest bar is the most common slip: shares of the class would all be slivers.
    most = max((n for part in counts.parts.values() for n in part.slips.values()), default=0)
    least = max(COMMON, ceil(COMMON_SHARE * counts.handed_in))
    rows = [
        row
        for column, part in counts.parts.items()
        for row in _slip_rows(column, part, most, least)
    ]
    if not rows:
        return None
    head = [
        _("part"),
        _("known slip"),
        tag("th", _("students"), scope="col", class_="n"),
        tag("th", "", scope="col", class_="bar", aria_label=_("bar")),
        _("what was said to one of them"),
    ]
    caption = _(
        "Slips that {n} or more made, the most common first in each part. The longest bar is "
        "{most} students."
    )
    return tag(
        "section",
        tag("h2", _("Common misconceptions")),
        table(head, rows, caption.format(n=least, most=most)),
    )


def _slip_rows(column: str, part: PartCount, most: int, least: int) -> Iterator[Html]:
    ordered = sorted(part.slips.items(), key=lambda item: (-item[1], item[0]))
    common = [(key, n) for key, n in ordered if n >= least][:MOST_SLIPS]
    for i, (key, n) in enumerate(common):
        yield tag(
            "tr",
            tag("th", said(column), scope="row", class_="again" if i else None),
            tag("td", said(key), class_="key"),
            tag("td", n, class_="n"),
            tag("td", single(n / most, WRONG), class_="bar narrow"),
            tag("td", lines(part.example[key]), class_="wide"),
            class_="first" if i == 0 else None,
        )


def _looks(counts: Counts) -> Html | None:
    if not counts.looks:
        return None
    rows = (
        tag(
            "tr",
            tag("th", said(student), scope="row"),
            tag("td", said(name)),
            tag("td", *(tag("p", said(flag)) for flag in flags)),
        )
        for student, name, flags in counts.looks
    )
    more = counts.looking - len(counts.looks)
    text = _("And {n} more, in the column “needs a look” of grades.csv.")
    return tag(
        "section",
        tag("h2", _("Who needs a look"), id="looks"),
        table([_("student"), _("name"), _("why")], rows),
        tag("p", text.format(n=more)) if more else None,
    )


def _absent(counts: Counts) -> Html | None:
    n = counts.students - counts.handed_in
    if not n:
        return None
    names = join(
        piece
        for i, (student, name) in enumerate(counts.absent)
        for piece in (", " if i else None, said(name or student), " (", said(student), ")")
    )
    text = _("{names}, and {n} more.") if n > MOST_PEOPLE else _("{names}.")
    return tag(
        "section",
        tag("h2", _("Nothing handed in: {n}").format(n=n)),
        tag("p", fill(text, names=names, n=n - len(counts.absent))),
    )


def _decisions(counts: Counts) -> Html | None:
    """Accepted and dropped answers, and corrections by hand."""
    items: list[Html] = []
    dropped = [column for column, part in counts.parts.items() if part.dropped]
    if dropped:
        names = ", ".join(dropped)
        items.append(tag("li", _("Dropped, and counted for nobody: {names}.").format(names=names)))
    for column, part in counts.parts.items():
        for answer, n in part.accepted.most_common():
            text = _("{part}: the answer {answer} is accepted; that helped {n}.")
            items.append(tag("li", fill(text, part=column, answer=code(answer), n=n)))
    for column, part in counts.parts.items():
        if part.corrected:
            text = _("{part}: corrected by hand for {n}.")
            items.append(tag("li", text.format(part=column, n=part.corrected)))
    if not items:
        return None
    return tag("section", tag("h2", _("Decided by hand")), tag("ul", *items))


def _whys(counts: Counts) -> Html | None:
    if not counts.whys:
        return None
    listed = ", ".join(f"{id} ({n})" for id, n in counts.whys.items())
    text = _("Free-text answers wait in whys.csv for a person to read: {listed}.")
    return tag(
        "section",
        tag("h2", _("In their own words")),
        tag("p", said(text.format(listed=listed))),
    )


def _protection(counts: Counts) -> Html | None:
    if not counts.protections:
        return None
    nothing = _("nothing of the student's was run: the answers were read from the text")
    rows = (
        tag("tr", tag("td", n, class_="n"), tag("td", said(text or nothing)))
        for text, n in counts.protections.most_common()
    )
    head = [tag("th", _("students"), scope="col", class_="n"), _("what protected the run")]
    return tag("section", tag("h2", _("What protected the runs")), table(head, rows))
