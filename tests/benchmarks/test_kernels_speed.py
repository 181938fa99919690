"""Means of new kernels and of the algebra against the Gaussian kernel's, in one run.

`pytest -m benchmark --benchmark-enable`. A mixture takes as many Gaussian kernels as it has nodes, some 60 to 170, and
a product of Gaussians is one Gaussian.
"""

import statistics

import numpy as np
import pytest
from test_speed import ratios

from explorer import ARDGaussian, Gaussian, Linear, Matern, RationalQuadratic

pytestmark = pytest.mark.benchmark

G = Gaussian(1.0)
# kernel -> largest ratio of its time to that of E k of Gaussian(1), for 300 points in R^5
RATIOS = {
    ARDGaussian([1.0, 2.0, 3.0, 4.0, 5.0]): 10,
    G * Gaussian(2.0): 10,
    G + 2.0 * Linear(): 10,
    G * Linear(): 150,
    RationalQuadratic(1.0): 250,
    Matern(1.0): 400,
    G * Matern(1.0): 400,
}


@pytest.mark.parametrize("kernel", RATIOS, ids=repr)
def test_a_mean_takes_so_many_gaussians(kernel):
    X = np.random.default_rng(0).normal(size=(300, 5))
    C = 0.1 * np.eye(5) + 0.05
    measured = ratios(lambda: kernel.expected(X, C, X, None), lambda: G.expected(X, C, X, None))
    assert statistics.median(measured) < RATIOS[kernel]
