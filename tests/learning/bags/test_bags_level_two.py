"""Kernels of the second level: their formulas, their scales, and why an exponent above 2 is refused."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Gaussian, LevelTwo, bag_gram
from explorer.checks import ExplorerWarning
from explorer.learning.bags.level_two import KINDS

RNG = np.random.default_rng(0)
BAGS = [RNG.normal(size=(20, 2)) * (1 + i / 4) for i in range(8)]
G = bag_gram(BAGS, Gaussian(1.0))
D2 = G.diagonal()[:, None] + G.diagonal() - 2 * G
DEFINITIONS = {
    "gaussian": lambda d, s: np.exp(-(d**2) / (2 * s**2)),
    "exponential": lambda d, s: np.exp(-d / (2 * s**2)),
    "cauchy": lambda d, s: 1 / (1 + d**2 / s**2),
    "generalized-t": lambda d, s: 1 / (1 + d**s),
    "inverse-multiquadric": lambda d, s: (d**2 + s**2) ** -0.5,
}


@pytest.mark.parametrize("kind", DEFINITIONS)
@pytest.mark.parametrize("scale", [0.3, 1.0, 2.0])
def test_a_kind_is_its_formula_and_a_kernel(kind, scale):
    K = LevelTwo(kind, scale)(G, G.diagonal())
    off = ~np.eye(len(G), dtype=bool)
    expected = DEFINITIONS[kind](np.sqrt(np.maximum(D2, 0)), scale)
    np.testing.assert_allclose(K[off], expected[off], rtol=1e-9)
    np.testing.assert_allclose(K.diagonal(), 1 / scale if kind == "inverse-multiquadric" else 1.0, rtol=1e-6)
    assert np.linalg.eigvalsh(K)[0] > 0
    np.testing.assert_allclose(LevelTwo(kind, scale)(G[:3], G.diagonal()[:3], G.diagonal()), K[:3], rtol=1e-15)


def test_linear_is_the_inner_product():
    np.testing.assert_array_equal(LevelTwo()(G, G.diagonal()), G)
    assert LevelTwo().select(D2) == LevelTwo()
    with pytest.raises(ValueError, match=naming("linear", "kernel")):
        LevelTwo().of_squared_distances(D2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_scale_that_is_left_open_is_the_median_distance(kind):
    median = np.median(np.sqrt(D2[np.triu_indices(8, 1)]))
    expected = {"linear": None, "exponential": np.sqrt(median), "generalized-t": 1.0}.get(kind, median)
    found = LevelTwo(kind).select(np.maximum(D2, 0))
    assert found.scale == (None if expected is None else pytest.approx(expected, rel=1e-12))
    np.testing.assert_allclose(LevelTwo(kind)(G, G.diagonal()), found(G, G.diagonal()), rtol=1e-12)


def test_an_exponent_above_two_is_no_kernel():
    """Three points on a line suffice: 1 / (1 + d^4) has a negative eigenvalue where 1 / (1 + d²) has none."""
    d = np.abs(np.subtract.outer(np.arange(6) * 0.35, np.arange(6) * 0.35))
    assert np.linalg.eigvalsh(1 / (1 + d**4))[0] < -0.01
    assert np.linalg.eigvalsh(1 / (1 + d**2))[0] > 0
    for exponent in (0.5, 1.0, 2.0):
        assert np.linalg.eigvalsh(LevelTwo("generalized-t", exponent).of_squared_distances(d**2))[0] > 0
    with pytest.raises(ValueError, match=naming("2")):
        LevelTwo("generalized-t", 4.0)


def test_the_printed_plus_is_no_kernel():
    """Paper 002, section 4.2.3, prints exp(+d²/(2s²)) (erratum 28)."""
    assert np.linalg.eigvalsh(np.exp(D2 / 2))[0] < 0
    assert np.linalg.eigvalsh(LevelTwo("gaussian", 1.0)(G, G.diagonal()))[0] > 0


def test_squares_that_rounding_took_below_zero_count_as_zero():
    inner = np.array([[1.0, 1.0 + 1e-15], [1.0 + 1e-15, 1.0]])
    np.testing.assert_array_equal(LevelTwo("exponential", 1.0)(inner, inner.diagonal()), np.ones((2, 2)))


def test_coinciding_means_choose_a_scale_aloud():
    ties = np.zeros((5, 5))
    ties[0, 1:] = ties[1:, 0] = 4.0
    with pytest.warns(ExplorerWarning, match="above zero"):
        assert LevelTwo("gaussian").select(ties).scale == 2.0
    with pytest.warns(ExplorerWarning, match=naming("scale", "1")):
        assert LevelTwo("cauchy").select(np.zeros((3, 3))).scale == 1.0


@pytest.mark.parametrize("scale", [1e-150, 1e-100, 1e100, 1e150])
@pytest.mark.parametrize("kind", ["gaussian", "exponential", "cauchy", "inverse-multiquadric"])
def test_extreme_scales_are_finite(kind, scale):
    K = LevelTwo(kind, scale).of_squared_distances(np.array([0.0, 1e-300, 1.0, 1e300]))
    assert np.isfinite(K).all()
    assert (np.diff(K) <= 0).all()


def test_sentences():
    for act, words in (
        (lambda: LevelTwo("linear", 2.0), "has no scale"),
        (lambda: LevelTwo("gaussian").select([[0.0]]), "one bag has no distances"),
        (lambda: LevelTwo("gaussian").of_squared_distances([1.0]), "still open"),
        (lambda: LevelTwo("gaussian")(G, G.diagonal()[:2]), naming("inner", "shape")),
        (lambda: LevelTwo("gaussian")(G, G.diagonal(), G.diagonal()), "still open"),
        (lambda: LevelTwo("gaussian", 0.0), naming("LevelTwo.scale")),
        (lambda: LevelTwo("rbf"), "kind"),
    ):
        with pytest.raises(ValueError, match=words):
            act()
