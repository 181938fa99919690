"""A test that is repeated again and again, as is common practice: a t test of all rows so far, at every look."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from explorer import checks
from explorer.checks import Refusal
from explorer.printing import plural
from explorer.types import Points, Vector


def look_pvalues(reference: Points, stream: Points, every: int) -> Vector:
    r"""Return p of Welch's t test at each look at a stream.

    The test compares all rows of the reference with the first k rows of the stream, at k = every, 2 every, ...

    Parameters
    ----------
    reference : ndarray of shape (m, d)
        Rows of the reference.
    stream : ndarray of shape (n, d)
        Rows of the stream, in order of time.
    every : int
        Number of rows from one look to the next, at least 2.

    Returns
    -------
    ndarray of shape (n // every,)
        One p-value for each look.

    Raises
    ------
    ValueError
        If a look or the reference has fewer than 2 rows.

    Notes
    -----
    For several columns p is the smallest p times their number, at most 1 (Bonferroni), so that P(p <= level) is at most
    about the level at each single look. For all looks together it is not: the more looks, the more false alarms. With
    x̄, s² the means and variances of a column,

    .. math:: t = \frac{\bar x - \bar y_k}{\sqrt{s^2/m + s_k^2/k}}

    has the degrees of freedom of Welch 1947 (Biometrika 34, 28). A column that varies in neither has p = 1 if its means
    are equal, otherwise 0. All looks take one pass of cumulated sums, O(n d).

    Examples
    --------
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
        raise Refusal(f"reference has {plural(len(reference), 'row')}; a variance takes at least 2.")
    centre = reference.mean(axis=0)
    X, Y = reference - centre, stream - centre
    k = np.arange(every, len(Y) + 1, every)[:, None]
    m, first, second = len(X), np.cumsum(Y, axis=0)[k[:, 0] - 1], np.cumsum(Y**2, axis=0)[k[:, 0] - 1]
    means = first / k
    error_x = X.var(axis=0, ddof=1) / m
    error_y = np.maximum(second - first * means, 0.0) / (k - 1) / k
    squared = error_x + error_y
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(means - X.mean(axis=0)) / np.sqrt(squared)
        df = squared**2 / (error_x**2 / (m - 1) + error_y**2 / (k - 1))
        p = 2 * stdtr(df, -t)
    equal = np.where(means == X.mean(axis=0), 1.0, 0.0)
    p = np.where(squared > 0, p, equal)
    return np.minimum(p.shape[1] * p.min(axis=1), 1.0)
