"""Pairs for any two kernels of the catalogue, and HSIC by its definitions: sums over tuples of pairs, one at a time."""

import itertools

import numpy as np
from kernels_and_estimators import KERNELS
from two_samples import words

from explorer import Delta

N = 7
# kernels on points of many kinds, both sides the same, both sides different
CASES = {
    "gaussian": ("gaussian, automatic", "gaussian, automatic"),
    "two bandwidths": ("gaussian", "laplacian, automatic"),
    "linear": ("linear", "linear + .7"),
    "energy": ("energy", "energy"),
    "strings and vectors": ("subsequence", "gaussian"),
    "categories and vectors": ("words", "polynomial 2"),
    "categories": ("delta", "words"),
    "precomputed and energy": ("precomputed", "energy"),
    "long strings and exponential": ("subsequence, as it is", "exponential"),
}


def side(name, n, seed):
    """Return a chosen kernel, its points (n, d), and its Gram matrix one entry at a time by the kernel's definition."""
    if name == "words":
        kernel, X = Delta(), words(n, seed)
        K = np.array([[float((x == y).all()) for y in X] for x in X])
    else:
        row = KERNELS[name]
        X = row.data(n, seed)
        kernel = row.kernel.select(X)
        K = np.array([[float(row.definition(kernel, x, y)) for y in X] for x in X])
    return kernel, X, K


def paired(case, n=N):
    """Return (kernel, points, Gram matrix) of both sides."""
    return [side(name, n, seed) for seed, name in enumerate(CASES[case])]


def biased_by_sums(K, L):
    """(32) of paper 000: three sums over pairs, triples and quadruples, all indices free."""
    n = len(K)
    every = range(n)
    first = sum(K[i, j] * L[i, j] for i in every for j in every) / n**2
    second = sum(K[i, j] * L[i, p] for i in every for j in every for p in every) / n**3
    return first - 2 * second + K.sum() / n**2 * L.sum() / n**2


def unbiased_by_quadruples(K, L):
    """Return the mean over quadruples of different indices of k_ij l_ij + k_ij l_pq - 2 k_ij l_ip.

    Each factor's own expectation.
    """
    quadruples = itertools.permutations(range(len(K)), 4)
    values = [K[i, j] * L[i, j] + K[i, j] * L[p, q] - 2 * K[i, j] * L[i, p] for i, j, p, q in quadruples]
    return sum(values) / len(values)


def dependent(n, seed=0, noise=0.5):
    """Return points in the plane and a number that depends on them, with no correlation to speak of."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, X[:, :1] ** 2 + noise * rng.normal(size=(n, 1))


def independent(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)), rng.exponential(size=(n, 1))
