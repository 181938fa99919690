"""The pivoted Cholesky factor: what it rebuilds, what it leaves, that lower ranks are its first columns, and blocks."""

import numpy as np
import pytest

from explorer import Gaussian
from explorer.linalg import BLOCK, ROUNDING, pivoted_cholesky, pivoted_cholesky_of


def gram(n, rank, seed=0):
    F = np.random.default_rng(seed).normal(size=(n, rank))
    return F @ F.T


def factor(K, *args, **kwargs):
    return pivoted_cholesky(np.diag(K), K.__getitem__, *args, **kwargs)


@pytest.mark.parametrize("rank", [1, 3, 17, 40])
def test_it_finds_the_rank_and_rebuilds_the_matrix(rank):
    K = gram(40, rank)
    found = factor(K)
    assert found.F.shape == (40, rank)
    np.testing.assert_allclose(found.F @ found.F.T, K, rtol=0, atol=1e-13 * np.abs(K).max())
    np.testing.assert_allclose(found.F[found.pivots], np.tril(found.F[found.pivots]), rtol=0, atol=1e-7)


def test_residuals_are_traces_of_what_is_left_and_that_is_positive_semi_definite():
    X = np.random.default_rng(0).normal(size=(60, 2))
    K = Gaussian(1.0)(X)
    found = factor(K, rank=30)
    for r in range(31):
        left = K - found.F[:, :r] @ found.F[:, :r].T
        assert found.residual[r] == pytest.approx(np.trace(left), abs=1e-13)
        assert np.linalg.eigvalsh(left)[0] > -1e-13
    assert (np.diff(found.residual) < 0).all()


def test_lower_ranks_are_the_first_columns():
    K = gram(25, 12)
    whole, part = factor(K), factor(K, rank=5)
    np.testing.assert_array_equal(whole.F[:, :5], part.F)
    np.testing.assert_array_equal(whole.pivots[:5], part.pivots)
    np.testing.assert_array_equal(whole.residual[:6], part.residual)


def test_only_the_columns_of_the_pivots_are_read():
    K, read = gram(30, 6), []

    def column(i):
        read.append(i)
        return K[i]

    found = pivoted_cholesky(np.diag(K), column)
    assert read == found.pivots.tolist()
    assert len(set(read)) == 6
    assert read[0] == np.argmax(np.diag(K))


def test_equal_points_have_equal_rows():
    X = np.repeat(np.random.default_rng(0).normal(size=(5, 2)), 4, axis=0)
    found = factor(Gaussian(1.0)(X))
    assert found.F.shape == (20, 5)
    np.testing.assert_allclose(found.F, np.repeat(found.F[::4], 4, axis=0), rtol=0, atol=1e-14)
    assert found.residual[-1] <= 20 * 16 * 2.3e-16


def test_nothing_and_a_tolerance():
    assert factor(np.zeros((4, 4))).F.shape == (4, 0)
    K = np.diag([4.0, 2.0, 1.0, 0.5])
    assert factor(K, tolerance=0.3).pivots.tolist() == [0, 1]
    assert factor(K, tolerance=0.2).residual.tolist() == [7.5, 3.5, 1.5, 0.5]


@pytest.mark.parametrize("n", [1, 5, BLOCK, BLOCK + 1, 2 * BLOCK + 30])
@pytest.mark.parametrize("theta", [0.3, 3.0])
def test_blocks_of_a_stored_matrix_have_the_pivots_of_single_columns(n, theta):
    """A wide kernel has a rank far below n.

    The last pivots follow rounding, which is all that is left. A column is rounding over the root of its pivot, 1e-8
    at least on average: some 1e-12, and more after the smallest ones.
    """
    K = Gaussian(theta)(np.random.default_rng(0).normal(size=(n, 2)))
    enough = np.full(n, ROUNDING)
    one, found = factor(K, enough=enough), pivoted_cholesky_of(K, enough)
    clear = int((one.residual > 1e-8 * n).sum())
    np.testing.assert_array_equal(found.pivots[:clear], one.pivots[:clear])
    np.testing.assert_allclose(found.F[:, :clear], one.F[:, :clear], rtol=0, atol=1e-6)
    np.testing.assert_allclose(found.residual[: clear + 1], one.residual[: clear + 1], rtol=0, atol=1e-12 * n)
    np.testing.assert_allclose(found.F @ found.F.T, K, rtol=0, atol=n * ROUNDING)
    assert len(set(found.pivots)) == len(found.pivots) == found.F.shape[1] == len(found.residual) - 1


def test_blocks_leave_a_far_point_its_own_bound():
    """Under a bound relative to the largest, all other points would be rounding."""
    X = np.random.default_rng(0).normal(size=(BLOCK + 40, 200))
    X[7] *= 1e9
    K = X @ X.T
    enough = ROUNDING * np.maximum(np.diag(K), np.median(np.diag(K)))
    one, found = factor(K, enough=enough), pivoted_cholesky_of(K, enough)
    assert len(one.pivots) == len(found.pivots) == len(X)
    np.testing.assert_array_equal(found.pivots, one.pivots)


def test_blocks_of_nothing():
    found = pivoted_cholesky_of(np.zeros((4, 4)), np.zeros(4))
    assert found.F.shape == (4, 0)
    assert found.pivots.tolist() == []
    assert found.residual.tolist() == [0.0]
    assert pivoted_cholesky_of(np.empty((0, 0)), np.empty(0)).F.shape == (0, 0)
