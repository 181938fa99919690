"""MMD of marginalized estimates, (30) of paper 000: its definition, and the bandwidth that it is."""

import itertools
import math

import numpy as np
import pytest
from two_samples import binomial

from explorer import MKME, MMKME, Energy, Gaussian, GaussianMixture, Laplacian, Linear, Precomputed, mmd2, mmd_test

THETA, SIGMA = 0.9, np.array([0.3, 1.2])


def samples(n=9, m=13, seed=0, shift=0.4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)), rng.normal(size=(m, 2)) + shift


def noisy(kernel, Z, sigma):
    """E k(x_i + u, x_j + v), independent u and v for i = j too (erratum 9)."""
    C = np.diag(np.broadcast_to(sigma, 2).astype(float) ** 2)
    return kernel.expected(Z, C, Z, C)


@pytest.mark.parametrize("kernel", [Gaussian(THETA), Laplacian(THETA), Energy()], ids=repr)
@pytest.mark.parametrize("estimator", [MKME(sigma=0.5), MMKME(sigma=SIGMA)], ids=repr)
def test_it_is_mmd_of_the_kernel_between_noisy_points(estimator, kernel):
    """(30) leaves i = j out; with i = j it is |μ̃_X - μ̃_Y|^2."""
    X, Y = samples()
    P = np.vstack([X, Y])
    K = noisy(kernel, P, estimator.sigma)
    x, y = range(9), range(9, 22)
    xx, yy = (sum(K[i, j] for i, j in itertools.permutations(z, 2)) for z in (x, y))
    unbiased = xx / (9 * 8) + yy / (13 * 12) - 2 * sum(K[i, j] for i in x for j in y) / (9 * 13)
    assert mmd2(X, Y, kernel, estimator=estimator) == pytest.approx(unbiased, rel=1e-9)
    embedded = [estimator.replace(kernel=kernel).embed(Z) for Z in (X, Y)]
    biased = mmd2(X, Y, kernel, "biased", estimator)
    assert biased == pytest.approx(embedded[0].distance(embedded[1]) ** 2, rel=1e-9)
    rows = np.arange(22.0)[:, None]
    assert biased == pytest.approx(mmd2(rows[:9], rows[9:], Precomputed(K), "biased"), rel=1e-9)


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_mmd_at_a_wider_bandwidth(seed, statistic):
    """At sqrt(θ^2 + 2σ^2), times (θ^2 / (θ^2 + 2σ^2))^(d/2): p-values are equal, whatever σ was chosen."""
    X, Y = samples(seed=seed)
    chosen = MKME().select(np.vstack([X, Y]))
    theta = chosen.kernel.bandwidth
    wide = Gaussian(math.sqrt(theta**2 + 2 * chosen.sigma**2))
    factor = (theta / wide.bandwidth) ** 2
    marginalized = mmd_test(X, Y, None, statistic, MKME(), n_resamples=199, rng=0)
    plain = mmd_test(X, Y, wide, statistic, n_resamples=199, rng=0)
    assert marginalized.pvalue == plain.pvalue
    np.testing.assert_allclose(marginalized.null_distribution, factor * plain.null_distribution, rtol=0, atol=1e-13)
    assert marginalized.statistic == pytest.approx(factor * plain.statistic, rel=1e-9)


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
def test_of_many_sigmas_each_coordinate_has_its_own_bandwidth(statistic):
    """Coordinates over sqrt(θ^2 + 2σ_l^2), under Gaussian(1), times prod θ / sqrt(θ^2 + 2σ_l^2)."""
    X, Y = samples()
    wide = np.sqrt(THETA**2 + 2 * SIGMA**2)
    marginalized = mmd_test(X, Y, Gaussian(THETA), statistic, MMKME(sigma=SIGMA), n_resamples=199, rng=0)
    plain = mmd_test(X / wide, Y / wide, Gaussian(1.0), statistic, n_resamples=199, rng=0)
    assert marginalized.pvalue == plain.pvalue
    expected = np.prod(THETA / wide) * plain.null_distribution
    np.testing.assert_allclose(marginalized.null_distribution, expected, rtol=0, atol=1e-13)


def test_noise_that_the_kernel_does_not_see():
    """A linear kernel sees means, and the noise has none."""
    X, Y = samples()
    assert mmd2(X, Y, Linear(), estimator=MKME(sigma=3.0)) == pytest.approx(mmd2(X, Y, Linear()), rel=1e-10)
    assert mmd2(X, Y, Gaussian(1.0), estimator=MKME(sigma=0)) == mmd2(X, Y, Gaussian(1.0))


@pytest.mark.thorough
def test_it_is_unbiased_for_the_mmd_of_the_blurred_laws_and_not_for_that_of_the_laws():
    """4.5 standard errors of the mean of 800 samples of 3 and 4; the blurred laws' MMD exactly."""
    P, Q = (GaussianMixture([1.0], [[mean]], [[[var]]]) for mean, var in ((0.0, 1.0), (1.0, 0.5)))
    k, sigma = Gaussian(0.7), 0.8
    blurred = [
        GaussianMixture([1.0], [[mean]], [[[var + sigma**2]]]).embed(k) for mean, var in ((0.0, 1.0), (1.0, 0.5))
    ]
    rng = np.random.default_rng(0)
    values = [mmd2(P.sample(3, rng), Q.sample(4, rng), k, estimator=MKME(sigma=sigma)) for _ in range(800)]
    error = 4.5 * np.std(values) / math.sqrt(800)
    assert abs(np.mean(values) - blurred[0].distance(blurred[1]) ** 2) < error
    assert abs(np.mean(values) - P.embed(k).distance(Q.embed(k)) ** 2) > 2 * error


def test_both_samples_carry_the_same_noise():
    """A σ for each sample gives a positive distance between equal laws.

    Here many normal points against others of the same law.
    """
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(400, 1)), rng.normal(size=(400, 1))
    k = Gaussian(1.0)
    own = [MKME(k, sigma).embed(Z) for sigma, Z in ((0.1, X), (1.5, Y))]
    assert own[0].distance(own[1]) ** 2 > 0.05
    assert mmd2(X, Y, k, "biased", MKME(sigma=1.5)) < 0.005
    chosen = [MKME(k).select(Z).sigma for Z in (X, Y, np.vstack([X, Y]))]
    assert len(set(chosen)) == 3
    assert mmd2(X, Y, k, estimator=MKME()) == mmd2(X, Y, k, estimator=MKME(sigma=chosen[2]))


def test_the_level_is_kept_with_sigma_chosen_on_the_pooled_sample():
    rng = np.random.default_rng(0)
    p = [mmd_test(*samples(6, 9, rng, 0.0), None, "unbiased", MKME(), 19, rng).pvalue for _ in range(80)]
    low, high = binomial(80, 0.2)
    assert low <= np.count_nonzero(np.array(p) <= 0.2) <= high
