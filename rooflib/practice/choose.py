"""Read a choice: its key, in any letter case, or the beginning of its text."""

from __future__ import annotations

from typing import Any

from rooflib.i18n import _
from rooflib.practice.given_answer import Answer
from rooflib.practice.question import ChoicePart
from rooflib.practice.tokens import Unreadable


def as_choice(answer: Any, part: ChoicePart) -> Answer:
    """Raises `Unreadable`, with the choices."""
    listed = "\n".join(f"    {key}: {text}" for key, text in part.choices.items())
    if issubclass(type(answer), str):
        given = " ".join(str.__str__(answer).casefold().split()).strip(" .()\"'")
        for key in part.choices:
            if given == key.casefold():
                return Answer(key, key)
        begun = [k for k, t in part.choices.items() if given and t.casefold().startswith(given)]
        if len(begun) == 1:
            return Answer(begun[0], begun[0])
    why = _("Answer with one of these, by its name in quotes:\n{choices}")
    raise Unreadable(why.format(choices=listed))
