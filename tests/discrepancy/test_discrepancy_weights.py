"""Weights of rows: whole numbers are repeated rows, in the statistic and in permutations that keep copies together."""

import itertools
import re

import numpy as np
import pytest
from helpers.naming import naming
from two_samples import binomial, by_loops

from explorer import FKMSE, KME, MKME, SKMSE, Energy, Gaussian, Linear, Polynomial, hsic, hsic_test, mmd2, mmd_test
from explorer.checks import ExplorerWarning, Refusal
from explorer.discrepancy import permutations, splits
from explorer.discrepancy.dependence import permutation_null as hsic_null
from explorer.discrepancy.mmd import mean_differences as mmd_module
from explorer.discrepancy.resampling.tiled_gram import select

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(8, 2)), RNG.normal(size=(6, 2)) + 0.5
OF_X, OF_Y = np.array([1, 3, 0, 2, 1, 0, 4, 1]), np.array([2, 0, 1, 1, 3, 5])
P, W = np.concatenate([X, Y]), np.concatenate([OF_X, OF_Y])
KERNELS = [Gaussian(1.0), Energy(), Linear(), Polynomial(2)]

every_kernel = pytest.mark.parametrize("kernel", [None, *KERNELS], ids=repr)
both = pytest.mark.parametrize("statistic", ["unbiased", "biased"])


def copies(points, weights):
    return np.repeat(points, weights, axis=0)


def by_definition(kernel, x, y, w, v, statistic):
    """Compute MMD^2 of weighted rows, pair by pair."""

    def within(Z, w):
        K, total = kernel(Z), w.sum()
        if statistic == "biased":
            return sum(w[i] * w[j] * K[i, j] for i in range(len(w)) for j in range(len(w))) / total**2
        pairs = sum(w[i] * w[j] * K[i, j] for i in range(len(w)) for j in range(len(w)) if i != j)
        return (pairs + sum(w[i] * (w[i] - 1) * K[i, i] for i in range(len(w)))) / (total * (total - 1))

    between = sum(w[i] * v[j] * kernel(x[i : i + 1], y[j : j + 1])[0, 0] for i in range(len(w)) for j in range(len(v)))
    return within(x, w) + within(y, v) - 2 * between / (w.sum() * v.sum())


# two samples ----------------------------------------------------------------------------------------------------------


@both
@every_kernel
def test_whole_numbers_are_repeated_rows(kernel, statistic):
    """An automatic bandwidth is that of the repeated rows, too."""
    expected = mmd2(copies(X, OF_X), copies(Y, OF_Y), kernel, statistic)
    found = mmd2(X, Y, kernel, statistic, weights_x=OF_X, weights_y=OF_Y)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-13)
    assert mmd_test(X, Y, kernel, statistic, weights_x=OF_X, weights_y=OF_Y, n_resamples=5).statistic == found


@both
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_real_weights_go_by_the_definition(kernel, statistic):
    w, v = RNG.uniform(0.3, 2.0, len(X)), RNG.uniform(0.3, 2.0, len(Y))
    found = mmd2(X, Y, kernel, statistic, weights_x=w, weights_y=v)
    assert found == pytest.approx(by_definition(kernel, X, Y, w, v, statistic), rel=1e-12, abs=1e-13)
    scaled = mmd2(X, Y, kernel, statistic, weights_x=1e-3 * w, weights_y=1e100 * v) if statistic == "biased" else found
    assert scaled == pytest.approx(found, rel=1e-12)


@both
def test_permuted_rows_keep_their_copies(statistic):
    """Each split has the MMD^2 of the repeated rows on either side, and their number differs from split to split."""
    kernel, kept = Gaussian(1.0), W > 0
    result = mmd_test(X, Y, kernel, statistic, n_resamples=50, rng=3, weights_x=OF_X, weights_y=OF_Y)
    rows, counts = P[kept], W[kept]
    K = kernel(copies(rows, counts))
    S = splits(len(rows), np.count_nonzero(OF_X), 50, 3)
    expected = [by_loops(K, np.flatnonzero(np.repeat(s, counts)), statistic) for s in S]
    assert len(set(S @ counts)) > 5
    np.testing.assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-13)
    assert (result.n, result.m) == (6, 5)
    assert re.search(naming(f"{statistic} MMD²", "weighted"), str(result))


