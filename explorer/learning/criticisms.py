"""Criticisms: the rows of a sample that a few points which stand for it represent worst."""

from __future__ import annotations

import math
import numbers

import numpy as np

from explorer import checks, frames
from explorer.alignment import aligned
from explorer.checks import Refusal, read_only_fields
from explorer.elsewhere import explain_wrong_calls
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.selecting import select
from explorer.printing import printed
from explorer.record import record
from explorer.stopping import check_cancelled
from explorer.types import Mask, Points, PointsLike, Rows, Vector, VectorLike

ENTRIES = 2**22  # of a Gram matrix at a time: 32 MB
DEFAULT_DIVERSITY = 0.2  # weight of the determinant, over the largest witness: near rows are kept apart, and far ones compete
NOTHING = 1e-12  # of k(x, x): a row of which others leave no more is one of them


@printed
@record
class Criticisms:
    """Rows of a sample where its kernel mean and that of prototypes differ most, in the order in which they are chosen.

    points (c, d); rows (c,), their row numbers; values (c,), the witness there: above 0 the prototypes are too few near
    the row, below 0 too many.

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
    """The rows of X that prototypes represent worst: where the witness between both is largest in size.

    f(x) = (1/n) Σ_i k(x_i, x) - Σ_j w_j k(z_j, x). Rows C are chosen one by one so that Σ_C |f(x)| + γ log det K_CC is
    large: Kim, Khanna and Koyejo 2016, Examples are not Enough, Learn to Criticize! (NIPS 29), MMD-critic. The
    determinant keeps criticisms apart from one another. There γ is 1, which outweighs witnesses of a few hundredths, so
    that rows are chosen where f is nearly 0. Here γ is `diversity` times the largest |f|.

    X           (n, d), or whatever the kernel takes
    prototypes  (m, d), such as thin(X, m).points. A row that equals one of them is no criticism
    kernel      None is Gaussian() with the median heuristic on X
    count       how many rows, at least 1
    weights     (m,), of the prototypes; None is 1/m each
    diversity   how much the determinant counts, 0 or more; at 0 they are the rows of the largest |f|

    Returns Criticisms, fewer than `count` where the rest are prototypes or no different from those chosen. O(n(n + m))
    values of the kernel. ValueError for prototypes of other columns, and weights of another length.

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
    if isinstance(diversity, (bool, np.bool_)) or not isinstance(diversity, numbers.Real):
        raise checks.WrongType(f"diversity must be a number of at least 0, not {checks.echo(diversity)}.")
    weight = float(diversity)
    if not 0 <= weight < math.inf:
        raise Refusal(f"diversity must be 0 or more and finite, not {checks.echo(diversity)}.")
    return weight


def is_none_of(X: Points, Z: Points) -> Mask:
    """Which points (n, d) are equal to none of others (m, d), (n,)."""
    others = {tuple(np.ravel(row).tolist()) for row in Z}
    return np.array([tuple(np.ravel(row).tolist()) not in others for row in X], dtype=bool)


def choose_criticisms(
    kernel: Kernel, X: Points, witness: Vector, count: int, free: Mask, diversity: float = DEFAULT_DIVERSITY
) -> Rows:
    """At most `count` row numbers among the `free` rows of X, by a witness (n,): see `criticisms`.

    The determinant grows by what is left of k(x, x) once the rows that are chosen explain as much of it as they can:
    one column of a Cholesky decomposition for each.
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
