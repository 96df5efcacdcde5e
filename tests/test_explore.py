"""The widgets, driven: real sliders are set, and the artists, the sentence and the PNG are read."""

import base64
import io
import itertools
import re

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from picture import covered, faults
from PIL import Image

import rooflib as rl
from rooflib import explore
from rooflib.explore import lettering
from rooflib.explore.canvas import encode

EXPLORERS = [
    explore.clock,
    explore.overlap,
    explore.roofline,
    explore.resistances,
    explore.quantisation,
    explore.race,
    explore.tiles,
]
every = pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)))


def open_slider(explorer):
    """The first control, and a value of it that is not shown now."""
    name, slider = next(iter(explorer.sliders.items()))
    values = [value for _words, value in slider.options]
    return name, slider, next(value for value in reversed(values) if value != slider.value)


# Commit, then move.


@every
def test_controls_are_locked_until_a_prediction_is_made(make):
    explorer = make()
    assert explorer.locked
    assert all(slider.disabled for slider in explorer.sliders.values())
    assert not explorer.mark.disabled
    explorer.commit.click()
    assert not explorer.locked
    assert not any(slider.disabled for slider in explorer.sliders.values())
    assert explorer.mark.disabled


@every
def test_the_mark_moves_and_then_stays(make):
    explorer = make()
    pin = explorer.questions[0].pin
    before = explorer.image.value
    explorer.mark.index += 5
    assert explorer.image.value != before
    marked = explorer.mark.value
    explorer.commit.click()
    line, words = pin.line.get_xdata()[0], pin.text.get_text()
    _name, slider, value = open_slider(explorer)
    slider.value = value
    assert (pin.line.get_xdata()[0], pin.text.get_text()) == (line, words)
    assert pin.line.get_visible()
    assert explorer.questions[0].words(marked) in words


@every
def test_skip_opens_the_controls_and_leaves_no_mark(make):
    explorer = make()
    explorer.pass_.click()
    assert not explorer.locked
    assert not explorer.questions[0].pin.line.get_visible()
    assert "You marked" not in explorer.text


@every
def test_ask_me_again_locks_and_hides_the_mark_of_before(make):
    explorer = make()
    first = explorer.text
    for _question in explorer.questions:
        explorer.commit.click()  # I predict this
        assert not explorer.locked
        explorer.commit.click()  # Next question; after the last one, Ask me again
        assert explorer.locked
    assert explorer.text == first


@every
def test_without_questions_it_is_open(make):
    explorer = make(ask=False)
    assert not explorer.locked
    assert not any(slider.disabled for slider in explorer.sliders.values())


# The picture and the sentence follow the settings.


@every
def test_each_control_changes_picture_and_sentence(make):
    explorer = make(ask=False)
    for name, slider in explorer.sliders.items():
        before, said = explorer.image.value, explorer.text
        values = [value for _words, value in slider.options]
        slider.value = values[-1] if slider.value != values[-1] else values[0]
        assert explorer.image.value != before, name
        assert explorer.text != said, name
        assert explorer.settings[name] == slider.value


