"""A made-up class of twelve, to practise a whole round on before the real one.

It is handed out like any class; what comes back is written by rule: right answers, known slips,
blanks, and the accidents that every teacher knows.
"""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rooflib.classroom import handout
from rooflib.classroom.assignment import NAME, Assignment, written
from rooflib.classroom.intake.roster import Student
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

ASSIGNMENT = Assignment("Sample class", ("1", "2", "3"), graded=True, why=("1c",))
STUDENTS = (
    Student("s01", "Amara Obi", "amara@example.org"),
    Student("s02", "Björn Lindqvist", "bjorn@example.org"),
    Student("s03", "Chloé Martin", "chloe@example.org"),
    Student("s04", "Dev Patel", "dev@example.org"),
    Student("s05", "Elena García-Ruiz", "elena@example.org"),
    Student("s06", "Farid Haddad", "farid@example.org"),
    Student("s07", "Grace Kim", "grace@example.org"),
    Student("s08", "Hiro Tanaka", "hiro@example.org"),
    Student("s09", "Ines O'Neill", "ines@example.org"),
    Student("s10", "Jun Li", "jun@example.org"),
    Student("s11", "Kofi Mensah", "kofi@example.org"),
    Student("s12", "Lena Novák", "lena@example.org"),
)
RIGHT, SLIP, BLANK, COMPUTED = "right", "slip", "blank", "computed"
Page = dict[str, Any]


def write(folder: Path) -> Iterator[str]:
    """Write the class into `folder`: a roster, the hand-out, and what came back as one zip.

    Yields what was written and the commands to go on with.
    """
    given = folder / "handout"
    given.mkdir(parents=True, exist_ok=True)
    (folder / "roster.csv").write_text(roster(STUDENTS), encoding="utf-8")
    (given / "roster.csv").write_text(roster(STUDENTS), encoding="utf-8")
    (given / NAME).write_text(written(ASSIGNMENT), encoding="utf-8")
    for path, text in handout.pages(ASSIGNMENT, [student.id for student in STUDENTS]):
        (given / path).parent.mkdir(parents=True, exist_ok=True)
        (given / path).write_text(text, encoding="utf-8")
    yield _("a class of {n} in {folder}: roster.csv, handout/, submissions.zip").format(
        n=len(STUDENTS), folder=folder
    )
    with zipfile.ZipFile(folder / "submissions.zip", "w", zipfile.ZIP_DEFLATED) as came_back:
        for name, content in submissions():
            # One fixed date: the same class, byte for byte.
            came_back.writestr(zipfile.ZipInfo(name, (2027, 1, 14, 20, 0, 0)), content)
    yield _("grade it: {command}").format(
        command=f"rooflib grade {folder / 'submissions.zip'} --handout {given} "
        f"-o {folder / 'grades'}"
    )


