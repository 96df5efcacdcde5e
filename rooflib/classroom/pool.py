"""Many small tasks on several processes, or on a Dask cluster, never more than a few at a time."""

from __future__ import annotations

import concurrent.futures as futures
import contextlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rooflib.i18n import _

# So many tasks wait for each process: enough to keep it busy, few enough to keep memory flat.
AHEAD = 3

Task = tuple[Any, ...]


@dataclass(frozen=True)
class Ready:
    """Stands in a task's place when its result is known already."""

    value: Any


Waiting = tuple[Task, "futures.Future[Any]"]


class PoolError(RuntimeError):
    """The workers cannot be reached; the text says why."""


class Pool:
    """Runs `function(task)` for many tasks through a `concurrent.futures` executor."""

    def __init__(self, make: Callable[[], futures.Executor], size: int) -> None:
        self._make = make
        self._executor = make()
        self.size = size

    def each(
        self, function: Callable[..., Any], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Any]]:
        """Every task with its result, in the order of the tasks.

        A task that takes its process down is tried once more, alone; its result is then the
        exception. Tasks are drawn from their iterator as results are taken; the first thing in a
        task may be what the caller wants to know it by, and one that ends in `Ready` is not run.
        """
        waiting: deque[Waiting] = deque()
        for task in tasks:
            waiting.append((task, self._submit(function, task)))
            if len(waiting) >= AHEAD * self.size:
                yield self._next(function, waiting)
        while waiting:
            yield self._next(function, waiting)

    def _submit(self, function: Callable[..., Any], task: Task) -> futures.Future[Any]:
        if isinstance(task[-1], Ready):
            known: futures.Future[Any] = futures.Future()
            known.set_result(task[-1].value)
            return known
        try:
            return self._executor.submit(function, *task)
        except futures.BrokenExecutor as error:
            lost: futures.Future[Any] = futures.Future()
            lost.set_exception(error)
            return lost

    def _next(self, function: Callable[..., Any], waiting: deque[Waiting]) -> tuple[Task, Any]:
        task, future = waiting.popleft()
        try:
            return task, future.result()
        except futures.BrokenExecutor:
            self._restart()
            result = self._alone(function, task)
            # Whatever was under way beside it is lost too, and gets its turn again.
            for place, (other, beside) in enumerate(waiting):
                if not _came_back(beside):
                    waiting[place] = (other, self._submit(function, other))
            return task, result
        except Exception as error:
            return task, error

    def _alone(self, function: Callable[..., Any], task: Task) -> Any:
        try:
            return self._executor.submit(function, *task).result()
        except Exception as error:
            if isinstance(error, futures.BrokenExecutor):
                self._restart()
            return error

    def _restart(self) -> None:
        self._executor.shutdown(wait=False)
        self._executor = self._make()

    def close(self) -> None:
        self._executor.shutdown(wait=True)


def _came_back(future: futures.Future[Any]) -> bool:
    if not future.done() or future.cancelled():
        return False
    return not isinstance(future.exception(), futures.BrokenExecutor)


@contextlib.contextmanager
def processes(jobs: int | None = None) -> Iterator[Pool]:
    """A pool of `jobs` processes on this machine; default: one for each core."""
    size = jobs or _cores()
    # Never forked: the caller may have threads, and a worker should start clean.
    context = multiprocessing.get_context("spawn")

    def make() -> futures.Executor:
        return futures.ProcessPoolExecutor(size, context, _leave_interrupts_to_the_caller)

    pool = Pool(make, size)
    try:
        yield pool
    finally:
        pool.close()


def _leave_interrupts_to_the_caller() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _cores() -> int:
    """Those this process may use, where the system tells."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def cluster(address: str, patience: str = "10s") -> Iterator[Pool]:
    """The workers of the Dask scheduler at `address`, such as "tcp://10.0.0.1:8786".

    Raises PoolError if `distributed` is not installed or nobody answers there.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        text = _('a Dask cluster needs the extra: pip install "rooflib[cluster]"')
        raise PoolError(text) from None
    try:
        client = Client(address, timeout=patience)
    except (OSError, ValueError, TimeoutError) as error:
        text = _("no Dask scheduler answers at {address}: {why}")
        raise PoolError(text.format(address=address, why=error)) from error
    try:
        size = sum(client.ncores().values())
        if not size:
            raise PoolError(
                _("the Dask cluster at {address} has no workers").format(address=address)
            )
        pool = Pool(lambda: client.get_executor(pure=False), size)
        yield pool
        pool.close()
    finally:
        client.close()
