"""The exact risk and losses of marginalized estimates, against averages over samples, slopes, and each other."""

from functools import cache

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import law, vectors

from explorer import KME, MKME, MMKME, Gaussian, GaussianMixture, Laplacian, Pareto, StudentT, risk
from explorer.estimators.marginalized.risk import marginalized_losses, marginalized_risks

N, DRAWS = 5, 4000
SIGMA = (0.6, 0.3, 0.0)
STUDENT = StudentT(8.0, [0.0, 1.0], [[1.0, 0.2], [0.2, 2.0]])
ALONG_AXES = GaussianMixture([0.4, 0.6], [[0.0, 1.0], [2.0, 0.0]], [0.5, 0.1])  # closed under the Laplacian kernel too
LAWS = {"mixture": law(), "papers' mixture": GaussianMixture.random(6, rng=0), "t law": STUDENT,
        "point": GaussianMixture([1.0], [[1.0, 2.0]], 0.0)}  # fmt: skip
every_law = pytest.mark.parametrize("P", LAWS.values(), ids=LAWS)


def between(values, exact):
    """z, seed fixed."""
    return abs(values.mean() - exact) < 4.5 * values.std() / np.sqrt(len(values))


@cache
def samples():
    return law().sample(N * DRAWS, rng=0).reshape(DRAWS, N, 3)


def noisy(theta, v):
    """E k(x + u, y), u ~ N(0, diag(v)), of all pairs of each sample, (DRAWS, N, N), by its definition."""
    S, a = samples(), theta**2 + v
    apart = ((S[:, :, None] - S[:, None]) ** 2 / a).sum(axis=-1)
    return np.sqrt(np.prod(theta**2 / a)) * np.exp(-apart / 2)


@cache
def losses(theta, sigma):
    """|μ̃ - μ|^2 of each sample: the noise may as well be the law's."""
    v = np.array(sigma) ** 2
    P, k = law(), Gaussian(theta)
    smooth = GaussianMixture(P.weights, P.means, P.covariances + np.diag(v)).embed(k)
    z = smooth(samples().reshape(-1, 3)).reshape(DRAWS, N)
    return noisy(theta, 2 * v).mean(axis=(1, 2)) - 2 * z.mean(axis=1) + P.embed(k).norm() ** 2


@pytest.mark.parametrize("theta", [0.4, 1.3, 6.0])
@pytest.mark.parametrize("sigma", [SIGMA, (0.5,) * 3, (2.0,) * 3])
def test_the_risk_is_the_mean_loss(theta, sigma):
    assert between(losses(theta, sigma), risk(MMKME(Gaussian(theta), sigma), law(), N))
    if sigma[0] == sigma[2]:
        assert between(losses(theta, sigma), risk(MKME(Gaussian(theta), sigma[0]), law(), N))


@pytest.mark.parametrize("theta", [0.4, 1.3, 6.0])
@pytest.mark.parametrize("sigma", [SIGMA, (0.5,) * 3])
def test_the_expected_score_is_the_risk_of_one_point_less(theta, sigma):
    """E LOOCV = R_{n-1} + 1 - C."""
    k, v = Gaussian(theta), np.array(sigma) ** 2
    off = ~np.eye(N, dtype=bool)
    L, Q = (noisy(theta, m * v)[:, off].mean(axis=1) for m in (1, 2))
    own = np.sqrt(np.prod(theta**2 / (theta**2 + 2 * v)))
    scores = 1 - 2 * L + ((N - 2) * Q + own) / (N - 1)
    assert scores[:3] == pytest.approx([MMKME(k).loocv(X, [sigma])[0] for X in samples()[:3]], abs=1e-12)
    assert between(scores, risk(MMKME(k, sigma), law(), N - 1) + 1 - law().embed(k).norm() ** 2)


def test_the_risk_under_the_laplacian_kernel():
    """One coordinate has closed forms; the losses are those of the public API."""
    P, k = GaussianMixture([0.4, 0.6], [[0.0], [2.0]], [[0.5]]), Laplacian(1.5)
    X, mu = P.sample(4 * 400, rng=0).reshape(400, 4, 1), P.embed(k)
    found = np.array([MKME(k, 0.7).embed(x).distance(mu) ** 2 for x in X])
    assert between(found, risk(MKME(k, 0.7), P, 4))


@pytest.mark.thorough(default=["3.0-mixture", "3.0-papers' mixture", "3.0-point"])
@every_law
@pytest.mark.parametrize("theta", [0.5, 3.0])
def test_without_noise_it_is_kmes_and_with_equal_noise_mkmes(P, theta):
    k = Gaussian(theta)
    assert risk(MKME(k, 0), P, 7) == pytest.approx(risk(KME(k), P, 7), abs=1e-14)
    assert risk(MMKME(k, np.full(P.d, 0.4)), P, 7) == risk(MKME(k, 0.4), P, 7)


@every_law
def test_the_risk_along_many_sigmas_is_the_risk(P):
    sigmas = [0.0, 0.7, 100.0]
    for k in (Gaussian(0.5), Gaussian(3.0)):
        expected = [risk(MKME(k, s), P, 7) for s in sigmas]
        np.testing.assert_allclose(marginalized_risks(P, k, 7, sigmas), expected, rtol=0, atol=1e-13)


