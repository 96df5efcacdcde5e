"""A prediction in words: choose, commit, and be answered."""

from __future__ import annotations

import html
from typing import Any

import ipywidgets as widgets

from rooflib.explore.predictions import PREDICTIONS, Prediction
from rooflib.i18n import _
from rooflib.names import pick


def predict(name: str) -> Predictor:
    """The prediction of that name, as a cell's last line shows it.

    Raises ValueError, with the names there are, for one that does not exist.
    """
    return Predictor(PREDICTIONS[pick(_("prediction"), name, PREDICTIONS)]())


class Predictor:
    """Options to choose from, a button to commit, one to skip, and the reply.

    asked: the open question, None when all is said. choice, commit, pass_, reply: the widgets.
    text: all that is on the screen, as plain text.
    """

    def __init__(self, prediction: Prediction) -> None:
        self.asked: Prediction | None = prediction
        self._said: list[str] = []
        self.question, self.reply = (
            widgets.HTML(layout=widgets.Layout(width="720px", max_width="98%")) for _one in "qr"
        )
        self.choice = widgets.RadioButtons(options=[], layout=widgets.Layout(width="max-content"))
        self.commit = widgets.Button(description=_("I predict this"), button_style="primary")
        self.pass_ = widgets.Button(description=_("Skip"))
        self.buttons = widgets.HBox([self.commit, self.pass_])
        self.box = widgets.VBox([self.reply, self.question, self.choice, self.buttons])
        self.choice.observe(self._chosen, names="index")
        self.commit.on_click(self._committed)
        self.pass_.on_click(self._skipped)
        self._show()

    @property
    def text(self) -> str:
        lines = list(self._said)
        if self.asked is not None:
            lines.append(self.asked.ask)
            lines += [f"  - {option.text}" for option in self.asked.options]
        return "\n".join(lines)

    def _show(self) -> None:
        asked = self.asked
        said = "".join(f"<p style='margin:0 0 .4em'>{html.escape(text)}</p>" for text in self._said)
        self.reply.value = (
            f'<div role="status" aria-live="polite" style="line-height:1.45">{said}</div>'
        )
        self.reply.layout.display = "" if said else "none"
        open_ = "" if asked is not None else "none"
        for widget in (self.question, self.choice, self.buttons):
            widget.layout.display = open_
        if asked is not None:
            self.question.value = f"<div style='line-height:1.45'>{html.escape(asked.ask)}</div>"
            self.choice.options = [option.text for option in asked.options]
            self.choice.index = None
            self.commit.disabled = True

    def _chosen(self, _change: Any = None) -> None:
        self.commit.disabled = self.choice.index is None

    def _committed(self, _button: Any = None) -> None:
        if self.asked is None or self.choice.index is None:
            return
        option = self.asked.options[self.choice.index]
        mark = "✓" if self.choice.index == self.asked.right else "✗"
        said = _("{mark} You said: {choice}. {reply} {truth}")
        self._answered(
            said.format(mark=mark, choice=option.text, reply=option.reply, truth=self.asked.truth)
        )

    def _skipped(self, _button: Any = None) -> None:
        if self.asked is not None:
            self._answered(self.asked.truth)

    def _answered(self, said: str) -> None:
        assert self.asked is not None
        self._said.append(said)
        self.asked = self.asked.reason
        self._show()

    def _repr_mimebundle_(self, **_kwargs: Any) -> dict[str, Any]:
        """The live widget where there is a kernel; the question and its options elsewhere."""
        return {
            "text/plain": self.text,
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self.box.model_id,
            },
        }
