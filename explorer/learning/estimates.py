"""The estimate of a kernel mean that a learner starts from."""

from __future__ import annotations

from typing import NamedTuple

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.mean_estimators import checked_estimator
from explorer.embeddings import Embedding
from explorer.estimators import Estimator
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.types import Points, Vector, VectorLike


class Estimate(NamedTuple):
    """A kernel and an estimator with all parameters chosen on a sample, and the estimator's embedding of it."""

    kernel: Kernel
    estimator: Estimator
    embedding: Embedding


def kernel_of(kernel: Kernel | None, estimator: Estimator | None) -> Kernel:
    """Return the kernel of a learner: the given one, the estimator's, or Gaussian()."""
    theirs = None if estimator is None else estimator.kernel
    return kernel or theirs or Gaussian()


def estimate(
    kernel: Kernel | None,
    estimator: Estimator | None,
    X: Points,
    counts: Vector | None = None,
    names: tuple[str, ...] | None = None,
) -> Estimate:
    """Return the Estimate on points X (n, d), by an estimator or KME().

    `counts` (n,) is the number of times that each point counts, and `names` are those of the columns.

    Raises
    ------
    Refusal
        If the kernel and the estimator do not agree, or the estimator does not go with counts.
    """
    kernel = select(kernel_of(kernel, estimator), X, "points", counts)
    estimator = checked_estimator(estimator, kernel, "biased").replace(kernel=kernel)
    if counts is not None:
        return Estimate(kernel, estimator, Embedding(kernel, X, estimator.counted(counts)).over(names))
    chosen = estimator.select(X) if len(X) > 1 else estimator
    embedding = chosen.embed(X)
    if embedding.kernel != kernel:
        raise Refusal(
            f"the estimate of {checks.echo(estimator)} is an embedding under another kernel, and a density is matched"
            " under its own; approximate by 'cholesky' or 'nystrom'."
        )
    return Estimate(kernel, chosen, embedding.over(names))


def counted_rows(X: Points, weights: VectorLike | None) -> tuple[Points, Vector | None]:
    """Return the rows of X (n, d) that count, and the number of times that each does, (n,) or None.

    Raises
    ------
    Refusal
        If `weights` are not counts of the rows.
    """
    if weights is None:
        return X, None
    counts = checks.counts(weights, len(X))
    return X[counts > 0], counts[counts > 0]
