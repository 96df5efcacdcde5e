"""Whose a file is: the platforms' names, folders, file names, and the id inside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.classroom.intake.gradescope import Submitter, submitters
from rooflib.classroom.intake.layouts import Claims, Owner, claims, owner
from rooflib.classroom.intake.roster import parse

CLASS = parse(
    "id,name,email\n"
    "s1,Ada Lovelace,ada@uni.edu\n"
    "s10,Bob Smith,bob.smith@uni.edu\n"
    's2,"O\'Brien, Mary-Jane",mj@uni.edu\n'
    's3,"García Márquez, Gabriel José",\n'
    "s4,王小明,\n"
    "s5,李娜,\n"
    "s6,Wei Wang,wei1@uni.edu\n"
    "s7,Wang Wei,wei2@uni.edu\n"
    "s8,Jürgen Größe,\n"
    "s9,Ana Lee,\n"
    "s11,Ana Lee Park,\n"
    "2021-0042,Björk Guðmundsdóttir,\n"
    "700123,Søren Kierkegaard,soren@uni.edu\n"
    "12,Tom Thumb,\n"
    "s13,Nguyễn Văn An,\n"
    "s14,Sukarno,\n"
    "s15,王小明明,\n"
    "s16,Li Na (Nana) Zhou,\n"
    "s17,김민수,\n"
    "s18,İpek Şahin,\n"
    "s19,सीता शर्मा,\n"
    "s20,Anne-Marie van der Berg,\n"
)


def of(*path, inside=(), people=(), roster=CLASS):
    return owner(claims(path, roster, people), inside, roster)


CANVAS = {
    "lovelaceada_12345_678901_problem.ipynb": "s1",
    "lovelaceada_LATE_12345_678901_problem-2.ipynb": "s1",
    "lovelaceada_late_12345_678901_problem.ipynb": "s1",
    "lovelace-ada_12345_678901_problem.ipynb": "s1",
    "obrienmaryjane_12345_678901_x.ipynb": "s2",
    "garcíamárquezgabrieljosé_12345_678901_x.ipynb": "s3",
    "garcia_12345_678901_x.ipynb": None,
    "王小明_12345_678901_x.ipynb": "s4",
    "größejürgen_12345_678901_x.ipynb": "s8",
    "lovelaceada_12345_678901_bob smith.ipynb": "s1",
    "lovelaceada_12345_678901_s10_555_666_x.ipynb": "s1",
    "lovelaceada_12345_678901_Bob Smith_9_assignsubmission_file_x.ipynb": "s1",
    "lovelaceada_12345_678901_bobsmith_12345_678_x.ipynb": "s1",
    "lovelaceada_12345_700123_x.ipynb": "s1",  # the number of a file is nobody's
    "nobodyelse_12345_700123_x.ipynb": None,
    "kierkegaards_700123_678901_x.ipynb": "700123",  # the number of a person may be the id
    "wangwei_12345_678901_x.ipynb": None,  # two of this name
    "anon_x7Kp2_678901_s1.ipynb": "s1",  # nothing else says who it is
    "LATE_anon_x7Kp2_678901_x.ipynb": None,
    "anon_x7Kp2_678901_999_s1.ipynb": "s1",
    "group3_12345_678901_ada lovelace.ipynb": None,  # Canvas names somebody else
    "lovelaceadaking_12345_678901_ada_lovelace.ipynb": "s1",  # may be the same person
    "lab_3_2026_ada_lovelace.ipynb": "s1",  # no platform wrote this
}


@pytest.mark.parametrize("name, id", CANVAS.items(), ids=CANVAS)
def test_canvas(name, id):
    assert of("submissions", name).student == id
    assert of(name).student == id


LATE_AND_VERSION = {
    "lovelaceada_12345_678901_problem.ipynb": (False, 0),
    "lovelaceada_LATE_12345_678901_problem.ipynb": (True, 0),
    "lovelaceada_12345_678901_problem-1.ipynb": (False, 1),
    "lovelaceada_12345_678901_problem-12.ipynb": (False, 12),
    "lovelaceada_12345_678901_problem-2.v3.ipynb": (False, 2),
    "lovelaceada_12345_678901_LATE.ipynb": (False, 0),
    "lovelaceada_12345_678901_LATE_1_2_x.ipynb": (False, 0),
    "LATE_anon_x7Kp2_678901_x-3.ipynb": (True, 3),
    "ada lovelace-2.ipynb": (False, 0),
}


@pytest.mark.parametrize("name, expected", LATE_AND_VERSION.items(), ids=LATE_AND_VERSION)
def test_late_and_version_in_canvas(name, expected):
    found = claims(("submissions", name), CLASS)
    assert (found.late, found.version) == expected
    assert found.upload == (678901 if "678901" in name else 0)


MOODLE = {
    "Ada Lovelace_12345_assignsubmission_file_": "s1",
    "Ada Lovelace_12345_assignsubmission_file": "s1",
    "Ada_Lovelace_12345_assignsubmission_file_": "s1",
    "Lovelace Ada_12345_assignsubmission_file_": "s1",
    "ada lovelace_12345_assignsubmission_onlinetext_": "s1",
    "Mary-Jane OBrien_12345_assignsubmission_file_": "s2",  # Moodle takes the apostrophe out
    "Gabriel José García Márquez_1_assignsubmission_file_": "s3",
    "Gabriel García_12345_assignsubmission_file_": "s3",
    "王小明_12345_assignsubmission_file_": "s4",
    "Sukarno_12345_assignsubmission_file_": "s14",
    "s1 Ada King_12345_assignsubmission_file_": "s1",  # the login before the name
    "Maria Ana Lee_12345_assignsubmission_file_": None,  # not Ana Lee
    "Ana Lee Park_12345_assignsubmission_file_": "s11",
    "Wei Wang_12345_assignsubmission_file_": None,
    "Participant_12345_assignsubmission_file_": None,
    "Default group_assignsubmission_file_": None,
    "Søren Kierkegaard_12_assignsubmission_file_": "700123",
    "Somebody Else_700123_assignsubmission_file_": None,  # a participant's number is no id
}


@pytest.mark.parametrize("folder, id", MOODLE.items(), ids=MOODLE)
def test_moodle(folder, id):
    assert of("CS101-Lab-77", folder, "x.ipynb").student == id
    assert of("CS101-Lab-77", folder, "sub", "Untitled.ipynb").student == id
    assert of("CS101-Lab-77", folder.rstrip("_") + "_x.ipynb").student == id


def test_after_the_platforms_part_it_is_the_students_word():
    ada = "Ada Lovelace_12345_assignsubmission_file_"
    for rest in [
        ("bob smith.ipynb",),
        ("s10", "x.ipynb"),
        ("Bob Smith_1_assignsubmission_file_", "x.ipynb"),
    ]:
        found = of("all", ada, *rest)
        assert found.student == "s1"
        assert "Bob Smith (s10)" in " ".join(found.notes)


def test_an_anonymous_assignment_is_known_by_the_notebook():
    path = ("all", "Participant_12345_assignsubmission_file_", "x.ipynb")
    assert of(*path, inside=["s10"]) == Owner("s10", source="inside")
    assert of(*path, inside=["s10", "s1"]).student is None


def test_a_name_that_is_not_in_the_roster_is_nobody_elses():
    stranger = ("all", "Eve Mallory_12345_assignsubmission_file_", "x.ipynb")
    found = of(*stranger, inside=["s1"])
    assert found.student is None
    assert "'Eve Mallory'" in found.trouble
    assert "Ada Lovelace (s1)" in found.trouble
    akin = ("all", "Ada King_12345_assignsubmission_file_", "x.ipynb")
    found = of(*akin, inside=["s1"])
    assert found.student == "s1"
    assert "'Ada King'" in found.notes[0]
    # The teacher's own folder settles it.
    assert of("s1", *stranger).student == "s1"


def test_a_platforms_part_within_another_students_folder_is_two_claims():
    found = of("Ada Lovelace", "bobsmith_12345_678901_x.ipynb")
    assert found.student is None
    assert "several students" in found.trouble
    assert "Ada Lovelace (s1)" in found.trouble
    assert "Bob Smith (s10)" in found.trouble


def test_the_teachers_zip_may_look_like_canvas():
    assert of("cs101_2026_101_all", "lovelaceada_12345_678901_x.ipynb").student == "s1"
    assert of("cs101_2026_101_all", "Bob Smith", "x.ipynb").student == "s10"


METADATA = """\
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: 's1'
    :email: ada@uni.edu
  :created_at: 2026-09-10 18:25:53.109082000 Z
  :score: 3.0
  :history:
  - :id: 5
    :name: Bob Smith
