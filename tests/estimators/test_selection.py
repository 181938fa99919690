"""The chosen λ is a minimum of its score, against grids much denser than the search."""

import math

import numpy as np
import pytest
from kernels_and_estimators import KERNELS, drawn, law, target

from explorer import FKMSE, KME, SKMSE, Exponential, Gaussian, Linear, Precomputed, SpectralKMSE, oracle_alpha
from explorer.estimators.selection import first, least, least_whole, valleys
from explorer.estimators.simple import Summary
from explorer.estimators.spectrum import Spectrum

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_seed = pytest.mark.parametrize("seed", range(6))
# K with u < 0: points that on average point away from each other
AWAY = Precomputed([[1.0, -0.4, -0.4], [-0.4, 1.0, -0.4], [-0.4, -0.4, 1.0]])


@pytest.mark.thorough(default=["*-0-*", "zero-*-gaussian"])
@every_kernel
@every_seed
@pytest.mark.parametrize("with_target", [False, True], ids=["zero", "target"])
@pytest.mark.covered  # every two of a kernel, a seed and a target: seeds are there for more samples
def test_skmse_takes_the_least_score(row, seed, with_target):
    k, X = drawn(row, 8, seed)
    estimator = SKMSE(k, target=target(k, X) if with_target else None)
    chosen = estimator.select(X).lam
    keep = np.linspace(0, 1, 2001)[1:]
    grid = np.concatenate([[math.inf], 1 / keep - 1])
    scores = estimator.loocv(X, grid)
    at = estimator.loocv(X, [chosen])[0]
    # the score is convex in α = λ/(1 + λ): no grid point is lower, and a neighbour is near
    assert at <= scores.min() + 1e-13 * np.abs(scores).max()
    assert abs(1 / (1 + chosen) - 1 / (1 + grid[scores.argmin()])) <= 1 / 2000


@pytest.mark.thorough(default=["*-0-*", "leave-one-out-*-gaussian"])
@every_kernel
@every_seed
@pytest.mark.parametrize("selection", ["leave-one-out", "theorem-4"])
@pytest.mark.covered  # every two of a kernel, a seed and a score: seeds are there for more samples
def test_fkmse_takes_the_least_score(row, seed, selection):
    k, X = drawn(row, 8, seed)
    estimator = FKMSE(k, selection=selection)
    top = np.linalg.eigvalsh(k(X))[-1]
    grid = np.concatenate([[0.0, math.inf], np.geomspace(1e-6 * top, 1e4 * top, 1500)])
    scores = estimator.loocv(X, grid)
    at = estimator.loocv(X, [estimator.select(X).lam])[0]
    # ties by rounding go to the earlier candidate: 1e-12 of the scores' size
    assert at <= scores.min() + 1e-12 * np.abs(scores).max()


@pytest.mark.thorough(
    default=["gaussian", "gaussian, automatic", "exponential", "energy", "delta", "subsequence, as it is"]
)
@every_kernel
def test_what_is_chosen_is_what_embed_uses(row):
    k, X = drawn(row, 8)
    for estimator in (KME(row.kernel), SKMSE(row.kernel), FKMSE(row.kernel), FKMSE(row.kernel, selection="theorem-4")):
        chosen = estimator.select(X)
        assert chosen.kernel == k
        assert chosen.select(X) == chosen
        assert chosen.embed(X) == estimator.embed(X)


# S-KMSE's λ as in the specification -----------------------------------------------------------------------------


