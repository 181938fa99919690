"""One engine for permutation tests of two samples.

Splits of the pooled points, and MMD^2 of all of them by products.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol

import numpy as np

from explorer.checks import Refusal
from explorer.linalg import frobenius
from explorer.processors import side_by_side
from explorer.rng import stream
from explorer.stopping import check_cancelled
from explorer.types import Gram, Mask, Matrix, Rng, Rows, Values, Vector, Weights

from .groups import subtract_group_means

BATCH = 128  # splits at a time: wide enough for a product at full speed, and 1 MB for 1000 points
WIDE, STRIP = 256, 100  # splits, and columns of a Gram matrix, at a time: strips of half of it at nearly full speed
TAKES = 4e-11  # seconds of a multiplication and a sum, half of which a symmetric matrix spares
MOST = 1e307  # what a sum of a kernel's values may reach, some digits below the largest float
SLACK = 64 * np.finfo(float).eps  # of the summed magnitudes: values that differ by less are ties


def permutations(N: int, count: int, rng: Rng = None, groups: Rows | None = None) -> Iterator[Rows]:
    """Yield `count` random permutations of N points in batches (b, N), b <= 128.

    An int seed gives the same permutations to every test, kernel and bandwidth, and a larger count only appends. With
    `groups`, whole numbers (N,), every point goes to a place of its own group: the points of a group take its places in
    the order that they have in the permutation of all.

    >>> import numpy as np
    >>> from explorer.discrepancy import permutations
    >>> next(permutations(5, 2, rng=0)).tolist()
    [[3, 2, 4, 1, 0], [1, 3, 0, 4, 2]]
    >>> next(permutations(5, 2, rng=0, groups=np.array([0, 0, 0, 1, 1]))).tolist()
    [[2, 1, 0, 3, 4], [1, 0, 2, 3, 4]]
    """
    generator = stream(rng, "permutation")
    for start in range(0, count, BATCH):
        order = generator.permuted(np.tile(np.arange(N), (min(BATCH, count - start), 1)), axis=1)
        yield order if groups is None else _within(order, groups)


def _within(order, groups):
    """Permutations (b, N) of each group's points among its places, from permutations of all."""
    by_group = np.argsort(groups[order], axis=1, kind="stable")
    within = np.empty_like(order)
    within[:, np.argsort(groups, kind="stable")] = np.take_along_axis(order, by_group, axis=1)
    return within


def splits(N: int, n: int, count: int, rng: Rng = None, groups: Rows | None = None) -> Mask:
    """Splits (count, N) by `permutations`: true for the n points, of N, that stand in for the first sample.

    >>> from explorer.discrepancy import splits
    >>> splits(5, 2, count=3, rng=0).astype(int).tolist()
    [[0, 0, 1, 1, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 1]]
    """
    S = np.zeros((count, N), dtype=bool)
    for i, order in enumerate(permutations(N, count, rng, groups)):
        check_cancelled()
        np.put_along_axis(S[i * BATCH : (i + 1) * BATCH], order[:, :n], True, axis=1)
    return S


def observed_split(N: int, n: int) -> Mask:
    """The split that the data came in, (1, N)."""
    return (np.arange(N) < n)[None]


class PooledGram(Protocol):
    """What tests need of the centred Gram matrix of N pooled points, however it is kept."""

    N: int

    @property
    def diagonal(self) -> Vector: ...

    @property
    def magnitude(self) -> float: ...

    def forms(self, S: Values | Mask) -> Sequence[Vector] | Matrix: ...


