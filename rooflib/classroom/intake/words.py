"""The words of names, ids and paths, made comparable: case, accents and separators aside.

A name may be written in any order and with any separator ("Lovelace, Ada", "ada_lovelace",
"LovelaceAda"), so that names are compared by their letters run together, but only along
whole words: "s1" is no part of "s10".
"""

from __future__ import annotations

import itertools
import re
import unicodedata

# Letters that no decomposition takes apart.
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "ħ": "h",
    }
)
# How the same letters are often typed where there are no accents.
_TYPED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_APOSTROPHES = dict.fromkeys(map(ord, "'`’\u2018\u02bc\u02bb\u00b4\u2032\uff07"))
_LONGEST = 8  # words of a name that are still turned round


def folded(text: str, *, typed: bool = False) -> str:
    """`text` in small letters without accents; `typed` writes ü as ue and so on instead."""
    text = unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)).casefold()
    if typed:
        text = unicodedata.normalize("NFC", text).translate(_TYPED)
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text)
        # Only the European accents: the marks of other scripts tell words apart.
        apart = "".join(c for c in apart if not "\u0300" <= c <= "\u036f")
        apart = "".join(c for c in apart if unicodedata.category(c) != "Cf")
        text = unicodedata.normalize("NFC", apart).translate(_LETTERS)
    return text.translate(_APOSTROPHES)


def words(text: str) -> tuple[str, ...]:
    """The words of a folded text; a run of Chinese, Japanese or Korean is a word of its own."""
    if text.isascii():
        return tuple(re.findall("[a-z0-9]+", text))
    runs = itertools.groupby(text, key=_kind)
    return tuple("".join(run) for kind, run in runs if kind)


def variants(text: str) -> list[tuple[str, ...]]:
    """The words of `text`, once for each way to fold it; mostly there is one."""
    plain = words(folded(text))
    typed = words(folded(text, typed=True))
    return [plain] if plain == typed else [plain, typed]


def is_dense(word: str) -> bool:
    """Whether this script is written without blanks between words."""
    return bool(word) and _kind(word[0]) == 2


def spellings(name: str) -> tuple[set[str], set[str]]:
    """How `name` may be written, its letters run together: in full, and without middle names."""
    full: set[str] = set()
    short: set[str] = set()
    for text in {name, re.sub(r"\([^)]*\)", " ", name)}:
        family, comma, given = text.partition(",")
        for own in variants(f"{given} {family}" if comma else text):
            for part in _scripts(own):
                full |= _turned(part)
                if len(part) > 2:
                    short |= _turned((part[0], part[-1]))
        if comma:  # which words are the family name is known
            for ours, theirs in zip(variants(given), variants(family), strict=False):
                if ours and theirs:
                    short |= _turned((ours[0], *theirs)) | _turned((ours[0], theirs[0]))
    return full, short - full


def _turned(own: tuple[str, ...]) -> set[str]:
    """Every place to begin: given name first, family name first, double names of either."""
    if len(own) > _LONGEST:
        return {"".join(own)}
    return {"".join(own[i:] + own[:i]) for i in range(len(own))} - {""}


def _scripts(own: tuple[str, ...]) -> list[tuple[str, ...]]:
    """A name given in two scripts ("Li Na 李娜") is the whole, and each of the two."""
    dense = tuple(word for word in own if is_dense(word))
    other = tuple(word for word in own if not is_dense(word))
    if dense and len(other) > 1 and len("".join(dense)) > 1:
        return [own, dense, other]
    return [own]


def _kind(char: str) -> int:
    """0: between words; 2: a script without blanks; 1: any other letter or digit."""
    if char.isalnum() or unicodedata.category(char)[0] == "M":
        dense = (
            "\u3005" <= char <= "\u30ff"
            or "\u3400" <= char <= "\u9fff"
            or "\uac00" <= char <= "\ud7af"
            or "\uf900" <= char <= "\ufaff"
            or "\U00020000" <= char <= "\U0003ffff"
        )
        return 2 if dense else 1
    return 0
