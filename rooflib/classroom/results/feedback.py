"""One page for one student: what they answered, how it was read, what is said of it, the points.

The key is on the page only with release=True; without it no right answer is anywhere in the file.
Whether a graded assignment's pages may be handed out yet is for the teacher to say.
"""

from __future__ import annotations

from rooflib.classroom.results import record as records
from rooflib.classroom.results.page import Html, code, fill, join, lines, page, said, short, tag
from rooflib.classroom.results.record import Part, Question, Record
from rooflib.i18n import _
from rooflib.practice.verdict import UNATTEMPTED, Verdict


def feedback(record: Record, title: str, *, release: bool = False) -> str:
    """The page of one student as HTML. title: the assignment's; release: with the key."""
    name = record["name"] or record["student"]
    return page(
        f"{title}: {name}",
        _head(record, title, name),
        *(_question(id, q, release) for id, q in record["questions"].items()),
        _whys(record),
        kind="feedback",
    )


def _head(record: Record, title: str, name: str) -> Html:
    files = record["files"]
    notes: list[object] = []
    if not files:
        notes.append(_("Nothing was handed in under this name."))
    elif len(files) == 1:
        notes.append(fill(_("Read from {file}."), file=said(files[0])))
    else:
        several = join(p for i, f in enumerate(files) for p in (", " if i else None, said(f)))
        notes.append(fill(_("Read from {files}, together."), files=several))
    if record["superseded"]:
        text = _("Older versions, which do not count: {n}.")
        notes.append(text.format(n=len(record["superseded"])))
    if record["late"]:
        notes.append(_("Handed in after the deadline."))
    return tag(
        "header",
        tag("p", title, class_="above"),
        tag("h1", said(name)),
        tag(
            "dl",
            _fact(
                _("points"),
                _("{n} of {all}").format(
                    n=records.points(records.total(record)),
                    all=records.points(records.worth(record)),
                ),
            ),
            _fact(_("student"), said(record["student"])),
            class_="facts",
        ),
        tag("p", join(p for note in notes for p in (note, " ")), class_="quiet small"),
        tag("ul", *(_mark(id, q) for id, q in record["questions"].items()), class_="marks"),
    )


def _fact(what: str, value: object) -> Html:
    return tag("div", tag("dt", what), tag("dd", value))


def _mark(id: str, question: Question) -> Html:
    value = _("dropped") if question["dropped"] else _points(question)
    return tag("li", tag("a", tag("b", id), tag("span", value), href=f"#q{id}"))


def _points(question: Question) -> str:
    return _("{n} of {all}").format(
        n=records.points(records.question_earned(question)),
        all=records.points(records.question_worth(question)),
    )


def _question(id: str, question: Question, release: bool) -> Html:
    dropped = question["dropped"]
    return tag(
        "section",
        tag(
            "header",
            tag("h2", tag("span", id, " "), tag("span", question["asks"])),
            tag("p", _("dropped") if dropped else _points(question), class_="points"),
        ),
        tag("p", _("This question was dropped: it counts for nobody."), class_="quiet")
        if dropped
        else None,
        *(
            _part(name, part, release, records.dropped(question, part))
            for name, part in question["parts"].items()
        ),
        class_="question",
        id=f"q{id}",
    )


def _part(name: str, part: Part, release: bool, dropped: bool) -> Html:
    answer = records.shown(part["answer"])
    rows: list[Html] = []
    if answer:
        rows += [tag("dt", _("your answer")), tag("dd", code(answer))]
    if part["echo"] and part["echo"] != answer:
        rows += [tag("dt", _("read as")), tag("dd", code(part["echo"]))]
    if release and part["right"]:
        rows += [tag("dt", _("the key")), tag("dd", code(part["right"]))]
    message = part["message"] if part["outcome"] != UNATTEMPTED else ""
    worth = _("{n} of {all}").format(
        n=records.points(records.earned(part)), all=records.points(part["points"])
    )
    return tag(
        "article",
        tag(
            "div",
            tag("h3", said(name)),
            tag("p", Verdict(part["outcome"], "").mark, class_="mark"),
        ),
        tag(
            "div",
            tag("p", part["asks"], class_="above") if part.get("asks") else None,
            tag("dl", *rows) if rows else None,
            # Of an accepted answer the message says just that.
            tag("div", lines(message), class_="hand" if part["accepted"] else "message")
            if message
            else None,
            tag(
                "p",
                _("Corrected by hand: {points}.").format(points=worth),
                class_="hand",
            )
            if part.get("override") and not dropped
            else None,
            class_="body",
        ),
        tag("p", _("dropped") if dropped else worth, class_="points"),
        class_="part",
    )


def _whys(record: Record) -> Html | None:
    texts = {id: text for id, text in record["whys"].items() if text.strip()}
    if not texts:
        return None
    return tag(
        "section",
        tag("h2", _("In your own words")),
        tag("p", _("A person reads these; they are not in the points above."), class_="quiet"),
        *(
            tag("div", tag("h3", said(id)), tag("div", short(text), class_="words", dir="auto"))
            for id, text in texts.items()
        ),
        class_="whys",
    )
