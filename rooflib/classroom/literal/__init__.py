"""Answers read from the code of a notebook, without running any of it."""
