"""Names of kernels in verdicts."""

import numpy as np
import pytest

from explorer import (
    ARDGaussian,
    Delta,
    Energy,
    Exponential,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    Precomputed,
    Product,
    RationalQuadratic,
    Subsequence,
)
from explorer.kernels import in_prose

HALVED = Precomputed(np.full((3, 3), 0.5) + 0.5 * np.eye(3))


class Minimum(Kernel):
    def pairs(self, X, Y=None):
        return np.minimum(X, (X if Y is None else Y).T)

    def of_pairs(self, S):
        return S

    def diagonal(self, X):
        return self.points(X)[:, 0]


SAID = {
    "a Gaussian kernel": Gaussian(),
    "a Gaussian kernel of bandwidth 21.62": Gaussian(21.6187),
    "a Laplacian kernel of bandwidth 2": Laplacian(2.0),
    "a linear kernel": Linear(),
    "a linear kernel of offset 1": Linear(1.0),
    "a polynomial kernel of degree 3": Polynomial(3),
    "an energy kernel": Energy(),
    "an exponential kernel of scale 2": Exponential(2.0),
    "equality": Delta(),
    "a given Gram matrix": Precomputed(np.eye(2)),
    "a Gaussian kernel of bandwidth 1 plus 2 times a linear kernel": Gaussian(1.0) + 2.0 * Linear(),
    "a Gaussian kernel of bandwidth 1 times a linear kernel": Gaussian(1.0) * Linear(),
    "a Minimum kernel": Minimum(),
    "a Gaussian kernel of bandwidth 1 over columns 0, 2, halved where column 1 differs": Product(
        {(0, 2): Gaussian(1.0), 1: HALVED}
    ),
    "a linear kernel over column 1, 0 where column 0 differs": Product({0: Delta(), 1: Linear()}),
    "a kernel that is halved where column 0 differs": Product({0: HALVED}),
}


@pytest.mark.parametrize("words", SAID)
def test_a_kernel_is_said_in_words(words):
    assert in_prose(SAID[words]) == words


def test_its_columns_have_their_names():
    assert in_prose(Gaussian(1.0), ("weight", "height")) == "a Gaussian kernel of bandwidth 1 over weight, height"
    table = Product({(0, 2): Gaussian(1.0), 1: HALVED, 3: Delta()})
    assert in_prose(table, ("weight", "group", "height", "sex")) == (
        "a Gaussian kernel of bandwidth 1 over weight, height, halved where group differs, 0 where sex differs"
    )
    many = in_prose(Gaussian(1.0), [f"column of a long name {i}" for i in range(100)])
    assert len(many) < 300
    assert many.endswith(" more")


@pytest.mark.parametrize(
    "kernel",
    [ARDGaussian([1.0, 2.0]), Matern(bandwidth=2.0), RationalQuadratic(2.0), Subsequence(), Precomputed(np.eye(99))],
)
def test_no_code_is_left(kernel):
    words = in_prose(3.0 * kernel * kernel)
    assert not set("([{=<") & set(words)
    assert len(words) < 200
