"""Learner-facing text goes through `_`, so that a translation can follow."""

import gettext
from pathlib import Path

_ = gettext.translation(
    "rooflib", localedir=Path(__file__).parent / "locale", fallback=True
).gettext
