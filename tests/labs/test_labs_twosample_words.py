"""Texts of the Two-sample lab: verdict, descriptions of the pictures, and code that reads the user's files again."""

import re

import numpy as np
import pytest
from helpers.lab_pictures import descriptions
from helpers.naming import naming

from explorer.datasets import read_tables
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.script import numbers, python
from explorer.labs.twosample.words import caption, headline
from explorer.markup import text_of

SMALL = {"n": 15, "m": 20}
OUTLIER = {"kernel": "POLY2", "outliers": 1}
EQUAL = {"source": "equal", "permutations": "9999"}
LARGE = {"source": "wdbc", "n": 100, "m": 212, "permutations": "199"}


@pytest.mark.parametrize(
    ("fields", "late", "says"),
    [
        (
            {},
            False,
            r"differ at the 5 % level: MMD² = 0\.0391, p = 0\.001\. ?None of 999 permutations of the",
        ),
        ({}, False, r"The value lies 7\.2 standard deviations above the mean under permuted labels"),
        (
            {"n": 30, "m": 30, "seed": 2},
            False,
            r"\d of 999 permutations of the labels give an MMD² at least",
        ),
        ({}, False, r"RBF kernel at 1 × the median distance \(1\.74\), n = 100 and m = 100"),
        ({}, False, "P is a standard Gaussian distribution"),
        (
            OUTLIER,
            False,
            "MMD² = −0.491, .* standard deviations below .* An unbiased estimate may be negative",
        ),
        (OUTLIER, True, r"Leaving out row 100 of Q changes the verdict: p = 0\.007\."),
        ({"source": "equal", "seed": 1}, True, r"rejects in 5 % of samples at every n"),
        ({"size": 0.2, "seed": 1}, True, r"With about n = \d+ the test would find this difference in 80 % of samples"),
        ({"n": 8, "m": 8, "samples": 20}, True, "Self-check: the test rejected .* of 20 splits"),
        ({**EQUAL, "n": 30, "m": 30}, False, "of 9999 permutations"),
        ({**EQUAL, "n": 100, "m": 100}, False, "draft.*of 199 permutations"),
        ({**EQUAL, "n": 100, "m": 100}, True, "of 9999 permutations"),
        ({"source": "wine", "n": 20, "m": 20}, False, "P is group 1 of wine and Q is group 2 of wine"),
        (LARGE, False, "^Group B and group M of wdbc differ at the 5 % level"),
        (LARGE, False, "100 of 357 and 212 rows drawn"),
        ({"source": "wine", "n": 59, "m": 71}, False, r"59 and 71 rows, seed 5\."),
    ],
    ids=str,
)
def test_headline_and_caption_say(fields, late, says):
    result = TwoSampleLab(**fields).result(wait=late)
    said = text_of(headline(result, result.row))
    assert re.search(says, f"{said} {text_of(caption(result))}")
    assert ("draft" in said) == ("draft" in says)


def test_each_row_has_its_sentence():
    result = TwoSampleLab(**SMALL).result(wait=True)
    said = [headline(result, row) for row in range(len(result.stops))]
    assert len({text_of(each) for each in said}) == len({(test.statistic, test.pvalue) for test in result.tests})
    assert re.search("of samples", said[result.row])
    assert not re.search("of samples", said[0])
    assert "RBF kernel at 1 × the median" in caption(result)


@pytest.mark.parametrize("fields", [{}, {"source": "wine", "n": 20, "m": 20}], ids=str)
def test_the_opening_names_no_row(fields):
    """Which rows have influence is the business of the picture of influence, unless one turns the verdict."""
    result = TwoSampleLab(**fields).result(wait=True)
    assert result.influence
    assert not re.search(r"\brow \d", headline(result, result.row) + caption(result))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"picture": "bandwidths"}, "of 31 bandwidths of RBF reject."),
        ({"picture": "x-ray"}, "difference of P and Q: from"),
        ({"picture": "power"}, "of 20 splits of P's own sample"),
        ({"picture": "influence"}, "Leaving out row"),
        ({"picture": "x-ray", "kernel": "POLY3"}, "The biased MMD² by moments: order 1:"),
    ],
    ids=str,
)
def test_pictures_have_words_and_tables(fields, says):
    result = TwoSampleLab(**SMALL, samples=20, **fields).result(wait=True)
    samples, null, small = descriptions(result)
    assert re.search(naming("permutations", "MMD²"), null)
    assert re.search(naming("witness", "row"), samples)
    assert says in small
    tables = numbers(result)
    assert tables.keys() == {"null", "sample", "bandwidths", "frequencies", "power"}
    assert {len(column) for column in tables["sample"].values()} == {35}
    assert tables["null"]["mmd2"].tolist() == result.test().null_distribution.tolist()


@pytest.mark.parametrize("standardise", [True, False])
def test_the_copied_lines_read_ones_own_files(tmp_path, monkeypatch, capsys, standardise):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    numbers, words = rng.normal(size=(30, 2)).round(3), rng.choice(["u", "v"], 30)
    rows = [(x, 1000 * y, word) for (x, y), word in zip(numbers, words, strict=True)]
    text = "a,b,c,who\n" + "".join(f"{a},{b},{c},{'xyz'[i % 3]}\n" for i, (a, b, c) in enumerate(rows))
    (tmp_path / "t.csv").write_text(text)
    (tmp_path / "u.csv").write_text("a,b,c\n" + "".join(f"{a + 1},{b},w\n" for a, b, _ in rows) + "1,,w\n")
    (tmp_path / "v.csv").write_text("a,b,c\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    one = read_tables(["t.csv"], target="who", scale="none")
    some = read_tables(["t.csv"], ["c", "a"], target="who", scale="none")
    two = read_tables(["v.csv", "u.csv"], missing="drop", scale="none")
    for tables, fields in (
        (one, {"file": "t.csv", "group": "who", "groups": '["z", "x"]'}),
        (some, {"file": "t.csv", "group": "who", "columns": '["c", "a"]'}),
        (two, {"file": "v.csv", "file2": "u.csv", "hash2": two[1].hash, "missing": "drop"}),
    ):
        lab = TwoSampleLab(source="file", n=9, m=8, standardise=standardise, hash=tables[0].hash, **fields)
        lab.tables = tables
        result = lab.result()
        exec(code := python(result), space := {})
        assert (space["result"].statistic, space["result"].pvalue) == (result.test().statistic, result.pvalue)
    (tmp_path / "u.csv").write_text("a,b,c\n" + "".join(f"{a},{b},w\n" for a, b, _ in rows))
    with pytest.raises(ValueError, match=r"another u\.csv"):
        exec(code, {})
