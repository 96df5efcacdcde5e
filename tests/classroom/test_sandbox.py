"""Notebooks whose answers only a run can tell: what is recorded, and how a run ends."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import GIVEN, PARTS, SHORT, assert_the_rest_is_right, said, submission

import rooflib
from rooflib.classroom.confined import plain, recorder, sandbox
from rooflib.classroom.confined.sandbox import Request, Sandbox, confinable, request_for
from rooflib.classroom.literal import answers
from rooflib.practice import problems
from rooflib.practice.judge import judge
from rooflib.practice.question import FormulaPart

confined = pytest.mark.skipif(bool(confinable()), reason="nothing confines here")


@pytest.fixture(scope="module")
def box():
    with Sandbox(trust=True, limits=SHORT) as made:
        yield made


def run(box, *cells, **more):
    return box.run(Request(cells, GIVEN, PARTS, **more))


FORMS = [
    ("'B*D'", {"text": "B*D"}),
    ("...", {"blank": True}),
    ("None", {"blank": True}),
    ("'  '", {"blank": True}),
    ("120", {"number": "120"}),
    ("0.1 + 0.2", {"number": "0.30000000000000004"}),
    ("__import__('fractions').Fraction(3, 2)", {"number": "3/2"}),
    ("__import__('decimal').Decimal('2.5')", {"number": "2.5"}),
    ("__import__('numpy').float64(2.5)", {"number": "2.5"}),
    ("__import__('numpy').array(7)", {"number": "7"}),
    ("__import__('sympy').sympify('2*B*D')", {"formula": "2·B·D"}),
    ("__import__('sympy').sympify(3) / 2", {"number": "3/2"}),
    ("lambda B, D: 2 * B * D", {"formula": "2·B·D"}),
    ("lambda B, D, F: max(B * D, F)", {"formula": "max(B·D, F)"}),
    ("rl.matmul(*__import__('sympy').symbols('B D F')).ops", {"formula": "2·B·D·F"}),
    ("float('nan')", {"odd": "nan"}),
    ("float('-inf')", {"odd": "an infinite number"}),
    ("10 ** 5000", {"odd": "a number beyond anything that is asked"}),
    ("True", {"odd": "True or False"}),
    ("[1]", {"odd": "a collection"}),
    ("__import__('numpy').arange(3)", {"odd": "an array"}),
    ("'x' * 10_000", {"odd": "a very long text"}),
    ("object()", {"odd": "an object of type object"}),
    ("lambda B, D: 1 / 0", {"odd": "Your function, called with the letters B, D, F, did not return: ZeroDivisionError: division by zero."}),
    ("lambda B, D: 'B*D'", {"odd": "Your function returned a str; a formula of B, D, F is asked."}),
]  # fmt: skip


@confined
@pytest.mark.parametrize("code, form", FORMS)
def test_each_kind_of_answer_has_its_form(box, code, form):
    found = run(box, "import rooflib as rl", f"check('1a', read={code}, written='here')")
    assert found.answers["1a"] == {"read": form, "written": {"text": "here"}}, found.notes
    assert answers.valid(form) == form


CALLS = [
    ("check('1A ', read='x')", {"1a": {"read": {"text": "x"}}}),
    ("check('1a', reed='x')", {"1a": {"reed": {"text": "x"}}}),
    ("check('1b', 'x')", {"1b": {"": {"text": "x"}}}),
    ("check('1a', 'x', 'y')", {"1a": {"": {"odd": "several answers without the names of their parts"}}}),
    ("check('1a', ..., ...)", {}),
    ("check('1b', 'x', grader='raise')", {"1b": {"": {"text": "x"}}}),
    ("check('9z', 'x')", {}),
    ("check(3, 'x')", {}),
    ("check()", {}),
    ("check('1b', 'x'); check('1b', ...)", {"1b": {"": {"text": "x"}}}),
    ("check('1b', 'x'); check('1b', 'y')", {"1b": {"": {"text": "y"}}}),
    ("if check('1b', 'x').score < 1: check('1b', 'y')", {"1b": {"": {"text": "y"}}}),
    ("for x in 'ab': check('1a', **{'read': x})", {"1a": {"read": {"text": "b"}}}),
    ("import rooflib.practice as p; p.check('1b', 'x')", {"1b": {"": {"text": "x"}}}),
    ("from rooflib.practice.session import check as c; c('1b', 'x')", {"1b": {"": {"text": "x"}}}),
    ("from rooflib.classroom.desk import open_desk\n"
     "c, given, why = open_desk('COURSE', student='s001', deadline='never')\nc('1b', 'x')",
     {"1b": {"": {"text": "x"}}}),
    ("from rooflib.classroom import desk\ndesk.open_desk('COURSE').check('1b', 'x')", {"1b": {"": {"text": "x"}}}),
    ("hint('1a'); solution('1a'); progress(); check('1b', 'x')", {"1b": {"": {"text": "x"}}}),
    ("get_ipython().run_line_magic('matplotlib', 'inline'); display(3); check('1b', 'x')",
     {"1b": {"": {"text": "x"}}}),
    ("n = given('3').numbers; check('1b', n.machine.bf16 / n.machine.bandwidth)",
     {"1b": {"": {"number": repr(1.97e14 / 8.2e11)}}}),
    ("check('1b', given('3', student='x').numbers.big[1])", {"1b": {"": {"number": "4096"}}}),
    ("import rooflib as rl\n"
     "check('1b', rl.estimate(rl.matmul(1, 1, 1), given('3').numbers.machine.chip).bound)",
     {"1b": {"": {"text": "hbm"}}}),
    ("check('1b', given('77').numbers)", {"1b": {"": {"blank": True}}}),
    ("import matplotlib.pyplot as plt\nplt.plot([1, 2])\ncheck('3c', plot=plt.gcf())",
     {"3c": {"plot": {"odd": "a figure"}}}),
    ("check('3c', plot=lambda: 0); check('3a', throughput=print)", {
        "3c": {"plot": {"odd": "a function"}},
        "3a": {"throughput": {"returns": {"name": "print", "points": [[[1.0, 4096.0, 4096.0], {"odd": "NoneType"}]]}}}}),
]  # fmt: skip


@confined
@pytest.mark.parametrize("cell, found", CALLS)
def test_what_a_call_records(box, cell, found):
    answered = run(box, cell).answers
    if "3a" in answered:
        del answered["3a"]["throughput"]["returns"]["points"][1:]
    assert answered == found


@confined
def test_figures_end_with_their_cell_as_in_a_notebook(box):
    cells = (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2, 3, 4], [1, 2, 3, 4])",
        "check('3c', plot=plt.gca())",
    )
    assert run(box, *cells).answers["3c"]["plot"]["plot"]["lines"] == []


@confined
def test_free_text_and_stops_are_told(box):
    found = run(box, "why('1A', 'because')", "why('9z', 'no')", "1 / 0", "print(undefined)")
    assert found.whys == {"1a": "because"}
    assert found.ended == ""
    assert found.notes[:2] == (
        "cell 3 stopped with ZeroDivisionError: division by zero",
        "cell 4 stopped with NameError: name 'undefined' is not defined",
    )


EVERY = {name: problems.book(name) for name in problems.ORDER}
FORMULAS = [
    pytest.param(question, part, id=f"{question.id} {part.name}")
    for problem in EVERY.values()
    for question in problem.questions
    for part in question.parts
    if isinstance(part, FormulaPart)
]


@pytest.mark.parametrize("question, part", FORMULAS)
def test_a_formula_as_text_is_judged_as_the_formula_is(question, part):
    asked = request_for(EVERY)[1][question.id][part.name]
    for formula in (part.right, *part.also, *(wrong.value for wrong in part.wrongs)):
        wire = answers.valid(json.loads(json.dumps(recorder.wire(formula, asked))))
        (ours,) = (judge(question, {part.name: answers.value(wire, part)})[part.name],)
        theirs = judge(question, {part.name: formula})[part.name]
        assert (ours.outcome, ours.key, ours.score) == (theirs.outcome, theirs.key, theirs.score)


def test_a_request_says_what_is_asked_and_nothing_of_what_is_right():
    given, parts = request_for(EVERY)
    json.dumps([given, parts], allow_nan=False)
    assert set(given) == set(problems.ORDER)
    assert all(set(sent) == {"lines", "numbers"} for sent in given.values())
    said_of_parts = {key for asked in parts.values() for part in asked.values() for key in part}
    assert said_of_parts == {"kind", "letters", "points"}


def test_where_nothing_confines_nothing_is_run(monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox, "confinable", lambda: "no namespaces here")
    with Sandbox() as refuses:
        found = refuses.run(Request((f"open({str(tmp_path / 'x')!r}, 'w')",)))
    assert refuses.protection == ""
    assert (found.ended, found.protection) == ("not run", "")
    assert "no namespaces here" in found.notes[0]
    assert not list(tmp_path.iterdir())


@pytest.fixture
def trusted(monkeypatch):
    monkeypatch.setattr(sandbox, "confinable", lambda: "no namespaces here")
    limits = dataclasses.replace(SHORT, quiet=1.0, wall=25.0)
    with Sandbox(trust=True, limits=limits) as made:
        yield made


TRUSTED = [
    ("pass", ""),
    ("import os\nos._exit(0)", "exit"),
    ("while True: pass", "time"),
    ("import os, time\nos.fork() or os.execvp('sleep', ['sleep', '987'])\ntime.sleep(1e9)", "time"),
    ("x = bytearray(50 << 30)", ""),
]


@pytest.mark.parametrize("cell, ended", TRUSTED)
def test_trusted_code_runs_in_a_plain_process_and_ends(trusted, cell, ended, monkeypatch, tmp_path):
    monkeypatch.setattr(plain.tempfile, "tempdir", str(tmp_path))
    found = trusted.run(submission(cell))
    assert_the_rest_is_right(found)
    assert found.ended == ended
    assert "not confined" in found.protection
    assert not list(tmp_path.iterdir())
    if os.path.isdir("/proc"):
        lines = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
        assert b"sleep\x00987\x00" not in lines


@confined
def test_protection_says_what_there_is(box):
    assert "namespaces" in box.protection
    assert "not confined" not in box.protection
    assert run(box, "pass").protection == box.protection


UNPRIVILEGED = """
import ctypes, os, sys
from pathlib import Path
sys.path.append({place!r})
from rooflib.classroom.confined import namespaces
# As root, Python may be installed where nobody else may go: show it where it is.
namespaces.unshare(namespaces.NEW_MOUNT)
paths = [Path(p) for p in (sys.prefix, sys.base_prefix, {place!r})]
trees = [(p, namespaces._tree(p)) for p in namespaces._outermost(paths)]
libc = ctypes.CDLL(None, use_errno=True)
libc.mount(b"none", b"/", None, ctypes.c_ulong(0x4000 | 1 << 18), None)
for top in {{Path("/", p.parts[1]) for p, _ in trees if p.parts[1] not in ("usr", "tmp")}}:
    namespaces._mount("tmpfs", str(top), 0, "mode=755")
