"""Toy series: rows in order of time, and changes in them from a given row on."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.printing import plural
from explorer.rng import stream
from explorer.types import Matrix, Points

SERIES = ("normal", "heavy", "memory")
DRIFTS = ("none", "shift", "spread", "dependence", "slow")
DF = 3  # degrees of freedom of the heavy tails
MEMORY = 0.6  # correlation of consecutive rows


def series(kind: str, n: int, rng: int | None = None) -> Matrix:
    r"""Draw n rows in order of time in which nothing changes.

    The two columns have variance 1 and are uncorrelated. With an int seed a larger n only appends rows.

    Parameters
    ----------
    kind : {"normal", "heavy", "memory"}
        The kind of rows, see Notes.
    n : int
        Number of rows, at least 1.
    rng : int or None, default None
        Seed of the draws.

    Returns
    -------
    ndarray of shape (n, 2)
        The rows.

    Raises
    ------
    ValueError
        If `kind` is another name, or n is below 1.

    Notes
    -----
    Let :math:`v_i` be standard normal in the plane and :math:`c_i` from the chi-squared distribution of 3 degrees of
    freedom:

    - "normal": :math:`x_i = v_i`, independent rows.
    - "heavy": :math:`x_i = v_i / \sqrt{c_i}`, independent rows of Student's t.
    - "memory": :math:`x_i = 0.6\, x_{i-1} + 0.8\, v_i`, rows that depend on earlier ones.

    Examples
    --------
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
    if kind == "heavy":  # Student's t = v / sqrt(c / DF), divided by its standard deviation sqrt(DF / (DF - 2))
        X *= math.sqrt(DF - 2) / np.sqrt(stream(rng, "scale").chisquare(DF, size=n))[:, None]
    if kind == "memory":
        X[1:] *= math.sqrt(1 - MEMORY**2)
        for i in range(1, n):
            X[i] += MEMORY * X[i - 1]
    return X


def drifted(X: Points, kind: str, row: int, size: float) -> Matrix:
    r"""Return rows that change from a given row on.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Rows in order of time. The changes are those of columns of variance 1.
    kind : {"none", "shift", "spread", "dependence", "slow"}
        The change, see Notes.
    row : int
        First changed row, counted from 0; n changes none.
    size : float
        Size of the change.

    Returns
    -------
    ndarray of shape (n, d)
        The changed rows.

    Raises
    ------
    ValueError
        If `kind` is another name, `row` is beyond n, or a dependence is to change in fewer than two columns.

    Notes
    -----
    - "none": nothing changes.
    - "shift": `size` is added to the first column.
    - "spread": the first column is multiplied by 1 + size.
    - "dependence": the second column y becomes :math:`\sqrt{1 - \rho^2}\, y - \rho x` in the rows before and
      :math:`\sqrt{1 - \rho^2}\, y + \rho x` in those after, with x the first column and
      :math:`\rho = a / \sqrt{1 + a^2}` for the size a. If x and y are uncorrelated and of variance
      1, their correlation goes from -ρ to ρ, and neither column changes in mean or variance.
    - "slow": an amount is added to the first column that grows in equal steps, up to `size` in the last row.

    Examples
    --------
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
        raise Refusal(f"row is {row}, and there are {plural(n, 'row')}; the change may begin at any of these.")
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
