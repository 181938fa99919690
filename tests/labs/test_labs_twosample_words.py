"""What the Two-sample lab says: verdict, stories, words for the pictures, and code that gives its numbers again."""

import math
import re

import numpy as np
import pytest
from picturing import in_words

from explorer.datasets import read_tables
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.script import numbers, python
from explorer.labs.twosample.words import caption, headline
from explorer.markup import text_of


def test_the_verdict_says_effect_p_test_kernel_and_sizes():
    result = TwoSampleLab().result()
    said = headline(result, result.row)
    assert re.search(r"<b>differ</b> at the 5 % level: MMD² is 0\.0391, 7\.2 standard deviations above", said)
    assert "<b>p = 0.001</b>" in said
    assert "0 of 999 permutations" in said
    assert "RBF kernel at 1 × the median distance (1.74), n = 100 and m = 100" in said


def test_a_negative_value_is_said_to_be():
    result = TwoSampleLab(kernel="POLY2", outliers=1).result()
    said = headline(result, result.row)
    assert result.test().statistic < 0
    assert "MMD² is −0.491" in said
    assert "negative</span>" in said
    assert "standard deviations below" in said


@pytest.mark.thorough
def test_the_verdict_says_what_would_change_it():
    result = TwoSampleLab(kernel="POLY2", outliers=1).result(wait=True)
    assert "Leaving out row 100 of Q: p = 0.007, the other verdict." in headline(result, result.row)
    none = TwoSampleLab(source="equal", seed=1).result(wait=True)
    assert re.search(r"About n = \d+ points like these would give a power of 80 %", headline(none, none.row))
    checked = TwoSampleLab(n=8, m=8, samples=20).result(wait=True)
    assert "Self-check: of 20 splits" in caption(checked)


def test_a_draft_says_so():
    lab = TwoSampleLab(permutations="9999", n=30, m=30, source="equal")
    assert "draft" not in headline(lab.result(), lab.result().row)
    lab.move(n=100, m=100)
    assert "draft" in headline(lab.result(), lab.result().row)
    assert "draft" not in headline(lab.result(wait=True), 0)


def test_each_row_has_its_sentence():
    result = TwoSampleLab(n=15, m=20).result(wait=True)
    said = [headline(result, row) for row in range(len(result.stops))]
    assert "RBF kernel at 0.01 × the median" in said[0]
    assert re.search("Leaving out|a power of|More points", said[result.row])
    assert "Leaving out" not in said[0]


def test_pictures_have_words_and_tables():
    result = TwoSampleLab(n=15, m=20, samples=20).result(wait=True)
    tables = numbers(result)
    assert tables.keys() == {"null", "sample", "bandwidths", "frequencies", "power"}
    assert {len(c) for c in tables["sample"].values()} == {35}
    assert tables["null"]["mmd2"].tolist() == result.test().null_distribution.tolist()
    words = {
        "bandwidths": "of 31 bandwidths of RBF reject.",
        "x-ray": "difference of P and Q: from",
        "power": "Self-check: of 20 splits",
        "influence": "Leaving out row",
    }
    for picture, word in words.items():
        null, samples, small = in_words(TwoSampleLab(n=15, m=20, samples=20, picture=picture).result(wait=True))
        assert "permutations of the labels give MMD² between" in null
        assert "The witness is highest at row" in samples
        assert word in small
    cubic = TwoSampleLab(n=15, m=20, kernel="POLY3", picture="x-ray").result(wait=True)
    assert "The biased MMD² by moments: order 1:" in in_words(cubic)[2]
    assert result.measures["p"] == result.pvalue
    assert "P is a standard Gaussian distribution" in caption(result)
    assert "P is group 1 of wine and Q is group 2 of wine" in caption(TwoSampleLab(source="wine", n=20, m=20).result())


def ran(result):
    space = {}
    exec(compile(python(result), "<copied>", "exec"), space)
    return space["result"]


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
    shared = {"source": "file", "n": 9, "m": 8, "standardise": standardise}
    one = read_tables(["t.csv"], target="who", scale="none")
    some = read_tables(["t.csv"], ["c", "a"], target="who", scale="none")
    two = read_tables(["v.csv", "u.csv"], missing="drop", scale="none")
    labs = [
        (one, {"file": "t.csv", "hash": one[0].hash, "group": "who", "groups": '["z", "x"]'}),
        (some, {"file": "t.csv", "hash": one[0].hash, "group": "who", "columns": '["c", "a"]'}),
        (two, {"file": "v.csv", "hash": two[0].hash, "file2": "u.csv", "hash2": two[1].hash, "missing": "drop"}),
    ]
    for tables, fields in labs:
        lab = TwoSampleLab(**shared, **fields)
        lab.tables = tables
        result = lab.result()
        assert (ran(result).statistic, ran(result).pvalue) == (result.test().statistic, result.pvalue)
    (tmp_path / "u.csv").write_text("a,b,c\n" + "".join(f"{a},{b},w\n" for a, b, _ in rows))
    with pytest.raises(ValueError, match=r"another u\.csv"):
        ran(result)
    assert math.isfinite(result.pvalue)


def test_another_sample_takes_back_what_hands_did():
    lab = TwoSampleLab(moved_p='{"3":[0.5,-1.0]}', dropped='["Q3"]')
    lab.move(n=50)
    assert lab.dropped
    lab.move(seed=6)
    assert (lab.moved_p, lab.dropped) == ("", "")


def test_samples_of_a_table_have_their_names_and_the_share_of_its_rows_that_was_drawn():
    result = TwoSampleLab(source="wdbc", n=100, m=212, permutations="199").result(wait=True)
    said = text_of(headline(result, result.row))
    assert said.startswith("Group B and group M of wdbc differ at the 5 % level")
    assert "100 of 357 and 212 rows drawn" in said
    whole = TwoSampleLab(source="wine", n=59, m=71, permutations="199").result(wait=True)
    assert "59 and 71 rows." in text_of(headline(whole, whole.row))
