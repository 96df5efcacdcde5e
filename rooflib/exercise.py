"""An exercise is its solution with the answers taken out.

Two tags on the cells of a solution's text say what is taken:

`answer`    a code cell in which every argument of `check` after the question's name becomes `...`,
            and every function keeps its signature and docstring while its body becomes `...`;
`solution`  a cell, code or Markdown, that the exercise does not have at all.

Only the characters of the answers are replaced, so comments and layout stay as they were written.
"""

import ast
import copy
import re
from collections.abc import Iterator
from typing import Any

ANSWER, SOLUTION = "answer", "solution"
BLANK = b"..."

_HEADING = re.compile(r"^#+ .*", re.MULTILINE)  # a question begins with one, a solution has none
Span = tuple[int, int, bytes]  # from byte, to byte, what stands there instead


class AuthorError(Exception):
    """A slip in a text; the message names the file and the cell."""


def derive(solution: Any, where: str) -> Any:
    """The exercise that belongs to `solution`, a notebook not yet run, read from the file `where`.

    Raises AuthorError if there is nothing to take out, or an answer cell cannot be blanked.
    """
    exercise = copy.deepcopy(solution)
    exercise.cells = []
    blanked = 0
    for number, cell in enumerate(solution.cells, 1):
        tags = cell.metadata.get("tags", [])
        if SOLUTION in tags:
            if cell.cell_type == "markdown" and (heading := _HEADING.search(cell.source)):
                raise AuthorError(
                    f"{where}, cell {number}: `{heading[0]}` would be left out with the "
                    f"solution above it; put a line `+++` before it"
                )
            continue
        cell = copy.deepcopy(cell)
        if ANSWER in tags:
            if cell.cell_type != "code":
                raise AuthorError(
                    f"{where}, cell {number}: only a code cell can be tagged `{ANSWER}`; "
                    f"tag a Markdown cell `{SOLUTION}` to leave it out of the exercise"
                )
            try:
                cell.source = blank(cell.source)
            except ValueError as error:
                raise AuthorError(f"{where}, cell {number}: {error}\n\n{cell.source}") from error
            blanked += 1
        exercise.cells.append(cell)
    if not blanked:
        raise AuthorError(
            f"{where}: no cell is tagged `{ANSWER}`, so the exercise would show the solution; "
            f"write `:tags: [{ANSWER}]` under the opening line of each cell that answers"
        )
    return exercise


def blank(source: str) -> str:
    """The code of an answer cell with its answers replaced by `...`.

    Raises ValueError if it is not plain Python or has nothing to replace.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise ValueError(f"an answer cell must be plain Python: {error}") from error
    spans = list(_answers(tree, source))
    if not spans:
        raise ValueError(
            "this answer cell has nothing to blank: neither a check with an answer in it "
            "nor a function"
        )
    data = source.encode()  # ast counts columns in bytes of UTF-8
    for start, end, instead in sorted(spans, reverse=True):
        data = data[:start] + instead + data[end:]
    return data.decode()


def _answers(tree: ast.AST, source: str) -> Iterator[Span]:
    """What holds an answer; no span lies in another."""
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def visit(node: ast.AST) -> Iterator[Span]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield _body(node, lines, starts)
            return
        if isinstance(node, ast.Call) and _is_check(node.func):
            if any(isinstance(argument, ast.Starred) for argument in node.args) or any(
                keyword.arg is None for keyword in node.keywords
            ):
                raise ValueError("a check in an answer cell must spell out its arguments (no *)")
            for given in (*node.args[1:], *(keyword.value for keyword in node.keywords)):
                assert given.end_lineno is not None
                assert given.end_col_offset is not None
                start = starts[given.lineno - 1] + given.col_offset
                yield start, starts[given.end_lineno - 1] + given.end_col_offset, BLANK
            return
        for child in ast.iter_child_nodes(node):
            yield from visit(child)

    yield from visit(tree)


def _is_check(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
    return name == "check"


def _body(
    function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[bytes], starts: list[int]
) -> Span:
    """A function's body without its docstring, but with the comments around it.

    Those may give the answer away, so they go too.
    """
    body, head = function.body, function.lineno
    if ast.get_docstring(function, clean=False) is not None:
        head = body[0].end_lineno or head
        body = body[1:]
    if not body:
        raise ValueError(f"the function {function.name} has a docstring but no body to blank")
    decorators = getattr(body[0], "decorator_list", [])
    first = min(body[0].lineno, *(d.lineno for d in decorators)) if decorators else body[0].lineno
    column = body[0].col_offset
    last = body[-1].end_lineno or body[-1].lineno
    for number in range(last + 1, len(lines) + 1):
        line = lines[number - 1]
        if not _says_nothing(line) or (line.strip() and _indent(line) < column):
            break
        if line.strip():
            last = number
    end = starts[last - 1] + len(lines[last - 1].rstrip())
    if lines[first - 1][:column].strip():  # def f(x): return 2 * x
        return starts[first - 1] + column, end, BLANK
    while first - 1 > head and _says_nothing(lines[first - 2]):
        first -= 1
    return starts[first - 1], end, b" " * column + BLANK


def _says_nothing(line: bytes) -> bool:
    return not line.strip() or line.lstrip().startswith(b"#")


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())
