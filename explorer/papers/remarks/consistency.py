"""√n-consistency of shrinkage and marginalized estimators, as paper 000 states it in section 2.1, as a study.

consistency(n, seed=int) is one sample of a mixture of four Gaussians in five dimensions. The kernel is Gaussian with a
fixed bandwidth, because a bandwidth that follows the sample would have its own rate. Each estimator chooses its
parameter by leave-one-out on the sample. Two further ones have a fixed parameter: an amount of shrinkage or of noise
that does not go to zero leaves a bias that no sample size removes.
"""

from __future__ import annotations

from explorer import checks
from explorer.embeddings import GaussianMixture
from explorer.estimators import FKMSE, KME, MKME, MMKME, SKMSE
from explorer.kernels import Gaussian
from explorer.papers.shrinkage import Grid

DIMENSIONS, KERNEL = 5, Gaussian(15.0)  # the bandwidth is near the mixture's median distance
LAW = GaussianMixture.random(DIMENSIONS, 1)
HELD_LAM, HELD_SIGMA = 0.1, 5.0
SHRUNK, NOISY = "S-KMSE, fixed", "MKME, fixed"
CHOOSING = {
    "S-KMSE": SKMSE(KERNEL),
    "F-KMSE": FKMSE(KERNEL),
    "MKME": MKME(KERNEL),
    "MMKME": MMKME(KERNEL),
}
ESTIMATORS = {"KME": KME(KERNEL), **CHOOSING, SHRUNK: SKMSE(KERNEL, HELD_LAM), NOISY: MKME(KERNEL, HELD_SIGMA)}
SIZES = {
    "fast": (Grid({"n": (20, 60, 180)}, 200),),
    "full": (Grid({"n": (20, 50, 100, 200, 400)}, 300),),
}


def consistency(n: int, seed: int = 0) -> dict[str, float]:
    """Return |μ̂ - μ| for each of `ESTIMATORS` on one sample.

    Parameters
    ----------
    n : int
        Number of points, at least 2.
    seed : int, default 0
        Seed of the sample.

    Returns
    -------
    dict of {str: float}
        The distances by the estimators' names.

    Raises
    ------
    ValueError
        If `n` is below 2.
    TypeError
        If an argument is not a whole number.
    """
    n, seed = checks.whole(n, "n", 2), checks.whole(seed, "seed")
    X, mean = LAW.sample(n, seed), LAW.embed(KERNEL)
    return {name: float(each.embed(X).distance(mean)) for name, each in ESTIMATORS.items()}
