"""Gradients of kernels and embeddings against central differences of their values, and who has none."""

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn

from explorer import (
    KME,
    ARDGaussian,
    Embedding,
    Exponential,
    Gaussian,
    GaussianMixture,
    Kernel,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    RationalQuadratic,
)

WITHOUT = ("laplacian", "energy", "without a closed form", "delta", "product, ", "over columns", "subseq", "precomp")
SMOOTH = {
    name: row
    for name, row in KERNELS.items()
    # a reader's own kernel need not have one
    if not any(word in name for word in WITHOUT) and name != "product" and type(row.kernel).gradient != Kernel.gradient
}
NOISY = {
    "gaussian": Gaussian(1.3),
    "one bandwidth each": ARDGaussian([0.7, 2.0]),
    "linear": Linear(0.5),
    "quadratic": Polynomial(2),
    "cubic": Polynomial(3, 0.5),
    "exponential": Exponential(12.0),
    "sum": Gaussian(1.0) + 2.0 * Linear(),
    "gaussians' product": Gaussian(1.5) * Gaussian(3.0),
}
RNG = np.random.default_rng(0)


def differences(function, X, step=1e-5):
    """Return central differences of a function of points (n, d) -> (n, ...) by each coordinate, (n, ..., d)."""
    moves = step * np.eye(X.shape[1])
    return np.stack([(function(X + move) - function(X - move)) / (2 * step) for move in moves], axis=-1)


@pytest.mark.parametrize("row", SMOOTH.values(), ids=SMOOTH)
def test_the_gradient_of_a_kernel(row):
    kernel, Y = drawn(row)
    X = np.concatenate([Y[:3], RNG.normal(size=(4, Y.shape[1]))])  # some at points of Y, where kinks would be
    expected = differences(lambda X: kernel(X, Y), X)
    # an error of step² and eps / step, in units of the largest derivative
    np.testing.assert_allclose(kernel.gradient(X, Y), expected, atol=1e-8 * np.abs(expected).max(), rtol=1e-6)


@pytest.mark.parametrize("kernel", NOISY.values(), ids=NOISY)
@pytest.mark.parametrize("D", [np.array([[0.5, 0.2], [0.2, 0.9]]), np.diag([0.0, 1.5])], ids=["coupled", "singular"])
def test_the_gradient_at_gaussians(kernel, D):
    X, Y = RNG.normal(size=(5, 2)), RNG.normal(size=(4, 2))
    expected = differences(lambda X: kernel.expected(X, None, Y, D), X)
    np.testing.assert_allclose(kernel.gradient(X, Y, D), expected, atol=1e-8 * np.abs(expected).max(), rtol=1e-6)


def test_the_gradient_of_an_embedding(monkeypatch):
    """Embeddings with any weights and covariances, and many points in parts."""
    C = np.array([np.eye(2), np.eye(2), np.diag([0.3, 2.0])])
    for e in (
        Embedding(Gaussian(0.8), RNG.normal(size=(3, 2)), [1.0, -2.0, 0.5], C),
        KME().embed(RNG.normal(size=(9, 2))),
    ):
        Y = RNG.normal(size=(6, 2))
        np.testing.assert_allclose(e.gradient(Y), differences(e, Y), atol=1e-8)
        whole = e.gradient(Y)
        monkeypatch.setattr("explorer.embeddings.forms.SLOPES", 20)
        np.testing.assert_allclose(e.gradient(Y), whole, rtol=1e-12)
    law = GaussianMixture.random(2, rng=0)
    mean = law.embed(Gaussian(2.0))
    np.testing.assert_allclose(mean.gradient(law.means), differences(mean, law.means), atol=1e-8)


@pytest.mark.parametrize("theta", [1e-150, 1e-3, 1e150])
def test_at_any_bandwidth(theta):
    """Far points have none, those that coincide none, and no value is lost to an infinite square."""
    for kernel in (Gaussian(theta), ARDGaussian([theta]), RationalQuadratic(theta), Matern(theta, nu=2.5)):
        slopes = kernel.gradient(np.array([[0.0], [1.0]]), np.array([[0.0]]))
        assert slopes[0, 0, 0] == 0
        assert np.isfinite(slopes).all()


@pytest.mark.parametrize("name", sorted(KERNELS.keys() - SMOOTH.keys()))
def test_others_have_none(name):
    kernel, Y = drawn(KERNELS[name])
    with pytest.raises(ValueError, match=naming("gradient")):
        kernel.gradient(Y, Y)


def test_what_cannot_be_is_a_sentence():
    for kernel in (Laplacian(1.0), Matern(1.0, nu=0.5), Gaussian(1.0) + Laplacian(1.0)):
        with pytest.raises(ValueError, match=naming("gradient")):
            KME(kernel).embed([0.0, 1.0]).gradient([0.5])
    with pytest.raises(ValueError, match=naming("gradient", "Gaussians")):
        Embedding(Matern(1.0), [[0.0]], [1.0], 1.0).gradient([0.5])
    with pytest.raises(ValueError, match=naming("Y", "2", "1")):
        KME(Gaussian(1.0)).embed([0.0, 1.0]).gradient([[0.5, 1.0]])
