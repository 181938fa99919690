"""Statements of stories, essays and lessons on what holds over samples, by simulations with fixed seeds."""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers.lessons import NOTEBOOKS
from scipy.stats import binomtest

from explorer import (
    KME,
    SKMSE,
    Embedding,
    Gaussian,
    GaussianMixture,
    Linear,
    hsic_test,
    kci_test,
    ksd_test,
    mmd_test,
    scan,
)
from explorer.discrepancy import power
from explorer.labs.causes.arrows import PAIRS, allowed_by, third
from explorer.labs.fit import FitLab


def interval(hits, count):
    """Return the 99 % interval of a probability."""
    return tuple(binomtest(int(hits), count).proportion_ci(0.99, method="exact"))


def text_of_lesson(number):
    path = next(path for path in NOTEBOOKS if path.stem.startswith(number))
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return " ".join(" ".join("".join(cell["source"]) for cell in cells).split())


def test_a_similarity_that_is_not_positive_definite_may_have_a_negative_squared_distance():
    """The essay on the mean: the "squared distance" of two samples would be negative."""
    P, Q = np.array([[0.0], [1.8]]), np.array([[0.9]])
    within_p, within_q, across = (
        np.mean([[float(abs(x - y) <= 1) for y in b[:, 0]] for x in a[:, 0]]) for a, b in ((P, P), (Q, Q), (P, Q))
    )
    assert within_p + within_q - 2 * across == -0.5


def test_under_the_linear_kernel_equal_embeddings_need_not_give_equal_embeddings_of_a_function():
    """Lesson 1: two points at ±2 have the embedding of N(0, 1), and the mean of their squares is 4 instead of 1."""
    points = Embedding(Linear(), [[-2.0], [2.0]], [0.5, 0.5])
    assert points.distance(GaussianMixture([1.0], [[0.0]], 1.0).embed(Linear())) == pytest.approx(0, abs=1e-12)
    assert points.map(np.square)([[1.0]])[0] == pytest.approx(4.0)
    assert "two points at $\\pm 2$" in text_of_lesson("01")


@pytest.mark.thorough
def test_lambda_of_another_sample_of_one_size_is_no_worse_than_the_sample_s_own():
    """The essay on shrinkage warns of another n and of another bandwidth only."""
    law, kernel, n = GaussianMixture.random(2, rng=1), Gaussian(2.5), 20
    truth = law.embed(kernel)
    means = [KME(kernel).embed(law.sample(n, rng=seed)) for seed in range(300)]
    keep = np.array([1 / (1 + SKMSE(kernel).select(mean.points).lam) for mean in means])
    square, cross = np.array([(mean.inner(mean), mean.inner(truth)) for mean in means]).T
    own, other = (kept**2 * square - 2 * kept * cross for kept in (keep, np.roll(keep, 1)))
    assert (own - other).mean() > 3 * (own - other).std() / 300**0.5


@pytest.mark.slow
def test_points_held_out_test_the_fitted_gaussian_and_not_the_family():
    """The story "fitted": held-out Gaussian points reject the Gaussian that was fitted to others."""
    truth, rejected = GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2)), {40: 0, 400: 0}
    for seed in range(60):
        rows = truth.sample(40, rng=1000 + seed)
        fit = GaussianMixture([1.0], rows.mean(axis=0)[None], np.cov(rows.T))
        for n in rejected:
            rejected[n] += ksd_test(truth.sample(n, rng=2000 + seed), fit, rng=seed).pvalue <= 0.05
    assert interval(rejected[40], 60)[0] > 0.05 - 0.02
    assert interval(rejected[400], 60)[0] > 0.5


@pytest.mark.thorough
def test_the_gaussian_fitted_to_other_points_and_to_the_same_ones_is_rejected_as_told():
    """The story "fitted": heavy-tailed points reject a fit to other points more often than a fit to themselves."""
    shares = []
    for fitted_on in ("same", "other"):
        states = (FitLab(source="student", family="fitted", n=40, fitted_on=fitted_on, seed=s) for s in range(4, 104))
        shares.append(sum(lab.result().pvalue <= 0.05 for lab in states))
    assert interval(shares[0], 100)[1] < interval(shares[1], 100)[1]
    assert shares[1] > shares[0] + 10


@pytest.mark.slow
def test_a_break_with_few_rows_after_it_is_harder_to_find():
    """The story "break": a split near the end is not favoured by chance, and a break there is harder to find."""
    found = {150: 0, 270: 0}
    for row in found:
        for seed in range(40):
            rng = np.random.default_rng(seed)
            rows = rng.normal(size=(300, 2))
            rows[row:, 0] += 0.6
            found[row] += scan(rows, n_resamples=99, rng=rng).rejected(0.05)
    assert interval(found[270], 40)[1] < interval(found[150], 40)[0]


@pytest.mark.thorough
def test_a_bounded_kernel_has_less_power_for_a_shift_than_the_linear_one():
    """The essay on outliers: the price of a bounded kernel is power for differences that moments would show."""
    hits = np.zeros(2)
    for seed in range(120):
        rng = np.random.default_rng(seed)
        X, Y = rng.normal(size=(60, 1)), rng.normal(0.45, size=(60, 1))
        hits += [mmd_test(X, Y, k, n_resamples=99, rng=seed).pvalue <= 0.05 for k in (Linear(), Gaussian(0.3))]
    assert interval(hits[1], 120)[1] < interval(hits[0], 120)[0]


@pytest.mark.thorough
def test_hidden_causes_give_the_dependences_of_two_arrows_into_z():
    """The story "arrow": x <- h -> z <- k -> y joins z to both, and leaves x and y independent without z."""
    rng, found = np.random.default_rng(0), 0
    for _ in range(20):
        h, k, *noise = rng.normal(size=(5, 100, 1))
        rows = {name: cause + 0.3 * e for name, cause, e in zip("xyz", (h, k, h + k), noise, strict=True)}
        how = {"n_resamples": 199, "rng": 1}
        alone = {pair: hsic_test(*(rows[each] for each in pair), **how).pvalue for pair in PAIRS}
        given = {pair: kci_test(*(rows[each] for each in pair), rows[third(pair)], **how).pvalue for pair in PAIRS}
        found += set(allowed_by(alone, given, 0.05).arrows) == {"xz", "yz"}
    assert found >= 15


@pytest.mark.slow
def test_how_far_the_plans_of_pilot_studies_lie_apart():
    """Lesson 6: of 60 pilot studies the middle nine tenths promise a power between 0.1 and 0.8 at n = 40."""
    P, Q = (GaussianMixture([1.0], [[mean, 0.0]], np.eye(2)) for mean in (0.0, 0.5))
    plans = [float(power(P.sample(100, rng=2 * i), Q.sample(100, rng=2 * i + 1), n=40, rng=i)) for i in range(60)]
    low, high = np.quantile(plans, (0.05, 0.95)).round(1)
    assert f"the middle nine tenths promise a power between {low:g} and {high:g} for n = 40" in text_of_lesson("06")
