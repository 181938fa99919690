"""Weights that stand in for a marginalized estimate.

The nearest ones, the second order, and Theorems 1 and 2 as printed.
"""

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import vectors

from explorer import KME, MKME, MMKME, Embedding, Gaussian, Laplacian
from explorer.estimators.marginalized.weights import Projection, approximations, as_printed, corrected, values_at_points

X = vectors(12)
K13 = Gaussian(1.3)
ESTIMATORS = [
    MKME(K13, 0.3),
    MKME(K13),
    MMKME(K13, [0.5, 0.1, 0.0]),
    MMKME(K13),
    MKME(Gaussian(8.0), 1.0),
    MKME(Gaussian(0.2), 0.1),
]
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)


@every_estimator
def test_no_weights_come_nearer_than_the_projections(estimator):
    found, rng = approximations(estimator, X), np.random.default_rng(0)
    nearest = found.missed["projection"]
    # a squared distance of 1e-15 is rounding
    assert all(nearest <= missed + 3e-8 for missed in found.missed.values())
    for scale in (1e-4, 1e-2, 1.0):
        for beta in found.projection.weights + scale * rng.normal(size=(50, 12)):
            assert nearest <= Embedding(found.estimate.kernel, X, beta).distance(found.estimate) + 3e-8


@every_estimator
def test_the_projection_agrees_at_the_points_and_misses_elsewhere(estimator):
    """The residual is orthogonal to the span, and it is more than rounding: erratum 6."""
    found = approximations(estimator, X)
    # eigenvalues of K below 1e-10 of the largest are left out
    np.testing.assert_allclose(found.projection(X), found.estimate(X), rtol=0, atol=1e-7)
    assert found.missed["projection"] > 1e-5
    square = found.estimate.norm() ** 2 - found.projection.norm() ** 2
    assert square == pytest.approx(found.missed["projection"] ** 2, rel=1e-6, abs=1e-8)


def test_the_names_say_what_was_missed():
    found = approximations(MKME(K13, 0.3), X)
    for name in ("projection", "corrected", "printed"):
        assert found.missed[name] == getattr(found, name).distance(found.estimate)
    assert found.missed["KME"] == KME(K13).embed(X).distance(found.estimate)
    assert found.missed["projection"] < found.missed["corrected"] < found.missed["KME"] < found.missed["printed"]


# the second order
# ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1.0, 1.0, 1.0), (0.5, 1.0, 2.0)])
def test_the_second_order_errs_by_the_square_of_the_noise(shape):
    """Relative to the change from KME: ten times less noise, ten times less error; about .06 at variances of .1."""
    projection, relative = Projection(K13, X), []
    for size in (1e-1, 1e-2, 1e-3):
        e = size * np.array(shape)
        exact = Embedding(K13, X, projection.of(MMKME(K13, np.sqrt(e)).embed(X)(X)[:, None])[:, 0])
        second = Embedding(K13, X, corrected(projection, e))
        relative.append(second.distance(exact) / exact.distance(KME(K13).embed(X)))
    assert 0.02 < relative[0] < 0.2
    np.testing.assert_allclose([relative[0] / relative[1], relative[1] / relative[2]], 10, rtol=0.1)


def test_one_point_shows_what_the_printed_theorem_loses():
    """n = 1, d = 3, θ^2 = 2.3, σ^2 = .1: (2.3/2.4)^1.5 exactly, 1 - .3/4.6 to second order.

    Printed 2.6/4.6, and rising.
    """
    projection, sigma = Projection(Gaussian(2.3**0.5), np.ones((1, 3))), 0.1**0.5
    assert projection.weights([sigma])[0, 0] == pytest.approx((2.3 / 2.4) ** 1.5, rel=1e-13)
    assert corrected(projection, np.full(3, 0.1))[0] == pytest.approx(1 - 0.3 / 4.6, rel=1e-13)
    printed = [as_printed(projection, s)[0] for s in (sigma, 2 * sigma)]
    assert printed[0] == pytest.approx(2.6 / 4.6, rel=1e-13)
    assert printed[1] > printed[0]


def test_the_second_order_is_the_laplacian():
    """E k(x + u, .) = k + tr(D ∇^2 k)/2 (errata 2 and 3), ∇^2 k = k (δ_l^2/θ^4 - 1/θ^2) by finite differences."""
    x, y, h, theta2 = np.array([0.3, -0.2]), np.array([1.0, 0.5]), 1e-4, 1.69
    for l in range(2):
        step = h * np.eye(2)[l]
        up, at, down = K13(np.array([x + step, x, x - step]), y[None])[:, 0]
        assert (up - 2 * at + down) / h**2 == pytest.approx(at * ((x - y)[l] ** 2 / theta2**2 - 1 / theta2), rel=1e-5)


# as printed
# ------------------------------------------------------------------------------------------------------------------


