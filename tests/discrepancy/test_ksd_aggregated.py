"""KSDAgg and FSSD: by hand, by closed forms, what they see, and what they refuse."""

import numpy as np
import pytest
from fit_models import KERNELS, MIXTURE, NORMAL
from helpers.naming import naming

from explorer import (
    Gaussian,
    GaussianMixture,
    InverseMultiquadric,
    Laplacian,
    StudentT,
    bandwidth_collection,
    fssd_test,
    ksd,
    ksd_test,
    ksdagg_test,
)
from explorer.discrepancy.fit import resamples
from explorer.discrepancy.fit.finite_set import _features, _location_points

X = MIXTURE.sample(15, rng=0)
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)

# over many kernels ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("null", ["wild", "parametric"])
def test_each_kernel_has_the_p_value_of_its_own_test(null):
    result = ksdagg_test(X, MIXTURE, KERNELS, null=null, n_resamples=49, rng=3)
    alone = [ksd_test(X, MIXTURE, kernel, null=null, n_resamples=49, rng=3) for kernel in KERNELS]
    np.testing.assert_array_equal(result.values, [each.statistic for each in alone])
    np.testing.assert_array_equal(result.pvalues, [each.pvalue for each in alone])
    # max π/p of each resample by its own ranks among all
    values = np.array([[each.statistic, *each.null_distribution] for each in alone])
    p = (values[:, None] >= values[..., None]).mean(axis=2)
    evidence = (0.25 / p).max(axis=0)
    assert result.statistic == evidence[0]
    np.testing.assert_allclose(result.null_distribution, evidence[1:], rtol=1e-15)
    assert result.pvalue == np.mean(evidence >= evidence[0])


def test_of_one_kernel_it_is_that_kernel_s_test():
    for seed in range(5):
        points = MIXTURE.sample(15, rng=seed)
        one = ksdagg_test(points, MIXTURE, Gaussian(1.0), n_resamples=49, rng=seed)
        assert one.pvalue == ksd_test(points, MIXTURE, Gaussian(1.0), n_resamples=49, rng=seed).pvalue


def test_its_bandwidths_are_those_of_two_samples():
    result = ksdagg_test(X, MIXTURE, n_resamples=9, rng=0)
    assert result.kernel == bandwidth_collection(X[:7], X[7:])
    assert result.values.tolist() == [ksd(X, MIXTURE, kernel) for kernel in result.kernel]
    assert (result.n, result.m, result.counted, result.resamples) == (15, None, "points", "sign flips")


def test_weights_are_shares_of_the_level():
    few = ksdagg_test(X, MIXTURE, KERNELS[:2], [0.9, 0.1], n_resamples=49, rng=0)
    assert few.statistic == max(0.9 / few.pvalues[0], 0.1 / few.pvalues[1])


def test_it_finds_what_the_median_bandwidth_blurs():
    """A model of one wide Gaussian for a comb of narrow ones, whose spread alone the median bandwidth sees."""
    comb = np.arange(-2.0, 2.5, 0.5)[:, None]
    data = GaussianMixture(np.full(9, 1 / 9), comb, [[0.003]])
    model = GaussianMixture([1.0], [[0.0]], [[np.mean(comb**2) + 0.003]])
    samples = [data.sample(150, rng=seed) for seed in range(8)]
    found = [ksdagg_test(each, model, n_resamples=199, rng=0).rejected() for each in samples]
    missed = [ksd_test(each, model, n_resamples=199, rng=0).rejected() for each in samples]
    assert sum(found) == 8 > sum(missed)


# at a few locations --------------------------------------------------------------------------------------------------

PLACES = np.array([[0.0, 0.3], [-1.0, 2.0], [1.5, -0.5]])


@every_kernel
def test_the_statistic_is_a_mean_over_pairs(kernel):
    """τ by difference quotients of the kernel, and the pairs one at a time."""
    tau, step, scores = np.empty((15, 3, 2)), 1e-5, MIXTURE.score(X)
    for j, axis in enumerate(step * np.eye(2)):
        slope = (kernel(X + axis, PLACES) - kernel(X - axis, PLACES)) / (2 * step)
        tau[..., j] = (scores[:, j, None] * kernel(X, PLACES) + slope) / np.sqrt(2 * 3)
    np.testing.assert_allclose(_features(kernel, X, scores, PLACES), tau.reshape(15, -1), rtol=0, atol=1e-9)
    pairs = [np.sum(tau[i] * tau[j]) for i in range(15) for j in range(15) if i != j]
    result = fssd_test(X, MIXTURE, kernel, locations=PLACES, n_resamples=9, rng=0)
    assert result.statistic == pytest.approx(np.mean(pairs), abs=1e-9)


def test_of_two_gaussians_it_is_the_closed_form():
    """The witness of N(μ, 1) under N(0, 1) is -μ E k(x, v), with E k a Gaussian of variance θ² + 1 in v - μ."""
    mu, theta, places, n = 0.7, 1.3, np.array([[-1.0], [0.5], [2.0]]), 25
    wide = theta**2 + 1
    witness = -mu * theta / np.sqrt(wide) * np.exp(-((places - mu) ** 2) / (2 * wide))
    data = GaussianMixture([1.0], [[mu]], [[1.0]])
    values = [
        fssd_test(data.sample(n, rng=i), NORMAL, Gaussian(theta), locations=places, n_resamples=1, rng=0).statistic
        for i in range(400)
    ]
    assert abs(np.mean(values) - np.mean(witness**2)) < 4.5 * np.std(values) / np.sqrt(400)


