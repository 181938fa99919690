"""A function of a random variable: points moved, weights kept, and what that tends to."""

import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer import FKMSE, KME, MKME, SKMSE, Delta, Embedding, Gaussian, GaussianMixture, Laplacian, Linear
from explorer.checks import WrongType

E = Embedding(Gaussian(1.3), [[0.1, 0.2], [0.3, 0.4], [2.0, -1.0]], [0.5, -0.2, 0.7])


def test_points_are_moved_and_weights_kept():
    found = E.map(np.exp)
    assert found == Embedding(E.kernel, np.exp(E.points), E.weights)
    assert E.map(lambda x: x) == E


def test_functions_follow_one_another():
    assert E.map(np.exp).map(np.sin) == E.map(lambda x: np.sin(np.exp(x)))


def test_it_is_linear_in_the_embedding():
    other = Embedding(E.kernel, [[1.0, 1.0]], [2.0])
    y = [[0.3, 0.5], [1.0, 2.0]]
    both = (E - 3 * other).map(np.cos)
    np.testing.assert_allclose(both(y), E.map(np.cos)(y) - 3 * other.map(np.cos)(y), rtol=1e-14)


def test_values_may_have_another_dimension_and_another_kernel():
    radius = E.map(lambda x: np.hypot(*x.T))
    assert radius.points.shape == (3, 1)
    assert radius.kernel == E.kernel
    assert E.map(lambda x: np.hypot(*x.T), Laplacian(2.0)).kernel == Laplacian(2.0)
    far = E.map(lambda x: 1e3 * x, Gaussian())
    assert far.kernel == Gaussian().select(1e3 * E.points)  # chosen on f's values
    words = E.map(lambda x: np.where(x[:, 0] < 0.2, "low", "high"), Delta())
    np.testing.assert_allclose(words(["low", "high"]), [0.5, 0.5])


def test_the_mean_under_a_linear_kernel_is_that_of_f():
    assert E.map(lambda x: x**2, Linear())([[1.0, 0.0]])[0] == pytest.approx(E.weights @ E.points[:, 0] ** 2)


@pytest.mark.thorough(default=["KME"])
@pytest.mark.parametrize("make", [KME, SKMSE, FKMSE], ids=lambda each: each.__name__)
def test_it_is_consistent(make):
    """The squared error of the embedding of X², X normal, falls as 1/n: a slope of -1 in n from 25 to 400."""
    kernel, law = Gaussian(1.0), GaussianMixture([1.0], [[0.5]], 1.0)
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    truth = Embedding(kernel, (nodes + 0.5) ** 2, weights / math.sqrt(2 * math.pi))
    sizes, samples = [25, 100, 400], 40
    losses = [
        np.mean([make(kernel).embed(law.sample(n, rng=i)).map(np.square).distance(truth) ** 2 for i in range(samples)])
        for n in sizes
    ]
    slope = np.polyfit(np.log(sizes), np.log(losses), 1)[0]
    # an error of 40 squared norms with about two degrees of freedom: 1/√40 of each, over a range of log 16
    assert slope == pytest.approx(-1, abs=3 * math.sqrt(2 / 40) / math.log(16))


@pytest.mark.parametrize(
    ("f", "said"),
    [
        (lambda x: x[:2], "f (2, 2) 3 (3,) (3, e)"),
        (lambda x: x.sum(), "f () 3"),
        (lambda x: x[:, :, None], "f (3, 2, 1) 3"),
        (
            lambda x: np.where(x > 1, np.nan, x),
            "NaN 1 3 [2.0, -1.0]",
        ),
        (lambda x: np.where(x < 1, np.inf, x), "f NaN 3"),
        (lambda x: ["a", "b", "c"], "points Delta()"),
        (lambda x: None, "f(points) None"),
    ],
)
def test_what_is_no_row_for_each_point_is_refused(f, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        E.map(f)


def test_what_is_no_function_or_has_gaussian_points_is_refused():
    with pytest.raises(WrongType, match=naming("f", "3.0")):
        E.map(3.0)
    with pytest.raises(ValueError, match=naming("Gaussian", "KME")):
        MKME(Gaussian(1.0), 0.3).embed([0.0, 1.0]).map(np.exp)


def test_names_of_columns_and_an_error_are_not_those_of_f_s_values():
    named = KME(Gaussian(1.0)).embed(np.array([(0.0, 1.0), (2.0, 3.0)], dtype=[("a", float), ("b", float)]))
    assert named.columns == ("a", "b")
    assert named.map(np.exp).columns is None
    assert E.approximating(0.1).map(np.exp).error is None
