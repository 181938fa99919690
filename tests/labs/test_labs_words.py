"""The Shrinkage lab's texts: each of their numbers is the result's number."""

import math
import re
from functools import partial

import numpy as np
import pytest
from every_lab import at_step
from helpers.naming import naming, one_sentence_names
from hypothesis import given
from hypothesis import strategies as st

from explorer import KME, SKMSE, james_stein, james_stein_risk, oracle_alpha, risk
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.labs.shrinkage.words import caption, headline, story_values
from explorer.workbench.numbers import compared, format_number, percent

at = partial(at_step, "shrinkage")
STATES = [
    {},
    {"bandwidth": 0.16},
    {"n": 100, "bandwidth": 1.0},
    {"lam": 0.32, "n": 100},
    {"lam": 20.0},
    {"lam": 0.0},
    {"lam": math.inf},
    {"kernel": "LIN"},
    {"kernel": "LIN", "source": "gaussian"},
    {"kernel": "POLY3", "lam": 0.05},
    {"source": "gaussian", "d": 30},
    {"outliers": 4, "n": 40},
    {"selection": "theorem-4", "d": 20},
    {"source": "wine"},
    {"source": "wdbc", "lam": 5.0, "n": 200},
]
SAID = re.compile(
    r"(?P<share>\d+(?:\.\d+)?) % (?P<way>less|more)|(?P<times>[\d.]+) times (the|as much)"
    r"|(?P<none>the same)"
)


def every_headline(result):
    """Return the headline at each row of the λ-tables."""
    return [headline(result, row) for row in range(len(result.simple.lams))]


def gains(html):
    """Return the gains that a text names, in its order, each with half of its last digit."""
    found = []
    for m in SAID.finditer(re.sub("<[^>]*>", "", html)):
        if m["share"]:
            step = 0.1 if "." in m["share"] or float(m["share"]) < 9.5 else 1.0
            found.append((float(m["share"]) / 100 * (1 if m["way"] == "less" else -1), 0.005 * step))
        elif m["times"]:
            found.append(
                (1 - float(m["times"]), 0.05 * float(m["times"]))
            )  # two digits: half of the last is at most 5 %
        else:
            found.append((0.0, 0.0005))
    return found


def within_rounding(said, value):
    number, half = said
    return abs(number - value) <= half * (1 + 1e-9)


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_headline_says_the_results_numbers(fields):
    result = ShrinkageLab(**fields).result()
    for row in range(len(result.simple.lams)):
        simple, flexible = gains(headline(result, row))[:2]
        assert within_rounding(simple, result.gain(result.simple, row)), row
        assert within_rounding(flexible, result.gain(result.flexible, row)), row


@pytest.mark.thorough(
    default=[
        "{'bandwidth': 0.16}",
        "{'n': 100, 'bandwidth': 1.0}",
        "{'kernel': 'LIN'}",
        "{'kernel': 'POLY3', 'lam': 0.05}",
    ]
)
@pytest.mark.parametrize(
    "fields", [f for f in STATES if f.get("source") not in ("wine", "wdbc") and "outliers" not in f], ids=str
)
def test_the_average_gain_in_the_headline_is_the_exact_risk(fields):
    result = ShrinkageLab(**fields).result()
    lab, kernel = result.lab, result.kernel
    plain = risk(KME(kernel), result.law, lab.n)
    text = headline(result, result.row)
    average = 1 - risk(SKMSE(kernel, result.simple.lams[result.row]), result.law, lab.n) / plain
    assert within_rounding(gains(text)[2], average)
    assert percent(oracle_alpha(result.law, kernel, lab.n)) in caption(result)


def test_there_is_a_headline_for_each_row():
    result = ShrinkageLab(lam=0.0123).result()
    texts = every_headline(result)
    assert len(texts) == len(LAMS) + 2  # the typed value and the automatic choice
    assert format_number(0.0123) in texts[result.row]
    assert format_number(result.simple.chosen) in texts[-1]
    assert {format_number(path.chosen) for path in (result.simple, result.flexible)} <= set(
        re.findall(r"[\d.]+\d", caption(result))
    )


@pytest.mark.parametrize("source", ["wine", "wdbc"])
def test_a_table_says_that_its_numbers_are_estimates(source):
    result = ShrinkageLab(source=source).result()
    assert all("estimate" in text and source in text for text in map(str.lower, every_headline(result)))
    assert not any("estimate" in text.lower() for text in every_headline(ShrinkageLab().result()))