@pytest.mark.parametrize("model", [NORMAL, StudentT(3.0, [0.5], 2.0)], ids=["normal", "t"])
@every_kernel
def test_the_witness_of_the_model_itself_is_zero(kernel, model):
    t = np.linspace(-30.0, 30.0, 12_001)
    x = np.sinh(t)[:, None]
    weights = np.exp(model.logpdf(x)) * np.cosh(t) * (t[1] - t[0])
    tau = _features(kernel, x, model.score(x), np.array([[-1.0], [0.2], [2.5]]))
    np.testing.assert_allclose(weights @ tau, 0.0, atol=1e-12 * (weights @ np.abs(tau)).max())


def test_flipped_signs_are_by_hand():
    result = fssd_test(X[:5], MIXTURE, Gaussian(1.0), locations=PLACES, n_resamples=30, rng=2)
    tau = _features(Gaussian(1.0), X[:5], MIXTURE.score(X[:5]), PLACES)
    h = tau @ tau.T
    np.fill_diagonal(h, 0.0)
    flips = np.array([[i >> j & 1 for j in range(5)] for i in range(32)]) * 2.0 - 1
    every = np.einsum("bi,ij,bj->b", flips, h, flips) / 20
    gaps = np.abs(result.null_distribution[:, None] - every).min(axis=1)
    assert gaps.max() < 1e-13 * np.abs(h).sum()
    assert result.statistic == pytest.approx(every[-1], rel=1e-12)


def test_signs_in_many_batches_are_those_of_one(monkeypatch):
    whole = fssd_test(X, MIXTURE, n_resamples=40, rng=1)
    monkeypatch.setattr(resamples, "DRAWN", 100)
    np.testing.assert_allclose(
        fssd_test(X, MIXTURE, n_resamples=40, rng=1).null_distribution, whole.null_distribution, rtol=1e-12
    )


def test_locations_are_drawn_about_the_sample_in_its_own_shape():
    places = _location_points(2000, X, 0)
    centred = (places - X.mean(axis=0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(X.T))).T
    assert np.abs(centred.mean(axis=0)).max() < 4.5 / np.sqrt(2000)
    # a variance of normal numbers has a standard deviation of √2, a covariance of 1
    assert np.abs(np.cov(centred.T) - np.eye(2)).max() < 4.5 * np.sqrt(2 / 2000)
    np.testing.assert_array_equal(fssd_test(X, MIXTURE, n_resamples=9, rng=1).null_distribution,
                                  fssd_test(X, MIXTURE, n_resamples=9, rng=1).null_distribution)  # fmt: skip


@pytest.mark.parametrize("kernel", [None, InverseMultiquadric()], ids=repr)
def test_a_model_that_does_not_fit_is_found_at_few_locations(kernel):
    wide = GaussianMixture([1.0], [[0.0]], [[2.0]])
    assert fssd_test(wide.sample(1000, rng=0), NORMAL, kernel, n_resamples=99, rng=0).pvalue == 0.01


# what they refuse ----------------------------------------------------------------------------------------------------

REFUSED = {
    "no kernels": (lambda: ksdagg_test(X, MIXTURE, []), naming("kernels")),
    "a number for kernels": (lambda: ksdagg_test(X, MIXTURE, 3), naming("kernels", 3)),
    "weights": (lambda: ksdagg_test(X, MIXTURE, KERNELS, [1, 1, 1, 1]), naming("weights", 0, 1)),
    "no kernel": (lambda: ksdagg_test(X, MIXTURE, [2.0]), naming("kernel", "Gaussian")),
    "equal points": (lambda: ksdagg_test(np.ones((5, 1)), NORMAL), naming("X", "equal")),
    "one point": (lambda: ksdagg_test(X[:1], MIXTURE), naming("1 row", 2)),
    "a score": (lambda: ksdagg_test(X, lambda X: X[:2]), naming("score", "(2, 2)")),
    "a rough kernel": (lambda: ksdagg_test(X, MIXTURE, [Laplacian()]), naming("Laplacian", "Stein")),
    "one point, FSSD": (lambda: fssd_test(X[:1], MIXTURE), naming("1 row", 2)),
    "a score, FSSD": (lambda: fssd_test(X, lambda X: X[:2]), naming("score", "(2, 2)")),
    "a rough kernel, FSSD": (lambda: fssd_test(X, MIXTURE, Laplacian()), naming("Laplacian", "Stein")),
    "no locations": (lambda: fssd_test(X, MIXTURE, locations=0), naming("locations", 1, 0)),
    "half a location": (lambda: fssd_test(X, MIXTURE, locations=0.5), naming("locations", 0.5)),
    "other locations": (lambda: fssd_test(X, MIXTURE, locations=[[0.0]]), naming("locations", 1, "X", 2)),
    "no resamples": (lambda: fssd_test(X, MIXTURE, n_resamples=0), naming("n_resamples", 1)),
    "an overflow": (
        lambda: fssd_test(X, lambda X: -X * 1e200, Gaussian(1.0)),
        naming("overflows", "points"),
    ),
}


@pytest.mark.parametrize(("call", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()
