"""The frame of every page we write: a small HTML builder, one style, and text made harmless.

Each child of `tag` that is not already `Html` is escaped, so nothing a student wrote becomes
markup by being forgotten. Pages carry no scripts and ask for nothing from outside, and say so
to the browser (Content-Security-Policy).
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterable, Mapping
from string import Formatter

from rooflib.classroom.results.style import CSS
from rooflib.i18n import _


class Html(str):
    """Markup that we wrote ourselves."""

    __slots__ = ()


# What has no shape of its own, or turns the text around it: shown by its number. Tab and new line
# stay, and so do the joiners that some scripts need.
_SHAPELESS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f"
)
_HIDDEN = re.compile(f"[{_SHAPELESS}]")
_SPECIAL = re.compile(f"[&<>\"'{_SHAPELESS}]")
LONGEST = 20_000


def visible(text: str) -> str:
    """The text with every control and direction character shown by its number: [U+202E]."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub(lambda m: f"[U+{ord(m[0]):04X}]", text)


def short(text: str, longest: int = LONGEST) -> str:
    """The text, cut where it is longer than anybody reads, and saying so."""
    more = len(text) - longest
    if more <= 0:
        return text
    return text[:longest] + _(" … (and {n} characters more)").format(n=more)


def escape(child: object) -> Html:
    """`child` as markup: `Html` as it is, everything else as text."""
    if isinstance(child, Html):
        return child
    text = str(child)
    # Most text is plain, and one look tells.
    return Html(html.escape(visible(text)) if _SPECIAL.search(text) else text)


def join(children: Iterable[object]) -> Html:
    return Html("".join([escape(child) for child in children if child is not None]))


def tag(name: str, /, *children: object, **attributes: str | int | None) -> Html:
    """An element: tag("p", "text", class_="note"). None as a child or attribute is left out."""
    opened = _opened(name, tuple(attributes.items())) if attributes else name
    if name in _EMPTY:
        return Html(f"<{opened}>")
    return Html(f"<{opened}>{join(children)}</{name}>")


_EMPTY = frozenset({"meta", "br", "hr"})


@functools.lru_cache(1024)
def _opened(name: str, attributes: tuple[tuple[str, str | int | None], ...]) -> str:
    return name + "".join(
        f' {key.strip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes
        if value is not None
    )


def fill(sentence: str, **values: object) -> Html:
    """A sentence with {names}, each replaced by its value; markup only where it is `Html`."""
    out: list[object] = []
    for text, field, _spec, _conversion in Formatter().parse(sentence):
        out.append(text)
        if field is not None:
            out.append(values[field])
    return join(out)


def said(text: str, **attributes: str) -> Html:
    """A student's words in line: their writing direction stays their own."""
    return tag("bdi", short(text), **attributes)


def headed(title: str, whose: str) -> str:
    """A page's title with the name of its owner."""
    return f"{title}: {whose}" if whose else title


def pairs(values: Mapping[str, object], **attributes: str) -> Html:
    """Labels and their values."""
    return tag(
        "dl",
        *(tag(name, cell) for pair in values.items() for name, cell in zip(_DL, pair, strict=True)),
        **attributes,
    )


_DL = ("dt", "dd")

# A number with its exponent stays on one line; browsers break after the hyphen otherwise.
_POWER = re.compile(r"(\d{1,12}(?:\.\d{1,12})?[eE][-+]?\d{1,4})")


def code(text: str) -> Html:
    """An answer as it was typed or read."""
    pieces = _POWER.split(short(text))
    whole = (tag("span", p, class_="whole") if i % 2 else p for i, p in enumerate(pieces))
    return tag("code", tag("bdi", *whole))


def lines(text: str) -> Html:
    """A message: a paragraph a line; indented lines (a place shown with a caret) keep columns."""
    out: list[Html] = []
    kept: list[str] = []
    for line in [*visible(short(text)).split("\n"), ""]:
        if line.startswith("    "):
            kept.append(line)
            continue
        if kept:
            out.append(tag("pre", "\n".join(kept), class_="place"))
            kept = []
        if line.strip():
            out.append(tag("p", tag("bdi", line)))
    return join(out)


def page(title: str, *children: object, kind: str = "") -> str:
    """A whole page. kind: the body's class."""
    head = join(
        [
            tag("meta", charset="utf-8"),
            tag(
                "meta",
                http_equiv="Content-Security-Policy",
                content="default-src 'none'; style-src 'unsafe-inline'",
            ),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="robots", content="noindex"),
            tag("meta", name="referrer", content="no-referrer"),
            tag("title", title),
            tag("style", Html(CSS)),
        ]
    )
    body = tag("body", tag("main", *children), class_=kind or None)
    # The language of these sentences, as a browser wants to know it.
    return f"<!DOCTYPE html>\n{tag('html', tag('head', head), body, lang=_('en'))}\n"


def table(head: Iterable[object], rows: Iterable[Html], caption: object = None) -> Html:
    """A table that scrolls by itself when it is wider than the page."""
    return tag(
        "div",
        tag(
            "table",
            tag("caption", caption) if caption is not None else None,
            tag("thead", tag("tr", *(_head(cell) for cell in head))),
            tag("tbody", *rows),
        ),
        class_="scroll",
        tabindex=0,
        role="region",
        aria_label=caption if isinstance(caption, str) else _("table"),
    )


def _head(cell: object) -> Html:
    return cell if isinstance(cell, Html) else tag("th", cell, scope="col")
