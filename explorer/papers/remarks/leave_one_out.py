"""Time of a leave-one-out score in closed form and by refits, paper 002, section 3.1.1, as a study of exponents.

leave_one_out(n, seed=int) is one sample of n points in five dimensions and the seconds that the score of F-KMSE takes
at one λ, from the Gram matrix on: by n refits, each a linear system of n - 1 equations, and by the closed form given
the eigendecomposition. Times are processor seconds of this process with one thread for matrix products. They differ
from run to run, and a seed fixes the sample only. Verdicts rest on the slope of their logarithm over log n, with a
margin.
"""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.estimators import Spectrum
from explorer.execution.processors import one_thread
from explorer.kernels import Gaussian
from explorer.papers.monk.times import seconds
from explorer.papers.shrinkage import Grid
from explorer.rng import stream
from explorer.types import Gram

DIMENSIONS, BANDWIDTH, LAM = 5, 3.0, 1.0
REFITS, EIGEN, CLOSED, PRINTED = "n refits", "eigendecomposition", "closed form", "Theorem 4"
SIZES = {
    "fast": (Grid({"n": (100, 200, 400)}, 7),),
    "full": (Grid({"n": (100, 200, 400, 800)}, 12),),
}


def leave_one_out(n: int, seed: int = 0) -> dict[str, float]:
    """Return the processor seconds of a leave-one-out score of F-KMSE at one λ.

    Parameters
    ----------
    n : int
        Number of points, at least 2.
    seed : int, default 0
        Seed of the sample.

    Returns
    -------
    dict of {str: float}
        - ``"n refits"``: one linear system of n - 1 equations for each left-out point.
        - ``"eigendecomposition"``: of the Gram matrix, once for all λ.
        - ``"closed form"``: the score of the refits at one λ, given the eigendecomposition.
        - ``"Theorem 4"``: the paper's score at one λ, which is not that of the refits (erratum 24).

    Raises
    ------
    ValueError
        If `n` is below 2.
    TypeError
        If an argument is not a whole number.
    """
    n, seed = checks.whole(n, "n", 2), checks.whole(seed, "seed")
    K = Gaussian(BANDWIDTH)(stream(seed, "sample").normal(size=(n, DIMENSIONS)))
    spectrum, lam = Spectrum(K), np.array([LAM])
    for score in (spectrum.leave_one_out, spectrum.theorem_4):
        score(lam)  # fill the caches that are shared by all λ
    with one_thread():
        return {
            REFITS: seconds(lambda: by_refits(K, LAM)),
            EIGEN: seconds(lambda: np.linalg.eigh(K)),
            CLOSED: seconds(lambda: spectrum.leave_one_out(lam)),
            PRINTED: seconds(lambda: spectrum.theorem_4(lam)),
        }


def by_refits(K: Gram, lam: float) -> float:
    """Return (1/n) Σ_i |k(x_i, .) - μ̂^(-i)|², where each refit μ̂^(-i) = Σ_j β_j k(x_j, .) solves a new linear system.

    The system is (K' + λI) β = K' 1/(n - 1), where K' lacks row and column i.
    """
    n, scores = len(K), []
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        R = K[np.ix_(rest, rest)]
        beta = np.linalg.solve(R + lam * np.eye(n - 1), R.mean(axis=1))
        scores.append(K[i, i] - 2 * K[i, rest] @ beta + beta @ R @ beta)
    return float(np.mean(scores))
