"""What every test shares."""

import sys

import pytest
from hypothesis import settings

# Looking for doctests imports what it finds, and a benchmark chooses a backend as it is imported.
collect_ignore = ["benchmarks"]

# The first example of a property may pay for an import; a law is no matter of milliseconds.
settings.register_profile("calm", deadline=None)
settings.load_profile("calm")


@pytest.fixture(autouse=True)
def _no_figure_is_left_open():
    """A test that counts pyplot's figures must not find another test's."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
