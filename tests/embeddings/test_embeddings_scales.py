"""Losses, risks and witnesses under wide bandwidths and far from zero: they depend on 1 - k alone."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from explorer import (
    KME,
    SKMSE,
    Embedding,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Linear,
    Pareto,
    Polynomial,
    StudentT,
    oracle_alpha,
    risk,
    witness,
)
from explorer.discrepancy import mmd2_of_laws

WIDE = [1e7, 1e10, 1e14]


def on_grid(values):
    """Return multiples of 2^-10, so that an offset of 2^40 is added without rounding."""
    return np.round(np.asarray(values) * 2**10) / 2**10


def mixture(offset=0.0):
    means = on_grid([[0.3, -1.2], [2.0, 0.7], [-1.0, 1.0]])
    covariances = [np.diag([1.0, 0.5]), [[0.5, 0.25], [0.25, 1.0]], np.diag([0.25, 2.0])]
    return GaussianMixture([0.25, 0.25, 0.5], means + offset, covariances)


LAWS = {"mixture": (mixture(), 1e-9), "t": (StudentT(5.0, [0.5, 1.0], 2.0), 1e-9), "pareto": (Pareto(5.0), 2e-5)}


@pytest.mark.thorough(
    default=["mixture-10000000.0", "mixture-100000000000000.0", "pareto-10000000000.0", "pareto-100000000000000.0"]
)
@pytest.mark.parametrize("theta", WIDE)
@pytest.mark.parametrize("name", LAWS)
def test_wide_risks_are_those_of_the_mean(name, theta):
    """θ^2 (1 - |μ|^2) -> the trace of the covariance, which is Linear's; 1e-9 is the next order and rounding."""
    law, tolerance = LAWS[name]
    linear = risk(KME(Linear()), law, 10)
    kernel = Gaussian(theta)
    assert theta**2 * risk(KME(kernel), law, 10) == pytest.approx(linear, rel=tolerance)
    assert theta**2 * oracle_alpha(law, kernel, 10) == pytest.approx(linear, rel=tolerance)
    # at the best share the gain in risk is the share
    alpha = oracle_alpha(law, kernel, 10)
    assert risk(SKMSE(kernel, alpha / (1 - alpha)), law, 10) == pytest.approx(
        (1 - alpha) * risk(KME(kernel), law, 10), rel=1e-12
    )


@pytest.mark.parametrize("theta", WIDE)
def test_wide_laplacian_risks_are_mean_distances(theta):
    law = GaussianMixture([0.5, 0.5], [[0.0], [3.0]], [[[1.0]], [[0.5]]])
    energy = risk(KME(Energy()), law, 10)  # E|x - x'| / 2 over n
    assert theta / 2 * risk(KME(Laplacian(theta)), law, 10) == pytest.approx(energy, rel=10 / theta + 1e-10)


@pytest.mark.parametrize("scale", [1e14, 1e20])
def test_a_wide_exponential_is_linear(scale):
    law = mixture()
    assert scale * risk(KME(Exponential(scale)), law, 10) == pytest.approx(risk(KME(Linear()), law, 10), rel=1e-9)