@both
def test_a_weight_of_0_leaves_the_row_out(statistic):
    groups = np.arange(14) % 2
    whole = mmd_test(X, Y, None, statistic, rng=0, n_resamples=40, groups=groups, weights_x=OF_X, weights_y=OF_Y)
    x, y, of_x, of_y = X[OF_X > 0], Y[OF_Y > 0], OF_X[OF_X > 0], OF_Y[OF_Y > 0]
    less = mmd_test(x, y, None, statistic, rng=0, n_resamples=40, groups=groups[W > 0], weights_x=of_x, weights_y=of_y)
    assert whole.kernel == less.kernel
    assert (whole.null_distribution == less.null_distribution).all()


@both
def test_weights_of_1_change_nothing(statistic):
    plain = mmd_test(X, Y, None, statistic, rng=0)
    for given in ({"weights_x": np.ones(8)}, {"weights_y": [1] * 6}):
        weighted = mmd_test(X, Y, None, statistic, rng=0, **given)
        # sums of some 100 terms below 1, in another order
        np.testing.assert_allclose(weighted.null_distribution, plain.null_distribution, rtol=0, atol=1e-14)
        assert weighted.pvalue == plain.pvalue


@both
def test_ties_of_weighted_rows_are_ties(statistic):
    """Coin flips: the statistic depends on each sample's weight of heads, and on nothing else."""
    x, y = np.array([0.0, 1, 1, 0, 1]), np.array([0.0, 0, 1, 1, 0])
    w, v = np.array([2, 1, 3, 2, 2]), np.array([3, 1, 2, 2, 4])
    result = mmd_test(x, y, Gaussian(1.0), statistic, n_resamples=400, rng=0, weights_x=w, weights_y=v)
    heads, counts = np.concatenate([x, y]), np.concatenate([w, v])
    S = splits(10, 5, 400, 0)
    alike = (S @ (heads * counts) == x @ w) & (S @ counts == w.sum())
    gaps = np.abs(result.null_distribution[alike] - result.statistic)
    assert np.count_nonzero(alike) > 10
    assert gaps.max() <= result.tolerance < 1e-11


@both
def test_a_heavy_row_costs_no_digits(statistic):
    """A thousand million copies of one row: sums over the heavier sample would cancel."""
    w = np.array([1e9, 2, 3, 1, 1, 2, 1, 2])
    result = mmd_test(X, Y, Gaussian(1.0), statistic, n_resamples=60, rng=0, weights_x=w)
    every = np.concatenate([w, np.ones(6)])
    for s, value in zip(splits(14, 8, 60, 0), result.null_distribution, strict=True):
        expected = by_definition(Gaussian(1.0), P[s], P[~s], every[s], every[~s], statistic)
        assert value == pytest.approx(expected, rel=1e-6)  # the definition itself loses nine digits


@both
def test_beyond_the_size_of_a_gram_matrix(statistic, monkeypatch):
    stored = mmd_test(X, Y, Gaussian(1.0), statistic, n_resamples=150, rng=0, weights_x=OF_X, weights_y=OF_Y)
    monkeypatch.setattr(mmd_module, "LARGE", 5)
    tiled = mmd_test(X, Y, Gaussian(1.0), statistic, n_resamples=150, rng=0, weights_x=OF_X, weights_y=OF_Y)
    np.testing.assert_allclose(tiled.null_distribution, stored.null_distribution, rtol=0, atol=1e-14)
    assert tiled.statistic == pytest.approx(stored.statistic, abs=1e-14)
    assert tiled.pvalue == stored.pvalue


@pytest.mark.thorough
def test_the_bandwidth_of_real_weights_and_of_a_great_many():
    """Under weights that are not whole every row is there once; of many copies some are taken, as of many rows."""
    plain = mmd_test(X, Y, n_resamples=1, rng=0).kernel
    real = mmd_test(X, Y, None, "biased", n_resamples=1, rng=0, weights_x=np.full(8, 0.3)).kernel
    assert real == plain
    with pytest.warns(ExplorerWarning, match=naming("6000", "9600")):
        repeated = select(Gaussian(), np.concatenate([copies(X, OF_X * 400), copies(Y, OF_Y * 400)]))
    with pytest.warns(ExplorerWarning, match=naming("6000", "9600")):
        weighted = mmd_test(X, Y, n_resamples=1, rng=0, weights_x=OF_X * 400, weights_y=OF_Y * 400).kernel
    assert weighted == repeated
    with pytest.warns(ExplorerWarning, match="chosen on 6000"):
        assert mmd2(X, Y, weights_x=OF_X * 10**12, weights_y=OF_Y * 10**12) > 0