def test_at_no_noise_the_printed_theorems_give_half_of_kme():
    """Erratum 1: their own (17) has the 2 that (11) and (19) lose."""
    projection = Projection(K13, X)
    for sigma in (0.0, np.zeros(3)):
        np.testing.assert_allclose(as_printed(projection, sigma), 1 / 24, rtol=1e-12)
    np.testing.assert_allclose(corrected(projection, np.zeros(3)), 1 / 12, rtol=1e-12)


@pytest.mark.parametrize("theta", [1.3, 1.9])
def test_with_its_misprints_mended_the_theorem_still_points_the_other_way(theta):
    """Errata 2 and 3: with the lost half (1) and the missing square (4) put right, the change from KME opposes the true
    one.
    """
    projection, d, e = Projection(Gaussian(theta), X), 3, 0.01 * theta**2
    plain = KME(projection.kernel).embed(X)
    D = ((X[:, None] - X) ** 2).sum(axis=-1)
    second = projection.of((projection.kernel(X) * D).mean(axis=1)[:, None])[:, 0]
    mended = (1 + d * e / (2 * theta**2)) / 12 - d * e / (2 * theta**4) * second

    def cosine(beta):
        exact = Embedding(projection.kernel, X, projection.weights([e**0.5])[:, 0]) - plain
        change = Embedding(projection.kernel, X, beta) - plain
        return change.inner(exact) / (change.norm() * exact.norm())

    assert cosine(mended) < -0.4
    assert cosine(corrected(projection, np.full(d, e))) > 0.999


def test_theorem_2_squares_variances():
    """Erratum 5: with equal variances e it is Theorem 1 at d e^2 instead of d e, so they agree at e = 1 only."""
    projection = Projection(K13, X)
    np.testing.assert_allclose(as_printed(projection, np.ones(3)), as_printed(projection, 1.0), rtol=1e-10)
    assert np.abs(as_printed(projection, np.full(3, 0.3)) - as_printed(projection, 0.3)).max() > 1e-3
    np.testing.assert_allclose(as_printed(projection, np.full(3, 0.3)), as_printed(projection, 0.3**2), rtol=1e-10)


def test_the_printed_formula_to_the_letter():
    D = ((X[:, None] - X) ** 2).sum(axis=-1)
    K, printed, one = np.exp(-D / (2 * 1.69)), np.exp(-np.sqrt(D) / (2 * 1.69)) * D, np.full(12, 1 / 12)
    s = 3 * 0.3**2
    beta = (1.69 + s) / (2 * 1.69) * one - s / (2 * 1.69**2) * np.linalg.solve(K, printed @ one)
    np.testing.assert_allclose(as_printed(Projection(K13, X), 0.3), beta, rtol=0, atol=1e-10)


# along many σ
# ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [K13, Gaussian(), Laplacian(2.5)], ids=repr)
def test_the_values_at_the_points_are_the_estimates(kernel):
    k, sigmas = kernel.select(X), [0.0, 0.1, 2.0]
    expected = np.column_stack([MKME(k, s).embed(X)(X) for s in sigmas])
    np.testing.assert_allclose(values_at_points(k, X, sigmas), expected, rtol=1e-12)


def test_many_sigmas_at_once():
    projection, sigmas = Projection(None or K13, X), [0.0, 0.2, 1.0]
    beta = projection.weights(sigmas)
    np.testing.assert_allclose(beta[:, 0], 1 / 12, rtol=1e-9)
    for s, column in zip(sigmas, beta.T, strict=True):
        np.testing.assert_allclose(column, approximations(MKME(K13, s), X).projection.weights, rtol=0, atol=1e-10)
    assert (np.diff(beta.sum(axis=0)) < 0).all()  # noise takes mass away


def test_the_filter_is_what_is_kept_of_each_eigendirection():
    projection = Projection(K13, X)
    beta = projection.weights([0.0, 0.3, 1.0])
    h = projection.filter(beta)
    np.testing.assert_allclose(projection.U @ (h * projection.c[:, None]) / 12, beta, rtol=0, atol=1e-10)
    np.testing.assert_allclose(h[:, 0], 1.0, rtol=1e-9)
    assert h[-1, 2] < h[-1, 1] < 1  # the largest eigenvalue is last
    assert np.nanmax(h[:, 2]) > 2  # no shrinkage: small ones grow


def test_what_kme_has_not_cannot_be_kept():
    """Equal points: of two, one direction has no mean."""
    projection = Projection(K13, np.repeat(X[:4], 2, axis=0))
    h = projection.filter(projection.weights([0.3]))[:, 0]
    assert np.isnan(h).sum() == 4
    beta = projection.weights([0.3])[:, 0]
    np.testing.assert_allclose(beta[::2], beta[1::2], rtol=1e-8)
    np.testing.assert_allclose(2 * beta[::2], Projection(K13, X[:4]).weights([0.3])[:, 0], rtol=1e-8)


def test_what_is_refused():
    with pytest.raises(TypeError, match=naming("estimator", "MKME", "MMKME", "KME()")):
        approximations(KME(), X)
    with pytest.raises(ValueError, match=naming("1", "2", "Gaussian", "Laplacian(bandwidth=1.0)")):
        approximations(MKME(Laplacian(1.0), 0.1), X)
