"""Which rows of one sample are most unlike the other."""

from __future__ import annotations

import numpy as np

from explorer.datasets.joint_tables import Tables
from explorer.kernels import RationalQuadratic
from explorer.kernels.low_rank import some_rows
from explorer.kernels.selecting import LARGE
from explorer.stopping import go_on
from explorer.types import Points, Vector

OTHERS = 1000  # rows of the other sample that each row is compared with
PART = 2000  # rows at a time


def likeness(tables: Tables, X: Points, Y: Points, seed: int) -> Vector:
    """How much each row of X (n, d) is like the rows of Y, (n,), from 0 to 1: the kernel mean of Y there.

    The kernel is a rational quadratic one with the median bandwidth of all rows, times that of categories: it falls by
    a power of the distance, so that of two far rows the farther one is still the less like. Of more than 1000 rows of Y
    1000 random ones stand for all.
    """
    P = np.concatenate([X, Y])
    kernel = tables.product(RationalQuadratic()).select(P[some_rows(len(P), LARGE, seed)])
    some = Y[some_rows(len(Y), OTHERS, seed)]
    alike = np.empty(len(X))
    for start in range(0, len(X), PART):
        go_on()
        part = slice(start, start + PART)
        alike[part] = kernel(X[part], some).mean(axis=1)
    return alike
