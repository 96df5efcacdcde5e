"""Hostile cells in an otherwise right submission: they gain nothing, and the rest still counts."""

import os
import socket
import time
from pathlib import Path

import pytest
from hostile import SHORT, assert_the_rest_is_right, said, submission

import rooflib
from rooflib.classroom.confined.sandbox import Limits, Sandbox, confinable

pytestmark = pytest.mark.skipif(bool(confinable()), reason=confinable() or "confined here")

PACKAGE = Path(rooflib.__file__).parent
# Longer than any limit lets a submission be, plus what a busy machine takes.
BOUND = 30.0


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(limits=SHORT) as made:
        yield made


def attacked(sandbox, *cells):
    began = time.monotonic()
    run = sandbox.run(submission(*cells))
    assert time.monotonic() - began < BOUND
    assert_the_rest_is_right(run)
    return run


EQUAL = """
class Equal:
    __class__ = property(lambda self: float)
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0
    __bool__ = __lt__ = __gt__ = lambda self, *other: True
    __float__ = lambda self: 137.0
    __str__ = __repr__ = lambda self: "B*D"
    __add__ = __radd__ = __mul__ = __rmul__ = lambda self, other: self
    __reduce__ = lambda self: (eval, ("1/0",))
check("1a", read=Equal(), written=[Equal()])
"""

QUIET = [
    ("transformers", """
import ast
class Turn(ast.NodeTransformer):
    def visit_Call(self, node):
        return ast.Constant("hijacked")
get_ipython().ast_transformers.append(Turn())
get_ipython().run_cell("1/0")
"""),
    ("check is another", "check = given = lambda *a, **k: 1/0"),
    ("rooflib is another", """
import sys, rooflib, rooflib.practice
rooflib.practice.check = rooflib.estimate = None
sys.modules["rooflib"] = sys.modules["rooflib.practice"] = None
"""),
    ("no modules at all", "import sys\nsys.modules.clear()"),
    ("json", "import json\njson.dumps = json.JSONEncoder.encode = json.encoder.JSONEncoder = None"),
    ("builtins", """
import builtins
for name in ("len", "isinstance", "type", "str", "open", "exec", "compile", "dict", "callable"):
    setattr(builtins, name, lambda *a, **k: 1/0)
"""),
    ("no builtins", "import builtins\nvars(builtins).clear()"),
    ("os", "import os\nfor name in list(vars(os)):\n    setattr(os, name, None)"),
    ("recursion limit", "import sys\nsys.setrecursionlimit(40)"),
    ("excepthook", "import sys\nsys.excepthook = sys.stdout = sys.stderr = None\n1/0"),
    ("sys.exit", "import sys\nsys.exit(3)"),
    ("exit()", "exit()"),
    ("raise", "raise BaseException('no')"),
    ("an error that cannot be shown", """
class Bad(Exception):
    def __str__(self):
        raise SystemExit
raise Bad
"""),
    ("syntax", "def f(:"),
    ("null bytes", "a = 1\\0"),
    ("deep", "x = " + "(" * 5000 + ")" * 5000),
    ("recursion", "def f():\n    return f() + 1\nf()"),
    ("threads", """
import threading, time
for _ in range(1000):
    threading.Thread(target=time.sleep, args=(1000,)).start()
"""),
]  # fmt: skip


@pytest.mark.parametrize("cell", [pytest.param(cell, id=name) for name, cell in QUIET])
def test_a_cell_loses_only_itself(sandbox, cell):
    assert attacked(sandbox, cell).ended == ""


def test_an_object_that_equals_everything_is_odd(sandbox):
    run = attacked(sandbox, EQUAL)
    assert run.answers["1a"] == {
        "read": {"odd": "an object of type Equal"},
        "written": {"odd": "a collection"},
    }


