"""Tables that a spreadsheet shows and never calculates, and what a teacher writes back."""

import csv
import io
import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import CANARY, judged, part
from markup import NASTY

from rooflib.classroom.results import overrides, record, tables
from rooflib.classroom.results.page import visible
from rooflib.practice import problems

COLUMNS = record.columns([problems.book("1")])


def rows(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def graded(tmp_path, *records):
    tables.grades(tmp_path / "grades.csv", COLUMNS, records)
    return rows(tmp_path / "grades.csv")


# grades.csv


def test_a_row_a_student_and_a_column_a_part(tmp_path):
    [row] = graded(tmp_path, judged())
    assert list(row) == [*tables.GRADES, *COLUMNS]
    assert COLUMNS[:3] == ("1a.read", "1a.written", "1b.ops")
    assert (row["student"], row["name"]) == ("s001", "Ada Lovelace")
    assert (row["total"], row["of"]) == ("1", str(len(COLUMNS)))
    assert (row["1a.read"], row["1a.written"], row["1e.bound"]) == ("1", "0", "0")
    assert (row["handed in"], row["late"], row["needs a look"], row["by hand"]) == (
        "yes", "", "", "",
    )  # fmt: skip


def test_what_a_teacher_has_to_know_stands_in_the_row(tmp_path):
    record_ = judged(late=True, flags=["Cell 3 is broken.", "1c.limit: cannot decide"])
    part(record_, "1a.written")["override"] = {"points": 0.5, "note": "half"}
    part(record_, "1a.read")["override"] = {"points": 0.0, "note": ""}
    [row] = graded(tmp_path, record_)
    assert row["late"] == "late"
    assert row["needs a look"] == "Cell 3 is broken. | 1c.limit: cannot decide"
    assert row["by hand"] == "1a.read: 0 | 1a.written: 0.5 (half)"
    assert (row["1a.read"], row["1a.written"], row["total"]) == ("0", "0.5", "0.5")


def test_nothing_handed_in_is_no_zero_in_each_part(tmp_path):
    nothing = judged({}, files=[])
    part(nothing, "1b.ops")["override"] = {"points": 1.0, "note": "on paper"}
    [row] = graded(tmp_path, nothing)
    assert (row["handed in"], row["1a.read"], row["1b.ops"], row["total"]) == ("no", "", "1", "1")


@pytest.mark.parametrize("whole", [True, False])
def test_a_dropped_part_counts_for_nobody(tmp_path, whole):
    record_ = judged()
    if whole:
        record_["questions"]["1a"]["dropped"] = True
    else:
        part(record_, "1a.read")["dropped"] = True
    part(record_, "1a.read")["override"] = {"points": 5.0, "note": ""}
    [row] = graded(tmp_path, record_)
    assert (row["1a.read"], row["total"]) == ("", "0")
    assert row["of"] == str(len(COLUMNS) - (2 if whole else 1))
    assert row["1a.written"] == ("" if whole else "0")


def test_numbers_stay_numbers(tmp_path):
    record_ = judged()
    part(record_, "1a.read")["points"] = 1 / 3
    graded(tmp_path, record_)
    text = (tmp_path / "grades.csv").read_text(encoding="utf-8-sig").splitlines()[1]
    assert text.startswith('"s001","Ada Lovelace",0.3333,')
    assert text.endswith(",0.3333" + ",0" * (len(COLUMNS) - 1))


def test_a_spreadsheet_reads_the_accents(tmp_path):
    graded(tmp_path, judged(name="Zoë Ångström 李"))
    data = (tmp_path / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\r\n") == data.count(b"\n") == 2
    assert "Zoë Ångström 李".encode() in data


def test_a_run_that_breaks_off_leaves_the_last_table(tmp_path):
    graded(tmp_path, judged())

    def broken():
        yield judged(name="new")
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        tables.grades(tmp_path / "grades.csv", COLUMNS, broken())
    assert [row["name"] for row in rows(tmp_path / "grades.csv")] == ["Ada Lovelace"]
    assert [path.name for path in tmp_path.iterdir()] == ["grades.csv"]


# Formula injection


@pytest.mark.parametrize(
    "text, written",
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("\t", "'\t"),
        ("\rx", "'\rx"),
        (" =1", " '=1"),
        ('"=1', "\"'=1"),
        ("\uff1d1", "'\uff1d1"),
        ("x\n=1", "x\n'=1"),
        ("x;=1", "x;'=1"),
        ("x\t@y", "x\t'@y"),
        ("'=1", "''=1"),
        ("a = b", "a = b"),
        ("max(a, -b)", "max(a, -b)"),
        ("'tis", "'tis"),
        ("s001", "s001"),
        ("", ""),
    ],
)
def test_what_would_be_calculated_gets_a_quote_mark(text, written):
    assert tables.guarded(text) == written
    assert tables.unguarded(written) == text


risky = st.text(alphabet=st.sampled_from("=+-@;,|'\"\t\r\n ax1\uff1d"), max_size=12)


@given(st.one_of(risky, st.text(), st.sampled_from(NASTY)))
def test_any_text_comes_back_from_the_table(text):
    assert tables.unguarded(tables.guarded(text)) == text


@given(risky)
def test_no_cell_begins_with_a_sign(text):
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_NONNUMERIC).writerow([tables.guarded(text), 1])
    # However it is cut: as it should be, or by a spreadsheet that separates by ; or tab, and
    # takes the quotes for text.
    cells = [*next(csv.reader(io.StringIO(line.getvalue(), newline="")))]
    for separator in ";\t\n":
        cells += [
            cell for row in line.getvalue().replace("\r", "\n").split("\n")
            for cell in row.split(separator)
        ]  # fmt: skip
    for cell in cells:
        assert cell.lstrip().lstrip('" \t')[:1] not in {*"=+-@\uff1d"}, (text, cells)


