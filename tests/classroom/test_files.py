"""What a student's file is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflib.classroom.results.files import file_name


@pytest.mark.parametrize("id", ["s001", "S001", "ada@uni.edu", "12345", "a.b-c_d", "x" * 61])
def test_a_plain_id_is_its_own_name(id):
    assert file_name(id) == id


@pytest.mark.parametrize(
    "id",
    ["../x", "a/b", "a\\b", "..", ".hidden", "con", "NUL", "com1.txt", "a.", "", " ", "-rf", "é",
     "a:b", "x" * 62, "李", "a\0b", "\ud800", "a\nb", "*", "~"],
)  # fmt: skip
def test_any_other_id_gets_a_safe_name_of_its_own(id):
    name = file_name(id)
    assert name != id
    assert name.isascii()
    assert name.replace("-", "").isalnum()
    assert 0 < len(name) < 60
    assert not name.startswith("-")


@given(st.text(), st.text())
def test_two_students_never_share_a_name(one, other):
    if one != other:
        assert file_name(one) != file_name(other)
