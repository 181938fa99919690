"""BayesianKME: its posterior by dense algebra, the prior it stands on, and how often its band holds what it should."""

import math

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn, vectors
from scipy.stats import binom, multivariate_normal

from explorer import FKMSE, KME, BayesianKME, Delta, Gaussian, GaussianMixture, Linear, Precomputed, SpectralKMSE
from explorer.estimators import Estimator

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
PLAIN = {(1, 10): 0.75, (1, 200): 0.26}  # dimension, n -> what the docstring says of the plain variance
SHARES = [1e-4, 0.03, 2.0]  # noise, as a share of the mean square of k


def process(k, X, Z, noise):
    """Return mean and deviation at Z of a Gaussian process with the docstring's covariance, by sums and one inverse."""

    def r(A, B):
        return sum(np.outer(k(A, x), k(x, B)) for x in np.split(X, len(X))) / len(X)

    precision = np.linalg.inv(r(X, X) + noise * np.eye(len(X)))
    observed = np.array([k(x, X).sum() / len(X) for x in np.split(X, len(X))])
    cross = r(Z, X)
    return cross @ precision @ observed, np.sqrt(np.diag(r(Z, Z) - cross @ precision @ cross.T))


def square(k, X):
    return np.mean(k(X) ** 2)


@every_kernel
@pytest.mark.parametrize("share", SHARES)
def test_the_posterior_is_that_of_a_dense_gaussian_process(row, share):
    k, X = drawn(row)
    Z, noise = row.data(6, seed=1), share * square(k, X)
    mean, deviation = BayesianKME(k, noise).posterior(X, Z)
    expected = process(k, X, Z, noise)
    # an inverse of condition number 1/share, in units of the largest value
    unit = max(k.diagonal(X).max(), k.diagonal(Z).max())
    np.testing.assert_allclose(mean, expected[0], rtol=0, atol=1e-10 * unit)
    np.testing.assert_allclose(deviation**2, expected[1] ** 2, rtol=0, atol=1e-10 * unit**2)


