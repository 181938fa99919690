"""HSIC of low-rank kernels: every rank at once against the factors themselves, and the bound that says what is left
out.
"""

import numpy as np
import pytest
from helpers.naming import naming
from paired_samples import CASES, biased_by_sums, dependent, paired, unbiased_by_quadruples

from explorer import Delta, Gaussian, Linear, hsic
from explorer.discrepancy import hsic_ranks
from explorer.linalg import pivoted_cholesky

every_case = pytest.mark.parametrize("case", CASES)


def low_rank(K, r):
    F = pivoted_cholesky(np.diag(K), K.__getitem__, r).F
    return F @ F.T


@every_case
@pytest.mark.parametrize("statistic", ["biased", "unbiased"])
def test_every_rank_is_hsic_of_the_low_rank_kernels(case, statistic):
    (k, X, _), (l, Y, _) = paired(case)
    K, L = k(X), l(Y)
    found = hsic_ranks(X, Y, k, l, rank=5, statistic=statistic)
    by_definition = biased_by_sums if statistic == "biased" else unbiased_by_quadruples
    expected = [by_definition(low_rank(K, r), low_rank(L, r)) for r in range(len(found.values))]
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-12 * np.abs(K).max() * np.abs(L).max())
    assert found.kernel == (k, l)
    assert (found.values[0], found.statistic, found.n) == (0, statistic, 7)
    for row, M in zip(found.residual, (K, L), strict=True):
        shares = [1 - np.trace(low_rank(M, r)) / np.trace(M) for r in range(len(found.values))]
        np.testing.assert_allclose(row, shares, rtol=0, atol=1e-13)


@pytest.mark.thorough(default=["gaussian", "energy", "strings and vectors"])
@every_case
def test_the_bound_holds_on_one_side_and_is_no_weaker_than_that_of_the_traces(case):
    """0 <= HSIC - value <= bound <= (e_K tr L + e_L tr K) / n^2, at every rank down to rounding."""
    (k, X, _), (l, Y, _) = paired(case, 20)
    K, L = k(X), l(Y)
    found = hsic_ranks(X, Y, k, l, rank=20)
    rounding = 1e-13 * np.abs(K).max() * np.abs(L).max()
    gap = hsic(X, Y, k, l) - found.values
    assert (gap >= -rounding).all()
    assert (gap <= found.bound + rounding).all()
    e_K, e_L = found.residual * [[np.trace(K)], [np.trace(L)]]
    assert (found.bound <= (e_K * np.trace(L) + e_L * np.trace(K)) / 400 + rounding).all()
    assert (np.diff(found.values) >= -rounding).all()  # each rank adds a positive semi-definite part to both
    assert found.bound[-1] <= 1e-12 * np.abs(K).max() * np.abs(L).max()  # rank 20 of 20 points rebuilds both


def test_smooth_kernels_in_one_dimension_need_few_ranks():
    X, Y = (Z[:, :1] for Z in dependent(300))
    found = hsic_ranks(X, Y, rank=40)
    exact = hsic(X, Y)
    assert len(found.values) < 40  # both rebuilt: it stops
    assert found.values[-1] == pytest.approx(exact, rel=1e-12)
    assert found.bound[16] < 1e-2 * exact
    unbiased = hsic_ranks(X, Y, rank=40, statistic="unbiased")
    assert unbiased.values[-1] == pytest.approx(hsic(X, Y, statistic="unbiased"), rel=1e-10)
    assert unbiased.bound is None


def test_sides_of_different_rank_and_of_none():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, size=30)
    found = hsic_ranks(X, y, Linear(), Delta(), rank=10)
    assert found.values.shape == (4,)
    assert found.values[-1] == pytest.approx(hsic(X, y, Linear(), Delta()), rel=1e-12)
    assert found.residual[1, 2] == found.residual[1, 3] == 0
    zero = hsic_ranks(np.zeros((5, 1)), np.arange(5.0), Linear(), Linear())
    assert zero.values.tolist() == [0, 0]
    assert np.isfinite(zero.bound).all()


def test_no_gram_matrix_is_made(monkeypatch):
    """A kernel asked for 20,000 points gives columns and small blocks only, a megabyte of values at most."""
    sizes = []
    plain = Gaussian.__call__

    def watched(self, X, Y=None):
        K = plain(self, X, Y)
        sizes.append(K.size)
        return K

    monkeypatch.setattr(Gaussian, "__call__", watched)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 1))
    found = hsic_ranks(X, X + rng.normal(size=X.shape), Gaussian(1.0), Gaussian(1.0), rank=20)
    assert max(sizes) <= 20_000
    assert found.bound[-1] < 1e-3 * found.values[-1]


def test_bad_input_gets_a_sentence():
    X, Y = dependent(10)
    with pytest.raises(ValueError, match=naming("rank", "1")):
        hsic_ranks(X, Y, rank=0)
    with pytest.raises(ValueError, match=naming("statistic")):
        hsic_ranks(X, Y, statistic="both")
    with pytest.raises(ValueError, match=naming("X", "statistic", "3")):
        hsic_ranks(X[:3], Y[:3], statistic="unbiased")
    found = hsic_ranks(X, Y)
    with pytest.raises(ValueError, match="read-only"):
        found.values[0] = 1.0
