"""Which names of a page stand for one known value, wherever they are used.

A name is known when its only bindings are plain assignments at the top of a cell, all to the same
value. Whatever else may bind it (a loop, an import, a function, `global`) makes it unknown.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rooflib.classroom.literal.answers import phrase
from rooflib.classroom.literal.bounded import BUILTINS, FRACTION
from rooflib.classroom.literal.fold import Unfoldable, fold
from rooflib.i18n import _

MAX_NAMES = 500
_UNKNOWN = object()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# With one of these about, a name may be bound without a word of it in the code.
DYNAMIC = _words("""
    exec eval compile globals locals vars setattr delattr get_ipython run_cell run_line_magic
    run_cell_magic __import__ import_module __builtins__ __dict__ __globals__ _getframe
""")
# What IPython makes of "%matplotlib inline", "!ls" and "name?", which binds nothing.
_QUIET_MAGICS = _words("""
    matplotlib config load_ext reload_ext autoreload precision pip conda uv pwd ls cd env who whos
    pinfo pinfo2 pdoc psource timeit time colors xmode history
""")
_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


class _Values(dict[str, object]):
    """The known values; for another name, why it is not known."""

    def __init__(self, dynamic: bool) -> None:
        self.bound: set[str] = set()
        self.dynamic = dynamic

    def __missing__(self, name: str) -> object:
        shown = phrase(name, 40)
        if self.dynamic:
            text = _("it uses the name {name}, and other code may change that by itself")
        elif name in self.bound:
            text = _("it uses the name {name}, which code gives its value")
        else:
            text = _("it uses the name {name}, which has no value here")
        raise Unfoldable(text.format(name=shown))


@dataclass(frozen=True)
class Bindings:
    """values: of the known names. functions: that folding may call. dynamic: whether code may
    bind or call anything by a text. bound: every name that is bound somewhere."""

    values: Mapping[str, object]
    functions: Mapping[str, Any]
    dynamic: bool
    bound: frozenset[str]


def bindings(trees: Sequence[ast.Module]) -> Bindings:
    """What is known of the names in a page's cells."""
    seen = _Seen()
    for tree in trees:
        for statement in tree.body:
            seen.statement(statement)
    bound = frozenset(seen.assigned) | seen.touched
    open_names = seen.dynamic or seen.starred
    values = _Values(seen.dynamic)
    values.bound |= bound
    functions = {name: f for name, f in BUILTINS.items() if name not in bound}
    if seen.fraction == {"fractions"} and "Fraction" not in seen.assigned:
        functions["Fraction"] = FRACTION
    if open_names:
        return Bindings(values, {}, seen.dynamic, bound)
    _learn(values, functions, seen)
    return Bindings(values, functions, seen.dynamic, bound)


def _learn(values: _Values, functions: Mapping[str, Any], seen: _Seen) -> None:
    """Fold the assignments in their order; each may use what stands before it."""
    unknown = set(seen.touched)
    for targets, value in seen.assignments:
        try:
            found = fold(value, values, functions)
        except Unfoldable:
            found = _UNKNOWN
        for target in targets:
            for name, item in _pairs(target, found):
                known = item is not _UNKNOWN and seen.safe(name, item)
                other = name in values and not _same(values[name], item)
                if not known or other or len(values) >= MAX_NAMES:
                    unknown.add(name)
                if name in unknown:
                    values.pop(name, None)
                else:
                    values[name] = item


def _same(one: object, other: object) -> bool:
    try:
        return type(one) is type(other) and repr(one) == repr(other)
    except ValueError:  # a number too long to write out
        return False


