"""Kernel Fisher discriminants: the ratio written out, ordinary Fisher discriminants, limits, and refusals."""

import numpy as np
import pytest
import scipy.linalg
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from explorer import Gaussian, KernelFDA, Laplacian, Linear, Polynomial
from explorer.datasets import cloud
from explorer.operators.discriminant import SHARES


def parts(values, y):
    """Return (between-class variance, within-class variance) of values (n,)."""
    classes = np.unique(y)
    share, mean, spread = np.array([((y == c).mean(), values[y == c].mean(), values[y == c].var()) for c in classes]).T
    return share @ (mean - values.mean()) ** 2, share @ spread


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Laplacian(1.0), Polynomial(2), Linear()], ids=str)
@pytest.mark.parametrize("lam", [1e-3, 1.0])
def test_the_functions_solve_the_generalised_problem_over_coefficients(kernel, lam):
    """B a = s (W + λK/n) a over coefficients of the centred kernel functions, solved by LAPACK directly."""
    data = cloud("blobs", 30, 0.4, 2)
    X, y, n = data.X, data.groups, 30
    fit = KernelFDA(kernel, lam=lam).fit(X, y)
    H = np.eye(n) - 1 / n
    K = H @ kernel(X) @ H
    hat = sum(np.outer(y == c, y == c) / (y == c).sum() for c in np.unique(y))
    B, W = K @ hat @ K / n, K @ (np.eye(n) - hat) @ K / n + lam / n * K
    values = scipy.linalg.eigh(B, W + 1e-12 * np.trace(W) * np.eye(n), eigvals_only=True)[::-1][: len(fit.separations_)]
    # the ridge that makes W invertible changes what is small
    np.testing.assert_allclose(fit.separations_, values, rtol=1e-4)
    F, a = fit.transform(X), fit.coefficients_
    for k, s in enumerate(fit.separations_):
        between, within = parts(F[:, k], y)
        assert within + lam / n * a[:, k] @ kernel(X) @ a[:, k] == pytest.approx(1, rel=1e-7)
        assert between == pytest.approx(s, rel=1e-7)
    np.testing.assert_allclose(F.mean(axis=0), 0, atol=1e-9 * np.abs(F).max())


def test_the_linear_kernel_gives_fishers_discriminants():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 25)
    X = rng.normal(size=(75, 4)) + 2 * np.repeat(rng.normal(size=(3, 4)), 25, axis=0)
    F = KernelFDA(Linear(), lam=1e-9).fit_transform(X, y)
    G = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).transform(X)
    assert F.shape == G.shape == (75, 2)
    for k in range(2):
        assert abs(np.corrcoef(F[:, k], G[:, k])[0, 1]) == pytest.approx(1, abs=1e-8)


def test_for_a_large_lambda_it_is_the_witness_of_the_classes():
    data = cloud("moons", 40, 0.1, 1)
    X, y, kernel = data.X, data.groups, Gaussian(0.5)
    f = KernelFDA(kernel, lam=1e9).fit(X, y).transform(X)[:, 0]
    witness = kernel(X, X[y == 1]).mean(axis=1) - kernel(X, X[y == 0]).mean(axis=1)
    assert np.corrcoef(f, witness)[0, 1] == pytest.approx(1, abs=1e-9)


def test_a_lambda_left_open_has_the_least_leave_one_out_error():
    data = cloud("moons", 24, 0.2, 3)
    X, y, n, kernel = data.X, data.groups.astype(float), 24, Gaussian(0.6)
    fit = KernelFDA(kernel).fit(X, data.groups)
    K = kernel(X)
    Kc = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()

    def error(lam):
        """Ridge regression with an intercept on the features, refitted without each point."""
        total = 0.0
        for i in range(n):
            rest = np.delete(np.arange(n), i)
            M = Kc[np.ix_(rest, rest)]
            system = np.block([[M + lam * np.eye(n - 1), np.ones((n - 1, 1))], [np.ones((1, n - 1)), np.zeros((1, 1))]])
            *c, b = np.linalg.solve(system, np.append(y[rest], 0.0))
            total += (y[i] - Kc[i, rest] @ c - b) ** 2
        return total

    lams = np.linalg.eigvalsh(Kc)[-1] * SHARES
    assert fit.lam_ == pytest.approx(min(lams, key=error))


def test_the_larger_mean_is_the_second_classs_and_new_points_follow():
    data = cloud("rings", 60, 0.1, 1)
    fit = KernelFDA().fit(data.X, data.groups)
    f = fit.transform(data.X)[:, 0]
    assert f[data.groups == 1].mean() > f[data.groups == 0].mean()
    fresh = cloud("rings", 400, 0.1, 77)
    assert np.mean((fit.transform(fresh.X)[:, 0] > 0) == (fresh.groups == 1)) > 0.95
    assert fit.classes_.tolist() == [0, 1]


def test_far_from_zero_it_keeps_its_digits():
    data = cloud("moons", 30, 0.1, 1)
    near, far = (KernelFDA(Linear(), lam=1.0).fit(data.X + shift, data.groups) for shift in (0.0, 1e6))
    np.testing.assert_allclose(near.transform(data.X), far.transform(data.X + 1e6), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("X", "y", "says"),
    [
        (np.arange(6.0), [0] * 6, "give two classes"),
        (np.arange(6.0), range(6), "classes that points share"),
        (np.arange(6.0), [0, 1], "one label for each row"),
        (np.zeros(6), [0, 0, 0, 1, 1, 1], "are equal"),
        (np.arange(6.0), [None] * 6, "NaN or infinite"),
    ],
    ids=str,
)
def test_what_cannot_be_is_a_sentence(X, y, says):
    with pytest.raises((ValueError, TypeError), match=says):
        KernelFDA().fit(X, y)


def test_classes_of_one_mean_have_no_discriminant():
    fit = KernelFDA(Linear(), lam=1e-3).fit([-1.0, 1.0, -1.0, 1.0], [0, 0, 1, 1])
    assert len(fit.separations_) == 0
    assert fit.transform([0.5]).shape == (1, 0)