def test_outliers_are_named():
    text = headline(ShrinkageLab(n=40, outliers=4).result(), 0)
    assert re.search(naming("4 of the 40 points", "outliers"), text)
    both = ShrinkageLab(n=40, outliers=1, moved='{"3":[1,1],"4":[0,0]}').result()
    assert one_sentence_names(headline(both, 0), "1 of the 40 points", "outlier", "2 were moved")
    assert re.search(naming("n = 40", "seed 1", "1 of the 40 points"), caption(both))


def test_a_lam_is_named_with_its_estimator_wherever_another_one_is():
    text = re.sub("<[^>]*>", "", caption(ShrinkageLab().result()))
    (sentence,) = [each for each in text.split(". ") if each.count("λ = ") > 1]
    assert re.fullmatch(r"Leave-one-out chooses λ = [\d.]+ for S-KMSE and λ = [\d.]+ for F-KMSE", sentence)


def test_james_and_stein_s_headline_is_about_their_expected_squared_error():
    fields = {"source": "gaussian", "kernel": "LIN", "estimators": "james-stein", "mean": 0.3}
    for d in (1, 2, 3, 10):
        result = ShrinkageLab(d=d, **fields).result()
        text = headline(result, result.row)
        gain = 1 - james_stein_risk(d * 0.09, d, variance=1 / 20, positive=True) / (d / 20)
        assert within_rounding(gains(text)[0], gain)
        assert "KMSE" not in text + caption(result)
        assert f"{format_number(0.3 * (20 * d) ** 0.5)} standard errors from 0" in text


# numbers


@given(st.floats(1e-5, 9.99e5))
def test_a_number_keeps_three_digits_in_plain_decimals(value):
    said = format_number(value)
    assert re.fullmatch(r"\d+(\.\d+)?", said)
    assert float(said) == pytest.approx(value, rel=0.5e-2)  # three digits: half of the last is at most 1/200


def test_numbers_that_are_none():
    assert [format_number(v) for v in (None, math.inf, 0, 1000.0, 400, 0.0001)] == [
        "auto",
        "∞",
        "0",
        "1000",
        "400",
        "0.0001",
    ]
    assert [format_number(v) for v in (1.5e-8, -2.345e7, -0.5, -1e-9, -math.inf)] == [
        "1.5 × 10⁻⁸",
        "−2.34 × 10⁷",
        "−0.5",
        "−1 × 10⁻⁹",
        "−∞",
    ]
    assert len({format_number(v) for v in LAMS}) == len(LAMS)
    assert [float(format_number(v)) for v in LAMS] == LAMS


@given(st.floats(-5, 1))
def test_a_share_in_percent(share):
    said = float(percent(share).removesuffix(" %").replace("−", "-"))
    # whole from 9.5 % on, else one decimal
    assert said == pytest.approx(100 * share, abs=0.5 if abs(share) >= 0.094 else 0.05 + 1e-9)


@given(st.floats(-500, 1))
def test_a_gain_in_words_has_the_right_sign_and_size(gain):
    said = compared(gain)
    assert within_rounding(gains(said.error)[0], gain)
    assert within_rounding(gains(said.share)[0], gain)
    assert "squared error" in said.error


def test_the_told_average_is_the_exact_risk():
    result = at("harm", 0)
    plain, shrunk = (risk(SKMSE(result.kernel, lam), result.law, 20) for lam in (0.0, 0.32))
    assert story_values(result)["average"] == f"{100 * (shrunk / plain - 1):.0f} % more"


def test_the_told_gain_of_james_and_stein_is_that_of_their_estimates():
    """Drawn many times: the story's figure for three coordinates around 0 and for ten a little off."""
    rng = np.random.default_rng(0)
    for i, d, mean in ((2, 3, 0.0), (4, 10, at("stein", 4).lab.mean)):
        x = mean + rng.standard_normal((100_000, d)) / 20**0.5
        losses = ((james_stein(x, variance=1 / 20, positive=True) - mean) ** 2).sum(axis=1)
        gain = 1 - losses.mean() / (d / 20)
        # a standard error of 100,000 losses is 0.3 % of the plain average's, and the words have whole percents
        assert float(story_values(at("stein", i))["stein"].split()[0]) == pytest.approx(100 * gain, abs=0.5 + 1.4)
