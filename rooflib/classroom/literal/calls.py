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
from typing import NamedTuple

from rooflib.classroom.literal.aliases import aliases, meant
from rooflib.classroom.literal.bindings import Bindings
from rooflib.classroom.literal.expressions import Call, Expressions
from rooflib.i18n import _

_ENDING = {("sys", "exit"), ("os", "_exit"), ("os", "abort")}


class Flow(NamedTuple):
    """dead: what stands below, in the same block, never runs. may: a raise or exit may have ended
    the cell."""

    dead: bool
    may: bool


ON = Flow(False, False)
ENDS = Flow(True, True)


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


class _Walk(Expressions):
    """Follows the code in the order in which it runs."""

    def __init__(self, known: Bindings, names: Mapping[str, str]) -> None:
        super().__init__(known, names)
        self.deep: set[int] = set()
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
        super().mention(name)
        if name in self.waiting:
            self.due.append(name)

    # Statements

    def block(self, body: Sequence[ast.stmt], within: str, owner: str = "") -> Flow:
        may = False
        for statement in body:
            flow = self.statement(statement, within, owner)
            may |= flow.may
            if flow.dead:
                return Flow(True, may)
            if flow.may:
                within = within or _("it stands below a raise or exit that may come first")
        return Flow(False, may)

    def blocks(self, bodies: Sequence[Sequence[ast.stmt]], within: str) -> Flow:
        """Bodies of which one or the other runs; dead if all of them are."""
        flows = [self.block(body, within) for body in bodies]
        return Flow(all(flow.dead for flow in flows), any(flow.may for flow in flows))

    def statement(self, node: ast.stmt, within: str, owner: str = "") -> Flow:
        match node:
            case ast.Expr():
                if not isinstance(node.value, ast.Name):  # a cell that only shows `check`
                    self.expression(node.value, within)
                return ENDS if _is_exit(node.value) else ON
            case ast.Assign(targets=[ast.Name()], value=value) if meant(value, self.names):
                if isinstance(value, ast.Attribute):
                    self.expression(value.value, within)
                return ON
            case ast.If():
                self.expression(node.test, within)
                truth = self.truth(node.test)
                if truth is not None:
                    return self.block(node.body if truth else node.orelse, within)
                inside = within or _("it stands under an if")
                return self.blocks((node.body, node.orelse), inside)
            case ast.While():
                return self._while(node, within)
            case ast.For() | ast.AsyncFor():
                self.expression(node.iter, within)
                if self.empty(node.iter):
                    return self.block(node.orelse, within)
                inside = within or _("it stands in a loop")
                return Flow(False, self.blocks((node.body, node.orelse), inside).may)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self.expression(item.context_expr, within)
                flow = self.block(node.body, within or _("it stands in a with block"))
                return Flow(False, flow.may)  # what it raises, it may keep to itself
            case ast.Try() | ast.TryStar():
                inside = within or _("it stands in a try")
                tried = self.block(node.body, inside)
                rest = self.blocks([*(h.body for h in node.handlers), node.orelse], inside)
                last = self.block(node.finalbody, inside)
                dead = last.dead or (tried.dead and not node.handlers)
                return Flow(dead, tried.may or rest.may or last.may)
            case ast.Match():
                self.expression(node.subject, within)
                inside = within or _("it stands in a match")
                return Flow(False, self.blocks([c.body for c in node.cases], inside).may)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, within, owner)
                return ON
            case ast.ClassDef():
                for part in (*node.decorator_list, *node.bases, *node.keywords):
                    self.expression(part, within)
                inside = within or _("it stands in a class")
                return self.block(node.body, inside, owner or node.name)
            case ast.Assert():
                self.expression(node.test, within)
                return ENDS if self.truth(node.test) is False else ON
        for child in ast.iter_child_nodes(node):
            self.expression(child, within)
        if isinstance(node, (ast.Break, ast.Continue)):
            return Flow(True, False)
        return ENDS if isinstance(node, (ast.Raise, ast.Return)) else ON

    def _while(self, node: ast.While, within: str) -> Flow:
        self.expression(node.test, within)
        truth = self.truth(node.test)
        if truth is False:
            return self.block(node.orelse, within)
        flow = self.blocks((node.body, node.orelse), within or _("it stands in a loop"))
        leaves = any(isinstance(inner, ast.Break) for inner in ast.walk(node))
        return ENDS if truth is True and not leaves else Flow(False, flow.may)

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


def _is_exit(node: ast.expr) -> bool:
    """exit(), quit(), sys.exit() and the like."""
    match node:
        case ast.Call(func=ast.Name(id="exit" | "quit")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
            return (module, name) in _ENDING
    return False


__all__ = ["Call", "Found", "calls"]
