"""The kernel of the Shrinkage lab's state, where losses under it are finite, and what RBF in its place would gain."""

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
    """The lab's kernel at its bandwidth in medians, on points of d coordinates.

    A Refusal where the plain average's expected loss is infinite.
    """
    kernel = lab.kernel_on(lab.bandwidth, median, d)
    if isinstance(kernel, Exponential) and isinstance(law, GaussianMixture):
        least = math.sqrt(2 * np.linalg.eigvalsh(law.covariances).max()) / median
        if lab.bandwidth <= least:
            raise Refusal(
                "Under the exponential kernel the plain average has an infinite expected loss at bandwidths up to"
                f" {format_number(least)}, as E k(x, x) is infinite there; take a larger bandwidth, or the kernel 'RBF'."
            )
    return kernel


def gain_under_rbf(lab: ShrinkageLab, law: Law | None, X: Points) -> float | None:
    """α* under RBF at as many medians, to compare the Laplacian kernel's with; None for other kernels."""
    if law is None or lab.kernel != "LAP" or lab.outliers or lab.moved or lab.target != "zero":
        return None
    return oracle_alpha(law, kernel_at("RBF", lab.bandwidth, middle_of(X, "RBF")[0]), lab.n)
