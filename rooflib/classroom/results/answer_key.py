"""The key of dealt problems: right answers, and what each expected wrong one would be right for.

For a teacher, in office hours or beside a pile of paper: as a page to print and as plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from rooflib.classroom.results.page import Html, code, fill, headed, page, said, table, tag
from rooflib.classroom.results.worksheet import sections
from rooflib.i18n import _
from rooflib.practice.algebra import Formula
from rooflib.practice.question import (
    ChoicePart,
    FormulaPart,
    FunctionPart,
    NumberPart,
    Part,
    PlotPart,
    Problem,
    Question,
    Together,
    Wrong,
    show,
)

# Of a function's points, so many stand in the key.
SHOWN_POINTS = 4


def key(problems: Iterable[Problem], title: str, name: str = "", *, student: str = "") -> str:
    """The key as a page. name, student: whose numbers these are."""
    whose = name or student
    return page(
        headed(_("{title}: the key").format(title=title), whose),
        tag(
            "header",
            tag("p", title, class_="above"),
            tag("h1", fill(_("Key for {whose}"), whose=said(whose)) if whose else _("Key")),
            tag("p", said(student), class_="quiet") if name and student else None,
        ),
        *sections(problems, _solved),
        kind="report key",
    )


def key_text(problems: Iterable[Problem], title: str, name: str = "") -> str:
    """The key as plain text, for a terminal."""
    lines = [headed(title, name)]
    for problem in problems:
        lines += ["", f"{problem.id}  {problem.title}"]
        lines += [f"  {label}: {value}" for label, value in problem.given.items()]
        for question in problem.questions:
            lines += ["", f"{question.id}  {question.asks}"]
            for part in question.parts:
                lines.append(f"  {part.name}: {part.asks}")
                lines += [_("    right: {answer}").format(answer=right) for right in _rights(part)]
                lines += [
                    _("    {answer}  is right for {what}").format(
                        answer=_wrong(part, wrong), what=_right_for(wrong)
                    )
                    for wrong in part.wrongs
                ]
            lines += [
                "  " + _("together, {values}: {says}").format(values=_values(t), says=t.says)
                for t in question.together
            ]
    return "\n".join(lines)


def _solved(question: Question) -> Html:
    return tag(
        "div",
        tag("h3", tag("span", question.id, " "), tag("span", question.asks)),
        tag("p", question.solution),
        *(_table(part) for part in question.parts),
        *(
            tag("p", fill(_("Together, {values}: {says}"), values=code(_values(t)), says=t.says))
            for t in question.together
        ),
        class_="ask",
    )


def _values(together: Together) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in together.values.items())


def _value(value: object) -> str:
    return f"{float(value):.6g}" if isinstance(value, float | int | Fraction) else str(value)


def _table(part: Part) -> Html:
    head = [_("answer"), _("right for"), _("to ask back")]
    return table(head, _rows(part), f"{part.name}: {part.asks}")


def _rows(part: Part) -> Iterator[Html]:
    this = tag("b", _("this question"))
    rights = tag("td", *(tag("div", code(right)) for right in _rights(part)))
    yield tag("tr", rights, tag("td", this), tag("td", part.why), class_="right")
    for wrong in part.wrongs:
        yield tag(
            "tr",
            tag("td", code(_wrong(part, wrong))),
            tag("td", _right_for(wrong)),
            tag("td", wrong.ask),
        )


def _right_for(wrong: Wrong) -> str:
    if not wrong.credit:
        return wrong.right_for
    return _("{what} (worth {share:.0%})").format(what=wrong.right_for, share=wrong.credit)


def _rights(part: Part) -> list[str]:
    """The right answers, the main one first; of a function and a plot, some of their values."""
    match part:
        case FunctionPart():
            step = max(1, len(part.points) // SHOWN_POINTS)
            return [_called(part, point) for point in part.points[::step][:SHOWN_POINTS]]
        case PlotPart():
            return _curves(part)
        case FormulaPart():
            return [show(part), *(str(other) for other in part.also)]
        case NumberPart():
            return [show(part), *(show(replace(part, right=other)) for other in part.also)]
        case ChoicePart():
            return [show(part)]


def _called(part: FunctionPart, point: tuple[float, ...]) -> str:
    value = float(part.right(*point))
    args = ", ".join(f"{x:g}" for x in point)
    return f"{part.name}({args}) = {value:.4g} {part.unit}".rstrip()


def _curves(part: PlotPart) -> list[str]:
    """Each curve at its two ends, and the roof."""
    low, high = part.x
    told = [
        _("{label}: {first:.4g} at {low:g}, {last:.4g} at {high:g}").format(
            label=label, first=curve(low), low=low, last=curve(high), high=high
        )
        for label, curve in part.curves.items()
    ]
    roof = _("roof at {height:.4g} {unit}").format(height=part.ceiling, unit=part.units[0])
    return [*told, roof]


def _wrong(part: Part, wrong: Wrong) -> str:
    """A known wrong answer as a student would have it; a function's or plot's by its name."""
    value = wrong.value
    match part:
        case FormulaPart() if isinstance(value, Formula):
            return str(value)
        case NumberPart():
            return show(replace(part, right=value))
        case ChoicePart():
            return f"{value}: {part.choices[value]}"
        case _:
            return wrong.key
