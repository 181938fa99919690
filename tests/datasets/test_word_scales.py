"""Ordered scales that are known by their words, and orders that a user or a table gives."""

import random

import numpy as np
import pandas as pd
import pytest

from explorer import compare, read_tables
from explorer.datasets.columns.table import word_column as column_of
from explorer.datasets.columns.word_scales import word_order

# each in its order
SCALES = [
    ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"],
    ["Strongly disagree", "Somewhat disagree", "Neither agree nor disagree", "Somewhat agree", "Strongly agree"],
    ["stimme gar nicht zu", "stimme eher nicht zu", "teils/teils", "stimme eher zu", "stimme voll und ganz zu"],
    ["trifft nicht zu", "trifft eher nicht zu", "trifft eher zu", "trifft zu"],
    ["never", "rarely", "sometimes", "often", "always"],
    ["nie", "selten", "manchmal", "oft", "immer"],
    ["never", "monthly", "weekly", "daily"],
    ["very dissatisfied", "dissatisfied", "satisfied", "very satisfied"],
    ["sehr unzufrieden", "eher unzufrieden", "eher zufrieden", "sehr zufrieden"],
    ["poor", "fair", "good", "very good", "excellent"],
    ["sehr gut", "gut", "befriedigend", "ausreichend", "mangelhaft"],
    ["LOW", "MEDIUM", "HIGH"],
    ["niedrig", "mittel", "hoch"],
    ["none", "mild", "moderate", "severe"],
    ["XS", "S", "M", "L", "XL", "XXL"],
    ["small", "medium", "large"],
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    ["Montag", "Dienstag", "Mittwoch", "Samstag"],
    ["Jan", "Feb", "Mar", "Dec"],
    ["first class", "second class", "third class"],
    ["1st", "2nd", "3rd"],
    ["1. Klasse", "2. Klasse", "3. Klasse"],
    ["under 18", "18-24", "25-34", "35-64", "65+"],
    ["<10", "10-20", "20-30", ">30"],
    ["0–9 years", "10–19 years", "20 years and older"],
    ["unter 18 Jahre", "18 bis 65 Jahre", "über 65 Jahre"],
    ["£0-£9,999", "£10,000-£19,999", ">£20,000"],
    ["0", "1-2", "3-5", "6+"],
    ["2018/19", "2019/20", "2020/21"],
    ["Q1", "Q2", "Q3", "Q4"],
    ["1 star", "2 stars", "3 stars", "4 stars", "5 stars"],
    ["Stage I", "Stage II", "Stage III", "Stage IV"],
    ["High School", "Bachelor's", "Master's", "PhD"],
    ["Hauptschulabschluss", "Mittlere Reife", "Abitur"],
    ["1 - strongly disagree", "2", "3", "4", "5 - strongly agree"],
]
NONE = [
    ["red", "green", "blue"],
    ["A", "B", "C", "D"],
    ["M", "F", "D"],
    ["S", "M", "D"],
    ["low", "high"],
    ["I", "II", "III"],
    ["2-1", "1-0", "0-2"],
    ["1-0", "2-0", "3-1"],
    ["P001", "P002", "P003"],
    ["555-1234", "555-2345", "556-1111"],
    ["1 - Germany", "2 - France", "3 - Spain"],
    ["low", "medium", "high", "other"],
    ["10 min", "1-2 h", "3-4 days"],
]


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale[0])
def test_a_scale_is_known_whatever_the_order_of_its_words(scale):
    shuffled = list(scale)
    for seed in range(3):
        random.Random(seed).shuffle(shuffled)
        order = word_order([column_of("x", shuffled)])
        assert order is not None
        assert order == (tuple(scale), len(scale))


@pytest.mark.parametrize("words", NONE, ids=lambda words: words[0])
def test_other_words_have_no_order(words):
    assert word_order([column_of("x", words)]) is None


def test_answers_that_are_on_no_scale_come_last():
    order = word_order([column_of("x", ["often", "don't know", "never"]), column_of("x", ["rarely", "never", ""])])
    assert order == (("never", "rarely", "often", "don't know"), 3)


def test_codes_are_positions_on_the_scale_in_every_table():
    a, b = pd.DataFrame({"x": ["high", "low", "medium", "low"] * 5}), pd.DataFrame({"x": ["medium", "low"] * 5})
    tables = read_tables([a, b])
    assert (tables.levels, tables.columns[0].ordered) == ({"x": ("low", "medium", "high")}, 3)
    assert [one.X[:2, 0].tolist() for one in tables] == [[2.0, 0.0], [1.0, 0.0]]


def test_an_ordered_categorical_has_its_own_order():
    kind = pd.CategoricalDtype(["c", "a", "b"], ordered=True)
    a = pd.DataFrame({"x": pd.Series(list("abcb") * 5, dtype=kind)})
    assert read_tables([a, a]).levels == {"x": ("c", "a", "b")}
    plain = a.assign(x=a["x"].cat.as_unordered())
    assert read_tables([plain, plain]).columns[0].ordered == 0
    assert read_tables([plain, a]).levels == {"x": ("c", "a", "b")}


def words(rng, n, shares):
    return pd.DataFrame({"x": rng.choice(["green", "red", "blue"], n, p=shares), "z": rng.normal(size=n)})


def test_an_order_that_is_given():
    rng = np.random.default_rng(0)
    a, b = words(rng, 200, [0.5, 0.3, 0.2]), words(rng, 200, [0.2, 0.3, 0.5])
    column = compare(a, b, order={"x": ["green", "red", "blue"]}, n_resamples=199, rng=0).columns[0]
    assert (column.ordered, list(column.shares)) == (True, ["green", "red", "blue"])
    assert column.middle == (median(a), median(b)) == (column.before, column.after)
    assert column.superiority == pytest.approx(superiority(a, b))
    assert column.above[1:] == pytest.approx([np.mean(one["x"] == "blue") for one in (a, b)])


def median(table):
    return sorted(table["x"], key=["green", "red", "blue"].index)[(len(table) - 1) // 2]


def superiority(a, b):
    codes = [one["x"].map({"green": 0, "red": 1, "blue": 2}).to_numpy() for one in (a, b)]
    apart = codes[1][None] - codes[0][:, None]
    return np.mean(apart > 0) + np.mean(apart == 0) / 2


@pytest.mark.parametrize(
    ("order", "named"),
    [
        ({"x": ["green", "red"]}, "blue"),
        ({"y": ["a", "b"]}, "'y'"),
        ({"z": ["1", "2"]}, "'z'"),
        ({"x": ["green", "red", "blue", "red"]}, "'red'"),
        ({"x": []}, "'x'"),
    ],
)
def test_orders_that_do_not_fit(order, named):
    rng = np.random.default_rng(1)
    a = words(rng, 30, [0.4, 0.3, 0.3])
    with pytest.raises(ValueError, match=named):
        compare(a, a, order=order, n_resamples=19)
