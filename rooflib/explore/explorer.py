"""The connector: ipywidgets that pass values to a scene and show its picture and sentence.

Commit, then move: while a question is open the controls are locked and only the reader's mark
moves on the picture. "I predict this" leaves the mark there and opens the controls; "Skip" opens
them without a mark.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from rooflib.explore import room
from rooflib.explore.controls import WIDE, Control, options
from rooflib.explore.scene import Question, Scene
from rooflib.i18n import _


class Explorer:
    """A picture, its sentence and its controls; displays itself, and works by keyboard alone.

    sliders: the controls by name; image, sentence: the widgets; settings: the values by name;
    set(B=240): moves controls from code; code(): the call that draws what is on the screen.
    ask=False leaves the questions out.
    """

    def __init__(self, scene: Scene, *, ask: bool = True) -> None:
        self.scene = scene
        self.questions = tuple(scene.questions) if ask else ()
        self.answered = 0 if ask else len(scene.questions)
        self.prediction: Any = None
        self._quiet = False
        self._reply = ""
        self._make_widgets()
        self._open_question()
        self._update()

    # What others use.

    @property
    def settings(self) -> dict[str, Any]:
        return {name: widget.value for name, widget in self.sliders.items()}

    @property
    def text(self) -> str:
        """The sentence as plain text."""
        return self._text

    @property
    def locked(self) -> bool:
        """A question is open: it wants a prediction, or a skip, before the controls open."""
        return self._asking

    def set(self, **settings: Any) -> Explorer:
        """Move controls to values: set(B=240, chip="H100"). Returns the explorer.

        Raises ValueError for a setting this picture does not have or a value out of range.
        """
        controls = {control.name: control for control in self.scene.controls}
        for name, value in settings.items():
            if name not in controls:
                raise ValueError(
                    _("no setting is called {name!r} here; there are {valid}").format(
                        name=name, valid=", ".join(controls)
                    )
                )
            controls[name].check(value)
        self._put(settings)
        self._moved()
        return self

    def code(self) -> str:
        return self.scene.code(self.settings)

    def png(self) -> bytes:
        return self.scene.canvas.png()

    def predict(self, value: Any) -> None:
        """Place the mark at `value` and commit to it, as the button does.

        Raises ValueError when no question is open or `value` is off the mark's slider.
        """
        question = self._question
        if question is None or not self._asking:
            raise ValueError(_("no question is open; press the button beside the mark to be asked"))
        Control("prediction", question.label, question.values, 0, words=question.words).put(
            self.mark, value
        )
        self._commit()

    def skip(self) -> None:
        self._skip()

    # The state of the questions.

    @property
    def _question(self) -> Question | None:
        return self.questions[self.answered] if self.answered < len(self.questions) else None

    def _open_question(self) -> None:
        """Lock the controls and ask, if there is something left to ask."""
        question = self._question
        self._asking = question is not None
        self._reply = ""
        if question is not None:
            self._quiet = True
            self.mark.options = options(question.values, question.words)
            self.mark.value = question.start
            self.mark.description = question.label
            self._quiet = False
            self._put({control.name: control.start for control in self.scene.controls})
            for each in self.questions:
                each.pin.hide()
        self._lock()

    def _lock(self) -> None:
        asking = self._asking
        for control in self.scene.controls:
            widget = self.sliders[control.name]
            widget.disabled = asking
            shown = control.after <= self.answered
            widget.layout.visibility = "visible" if shown else "hidden"
        self.mark.disabled = not asking
        self.commit.description = _("I predict this") if asking else self._next_words()
        self.commit.button_style = "primary" if asking else ""
        self.pass_.layout.visibility = "visible" if asking else "hidden"
        self.row.layout.display = "" if self.questions else "none"

    def _next_words(self) -> str:
        return _("Next question") if self._question is not None else _("Ask me again")

    def _commit(self, _button: Any = None) -> None:
        question = self._question
        if not self._asking or question is None:
            self.answered %= max(len(self.questions), 1)
            self._open_question()
            self._update()
            return
        self.prediction = self.mark.value
        self._close_question(question, question.reply(self.prediction))

    def _skip(self, _button: Any = None) -> None:
        question = self._question
        if self._asking and question is not None:
            self.prediction = None
            question.pin.hide()
            self._close_question(question, "")

    def _close_question(self, question: Question, reply: str) -> None:
        self.answered += 1
        self._asking = False
        self._reply = reply
        self._lock()
        self._put(question.reveal)
        self._update()

    # Widgets, and how they pass values on.

    def _make_widgets(self) -> None:
        scene = self.scene
        width = f"{scene.canvas.width}px"
        # No tooltip: ImageView of ipywidgets 8.1 fails on one in JupyterLab.
        self.image = widgets.Image(
            format="png",
            width=scene.canvas.width,
            layout=widgets.Layout(width=width, max_width="100%"),
        )
        self.sentence = widgets.HTML(layout=widgets.Layout(width=width, max_width="98%"))
        self.sliders = {control.name: control.widget() for control in scene.controls}
        for widget in self.sliders.values():
            widget.observe(self._guarded(self._moved), names="value")
        self.mark = widgets.SelectionSlider(
            options=["-"],
            style=WIDE,
            layout=widgets.Layout(width="440px", max_width="98%"),
        )
        self.mark.observe(self._guarded(self._moved), names="value")
        self.commit = widgets.Button(layout=widgets.Layout(width="130px"))
        self.pass_ = widgets.Button(description=_("Skip"), layout=widgets.Layout(width="70px"))
        self.commit.on_click(self._guarded(self._commit))
        self.pass_.on_click(self._guarded(self._skip))
        self.row = widgets.HBox([self.mark, self.commit, self.pass_])
        self.copy = widgets.Button(
            description=_("Show as code"), layout=widgets.Layout(width="130px")
        )
        self.copied = widgets.HTML()
        self.copy.on_click(self._guarded(self._show_code))
        self.box = widgets.VBox(
            [
                self.image,
                self.sentence,
                self.row,
                *self.sliders.values(),
                self.copy,
                self.copied,
            ]
        )

    def _put(self, settings: Mapping[str, Any]) -> None:
        """Set several controls and redraw not at all."""
        controls = {control.name: control for control in self.scene.controls}
        self._quiet = True
        try:
            for name, value in settings.items():
                controls[name].put(self.sliders[name], value)
        finally:
            self._quiet = False

    def _moved(self, _change: Any = None) -> None:
        if not self._quiet:
            if not self._asking:
                self._reply = ""
            self._update()

    def _guarded(self, call: Callable[[Any], None]) -> Callable[[Any], None]:
        """Errors go into the sentence, in words: a traceback in a log helps no reader."""

        def guarded(event: Any) -> None:
            try:
                call(event)
            except Exception as error:
                self._say(_("This did not work: {error}").format(error=error))

        return guarded

    def _update(self) -> None:
        question = self._question if self._asking else None
        marked, value = question, self.mark.value
        if question is None and self.prediction is not None:
            marked, value = self._last, self.prediction
        if marked is not None:
            marked.pin.show(value, self._mark_words(marked, value))
        shown = self.scene.show(self.settings, self.answered)
        if marked is not None:
            room.make(marked.pin.text, marked.pin.places())
        self.image.value = self.png()
        self._say(question.ask if question is not None else shown, self._reply)
        if self.copied.value:
            self._write_code()

    @property
    def _last(self) -> Question | None:
        return self.questions[self.answered - 1] if self.questions and self.answered else None

    @staticmethod
    def _mark_words(question: Question, value: Any) -> str:
        return _("your mark: {value}").format(value=question.words(value))

    def _say(self, text: str, reply: str = "") -> None:
        self._text = f"{reply} {text}".strip()
        lead = f"<b>{html.escape(reply)}</b> " if reply else ""
        self.sentence.value = (
            '<div role="status" aria-live="polite" style="line-height:1.45;min-height:5.8em">'
            f"{lead}{html.escape(text)}</div>"
        )

    def _show_code(self, _button: Any) -> None:
        if self.copied.value:
            self.copied.value = ""
            self.copy.description = _("Show as code")
        else:
            self._write_code()
            self.copy.description = _("Hide the code")

    def _write_code(self) -> None:
        self.copied.value = (
            '<pre style="margin:0;user-select:all;line-height:1.4">'
            f"{html.escape(self.code())}</pre>"
        )

    def _repr_mimebundle_(self, **_kwargs: Any) -> dict[str, Any]:
        """The live widget where there is a kernel; a picture and its sentence everywhere else."""
        return {
            "text/plain": self._text,
            "image/png": base64.b64encode(self.png()).decode("ascii"),
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self.box.model_id,
            },
        }
