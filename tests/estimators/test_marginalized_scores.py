"""The fast scores of MKME and MMKME against n refits, their gradients and slopes, and what the searches find."""

import numpy as np
import pytest
from hard_samples import CASES, close, refits
from kernels_and_estimators import CLOSED, vectors
from scipy.spatial.distance import pdist
from threadpoolctl import threadpool_info

from explorer import MKME, MMKME, Gaussian, GaussianMixture, Laplacian
from explorer.estimators.marginalized.search import best_sigma, best_variances
from explorer.execution.processors import one_thread
from explorer.kernels.noisy import gaussian
from explorer.kernels.noisy.pairs import NoisyPairs
from explorer.kernels.noisy.sums import DistanceSums

X9 = vectors(9)
NOISY = {name: (k, X) for name, (k, X) in CASES.items() if name in CLOSED or isinstance(k, Gaussian)}
SIGMAS = np.array([0.0, 0.05, 0.4, 3.0])


def pairs_of(name, X):
    return {"gaussian": Gaussian(1.3), "laplacian": Laplacian(2.5)}[name].noisy_pairs(X)


# sums over pairs
# -------------------------------------------------------------------------------------------------------------

SAMPLES = {
    "plane": np.random.default_rng(0).normal(size=(60, 2)),
    "line": np.random.default_rng(0).normal(size=(60, 1)),
    "many coordinates": np.random.default_rng(0).normal(size=(20, 100)),
    "duplicates": np.repeat(X9, 3, axis=0),
    "equal points": np.ones((5, 2)),
    "two points": X9[:2],
    "heavy tails": np.random.default_rng(0).standard_cauchy((60, 1)) ** 5,
    "an outlier": np.vstack([X9, [[1e9, 0.0, 0.0]]]),
    "large": 1e150 * X9,
    "too large": 1e160 * X9,
    "small": 1e-140 * X9,
}


@pytest.mark.parametrize("X", SAMPLES.values(), ids=SAMPLES)
def test_sums_over_all_pairs_for_many_widths(X):
    with np.errstate(over="ignore"):
        D, t = pdist(X, "sqeuclidean"), np.append(0.0, np.geomspace(1e-300, 1e300, 301))
        direct = np.array([-np.expm1(-s * D).sum() if s > 0 else 0.0 + np.isinf(D).sum() for s in t])
    sums = DistanceSums(X)
    # the series leaves out 3e-17 of a pair, and a hundred terms round: a few eps of the sum, small sums included
    np.testing.assert_allclose(sums(t), direct, rtol=1e-14, atol=1e-320)
    finite = D[np.isfinite(D)]
    assert sums.mean_square() == pytest.approx(finite.mean() if len(finite) else 0.0, rel=1e-13)


def test_one_point_has_no_pairs():
    assert DistanceSums(X9[:1])([0.0, 1.0]).tolist() == [0.0, 0.0]


# scores
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["linear + .7", "laplacian", "product", "duplicates", "huge bandwidth", "two points"])
@pytest.mark.parametrize(("kernel", "X"), NOISY.values(), ids=NOISY)
def test_the_score_is_that_of_n_refits(kernel, X):
    sigmas = SIGMAS[:2] if "Energy" in repr(kernel) else SIGMAS  # an integral for each pair
    for sigma, score in zip(sigmas, MKME(kernel).loocv(X, sigmas), strict=True):
        # 1e-9: "far offset" has points at 1e8, whose distances keep 8 digits on the way to the refits
        assert close(score, refits(MKME(kernel, sigma), X), kernel(X), 1e-9)


@pytest.mark.parametrize(("kernel", "X"), NOISY.values(), ids=NOISY)
def test_the_score_of_mmkme_is_that_of_n_refits(kernel, X):
    d = np.shape(X)[1]
    sigma = np.linspace(0.5, 0.0, d) if d > 1 else np.array([0.3])
    score = MMKME(kernel).loocv(X, [sigma])[0]
    assert close(score, refits(MMKME(kernel, sigma), X), kernel(X), 1e-9)


@pytest.fixture(params=["kept", "in blocks", "one by one", "one by one, in strips", "one by one, in rows"])
def method(request, monkeypatch):
    """Squared differences of all pairs kept, made anew a few at a time, and a Gram matrix for each variance."""
    if request.param != "kept":
        monkeypatch.setattr(gaussian, "CACHED", 0)
        monkeypatch.setattr(gaussian, "BLOCK", 50)
        monkeypatch.setattr(gaussian, "AT_ONCE", 1 if request.param == "in blocks" else 100)
    if "one, " in request.param:
        monkeypatch.setattr(gaussian, "STRIP", 4 if "strips" in request.param else 1)