@every_kernel
@every_seed
def test_identities_of_the_chosen_lambda(row, seed):
    k, X = drawn(row, 8, seed)
    K, n = k(X), 8
    rho_mean, rho = K.mean(), np.diag(K).mean()
    u = K[~np.eye(n, dtype=bool)].mean()
    lam = SKMSE(k).select(X).lam
    if u <= 0:
        assert lam == math.inf
        return
    alpha = lam / (1 + lam)
    near = {"rel": 1e-9}  # differences of sums of 64 terms
    assert lam == pytest.approx(n * (rho - rho_mean) / ((n - 1) * (n * rho_mean - rho)), **near)
    assert 1 - alpha == pytest.approx((n - 1) * u / (rho + (n - 2) * u), **near)
    # Theorem 1 with E k(x, x) -> ϱ, |μ|^2 -> u and n - 1 points: α* = Δ / (Δ + |μ|^2)
    delta = (rho - u) / (n - 1)
    assert alpha == pytest.approx(delta / (delta + u), **near)


@every_kernel
def test_the_chosen_lambda_towards_a_target(row):
    k, X = drawn(row, 8)
    K, f = k(X), target(k, X)
    rho, u = np.diag(K).mean(), K[~np.eye(8, dtype=bool)].mean()
    u_f = u - 2 * KME(k).embed(X).inner(f) + f.inner(f)
    alpha = (rho - u) / (rho - u + 7 * u_f) if u_f > 0 else 1.0
    lam = SKMSE(k, target=f).select(X).lam
    assert (1.0 if lam == math.inf else lam / (1 + lam)) == pytest.approx(alpha, rel=1e-9)


def test_points_that_point_away_from_each_other_are_given_up():
    chosen = SKMSE(AWAY).select([0, 1, 2])
    assert chosen.lam == math.inf  # the printed formula is negative here: erratum 20
    np.testing.assert_array_equal(chosen.embed([0, 1, 2]).weights, 0.0)
    assert FKMSE(AWAY).select([0, 1, 2]).lam == math.inf
    assert SKMSE(Linear()).select([-1.0, 1.0]).lam == math.inf  # u = -1
    orthogonal = SKMSE(Precomputed(np.eye(4))).select(np.arange(4))
    assert orthogonal.lam == math.inf  # u = 0


def test_the_chosen_lambda_tends_to_the_oracle():
    k = Gaussian(1.3)
    n = 1000
    lam = SKMSE(k).select(law().sample(n, rng=0)).lam
    # α* ~ 1/n, its estimate has relative error of a few / sqrt(n)
    assert lam / (1 + lam) == pytest.approx(oracle_alpha(law(), k, n), rel=0.15)


