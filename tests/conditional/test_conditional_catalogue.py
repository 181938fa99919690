"""Every kernel of the catalogue takes the rules: the fast methods against dense solves of the printed formulas."""

import numpy as np
import pytest
from kernels_and_estimators import KERNELS

from explorer import ConditionalEmbedding, Embedding, Gaussian, HMMFilter, KernelBayesRule, sum_rule

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
N, LAM = 18, 0.3


def pairs(row):
    """X for the kernel, and numbers Y that have nothing to do with it."""
    return row.data(N), np.random.default_rng(1).normal(size=(N, 1))


def ridge(K, lam):
    return K + lam * np.eye(len(K))


@every_kernel
def test_weights_and_expectations(row):
    X, Y = pairs(row)
    C = ConditionalEmbedding(row.kernel, Gaussian(1.0), LAM).fit(X, Y)
    K = C.kernel_x_(X)
    exact = np.linalg.solve(ridge(K, LAM), K[:, :4])
    scale = np.abs(exact).max()  # an exponential kernel's values differ by powers of ten, and so do the weights
    assert C.weights(X[:4]) == pytest.approx(exact, abs=1e-9 * scale)
    assert C.predict(X[:4]) == pytest.approx(exact.T @ Y, abs=1e-8 * scale)


@every_kernel
def test_the_sum_rule_over_every_kernel_s_prior(row):
    X, Y = pairs(row)
    k = row.kernel.select(X)
    prior = Embedding(k, row.data(7, seed=3), np.linspace(-0.2, 0.5, 7))
    q = sum_rule(Y, X, prior, Gaussian(1.0), k, LAM)
    exact = np.linalg.solve(ridge(k(X), LAM), k(X, prior.points) @ prior.weights)
    assert q.weights == pytest.approx(exact, abs=1e-9 * np.abs(exact).max())


@every_kernel
def test_bayes_rule_by_its_features(row):
    """Λ'((KD)² + λ̃)^-1 K D k_x by a dense solve, D of both signs."""
    X, Y = pairs(row)
    l = Gaussian(1.0)
    prior = Embedding(l, [[-0.5], [0.1], [0.9]], [0.6, 0.7, -0.3])
    rule = KernelBayesRule(row.kernel, l, LAM, 0.2).fit(X, Y, prior)
    K, joint = rule.kernel_x_(X), rule.joint_
    KD = K * joint.sum(axis=1)
    for i in range(3):
        exact = joint.T @ np.linalg.solve(ridge(KD @ KD, 0.2), KD @ K[:, i])
        assert rule.embed(X[i : i + 1]).weights == pytest.approx(exact, abs=1e-8 * max(1, np.abs(exact).max()))


@every_kernel
def test_a_filter_on_every_kernel_s_observations(row):
    X, Y = pairs(row)
    model = HMMFilter(Gaussian(1.0), row.kernel, 0.5, 0.1).fit(Y, X)
    G, K = Gaussian(1.0)(Y[:-1]), model.kernel_obs_(X[:-1])
    D = np.linalg.solve(ridge(G, 0.5), Gaussian(1.0)(Y[:-1], Y[1:])).mean(axis=1)
    DK = D[:, None] * K
    exact = DK @ np.linalg.solve(ridge(DK @ DK, 0.1), D * K[:, 2])
    if exact.sum() > 0:
        assert model.filter(X[2:3])[0] == pytest.approx(
            exact / exact.sum(), abs=1e-8 * np.abs(exact / exact.sum()).max()
        )
