"""Run a notebook in a fresh kernel and leave in it only what a reader, or a diff, should see.

The same text gives the same bytes: ids come from the cells' own text, and times, versions, widget
state and the author's own settings and progress stay out. A widget cannot be seen without a
kernel, so the picture and the sentence that it brings along as its other forms stand in for it.
"""

import base64
import hashlib
import io
import os
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from PIL import Image

from rooflib.exercise import ANSWER, SOLUTION, AuthorError
from rooflib.kernel import ThisPythonKernel

WIDGET = "application/vnd.jupyter.widget-view+json"
PNG, TEXT = "image/png", "text/plain"
TIMEOUT = 120  # seconds for one cell; a reader would not wait for a tenth of it
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}


async def run(notebook: Any, folder: Path, where: str) -> Any:
    """`notebook` executed with `folder` as its current folder, and tidied.

    Raises AuthorError, with the file `where`, the cell and the error, if a cell raises, or shows
    nothing but a widget.
    """
    notebook = _prepared(notebook)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        kernel_manager_class=ThisPythonKernel,
        timeout=TIMEOUT,
        force_raise_errors=True,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    with tempfile.TemporaryDirectory(prefix="rooflib-build-", ignore_cleanup_errors=True) as empty:
        try:
            await client.async_execute(env=clean_environment(Path(empty)))
        except CellExecutionError as error:
            number, cell = _failed(notebook)
            raise AuthorError(
                f"{where}, cell {number} raises {error.ename}: {error.evalue}\n\n{cell.source}"
            ) from error
        except (DeadKernelError, TimeoutError) as error:
            raise AuthorError(f"{where}: {error}") from error
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type == "code":
            _tidy(cell, f"{where}, cell {number}")
    notebook.metadata = nbformat.from_dict(METADATA)
    return notebook


def same_but_for_pictures(new: Any, old: Any) -> bool:
    """Whether two notebooks differ in nothing, except that their PNGs are other bytes for what the
    eye sees as the same picture."""
    old_pictures, new_pictures = _pictures(old), _pictures(new)
    if len(old_pictures) != len(new_pictures):
        return False
    return nbformat.writes(_without_pictures(new)) == nbformat.writes(
        _without_pictures(old)
    ) and all(map(look_alike, new_pictures, old_pictures))


def look_alike(one: bytes, other: bytes) -> bool:
    """Whether two PNGs show the same: another processor may round an edge otherwise.

    A changed digit in a label is some hundred strongly different pixels, so ten are allowed.
    """
    if one == other:
        return True
    try:
        first, second = (_pixels(png) for png in (one, other))
    except (OSError, ValueError):  # not a picture at all
        return False
    if first.shape != second.shape:
        return False
    return int((np.abs(first - second).max(axis=-1) > 64).sum()) <= 10


def _prepared(notebook: Any) -> Any:
    """A copy with ids that only a cell's own text decides, and without the author's tags."""
    notebook = nbformat.from_dict({**notebook, "metadata": METADATA})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        kind = f"{cell.cell_type}\n{cell.source}"
        seen[kind] += 1  # twins differ by which of them they are
        cell.id = hashlib.sha256(f"{kind}\n{seen[kind]}".encode()).hexdigest()[:12]
        tags = [tag for tag in cell.metadata.get("tags", []) if tag not in (ANSWER, SOLUTION)]
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
    return notebook


def clean_environment(empty: Path) -> dict[str, str]:
    """This environment without what would let the author's machine into the outputs."""
    ours = {key: value for key, value in os.environ.items() if key not in _PERSONAL}
    return {
        **ours,
        "LANGUAGE": "C",
        "LC_ALL": "C",
        "PYTHONUTF8": "1",
        "IPYTHONDIR": str(empty / "ipython"),
        "ROOFLIB_PROGRESS": str(empty / "progress.json"),
    }


_PERSONAL = ("MPLBACKEND", "MATPLOTLIBRC", "PYTHONWARNINGS", "PYTHONSTARTUP", "LC_MESSAGES")


def _failed(notebook: Any) -> tuple[int, Any]:
    for number, cell in enumerate(notebook.cells, 1):
        if any(output.output_type == "error" for output in cell.get("outputs", [])):
            return number, cell
    return len(notebook.cells), notebook.cells[-1]


def _tidy(cell: Any, where: str) -> None:
    cell.metadata.pop("execution", None)
    outputs: list[Any] = []
    for output in cell.outputs:
        data = output.get("data")
        if data is not None and data.pop(WIDGET, None) is not None and not _speaks(data):
            raise AuthorError(
                f"{where} shows a widget without a picture or words, so that a reader on GitHub "
                "would see nothing; give its class a _repr_mimebundle_ with text/plain, and "
                f"image/png if it is a picture\n\n{cell.source}"
            )
        if data is not None and PNG in data and not data.get(TEXT, "<").startswith("<"):
            # nbconvert and screen readers look for the sentence here.
            output.metadata[PNG] = {**output.metadata.get(PNG, {}), "alt": data[TEXT]}
        last = outputs[-1] if outputs else None
        if output.output_type == "stream" and last and last.get("name") == output.name:
            last.text += output.text  # how a stream is cut into messages is chance
            continue
        outputs.append(output)
    cell.outputs = outputs


_BARE = re.compile(r"<.*>|[\w.]+\(.*\)", re.DOTALL)  # Python's own names of objects


def _speaks(data: Any) -> bool:
    """Something is left for a reader without a kernel: a picture, or words."""
    return PNG in data or not _BARE.fullmatch(data.get(TEXT, "<>"))


def _pictures(notebook: Any) -> list[bytes]:
    return [
        _decoded(output.data[PNG])
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if PNG in output.get("data", {})
    ]


def _without_pictures(notebook: Any) -> Any:
    notebook = nbformat.from_dict(notebook)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if PNG in output.get("data", {}):
                output.data[PNG] = ""
    return notebook


def _decoded(png: str) -> bytes:
    try:
        return base64.b64decode(png)
    except ValueError:  # not a picture, and like no other
        return png.encode()


def _pixels(png: bytes) -> "np.ndarray[Any, np.dtype[np.int16]]":
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGBA")).astype(np.int16)
