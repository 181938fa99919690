"""What is reproduced and how it is judged: every figure and table by name, summaries by a second road, exact risk by search."""

from __future__ import annotations

import numpy as np
import pytest
from reproduction import Ratio
from scipy.stats import beta

from explorer import KME, MKME, SKMSE, Gaussian, GaussianMixture, risk
from explorer.papers import article, atlas
from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import Cell, cells, is_so, loses_less, means, medians, rates, relative
from explorer.papers.errata import ERRATA
from explorer.papers.shrinkage import figure_2
from explorer.sweeps import InProcess, sweep

# every figure and table of the papers, what they have of results
NAMES = {
    "shrinkage": ("figure-1", "figure-2", "table-1", "figure-3", "table-2"),
    "marginalized": ("figure-1", "figure-2", "table-1", "table-2", "table-3", "table-4", "figure-3"),
    "monk": ("figure-1", "figure-2", "table-1"),
    "article": ("rate", "conditional", "rules", "regression"),
}


def test_nothing_is_silently_absent():
    asked = {f"{paper}-{name}" for paper, names in NAMES.items() for name in names} | {"atlas"}
    assert set(ENTRIES) == asked
    for entry in ENTRIES.values():
        assert bool(entry.lacks) != (entry.study is not None)
        assert entry.lacks or (
            set(entry.sizes) == {"fast", "full"} and entry.summary and entry.unit and entry.lines and entry.judge
        )


def test_a_smoke_size_is_the_fast_one_thrice():
    entry = ENTRIES["shrinkage-figure-2"]
    for fast, smoke in zip(entry.grids("fast"), entry.grids("smoke"), strict=True):
        assert smoke.axes == fast.axes
        assert smoke.replicates == 3
    assert {grid.replicates for grid in ENTRIES["atlas"].grids("smoke")} == {1}


def test_cells_are_what_the_study_gives_and_replicates_share_their_seed():
    axes = {"kernel": ("LIN", "RBF"), "n": (4, 6), "d": (2,)}
    data = sweep(figure_2, axes, 3, InProcess(), common=tuple(axes), progress=False)
    found = cells([data, data])  # a cell of two grids once
    assert len(found) == 4
    seeds = data.seed.values.reshape(4, 3)
    assert (seeds == seeds[0]).all()
    for cell in found:
        for i, seed in enumerate(seeds[0]):
            assert {name: v[i] for name, v in cell.table.items()} == figure_2(**cell.values, seed=int(seed))


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    plain = 1 + rng.exponential(size=50)
    return {"KME": plain, "S-KMSE": 0.9 * plain + 0.1 * rng.normal(size=50), "F-KMSE": 1.1 * plain}


def test_summaries(table):
    found = relative(table)
    assert found.keys() == {"S-KMSE", "F-KMSE"}
    assert found["S-KMSE"].value == pytest.approx(Ratio.of(table, "S-KMSE").value)
    assert found["S-KMSE"].low < found["S-KMSE"].value < found["S-KMSE"].high
    assert found["F-KMSE"].high - found["F-KMSE"].low < 1e-12  # a multiple of it is never luckier
    share = rates({"p": np.array([0.05] * 7 + [0.06] * 13)})["p"]
    assert share == pytest.approx((7 / 20, beta.ppf(0.025, 7, 14), beta.ppf(0.975, 8, 13)))  # Clopper and Pearson
    assert medians({"x": np.arange(5.0)})["x"] == (2, 1, 3)
    assert means({"x": np.array([3.0])})["x"] == (3, 3, 3)
    assert means({"x": np.array([1.0, 3.0])})["x"] == pytest.approx((2, 0, 4))  # 2 sd / sqrt(2) = 2


def test_claims_are_judged_on_the_cells_that_they_are_of(table):
    found = [Cell({"n": 1}, table), Cell({"n": 2}, table | {"S-KMSE": 2 * table["KME"]})]
    judged = loses_less("it gains", "S-KMSE", ("KME",), "31")(found[:1])
    assert (judged.claim, judged.word, judged.erratum) == ("it gains", "holds on average", "31")
    assert "paired sign test at 5 % too" in judged.said
    assert loses_less("it gains", "S-KMSE", ("KME",))(found[1:]).word == "fails"
    assert loses_less("it gains", "S-KMSE", ("KME",), "", lambda v: v["n"] == 1)(found).word == "holds on average"
    assert loses_less("it gains", "S-KMSE", ("KME",), "", lambda v: v["n"] == 3)(found).word == "open"
    words = [is_so("so", lambda cells, said=said: (said, "why"))(found).word for said in (True, False, None)]
    assert words == ["holds", "fails", "open"]


