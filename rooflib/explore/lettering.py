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
from matplotlib.transforms import Affine2D

EM = 100.0  # points: the size at which text_to_path gives outlines


def draw(text: Text, renderer: Any) -> None:
    """Draw `text` as `text.draw(renderer)` would, to within a fraction of a pixel."""
    string = text.get_text()
    if not text.get_visible() or not string:
        return
    turned = text.get_rotation() != 0 and text.get_rotation_mode() != "anchor"
    if "\n" in string or "$" in string or turned:
        text.draw(renderer)
        return
    path, width, ascent, descent = outline(string, _key(text.get_fontproperties()))
    pixels = renderer.points_to_pixels(text.get_fontsize()) / EM
    dx = {"left": 0.0, "center": width / 2, "right": width}[text.get_horizontalalignment()]
    dy = {
        "baseline": 0.0,
        "center_baseline": ascent / 2,
        "center": (ascent - descent) / 2,
        "top": ascent,
        "bottom": -descent,
    }[text.get_verticalalignment()]
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
