"""The clipped eigendecomposition, and classical scaling."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer.linalg import TILE, classical_scaling, eigh_psd, smallest_eigenvalue, symmetrise


@pytest.mark.parametrize("rank", [0, 1, 5, 30])
def test_a_gram_matrix_is_rebuilt_from_eigenvalues_that_are_never_negative(rank):
    F = np.random.default_rng(rank).normal(size=(30, rank))
    K = F @ F.T
    gamma, U = eigh_psd(K)
    assert (gamma >= 0).all()
    assert (np.diff(gamma) >= 0).all()
    # LAPACK: n eps |K| and n eps
    np.testing.assert_allclose((U * gamma) @ U.T, K, rtol=0, atol=1e-13 * max(gamma[-1], 1))
    np.testing.assert_allclose(U.T @ U, np.eye(30), rtol=0, atol=1e-13)


def test_the_matrix_is_left_alone():
    K = np.array([[2.0, 1.0], [1.0, 2.0]])
    eigh_psd(K)
    np.testing.assert_array_equal(K, [[2.0, 1.0], [1.0, 2.0]])


@pytest.mark.parametrize("bad", [-np.eye(3), np.diag([1.0, 1.0, -1e-6]), np.array([[0.0, 1.0], [1.0, 0.0]])])
def test_a_negative_eigenvalue_is_no_rounding(bad):
    with pytest.raises(ValueError, match=naming("eigenvalue")):
        eigh_psd(bad)


def test_the_smallest_eigenvalue_is_told_from_rounding():
    X = np.random.default_rng(0).standard_normal((12, 3))
    gamma, _ = eigh_psd(X @ X.T)
    assert smallest_eigenvalue(gamma) == pytest.approx(np.linalg.svd(X)[1].min() ** 2, rel=1e-12)
    assert smallest_eigenvalue(np.zeros(3)) == np.inf


def test_scaling_gives_points_of_a_plane_back():
    """The plane is recovered up to a rotation: all distances agree, and those of further points too."""
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(12, 2)), rng.normal(size=(5, 2))
    squared, to = (((A[:, None] - X) ** 2).sum(axis=2) for A in (X, Z))
    places, others = classical_scaling(squared, 2)
    np.testing.assert_allclose(((places[:, None] - places) ** 2).sum(axis=2), squared, atol=1e-12)
    np.testing.assert_allclose(((others(to)[:, None] - places) ** 2).sum(axis=2), to, atol=1e-12)
    np.testing.assert_allclose(others(squared), places, atol=1e-12)
    np.testing.assert_allclose(places.mean(axis=0), 0, atol=1e-12)


def test_scaling_has_no_more_axes_than_the_points():
    line = np.arange(4.0)
    places, others = classical_scaling((line[:, None] - line) ** 2, 3)
    np.testing.assert_allclose(np.abs(places[:, 0]), np.abs(line - 1.5), atol=1e-12)
    assert (places[:, 1:] == 0).all()
    assert (others(np.ones((2, 4)))[:, 1:] == 0).all()
    for size in (1, 3):
        assert (classical_scaling(np.zeros((size, size)), 2)[0] == 0).all()


@pytest.mark.parametrize("n", [1, 30, TILE, 2 * TILE + 5])
def test_symmetrised_is_the_mean_of_a_matrix_and_its_transpose(n):
    A = np.random.default_rng(n).normal(size=(n, n))
    expected = 0.5 * (A + A.T)
    assert symmetrise(A) is A
    np.testing.assert_array_equal(A, expected)
