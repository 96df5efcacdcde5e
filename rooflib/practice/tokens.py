"""From the characters of a formula to its tokens: numbers, letters, functions, signs.

People write 2BDF, 2·B·D·F, 2 × B and B², in full width too, and mean what mathematicians mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rooflib.i18n import _

_SIGNS = {
    # the operators and dots, dashes and slashes that keyboards and web pages put in their place
    **dict.fromkeys("×·⋅∙•\u2217✕", "*"),
    **dict.fromkeys("−–—‐\u2011", "-"),
    **dict.fromkeys("÷\u2215\u2044", "/"),
    **dict.fromkeys("[{", "("),
    **dict.fromkeys("]}", ")"),
    "^": "**",
    "≥": ">=",
    "≤": "<=",
    "≈": "~",
    "、": ",",
}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True))
_TOKEN = re.compile(
    r"(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/(),])"
)
_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")
_LEAD = re.compile(r"^\s*(?:[^\W\d]\w*\s*=(?!=)|~)\s*")


class Unreadable(ValueError):
    """The text could not be read: `why` says so, `at` is the place in `text`."""

    def __init__(self, why: str, text: str = "", at: int = 0) -> None:
        super().__init__(why)
        self.why, self.text, self.at = why, text, at

    def shown(self) -> str:
        """The reason, with a caret under the place when the text is short enough to show."""
        text = self.text.replace("\n", " ").replace("\t", " ")
        if not text.strip():
            return self.why
        start = max(0, self.at - 40)
        piece = text[start : start + 72]
        # A full-width character fills two columns of a terminal; the caret counts them.
        before = sum(_columns(c) for c in piece[: self.at - start])
        return f"{self.why}\n    {piece}\n    {' ' * before}^"


def _columns(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    at: int
    after_space: bool = False


def tokens(text: str, letters: tuple[str, ...], names: Iterable[str] = ()) -> list[Token]:
    """The tokens of `text`, the last one of kind "end". Raises `Unreadable`."""
    return list(_Splitter(text, letters, tuple(names)).split())


def plain(text: str) -> tuple[str, list[int]]:
    """The text in plain signs, and for each of its characters the place it came from."""
    chars: list[str] = []
    places: list[int] = []
    raised = False
    for at, char in enumerate(text):
        if char in _SUPERSCRIPTS:
            new = _SUPERSCRIPTS[char] if raised else "**" + _SUPERSCRIPTS[char]
            raised = True
        else:
            raised = False
            new = _SIGNS.get(char) or unicodedata.normalize("NFKC", char)
            new = "".join(_SIGNS.get(c, c) for c in new)
        chars.append(new)
        places.extend([at] * len(new))
    places.append(len(text))
    return "".join(chars), places


class _Splitter:
    def __init__(self, text: str, letters: tuple[str, ...], names: tuple[str, ...]) -> None:
        self.text, self.letters, self.names = text, letters, names

    def failed(self, why: str, at: int) -> Unreadable:
        return Unreadable(why, self.text, at)

    def split(self) -> Iterator[Token]:
        source, places = plain(self.text)
        lead = _LEAD.match(source)
        position = lead.end() if lead else 0
        comma = _THOUSANDS.search(source)
        if comma:
            why = _(
                "A comma inside a number can be read in two ways. Write the number without it; "
                "between the arguments of max or min, put a space after the comma."
            )
            raise self.failed(why, places[comma.start() + 1])
        spaced = False
        while position < len(source):
            if source[position].isspace():
                position, spaced = position + 1, True
                continue
            match = _TOKEN.match(source, position)
            if match is None:
                raise self.failed(self._odd(source[position]), places[position])
            kind, at = match.lastgroup or "", places[position]
            if kind == "name":
                yield from self._words(match.group(), at, spaced)
            else:
                yield Token(kind, match.group(), at, spaced)
            position, spaced = match.end(), False
        yield Token("end", "", len(self.text))

    def _odd(self, char: str) -> str:
        if char in "<>=":
            return _("A formula is asked here, without a comparison.")
        if char in "'\"":
            return _("Leave the quotes inside the text out.")
        why = _("I do not know the sign {char} here. Use numbers, {letters}, + - * / ** ( ).")
        return why.format(char=char, letters=", ".join(self.letters))

    def _words(self, word: str, at: int, spaced: bool) -> Iterator[Token]:
        """A word is a function, a name, or letters side by side, the longest taken first."""
        if word in ("max", "min", "abs", "maximum", "minimum"):
            yield Token("function", word[:3], at, spaced)
            return
        known = sorted([*self.letters, *self.names], key=len, reverse=True)
        pieces = _cut(word, known)
        if not pieces[-1][0]:
            pieces = _cut(word, known, fold=True)
        for piece, offset in pieces:
            if not piece:
                rest = word[offset:]
                if rest.isdigit() and offset:
                    raise self.failed(digit_after_letter(), at + offset)
                odd = word if len(rest) > 2 else rest
                raise self.failed(self._unknown(odd), at + len(word) - len(odd))
            yield Token("letter", piece, at + offset, spaced and offset == 0)

    def _unknown(self, word: str) -> str:
        valid = [*self.letters, *self.names]
        if not valid:
            return _("A number is asked here; {word} is not one.").format(word=word)
        why = _("{word} is not one of this question's letters, {letters}.")
        return why.format(word=word, letters=", ".join(valid))


def digit_after_letter() -> str:
    return _("A number right after a letter: write * between them, or ** for a power.")


def _cut(word: str, known: list[str], fold: bool = False) -> list[tuple[str, int]]:
    """`word` as known letters side by side, with their offsets; ends in "" where that fails."""
    pieces: list[tuple[str, int]] = []
    offset = 0
    while offset < len(word):
        rest = word[offset:]
        for name in known:
            if rest.startswith(name) or (fold and rest.lower().startswith(name.lower())):
                pieces.append((name, offset))
                offset += len(name)
                break
        else:
            pieces.append(("", offset))
            break
    return pieces
