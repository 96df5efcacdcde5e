"""Who handed in what, from the `submission_metadata.yml` that a Gradescope export brings along.

Only a few lines of it are needed, so they are read as they stand, without a YAML reader:

    submission_1234:
      :submitters:
      - :name: Ada Lovelace
        :sid: '100'
        :email: ada@uni.edu
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME = "submission_metadata.yml"

_FOLDER = re.compile(r"""(?P<folder>[^\s:#'"-][^:]*|'[^']*'|"[^"]*"):\s*""")
_FIELD = re.compile(r"(?P<dash> *- +| +)(?P<key>:name|:sid|:email):(?P<value>\s.*)?")


@dataclass(frozen=True)
class Submitter:
    """One of those who handed in together; what is not given is empty."""

    name: str = ""
    sid: str = ""
    email: str = ""


def submitters(text: str) -> dict[str, tuple[Submitter, ...]]:
    """For each folder (or file) of the export, who handed it in."""
    found: dict[str, tuple[Submitter, ...]] = {}
    folder, depth = "", -1  # depth: how far `:submitters:` is indented; -1 outside of it
    people: list[dict[str, str]] = []
    for line in [*text.splitlines(), "end:"]:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        top = _FOLDER.fullmatch(line)
        if top and indent == 0:
            if folder and people:
                found[folder] = tuple(Submitter(**person) for person in people)
            folder, depth, people = _scalar(top["folder"]), -1, []
        elif line.strip() == ":submitters:" and indent > 0 and depth < 0:
            depth = indent
        elif depth >= 0:
            field = _FIELD.fullmatch(line[depth:]) if indent >= depth else None
            if not field:
                depth = -1 if indent <= depth else depth
                continue
            if "-" in field["dash"]:
                people.append({})
            if people:
                people[-1][field["key"][1:]] = _scalar(field["value"] or "")
    return found


def _scalar(text: str) -> str:
    """The text of a plain or quoted value; `null`, and whatever else YAML can do, is none."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r"\\(u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|.)", _escape, text[1:-1])
    text = re.sub(r"\s+#.*", "", text)
    return "" if text in ("null", "~", "Null", "NULL") or text[:1] in tuple("&*!|>{[@`%") else text


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else {"n": " ", "t": " "}.get(code, code)
