"""Compressed two-sample tests: p by the number of rows kept of each sample, and the tests' rejection rates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.discrepancy import compress_test, mmd_test, rate_interval
from explorer.discrepancy.mmd.compress_test import Bins, bins_of
from explorer.discrepancy.resampling.tiled_gram import contrast
from explorer.types import Points, Vector

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.workbench.stages import Steps


RESAMPLES = 199
LEVEL = 0.05


class Compressed(NamedTuple):
    """Tests of two samples that keep only few of the rows.

    Attributes
    ----------
    X, Y : ndarray of shape (n, d) or (m, d)
        The samples.
    stand_for : tuple of ndarray
        For each sample, the rows that represent it at the default size.
    n : int
        The number of rows of the smaller sample.
    sizes : ndarray of shape (s,)
        The numbers of rows kept of the smaller sample. The last one is n.
    pvalues : ndarray of shape (s,)
        The p of each test.
    costs : ndarray of shape (s,)
        The number of kernel values that each test needs, relative to the test of all rows.
    """

    X: np.ndarray
    Y: np.ndarray
    stand_for: tuple[np.ndarray, np.ndarray]
    n: int
    sizes: np.ndarray
    pvalues: np.ndarray
    costs: np.ndarray

    @property
    def default_index(self) -> int:
        """The index of the size that keeps about the root of a bin's rows. The repeated tests have this size."""
        return default_index(self.sizes[:-1])


@dataclass(frozen=True)
class Repeated:
    """The rejections of the compressed test in `count` pairs without a difference (`false`) and with one (`right`)."""

    count: int
    false: int
    right: int

    def interval(self, times: int) -> tuple[float, float]:
        """Return the 95 % interval of Clopper and Pearson for the probability of an event, given its count."""
        return rate_interval(times, self.count)


def default_index(sizes: Sequence[float] | Vector) -> int:
    """Return the index of the middle one of sizes that double."""
    return len(sizes) // 2


def sizes_of(n: int, m: int) -> list[int]:
    """Return the sizes of compressed tests for samples of n and m rows.

    They go from one row of each bin to all rows except those that do not fill a bin.
    """
    bins = bins_of(n, m, min(n, m) - 1)
    if bins is None:
        return []
    return [min(bins.of_x, bins.of_y) * kept for kept in _doubled(bins)]


def _doubled(bins: Bins) -> Iterator[int]:
    kept = 1
    while kept < bins.rows:
        yield kept
        kept *= 2


def compressed(X: Points, Y: Points, kernel: Kernel, seed: int) -> Steps[Compressed | tuple[()]]:
    """Return the compressed tests of two samples and the test of all rows, or () if the samples are too short."""
    n = min(len(X), len(Y))
    if n < 32:
        return ()
    sizes, pvalues, costs = sizes_of(len(X), len(Y)), [], []
    for size in sizes:
        yield
        pvalues.append(compress_test(X, Y, kernel, size=size, n_resamples=RESAMPLES, rng=seed).pvalue)
        bins: Any = bins_of(len(X), len(Y), size)
        count = bins.of_x + bins.of_y
        costs.append((count * bins.rows**2 + (count * bins.coreset_size) ** 2) / (len(X) + len(Y)) ** 2)
    yield
    whole = mmd_test(X, Y, kernel, "biased", n_resamples=RESAMPLES, rng=seed)
    P = np.concatenate([X, Y])
    usual: Any = bins_of(len(X), len(Y), sizes[default_index(sizes)])
    kept = usual.coresets(contrast(kernel, P), P, len(X), seed)
    stand_for = kept[: usual.of_x].ravel(), kept[usual.of_x :].ravel() - len(X)
    every = [*sizes, n], [*pvalues, whole.pvalue], [*costs, 1.0]
    return Compressed(X, Y, stand_for, n, *(np.array(values, float) for values in every))


def repeated(
    pair: Callable[[int, float], tuple[Points, Points]], shift: float, kernel: Kernel, size: int, count: int, seed: int
) -> Steps[Repeated]:
    """Return the rejections of the compressed test on `pair(i, shift)` for each i, without a shift and with it."""
    rejected = [0, 0]
    for i in range(count):
        for place, by in enumerate((0.0, shift)):
            yield
            X, Y = pair(i, by)
            p = compress_test(X, Y, kernel, size=size, n_resamples=RESAMPLES, rng=(seed + i) % 2**32).pvalue
            rejected[place] += p <= LEVEL
    return Repeated(count, *rejected)
