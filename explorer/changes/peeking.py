"""A test that is asked again and again, as most people do it: a t test of all rows so far, at every look."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from explorer import checks
from explorer.checks import Refusal
from explorer.types import Points, Vector


def look_pvalues(reference: Points, stream: Points, every: int) -> Vector:
    """p of Welch's t test at each look at a stream, (n // every,).

    It is between all of a reference (m, d) and the first k rows of the stream (n, d), at k = every, 2 every, ...

    Of several columns it is the smallest p times their number, at most 1 (Bonferroni), so that P(p <= level) is at most
    about the level at each single look. Of all looks together it is not: the more of them, the more false alarms. With
    x̄, s² the means and variances of a column, t = (x̄ - ȳ_k) / sqrt(s²/m + s_k²/k) has the degrees of freedom of Welch
    1947 (Biometrika 34, 28). A column that varies in neither has p = 1 where its means are equal, else 0. All looks
    take one pass of cumulated sums, O(n d). ValueError for fewer than 2 rows at a look, or of the reference.

    >>> import numpy as np
    >>> from explorer.changes import look_pvalues
    >>> rng = np.random.default_rng(0)
    >>> reference = rng.normal(size=(50, 1))
    >>> stream = np.vstack([rng.normal(size=(20, 1)), rng.normal(2.0, 1.0, size=(40, 1))])
    >>> look_pvalues(reference, stream, every=20).round(3).tolist()
    [0.536, 0.001, 0.0]
    """
    every = checks.whole(every, "every", 2)
    if len(reference) < 2:
        raise Refusal(f"reference has {len(reference)} rows; a variance takes at least 2.")
    centre = reference.mean(axis=0)
    X, Y = reference - centre, stream - centre
    k = np.arange(every, len(Y) + 1, every)[:, None]
    m, first, second = len(X), np.cumsum(Y, axis=0)[k[:, 0] - 1], np.cumsum(Y**2, axis=0)[k[:, 0] - 1]
    means = first / k
    here = X.var(axis=0, ddof=1) / m
    there = np.maximum(second - first * means, 0.0) / (k - 1) / k
    squared = here + there
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(means - X.mean(axis=0)) / np.sqrt(squared)
        df = squared**2 / (here**2 / (m - 1) + there**2 / (k - 1))
        p = 2 * stdtr(df, -t)
    equal = np.where(means == X.mean(axis=0), 1.0, 0.0)
    p = np.where(squared > 0, p, equal)
    return np.minimum(p.shape[1] * p.min(axis=1), 1.0)