# the search --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [1e-6, 1.001e-6, 1e-3, 0.123456, 1.0, 777.0, 9990.0, 1e4])
def test_least_finds_a_minimum_inside(where):
    """The derivative of a polynomial through scores near 1 is rounded to some 1e-14 of a cell, more near its end."""
    found = least(lambda v: (np.log(v) - np.log(where)) ** 2 + 1, 1e-6, 1e4)
    assert found == pytest.approx(where, rel=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_rounding_of_the_scores_hardly_moves_the_least(seed):
    """A comparison of scores would move by 1e-8, the square root of their rounding."""
    rng = np.random.default_rng(seed)

    def rounded(v):
        exact = 2 - np.exp(-((np.log(v) - 0.3) ** 2) / 8)
        return exact * (1 + 2e-16 * rng.uniform(-1, 1, size=v.shape))

    assert math.log(least(rounded, 1e-6, 1e4)) == pytest.approx(0.3, abs=1e-11)


def test_least_takes_a_kink_and_leaves_out_what_has_no_score():
    """No polynomial equals such a score."""
    assert least(lambda v: 1 + np.abs(np.log(v) - 0.3), 1e-6, 1e4) == pytest.approx(math.exp(0.3), rel=1e-3)

    def half(v):
        return np.where(v < 1.3, np.nan, v)

    assert least(half, 1e-6, 1e4) == pytest.approx(1.3, rel=1e-3)


def test_least_compares_the_ends_and_prefers_them_in_a_tie():
    assert least(np.arctan, 1e-6, 1e4, ends=(0.0, math.inf)) == 0.0
    assert least(lambda v: -np.arctan(v), 1e-6, 1e4, ends=(0.0, math.inf)) == math.inf
    assert least(np.ones_like, 1e-6, 1e4, ends=(0.0, math.inf)) == 0.0


def test_least_takes_the_deeper_of_two_valleys():
    def score(v):
        t = np.log10(v)
        return -1.0 * np.exp(-((t + 3) ** 2)) - 1.1 * np.exp(-((t - 2) ** 2))

    assert least(score, 1e-6, 1e4) == pytest.approx(100, rel=1e-4)  # the other valley's tail moves it by e^-25


@pytest.mark.parametrize(("n", "value"), [(2, 0.0), (5, 1.0), (50, 3.7)])
def test_constant_data_are_not_shrunk(n, value):
    """The plain average is exact."""
    X = np.full((n, 2), value)
    for kernel in (Gaussian(0.7), Linear(), Linear(0.3)):
        for estimator in (SKMSE(kernel), FKMSE(kernel), FKMSE(kernel, selection="theorem-4")):
            at = KME(kernel).embed(X)
            assert estimator.embed(X).distance(at) <= 1e-6 * at.norm()


@pytest.mark.parametrize("n", range(2, 40))
def test_rounding_never_makes_a_chosen_lambda_negative(n):
    """The mean of equal numbers may miss them by eps; u = ϱ for constant data, and λ is 0 or next to it."""
    for value in (0.02, 0.18, 0.98, 2.42, 2 / 9):
        assert 0 <= Summary.of(np.full((n, n), value)).best_lam() < 1e-14


def test_the_score_of_constant_data_is_zero():
    summary = Summary.of(np.ones((7, 7)))
    assert summary.loocv(0.0) == 0
    assert summary.best_lam() == 0


@every_kernel
def test_a_summary_may_come_from_the_spectrum(row):
    k, X = drawn(row, 8)
    K = k(X)
    # the trace and the sum of 64 entries, by eigenvalues: rounding is relative to the largest eigenvalue
    close = {"rtol": 0, "atol": 1e-13 * np.linalg.eigvalsh(K)[-1]}
    for seen_from in ((), (0.4, 2.5)):  # the origin, and a target f* with <μ̂, f*> = .4 and |f*|^2 = 2.5
        np.testing.assert_allclose(Summary.of_spectrum(Spectrum(K), *seen_from), Summary.of(K, *seen_from), **close)


@pytest.mark.parametrize("where", [0, 1, 2, 3, 17, 48, 49, 50, 997, 123_456, 999_999, 10**6])
def test_least_whole_finds_a_minimum_to_the_last_unit(where):
    score = lambda t: 1 + (np.log1p(t) - np.log1p(where)) ** 2  # noqa: E731, as short as the tests beside it
    assert least_whole(score, 10**6) == where


def test_least_whole_takes_the_first_of_a_tie_and_the_ends():
    assert least_whole(lambda t: np.ones(len(t)), 1000) == 0
    assert least_whole(lambda t: 1 / (1.0 + t), 1000) == 1000
    assert least_whole(lambda t: np.where(t >= 1, 0.5, 1.0), 1000) == 1
    # rounding is not a difference
    assert least_whole(lambda t: np.where(t >= 1, 0.5, 1.0) + 1e-16 * np.cos(t), 1000) == 1


@pytest.mark.parametrize("deeper", [700.3, 40_000.4])
def test_both_searches_look_into_every_valley_that_may_be_the_deepest(deeper):
    """The narrow valley's floor lies between two grid points, and both of these are above the wide valley's floor."""

    def score(v):
        t = np.log(np.maximum(v, 0.5))
        shape = 1.0 if deeper > 1e4 else 0.7
        wide = 1 - np.exp(-((t - np.log(20.0)) ** 2))
        narrow = 1 - (1 + 1e-4) * np.exp(-(((t - np.log(deeper)) / shape / 0.7) ** 2))
        return np.minimum(wide, narrow)

    grid = np.geomspace(1e-6, 1e6, 49)
    assert 10 < grid[np.argmin(score(grid))] < 40  # the grid alone would take the wrong one
    assert least(score, 1e-6, 1e6) == pytest.approx(deeper, rel=1e-6)
    assert least_whole(score, 10**6) == round(deeper)


def test_two_valleys_of_landwebers_score():
    """At steps 1163 and about 157000 scores differ by 2e-8, less than either differs from its neighbours on the first
    grid.
    """
    X = KERNELS["exponential"].data(8, 0)
    estimator = SpectralKMSE(Exponential(16.0), "landweber")
    chosen = estimator.select(X).steps
    steps = np.unique(np.concatenate([np.arange(1000, 1300), np.geomspace(1, 10**6, 400).astype(int)]))
    assert estimator.loocv(X, [chosen])[0] == pytest.approx(estimator.loocv(X, steps).min(), rel=1e-13)  # rounding
    assert chosen == 1163


def test_valleys_are_few_and_the_least_comes_first():
    def found(*scores):
        return valleys(np.array(scores))

    assert found(3.0, 2.0, 1.0, 2.0, 3.0) == [2]
    assert found(3.0, 1.0, 3.0, 2.0, 3.0) == [1]  # a parabola through 3, 2, 3 dips to 2 - 1/8 of 2 at most
    assert found(3.0, 1.0, 3.0, 1.1, 3.0, 1.2, 3.0, 1.3, 3.0) == [1, 3, 5]
    assert found(3.0, 1.1, 3.0, 1.0, 3.0) == [3, 1]
    assert found(1.0, 2.0, 3.0) == [0]
    assert found(1.0, 1.0, 1.0, 1.0) == [0]
    assert found(1.0, 1.0 + 1e-16, 1.0, 1.0 + 2e-16, 1.0) == [0]  # rounding makes no valleys
    assert found(1.0) == [0]


def test_what_has_no_score_is_not_chosen():
    nan = math.nan
    assert first(np.array([nan, 3.0, 2.0, nan])) == 2
    assert first(np.array([nan, nan])) == 0
    assert valleys(np.array([nan, nan, nan, 2.0, nan, 1.0, nan])) == [5, 3]
    assert valleys(np.array([nan, nan, nan])) == [0]
    assert least(lambda v: np.where(v > 1, nan, (np.log(v) + 3) ** 2), 1e-6, 1e4, ends=(math.inf,)) == pytest.approx(
        math.exp(-3)
    )
    assert least_whole(lambda t: np.where(t < 500, nan, 1.0 * t), 10**6) == 500


@pytest.mark.parametrize("theta", [1e4, 1e7, 1e12])
def test_a_wide_bandwidth_shrinks_by_what_the_mean_varies(theta):
    """(n - 1) θ^2 λ -> (ϱ - u) θ^2 / u = Σ|x_i - x_j|^2 / (2 n (n-1)) over i != j, Linear's own; at n = 2 as well."""
    for n in (2, 9):
        X = np.random.default_rng(n).standard_normal((n, 3)) + 5.0
        spread = np.square(X[:, None] - X).sum() / (2 * n * (n - 1))
        chosen = SKMSE(Gaussian(theta)).select(X)
        assert (n - 1) * theta**2 * chosen.lam == pytest.approx(
            spread, rel=50 / theta + 1e-10
        )  # (|x - x'| / θ)^2, and rounding
        score = KME(Gaussian(theta)).loocv(X)
        assert theta**2 * score == pytest.approx(spread * (1 + 1 / (n - 1)), rel=50 / theta + 1e-10)
        assert chosen.loocv(X, [chosen.lam])[0] <= score


def test_an_offset_does_not_change_how_far_a_loss_is_from_its_best():
    """ϱ - u under Linear, 2^40 spreads from zero: the score at λ = 0 is n times it over n - 1."""
    X = np.round(np.random.default_rng(0).standard_normal((8, 2)) * 2**10) / 2**10
    assert KME(Linear()).loocv(X + 2.0**40) == pytest.approx(KME(Linear()).loocv(X), rel=1e-12)
