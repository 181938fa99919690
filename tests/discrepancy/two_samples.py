"""Two samples for every kernel of the catalogue, and MMD^2 by its definition: sums over all pairs, one at a time."""

import itertools
from functools import cache

import numpy as np
from kernels_and_estimators import KERNELS

from explorer import Delta
from explorer.discrepancy.resampling.permutation import CentredGram, mmd2_of_splits

N, M = 7, 11

WORDS = np.array(["exon", "intron", "exon", "neither", "intron", "exon"])


def words(count, seed=0):
    return WORDS[np.random.default_rng(seed).integers(len(WORDS), size=count)][:, None]


def pooled(name):
    """Return a chosen kernel, its points (N + M, d), and its definition for one pair."""
    if name == "delta, strings":
        return Delta(), words(N + M), lambda k, x, y: float((x == y).all())
    row = KERNELS[name]
    P = row.data(N + M)
    return row.kernel.select(P), P, row.definition


CASES = [*KERNELS, "delta, strings"]


@cache
def table(name):
    """Return the Gram matrix of `pooled`, read-only, one entry at a time by the kernel's definition."""
    kernel, P, definition = pooled(name)
    K = np.array([[float(definition(kernel, x, y)) for y in P] for x in P])
    K.setflags(write=False)
    return K


def by_loops(K, first, statistic):
    """MMD^2 of the points `first` against the others, every pair by itself; 1/n^2, 1/m^2, -2/(nm) (erratum E-8)."""
    x = list(first)
    y = [i for i in range(len(K)) if i not in set(x)]
    n, m = len(x), len(y)
    if statistic == "biased":
        xx = sum(K[i, j] for i in x for j in x) / n**2
        yy = sum(K[i, j] for i in y for j in y) / m**2
    else:
        xx = sum(K[i, j] for i, j in itertools.permutations(x, 2)) / (n * (n - 1))
        yy = sum(K[i, j] for i, j in itertools.permutations(y, 2)) / (m * (m - 1))
    return xx + yy - 2 * sum(K[i, j] for i in x for j in y) / (n * m)


def engine(K, S, statistic):
    return mmd2_of_splits(CentredGram(K), S, statistic)


def all_splits(N, n):
    """Return every split of N points, (N over n, N)."""
    S = np.zeros((0, N), dtype=bool)
    for chosen in itertools.combinations(range(N), n):
        S = np.vstack([S, np.isin(np.arange(N), chosen)])
    return S


def pvalues(draw, test, count):
    """Return the p-values of `count` independent pairs of samples; draw(rng) gives one pair."""
    rng = np.random.default_rng(0)
    return np.array([test(*draw(rng), rng).pvalue for _ in range(count)])


def binomial(count, p, risk=1e-5):
    """Return the numbers of successes between which a fair test lies with probability 1 - 2 risk."""
    from scipy.stats import binom

    return binom.ppf(risk, count, p), binom.isf(risk, count, p)
