"""Waiting for a page or a server, which take longer on a loaded machine."""

import time
from collections.abc import Callable

PATIENCE = 90  # seconds; a loaded machine starts kernels slowly


def wait_for(found: Callable[[], object], what: str, seconds: float = PATIENCE):
    """What `found` returns, as soon as that is true of anything."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"after {seconds:.0f} s still no {what}")


def happens(found: Callable[[], object], seconds: float) -> bool:
    """Whether `found` becomes true of anything in time."""
    try:
        wait_for(found, "", seconds)
    except AssertionError:
        return False
    return True
