"""Criticisms: the rows of a sample that are represented worst by a few prototypes."""

from __future__ import annotations

import math
import numbers

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal, read_only_fields
from explorer.execution.cancellation import check_cancelled
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.printing import printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.tables.alignment import aligned
from explorer.types import Mask, Points, PointsLike, Rows, Vector, VectorLike

ENTRIES = 2**22  # the most entries of a Gram matrix at a time: 32 MB
# Weight of the determinant over the largest witness: near rows are not chosen together, and far ones compete.
DEFAULT_DIVERSITY = 0.2
NOTHING = 1e-12  # a row is a combination of others if they leave at most this share of its k(x, x)


@printed
@record
class Criticisms:
    """Rows of a sample where its kernel mean and that of prototypes differ most, in the order in which they are chosen.

    Attributes
    ----------
    points : ndarray of shape (c, d)
        The points.
    rows : ndarray of shape (c,)
        Their row numbers.
    values : ndarray of shape (c,)
        The witness at these points: above 0 there are too few prototypes near the row, below 0 too many.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.learning import Criticisms, criticisms
    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [5.0]])
    >>> answer: Criticisms = criticisms(X, X[:3], Gaussian(1.0), count=1)
    >>> answer.rows.tolist(), answer.points.tolist(), answer.values.round(2).tolist()
    ([4], [[5.0]], [0.2])
    """

    points: Points
    rows: Rows
    values: Vector

    __post_init__ = read_only_fields


@explain_wrong_calls
@aligned("prototypes weights")
def criticisms(
    X: PointsLike,
    prototypes: PointsLike,
    kernel: Kernel | None = None,
    count: int = 5,
    *,
    weights: VectorLike | None = None,
    diversity: float = DEFAULT_DIVERSITY,
) -> Criticisms:
    """Return the rows of X that prototypes represent worst: those where the witness between both is largest in size.

    Use it after `thin`, to see what the prototypes leave out.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample, or other points that the kernel takes.
    prototypes : array_like of shape (m, d)
        The prototypes, such as thin(X, m).points. A row that equals one of them is never a criticism.
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()`` with the median heuristic on X.
    count : int, default 5
        The number of rows, at least 1.
    weights : array_like of shape (m,), optional
        The weights of the prototypes; None is 1/m each.
    diversity : float, default 0.2
        The weight of the determinant, 0 or more; at 0 the result is the rows of the largest |f|.

    Returns
    -------
    Criticisms
        The rows, fewer than `count` if all others are prototypes or not different from those chosen.

    Raises
    ------
    Refusal
        If the prototypes have other columns, or the weights another length.

    Notes
    -----
    The witness is f(x) = (1/n) Σ_i k(x_i, x) - Σ_j w_j k(z_j, x). Rows C are chosen one by one so that Σ_C |f(x)| + γ
    log det K_CC is large: MMD-critic. The determinant keeps criticisms different from one another. In the paper γ is 1,
    which outweighs witnesses of a few hundredths, so that rows are chosen where f is nearly 0. Here γ is `diversity`
    times the largest |f|. The cost is O(n(n + m)) values of the kernel.

    References
    ----------
    Kim, Khanna and Koyejo 2016, Examples are not Enough, Learn to Criticize! (NIPS 29).

    Examples
    --------
    >>> from explorer import Gaussian, criticisms
    >>> found = criticisms([0.0, 0.5, 9.0, 9.1], [0.0], Gaussian(1.0), 1)
    >>> found.rows, found.values.round(1)
    (array([2]), array([0.5]))
    """
    kernel = Gaussian() if kernel is None else kernel
    X, prototypes = frames.together((X, prototypes), ("X", "prototypes"))
    X, Z = kernel.points(X, "X"), kernel.points(prototypes, "prototypes")
    checks.same_dimension(X, Z, ("X", "prototypes"))
    count = checks.whole(count, "count", 1)
    diversity = _not_below_zero(diversity)
    w = np.full(len(Z), 1 / len(Z)) if weights is None else checks.weights(weights, len(Z))
    if kernel.has_bandwidth and len(X) > 1:
        kernel = select(kernel, X, "points")
    witness = np.empty(len(X))
    wide = max(1, ENTRIES // (len(X) + len(Z)))
    for start in range(0, len(X), wide):
        check_cancelled()
        part = X[start : start + wide]
        witness[start : start + wide] = kernel(part, X).mean(axis=1) - kernel(part, Z) @ w
    rows = choose_criticisms(kernel, X, witness, count, is_none_of(X, Z), diversity)
    return Criticisms(X[rows], rows, witness[rows])


def _not_below_zero(diversity):
    """Return the checked weight of the determinant."""
    if isinstance(diversity, (bool, np.bool_)) or not isinstance(diversity, numbers.Real):
        raise checks.WrongType(f"diversity must be a number of at least 0, not {checks.echo(diversity)}.")
    weight = float(diversity)
    if not 0 <= weight < math.inf:
        raise Refusal(f"diversity must be 0 or more and finite, not {checks.echo(diversity)}.")
    return weight


def is_none_of(X: Points, Z: Points) -> Mask:
    """Return which points are equal to none of others.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The points.
    Z : ndarray of shape (m, d)
        The other points.

    Returns
    -------
    ndarray of shape (n,)
        The answers, True or False.
    """
    others = {tuple(np.ravel(row).tolist()) for row in Z}
    return np.array([tuple(np.ravel(row).tolist()) not in others for row in X], dtype=bool)


def choose_criticisms(
    kernel: Kernel, X: Points, witness: Vector, count: int, free: Mask, diversity: float = DEFAULT_DIVERSITY
) -> Rows:
    """Return at most `count` row numbers among the `free` rows of X, by a witness, see `criticisms`.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : ndarray of shape (n, d)
        The points.
    witness : ndarray of shape (n,)
        The values of the witness at the points.
    count : int
        The most rows.
    free : ndarray of shape (n,)
        Whether each row may be chosen.
    diversity : float, default 0.2
        The weight of the determinant, over the largest witness.

    Returns
    -------
    ndarray
        The row numbers, in the order in which they are chosen.

    Notes
    -----
    The determinant grows by the part of k(x, x) that the chosen rows do not explain: one column of a Cholesky
    decomposition for each.
    """
    size, open_, rows = np.abs(witness), free.copy(), []
    weight = diversity * float(size.max(initial=0.0, where=free))
    diagonal = kernel.diagonal(X)
    rest, columns = diagonal.copy(), np.zeros((min(count, len(X)), len(X)))
    for t in range(len(columns)):
        if weight:
            open_ &= rest > NOTHING * diagonal
        if not open_.any():
            break
        gain = size + weight * np.log(np.where(open_, rest, 1.0)) if weight else size
        best = int(np.argmax(np.where(open_, gain, -np.inf)))
        rows.append(best)
        open_[best] = False
        if weight:
            column = kernel(X, X[best : best + 1])[:, 0] - columns[:t].T @ columns[:t, best]
            columns[t] = column / np.sqrt(rest[best])
            rest = rest - columns[t] ** 2
    return np.array(rows, dtype=int)
