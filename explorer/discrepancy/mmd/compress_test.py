"""Compress then test: MMD² of coresets of many bins of rows, and its permutation test by bins."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import (
    CentredGram,
    mmd2_of_splits,
    observed_split,
    splits,
    tie_tolerance,
)
from explorer.discrepancy.resampling.tiled_gram import contrast
from explorer.discrepancy.results.test_result import TestResult
from explorer.embeddings.halving import coreset
from explorer.execution import memory_limits
from explorer.execution.cancellation import check_cancelled
from explorer.kernels import Kernel
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of, stream
from explorer.types import Gram, Points, PointsLike, Rng, Rows

from .two_samples import TwoSampleProblem

BINS = 16  # smallest number of bins of the smaller sample; those of two samples have 10^8 permutations
ROOTS = 4  # default size of a coreset, as a multiple of the square root of a bin's rows
ENTRIES = 2**22  # number of entries of the coresets' Gram matrix in memory at once: 32 MB


@explain_wrong_calls
def compress_test(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    *,
    size: int | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
) -> TestResult:
    """Test whether two samples have the same distribution, by the biased MMD² of few rows that represent them.

    Use it for large samples if `mmd_test` takes too long. For small ones, whose rows are all kept, it is `mmd_test`.

    p = (1 + #{null >= observed}) / (1 + B) over B = n_resamples permutations of the coresets. These are exchangeable if
    the rows are, because all bins have the same size and each is thinned with random numbers of its own. p is exact
    then: P(p <= α) <= α for all n, m, B, sizes and kinds of data.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    size : int or None, default None
        Largest number of rows kept of the smaller sample, from one of each bin to all. c is the largest power of two
        that this allows, and the same share is kept of the larger sample. None takes c about 4 √b if the smaller sample
        has at least 1024 rows, and otherwise keeps all rows. If all are kept, this is `mmd_test`.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.

    Returns
    -------
    TestResult
        The test.

    Raises
    ------
    Refusal
        If the size is larger than the smaller sample or less than one row of each bin, or if a size is given for
        samples with too few rows for bins of two.

    Notes
    -----
    The rows of each sample are assigned at random to bins of b rows. b is the largest power of two that leaves at least
    16 bins of the smaller sample; rows that do not fill a bin are not used. Kernel thinning compresses each bin to a
    coreset of c rows whose kernel mean is near that of the bin. The statistic is ``mmd2(., ., kernel, "biased")`` of
    the coresets. One kernel serves both steps, and the coreset of a bin is at last improved by exchanges with other
    rows of the bin (KT-SWAP), as in `thin`.

    Without a size this takes O(N log N) values of the kernel for N = n + m rows, instead of the O(N²) of `mmd_test`.

    References
    ----------
    Domingo-Enrich, Dwivedi and Mackey 2023, Compress Then Test (AISTATS), algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import compress_test
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (1000, 1)), rng.normal(0.4, 1.0, (1000, 1))
    >>> result = compress_test(X, Y, size=250, n_resamples=199, rng=0)
    >>> result.pvalue, result.name
    (0.005, 'the biased MMD² of 248 and 248 rows that stand for the samples')
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    comparison = TwoSampleProblem(X, Y, kernel, "biased", None)
    rows = comparison.rows
    P, n, m = rows.P, rows.n, rows.m
    bins = bins_of(n, m, size)
    if bins is None:
        return comparison.test(n_resamples, rng)
    alike = contrast(rows.kernel, P)
    gram = CentredGram(_between(alike, P, bins.coresets(alike, P, n, rng)))
    observed = mmd2_of_splits(gram, observed_split(gram.N, bins.of_x), "biased")
    null = mmd2_of_splits(gram, splits(gram.N, bins.of_x, n_resamples, rng), "biased")
    kept = f"{bins.of_x * bins.coreset_size} and {bins.of_y * bins.coreset_size} rows"
    return TestResult(
        float(observed[0]),
        null,
        f"the biased MMD² of {kept} that stand for the samples",
        rows.kernel,
        n,
        m,
        tie_tolerance(gram.magnitude, bins.of_x, bins.of_y),
        f"permutations of {gram.N} bins",
        columns=comparison.columns,
        seed=seed_of(rng),
    )