def test_a_law_of_many_parts():
    """A Pareto law is a mixture of points and Gaussians."""
    P, k = Pareto(3.0), Gaussian(1.7)
    assert marginalized_risks(P, k, 7, [0.4])[0] == pytest.approx(risk(MKME(k, 0.4), P, 7), abs=1e-13)
    loss = MKME(k, 0.4).embed(P.sample(12, rng=1)).distance(P.embed(k)) ** 2
    assert marginalized_losses(P.sample(12, rng=1), P, k, [0.4])[0] == pytest.approx(loss, abs=1e-13)


def test_the_risk_along_many_sigmas_under_the_laplacian_kernel():
    P, k = ALONG_AXES, Laplacian(1.5)
    assert marginalized_risks(P, k, 7, [0.0, 0.4]) == pytest.approx(
        [risk(KME(k), P, 7), risk(MKME(k, 0.4), P, 7)], abs=1e-14
    )


@pytest.mark.parametrize("P", [law(), GaussianMixture.random(4, rng=1), STUDENT], ids=["mixture", "papers'", "t law"])
@pytest.mark.parametrize("theta", [0.5, 2.0, 20.0])
def test_the_slope_of_the_risk_at_no_noise(P, theta):
    """dR/dσ^2 at 0 = -(1/n) [(d/θ^2)(1 - C) + E(k D)/θ^4], D = |X - X'|^2, and E(k D) = θ^3 dC/dθ.

    Below 0 for every law.
    """
    n, h = 6, 1e-5

    def C(t):
        return P.embed(Gaussian(t)).norm() ** 2

    steep = theta**3 * (C(theta * (1 + h)) - C(theta * (1 - h))) / (2 * h * theta)
    slope = -(P.d / theta**2 * (1 - C(theta)) + steep / theta**4) / n
    e = 1e-5 * theta**2
    R = marginalized_risks(P, Gaussian(theta), n, np.sqrt([0.0, e, 2 * e]))
    assert slope < 0
    # one-sided differences: h^2 of the third derivative, and rounding 1e-15 / e
    assert (4 * R[1] - 3 * R[0] - R[2]) / (2 * e) == pytest.approx(slope, rel=2e-3)


def test_the_risk_falls_in_every_coordinate():
    k, plain = Gaussian(1.3), risk(KME(Gaussian(1.3)), law(), 6)
    for l in range(3):
        assert risk(MMKME(k, 0.05 * np.eye(3)[l]), law(), 6) < plain


def test_a_point_is_best_left_as_it_is():
    P, k = LAWS["point"], Gaussian(1.0)
    assert marginalized_risks(P, k, 3, [0.0])[0] == pytest.approx(0.0, abs=1e-15)
    assert (np.diff(marginalized_risks(P, k, 3, [0.0, 0.1, 0.5, 2.0])) > 0).all()


@pytest.mark.parametrize(("P", "kernel"), [*((P, Gaussian(1.7)) for P in LAWS.values()), (ALONG_AXES, Laplacian(1.7))])
def test_losses_along_many_sigmas_are_distances(P, kernel):
    X, sigmas = P.sample(12, rng=1), [0.0, 0.2, 1.5, 40.0]
    expected = [MKME(kernel, s).embed(X).distance(P.embed(kernel)) ** 2 for s in sigmas]
    np.testing.assert_allclose(marginalized_losses(X, P, kernel, sigmas), expected, rtol=0, atol=1e-13)


def test_what_is_refused():
    k = Gaussian(1.0)
    with pytest.raises(ValueError, match=naming("sigmas", "-1", "0")):
        marginalized_risks(law(), k, 5, [-1.0])
    with pytest.raises(ValueError, match=naming("n", "1")):
        marginalized_risks(law(), k, 0, [1.0])
    with pytest.raises(ValueError, match=naming("X", "2", "3")):
        marginalized_losses(np.zeros((3, 2)), law(), k, [1.0])
    with pytest.raises(ValueError, match=naming("2")):
        marginalized_losses(vectors(1), law(), k, [1.0])


@pytest.mark.parametrize("theta", [1e7, 1e12])
def test_a_wide_bandwidth_leaves_the_risk_of_the_mean(theta):
    """θ^2 R -> tr Cov / n: noise of mean 0 moves no mean; in one number and along many σ, for MKME and MMKME."""
    law = GaussianMixture([0.25, 0.75], [[0.0, 2.0], [1.0, -1.0]], [np.diag([1.0, 0.5]), [[0.5, 0.25], [0.25, 1.0]]])
    exact = law.variances.sum() / 8
    kernel = Gaussian(theta)
    for estimator in (MKME(kernel, 0.0), MKME(kernel, 0.7), MMKME(kernel, np.array([0.5, 2.0]))):
        assert theta**2 * risk(estimator, law, 8) == pytest.approx(exact, rel=1e-9)
    np.testing.assert_allclose(theta**2 * marginalized_risks(law, kernel, 8, [0.0, 0.1, 3.0]), exact, rtol=1e-9)
