"""Start a Python process of our own that has nothing of its user's surroundings."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import rooflib

_WANTED = {
    "PATH", "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "MPLCONFIGDIR", "XDG_CACHE_HOME",
    "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
}  # fmt: skip


def command(module: str, *arguments: str) -> list[str]:
    """`main` of a module beside this one, of this very rooflib, however it is installed."""
    place = str(Path(rooflib.__file__).absolute().parent.parent)
    start = (
        f"import sys; sys.path.append({place!r}); "
        f"from rooflib.classroom.confined.{module} import main; main()"
    )
    return [sys.executable, "-I", "-c", start, *arguments]


def environment() -> dict[str, str]:
    """What Python and matplotlib need of the environment; whatever else is in it stays here."""
    kept = {n: v for n, v in os.environ.items() if n in _WANTED or n.startswith("LC_")}
    single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**kept, **single, "MPLBACKEND": "agg"}
