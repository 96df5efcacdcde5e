"""Text as filled outlines, for the labels that change while a slider moves.

matplotlib lays out and hints every string anew, at 1 to 2.5 ms each: with eight labels that is
more than everything else in a step together. Here each character's outline is fetched once and a
label is one path, which takes a tenth of that. Meant for plain single lines; anything else (several
lines, formulas, rotation about the middle) is left to matplotlib.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, Bbox

EM = 100.0  # points: the size at which text_to_path gives outlines


def draw(text: Text, renderer: Any) -> None:
    """Draw `text` as `text.draw(renderer)` would, to within a fraction of a pixel."""
    string = text.get_text()
    if not text.get_visible() or not string:
        return
    if not _plain(text):
        text.draw(renderer)
        return
    path, width, ascent, descent = outline(string, _key(text.get_fontproperties()))
    pixels = renderer.points_to_pixels(text.get_fontsize()) / EM
    dx, dy = _anchor(text, width, ascent, descent)
    x, y = text.get_transform().transform(text.get_position())
    place = Affine2D().translate(-dx, -dy).scale(pixels)
    place = place.rotate_deg(text.get_rotation()).translate(x, y)
    gc = renderer.new_gc()
    gc.set_linewidth(0)
    patch: Any = text.get_bbox_patch()
    if patch is not None and patch.get_visible():
        pad = renderer.points_to_pixels(patch.get_boxstyle().pad * text.get_fontsize()) / pixels
        box = Path(
            [
                (-pad, -descent - pad),
                (width + pad, -descent - pad),
                (width + pad, ascent + pad),
                (-pad, ascent + pad),
                (0, 0),
            ],
            closed=True,
        )
        renderer.draw_path(gc, box, place, patch.get_facecolor())
    renderer.draw_path(gc, path, place, to_rgba(text.get_color(), text.get_alpha()))
    gc.restore()


def box(text: Text) -> Bbox:
    """Where `text` stands in its figure, in pixels."""
    if not _plain(text) or text.get_rotation() != 0 or text.figure is None:
        return text.get_window_extent()
    font = _key(text.get_fontproperties())
    _path, width, ascent, descent = outline(text.get_text(), font)
    pixels = float(text.get_fontsize()) / EM * text.figure.dpi / 72
    dx, dy = _anchor(text, width, ascent, descent)
    x, y = text.get_transform().transform(text.get_position())
    left, bottom = x - dx * pixels, y - (dy + descent) * pixels
    return Bbox.from_bounds(left, bottom, width * pixels, (ascent + descent) * pixels)


def _plain(text: Text) -> bool:
    turned = text.get_rotation() != 0 and text.get_rotation_mode() != "anchor"
    return not ("\n" in text.get_text() or "$" in text.get_text() or turned)


def _anchor(text: Text, width: float, ascent: float, descent: float) -> tuple[float, float]:
    """The point of the words that stands at the text's position, from their baseline's start."""
    across = {"left": 0.0, "center": width / 2, "right": width}
    up = {
        "baseline": 0.0,
        "center_baseline": ascent / 2,
        "center": (ascent - descent) / 2,
        "top": ascent,
        "bottom": -descent,
    }
    return across[text.get_horizontalalignment()], up[text.get_verticalalignment()]


def _key(font: FontProperties) -> FontProperties:
    same = font.copy()
    same.set_size(EM)
    return same


@lru_cache(maxsize=1024)
def outline(string: str, font: FontProperties) -> tuple[Path, float, float, float]:
    """The path of `string` at size EM, its width, and the line's ascent and descent."""
    vertices, codes, x = [], [], 0.0
    for character in string:
        shape, shape_codes, advance = _glyph(character, font)
        vertices.append(shape + np.array([x, 0.0]))
        codes.append(shape_codes)
        x += advance
    _, height, descent = text_to_path.get_text_width_height_descent("lp", font, ismath=False)
    return Path(np.concatenate(vertices), np.concatenate(codes)), x, height - descent, descent


@lru_cache(maxsize=1024)
def _glyph(character: str, font: FontProperties) -> tuple[np.ndarray, np.ndarray, float]:
    vertices, codes = text_to_path.get_text_path(font, character)

    def width(string: str) -> float:
        return float(text_to_path.get_text_width_height_descent(string, font, ismath=False)[0])

    # How far eleven of them reach beyond one, so that the room after the last does not count.
    shape = np.reshape(np.asarray(vertices, float), (-1, 2))
    return shape, np.asarray(codes, np.uint8), (width(character * 11) - width(character)) / 10
