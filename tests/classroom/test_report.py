"""The class report: counts that are right, bars that say so in words, and memory that stays flat."""

import re
import tracemalloc

import pytest
from judged import CANARY, judged, part
from markup import NASTY, Skeleton, assert_self_contained

from rooflib.classroom.results import counts, style
from rooflib.classroom.results.report import OUTCOMES, report, shown, word
from rooflib.plots import look
from rooflib.practice.verdict import OUTCOMES as ALL

TITLE = "ROOF 101"


def words(page):
    return " ".join(Skeleton(page).text.split())


def text(*records, **more):
    return words(report(iter(records), TITLE, **more))


def klass():
    """Five students: one right, two with the same slip, one unreadable, one with nothing."""
    yield judged({"1a": {"read": "B*D + D*F", "written": "B*F"}}, "s1", "One")
    yield judged({"1a": {"read": "2*(B*D + D*F)"}}, "s2", "Two")
    yield judged({"1a": {"read": "2*B*D + 2*D*F"}}, "s3", "Three", late=True)
    yield judged({"1a": {"read": "B*"}}, "s4", "Four", flags=["cell 3 is broken"])
    yield judged({}, "s5", "Five", files=[])


def row(page, name):
    """The numbers in the table's row of that part."""
    found = re.search(rf'<tr[^>]*><th scope="row" class="text"><bdi>{name}<.*?</tr>', page)
    return re.findall(r'<td class="n(?: none)?">(.*?)</td>', found[0])


def test_how_each_part_went():
    page = report(klass(), TITLE)
    #                             right partly wrong undecided unreadable missing
    assert row(page, "1a.read") == ["1", "·", "2", "·", "1", "·"]
    assert row(page, "1a.written") == ["1", "·", "·", "·", "·", "3"]
    assert row(page, "1b.ops") == ["·", "·", "·", "·", "·", "4"]


@pytest.mark.parametrize(
    "said",
    [
        "handed in 4 of 5",
        "late 1",
        "need a look 1",
        "Each row stands for the 4 who handed in.",
        "1a.read bf16 bytes 2",  # the slip, and how many made it
        "That is right for elements of two bytes each.",
        "s4 Four cell 3 is broken",
        "Nothing handed in: 1",
        "Five (s5)",
        "nothing of the student's was run",
    ],
)
def test_what_a_teacher_wants_to_know(said):
    assert said.replace(" ", "") in text(*klass()).replace(" ", "")


def test_a_slip_of_one_is_not_common():
    assert "Common misconceptions" not in text(*list(klass())[:2])
    assert "Common misconceptions" in text(*klass())


def test_what_is_common_grows_with_the_class():
    slips = {"read": "2*B*D + 2*D*F"}
    many = [judged({"1a": slips if i < 2 else {}}, f"s{i}") for i in range(101)]
    assert "Common misconceptions" in text(*many[:100])
    assert "Common misconceptions" not in text(*many)


def test_slips_are_ordered_by_how_many_made_them():
    slips = ["2*B*F"] * 2 + ["4*B*F"] * 3 + ["B*D"] * 1
    page = text(*(judged({"1a": {"written": slip}}, f"s{i}") for i, slip in enumerate(slips)))
    assert page.index("fp32 sums") < page.index("bf16 bytes")
    assert "inputs, one" not in page


@pytest.mark.parametrize("answer", ["7*B*D + 3*F", "B*"])
def test_what_has_no_name_is_no_misconception(answer):
    records = [judged({"1a": {"read": answer}}, f"s{i}") for i in range(5)]
    assert "Common misconceptions" not in text(*records)


def test_decisions_are_listed():
    one, two, three = (judged(student=f"s{i}") for i in range(3))
    for record in (one, two):
        part(record, "1a.written").update(accepted=True, outcome="right", score=1.0)
    part(three, "1c.limit")["override"] = {"points": 1.0, "note": "x"}
    for record in (one, two, three):
        record["questions"]["1b"]["dropped"] = True
    page = text(one, two, three)
    assert "1a.written: the answer 2*B*F is accepted; that helped 2." in page
    assert "1c.limit: corrected by hand for 1." in page
    assert "Dropped, and counted for nobody: 1b.ops." in page
    assert "1b.ops (dropped)" in page


def test_files_that_were_not_graded_are_counted():
    assert "files not graded 3" in text(*klass(), troubles=3).replace("graded3", "graded 3")
    assert "problems.csv" in text(*klass(), troubles=3)
    assert "problems.csv" not in text(*klass())


def test_free_text_is_counted():
    page = text(judged(whys={"1c": "since", "1d": " "}), judged(student="s2", whys={"1c": "x"}))
    assert "whys.csv for a person to read: 1c (2)." in page


