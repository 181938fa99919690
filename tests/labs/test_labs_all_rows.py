"""All rows of a table of one's own, of which a page draws some: their test, what it is said by, and what repeats it."""

import json
import re
from importlib import import_module

import numpy as np
import pytest

from explorer import hsic_test
from explorer.__main__ import main
from explorer.checks import Refusal
from explorer.datasets import read_table, read_tables
from explorer.kernels.low_rank import automatic
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence import words as of_pairs
from explorer.labs.independence.script import python as python_of_pairs
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample import words as of_samples
from explorer.labs.twosample.script import python as python_of_samples
from explorer.markup import text_of

HEAD = "a,b,city\n"


def rows(rng, n, shift):
    return HEAD + "".join(f"{rng.normal(shift):.3f},{rng.normal():.3f},{'xyz'[i % 3]}\n" for i in range(n))


@pytest.fixture
def samples(tmp_path, monkeypatch):
    """A Two-sample lab of two files of 90 and 80 rows, of which it draws 20 each, and the files in the folder."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    (tmp_path / "p.csv").write_text(rows(rng, 90, 0.0))
    (tmp_path / "q.csv").write_text(rows(rng, 80, 0.6))
    tables = read_tables(["p.csv", "q.csv"], scale="none", lenient=True)
    lab = TwoSampleLab(source="file", file="p.csv", file2="q.csv", hash=tables[0].hash, hash2=tables[1].hash,
                       lenient=True, n=20, m=20, seed=0, permutations="199", standardise=False)  # fmt: skip
    lab.tables = tables
    return lab


@pytest.fixture
def pairs(tmp_path, monkeypatch):
    """An Independence lab of a file of 80 rows, of which it draws 20, and the file in the folder."""
    monkeypatch.chdir(tmp_path)
    x = np.random.default_rng(3).normal(size=(80, 2)).round(3)
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{a},{a * a + b / 2:.4f}\n" for a, b in x))
    table = read_table("t.csv", standardise=True)
    lab = IndependenceLab(source="file", file="t.csv", hash=table.hash, n=20, permutations="199")
    lab.table = table
    return lab


def test_all_rows_are_tested_as_the_command_tests_them(samples, capsys):
    test = samples.result(wait=True).of_all
    main(["test", "p.csv", "q.csv", "--json", "--permutations", "199", "--scale", "none"])
    said = json.loads(capsys.readouterr().out)
    assert (test.n, test.m) == (90, 80)
    assert (test.statistic, test.pvalue) == (said["statistic"], said["pvalue"])


def test_all_pairs_are_tested_as_the_library_tests_them(pairs):
    test, (x, y) = pairs.result(wait=True).of_all, pairs.table.X.T
    assert test.statistic == hsic_test(x, y, n_resamples=199, rng=pairs.seed).statistic


@pytest.mark.parametrize("lab", ["samples", "pairs"])
def test_no_slider_asks_for_them_again(lab, request):
    lab = request.getfixturevalue(lab)
    before = lab.result(wait=True).of_all
    lab.move(n=30, bandwidth=0.25)
    assert lab.result().of_all is before
    lab.move(kernel="LIN")
    assert lab.result().of_all is None
    assert lab.result(wait=True).of_all.kernel != before.kernel


def test_only_where_some_are_drawn(samples, pairs):
    samples.move(n=90, m=80)
    pairs.move(n=80)
    for lab in (samples, pairs, TwoSampleLab(source="wine", n=20, m=20), IndependenceLab(source="wine", n=20)):
        result = lab.result()
        assert "of_all" not in result.pending()
        assert not any("all rows" in work.name for work in lab.cost)


def test_the_verdict_says_what_all_rows_say(samples):
    result = samples.result()
    assert "All 90 and 80 rows: still being computed." in text_of(of_samples.headline(result, result.row))
    result = samples.result(wait=True)
    said = text_of(of_samples.headline(result, result.row))
    verdict = "differ" if result.of_all.pvalue <= 0.05 else "show no difference"
    assert f"All 90 and 80 rows {verdict}, p = {result.of_all.pvalue:.3g}." in said
    assert "under the RBF kernel at the median distance." in text_of(of_samples.caption(result))
    assert result.measures["p of all rows"] == result.of_all.pvalue


def test_the_verdict_says_what_all_pairs_say(pairs):
    result = pairs.result()
    assert "All 80 rows: still being computed." in text_of(of_pairs.headline(result))
    result = pairs.result(wait=True)
    said = text_of(of_pairs.headline(result))
    verdict = "a dependence" if result.of_all.pvalue <= 0.05 else "no dependence"
    assert f"In all 80 rows HSIC finds {verdict} (p = {result.of_all.pvalue:.3g})." in said
    assert result.all_pvalue == result.of_all.pvalue


@pytest.mark.parametrize("lab", ["samples", "pairs"])
def test_a_refusal_of_all_rows_is_said(lab, request, monkeypatch):
    """The rows drawn keep their verdict, and nothing is said to be on its way."""
    headline, python = (
        (of_samples.headline, python_of_samples) if lab == "samples" else (of_pairs.headline, python_of_pairs)
    )

    def refuse(*args, **kwargs):
        raise Refusal("the points are too large; rescale <them>.")

    lab = request.getfixturevalue(lab)
    monkeypatch.setattr(import_module(f"{type(lab).__module__.rpartition('.')[0]}.result"), "kernel_of_all", refuse)
    result = lab.result(wait=True)
    said = headline(result, 0)
    assert "rows could not be tested: the points are too large; rescale <them>." in text_of(said)
    assert "<them>" not in said
    assert "still being computed" not in text_of(said)
    assert "Of all rows" not in text_of(said)
    assert "p of all rows" not in result.measures
    assert "of_all" not in python(result)


@pytest.mark.parametrize("lab", ["samples", "pairs"])
def test_landmarks_are_said_where_they_stand_for_the_kernel(lab, request, monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", 0.0)
    monkeypatch.setattr(automatic, "FEWEST", 10)  # 100 would be every row of these tables, which leave nothing off
    words = of_samples if lab == "samples" else of_pairs
    result = request.getfixturevalue(lab).result(wait=True)
    assert result.of_all.approximation.startswith("nystrom of rank")
    said = text_of(words.headline(result, 0) + words.caption(result))
    assert re.search(r", approximated by [\d and]+ random landmarks and off by at most [\d.]+", said)


@pytest.mark.parametrize(("lab", "python"), [("samples", python_of_samples), ("pairs", python_of_pairs)])
def test_the_copied_lines_repeat_it(lab, python, request, capsys):
    result = request.getfixturevalue(lab).result(wait=True)
    exec(python(result), space := {})
    assert space["result"].pvalue == result.pvalue
    assert space["of_all"].pvalue == result.of_all.pvalue
    assert space["of_all"].statistic == pytest.approx(result.of_all.statistic, rel=1e-9)  # sums in another order


def test_the_median_of_many_is_that_of_some():
    from explorer.workbench.kernels import at_median

    assert at_median("RBF", 6000) == " at the median distance"
    assert at_median("LAP", 6001) == " at the median distance of 6,000 of them"
    assert at_median("LIN", 10**6) == ""
