"""A lab in words: what a link carries, what it refuses, and that nothing good is lost with the bad."""

import json
import math

import param
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.labs.shrinkage import ShrinkageLab
from explorer.parameters import Real, Whole

FIELDS = ShrinkageLab.fields
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
MOVED = st.dictionaries(st.integers(0, 1999).map(str), st.lists(NUMBER, min_size=2, max_size=2)).map(json.dumps)


def any_value(field):
    """Values that a field's own declaration allows."""
    if isinstance(field, Real):
        low, high = field.bounds
        if isinstance(field, Whole):
            values = st.integers(low, high)
        else:
            values = st.floats(
                low, high, exclude_min=not field.inclusive_bounds[0], allow_nan=False, allow_infinity=field.infinite
            )
        return values | st.none() if field.allow_None else values
    if isinstance(field, param.Selector):
        return st.sampled_from(field.objects)
    if field is FIELDS["moved"]:
        return MOVED
    if field is FIELDS["target_at"]:
        return st.just("") | st.lists(NUMBER, min_size=2, max_size=2).map(json.dumps)
    return st.booleans() if isinstance(field, param.Boolean) else st.text()


@st.composite
def labs(draw):
    values = {name: draw(any_value(field)) for name, field in FIELDS.items()}
    if values["filter"] != "tikhonov":  # which is refitted, and has free weights only
        values |= {"n": min(values["n"], 30), "weights": "free"}
    if values["weights"] == "simplex":  # which mixes the points of a law's sample
        values |= {"n": min(values["n"], 200), "target": "zero", "source": "gaussian"}
    values["outliers"] = min(values["outliers"], values["n"] - 1)
    return ShrinkageLab(**values)


@settings(max_examples=30, deadline=None)  # no time limit on a shared machine
@given(labs())
def test_any_state_goes_through_a_link_and_back(lab):
    words = lab.flat()
    assert all(type(word) is str for word in words.values())
    assert ShrinkageLab.from_flat(words) == (lab, [])


@pytest.mark.thorough(
    default=["source", "n", "lam", "weights", "target", "outliers", "law_seed", "columns", "standardise"]
)
@pytest.mark.parametrize("name", FIELDS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_each_field_alone_goes_through_a_link(name, data):
    value = data.draw(any_value(FIELDS[name]))
    lab = ShrinkageLab(**{"n": 2000, name: value}) if name == "outliers" else ShrinkageLab(**{name: value})
    words = {"n": "2000"} if name == "outliers" else {}
    assert ShrinkageLab.from_flat({**words, name: lab.flat()[name]}) == (lab, [])


def test_words_for_what_is_no_number():
    for word, value in {"auto": None, "": None, "inf": math.inf, "∞": math.inf, " 0.1 ": 0.1, "1e-3": 1e-3}.items():
        lab, refused = ShrinkageLab.from_flat({"lam": word})
        assert (lab.lam, refused) == (value, [])


def test_no_words_are_the_defaults():
    assert ShrinkageLab.from_flat({}) == (ShrinkageLab(), [])


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
    assert "did you mean bandwidth" in ShrinkageLab.from_flat({"bandwith": "1"})[1][0]
