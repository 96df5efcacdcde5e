"""What a class is handed: a notebook for each student and problem, with that student's numbers.

A notebook is made from the problem itself, so it has the numbers in its words, and neither a right
answer nor another student's data in it. The same class and assignment give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rooflib.classroom.assignment import STUDENT, Assignment
from rooflib.classroom.results.files import file_name
from rooflib.i18n import _
from rooflib.practice.question import (
    ChoicePart,
    FormulaPart,
    FunctionPart,
    NumberPart,
    PlotPart,
    Problem,
    Question,
)

Cell = dict[str, Any]


def pages(assignment: Assignment, students: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Every notebook to hand out: its path below the hand-out's folder, and its text.

    With the same numbers for all there is one set, in `everyone/`.
    """
    own = assignment.variants == STUDENT
    for student in students if own else [""]:
        folder = Path(file_name(student) if own else "everyone")
        for number in assignment.problems:
            problem = assignment.problem(number, student)
            page = notebook(problem, assignment, student)
            text = json.dumps(page, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
            yield folder / f"problem_{number}.ipynb", text


def notebook(problem: Problem, assignment: Assignment, student: str) -> dict[str, Any]:
    """One problem as a notebook (nbformat 4.5)."""
    cells = [
        _text("head", _head(problem, assignment)),
        _code("desk", _desk(assignment, student)),
        _text("how", _how(assignment)),
        _text("given", _given(problem)),
    ]
    answered = []
    for question in problem.questions:
        cells.append(_text(f"ask-{question.id}", _asks(question)))
        cells.append(_code(f"answer-{question.id}", skeleton(question)))
        answered.append(f"answer-{question.id}")
        if question.id in assignment.why:
            cells.append(_text(f"ask-why-{question.id}", _("In a sentence or two: why?")))
            cells.append(_code(f"why-{question.id}", f'why("{question.id}", "")'))
    described = {
        "cells": answered,
        "course": assignment.course,
        "problem": problem.id,
        "student": student,
    }
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "rooflib": described,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _text(name: str, source: str) -> Cell:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def _code(name: str, source: str) -> Cell:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {},
        "outputs": [],
        "source": source,
    }


def _head(problem: Problem, assignment: Assignment) -> str:
    title = _("Problem {number}: {title}").format(number=problem.id, title=problem.title)
    aim = _("**Afterwards you can** {aim}.").format(aim=problem.aim)
    return f"# {title}\n\n{_plain(assignment.course)}\n\n{aim}"


def _desk(assignment: Assignment, student: str) -> str:
    """The cell that every answer goes through."""
    settings = [json.dumps(assignment.course, ensure_ascii=False)]
    settings.append(f"student={json.dumps(student, ensure_ascii=False)}")
    if assignment.variants != STUDENT:
        settings.append(f'variants="{assignment.variants}"')
    if assignment.graded:
        settings.append("graded=True")
    if assignment.deadline is not None:
        settings.append(f'deadline="{assignment.deadline.isoformat()}"')
    if assignment.attempts:
        settings.append(f"attempts={assignment.attempts}")
    listed = "".join(f"    {setting},\n" for setting in settings)
    return (
        "import rooflib as rl\n"
        "from rooflib.classroom.desk import open_desk\n\n"
        f"check, given, why = open_desk(\n{listed})"
    )


def _how(assignment: Assignment) -> str:
    lines = [
        _(
            "Run the cell above first. Then replace each `...` below by your answer and run its "
            "cell, as often as you like. A formula is text, as you would write it on paper: "
            '`"2*B*D"`, `"2BD"` and `"2·B·D"` are read alike. A number may carry its unit: '
            '`"12 us"`. A blank `...` is not judged.'
        )
    ]
    if assignment.graded:
        lines.append(
            _(
                "This is graded. `check` tells you how your answer was read, and not yet whether "
                "it is right. Save the notebook before you hand it in: what stands in the cells is "
                "what counts."
            )
        )
    if assignment.attempts:
        text = _("Each question gives you so many verdicts: {n}.")
        lines.append(text.format(n=assignment.attempts))
    if assignment.deadline is not None:
        when = f"{assignment.deadline:%Y-%m-%d %H:%M %Z}".strip()
        lines.append(_("Hand in by {when}.").format(when=when))
    if assignment.variants != STUDENT:
        text = _('Write the id by which your course knows you into `student=""` above.')
        lines.append(text)
    return "\n\n".join(lines)


def _given(problem: Problem) -> str:
    rows = "\n".join(f"| {_plain(k)} | {_plain(v)} |" for k, v in problem.given.items())
    return "## " + _("Given") + f"\n\n| | |\n|:--|:--|\n{rows}"


def _asks(question: Question) -> str:
    lines = [f"## {question.id}", _plain(question.asks)]
    parts = []
    for part in question.parts:
        if part.asks != question.asks:
            parts.append(f"- `{part.name}`: {_plain(part.asks)}{_kind(part)}")
        if isinstance(part, ChoicePart):
            indent = "  " if part.asks != question.asks else ""
            parts += [f'{indent}- `"{k}"`: {_plain(v)}' for k, v in sorted(part.choices.items())]
    return "\n\n".join([*lines, "\n".join(parts)] if parts else lines)


def _kind(part: object) -> str:
    match part:
        case FormulaPart():
            return _(" (a formula of {letters})").format(letters=", ".join(part.letters.split()))
        case NumberPart() if part.unit == "share":
            return _(' (such as "12.3%")')
        case NumberPart():
            return _(" (a number)")
        case ChoicePart():
            return _(", one of")
    return ""


def skeleton(question: Question) -> str:
    """The code cell of a question, still to be answered."""
    before = ""
    given = []
    for part in question.parts:
        match part:
            case FunctionPart():
                parameters = ", ".join(part.parameters)
                before += f"import numpy as np\n\n\ndef {part.name}({parameters}):\n    ...\n\n\n"
                given.append(f"{part.name}={part.name}")
            case PlotPart():
                before += "import matplotlib.pyplot as plt\n\nfig, ax = plt.subplots()\n...\n\n"
                given.append(f"{part.name}=ax")
            case _:
                given.append(f"{part.name}=...")
    call = f'check("{question.id}", {", ".join(given)})'
    if len(call) > 88:
        listed = "".join(f"    {argument},\n" for argument in given)
        call = f'check(\n    "{question.id}",\n{listed})'
    return before + call


_SIGNS = str.maketrans({c: "\\" + c for c in "\\`*_{}[]<>#|~$"})


def _plain(text: str) -> str:
    """Words that Markdown shows as they are; line breaks would end a heading."""
    return " ".join(text.split()).translate(_SIGNS)
