"""Outcome of the whole population under a treatment that only some had: each group reweighted to all covariates."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.conditional import ConditionalEmbedding
from explorer.embeddings import Embedding
from explorer.estimators import KME
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.tables.alignment import aligned
from explorer.types import Mask, Points, PointsLike, Vector, VectorLike

GROUPS = {True: "treated", False: "controls"}
CHANCE = 1e-3  # groups of one distribution lie apart with this probability at most when they are refused as apart


@explain_wrong_calls
@aligned("X y treated")
def counterfactual_mean(
    X: PointsLike,
    y: PointsLike,
    treated: VectorLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    *,
    lam: float | None = None,
) -> tuple[Embedding, Embedding]:
    r"""Estimate the distribution of an outcome if everybody were treated, and if nobody were, as two embeddings.

    Use it to measure the effect of a treatment if the covariates X decide who is treated. To test whether there is an
    effect, use `treatment_test`.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Covariates. They have to include everything that decides on treatment and outcome at once; otherwise the
        difference is not an effect.
    y : array_like of shape (n,) or (n, e)
        The outcome of each row.
    treated : array_like of shape (n,)
        True or 1 if a row had the treatment, False or 0 if not.
    kernel_x, kernel_y : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on all rows.
    lam : float or None, default None
        Regulariser λ > 0, in units of k_x. None takes the λ with the least leave-one-out score in each group, which
        then needs at least two rows.

    Returns
    -------
    treated, control : Embedding
        Embeddings of the outcome under treatment and under control.

    Raises
    ------
    ValueError
        If a group is empty, or if no row of the other group is as near to it as its own rows are to each other: then
        nothing is known about the treatment's effect there.

    Notes
    -----
    The embedding of each group g, n_g of n rows, is

    .. math:: \sum_i \beta_i k_y(y_i, \cdot), \quad \beta = \frac1n (K + \lambda I)^{-1} k_x(X_g, X)\, 1:

    the group's conditional mean of y given x, averaged over the covariates of all rows. It is the kernel sum rule with
    the prior μ̂_X. The cost is O(n_g³).

    The distance of the two embeddings is the effect on the outcome's distribution, 0 for none if k_y is characteristic,
    and `mean()` gives means. Weights may be negative. Their sum is 1, apart from the effects of λ and of rows far from
    the group.

    `treatment_test` tests whether there is an effect. Permuting `treated` would not be a valid test: if X decides on
    treatment, permuted groups are more alike than the true ones, and at level 5 % this rejects 1 in 5 true nulls.

    References
    ----------
    Muandet, Kanagawa, Saengkyongam, Marukatat 2021 (J. Mach. Learn. Res. 22, 162), whose target is the other group's
    covariates, and whose λ is ours over n_g.

    Examples
    --------
    >>> from explorer import Delta, Linear, counterfactual_mean
    >>> ward = ["mild", "mild", "mild", "grave", "grave", "grave"]
    >>> days, treated = [3.0, 5.0, 5.0, 8.0, 8.0, 12.0], [1, 0, 0, 1, 1, 0]
    >>> [e.mean().round(3) for e in counterfactual_mean(ward, days, treated, Delta(), Linear(), lam=1e-9)]
    [array([5.5]), array([8.5])]
    """
    kernel_x, kernel_y = (kernel or Gaussian() for kernel in (kernel_x, kernel_y))
    columns = frames.names_of(y)
    X, y = kernel_x.points(X), kernel_y.points(y, "y")
    if len(X) != len(y):
        raise Refusal(f"X has {plural(len(X), 'row')} and y has {len(y)}; give the outcome of each row.")
    marked = marks_of(treated, len(X))
    kernel_x, kernel_y = select(kernel_x, X, "rows"), select(kernel_y, y, "outcomes")
    everybody, outcomes = KME(kernel_x).embed(X), []
    for group, name in GROUPS.items():
        rows = marked == group
        if lam is None and rows.sum() < 2:
            raise Refusal(f"treated marks 1 of the {name} alone, and one row cannot choose λ; give lam, such as 0.1.")
        refuse_apart(kernel_x, X, rows, name, GROUPS[not group])
        regression = ConditionalEmbedding(kernel_x, kernel_y, lam).fit(X[rows], y[rows])
        outcomes.append(Embedding(kernel_y, y[rows], regression.smoother_.of(everybody)).over(columns))
    return outcomes[0], outcomes[1]


def marks_of(treated, n) -> Mask:
    """Return which of n rows are treated, shape (n,). Refuse marks that are missing for a row, or all alike."""
    marks = checks.as_array(treated, "treated")
    if marks.ndim == 2 and marks.shape[1] == 1:  # a table of one column
        marks = marks[:, 0]
    if marks.shape != (n,):
        raise Refusal(f"treated has shape {marks.shape} beside {n} rows of X; give ({n},), True or False for each row.")
    other = [each for each in marks.tolist() if checks.is_gap(each) or each not in (0, 1)]
    if other:
        raise Refusal(
            f"treated holds {checks.truncate(checks.echo(other[0]), 40)}; give True or 1 for a row that had the"
            " treatment, and False or 0 for one that had not, as by labels == 'drug'."
        )
    marks = marks.astype(bool)
    if marks.all() or not marks.any():
        raise Refusal(
            f"treated marks {'all' if marks.any() else 'none'} of the {n} rows, so there are no"
            f" {GROUPS[not marks.any()]} to compare with; give rows of both groups."
        )
    return marks


def refuse_apart(kernel: Kernel, X: Points, rows: Mask, name: str, other: str) -> None:
    """Refuse a group if every other row is farther from it than any of the group's rows is from the rest of the group.

    Distances are those of the features, to the nearest row. Groups are not refused if this can happen by chance: of n
    exchangeable distances the n_g least are those of the group in 1 of (n over n_g) orders.
    """
    n, size = len(X), int(rows.sum())
    if size < 2 or math.comb(n, size) < 1 / CHANCE:
        return
    own, others = X[rows], X[~rows]
    within = _squared(kernel, own, own)
    np.fill_diagonal(within, np.inf)
    if _squared(kernel, others, own).min() > within.min(axis=1).max():
        raise Refusal(
            f"the groups do not overlap: no row of the {other} has covariates X as near to the {name} as those are to"
            f" each other, so nothing shows what the outcome of the {other} would be among the {name}; give rows that"
            " are alike in X, or fewer columns of X."
        )


def _squared(kernel: Kernel, X: Points, Y: Points) -> Vector:
    """Return the squared distances (n, m) of the features of X (n, d) and Y (m, d)."""
    return kernel.diagonal(X)[:, None] + kernel.diagonal(Y) - 2 * kernel(X, Y)
