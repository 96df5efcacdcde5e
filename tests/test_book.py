"""Where the book is looked for."""

import pytest

from rooflib.book import Book, BookError, find_book


@pytest.fixture
def clone(tmp_path):
    root = tmp_path / "clone"
    (root / "notebooks").mkdir(parents=True)
    (root / "rooflib").mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "rooflib"\n', encoding="utf-8")
    return root


def test_it_is_found_from_any_folder_in_it(clone, tmp_path):
    assert find_book(clone / "notebooks", package=tmp_path) == Book(clone)


def test_else_it_lies_around_the_package(clone, tmp_path):
    assert find_book(tmp_path, package=clone / "rooflib") == Book(clone)


@pytest.mark.parametrize("project", ['[project]\nname = "other"\n', "[tool]\n", "not toml"])
def test_another_project_is_not_the_book(clone, tmp_path, project):
    (clone / "pyproject.toml").write_text(project, encoding="utf-8")
    with pytest.raises(BookError, match="looked for"):
        find_book(clone, package=tmp_path / "rooflib")


def test_without_a_book_the_folders_searched_are_named(tmp_path):
    with pytest.raises(BookError) as caught:
        find_book(tmp_path / "here", package=tmp_path / "lib" / "rooflib")
    assert str(tmp_path / "here") in str(caught.value)
    assert str(tmp_path / "lib") in str(caught.value)
    assert "git clone" in str(caught.value)


def test_the_first_page_is_the_first_by_name(clone):
    for name in ("02_roofline", "01_time"):
        (clone / "notebooks" / f"{name}.ipynb").touch()
    assert Book(clone).first_page().name == "01_time.ipynb"
    (clone / "notebooks" / "00_start.ipynb").touch()
    assert Book(clone).first_page().name == "00_start.ipynb"


def test_a_book_without_pages_says_how_to_make_them(clone):
    with pytest.raises(BookError, match="rooflib build"):
        Book(clone).first_page()