@pytest.mark.parametrize(
    "totals, low, median, high",
    [([0], 0, 0, 0), ([0, 10], 0, 0, 10), ([1, 2, 3, 4], 1, 2, 3), ([5] * 9 + [0], 5, 5, 5)],
)
def test_quantiles(totals, low, median, high):
    c = counts.Counts(handed_in=len(totals))
    for total in totals:
        c.totals[float(total)] += 1
    assert (c.quantile(0.25), c.quantile(0.5), c.quantile(0.75)) == (low, median, high)
    assert c.mean == sum(totals) / len(totals)


@pytest.mark.parametrize(
    "points, bin", [(0, 0), (0.99, 0), (1, 1), (9.99, 9), (10, 9), (12, 9), (3, 3), (7, 7)]
)
def test_a_total_falls_into_its_bin(points, bin):
    c = counts.Counts()
    c._total(points, 10)
    assert dict(c.bins) == {bin: 1}


def test_nobody_handed_in():
    page = text(judged({}, files=[]))
    assert "handed in 0 of 1".replace(" ", "") in page.replace(" ", "")
    assert "Part by part" not in page
    assert_self_contained(shown(counts.Counts(), TITLE))


def test_all_outcomes_have_a_word_a_colour_and_a_pattern():
    assert set(OUTCOMES) == set(ALL)
    assert len({word(o) for o in OUTCOMES}) == len(OUTCOMES)
    page = report(klass(), TITLE)
    patterns = re.findall(r"<pattern (.*?)</pattern>", page)
    assert len({re.sub(r'id="[^"]*"', "", p) for p in patterns}) == len(OUTCOMES)
    # Strokes tell them apart without colour, save the full one and the empty one.
    strokes = re.findall(r'<path d="([^"]+)"', page)
    assert len(set(strokes)) == len(strokes) == len(OUTCOMES) - 2
    for used in re.findall(r"url\(#([^)]+)\)", page):
        assert f'id="{used}"' in page


def test_the_colours_are_the_books():
    for name in ("BLUE", "ORANGE", "SKY", "PINK", "YELLOW", "INK", "FAINT"):
        assert getattr(style, name) == getattr(look, name), name


def test_bars_are_as_long_as_their_numbers():
    page = report(klass(), TITLE)
    found = re.search(r"<bdi>1a.read<.*?<svg[^>]*>(.*?)</svg>", page)[1]
    pieces = re.findall(r'x="([\d.]+)%" width="([\d.]+)%".*?url\(#p-(\w+)\)', found)
    assert pieces == [
        ("0.00", "25.00", "right"), ("25.00", "50.00", "wrong"), ("75.00", "25.00", "unreadable"),
    ]  # fmt: skip


@pytest.mark.parametrize("nasty", NASTY)
def test_nothing_a_student_wrote_becomes_markup(nasty):
    def made(text):
        one = judged(name=text, student=text, flags=[text], protection=text, whys={text: "x"})
        part(one, "1a.written").update(key=text or "k", message=text)
        part(one, "1a.read").update(accepted=True, answer=text)
        nothing = judged({}, name=text, files=[])
        return report([one, one, nothing], text)

    def shapes(page):
        return {(t, tuple(n for n, _v in a)) for t, a in assert_self_contained(page).tags}

    assert shapes(made(nasty)) <= shapes(made("1e-5 x\n    ^"))
    made(nasty).encode()


def test_the_key_is_not_in_the_report():
    assert CANARY not in report(klass(), TITLE)


def test_people_are_listed_up_to_a_length_that_is_read():
    c = counts.Counts()
    one = judged(flags=["look"])
    for i in range(counts.MOST_PEOPLE + 37):
        c.add(one | {"student": f"s{i}"})
        c.add(judged_absent(one, i))
    page = words(shown(c, TITLE))
    assert "And 37 more, in the column “needs a look” of grades.csv." in page
    assert ", and 37 more." in page


def judged_absent(record, i):
    return record | {"student": f"a{i}", "files": [], "flags": []}


def test_memory_does_not_grow_with_the_class():
    one = judged(flags=["look " * 20], whys={"1c": "x" * 1000})
    c = counts.Counts()

    def add(numbers):
        for i in numbers:
            record = one | {"student": f"s{i}", "name": f"n{i} " * 20, "protection": f"p{i}"}
            c.add(record | {"whys": {f"q{i}": "x"}})

    add(range(300))
    tracemalloc.start()
    add(range(300, 900))
    grown, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert c.students == 900
    assert grown < 30_000