def _pairs(target: ast.expr, value: object) -> Iterator[tuple[str, object]]:
    """Each name of a target with its value, or `_UNKNOWN`."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)):
        items: Sequence[object] = [_UNKNOWN] * len(target.elts)
        if isinstance(value, (tuple, list)) and len(value) == len(items):
            items = value
        for element, item in zip(target.elts, items, strict=True):
            if isinstance(element, ast.Name):
                yield element.id, item


class _Seen:
    """What the code does to names."""

    def __init__(self) -> None:
        self.assignments: list[tuple[list[ast.expr], ast.expr]] = []
        self.assigned: set[str] = set()
        self.touched: set[str] = set()
        self.loads: Counter[str] = Counter()
        self.looks: Counter[str] = Counter()  # those that only look something up in it
        self.fraction: set[str] = set()
        self.starred = self.dynamic = False

    def safe(self, name: str, value: object) -> bool:
        """A list or dict may change where it is more than looked up in."""
        if not isinstance(value, (list, dict, set)):
            return not isinstance(value, tuple) or all(map(_scalar, value))
        held = value.values() if isinstance(value, dict) else value
        return all(map(_scalar, held)) and self.loads[name] == self.looks[name]

    def statement(self, node: ast.stmt) -> None:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        value = getattr(node, "value", None)
        plain = bool(targets) and all(map(_is_plain_target, targets))
        if plain and value is not None:
            self.assignments.append((targets, value))
            for target in targets:
                self.assigned |= {name for name, _item in _pairs(target, _UNKNOWN)}
            self._walk([value])
        else:
            self._walk([node])

    def _walk(self, nodes: Iterable[ast.AST]) -> None:
        """Everything below, with no recursion; names inside a scope of their own are its own."""
        stack = [(node, False) for node in nodes]
        while stack:
            node, local = stack.pop()
            self._node(node, local)
            if is_quiet(node):
                continue
            inner = local or isinstance(node, _SCOPES)
            stack += [(child, inner) for child in ast.iter_child_nodes(node)]

    def _node(self, node: ast.AST, local: bool) -> None:
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                self.loads[name] += 1
                self.dynamic |= name in DYNAMIC
            case ast.Name(id=name):
                if not local:
                    self.touched.add(name)
            case ast.NamedExpr(target=ast.Name(id=name)):
                self.touched.add(name)
            case ast.Attribute(attr=name):
                self.dynamic |= name in DYNAMIC
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Load()):
                self.looks[name] += 1
            case ast.keyword(arg=None, value=ast.Name(id=name)):
                self.looks[name] += 1
            case ast.Starred(value=ast.Name(id=name), ctx=ast.Load()):
                self.looks[name] += 1
            case ast.Global(names=names):
                self.touched |= set(names)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self.touched |= set() if local else {name}
            case ast.ClassDef(name=name):
                self.touched |= set() if local else {name}
            case ast.ExceptHandler(name=str(name)):
                self.touched |= set() if local else {name}
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self.touched.add(name)
            case ast.MatchMapping(rest=str(name)):
                self.touched.add(name)
            case ast.Import(names=aliases):
                if not local:
                    self.touched |= {a.asname or a.name.partition(".")[0] for a in aliases}
            case ast.ImportFrom(module=module, names=aliases):
                self._imported(module or "", aliases, local)

    def _imported(self, module: str, aliases: Sequence[ast.alias], local: bool) -> None:
        for alias in aliases:
            name = alias.asname or alias.name
            if name == "*":
                self.starred |= module.partition(".")[0] != "rooflib"
            elif not local:
                self.touched.add(name)
                self.dynamic |= alias.name in DYNAMIC
                if name == "Fraction":
                    self.fraction.add(module if alias.name == name else "")


def _scalar(value: object) -> bool:
    return not isinstance(value, (list, dict, set, tuple))


def _is_plain_target(target: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(isinstance(element, ast.Name) for element in target.elts)
    return isinstance(target, ast.Name)


def is_quiet(node: ast.AST) -> bool:
    """Whether it is a line magic or shell command that binds nothing."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr=attr),
            args=[ast.Constant(value=first), *_rest],
        ):
            magic = attr == "run_line_magic" and first in _QUIET_MAGICS
            return magic or attr in ("system", "getoutput")
    return False