REFUSED = {
    "too few": ({"weights_x": [1] * 7}, naming("weights_x", "(7,)", 8)),
    "one number": ({"weights_y": 2}, naming("weights_y", "()", 6)),
    "negative": ({"weights_y": [1, 1, -2, 1, 1, 1]}, naming("weights_y", "-2", 0)),
    "none above 0": ({"weights_x": [0] * 8}, naming("weights_x", 0)),
    "missing": ({"weights_x": [np.nan] * 8}, naming("weights_x", 8, "NaN")),
    "infinite": ({"weights_x": [np.inf] * 8}, naming("weights_x", 8, "NaN")),
    "words": ({"weights_x": ["a"] * 8}, naming("weights_x")),
    "too large": ({"weights_x": [1e200] * 8}, naming("weights_x", "1e+200")),
    "shares": ({"weights_x": [1 / 8] * 8}, naming("weights_x", 1, "statistic='biased'")),
    "one row": ({"weights_x": [1] + [0] * 7}, naming("weights_x", 1, "statistic='biased'")),
    "an estimator": ({"weights_x": [1] * 8, "estimator": SKMSE()}, naming("estimator", "SKMSE")),
    "weights of its own": (
        {"weights_x": [1] * 8, "estimator": FKMSE(), "statistic": "biased"},
        naming("estimator", "FKMSE"),
    ),
    "noise": ({"weights_x": [1] * 8, "estimator": MKME()}, naming("estimator", "MKME")),
    "finite rank": ({"weights_x": [1] * 8, "approximation": "cholesky"}, naming("approximation", "None")),
}


@pytest.mark.parametrize("function", [mmd2, mmd_test], ids=lambda f: f.__name__)
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_weighted_is_said(case, function):
    given, said = REFUSED[case]
    with pytest.raises(Refusal, match=said):
        function(X, Y, **given)


def test_a_permutation_that_leaves_a_sample_too_light_is_said():
    light = [0.1] * 5 + [9.0]
    assert mmd2(X, Y, weights_y=light) < 1
    with pytest.raises(Refusal, match=naming("weights_x", "0.8")):
        mmd_test(X, Y, weights_x=[0.1] * 7 + [9.0], weights_y=light)
    # within these groups the heavy rows keep their sample
    groups = [0] * 7 + [1] + [0] * 5 + [2]
    assert mmd_test(X, Y, weights_x=[0.1] * 7 + [9.0], weights_y=light, groups=groups, n_resamples=9).pvalue > 0


def test_what_weights_are_called_elsewhere():
    for function, word, ours in ((mmd2, "sample_weight", "weights_x"), (mmd_test, "weights", "weights_x")):
        with pytest.raises(TypeError, match=f"here it is {ours}"):
            function(X, Y, **{word: OF_X})
    with pytest.raises(TypeError, match=naming("weights")):
        hsic_test(X, X, weights_x=OF_X)


def test_the_plain_average_may_be_named():
    assert mmd2(X, Y, estimator=KME(), weights_x=OF_X) == mmd2(X, Y, weights_x=OF_X)


@pytest.mark.thorough
def test_weights_that_are_drawn_with_the_rows_keep_the_level():
    """Heavy rows lie farther out in both samples; counted as separate observations they reject far too often."""
    rng, total, counted = np.random.default_rng(0), 0, 0
    for _ in range(200):
        A, B = rng.normal(size=(2, 12, 1))
        w, v = (1 + rng.poisson(3 * np.abs(Z[:, 0])) for Z in (A, B))
        total += mmd_test(A, B, n_resamples=19, rng=rng, weights_x=w, weights_y=v).pvalue <= 0.2
        counted += mmd_test(copies(A, w), copies(B, v), n_resamples=19, rng=rng).pvalue <= 0.2
    low, high = binomial(200, 0.2)
    assert low <= total <= high < counted


# pairs ----------------------------------------------------------------------------------------------------------------

N = 9
U, V = RNG.normal(size=(N, 2)), RNG.normal(size=(N, 1))
OF_PAIRS = np.array([1, 0, 3, 2, 1, 1, 0, 2, 4])


@both
@every_kernel
def test_whole_numbers_are_repeated_pairs(kernel, statistic):
    expected = hsic(copies(U, OF_PAIRS), copies(V, OF_PAIRS), kernel, kernel, statistic)
    found = hsic(U, V, kernel, kernel, statistic, weights=OF_PAIRS)
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-14)
    assert hsic_test(U, V, kernel, kernel, statistic, n_resamples=5, weights=OF_PAIRS).statistic == found


def copies_of_four(w):
    """Yield (rows, number of ways to choose four different copies of them) for every four rows (i, j, q, r)."""
    for rows in itertools.product(range(len(w)), repeat=4):
        ways = 1.0
        for place, row in enumerate(rows):
            ways *= w[row] - rows[:place].count(row)
        yield rows, ways


