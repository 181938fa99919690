"""Permutation engine of two-sample tests: splits of the pooled points, and MMD² of all splits by matrix products."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol

import numpy as np

from explorer.checks import Refusal
from explorer.execution.cancellation import check_cancelled
from explorer.execution.processors import side_by_side
from explorer.linalg import frobenius
from explorer.rng import stream
from explorer.types import Gram, Mask, Matrix, Rng, Rows, Values, Vector, Weights

from .groups import subtract_group_means

BATCH = 128  # number of splits in a batch: enough for a product at full speed, and 1 MB for 1000 points
WIDE, STRIP = 256, 100  # number of splits, and of columns of a Gram matrix, in a product that runs at nearly full speed
TAKES = 4e-11  # time of a multiplication and an addition, in seconds; a symmetric matrix spares half of them
MOST = 1e307  # largest sum of kernel values that is accepted, slightly below the largest float
SLACK = 64 * np.finfo(float).eps  # values that differ by less than this share of the summed magnitudes are ties


def permutations(N: int, count: int, rng: Rng = None, groups: Rows | None = None) -> Iterator[Rows]:
    """Yield random permutations of N points in batches.

    An int seed gives the same permutations to every test, kernel and bandwidth, and a larger count only appends.

    Parameters
    ----------
    N : int
        Number of points.
    count : int
        Number of permutations.
    rng : int, Generator or None, default None
        Seed of the permutations.
    groups : ndarray of shape (N,) or None, default None
        Whole numbers, one for each group. Every point then goes to a position of its own group, and the points of a
        group take its positions in the order that they have in the permutation of all points.

    Yields
    ------
    ndarray of shape (b, N)
        A batch of b <= 128 permutations.

    Examples
    --------
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
    """Return permutations (b, N) of each group's points among its positions, from permutations of all points."""
    by_group = np.argsort(groups[order], axis=1, kind="stable")
    within = np.empty_like(order)
    within[:, np.argsort(groups, kind="stable")] = np.take_along_axis(order, by_group, axis=1)
    return within


def splits(N: int, n: int, count: int, rng: Rng = None, groups: Rows | None = None) -> Mask:
    """Draw random splits of N points into two samples, by `permutations`.

    Parameters
    ----------
    N : int
        Number of points.
    n : int
        Number of points of the first sample.
    count : int
        Number of splits.
    rng : int, Generator or None, default None
        Seed of the permutations.
    groups : ndarray of shape (N,) or None, default None
        Groups within which points are permuted, as in `permutations`.

    Returns
    -------
    ndarray of shape (count, N)
        True for the n points that form the first sample of each split.

    Examples
    --------
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
    """Return the observed split: the first n of N points are the first sample.

    Parameters
    ----------
    N : int
        Number of points.
    n : int
        Number of points of the first sample.

    Returns
    -------
    ndarray of shape (1, N)
        True for the first n points.
    """
    return (np.arange(N) < n)[None]


class PooledGram(Protocol):
    """Interface of a centred Gram matrix of N pooled points, however it is stored."""

    N: int

    @property
    def diagonal(self) -> Vector:
        """Diagonal of the centred matrix, shape (N,)."""
        ...

    @property
    def magnitude(self) -> float:
        """Magnitude against which rounding is measured."""
        ...

    def forms(self, S: Values | Mask) -> Sequence[Vector] | Matrix:
        """Return the quadratic forms of splits S (B, N), and their diagonal parts."""
        ...


class CentredGram:
    """Centred Gram matrix HKH, H = I - 11'/N, of the pooled points, and its quadratic forms in splits.

    MMD² does not change when K becomes HKH, and what cancels in it is then removed before anything is summed. K is
    centred twice: the first time leaves rounding of K in the row sums, the second only rounding of HKH. The matrix is
    float64 also if the kernel is bounded: float32 would take half the time, but ties would be missed.

    Parameters
    ----------
    K : ndarray of shape (N, N)
        Gram matrix of the pooled points.
    weights : ndarray of shape (N,) or None, default None
        Weights of the mean that is subtracted from K: K w = 0 instead of K 1 = 0.
    groups : ndarray of shape (N,) or None, default None
        Codes of groups. The mean of each group is subtracted instead of the mean of all: HKH then belongs to the
        points' features minus that mean.

    Attributes
    ----------
    K : ndarray of shape (N, N)
        The centred matrix HKH.
    N : int
        Number of points.
    diagonal : ndarray of shape (N,)
        Diagonal of HKH.
    size : float
        Frobenius norm ``|K|_F`` of the given matrix.
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
        """Magnitude against which rounding is measured: ``sum |HKH|`` for the sums plus ``|K|_F`` for the entries."""
        return float(sum(np.abs(self.K[start : start + STRIP]).sum() for start in range(0, self.N, STRIP)) + self.size)

    def forms(self, S: Values | Mask) -> Matrix:
        """Compute s'HKHs and its diagonal part, sum_i s_i (HKH)_ii, for splits s.

        Parameters
        ----------
        S : ndarray of shape (B, N)
            Splits. If rows are weighted, s holds the weights of one sample.

        Returns
        -------
        ndarray of shape (2, B)
            The quadratic forms, and their diagonal parts.
        """
        parts = (S[start : start + WIDE].astype(np.float64) for start in range(0, len(S), WIDE))
        return np.concatenate([(self._form(s), s @ self.diagonal) for s in parts], axis=1)

    def _form(self, s):
        """Compute s'HKHs from strips of columns down to the diagonal: HKH is symmetric, so half of them suffice."""
        q = np.zeros(len(s))
        for part in side_by_side(partial(self._strip, s), range(0, self.N, STRIP), TAKES * len(s) * self.N**2):
            q += part
        return q

    def _strip(self, s, start):
        """Compute the part of s'HKHs that belongs to a strip of columns."""
        strip = slice(start, start + STRIP)
        product = s[:, :start] @ self.K[:start, strip]
        product *= 2
        product += s[:, strip] @ self.K[strip, strip]
        return np.einsum("bi,bi->b", product, s[:, strip])


