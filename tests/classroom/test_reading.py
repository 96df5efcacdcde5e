"""What is read of a notebook's code without running it, as a table of what students write."""

import json
import random
import re
import time
from pathlib import Path

import nbformat
import pytest
from damage import KINDS, damaged
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflib.classroom.literal import answers as wire
from rooflib.classroom.literal.cells import Cell, NotANotebook, Page, page
from rooflib.classroom.literal.reading import Reading, read, readable
from rooflib.practice import problems
from rooflib.practice.judge import judge
from rooflib.practice.question import FunctionPart, PlotPart

ROOT = Path(__file__).parents[2]
BOOK = ["1", "2", "3", "4", "5"]
IMPORT = "from rooflib.practice import check"
BLANK = {"blank": True}


def of(*cells: str) -> Reading:
    return read(Page(tuple(Cell(source) for source in cells)))


def text(answer: str) -> dict[str, str]:
    return {"text": answer}


# Cells, and the answers that must be read; all of it without a run.
READ = {
    "as handed out": (['check("1a", read=..., written=...)'], {"1a": {"read": BLANK, "written": BLANK}}),
    "answered": (['check("1a", read="B*D", written="B*F")'], {"1a": {"read": text("B*D"), "written": text("B*F")}}),
    "None and empty text are blank": (['check("1a", read=None, written="  ")'], {"1a": {"read": BLANK, "written": BLANK}}),
    "without the part's name": (['check("1b", "2*B")'], {"1b": {"": text("2*B")}}),
    "blank without the part's name": (['check("1b", ...)'], {"1b": {"": BLANK}}),
    "two without names": (['check("1b", 1,000)'], {"1b": {"": {"odd": "2 answers without their parts' names"}}}),
    "two blanks without names": (['check("1a", ..., ...)'], {"1a": {"": BLANK}}),
    "nothing given": (['check("1a")'], {"1a": {}}),
    "the question by name": (['check(question="1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "the question in other letters": (['check(" 1A ", read="2")'], {"1a": {"read": text("2")}}),
    "an unknown question is kept": (['check("9z", read="2")'], {"9z": {"read": text("2")}}),
    "an unknown part is kept": (['check("1a", raed="2")'], {"1a": {"raed": text("2")}}),
    "a grader's mode is no part": (['check("1a", read="2", grader="raise")'], {"1a": {"read": text("2")}}),
    # Numbers and texts
    "int": (['check("1b", ops=120)'], {"1b": {"ops": {"number": "120"}}}),
    "negative": (['check("1b", ops=-1.5)'], {"1b": {"ops": {"number": "-1.5"}}}),
    "underscores": (['check("1b", ops=8_192)'], {"1b": {"ops": {"number": "8192"}}}),
    "exponent": (['check("1b", ops=1.97e14)'], {"1b": {"ops": {"number": "197000000000000.0"}}}),
    "arithmetic": (['check("1b", ops=2**20 // 3 + (7 - 1) / 2)'], {"1b": {"ops": {"number": "349528.0"}}}),
    "a shift": (['check("1b", ops=1 << 12)'], {"1b": {"ops": {"number": "4096"}}}),
    "min and max": (['check("1b", ops=max(3, 1, min(4, 2)))'], {"1b": {"ops": {"number": "3"}}}),
    "round": (['check("1b", ops=round(295.37, 1))'], {"1b": {"ops": {"number": "295.4"}}}),
    "a number from text": (['check("1b", ops=int("12") + float("0.5"))'], {"1b": {"ops": {"number": "12.5"}}}),
    "Fraction": (["from fractions import Fraction", 'check("1b", ops=Fraction(3, 2))'], {"1b": {"ops": {"number": "3/2"}}}),
    "texts side by side": (['check("1b", ops="2*B"\n  "*D")'], {"1b": {"ops": text("2*B*D")}}),
    "texts joined": (['check("1b", ops="2*B" + "*D")'], {"1b": {"ops": text("2*B*D")}}),
    "f-string": (['n = 2\ncheck("1b", ops=f"{n}*B*{1 + 1}")'], {"1b": {"ops": text("2*B*2")}}),
    "f-string with a format": (['check("1b", ops=f"{1/3:.2f} us")'], {"1b": {"ops": text("0.33 us")}}),
    "raw text": ([r'check("1b", ops=r"2\cdot B")'], {"1b": {"ops": text(r"2\cdot B")}}),
    "long quotes": (['check("1b", ops="""2*B\n*D""")'], {"1b": {"ops": text("2*B\n*D")}}),
    # No answers, but read
    "a list": (['check("1b", ops=["2*B"])'], {"1b": {"ops": {"odd": "a list"}}}),
    "a bool": (['check("1b", ops=True)'], {"1b": {"ops": {"odd": "the value True"}}}),
    "complex": (['check("1b", ops=2j)'], {"1b": {"ops": {"odd": "a complex number"}}}),
    "bytes": (['check("1b", ops=b"2")'], {"1b": {"ops": {"odd": "a text in bytes"}}}),
    "infinite": (['check("1b", ops=1e999)'], {"1b": {"ops": {"odd": "an infinite number"}}}),
    # Names
    "a name": (['a = "2*B"', 'check("1b", ops=a)'], {"1b": {"ops": text("2*B")}}),
    "a name bound below": (['check("1b", ops=a)', 'a = "2*B"'], {"1b": {"ops": text("2*B")}}),
    "names of names": (["D = 4096\nF = 4 * D", 'check("1b", ops=D * F)'], {"1b": {"ops": {"number": str(4096 * 4 * 4096)}}}),
    "a name in a copied cell": (["a = 3", "a = 3", 'check("1b", ops=a)'], {"1b": {"ops": {"number": "3"}}}),
    "several names at once": (["a, (b) = 3, 4\nc = d = 5\ne: int = 6", 'check("1b", ops=a + b + c + d + e)'], {"1b": {"ops": {"number": "23"}}}),
    "a blank name": (["a = ...\nb = None", 'check("1a", read=a, written=b)'], {"1a": {"read": BLANK, "written": BLANK}}),
    "a function's own name does not disturb": (["D = 4\ndef f(D):\n    D = 5\n    return D", 'check("1b", ops=D)'], {"1b": {"ops": {"number": "4"}}}),
    "a comprehension's own name does not disturb": (["D = 4\n[D for D in range(3)]", 'check("1b", ops=D)'], {"1b": {"ops": {"number": "4"}}}),
    "parts from a dict": (['a = {"read": "B", "written": "F"}\ncheck("1a", **a)'], {"1a": {"read": text("B"), "written": text("F")}}),
    "parts from a dict on the spot": (['check("1a", **{"read": "B"}, **dict(written="F"))'], {"1a": {"read": text("B"), "written": text("F")}}),
    "answers from a dict": (['a = {"x": "B"}\ncheck("1a", read=a["x"])'], {"1a": {"read": text("B")}}),
    "arguments from a list": (['a = ["1b", "2*B"]\ncheck(*a)'], {"1b": {"": text("2*B")}}),
    "a harmless magic leaves names alone": (["%matplotlib inline\n!pip list\na = 3", 'check("1b", ops=a)'], {"1b": {"ops": {"number": "3"}}}),
    # Where check stands
    "its verdict kept": (['v = check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "printed": (['print(check("1b", ops="2"))'], {"1b": {"ops": text("2")}}),
    "its score": (['check("1b", ops="2").score'], {"1b": {"ops": text("2")}}),
    "several on a line": (['check("1b", ops="2"); check("1a", read="B")'], {"1b": {"ops": text("2")}, "1a": {"read": text("B")}}),
    "in a list": (['[check("1b", ops="2"), check("1a", read="B")]'], {"1b": {"ops": text("2")}, "1a": {"read": text("B")}}),
    "in an f-string": (['f"{check(\'1b\', ops=\'2\')}"'], {"1b": {"ops": text("2")}}),
    "under if True": (['if True:\n    check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "under a known name": (['ready = 1\nif ready:\n    check("1b", ops="2")\nelse:\n    check("1b", ops="3")'], {"1b": {"ops": text("2")}}),
    "after a condition that holds": (['True and check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "asserted": (['assert check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    # By which name
    "through a module": (["import rooflib.practice as p", 'p.check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "through modules": (["import rooflib", 'rooflib.practice.check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "imported as": (["from rooflib.practice import check as c", 'c("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "assigned": (["from rooflib import practice\nc = practice.check", 'c("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "from the desk": (["from rooflib.classroom.desk import open_desk", 'check, given, why = open_desk("R", student="s1")', 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "from the desk by other names": (["from rooflib.classroom.desk import open_desk as o", 'c, g, w = o("R")', 'c("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "from the desk itself": (['d = open_desk("R")', 'd.check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "made anew by the student": (["def check(*a, **k):\n    return True", 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "replaced by the student": (["check = lambda *a, **k: True", 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "asked about": (["check?", "help(check)", "check", 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    # Copied, moved, merged
    "copied": (['check("1b", ops="2")', 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "the last counts": (['check("1b", ops="2")', 'check("1b", ops="3")'], {"1b": {"ops": text("3")}}),
    "a later blank does not": (['check("1b", ops="2")', 'check("1b", ops=...)'], {"1b": {"ops": text("2")}}),
    "parts merged": (['check("1a", read="B")', 'check("1a", written="F")'], {"1a": {"read": text("B"), "written": text("F")}}),
    "one part corrected": (['check("1a", read="B", written="F")', 'check("1a", read="D", written=...)'], {"1a": {"read": text("D"), "written": text("F")}}),
    "code, then text": (['check("1b", ops=f())', 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "several questions in a cell": (['check("1b", ops="2")\ncheck("1a", read="B")'], {"1a": {"read": text("B")}, "1b": {"ops": text("2")}}),
    # Dead code
    "after a raise": (['check("1b", ops="2")\nraise SystemExit\ncheck("1b", ops="3")'], {"1b": {"ops": text("2")}}),
    "after exit": (['exit()\ncheck("1b", ops="3")', 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "after quit": (['quit()\ncheck("1b", ops="3")'], {}),
    "after sys.exit": (['import sys\nsys.exit(0)\ncheck("1b", ops="3")'], {}),
    "after os._exit": (['import os\nos._exit(0)\ncheck("1b", ops="3")'], {}),
    "after assert False": (['assert False\ncheck("1b", ops="3")'], {}),
    "after an endless loop": (['while True:\n    pass\ncheck("1b", ops="3")'], {}),
    "after a raise under if True": (['if 1:\n    raise ValueError\ncheck("1b", ops="3")'], {}),
    "after two raises": (['if f():\n    raise ValueError\nelse:\n    raise KeyError\ncheck("1b", ops="3")'], {}),
    "after a class that raises": (['class A:\n    raise ValueError\ncheck("1b", ops="3")'], {}),
    "after a try that raises": (['try:\n    raise ValueError\nfinally:\n    pass\ncheck("1b", ops="3")'], {}),
    "after a finally that raises": (['try:\n    f()\nexcept E:\n    pass\nfinally:\n    raise E\ncheck("1b", ops="3")'], {}),
    "after a loop that is left": (['for x in f():\n    if x:\n        break\n    continue\ncheck("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "after a function that raises": (['def f():\n    raise E\ncheck("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "under if False": (['if False:\n    check("1b", ops="3")'], {}),
    "under if 0, with an else": (['if 0:\n    check("1b", ops="3")\nelse:\n    check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "under while 0": (['while 0:\n    check("1b", ops="3")'], {}),
    "in a loop over nothing": (['for _ in []:\n    check("1b", ops="3")'], {}),
    "in a list made of nothing": (['[check("1b", ops="3") for _ in ()]'], {}),
    "after a condition that fails": (['False and check("1b", ops="3")'], {}),
    "after one that suffices": (['True or check("1b", ops="3")'], {}),
    "the branch not taken": (['check("1b", ops="3") if False else 0'], {}),
    "in a function never called": (['def f():\n    check("1b", ops="3")'], {}),
    "in a function that only calls itself": (['def f():\n    check("1b", ops="3")\n    f()'], {}),
    "in a function that only a dead one calls": (['def f():\n    check("1b", ops="3")\ndef g():\n    f()'], {}),
    "in a method of a class never used": (['class A:\n    def f(self):\n        check("1b", ops="3")'], {}),
    "in a text": (['"check(\'1b\', ops=\'3\')"'], {}),
    "in a comment": (['# check("1b", ops="3")'], {}),
    "in a docstring": (['def f():\n    """check("1b", ops="3")"""\nf()'], {}),
    # Magics and other languages
    "%%time": (['%%time\ncheck("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "%%capture and %%time": (['\n%%capture out\n%%time\ncheck("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "%time": (['%time check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "after a line magic": (['%matplotlib inline\nx = !ls\n?x\nx?\n!ls -l\ncheck("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "with prompts": (['>>> check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "with IPython's prompts": (['In [3]: check("1b",\n   ...:       ops="2")'], {"1b": {"ops": text("2")}}),
    "indented": (['    check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "Windows line ends": (['check(\r\n    "1b",\r\n    ops="2",\r\n)\r\n'], {"1b": {"ops": text("2")}}),
    "awaited": (['await asyncio.sleep(0)\ncheck("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "%%html": (['%%html\ncheck("1b", ops="2")'], {}),
    "%%bash": (['%%bash\ncheck("1b", ops="2")'], {}),
    "%%writefile": (['%%writefile a.py\ncheck("1b", ops="2")'], {}),
    "%%time?": (['%%time?\ncheck("1b", ops="2")'], {}),
    # Broken
    "a broken cell loses only itself": (['check("1b", ops="2"', 'check("1a", read="B")', "1 +"], {"1a": {"read": text("B")}}),
    "broken from some line on": (['check("1b", ops="2")\nreturn\ncheck("1b", ops="3")'], {"1b": {"ops": text("2")}}),
    "a part twice": (['check("1a", read="B", read="D")', 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
    "curly quotes": (["check(“1b”, ops=“2”)", 'check("1a", read="B")'], {"1a": {"read": text("B")}}),
    "half a character": (['check("1b", ops="\ud800")', 'check("1a", read="\\ud800")'], {"1b": {"ops": text("?")}, "1a": {"read": text("?")}}),
    "a null character": (["check\0", 'check("1b", ops="2")'], {"1b": {"ops": text("2")}}),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_it_is_read_without_a_run(name):
    cells, expected = READ[name]
    reading = of(*cells)
    assert reading.answers == expected
    assert not reading.needs_run
    assert reading.code == ()


# Cells, and the answers of which some take a run; the reason must hold the given words.
RUN = {
    "a function": (["def f(B):\n    return B", 'check("3a", throughput=f)'], {"3a": {"throughput": "the name f"}}),
    "a lambda": (['check("3a", throughput=lambda B: B)'], {"3a": {"throughput": "it is a function"}}),
    "a call": (['check("3c", plot=picture())'], {"3c": {"plot": "it calls picture(...)"}}),
    "a method": (['check("1b", ops=" + ".join(["B"]))'], {"1b": {"ops": "it calls join(...)"}}),
    "an attribute": (['check("1b", ops=rl.pi)'], {"1b": {"ops": "it looks up .pi"}}),
    "symbols": (['B, D = rl.symbols("B D")', 'check("1b", ops=2*B*D)'], {"1b": {"ops": "the name B"}}),
    "a name without a value": (['check("1b", ops=2*B)'], {"1b": {"ops": "has no value here"}}),
    "bound twice": (["a = 1", "a = 2", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "bound twice to equals of another type": (["a = 1", "a = 1.0", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "bound under an if": (["a = 1\nif f():\n    a = 1", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "added to": (["a = 1\na += 1", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "deleted": (["a = 1\ndel a", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "a loop's name": (["a = 1\nfor a in f(): pass", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "a with's name": (["a = 1\nwith f() as a: pass", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "a walrus's name": (["a = 1\nprint(a := 2)", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "a walrus in a comprehension": (["a = 1\n[(a := i) for i in f()]", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "an import's name": (["a = 1\nimport numpy as a", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "a function's global": (["a = 1\ndef f():\n    global a\n    a = 2\nf()", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "an exception's name": (["a = 1\ntry: f()\nexcept E as a: pass", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "a pattern's name": (["a = 1\nmatch f():\n  case a: pass", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "exec about": (["a = 1\nexec(f())", 'check("1b", ops=a)'], {"1b": {"ops": "by itself"}}),
    "globals about": (["a = 1\nglobals()['a'] = 2", 'check("1b", ops=a)'], {"1b": {"ops": "by itself"}}),
    "%run about": (["a = 1\n%run other.py", 'check("1b", ops=a)'], {"1b": {"ops": "by itself"}}),
    "a star import": (["a = 1\nfrom numpy import *", 'check("1b", ops=a)'], {"1b": {"ops": "the name a"}}),
    "max of their own": (["def max(*a): return 7", 'check("1b", ops=max(1, 2))'], {"1b": {"ops": "it calls max(...)"}}),
    "Fraction of their own": (["class Fraction: pass", 'check("1b", ops=Fraction(1, 2))'], {"1b": {"ops": "it calls Fraction(...)"}}),
    "a dict that changes": (['d = {"x": "B"}\nd["x"] = "D"', 'check("1b", ops=d["x"])'], {"1b": {"ops": "the name d"}}),
    "a dict handed on": (['d = {"x": "B"}\nd.update(x="D")', 'check("1b", ops=d["x"])'], {"1b": {"ops": "the name d"}}),
    "a list in a list": (['d = [["B"]]\nd[0].append("D")', 'check("1b", ops=d[0])'], {"1b": {"ops": "the name d"}}),
    "divides by zero": (['check("1b", ops=1/0)'], {"1b": {"ops": "it divides by zero"}}),
    "a tower of powers": (['check("1b", ops=9**9**9)'], {"1b": {"ops": "too many digits"}}),
    "a long text": (['check("1b", ops="B" * 10**9)'], {"1b": {"ops": "too long"}}),
    "a slice": (['check("1b", ops="2*B"[0:1])'], {"1b": {"ops": "a run"}}),
    "only one part of two": (['check("1a", read="B", written=f())'], {"1a": {"read": text("B"), "written": "it calls f(...)"}}),
    "text, then code": (['check("1b", ops="2")', 'check("1b", ops=f())'], {"1b": {"ops": "it calls f(...)"}}),
    "below a raise under an if": (['if f():\n    raise E\ncheck("1b", ops="2")'], {"1b": {"ops": "below a raise"}}),
    "below an exit in a loop": (['for x in f():\n    exit()\ncheck("1b", ops="2")'], {"1b": {"ops": "below a raise"}}),
    "below a raise in a try": (['try:\n    raise E\nexcept E:\n    pass\ncheck("1b", ops="2")'], {"1b": {"ops": "below a raise"}}),
    "below a raise in a with": (['with f():\n    raise E\ncheck("1b", ops="2")'], {"1b": {"ops": "below a raise"}}),
    "in a loop": (['for i in range(1):\n    check("1b", ops="2")'], {"1b": {"ops": "in a loop"}}),
    "in a while": (['while f():\n    check("1b", ops="2")'], {"1b": {"ops": "in a loop"}}),
    "in a list made by a loop": (['[check("1b", ops="2") for i in f()]'], {"1b": {"ops": "in a loop"}}),
    "under an if": (['if f():\n    check("1b", ops="2")'], {"1b": {"ops": "under an if"}}),
    "under an else": (['if f():\n    pass\nelse:\n    check("1b", ops="2")'], {"1b": {"ops": "under an if"}}),
    "in a branch": (['check("1b", ops="2") if f() else 0'], {"1b": {"ops": "under an if"}}),
    "after an and": (['f() and check("1b", ops="2")'], {"1b": {"ops": "under a condition"}}),
    "in a try": (['try:\n    check("1b", ops="2")\nexcept E: pass'], {"1b": {"ops": "in a try"}}),
    "in a with": (['with f():\n    check("1b", ops="2")'], {"1b": {"ops": "in a with"}}),
    "in a match": (['match f():\n  case 1:\n    check("1b", ops="2")'], {"1b": {"ops": "in a match"}}),
    "in a class": (['class A:\n    check("1b", ops="2")'], {"1b": {"ops": "in a class"}}),
    "in a method": (['class A:\n    def f(self):\n        check("1b", ops="2")\nA().f()'], {"1b": {"ops": "in a function"}}),
    "in a function that is called": (['def f():\n    check("1b", ops="2")\nf()'], {"1b": {"ops": "in a function"}}),
    "in a function called by another": (['def f():\n    check("1b", ops="2")\ndef g():\n    f()', "g()"], {"1b": {"ops": "in a function"}}),
    "in a function called above": (["g()", 'def g():\n    check("1b", ops="2")'], {"1b": {"ops": "in a function"}}),
    "in a decorated function": (['@f\ndef g():\n    check("1b", ops="2")'], {"1b": {"ops": "in a function"}}),
    "in an inner function": (['def f():\n    def g():\n        check("1b", ops="2")\n    g()\nf()'], {"1b": {"ops": "in a function"}}),
    "in a lambda": (['f(lambda: check("1b", ops="2"))'], {"1b": {"ops": "in a function"}}),
    "parts from code": (['check("1a", **f())'], {"1a": {"read": "it calls f(...)", "written": "it calls f(...)"}}),
    "some parts from code": (['check("1a", read="B", **f())'], {"1a": {"read": text("B"), "written": "it calls f(...)"}}),
    "arguments from code": (['check("1a", *f())'], {"1a": {"read": "it calls f(...)", "written": "it calls f(...)"}}),
    # Not even the question is known
    "a question from a loop": (['for q in f():\n    check(q, ops="2")'], {}),
    "all from code": (["check(*f())"], {}),
    "parts of an unknown question": (['check("9z", **f())'], {"9z": {}}),
    "handed on": (["from functools import partial\npartial(check, '1b')(ops='2')"], {}),
    "kept in a list": (["[check][0]('1b', ops='2')"], {}),
    "by its name as text": (["getattr(practice, 'check')('1b', ops='2')"], {}),
    "in exec": (["exec('check(\"1b\", ops=\"2\")')"], {}),
    "in run_cell": (["get_ipython().run_cell('check(\"1b\", ops=\"2\")')"], {}),
    "in a function called by its name as text": (['def f():\n    check("1b", ops="2")\nglobals()["f"]()'], {"1b": {"ops": "in a function"}}),
    "why from code": (['why("1c", f())'], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", RUN)
def test_it_takes_a_run(name):
    cells, expected = RUN[name]
    reading = of(*cells)
    assert reading.needs_run
    assert len(reading.code) == len(cells)
    assert reading.answers.keys() == expected.keys()
    for question, parts in expected.items():
        assert reading.answers[question].keys() == parts.keys()
        for part, want in parts.items():
            got = reading.answers[question][part]
            assert got == want if isinstance(want, dict) else want in got["code"], got


def test_a_check_that_is_blank_under_a_condition_needs_no_run():
    reading = of('if f():\n    check("1b", ops=...)')
    assert reading.answers == {"1b": {"ops": BLANK}}
    assert not reading.needs_run


def test_parts_stand_in_the_order_in_which_they_were_last_answered():
    reading = of('check("1b", ops="2")\ncheck("1b", "3")\ncheck("1b", ops="4")')
    assert list(reading.answers["1b"].items()) == [("", text("3")), ("ops", text("4"))]


def test_the_code_for_a_run_is_python_without_what_is_broken_or_another_language():
    reading = of("%%time\nx = 1", "1 +", "%%bash\nls", "%matplotlib inline", 'check("1b", ops=f())')
    assert reading.code[0] == "x = 1"
    assert "run_line_magic" in reading.code[1]
    assert len(reading.code) == 3
    for cell in reading.code:
        compile(cell, "<cell>", "exec")


# Who it says it is

CLAIMS = {
    "given": (['given("1", student="s1", course="R")'], ("s1",), ("R",)),
    "given by position": (['given("1", "s1", "R")'], ("s1",), ("R",)),
    "given through a name": (["me = 's1'", 'given("1", student=me)'], ("s1",), ()),
    "the desk": (['check, given, why = open_desk("R", student="s1")'], ("s1",), ("R",)),
    "the desk by position": (['desk("R", "s1")'], ("s1",), ("R",)),
    "several": (['given("1", student="s1")', 'given("2", student="s2")', 'given("1", student="s1")'], ("s1", "s2"), ()),
    "a number": (["given('1', student=123)"], ("123",), ()),
    "the book's": (["given('1')"], (), ()),
    "in dead code": (["if 0:\n    given('1', student='s1')"], (), ()),
    "in a loop": (["for x in f():\n    given('1', student='s1')"], (), ()),
    "blank": (["given('1', student=' ')"], (), ()),
    "from code": (["given('1', student=f())"], (), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", CLAIMS)
def test_students_and_courses_named_inside(name):
    cells, students, courses = CLAIMS[name]
    reading = of(*cells)
    assert (reading.claims, reading.courses) == (students, courses)
    assert not reading.needs_run


def test_what_the_hand_out_wrote_into_the_file_comes_last():
    reading = read(Page((Cell('given("1", student="s2")'),), student="s1", course="R"))
    assert reading.claims == ("s2", "s1")
    assert reading.courses == ("R",)


def test_why_is_kept_as_it_stands():
    reading = of('why("1C", "It is\\nfed faster.")', 'why("1c", "")', 'why("2a", text="Bytes.")')
    assert reading.whys == {"1c": "It is\nfed faster.", "2a": "Bytes."}


# Notes for the teacher

NOTES = {
    "broken": ([Cell("1 +")], "Cell 1 is broken and counts for nothing (line 1: "),
    "broken at the end": ([Cell(""), Cell("x = 1\nreturn")], "Cell 2 is broken from line 2 on"),
    "two answers": ([Cell('check("1b", ops="2")'), Cell('check("1b", ops="3")')], "1b ops is answered more than once"),
    "turned into Markdown": ([Cell('check("1b", ops="2")', "markdown")], "Cell 1 holds a check, but is text"),
    "turned into raw text": ([Cell("check( '1b', ops=2)", "raw")], "Cell 1 holds a check, but is text"),
    "under a magic": ([Cell('%%script false\ncheck("1b", ops="2")')], "Cell 1 holds a check under %%script"),
    "no question": ([Cell("check(7)")], "Cell 1 has a check of something that is no question"),
    "too long": ([Cell("x = 1\n" * 50_000)], "Cell 1 is broken and counts for nothing (it has 300000 characters"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTES)
def test_notes_for_the_teacher(name):
    cells, start = NOTES[name]
    [note] = read(Page(tuple(cells))).notes
    assert note.startswith(start)
    assert note.endswith(".")


def test_nothing_is_noted_of_what_is_as_it_should_be():
    cells = ['check("1b", ops="2")', 'check("1b", ops=...)', 'check("1b", ops="2")', "x = 1", ""]
    assert of(*cells).notes == ()
    assert read(Page((Cell("Use `check` and `hint('1a')`.", "markdown"),))).notes == ()


HANDED = {
    "all there": ({"a": "code", "b": "code"}, ""),
    "moved and copied": ({"b": "code", "x": "code", "a": "code"}, ""),
    "one missing": ({"a": "code", "x": "code"}, "Answer cells that were handed out are missing: b."),
    "one turned into text": ({"a": "code", "b": "markdown"}, "Answer cells were turned into text: b."),
    "all missing": ({"x": "code"}, "None of the answer cells that were handed out is here any more."),
    "a program that keeps no ids": ({"": "code"}, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", HANDED)
def test_what_became_of_the_cells_handed_out(name):
    kinds, note = HANDED[name]
    cells = tuple(Cell("", kind, id) for id, kind in kinds.items())
    assert read(Page(cells, handed=("a", "b"))).notes == ((note,) if note else ())


def test_notes_have_an_end():
    reading = of(*["1 +"] * 500)
    assert len(reading.notes) <= 41
    assert reading.notes[-1] == "There is more."


# At the student's desk


def test_the_desk_hears_which_parts_can_be_read():
    cells = ["n = 2", 'check("1a", read=f"{n}*B", written=f())', 'check("1b", ops="2")']
    found = readable(cells, "1A")
    assert found["read"] == text("2*B")
    assert found["written"] == {"code": "it calls f(...)"}
    assert readable(cells, "2a") == {}


# The book's own problems


def solved(problem: str) -> bytes:
    return (ROOT / "solutions" / f"problem_{problem}.ipynb").read_bytes()


@pytest.mark.parametrize("problem", problems.ORDER)
def test_the_solved_problems_are_read_and_right(problem):
    reading = read(page(solved(problem)))
    assert reading.notes == ()
    from_code = set()
    for question in problems.book(problem).questions:
        given = reading.answers.pop(question.id)
        literal = {}
        for part in question.parts:
            answer = given.pop(part.name)
            if isinstance(part, (FunctionPart, PlotPart)):
                assert answer.keys() == {"code"}
                from_code.add(question.id)
            else:
                literal[part.name] = wire.value(answer, part)
        assert not given
        verdicts = judge(question, literal)
        assert all(verdicts[name].outcome == "right" for name in literal)
    assert not reading.answers
    assert from_code == ({"3a", "3c"} if problem == "3" else set())
    assert reading.needs_run == (problem == "3")


@pytest.mark.parametrize("problem", problems.ORDER)
def test_the_exercises_are_read_as_blank(problem):
    data = (ROOT / "exercises" / f"problem_{problem}.ipynb").read_bytes()
    reading = read(page(data))
    answers = [answer for parts in reading.answers.values() for answer in parts.values()]
    assert len(reading.answers) == len(problems.book(problem).questions)
    assert all(answer == BLANK for answer in answers)
    assert not reading.needs_run
    assert reading.notes == ()


def test_reading_takes_a_few_milliseconds():
    data = solved("1")
    read(page(data))  # the first pays for the imports
    times = []
    for _ in range(5):
        start = time.process_time()
        read(page(data))
        times.append(time.process_time() - start)
    assert min(times) < 0.03


# Laws

ANSWERS = [
    'check("1a", read="B*D")',
    'check("1a", written="B*F")',
    'check("1b", ops=2 * 3)',
    'check("1c", "x", limit=f())',
    'check("2d", small=..., large=1)',
    "%%time\ncheck('1d', math=n)",
    "n = 7",
    "check('1b', ops=...)",
]


@given(
    st.lists(st.sampled_from(ANSWERS), max_size=12).map(lambda more: ANSWERS + more), st.randoms()
)
def test_moved_and_copied_cells_give_the_same_answers(cells, roll):
    expected = of(*ANSWERS)
    roll.shuffle(cells)
    found = of(*cells)
    assert found.answers == expected.answers
    assert found.needs_run == expected.needs_run
    assert found.notes == ()


WORDS = """
    check given why open_desk "1a" 'B*D' ... ( ) [ ] { } , = : ; + ** 7 -1 1e999 read lambda if else
    for in not and while def return raise try except with class import from x y f" {x} " await # \\
    %%time %time !ls x? exit()
"""
GAPS = ["\n", "\n    ", " ", "\t", "'" * 3, "\0", "\ud800", "\f", "\u2028", "global x\n"]
CODE = st.lists(st.sampled_from([*WORDS.split(), *GAPS]), max_size=40).map(" ".join)
CELL = st.builds(
    Cell, st.one_of(st.text(), CODE), st.sampled_from(["code", "markdown", "raw"]), st.text()
)


@settings(max_examples=200)
@given(st.lists(CELL, max_size=6), st.lists(st.text(), max_size=3), st.none() | st.text())
def test_any_page_is_read_and_its_reading_survives_json(cells, handed, student):
    reading = read(Page(tuple(cells), student=student, handed=tuple(handed)))
    data = json.dumps(reading.to_json())
    data.encode("ascii")
    assert Reading.from_json(json.loads(data)) == reading
    for parts in reading.answers.values():
        assert all(wire.valid(answer) == answer for answer in parts.values())


# Hostile and damaged notebooks

LONG = {
    "5 MB of plain code": "x = 1\n" * 830_000,
    "5 MB on a line": "1+" * 2_500_000 + "1",
    "5 MB of brackets": "(" * 5_000_000,
    "5 MB of one word": "a" * 5_000_000,
    "10,000 brackets": "[" * 10_000 + "]" * 10_000,
    "99 brackets": "x = " + "[" * 99 + "]" * 99,
    "a long sum": "x = " + "1+" * 60_000 + "1",
    "a sum nested as deeply as Python goes": "x = " + "1+" * 1_400 + "1",
    "many minus signs": "x = " + "-" * 50_000 + "1",
    "a long chain": "x" + ".y" * 50_000,
    "calls of calls": "f" + "()" * 50_000,
    "a long elif": "if a:\n pass\n" + "elif b:\n pass\n" * 10_000,
    "commands": "!ls\n" * 40_000,
    "a few commands": "%pwd\n" * 600,
    "a command in much text": "# " + "long " * 19_000 + "\n!ls",
    "prompts": ">>> x\n" * 20_000,
    "functions": "\n".join(f"def f{i}(): f{i + 1}()" for i in range(6_000)) + "\nf0()",
    "names": "\n".join(f"a{i + 1} = a{i} + a{i}" for i in range(8_000)) + "\na0 = 'x'",
    "a name that doubles": "a0 = 'x'\n" + "\n".join(f"a{i + 1} = a{i} + a{i}" for i in range(8_000)),
    "tuples that double": "a0 = (1, 2)\n" + "\n".join(f"a{i + 1} = (a{i}, a{i})" for i in range(5_000)),
    "parts": "\n".join(f'check("1b", x{i}=1)' for i in range(5_000)),
    "answers": "\n".join(f'check("q{i}", x="y" * 2000)' for i in range(5_000)),
    "a wide f-string": 'check("1b", ops=f"{1:>999999999}")',
    "a round to a billion": 'check("1b", ops=round(5, -10**9))',
    "a fraction of a billion digits": 'from fractions import Fraction\ncheck("1b", ops=Fraction("1e1000000000"))',
    "backslashes": "x = 1\\\n" * 20_000,
    "open quotes": "'''\n" * 20_001,
    "form feeds": "\f\n" * 90_000,
    "spaces": " " * 199_000 + "x",
    "a magic after many lines": "\n" * 199_000 + "%%time",
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_a_hostile_cell_loses_only_itself_and_takes_little_time(name):
    start = time.process_time()
    reading = of('check("1a", read="B")', LONG[name], 'check("1a", written="F")')
    assert time.process_time() - start < 5
    assert reading.answers["1a"] == {"read": text("B"), "written": text("F")}
    json.dumps(reading.to_json())


def test_a_page_of_long_cells_has_an_end():
    start = time.process_time()
    reading = of(*["x = [" + "1, " * 60_000 + "]"] * 100)
    assert time.process_time() - start < 10
    assert (
        "Cell 3 is broken and counts for nothing (the page holds too much code)." in reading.notes
    )


@pytest.mark.parametrize("kind", KINDS)
def test_damage_changes_the_file_and_is_the_same_again(kind):
    data = solved("2")
    once, again = (kind(data, random.Random(5)) for _ in range(2))
    assert once == again != data


@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_notebook_is_read_or_told_to_be_none(seed):
    data = damaged(solved(BOOK[seed % len(BOOK)]), seed)
    try:
        reading = read(page(data))
    except NotANotebook as error:
        said = str(error)
    else:
        said = "Read."
        assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading
    assert re.fullmatch(r"[A-Z].+\.", said, re.S)


def test_most_damaged_notebooks_are_still_read():
    """Which must not become none of them without anybody noticing."""
    whole = lost = 0
    for seed in range(200):
        try:
            reading = read(page(damaged(solved("2"), seed)))
        except NotANotebook:
            lost += 1
        else:
            whole += len(reading.answers) >= 4
    assert 20 < lost < 140
    assert whole > 40


def test_a_notebook_as_nbformat_writes_it():
    cells = [nbformat.v4.new_code_cell('check("1b", ops="2")')]
    document = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    assert read(page(document.encode())).answers == {"1b": {"ops": text("2")}}
