"""What the Independence lab says: verdicts, stories, words for the pictures, and code that gives its numbers again."""

import re

import numpy as np
import pytest
from picturing import with_late

from explorer.datasets import read_table
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence.result import Fresh
from explorer.labs.independence.script import numbers, python
from explorer.labs.independence.stories import STORIES
from explorer.labs.independence.words import WAITING, caption, headline, told, twin
from explorer.workbench.pairs import ACROSS, ALONG
from explorer.workbench.peer import Peer

STEPS = [(story.key, i, step) for story in STORIES for i, step in enumerate(story.steps)]
SMALL = {"n": 20, "permutations": "199"}


def shown(lab, *names):
    """The result with those studies that its picture or samples ask for, and without a table over σ."""
    work = lab.work()
    for name in names:
        work.finish(name)
    return lab.result()


@pytest.fixture(scope="module")
def results():
    """Each step's result, with what its answer speaks of; steps of one state share it."""
    known = {}
    for _, _, step in STEPS:
        lab = IndependenceLab(**step.fields)
        if lab.key not in known:
            known[lab.key] = shown(lab, "fresh", "columns")
    return {(key, i): known[IndependenceLab(**step.fields).key] for key, i, step in STEPS}


def ends(f):
    """Whether a function is above 0 at both ends of the data and below in the middle."""
    inside = f[len(f) // 5 : -len(f) // 5]
    return inside[0] > 0 > inside[len(inside) // 2] and inside[-1] > 0


# what the answers claim, beyond the numbers that are put into them
CLAIMS = {
    ("shape", 0): lambda r, _: r.pearson.pvalue > 0.5 and abs(r.pearson.value) < 0.05,
    ("shape", 1): lambda r, _: r.pvalue == 0.001 and r.standardised > 5,
    ("shape", 2): lambda r, _: ends(r.trial.shape.f) and ends(-r.trial.shape.g) and r.trial.shape.together > 0.8,
    ("shape", 3): lambda r, _: r.pvalue > 0.1 and settled_p(n=400, noise=0.5) <= 0.05,
    ("shape", 4): lambda r, _: r.pvalue == r.pearson.pvalue > 0.5,
    ("blur", 0): lambda r, _: r.pearson.pvalue <= 0.05 < r.pvalue,
    ("blur", 1): lambda r, all_: r.pvalue <= 0.05 and r.pvalue < all_["blur", 0].pvalue,
    ("blur", 2): lambda r, all_: r.pvalue == all_["blur", 1].pvalue and same_shuffles(r, all_["blur", 1]),
    ("blur", 3): lambda r, _: abs(r.pvalue - r.pearson.pvalue) <= 0.01,
    ("blur", 4): lambda r, all_: r.pvalue > 0.5 and r.pearson.pvalue > 0.5 and all_["shape", 1].trial.reached == 0,
    ("lucky", 0): lambda r, _: r.pvalue <= 0.05 and r.lab.source == "none",
    ("lucky", 1): lambda r, _: 0 < r.fresh.kernel <= 10 and 0 < r.fresh.pearson <= 10 and r.fresh.count == 100,
    ("lucky", 2): lambda r, _: r.pvalue > 0.1,
    ("lucky", 3): lambda r, _: r.columns.pvalue[0] <= 0.05 and len(r.columns.names) == 12,
}


def settled_p(**fields):
    return IndependenceLab(permutations="199", **fields).result().pvalue


def same_shuffles(a, b):
    """Whether the null distributions are one but for a factor."""
    ratio = a.test.null_distribution / b.test.null_distribution
    return np.ptp(ratio) < 1e-9 * ratio.mean()


@pytest.mark.thorough
def test_every_step_has_its_claim(results):
    assert CLAIMS.keys() == results.keys()


@pytest.mark.thorough(default=["('blur', 0)", "('blur', 1)", "('blur', 2)", "('blur', 3)", "('blur', 4)"])
@pytest.mark.parametrize("place", CLAIMS, ids=str)
def test_the_answer_is_true(place, results):
    assert CLAIMS[place](results[place], results)


def test_every_answer_has_its_numbers(results):
    for key, i, step in STEPS:
        said = step.says.format(**told(results[key, i]))
        assert WAITING not in said
        assert "nan" not in said
    (step,) = (step for _, _, step in STEPS if "{fresh}" in step.says)
    assert WAITING in step.says.format(**told(IndependenceLab(**step.fields).result()))
    assert "unknown" in told(IndependenceLab(source="drawn").result()).values()


def test_the_headline_says_both_verdicts_and_the_test():
    result = IndependenceLab().result()
    said = headline(result, result.row)
    assert (
        "Pearson's r is −0.03 and finds <b>nothing</b> (p = 0.782); HSIC finds <b>a dependence</b> (<b>p = 0.001</b>)"
        in said
    )
    assert "0 of 999 permutations of the pairing reach HSIC = 0.0237, 9.9 standard deviations above their mean" in said
    assert (
        "permutation test by the biased HSIC, RBF kernels at 0.5 × the median distances (0.358 in x, 0.375 in y), n"
        " = 100" in said
    )
    assert "draft" not in said
    assert "draft" in headline(IndependenceLab(permutations="9999").result())
    assert "quadratic kernels, n = 20" in headline(IndependenceLab(kernel="POLY2", **SMALL).result())


def test_the_noise_is_said_as_the_bandwidth_that_it_is():
    said = headline(IndependenceLab(sigma=1.0, **SMALL).result())
    assert "σ = 1 ×: the same p as at 1.5 × without noise" in said
    auto = IndependenceLab(sigma=None, **SMALL).result()
    assert re.search(
        r"σ by leave-one-out \(0\.\d+ and 0\.\d+\): the same p as at bandwidths 0\.\d+ and 0\.\d+", headline(auto)
    )
    assert "bandwidth √(θ² + 2σ²), times a constant" in caption(auto)
    assert "√" not in caption(IndependenceLab(kernel="LIN", **SMALL).result())


def test_a_canvas_without_pairs_enough_asks_for_more():
    assert "<b>empty</b>: click" in headline(IndependenceLab(source="drawn").result())
    three = IndependenceLab(source="drawn", placed="[[0,0],[1,1],[2,1]]").result()
    assert "<b>3</b> pairs so far" in headline(three)
    assert "at least 4 pairs" in headline(three)
    assert twin(three) == ["3 pairs."]
    assert three.measures == {}
    assert numbers(three)["pairs"]["x"].tolist() == [0, 1, 2]
    assert "hsic_test(X, Y" in python(three)


def test_each_row_has_its_sentence():
    result = IndependenceLab(**SMALL).result(wait=True)
    said = [headline(result, row) for row in range(len(result.stops))]
    assert len(said) == len(result.stops)
    assert "σ" not in said[0]
    assert "σ = 10 ×" in said[-1]


def test_pictures_have_words_and_tables():
    words = {
        "pair": "The leading pair",
        "gram": "mirrored cells",
        "measures": "Pearson's |r| is",
        "ranks": "for certain",
        "power": "10 pairs: HSIC",
        "columns": "columns depend",
    }
    tables = {
        "ranks": {"rank", "hsic", "gap", "bound"},
        "power": {"fraction", "n", "hsic", "pearson"},
        "columns": {"rank", "hsic", "correlation", "z", "p", "p_alone"},
    }
    assert words.keys() == set(IndependenceLab.fields["picture"].objects)
    for picture, word in words.items():
        source = {"source": "wine"} if picture == "columns" else {}
        result = shown(IndependenceLab(picture=picture, **SMALL, **source), "power", "columns")
        assert word in " ".join(twin(result))
        found = numbers(result)
        assert len(found["f"]["f"]) == ALONG
        assert len(found["g"]["g"]) == ACROSS
        assert found["null"]["hsic"].tolist() == result.test.null_distribution.tolist()
        if picture in tables:
            assert found[picture].keys() == tables[picture]
    assert "Only a table" in " ".join(twin(IndependenceLab(picture="columns", **SMALL).result()))
    assert result.measures["p of HSIC"] == result.pvalue


def test_fresh_samples_and_dcor_are_said():
    lab = IndependenceLab(samples=100, **SMALL)
    law, table = (with_late(lab.replace(), fresh=Fresh(100, *found)) for found in ((97, 5, 4), (None, None, 4)))
    assert (
        "Of 100 fresh samples HSIC finds something in <b>97</b> and Pearson in 5; HSIC in 4 of 100 re-paired"
        in headline(law)
    )
    assert "HSIC finds something in 4 of 100 re-paired, independent ones" in headline(table)
    assert "Of 100 fresh samples HSIC finds something in 97" in twin(law)[-1]
    assert told(law)["fresh"] == "97"
    asking = IndependenceLab(picture="measures", peer=True, **SMALL)
    value = asking.result().covariance
    same, apart, broken = (
        with_late(asking.replace(), peer=Peer(*p))
        for p in (("0.7", value, 0.0), ("0.7", value + 1e-3, 0.0), ("", 0.0, 0.0, "dcor ended with: <no>"))
    )
    assert "dcor 0.7 gives" in caption(same)
    assert "the same to the last digit" in caption(same)
    assert "0.001 away" in caption(apart)
    assert "dcor ended with: &lt;no&gt;" in caption(broken)


def test_the_caption_says_what_the_pairs_are():
    assert "Pairs on a sine with 3 waves, noise 0.1" in caption(
        IndependenceLab(source="sine", waves=3, **SMALL).result()
    )
    hand = IndependenceLab(placed="[[1, 1]]", moved='{"2": [0, 0]}', **SMALL).result()
    assert "1 put by hand; 1 moved by hand" in caption(hand)
    assert "flavanoids and color_intensity of wine" in caption(IndependenceLab(source="wine", **SMALL).result())


def ran(result):
    space = {}
    exec(compile(python(result), "<copied>", "exec"), space)
    return space["result"]


STATES = [
    {},
    {"source": "sine", "waves": 3, "kernel": "LIN"},
    {"source": "fan", "kernel": "distance"},
    {"kernel": "POLY2", "n": 9},
    {"sigma": 0.7},
    {"sigma": None},
    {"moved": '{"3": [0.5, -1.0], "99": [0, 0]}', "placed": "[[1.5, 2], [0, 0.25]]"},
    {"source": "drawn", "placed": "[[0,0],[1,2],[2,1],[3,3.5],[4,1]]"},
    {"source": "eckerle4", "n": 35},
    {"source": "eckerle4", "standardise": False},
    {"source": "wine", "x": '["hue", "ash"]', "y": "alcohol"},
    {"source": "wdbc", "standardise": False, "sigma": 1.0},
]


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_copied_lines_give_the_numbers_on_screen(fields, capsys):
    result = IndependenceLab(**{**SMALL, **fields}).result()
    test = ran(result)
    assert test.statistic == pytest.approx(result.test.statistic, rel=1e-12, abs=1e-18)
    assert test.pvalue == result.pvalue
    assert "p =" in capsys.readouterr().out


def test_the_copied_lines_read_ones_own_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(1).normal(size=(30, 3)).round(3)
    text = "a,b,c\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    (tmp_path / "t.csv").write_text(text)
    table = read_table("t.csv", columns=["a", "b", "c"], standardise=True)
    lab = IndependenceLab(
        source="file", file="t.csv", hash=table.hash, columns='["a", "b", "c"]', x='["b"]', y="a", **SMALL
    )
    lab.table = table
    result = lab.result()
    assert (ran(result).statistic, ran(result).pvalue) == (result.test.statistic, result.pvalue)
    (tmp_path / "t.csv").write_text(text + "1,2,3\n")
    with pytest.raises(ValueError, match=r"another t\.csv"):
        ran(result)


def test_links_round_trip():
    lab = IndependenceLab(
        source="wine",
        n=33,
        x='["hue"]',
        y="ash",
        sigma=None,
        level="0.01",
        bandwidth=0.123,
        peer=True,
        placed="[[1,2]]",
        moved='{"3":[0.5,-1.0]}',
        samples=100,
        picture="measures",
    )
    assert IndependenceLab.from_flat(lab.flat()) == (lab, [])
