"""Damage to a notebook file, the same for the same seed: what disks, mail and editors do to it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

STRANGE: tuple[Any, ...] = (None, 5, -1.5, True, "", "x", [], {}, [[]], {"a": []}, 10**30, "\ud800")


def damaged(data: bytes, seed: int) -> bytes:
    """The file with one kind of damage, chosen by the seed."""
    roll = random.Random(seed)
    return roll.choice(KINDS)(data, roll)


def _cut(data: bytes, roll: random.Random) -> bytes:
    return data[: roll.randrange(len(data))]


def _hole(data: bytes, roll: random.Random) -> bytes:
    start = roll.randrange(len(data))
    return data[:start] + data[start + roll.randrange(1, 200) :]


def _flipped(data: bytes, roll: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(roll.randrange(1, 30)):
        changed[roll.randrange(len(data))] ^= 1 << roll.randrange(8)
    return bytes(changed)


def _zeros(data: bytes, roll: random.Random) -> bytes:
    start, size = roll.randrange(len(data)), roll.randrange(1, 4096)
    return data[:start] + b"\0" * size + data[start + size :]


def _twice(data: bytes, roll: random.Random) -> bytes:
    start = roll.randrange(len(data))
    return data + data[start:]


def _encoded(data: bytes, roll: random.Random) -> bytes:
    text = data.decode("utf-8")
    return text.encode(roll.choice(["utf-16", "utf-8-sig", "utf-32", "latin-1"]), "replace")


def _merged(data: bytes, roll: random.Random) -> bytes:
    """A conflict that a version control left behind."""
    lines = data.split(b"\n")
    at = roll.randrange(len(lines))
    marks = [
        b"<<<<<<< HEAD",
        *lines[at : at + 3],
        b"=======",
        *lines[at : at + 3],
        b">>>>>>> other",
    ]
    return b"\n".join(lines[:at] + marks + lines[at + 3 :])


def _fields(data: bytes, roll: random.Random) -> bytes:
    """Some fields replaced, removed, renamed, or exchanged for each other."""
    document = json.loads(data)
    for _ in range(roll.randrange(1, 6)):
        places = list(_places(document))
        holder, key = roll.choice(places)
        match roll.randrange(4):
            case 0:
                holder[key] = roll.choice(STRANGE)
            case 1:
                del holder[key]
            case 2 if isinstance(holder, dict):
                holder[key[:-1] + "x"] = holder.pop(key)
            case _:
                other, name = roll.choice(places)
                holder[key], other[name] = _copy(other[name]), _copy(holder[key])
    return json.dumps(document).encode()


def _cells(data: bytes, roll: random.Random) -> bytes:
    """Cells shuffled, deleted, doubled, and of another kind."""
    document = json.loads(data)
    cells = document["cells"]
    roll.shuffle(cells)
    del cells[: roll.randrange(3)]
    cells += _copy(cells[: roll.randrange(3)])
    for cell in cells[: roll.randrange(3)]:
        cell["cell_type"] = roll.choice(["markdown", "raw", "code", "heading", "cdoe", 7])
    return json.dumps(document).encode()


def _sources(data: bytes, roll: random.Random) -> bytes:
    """Characters of the code lost or put in."""
    document = json.loads(data)
    for cell in document["cells"]:
        source = "".join(cell["source"])
        for _ in range(roll.randrange(4)):
            at = roll.randrange(len(source) + 1)
            put = roll.choice(
                ["", "", "(", '"', "'''", "\\", "\0", "\n", "  ", "%%", "\ud800", "“"]
            )
            source = source[:at] + put + source[at + roll.randrange(3) :]
        cell["source"] = source
    return json.dumps(document).encode()


def _places(value: Any) -> Any:
    inner = list(value.items() if isinstance(value, dict) else enumerate(value))
    for key, item in inner:
        yield value, key
        if isinstance(item, (dict, list)):
            yield from _places(item)


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


KINDS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _cut,
    _hole,
    _flipped,
    _zeros,
    _twice,
    _encoded,
    _merged,
    _fields,
    _cells,
    _sources,
)
