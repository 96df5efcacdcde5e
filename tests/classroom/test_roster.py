"""A roster is read as the platforms write it, and refused with a sentence that says why."""

import pickle
import re

import pytest

from rooflib.classroom.intake.roster import RosterError, Student, load, parse

ADA = Student("s1", "Ada Lovelace", "ada@uni.edu")
READS = {
    "plain": ("id,name,email\ns1,Ada Lovelace,ada@uni.edu\n", ADA),
    "any order, any case": ("Email,NAME,Id\nada@uni.edu,Ada Lovelace,s1\n", ADA),
    "semicolons": ("id;name;e-mail\ns1;Ada Lovelace;ada@uni.edu\n", ADA),
    "tabs": ("id\tname\temail\ns1\tAda Lovelace\tada@uni.edu\n", ADA),
    "commas inside semicolons": ("id;name\ns1;Lovelace, Ada\n", Student("s1", "Lovelace, Ada")),
    "quotes": ('id,name\ns1,"Lovelace, Ada"\n', Student("s1", "Lovelace, Ada")),
    "first and last name": (
        "Student ID,First name,Last name\ns1,Ada,Lovelace\n",
        Student("s1", "Ada Lovelace"),
    ),
    "Gradescope": (
        "First Name,Last Name,SID,Email,Role\nAda,Lovelace,s1,ada@uni.edu,Student\n",
        ADA,
    ),
    "Moodle": ("First name,Surname,ID number,Email address\nAda,Lovelace,s1,ada@uni.edu\n", ADA),
    "Canvas gradebook": (
        'Student,ID,SIS User ID,Section\n    Points Possible,,,\n"Lovelace, Ada",77,s1,A\n',
        Student("77", "Lovelace, Ada"),
    ),
    "SIS id alone": ("Student,SIS User ID\nAda,s1\n", Student("s1", "Ada")),
    "login": ("Login,Full name\nalove,Ada Lovelace\n", Student("alove", "Ada Lovelace")),
    "blanks": ("id , name\n s1 ,  Ada   Lovelace \n\n", Student("s1", "Ada Lovelace")),
    "an empty line first": ("\n\nid,name\ns1,Ada\n", Student("s1", "Ada")),
    "accents in two pieces": ("id,name\ns1,Jose\u0301\n", Student("s1", "José")),
    "a short line": ("id,name,email\ns1,Ada\n", Student("s1", "Ada")),
}


@pytest.mark.parametrize("text, student", READS.values(), ids=READS)
def test_reads(text, student):
    assert parse(text).students == (student,)


REFUSES = {
    "nothing": ("", "is empty"),
    "no id": ("name,email\nAda,a@b\n", "no column `id`"),
    "no name": ("id,email\ns1,a@b\n", "no column `name`"),
    "neither": ("a,b\n1,2\n", "no column `id` and no column `name`"),
    "no students": ("id,name\n", "no students"),
    "an empty id": ("id,name\n,Ada\n", "line 2: 'Ada' has no id"),
    "an empty name": ("id,name\ns1,\n", "line 2: the id 's1' has no name"),
    "the same id": ("id,name\ns1,Ada\ns2,Bo\nS1,Cy\n", "lines 2 and 4: both have the id 'S1'"),
    "an id with a slash": ("id,name\n../s1,Ada\n", "cannot be part of a file name"),
    "an id of dots": ("id,name\n..,Ada\n", "cannot be part of a file name"),
    "a long id": (f"id,name\n{'x' * 65},Ada\n", "longer than 64"),
    "many mistakes": ("id,name\n" + ",Ada\n" * 9, "and 4 more"),
    "an endless cell": ("id,name\n" + "x" * 200_000 + ",Ada\n", "no line of a table"),
}


@pytest.mark.parametrize("text, sentence", REFUSES.values(), ids=REFUSES)
def test_refuses_with_a_sentence(text, sentence):
    with pytest.raises(RosterError, match=re.escape(sentence)):
        parse(text, "roster.csv")


ENCODED = {
    "utf-8": ("id,name\ns1,José Łuk\n".encode(), "José Łuk", False),
    "utf-8 with a mark": (b"\xef\xbb\xbf" + "id,name\ns1,José\n".encode(), "José", False),
    "utf-16, as a spreadsheet saves it": ("id\tname\ns1\tJosé\n".encode("utf-16"), "José", False),
    "latin-1, and says so": ("id,name\ns1,José\n".encode("latin-1"), "José", True),
}


@pytest.mark.parametrize("data, name, noted", ENCODED.values(), ids=ENCODED)
def test_encodings(tmp_path, data, name, noted):
    (tmp_path / "roster.csv").write_bytes(data)
    roster = load(tmp_path / "roster.csv")
    assert roster.students == (Student("s1", name),)
    assert bool(roster.note) == noted


def test_files_that_are_no_roster(tmp_path):
    with pytest.raises(RosterError, match="cannot be read: No such file"):
        load(tmp_path / "none.csv")
    (tmp_path / "roster.xlsx").write_bytes(b"PK\x03\x04rest")
    with pytest.raises(RosterError, match="save it as CSV"):
        load(tmp_path / "roster.xlsx")
    (tmp_path / "large.csv").write_bytes(b"x" * 10_000_001)
    with pytest.raises(RosterError, match="too large"):
        load(tmp_path / "large.csv")


def test_get_ignores_case_and_blanks():
    roster = parse("id,name\nS1,Ada\n")
    assert roster.get(" s1 ") == roster.students[0]
    assert roster.get("s") is None


def test_a_roster_travels_to_another_process():
    roster = parse("id,name\ns1,Ada Lovelace\n")
    roster.finder.search("ada lovelace")
    again = pickle.loads(pickle.dumps(roster))
    assert again == roster
    assert again.finder.search("ada lovelace").ids == ("s1",)
