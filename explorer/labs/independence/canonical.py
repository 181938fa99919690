"""The canonical functions of a state: what KernelCCA learns at one ε, and what its correlation is on pairs left out.

ε is λ over n times the variance of the features, the larger one of both sides, so one scale serves all kernels.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.estimators import RobustKME
from explorer.kernels import Kernel
from explorer.operators import KernelCCA
from explorer.types import Matrix, Points

EPS = np.geomspace(1e-6, 10.0, 15)  # where the correlations are drawn: two in a decade


class Canonical(NamedTuple):
    """What a fit shows; refused is the sentence where there is none, and the rest then empty.

    lam       λ
    together  the correlation of both functions over the pairs, each as often as it counts
    f, g      the functions at places along x (p,) and along y (q,), the largest of each 1 in size
    least     the least weight of a pair relative to the largest, 1 where all count once
    """

    lam: float
    together: float
    f: np.ndarray
    g: np.ndarray
    least: float = 1.0
    refused: str = ""

    @classmethod
    def of(cls, cca: KernelCCA, pairs: tuple[Points, Points], places: tuple[Matrix, Matrix]) -> Self:
        """Of a learner that is still to see the pairs; f rises at the right end, or falls less."""
        try:
            fit = cca.fit(*pairs)
            if not len(fit.correlations_):
                raise Refusal("No functions of x and y correlate on these pairs.")
        except Refusal as refusal:
            x, y = (np.zeros(len(at)) for at in places)
            return cls(np.nan, 0.0, x, y, refused=str(refusal))
        f, g = fit.left(places[0]), fit.right(places[1])
        sign = 1.0 if f[-(len(f) // 4) :].sum() >= 0 else -1.0
        least = 1.0 if fit.counts_ is None else float(fit.counts_.min() / fit.counts_.max())
        lost = fit.counts_ is not None and len(fit.X_) < len(pairs[0])
        f, g = (sign * each / max(np.abs(each).max(), 1e-300) for each in (f, g))
        return cls(fit.lam_, fit.correlation(), f, g, 0.0 if lost else least)


def unit_of(kernels: tuple[Kernel, Kernel], pairs: tuple[Points, Points]) -> float:
    """λ where ε is 1: n times the variance of the features, the larger one of both sides; 1 where neither varies."""
    spread = [float(k.diagonal(Z).mean() - k(Z).mean()) for k, Z in zip(kernels, pairs, strict=True)]
    return len(pairs[0]) * max(spread) if max(spread) > 0 else 1.0


def learner(kernels: tuple[Kernel, Kernel], lam: float | None, robust: bool) -> KernelCCA:
    """The learner of one pair of functions."""
    return KernelCCA(*kernels, n_components=1, lam=lam, estimator=RobustKME() if robust else None)


def held_out(cca: KernelCCA, pairs: tuple[Points, Points]) -> float:
    """The rank correlation of both functions at pairs that they were not learnt from, each left out in turn.

    Of ranks, so that one far pair does not decide: it is what the choice of ε maximises.
    """
    lam: Any = cca.lam  # which is given
    return 1 - float(cca.loocv(*pairs, [lam])[0])
