"""What the Two-sample lab says: verdict, stories, words for the pictures, and code that gives its numbers again."""

import math
import re

import numpy as np
import pytest

from explorer import mmd2_of_laws
from explorer.datasets import read_tables
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.script import numbers, python
from explorer.labs.twosample.stories import STORIES
from explorer.labs.twosample.words import WAITING, caption, headline, told, twin

STEPS = [(story.key, i, step) for story in STORIES for i, step in enumerate(story.steps)]


@pytest.fixture(scope="module")
def results():
    """Each step's result, its hand at rest."""
    return {(key, i): TwoSampleLab(**step.fields).result(wait=True) for key, i, step in STEPS}


def strip(result):
    return result.strip.pvalues


# what the answers claim, beyond the numbers that are put into them
CLAIMS = {
    ("stray", 0): lambda r, _: r.pvalue <= 0.01,
    ("stray", 1): lambda r, _: r.pvalue > 0.3 and r.samples.touched.sum() == 1,
    ("stray", 2): lambda r, _: r.influence[0].row == 199 and r.influence[0].pvalue <= 0.01,
    ("stray", 3): lambda r, _: max(r.pvalue, *(one.pvalue for one in r.influence)) <= 0.01,
    ("blind", 0): lambda r, _: abs(r.truth) < 1e-12 and r.pvalue > 0.1,
    ("blind", 1): lambda r, _: abs(r.truth) < 1e-12 and r.pvalue > 0.1,
    ("blind", 2): lambda r, _: r.truth > 0 and strip(r).min() < r.pvalue,
    ("blind", 3): lambda r, all_: r.pvalue == strip(r).min() and r.truth > 2 * all_["blind", 2].truth,
    ("blind", 4): lambda r, all_: r.pvalue > 0.1 and r.truth < 1e-3 * all_["blind", 3].truth,
    ("shopping", 0): lambda r, _: r.pvalue > 0.1 and mmd2_of_laws(*r.laws, r.kernel) == 0,
    ("shopping", 1): lambda r, _: strip(r).min() <= 0.05,
    ("shopping", 2): lambda r, _: min(r.aggregated, r.fused) > 0.05,
    ("shopping", 3): lambda r, _: max(r.aggregated, r.fused) < r.pvalue,
}


@pytest.mark.thorough
def test_every_step_has_its_claim(results):
    assert CLAIMS.keys() == results.keys()


@pytest.mark.thorough
@pytest.mark.parametrize("place", CLAIMS, ids=str)
def test_the_answer_is_true(place, results):
    assert CLAIMS[place](results[place], results)


@pytest.mark.thorough
def test_every_answer_has_its_numbers(results):
    for key, i, step in STEPS:
        said = step.says.format(**told(results[key, i]))
        assert WAITING not in said
        assert "nan" not in said
    key, i, step = STEPS[2]
    assert WAITING in step.says.format(**told(TwoSampleLab(**step.fields).result()))


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
    assert "MMD² is -0.491" in said
    assert "MMD² is negative" in said
    assert "standard deviations below" in said


@pytest.mark.thorough
def test_the_verdict_says_what_would_change_it():
    result = TwoSampleLab(kernel="POLY2", outliers=1).result(wait=True)
    assert "Leaving out Q 100 would turn it: p = 0.007." in headline(result, result.row)
    none = TwoSampleLab(source="equal", seed=1).result(wait=True)
    assert re.search(r"about n = \d+ would give a power of 80 %", headline(none, none.row))
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
    assert "Leaving out" in said[result.row]
    assert "Leaving out" not in said[0]


def test_pictures_have_words_and_tables():
    result = TwoSampleLab(n=15, m=20, samples=20).result(wait=True)
    said, tables = twin(result), numbers(result)
    assert len(said) == 10
    assert tables.keys() == {"null", "sample", "bandwidths", "frequencies", "power"}
    assert {len(c) for c in tables["sample"].values()} == {35}
    assert tables["null"]["mmd2"].tolist() == result.test().null_distribution.tolist()
    assert "The biased MMD² by the moments" in twin(TwoSampleLab(n=15, m=20, kernel="POLY3").result(wait=True))[2]
    assert result.measures["p"] == result.pvalue
    assert "P is a standard normal distribution" in caption(result)
    assert "P is group 1 of wine and Q is group 2 of wine" in caption(TwoSampleLab(source="wine", n=20, m=20).result())


def ran(result):
    space = {}
    exec(compile(python(result), "<copied>", "exec"), space)
    return space["result"]


STATES = [
    {},
    {"kernel": "LIN", "source": "spread"},
    {"kernel": "POLY2", "outliers": 2},
    {"kernel": "POLY3", "source": "moments"},
    {"source": "equal", "d": 1, "bandwidth": 0.0123, "permutations": "199"},
    {"statistic": "biased", "estimator": "S-KMSE"},
    {"statistic": "biased", "estimator": "F-KMSE", "n": 8, "m": 9, "permutations": "199"},
    {"moved_p": '{"3": [0.5, -1.0]}', "moved_q": '{"0": [9.0, 9.0], "99": [0.0, 0.0]}'},
    {"dropped": '["P3", "Q10", "Q12", "Q99"]', "outliers": 1},
    {"source": "wine", "standardise": False},
    {"source": "wine", "groups": '["3", "2"]', "dropped": '["P1"]'},
    {"source": "wdbc", "kernel": "LIN", "outliers": 1},
    {"n": 150, "m": 200, "permutations": "9999"},
]


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_copied_lines_give_the_numbers_on_screen(fields, capsys):
    result = TwoSampleLab(**{"n": 25, "m": 20, **fields}).result()
    test = ran(result)
    assert test.statistic == pytest.approx(result.test().statistic, rel=1e-12, abs=1e-15)
    assert test.pvalue == result.pvalue
    assert "p =" in capsys.readouterr().out


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
