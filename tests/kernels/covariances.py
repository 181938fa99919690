"""Points, and covariances that are not diagonal."""

import numpy as np

C2 = np.array([[1.0, 0.6], [0.6, 0.7]])
C3 = np.array([[1.0, 0.4, -0.3], [0.4, 0.8, 0.2], [-0.3, 0.2, 0.6]])


def points(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def wishart(d, seed=0):
    """Return a covariance as the papers draw it: of rank 7 at most, and a little noise."""
    G = np.random.default_rng(seed).normal(size=(d, 7))
    return G @ G.T / 7 + 0.1 * np.eye(d)
