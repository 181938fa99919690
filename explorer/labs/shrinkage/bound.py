"""How large the plain average's error may be: the bound that holds with probability 1 - δ, proved and as printed."""

from __future__ import annotations

import math
from typing import NamedTuple


class Bound(NamedTuple):
    """The error |μ̂ - μ| of a sample, an RKHS distance, and what it is compared with.

    error    of this sample
    usual    the exact root of the mean of its square
    proved   1 / sqrt(n) + sqrt(log(1/δ) / n), for independent points and 0 <= k <= 1 (erratum E-9)
    printed  2 / sqrt(n) + sqrt(log(2/δ) / 2n), of paper 003, which is not proved
    """

    error: float
    usual: float
    proved: float
    printed: float


def bound_of(result):
    """The Bound on the plain average's error; None where none is proved, or points are not of the distribution."""
    lab = result.lab
    if result.law is None or not result.kernel.bounded or lab.outliers or lab.moved:
        return None
    n, delta = lab.n, lab.delta
    return Bound(
        math.sqrt(max(result.empirical_loss, 0.0)),
        math.sqrt(result.truth.variance),
        (1 + math.sqrt(math.log(1 / delta))) / math.sqrt(n),
        (2 + math.sqrt(math.log(2 / delta) / 2)) / math.sqrt(n),
    )
