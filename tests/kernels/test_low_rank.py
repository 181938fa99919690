"""Kernels of finite rank, kernel means by them, and the errors that they state."""

import copy
import pickle

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn
from scipy.linalg import solve_triangular
from scipy.stats import binom

from explorer import (
    KME,
    Delta,
    Embedding,
    Energy,
    Exponential,
    FourierFeatures,
    Gaussian,
    GaussianMixture,
    Landmarks,
    Laplacian,
    Linear,
    Polynomial,
    Subsequence,
    low_rank,
    mmd2,
)
from explorer.checks import ExplorerWarning, Refusal
from explorer.embeddings import forms, scaled_gaussians
from explorer.kernels.low_rank import order_of_values
from explorer.kernels.low_rank.automatic import stand_in
from explorer.kernels.low_rank.residual import SKEWED, Means, limit_of_size
from explorer.model import code

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
WAYS = ("cholesky", "nystrom", "features")
LANDMARKS = WAYS[:2]
every_way = pytest.mark.parametrize("way", WAYS)
by_landmarks = pytest.mark.parametrize("way", LANDMARKS)
ROUNDING = 1e-7  # an RKHS distance is the root of a difference, whose rounding is 1e-16 and more


def sample(n=300, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


# kernels --------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["cholesky-*", "nystrom-gaussian", "nystrom-subsequence"])
@every_kernel
@by_landmarks
def test_at_full_rank_it_is_the_kernel(row, way):
    k, X = drawn(row, 25)
    low, Y = low_rank(k, X, way), row.data(9, seed=4)
    size = k.diagonal(X).max()
    assert low.rank <= 25
    # a few roundings of a triangular solve, in units of the largest entry
    np.testing.assert_allclose(low(X), k(X), rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(low(X, Y), k(X, Y), rtol=0, atol=1e-7 * max(size, k.diagonal(Y).max()))
    np.testing.assert_allclose(low.diagonal(X), k.diagonal(X), rtol=0, atol=1e-12 * size)


@pytest.mark.thorough(default=["cholesky-*", "nystrom-gaussian", "nystrom-subsequence"])
@every_kernel
@by_landmarks
def test_what_landmarks_leave_is_a_kernel(row, way):
    k, X = drawn(row, 25)
    left = k(X) - low_rank(k, X, way, rank=3)(X)
    assert np.linalg.eigvalsh(left)[0] > -1e-12 * k.diagonal(X).max()


@every_kernel
def test_a_low_rank_kernel_is_a_value(row):
    k, X = drawn(row, 9)
    low = low_rank(k, X, "cholesky", rank=4)
    for again in (pickle.loads(pickle.dumps(low)), low.replace(), low_rank(k, X, "cholesky", rank=4)):
        assert again == low
        np.testing.assert_array_equal(again(X), low(X))
    with pytest.raises(TypeError, match=naming("Landmarks", "landmarks")):
        low.landmarks = X


def test_pivots_are_those_of_the_cholesky_factor():
    """Greedy: the largest of what is left, of the true kernel, is smaller than at random points."""
    X, k = sample(), Gaussian(0.7)
    greedy, random = (np.max(1 - low_rank(k, X, way, rank=40).diagonal(X)) for way in LANDMARKS)
    assert greedy < random


@pytest.mark.parametrize("kernel", [Gaussian(1.2), Laplacian(1.2)], ids=repr)
def test_random_waves_have_the_kernel_as_their_average(kernel):
    X = sample(12)
    mean = np.mean([low_rank(kernel, X, "features", 100, rng=seed)(X) for seed in range(400)], axis=0)
    # 20,000 cosines of variance 1 at most: 5 standard errors are 0.035
    np.testing.assert_allclose(mean, kernel(X), rtol=0, atol=0.035)
    np.testing.assert_array_equal(np.diag(mean), 1)


def test_expectations_over_gaussian_points():
    """E φ(x + u) of both, against the closed form that Landmarks project and the average over waves."""
    X, C, Y = sample(6), np.array([[0.4, 0.1], [0.1, 0.3]]), sample(7, seed=1)
    k = Gaussian(1.0)
    landmarks = Landmarks(k, np.vstack([sample(100, seed=2), Y]))
    np.testing.assert_allclose(landmarks.expected(X, C, Y, None), k.expected(X, C, Y, None), rtol=0, atol=1e-7)
    waves = low_rank(k, X, "features", 40_000)
    np.testing.assert_allclose(waves.expected(X, C, Y, C), k.expected(X, C, Y, C), rtol=0, atol=0.03)


def test_equal_landmarks_are_kept_once():
    low = Landmarks(Gaussian(1.0), [[0.0], [0.0], [1.0], [0.0]])
    assert low.independent.tolist() == [[0.0], [1.0]]
    words = Landmarks(Delta(), ["a", "b", "a"])
    assert words(["a", "b", "c"]).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_a_kernel_that_is_zero_on_the_sample():
    low = low_rank(Subsequence(5, normalized=False), ["a", "b"], "cholesky")
    assert low.rank == 0
    assert low(["a", "bbbbbbbb"]).tolist() == [[0, 0], [0, 0]]
    assert KME(Subsequence(5, normalized=False), "cholesky").embed(["a", "b"])(["a"]).tolist() == [0]


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Polynomial(3), Energy()], ids=repr)
@by_landmarks
def test_a_far_point_takes_no_digit_from_the_others(kernel, way):
    X = sample(40)
    far = np.vstack([X, [[1e5, -3e4]]])
    low = low_rank(kernel, far, way)
    np.testing.assert_allclose(low(X), kernel(X), rtol=0, atol=1e-9 * kernel.diagonal(X).max())


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Exponential(1.0)], ids=repr)
def test_a_point_beyond_floats_is_a_sentence(kernel):
    with pytest.raises(Refusal, match="large"):
        KME(kernel, "cholesky").embed(np.vstack([sample(9), [[1e300, 1e300]]]))


