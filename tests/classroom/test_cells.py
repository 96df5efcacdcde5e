"""A file's bytes as cells, whatever is in them; a cell's text as Python, as IPython has it."""

import ast
import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import TransformerManager

from rooflib.classroom.literal import cells
from rooflib.classroom.literal.cells import Broken, Cell, NotANotebook, Page, page, transformed

ROOT = Path(__file__).parents[2]


def of(document: object) -> Page:
    return page(json.dumps(document).encode())


def code(source: object, **more: object) -> dict[str, object]:
    return {"cell_type": "code", "source": source, **more}


def test_a_page_has_its_cells_and_what_the_hand_out_wrote():
    about = {"student": "s001", "course": "ROOF 101", "problem": "1", "cells": ["a", "b"]}
    found = of(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["# A\n", "b"], "id": "m"},
                code('check("1a")', id="a"),
                {"cell_type": "raw", "source": "raw", "id": "r"},
            ],
            "metadata": {"rooflib": about},
        }
    )
    assert found.cells == (
        Cell("# A\nb", "markdown", "m"),
        Cell('check("1a")', "code", "a"),
        Cell("raw", "raw", "r"),
    )
    assert (found.student, found.course, found.problem) == ("s001", "ROOF 101", "1")
    assert found.handed == ("a", "b")
    assert found.notes == ()


def test_the_older_format_has_its_cells_on_sheets():
    sheets = [
        {"cells": [{"cell_type": "code", "input": ["x = 1\n", "y"]}]},
        {"cells": [{"cell_type": "heading", "source": "A", "level": 1}]},
    ]
    found = of({"nbformat": 3, "worksheets": sheets})
    assert found.cells == (Cell("x = 1\ny", "code"), Cell("A", "markdown"))
    assert found.notes == ()


def test_a_cell_may_keep_its_id_among_its_metadata():
    assert of({"cells": [code("x", metadata={"id": "abc"})]}).cells[0].id == "abc"


