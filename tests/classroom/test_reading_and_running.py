"""What is read without a run is what a run records: random small pages, read and run."""

import ast
from collections.abc import Mapping

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from rooflib.classroom.literal import answers as wire
from rooflib.classroom.literal.cells import Cell, Page
from rooflib.classroom.literal.reading import read

NAMES = st.sampled_from(["a", "b", "c", "c", "b"])
VALUES = st.one_of(
    st.sampled_from(
        ["1", "-2", "0.5", "'B'", "'B' * 2", "7 // 2", "...", "(1, 2)", "True", "0", "[]"]
    ),
    NAMES,
    st.builds("{} + {}".format, NAMES, st.sampled_from(["1", "'D'", "b"])),
    st.builds("f'{{{}}}*F'".format, NAMES),
    st.builds("({} if {} else {})".format, NAMES, NAMES, st.sampled_from(["1", "'F'"])),
    st.sampled_from(["max(1, 3)", "f()", "g()", "len('ab')", "d['x']", "abs(a)"]),
)
PARTS = st.sampled_from(["", "read=", "written="])
CHECKS = st.builds("check('{}', {}{})".format, st.sampled_from(["1a", "1b", "1C"]), PARTS, VALUES)
EXPRESSIONS = st.one_of(
    CHECKS,
    st.builds("print({})".format, CHECKS),
    st.builds("{} and {}".format, VALUES, CHECKS),
    st.builds("{} or {}".format, VALUES, CHECKS),
    st.builds("{} if {} else {}".format, CHECKS, VALUES, CHECKS),
    st.builds("[{} for a in {}]".format, CHECKS, st.sampled_from(["()", "[1]", "(1, 2)", "d"])),
    st.builds("(lambda: {})".format, CHECKS),
    st.builds("(lambda: {})()".format, CHECKS),
    st.builds("check('1a', **{{'read': {}}})".format, VALUES),
    st.builds("check(*('1b', {}))".format, VALUES),
    st.builds("(b := {})".format, VALUES),
    st.sampled_from(
        ["f()", "g()", "d.update(x='F')", "check('1b', **d)", "exit()", "h(check)", "c"]
    ),
)
SIMPLE = st.one_of(
    EXPRESSIONS,
    st.builds("{} = {}".format, st.sampled_from(["a", "x", "y", "z"]), VALUES),
    st.builds("{}, {} = {}, 3".format, NAMES, NAMES, VALUES),
    st.builds("{} += 1".format, NAMES),
    st.builds("d = {{'x': {}}}".format, VALUES),
    st.builds("assert {}".format, VALUES),
    st.sampled_from(
        ["raise ValueError", "pass", "k = check", "k('1b', 'K')", "del a", "import math as c"]
    ),
)


def _block(head: str, body: list[str]) -> str:
    return head + ":\n" + "\n".join("    " + line for one in body for line in one.splitlines())


HEADS = st.one_of(
    st.sampled_from(["def f()", "def g()", "class A", "try", "for a in ()", "for b in [1, 2]"]),
    st.sampled_from(["while 0", "with nothing", "if True", "if False"]),
    st.builds("if {}".format, VALUES),
)
STATEMENTS = st.recursive(
    SIMPLE,
    lambda inner: st.builds(_block, HEADS, st.lists(inner, min_size=1, max_size=3)).map(
        lambda text: text + "\nfinally: pass" if text.startswith("try") else text
    ),
    max_leaves=4,
)
CELLS = st.lists(STATEMENTS, min_size=1, max_size=4).map("\n".join)


class Nothing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return True


def _exit() -> None:
    raise SystemExit


def run(cells: list[str]) -> tuple[dict[str, dict[str, wire.Wire]], set[str]]:
    """The answers that the cells give when run, and the kinds of error they came upon."""
    recorded: dict[str, dict[str, wire.Wire]] = {}
    errors: set[str] = set()

    def check(question: str, *alone: object, **parts: object) -> None:
        held = recorded.setdefault(question.lower(), {})
        for part, value in {**({"": alone[0]} if alone else {}), **parts}.items():
            answer = wire.wire(value)
            if part not in held or not wire.is_blank(answer):
                held.pop(part, None)
                held[part] = answer

    space = {
        "check": check, "exit": _exit, "nothing": Nothing(), "print": lambda *_: None,
        "f": lambda: 5, "g": lambda: "G", "h": lambda _: None,
    }  # fmt: skip
    for cell in cells:
        try:
            for node in ast.parse(cell).body:
                exec(compile(ast.Module([node], []), "<cell>", "exec"), space)
        except (Exception, SystemExit) as error:
            errors.add(type(error).__name__)
    return recorded, errors


def plain(answers: Mapping[str, Mapping[str, wire.Wire]]) -> dict[str, list[tuple[str, str]]]:
    """Those that are not blank, as text, order and all."""
    return {
        question: [(p, repr(a)) for p, a in held.items() if not wire.is_blank(a)]
        for question, held in answers.items()
        if not all(map(wire.is_blank, held.values()))
    }


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@settings(max_examples=400)
@given(st.lists(CELLS, min_size=1, max_size=3))
def test_what_is_read_is_what_a_run_records(cells):
    cells = ["a = 2", "b = a * 3\nc = 'B'", *cells]
    reading = read(Page(tuple(Cell(source) for source in cells)))
    recorded, errors = run(cells)
    # An error that no one can foresee ends its cell, and what stands below it is read all the same.
    if not reading.needs_run and errors <= {"ValueError", "SystemExit", "AssertionError"}:
        event("compared")
        assert plain(reading.answers) == plain(recorded)
