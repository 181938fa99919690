"""Kernel PCA of many points against scikit-learn's best solver: `pytest -m benchmark --benchmark-enable`."""

import numpy as np
import pytest
import scipy.linalg
from sklearn.decomposition import KernelPCA as Other
from test_speed import ratios, report

from explorer import Gaussian, KernelPCA, median_bandwidth
from explorer.operators.leading import leading

pytestmark = pytest.mark.benchmark
N, COMPONENTS = 2000, 20
SOLVERS = ("arpack", "randomized", "dense")


def points(d, seed=0):
    """Correlated, as measured columns are: the spectrum falls."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, d)) @ np.diag(np.arange(1, d + 1.0) ** -0.5)


def scikit_learn(X, theta, solver):
    return Other(COMPONENTS, kernel="rbf", gamma=1 / (2 * theta**2), eigen_solver=solver, random_state=0).fit(X)


@pytest.mark.parametrize("d", [2, 10, 50])
def test_a_fit_of_2000_points_is_at_least_as_fast_as_scikit_learn_s_best(benchmark, d):
    """Bandwidths are equal, and eigenvalues are right to 1e-9 of themselves, unlike a randomized solver's."""
    X = points(d)
    theta = median_bandwidth(X[:500])
    ours = KernelPCA(Gaussian(theta), COMPONENTS)
    exact = scikit_learn(X, theta, "dense").eigenvalues_
    np.testing.assert_allclose(N * ours.fit(X).eigenvalues_, exact, rtol=1e-9)
    theirs = [lambda solver=solver: scikit_learn(X, theta, solver) for solver in SOLVERS]
    measured = ratios(lambda: ours.fit(X), *theirs)
    assert benchmark.pedantic(lambda: report(benchmark, measured), rounds=1) <= 1


@pytest.mark.parametrize("scale", [1.0, 0.05])
def test_leading_eigenpairs_cost_less_than_lapack_s_or_little_more(benchmark, scale):
    """A bandwidth far below the distances has eigenvalues that hardly fall: then the attempt is lost."""
    X = points(10)
    K = Gaussian(scale * median_bandwidth(X[:500]))(X)
    exact = scipy.linalg.eigh(K, eigvals_only=True, subset_by_index=(N - COMPONENTS, N - 1))[::-1]
    np.testing.assert_allclose(leading(K, COMPONENTS)[0], exact, rtol=1e-9)
    measured = ratios(
        lambda: leading(K, COMPONENTS), lambda: scipy.linalg.eigh(K, subset_by_index=(N - COMPONENTS, N - 1))
    )
    assert benchmark.pedantic(lambda: report(benchmark, measured), rounds=1) <= (1 if scale == 1 else 2)