class CentredGram:
    """HKH, H = I - 11'/N, for the Gram matrix K (N, N) of the pooled points, and its quadratic forms in splits.

    MMD^2 does not change when K becomes HKH, and what cancels in it is then gone before anything is summed. Centred
    twice: the first time leaves rounding of K in the row sums, the second only rounding of HKH.
    float64 also where the kernel is bounded: in float32 it would take half the time, and ties would be missed.

    weights     (N,), where the mean that is taken off K is weighted: K w = 0 in place of K 1 = 0
    groups      codes (N,), where each group's own mean is taken off: HKH of the points' features less that mean
    size        |K|_F
    magnitude   sum |HKH| + |K|_F, against which rounding is measured: of the sums, and of the entries of K
    """

    size: float
    diagonal: Values

    def __init__(self, K: Gram, weights: Weights | None = None, groups: Rows | None = None) -> None:
        self.size = frobenius(K)
        refuse_too_large(self.size, len(K))
        self.K = centred(K, weights) if groups is None else centred_within(K, groups)
        self.N, self.diagonal = len(K), np.diag(self.K).copy()

    @property
    def magnitude(self) -> float:
        return float(sum(np.abs(self.K[start : start + STRIP]).sum() for start in range(0, self.N, STRIP)) + self.size)

    def forms(self, S: Values | Mask) -> Matrix:
        """s'HKHs and the diagonal's part of it, sum_i s_i (HKH)_ii, for splits S (B, N): two arrays (B,).

        Of weighted rows, s holds the weights of one sample.
        """
        parts = (S[start : start + WIDE].astype(np.float64) for start in range(0, len(S), WIDE))
        return np.concatenate([(self._form(s), s @ self.diagonal) for s in parts], axis=1)

    def _form(self, s):
        """s'HKHs, from strips of columns down to the diagonal: as HKH is symmetric, half of the products do."""
        q = np.zeros(len(s))
        for part in side_by_side(partial(self._strip, s), range(0, self.N, STRIP), TAKES * len(s) * self.N**2):
            q += part
        return q

    def _strip(self, s, start):
        """What a strip of columns adds to s'HKHs."""
        strip = slice(start, start + STRIP)
        product = s[:, :start] @ self.K[:start, strip]
        product *= 2
        product += s[:, strip] @ self.K[strip, strip]
        return np.einsum("bi,bi->b", product, s[:, strip])


def refuse_too_large(size: float, N: int) -> None:
    """A sentence where sums of N² values of a kernel, whose Frobenius norm is `size`, may be no floats."""
    if not size < MOST / N:
        raise Refusal(
            f"the kernel's values at {N} points are so large that their sums are no floats; divide all points by a"
            " common number."
        )


def centred(K: Gram, weights: Weights | None = None) -> Matrix:
    """HKH, a new array; with weights w (N,) H = I - 1w' / sum w."""
    if weights is not None:
        p = weights / weights.sum()
        for _ in range(2):
            K = K - (K @ p)[:, None]
            K -= p @ K
        return K
    K = K - K.mean(axis=1)[:, None]
    K -= K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    K -= K.mean(axis=0)
    return K


def centred_within(K: Gram, groups: Rows) -> Matrix:
    """Return the Gram matrix (N, N) of features less the mean of their group, from that of the features, K (N, N)."""
    for _ in range(2):  # the second time takes off what rounding left
        K = subtract_group_means(subtract_group_means(K, groups).T, groups)
    return np.ascontiguousarray(K)


def mmd2_of_splits(gram: PooledGram, S: Mask, statistic: str) -> Vector:
    """MMD^2 of each split S (B, N), (B,), from a centred Gram matrix."""
    n = int(np.count_nonzero(S[0]))
    q, d = gram.forms(S)
    return mmd2_of_forms(q, d, gram.diagonal.sum(), n, gram.N - n, statistic)


def mmd2_of_forms(q: Vector, d: Vector, trace: float, n: int, m: int, statistic: str) -> Vector:
    """MMD^2 from forms q = s'HKHs and the diagonal's parts d of it, s the indicator of the first sample, (B,).

    The rows of HKH sum to 0, so the sum over both halves is q, and -q between them: V = q (1/n + 1/m)^2. U leaves the
    diagonal out of both halves: with its parts d and tr - d,
    U = (q - d) / (n(n-1)) + (q - (tr - d)) / (m(m-1)) + 2q / (nm).
    """
    if statistic == "biased":
        return q * (1 / n + 1 / m) ** 2
    return (q - d) / (n * (n - 1)) + (q - (trace - d)) / (m * (m - 1)) + 2 * q / (n * m)


def tie_tolerance(magnitude: float, n: int, m: int) -> float:
    """How far apart rounding may leave two values of MMD^2 that are equal: 64 eps times the magnitudes they sum.

    magnitude / n^2 for n = m. Relative, since an absolute 1e-12 misses equal values beside a far outlier.
    """
    return SLACK * magnitude * ((n + m) / (2 * n * m)) ** 2
