"""The joint verdict: whether two tables differ at all, over all bandwidths at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.datasets.joint_tables import Tables
from explorer.discrepancy import mmdagg_test
from explorer.discrepancy.aggregated import AggregatedResult, collection_of
from explorer.kernels import Gaussian
from explorer.kernels.low_rank import some_rows
from explorer.kernels.selecting import LARGE
from explorer.types import Points


def joint_test(tables: Tables, a: Points, b: Points, n_resamples: int, seed: int) -> AggregatedResult | None:
    """`mmdagg_test` of a (n, d) and b (m, d), points of these tables; None where all their rows are equal.

    Numbers over their common scales under ten Gaussians, each times the kernel of the categories; columns that do not
    vary are left out, as no distance is theirs.
    """
    P = np.concatenate([a, b])
    varies = P.max(axis=0) > P.min(axis=0)
    if not varies.any():
        return None
    kept = tuple(column for column, some in zip(tables.kept, varies, strict=True) if some)
    kernel = replace(tables, columns=kept).product(Gaussian())
    kernels = collection_of(kernel, P[some_rows(len(P), LARGE, seed)][:, varies])
    how = {"n_resamples": n_resamples, "rng": seed, "approximation": "auto"}
    return mmdagg_test(a[:, varies], b[:, varies], kernels, **how)
