"""What has been graded already, so that a killed run resumes and a re-run does only what changed.

One SQLite file in the grades folder. Whatever is in it can be made again: a damaged or older one
is set aside and a new one begun.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from pathlib import Path
from typing import Any

NAME = ".journal.sqlite"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS kept (kind TEXT, key TEXT, value TEXT, PRIMARY KEY (kind, key))"
)


def fingerprint(*things: object) -> str:
    """A hash of plain data: the same for equal data, in every session and on every machine."""
    text = json.dumps(things, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Journal:
    """Plain data by kind and key, a write at a time; `version`: of what made it.

    What an earlier version kept is forgotten.
    """

    def __init__(self, folder: Path, version: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / NAME
        try:
            self._open()
        except sqlite3.DatabaseError:
            self._set_aside()
            self._open()
        if self.get("version", "") != version:
            self._db.execute("DELETE FROM kept")
            self.put("version", "", version)

    def _open(self) -> None:
        self._db = sqlite3.connect(self._path, isolation_level=None)
        # A journal that lags a moment behind after a power cut only costs time.
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute(_TABLE)

    def _set_aside(self) -> None:
        with contextlib.suppress(AttributeError, sqlite3.Error):
            self._db.close()
        for number in range(1, 100):
            aside = self._path.with_name(f"{NAME}.damaged-{number}")
            if not aside.exists():
                os.replace(self._path, aside)
                break
        for tail in ("-wal", "-shm"):
            with contextlib.suppress(OSError):
                Path(f"{self._path}{tail}").unlink()

    def get(self, kind: str, key: str) -> Any:
        """What is kept, or None."""
        row = self._db.execute(
            "SELECT value FROM kept WHERE kind = ? AND key = ?", (kind, key)
        ).fetchone()
        if row is None:
            return None
        try:
            return json.loads(row[0])
        except ValueError:
            return None

    def put(self, kind: str, key: str, value: Any) -> None:
        """Keep plain data; what was kept under this key is replaced."""
        text = json.dumps(value, ensure_ascii=True)
        self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (kind, key, text))

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


__all__ = ["Journal", "fingerprint"]