# name, cell, how it ends
ENDING = [
    ("trace", "import sys\nsys.settrace(lambda *a: 1/0)\nsys.setprofile(lambda *a: 1/0)", "exit"),
    ("os._exit", "import os\nos._exit(0)", "exit"),
    ("forged end", "import os\nos.write(3, b'{\"end\": true}\\n')\nos._exit(0)", "exit"),
    ("closed pipe", "import os\nos.closerange(0, 100)\nwhile True: pass", "exit"),
    ("pipe to nowhere", "import os\nos.dup2(os.open('x', os.O_CREAT | os.O_WRONLY), 3)", "exit"),
    ("pipe closed at once", "import os\nos.close(3)\nos._exit(0)", "exit"),
    ("abort", "import os\nos.abort()", "killed"),
    ("segfault", "import ctypes\nctypes.string_at(0)", "killed"),
    ("loop", "while True:\n    try:\n        while True: pass\n    except BaseException: pass", "time"),
    ("sleep", "import time\ntime.sleep(1000)", "time"),
    ("stack", "import sys\nsys.setrecursionlimit(10**9)\ndef f():\n    f()\nf()", "killed or time or nothing"),
    ("talk", """
for n in range(10**6):
    check("1a", read="x" * 1500)
""", "output"),
]  # fmt: skip


@pytest.mark.parametrize("cell, ended", [pytest.param(c, e, id=n) for n, c, e in ENDING])
def test_a_cell_that_ends_the_process_loses_only_itself(sandbox, cell, ended):
    run = attacked(sandbox, cell)
    assert (run.ended or "nothing") in ended
    assert any("cell 4" in note for note in run.notes)


def test_answers_before_the_end_of_the_same_cell_count(sandbox):
    run = attacked(sandbox, 'import os\ncheck("1a", read="B*D")\nos._exit(1)')
    assert said(run) == "B*D"


# What a cell can find out or do: it lists it, and the list must be this.
FINDINGS = [
    ("right answers in memory", """
import gc, sys
names = {"Problem", "Question", "NumberPart", "ChoicePart", "FunctionPart", "PlotPart", "Wrong"}
seen = {type(o).__name__ for o in gc.get_objects()} & names
gc.unfreeze()
seen |= {type(o).__name__ for o in gc.get_objects()} & names
frame = sys._getframe()
while frame:
    found = [*frame.f_locals.values(), *frame.f_globals.values()]
    seen |= {type(o).__name__ for o in found} & names
    frame = frame.f_back
found = sorted(seen)
""", []),
    ("imports of the key", """
import importlib, sys
found = []
for name in ["rooflib.practice.problems", "rooflib.practice.problems.p3", "rooflib.practice.deal",
             "rooflib.practice.judge", "rooflib.classroom.mark", "rooflib.classroom.literal.answers"]:
    try:
        found.append(importlib.import_module(name).__name__)
    except ImportError:
        pass
found += [name for name in sys.modules if "problems" in name and "rooflib" in name]
""", []),
    ("files of the key", """
import os
package = os.path.dirname(rl.__file__)
found = os.listdir(package + "/practice/problems") + os.listdir(package + "/classroom")
for folder in ("solutions", "exercises", "notebooks", "tests", ".git"):
    if os.path.exists(os.path.join(package, "..", folder)):
        found.append(folder)
""", []),
    ("processes", """
import os
found = [name for name in ("/proc", "/sys", "/dev/shm", "/dev/mem") if os.path.exists(name)]
""", []),
    ("folders to write in", """
import os
found = []
for folder, inner, _ in os.walk("/"):
    if folder.count("/") > 3:
        inner.clear()
    try:
        with open(os.path.join(folder, "x"), "w"):
            found.append(folder)
    except OSError:
        pass
""", ["/room"]),
    ("powers", """
import ctypes, os, signal
libc = ctypes.CDLL(None, use_errno=True)
tries = {
    "user namespace": lambda: libc.unshare(0x10000000),
    "mount namespace": lambda: libc.unshare(0x20000),
    "network namespace": lambda: libc.unshare(0x40000000),
    "mount": lambda: libc.mount(b"none", b"/room", b"tmpfs", 0, b""),
    "unmount": lambda: libc.umount2(b"/room", 2),
    "remount": lambda: libc.mount(None, b"/usr", None, 0x1020, None),
    "chroot": lambda: libc.chroot(b"/room"),
    "setuid": lambda: libc.setuid(0),
    "setgid": lambda: libc.setgid(0),
    "trace": lambda: libc.ptrace(16, 2, 0, 0),
    "host name": lambda: libc.sethostname(b"x", 1),
    "device": lambda: libc.mknod(b"/room/d", 0o20666, 0x103),
    "shared memory": lambda: min(0, libc.shmget(0, 1 << 20, 0o1600)),
    "more time": lambda: libc.setrlimit(0, (ctypes.c_ulong * 2)(999, 999)),
}
found = [name for name, call in tries.items() if call() == 0]
""", []),
    ("other processes", """
import os, signal
found = []
for pid in [0] + list(range(2, 5000)):
    try:
        os.kill(pid, 0)
        found.append(pid)
    except OSError:
        pass
""", [0]),
    ("signals", """
import os, signal
found = []
for send in (lambda: os.kill(os.getppid(), 9), lambda: os.kill(-1, 9), lambda: os.kill(1, 9)):
    try:
        send()
    except OSError:
        pass
""", []),
    ("memory", """
found = []
for size in (50 << 30, 300 << 20):
    try:
        found.append(len(bytearray(size)))
    except MemoryError:
        pass
""", []),
    ("disk", """
import os
size = 0
try:
    with open("big", "wb") as file:
        while size < 10 << 30:
            size += file.write(bytes(1 << 20))
except OSError:
    pass
found = [size <= 16 << 20]
files = 0
try:
    while files < 100_000:
        with open(f"f{files}", "w") as file:
            files += 1
except OSError:
    pass
found.append(files <= 1000)
""", [True, True]),
    ("output", """
import os, sys
for _ in range(50):
    print("x" * (1 << 20))
    os.write(1, b"y" * (1 << 20))
    sys.__stderr__.write("z")
found = ["went nowhere"]
""", ["went nowhere"]),
    ("fork", """
import os, subprocess
found = []
for start in (os.fork, lambda: subprocess.run(["/bin/true"])):
    try:
        if start() == 0:
            os._exit(0)
        found.append("forked")
    except OSError:
        pass
""", []),
    ("the empty folder", "import os\nfound = [os.getcwd(), *os.listdir('.')]", ["/room"]),
    ("the environment", """
import os
found = sorted(set(os.environ) - {"LANG", "LC_CTYPE"})
""", ["HOME", "MPLBACKEND", "MPLCONFIGDIR", "PATH"]),
]  # fmt: skip