@pytest.mark.usefixtures("method")
@pytest.mark.parametrize(
    "kernel", [Gaussian(0.05), Gaussian(1.3), Gaussian(50.0), Laplacian(0.3), Laplacian(2.5)], ids=repr
)
@pytest.mark.parametrize("X", [X9, SAMPLES["duplicates"], SAMPLES["an outlier"]], ids=["9", "duplicates", "outlier"])
def test_the_fast_roads_agree_with_the_kernels_own_expectations(kernel, X):
    e = np.array([[0.3, 1.0, 0.01], [0.0, 0.0, 0.0], [1e-4, 50.0, 0.0]])
    fast, plain = kernel.noisy_pairs(X), NoisyPairs(kernel, X)
    np.testing.assert_allclose(fast.drops(e), plain.drops(e), rtol=0, atol=1e-12)
    np.testing.assert_allclose(fast.isotropic([0.0, 0.2, 9.0]), plain.isotropic([0.0, 0.2, 9.0]), rtol=0, atol=1e-12)
    mean = [np.mean(kernel.expected(X, np.diag(v), X, np.diag(v))) for v in e]
    np.testing.assert_allclose(fast.square(fast.drops(e)), mean, rtol=0, atol=1e-12)


def test_a_wide_kernel_keeps_the_digits_of_a_small_gain():
    """At θ = 1e5 noise gains 1e-21 of scores that are made of ones, and in the second order in w = 1/(2θ^2) only.

    k_v = 1 - w (D + d v) + w^2 (D^2/2 + (d + 2) D v + d (d + 2) v^2/2) + O(w^3) for D = |x_i - x_j|^2.
    """
    X, w, v, d, n = vectors(12), 0.5e-10, 0.05, 3, 12
    D = pdist(X, "sqeuclidean")
    second = {m: np.mean(D**2 / 2 + (d + 2) * D * m) + d * (d + 2) * m**2 / 2 for m in (0.0, v, 2 * v)}
    of_own = d * (d + 2) * (2 * v) ** 2 / 2
    refit = ((n - 2) * second[2 * v] + of_own) / (n - 1)
    gain = w**2 * (2 * second[v] - refit - (2 - (n - 2) / (n - 1)) * second[0.0])
    found = MKME(Gaussian(1e5)).loocv(X, [0.0, v**0.5])
    assert 0 < gain < 1e-20
    assert found[0] - found[1] == pytest.approx(gain, rel=1e-3)  # a difference of scores of 1e-10, each good to 1e-25


# slopes
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("method")
@pytest.mark.parametrize("name", ["gaussian", "laplacian"])
@pytest.mark.parametrize(
    "X",
    [X9, SAMPLES["an outlier"], np.vstack([X9, X9[:5] + 1e4]), X9[:2]],
    ids=["9", "outlier", "two far groups", "two"],
)
@pytest.mark.parametrize("e", [(0.3, 1.0, 0.02), (2.0, 2.0, 2.0)])
def test_the_gradient_is_that_of_finite_differences(name, X, e):
    pairs, e, h = pairs_of(name, X), np.array(e), 1e-5
    score, gradient = pairs.score_and_gradient(e)
    assert score == pytest.approx(pairs.score(pairs.drops([e]))[0], rel=1e-12)
    # central differences in log e: an error of h^2 and of eps / h
    up, down = (pairs.score(pairs.drops(e * np.exp(sign * h * np.eye(3)))) for sign in (1, -1))
    np.testing.assert_allclose(gradient * e, (up - down) / (2 * h), rtol=0, atol=1e-9)


def test_the_gradients_of_mmkme_add_up_to_that_of_mkme():
    pairs, h = pairs_of("gaussian", X9), 1e-6
    up, down = pairs.score(pairs.isotropic([0.4 + h, 0.4 - h]))
    assert pairs.score_and_gradient(np.full(3, 0.4))[1].sum() == pytest.approx((up - down) / (2 * h), rel=1e-6)


