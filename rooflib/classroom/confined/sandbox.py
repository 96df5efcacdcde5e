"""Run the code of a notebook where it can do no harm, and take back only what it answered.

One `Sandbox` a worker process. It keeps a zygote (see `zygote.py`) that forks one confined child
for each notebook. Where this machine cannot confine, nothing is run, unless `trust=True` says
that a plain process with limits will do. What comes back is lines of JSON from an untrusted
process: each is checked for size, type and shape, and can only say what somebody answered.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import select
import subprocess
import sys
import time
from dataclasses import asdict
from types import TracebackType

from rooflib.classroom.confined import plain, zygote
from rooflib.classroom.confined.heard import Heard
from rooflib.classroom.confined.launching import command, environment
from rooflib.classroom.confined.request import Limits, Request, Run, request_for
from rooflib.i18n import _

TRIES = 4


def confinable() -> str:
    """ "" if code can be confined on this machine, else the reason."""
    return _confinable()


@functools.cache
def _confinable() -> str:
    if not sys.platform.startswith("linux"):
        return _("{system} has no namespaces").format(system=sys.platform)
    try:
        with _Zygote("probe", 30.0):
            return ""
    except OSError as error:
        return str(error)


def protection(trust: bool = False) -> str:
    """What protects a run on this machine: a sentence; "" if nothing is run."""
    if not confinable():
        return _(
            "own user, mount, process, network and IPC namespaces; no capabilities; none of this "
            "machine's files but Python's, read-only; limits on time, memory, files and processes"
        )
    return plain.protection() if trust else ""


class Sandbox:
    """Runs notebooks one after another; see the module."""

    def __init__(self, trust: bool = False, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.trust = trust
        self.protection = protection(trust)
        self._confined = not confinable()
        self._zygote: _Zygote | None = None

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote and everything in it."""
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

    def run(self, request: Request) -> Run:
        """Run the cells; a cell that ends the process is left out, and the others run again."""
        if not self.protection:
            why = _("not run: this machine cannot confine it ({reason})")
            return Run(ended="not run", notes=(why.format(reason=confinable()),))
        heard = Heard(request.parts, len(request.cells), self.limits.line)
        end = time.monotonic() + self.limits.wall
        ended = ""
        skip: list[int] = []
        for _try in range(TRIES):
            left = end - time.monotonic()
            if left <= 0:
                break
            data = {
                "cells": request.cells,
                "given": request.given,
                "parts": request.parts,
                "skip": skip,
                "limits": {**asdict(self.limits), "wall": left},
            }
            status, lines = self._once(json.dumps(data).encode(), left)
            complete, last = heard.take(lines, skip)
            if complete:
                break
            ended = ended or status or "exit"
            heard.lost(last, status or "exit")
            if last is None or last in skip:
                break
            skip.append(last)
        return Run(heard.answers(), heard.whys(), ended, heard.notes(), self.protection)

    def _once(self, request: bytes, seconds: float) -> tuple[str, bytes]:
        if not self._confined:
            return plain.run(request, asdict(self.limits), seconds)
        try:
            if self._zygote is None:
                self._zygote = _Zygote("serve", 120.0)
            return self._zygote.ask(request, seconds + 10)
        except OSError:
            self.close()
            return "killed", b""


class _Zygote:
    """The process itself, and the pipes to it."""

    def __init__(self, what: str, seconds: float) -> None:
        self._process = subprocess.Popen(
            command("zygote", what),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            cwd="/",
            start_new_session=True,
        )
        try:
            hello = json.loads(self._receive(time.monotonic() + seconds))
        except (OSError, ValueError):
            self.close()
            raise OSError(_("the confined process did not start")) from None
        if hello["reason"]:
            self.close()
            raise OSError(hello["reason"])

    def __enter__(self) -> _Zygote:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def ask(self, request: bytes, seconds: float) -> tuple[str, bytes]:
        """How the run ended, and its lines; raises OSError when nobody answers."""
        assert self._process.stdin is not None
        zygote.send(self._process.stdin.fileno(), request)
        end = time.monotonic() + seconds
        head = json.loads(self._receive(end))
        return head["ended"], self._receive(end)

    def _receive(self, end: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        found, wanted = b"", 4
        while len(found) < wanted:
            left = end - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise TimeoutError(_("the confined process does not answer"))
            part = os.read(pipe, min(wanted - len(found), 1 << 20))
            if not part:
                raise BrokenPipeError(_("the confined process has ended"))
            found += part
            if len(found) == 4 == wanted:
                wanted += int.from_bytes(found, "big")
        return found[4:]

    def close(self) -> None:
        """The end of its requests is its sign to end; else it is killed, with all it has."""
        process = self._process
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


__all__ = ["Limits", "Request", "Run", "Sandbox", "confinable", "protection", "request_for"]
