"""What the Independence lab says: verdicts, stories, words for the pictures, and code that gives its numbers again."""

import re
from html import unescape

import numpy as np
import pytest
from picturing import in_words, with_late

from explorer.datasets import read_table
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence.result import Fresh
from explorer.labs.independence.script import numbers, python
from explorer.labs.independence.words import caption, headline, told
from explorer.workbench.pairs import ACROSS, ALONG
from explorer.workbench.peer import Peer

SMALL = {"n": 20, "permutations": "199"}


def shown(lab, *names):
    """The result with those studies that its picture or samples ask for, and without a table over σ."""
    work = lab.work()
    for name in names:
        work.finish(name)
    return lab.result()


def test_the_headline_says_both_verdicts_and_the_test():
    result = IndependenceLab().result()
    said = unescape(str(headline(result, result.row)))
    assert "Pearson's r is −0.03 and finds <b>no dependence</b> (p = 0.782); HSIC finds <b>a dependence</b>" in said
    assert "0 of 999 permutations reach the biased HSIC = 0.0237, 9.9 standard deviations above their mean" in said
    assert "their mean. RBF kernels at 0.5 × the median distances (0.358 and 0.375), n = 100" in said
    assert "draft" not in said
    assert "draft" in headline(IndependenceLab(permutations="9999").result())
    assert "Quadratic kernels, n = 20" in headline(IndependenceLab(kernel="POLY2", **SMALL).result())


def test_the_noise_is_said_as_the_bandwidth_that_it_is():
    said = headline(IndependenceLab(sigma=1.0, **SMALL).result())
    assert "σ = 1 ×: the same p as at 1.5 × without noise" in said
    auto = IndependenceLab(sigma=None, **SMALL).result()
    assert re.search(
        r"σ by leave-one-out \(0\.\d+ and 0\.\d+\): the same p as at bandwidths 0\.\d+ and 0\.\d+", headline(auto)
    )
    assert "bandwidth θ2+2σ2, times a constant" in re.sub("<.*?>", "", caption(auto))
    assert "σ" not in caption(IndependenceLab(kernel="LIN", **SMALL).result())


def test_a_canvas_without_pairs_enough_asks_for_more():
    assert "<b>empty</b>: click" in headline(IndependenceLab(source="drawn").result())
    three = IndependenceLab(source="drawn", placed="[[0,0],[1,1],[2,1]]").result()
    assert "<b>3</b> pairs so far" in headline(three)
    assert "at least 4 pairs" in headline(three)
    assert " ".join(in_words(three)).count("3 pairs.") == 1
    assert three.measures == {}
    assert numbers(three)["pairs"]["x"].tolist() == [0, 1, 2]
    assert "needs at least 4" in python(three)


def test_each_row_has_its_sentence():
    result = IndependenceLab(**SMALL).result(wait=True)
    said = [headline(result, row) for row in range(len(result.stops))]
    assert len(said) == len(result.stops)
    assert "σ" not in said[0]
    assert "σ = 10 ×" in said[-1]


def test_pictures_have_words_and_tables():
    words = {
        "pair": "They correlate by",
        "gram": "mirrored cells",
        "measures": "Pearson's |r|: coefficient =",
        "ranks": "bound, for certain: from",
        "power": "HSIC: from",
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
        assert word in " ".join(in_words(result))
        found = numbers(result)
        assert len(found["f"]["f"]) == ALONG
        assert len(found["g"]["g"]) == ACROSS
        assert found["null"]["hsic"].tolist() == result.test.null_distribution.tolist()
        if picture in tables:
            assert found[picture].keys() == tables[picture]
    assert "Only a table" in " ".join(in_words(IndependenceLab(picture="columns", **SMALL).result()))
    assert result.measures["p of HSIC"] == result.pvalue


def test_fresh_samples_and_dcor_are_said():
    lab = IndependenceLab(samples=100, **SMALL)
    law, table = (with_late(lab.replace(), fresh=Fresh(100, *found)) for found in ((97, 5, 4), (None, None, 4)))
    assert (
        "HSIC finds a dependence in <b>97</b> of 100 fresh samples and Pearson's r in 5; HSIC in 4 of 100 samples with"
        in headline(law)
    )
    assert "HSIC finds a dependence in 4 of 100 samples with the pairing permuted" in headline(table)
    assert "HSIC finds a dependence in 97 of 100 fresh samples" in " ".join(in_words(law))
    assert told(law)["fresh"] == "97"
    asking = IndependenceLab(picture="measures", peer=True, **SMALL)
    value = asking.result().covariance
    same, apart, broken = (
        with_late(asking.replace(), peer=Peer(*p))
        for p in (("0.7", value, 0.0), ("0.7", value + 1e-3, 0.0), ("", 0.0, 0.0, "dcor ended with: <no>"))
    )
    assert "dcor 0.7 gives" in caption(same)
    assert "the same to the last digit" in caption(same)
    assert "a difference of 0.001" in caption(apart)
    assert "dcor ended with: &lt;no&gt;" in caption(broken)


def test_the_caption_says_what_the_pairs_are():
    assert "Pairs on a sine with 3 waves, noise 0.1" in caption(
        IndependenceLab(source="sine", waves=3, **SMALL).result()
    )
    hand = IndependenceLab(placed="[[1, 1]]", moved='{"2": [0, 0]}', **SMALL).result()
    assert "1 added by hand; 1 moved by hand" in caption(hand)
    assert "flavanoids and color_intensity of wine" in caption(IndependenceLab(source="wine", **SMALL).result())


def ran(result):
    space = {}
    exec(compile(python(result), "<copied>", "exec"), space)
    return space["result"]


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


def test_functions_that_rounding_hides_are_remarked_upon():
    """Under a narrow exponential kernel one far pair is all of the second moment, and no function of it has norm 1."""
    lab = IndependenceLab(source="wine", standardise=False, n=4, seed=0, kernel="EXP")
    assert "squared norm is left out" not in caption(lab.result())
    assert "squared norm is left out" in caption(lab.replace(operator="uncentred").result())