@pytest.mark.parametrize("theta", [0.3, 1.3, 10.0])
def test_some_noise_always_gains(theta):
    """dLOOCV/dσ^2 at 0 = -(1/(n-1)) [d/θ^2 + mean_{i≠j} k_ij (D_ij/θ^4 - d/θ^2)] < 0, and so in every coordinate
    (erratum 12).
    """
    pairs, D, t2 = Gaussian(theta).noisy_pairs(X9), pdist(X9, "sqeuclidean"), theta**2
    k = np.exp(-D / (2 * t2))
    slope = -(3 / t2 + np.mean(k * (D / t2**2 - 3 / t2))) / 8
    gradient = pairs.score_and_gradient(np.zeros(3))[1]
    assert (gradient < 0).all()
    assert gradient.sum() == pytest.approx(slope, rel=1e-10)
    h = 1e-6 * t2
    scores = pairs.score(pairs.isotropic([0.0, h, 2 * h]))
    assert (4 * scores[1] - 3 * scores[0] - scores[2]) / (2 * h) == pytest.approx(
        slope, rel=1e-4
    )  # one-sided, second order


# searches
# --------------------------------------------------------------------------------------------------------------------


def mixtures():
    """Yield samples in few and many coordinates under wide and narrow kernels; about one in seventy has two
    valleys.
    """
    for n, d in ((10, 20), (20, 2), (15, 1), (8, 3), (2, 3)):
        for seed in range(3):
            X = GaussianMixture.random(d, rng=seed).sample(n, rng=seed)
            theta = Gaussian().select(X).bandwidth
            yield from ((X, Gaussian(f * theta)) for f in (3.0, 1.0, 0.1, 0.01))


def test_mkme_finds_the_least_score_of_a_fine_grid():
    two = 0
    for X, kernel in mixtures():
        pairs = kernel.noisy_pairs(X)
        grid = np.geomspace(1e-4 * min(kernel.bandwidth, pairs.spread), 10 * pairs.spread, 1000)
        scores = pairs.score(pairs.isotropic(grid**2))
        sigma = best_sigma(pairs)
        # a tie by rounding, 1e-13 of scores that are 1 at most, goes to the smaller σ
        assert pairs.score(pairs.isotropic([sigma**2]))[0] <= scores.min() + 2e-13
        inside = scores[1:-1] < np.minimum(scores[:-2], scores[2:]) - 1e-13
        two += inside.sum() > 1
    assert two >= 1


@pytest.mark.thorough(default=["gaussian"])
@pytest.mark.parametrize("name", ["gaussian", "laplacian"])
def test_mmkme_ends_where_the_score_is_flat(name):
    """The derivatives by log e vanish, or e is 0 and the score rises from there; and no other start finds less."""
    rng = np.random.default_rng(3)
    for seed in range(3):
        X = np.random.default_rng(seed).normal(size=(14, 4)) * [2.0, 1.0, 0.5, 0.1]
        pairs = pairs_of(name, X)
        variance = best_sigma(pairs) ** 2
        e = best_variances(pairs, variance)
        score, gradient = pairs.score_and_gradient(e)
        gained = pairs.score(pairs.isotropic([variance]))[0] - score
        assert gained > 1e-4
        inside = e > 1e-8 * variance
        assert (np.abs(gradient * e)[inside] < 1e-2 * gained).all()
        assert (gradient[~inside] > 0).all()
        other = pairs.score(pairs.drops(e * np.exp(rng.normal(size=(200, 4)) * 0.5)))
        assert score <= other.min()


def test_mmkme_tells_a_wide_coordinate_from_a_narrow_one():
    X = np.random.default_rng(0).normal(size=(30, 2)) * [10.0, 0.5]
    sigma = MMKME(Gaussian(1.0)).select(X).sigma
    assert sigma[0] > 8 * sigma[1]


# threads
# ----------------------------------------------------------------------------------------------------------------------


def test_a_search_takes_one_thread_and_leaves_as_many_as_there_were(monkeypatch):
    """It does so also if the search fails, and if another search is running."""
    import scipy.optimize

    def threads():
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    def failing(*args, **kwargs):
        seen.append(set(threads()))
        raise ZeroDivisionError

    seen, before, chosen = [], threads(), MMKME(Gaussian(1.0)).select(X9).sigma
    with one_thread():
        assert np.array_equal(MMKME(Gaussian(1.0)).select(X9).sigma, chosen)
    monkeypatch.setattr(scipy.optimize, "minimize", failing)
    with pytest.raises(ZeroDivisionError):
        MMKME(Gaussian(1.0)).select(X9)
    assert seen[0] <= {1}  # a BLAS that threadpoolctl does not know is not limited
    assert threads() == before