submission_2:
  :submitters:
  - :name: Ada Lovelace
    :sid: s1
  - :name: "Bob \\u0053mith"
    :email: bob.smith@uni.edu
submission_3:
  :submitters:
    - :name: 'Mary-Jane O''Brien'
      :sid:
      :email: null
'4.pdf':
  :submitters:
  - :name: Eve Mallory
    :sid: &anchor s1
"""


def test_gradescope_metadata():
    assert submitters(METADATA) == {
        "submission_1": (Submitter("Ada Lovelace", "s1", "ada@uni.edu"),),
        "submission_2": (
            Submitter("Ada Lovelace", "s1", ""),
            Submitter("Bob Smith", "", "bob.smith@uni.edu"),
        ),
        "submission_3": (Submitter("Mary-Jane O'Brien", "", ""),),
        "4.pdf": (Submitter("Eve Mallory", "", ""),),
    }


GRADESCOPE = {
    "by id": ([Submitter("A. King", "s1")], "s1"),
    "by e-mail": ([Submitter("A. King", "", "ADA@uni.edu")], "s1"),
    "by name": ([Submitter("Ada Lovelace")], "s1"),
    "an id of another school": ([Submitter("Ada Lovelace", "987")], "s1"),
    "id and e-mail disagree": ([Submitter("Ada Lovelace", "s1", "bob.smith@uni.edu")], None),
    "two of this name": ([Submitter("Wei Wang")], None),
    "two of this name, one address": ([Submitter("Wei Wang", "", "wei2@uni.edu")], "s7"),
    "a group": ([Submitter("Ada Lovelace", "s1"), Submitter("Bob Smith", "s10")], None),
    "a group with a guest": ([Submitter("Ada Lovelace", "s1"), Submitter("Eve Mallory")], "s1"),
    "a stranger": ([Submitter("Eve Mallory", "x")], None),
}


@pytest.mark.parametrize("people, id", GRADESCOPE.values(), ids=GRADESCOPE)
def test_gradescope(people, id):
    path = ("assignment_1_export", "submission_12345")
    assert of(*path, "x.ipynb", people=people).student == id
    if len(people) > 1 and id is None:  # one of a group cannot take it by the file name
        found = of(*path, "s1.ipynb", people=people, inside=["s1"])
        assert found.student is None
        assert "a folder for each" in found.trouble
    elif id:
        assert of(*path, "s10.ipynb", people=people).student == id


def test_an_export_within_a_students_own_zip_is_the_students_word():
    people = [Submitter("Bob Smith", "s10")]
    for own in ("lovelaceada_12345_678901_work", "Ada Lovelace_1_assignsubmission_file_"):
        assert of("all", own, "submission_1", "x.ipynb", people=people).student == "s1"
    found = of("Ada Lovelace", "work", "submission_1", "x.ipynb", people=people)
    assert found.student is None
    assert "several students" in found.trouble


NAMES = {
    "Ada Lovelace": "s1",
    "lovelace, ada": "s1",
    "LOVELACE_ADA_lab1": "s1",
    "lab1-ada-lovelace-final (2)": "s1",
    "AdaLovelace": "s1",
    "adalovelace2": None,  # whole words only
    "Ada": None,  # a given name is too little
    "Ada B. Lovelace": None,
    "Mary Jane O'Brien": "s2",
    "mary-jane_o’brien": "s2",
    "O Brien Mary Jane": "s2",
    "Gabriel García Márquez": "s3",
    "Garcia Marquez Gabriel Jose": "s3",
    "Gabriel José Márquez": None,
    "王小明_作业": "s4",
    "王小明作业": "s4",
    "作业王小明": "s4",
    "王小明明作业": "s15",
    "李娜_作业": "s5",
    "李娜lab1": "s5",
    "李娜作业": None,  # two characters begin many a name
    "김민수 과제": "s17",
    "Juergen Groesse": "s8",
    "Jurgen Grosse": "s8",
    "JÜRGEN GRÖSSE": "s8",
    "Bjork Gudmundsdottir": "2021-0042",
    "Soren Kierkegaard": "700123",
    "Nguyen Van An": "s13",
    "An Nguyễn Văn": "s13",
    "Ana Lee": "s9",
    "Ana Lee Park": "s11",
    "Ipek Sahin": "s18",
    "सीता शर्मा": "s19",
    "Li Na Zhou": "s16",
    "Zhou Li Na Nana": "s16",
    "van der Berg, Anne-Marie": "s20",
    "Annemarie Vanderberg": "s20",
    "Wei Wang": None,
    "Wei Wang s7": "s7",
    "wang_wei wei1@uni.edu": "s6",
    "Ada Lovelace and Bob Smith": None,
    "Ada Lovelace s10": None,
}


@pytest.mark.parametrize("text, id", NAMES.items(), ids=NAMES)
def test_names(text, id):
    assert of("handin", text, "x.ipynb").student == id
    assert of("handin", f"{text}.ipynb").student == id


IDS = {
    "s1": "s1",
    "S1": "s1",
    "s10": "s10",
    "s100": None,
    "s1_lab.final": "s1",
    "lab-s1": "s1",
    "s 1": None,
    "xs1": None,
    "2021-0042": "2021-0042",
    "2021_0042_lab": "2021-0042",
    "2021": None,
    "0042": None,
    "700123": "700123",
    "lab_700123": "700123",
    "7001234": None,
    "12": "12",
    "lab 12": None,  # as small as a number of a problem
    "ada@uni.edu": "s1",
    "ADA@uni.edu lab": "s1",
    "lab_ada@uni.edu": "s1",
    "ada@uni.edu.au": None,
    "lada@uni.edu": None,
    "bob.smith@uni.edu": "s10",
    "x+ada@uni.edu": None,
}


@pytest.mark.parametrize("text, id", IDS.items(), ids=IDS)
def test_ids_are_whole_words(text, id):
    assert of("handin", text, "x.ipynb").student == id
    assert of("handin", f"{text}.ipynb").student == id


FOLDERS = {
    "the outer folder counts": (("Ada Lovelace", "Bob Smith", "x.ipynb"), "s1", True),
    "the folder, not the file": (("s1", "s10.ipynb"), "s1", True),
    "the folder that says something": (("week 1", "s10", "x.ipynb"), "s10", False),
    "one of several in the folder": (("Ada Lovelace, Bob Smith", "bob smith.ipynb"), "s10", False),
    "one of a name, by the file": (("Wei Wang", "lab_s6.ipynb"), "s6", False),
    "one of a name, and a third": (("Wei Wang", "lab_s1.ipynb"), None, False),
    "as a browser saved it": (("handin", "s1.ipynb.txt"), "s1", False),
    "the file alone": (("s1.ipynb",), "s1", False),
}


@pytest.mark.parametrize("path, id, noted", FOLDERS.values(), ids=FOLDERS)
def test_folders_and_files(path, id, noted):
    found = of(*path)
    assert found.student == id
    assert bool(found.notes) == noted
    assert bool(found.trouble) == (id is None)


INSIDE = {
    "says the same": (("s1.ipynb",), ["s1", "s1"], "s1", "", "file"),
    "another's variant": (("s1.ipynb",), ["s10"], "s1", "Another student's variant", "file"),
    "both": (("s1.ipynb",), ["s1", "s10"], "s1", "Another student's variant", "file"),
    "nobody's": (("s1.ipynb",), ["s99"], "s1", "'s99'", "file"),
    "alone": (("x.ipynb",), ["S10"], "s10", "", "inside"),
    "one of two of a name": (("Wei Wang.ipynb",), ["s7"], "s7", "", "inside"),
    "not one of the two": (("Wei Wang.ipynb",), ["s1"], None, "same name", ""),
    "both of the two": (("Wei Wang.ipynb",), ["s6", "s7"], None, "same name", ""),
    "two, and no path": (
        ("x.ipynb",),
        ["s1", "s10"],
        None,
        "Ada Lovelace (s1), Bob Smith (s10)",
        "",
    ),
    "a stranger, and no path": (("x.ipynb",), ["s99"], None, "'s99'", ""),
    "nothing": (("x.ipynb",), [], None, "Neither its path", ""),
    "one of two in the path": (
        ("Ada Lovelace, Bob Smith.ipynb",),
        ["s1"],
        None,
        "several students",
        "",
    ),
}


@pytest.mark.parametrize("path, inside, id, sentence, source", INSIDE.values(), ids=INSIDE)
def test_the_id_inside(path, inside, id, sentence, source):
    found = of(*path, inside=inside)
    assert (found.student, found.source) == (id, source)
    assert sentence in (found.trouble or " ".join(found.notes))
    if not sentence:
        assert found == Owner(id, source=source)


WORDS = st.sampled_from(
    [
        *("ada", "lovelace", "Bob", "Smith", "s1", "s10", "王小明", "O'Brien", "ada@uni.edu"),
        *("12345", "678901", "700123", "LATE", "anon", "Participant", "assignsubmission"),
        *("file", "submission", ".", "..", "lab", "x.ipynb", "-2"),
    ]
)
PARTS = st.one_of(
    st.text(max_size=30),
    st.lists(WORDS, max_size=8).map("_".join),
    st.lists(WORDS, max_size=8).map(" ".join),
)
PEOPLE = st.lists(
    st.builds(Submitter, st.text(max_size=9), st.sampled_from(["", "s1", "s10", "x"])), max_size=3
)


@given(st.lists(PARTS, max_size=5), PEOPLE, st.lists(st.sampled_from(["s1", "s10", "no"])))
def test_nothing_is_too_odd_and_nobody_is_picked_unnamed(path, people, inside):
    found = claims(path, CLASS, people)
    decided = owner(found, inside, CLASS)
    named = {id for level in found.levels for id in level.ids} | set(inside)
    assert (decided.student is None) == bool(decided.trouble)
    assert decided.student is None or decided.student in named
    assert decided.student is None or CLASS.get(decided.student)


PLATFORMS = st.sampled_from(
    [
        ("lovelaceada_12345_678901_", "s1"),
        ("lovelaceada_LATE_12345_678901_", "s1"),
        ("Sukarno_12345_assignsubmission_file_", "s14"),
        ("Ada Lovelace_12345_assignsubmission_file_", "s1"),
        ("nobodyelse_12345_678901_", None),
        ("anon_x7Kp2_678901_", None),
    ]
)


@given(PLATFORMS, PARTS, st.lists(PARTS, max_size=3))
def test_words_after_the_platforms_part_never_change_who_it_says(part, after, more):
    text, id = part
    for path in [("all", text + after.replace("/", "")), ("all", text, after, *more)]:
        found = claims(path, CLASS)
        assert found.levels[0][:2] == ("lms", (id,) if id else ())
        if id:
            assert owner(found, [], CLASS).student == id


@given(st.text(max_size=200))
def test_any_metadata_is_read_or_passed_over(text):
    submitters(text)
    submitters(METADATA + text)


def test_a_roster_of_thousands_is_searched_by_words_not_by_students():
    many = parse("id,name\n" + "".join(f"id{i},Given{i} Family{i}\n" for i in range(5000)))
    for i in range(0, 5000, 50):
        assert of("all", f"family{i}given{i}_12345_678901_x.ipynb", roster=many).student == f"id{i}"
    assert of("x " * 5000 + "id7", "x.ipynb", roster=many).student == "id7"


def test_no_claims_at_all():
    assert claims((), CLASS) == Claims()
