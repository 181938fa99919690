"""HSIC by its definitions, what it does not change with, its limits, and refusals."""

import re

import numpy as np
import pytest
from helpers.naming import names_all, naming
from paired_samples import CASES, N, biased_by_sums, dependent, independent, paired, unbiased_by_quadruples

from explorer import (
    Delta,
    Energy,
    Gaussian,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
    Subsequence,
    hsic,
    hsic_test,
    mmd2,
)
from explorer.checks import ExplorerWarning
from explorer.discrepancy.dependence import centred_grams as hsic_sides
from explorer.discrepancy.dependence.centred_grams import PairSums, StoredGram, TiledSide, of_sums
from explorer.discrepancy.dependence.pairing import Pairing
from explorer.discrepancy.resampling import tiled_gram
from explorer.kernels import Kernel, bandwidth_selection

every_case = pytest.mark.parametrize("case", CASES)
every_statistic = pytest.mark.parametrize("statistic", ["biased", "unbiased"])


def size(K, L):
    return np.abs(K).max() * np.abs(L).max()


@every_case
def test_both_statistics_are_their_definitions(case):
    (k, X, K), (l, Y, L) = paired(case)
    # a sum of n^2 to n^4 terms, exact to some eps of their size
    assert hsic(X, Y, k, l) == pytest.approx(biased_by_sums(K, L), abs=1e-12 * size(K, L))
    assert hsic(X, Y, k, l, "unbiased") == pytest.approx(unbiased_by_quadruples(K, L), abs=1e-12 * size(K, L))


@every_case
def test_the_traces_of_the_literature(case):
    """tr(KHLH) / n^2, and Song's formula, and the sum of products of U-centred matrices, as printed."""
    (k, X, K), (l, Y, L) = paired(case, 11)
    n = 11
    H = np.eye(n) - 1 / n
    assert hsic(X, Y, k, l) == pytest.approx(np.trace(K @ H @ L @ H) / n**2, abs=1e-12 * size(K, L))
    K0, L0, one = K - np.diag(np.diag(K)), L - np.diag(np.diag(L)), np.ones(n)
    song = np.trace(K0 @ L0) + K0.sum() * L0.sum() / ((n - 1) * (n - 2)) - 2 / (n - 2) * one @ K0 @ L0 @ one
    unbiased = hsic(X, Y, k, l, "unbiased")
    assert unbiased == pytest.approx(song / (n * (n - 3)), abs=1e-12 * size(K, L))
    centred = [M - M.sum(0) / (n - 2) - M.sum(1)[:, None] / (n - 2) + M.sum() / ((n - 1) * (n - 2)) for M in (K0, L0)]
    for M in centred:
        np.fill_diagonal(M, 0.0)
    assert unbiased == pytest.approx((centred[0] * centred[1]).sum() / (n * (n - 3)), abs=1e-12 * size(K, L))


@every_statistic
def test_it_is_symmetric_and_sees_pairs_as_a_set(statistic):
    X, Y = dependent(30)
    value = hsic(X, Y, statistic=statistic)
    assert hsic(Y, X, statistic=statistic) == pytest.approx(value, rel=1e-12)
    order = np.random.default_rng(0).permutation(30)
    assert hsic(X[order], Y[order], statistic=statistic) == pytest.approx(value, rel=1e-12)
    # Gaussian and median bandwidth: shifts and scales of a side change nothing, 1e8 away some digits
    assert hsic(3 * X + 1e3, -0.1 * Y, statistic=statistic) == pytest.approx(value, rel=1e-9)
    assert hsic(X[:, 0], Y[:, 0], statistic=statistic) == hsic(X[:, :1], Y, statistic=statistic)