@every_kernel
@pytest.mark.parametrize("share", SHARES)
def test_the_evidence_is_a_dense_normal_density(row, share):
    k, X = drawn(row)
    K, noise = k(X), share * square(k, X)
    dense = multivariate_normal(np.zeros(9), K @ K / 9 + noise * np.eye(9))
    assert BayesianKME(k, noise).log_evidence(X) == pytest.approx(dense.logpdf(K.mean(axis=1)), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("apart", [0.0, 4.0], ids=["one cluster", "two"])
def test_the_evidence_chooses_neither_a_noise_nor_a_bandwidth(apart):
    """The data's own term is 1/2 at most, and the rest grows as the noise falls or a bandwidth grows."""
    X = np.random.default_rng(0).normal(size=(40, 1)) + apart * (np.arange(40)[:, None] % 2)
    noises, bandwidths = [1.0, 1e-2, 1e-4, 1e-6], [0.1, 0.3, 1.0, 3.0, 10.0]
    of_noise = [BayesianKME(Gaussian(1.0), noise).log_evidence(X) for noise in noises]
    assert (np.diff(of_noise) > 10).all()
    assert (np.diff([BayesianKME(Gaussian(theta), 0.01).log_evidence(X) for theta in bandwidths]) > 0).all()
    K = Gaussian(1.0)(X)
    for noise, value in zip(noises, of_noise, strict=True):
        volume = -np.linalg.slogdet(2 * math.pi * (K @ K / 40 + noise * np.eye(40)))[1] / 2
        assert -0.5 <= value - volume <= 1e-9


def test_the_prior_on_a_grid_is_flaxman_s_for_lebesgue_measure():
    """Steps of half a bandwidth: such sums of a Gaussian are its integral up to exp(-2 (π θ / step)²), no float."""
    theta, step = 0.8, 0.4
    grid, inside = np.arange(-20, 20, step)[:, None], np.linspace(-3, 3, 7)[:, None]
    k, lebesgue = Gaussian(theta), len(grid) * step  # of the grid's distribution
    closed = math.sqrt(math.pi) * theta * np.exp(-((inside - inside.T) ** 2) / (4 * theta**2))
    np.testing.assert_allclose(lebesgue * k(inside, grid) @ k(grid, inside) / len(grid), closed, rtol=0, atol=1e-14)
    mean, deviation = BayesianKME(k, math.inf).posterior(grid, inside)
    np.testing.assert_array_equal(mean, 0.0)
    np.testing.assert_allclose(lebesgue * deviation**2, closed.diagonal(), rtol=1e-14)


# a shrinkage estimator --------------------------------------------------------------------------------------------


@every_kernel
@pytest.mark.parametrize("share", SHARES)
def test_the_embedding_is_the_posterior_mean_and_shrinks_every_eigendirection(row, share):
    k, X = drawn(row)
    K, Z, noise = k(X), row.data(6, seed=1), share * square(k, X)
    estimator = BayesianKME(k, noise)
    e, mean = estimator.embed(X), KME(k).embed(X)
    unit = max(k.diagonal(X).max(), k.diagonal(Z).max())
    np.testing.assert_allclose(e(Z), estimator.posterior(X, Z)[0], rtol=0, atol=1e-13 * unit)
    dense = np.linalg.solve(K @ K / 9 + noise * np.eye(9), K @ K @ np.ones(9)) / 81
    np.testing.assert_allclose(e.weights, dense, rtol=0, atol=1e-10)  # the condition number is 1/share
    gamma, U = np.linalg.eigh(K)
    np.testing.assert_allclose(9 * U.T @ e.weights, gamma**2 / (gamma**2 + 9 * noise) * U.sum(axis=0), atol=1e-9)
    assert e.norm() <= mean.norm()


def test_the_limits_are_the_plain_average_and_nothing():
    k, X = Gaussian(1.3), vectors(9)
    assert BayesianKME(k, 0).embed(X) == KME(k).embed(X)
    np.testing.assert_array_equal(BayesianKME(k, math.inf).embed(X).weights, 0.0)
    norms = [BayesianKME(k, noise).embed(X).norm() for noise in (0, 1e-3, 1e-2, 0.1, 1.0, math.inf)]
    assert (np.diff(norms) < 0).all()
    np.testing.assert_array_equal(BayesianKME(k, 0).posterior(X, X)[1], 0.0)
    np.testing.assert_allclose(BayesianKME(k, math.inf).posterior(X, X)[1], np.sqrt(np.mean(k(X) ** 2, axis=1)))


def test_f_kmse_is_the_posterior_mean_where_k_itself_is_the_prior():
    k, X, Z, lam = Gaussian(1.3), vectors(9), vectors(5, seed=1), 0.2
    values = k(Z, X) @ np.linalg.solve(k(X) + lam * np.eye(9), k(X).mean(axis=1))
    np.testing.assert_allclose(FKMSE(k, lam).embed(X)(Z), values, rtol=1e-12)


def test_more_of_large_eigenvalues_and_less_of_small_ones_than_f_kmse():
    """Both filters are one half at γ = λ where n τ² = λ²."""
    k, X, lam = Gaussian(1.3), vectors(30), 0.5
    gamma, U = np.linalg.eigh(k(X))
    ours, theirs = (30 * U.T @ e.embed(X).weights / U.sum(axis=0) for e in (BayesianKME(k, lam**2 / 30), FKMSE(k, lam)))
    assert (np.sign(ours - theirs) == np.sign(gamma - lam)).all()
    assert SpectralKMSE(k, "tikhonov", lam).embed(X) == FKMSE(k, lam).embed(X)


# the noise --------------------------------------------------------------------------------------------------------


@every_kernel
def test_the_noise_that_is_found_makes_the_band_as_wide_as_the_average_s_variance(row):
    k, X = drawn(row)
    chosen = BayesianKME(k).select(X)
    K = k(X)
    deviation = chosen.posterior(X, X)[1]
    np.testing.assert_allclose(np.mean(deviation**2), K.var(axis=0, ddof=1).mean() / 9, rtol=1e-11)
    gamma = np.linalg.eigvalsh(K)
    freedom = (gamma**2 / (gamma**2 + 9 * chosen.noise)).sum()
    assert chosen.noise * freedom == pytest.approx(K.var(axis=0, ddof=1).mean(), rel=1e-11)
    assert chosen.embed(X).distance(BayesianKME(k).embed(X)) <= 1e-10 * KME(k).embed(X).norm()
    assert chosen.log_evidence(X) == pytest.approx(BayesianKME(k).log_evidence(X), rel=1e-9, abs=1e-9)


def test_the_noise_of_orthogonal_points_by_hand():
    """K = I: h = 1/(1 + n τ²) and s² = 1/n, so that n τ²/(1 + n τ²) = 1/n and τ² = 1/(n (n - 1))."""
    assert BayesianKME(Delta()).select(np.arange(5.0)).noise == pytest.approx(1 / 20, rel=1e-12)


def test_equal_points_have_no_noise_and_points_that_cancel_have_nothing_else():
    assert BayesianKME(Delta()).select(np.zeros(4)).noise == 0
    assert BayesianKME(Linear()).select([[1.0], [-1.0]]).noise == math.inf
    np.testing.assert_array_equal(BayesianKME(Linear()).embed([[1.0], [-1.0]]).weights, 0.0)


@pytest.mark.parametrize("exponent", [-100, 100])
def test_a_multiple_of_the_kernel_multiplies_noise_by_its_square(exponent):
    """A power of two rounds nothing."""
    K, rows, a = Gaussian(1.3)(vectors(9)), np.arange(9), 2.0**exponent
    one, other = (BayesianKME(Precomputed(unit * K)).select(rows) for unit in (1.0, a))
    assert other.noise == pytest.approx(a**2 * one.noise, rel=1e-14)
    np.testing.assert_allclose(other.posterior(rows, rows), a * np.array(one.posterior(rows, rows)), rtol=1e-12)
    # n values in other units
    change = -9 * math.log(a)
    assert other.log_evidence(rows) == pytest.approx(one.log_evidence(rows) + change, rel=1e-12)


# the band ---------------------------------------------------------------------------------------------------------


def inside(estimator, law, n, samples, seed):
    """Return, for each sample, the share of the true kernel mean's values that lie within 1.96 deviations.

    The values are taken at 100 points.
    """
    Z, shares = law.sample(100, rng=seed), []
    for i in range(samples):
        X = law.sample(n, rng=1000 * seed + i)
        kernel = Gaussian().select(X)
        mean, deviation = estimator(kernel, X).posterior(X, Z)
        shares.append(np.mean(np.abs(mean - law.embed(kernel)(Z)) <= 1.96 * deviation))
    return np.array(shares)


def found(kernel, X):
    return BayesianKME(kernel)


def plain(kernel, X):
    """Return the noise that a value of the empirical mean has."""
    return BayesianKME(kernel, kernel(X).var(axis=0, ddof=1).mean() / len(X))


def test_draws_of_the_model_lie_in_the_band_as_often_as_it_says():
    """μ = Σ_j a_j k(x_j, .) / sqrt(n), a ~ N(0, I), is a draw of GP(0, r); its n values get their noise."""
    k, X, Z, noise, draws = Gaussian(1.3), vectors(9), vectors(4, seed=1), 0.02, 4000
    rng = np.random.default_rng(0)
    a = rng.standard_normal((9, draws)) / 3
    truth, observed = k(Z, X) @ a, k(X) @ a + math.sqrt(noise) * rng.standard_normal((9, draws))
    K = k(X)
    means = k(Z, X) @ K / 9 @ np.linalg.solve(K @ K / 9 + noise * np.eye(9), observed)
    within = np.abs(truth - means) <= 1.6448536 * BayesianKME(k, noise).posterior(X, Z)[1][:, None]
    low, high = binom.interval(1 - 1e-6, draws, 0.9)
    assert ((low <= within.sum(axis=1)) & (within.sum(axis=1) <= high)).all()


@pytest.mark.thorough(default=["1-10"])
@pytest.mark.parametrize("n", [10, 50, 200])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_band_covers_what_the_docstring_says(n, d):
    """89 to 98 % of values by the noise that is found; fewer the more points by their plain variance."""
    law, samples = GaussianMixture([1.0], [np.zeros(d)], 1.0), {10: 120, 50: 150, 200: 60}[n]
    shares = inside(found, law, n, samples, seed=d)
    error = shares.std() / math.sqrt(samples)
    assert 0.89 - 3 * error <= shares.mean() <= 0.98 + 3 * error
    narrow = inside(plain, law, n, samples, seed=d).mean()
    assert narrow < shares.mean()
    if (d, n) in PLAIN:
        assert narrow == pytest.approx(PLAIN[d, n], abs=0.06)  # over other points μ differs, and so does the share


# choosing, and what is refused ------------------------------------------------------------------------------------


def test_the_score_is_that_of_n_refits():
    k, X = Gaussian(1.3), vectors(8)
    values = [0.0, 1e-3, 0.05, 1.0, math.inf]
    for own in (k, Linear()):
        scores = BayesianKME(own).loocv(X, values)
        np.testing.assert_allclose(scores, Estimator.loocv(BayesianKME(own), X, values), rtol=1e-10)
    assert BayesianKME(k).loocv(X, [0.0])[0] == pytest.approx(KME(k).loocv(X), rel=1e-12)


def test_what_is_refused():
    X = vectors(5)
    linear = BayesianKME(Linear())
    for choose in (linear.embed, linear.select, linear.log_evidence):
        with pytest.raises(ValueError, match=naming("X", "noise", "1", "2")):
            choose([[1.0, 2.0]])
    with pytest.raises(ValueError, match=naming("BayesianKME.noise", "0", "None")):
        BayesianKME(noise=-1.0)
    with pytest.raises(ValueError, match=naming("values", "-1", "noise", "0")):
        BayesianKME().loocv(X, [-1.0])
    with pytest.raises(ValueError, match=naming("X", "3", "Z", "2")):
        BayesianKME().posterior(X, X[:, :2])
    for estimator, sample in ((BayesianKME(noise=0), X), (BayesianKME(Delta()), np.zeros(4))):
        with pytest.raises(ValueError, match=naming("noise", "0")):
            estimator.log_evidence(sample)
    huge = BayesianKME(Precomputed(2.0**700 * np.eye(5)))
    with pytest.raises(ValueError, match=naming("float", "points")):
        huge.select(np.arange(5))
    assert np.isfinite(huge.embed(np.arange(5)).weights).all()
    assert BayesianKME(noise=math.inf).log_evidence(X) == -math.inf
