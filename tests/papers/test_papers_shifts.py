"""The studies of learning across domains, by a second method, and their verdicts."""

import numpy as np
import pytest
from helpers.naming import naming
from sklearn.linear_model import LinearRegression

from explorer import DICA, CovariateShift, Gaussian, KernelPCA, TargetShift, median_bandwidth
from explorer.checks import Refusal
from explorer.datasets import density_ratio, domain_pair
from explorer.papers import shifts
from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import Cell
from explorer.rng import stream


def error(X, y, weights, test):
    fit = LinearRegression().fit(X, y, sample_weight=weights)
    return np.mean((fit.predict(test.Z) - test.hidden) ** 2)


@pytest.mark.parametrize("change", ["covariate", "target"])
def test_errors_are_those_of_scikit_learn_s_weighted_line(change):
    pair, test = (domain_pair(change, 1.0, *sizes, stream(3, name)) for name, sizes in
                  (("pair", (40, 40)), ("test", (1, shifts.TESTED))))  # fmt: skip
    kernel = Gaussian(0.5 * median_bandwidth(np.concatenate([pair.X, pair.Z])))
    if change == "covariate":
        weights = CovariateShift(kernel, tolerance=0.0).fit(pair.X, pair.Z).weights_
    else:
        weights = TargetShift(kernel).fit(pair.X, pair.y, pair.Z).weights_
    found = shifts.shifts(change, 40, 3)
    assert found[shifts.PLAIN] == pytest.approx(error(pair.X, pair.y, np.ones(40), test), rel=1e-9)
    assert found[shifts.REMEDY] == pytest.approx(error(pair.X, pair.y, weights, test), rel=1e-5)  # λ = 1e-6 in Ω
    ratio = density_ratio(change, 1.0, pair.X[:, 0], pair.y)
    assert found[shifts.RATIO] == pytest.approx(error(pair.X, pair.y, ratio, test), rel=1e-9)


def test_errors_on_a_domain_that_was_not_seen_by_scikit_learn():
    places, rng = stream(5, "places").normal(size=4), stream(5, "points")
    of = np.arange(160) % 4
    signal = rng.normal(size=160)
    X = np.column_stack([2 * places[of] + 0.5 * rng.normal(size=160), signal])
    y = signal + 0.3 * rng.normal(size=160)
    there, rng = np.repeat(stream(5, "unseen").normal(size=20), 50), stream(5, "test")
    signal = rng.normal(size=1000)
    Z = np.column_stack([2 * there + 0.5 * rng.normal(size=1000), signal])
    hidden = signal + 0.3 * rng.normal(size=1000)
    kernel, found = Gaussian(median_bandwidth(X)), shifts.domains(4, 5)
    for name, model in ((shifts.PCA, KernelPCA(kernel, 2).fit(X)), (shifts.INVARIANT, DICA(1e3 * kernel).fit(X, of))):
        fit = LinearRegression().fit(model.transform(X), y)
        assert found[name] == pytest.approx(np.mean((fit.predict(model.transform(Z)) - hidden) ** 2), rel=1e-6)


@pytest.mark.thorough
def test_each_remedy_helps_where_it_should_and_fails_where_it_must():
    for change in shifts.CHANGES:
        rows = [shifts.shifts(change, 60, seed) for seed in range(6)]
        plain, after = (np.mean([row[name] for row in rows]) for name in (shifts.PLAIN, shifts.REMEDY))
        assert (after > plain) == (change == "concept"), change
        assert bool(np.isfinite(rows[0][shifts.RATIO])) == (change in ("covariate", "target", "concept"))


def test_more_domains_help_dica_and_ruin_kernel_pca():
    few, many = ([shifts.domains(count, seed) for seed in range(6)] for count in (4, 16))
    mean = {name: [np.mean([row[name] for row in rows]) for rows in (few, many)] for name in few[0]}
    assert mean[shifts.PCA][1] > mean[shifts.PCA][0]
    assert mean[shifts.GUIDED][1] < mean[shifts.INVARIANT][1] < mean[shifts.PCA][1]


@pytest.mark.parametrize("name", ["article-shift", "article-domains"])
def test_the_verdicts_follow_the_cells(name):
    """On cells with made-up errors, claims of less error hold if the error is less, and fail if it is more."""
    entry, rng = ENTRIES[name], np.random.default_rng(0)
    axes = [{"change": change, "n": 50} for change in shifts.CHANGES] if name == "article-shift" else [{"domains": 4}]
    lines = (*dict.fromkeys((shifts.PLAIN, *entry.lines)),) if name == "article-shift" else entry.lines
    for falls in (True, False):
        size = dict(zip(lines, np.linspace(3.0, 1.0, len(lines))[:: 1 if falls else -1], strict=True))
        found = [Cell(values, {line: size[line] * (1 + 0.01 * rng.normal(size=20)) for line in lines})
                 for values in axes]  # fmt: skip
        words = [f.word for f in entry.findings(found) if "raise" not in f.claim and "tenth" not in f.claim]
        assert set(words) == {"holds" if falls else "fails"}


def test_what_no_study_can_be_is_a_sentence():
    for act, words in (
        (lambda: shifts.shifts("label", 50), ("'label'", "covariate", "target")),
        (lambda: shifts.shifts("covariate", 4), ("n", "5")),
        (lambda: shifts.domains(0), ("domains", "1")),
        (lambda: shifts.domains(161), ("domains", "161", "160")),
    ):
        with pytest.raises(Refusal, match=naming(*words)):
            act()
