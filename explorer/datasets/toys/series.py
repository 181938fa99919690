"""Toy series: rows in order of time, and what may change in them from one row on."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.rng import stream
from explorer.types import Matrix, Points

SERIES = ("normal", "heavy", "memory")
DRIFTS = ("none", "shift", "spread", "dependence", "slow")
DF = 3  # degrees of freedom of the heavy tails
MEMORY = 0.6  # the correlation of a row with the one before it


def series(kind: str, n: int, rng: int | None = None) -> Matrix:
    """n rows (n, 2) in order of time in which nothing changes; with an int seed a larger n only appends rows.

    With v_i standard normal in the plane and c_i from chi squared of 3 degrees of freedom, each coordinate of variance
    1 and the two uncorrelated:

    "normal"  x_i = v_i, independent rows
    "heavy"   x_i = v_i / sqrt(c_i), independent rows of Student's t
    "memory"  x_i = 0.6 x_{i-1} + 0.8 v_i, rows that depend on those before them

    ValueError for others.

    >>> import numpy as np
    >>> from explorer.datasets import series
    >>> X = series("memory", 1000, rng=0)
    >>> [round(float(np.corrcoef(X[:-lag, 0], X[lag:, 0])[0, 1]), 1) for lag in (1, 2, 3)]
    [0.6, 0.3, 0.1]
    """
    if kind not in SERIES:
        raise Refusal(f"There is no series {checks.echo(kind)}; the series are {', '.join(SERIES)}.")
    n = checks.whole(n, "n", 1)
    X = stream(rng, "noise").normal(size=(n, 2))
    if kind == "heavy":  # t / sqrt(DF / (DF - 2)), t = v / sqrt(c / DF)
        X *= math.sqrt(DF - 2) / np.sqrt(stream(rng, "scale").chisquare(DF, size=n))[:, None]
    if kind == "memory":
        X[1:] *= math.sqrt(1 - MEMORY**2)
        for i in range(1, n):
            X[i] += MEMORY * X[i - 1]
    return X


def drifted(X: Points, kind: str, row: int, size: float) -> Matrix:
    """Rows X (n, d) that change from `row` on, counted from 0, as if each column had variance 1.

    "none"        nothing changes
    "shift"       `size` is added to the first column
    "spread"      the first column is multiplied by 1 + size
    "dependence"  the second column y becomes sqrt(1 - ρ²) y - ρ x in the rows before, + ρ x in those after, with x the
                  first column and ρ = size / sqrt(1 + size²): where x and y are uncorrelated and of variance 1, their
                  correlation goes from -ρ to ρ and neither column changes in mean or variance
    "slow"        what is added to the first column grows in equal steps, up to `size` in the last row

    ValueError for other kinds, and for a dependence of fewer than two columns.

    >>> from explorer.datasets import drifted
    >>> drifted([[0.0], [1.0], [0.0], [1.0]], "shift", row=2, size=3.0).tolist()
    [[0.0], [1.0], [3.0], [4.0]]
    >>> drifted([[0.0], [1.0], [0.0], [1.0]], "slow", row=2, size=3.0).tolist()
    [[0.0], [1.0], [1.5], [4.0]]
    """
    if kind not in DRIFTS:
        raise Refusal(f"There is no change {checks.echo(kind)}; the changes are {', '.join(DRIFTS)}.")
    X = np.array(checks.sample(X))
    n, d = X.shape
    row, size = checks.whole(row, "row", 0), float(size)
    if row > n:
        raise Refusal(f"row is {row}, and there are {n} rows; the change may begin at any of these.")
    if kind == "shift":
        X[row:, 0] += size
    if kind == "spread":
        X[row:, 0] *= 1 + size
    if kind == "slow":
        X[row:, 0] += size * np.arange(1, n - row + 1) / max(n - row, 1)
    if kind == "dependence":
        if d < 2:
            raise Refusal("one column depends on no other; take two columns or more, or another kind of change.")
        rho = size / math.hypot(1, size)
        X[:, 1] = rho * np.where(np.arange(n) < row, -1, 1) * X[:, 0] + X[:, 1] / math.hypot(1, size)
    return X