@pytest.mark.parametrize("cell, findings", [pytest.param(c, f, id=n) for n, c, f in FINDINGS])
def test_what_a_cell_can_find_out(sandbox, cell, findings):
    run = attacked(sandbox, cell + '\ncheck("1a", read="found " + repr(found))')
    assert said(run) == f"found {findings!r}", run.notes


def test_files_of_the_teacher_and_of_others_are_not_there(sandbox, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "in the environment")
    paths = [tmp_path / "key.csv", tmp_path / "grades" / "grades.csv", Path.cwd() / "README.md"]
    for path in paths[:2]:
        path.parent.mkdir(exist_ok=True)
        path.write_text("137")
    cell = f"""
import os
found = []
for path in {[str(p) for p in paths]!r}:
    for mode in ("r", "a", "w", "x"):
        try:
            with open(path, mode) as file:
                found.append(path)
        except OSError:
            pass
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink("/", os.path.dirname(path) + "/l")
        found.append("made")
    except OSError:
        pass
found.append(os.environ.get("SECRET"))
check("1a", read=repr(found))
"""
    assert said(attacked(sandbox, cell)) == "[None]"
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["grades", "grades.csv", "key.csv"]
    assert all(path.read_text() == "137" for path in paths[:2])


def test_the_network_is_not_there_not_even_this_machine(sandbox):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind("\0rooflib-test")
        local.listen()
        cell = f"""
import socket
found = []
for family, address in (
    (socket.AF_INET, ("127.0.0.1", {server.getsockname()[1]})),
    (socket.AF_INET, ("192.0.2.1", 80)),
    (socket.AF_UNIX, "\\0rooflib-test"),
):
    try:
        with socket.socket(family) as s:
            s.settimeout(1)
            s.connect(address)
            found.append(address)
    except OSError:
        pass
check("1a", read=repr(found))
"""
        assert said(attacked(sandbox, cell)) == "[]"