@every_statistic
def test_it_is_bilinear_in_the_kernels_and_blind_to_what_centring_removes(statistic):
    (_, X, K), (_, Y, L) = paired("energy", 12)
    rows = np.arange(12.0)[:, None]

    def of(A, B):
        return hsic(rows, rows, Precomputed(A), Precomputed(B), statistic)

    value = of(K, L)
    assert value == pytest.approx(hsic(X, Y, Energy(), Energy(), statistic), rel=1e-10)
    assert of(2 * K + np.eye(12), 3 * L) == pytest.approx(6 * value + 3 * of(np.eye(12), L), rel=1e-10)
    f = X[:, 0]
    assert of(K + 5.0 + f[:, None] + f, L) == pytest.approx(value, rel=1e-10)


def test_linear_kernels_give_the_squared_covariance():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    C = np.cov(X.T, Y.T, bias=True)[:3, 3:]
    assert hsic(X, Y, Linear(), Linear(7.0)) == pytest.approx((C**2).sum(), rel=1e-12)


def test_categories_give_the_distance_of_the_table_from_independence():
    """Two Delta kernels: the sum over cells of (p_ab - p_a p_b)^2."""
    rng = np.random.default_rng(0)
    a = rng.integers(3, size=50)
    b = (a + rng.integers(2, size=50)) % 4
    table = np.zeros((3, 4))
    np.add.at(table, (a, b), 1 / 50)
    expected = ((table - table.sum(1, keepdims=True) * table.sum(0)) ** 2).sum()
    assert hsic(a, np.array(list("wxyz"))[b], Delta(), Delta()) == pytest.approx(expected, rel=1e-12)


def test_it_is_the_squared_mmd_of_the_pairs_and_all_pairs():
    """Under the product kernel, between the n pairs and the n^2 pairs (x_i, y_j): the V-statistic."""
    X, Y = dependent(6)
    k, l = Gaussian(1.3), Gaussian(0.8)
    i, j = np.divmod(np.arange(36), 6)
    P, Q = (np.concatenate([Z[:6], Z[rows]]) for Z, rows in ((X, i), (Y, j)))
    gram = Precomputed(k(P) * l(Q))
    rows = np.arange(42.0)[:, None]
    assert hsic(X, Y, k, l) == pytest.approx(mmd2(rows[:6], rows[6:], gram, "biased"), rel=1e-10)


@pytest.mark.thorough
def test_the_unbiased_one_is_unbiased_and_the_biased_one_off_as_it_says():
    """Independent normal pairs: the truth is 0. 4.5 standard errors of the means over 600 samples of 6 pairs."""
    rng = np.random.default_rng(0)
    k = Gaussian(1.0)
    rows = []
    for _ in range(600):
        X, Y = rng.normal(size=(6, 1)), rng.normal(size=(6, 1))
        rows.append((hsic(X, Y, k, k, "unbiased"), hsic(X, Y, k, k)))
    U, V = np.array(rows).T
    assert abs(U.mean()) < 4.5 * U.std() / np.sqrt(600)
    # E k(x, x') = 3^(-1/2) for N(0, 1) and θ = 1; the permutation mean (n-1)/n^2 of the product of 1 - E k is exact
    # here
    assert abs(V.mean() - (1 - 3**-0.5) ** 2 * 5 / 36) < 4.5 * V.std() / np.sqrt(600)
    assert V.mean() > 10 * U.std() / np.sqrt(600)


@pytest.mark.parametrize("statistic", ["biased", "unbiased"])
def test_limits(statistic):
    X, Y = dependent(12)
    assert hsic(X, np.full(12, 3.0), Gaussian(1.0), Gaussian(1.0), statistic) == pytest.approx(0, abs=1e-17)
    # a bandwidth far below all distances: both Gram matrices are I, and I centred is H with |H|^2 = n - 1
    tiny = hsic(X, Y, Gaussian(1e-6), Gaussian(1e-6), statistic)
    assert tiny == pytest.approx(11 / 144 if statistic == "biased" else 0, abs=1e-15)
    # far above: k = 1 - |x - y|^2 / 2θ^2, so HSIC is that of linear kernels over θ^4, to 1 / θ^2 of itself
    wide = hsic(X, Y, Gaussian(1e3), Gaussian(1e3), statistic) * 1e12
    assert wide == pytest.approx(hsic(X, Y, Linear(), Linear(), statistic), rel=1e-3, abs=1e-4)