class Bins(NamedTuple):
    """Bins of the rows of two samples.

    Attributes
    ----------
    of_x : int
        Number of bins of X.
    of_y : int
        Number of bins of Y.
    rows : int
        Number of rows of a bin.
    halvings : int
        Number of times that a bin is halved.
    """

    of_x: int
    of_y: int
    rows: int
    halvings: int

    @property
    def coreset_size(self) -> int:
        """Number of rows of the coreset of a bin."""
        return self.rows >> self.halvings

    def coresets(self, contrast: Any, P: Points, n: int, rng: Rng) -> Rows:
        """Compute the coreset of each bin.

        Parameters
        ----------
        contrast : Kernel
            Kernel of the thinning.
        P : ndarray of shape (n + m, d)
            Pooled points.
        n : int
            Number of points of X.
        rng : int, Generator or None
            Seed of the bins and of the random numbers that thin them.

        Returns
        -------
        ndarray of shape (bins, coreset_size)
            Rows of the pooled points, X's bins first.
        """
        order, coins = stream(rng, "bins"), stream(rng, "halving")
        of_x = order.permutation(n)[: self.of_x * self.rows]
        of_y = n + order.permutation(len(P) - n)[: self.of_y * self.rows]
        bins = np.concatenate([of_x, of_y]).reshape(-1, self.rows)
        return np.array([coreset(contrast, P, each, self.halvings, coins) for each in bins])


def bins_of(n, m, size):
    """Choose the bins of samples of n and m rows.

    Parameters
    ----------
    n : int
        Number of rows of X.
    m : int
        Number of rows of Y.
    size : int or None
        Largest number of rows kept of the smaller sample.

    Returns
    -------
    Bins or None
        The bins, or None if all rows are kept.
    """
    least, name = min(n, m), "X" if n <= m else "Y"
    rows = 2 ** max((least // BINS).bit_length() - 1, 0)
    if size is None:
        halvings = max((rows.bit_length() - 1) // 2 - (ROOTS.bit_length() - 1), 0)
    else:
        size = checks.whole(size, "size", 1)
        if size > least:
            raise Refusal(
                f"size is {size}, and {name} has {plural(least, 'row')}; take at most that many, which keeps all."
            )
        if size < least and rows == 1:
            raise Refusal(
                f"size is {size} of the {least} rows of {name}, too few to be compressed: {BINS} bins of two take"
                f" {2 * BINS}. Take size=None, which keeps all rows, or mmd_test."
            )
        if size < least // rows:
            raise Refusal(
                f"size is {size}, and the {least} rows of {name} fill {least // rows} bins, which keep at least one"
                f" row each; take at least {least // rows}."
            )
        each = 2 ** ((size // (least // rows)).bit_length() - 1)
        halvings = 0 if size == least else max((rows // each).bit_length() - 1, 1)
    return Bins(n // rows, m // rows, rows, halvings) if halvings else None


def _between(kernel, P, coresets) -> Gram:
    """Return the means of the kernel between the rows of each two coresets, (bins, bins)."""
    bins, kept = coresets.shape
    memory_limits.refuse_large_gram(bins)
    chosen, G = P[coresets.ravel()], np.empty((bins, bins))
    wide = max(1, ENTRIES // (kept * len(chosen)))
    for start in range(0, bins, wide):
        check_cancelled()
        part = chosen[start * kept : (start + wide) * kept]
        K = kernel(part, chosen)
        G[start : start + wide] = K.reshape(-1, kept, bins, kept).mean(axis=(1, 3))
    return G