def test_a_rank_above_n_is_n_and_many_candidates_are_some():
    X = sample(20)
    assert low_rank(Gaussian(1.0), X, "nystrom", 50).rank == 20
    assert low_rank(Gaussian(1.0), np.tile(X, (1500, 1)), "cholesky", 50).rank == 20


# means ----------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["cholesky-*", "nystrom-gaussian", "nystrom-subsequence"])
@every_kernel
@by_landmarks
def test_a_mean_meets_the_full_one(row, way):
    k, X = drawn(row, 30)
    full = KME(k).embed(X)
    size = full.norm()
    errors = []
    for rank in (2, 8, 30):
        mean = KME(k, way, rank).embed(X)
        errors.append(mean.distance(full) / size)
        assert mean.error / size == pytest.approx(errors[-1], abs=ROUNDING)
    assert errors[2] < ROUNDING
    # nested landmarks, so that the error never rises
    assert errors[1] <= errors[0] + ROUNDING


@every_way
def test_errors_fall_with_the_rank(way):
    X, k = sample(), Gaussian(1.0)
    full = KME(k).embed(X)
    errors = [
        np.mean([np.sqrt(np.mean((KME(k, way, rank, seed).embed(X)(X) - full(X)) ** 2)) for seed in range(10)])
        for rank in (10, 160)
    ]
    # an average over waves errs by 1 / sqrt(rank): 4 times less at 16 times the rank, and scatters
    assert errors[1] < errors[0] / 2


@by_landmarks
@pytest.mark.thorough
def test_of_many_points_the_error_is_a_limit_by_some(way):
    X, k = sample(2500), Gaussian(0.5)
    full = KME(k).embed(X)
    for rank in (20, 100):
        mean = KME(k, way, rank).embed(X)
        assert mean.distance(full) <= mean.error < 2 * mean.distance(full) + 0.05


@pytest.mark.thorough
@pytest.mark.parametrize("rank", [10, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(1.0)], ids=repr)
def test_the_limit_of_random_features_holds(kernel, rank):
    """99 of 100 times, or more often: it is reached by sums of one square only."""
    X = sample(40)
    full, trials = KME(kernel).embed(X)(X), 200
    held = 0
    for seed in range(trials):
        mean = KME(kernel, "features", rank, seed).embed(X)
        held += np.sqrt(np.mean((mean(X) - full) ** 2)) <= mean.error
    assert held >= binom.ppf(1e-6, trials, 0.99)


