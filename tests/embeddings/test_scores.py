"""Scores, the gradients of log densities: difference quotients, integration by parts, far points and units."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import GaussianMixture, StudentT

FULL = np.array([[1.0, 0.4], [0.4, 0.7]])
LAWS = {
    "normal": GaussianMixture([1.0], [[0.5, -1.0]], FULL),
    "mixture": GaussianMixture([0.2, 0.5, 0.3], [[-2.0, 0.0], [1.0, 1.0], [0.0, 3.0]], [FULL, np.eye(2), 0.3 * FULL]),
    "the papers' mixture": GaussianMixture.random(3, rng=4),
    "a component without weight": GaussianMixture([1.0, 0.0], [[0.0], [5.0]], [[1.0]]),
    "t, heavy": StudentT(0.5, [0.5, -1.0], FULL),
    "t": StudentT(5.0, [0.5, -1.0], FULL),
}
every_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


@every_law
def test_a_score_is_the_difference_quotient_of_logpdf(law):
    X = law.sample(40, rng=0)
    scores = law.score(X)
    assert scores.shape == X.shape
    h = 1e-5 * (1 + np.abs(X).max(axis=1))
    for j, axis in enumerate(np.eye(law.d)):
        step = h[:, None] * axis
        quotient = (law.logpdf(X + step) - law.logpdf(X - step)) / (2 * h)
        # h² times the third derivative, and eps |log p| / h
        np.testing.assert_allclose(scores[:, j], quotient, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", ["mixture", "t"])
def test_integration_by_parts(name):
    """E s(x) = 0 and E s(x) x' = -I: the density has no boundary."""
    law, n = LAWS[name], 100_000
    X = law.sample(n, rng=1)
    scores = law.score(X)
    products = np.einsum("ni,nj->nij", scores, X) + np.eye(2)
    for values in (scores, products):
        assert np.abs(values.mean(0) / (values.std(0) / np.sqrt(n))).max() < 4.5


def test_many_degrees_of_freedom_are_a_gaussian():
    X = np.random.default_rng(0).normal(size=(5, 2))
    t, normal = StudentT(1e9, [0.5, -1.0], FULL), LAWS["normal"]
    np.testing.assert_allclose(t.score(X), normal.score(X), rtol=1e-7)  # they differ by O(1/ν)


def test_far_away_the_score_is_that_of_the_nearest_component():
    """Every density is 0 in floats, and its logarithm is not."""
    law = GaussianMixture([0.5, 0.5], [[-1.0], [1.0]], [[[1.0]], [[4.0]]])
    np.testing.assert_allclose(law.score([1e3, -1e3]), [[-999 / 4], [1001 / 4]], rtol=1e-14)
    np.testing.assert_allclose(StudentT(3.0, [0.0], 1.0).score([1e9]), [[-4e-9]], rtol=1e-14)


@pytest.mark.parametrize("times", [np.array([1e-6, 1.0]), np.array([1.0, 1e8])], ids=repr)
def test_a_score_has_the_unit_of_one_over_x(times):
    C, m = FULL * np.outer(times, times), np.array([0.5, -1.0]) * times
    X = np.random.default_rng(0).normal(size=(5, 2))
    for scaled, law in ((GaussianMixture([1.0], [m], C), LAWS["normal"]), (StudentT(5.0, m, C), LAWS["t"])):
        np.testing.assert_allclose(scaled.score(X * times), law.score(X) / times, rtol=1e-12)


def test_one_column_may_be_a_list():
    np.testing.assert_allclose(GaussianMixture([1.0], [[0.0]], [[1.0]]).score([1.0, -2.0]), [[-1.0], [2.0]], rtol=1e-15)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: LAWS["mixture"].score(np.ones((2, 3))), "X 3 2"),
        (lambda: LAWS["t"].score(np.ones((2, 3))), "X 3 2"),
        (
            lambda: GaussianMixture([1.0], [[0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]]).score(np.ones((1, 2))),
            "singular density",
        ),
        (lambda: StudentT(3.0, [0.0], 0.0).score([1.0]), "singular density"),
        (
            lambda: LAWS["mixture"].score([[0.0, 0.0], [1e200, 0.0]]),
            "1 X row",
        ),
        (lambda: LAWS["mixture"].score([[0.0, np.nan]]), "NaN"),
    ],
)
def test_a_score_that_there_is_not(call, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        call()
