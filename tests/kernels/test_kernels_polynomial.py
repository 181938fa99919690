"""Linear and polynomial kernels: features on paper, closed forms on paper."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Linear, Polynomial


def test_linear_is_the_inner_product():
    X, Y = np.array([[1.0, 2.0], [0.0, -1.0]]), np.array([[3.0, 4.0]])
    np.testing.assert_array_equal(Linear()(X, Y), [[11.0], [-4.0]])
    np.testing.assert_array_equal(Linear(0.5)(X, Y), [[11.5], [-3.5]])


def test_degree_two_is_the_inner_product_of_its_features():
    def features(x):  # (<x, y> + 1)^2 written out for x in R^2
        a, b = x.T
        return np.stack([np.ones_like(a), 2**0.5 * a, 2**0.5 * b, a**2, b**2, 2**0.5 * a * b], axis=1)

    X = np.random.default_rng(0).normal(size=(7, 2))
    np.testing.assert_allclose(Polynomial(2)(X), features(X) @ features(X).T, rtol=1e-12)  # sums of six products


def test_degree_one_with_offset_is_linear():
    X = np.random.default_rng(0).normal(size=(5, 2))
    np.testing.assert_array_equal(Polynomial(1, 0.3)(X), Linear(0.3)(X))


@pytest.mark.parametrize("kernel", [Linear(), Linear(0.5), Polynomial(3, 0.0), Polynomial(2, 1.0)])
def test_only_the_origin_can_be_zero_and_is_none_with_an_offset(kernel):
    values = kernel.diagonal(np.array([[0.0, 0.0], [1e-3, 0.0], [-2.0, 1.0]]))
    assert np.count_nonzero(values == 0) == kernel.zeros


def test_moments_of_a_standard_normal():
    zero, one = np.zeros((1, 1)), np.eye(1)
    # E (uv)^2 = 1, E (uv + 1)^2 = 2, E (uv + 1)^3 = 1 + 3 E (uv)^2 = 4
    assert Polynomial(2, 0.0).expected(zero, one, zero, one) == 1
    assert Polynomial(2).expected(zero, one, zero, one) == 2
    assert Polynomial(3).expected(zero, one, zero, one) == 4
    # E u^4 = 3, E (u^2 + 1)^3 = 15 + 3 * 3 + 3 + 1 = 28
    assert Polynomial(2, 0.0).expected_diagonal(zero, one) == 3
    assert Polynomial(3).expected_diagonal(zero, one) == 28


def test_degree_four_has_no_closed_form():
    zero, one = np.zeros((1, 1)), np.eye(1)
    for ask in (lambda k: k.expected(zero, one, zero, None), lambda k: k.expected_diagonal(zero, one)):
        with pytest.raises(ValueError, match=naming("1", "2", "3", "KME")):
            ask(Polynomial(4))


@pytest.mark.parametrize("bad", [0, -1])
def test_a_degree_is_at_least_one(bad):
    with pytest.raises(ValueError, match=naming("Polynomial.degree", "1")):
        Polynomial(bad)


def test_a_degree_is_whole():
    with pytest.raises(TypeError, match=naming("Polynomial.degree")):
        Polynomial(2.5)


@pytest.mark.parametrize("kernel", [Linear, lambda c: Polynomial(2, c)])
def test_a_negative_offset_is_no_kernel(kernel):
    with pytest.raises(ValueError, match=naming("0", "-0.1")):
        kernel(-0.1)