def refuse_too_large(size: float, N: int) -> None:
    """Raise a Refusal if sums of N² kernel values may overflow; `size` is the Frobenius norm of these values."""
    if not size < MOST / N:
        raise Refusal(
            f"the kernel's values at {N} points are so large that their sums overflow; divide all points by a"
            " common number."
        )


def centred(K: Gram, weights: Weights | None = None) -> Matrix:
    """Return the centred Gram matrix HKH.

    Parameters
    ----------
    K : ndarray of shape (N, N)
        Gram matrix.
    weights : ndarray of shape (N,) or None, default None
        Weights w; then H = I - 1w' / sum w.

    Returns
    -------
    ndarray of shape (N, N)
        A new array.
    """
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
    """Return the Gram matrix (N, N) of features minus the mean of their group, from that of the features, K."""
    for _ in range(2):  # the second time subtracts what rounding left
        K = subtract_group_means(subtract_group_means(K, groups).T, groups)
    return np.ascontiguousarray(K)


def mmd2_of_splits(gram: PooledGram, S: Mask, statistic: str) -> Vector:
    """Compute MMD² of each split from a centred Gram matrix.

    Parameters
    ----------
    gram : PooledGram
        Centred Gram matrix of the pooled points.
    S : ndarray of shape (B, N)
        Splits, true for the points of the first sample.
    statistic : {"unbiased", "biased"}
        Estimate of MMD².

    Returns
    -------
    ndarray of shape (B,)
        MMD² of each split.
    """
    n = int(np.count_nonzero(S[0]))
    q, d = gram.forms(S)
    return mmd2_of_forms(q, d, gram.diagonal.sum(), n, gram.N - n, statistic)


def mmd2_of_forms(q: Vector, d: Vector, trace: float, n: int, m: int, statistic: str) -> Vector:
    """Compute MMD² (B,) from forms q = s'HKHs and their diagonal parts d, where s is the indicator of the first sample.

    The rows of HKH sum to 0, so the sum within either sample is q, and the sum between them is -q: V = q (1/n + 1/m)^2.
    U leaves the diagonal out of both samples. Its parts are d and tr - d, so U = (q - d) / (n(n-1)) + (q - (tr - d)) /
    (m(m-1)) + 2q / (nm).
    """
    if statistic == "biased":
        return q * (1 / n + 1 / m) ** 2
    return (q - d) / (n * (n - 1)) + (q - (trace - d)) / (m * (m - 1)) + 2 * q / (n * m)


def tie_tolerance(magnitude: float, n: int, m: int) -> float:
    """Return the largest difference that rounding may leave between two equal values of MMD²: 64 eps of what they sum.

    It is magnitude / n^2 for n = m. It is relative, since an absolute 1e-12 misses equal values in the presence of a
    far outlier.
    """
    return SLACK * magnitude * ((n + m) / (2 * n * m)) ** 2