def test_forged_lines_can_only_say_answers(sandbox):
    cell = r"""
import os, json
lines = [
    b"rubbish \xff\x00", b"[" * 100_000, b"x" * 300_000, b"{}", b"[]", b"null", b"1e999",
    b'{"cell": 10000000}', b'{"cell": -1}', b'{"cell": true}', b'{"answer": 3}',
    b'{"answer": ["9z", "read", {"text": "x"}]}',
    b'{"answer": ["1b", "bytes", {"score": 1}]}',
    b'{"answer": ["1b", "bytes", {"returns": {"points": "all"}}]}',
    b'{"answer": ["1b", "bytes", {"plot": {"lines": []}}]}',
    b'{"answer": ["1b", "bytes", {"pickle": "gASVCg=="}]}',
    b'{"grades": {"1a": 100}}', b'{"why": ["1a", "\\ud800"]}', b'{"why": ["1a", "\xed\xa0\x80"]}', b'{"raised": [4, "fine"], "score": 1}',
    b'{"answer": ["1a", "read", {"text": "as anybody may answer"}]}',
]
for fd in range(100):
    for line in lines:
        try:
            os.write(fd, line + b"\n")
        except OSError:
            break
"""
    run = attacked(sandbox, cell)
    assert said(run) == "as anybody may answer"
    assert set(run.answers) == {"1a", "3a", "3b", "3d"}
    assert any("too long" in note for note in run.notes)
    assert any("9z" in note for note in run.notes)


def test_a_pickle_is_never_opened(sandbox, tmp_path):
    cell = f"""
class Bomb:
    def __reduce__(self):
        import os
        return os.system, ("touch {tmp_path}/opened",)
    __getstate__ = __reduce_ex__ = __reduce__
check("1a", read=Bomb(), written=Bomb)
"""
    run = attacked(sandbox, cell)
    assert run.answers["1a"]["read"] == {"odd": "an object of type Bomb"}
    assert not list(tmp_path.iterdir())


def descendants():
    """The processes that descend from this one, by id."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat[1])
    mine = {os.getpid()}
    while more := {p for p, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return mine - {os.getpid()}


BOMB = """
import os, time
while True:
    try:
        if os.fork() == 0:
            os.setsid()
    except OSError:
        time.sleep(0.01)
"""
DAEMON = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                try:
                    os.write(3, b'{"answer": ["1a", "read", {"text": "from the daemon"}]}\\n')
                except OSError:
                    pass
                time.sleep(0.01)
        os._exit(0)
"""


@pytest.mark.parametrize("cell", [BOMB, DAEMON], ids=["fork bomb", "daemon"])
def test_what_a_cell_leaves_behind_dies_with_it(cell):
    limits = Limits(cpu=2, wall=8.0, quiet=2.0, memory=256 << 20, processes=10)
    with Sandbox(limits=limits) as sandbox:
        sandbox.run(submission())
        before = descendants()
        run = attacked(sandbox, cell)
        assert descendants() == before
        assert said(sandbox.run(submission())) is None
    assert run.ended in ("", "time", "output")


def test_the_zygote_s_death_is_noticed_and_mended(sandbox):
    sandbox.run(submission())
    zygote = sandbox._zygote._process.pid
    inner = Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split()
    os.kill(int(inner[0]), 9)
    assert sandbox.run(submission()).ended == "killed"
    assert_the_rest_is_right(sandbox.run(submission()))


def test_nothing_is_left_when_it_is_closed(tmp_path):
    mounts = Path("/proc/self/mounts").read_text()
    before = descendants()
    with Sandbox(limits=SHORT) as sandbox:
        sandbox.run(submission())
        assert len(descendants()) > len(before)
    assert descendants() <= before
    assert Path("/proc/self/mounts").read_text() == mounts