def test_one_pair_and_two():
    assert hsic([[1.0]], [[2.0]], Gaussian(1.0), Gaussian(1.0)) == 0
    assert hsic([0.0, 1.0], [0.0, 1.0], Linear(), Linear()) == pytest.approx(1 / 16, rel=1e-14)
    assert hsic_test([[1.0]], [[2.0]], Gaussian(1.0), Gaussian(1.0), n_resamples=9, rng=0).pvalue == 1


def test_each_side_has_a_median_bandwidth_of_its_own():
    X, Y = dependent(25)
    k, l = Gaussian().select(X), Gaussian().select(Y)
    assert k != l
    assert hsic(X, Y) == hsic(X, Y, k, l) == hsic(X, Y, None, l)
    result = hsic_test(X, Y, n_resamples=19, rng=0)
    assert result.kernel == (k, l)
    assert hsic(X, Y, Laplacian()) == hsic(X, Y, Laplacian().select(X), l)


def test_strings_on_one_side_find_what_they_spell():
    rng = np.random.default_rng(0)
    x = np.array(["".join(rng.choice(list("ACGT"), 12)) for _ in range(40)])
    y = np.char.count(x, "A") + 0.1 * rng.normal(size=40)
    assert hsic_test(x, y, Subsequence(2), n_resamples=199, rng=0).pvalue <= 0.01
    assert hsic_test(x, rng.normal(size=40), Subsequence(2), n_resamples=199, rng=0).pvalue > 0.01
    result = hsic_test(list(x), np.where(y > y.mean(), "rich", "poor"), Subsequence(2), Delta(), n_resamples=199, rng=0)
    assert re.search(naming("subsequence kernel of length 2", "equality"), str(result))


# what the test returns ------------------------------------------------------------------------------------------------


@every_statistic
def test_the_result_is_what_the_function_returns_and_a_sentence(statistic):
    X, Y = dependent(20)
    result = hsic_test(X, Y, statistic=statistic, n_resamples=39, rng=3)
    assert result.statistic == hsic(X, Y, statistic=statistic)
    assert result.null_distribution.shape == (39,)
    assert not result.null_distribution.flags.writeable
    assert (result.n, result.m) == (20, None)
    numbers = f"{result.statistic:.4g}", f"p = {result.pvalue:.3g}", "n = 20 pairs", "39 permutations"
    assert names_all(str(result), f"{statistic} HSIC", "Gaussian", *numbers)
    assert 0 < result.threshold(0.05) < np.inf


# many pairs
# -------------------------------------------------------------------------------------------------------------


@every_case
def test_rows_at_a_time_give_the_same_sums(case, monkeypatch):
    """Five rows at a time, of 13: the sums, and what rounding is measured against."""
    (k, X, _), (l, Y, _) = paired(case, 13)
    stored = StoredGram(k(X)), StoredGram(l(Y))
    monkeypatch.setattr(hsic_sides, "ENTRIES", 5 * 13)
    tiles = TiledSide(k, X), TiledSide(l, Y)
    assert [part.stop - part.start for part in tiles[0].parts()] == [5, 5, 3]
    found, expected = PairSums.of(*tiles), PairSums.of(*stored)
    # rounding is relative to the entries, which centring may make much smaller
    close = expected.tolerance
    assert found.whole == pytest.approx(expected.whole, abs=close)
    assert found.diagonal == pytest.approx(expected.diagonal, abs=close)
    np.testing.assert_allclose(found.squares, expected.squares, rtol=1e-9)
    for a, b in zip(tiles, stored, strict=True):
        np.testing.assert_allclose(a.diagonal, b.diagonal, rtol=0, atol=1e-12 * b.size)
        assert b.size * (1 - 1e-12) <= a.size <= 3 * 13 * b.size  # an upper bound
    for statistic in ("biased", "unbiased"):
        values = [
            of_sums(p.whole, p.diagonal, x.trace * y.trace, 13, statistic)
            for p, (x, y) in ((found, tiles), (expected, stored))
        ]
        assert values[0] == pytest.approx(values[1], abs=3 * close)


