"""Learner-facing text goes through `_`, so that a translation can follow."""

import functools
import os
from collections.abc import Callable


def _(message: str) -> str:
    """`message` in the reader's language, where there is a translation."""
    return _translate()(message)


@functools.cache
def _translate() -> Callable[[str], str]:
    import gettext  # here, so that importing rooflib stays light

    folder = os.path.join(os.path.dirname(__file__), "locale")
    return gettext.translation("rooflib", localedir=folder, fallback=True).gettext
