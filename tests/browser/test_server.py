"""What `rooflib` serves, asked without a browser."""

import contextlib
import os
import signal
import socket
import sys
import urllib.error
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.lab import Server
from tests.browser.patience import wait_for


def test_the_only_kernel_is_this_environments(server):
    specs = server.api("api/kernelspecs")
    assert set(specs["kernelspecs"]) == {"python3"}
    argv = specs["kernelspecs"]["python3"]["spec"]["argv"]
    assert Path(argv[0]).parent == Path(sys.executable).parent


def test_the_first_pages_kernel_starts_by_itself(server):
    sessions = wait_for(lambda: server.api("api/sessions"), "session")
    assert sessions[0]["path"] == "notebooks/00_start.ipynb"
    assert urlsplit(server.url).path == "/lab/tree/notebooks/00_start.ipynb"


@pytest.mark.parametrize(
    "plugin, setting, value",
    [
        ("@jupyterlab/apputils-extension:notification", "fetchNews", "false"),
        ("@jupyterlab/apputils-extension:notification", "checkForUpdates", False),
        ("@jupyterlab/notebook-extension:tracker", "windowingMode", "none"),
        ("@jupyterlab/notebook-extension:tracker", "autoStartDefaultKernel", True),
    ],
)
def test_nothing_stands_in_the_way(server, plugin, setting, value):
    schema = server.api(f"lab/api/settings/{plugin}")["schema"]
    assert schema["properties"][setting]["default"] == value


def test_the_root_is_the_books_folder(server):
    names = {entry["name"] for entry in server.api("api/contents")["content"]}
    assert {"notebooks", "exercises", "pyproject.toml"} <= names


def test_nobody_comes_in_without_the_token(server):
    with pytest.raises(urllib.error.HTTPError, match="403"):
        server.api("api/contents", token=False)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no Ctrl-C for one process alone")
def test_without_a_port_the_next_free_one_is_taken_and_ctrl_c_closes_it(newcomer):
    with contextlib.ExitStack() as stack:
        # Tests run in the background ignore Ctrl-C, and so would what they start.
        heeded = signal.signal(signal.SIGINT, signal.default_int_handler)
        stack.callback(signal.signal, signal.SIGINT, heeded)
        with contextlib.suppress(OSError):  # taken already: as good
            stack.enter_context(socket.create_server(("127.0.0.1", 8888)))
        started = Server(*newcomer)
        try:
            assert urlsplit(started.url).port != 8888
            assert started.api("api/kernelspecs")
            assert started.interrupt() == 0
        finally:
            started.stop()
    assert "Traceback" not in started.said()
