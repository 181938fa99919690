"""Construction of a kernel of finite rank for a kernel and a sample, under one option."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.kernels.bandwidth_selection import select
from explorer.kernels.base import Kernel
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import stream
from explorer.types import Points, PointsLike, Rng, Rows

from .fields import Approximation, refuse_unknown
from .finite import FiniteRank
from .fourier import FourierFeatures
from .landmarks import Landmarks, cholesky

RANK = 200
CANDIDATES = 20_000  # largest number of points that pivots are sought among: a factor of rank 200 takes 32 MB


@explain_wrong_calls
def low_rank(
    kernel: Kernel, X: PointsLike, approximation: Approximation = "cholesky", rank: int | None = None, rng: Rng = 0
) -> FiniteRank:
    """Approximate a kernel on points like X by a kernel of rank r: k̂(x, y) = <φ(x), φ(y)>.

    Use it for more points than a Gram matrix of n² numbers allows. For fewer use the kernel itself, which is exact.

    Parameters
    ----------
    kernel : Kernel
        The kernel. An automatic bandwidth is chosen on X, or on 6000 of more points with a warning.
    X : array_like of shape (n, d)
        The sample.
    approximation : {"cholesky", "nystrom", "features"}, default "cholesky"
        The kind of approximation, see the notes.
    rank : int or None, default None
        The rank r; None stands for 200. It is lower if there are fewer points, or if some landmarks add nothing to the
        span of the others: these are left out.
    rng : int, Generator or None, default 0
        Seed of the random points, ties and frequencies.

    Returns
    -------
    FiniteRank
        The kernel k̂.

    Raises
    ------
    ValueError
        If the approximation is another one, the rank is below 1, or "features" does not take the kernel.

    Notes
    -----
    "cholesky" puts Landmarks at the pivots of K's Cholesky factor. Each is the point that the pivots before it explain
    least, with ties broken at random, among 20,000 of the points if there are more. Far points come first, so that none
    is left out. It is the best of the three if r is large enough to reach all far points; Harbrecht, Peters and
    Schneider 2012 (Appl. Numer. Math. 62, 428).

    "nystrom" puts Landmarks at r random points, which lie where most others do. It is the best of the three for means
    at a small r; Williams and Seeger 2001 (NIPS 13).

    "features" gives FourierFeatures, for Gaussian and Laplacian only: r // 2 random frequencies that do not depend on
    the sample.

    O(n r²) time and O(n r) memory at most.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, low_rank
    >>> X = np.linspace(-2, 2, 500)[:, None]
    >>> k = low_rank(Gaussian(1.0), X, "cholesky", rank=12)
    >>> k.features(X).shape, bool(np.abs(k(X) - k.kernel(X)).max() < 1e-5)
    ((500, 12), True)
    """
    refuse_unknown(approximation)
    if approximation is None:
        raise Refusal("approximation is None, which is the exact kernel; give 'cholesky', 'nystrom' or 'features'.")
    if approximation == "auto":
        raise Refusal(
            "approximation='auto' is for what may do without a kernel of finite rank, such as mmd2; give 'cholesky',"
            " 'nystrom' or 'features'."
        )
    rank = RANK if rank is None else checks.whole(rank, "rank", 1)
    X = kernel.points(X)
    kernel = select(kernel, X, "points")
    if approximation == "features":
        return FourierFeatures.draw(kernel, X.shape[1], rank, rng)
    order = order_of_values(X)[stream(rng, "landmarks").permutation(len(X))]
    if approximation == "nystrom":
        return Landmarks(kernel, X[order[:rank]])
    Z = X[order[:CANDIDATES]]  # in random order, as the pivot is the first of equals
    pivots = cholesky(kernel, Z, rank).pivots
    return Landmarks(kernel, Z[pivots] if len(pivots) else Z[:1])  # there is no pivot if the kernel is 0 on X


def order_of_values(X: Points) -> Rows:
    """Return the row numbers of points, numbers or words, sorted by the points' values, first column first.

    A choice by this order does not depend on the order of the rows. So a choice of landmarks treats all rows alike: a
    test that permutes rows between samples, or between the two sides of pairs, stays exact, and another order of the
    rows gives the same landmarks.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The points.

    Returns
    -------
    ndarray of shape (n,)
        The row numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.kernels.low_rank import order_of_values
    >>> order_of_values(np.array([[2.0, 0.0], [1.0, 5.0], [1.0, 3.0]])).tolist()
    [2, 1, 0]
    """
    if X.ndim == 1:
        return np.argsort(X, kind="stable")
    order = np.argsort(X[:, 0], kind="stable")
    tied, group = _ties(X[order, 0], np.zeros(len(X), int))
    for x in X.T[1:]:  # later columns decide among the rows that are equal so far
        if not len(tied):
            break
        rows = order[tied]
        rows = rows[np.lexsort((x[rows], group))]
        order[tied] = rows
        some, group = _ties(x[rows], group)
        tied = tied[some]
    return order


def _ties(x, group):
    """Return positions of values (n,) that equal a neighbour of their group (n,), and the group that they then form."""
    differs = (x[1:] != x[:-1]) | (group[1:] != group[:-1])
    starts, ends = np.concatenate([[True], differs]), np.concatenate([differs, [True]])
    tied = np.flatnonzero(~(starts & ends))
    return tied, np.cumsum(starts)[tied]


def some_points(X: Points, most: int, rng: Rng, order: Rows | None = None) -> Points:
    """Return `most` random points, or all of them if there are no more: the same points for every order of the rows.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The points.
    most : int
        Largest number of points.
    rng : int, Generator or None
        Seed of the choice.
    order : ndarray of shape (n,) or None, default None
        `order_of_values` of X, if the caller has it.

    Returns
    -------
    ndarray of shape (min(n, most), d)
        The points.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.kernels.low_rank import some_points
    >>> X = np.arange(100.0)[:, None]
    >>> some_points(X, 3, rng=0).ravel().tolist() == some_points(X[::-1], 3, rng=0).ravel().tolist()
    True
    """
    if len(X) <= most:
        return X
    return X[(order_of_values(X) if order is None else order)[some_rows(len(X), most, rng)]]


def some_rows(n: int, most: int, rng: Rng, name: str = "points tried") -> Rows:
    """Return row numbers of `most` of n points, sorted; return all if there are no more.

    Parameters
    ----------
    n : int
        Number of points.
    most : int
        Largest number of rows.
    rng : int, Generator or None
        Seed of the choice.
    name : str, default "points tried"
        Name of the random stream.

    Returns
    -------
    ndarray of shape (min(n, most),)
        The row numbers.

    Examples
    --------
    >>> from explorer.kernels.low_rank import some_rows
    >>> some_rows(1000, 5, rng=0).tolist(), some_rows(3, 5, rng=0).tolist()
    ([21, 35, 226, 410, 761], [0, 1, 2])
    """
    if n <= most:
        return np.arange(n)
    return np.sort(stream(rng, name).choice(n, most, replace=False))