@pytest.mark.parametrize("text", NASTY)
def test_every_field_of_every_table_takes_any_text(tmp_path, text):
    record_ = judged(
        name=text, student=text or "s", flags=[text], files=[text], whys={"1c": text, text: "w"}
    )
    part(record_, "1a.read").update(override={"points": 1.0, "note": text}, answer=text)
    [row] = graded(tmp_path, record_)
    assert tables.unguarded(row["name"]) == visible(text)
    assert float(row["total"]) == 1.0
    tables.whys(tmp_path / "whys.csv", [record_])
    whys = rows(tmp_path / "whys.csv")
    assert [tables.unguarded(why["text"]) for why in whys] == (
        [visible(text), "w"] if text.strip() else ["w"]
    )
    tables.problems(tmp_path / "problems.csv", [SimpleNamespace(place=text, what="w", todo=text)])
    [problem] = rows(tmp_path / "problems.csv")
    assert tables.unguarded(problem["place"]) == visible(text)
    json.dumps(tables.gradescope(record_), ensure_ascii=False).encode()


def test_a_cell_holds_no_more_than_a_spreadsheets_cell(tmp_path):
    tables.whys(tmp_path / "whys.csv", [judged(whys={"1c": "word " * 20_000})])
    [row] = rows(tmp_path / "whys.csv")
    assert len(row["text"]) < 32_767
    assert row["text"].endswith("(and 70000 characters more)")


# whys.csv and problems.csv


def test_the_rubric_column_is_empty(tmp_path):
    students = [judged(whys={"1c": "since B is small", "1d": "  "}), judged(student="s2")]
    tables.whys(tmp_path / "whys.csv", students)
    assert rows(tmp_path / "whys.csv") == [
        {"student": "s001", "question": "1c", "text": "since B is small", "points": ""}
    ]


def test_a_problem_says_where_what_and_what_to_do(tmp_path):
    trouble = SimpleNamespace(place="all.zip/x.ipynb", what="it is empty", todo="ask again")
    tables.problems(tmp_path / "problems.csv", [trouble])
    assert rows(tmp_path / "problems.csv") == [vars(trouble)]


# Gradescope

# What its documentation names; https://gradescope-autograders.readthedocs.io/en/latest/specs/
TOP = {"score", "output", "output_format", "visibility", "stdout_visibility", "tests", "extra_data"}
TEST = {"name", "score", "max_score", "output", "output_format", "visibility"}


