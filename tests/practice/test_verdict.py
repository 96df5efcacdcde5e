"""Verdicts in a terminal, in a notebook and for a screen reader."""

import re
from html.parser import HTMLParser

import pytest

from rooflib.practice import check, hint, progress
from rooflib.practice.verdict import OUTCOMES, Verdict, word

NASTY = '<img src=x onerror="alert(1)">&*_`$x$'


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.said = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_has_a_mark_and_a_word(outcome):
    verdict = Verdict(outcome, "A sentence.", name="1a")
    assert word(outcome) in verdict.mark
    assert len(verdict.mark.split(" ", 1)[0]) == 1
    for text in (repr(verdict), verdict._repr_html_(), verdict._repr_markdown_()):
        assert word(outcome) in text
        assert "A sentence." in text


def test_the_words_differ():
    assert len({word(outcome) for outcome in OUTCOMES}) == len(OUTCOMES)


def verdicts():
    yield check("1a", read="B*D + D*F", written="2*B*F")
    yield check("1b", "2BDG")
    yield check("1b", "2BDF")
    yield check("1c", intensity=NASTY, batch=NASTY)
    yield check("1b", NASTY)
    yield check("1a", **{NASTY: 3})
    yield check(NASTY)


def test_html_is_well_formed_and_takes_the_page_s_colours():
    for verdict in verdicts():
        page = verdict._repr_html_()
        seen = Tags(page)
        assert seen.open == []
        assert {tag for tag, _ in seen.tags} <= {"div", "strong", "ul", "li", "p", "code", "pre"}
        assert not re.search(r"#[0-9a-f]{3,6}|rgb|background", page)
        assert all(not name.startswith("on") for _, attrs in seen.tags for name in attrs)


def test_all_three_forms_say_the_same():
    for verdict in verdicts():
        said = " ".join("".join(Tags(verdict._repr_html_()).said).split())
        plain = " ".join(repr(verdict).split())
        markdown = verdict._repr_markdown_().replace("\\", "")
        for word_ in re.findall(r"[A-Za-z]{4,}", verdict.message):
            assert word_ in said
            assert word_ in plain
            assert word_ in markdown


def test_a_part_s_reading_is_echoed():
    verdict = check("1a", read="2BD+DF", written="BF")
    assert "read as 2·B·D + D·F" in repr(verdict)
    assert "<code>2·B·D + D·F</code>" in verdict._repr_html_()
    assert "`2·B·D + D·F`" in verdict._repr_markdown_()


def test_the_caret_keeps_its_column_in_every_form():
    verdict = check("1b", "2*B*H*F")
    lines = repr(verdict).splitlines()
    text = next(i for i, line in enumerate(lines) if "2*B*H*F" in line)
    assert lines[text][lines[text + 1].index("^")] == "H"
    assert "<pre" in verdict._repr_html_()
    assert "````" in verdict._repr_markdown_()


def test_markdown_signs_of_the_reader_are_not_obeyed():
    markdown = check("1b", "2*B*H*F")._repr_markdown_()
    assert "*B*" not in re.sub(r"````.*?````", "", markdown, flags=re.S)


def test_verdicts_are_frozen():
    verdict = check("1b", "2BDF")
    with pytest.raises(AttributeError):
        verdict.score = 0
    with pytest.raises(TypeError):
        verdict.parts["ops"] = None


def test_the_rest_of_the_conversation_has_the_three_forms_too():
    for said in (hint("1a"), progress(), hint(NASTY)):
        assert Tags(said._repr_html_()).open == []
        assert "<img" not in said._repr_html_()
        assert said.heading in repr(said)
        assert said._repr_markdown_()