@pytest.mark.parametrize("offset", [2.0**20, 2.0**40])
@pytest.mark.parametrize("kernel", [Linear(), Linear(3.0), Energy(), Gaussian(2.0), Laplacian(2.0)], ids=repr)
def test_losses_and_risks_do_not_depend_on_an_offset(kernel, offset):
    near, far = mixture(), mixture(offset)
    if isinstance(kernel, Laplacian):
        near, far = (GaussianMixture(law.weights, law.means, 0.5) for law in (near, far))
    X = on_grid(near.sample(12, rng=3))
    Y = on_grid(near.sample(5, rng=4))
    # the offset is exact, what is left are sums in another order: some hundred eps
    assert risk(KME(kernel), far, 7) == pytest.approx(risk(KME(kernel), near, 7), rel=1e-10)
    loss, moved = (KME(kernel).embed(X + a).distance(law.embed(kernel)) for a, law in ((0.0, near), (offset, far)))
    assert moved == pytest.approx(loss, rel=1e-10)
    other = GaussianMixture([1.0], on_grid([[1.0, 1.0]]), 1.0)
    moved_other = GaussianMixture([1.0], on_grid([[1.0, 1.0]]) + offset, 1.0)
    assert mmd2_of_laws(far, moved_other, kernel) == pytest.approx(mmd2_of_laws(near, other, kernel), rel=1e-10)
    values, moved = (witness(X + a, X[:5] + a + 1, kernel)(Y + a) for a in (0.0, offset))
    if isinstance(kernel, (Gaussian, Laplacian)):
        np.testing.assert_allclose(moved, values, rtol=0, atol=1e-12)
    else:  # under Linear and Energy a witness moves by a constant, of the offset's size, which has eps of that
        np.testing.assert_allclose(moved - moved[0], values - values[0], rtol=0, atol=1e-15 * offset + 1e-9)


@pytest.mark.parametrize("degree", [2, 3])
def test_polynomial_risks_far_from_zero(degree):
    """E k(x, x) - |μ|^2 of three atoms, in fractions."""
    points, offset = [0, 1, 5], 2**30
    law = GaussianMixture([0.5, 0.25, 0.25], [[float(p + offset)] for p in points], [[[0.0]]] * 3)
    weights = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
    k = lambda x, y: Fraction((x + offset) * (y + offset) + 1) ** degree  # noqa: E731
    exact = sum(w * k(x, x) for w, x in zip(weights, points, strict=True))
    exact -= sum(w * v * k(x, y) for (w, x), (v, y) in product(zip(weights, points, strict=True), repeat=2))
    assert risk(KME(Polynomial(degree)), law, 1) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("theta", WIDE)
def test_wide_losses_are_distances_of_means(theta):
    law = mixture()
    X = law.sample(20, rng=1)
    kernel = Gaussian(theta)
    loss, means = KME(kernel).embed(X).distance(law.embed(kernel)), np.linalg.norm(X.mean(axis=0) - law.mean)
    assert theta * loss == pytest.approx(means, rel=1e-9)
    # a shrunk estimate differs by its missing mass too: |e|^2 of (1 - s) μ̂ - μ̂ is s^2 |μ̂|^2, for s of 1e-14 as well
    shrunk = (1 - 2.0**-40) * KME(kernel).embed(X)
    assert shrunk.distance(KME(kernel).embed(X)) == pytest.approx(2.0**-40, rel=1e-9)
    # a witness is <mean difference, y - middle> / θ^2 and the norms' difference
    f, Y = witness(X[:10], X[10:], kernel), law.sample(6, rng=5)
    values = np.array([(np.square(X[10:] - y).sum(1).mean() - np.square(X[:10] - y).sum(1).mean()) / 2 for y in Y])
    np.testing.assert_allclose(theta**2 * f(Y), values, rtol=0, atol=1e-9 * np.abs(values).max())


@pytest.mark.parametrize("kernel", [Gaussian(1e8), Linear(), Polynomial(2), Energy()], ids=repr)
def test_the_form_is_bilinear_where_increments_take_part(kernel):
    rng = np.random.default_rng(0)
    moved = 0.0 if isinstance(kernel, Gaussian) else 100.0
    e, f = (Embedding(kernel, moved + rng.standard_normal((n, 2)), rng.random(n)) for n in (4, 7))
    K = [a.weights @ kernel(a.points, b.points) @ b.weights for a, b in ((e, e), (e, f), (f, f))]
    assert e.inner(f) == pytest.approx(K[1], rel=1e-12)
    assert f.inner(e) == pytest.approx(K[1], rel=1e-12)
    assert (e + f).norm() ** 2 == pytest.approx(K[0] + 2 * K[1] + K[2], rel=1e-12)
    np.testing.assert_allclose(e(f.points), e.weights @ kernel(e.points, f.points), rtol=1e-12)
