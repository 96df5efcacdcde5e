"""The gallery: what its words say is what the pictures show, and no picture goes stale unseen."""

import re
import shutil
from pathlib import Path

import pytest
from matplotlib.text import Text

from rooflib.book import Book
from rooflib.build import build
from rooflib.cli import main
from rooflib.exercise import AuthorError
from rooflib.gallery import Picture, drawn, pictures

BOOK = Book(Path(__file__).resolve().parents[1])
PAGE = (BOOK.pictures / "README.md").read_text(encoding="utf-8")
SHOWN = pictures(BOOK)
LESSONS = ["01_time", "02_roofline", "03_matmul", "04_network", "04b_tiles"]
every = pytest.mark.parametrize("picture", SHOWN, ids=lambda picture: picture.explorer)


def section(picture):
    """Of the page, what speaks of one lesson: the sentence, and the words for who cannot see."""
    (found,) = re.findall(
        rf"^## \[.*\]\(\.\./{picture.lesson}\.ipynb\)\n(?:(?!^## ).*\n)*", PAGE, re.M
    )
    sentence, alt, file = re.fullmatch(
        r"## .*\n\n(.+?)\n\n!\[(.+)\]\((.+)\)\n\s*", found, re.S
    ).groups()
    return sentence, " ".join(alt.split()), file


def test_every_lesson_is_in_it():
    assert [picture.lesson for picture in SHOWN] == LESSONS
    assert sorted(path.name for path in BOOK.pictures.glob("*.png")) == sorted(
        picture.file for picture in SHOWN
    )


@every
def test_each_picture_has_a_sentence_and_words_for_who_cannot_see_it(picture):
    sentence, alt, file = section(picture)
    assert file == picture.file
    assert (BOOK.lessons / f"{picture.lesson}.ipynb").is_file()
    assert sentence.count(".\n") <= 1
    assert alt.endswith(".")
    assert len(alt.split()) > 30


@every
def test_every_number_in_the_words_is_in_the_picture_or_its_sentence(picture):
    explorer = picture.draw()
    texts = explorer.scene.canvas.figure.findobj(Text)
    there = numbers(" ".join([explorer.text, *(t.get_text() for t in texts if t.get_visible())]))
    sentence, alt, _file = section(picture)
    said = numbers(sentence + alt)
    assert len(said) >= 4 or picture.explorer == "race"
    assert said - there == set()


def numbers(words):
    return set(re.findall(r"\d[\d,.]*\d|\d", words.replace("v5e", "")))


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A book whose one lesson has the book's first picture; its notebook is left out."""
    monkeypatch.setattr("rooflib.build._made", lambda book, todo: [])
    text = tmp_path / "notebooks" / "text" / "01_time.md"
    text.parent.mkdir(parents=True)
    text.write_text("```{code-cell} ipython3\n6 * 7\n```\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "rooflib"\n', encoding="utf-8")
    shutil.copytree(BOOK.pictures, tmp_path / "notebooks" / "pictures")
    return Book(tmp_path)


def test_the_build_draws_what_is_missing_and_check_names_what_is_stale(small, monkeypatch, capsys):
    monkeypatch.chdir(small.root)
    png = small.pictures / "clock.png"
    before = png.read_bytes()
    png.unlink()
    assert main(["build"]) == 0
    assert "wrote notebooks/pictures/clock.png" in capsys.readouterr().out
    assert abs(len(png.read_bytes()) - len(before)) < len(before) / 2
    listed = small.pictures / "gallery.toml"
    listed.write_text(listed.read_text(encoding="utf-8").replace("40000.0", "100.0"))
    drawn_before = png.read_bytes()
    assert main(["build", "--check", "01_time"]) == 1
    said = capsys.readouterr().err
    assert "stale: notebooks/pictures/clock.png; `rooflib build 01_time` mends it" in said
    assert png.read_bytes() == drawn_before


@pytest.mark.parametrize(
    "rows, said",
    [
        ("[[picture]\n", "not read as a gallery"),
        ('[[picture]]\nlesson = "01_time"\n', "explorer"),
        ('picture = "clock"\n', "not read as a gallery"),
    ],
)
def test_a_malformed_list_is_named(small, rows, said):
    (small.pictures / "gallery.toml").write_text(rows, encoding="utf-8")
    with pytest.raises(AuthorError, match=said):
        pictures(small)


def test_a_picture_that_cannot_be_drawn_is_an_error_of_the_build(small):
    before = (small.pictures / "clock.png").read_bytes()
    (small.pictures / "gallery.toml").write_text(
        '[[picture]]\nlesson = "01_time"\nexplorer = "clock"\nmarks = [1.5]\n', encoding="utf-8"
    )
    (error,) = build(small).errors
    assert "gallery.toml" in error
    assert "prediction cannot be 1.5" in error
    assert (small.pictures / "clock.png").read_bytes() == before


def test_the_authors_settings_do_not_reach_it(monkeypatch, tmp_path):
    plain = drawn([Picture("01_time", "clock")])
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\nfigure.facecolor: red\n")
    monkeypatch.setenv("MATPLOTLIBRC", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "zh")
    assert drawn([Picture("01_time", "clock")]) == plain
