"""Distance of blobs from an estimate of a kernel mean: values by the library's distance, gradients by differences."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Embedding, Gaussian, GaussianMixture, Linear, Polynomial
from explorer.learning.gaussian_match import Blobs, GaussianMatch
from explorer.learning.polynomial_match import PolynomialMatch

RNG = np.random.default_rng(3)
FULL = np.array([[0.5, 0.2, 0.0], [0.2, 0.4, 0.1], [0.0, 0.1, 0.3]])
NOISES = {"none": None, "isotropic": 0.3 * np.eye(3), "axes": np.diag([0.1, 0.0, 0.7]), "full": FULL}
ORIGIN, UNIT = np.array([0.4, -1.5, 2.0]), 0.5
POLYNOMIALS = {
    "linear": Linear(),
    "linear + .7": Linear(0.7),
    "quadratic": Polynomial(2),
    "quadratic, no offset": Polynomial(2, 0.0),
    "cubic": Polynomial(3, 0.4),
    "cubic, no offset": Polynomial(3, 0.0),
}
every_noise = pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
every_polynomial = pytest.mark.parametrize("kernel", POLYNOMIALS.values(), ids=POLYNOMIALS)


def blobs(m=4):
    weights = RNG.random(m) + 0.1
    return Blobs(weights / weights.sum(), RNG.normal(size=(m, 3)), RNG.random(m) + 0.05)


def estimate(noise):
    """Return two blocks, as an estimate that is shrunk towards something has; signed weights of sum 0.9."""
    X, beta = RNG.normal(size=(9, 3)), RNG.normal(size=9)
    beta += (0.7 - beta.sum()) / 9
    return [(X, beta, noise), (RNG.normal(size=(2, 3)), np.array([0.5, -0.3]), None)]


def gradients(match, Q):
    """Return the gradients in π, means and variances by central differences; J is defined off the simplex, too."""
    parts = []
    for field in range(3):
        found = np.zeros(Q[field].shape)
        for at in np.ndindex(found.shape):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [part.copy() for part in Q]
                moved[field][at] += step
                ends.append(match(Blobs(*moved))[0])
            found[at] = (ends[0] - ends[1]) / 2e-5
        parts.append(found)
    return parts


def law(Q, unit=1.0, origin=0.0):
    return GaussianMixture(Q.weights, origin + unit * Q.means, unit**2 * Q.variances[:, None, None] * np.eye(3))


def embedded(kernel, blocks, unit=1.0, origin=0.0):
    parts = [Embedding(kernel, origin + unit * X, w, None if C is None else unit**2 * C) for X, w, C in blocks]
    return sum(parts[1:], parts[0])


@every_noise
def test_the_gaussian_objective_is_the_squared_distance(noise):
    Q, blocks, kernel = blobs(), estimate(noise), Gaussian(1.2)
    mean = embedded(kernel, blocks)
    J = GaussianMatch(blocks, 1.2, mean.norm() ** 2)(Q)[0]
    # the same closed form, summed in another order
    assert J == pytest.approx(mean.distance(law(Q).embed(kernel)) ** 2, rel=1e-10)


@every_noise
def test_gaussian_gradients_are_finite_differences(noise):
    Q, match = blobs(), GaussianMatch(estimate(noise), 1.2, 0.0)
    for ours, differences in zip(match(Q)[1:], gradients(match, Q), strict=True):
        np.testing.assert_allclose(ours, differences, atol=1e-8)  # a step of 1e-5: rounding eps / 1e-5, and 1e-10


@every_noise
@every_polynomial
def test_the_polynomial_objective_is_the_squared_distance(kernel, noise):
    """The moments' own sum against the kernel's expected inner products, in units and about an origin of their own."""
    Q, blocks = blobs(), estimate(noise)
    match = PolynomialMatch(blocks, kernel.degree, kernel.offset, ORIGIN / UNIT, UNIT)
    expected = embedded(kernel, blocks, UNIT, ORIGIN).distance(law(Q, UNIT, ORIGIN).embed(kernel)) ** 2
    assert match(Q)[0] * np.exp(match.log_scale) == pytest.approx(expected, rel=1e-9)


@every_polynomial
def test_the_size_is_the_squared_norm_without_the_mass(kernel):
    """k(x, y) = c^p + ..., so a mean of mass m has the part c^p m² of |μ|² by its mass alone."""
    match = PolynomialMatch(blocks := estimate(FULL), kernel.degree, kernel.offset, ORIGIN / UNIT, UNIT)
    mass = sum(w.sum() for _, w, _ in blocks)
    expected = embedded(kernel, blocks, UNIT, ORIGIN).norm() ** 2 - kernel.offset**kernel.degree * mass**2
    assert match.size * np.exp(match.log_scale) == pytest.approx(expected, rel=1e-9)


@every_polynomial
def test_polynomial_gradients_are_finite_differences(kernel):
    """The differences in π are along the simplex: the blobs' mass is one."""
    Q = blobs()
    match = PolynomialMatch(estimate(FULL), kernel.degree, kernel.offset, ORIGIN, 1.0)
    ours, differences = match(Q)[1:], gradients(match, Q)
    size = max(np.abs(part).max() for part in differences)
    for i, (a, b) in enumerate(zip(ours, differences, strict=True)):
        a, b = (a - a.mean(), b - b.mean()) if i == 0 else (a, b)
        np.testing.assert_allclose(a, b, atol=1e-7 * size)


def test_a_cubic_kernel_of_too_many_columns_is_a_sentence():
    with pytest.raises(ValueError, match=naming(3, 300, "27,000,000", "4,194,304")):
        PolynomialMatch([], 3, 1.0, np.zeros(300), 1.0)


def test_moments_of_many_points_are_summed_in_parts(monkeypatch):
    blocks, Q = estimate(FULL), blobs()
    whole = PolynomialMatch(blocks, 3, 1.0, ORIGIN, 1.0)(Q)[0]
    monkeypatch.setattr("explorer.learning.polynomial_match.LARGEST", 27)
    assert PolynomialMatch(blocks, 3, 1.0, ORIGIN, 1.0)(Q)[0] == pytest.approx(whole, rel=1e-12)
