"""What is left in a notebook that was run."""

import asyncio
import base64
import io

import nbformat
import nbformat.v4 as v4
import pytest
from PIL import Image, ImageDraw, PngImagePlugin

from rooflib.execution import run, same_but_for_pictures
from rooflib.exercise import AuthorError


def picture(label="B = 128", size=(200, 80), comment=""):
    """A PNG in base64 of a label; the comment changes its bytes and nothing that is seen."""
    image = Image.new("RGBA", size, "white")
    ImageDraw.Draw(image).text((10, 10), label, fill="black", font_size=40)
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", comment)
    buffer = io.BytesIO()
    image.save(buffer, "png", pnginfo=info)
    return base64.b64encode(buffer.getvalue()).decode()


def shown(png, sentence="Math takes 87 µs."):
    cell = v4.new_code_cell("clock()", id="abc", execution_count=1)
    data = {"image/png": png, "text/plain": sentence}
    cell.outputs = [v4.new_output("display_data", data)]
    return v4.new_notebook(cells=[cell])


OLD = shown(picture())
CHANGES = [
    ("nothing", OLD, True),
    ("only bytes", shown(picture(comment="another version")), True),
    ("one digit in the picture", shown(picture("B = 129")), False),
    ("the picture's size", shown(picture(size=(201, 80))), False),
    ("a sentence", shown(picture(), "Math takes 88 µs."), False),
    ("not a picture", shown("Tm90IGEgcGljdHVyZQ=="), False),
    ("no cell", v4.new_notebook(), False),
]


@pytest.mark.parametrize("new, same", [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_only_what_a_reader_sees_makes_a_difference(new, same):
    before = nbformat.writes(new)
    assert same_but_for_pictures(new, OLD) is same
    assert nbformat.writes(new) == before, "comparing must not change what is compared"


def executed(folder, *sources):
    notebook = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    return asyncio.run(run(notebook, folder, "notebooks/text/x.md"))


def test_a_cell_that_raises_is_named_with_its_source_and_error(tmp_path):
    with pytest.raises(AuthorError) as caught:
        executed(tmp_path, "a = 0", "1 / a  # the culprit", "b = 1")
    said = str(caught.value)
    assert said.startswith("notebooks/text/x.md, cell 2 raises ZeroDivisionError")
    assert "# the culprit" in said


def test_a_widget_without_a_picture_is_the_authors_error(tmp_path):
    with pytest.raises(AuthorError, match="cell 1 shows a widget without a picture or words"):
        executed(tmp_path, "import ipywidgets\nipywidgets.IntSlider()")


def test_a_widget_that_leaves_words_is_fine(tmp_path):
    source = "from rooflib import explore\nexplore.predict('few rows')"
    (output,) = executed(tmp_path, source).cells[0].outputs
    assert set(output.data) == {"text/plain"}
    assert "two chips faster than one" in output.data["text/plain"]
