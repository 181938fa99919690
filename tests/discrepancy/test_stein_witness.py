"""The Stein witness by numerical derivatives, by its norm, in closed form, and what it refuses."""

import numpy as np
import pytest
from fit_models import KERNELS, MODELS, NORMAL
from helpers.naming import naming

from explorer import Delta, Gaussian, GaussianMixture, fssd_test, ksd
from explorer.discrepancy.fit import stein_witness

STEP = 1e-5  # central differences have an error of the order of its square
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def slopes(f, X):
    """Return the gradient of f (n, d) -> (n, J) by central differences, (d, n, J)."""
    steps = STEP * np.eye(X.shape[1])
    return np.array([(f(X + step) - f(X - step)) / (2 * STEP) for step in steps])


@every_kernel
@every_model
def test_it_is_its_definition_with_numerical_derivatives(kernel, model):
    X, places = model.sample(9, rng=0) + 0.3, model.sample(4, rng=1)
    scores = slopes(lambda Z: model.logpdf(Z)[:, None], X)
    terms = scores * kernel(X, places) + slopes(lambda Z: kernel(Z, places), X)  # (d, n, J)
    found = stein_witness(X, model, places, kernel)
    np.testing.assert_allclose(found.values, terms.mean(axis=1).T, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(found.errors, np.sqrt(terms.var(axis=1).sum(axis=0) / 9), rtol=1e-6)
    np.testing.assert_allclose(found.lengths, np.linalg.norm(found.values, axis=1) / found.errors.max(), rtol=1e-12)


@every_kernel
@every_model
def test_its_squared_norm_is_the_biased_ksd(kernel, model):
    """<g, g> = mean_i [<s(x_i), g(x_i)> + div g(x_i)], as g is the mean of the features of the x_i."""
    X = model.sample(9, rng=0) + 0.3
    g = stein_witness(X, model, X, kernel).values
    by_step = slopes(lambda Z: stein_witness(X, model, Z, kernel).values, X)  # (d, n, d)
    norm = (np.einsum("ij,ij->i", model.score(X), g) + np.einsum("jij->i", by_step)).mean()
    assert norm == pytest.approx(ksd(X, model, kernel, "biased"), rel=1e-6)


@every_model
def test_fssd_is_its_mean_square_less_what_chance_adds(model):
    X, places = model.sample(30, rng=2), model.sample(5, rng=3)
    found = stein_witness(X, model, places, KERNELS[0])
    unbiased = (found.values**2).sum(axis=1) - found.errors**2 * 30 / 29
    statistic = fssd_test(X, model, KERNELS[0], locations=places, n_resamples=1).statistic
    assert statistic == pytest.approx(unbiased.sum() / (5 * X.shape[1]), rel=1e-10)


def test_it_points_from_the_data_to_the_model():
    """For data N(δ, 1) and a model N(0, 1) its expectation is -δ E k(x, v), in closed form."""
    data, kernel, places = GaussianMixture([1.0], [[0.7]], [[1.0]]), Gaussian(0.8), [[-1.0], [0.0], [2.0]]
    found = stein_witness(data.sample(40_000, rng=0), NORMAL, places, kernel)
    expected = -0.7 * data.embed(kernel)(places)
    assert (np.abs(found.values[:, 0] - expected) < 4 * found.errors).all()


def test_far_from_0_it_keeps_its_digits():
    """X rounds to 1e-9 there, and so does each score."""
    X, places, far = np.arange(5.0)[:, None], [[0.5]], 1e7
    near = stein_witness(X, NORMAL, places, Gaussian(1.0))
    moved = stein_witness(X + far, GaussianMixture([1.0], [[far]], [[1.0]]), [[0.5 + far]], Gaussian(1.0))
    np.testing.assert_allclose(moved.values, near.values, rtol=1e-7)


def test_one_point_has_a_witness_without_an_error():
    found = stein_witness([[1.0]], NORMAL, [[1.0], [2.0]], Gaussian(1.0))
    np.testing.assert_array_equal(found.errors, 0)
    assert np.isfinite(found.lengths).all()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([[1.0], [2.0]], NORMAL, [[0.0, 1.0]], Gaussian(1.0)), "places has 2 columns|places .* X"),
        (([[1.0], [2.0]], lambda X: X[:, :0], [[0.0]], Gaussian(1.0)), naming("score")),
        (([[1.0], [2.0]], NORMAL, [[0.0]], Delta()), "Stein"),
        (([[1e200], [2e200]], lambda X: X, [[0.0]], Gaussian(1.0)), "rescale the points"),
    ],
    ids=["another dimension", "a score of another shape", "a kernel without gradient", "overflow"],
)
def test_what_it_refuses(arguments, says):
    with pytest.raises(ValueError, match=says):
        stein_witness(*arguments)
