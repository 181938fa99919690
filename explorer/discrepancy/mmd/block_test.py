"""Block MMD² and its exact test: between the linear-time MMD² and the U-statistic of all pairs."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import BATCH, SLACK
from explorer.discrepancy.resampling.tiled_gram import contrast
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import Kernel
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of, stream
from explorer.types import PointsLike, Rng

from .two_samples import two_samples

ROWS = 64  # number of rows of a kernel matrix that is computed for its blocks: little waste, few calls


@explain_wrong_calls
def block_test(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    size: int = 2,
    n_resamples: int = 999,
    rng: Rng = None,
) -> TestResult:
    """Test whether two samples have the same distribution, by MMD² in blocks of `size` consecutive rows.

    Use it for large samples of one size if `mmd_test` takes too long: smaller blocks take less time and have less
    power.

    p = (1 + #{null >= observed}) / (1 + B) over B = n_resamples random signs is exact if (x_i, y_i) and (y_i, x_i) have
    one distribution given the other rows: P(p <= α) <= α for any n, B and kind of data. Independent rows of one
    distribution satisfy this.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (n, d)
        Second sample, with as many rows.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    size : int, default 2
        Number of rows of a block. 2 is the statistic of `linear_time`, n the U-statistic of paired samples. Between
        them, time O(n size) buys power.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed. An int gives the same signs to every kernel and size, and a larger B only appends.

    Returns
    -------
    TestResult
        The test.

    Raises
    ------
    Refusal
        If the samples have different sizes, or fewer rows than a block.

    Notes
    -----
    The statistic of a block b is the mean over i ≠ j of h_ij = k(x_i, x_j) + k(y_i, y_j) - k(x_i, y_j) - k(x_j, y_i).
    It is unbiased. Rows that do not fill a block are not used. Under P = Q, x_i and y_i may be exchanged for each i
    alone, which turns h_ij into s_i s_j h_ij with a sign s_i.

    References
    ----------
    Zaremba, Gretton and Blaschko 2013 (NeurIPS 26, 755).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, block_test
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> result = block_test(X, Y, Gaussian(1.0), size=10, n_resamples=199, rng=0)
    >>> round(result.statistic, 3), result.pvalue
    (0.368, 0.005)
    """
    size, n_resamples = checks.whole(size, "size", 2), checks.whole(n_resamples, "n_resamples", 1)
    kernel, P, n, m, columns = two_samples(X, Y, kernel, 2, "for a block")
    if n != m:
        raise Refusal(f"X has {plural(n, 'row')} and Y has {m}; blocks pair them: give equally many of both.")
    if size > n:
        raise Refusal(f"size is {size}, and there are {plural(n, 'row')}; take blocks of at most that many.")
    H, magnitude = _blocks(contrast(kernel, P), P[:n], P[n:], size)
    signs = stream(rng, "exchange")
    starts = range(0, n_resamples, BATCH)
    drawn = [2.0 * signs.integers(0, 2, (min(BATCH, n_resamples - start), n)) - 1.0 for start in starts]
    null = np.concatenate([_means(H, each[:, : len(H) * size]) for each in drawn])
    observed = float(_means(H, np.ones((1, len(H) * size)))[0])
    name = "the linear-time MMD²" if size == 2 else f"the MMD² in blocks of {size}"
    how = "exchanges of x_i and y_i"
    return TestResult(
        observed, null, name, kernel, n, m, SLACK * magnitude, resamples=how, columns=columns, seed=seed_of(rng)
    )


def _blocks(kernel, x, y, size):
    """Return h of each block with a zero diagonal, (blocks, size, size), and the mean magnitude of the summands."""
    count = len(x) // size
    each = max(1, ROWS // size)
    parts = [_part(kernel, x, y, size, slice(i, min(i + each, count))) for i in range(0, count, each)]
    H, magnitude = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return H, float(magnitude.mean())


def _part(kernel, x, y, size, blocks):
    """Return h of some blocks (b, size, size), and for each the mean of its terms' magnitudes (b,)."""
    rows = slice(blocks.start * size, blocks.stop * size)
    a, b, count = x[rows], y[rows], blocks.stop - blocks.start

    def diagonal_blocks(first, second):
        K = kernel(first, second).reshape(count, size, count, size)
        return K[np.arange(count), :, np.arange(count), :]

    K, L, M = diagonal_blocks(a, a), diagonal_blocks(b, b), diagonal_blocks(a, b)
    off = ~np.eye(size, dtype=bool)
    H = (K + L - M - np.swapaxes(M, 1, 2)) * off
    magnitude = ((np.abs(K) + np.abs(L) + 2 * np.abs(M)) * off).sum(axis=(1, 2)) / (size * (size - 1))
    return H, magnitude


def _means(H, signs):
    """Return the mean over blocks of Σ s_i s_j h_ij / (size (size - 1)), (B,), for signs (B, blocks * size)."""
    count, size, _ = H.shape
    s = np.swapaxes(signs.reshape(len(signs), count, size), 0, 1)
    return np.einsum("bri,bri->r", s @ H, s) / (count * size * (size - 1))
