"""MONK's direction estimate for every number of blocks, in a few milliseconds each, for a slider of Q."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.estimators.medianofmeans.blocks import (
    block_count,
    block_gram,
    block_sizes,
    median_position,
    split,
    starts,
)
from explorer.estimators.medianofmeans.majority import best_direction
from explorer.execution.processors import limit_threads_of_methods
from explorer.printing import printed
from explorer.record import record
from explorer.svg import inline_pictures
from explorer.types import Matrix, Points, PointsLike, Rng, Rows, Values

from .estimates import PARTITIONS, MonkResult, draw_orders, witness_means
from .paired_sample import features, pair_differences, paired
from .resampled_pairs import block_means, without_rounding

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


SLIDER = tuple(range(1, 42, 2))


@printed
@record
class BlockTable:
    """Table of MONK's direction estimate with a row for each number of blocks, so that a page can answer a slider of Q.

    Attributes
    ----------
    blocks : ndarray of shape (m,)
        Numbers of blocks Q.
    values : ndarray of shape (m,)
        Direction estimates, the median over 8 partitions.
    block_values : ndarray of shape (m, largest Q)
        Block means of the witness on the last partition, nan beyond Q.
    median_block : ndarray of shape (m,)
        Position of the lower median among them.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.monk import BlockPath, BlockTable
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(1.0, 1.0, (60, 1))
    >>> table: BlockTable = BlockPath(X, Y, rng=0, blocks=[1, 3, 5]).table()
    >>> table.values.round(2).tolist(), table.block_values.shape, table.block_values[1].round(2).tolist()
    ([0.44, 0.46, 0.47], (3, 5), [0.43, 0.29, 0.57, nan, nan])
    """

    blocks: np.ndarray
    values: np.ndarray
    block_values: np.ndarray
    median_block: np.ndarray

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    def _sentence(self):
        return "MONK's MMD by 'direction', by the number of blocks."

    def _picture(self):
        return inline_pictures.curve(self.blocks, self.values, self._sentence())


@limit_threads_of_methods
class BlockPath:
    """MONK's direction estimates, ``monk_mmd(X, Y, kernel, Q, "direction", rng=rng)``, for every number of blocks Q.

    The 8 permutations are drawn once.

    Parameters
    ----------
    X : array_like of shape (N, d)
        First side of the pairs.
    Y : array_like of shape (N, d)
        Second side of the pairs.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    rng : int, Generator or None, default None
        Seed of the permutations.
    blocks : sequence of int, optional
        Numbers of blocks to prepare. Sums between all their borders are computed once, in O(N^2), so that each takes
        O(Q^2) sums of those, 2 ms at N = 2000. Another Q takes O(N r) sums of features if the Gram matrix of the
        differences has a rank r <= 64, as polynomials and smooth kernels in one dimension have, and O(N^2) otherwise.

    Attributes
    ----------
    rank : int or None
        r, or None if there are no features.

    Notes
    -----
    Every sum adds the entries of its block and nothing else. Differences of cumulative sums would be easier to write,
    but leave errors of 1e-3 in clean blocks if there is an outlier at 2000 under a quadratic kernel, and larger errors
    for a farther outlier.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Linear
    >>> from explorer.discrepancy.monk import BlockPath
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(1.0, 1.0, (60, 1))
    >>> X[:4] = 100.0
    >>> path = BlockPath(X, Y, Linear(), rng=0, blocks=[1, 5, 11])
    >>> [round(path.value(Q), 2) for Q in path.prepared]
    [5.65, 3.89, 0.44]
    """

    n: int
    rank: int | None
    orders: Rows
    kernel: Kernel
    columns: tuple[str, ...]
    prepared: tuple[int, ...]

    def __init__(
        self, X: PointsLike, Y: Points, kernel: Kernel | None = None, rng: Rng = None, blocks: Sequence[int] = SLIDER
    ) -> None:
        two = paired(X, Y, kernel)
        self.kernel, self.columns = two.kernel, two.columns
        self._set(pair_differences(two.kernel, two.X, two.Y), rng, blocks)

    @classmethod
    def of_differences(cls, D: Matrix, kernel: Kernel, rng: Rng = None, blocks: Sequence[int] = SLIDER) -> BlockPath:
        """Make a BlockPath, MONK's estimates for all numbers of blocks, from the Gram matrix of the pairs' differences.

        Parameters
        ----------
        D : ndarray of shape (N, N)
            Gram matrix, see `pair_differences`.
        kernel : Kernel
            Kernel of D.
        rng : int, Generator or None, default None
            Seed of the permutations.
        blocks : sequence of int, optional
            Numbers of blocks whose sums are computed at once, so that each estimate is fast.

        Returns
        -------
        BlockPath
            The estimates, each computed when it is asked for.
        """
        path = object.__new__(cls)
        path.kernel, path.columns = kernel, ()
        path._set(D, rng, blocks)
        return path

    def _set(self, D, rng, blocks):
        self.n, self.orders = len(D), draw_orders(len(D), "direction", PARTITIONS, rng)
        self.prepared, self._results = tuple(Q for Q in blocks if Q <= self.n), {}
        self._borders = np.unique(np.concatenate([[0], *(starts(self.n, Q) for Q in self.prepared)])).astype(int)
        self._lengths = np.sqrt(np.maximum(D.diagonal(), 0.0))[None]
        found = features(D)
        if found is None:
            self.rank, self._kept = None, D
            self._atoms = np.array([_sums(D[order][:, order], self._borders, both=True) for order in self.orders])
        else:
            self.rank, self._kept = found.shape[1], found
            self._atoms = np.array([_sums(found[order], self._borders) for order in self.orders])

    @property
    def nbytes(self) -> int:
        """Approximate memory in bytes. Without features, it has sums between all borders for each of 8 partitions."""
        return self._atoms.nbytes + self._kept.nbytes

    def grams(self, blocks: int) -> Values:
        """Return the inner products of the block means on each partition.

        Parameters
        ----------
        blocks : int
            Number of blocks Q.

        Returns
        -------
        ndarray of shape (8, Q, Q)
            The inner products.
        """
        at = starts(self.n, block_count(blocks, self.n, "pairs"))
        lengths = np.concatenate([block_means(self._lengths, order, at) for order in self.orders])
        return without_rounding(self._products(at), lengths[:, :, None] * lengths[:, None, :])

    def _products(self, at):
        sizes = block_sizes(self.n, at)
        atoms = np.minimum(np.searchsorted(self._borders, at), len(self._borders) - 1)
        known = (self._borders[atoms] == at).all()
        if self.rank is not None:
            parts, cut = (self._atoms, atoms) if known else (self._kept[self.orders], at)
            means = np.add.reduceat(parts, cut, axis=1) / sizes[:, None]
            return means @ means.transpose(0, 2, 1)
        if known:
            sums = np.add.reduceat(np.add.reduceat(self._atoms, atoms, axis=2), atoms, axis=1)
            return sums / (sizes[:, None] * sizes)
        return np.array([block_gram(self._kept[order][:, order], at) for order in self.orders])

    def value(self, blocks: int) -> float:
        """Return the estimate for a number of blocks.

        Parameters
        ----------
        blocks : int
            Number of blocks Q.

        Returns
        -------
        float
            The estimate.
        """
        return float(np.median(best_direction(self.grams(blocks))[0]))

    def at(self, blocks: int) -> MonkResult:
        """Return the whole MonkResult for a number of blocks; it is computed once for each Q.

        Parameters
        ----------
        blocks : int
            Number of blocks Q.

        Returns
        -------
        MonkResult
            The result.
        """
        if blocks not in self._results:
            self._results[blocks] = self._at(blocks)
        return self._results[blocks]

    def _at(self, blocks):
        G = self.grams(blocks)
        history, chosen = best_direction(G)
        last = witness_means(G[-1], int(chosen[-1]))
        parts = split(self.orders[-1], starts(self.n, blocks))
        value, middle = float(np.median(history)), int(median_position(last))
        return MonkResult(value, last, parts, middle, history, self.kernel, "direction", self.n)

    def table(self) -> BlockTable:
        """Return the estimates, block means and median blocks for all numbers of blocks that were prepared.

        Returns
        -------
        BlockTable
            A row for each number of blocks.
        """
        results = [self.at(Q) for Q in self.prepared]
        padded = np.full((len(results), max(self.prepared, default=0)), np.nan)
        for row, result in zip(padded, results, strict=True):
            row[: len(result.block_values)] = result.block_values
        values, middles = np.array([r.value for r in results]), np.array([r.median_block for r in results])
        return BlockTable(np.array(self.prepared), values, padded, middles)


def _sums(rows, borders, both=False):
    sums = np.add.reduceat(rows, borders, axis=0)
    return np.add.reduceat(sums, borders, axis=1) if both else sums
