"""The problems, one file each; a new file here and its name below is all a problem needs."""

from __future__ import annotations

import functools
import importlib
from types import ModuleType

from rooflib.practice.question import Problem

ORDER = ("1", "2", "3", "4", "5", "6", "7", "8")


@functools.cache
def module(problem: str) -> ModuleType:
    """The file of a problem: `BOOK`, its numbers in the book, and `build(numbers)`."""
    return importlib.import_module(f"rooflib.practice.problems.p{problem}")


@functools.cache
def book(problem: str) -> Problem:
    """The problem with the book's numbers."""
    built: Problem = module(problem).build(module(problem).BOOK)
    return built
