"""Open the book in JupyterLab: on its first page, with its kernel, and nothing in the way."""

import hashlib
import os
import secrets
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import NATIVE_KERNEL_NAME
from jupyter_core.paths import jupyter_data_dir
from jupyterlab.handlers.announcements import NeverCheckForUpdate
from jupyterlab.labapp import LabApp
from tornado.netutil import bind_sockets

from rooflib.book import Book, BookError
from rooflib.i18n import _
from rooflib.kernel import ENCRYPTION

HOST = "localhost"
SETTINGS = Path(__file__).parent / "_jupyter"  # holds labconfig/default_setting_overrides.json


def open_book(book: Book, *, port: int | None = None, browser: bool = True) -> None:
    """Serve `book` until it is interrupted, and print where it is.

    With a `port` it is that one; without, the next that is free from 8888 on.
    Raises BookError if there is no page to open or the port cannot be had.
    """
    page = book.first_page().relative_to(book.root).as_posix()
    if port is not None:
        _must_be_free(port)
    searched = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, [str(SETTINGS), searched]))
    token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    arguments = {
        "ServerApp.root_dir": str(book.root),
        "ServerApp.ip": HOST,
        "ServerApp.open_browser": browser,
        "ServerApp.answer_yes": True,  # Ctrl-C stops it without a question
        "ServerApp.allow_root": True,  # in a container there is nobody else; the token still holds
        "ServerApp.kernel_spec_manager_class": "rooflib.kernel.ThisPython",
        "KernelManager.transport_encryption": ENCRYPTION,
        "Application.log_level": "ERROR",
        "IdentityProvider.token": token,
        "LabApp.default_url": f"/lab/tree/{page}",
        "LabApp.workspaces_dir": str(_workspaces(book)),
        "LabApp.extension_manager": "readonly",  # nothing is looked up elsewhere
        "LabApp.check_for_updates_class": f"{NeverCheckForUpdate.__module__}.NeverCheckForUpdate",
    }
    if port is not None:
        arguments |= {"ServerApp.port": port, "ServerApp.port_retries": 0}
    server = LabApp.initialize_server(argv=[f"--{name}={v}" for name, v in arguments.items()])
    url = f"http://{HOST}:{server.port}{server.base_url}lab/tree/{page}?token={token}"
    server.io_loop.add_callback(_say_where, url)  # behind the callback that binds the port
    server.io_loop.add_callback(_warm_up, server, page)
    server.start()


def _say_where(url: str) -> None:
    print(
        _("The book is open at\n\n    {url}\n\nCtrl-C here closes it.").format(url=url), flush=True
    )


async def _warm_up(server: Any, page: str) -> None:
    """Start the page's kernel while the browser is still loading.

    It spares the reader the wait, and JupyterLab the question which kernel to take, which it asks
    when cells are run before the page knows its kernel.
    """
    await server.session_manager.create_session(
        path=page, name=Path(page).name, type="notebook", kernel_name=NATIVE_KERNEL_NAME
    )


def _must_be_free(port: int) -> None:
    try:
        sockets = bind_sockets(port, HOST)
    except OSError as error:
        raise BookError(
            _(
                "port {port} cannot be had ({reason}). Is the book open there already? Then close "
                "it with Ctrl-C, or choose another: rooflib --port {other}. Without --port the "
                "next free one is taken."
            ).format(port=port, reason=error.strerror or error, other=min(port + 1, 65535))
        ) from error
    for opened in sockets:
        opened.close()


def _workspaces(book: Book) -> Path:
    """Which pages are open is kept per book, so that the tabs of other work stay where they are."""
    key = hashlib.sha256(str(book.root).encode()).hexdigest()[:12]
    return Path(jupyter_data_dir()) / "rooflib" / "workspaces" / key
