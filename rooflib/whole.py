"""A file is written as a whole or not at all: nobody ever meets half of one."""

import contextlib
import os
import tempfile
from pathlib import Path


def write(target: Path, data: bytes, *, keep: Path | None = None) -> None:
    """Put `data` where `target` is; what lay there goes to `keep` first, if that is given.

    Raises OSError, and then everything is as it was.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        if keep is not None:
            os.rename(target, keep)
        try:
            os.replace(name, target)
        except BaseException:
            if keep is not None:
                os.rename(keep, target)
            raise
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