# the article's rates ------------------------------------------------------------------------------------------------------------


def test_the_exact_line_is_the_mean_of_the_squares():
    rows = [article.rates(8, 3, seed) for seed in range(400)]
    square = np.array([row["KME"] ** 2 for row in rows])
    # 4 standard errors
    assert abs(square.mean() - rows[0]["exact"] ** 2) < 4 * square.std() / 20
    kernel, law = Gaussian(np.sqrt(6)), GaussianMixture([1.0], np.zeros((1, 3)), np.eye(3)[None])
    assert rows[0]["exact"] ** 2 == pytest.approx(risk(KME(kernel), law, 8), rel=1e-12)


def test_the_bounds_are_those_of_the_article():
    row = article.rates(200, 2, 0)
    assert round(row["bound, printed"], 4) == 0.2375
    assert round(row["bound, corrected"], 3) == 0.193


def test_slopes_are_found_where_they_are_known():
    made = [Cell({"d": 3, "n": n}, {"KME": np.array([1.0, 2.0, 5.0]) * n**-0.5}) for n in (10, 40, 90)]
    assert article.slopes(made)[3] == pytest.approx((-0.5, -0.5, -0.5))
    assert article.same_rate(made)[0] is True
    steep = [Cell(c.values, {"KME": c.table["KME"] ** 2}) for c in made]
    assert article.same_rate(steep)[0] is False
    loose = [Cell(c.values, {"KME": c.table["KME"] * np.exp([0, 0.4, -0.4] if c.values["n"] == 90 else 0)}) for c in made]
    assert article.same_rate(loose)[0] is None


def test_a_bound_that_is_exceeded_too_often_fails():
    numbers = {"KME": np.linspace(0, 1, 101), "high": np.full(101, 0.96), "low": np.full(101, 0.9)}
    assert article.covered("high")([Cell({}, numbers)])[0]
    assert not article.covered("low")([Cell({}, numbers)])[0]


# the atlas ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("theta", "n", "d", "law"), [(0.3, 5, 1, "normal"), (1.0, 20, 3, "mixture"), (3.0, 10, 2, "normal")])
def test_the_atlas_is_the_least_risk_by_search(theta, n, d, law):
    P = GaussianMixture([1.0], np.zeros((1, d)), np.eye(d)[None]) if law == "normal" else GaussianMixture.random(d, 1)
    kernel = Gaussian(theta * atlas.root_mean_square_distance(P))
    plain, found = risk(KME(kernel), P, n), atlas.gain(theta, n, d, law)
    shrunk = min(risk(SKMSE(kernel, lam), P, n) for lam in np.geomspace(1e-4, 1e2, 400))
    noisy = min(risk(MKME(kernel, sigma), P, n) for sigma in kernel.bandwidth * np.geomspace(1e-3, 10, 200))
    # a grid of steps of 3.5 % (5 %) about the least misses it by the square of half a step times a curvature of order 1
    assert 1 - shrunk / plain == pytest.approx(found["S-KMSE"], abs=1e-3)
    assert 1 - noisy / plain == pytest.approx(found["MKME"], abs=1e-3)
    assert found["S-KMSE"] >= 1 - shrunk / plain - 1e-12
    assert found["MKME"] >= 1 - noisy / plain - 1e-9


def test_the_distance_of_two_points():
    X = GaussianMixture.random(3, 1).sample(40_000, 0)
    square = ((X[::2] - X[1::2]) ** 2).sum(axis=1)
    # 4 standard errors of the mean square, halved by the root
    assert atlas.root_mean_square_distance(GaussianMixture.random(3, 1)) ** 2 == pytest.approx(
        square.mean(), abs=4 * square.std() / np.sqrt(len(square))
    )


@pytest.mark.parametrize(
    ("study", "arguments", "said"),
    [
        (atlas.gain, {"theta": 0.0, "n": 5, "d": 1}, "theta must be a finite number above 0"),
        (atlas.gain, {"theta": 1.0, "n": 5, "d": 1, "law": "cauchy"}, "law must be one of normal, mixture, not 'cauchy'"),
        (atlas.gain, {"theta": 1.0, "n": 0, "d": 1}, "n must be at least 1"),
        (article.rates, {"n": 0, "d": 1}, "n must be at least 1"),
    ],
)
def test_bad_arguments_get_a_sentence(study, arguments, said):
    with pytest.raises(ValueError, match=said):
        study(**arguments)


def test_every_erratum_has_its_sentence():
    assert all(words and not words.endswith(".") for words in ERRATA.values())
