"""The calls of `check`, `given`, `why` and the desk in a page: which of them surely happen.

A call in dead code is left out: after a raise or exit in its cell, under `if False`, in a function
that nothing calls. One that may happen, or not, or with other values (in a loop, a try, a function
that is called) is told by `within`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rooflib.classroom.aliases import aliases, meant
from rooflib.classroom.bindings import Bindings, is_quiet
from rooflib.classroom.fold import Unfoldable, fold
from rooflib.i18n import _

# Looking at `check` is not calling it.
_LOOKING = frozenset({"help", "print", "type", "callable", "repr", "dir", "id"})
_ENDING = {("sys", "exit"), ("os", "_exit"), ("os", "abort")}

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True)
class Call:
    """One call. name: of ours. within: "it stands in a loop", or "" where it surely happens."""

    cell: int
    name: str
    node: ast.Call
    within: str = ""


@dataclass(frozen=True)
class Found:
    """calls: in the page's order. loose: `check` is handed about in ways that only a run can
    follow. deep: cells whose code is nested too deeply to be followed."""

    calls: tuple[Call, ...]
    loose: bool
    deep: tuple[int, ...]


def calls(cells: Mapping[int, ast.Module], known: Bindings) -> Found:
    """The calls in the cells (by their number)."""
    walk = _Walk(known, aliases(cells.values()))
    for number, tree in cells.items():
        walk.cell = number
        try:
            walk.block(tree.body, "")
        except RecursionError:
            walk.deep.add(number)
    walk.called_functions()
    kept = [call for call in walk.calls if call.cell not in walk.deep]
    kept.sort(key=lambda call: (call.cell, call.node.lineno, call.node.col_offset))
    return Found(tuple(kept), walk.loose, tuple(sorted(walk.deep)))


class _Walk:
    """Follows the code in the order in which it runs."""

    def __init__(self, known: Bindings, names: Mapping[str, str]) -> None:
        self.known, self.names = known, names
        self.cell = 0
        self.calls: list[Call] = []
        self.loose = False
        self.deep: set[int] = set()
        self.mentioned: set[str] = set()
        # Bodies that run only when their function is called, by the name to call it by.
        self.waiting: defaultdict[str, list[tuple[int, list[ast.stmt]]]] = defaultdict(list)
        self.due: list[str] = []

    def called_functions(self) -> None:
        """Follow those functions that some followed code mentions."""
        if self.known.dynamic:
            self.due += self.waiting
        while self.due:
            for number, body in self.waiting.pop(self.due.pop(), ()):
                self.cell = number
                try:
                    self.block(body, _("it stands in a function"))
                except RecursionError:
                    self.deep.add(number)

    def mention(self, name: str) -> None:
        self.mentioned.add(name)
        if name in self.waiting:
            self.due.append(name)

    # Statements: each says whether the code after it is dead

    def block(self, body: Sequence[ast.stmt], within: str, owner: str = "") -> bool:
        return any(self.statement(statement, within, owner) for statement in body)

    def statement(self, node: ast.stmt, within: str, owner: str = "") -> bool:
        match node:
            case ast.Expr():
                if not isinstance(node.value, ast.Name):  # a cell that only shows `check`
                    self.expression(node.value, within)
                return self._ends(node.value)
            case ast.Assign(targets=[ast.Name()], value=value) if meant(value, self.names):
                if isinstance(value, ast.Attribute):
                    self.expression(value.value, within)
                return False
            case ast.If():
                return self._if(node, within)
            case ast.While():
                return self._while(node, within)
            case ast.For() | ast.AsyncFor():
                return self._for(node, within)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self.expression(item.context_expr, within)
                self.block(node.body, within or _("it stands in a with block"))
                return False
            case ast.Try() | ast.TryStar():
                inside = within or _("it stands in a try")
                handlers = [handler.body for handler in node.handlers]
                for body in (node.body, *handlers, node.orelse, node.finalbody):
                    self.block(body, inside)
                return False
            case ast.Match():
                self.expression(node.subject, within)
                for case in node.cases:
                    self.block(case.body, within or _("it stands in a match"))
                return False
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, within, owner)
                return False
            case ast.ClassDef():
                for part in (*node.decorator_list, *node.bases, *node.keywords):
                    self.expression(part, within)
                self.block(node.body, within or _("it stands in a class"), owner or node.name)
                return False
            case ast.Assert():
                self.expression(node.test, within)
                return self._truth(node.test) is False
        for child in ast.iter_child_nodes(node):
            self.expression(child, within)
        return isinstance(node, (ast.Raise, ast.Return, ast.Break, ast.Continue))

    def _if(self, node: ast.If, within: str) -> bool:
        self.expression(node.test, within)
        truth = self._truth(node.test)
        if truth is not None:
            return self.block(node.body if truth else node.orelse, within)
        inside = within or _("it stands under an if")
        ends = [self.block(body, inside) for body in (node.body, node.orelse)]
        return all(ends)

    def _while(self, node: ast.While, within: str) -> bool:
        self.expression(node.test, within)
        truth = self._truth(node.test)
        inside = within or _("it stands in a loop")
        if truth is False:
            return self.block(node.orelse, within)
        self.block(node.body, inside)
        self.block(node.orelse, inside)
        return truth is True and not any(isinstance(inner, ast.Break) for inner in ast.walk(node))

    def _for(self, node: ast.For | ast.AsyncFor, within: str) -> bool:
        self.expression(node.iter, within)
        if self._empty(node.iter):
            return self.block(node.orelse, within)
        for body in (node.body, node.orelse):
            self.block(body, within or _("it stands in a loop"))
        return False

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, within: str, owner: str
    ) -> None:
        for part in (*node.decorator_list, node.args):
            self.expression(part, within)
        name = owner or node.name
        self.waiting[name].append((self.cell, node.body))
        # A decorator may call it, or hand it on.
        if node.decorator_list or name in self.mentioned or self.known.dynamic:
            self.mention(name)

    def _ends(self, node: ast.expr) -> bool:
        """exit(), quit(), sys.exit() and the like."""
        match node:
            case ast.Call(func=ast.Name(id="exit" | "quit")):
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
                return (module, name) in _ENDING
        return False

    # Expressions

    def expression(self, node: ast.AST, within: str) -> None:
        match node:
            case ast.Call():
                if not is_quiet(node):
                    self._call(node, within)
            case ast.Name(id=name, ctx=ast.Load()):
                self.mention(name)
                self.loose |= self.names.get(name) == "check"
            case ast.Attribute(attr=name):
                self.mention(name)
                self.loose |= name == "check" and isinstance(node.ctx, ast.Load)
                self.expression(node.value, within)
            case ast.Constant(value=str(text)):  # getattr(practice, "check"), exec("check(...)")
                self.loose |= text == "check" or (self.known.dynamic and "check" in text)
            case ast.IfExp():
                self.expression(node.test, within)
                truth = self._truth(node.test)
                inside = within if truth is not None else within or _("it stands under an if")
                for branch, taken in ((node.body, True), (node.orelse, False)):
                    if truth in (None, taken):
                        self.expression(branch, inside)
            case ast.BoolOp():
                self._either(node, within)
            case ast.Lambda():
                self.expression(node.args, within)
                self.expression(node.body, within or _("it stands in a function"))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                first = node.generators[0].iter
                self.expression(first, within)
                if not self._empty(first):
                    self._loop(node, within or _("it stands in a loop"))
            case _:
                for child in ast.iter_child_nodes(node):
                    self.expression(child, within)

    def _loop(self, node: Comprehension, within: str) -> None:
        """All of a comprehension but what it runs through first."""
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.comprehension):
                self.expression(child, within)
        for number, generator in enumerate(node.generators):
            for part in (*([generator.iter] if number else []), *generator.ifs):
                self.expression(part, within)

    def _call(self, node: ast.Call, within: str) -> None:
        name = meant(node.func, self.names)
        looking = isinstance(node.func, ast.Name) and node.func.id in _LOOKING
        for argument in (*node.args, *node.keywords):
            if not (looking and isinstance(argument, ast.Name)):
                self.expression(argument, within)
        if not name:
            self.expression(node.func, within)
            return
        if isinstance(node.func, ast.Attribute):
            self.expression(node.func.value, within)
        elif isinstance(node.func, ast.Name):
            self.mention(node.func.id)  # a `check` of the student's own
        self.calls.append(Call(self.cell, name, node, within))

    def _either(self, node: ast.BoolOp, within: str) -> None:
        """One after the other, as long as none settles it."""
        for one in node.values:
            self.expression(one, within)
            truth = self._truth(one)
            if truth is isinstance(node.op, ast.Or):
                return
            if truth is None:
                within = within or _("it stands under a condition")

    def _truth(self, test: ast.expr) -> bool | None:
        try:
            return bool(fold(test, self.known.values, self.known.functions))
        except Unfoldable:
            return None

    def _empty(self, node: ast.expr) -> bool:
        try:
            found = fold(node, self.known.values, self.known.functions)
        except Unfoldable:
            return False
        return isinstance(found, (list, tuple, dict, set, str)) and not found
