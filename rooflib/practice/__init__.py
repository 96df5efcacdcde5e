"""The exercises: check an answer, ask for a hint, see the solution, see how far you are."""

from rooflib.practice.session import check
from rooflib.practice.talk import given, hint, progress, solution

__all__ = ["check", "given", "hint", "progress", "solution"]