@both
def test_real_weights_of_pairs_go_by_the_definition(statistic):
    """The double sum, and the sum over four different copies that stands for the U-statistic."""
    k, w = Gaussian(1.0), RNG.uniform(0.6, 2.0, 5)
    K, L = k(U[:5]), k(V[:5])
    found = hsic(U[:5], V[:5], k, k, statistic, weights=w)
    if statistic == "biased":
        p = w / w.sum()
        H = np.eye(5) - np.outer(np.ones(5), p)
        expected = p @ (H @ K @ H.T * (H @ L @ H.T)) @ p
        assert hsic(U[:5], V[:5], k, k, statistic, weights=1e-9 * w) == pytest.approx(found, rel=1e-12)
    else:
        total = w.sum()
        expected = sum(
            ways * K[i, j] * (L[i, j] + L[q, r] - 2 * L[i, q]) for (i, j, q, r), ways in copies_of_four(w)
        ) / (total * (total - 1) * (total - 2) * (total - 3))
    assert found == pytest.approx(expected, rel=1e-11)


@both
@pytest.mark.parametrize("gathered", [True, False])
def test_permuted_pairs_keep_the_weights_of_x(statistic, gathered, monkeypatch):
    if not gathered:
        monkeypatch.setattr(hsic_null, "WORTH", -1)  # larger sums, by factors or numba
    k, kept = Gaussian(1.0), OF_PAIRS > 0
    w, x, y = OF_PAIRS[kept], U[kept], V[kept]
    result = hsic_test(U, V, k, k, statistic, n_resamples=140, rng=1, weights=OF_PAIRS)
    orders = np.concatenate(list(permutations(len(w), 140, 1)))
    expected = [hsic(copies(x, w), copies(y[order], w), k, k, statistic) for order in orders]
    np.testing.assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-15)
    assert result.n == 7
    assert re.search(naming(f"{statistic} HSIC", "weighted"), str(result))


@both
def test_weights_of_1_of_pairs_change_nothing(statistic):
    plain = hsic_test(U, V, None, None, statistic, rng=0)
    weighted = hsic_test(U, V, None, None, statistic, rng=0, weights=np.ones(N))
    np.testing.assert_allclose(weighted.null_distribution, plain.null_distribution, rtol=0, atol=1e-15)
    assert weighted.pvalue == plain.pvalue


def test_pairs_of_weight_0_leave_their_groups_too():
    groups, kept = np.arange(N) % 2, OF_PAIRS > 0
    whole = hsic_test(U, V, n_resamples=30, rng=0, groups=groups, weights=OF_PAIRS)
    less = hsic_test(U[kept], V[kept], n_resamples=30, rng=0, groups=groups[kept], weights=OF_PAIRS[kept])
    assert (whole.null_distribution == less.null_distribution).all()
    assert whole.resamples == less.resamples


PAIRS_REFUSED = {
    "too few": ({"weights": [1] * 3}, naming("weights", "(3,)", 9)),
    "negative": ({"weights": [-1.0] * N}, naming("weights", "-1")),
    "none above 0": ({"weights": [0] * N}, naming("weights", 0)),
    "missing": ({"weights": [np.nan] * N}, naming("weights", 9, "NaN")),
    "shares": ({"weights": [1 / N] * N, "statistic": "unbiased"}, naming("weights", 1, 3)),
    "an estimator": ({"weights": [1] * N, "estimator": FKMSE()}, naming("estimator", "FKMSE")),
    "one of a pair": ({"weights": [1] * N, "estimator": (KME(), MKME())}, naming("estimator", "MKME")),
}


def test_three_pairs_are_too_few_for_the_unbiased_statistic():
    with pytest.raises(Refusal, match=naming("sum to 3", "than 3")):
        hsic(U, V, weights=[0.5] * 6 + [0] * (N - 6), statistic="unbiased")


@pytest.mark.parametrize("function", [hsic, hsic_test], ids=lambda f: f.__name__)
@pytest.mark.parametrize("case", PAIRS_REFUSED)
def test_what_cannot_be_weighted_of_pairs_is_said(case, function):
    given, said = PAIRS_REFUSED[case]
    with pytest.raises(Refusal, match=said):
        function(U, V, **given)


@pytest.mark.thorough
def test_weights_of_x_alone_keep_the_level():
    rng, total = np.random.default_rng(0), 0
    for _ in range(600):
        x, y = rng.normal(size=(2, 15))
        total += hsic_test(x, y, n_resamples=19, rng=rng, weights=1 + rng.poisson(3 * np.abs(x))).pvalue <= 0.05
    low, high = binomial(600, 0.05)
    assert low <= total <= high
