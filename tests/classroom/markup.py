"""Read a page back: its tags, their attributes, and the text between them."""

from html.parser import HTMLParser

VOID = {"meta", "br", "hr"}


class Skeleton(HTMLParser):
    """tags: every tag as it opens, with its attributes. Raises AssertionError if one is not closed."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts, self._open = [], [], []
        self.feed(page)
        self.close()
        assert self._open == [], self._open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] != ["style"]:
            self.texts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data!r}")

    def unknown_decl(self, data):
        raise AssertionError(f"a declaration: {data!r}")

    def handle_pi(self, data):
        raise AssertionError(f"an instruction: {data!r}")

    @property
    def names(self):
        return [tag for tag, _attributes in self.tags]

    @property
    def text(self):
        return "".join(self.texts)


FOREIGN = {
    "script", "img", "iframe", "object", "embed", "link", "base", "form", "input", "audio", "video",
    "template", "foreignobject",
}  # fmt: skip
HARMLESS_LINKS = ("#",)


def assert_self_contained(page):
    """No scripts, no handlers, nothing from outside."""
    skeleton = Skeleton(page)
    assert not FOREIGN & set(skeleton.names)
    for tag, attributes in skeleton.tags:
        for name, value in attributes:
            assert not name.startswith("on"), (tag, name)
            if name in ("href", "src", "action", "xlink:href"):
                assert value.startswith(HARMLESS_LINKS), (tag, value)
    assert "url(http" not in page
    assert "@import" not in page
    return skeleton


NASTY = [
    "<script>alert(1)</script>",
    "</title><script>",
    "</style><img src=x onerror=alert(1)>",
    "<!-- ",
    "]]>",
    "&lt;b&gt;",
    '" onclick="alert(1)',
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "{name} {0} {__class__}",
    "\u202egnp.exe\u202c",
    "\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
    "null\0byte",
    "\x1b[31mred",
    "\ud800 alone",
    "\ufeff\ufffe\uffff",
    "\U000e0041\U000e0042",
    "x" * 5000,
    '=HYPERLINK("http://x";"y")',
    "z\u0300\u0301\u0302\u0303" * 50,
    "line\r\nline\rline\nline\u2028line",
    "",
    "   ",
]
