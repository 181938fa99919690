"""Which rows a test hangs on: MMD^2 without each of them."""

from __future__ import annotations

import numpy as np

from .mmd import one_of, two_samples
from .permutation import centred
from .tiled import contrast_gram


def without_each(X, Y, kernel=None, statistic="unbiased"):
    """MMD^2 without each row in turn, (n + m,), X's rows first.

    The kernel, an automatic bandwidth too, is that of all rows.

    O((n + m)^2) for all of them. "unbiased" needs three rows in each sample, "biased" two.
    """
    one_of(statistic, ("unbiased", "biased"), "statistic")
    at_least = 3 if statistic == "unbiased" else 2
    kernel, P, n, _ = two_samples(X, Y, kernel, at_least, "to leave a row out of it")
    return without_each_of(centred(contrast_gram(kernel, P)), n, statistic)


def without_each_of(K, n, statistic="unbiased"):
    """The same from the Gram matrix K (N, N) of the pooled points, centred so that nothing cancels in its sums."""
    N, diagonal, first = len(K), np.diag(K), np.arange(len(K)) < n
    m = N - n
    x, y = K[:, :n].sum(axis=1), K[:, n:].sum(axis=1)
    # sums within both samples and across, less what the row has in them
    xx = x[:n].sum() - np.where(first, 2 * x - diagonal, 0.0)
    yy = y[n:].sum() - np.where(first, 0.0, 2 * y - diagonal)
    xy = x[n:].sum() - np.where(first, y, x)
    k, l = np.where(first, n - 1, n), np.where(first, m, m - 1)
    if statistic == "biased":
        return xx / k**2 + yy / l**2 - 2 * xy / (k * l)
    tx, ty = diagonal[:n].sum() - np.where(first, diagonal, 0.0), diagonal[n:].sum() - np.where(first, 0.0, diagonal)
    return (xx - tx) / (k * (k - 1)) + (yy - ty) / (l * (l - 1)) - 2 * xy / (k * l)