# Damaged fields: what is read of the cell, and whether it is noted.
DAMAGED = {
    "a number for a source": (code(5), Cell("", "code"), True),
    "None for a source": (code(None), Cell("", "code"), True),
    "a dict for a source": (code({"a": 1}), Cell("", "code"), True),
    "no source": ({"cell_type": "code"}, Cell("", "code"), False),
    "strange lines": (code(["a", 5, None, ["b"], "c"]), Cell("ac", "code"), True),
    "no lines": (code([]), Cell("", "code"), False),
    "no kind": ({"source": "a"}, Cell("a", "raw"), True),
    "a number for a kind": ({"cell_type": 7, "source": "a"}, Cell("a", "raw"), True),
    "a list for a kind": ({"cell_type": ["code"], "source": "a"}, Cell("a", "raw"), True),
    "an unknown kind": ({"cell_type": "cdoe", "source": "a"}, Cell("a", "raw"), False),
    "a number for a cell": (7, Cell("", "raw"), True),
    "None for a cell": (None, Cell("", "raw"), True),
    "a list for a cell": ([code("a")], Cell("", "raw"), True),
    "a number for an id": (code("a", id=7), Cell("a", "code"), False),
    "a list for metadata": (code("a", metadata=[]), Cell("a", "code"), False),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_cell_loses_only_itself(name):
    cell, expected, noted = DAMAGED[name]
    found = of({"cells": [code("x"), cell, code("y")]})
    assert found.cells == (Cell("x"), expected, Cell("y"))
    note = "Cell 2 is damaged; what could be read of it was read."
    assert found.notes == ((note,) if noted else ())


ABOUT = {
    "a list for metadata": ([], None),
    "None for metadata": (None, None),
    "a number for rooflib": ({"rooflib": 7}, None),
    "nothing inside": ({"rooflib": {}}, None),
    "a list for a student": ({"rooflib": {"student": ["s1"]}}, None),
    "True for a student": ({"rooflib": {"student": True}}, None),
    "an empty student": ({"rooflib": {"student": " "}}, None),
    "a number for a student": ({"rooflib": {"student": 123}}, "123"),
    "a number without end": ({"rooflib": {"student": 10**300}}, None),
    "blanks about a student": ({"rooflib": {"student": " s1\n"}}, "s1"),
    "half a character": ({"rooflib": {"student": "s\ud800"}}, "s?"),
    "a student at length": ({"rooflib": {"student": "x" * 10**5}}, "x" * 199 + "…"),
    "strange cells": ({"rooflib": {"student": "s1", "cells": {"a": 1}}}, "s1"),
}  # fmt: skip


@pytest.mark.parametrize("name", ABOUT)
def test_strange_metadata_is_no_obstacle(name):
    metadata, student = ABOUT[name]
    found = of({"cells": [code("x")], "metadata": metadata})
    assert found.student == student
    assert (found.cells, found.handed) == ((Cell("x"),), ())


def test_only_texts_are_ids_of_cells():
    metadata = {"rooflib": {"cells": ["a", 7, None, ["b"], "c"]}}
    assert of({"cells": [code("x")], "metadata": metadata}).handed == ("a", "c")


NONE = {
    "nothing": (b"", "The file is empty."),
    "blanks": (b" \n", "The file is empty."),
    "text": (b"Dear Ada", "it is no JSON (line 1: "),
    "half of it": (b'{"cells": [\n', "it is no JSON (line 2: "),
    "HTML": (b"<html></html>", "it is no JSON"),
    "zeros": (b"\0" * 500, "it is no JSON"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is no JSON"),
    "a list": (b"[1, 2]", "This is JSON, but no notebook"),
    "a number": (b"7", "This is JSON, but no notebook"),
    "no cells": (b"{}", "This notebook has no cells."),
    "empty cells": (b'{"cells": []}', "This notebook has no cells."),
    "a dict for cells": (b'{"cells": {}}', "This notebook has no cells."),
    "None for cells": (b'{"cells": null}', "This notebook has no cells."),
    "a text for cells": (b'{"cells": "ab"}', "This notebook has no cells."),
    "strange sheets": (b'{"worksheets": [7, {"cells": 7}, []]}', "This notebook has no cells."),
    "a dict for sheets": (b'{"worksheets": {}}', "This notebook has no cells."),
    "deep lists": (b"[" * 100_000, "nested too deeply"),
    "deep dicts": (b'{"a":' * 100_000, "nested too deeply"),
    "deep in a cell": (b'{"cells": [' + b"[" * 100_000 + b"]" * 100_000 + b"]}", "nested too deeply"),
    "millions of lists": (b'{"cells": [' + b"[]," * 2_000_000 + b"[]]}", "too many pieces"),
    "a number of many digits": (b'{"cells": ' + b"1" * 10_000 + b"}", "no notebook, or a damaged one"),
}  # fmt: skip


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_notebook_is_told_in_a_sentence(name):
    data, words = NONE[name]
    start = time.process_time()
    with pytest.raises(NotANotebook) as raised:
        page(data)
    assert words in str(raised.value)
    assert str(raised.value).endswith(".")
    assert time.process_time() - start < 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_any_encoding_of_json_is_read(encoding):
    data = json.dumps({"cells": [code("x = 'é'")]}, ensure_ascii=False).encode(encoding)
    assert page(data) == Page((Cell("x = 'é'"),))


def test_bytes_of_another_encoding_are_read_as_far_as_they_go():
    data = json.dumps({"cells": [code("é"), code("x")]}, ensure_ascii=False).encode("latin-1")
    found = page(data)
    assert found.cells == (Cell("\ufffd"), Cell("x"))
    assert found.notes == ("The file is damaged: some of its characters cannot be read.",)


def test_a_large_notebook_is_read_in_bounded_time():
    output = {"output_type": "stream", "text": "x" * 18_000_000}
    data = json.dumps({"cells": [code("x", outputs=[output])] * 1 + [code("y")] * 3_000}).encode()
    start = time.process_time()
    assert len(page(data).cells) == 3_001
    assert time.process_time() - start < 3


def test_cells_have_an_end():
    found = of({"cells": [code("x")] * 10_001})
    assert len(found.cells) == 10_000
    assert found.notes == ("The notebook has 10001 cells; only the first 10000 were read.",)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
FIELDS = ["cell_type", "source", "input", "metadata", "id", "rooflib", "cells", "student"]
NOTEBOOKS = st.recursive(
    JSON | st.sampled_from(["code", "raw", "x = 1"]),
    lambda inner: st.dictionaries(st.sampled_from(FIELDS), inner) | st.lists(inner),
    max_leaves=20,
)


@given(
    st.binary()
    | st.dictionaries(st.sampled_from(["cells", "metadata", "worksheets"]), NOTEBOOKS).map(
        lambda d: json.dumps(d).encode()
    )
)
def test_any_bytes_are_a_page_or_no_notebook(data):
    try:
        found = page(data)
    except NotANotebook as error:
        found = Page((Cell(str(error)),))
    assert found.cells
    for cell in found.cells:
        assert (type(cell.source), type(cell.id)) == (str, str)
        assert cell.kind in ("code", "markdown", "raw")


# As IPython has it

PYTHON = {
    "plain": ("x = 1", "x = 1"),
    "a line magic": ("%matplotlib inline", "get_ipython().run_line_magic('matplotlib', 'inline')\n"),
    "a command": ("!ls -l", "get_ipython().system('ls -l')\n"),
    "help": ("x?", "get_ipython().run_line_magic('pinfo', 'x')\n"),
    "a percent sign in a text": ('x = "%d"', 'x = "%d"'),
    "a percent sign in a formula": ("x = (1\n% 2)", "x = (1\n% 2)"),
    "prompts": (">>> x = [\n... 1]", "x = [\n1]\n"),
    "prompts in a text": ('"""\n>>> x\n"""', '"""\n>>> x\n"""\n'),
    "%%time": ("%%time\nx = 1\n", "x = 1\n"),
    "%%time alone": ("%%time", ""),
    "%%time after empty lines": ("\n \n%%time\nx", "x"),
    "%%capture with a name": ("%%capture out --no-stderr\nx", "x"),
    "%%timeit": ("%%timeit -n 1\nx", "x"),
    "one in another": ("%%capture\n%%time\nx", "x"),
    "a line magic below": ("%%time\n%pwd", "get_ipython().run_line_magic('pwd', '')\n"),
    "%time": ("if 1:\n    %time x = 1", "if 1:\n    x = 1\n"),
    "another language": ("%%bash\nls", ""),
    "another language inside": ("%%time\n%%html\n<b>", ""),
    "help on a magic": ("%%time?\nx", ""),
    "not at the start": ("x = 1\n%%time\ny = 2", "x = 1\nget_ipython().run_line_magic('%time', '')\ny = 2\n"),
    "broken": ("x = (", "x = ("),
    "broken and indented": ("  x = (", "x = (\n"),
    "nothing": ("", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", PYTHON)
def test_a_cell_becomes_python(name):
    source, expected = PYTHON[name]
    assert transformed(source) == expected


def the_same(source: str) -> bool:
    """Whether we make of a cell what IPython makes of it."""
    by_ipython = TransformerManager().transform_cell(source)
    ours = transformed(source)
    if "\n" not in (ours[-1:], ""):
        ours += "\n"
    return ast.dump(ast.parse(ours)) == ast.dump(ast.parse(by_ipython))


def test_the_book_s_own_cells_become_what_ipython_makes_of_them():
    tried = 0
    for folder in ("solutions", "exercises", "notebooks"):
        for path in (ROOT / folder).glob("*.ipynb"):
            for cell in page(path.read_bytes()).cells:
                if cell.kind == "code":
                    assert the_same(cell.source)
                    tried += 1
    assert tried > 100


WORDS = """
    x = 1 ( ) [ ] % ! ? ; , / > >>> ... ...: In[1]: %pwd !ls x? %time \\ # ''' " if x: else:
    def f(): pass
"""
LINES = st.lists(
    st.sampled_from([*WORDS.split(), "In [1]:", "\n", "\n", "\n    ", "    "]), max_size=15
)


@settings(max_examples=300)
@given(LINES.map(" ".join) | st.text(alphabet="x1=()[]%!?;,/>.\n \"'", max_size=20))
def test_what_is_python_before_is_the_same_python_after(source):
    """Where we spare IPython its work, it would have changed nothing."""
    try:
        ast.parse(source)
        by_ipython = TransformerManager().transform_cell(source)
        ast.parse(by_ipython)
    except (SyntaxError, ValueError):
        return
    assert the_same(source)


@settings(max_examples=200)
@given(st.text() | LINES.map(" ".join))
def test_any_cell_has_its_python_or_a_reason(source):
    assert isinstance(transformed(source), str)
    try:
        text, tree = cells.parsed(source)
    except Broken as why:
        text, tree = str(why), ast.Module([], [])
    assert isinstance(tree, ast.Module)
    assert isinstance(text, str)


BROKEN = {
    "open bracket": ("x = (", "line 1: '(' was never closed"),
    "a later line": ("x = 1\ny = = 2", "line 2: invalid syntax"),
    "a null character": ("x\0", "null"),
    "deep": ("-" * 50_000 + "1", "it is nested too deeply"),
    "long": ("#" * 200_001, "it has 200001 characters, and 200000 are the most that are read"),
    "many commands": ("!ls\n" * 5_000, "it has too many commands"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_cell_says_why(name):
    source, words = BROKEN[name]
    with pytest.raises(Broken, match=r".") as raised:
        cells.parsed(source)
    assert words in str(raised.value)
