"""Choice of the noise of a marginalized estimate by the least leave-one-out score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.estimators.selection import first, least
from explorer.execution.processors import one_thread
from explorer.types import Vector

if TYPE_CHECKING:
    from explorer.kernels.noisy.pairs import StationaryPairs


LARGEST_SIGMA = 1e150  # the largest σ, so that its square does not overflow
LARGEST = 1e3  # the largest of MMKME's variances, relative to θ^2 and to the mean square distance


def best_sigma(pairs: StationaryPairs) -> float:
    """Return the σ of least score for the `StationaryPairs` of a sample.

    It is 0, or between 1e-4 times the lesser of θ and the spread of the points, and 10 times the spread. Beyond the
    spread noise hides the points for any θ, and the score rises to its limit.
    """
    if pairs.spread == 0:  # the points are equal, so the plain average is exact
        return 0.0
    low, high = 1e-4 * min(pairs.kernel.length_scale, pairs.spread), min(1e1 * pairs.spread, LARGEST_SIGMA)
    return least(lambda s: pairs.score(pairs.isotropic(s**2)), low, high, ends=(0.0,))


def best_variances(pairs: StationaryPairs, variance: float) -> Vector:
    """Return the variances (d,) of least score that L-BFGS-B finds from two starts.

    The starts are MKME's variance for all coordinates, and variances in proportion to the coordinates'. The search is
    in u = log(1 + e / variance): a logarithm if noise is large, so that no plateau is far, and linear if it vanishes,
    so that a coordinate may have none. [xia2021corrupted] names fminsearch, a simplex method, which is unsuitable for
    many coordinates.
    """
    from scipy.optimize import minimize  # imported here: it would add 0.2 s to `import explorer`

    one = np.full(pairs.d, variance)
    if variance == 0:
        return one
    spreads = (pairs.X / np.abs(pairs.X).max()).var(axis=0)  # only their ratios count
    largest = np.log(LARGEST) + 2 * np.log(max(pairs.kernel.length_scale, pairs.spread))
    bounds = [(np.log1p(pairs.smallest), min(largest - np.log(variance), 700.0))] * pairs.d  # e^700 is a float
    candidates, scores = [one], []
    for start in (one, variance * (spreads / spreads.mean())):
        u = np.clip(np.log1p(start / variance), *bounds[0])
        begun = pairs.score_and_gradient(variance * np.expm1(u))
        # Scaled like this, the first step has length one, and tolerances do not depend on the flatness of the score.
        scale = np.linalg.norm(begun[1] * variance * np.exp(u)) or 1.0

        def objective(w, u=u, begun=begun, scale=scale):
            score, gradient = begun if (w == u).all() else pairs.score_and_gradient(variance * np.expm1(w))
            return (score - begun[0]) / scale, gradient * variance * np.exp(w) / scale

        # Measured at d = 3, 20 and 100: with these options the search misses 1e-6 of MMKME's gain over MKME.
        options = {"ftol": 1e-6, "gtol": 1e-6, "maxcor": 20, "maxiter": 500}
        with one_thread():  # for some 20 unknowns, waiting for scipy's threads would take longer than the search
            end = minimize(objective, u, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        candidates.append(variance * np.expm1(end.x))
        scores = [*(scores or begun[:1]), begun[0] + scale * end.fun]
    return candidates[first(np.array(scores))]