def test_the_limit_of_two_waves_holds():
    """Further frequencies say how far off one alone is: it is as wrong as that."""
    X = sample(30)
    full, held = KME(Gaussian(1.0)).embed(X)(X), 0
    for seed in range(20):
        mean = KME(Gaussian(1.0), "features", 2, seed).embed(X)
        off = np.sqrt(np.mean((mean(X) - full) ** 2))
        held += off <= mean.error < 1.5 * off + 0.05
    assert held >= binom.ppf(1e-6, 20, 0.99)


def test_further_frequencies_depend_on_the_first_and_on_how_many_points_there_are():
    one, other = (FourierFeatures.draw(Gaussian(1.0), 2, 10, seed) for seed in (0, 1))
    assert one.more_frequencies(100) == one.more_frequencies(16_000)
    assert (one.more_frequencies(100).frequencies != other.more_frequencies(100).frequencies).all()
    assert [len(one.more_frequencies(points).frequencies) for points in (1, 100_000, 10**8)] == [2000, 335, 100]


def test_words_have_low_rank_means():
    words = ["".join(np.random.default_rng(i).choice(list("ab"), 6)) for i in range(40)]
    k = Subsequence(2)
    full = KME(k).embed(words)
    mean = KME(k, "cholesky", 3).embed(words)
    assert len(mean.weights) == 3
    assert mean.error == pytest.approx(mean.distance(full), abs=ROUNDING)


# an embedding's error -------------------------------------------------------------------------------------------------


def test_an_error_is_measured_once_and_carried():
    calls = []
    e = Embedding(Gaussian(1.0), [[0.0]], [1.0]).approximating(lambda: calls.append(1) or 0.25)
    f, g = Embedding(Gaussian(1.0), [[1.0]], [1.0]).approximating(0.5), Embedding(Gaussian(1.0), [[2.0]], [1.0])
    assert calls == []
    assert g.error is None
    assert (g + g).error is None
    assert (2 * g).error is None
    assert (e + g).error == 0.25
    assert (e - 2 * f).error == 1.25
    assert (-e / 2).error == 0.125
    assert sum([e, f, g]).error == 0.75
    assert calls == [1]
    for again in (pickle.loads(pickle.dumps(e)), copy.deepcopy(e)):
        assert again.error == 0.25


def test_an_error_is_no_part_of_the_embedding():
    g = Embedding(Gaussian(1.0), [[0.0]], [1.0])
    e = g.approximating(0.25)
    assert e == g
    assert hash(e) == hash(g)
    assert e.key == g.key
    assert repr(e) == repr(g)
    assert code(e) == code(g)


# embeddings under a kernel of finite rank -----------------------------------------------------------------------------


def test_embeddings_under_it_are_sums_of_features():
    X, Y = sample(40), sample(15, seed=1)
    for way in WAYS:
        k = low_rank(Gaussian(1.0), X, way, 12)
        e, f = Embedding(k, X, np.linspace(-1, 2, 40)), Embedding(k, Y, np.ones(15))
        assert e(Y) == pytest.approx(k(Y, X) @ e.weights, abs=1e-12)
        assert e.inner(f) == pytest.approx(e.weights @ k(X, Y) @ f.weights, abs=1e-11)
        assert (e - e).norm() == 0
        noisy = GaussianMixture([0.5, 0.5], [[0.0, 0.0], [1.0, 1.0]], 0.3).embed(k)
        drawn_law = GaussianMixture([0.5, 0.5], [[0.0, 0.0], [1.0, 1.0]], 0.3).sample(20_000, rng=0)
        assert noisy(Y) == pytest.approx(Embedding(k, drawn_law, np.full(20_000, 1 / 20_000))(Y), abs=0.03)


