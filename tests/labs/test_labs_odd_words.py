"""Values of links that no user types: deep, long, of other scripts. The refusal of each has a bounded length."""

from __future__ import annotations

import json
import re

import pytest
from every_lab import ROWS
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.labs.conditional import ConditionalLab
from explorer.labs.independence import IndependenceLab
from explorer.labs.shrinkage import ShrinkageLab
from explorer.model import LONGEST
from explorer.parameters import Real
from explorer.workbench import registry
from explorer.workbench.user_points import MOST, moved_points, numbers_of, placed

ODD = {
    "open brackets": "[" * 1000,
    "100,000 open brackets": "[" * 100_000,
    "closed brackets": "[" * 1000 + "]" * 1000,
    "objects": '{"1":' * 1000 + "1" + "}" * 1000,
    "a million digits": "9" * 1_000_000,
    "digits in a list": "[" + "9" * 5000 + ",1]",
    "digits beyond the floats": "[1" + "0" * 400 + ",1,1]",
    "digits of a count beyond the floats": "[[1" + "0" * 400 + ",1],[1,1]]",
    "digits in a point": "[[" + "9" * 5000 + ",1]]",
    "digits of a row": '{"' + "9" * 5000 + '":[1,1]}',
    "digits of a place": '{"1":[' + "9" * 5000 + ",1]}",
    "digits of a name": '["P' + "9" * 5000 + '"]',
    "Arabic digit": "٣",
    "superscript": "²",
    "underscore": "1_000",
    "Arabic row": '{"٣":[1,1]}',
    "row with a sign": '{"+3":[1,1]}',
    "truth values": '{"1":[true,false]}',
    "place of words": '{"1":"12"}',
    "points of words": '["12","34"]',
    "far out": '{"1":[1e300,1]}',
    "beyond the floats": "1e999",
    "point beyond the floats": "[[1e999,1]]",
    "NUL": "\0",
    "half a character": "\ud800",
    "half a character in JSON": '["\\ud800","a"]',
    "right to left": "\u202e1",
    "a million letters": "x" * 1_000_000,
    "a million spaces": "[" + " " * 1_000_000,
    "10,000 points": json.dumps([[0.5, 0.5]] * 10_000),
    "10,000 rows": json.dumps({str(i): [1, 1] for i in range(10_000)}),
}
PARSED = ("target_at", "moved", "placed", "moved_p", "moved_q", "dropped", "groups", "x", "counts", "chances", "pair")
NAMES = ("digits of a name", "points of words")  # lists of words that may be names of columns, groups and rows
FIELDS = [(name, field) for name in ROWS for field in registry.entry(name).lab.fields]
EACH = [(name, field) for name, field in FIELDS if field in PARSED and name != "sweep"]
OTHERS = [  # than these and numbers, which refuse every one
    (name, field)
    for name, field in FIELDS
    if (name, field) not in EACH and not isinstance(registry.entry(name).lab.fields[field], Real)
]


@pytest.mark.thorough(
    default=["* target_at", "monk placed", "* moved", "* dropped", "twosample groups", "* counts", "* pair", "* x"]
)
@pytest.mark.parametrize("where", EACH, ids=" ".join)
def test_parsed_fields_refuse_them_in_a_sentence(where):
    name, field = where
    cls = registry.entry(name).lab
    for odd, word in ODD.items():
        lab, refused = cls.from_flat({field: word, "seed": "7"})
        assert lab.seed == 7
        if getattr(lab, field) == word:
            assert odd in NAMES
            continue
        assert len(refused) == 1, odd
        assert refused[0].endswith("."), odd
        assert len(refused[0]) <= 700, odd
        assert refused[0].isprintable(), odd
        refused[0].encode()


@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", ROWS)
def test_numbers_refuse_them_in_a_sentence(name):
    cls = registry.entry(name).lab
    numbers = [field for field, declared in cls.fields.items() if isinstance(declared, Real)]
    for odd, word in ODD.items():
        _, refused = cls.from_flat(dict.fromkeys(numbers, word))
        assert [sentence.partition("=")[0] for sentence in refused] == numbers, odd
        assert max(map(len, refused)) <= 700, odd
        assert all(map(str.isprintable, refused)), odd


@pytest.mark.thorough
@pytest.mark.parametrize("where", OTHERS, ids=" ".join)
def test_no_field_fails_at_them(where):
    name, field = where
    for odd, word in ODD.items():
        _, refused = registry.entry(name).lab.from_flat({field: word})
        assert all(len(sentence) <= 700 and sentence.isprintable() for sentence in refused), odd


@pytest.mark.parametrize("where", EACH, ids=" ".join)
def test_a_lab_that_is_made_of_deep_words_is_a_refusal(where):
    name, field = where
    with pytest.raises(Refusal, match=naming(re.sub("_[pq]$", "", field))):
        registry.entry(name).lab(**{field: "[" * 10_000})


def test_the_limits_are_named():
    assert f"at most {LONGEST:,}" in ShrinkageLab.from_flat({"moved": " " * (LONGEST + 1)})[1][0]
    rows = {str(i): [1, 1] for i in range(MOST + 1)}
    for word, read in ((json.dumps(rows), moved_points), (json.dumps(list(rows.values())), placed)):
        with pytest.raises(Refusal, match=f"at most {MOST:,} by hand"):
            read(word)
    assert (
        len(moved_points(json.dumps(dict(list(rows.items())[1:])))) == len(placed(json.dumps([[1, 1]] * MOST))) == MOST
    )


def test_a_number_too_large_is_not_taken_for_infinity():
    lab, refused = ShrinkageLab.from_flat({"lam": "1e999"})
    assert lab.lam is None
    assert "too large" in refused[0]


@pytest.mark.parametrize("word", ["[1e308,1e308]", '["2","1"]', "[true,true]", "[NaN,1]", "{}", "5"])
def test_chances_are_numbers_whose_sum_is_one_too(word):
    with pytest.raises(Refusal, match=naming("chances", "[2, 1, 1]", 2, 5)):
        numbers_of(word, "chances", "[2, 1, 1]", (2, 5))
    assert "chances" in ConditionalLab.from_flat({"chances": word})[1][0]


def test_a_long_count_is_repeated_in_few_letters():
    (sentence,) = IndependenceLab.from_flat({"selected": "9" * 4000})[1]
    assert len(sentence) < 400
