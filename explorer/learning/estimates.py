"""The estimate of a kernel mean that a learner starts from."""

from __future__ import annotations

from typing import NamedTuple

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.mean_estimators import checked_estimator
from explorer.embeddings import Embedding
from explorer.estimators import Estimator
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.selecting import select
from explorer.types import Points, Vector, VectorLike


class Estimate(NamedTuple):
    """A kernel and an estimator with everything chosen on a sample, and what the estimator makes of it."""

    kernel: Kernel
    estimator: Estimator
    embedding: Embedding


def kernel_of(kernel: Kernel | None, estimator: Estimator | None) -> Kernel:
    """The kernel that is asked for: the one given, the estimator's, or Gaussian()."""
    theirs = None if estimator is None else estimator.kernel
    return kernel or theirs or Gaussian()


def estimate(
    kernel: Kernel | None,
    estimator: Estimator | None,
    X: Points,
    counts: Vector | None = None,
    names: tuple[str, ...] | None = None,
) -> Estimate:
    """The Estimate on points X (n, d) of columns of these `names`, each of which `counts` so often; None is KME().

    A sentence where kernel and estimator do not agree, or the estimator does not go with counts.
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


def counting(X: Points, weights: VectorLike | None) -> tuple[Points, Vector | None]:
    """The rows of X (n, d) that count, and how often each does, (n,) or None; a sentence for weights that are none."""
    if weights is None:
        return X, None
    counts = checks.counts(weights, len(X))
    return X[counts > 0], counts[counts > 0]