def test_many_points_are_met_in_tiles(monkeypatch):
    X, Y = sample(50), sample(30, seed=1)
    e, f = KME(Gaussian(1.0)).embed(X), KME(Gaussian(1.0)).embed(Y)
    whole = e(Y), e.inner(f), e.norm()
    for module in (scaled_gaussians, forms):
        monkeypatch.setattr(module, "TILE", 70)
    # sums in another order
    assert e(Y) == pytest.approx(whole[0], rel=1e-14)
    assert e.inner(f) == pytest.approx(whole[1], rel=1e-14)
    assert e.norm() == pytest.approx(whole[2], rel=1e-14)


# what cannot be had ---------------------------------------------------------------------------------------------------

X = sample(12)
REFUSED = {
    "another approximation": (
        lambda: KME(approximation="lanczos"),
        "KME.approximation 'auto' 'cholesky' 'nystrom' 'features' 'lanczos'",
    ),
    "of a function": (lambda: low_rank(Gaussian(1.0), X, "svd"), "approximation 'auto' 'cholesky' 'svd'"),
    "auto for a function": (lambda: low_rank(Gaussian(1.0), X, "auto"), "approximation='auto' mmd2 'cholesky'"),
    "none for a function": (lambda: low_rank(Gaussian(1.0), X, None), "approximation None 'cholesky'"),
    "rank 0": (lambda: KME(approximation="cholesky", rank=0), "1 0"),
    "rank 0 of a function": (lambda: low_rank(Gaussian(1.0), X, "cholesky", 0), "1 0"),
    "a rank alone": (lambda: KME(rank=5), "rank=5 approximation='cholesky'"),
    "one wave's half": (lambda: low_rank(Gaussian(1.0), X, "features", 1), "rank 2"),
    "waves of Delta": (lambda: KME(Delta(), "features").embed(X), "approximation='cholesky'"),
    "waves of a polynomial": (
        lambda: low_rank(Polynomial(2), X, "features"),
        "approximation='cholesky'",
    ),
    "an open bandwidth": (lambda: Landmarks(Gaussian(), X), "bandwidth Gaussian()"),
    "an open one of waves": (lambda: FourierFeatures(Gaussian(), [[1.0]]), "bandwidth Gaussian()"),
    "frequencies in a row": (lambda: FourierFeatures(Gaussian(1.0), [1.0]), "FourierFeatures.frequencies (1,)"),
    "another width": (lambda: Landmarks(Gaussian(1.0), X)([[1.0]]), "1 column"),
    "another width of waves": (lambda: FourierFeatures(Gaussian(1.0), [[1.0]])(X), "columns"),
    "no kernel": (lambda: low_rank("gaussian", X), "kernel 'gaussian'"),
    "its score": (lambda: KME(approximation="cholesky").loocv(X), "leave-one-out"),
    "its risk": (lambda: KME(Linear(), "cholesky").risk(GaussianMixture([1.0], [[0.0]], 1.0), 5), "exact risk"),
    "words of waves": (lambda: low_rank(Gaussian(1.0), ["a"], "features"), "numbers"),
    "a far point": (lambda: low_rank(Gaussian(1e-150), X, "features")(1e200 * X), "no floats"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_had_is_said(case):
    act, said = REFUSED[case]
    with pytest.raises(Refusal, match=naming(*said.split())):
        act()


def test_a_link_may_name_an_approximation():
    model = KME(None, "nystrom", 7)
    assert KME.from_flat({name: word for name, word in model.flat().items() if name != "kernel"}) == (model, [])
    assert KME.from_flat(KME().flat() | {"kernel": "Gaussian()"})[0].approximation is None
    assert KME.from_flat({"approximation": "auto"}) == (KME(approximation="auto"), [])
    assert KME.from_flat({"approximation": "none of them"})[0] == KME()


@pytest.mark.thorough
def test_many_points_choose_their_bandwidth_on_some():
    X = sample(6100, 1)
    with pytest.warns(ExplorerWarning, match=naming("6000", "6100")):
        assert 0 < KME(None, "nystrom", 5).embed(X).kernel.bandwidth


def test_columns_meet_by_name():
    pd = pytest.importorskip("pandas")
    X, Y = (pd.DataFrame(sample(9, 3, seed), columns=["a", "b", "c"]) for seed in (0, 1))
    for way in WAYS:
        low = low_rank(Gaussian(1.0), X, way, 4)
        np.testing.assert_array_equal(low(X, Y[["c", "a", "b"]]), low(X, Y))


@pytest.mark.thorough(default=["cholesky-gaussian", "nystrom-gaussian", "nystrom-subsequence", "cholesky-delta*"])
@every_kernel
@by_landmarks
def test_another_order_of_the_points_gives_the_same_landmarks(row, way):
    """Tied points too: the catalogue's data and their first rows again."""
    k, X = drawn(row, 40)
    if k.space == "row numbers":  # which are the order
        return
    X = np.concatenate([X, X[:15]])
    order = np.random.default_rng(3).permutation(len(X))
    first, second = (low_rank(k, Z, way, rank=7, rng=5).landmarks for Z in (X, X[order]))
    np.testing.assert_array_equal(first, second)


def test_rows_in_the_order_of_their_values():
    """Numbers by the first column that differs, words by the alphabet: as Python sorts tuples."""
    rng = np.random.default_rng(0)
    for X in (
        rng.integers(0, 3, (50, 3)).astype(float),
        rng.integers(0, 2, (50, 5)).astype(float),
        np.column_stack([np.zeros(50), rng.normal(size=(50, 2)).round()]),
        rng.normal(size=(50, 2)),
        np.zeros((1, 2)),
        rng.choice(["a", "b", "ab"], (50, 2)),
        rng.choice(["a", "b"], 50),
    ):
        rows = [tuple(np.atleast_1d(row).tolist()) for row in X]
        assert [rows[i] for i in order_of_values(X)] == sorted(rows)


@pytest.mark.parametrize("bandwidth", [0.5, 3.0])
@pytest.mark.parametrize("d", [1, 5])
def test_features_by_the_inverse_factor_are_solutions_by_it(bandwidth, d):
    """The tolerance is eps times the rank over the least diagonal entry: 1e-8 of smooth kernels."""
    X = np.random.default_rng(4).normal(size=(400, d))
    low = low_rank(Gaussian(bandwidth), X, "nystrom", rank=80)
    L, values = low._factor[1], Gaussian(bandwidth)(X, low.independent)
    error = np.finfo(float).eps * low.rank / np.diag(L).min()
    np.testing.assert_allclose(low.features(X), solve_triangular(L, values.T, lower=True).T, atol=10 * error)


def test_the_limit_of_a_size_is_a_quantile_of_student_s_t():
    """Of 1 and 3 the mean is 2 and its standard error 1; with one degree of freedom t is Cauchy's."""
    limit = 2 + np.tan(np.pi * (SKEWED - 0.5))
    assert limit_of_size([1.0, 3.0]) == pytest.approx(limit)
    assert limit_of_size([-1.0, -3.0]) == pytest.approx(limit)
    assert limit_of_size([-2.0, -2.0, -2.0]) == 2


def test_means_of_the_error_by_brute_force():
    k, rng = Gaussian(1.0), np.random.default_rng(0)
    X, Y = rng.normal(size=(5, 2)), rng.normal(1.0, 1.0, (4, 2))
    low = FourierFeatures.draw(k, 2, 6, 0)
    means = Means.of(low, (X, Y))
    assert means.between == pytest.approx((k(X, Y) - low(X, Y)).mean())
    for Z, within, own in zip((X, Y), means.within, means.own, strict=True):
        R = k(Z) - low(Z)
        assert own == pytest.approx(np.diag(R).mean(), abs=1e-15)
        assert within == pytest.approx(R[~np.eye(len(Z), dtype=bool)].mean())
    statistic = mmd2(X, Y, k, statistic="unbiased") - mmd2(X, Y, low, statistic="unbiased")
    assert means.squared((5, 4), "unbiased") == pytest.approx(statistic)


def test_two_seconds_are_not_too_long():
    k, X = Gaussian(1.0), np.linspace(0.0, 1.0, 8)[:, None]
    assert stand_in(k, X, "auto", None, 0, 2.0).name == "exact"
    assert stand_in(k, X, "auto", None, 0, 2.001).low is not None
