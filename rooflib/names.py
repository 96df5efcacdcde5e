"""Names that a user may misspell: pick the one meant, or say which there are."""

from collections.abc import Iterable

from rooflib.i18n import _


def nearest(given: object, valid: Iterable[str]) -> list[str]:
    """The valid names that look most like `given`, best first; at most three, often none."""
    import difflib  # here, since only a slip needs it

    by_key = {_key(name): name for name in valid}
    close = difflib.get_close_matches(_key(str(given)), by_key, n=3, cutoff=0.5)
    return [by_key[key] for key in close]


def pick(what: str, given: object, valid: Iterable[str]) -> str:
    """The valid name that equals `given`, letter case, blanks, hyphens and underscores aside.

    Raises TypeError if `given` is no string, and ValueError, with the valid names and the
    nearest of them, if it is none of these.
    """
    names = list(valid)
    if not isinstance(given, str):
        raise TypeError(
            _("{what} must be one of the names {names}; got {given!r}").format(
                what=what, names=", ".join(names), given=given
            )
        )
    for name in names:
        if _key(name) == _key(given):
            return name
    raise ValueError(unknown(what, given, names))


def unknown(what: str, given: object, valid: Iterable[str]) -> str:
    """The sentence for a name that does not exist."""
    names = list(valid)
    text = _("unknown {what} {given!r}; valid: {names}.").format(
        what=what, given=given, names=", ".join(names) or _("none")
    )
    close = nearest(given, names)
    if close:
        text += " " + _("Did you mean {name!r}?").format(name=close[0])
    return text


def _key(name: str) -> str:
    return name.casefold().replace(" ", "").replace("-", "").replace("_", "")
