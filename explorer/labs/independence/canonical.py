"""The canonical functions of a state: KernelCCA's functions at one ε, and their correlation on pairs left out.

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

EPS = np.geomspace(1e-6, 10.0, 15)  # values of ε at which the correlations are drawn, two per decade


class Canonical(NamedTuple):
    """The canonical functions of a fit.

    Attributes
    ----------
    lam : float
        λ.
    together : float
        The correlation of both functions over the pairs, each as often as it counts.
    f, g : ndarray of shape (p,) and (q,)
        The functions at places along x and along y, scaled so that the largest value of each has size 1.
    least : float, default 1
        The least weight of a pair relative to the largest; 1 if all count once.
    refused : str, default ""
        The message if there is no fit. The other fields are then empty.
    """

    lam: float
    together: float
    f: np.ndarray
    g: np.ndarray
    least: float = 1.0
    refused: str = ""

    @classmethod
    def of(cls, cca: KernelCCA, pairs: tuple[Points, Points], places: tuple[Matrix, Matrix]) -> Self:
        """Fit a learner to the pairs, with the sign that makes the last quarter of f sum to at least 0."""
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
    """Return the λ at which ε is 1: n times the larger variance of the features, or 1 if neither side varies."""
    spread = [float(k.diagonal(Z).mean() - k(Z).mean()) for k, Z in zip(kernels, pairs, strict=True)]
    return len(pairs[0]) * max(spread) if max(spread) > 0 else 1.0


def learner(kernels: tuple[Kernel, Kernel], lam: float | None, robust: bool) -> KernelCCA:
    """Return the learner of one pair of functions."""
    return KernelCCA(*kernels, n_components=1, lam=lam, estimator=RobustKME() if robust else None)


def held_out(cca: KernelCCA, pairs: tuple[Points, Points]) -> float:
    """Return the rank correlation of both functions over pairs, each predicted by a fit without it.

    Ranks keep one far pair from deciding. The choice of ε maximises this correlation.
    """
    lam: Any = cca.lam  # the caller has set it to a number
    return 1 - float(cca.loocv(*pairs, [lam])[0])
