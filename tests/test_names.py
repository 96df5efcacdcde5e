import pytest

from rooflib.names import nearest, pick

NAMES = ["TPU v5e", "TPU v5p", "H100"]


@pytest.mark.parametrize("given", ["TPU v5e", "tpu v5e", "TPU-v5e", "tpu_V5E", "TPUv5e"])
def test_letter_case_blanks_and_hyphens_do_not_matter(given):
    assert pick("chip", given, NAMES) == "TPU v5e"


def test_an_unknown_name_lists_the_valid_ones_and_suggests_the_nearest():
    with pytest.raises(
        ValueError, match=r"unknown chip 'H1000'; valid: .*H100\. Did you mean 'H100'"
    ):
        pick("chip", "H1000", NAMES)


def test_nothing_like_it_suggests_nothing():
    with pytest.raises(
        ValueError, match=r"unknown chip 'banana'; valid: TPU v5e, TPU v5p, H100\.$"
    ):
        pick("chip", "banana", NAMES)
    assert nearest("banana", NAMES) == []


@pytest.mark.parametrize("given", [None, 3, ["H100"], True])
def test_no_text_is_a_type_error(given):
    with pytest.raises(TypeError, match="chip must be one of the names"):
        pick("chip", given, NAMES)
