"""Samples whose Gram matrices are hard, and leave-one-out scores by brute force."""

import math

import numpy as np
from kernels_and_estimators import KERNELS, drawn, vectors

from explorer import Embedding, Gaussian, Linear, Polynomial, Precomputed

# singular, repeated points, nearly the identity, nearly constant
X9 = vectors(9)
HARD = {
    "duplicates": (Gaussian(1.3), np.repeat(X9[:4], 2, axis=0)),
    "n > d": (Linear(), vectors(15)),
    "one direction": (Linear(), X9[:, :1]),
    "a point at zero": (Linear(), np.vstack([X9[:5], np.zeros((1, 3))])),
    "far offset": (Gaussian(1.3), X9 + 1e8),
    "tiny bandwidth": (Gaussian(0.05), X9),
    "huge bandwidth": (Gaussian(50.0), X9),
    "an outlier": (Gaussian(1.3), np.vstack([X9, [[40.0, 0.0, 0.0]]])),
    "an outlier, unbounded": (Polynomial(2), np.vstack([X9, [[40.0, 0.0, 0.0]]])),
    "two points": (Gaussian(1.3), X9[:2]),
    "anticorrelated": (Precomputed([[1.0, -0.4, -0.4], [-0.4, 1.0, -0.4], [-0.4, -0.4, 1.0]]), np.arange(3.0)),
}
CASES = {name: drawn(row) for name, row in KERNELS.items()} | HARD
# what depends on the Gram matrix only need not be tested under every kernel
GRAMS = {name: CASES[name] for name in ("gaussian", "polynomial 2", "delta", "precomputed")} | HARD


def refits(estimator, X):
    """(1/n) sum_i |k(x_i, .) - the estimate from the others|^2, by n embeddings."""
    kernel, K, squares = estimator.kernel, None, []
    X = kernel.points(X)
    for i in range(len(X)):
        rest = np.delete(X, i, axis=0)
        e = estimator.embed(rest)
        sample, *target = e.blocks
        if np.array_equal(sample.points, rest) and all(block.covariance is None for block in e.blocks):
            # one Gram matrix serves all refits
            K = kernel(np.concatenate([X, *(block.points for block in target)])) if K is None else K
            apart = np.concatenate([np.insert(sample.weights, i, -1.0), *(block.weights for block in target)])
            squares.append(apart @ K @ apart)
        else:
            squares.append(e.distance(Embedding(kernel, X[i : i + 1], [1.0])) ** 2)
    return np.mean(squares)


def close(value, reference, K, rel=1e-10):
    """Scores are sums of terms of the size of k(x, x): rounding is relative to that."""
    return abs(value - reference) <= rel * K.diagonal().max()


def score_or_nan(estimator, X):
    """Return the mean score of n refits, or nan if the estimator refuses one."""
    try:
        return refits(estimator, X)
    except ValueError as error:
        if "weights that sum to 0" not in str(error):
            raise
        return math.nan


def agree(values, references, K, rel):
    for value, reference in zip(values, references, strict=True):
        assert math.isnan(reference) if math.isnan(value) else close(value, reference, K, rel)
