"""Run the cells of one notebook, one by one, and say what became of each.

This is the last of our code before the student's: in a confined process where there can be one,
else in a plain one with whatever limits the system knows. A cell that raises, or ends the
program politely, loses only itself.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import rooflib
from rooflib.classroom.confined.recorder import Recorder

MAX_REASON = 300


class _Shell:
    """What `get_ipython()` gives: it takes every call and does nothing."""

    def __init__(self) -> None:
        self.ast_transformers: list[Any] = []
        self.user_ns: dict[str, Any] = {}

    def __getattr__(self, _name: str) -> Any:
        return lambda *_arguments, **_options: None


def limit(limits: Mapping[str, Any], process_size: int) -> None:
    """The limits that this system knows; what it does not know is left out."""
    try:
        import resource
    except ImportError:
        return
    wanted = {
        "RLIMIT_CPU": limits["cpu"],
        "RLIMIT_AS": process_size + limits["memory"] if process_size else None,
        "RLIMIT_FSIZE": limits["file"],
        "RLIMIT_NOFILE": limits["files"],
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": limits.get("nproc"),
    }
    for name, value in wanted.items():
        if value is not None and hasattr(resource, name):
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, name), (int(value), int(value)))


def run(request: Mapping[str, Any], to: int, before: Mapping[str, Any]) -> None:
    """All cells but those to skip; each answer goes to the pipe as it comes.

    before: the modules as `prepare` left them, should a cell throw them away.
    """
    recorder = Recorder(to, request["given"], request["parts"], request["limits"]["line"])
    gc.set_threshold(50_000, 20, 20)  # a run is short: search for garbage seldom
    shell = _Shell()
    builtins.get_ipython = lambda: shell  # type: ignore[attr-defined]
    builtins.display = lambda *_things, **_options: None  # type: ignore[attr-defined]
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8", errors="replace")  # noqa: SIM115
    main = ModuleType("__main__")
    world = vars(main)
    skip = set(request.get("skip", ()))
    kept = dict(vars(builtins))
    put_back = vars(builtins).update
    if "IPython" in sys.modules:
        sys.modules["IPython"].get_ipython = lambda: shell  # type: ignore[attr-defined]
    loaded, count = sys.modules, len(sys.modules)
    stand_ins = {**recorder.modules(), "__main__": main, "rooflib": rooflib}
    names = recorder.names()
    say = recorder.say
    for number, source in enumerate(request["cells"]):
        if number in skip:
            continue
        if len(loaded) < count:
            loaded.update(before)
        loaded.update(stand_ins)
        world.update(names)
        say({"cell": number})
        try:
            code = compile(source, f"<cell {number + 1}>", "exec", dont_inherit=True)
            exec(code, world)
            put_back(kept)
        except BaseException as error:
            put_back(kept)
            say({"raised": [number, _reason(error)]})
        _close_figures()
    say({"end": True})


def _reason(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:
        text = ""
    return f"{type(error).__name__}: {text}"[:MAX_REASON] if text else type(error).__name__


def _close_figures() -> None:
    """As in a notebook, where a figure is shown and closed when its cell ends."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    with contextlib.suppress(BaseException):
        if pyplot is not None and pyplot.get_fignums():
            pyplot.close("all")


def prepare() -> dict[str, Any]:
    """Import beforehand what most notebooks import, and hide what they have no use for."""
    import matplotlib
    import numpy  # noqa: F401

    import rooflib.plots

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    axes = plt.subplots()[1]
    axes.plot([1, 2], [1, 2], label="x")
    axes.legend()
    plt.close("all")
    for name in list(sys.modules):
        if name.startswith(("rooflib.practice", "rooflib.classroom")):
            del sys.modules[name]
    for name in ("practice", "classroom"):
        if hasattr(rooflib, name):
            delattr(rooflib, name)
    return dict(sys.modules)


def prepare_for(cells: Sequence[str]) -> bool:
    """Import what only some notebooks use, once one does: every fork pays for all that is there."""
    more = False
    for name, words in (("sympy", ("sympy", "symbols")), ("IPython.display", ("IPython",))):
        if name not in sys.modules and any(word in cell for word in words for cell in cells):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
                more = True
    return more


def clean_environment(home: str) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, HOME=home, MPLBACKEND="agg", MPLCONFIGDIR=home)
