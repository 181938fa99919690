"""The shape of a dependence under the kernels that noise makes wider."""

import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Gaussian, Laplacian
from explorer.checks import Refusal
from explorer.discrepancy.dependence.centred_grams import TiledSide
from explorer.discrepancy.dependence.pairing import Pairing
from explorer.operators import CrossCovariance
from explorer.operators.dependence_shape import DependenceShape, paired_grams, widened_kernel


def test_noise_widens_a_gaussian_kernel_and_refuses_one_that_it_would_make_another():
    assert widened_kernel(Laplacian(1.0), 0.0) == Laplacian(1.0)
    assert widened_kernel(Gaussian(1.0), 0.5).bandwidth == pytest.approx(math.sqrt(1.5))
    with pytest.raises(Refusal, match=naming("Laplacian(bandwidth=1.0)", "Gaussian()")):
        widened_kernel(Laplacian(1.0), 0.5)


def test_sides_that_are_not_stored_are_drawn_as_those_that_are():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(30, 1)), rng.normal(size=(30, 1))
    pairing = Pairing(X, Y, Gaussian(1.0), Gaussian(1.0), "biased", None)
    order = np.argsort(X[:, 0])
    stored = paired_grams(pairing, order, 8)
    pairing.x, pairing.y = TiledSide(Gaussian(1.0), X), TiledSide(Gaussian(1.0), Y)
    np.testing.assert_allclose(paired_grams(pairing, order, 8), stored, atol=1e-7)


@pytest.mark.parametrize("centered", [True, False])
def test_a_shape_is_its_operator_s_and_its_functions_go_together_as_their_values_do(centered):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 1))
    Y, places = X**2 + rng.normal(size=(40, 1)), np.linspace(-2, 2, 9)[:, None]
    kernels = Gaussian(1.0), Laplacian(1.5)
    shape = DependenceShape.of(X, Y, kernels, X, Y, centered)
    operator = CrossCovariance(*kernels, centered=centered).learn(X, Y)
    assert shape.share == operator.share()
    assert shape.together == pytest.approx(np.corrcoef(shape.f, shape.g)[0, 1], abs=1e-9)
    at = DependenceShape.of(X, Y, kernels, places, places[:5], centered)
    assert at.f[-2:].sum() > 0  # it rises at the right end
    np.testing.assert_allclose(at.field.reshape(5, 9), operator(places, places[:5]).T)


def test_functions_of_equal_values_go_together_with_nothing():
    rng = np.random.default_rng(2)
    shape = DependenceShape.of(
        np.ones((6, 1)), rng.normal(size=(6, 1)), (Gaussian(1.0),) * 2, *(np.zeros((2, 1)),) * 2, False
    )
    assert shape.together == 0
