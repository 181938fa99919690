"""The joint verdict: whether two tables differ at all, over all bandwidths and columns at once."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from explorer.datasets.joint_tables import Tables
from explorer.discrepancy.aggregated import AggregatedResult, Collection, collection_of, evidence
from explorer.discrepancy.permutation import SLACK
from explorer.kernels import Gaussian
from explorer.kernels.low_rank import some_rows
from explorer.kernels.selecting import LARGE
from explorer.types import Points

from .columns import ColumnTests
from .resamples import Resamples
from .stepdown import ranks


class JointTest(NamedTuple):
    """The tests of two samples, all by the same resamples.

    pvalue    MMDAgg's, over the kernels of all columns together, which have half of the weight, and those of each
              column's ranks or levels, which share the other half: a change of one column of many is seen by its own
              kernel, a change of how columns go together by the others
    of_all    `mmdagg_test` of all columns together alone; None where all rows are equal
    columns   the tests of each column
    """

    pvalue: float
    of_all: AggregatedResult | None
    columns: ColumnTests

    @classmethod
    def of(cls, tables: Tables, a: Points, b: Points, n_resamples: int, seed: int) -> JointTest:
        """Of a (n, d) and b (m, d), points of these tables."""
        P = np.concatenate([a, b])
        varies = P.max(axis=0) > P.min(axis=0)
        collection = _collection(tables, P, len(a), varies, n_resamples, seed) if varies.any() else None
        by_blocks = collection is not None and collection.approximation != "exact"
        tests = ColumnTests.of(P, tables.kept, Resamples(len(a), len(b), n_resamples, seed, by_blocks))
        if collection is None:
            return cls(1.0, None, tests)
        both = [collection.ranks(), ranks(tests.statistics[:, varies])]
        weights = np.concatenate([np.full(each.shape[1], 0.5 / each.shape[1]) for each in both])
        found = evidence(np.hstack(both), weights)
        return cls(float(np.mean(found >= found[0] * (1 - SLACK))), collection.aggregated(), tests)


def _collection(tables, P, n, varies, n_resamples, seed):
    """Numbers over common scales under ten Gaussians, each times the kernel of the categories; of columns that vary."""
    P = P[:, varies]
    kept = tuple(column for column, some in zip(tables.kept, varies, strict=True) if some)
    kernel = replace(tables, columns=kept).product(Gaussian())
    kernels = collection_of(kernel, P[some_rows(len(P), LARGE, seed)])
    return Collection(P[:n], P[n:], kernels, None, "unbiased", n_resamples, seed, automatic=True)
