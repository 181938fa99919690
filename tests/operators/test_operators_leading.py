"""Leading eigenpairs of many points: by LAPACK, and where ranks and multiplicities are known by construction."""

import numpy as np
import pytest

from explorer import KME, Gaussian
from explorer.operators import CentredKernel
from explorer.operators.leading import SMALL, leading

N = SMALL + 100


def check(K, count, gamma, rel=1e-9):
    found, U = leading(K, count)
    assert found.shape == (count,)
    assert (np.diff(found) <= 1e-14 * found[0]).all()
    # below some eps of the largest all is rounding
    np.testing.assert_allclose(found, gamma[:count], rtol=rel, atol=1e-14 * max(gamma[0], 1e-300))
    np.testing.assert_allclose(U.T @ U, np.eye(count), rtol=0, atol=1e-12)
    np.testing.assert_allclose(K @ U, found * U, rtol=0, atol=1e-8 * gamma[0])


@pytest.mark.parametrize(("d", "scale"), [(1, 1.0), (5, 1.0), (30, 1.0), (20, 0.3), (2, 0.02)])
def test_eigenvalues_of_gram_matrices_are_those_of_lapack(d, scale):
    """Spectra that fall by powers, hardly fall, and do not fall at all: the last go to LAPACK by themselves."""
    X = np.random.default_rng(d).normal(size=(N, d))
    k = Gaussian(scale * Gaussian().select(X).bandwidth)
    K = CentredKernel(k, KME(k).embed(X))(X)
    check(K, 10, np.linalg.eigvalsh(K)[::-1])


@pytest.mark.parametrize("n", [3, 40, N])
def test_rank_multiplicity_and_zero(n):
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.normal(size=(n, 3)))[0]
    gamma = np.array([5.0, 2.0, 1e-3])
    check((Q * gamma) @ Q.T, 3, gamma)
    found, _ = leading((Q * gamma) @ Q.T, min(n, 8))
    np.testing.assert_allclose(found, np.append(gamma, np.zeros(5))[: min(n, 8)], rtol=1e-12, atol=1e-13)
    check(np.eye(n), 3, np.ones(n))
    check(np.zeros((n, n)), 2, np.zeros(n))
    blocks = np.kron(np.eye(n // 3), np.ones((3, 3)))
    check(blocks, min(len(blocks), 12), np.repeat([3.0, 0.0], [len(blocks) // 3, len(blocks) - len(blocks) // 3]))


def test_many_of_many():
    K = np.diag(np.arange(N, 0.0, -1))
    for count in (N // 8, N // 3, N):
        np.testing.assert_allclose(leading(K, count)[0], np.arange(N, N - count, -1.0), rtol=1e-12)


@pytest.mark.parametrize("exponent", [-900, -200, 200, 900])
def test_a_unit_changes_nothing(exponent):
    X = np.random.default_rng(0).normal(size=(N, 3))
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    near, far = leading(K, 5)[0], leading(2.0**exponent * K, 5)[0]
    np.testing.assert_allclose(far / 2.0**exponent, near, rtol=1e-12)
