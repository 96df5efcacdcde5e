"""Paper: all that is asked, nothing of the answer, and a key that has every expected answer."""

import re

import pytest
from markup import NASTY, Skeleton, assert_self_contained

from rooflib.classroom.results.answer_key import key, key_text
from rooflib.classroom.results.worksheet import worksheet
from rooflib.practice import deal, problems
from rooflib.practice.question import ChoicePart, NumberPart, show

TITLE = "ROOF 101"
ALL = [deal.dealt(number, "s001", "C") for number in problems.ORDER]
BOOK = [problems.book(number) for number in problems.ORDER]
IDS = [f"{p.id} {kind}" for kind in ("dealt", "book") for p in BOOK]


def text(page):
    return " ".join(Skeleton(page).text.split())


def plain(words):
    return " ".join(words.split())


@pytest.fixture(scope="module", params=[*ALL, *BOOK], ids=IDS)
def problem(request):
    return request.param


def test_a_sheet_asks_everything(problem):
    page = worksheet([problem], TITLE)
    shown = text(page)
    assert plain(problem.title) in shown
    for label, value in problem.given.items():
        assert plain(label) in shown
        assert plain(value) in shown
    for question in problem.questions:
        assert plain(question.asks) in shown
        for part in question.parts:
            if len(question.parts) > 1:
                assert plain(part.asks) in shown
            if isinstance(part, ChoicePart):
                for choice in part.choices.values():
                    assert plain(choice) in shown
    blanks = page.count('class="blank')
    assert blanks == sum(len(question.parts) for question in problem.questions)
    assert_self_contained(page)


def test_a_sheet_tells_nothing(problem):
    shown = text(worksheet([problem], TITLE))
    for question in problem.questions:
        assert question.solution not in shown
        assert question.why not in shown
        for part in question.parts:
            assert part.why not in shown
            if isinstance(part, NumberPart):
                given = " ".join([*problem.given.values(), question.asks, part.asks])
                answer = show(part)
                told = re.search(rf"(?<![\d.]){re.escape(answer)}(?![\d.])", shown)
                assert told is None or answer.split()[0] in given or len(answer) < 3


def test_the_order_of_choices_does_not_tell_the_right_one():
    choices = [
        p
        for q in (q for b in BOOK for q in b.questions)
        for p in q.parts
        if isinstance(p, ChoicePart)
    ]
    page = worksheet(BOOK, TITLE)
    lists = re.findall(r'<ul class="choices">(.*?)</ul>', page)
    assert len(lists) == len(choices)
    first = [list(part.choices.values()).index(part.choices[part.right]) == 0 for part in choices]
    shown_first = [
        found.startswith(f"<li><i></i> {part.choices[part.right]}<")
        for found, part in zip(lists, choices, strict=True)
    ]
    # The files put the right one first more often than not; the sheets do not.
    assert sum(shown_first) < sum(first)
    assert 0.1 < sum(shown_first) / len(choices) < 0.6


def test_the_name_stands_on_the_sheet_or_has_a_line():
    assert "Ada (s001)" in text(worksheet(ALL[:1], TITLE, "s001", name="Ada"))
    assert "s001" in text(worksheet(ALL[:1], TITLE, "s001"))
    page = worksheet(ALL[:1], TITLE)
    assert "<span>Name<i></i></span>" in page


def test_a_why_gets_room():
    assert "In your own words" in text(worksheet(ALL[:1], TITLE, whys=["1c"]))
    assert "In your own words" not in text(worksheet(ALL[:1], TITLE))


def test_the_same_problem_gives_the_same_paper():
    again = [deal.dealt(number, "s001", "C") for number in problems.ORDER]
    assert worksheet(ALL, TITLE, "s001") == worksheet(again, TITLE, "s001")
    assert key(ALL, TITLE, "Ada") == key(again, TITLE, "Ada")
    assert key_text(ALL, TITLE, "Ada") == key_text(again, TITLE, "Ada")


def test_a_key_has_every_expected_answer(problem):
    page = key([problem], TITLE)
    assert_self_contained(page)
    shown, told = text(page), plain(key_text([problem], TITLE))
    for words in (shown, told):
        for question in problem.questions:
            assert plain(question.asks) in words
            for part in question.parts:
                assert plain(part.asks) in words
                if show(part):
                    assert plain(show(part)) in words
                for wrong in part.wrongs:
                    assert plain(wrong.right_for) in words
            for together in question.together:
                assert plain(together.says) in words
    for question in problem.questions:
        assert plain(question.solution) in shown
        for part in question.parts:
            for wrong in part.wrongs:
                assert plain(wrong.ask) in shown
    rows = page.count('<tr class="right">')
    assert rows == sum(len(question.parts) for question in problem.questions)


@pytest.mark.parametrize(
    "told",
    [
        "right: B·D + D·F",
        "2·B·F is right for elements of two bytes each",
        "right: 240.244 tokens",
        "memory: the bandwidth is right for a smaller batch",
        "is right for a bound that holds and is seldom reached (worth 50%)",
        "together, machine = 240.244, batch = 240.244: That is right for bf16.",
    ],
)
def test_the_books_key_in_plain_text(told):
    assert told in plain(key_text(BOOK[:1], TITLE))


def test_functions_and_plots_are_told_by_values():
    told = plain(key_text(BOOK[2:3], TITLE))
    assert "throughput(1, 4096, 4096) = 1.638e+12 FLOP/s" in told
    assert "roof at 1.97e+14 FLOP/s" in told


@pytest.mark.parametrize("nasty", NASTY)
def test_names_are_text(nasty):
    for made in (
        worksheet(ALL[:1], nasty, nasty, name=nasty),
        key(ALL[:1], nasty, nasty, student=nasty),
    ):
        names = set(assert_self_contained(made).names)
        assert names <= {
            *["html", "head", "meta", "title", "style", "body", "main", "header", "section", "article", "div", "span", "p", "h1", "h2", "h3", "b", "i", "dl", "dt", "dd", "ul", "li", "table", "caption", "thead", "tbody", "tr", "th", "td", "code", "bdi", "svg", "line"]
        }  # fmt: skip
        made.encode()
