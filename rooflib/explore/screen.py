"""The picture on the page: coarse while it moves, sharp when it rests."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import ipywidgets as widgets

from rooflib.explore.canvas import Canvas

# Seconds without a change, after which the picture is drawn with twice the pixels each way: more
# than between two repeats of a held key, less than a reader notices.
REST = 0.06


class Screen:
    """An Image of fixed width that shows a canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        # No tooltip: ImageView of ipywidgets 8.1 fails on one in JupyterLab.
        self.image = widgets.Image(format="png", width=canvas.width)
        self.image.layout = widgets.Layout(width=f"{canvas.width}px", max_width="100%")
        self._waiting: asyncio.TimerHandle | None = None

    def draw(self, *, sharp: bool = False) -> None:
        """Show the canvas as it is now. Without an event loop to wait in, sharp at once."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        loop = None
        with suppress(RuntimeError):
            loop = asyncio.get_running_loop()
        if sharp or loop is None:
            self._sharpen()
        else:
            self.image.value = self.canvas.png(1)
            self._waiting = loop.call_later(REST, self._sharpen)

    def _sharpen(self) -> None:
        self._waiting = None
        self.image.value = self.canvas.png(2)