@every
def test_a_slider_reads_as_the_sentence_says_it(make):
    explorer = make(ask=False)
    for name, slider in explorer.sliders.items():
        if isinstance(slider, widgets.SelectionSlider):
            for words, value in (slider.options[-1], slider.options[len(slider.options) // 2]):
                slider.value = value
                assert words in explorer.sentence.value, name


@every
def test_the_size_on_the_page_never_changes(make):
    explorer = make()
    width = explorer.image.width
    shapes = {pixels(explorer.image.value).shape}
    explorer.commit.click()
    for slider in explorer.sliders.values():
        for value in [value for _words, value in slider.options][::7]:
            slider.value = value
            shapes.add(pixels(explorer.image.value).shape)
    assert len(shapes) == 1
    assert explorer.image.width == width
    assert next(iter(shapes))[1] == 2 * int(width)  # sharp on a HiDPI screen


@every
def test_no_words_are_cut_off_or_on_top_of_each_other(make):
    explorer = make()
    assert faults(explorer.scene.canvas.figure) == []
    explorer.commit.click()
    for name, slider in explorer.sliders.items():
        was = slider.value
        for _words, value in (slider.options[0], slider.options[-1]):
            slider.value = value
            assert faults(explorer.scene.canvas.figure) == [], (name, value)
        slider.value = was


def corners(explorer):
    """The settings with two controls at a time at either end, the others where they are."""
    pairs = itertools.combinations(explorer.sliders.items(), 2)
    if len(explorer.sliders) == 1:
        pairs = [(each, each) for each in explorer.sliders.items()]
    for (a, first), (b, second) in pairs:
        for i, j in itertools.product((0, -1), repeat=2):
            yield {a: first.options[i][1], b: second.options[j][1]}


@every
def test_a_marks_words_lie_on_no_others_wherever_the_controls_go(make, monkeypatch):
    explorer = make()
    figure = explorer.scene.canvas.figure
    figure.canvas.draw()
    monkeypatch.setattr(explorer, "png", lambda: b"")  # only places matter here
    for question in explorer.questions:
        words = question.pin.text
        marks = question.values[:: max(1, len(question.values) // 8)]
        for mark in marks:
            explorer.mark.value = mark
            assert covered(figure, words) == [], (mark, "asked")
            explorer.predict(mark)
            assert covered(figure, words) == [], (mark, "answered")
            start = explorer.settings
            for settings in corners(explorer):
                explorer.set(**{**start, **settings})
                assert covered(figure, words) == [], (mark, settings)
            explorer.answered -= 1  # the same question again
            explorer._open_question()
        explorer.skip()
        explorer.commit.click()  # Next question


def test_point_b_keeps_its_name_when_the_peak_and_the_bandwidth_are_raised():
    explorer = explore.roofline()
    explorer.predict(1.5)
    explorer.set(bandwidth=6.56e12)
    name = explorer.scene.points["B"].text.get_window_extent()
    assert not explorer.scene.level.text.get_window_extent().overlaps(name)


@every
def test_what_stands_still_is_drawn_once(make):
    explorer = make(ask=False)
    canvas = explorer.scene.canvas
    before = canvas.static()
    _name, slider, value = open_slider(explorer)
    slider.value = value
    canvas.forget()
    assert canvas.static() == before


@every
def test_a_projector_gets_the_same_picture_larger(make):
    page, large = make(), make(size="projector")
    assert int(large.image.width) == 1.5 * int(page.image.width)
    with pytest.raises(ValueError, match="projector"):
        make(size="projecter")


@every
def test_no_figure_is_left_with_pyplot(make):
    explorer = make(ask=False)
    _name, slider, value = open_slider(explorer)
    slider.value = value
    assert plt.get_fignums() == []


def words(figure):
    """What is written in the charts; words beside them, and sketches, belong to the page."""
    charts = [ax for ax in figure.axes if ax.axison]
    texts = [text for ax in charts for text in (*ax.texts, *ax.artists)]
    return {t.get_text() for t in texts if isinstance(t, Text) and t.get_visible()} - {""}


# Numbers.


def test_the_clock_says_the_chapters_numbers():
    explorer = explore.clock()
    assert "163.7" in explorer.text
    assert "1.004 times as long" in explore.clock(ask=False).set(B=1).text
    assert "173.3" not in explorer.text
    explorer.predict(39_000.0 if 39_000.0 in values(explorer.mark) else values(explorer.mark)[-1])
    assert explorer.settings["B"] == 240
    for number in ("173.3", "163.5", "336.8", "94.4%", "5.8% more"):
        assert number in explorer.text


def values(slider):
    return [value for _words, value in slider.options]


@pytest.mark.parametrize("B", [1, 2, 240, 255, 256, 300, 1024])
@pytest.mark.parametrize("overlap", [0.0, 0.35, 1.0])
def test_the_clocks_bars_are_the_models_times(B, overlap):
    explorer = explore.clock(ask=False).set(B=B, chip="H100", overlap=overlap)
    times = rl.estimate(rl.matmul(B, 8192, 8192), "H100")
    top, bottom = explorer.scene.view.panels
    for panel in (top, bottom):
        hbm, math = panel.bars
        assert hbm.get_width() == pytest.approx(times.comms["hbm"] * 1e6)
        assert math.get_width() == pytest.approx(times.math * 1e6)
        assert hbm.get_x() == 0
    assert top.line.get_xdata()[0] == pytest.approx(times.lower * 1e6)
    assert bottom.line.get_xdata()[0] == pytest.approx(times.at(overlap) * 1e6)
    last = max(bar.get_x() + bar.get_width() for bar in bottom.bars)
    assert last == pytest.approx(times.at(overlap) * 1e6)


def test_bars_beyond_the_page_are_torn_and_said_so():
    explorer = explore.clock(ask=False).set(B=1024)
    hbm, math = explorer.scene.view.panels[0].torn
    assert (hbm.get_visible(), math.get_visible()) == (False, True)
    assert "stops at 400 µs" in explorer.text
    assert "stops" not in explorer.set(B=240).text


def test_the_overlap_slider_appears_after_the_first_prediction():
    explorer = explore.clock()
    assert explorer.sliders["overlap"].layout.visibility == "hidden"
    explorer.commit.click()
    assert explorer.sliders["overlap"].layout.visibility == "visible"


def test_overlap_hides_its_curves_until_the_prediction():
    explorer = explore.overlap()
    view = explorer.scene.view
    assert not any(curve.get_visible() for curve in view.curves)
    assert "255" not in explorer.text
    explorer.predict(16)
    assert all(curve.get_visible() for curve in view.curves)
    assert "B = 255" in explorer.text
    assert explorer.scene.band.ratio[0] == pytest.approx(1.0042, abs=1e-4)


# What goes wrong is said in words.


def test_an_error_in_a_callback_appears_in_the_sentence(monkeypatch):
    explorer = explore.clock(ask=False)

    def broken(settings):
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr(explorer.scene, "model", broken)
    explorer.sliders["B"].value = 16
    assert "nothing to divide by" in explorer.text
    assert "Traceback" not in explorer.sentence.value


@pytest.mark.parametrize(
    "settings, says",
    [
        ({"b": 1}, "no setting is called 'b'.*B, chip, overlap"),
        ({"B": 0}, "B cannot be 0.*1 to 1024"),
        ({"B": 2.5}, "B cannot be 2.5"),
        ({"chip": "H1000"}, "chip cannot be 'H1000'.*H100"),
    ],
)
def test_bad_settings_are_refused_in_words(settings, says):
    explorer = explore.clock(ask=False)
    with pytest.raises(ValueError, match=says):
        explorer.set(**settings)
    assert explorer.settings["B"] == 1


def test_a_whole_number_between_the_sliders_stops_is_taken():
    explorer = explore.clock(ask=False).set(B=777)
    assert "B = 777" in explorer.text


def test_an_unknown_chip_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match="H100"):
        explore.clock(chip="H10")


# Where it is shown.


@every
def test_the_bundle_has_a_live_view_a_picture_and_the_sentence(make):
    explorer = make()
    bundle = explorer._repr_mimebundle_()
    assert bundle["text/plain"] == explorer.text
    view = bundle["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == explorer.box.model_id
    assert pixels(base64.b64decode(bundle["image/png"])).shape[1] == 2 * int(explorer.image.width)


@every
def test_the_code_draws_what_is_on_the_screen(make):
    explorer = make(ask=False)
    _name, slider, value = open_slider(explorer)
    slider.value = value
    before = dict(plt.rcParams)
    try:
        exec(explorer.code(), {})
        assert dict(plt.rcParams) == before
        assert words(plt.gcf()) == words(explorer.scene.canvas.figure)
    finally:
        plt.close("all")


def test_the_code_button_shows_and_hides_the_code():
    explorer = explore.clock(ask=False)
    explorer.copy.click()
    assert "plots.clock" in explorer.copied.value
    explorer.sliders["B"].value = 64
    assert "rl.matmul(64, 8192, 8192)" in explorer.copied.value
    explorer.copy.click()
    assert explorer.copied.value == ""


@every
def test_the_sentence_is_announced(make):
    assert re.search(r'role="status" aria-live="polite"', make().sentence.value)


def test_the_png_is_the_pixels():
    random = np.random.default_rng(1).integers(0, 256, (17, 31, 4), np.uint8)
    assert np.array_equal(pixels(encode(random)), random)
    assert np.array_equal(pixels(encode(np.ascontiguousarray(random[..., :3]))), random[..., :3])


def test_the_roofline_of_two_bandwidths():
    explorer = explore.roofline()
    assert "×1.33" not in explorer.text
    explorer.predict(2.0)
    assert "C becomes ×1.33" in explorer.text
    assert "A ×2, B ×2, C ×1.33, D ×1" in explorer.text
    explorer.set(show="zones")
    red, yellow, green = (zone.band for zone in explorer.scene.view.zones)
    assert yellow.get_x() == pytest.approx(1.97e14 / 1.64e12)
    assert yellow.get_x() + yellow.get_width() == pytest.approx(1.97e14 / 8.2e11)
    assert red.get_visible()
    assert green.get_x() == pytest.approx(1.97e14 / 8.2e11)


def test_more_bandwidth_lowers_the_ridge():
    explorer = explore.roofline()
    explorer.skip()
    explorer.commit.click()
    assert "its ridge is at 240" in explorer.text
    explorer.predict(350.0)
    for number in ("down to 168", "H100 295", "H200 206"):
        assert number in explorer.text
    assert explorer.scene.mark.line.get_xdata()[0] == 350


@pytest.mark.parametrize("intensity", [0.1, 1.0, 240.0, 10_000.0])
def test_the_point_stands_under_the_roof(intensity):
    explorer = explore.roofline(ask=False).set(intensity=intensity)
    (y,) = explorer.scene.own.dot.get_ydata()
    assert y == pytest.approx(min(1.97e14, intensity * 8.2e11))


def test_the_rule_of_240_is_two_resistances_short():
    explorer = explore.resistances()
    assert "94% of the peak" in explorer.text
    assert not explorer.scene.curve.line.get_visible()
    explorer.predict(1.0)
    assert "it is 68%" in explorer.text
    widths = [bar.get_width() for bar in explorer.scene.bars.bars]
    assert widths == pytest.approx([1 / 1024, 1 / 240, 1 / 1024])
    assert explorer.scene.curve.dot.get_ydata()[0] == pytest.approx(163.4 / 240.2, rel=1e-3)
    explorer.commit.click()
    explorer.predict(1.0)
    assert "it is 89%" in explorer.text


@pytest.mark.parametrize(
    "settings, says",
    [
        ({"D": 480, "F": 480}, "never compute-bound"),
        ({"D": 8192, "F": 8192}, "from B = 255 on; the rule said 240"),
        ({"D": 1024, "F": 1024}, "from B = 453 on"),
        ({"D": 4096, "F": 4096, "w": "int8"}, "from B = 136 on; the rule said 120"),
        ({"B": 240, "D": 8000, "F": 8000}, "together 1/226"),
    ],
)
def test_the_budget_in_words(settings, says):
    assert says in explore.resistances(ask=False).set(**settings).text


@pytest.mark.parametrize("chip", ["H100", "TPU v6e", "TPU v3", "B200"])
def test_resistances_of_other_chips(chip):
    explorer = explore.resistances(chip=chip)
    explorer.commit.click()
    assert faults(explorer.scene.canvas.figure) == []
    assert f"1/{rl.chip(chip).ridge():.0f}" in explorer.text


def test_weight_only_int8_meets_bf16_and_int8_everywhere_never_does():
    explorer = explore.quantisation()
    assert "174" not in explorer.text
    explorer.predict(120)
    assert "meet at B = 255" in explorer.text
    assert not explorer.scene.view.lines["int8 everywhere"].get_visible()
    explorer.commit.click()
    explorer.predict(300.0)
    assert "it takes 174.4 µs" in explorer.text
    lines = {n: line.get_ydata() for n, line in explorer.scene.view.lines.items()}
    assert lines["bf16"] / lines["int8 everywhere"] == pytest.approx(2)
    assert lines["bf16"][0] / lines["int8 weights"][0] == pytest.approx(2, rel=1e-3)
    assert lines["bf16"][255:] == pytest.approx(lines["int8 weights"][255:])
    assert lines["bf16"][253] > lines["int8 weights"][253]


def test_two_chips_are_faster_only_if_the_link_overlaps():
    explorer = explore.race()
    assert not any(bar.get_visible() for bar in explorer.scene.view.bars.values())
    explorer.predict(0.5)
    assert "1.87 times as fast" in explorer.text
    assert "it is 1.03" in explorer.text
    assert "faster only if the link overlaps" in explorer.text
    bars = explorer.scene.view.bars
    assert bars["compute"].get_width() == pytest.approx(0.5)
    assert bars["ici"].get_width() == pytest.approx(372.8 / 697.7, rel=1e-3)
    assert bars["hbm"].get_width() == pytest.approx(112.5 / 697.7, rel=1e-3)


def test_doubling_b_leaves_the_race_as_it_is():
    explorer = explore.race()
    explorer.skip()
    width = explorer.scene.view.bars["ici"].get_width()
    explorer.commit.click()
    explorer.predict(1.06)
    assert explorer.settings["B"] == 2048
    assert explorer.scene.view.bars["ici"].get_width() == pytest.approx(width)
    assert "33.6 MB each way" in explorer.scene.sent.get_text()


@pytest.mark.parametrize(
    "B, D, F, over, after",
    [
        (1024, 8192, 8192, 372.8, 721.7),
        (1024, 4096, 8192, 372.8, 547.2),
        (128, 16384, 16384, 335.0, 428.2),
    ],
)
def test_the_race_in_microseconds(B, D, F, over, after):
    explorer = explore.race(ask=False).set(B=B, D=D, F=F)
    what = explorer.scene.model(explorer.settings)
    assert what.overlapped * 1e6 == pytest.approx(over, abs=0.05)
    assert what.after * 1e6 == pytest.approx(after, abs=0.05)
    last = explorer.scene.view.last
    assert last.get_x() + last.get_width() == pytest.approx(what.after / what.one)


def test_larger_tiles_halve_the_traffic_and_bk_changes_nothing():
    explorer = explore.tiles()
    explorer.predict(0.25)
    assert "it is ×0.52" in explorer.text
    assert "read 8×" in explorer.scene.view.x.get_text()
    explorer.commit.click()
    explorer.predict(0.5)
    assert "it is ×1.00" in explorer.text
    assert "bk drops out" in explorer.text


@pytest.mark.parametrize(
    "bm, bn, share", [(128, 128, 26.2), (256, 256, 51.7), (128, 512, 41.6), (512, 512, 100)]
)
def test_tiles_and_their_share_of_the_peak(bm, bn, share):
    explorer = explore.tiles(ask=False).set(bm=bm, bn=bn)
    assert f"{share:g}% of the peak" in explorer.text
    work = rl.tile(rl.matmul(4096, 4096, 4096), bm, 512, bn)
    assert 100 * rl.estimate(work, "TPU v5e").utilisation == pytest.approx(share, abs=0.05)
    x, y, z = (bar.get_width() for bar in explorer.scene.bars.bars)
    assert (x, y, z) == pytest.approx((1 / bn, 1 / bm, 1 / 4096))


@pytest.mark.parametrize("rotation", [0, 37])
@pytest.mark.parametrize("ha, va", [("left", "top"), ("center", "center"), ("right", "baseline")])
@pytest.mark.parametrize("words", ["173.3 µs", "×1.94 at 240", "your mark: 39,000 µs ▸"])
def test_quick_letters_stand_where_matplotlibs_stand(words, ha, va, rotation):
    def ink(draw):
        figure = Figure(figsize=(4, 3), dpi=100)
        canvas = FigureCanvasAgg(figure)
        text = figure.text(0.5, 0.5, words, ha=ha, va=va, rotation=rotation)
        text.set_rotation_mode("anchor")
        draw(text, canvas.get_renderer())
        dark = np.asarray(canvas.buffer_rgba())[..., 3].astype(float)
        ys, xs = np.nonzero(dark > 60)
        return *map(int, (xs.min(), xs.max(), ys.min(), ys.max())), dark.sum()

    *ours, our_ink = ink(lettering.draw)
    *theirs, their_ink = ink(lambda text, renderer: text.draw(renderer))
    # matplotlib rounds each letter's width to whole pixels, which adds up along a line.
    assert ours == pytest.approx(theirs, abs=2 + 0.06 * (theirs[1] - theirs[0]))
    assert our_ink == pytest.approx(their_ink, rel=0.12)


def test_formulas_are_left_to_matplotlib():
    figure = Figure()
    canvas = FigureCanvasAgg(figure)
    lettering.draw(figure.text(0.5, 0.5, r"$\frac{1}{B}$"), canvas.get_renderer())
    assert np.asarray(canvas.buffer_rgba()).any()


def test_a_prediction_wants_an_open_question_and_a_place_on_the_slider():
    explorer = explore.overlap()
    with pytest.raises(ValueError, match="from 1 to 1024"):
        explorer.predict(2000)
    explorer.predict(100)
    with pytest.raises(ValueError, match="no question is open"):
        explorer.predict(100)


@every
def test_without_a_question_there_is_no_mark(make):
    for question in make(ask=False).scene.questions:
        assert not any(artist.get_visible() for artist in question.pin.artists)
