"""The catalogue and its verdicts.

Every figure and table by name, summaries by a second method, exact risk by search.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers.naming import naming
from reproduction import Ratio
from scipy.stats import beta

from explorer import KME, MKME, SKMSE, Gaussian, GaussianMixture, risk
from explorer.papers import article, atlas
from explorer.papers.catalogue import ENTRIES
from explorer.papers.effect import Effect
from explorer.papers.entry import Cell, cells, means, medians, rates, relative
from explorer.papers.quantifier import OnAverage
from explorer.papers.shrinkage import figure_2
from explorer.sweeps import InProcess, sweep

# every figure and table of the papers, what they have of results, and claims of their texts
NAMES = {
    "shrinkage": ("figure-1", "figure-2", "table-1", "figure-3", "table-2", "seconds"),
    "marginalized": (
        *("figure-1", "figure-2", "table-1", "table-2", "table-3", "table-4", "figure-3"),
        "consistency",
    ),
    "monk": ("figure-1", "figure-2", "table-1", "seconds", "rate", "covariance"),
    "article": (
        *("rate", "conditional", "rules", "filter", "propagation", "shift", "domains", "regression"),
        *("dependence", "kinds"),
    ),
}


def test_nothing_is_silently_absent():
    asked = {f"{paper}-{name}" for paper, names in NAMES.items() for name in names} | {"atlas", "functions"}
    assert set(ENTRIES) == asked
    for entry in ENTRIES.values():
        assert bool(entry.lacks) != (entry.study is not None)
        assert entry.lacks or (
            set(entry.sizes) == {"fast", "full"} and entry.summary and entry.unit and entry.lines and entry.claims
        )


def test_a_smoke_size_is_the_fast_one_thrice():
    entry = ENTRIES["shrinkage-figure-2"]
    for fast, smoke in zip(entry.grids("fast"), entry.grids("smoke"), strict=True):
        assert smoke.axes == fast.axes
        assert smoke.replicates == 3
    assert {grid.replicates for grid in ENTRIES["atlas"].grids("smoke")} == {1}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_store_can_hold_what_is_drawn(name):
    """`reproduce --store` writes netCDF 3, whose names are of Latin letters."""
    entry = ENTRIES[name]
    axes = [axis for size in entry.sizes for grid in entry.grids(size) for axis in grid.axes]
    for word in (*entry.lines, *axes):
        word.encode("latin-1")


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


# the article's rates
# ------------------------------------------------------------------------------------------------------------


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


def claim(says):
    """Return the article's claim that begins with a text."""
    return next(each for each in ENTRIES["article-rate"].claims if each.says.startswith(says))


def test_slopes_are_found_where_they_are_known():
    made = [Cell({"d": 3, "n": n}, {"KME": np.array([1.0, 2.0, 5.0]) * n**-0.5}) for n in (10, 40, 90)]
    rate = claim("The rate of convergence")
    (case,) = rate.measure.cases(made)
    assert case.where == "d = 3"
    assert case.effect(0.95)[:3] == pytest.approx((-0.5, -0.5, -0.5))
    assert rate.finding(made).word == "holds"
    steep = [Cell(c.values, {"KME": c.table["KME"] ** 2}) for c in made]
    assert rate.finding(steep).word == "not seen up to n = 90"
    loose = [
        Cell(c.values, {"KME": c.table["KME"] * np.exp([0, 0.4, -0.4] if c.values["n"] == 90 else 0)}) for c in made
    ]
    assert rate.finding(loose).word == "undecided"


@pytest.mark.parametrize(
    ("exceeded", "count", "word"), [(0, 100, "holds"), (0, 60, "undecided"), (5, 100, "undecided"), (15, 100, "fails")]
)
def test_a_bound_holds_where_a_share_of_one_in_twenty_is_excluded(exceeded, count, word):
    """0 of 60 leaves up to 6 % open, 95 % sure: that none was seen does not show that fewer than 5 % are."""
    table = {"KME": np.arange(count) < exceeded, "bound, corrected": np.full(count, 0.5)}
    assert (
        claim("With probability .95 the error is below the bound, as corrected").finding([Cell({}, table)]).word == word
    )


def test_a_mean_that_may_be_anything_is_not_shown_to_be_the_exact_one():
    exact = claim("E |μ̂ - μ|²")
    assert exact.quantifier is OnAverage
    close, loose = (np.sqrt(1 + spread * np.linspace(-1, 1, 30)) for spread in (0.1, 0.9))
    words = [exact.finding([Cell({}, {"KME": each, "exact": np.ones(30)})]).word for each in (close, loose, 2 * close)]
    assert words == ["holds", "undecided", "fails"]
    assert isinstance(exact.measure.cases([Cell({}, {"KME": close, "exact": np.ones(30)})])[0].effect(0.95), Effect)


# the atlas
# ----------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["0.3-5-1-normal"])
@pytest.mark.parametrize(
    ("theta", "n", "d", "law"), [(0.3, 5, 1, "normal"), (1.0, 20, 3, "mixture"), (3.0, 10, 2, "normal")]
)
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
    ("study", "arguments", "parts"),
    [
        (atlas.gain, {"theta": 0.0, "n": 5, "d": 1}, ("theta", "0")),
        (
            atlas.gain,
            {"theta": 1.0, "n": 5, "d": 1, "law": "cauchy"},
            ("law", "normal", "mixture", "'cauchy'"),
        ),
        (atlas.gain, {"theta": 1.0, "n": 0, "d": 1}, ("n", "1")),
        (article.rates, {"n": 0, "d": 1}, ("n", "1")),
    ],
)
def test_bad_arguments_get_a_sentence(study, arguments, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        study(**arguments)