def test_gradescope_gets_a_test_for_each_part():
    record_ = judged(late=True)
    part(record_, "1a.written")["override"] = {"points": 0.5, "note": "private"}
    record_["questions"]["1b"]["dropped"] = True
    results = json.loads(json.dumps(tables.gradescope(record_)))
    assert set(results) == TOP
    assert [set(test) for test in results["tests"]] == [TEST] * len(COLUMNS)
    assert [test["name"] for test in results["tests"]] == [c.replace(".", " ") for c in COLUMNS]
    assert results["score"] == sum(test["score"] for test in results["tests"]) == 1.5
    read, written, ops = results["tests"][:3]
    assert (read["score"], read["max_score"], written["score"]) == (1.0, 1.0, 0.5)
    assert (ops["score"], ops["max_score"]) == (0.0, 0.0)
    assert "your answer: B*D + D*F" in read["output"]
    assert "read as: B·D + D·F" in read["output"]
    assert "That is right for elements of two bytes each" in written["output"]
    assert "after the deadline" in results["output"]
    assert "private" not in json.dumps(results)
    assert CANARY not in json.dumps(results)
    assert {test["visibility"] for test in results["tests"]} == {"after_published"}


def test_gradescope_shows_the_key_when_it_is_released():
    results = tables.gradescope(judged(), release=True, visibility="visible")
    assert all(CANARY in test["output"] for test in results["tests"])
    assert {test["visibility"] for test in results["tests"]} == {"visible"}


def test_gradescope_knows_four_visibilities():
    with pytest.raises(ValueError, match="after_due_date"):
        tables.gradescope(judged(), visibility="public")


# overrides.csv

STUDENTS = ["s001", "s002", "007", "-x"]
HEADER = "student,part,points,note\n"


def corrections(text, encoding="utf-8"):
    return overrides.read(text.encode(encoding), STUDENTS, COLUMNS)


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "s001,1a.read,0.5,why\n",
        "\ufeff" + HEADER + "s001,1a.read,0.5,why\n",
        HEADER.replace(",", ";") + "s001;1a.read;0,5;why\n",
        HEADER.replace(",", "\t") + "s001\t1a.read\t0.5\twhy\n",
        HEADER + 's001,1a.read,"0,5",why\n',
        HEADER + "\n,,,\nS001 , 1A.Read ,.5, why \n",
        HEADER + "s001,1a read,0.50,why",
        "sep=;\n" + HEADER.replace(",", ";") + "s001;1a.read;0.5;why\n",
        "note,points,student,part,more\r\nwhy,0.5,s001,1a.read,x\r\n",
        "Student,Part,Points,Note\n" + '"s001","1a.read",0.5,"why"\n',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_correction_in_every_spreadsheets_hand(text, encoding):
    found = corrections(text, encoding)
    assert found.troubles == ()
    assert found.of == {"s001": {"1a.read": {"points": 0.5, "note": "why"}}}


@pytest.mark.parametrize(
    "row, said",
    [
        ("s003,1a.read,1,", "line 3: there is no student 's003'; the nearest is 's00"),
        (",1a.read,1,", "line 3: there is no student ''"),
        ("s001,1a.raed,1,", "line 3: there is no part '1a.raed'; the nearest is '1a.read'"),
        ("s001,1a,1,", "line 3: there is no part '1a'"),
        ("s001,1a.read,,", "line 3: points are a number from 0 up, such as 0.5; got ''"),
        ("s001,1a.read,one,", "got 'one'"),
        ("s001,1a.read,-1,", "got '-1'"),
        ("s001,1a.read,nan,", "got 'nan'"),
        ("s001,1a.read,1e9,", "got '1e9'"),
        ("s001,1a.read,٣,", "got '٣'"),
        ('s001,1a.read,"1,000",', "got '1,000'"),
        ("s001,1a.read", "got ''"),
        ("s001", "there is no part ''"),
        ('"s001', "a quote is left open"),
        ('"s001,1a.read,1,', "a quote is left open"),
        ('s001,1a.read,"1"x,', "a quote is left open"),
        ("x" * 200_000 + ",1a.read,1,", "line 3"),
    ],
)
def test_a_bad_row_is_said_and_loses_nothing_else(row, said):
    found = corrections(HEADER + "s002,1b,1,\n" + row + "\n")
    assert len(found.troubles) == 1
    assert said in found.troubles[0]
    assert found.troubles[0].startswith("overrides.csv, line 3: ")
    assert found.of["s002"] == {"1b.ops": {"points": 1.0, "note": ""}}
    for last in ("007,1b.ops,0,\n", '007,1b.ops,0,"a ""note"""\n'):
        after = corrections(HEADER + "s002,1b,1,\n" + row + "\n" + last)
        assert after.of["007"]["1b.ops"]["points"] == 0.0


