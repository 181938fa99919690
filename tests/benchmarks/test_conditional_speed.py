"""Cost of the rules relative to their linear algebra: `pytest -m benchmark --benchmark-enable`."""

import numpy as np
import pytest
import scipy.linalg
from test_speed import ratios, report

from explorer import KME, Gaussian, HMMFilter, KernelBayesRule, Laplacian, bayes_rule
from explorer.conditional.leave_one_out import Refits

pytestmark = pytest.mark.benchmark


def line(n, d=1, seed=0):
    """Return pairs of a noisy line in d dimensions."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, :1] + 0.3 * rng.normal(size=(n, 1))


def test_sixty_lambdas_of_leave_one_out_cost_little_beside_one_eigendecomposition(benchmark):
    X, Y = line(600, 5)
    K, G = Gaussian(2.0)(X), Gaussian(1.0)(Y)
    lams = np.geomspace(1e-4, 1e2, 60)
    measured = ratios(lambda: Refits(K, G).scores(lams), lambda: scipy.linalg.eigh(K, driver="evd"))
    assert benchmark(lambda: report(benchmark, measured)) <= 2.5


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(0.1)], ids=["few coordinates", "full rank"])
def test_a_step_of_the_filter_costs_a_product_and_a_solve(benchmark, kernel):
    n = 500
    states, observed = line(n + 1)
    model = HMMFilter(Gaussian(1.0), kernel, 0.1, 1e-3).fit(states, observed)
    A, b = np.random.default_rng(1).normal(size=(n, n)) + n * np.eye(n), np.ones(n)
    measured = ratios(lambda: model.filter([[0.1]]), lambda: (A @ A, scipy.linalg.solve(A, b)))
    assert benchmark(lambda: report(benchmark, measured)) <= 1.5


def test_another_x_costs_a_tenth_of_the_whole_rule(benchmark):
    X, Y = line(400)
    k = Gaussian(0.7)
    prior = KME(k).embed(Y + 0.5)
    rule = KernelBayesRule(k, k, 0.1, 1e-3).fit(X, Y, prior)
    measured = ratios(lambda: rule.embed(0.3), lambda: bayes_rule(X, Y, prior, 0.3, k, k, 0.1, 1e-3))
    assert benchmark(lambda: report(benchmark, measured)) <= 0.1
