"""The shape of a dependence under the kernels that noise makes wider."""

import math

import numpy as np
import pytest

from explorer import Gaussian, Laplacian
from explorer.checks import Refusal
from explorer.discrepancy.dependence.pairing import Pairing
from explorer.discrepancy.dependence.sides import Tiled
from explorer.operators.dependence_shape import paired_grams, wider


def test_noise_widens_a_gaussian_kernel_and_refuses_one_that_it_would_make_another():
    assert wider(Laplacian(1.0), 0.0) == Laplacian(1.0)
    assert wider(Gaussian(1.0), 0.5).bandwidth == pytest.approx(math.sqrt(1.5))
    with pytest.raises(Refusal, match="does not stay of its kind under noise"):
        wider(Laplacian(1.0), 0.5)


def test_sides_that_are_not_stored_are_drawn_as_those_that_are():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(30, 1)), rng.normal(size=(30, 1))
    pairing = Pairing(X, Y, Gaussian(1.0), Gaussian(1.0), "biased", None)
    order = np.argsort(X[:, 0])
    stored = paired_grams(pairing, order, 8)
    pairing.x, pairing.y = Tiled(Gaussian(1.0), X), Tiled(Gaussian(1.0), Y)
    np.testing.assert_allclose(paired_grams(pairing, order, 8), stored, atol=1e-7)
