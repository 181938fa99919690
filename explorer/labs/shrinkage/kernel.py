"""The kernel of the Shrinkage lab's state, a check that losses under it are finite, and the gain of RBF instead."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture, oracle_alpha
from explorer.kernels import Exponential
from explorer.types import Points
from explorer.workbench.kernels import kernel_at, middle_of
from explorer.workbench.numbers import format_number

if TYPE_CHECKING:
    from explorer.embeddings.law import Law
    from explorer.kernels.base import Kernel

    from .lab import ShrinkageLab


def kernel_of(lab: ShrinkageLab, law: Law | None, median: float, d: int) -> Kernel:
    """Return the lab's kernel on points of d coordinates, its bandwidth counted in medians.

    Raises
    ------
    Refusal
        If the plain average's expected loss is infinite under the kernel.
    """
    kernel = lab.kernel_on(lab.bandwidth, median, d)
    if isinstance(kernel, Exponential) and isinstance(law, GaussianMixture):
        least = math.sqrt(2 * np.linalg.eigvalsh(law.covariances).max()) / median
        if lab.bandwidth <= least:
            raise Refusal(
                "Under the exponential kernel the plain average has an infinite expected loss at bandwidths up"
                " to {}, as E k(x, x) is infinite there; take a larger bandwidth, or the kernel 'RBF'.",
                format_number(least),
            )
    return kernel


def gain_under_rbf(lab: ShrinkageLab, law: Law | None, X: Points) -> float | None:
    """Return α* under RBF at the same multiple of the median, to compare with the Laplacian kernel's.

    It is None for other kernels, and if the distribution is unknown, points are changed, or a blob is the target.
    """
    if law is None or lab.kernel != "LAP" or lab.outliers or lab.moved or lab.target != "zero":
        return None
    return oracle_alpha(law, kernel_at("RBF", lab.bandwidth, middle_of(X, "RBF")[0]), lab.n)
