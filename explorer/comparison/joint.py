"""The joint verdict: whether two tables differ at all, over all bandwidths and columns at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, logsumexp

from explorer.datasets.common_space import Tables
from explorer.discrepancy.columns.step_down import TIES, standardised
from explorer.discrepancy.mmd.aggregated import Collection, collection_of
from explorer.discrepancy.resampling.aggregation import AggregatedResult
from explorer.execution.cancellation import check_cancelled
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth_selection import LARGE
from explorer.kernels.low_rank import some_points
from explorer.types import Matrix, Points, Rows, Vector

from .columns import ColumnTests
from .moments import Moments
from .rows import OutlyingRows, outlying_row_indicators
from .within import resamples_of


class JointTest(NamedTuple):
    """Tests of two samples, all with the same resamples.

    Attributes
    ----------
    pvalue : float
        p over four families of statistics that share the weight equally, see `evidence`: the kernels of all columns
        together; those of each column's ranks or levels; places, spreads and correlations, see `Moments`; and the
        numbers of rows of a and b among those that are least like all others. A change of one of many columns shows in
        its own kernel, one of any shape in the first family, one of correlations in the third, and a few rows that lie
        far away in the last, which needs 160 rows.
    of_all : AggregatedResult or None
        `mmdagg_test` of all columns together alone; None if all rows are equal.
    columns : ColumnTests
        The tests of each column.
    far : OutlyingRows or None
        The rows that are least like all others; None if there are too few rows.
    """

    pvalue: float
    of_all: AggregatedResult | None
    columns: ColumnTests
    far: OutlyingRows | None

    @classmethod
    def of(
        cls, tables: Tables, a: Points, b: Points, n_resamples: int, seed: int, groups: Rows | None = None
    ) -> JointTest:
        """Test a (n, d) and b (m, d), points of these tables; splits stay within `groups` (n + m,) of subjects."""
        P = np.concatenate([a, b])
        varies = P.max(axis=0) > P.min(axis=0)
        collection = _collection(tables, P, len(a), varies, n_resamples, seed, groups) if varies.any() else None
        by_blocks = collection is not None and collection.approximation != "exact"
        resamples = resamples_of(len(a), len(b), n_resamples, seed, by_blocks, groups)
        tests = ColumnTests.of(P, tables, resamples)
        if collection is None:
            return cls(1.0, None, tests, None)
        marks = outlying_row_indicators(tables, P, seed)
        far = np.square(resamples.differences(marks))
        # smaller values are rounding
        of_all = np.where(collection.values > collection.tolerance, collection.values, 0.0)
        found = evidence([of_all], [tests.statistics], Moments.of(tables, P, resamples), [far])
        pvalue = float(np.mean(found >= found[0] - TIES))
        return cls(pvalue, collection.aggregated(), tests, OutlyingRows.of(marks, far, len(a)))


def evidence(*families: Sequence[Matrix]) -> Vector:
    r"""Return :math:`\log \sum_k \pi_k / p_k` of B + 1 splits, (B + 1,), from families of statistics (B + 1, k) >= 0.

    The families share the weight equally, and so do the matrices of each, and the columns of each matrix; a statistic
    that no split changes has no weight. p_k is 1 - Φ(z_k) for the statistic as `standardised` returns it, not its rank
    among the splits: with ranks the least p_k is 1 / (1 + B), which some of k kernels have in about k of 1 + B splits,
    so that the joint p would not fall much below k / (1 + B). Σ π_k / p_k is one over the weighted harmonic mean of the
    p_k (Wilson 2019, Proc. Natl. Acad. Sci. 116, 1195). Unlike max_k π_k / p_k, the statistic of MMDAgg, it also grows
    if several statistics detect the same change. Any function of the splits that treats them alike gives an exact test.
    """
    each = [[_varying(standardised(one)) for one in family] for family in families]
    kept = [[z for z in family if z.shape[1]] for family in each]
    kept = [family for family in kept if family]
    weights = [np.full(z.shape[1], 1 / (len(kept) * len(family) * z.shape[1])) for family in kept for z in family]
    if not weights:
        return np.zeros(len(families[0][0]))
    z = np.hstack([z for family in kept for z in family])
    return np.asarray(logsumexp(np.log(np.concatenate(weights)) - log_ndtr(-z), axis=1))


def _varying(z):
    """Return the statistics that vary over the splits."""
    return z[:, ~np.isneginf(z[0])]


def _collection(tables, P, n, varies, n_resamples, seed, groups):
    """Build the kernels: ten Gaussians on the scaled numeric columns, each times the kernel of the categories.

    Constant columns are left out.
    """
    P = P[:, varies]
    kept = tuple(column for column, some in zip(tables.included, varies, strict=True) if some)
    kernel = replace(tables, columns=kept).product(Gaussian())
    kernels = collection_of(kernel, some_points(P, LARGE, seed))
    check_cancelled()
    return Collection(P[:n], P[n:], kernels, None, "biased", n_resamples, seed, True, groups)
