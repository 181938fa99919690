"""Texts of the Independence lab: verdicts, descriptions of the pictures, and code that reads the user's file again."""

import re

import numpy as np
import pytest
from helpers.lab_pictures import descriptions, with_deferred
from helpers.naming import naming

from explorer.datasets import read_table
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence.lab import DRAFT
from explorer.labs.independence.result import Fresh
from explorer.labs.independence.script import numbers, python
from explorer.labs.independence.words import caption, headline, story_values
from explorer.markup import text_of
from explorer.workbench.dcor_check import DcorAnswer
from explorer.workbench.pairs import ACROSS, ALONG

SMALL = {"n": 20, "permutations": "199"}
AUTO = r"σ by leave-one-out, 0\.\d+ and 0\.\d+ \(the same test as at bandwidths 0\.\d+ and 0\.\d+"
NARROW = {"source": "wine", "standardise": False, "n": 4, "seed": 0, "kernel": "EXP", "permutations": "999"}
MANY = {"n": 100, "permutations": "9999"}
THREE = {"source": "drawn", "placed": "[[0,0],[1,1],[2,1]]"}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (MANY, "draft"),
        (
            {**MANY, "permutations": "999"},
            r"^x and y look dependent \(HSIC, p = 0\.001\), but not linearly \(Pearson's r = −0\.0",
        ),
        (
            {**MANY, "permutations": "999"},
            r"\(Pearson's r = −0\.03, p = 0\.782\)\. ?With RBF kernels at 0\.5 × the median distances, none of 999",
        ),
        ({**MANY, "permutations": "999"}, r"none of 999 permutations reaches the observed HSIC = 0\.0237\."),
        (
            {**MANY, "permutations": "999"},
            r"exceeds all 999 permuted values, and lies 9\.9 standard deviations above their mean\. .* n = 100, seed 3"
            r"\. The bandwidths are 0\.358 in x and 0\.375 in y\.",
        ),
        ({"kernel": "POLY2"}, "With quadratic kernels,"),
        ({"sigma": 1.0}, r"σ = 1 × \(the same test as at 1\.5 × without noise"),
        ({"sigma": None}, AUTO),
        ({"sigma": None}, r"bandwidth θ2\+2σ2, times a constant"),
        ({"source": "drawn"}, "The canvas is empty: click"),
        (THREE, r"3 pairs so far.*at least 4 pairs"),
        ({"source": "sine", "waves": 3}, r"Pairs on a sine with 3 waves, noise 0\.1"),
        ({"placed": "[[1, 1]]", "moved": '{"2": [0, 0]}'}, "1 added by hand, 1 moved by hand"),
        ({"source": "wine"}, "flavanoids and color_intensity of wine"),
        # one far pair is all of the second moment, and no function of it has norm 1
        ({**NARROW, "operator": "uncentred"}, "squared norm is left out"),
    ],
    ids=str,
)
def test_headline_and_caption_say(fields, says):
    result = IndependenceLab(**{**SMALL, **fields}).result()
    assert re.search(says, f"{text_of(headline(result))} {text_of(caption(result))}")
    assert result.draft == ("draft" in headline(result)) == (fields == MANY)
    assert not result.draft or len(result.test.null_distribution) == DRAFT


@pytest.mark.parametrize(("fields", "word"), [({"kernel": "LIN"}, "σ"), (NARROW, "squared norm is left out")], ids=str)
def test_what_is_not_there_is_not_said(fields, word):
    assert word not in caption(IndependenceLab(**{**SMALL, **fields}).result())


def test_without_pairs_enough_there_are_the_pairs_alone():
    lab = IndependenceLab(source="drawn")
    assert not lab.result().enough
    assert lab.result().pending() == ()
    lab.placed = THREE["placed"]
    three = lab.result()
    assert " ".join(descriptions(three)).count("3 pairs.") == 1
    assert three.measures == {}
    assert numbers(three)["pairs"]["x"].tolist() == [0, 1, 2]
    assert "needs at least 4" in python(three)
    lab.placed = "[[0, 0], [1, 1], [2, 2], [3, 3]]"
    assert lab.result().pearson.value == pytest.approx(1)


