"""A dealt problem on paper: what is asked, what is given, and room to write.

The same problem gives the same page, byte for byte. A sheet holds no answer: choices stand in the
order of their words, since a problem's file may list the right one first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from rooflib.classroom.results.page import Html, headed, page, pairs, said, tag
from rooflib.classroom.results.style import INK
from rooflib.i18n import _
from rooflib.practice.question import (
    ChoicePart,
    FormulaPart,
    FunctionPart,
    NumberPart,
    Part,
    PlotPart,
    Problem,
    Question,
)


def worksheet(
    problems: Iterable[Problem],
    title: str,
    student: str = "",
    *,
    name: str = "",
    whys: Collection[str] = (),
) -> str:
    """The problems with room to write, as a page to print.

    student, name: whose it is; without either, a line for it. whys: questions that also ask for
    a reason in the student's own words.
    """
    return page(
        headed(title, name or student),
        tag("header", tag("p", title, class_="above")),
        _name(name, student),
        *sections(problems, lambda question: _ask(question, whys)),
        kind="sheet",
    )


def sections(problems: Iterable[Problem], shown: Callable[[Question], Html]) -> Iterator[Html]:
    """The problems with what is given, and each of their questions as `shown` shows it."""
    for problem in problems:
        yield tag(
            "section",
            tag("h2", f"{problem.id} ", problem.title),
            pairs(problem.given, class_="given"),
            *map(shown, problem.questions),
            class_="problem",
        )


def _name(name: str, student: str) -> Html:
    """Whose it is, or lines to write it on."""
    who = said(f"{name} ({student})" if name and student else name or student)
    blank = tag("i")
    return tag(
        "div",
        tag("span", _("Name"), tag("i", who) if name or student else blank),
        tag("span", _("Date"), blank),
        class_="name",
    )


def _ask(question: Question, whys: Collection[str]) -> Html:
    blanks = [_blank(part, len(question.parts) > 1) for part in question.parts]
    if question.id in whys:
        told = _("Why? In your own words.")
        blanks.append(tag("div", tag("p", told), *_rules(4), class_="blank"))
    return tag(
        "div",
        tag("h3", tag("span", question.id, " "), tag("span", question.asks)),
        *blanks,
        class_="ask",
    )


def _blank(part: Part, several: bool) -> Html:
    """What is asked of a part, in which form, and room for it."""
    if isinstance(part, NumberPart):
        unit = _unit(part)
        return tag(
            "div",
            tag("span", part.asks if several else _("a number")),
            tag("i"),
            tag("span", unit) if unit else None,
            class_="blank number",
        )
    form = _form(part)
    asks = f"{part.asks}: " if several else ""
    what = tag("p", asks, tag("span", form, class_="quiet"))
    return tag("div", what, *_room(part), class_="blank")


def _unit(part: NumberPart) -> str:
    """The unit that stands behind the line."""
    words = {"token": _("tokens"), "row": _("rows"), "share": _("%")}
    return words.get(part.unit, part.unit)


def _form(part: FormulaPart | ChoicePart | FunctionPart | PlotPart) -> str:
    match part:
        case FormulaPart():
            letters = part.letters.split()
            if len(letters) == 1:
                return _("a formula in {letter}").format(letter=letters[0])
            return _("a formula in {letters}").format(letters=", ".join(letters))
        case ChoicePart():
            return _("choose one")
        case FunctionPart():
            called = f"{part.name}({', '.join(part.parameters)})"
            return _("a formula, or a few lines of code, for {called}").format(called=called)
        case PlotPart():
            return _("draw; {x} along the bottom from {low:g} to {high:g}, {unit} up").format(
                x=part.xlabel[0], low=part.x[0], high=part.x[1], unit=part.units[0]
            )


def _room(part: FormulaPart | ChoicePart | FunctionPart | PlotPart) -> list[Html]:
    match part:
        case ChoicePart():
            ordered = sorted(part.choices.values(), key=lambda text: (text.casefold(), text))
            return [
                tag("ul", *(tag("li", tag("i"), " ", text) for text in ordered), class_="choices")
            ]
        case FunctionPart():
            return _rules(6)
        case PlotPart():
            return [_paper()]
        case FormulaPart():
            return _rules(2)


def _rules(n: int) -> list[Html]:
    return [tag("span", class_="rule")] * n


def _paper() -> Html:
    """Squared paper with two axes."""
    faint = {"stroke": "#ccc", "stroke_width": "0.7"}
    squares = [
        *(tag("line", x1=f"{x}%", x2=f"{x}%", y1=0, y2="100%", **faint) for x in range(5, 100, 5)),
        *(tag("line", x1=0, x2="100%", y1=f"{y}%", y2=f"{y}%", **faint) for y in range(0, 99, 10)),
    ]
    axes = [
        tag("line", x1=0, x2="100%", y1="100%", y2="100%", stroke=INK, stroke_width=3),
        tag("line", x1=0, x2=0, y1=0, y2="100%", stroke=INK, stroke_width=3),
    ]
    return tag("svg", *squares, *axes, class_="paper", role="img", aria_label=_("squared paper"))
