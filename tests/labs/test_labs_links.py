"""Links: accepted and refused parameters, and good parameters that survive next to bad ones."""

import math

import param
import pytest
from every_lab import ROWS
from helpers.naming import names_all
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.labs.shrinkage import ShrinkageLab
from explorer.model import link_text
from explorer.parameters import Odd, Real, Whole
from explorer.workbench import registry

FIELDS = ShrinkageLab.fields


def any_value(field):
    """Return values that a field's own declaration allows; of its texts only those that other fields might hold."""
    if isinstance(field, Odd):
        return st.integers(0, 20).map(lambda k: 2 * k + 1)
    if isinstance(field, Real):
        low, high = field.bounds
        if isinstance(field, Whole):
            values = st.integers(low, high)
        else:
            open_ends = {"exclude_min": not field.inclusive_bounds[0], "exclude_max": not field.inclusive_bounds[1]}
            values = st.floats(low, high, allow_nan=False, allow_infinity=field.infinite, **open_ends)
        return values | st.none() if field.allow_None else values
    if isinstance(field, param.Selector):
        return st.sampled_from(field.objects)
    return st.booleans() if isinstance(field, param.Boolean) else st.text() | st.sampled_from(WORDS)


NUMBER = st.floats(allow_nan=False, allow_infinity=False).map(repr)
WORDS = ["", '["1", "2"]', '["P3", "Q1"]', '{"3": [0.5, -1.0]}', "[[1.5, 2], [0, 0.25]]", "[2.5, -1.0]", "X2 Y3"]


@pytest.mark.few(4)
@pytest.mark.thorough(default=["shrinkage", "independence"])
@pytest.mark.parametrize("name", ROWS)
@settings(max_examples=12, deadline=None)  # over a hundred for all labs together; a shared machine has no limit
@given(data=st.data())
def test_whatever_a_link_says_the_lab_that_it_gives_goes_through_a_link_and_back(name, data):
    cls = registry.entry(name).lab
    values = {field: data.draw(any_value(declared)) for field, declared in cls.fields.items()}
    words = {field: link_text(value) for field, value in values.items()}
    lab, refused = cls.from_flat(words)
    assert all(type(sentence) is str and sentence.endswith(".") for sentence in refused)
    assert all(type(word) is str for word in lab.flat().values())
    assert cls.from_flat(lab.flat()) == (lab, [])


@pytest.mark.thorough(default=["n", "lam", "law_seed", "standardise"])
@pytest.mark.parametrize("name", [name for name in FIELDS if name != "file"])  # without its source it says nothing
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_each_field_alone_goes_through_a_link(name, data):
    value = data.draw(any_value(FIELDS[name]))
    try:
        lab = ShrinkageLab(**{name: value})
    except ValueError:  # it goes only with others, or is a word that this field does not take
        return
    assert ShrinkageLab.from_flat({name: lab.flat()[name]}) == (lab, [])


def test_words_for_what_is_no_number():
    for word, value in {"auto": None, "": None, "inf": math.inf, "∞": math.inf, " 0.1 ": 0.1, "1e-3": 1e-3}.items():
        lab, refused = ShrinkageLab.from_flat({"lam": word})
        assert (lab.lam, refused) == (value, [])


GOOD = {"d": "7", "lam": "0.1", "source": "gaussian"}
BAD = [
    ("n", "1"),
    ("n", "99999"),
    ("n", "abc"),
    ("n", "2.5"),
    ("n", "auto"),
    ("n", "inf"),
    ("n", "nan"),
    ("n", ""),
    ("n", "1e3"),
    ("bandwidth", "0"),
    ("bandwidth", "-1"),
    ("bandwidth", "nan"),
    ("bandwidth", "inf"),
    ("bandwidth", "auto"),
    ("bandwidth", "1e999"),
    ("distance", "0"),
    ("distance", "x"),
    ("kernel", "zzz"),
    ("kernel", "rbf"),
    ("kernel", ""),
    ("kind", "ghosts"),
    ("selection", "Theorem 4"),
    ("missing", "keep"),
    ("standardise", "1"),
    ("standardise", ""),
    ("seed", "-1"),
    ("seed", str(2**32)),
    ("law_seed", "one"),
    ("rows", "-3"),
    ("outliers", "-1"),
    ("outliers", "20"),
    ("outliers", "1001"),
    ("moved", "3"),
    ("filter", "cutoff"),
    ("weights", "held"),
    ("target", "0"),
    ("target_at", "3"),
    ("target_at", "[1, 2, 3]"),
    ("target_at", "[1, NaN]"),
    ("mean", "-1"),
    ("mean", "inf"),
    ("unknown", "1"),
    ("lambda", "0.1"),
    ("columns", "x["),
    ("columns", "[1]"),
    ("", ""),
    ("name", "x"),
]


@pytest.mark.thorough(
    default=[
        "n-1",
        "n-abc",
        "n-2.5",
        "n-1e3",
        "distance-0",
        "kernel-zzz",
        "kernel-rbf",
        "missing-keep",
        "standardise-1",
        "rows--3",
        "outliers--1",
        "outliers-20",
        "moved-3",
        "target_at-[1, 2, 3]",
        "columns-x[",
        "mean--1",
    ]
)
@pytest.mark.parametrize(("field", "word"), BAD)
def test_a_bad_word_is_one_sentence_and_the_good_ones_hold(field, word):
    for words in ({field: word, **GOOD}, {**GOOD, field: word}):
        lab, refused = ShrinkageLab.from_flat(words)
        assert lab == ShrinkageLab(d=7, lam=0.1, source="gaussian")
        assert len(refused) == 1
        assert field in refused[0]
        assert word in refused[0] or field not in FIELDS


@pytest.mark.parametrize("word", ["nan", "-0.1", "abc", "0,1", "0.1.2"])
def test_a_bad_lam_is_refused_like_any_other(word):
    lab, refused = ShrinkageLab.from_flat({"lam": word, "n": "50"})
    assert lab == ShrinkageLab(n=50)
    assert len(refused) == 1
    assert word in refused[0]


def test_many_bad_words_are_as_many_sentences():
    words = {**GOOD, **dict(BAD)}  # the last word of each field
    lab, refused = ShrinkageLab.from_flat(words)
    assert lab == ShrinkageLab(d=7, lam=0.1, source="gaussian")
    assert len(refused) == len(words) - len(GOOD)


def test_fields_that_contradict_each_other_lose_the_later_one():
    lab, refused = ShrinkageLab.from_flat({"outliers": "8", "n": "5", "seed": "3"})
    assert lab == ShrinkageLab(n=5, seed=3)
    assert len(refused) == 1
    assert refused[0].startswith("outliers=8 ")
    assert ShrinkageLab.from_flat({"outliers": "30", "n": "31"}) == (ShrinkageLab(outliers=30, n=31), [])


def test_a_near_miss_is_given_a_hint():
    assert names_all(ShrinkageLab.from_flat({"bandwith": "1"})[1][0], "bandwith", "bandwidth")
