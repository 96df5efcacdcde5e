"""The process that everything is imported in once, and that forks one confined child a notebook.

It is started by `sandbox.Sandbox`, moves into namespaces of its own, imports what notebooks
import, leaves the machine's files behind, and then answers requests that come through a pipe:
one child each, whose lines it collects until it is done, too slow, or too talkative. It judges
nothing and reads no line: that is for the process outside. It never holds an answer.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rooflib.classroom.confined import namespaces

ROOM = Path("/room")
_HEAD = struct.Struct(">I")
# What the system needs besides Python itself, where it is there.
_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/ld.so.cache",
    "/etc/fonts", "/dev/null",
)  # fmt: skip


def send(to: int, data: bytes) -> None:
    data = _HEAD.pack(len(data)) + data
    while data:
        data = data[os.write(to, data) :]


def receive(pipe: int) -> bytes | None:
    """The next message; None when the other side is gone."""
    head = _exactly(pipe, _HEAD.size)
    return None if head is None else _exactly(pipe, _HEAD.unpack(head)[0])


def _exactly(pipe: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(pipe, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def main() -> None:
    """`probe` says whether this machine confines; `serve` answers requests until the pipe ends."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.set_inheritable(requests, False)
    try:
        namespaces.enter()
        child = os.fork()
    except OSError as error:
        _hello(answers, f"{error}")
        return
    if child:
        os.close(answers)
        os.close(requests)
        os.waitpid(child, 0)
        return
    code = 1
    try:
        namespaces.die_with_parent()
        _inside(sys.argv[1] == "probe", requests, answers)
        code = 0
    finally:
        os._exit(code)


def _hello(answers: int, reason: str) -> None:
    send(answers, json.dumps({"reason": reason}).encode())


def _inside(probe: bool, requests: int, answers: int) -> None:
    try:
        import rooflib

        package = Path(rooflib.__file__).parent
        runner: Any = None
        if not probe:
            runner = importlib.import_module("rooflib.classroom.confined.runner")
            before = runner.prepare()
        statm = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)  # out of sight soon
        hidden = [package / "practice" / "problems", package / "classroom"]
        namespaces.only(_visible(package), hidden, ROOM)
        if probe:
            _one(lambda: namespaces.own_folder(ROOM, 4096))
    except Exception as error:
        _hello(answers, f"{type(error).__name__}: {error}")
        return
    _hello(answers, "")
    if runner is None:
        return
    runner.clean_environment(str(ROOM))
    _settle()
    while (message := receive(requests)) is not None:
        request = json.loads(message)
        if runner.prepare_for(request["cells"]):
            before = dict(sys.modules)
            _settle()
        run = functools.partial(_run, runner, request, _size(statm), before)
        head, lines = _serve(request["limits"], run)
        send(answers, json.dumps(head).encode())
        send(answers, lines)


def _visible(package: Path) -> list[Path]:
    """What a notebook may see of this machine: Python, its packages, the system's libraries."""
    packages = [p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")]
    named = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, *packages, package]
    found = [Path(str(name)).absolute() for name in named]
    found += [path.resolve() for path in found]
    for path in found:
        if path == Path("/") or Path.home().is_relative_to(path):
            raise OSError(f"Python is installed in {path}, which cannot be shown without the rest")
    return [*found, *map(Path, _SYSTEM)]


def _settle() -> None:
    """What is there now stays: the collector leaves it alone, and so it stays shared."""
    gc.collect()
    gc.freeze()


def _size(statm: int) -> int:
    """The bytes of address space in use already."""
    return int(os.pread(statm, 100, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _one(task: Any) -> int:
    """Fork one process that begins a process namespace, does its task and ends; its id here."""
    back = namespaces.apart()
    try:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                task()
                code = 0
            finally:
                os._exit(code)
    finally:
        back()
    return child


def _run(runner: Any, request: dict[str, Any], size: int, before: Any, to: int) -> None:
    """The last steps of the child: limits, no powers, and the cells."""
    limits = request["limits"]
    # Besides the child, the zygote counts: its user is the same.
    runner.limit({**limits, "nproc": 2 + limits["processes"]}, size)
    namespaces.powerless()
    runner.run(request, to, before)


def _serve(limits: dict[str, Any], run: Callable[[int], None]) -> tuple[dict[str, Any], bytes]:
    """How one notebook ended, and its lines."""
    read, write = os.pipe()
    child = _one(lambda: _confined(limits, write, run))
    os.close(write)
    try:
        lines, ended = _collect(read, limits)
    finally:
        os.close(read)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        status, used = os.wait4(child, 0)[1:]
    seconds = used.ru_utime + used.ru_stime
    if not ended and os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:
            ended = "killed"
        elif seconds > limits["cpu"] - 0.5:
            ended = "time"
        # Else it had closed its pipe; whether its own end or this process came first is chance.
    return {"ended": ended, "seconds": seconds}, lines


def _confined(limits: dict[str, Any], write: int, run: Callable[[int], None]) -> None:
    """The child's own: an empty folder, and no way to anybody but its one pipe."""
    namespaces.own_folder(ROOM, limits["file"])
    os.dup2(write, 3)
    os.closerange(4, 1 << 20)
    os.setsid()
    run(3)


def _collect(pipe: int, limits: dict[str, Any]) -> tuple[bytes, str]:
    """What it says until it closes the pipe, and why that was ended early, if it was."""
    end = time.monotonic() + limits["wall"]
    heard = time.monotonic()
    size = 0
    parts: list[bytes] = []
    while True:
        left = min(end, heard + limits["quiet"]) - time.monotonic()
        if left <= 0:
            return b"".join(parts), "time"
        if not select.select([pipe], [], [], left)[0]:
            continue
        part = os.read(pipe, 1 << 16)
        if not part:
            return b"".join(parts), ""
        heard = time.monotonic()
        parts.append(part)
        size += len(part)
        if size > limits["results"]:
            return b"".join(parts), "output"
