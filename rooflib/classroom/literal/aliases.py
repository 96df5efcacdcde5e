"""By which names a page calls `check`, `given`, `why` and the desk.

They may be imported or assigned under other names, or reached through a module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

OURS = {"check": "check", "given": "given", "why": "why", "desk": "desk", "open_desk": "desk"}
DESK = ("check", "given", "why")  # what the desk hands over, in its order


def aliases(trees: Iterable[ast.Module]) -> dict[str, str]:
    """Each name for one of ours. A `check` of the student's own making stays a check: what stands
    in its brackets is still the answer."""
    names: dict[str, str] = {}
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.ImportFrom(module=str(module)) if module.partition(".")[0] == "rooflib":
                    for alias in node.names:
                        if alias.name in OURS:
                            names[alias.asname or alias.name] = OURS[alias.name]
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    ours = meant(value, names | OURS)
                    if ours:
                        names[name] = ours
                case ast.Assign(targets=[ast.Tuple(elts=elements)], value=ast.Call() as call):
                    if meant(call.func, names | OURS) == "desk":
                        for element, ours in zip(elements, DESK, strict=False):
                            if isinstance(element, ast.Name):
                                names[element.id] = ours
    return names | OURS


def meant(node: ast.expr, names: Mapping[str, str]) -> str:
    """Which of ours an expression names: check, practice.check, desk(...).check; or ""."""
    match node:
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Attribute(attr=name):
            return OURS.get(name, "")
    return ""
