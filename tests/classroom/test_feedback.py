"""A student's page: everything that concerns them, nothing of the key, and no markup of theirs."""

import copy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judged import CANARY, judged, part
from markup import NASTY, Skeleton, assert_self_contained

from rooflib.classroom.results import page
from rooflib.classroom.results.feedback import feedback

TITLE = "ROOF 101"
BASE = judged()


def text(record, **more):
    return " ".join(Skeleton(feedback(record, TITLE, **more)).text.split())


@pytest.mark.parametrize(
    "said",
    [
        "Ada Lovelace",
        "s001",
        "1 of 16",
        "Read from all.zip/ada.ipynb.",
        "How many bytes are read from HBM",
        "B*D + D*F",
        "B·D + D·F",
        "X and Y, each element once, one byte each.",
        "That is right for elements of two bytes each.",
        "✓ right",
        "✗ not yet",
        "? could not read",
        "○ not attempted",
        "Something is missing at the end.",
    ],
)
def test_what_was_answered_how_it_was_read_and_what_is_said(said):
    assert said in text(BASE)


def test_the_key_is_on_the_page_only_when_released():
    assert CANARY not in feedback(BASE, TITLE)
    assert feedback(BASE, TITLE, release=True).count(CANARY) == 16


def test_what_is_the_teachers_own_stays_with_the_teacher():
    record = judged(flags=["another student's variant"], protection="its own namespaces")
    part(record, "1a.written")["override"] = {"points": 0.5, "note": "we talked about it"}
    shown = text(record)
    assert "Corrected by hand: 0.5 of 1." in shown
    assert "1.5 of 16" in shown
    for private in ("variant", "namespaces", "talked", "two-byte key", "bf16 bytes"):
        assert private not in shown


@pytest.mark.parametrize(
    "more, said",
    [
        ({"late": True}, "Handed in after the deadline."),
        ({"files": []}, "Nothing was handed in under this name."),
        ({"files": ["a.ipynb", "b.ipynb"]}, "Read from a.ipynb, b.ipynb, together."),
        ({"superseded": ["old.ipynb"]}, "Older versions, which do not count: 1."),
        ({"whys": {"1c": "since B is small"}}, "In your own words"),
        ({"whys": {"1c": "since B is small"}}, "since B is small"),
    ],
)
def test_how_it_came_in(more, said):
    assert said in text(judged(**more))
    assert said not in text(BASE)


def test_a_dropped_question_and_a_dropped_part_say_so():
    record = judged()
    record["questions"]["1a"]["dropped"] = True
    assert "it counts for nobody" in text(record)
    assert "0 of 14" in text(record)
    record = judged()
    part(record, "1a.read")["dropped"] = True
    assert "0 of 1" in text(record)
    assert "dropped" in text(record)


def test_the_place_of_a_slip_keeps_its_column():
    places = [t for t in Skeleton(feedback(BASE, TITLE)).texts if "^" in t]
    line, caret = places[0].split("\n")
    assert line.strip() == "2*B*D*F +"
    assert len(caret) > 4


def test_the_same_record_gives_the_same_page():
    assert feedback(judged(), TITLE) == feedback(judged(), TITLE)


def test_a_number_is_not_broken_in_its_exponent():
    record = judged({"1d": {"math": "5.3e-15*B*D*F"}})
    assert '<span class="whole">5.3e-15</span>*B*D*F' in feedback(record, TITLE)


# Every field of a record that somebody else wrote.
FIELDS = {
    "name": lambda r, t: r.update(name=t),
    "student": lambda r, t: r.update(student=t),
    "files": lambda r, t: r.update(files=[t, t]),
    "answer": lambda r, t: part(r, "1a.read").update(answer=t),
    "echo": lambda r, t: part(r, "1a.read").update(echo=t),
    "message": lambda r, t: part(r, "1a.read").update(message=t),
    "right": lambda r, t: part(r, "1a.read").update(right=t),
    "why": lambda r, t: r.update(whys={"1c": t}),
    "why's question": lambda r, t: r.update(whys={t: "x"}),
    "odd answer": lambda r, t: part(r, "1a.read").update(answer={"odd": t}),
}


def shapes(markup):
    return {(tag, tuple(name for name, _v in attributes)) for tag, attributes in markup.tags}


EVERYTHING = copy.deepcopy(BASE) | {"whys": {"1c": "x"}, "files": ["a", "b"]}
part(EVERYTHING, "1a.read")["answer"] = "1e-5*B"
ALLOWED = shapes(Skeleton(feedback(EVERYTHING, TITLE, release=True)))


def put_everywhere(nasty):
    record = copy.deepcopy(BASE)
    for put in FIELDS.values():
        put(record, nasty)
    return record


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("nasty", NASTY)
def test_no_field_of_a_student_becomes_markup(field, nasty):
    record = copy.deepcopy(BASE)
    FIELDS[field](record, nasty)
    made = feedback(record, TITLE, release=True)
    assert shapes(assert_self_contained(made)) <= ALLOWED
    made.encode()


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(
    st.one_of(st.text(), st.text(alphabet=st.sampled_from("<>&\"'/!-=x \n\u202e\0"), max_size=40))
)
def test_any_text_in_any_field_is_text(nasty):
    made = feedback(put_everywhere(nasty), nasty, release=True)
    skeleton = assert_self_contained(made)
    assert shapes(skeleton) <= ALLOWED
    # Nothing is lost either: every word of it can be read.
    shown = "".join(skeleton.text.split())
    for word in page.visible(nasty).split():
        assert word in shown
    assert page.visible(made) == made


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a\u202eb", "a[U+202E]b"),
        ("a\0b", "a[U+0000]b"),
        ("\ud800", "[U+D800]"),
        ("\u2066\u200f", "[U+2066][U+200F]"),
        ("\x1b[31m", "[U+001B][31m"),
        ("\U000e0041", "[U+E0041]"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("Zoë 李 👩\u200d🔬", "Zoë 李 👩\u200d🔬"),
    ],
)
def test_what_hides_is_shown_and_what_people_write_stays(text, shown):
    assert page.visible(text) == shown
    assert page.visible(shown) == shown


def test_a_text_that_never_ends_is_cut_and_says_so():
    made = text(judged(whys={"1c": "word " * 50_000}))
    assert len(made) < 40_000
    assert "(and 230000 characters more)" in made


def test_a_page_says_that_it_needs_nothing():
    made = feedback(BASE, TITLE)
    assert made.startswith("<!DOCTYPE html>")
    assert "default-src &#x27;none&#x27;" in made
    assert '<meta charset="utf-8">' in made
    assert '<html lang="en">' in made
    assert "@media print" in made
    assert "<title>ROOF 101: Ada Lovelace</title>" in made


def test_markup_is_only_what_was_made_by_tag():
    assert page.tag("p", "<b>", page.tag("b", "&"), None, 3) == "<p>&lt;b&gt;<b>&amp;</b>3</p>"
    assert page.tag("p", title='"<', class_=None) == '<p title="&quot;&lt;"></p>'
    assert page.fill("{a} < {b}", a=page.tag("i", "x"), b="<y>") == "<i>x</i> &lt; &lt;y&gt;"
