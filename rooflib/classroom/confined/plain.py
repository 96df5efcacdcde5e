"""Run a notebook's code in a plain process: for a teacher who trusts it, where nothing confines.

A process and a process group of its own, started anew for each notebook, in an empty folder, with
the limits that the system has. It keeps accidents away, and no attack: the code can read
what the teacher can read.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from rooflib.classroom.confined.launching import command, environment
from rooflib.i18n import _


def protection() -> str:
    """What protects such a run, and what does not."""
    try:
        import resource  # noqa: F401
    except ImportError:
        limits = _("a limit on the clock")
    else:
        limits = _("limits on time, file size and, on Linux, memory")
    return _(
        "trusted, not confined: a separate process in an empty folder, with {limits}; it can "
        "read this machine's files and reach the network"
    ).format(limits=limits)


def run(request: bytes, limits: dict[str, Any], seconds: float) -> tuple[str, bytes]:
    """How it ended, and what it said, as a zygote answers."""
    folder = tempfile.mkdtemp(prefix="rooflib-")
    said = _Said(limits["results"])
    process = subprocess.Popen(
        command("plain"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        cwd=folder,
        start_new_session=True,
    )
    try:
        listener = threading.Thread(target=said.listen, args=(process.stdout,), daemon=True)
        listener.start()
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(request)
            process.stdin.close()
        ended = _wait(process, said, limits["quiet"], time.monotonic() + seconds)
    finally:
        _kill(process)
        listener.join(1)  # who escaped the group may keep the pipe open
        shutil.rmtree(folder, ignore_errors=True)
    if not ended and process.returncode < 0:
        ended = "time" if process.returncode in (-9, -24) else "killed"
    return ended, said.data()


class _Said:
    """What comes through the pipe, up to a limit."""

    def __init__(self, most: int) -> None:
        self._parts: list[bytes] = []
        self._left = most
        self.heard = time.monotonic()

    def listen(self, pipe: Any) -> None:
        with contextlib.suppress(OSError, ValueError):
            while self._left >= 0 and (part := os.read(pipe.fileno(), 1 << 16)):
                self._parts.append(part)
                self._left -= len(part)
                self.heard = time.monotonic()

    @property
    def too_much(self) -> bool:
        return self._left < 0

    def data(self) -> bytes:
        return b"".join(self._parts)


def _wait(process: subprocess.Popen[bytes], said: _Said, quiet: float, end: float) -> str:
    quiet += 5  # importing takes its time here
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
            return "output" if said.too_much else ""
        if said.too_much:
            return "output"
        if time.monotonic() > min(end, said.heard + quiet):
            return "time"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The whole group, where there are groups."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def main() -> None:
    """The process itself: one request from its input, lines to its output."""
    from rooflib.classroom.confined import runner

    request = json.loads(sys.stdin.buffer.read())
    to = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    before = runner.prepare()
    runner.clean_environment(os.getcwd())
    size = 0
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        size = pages * os.sysconf("SC_PAGE_SIZE")
    runner.limit(request["limits"], size)
    runner.run(request, to, before)