def roster(students: tuple[Student, ...] | list[Student]) -> str:
    """A roster as CSV."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("id", "name", "email"))
    table.writerows((s.id, s.name, s.email) for s in students)
    return out.getvalue()


def submissions() -> Iterator[tuple[str, bytes]]:
    """What the twelve hand in, named as Canvas names it."""
    by_id = {student.id: student for student in STUDENTS}

    def came(student: str, file: str, page: Page | bytes, late: str = "") -> tuple[str, bytes]:
        family = by_id[student].name.split()[::-1]
        who = "".join(c for c in "".join(family).lower() if c.isalnum())
        content = page if isinstance(page, bytes) else json.dumps(page, ensure_ascii=False).encode()
        return f"{who}_{late}{4000 + int(student[1:])}_{70000 + int(student[1:])}_{file}", content

    def pages(student: str, share: float, whose: str = "") -> dict[str, Page]:
        choose = at_random(share, random.Random(f"{student} {share}"))
        return {n: answered(ASSIGNMENT, whose or student, n, choose) for n in ASSIGNMENT.problems}

    shares = {"s01": 1.0, "s02": 0.8, "s03": 0.6, "s05": 0.9, "s06": 1.0, "s07": 0.8}
    shares |= {"s08": 1.0, "s10": 1.0, "s12": 0.4}
    for student, share in shares.items():
        for number, page in pages(student, share).items():
            file = f"problem_{number}.ipynb"
            if student == "s06" and number == "3":  # a loop without end, after the answers
                page["cells"].append(_cell("while True:\n    pass"))
            if student == "s07" and number == "2":  # handed in a neighbour's page
                page = pages("s03", 1.0)["2"]
            if student == "s10":  # renamed, and a cell copied
                file = f"homework {number} (final) (2).ipynb"
                page["cells"].append(page["cells"][5])
            data = json.dumps(page, ensure_ascii=False).encode()
            if student == "s08" and number == "1":  # the download broke off
                data = data[: len(data) // 2]
            yield came(student, file, data, "LATE_" if student == "s05" else "")
    for share, version in ((0.3, ""), (0.9, "-1")):  # handed in twice
        for number, page in pages("s04", share).items():
            yield came("s04", f"problem_{number}{version}.ipynb", page)
    for number in ASSIGNMENT.problems:  # computes what it answers
        page = answered(ASSIGNMENT, "s09", number, lambda _part: COMPUTED)
        yield came("s09", f"problem_{number}.ipynb", page)


def _cell(source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": "extra",
        "metadata": {},
        "outputs": [],
        "source": source,
    }


# Filling in a hand-out


def at_random(share: float, roll: random.Random) -> Callable[[Part], str]:
    """Right with this share; else a known slip, or now and then a blank."""

    def choose(_part: Part) -> str:
        if roll.random() < share:
            return RIGHT
        return BLANK if roll.random() < 0.2 else SLIP

    return choose


def answered(
    assignment: Assignment, student: str, number: str, choose: Callable[[Part], str]
) -> Page:
    """A student's page of a problem, filled in."""
    problem = assignment.problem(number, student)
    page = handout.notebook(problem, assignment, student)
    by_cell = {f"answer-{q.id}": q for q in problem.questions}
    for cell in page["cells"]:
        question = by_cell.get(cell["id"])
        if question is not None:
            chosen = {part.name: choose(part) for part in question.parts}
            cell["source"] = source(problem, question, chosen)
        elif cell["id"].startswith("why-"):
            text = "Both sides double with int8, so the batch where they meet stays."
            cell["source"] = cell["source"].replace('""', json.dumps(text))
    return page


def source(problem: Problem, question: Question, chosen: Mapping[str, str]) -> str:
    """The code of an answer cell."""
    text = handout.skeleton(question)
    for part in question.parts:
        kind = chosen[part.name]
        if kind == BLANK:
            continue
        match part:
            case FunctionPart():
                text = text.replace("    ...", _throughput(problem.numbers, kind != SLIP))
            case PlotPart():
                text = text.replace("\n...\n", _plot(problem.numbers, kind != SLIP))
            case _:
                text = text.replace(f"{part.name}=...", f"{part.name}={_literal(part, kind)}")
    return text


def _literal(part: FormulaPart | NumberPart | ChoicePart, kind: str) -> str:
    value: Any = part.wrongs[0].value if kind == SLIP and part.wrongs else part.right
    match part:
        case NumberPart() if kind == COMPUTED and part.unit != "share":
            return f"(lambda value: value)({float(value):.5g})"
        case FormulaPart():
            return json.dumps(str(value))
        case NumberPart() if part.unit == "share":
            return json.dumps(f"{float(value):.2%}")
        case NumberPart():
            return f"{float(value):.5g}"
        case _:
            return json.dumps(value)


def _throughput(numbers: Any, right: bool) -> str:
    moved = "2 * B * D + D * F + 2 * B * F" if right else "2 * B * D + D * F"
    machine = numbers.machine
    return (
        "    ops = 2 * B * D * F\n"
        f"    t_comms = ({moved}) / {machine.bandwidth:g}\n"
        f"    return ops / np.maximum(ops / {machine.bf16:g}, t_comms)"
    )


def _plot(numbers: Any, right: bool) -> str:
    label = '\nax.set_ylabel("throughput (FLOP/s)")' if right else ""
    return (
        f"\nbatches = np.arange(1, {numbers.most + 1})\n"
        f"for size in ({numbers.big}, {numbers.small}):\n"
        "    ax.plot(batches, throughput(batches, *size), label=str(size))\n"
        f'ax.set_xlabel("batch B (tokens)"){label}\nax.legend()\n'
    )
