"""Properties of the Laplacian kernel between Gaussians that hold in spite of its integral's error."""

import tracemalloc

import numpy as np
import pytest
from covariances import points, wishart

from explorer import GaussianMixture, Laplacian


@pytest.mark.parametrize("d", [2, 3, 4, 20])
class TestPromises:
    def parts(self, d):
        return Laplacian(0.5 * d), points(5, d), points(4, d, 1), wishart(d), wishart(d, 1)

    @pytest.mark.thorough(default=["3"])
    def test_the_same_pair_has_the_same_value(self, d):
        k, X, Y, C, D = self.parts(d)
        values = k.expected(X, C, Y, D)
        np.testing.assert_array_equal(values, k.expected(X, C, Y, D))
        np.testing.assert_array_equal(values, k.expected_with_error(X, C, Y, D)[0])
        np.testing.assert_allclose(values[2, 1], k.expected(X[2:3], C, Y[1:2], D)[0, 0], rtol=1e-13)
        # nor do many pairs at a time differ from few
        many = k.expected(np.tile(X, (60 if d < 20 else 2, 1)), C, Y[:1], D)
        np.testing.assert_allclose(many[:5], many[-5:], rtol=1e-13)

    @pytest.mark.thorough(default=["20"])
    def test_it_is_symmetric(self, d):
        k, X, Y, C, D = self.parts(d)
        np.testing.assert_allclose(k.expected(X, C, Y, D), k.expected(Y, D, X, C).T, rtol=1e-13)
        np.testing.assert_allclose(k.expected(X, C, X, C), k.expected(X, C, X, C).T, rtol=1e-13)

    @pytest.mark.thorough(default=["4"])
    def test_it_knows_no_unit_and_no_origin(self, d):
        k, X, Y, C, D = self.parts(d)
        a = 1024.0  # a power of two: pivots and nodes stay
        moved = Laplacian(a * k.bandwidth).expected(a * X, a**2 * C, a * Y, a**2 * D)
        np.testing.assert_allclose(moved, k.expected(X, C, Y, D), rtol=1e-12)
        shifted = k.expected(X + 1e8, C, Y + 1e8, D)
        np.testing.assert_allclose(shifted, k.expected(X, C, Y, D), rtol=1e-6)  # the shift rounds X to 1e-8

    def test_coordinates_may_be_renamed_and_reflected(self, d):
        k, X, Y, C, _ = self.parts(d)
        values, errors = k.expected_with_error(X, C, Y, None)
        order, signs = np.random.default_rng(0).permutation(d), np.where(np.arange(d) % 2, -1.0, 1.0)
        renamed = k.expected(X[:, order], C[np.ix_(order, order)], Y[:, order], None)
        np.testing.assert_allclose(renamed, values, rtol=1e-13)  # the pivots find the same order
        reflected, other = k.expected_with_error(X * signs, C * np.outer(signs, signs), Y * signs, None)
        assert (np.abs(reflected - values) <= 8 * (errors + other) + 1e-12).all()

    @pytest.mark.thorough(default=["4"])
    def test_its_gram_matrix_is_positive_up_to_its_error(self, d):
        k, _, _, C, _ = self.parts(d)
        X = points(25 if d < 20 else 10, d)
        values, errors = k.expected_with_error(X, C, X, C)
        assert np.linalg.eigvalsh(values)[0] >= -np.linalg.norm(errors, 2)

    def test_the_law_is_bounded_by_one_and_falls_with_distance(self, d):
        k, X, _, C, _ = self.parts(d)
        steps = np.linspace(0, 30, 20)[:, None] * X[:1]
        values = k.expected(steps, C, np.zeros((1, d)), None)[:, 0]
        assert values[0] < 1
        assert (np.diff(values) < 0).all()


@pytest.mark.parametrize("theta", [1e-150, 1e-8, 1e8, 1e150])
@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_no_scale_gives_nan(theta, size):
    for d in (1, 2, 3, 4):
        X = np.array([[0.0] * d, [1e300] + [0.0] * (d - 1), [1e-300] * d])
        values = Laplacian(theta).expected(X, size * (np.eye(d) + 0.3), X, None)
        assert ((values >= 0) & (values <= 1 + 1e-12)).all()


def test_memory_is_bounded():
    X, k = points(400, 4), Laplacian(2.0)
    k.expected(X[:1], wishart(4), X[:1], None)  # what is imported on the first call
    tracemalloc.start()
    k.expected(X, wishart(4), X[:1], None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6  # one array of 400 pairs times 2048 nodes would have 6.5 MB, and there are a dozen


def test_an_exact_loss_with_full_covariances():
    """Embedding, norm and Monte Carlo agree on the papers' mixture in the plane."""
    law = GaussianMixture.random(2, rng=1)
    X, Y = law.sample(100_000, rng=2), law.sample(100_000, rng=3)
    k = Laplacian().select(X[:200])
    draws = np.exp(-np.abs(X - Y).sum(1) / k.bandwidth)
    z = (draws.mean() - law.embed(k).norm() ** 2) / (draws.std() / np.sqrt(len(draws)))
    assert abs(z) < 4.5
