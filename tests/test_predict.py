"""Predictions in words: real widgets, driven; every option answered; nothing given away first."""

import re

import pytest

from rooflib.explore.predict import Predictor, predict
from rooflib.explore.predictions import PREDICTIONS, Option, Prediction


def tiers(prediction):
    while prediction is not None:
        yield prediction
        prediction = prediction.reason


EVERY = [(name, tier) for name, make in PREDICTIONS.items() for tier in tiers(make())]


@pytest.mark.parametrize("name, tier", EVERY)
def test_every_prediction_is_well_made(name, tier):
    assert 0 <= tier.right < len(tier.options) >= 2
    assert len({option.text for option in tier.options}) == len(tier.options)
    assert tier.ask.endswith("?")
    for i, option in enumerate(tier.options):
        assert option.reply
        assert (i == tier.right) or not option.reply.startswith("Yes.")
    assert not re.search(r"[{}]", tier.ask + tier.truth)


@pytest.mark.parametrize("name", PREDICTIONS)
def test_nothing_is_given_away_before_the_commitment(name):
    first = PREDICTIONS[name]()
    shown = predict(name)
    bundle = shown._repr_mimebundle_()
    for text in (bundle["text/plain"], shown.question.value, shown.reply.value):
        assert first.truth not in text
        assert all(option.reply not in text for option in first.options)
    assert first.ask in bundle["text/plain"]
    assert all(option.text in bundle["text/plain"] for option in first.options)


@pytest.mark.parametrize("name", PREDICTIONS)
def test_choose_and_commit_through_every_tier(name):
    shown = predict(name)
    for tier in tiers(PREDICTIONS[name]()):
        assert shown.asked == tier
        assert shown.commit.disabled
        shown.choice.index = 0
        assert not shown.commit.disabled
        shown.commit.click()
        assert tier.options[0].reply in shown.text
        assert tier.truth in shown.text
        assert ("✓" if tier.right == 0 else "✗") in shown.text.splitlines()[
            -1 if shown.asked is None else 0
        ]
    assert shown.asked is None
    assert shown.buttons.layout.display == "none"


def test_skipping_says_the_truth_and_goes_on():
    shown = predict("peak reached")
    shown.pass_.click()
    assert "295" in shown.text
    assert "236" in shown.text
    assert shown.asked is not None
    shown.pass_.click()
    assert shown.asked is None
    shown.pass_.click()
    shown.commit.click()  # nothing is left to answer, and nothing happens


def test_committing_without_a_choice_does_nothing():
    shown = predict("few rows")
    shown.commit.click()
    assert shown.asked is not None
    assert shown.reply.layout.display == "none"


def test_text_is_escaped():
    shown = Predictor(Prediction("<b>?", (Option("x", "<i>"), Option("y", "z")), 0, "1 < 2"))
    assert "&lt;b&gt;" in shown.question.value
    shown.choice.index = 0
    shown.commit.click()
    assert "1 &lt; 2" in shown.reply.value
    assert "<i>" not in shown.reply.value


def test_an_unknown_prediction_lists_those_there_are():
    with pytest.raises(ValueError, match="Did you mean 'few rows'"):
        predict("few row")
