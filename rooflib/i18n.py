"""Learner-facing text goes through `_`, so that a translation can follow."""

import gettext
import os

_ = gettext.translation(
    "rooflib", localedir=os.path.join(os.path.dirname(__file__), "locale"), fallback=True
).gettext
