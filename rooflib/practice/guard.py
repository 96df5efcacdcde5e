"""Run a reader's function so that nothing it does can stop the notebook.

It gets two seconds and four thousand characters of output. Where the system offers a timer
signal that is what ends it; elsewhere (Windows, a browser, a thread) a trace of its lines does.
"""

from __future__ import annotations

import contextlib
import io
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from rooflib.i18n import _

SECONDS = 2.0
MAX_OUTPUT = 4000


class Stopped(BaseException):
    """Not an Exception, so that the reader's own `except Exception` lets it through."""


class Failed(ValueError):
    """The function did not come to an end; the text says how."""


class _Sink(io.TextIOBase):
    def __init__(self) -> None:
        self.left = MAX_OUTPUT

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.left -= len(text)
        if self.left < 0:
            raise Stopped(_("it prints without end"))
        return len(text)


def call(function: Callable[..., Any], *args: Any) -> Any:
    """function(*args); raises `Failed` when it raises, exits, prints or runs without end."""
    sink = _Sink()
    try:
        with (
            contextlib.redirect_stdout(sink),
            contextlib.redirect_stderr(sink),
            _limit(SECONDS),
        ):
            return function(*args)
    except Stopped as stop:
        raise Failed(str(stop)) from None
    except RecursionError:
        raise Failed(_("it calls itself without end")) from None
    except KeyboardInterrupt:
        raise Failed(_("it was interrupted")) from None
    except SystemExit:
        raise Failed(_("it ends the program (SystemExit) instead of returning")) from None
    except BaseException as error:
        raise Failed(_describe(error)) from None


def _describe(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:
        text = ""
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


def _limit(seconds: float) -> contextlib.AbstractContextManager[None]:
    # In a browser the timer is there to be called, but never rings.
    usable = (
        hasattr(signal, "setitimer")
        and sys.platform != "emscripten"
        and threading.current_thread() is threading.main_thread()
    )
    return _by_signal(seconds) if usable else _by_trace(seconds)


def _too_long(seconds: float) -> Stopped:
    return Stopped(_("it ran for {seconds:g} seconds and was stopped").format(seconds=seconds))


@contextlib.contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _too_long(seconds)

    before = signal.signal(signal.SIGALRM, stop)
    # It rings again, in case the function catches the first.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _by_trace(seconds: float) -> Iterator[None]:
    deadline = time.monotonic() + seconds

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        if time.monotonic() > deadline:
            raise _too_long(seconds)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