for path, tree in trees:
    path.mkdir(parents=True, exist_ok=True)
    namespaces._syscall("move", 429, tree, b"", -100, str(path).encode(), 4)
os.setgroups([])
os.setresgid(12345, 12345, 12345)
os.setresuid(12345, 12345, 12345)
os.environ["HOME"] = "/nowhere"
os.execv(sys.executable, [sys.executable, "-c", {inner!r}])
"""
INNER = """
import os, sys
sys.path[:0] = [{place!r}, {tests!r}]
from hostile import *
from rooflib.classroom.confined.sandbox import Sandbox, confinable
assert os.getuid() == 12345
assert confinable() == "", confinable()
with Sandbox(limits=SHORT) as box:
    run = box.run(submission("import os\\ncheck('1a', read=repr([os.getuid(), os.getcwd()]))"))
assert_the_rest_is_right(run)
print(said(run))
"""


@confined
@pytest.mark.skipif(os.geteuid() != 0, reason="the other tests are unprivileged already")
def test_an_unprivileged_teacher_is_protected_as_well():
    place = str(Path(rooflib.__file__).parent.parent)
    inner = INNER.format(place=place, tests=str(Path(__file__).parent))
    script = UNPRIVILEGED.format(place=place, inner=inner)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.strip() == "[1000, '/room']", done.stderr


def test_the_helpers_of_these_tests_see_what_a_cell_says(box):
    assert said(run(box, "check('1a', read='found')")) == "found"
