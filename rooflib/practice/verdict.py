"""What `check` answers with: an outcome, a message, a score, and the same for each part."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rooflib.i18n import _

UNATTEMPTED = "unattempted"
UNREADABLE = "unreadable"
UNDECIDED = "undecided"
WRONG = "wrong"
PARTLY = "partly"
RIGHT = "right"
OUTCOMES = (UNATTEMPTED, UNREADABLE, UNDECIDED, WRONG, PARTLY, RIGHT)

# A mark and a word, so that nothing hangs on colour or on one glyph.
_MARKS = {UNATTEMPTED: "○", UNREADABLE: "?", UNDECIDED: "?", WRONG: "✗", PARTLY: "◐", RIGHT: "✓"}


def word(outcome: str) -> str:
    """The outcome as the reader sees it."""
    return {
        UNATTEMPTED: _("not attempted"),
        UNREADABLE: _("could not read"),
        UNDECIDED: _("cannot decide"),
        WRONG: _("not yet"),
        PARTLY: _("partly"),
        RIGHT: _("right"),
    }[outcome]


@dataclass(frozen=True)
class Verdict:
    """The verdict on a question, or on one part of it.

    outcome: one of `OUTCOMES`. score: 0 to 1. message: plain text, may hold several lines.
    echo: how a formula or number was read. parts: the verdict on each part, by name.
    key: which known answer was recognised (for tests and teachers). draws: makes the PNG that goes
    with the verdict on a plot.
    """

    outcome: str
    message: str
    score: float = 0.0
    parts: Mapping[str, Verdict] = field(default_factory=lambda: MappingProxyType({}))
    name: str = ""
    echo: str = ""
    key: str = ""
    draws: Callable[[], bytes] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        assert self.outcome in OUTCOMES, self.outcome
        object.__setattr__(self, "parts", MappingProxyType(dict(self.parts)))

    @property
    def picture(self) -> bytes:
        """The PNG that goes with it; empty where there is none."""
        return self.draws() if self.draws else b""

    @property
    def mark(self) -> str:
        return f"{_MARKS[self.outcome]} {word(self.outcome)}"

    @property
    def read_as(self) -> str:
        return _("read as {echo}").format(echo=self.echo) if self.echo else ""

    def _rows(self) -> list[tuple[str, Verdict]]:
        """The parts to show one by one; a question of one part is its own row."""
        return list(self.parts.items()) if len(self.parts) > 1 else []

    @property
    def _single(self) -> Verdict:
        return next(iter(self.parts.values())) if len(self.parts) == 1 else self

    def __repr__(self) -> str:
        head = f"{self.name}  {self.mark}".strip()
        rows = self._rows()
        if not rows:
            read_as = self._single.read_as
            return "\n".join(
                filter(None, [f"{head}  ({read_as})" if read_as else head, self._text])
            )
        width = max(len(name) for name, _part in rows)
        lines = [head]
        for name, part in rows:
            read_as = f"  ({part.read_as})" if part.read_as else ""
            lines.append(f"  {name:<{width}}  {part.mark}{read_as}")
            if part.message and part.outcome != UNATTEMPTED:
                lines += [f"  {' ' * width}  {line}" for line in part.message.splitlines()]
        if self._text:
            lines.append(self._text)
        return "\n".join(lines)

    @property
    def _text(self) -> str:
        """What is said about the whole, the parts aside."""
        if not self._rows():
            return self.message
        return self.closing

    @property
    def closing(self) -> str:
        said = [p.message for p in self.parts.values() if p.outcome != UNATTEMPTED]
        text = self.message
        for message in said:
            text = text.replace(message, "", 1)
        return text.strip()

    def _ipython_display_(self) -> None:
        """In a notebook: the words, then the picture, as two outputs.

        A front end shows only one form of each. Without a picture IPython does as usual.
        """
        if not any(part.draws for part in (self, *self.parts.values())):
            raise NotImplementedError
        from IPython.display import display

        forms = {
            "text/plain": repr(self),
            "text/html": self._repr_html_(),
            "text/markdown": self._repr_markdown_(),
        }
        display(forms, raw=True)  # type: ignore[no-untyped-call]
        for part in (self, *self.parts.values()):
            if part.draws:
                said = _("your curves, over the shape that is asked for")
                shown = {"text/plain": said, "image/png": _base64(part.picture)}
                display(shown, raw=True)  # type: ignore[no-untyped-call]

    def _repr_html_(self) -> str:
        # Borders and text take the page's own colours, so light and dark themes both work.
        style = "border-left:0.25em solid currentColor;padding:0.2em 0.8em;margin:0.3em 0"
        head = f"<strong>{_h(f'{self.name} {self.mark}')}</strong>"
        rows = self._rows()
        if not rows:
            body = _read_html(self._single) + _html_text(self.message)
            return f'<div role="group" style="{style}">{head}{body}</div>'
        items = "".join(
            f"<li><strong>{_h(name)}</strong>: {_h(part.mark)}{_read_html(part)}"
            + (_html_text(part.message) if part.outcome != UNATTEMPTED else "")
            + "</li>"
            for name, part in rows
        )
        return (
            f'<div role="group" style="{style}">{head}<ul style="margin:0.3em 0">{items}</ul>'
            f"{_html_text(self._text)}</div>"
        )

    def _repr_markdown_(self) -> str:
        lines = [f"**{self.name} {self.mark}**"]
        for name, part in self._rows():
            lines.append(f"- **{name}**: {part.mark}{_read_markdown(part)}")
            if part.outcome != UNATTEMPTED:
                lines.append(_markdown_text(part.message, "  "))
        if not self._rows():
            lines[0] += _read_markdown(self._single)
        lines.append(_markdown_text(self._text, ""))
        return "\n\n".join(line for line in lines if line)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _h(text: str) -> str:
    return html.escape(text)


def _read_html(part: Verdict) -> str:
    if not part.echo:
        return ""
    said = _h(_("read as {echo}")).replace("{echo}", f"<code>{_h(part.echo)}</code>")
    return f" ({said})"


def _read_markdown(part: Verdict) -> str:
    if not part.echo:
        return ""
    return " (" + _("read as {echo}").replace("{echo}", _code(part.echo)) + ")"


def _code(text: str) -> str:
    fence = "`" * (1 + max((len(run) for run in _runs(text, "`")), default=0))
    return f"{fence} {text} {fence}" if "`" in text else f"`{text}`"


def _runs(text: str, char: str) -> list[str]:
    runs, current = [], ""
    for c in text + "\0":
        if c == char:
            current += c
        elif current:
            runs.append(current)
            current = ""
    return runs


def _html_text(text: str) -> str:
    """Paragraphs; indented lines (a place shown with a caret) keep their columns."""
    out: list[str] = []
    for kind, block in _blocks(text):
        if kind == "pre":
            out.append(f'<pre style="margin:0.2em 0">{_h(block)}</pre>')
        else:
            out.append(f'<p style="margin:0.2em 0">{_h(block)}</p>')
    return "".join(out)


_SPECIAL = str.maketrans({c: "\\" + c for c in "\\`*_{}[]<>#|~$"})


def markdown_escaped(text: str) -> str:
    """The text with every character that Markdown would read as a sign of its own escaped."""
    return text.translate(_SPECIAL)


def _markdown_text(text: str, indent: str) -> str:
    out: list[str] = []
    for kind, block in _blocks(text):
        if kind == "pre":
            fenced = f"````\n{block}\n````"
            out.append("\n".join(indent + line for line in fenced.splitlines()))
        else:
            out.append(indent + markdown_escaped(block))
    return "\n\n".join(out)


def _blocks(text: str) -> list[tuple[str, str]]:
    blocks: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        kind = "pre" if line.startswith("    ") else "p"
        if blocks and blocks[-1][0] == kind == "pre":
            blocks[-1][1].append(line)
        elif line.strip():
            blocks.append((kind, [line]))
    return [(kind, "\n".join(lines)) for kind, lines in blocks]
