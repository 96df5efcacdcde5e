"""The teacher's commands: assign, key, grade, sample-class. Thin: they read, call and print."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from rooflib import whole
from rooflib.i18n import _

ROSTER = "roster.csv"


class Slip(ValueError):
    """Something that the teacher can mend; the text says what and how."""


def add(commands: Any) -> None:
    """Describe the commands to argparse."""
    assign = commands.add_parser("assign", help=_("make a class's notebooks"))
    assign.add_argument("--roster", type=Path, required=True, metavar="CSV")
    assign.add_argument("--course", metavar="NAME", help=_("its name; the numbers hang on it"))
    assign.add_argument("--problems", nargs="+", metavar="N", help=_("such as 1 2 3"))
    assign.add_argument(
        "--variants",
        metavar="KIND",
        help=_("student: other numbers for each; class: one set; book: the book's"),
    )
    assign.add_argument(
        "--graded", action="store_true", help=_("no right or wrong before the deadline")
    )
    assign.add_argument("--deadline", metavar="TIME", help=_("such as 2027-01-15T23:59:00+01:00"))
    assign.add_argument("--print", action="store_true", help=_("worksheets for paper as well"))
    assign.add_argument("-o", "--out", type=Path, default=Path("handout"), metavar="FOLDER")

    key = commands.add_parser("key", help=_("one student's answers, and the slips to expect"))
    key.add_argument("--student", metavar="ID", required=True)
    key.add_argument("--print", type=Path, metavar="FILE", help=_("as a page for paper"))
    _handout(key)

    grade = commands.add_parser("grade", help=_("grade what came back"))
    grade.add_argument("paths", nargs="+", type=Path, metavar="PATH", help=_("folders and zips"))
    grade.add_argument("-o", "--out", type=Path, default=Path("grades"), metavar="FOLDER")
    _handout(grade)
    grade.add_argument(
        "--accept",
        nargs=2,
        action="append",
        default=[],
        metavar=("ID", "ANSWER"),
        help=_("count this as right for everybody: --accept 2c.batch 121"),
    )
    grade.add_argument(
        "--drop",
        action="append",
        default=[],
        metavar="ID",
        help=_("a question that counts for nobody"),
    )
    grade.add_argument(
        "--release-solutions", action="store_true", help=_("put the key on the feedback pages")
    )
    grade.add_argument(
        "--trust", action="store_true", help=_("run students' code where nothing can confine it")
    )
    grade.add_argument(
        "--jobs", type=_count, metavar="N", help=_("processes (default: one a core)")
    )
    grade.add_argument("--dask", metavar="ADDRESS", help=_("a Dask scheduler to work on"))
    grade.add_argument("--quiet", action="store_true", help=_("print nothing but problems"))
    grade.add_argument("--json", action="store_true", help=_("print how it went as JSON"))

    sample = commands.add_parser("sample-class", help=_("a made-up class of twelve to practise on"))
    sample.add_argument("-o", "--out", type=Path, default=Path("sample"), metavar="FOLDER")


def _handout(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--handout",
        type=Path,
        default=Path("handout"),
        metavar="FOLDER",
        help=_("what `rooflib assign` made (default: handout)"),
    )


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 1024:
        raise argparse.ArgumentTypeError(
            _("a number of processes is a whole number from 1 to 1024; got {text!r}").format(
                text=text
            )
        )
    return int(text)


def run(given: argparse.Namespace) -> int:
    """Run one of the commands; returns its exit code.

    Raises Slip for what the teacher can mend.
    """
    from rooflib.classroom.assignment import AssignmentError
    from rooflib.classroom.intake.roster import RosterError
    from rooflib.classroom.pool import PoolError

    try:
        return _RUN[given.command](given)
    except (AssignmentError, RosterError, PoolError, whole.CannotWrite) as error:
        raise Slip(str(error)) from error


# assign


def _assign(given: argparse.Namespace) -> int:
    from rooflib.classroom import assignment as assignments
    from rooflib.classroom import handout
    from rooflib.classroom.intake import roster
    from rooflib.classroom.results import worksheet
    from rooflib.classroom.results.files import file_name

    members = roster.load(given.roster)
    out: Path = given.out
    settings = out / assignments.NAME
    assignment = _settings(given, settings)
    out.mkdir(parents=True, exist_ok=True)
    if not settings.exists():
        whole.write(settings, assignments.written(assignment))
    if given.roster.resolve() != (out / ROSTER).resolve():
        whole.write(out / ROSTER, given.roster.read_bytes())
    if members.note:
        print(members.note, file=sys.stderr)
    written = same = 0
    ids = [student.id for student in members.students]
    for path, text in handout.pages(assignment, ids):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        changed = whole.write(out / path, text, durable=False)
        written, same = written + changed, same + (not changed)
    if given.print:
        each = ids if assignment.variants == assignments.STUDENT else [""]
        names = {student.id: student.name for student in members.students}
        for student in each:
            problems = [assignment.problem(n, student) for n in assignment.problems]
            page = worksheet.worksheet(
                problems,
                assignment.course,
                student,
                name=names.get(student, ""),
                whys=assignment.why,
            )
            folder = file_name(student) if student else "everyone"
            whole.write(out / folder / "worksheet.html", page, durable=False)
    line = _("{written} notebooks written, {same} were up to date; settings in {settings}")
    print(line.format(written=written, same=same, settings=settings))
    return 0


def _settings(given: argparse.Namespace, settings: Path) -> Any:
    """The assignment: what the file says where there is one, else what the options say."""
    from rooflib.classroom import assignment as assignments

    asked = {
        "--course": given.course,
        "--problems": given.problems,
        "--variants": given.variants,
        "--graded": given.graded or None,
        "--deadline": given.deadline,
    }
    if settings.exists():
        told = [name for name, value in asked.items() if value is not None]
        if told:
            raise Slip(
                _(
                    "{settings} is there already, and it is what counts; change it there and leave "
                    "out {options}, or give another folder with -o"
                ).format(settings=settings, options=", ".join(told))
            )
        return assignments.load(settings)
    missing = [name for name in ("--course", "--problems") if not asked[name]]
    if missing:
        raise Slip(
            _("a new assignment needs {options} (there is no {settings} yet)").format(
                options=_(" and ").join(missing), settings=settings
            )
        )
    return assignments.Assignment(
        course=given.course,
        problems=tuple(given.problems),
        variants=given.variants or assignments.STUDENT,
        graded=given.graded,
        deadline=_moment(given.deadline),
    )


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        example = "2027-01-15T23:59:00+01:00"
        why = _("--deadline is a date and time such as {example}; got {text!r}")
        raise Slip(why.format(example=example, text=text)) from None


# key


def _key(given: argparse.Namespace) -> int:
    from rooflib.classroom.results import answer_key
    from rooflib.names import unknown

    assignment, members = _class(given.handout)
    student = members.get(given.student)
    if student is None:
        raise Slip(unknown("student", given.student, [s.id for s in members.students]))
    problems = [assignment.problem(n, student.id) for n in assignment.problems]
    if given.print:
        whole.write(
            given.print,
            answer_key.key(problems, assignment.course, student.name, student=student.id),
        )
        print(_("wrote {file}").format(file=given.print))
    else:
        print(answer_key.key_text(problems, assignment.course, student.name))
    return 0


def _class(handout: Path) -> tuple[Any, Any]:
    from rooflib.classroom import assignment as assignments
    from rooflib.classroom.intake import roster

    if not (handout / assignments.NAME).exists():
        raise Slip(
            _(
                "{folder} has no {file}; give the folder that `rooflib assign` made with --handout"
            ).format(folder=handout, file=assignments.NAME)
        )
    return assignments.load(handout / assignments.NAME), roster.load(handout / ROSTER)


# grade


def _grade(given: argparse.Namespace) -> int:
    from rooflib.classroom import decisions, pool
    from rooflib.classroom.grade import Job, grade
    from rooflib.classroom.results import folder as results

    assignment, members = _class(given.handout)
    for path in given.paths:
        if not path.exists():
            raise Slip(_("there is nothing at {path}").format(path=path))
    given.out.mkdir(parents=True, exist_ok=True)
    decided = decisions.load(given.out / decisions.NAME, assignment)
    for name, answer in given.accept:
        decided = decisions.decided(decided, decisions.ACCEPT, name, answer, assignment)
    for name in given.drop:
        decided = decisions.decided(decided, decisions.DROP, name, "", assignment)
    if given.accept or given.drop:
        decisions.save(given.out / decisions.NAME, decided)
    job = Job(
        given.paths, given.out, assignment, members, decided, given.trust, given.release_solutions
    )
    with ExitStack() as stack:
        workers = stack.enter_context(
            pool.cluster(given.dask) if given.dask else pool.processes(given.jobs)
        )
        quiet = given.quiet or given.json
        try:
            summary = grade(job, workers, _progress if not quiet else _silent)
        except KeyboardInterrupt:
            text = _("interrupted; the same command goes on where this one stopped")
            print(text, file=sys.stderr)
            raise
    if given.json:
        print(json.dumps(asdict(summary), indent=1, ensure_ascii=False))
    elif not given.quiet:
        print(
            _("{handed_in} of {students} handed in; {marked} judged, {kept} as before").format(
                **asdict(summary)
            )
        )
        print(_("{look} need a look: see {report}").format(
            look=summary.look, report=given.out / results.REPORT
        ))  # fmt: skip
    if summary.troubles:
        line = _("{n} files or rows could not be used: see {file}")
        file = given.out / results.PROBLEMS
        print(line.format(n=len(summary.troubles), file=file), file=sys.stderr)
    return 1 if summary.troubles else 0


def _silent(work: Iterable[Any], _what: str, _total: int | None) -> Iterable[Any]:
    return work


def _progress(work: Iterable[Any], what: str, total: int | None) -> Iterator[Any]:
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:  # only the bar is missing
        return iter(work)
    return iter(tqdm(work, desc=what, total=total, unit="", leave=False, disable=None))


# sample-class


def _sample(given: argparse.Namespace) -> int:
    from rooflib.classroom import sample

    if given.out.exists() and any(given.out.iterdir()):
        raise Slip(_("{folder} is not empty; give another with -o").format(folder=given.out))
    for line in sample.write(given.out):
        print(line)
    return 0


_RUN = {"assign": _assign, "key": _key, "grade": _grade, "sample-class": _sample}
NAMES = tuple(_RUN)