def test_many_pairs_store_no_gram_matrix(monkeypatch):
    """With 50 standing for 6000: the same values, and a bandwidth chosen on 50 points, with a warning."""
    X, Y = dependent(60)
    k, l = Gaussian(1.0), Gaussian(1.0)
    expected = {s: hsic(X, Y, k, l, s) for s in ("biased", "unbiased")}
    for module in (tiled_gram, bandwidth_selection, hsic_sides):
        monkeypatch.setattr(module, "LARGE", 50)
    monkeypatch.setattr(hsic_sides, "ENTRIES", 7 * 60)
    assert isinstance(Pairing(X, Y, k, l, "biased", None).x, TiledSide)
    for statistic, value in expected.items():
        assert hsic(X, Y, k, l, statistic) == pytest.approx(value, rel=1e-11)
    with pytest.warns(ExplorerWarning, match=naming("bandwidth", "50", "60")):
        hsic(X, Y, None, l)


# bad input
# ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, naming("X", "5", "Y", "6"), {"Y": np.zeros((6, 1))}),
        (ValueError, naming("Y", "2", "NaN"), {"Y": [0.0, np.nan, 1.0, np.inf, 2.0]}),
        (TypeError, naming("Y", "numbers"), {"Y": list("abcde")}),
        (TypeError, naming("kernel_x", "kernel", "Gaussian(1.0)", "'rbf'"), {"kernel_x": "rbf"}),
        (TypeError, naming("kernel_y", "kernel"), {"kernel_y": 2.0}),
        (ValueError, naming("statistic", "'biased'", "'unbiased'", "'u'"), {"statistic": "u"}),
    ],
)
def test_bad_input_gets_a_sentence(error, said, arguments):
    arguments = {"X": np.arange(5.0), "Y": np.arange(5.0), **arguments}
    for call in (hsic, hsic_test):
        with pytest.raises(error, match=said):
            call(**arguments)


def test_too_few_pairs_get_a_sentence():
    three = np.arange(3.0)
    with pytest.raises(ValueError, match=naming("X", "statistic", "3", "4")):
        hsic(three, three, statistic="unbiased")
    with pytest.raises(ValueError, match=naming("X", "bandwidth", "1")):
        hsic([1.0], [1.0])
    with pytest.raises(ValueError, match=naming("X", "no rows")):
        hsic(np.empty((0, 1)), np.empty((0, 1)), Gaussian(1.0), Gaussian(1.0))
    with pytest.raises(ValueError, match=naming("n_resamples", "1")):
        hsic_test(three, three, n_resamples=0)


def test_any_kernel_will_do():
    """A kernel that this room has never seen."""

    class Minimum(Kernel):
        def pairs(self, X, Y=None):
            return np.minimum(X, (X if Y is None else Y).T)

        def of_pairs(self, S):
            return S

    X, Y = np.random.default_rng(0).random((2, N, 1))
    expected = biased_by_sums(np.minimum(X, X.T), Polynomial(3)(Y))
    assert hsic(X, Y, Minimum(), Polynomial(3)) == pytest.approx(expected, rel=1e-12)


def test_independent_pairs_are_not_seen():
    X, Y = independent(80, 4)
    assert hsic_test(X, Y, n_resamples=99, rng=0).pvalue > 0.05
    X, Y = dependent(80)
    assert hsic_test(X, Y, n_resamples=99, rng=0).pvalue == 0.01
