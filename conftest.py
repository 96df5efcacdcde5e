"""What holds for every test, the notebooks' cells under nbval included."""

import hashlib
import os
import tempfile
from pathlib import Path

import pytest

# A reader's own versions of pages, which `rooflib restore` keeps.
collect_ignore_glob = ["*.mine.ipynb", "*.mine-*.ipynb"]


def pytest_configure(config: pytest.Config) -> None:
    """Kernels and subprocesses inherit this: the machine's language and settings stay out."""
    os.environ |= {"LANGUAGE": "C", "LC_ALL": "C", "PYTHONUTF8": "1"}
    os.environ.pop("MPLBACKEND", None)
    os.environ["ROOFLIB_PROGRESS"] = str(_store("session"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, so that at the end no process waits for another: the pages in the
    browser, which are one scope, then the notebooks; the rest as it was collected."""
    items.sort(key=lambda item: (item.path.name != "test_pages.py", item.path.suffix != ".ipynb"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each notebook, like each test, starts with nothing answered: neither the tester's own
    progress nor what another notebook solved."""
    if item.path.suffix != ".ipynb":
        name = item.nodeid
    elif item.name == "Cell 0":  # its kernel starts now and keeps this setting
        name = str(item.path)
    else:
        return
    store = _store(name)
    store.unlink(missing_ok=True)
    os.environ["ROOFLIB_PROGRESS"] = str(store)


_STORES = tempfile.TemporaryDirectory(prefix="rooflib-tests-", ignore_cleanup_errors=True)


def _store(name: str) -> Path:
    return Path(_STORES.name, hashlib.sha256(name.encode()).hexdigest()[:16] + ".json")