def test_each_row_has_its_sentence_and_many_permutations_wait_for_a_rest():
    result = IndependenceLab(**SMALL).result(wait=True)
    said = [headline(result, row) for row in range(len(result.stops))]
    assert "σ" not in said[0]
    assert "σ = 10 ×" in said[-1]
    assert not IndependenceLab(n=120, permutations="9999").result(wait=True).draft


@pytest.mark.parametrize(
    ("picture", "word", "table"),
    [
        ("pair", "Their correlation is", ()),
        ("gram", "mirrored cells", ()),
        ("measures", "Pearson's |r|: coefficient =", ()),
        ("ranks", "upper bound: from", ("rank", "hsic", "gap", "bound")),
        ("power", "HSIC: from", ("fraction", "n", "hsic", "pearson")),
        ("columns", "columns depend", ("rank", "hsic", "correlation", "z", "p", "p_alone")),
    ],
)
def test_pictures_have_words_and_tables(picture, word, table):
    lab = IndependenceLab(picture=picture, **SMALL, **({"source": "wine"} if picture == "columns" else {}))
    work = lab.work()
    for late in ("power", "columns"):
        work.finish(late)
    result, found = lab.result(), numbers(lab.result())
    assert word in " ".join(descriptions(result))
    assert (len(found["f"]["f"]), len(found["g"]["g"])) == (ALONG, ACROSS)
    assert found["null"]["hsic"].tolist() == result.test.null_distribution.tolist()
    assert tuple(found.get(picture, ())) == table
    assert result.measures["p of HSIC"] == result.pvalue


def test_without_a_table_no_columns_are_ranked():
    assert "Only a table" in " ".join(descriptions(IndependenceLab(picture="columns", **SMALL).result()))


def test_fresh_samples_are_said():
    lab = IndependenceLab(samples=100, **SMALL)
    law, table = (with_deferred(lab.replace(), fresh=Fresh(100, *found)) for found in ((97, 5, 4), (None, None, 4)))
    assert re.search(naming("<b>97</b> of 100", "Pearson's r in 5", "4 of"), headline(law))
    assert re.search(naming("4 of 100 samples"), headline(table))
    assert re.search(naming("97 of 100"), " ".join(descriptions(law)))
    assert story_values(law)["fresh"] == "97"


@pytest.mark.parametrize(
    ("apart", "trouble", "says"),
    [
        (0.0, "", "dcor 0.7 gives"),
        (0.0, "", "the same to the last digit"),
        (1e-3, "", "a difference of 0.001"),
        (0.0, "dcor ended with: <no>", "dcor ended with: &lt;no&gt;"),
    ],
)
def test_what_dcor_gives_is_said(apart, trouble, says):
    lab = IndependenceLab(picture="measures", peer=True, **SMALL)
    assert says in caption(with_deferred(lab, peer=DcorAnswer("0.7", lab.result().covariance + apart, 0.0, trouble)))


def test_the_copied_lines_read_ones_own_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(1).normal(size=(30, 3)).round(3)
    text = "a,b,c\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    (tmp_path / "t.csv").write_text(text)
    names = '["a", "b", "c"]'
    table = read_table("t.csv", columns=["a", "b", "c"], standardise=True)
    lab = IndependenceLab(source="file", file="t.csv", hash=table.hash, columns=names, x='["b"]', y="a", **SMALL)
    lab.table = table
    result = lab.result()
    exec(code := python(result), space := {})
    assert (space["result"].statistic, space["result"].pvalue) == (result.test.statistic, result.pvalue)
    (tmp_path / "t.csv").write_text(text + "1,2,3\n")
    with pytest.raises(ValueError, match=r"another t\.csv"):
        exec(code, {})