def test_a_note_may_hold_several_lines():
    found = corrections(HEADER + 's001,1b,1,"one\ntwo"\ns002,1b,x,\n')
    assert found.of["s001"]["1b.ops"]["note"] == "one\ntwo"
    assert "line 4" in found.troubles[0]


def test_the_last_of_two_rows_counts_and_is_said():
    found = corrections(HEADER + "s001,1a.read,1,\ns001,1a.read,0,\n")
    assert found.of["s001"]["1a.read"]["points"] == 0
    assert found.troubles == (
        "overrides.csv, line 3: 1a.read of s001 was corrected above; this row counts.",
    )


@pytest.mark.parametrize("text", ["id,part,points\n", "s001,1a.read,1,\n", "student\n"])
def test_a_header_that_is_missing_is_said(text):
    found = corrections(text)
    assert found.of == {}
    assert "line 1: the header needs the columns student, part, points, note" in found.troubles[0]


def test_an_id_that_was_guarded_is_found_again():
    assert corrections(HEADER + "'-x,1b,1,'=y\n").of == {
        "-x": {"1b.ops": {"points": 1.0, "note": "=y"}}
    }


def test_latin_letters_of_an_old_spreadsheet():
    found = corrections(HEADER + "s001,1b,1,très bien\n", "cp1252")
    assert found.of["s001"]["1b.ops"]["note"] == "très bien"


def test_the_template_is_written_once_and_never_over_a_file(tmp_path):
    path = tmp_path / "overrides.csv"
    assert overrides.load(path, STUDENTS, COLUMNS) == overrides.Overrides()
    assert overrides.template(path)
    assert overrides.load(path, STUDENTS, COLUMNS) == overrides.Overrides()
    path.write_text(path.read_text(encoding="utf-8-sig") + "s001,1b,1,mine\n")
    before = path.read_bytes()
    assert not overrides.template(path)
    assert path.read_bytes() == before
    assert overrides.load(path, STUDENTS, COLUMNS).of["s001"]["1b.ops"]["note"] == "mine"


def test_a_file_that_cannot_be_read_is_said(tmp_path):
    found = overrides.load(tmp_path, STUDENTS, COLUMNS)  # a folder
    assert found.of == {}
    assert "cannot be read" in found.troubles[0]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_said(data):
    overrides.read(data, STUDENTS, COLUMNS)
    overrides.read(HEADER.encode() + data, STUDENTS, COLUMNS)


# Answers in words


@pytest.mark.parametrize(
    "answer, words",
    [
        ("B*D", "B*D"),
        (None, ""),
        ({"blank": True}, ""),
        ({"text": "2B"}, "2B"),
        ({"number": "0.5"}, "0.5"),
        ({"formula": "B"}, "B"),
        ({"odd": "an array"}, "an array"),
        ({"returns": {"points": [[[1], 2]] * 12}}, "a function, run on 12 points"),
        ({"plot": {}}, "a plot"),
    ],
)
def test_an_answer_in_words(answer, words):
    assert record.shown(answer) == words


@pytest.mark.parametrize(
    "value, text",
    [(1, "1"), (0.5, "0.5"), (1 / 3, "0.33"), (10, "10"), (-0.0, "0"), (100.0, "100")],
)
def test_points_as_people_write_them(value, text):
    assert record.points(value) == text
