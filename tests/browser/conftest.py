"""A copy of the book, a server of its own on it, and Chromium with an empty profile."""

import contextlib
import json
import os
import random
import shutil
import socket

import pytest

from tests.browser.lab import BROWSERS, FLAGS, NotebookPage, Server, find_browser


@pytest.fixture(scope="module")
def browser():
    """It ends with the pages' tests: while it lives, its event loop is everybody's."""
    found = find_browser()
    if found is None:
        reason = f"no Chromium here (looked for {', '.join(BROWSERS)})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def newcomer(request, tmp_path_factory):
    """A clone, and the environment of someone whose own python3 kernel does not work."""
    book = tmp_path_factory.mktemp("clone")
    for folder in ("notebooks", "exercises"):
        shutil.copytree(request.config.rootpath / folder, book / folder)
    shutil.copy(request.config.rootpath / "pyproject.toml", book)
    home = tmp_path_factory.mktemp("home")
    kernel = home / "data" / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(
        json.dumps({"argv": ["no-such-python"], "display_name": "Mine", "language": "python"}),
        encoding="utf-8",
    )
    return book, {
        **os.environ,
        "JUPYTER_PREFER_ENV_PATH": "0",
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"),
        "ROOFLIB_PROGRESS": str(home / "progress.json"),
    }


@pytest.fixture(scope="session")
def server(newcomer):
    started = Server(*newcomer, port=_free_port())
    yield started
    started.stop()


@pytest.fixture(scope="module")
def profile(browser):
    """Empty at first; one for all pages, so that they load JupyterLab from its cache."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    yield context
    context.close()


@pytest.fixture
def open_page(profile, server, tmp_path, request):
    """Opens a page of the book (the first, or by its path); leaves a screenshot on failure."""
    pages = []

    def open_(path=None, application="JupyterLab"):
        page = profile.new_page()
        pages.append(page)
        return NotebookPage(page, server.page_url(path, application) if path else server.url)

    yield open_
    for number, page in enumerate(pages):
        if getattr(request.node, "failed", False):
            shot = tmp_path / f"page-{number}.png"
            page.screenshot(path=shot)
            print(f"screenshot: {shot}")
        page.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    item.failed = getattr(item, "failed", False) or report.failed
    return report


def _free_port():
    """Below what systems give out by themselves, or another program could get it meanwhile."""
    for port in random.sample(range(20_000, 32_000), 20):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    pytest.fail("none of twenty ports is free")
