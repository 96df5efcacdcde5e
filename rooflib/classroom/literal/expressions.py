"""Which calls of ours an expression makes: surely, perhaps, or never."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from rooflib.classroom.literal.aliases import meant
from rooflib.classroom.literal.bindings import Bindings, is_quiet
from rooflib.classroom.literal.fold import Unfoldable, fold
from rooflib.i18n import _

# Looking at `check` is not calling it.
_LOOKING = frozenset({"help", "print", "type", "callable", "repr", "dir", "id"})
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True)
class Call:
    """One call. name: of ours. within: "it stands in a loop", or "" where it surely happens."""

    cell: int
    name: str
    node: ast.Call
    within: str = ""


class Expressions:
    """Follows expressions, in the order in which Python works them out, and notes the calls."""

    def __init__(self, known: Bindings, names: Mapping[str, str]) -> None:
        self.known, self.names = known, names
        self.cell = 0
        self.calls: list[Call] = []
        self.loose = False
        self.mentioned: set[str] = set()

    def mention(self, name: str) -> None:
        self.mentioned.add(name)

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
                truth = self.truth(node.test)
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
                if not self.empty(first):
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
            truth = self.truth(one)
            if truth is isinstance(node.op, ast.Or):
                return
            if truth is None:
                within = within or _("it stands under a condition")

    def truth(self, test: ast.expr) -> bool | None:
        try:
            return bool(fold(test, self.known.values, self.known.functions))
        except Unfoldable:
            return None

    def empty(self, node: ast.expr) -> bool:
        try:
            found = fold(node, self.known.values, self.known.functions)
        except Unfoldable:
            return False
        return isinstance(found, (list, tuple, dict, set, str)) and not found
