"""A kernel of finite rank for a kernel and a sample, under one option."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.elsewhere import explain_wrong_calls
from explorer.kernels.bandwidth_selection import select
from explorer.kernels.base import Kernel
from explorer.rng import stream
from explorer.types import Points, PointsLike, Rng, Rows

from .fields import Approximation, refuse_unknown
from .finite import FiniteRank
from .fourier import FourierFeatures
from .landmarks import Landmarks, cholesky

RANK = 200
CANDIDATES = 20_000  # points that greedy pivots are sought among: their factor of rank 200 takes 32 MB


@explain_wrong_calls
def low_rank(
    kernel: Kernel, X: PointsLike, approximation: Approximation = "cholesky", rank: int | None = None, rng: Rng = 0
) -> FiniteRank:
    """A kernel k̂ of rank r that stands for `kernel` on points like X (n, d): k̂(x, y) = <φ(x), φ(y)>, a kernel itself.

    "cholesky"  Landmarks at the pivots of K's Cholesky factor: each the point that those before it explain least, ties
                at random. Among 20,000 of the points where there are more. Far points come first, so that none is left
                out: the best of the three where r is large enough to reach them all; Harbrecht, Peters and Schneider
                2012 (Appl. Numer. Math. 62, 428)
    "nystrom"   Landmarks at r random points, which lie where most others do: the best of the three for means at a small
                r; Williams and Seeger 2001 (NIPS 13)
    "features"  FourierFeatures, Gaussian and Laplacian only: r // 2 random frequencies, whatever the sample is

    rank    r, None for 200; landmarks are at most n, and those that the others span are left out
    rng     of the random points, ties and frequencies

    An automatic bandwidth is chosen on X, on 6000 of more points with our warning. O(n r²) time and O(n r) memory at
    most. ValueError for another approximation, a rank below 1, and a kernel that "features" does not take.

    >>> import numpy as np
    >>> from explorer import Gaussian, low_rank
    >>> X = np.linspace(-2, 2, 500)[:, None]
    >>> k = low_rank(Gaussian(1.0), X, "cholesky", rank=12)
    >>> k.features(X).shape, bool(np.abs(k(X) - k.kernel(X)).max() < 1e-5)
    ((500, 12), True)
    """
    refuse_unknown(approximation)
    if approximation is None:
        raise Refusal("approximation is None, the kernel as it is; give 'cholesky', 'nystrom' or 'features'.")
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
    Z = X[order[:CANDIDATES]]  # the pivot is the first of equals
    pivots = cholesky(kernel, Z, rank).pivots
    return Landmarks(kernel, Z[pivots] if len(pivots) else Z[:1])  # of a kernel that is 0 on X


def order_of_values(X: Points) -> Rows:
    """Return the row numbers of points X (n, d), numbers or words, sorted by the points' values, first column first.

    What is chosen by this order does not depend on the order of the rows. So a choice of landmarks treats all rows
    alike: a test stays exact that permutes rows between samples, or between the two sides of pairs, and another order
    of the rows gives the same landmarks.

    >>> import numpy as np
    >>> from explorer.kernels.low_rank import order_of_values
    >>> order_of_values(np.array([[2.0, 0.0], [1.0, 5.0], [1.0, 3.0]])).tolist()
    [2, 1, 0]
    """
    if X.ndim == 1:
        return np.argsort(X, kind="stable")
    order = np.argsort(X[:, 0], kind="stable")
    tied, group = _ties(X[order, 0], np.zeros(len(X), int))
    for x in X.T[1:]:  # which decide among the rows that are alike so far
        if not len(tied):
            break
        rows = order[tied]
        rows = rows[np.lexsort((x[rows], group))]
        order[tied] = rows
        some, group = _ties(x[rows], group)
        tied = tied[some]
    return order


def _ties(x, group):
    """Places of values (n,) that a neighbour of their group (n,) equals, and the group that each is in with these."""
    differs = (x[1:] != x[:-1]) | (group[1:] != group[:-1])
    starts, ends = np.concatenate([[True], differs]), np.concatenate([differs, [True]])
    tied = np.flatnonzero(~(starts & ends))
    return tied, np.cumsum(starts)[tied]


def some_points(X: Points, most: int, rng: Rng, order: Rows | None = None) -> Points:
    """Return `most` random points of X (n, d), or all of them if there are no more: the same ones in every order.

    order  `order_of_values` of X, if the caller has it

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
    """Row numbers of `most` of n points, sorted; all of them where there are no more.

    >>> from explorer.kernels.low_rank import some_rows
    >>> some_rows(1000, 5, rng=0).tolist(), some_rows(3, 5, rng=0).tolist()
    ([21, 35, 226, 410, 761], [0, 1, 2])
    """
    if n <= most:
        return np.arange(n)
    return np.sort(stream(rng, name).choice(n, most, replace=False))
