"""Distribution regression as in the article (paper 003): a study of numbers learnt from bags.

regression(task, n, seed=int) is one draw of 60 bags of n points to learn from and 60 to judge. It returns the mean
squared error of four predictions, over the variance of the numbers. The article names two applications:

"entropy"   supervised entropy learning: N(0, S) in two dimensions, with S rotated and stretched. The number is the
            entropy of the first coordinate, log(2πe S_11) / 2
"variance"  a gamma distribution's variance, from points whose skewness goes with it
"aerosol"   a stand-in for aerosol prediction from satellite images, whose data are not available. A bag is n pixels of
            five channels. Half of them show the haze h, as sin(h c) of the channel c with noise. The others show the
            ground, which does not depend on h. The number is h

Kernels are Gaussian, at the median heuristic on all points times 1/2. λ is chosen by the closed-form leave-one-out. The
mean of the numbers is subtracted before learning, because the regression has no intercept.
"""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.kernels import Gaussian, Linear
from explorer.learning import DistributionRegression, LevelTwo
from explorer.papers.shrinkage import Grid
from explorer.rng import stream
from explorer.types import Matrix, Vector

BAGS = 60
TASKS = ("entropy", "variance", "aerosol")
CONSTANT, MEAN = "no bags: their mean", "the bag's mean"
LINEAR, NONLINEAR = "linear kernel of bags", "Gaussian kernel of bags"
NOISE = 0.3  # sd of the noise in the pixels of the stand-in
REGRESSION = {
    "fast": (Grid({"task": TASKS, "n": (10, 30, 100)}, 20),),
    "full": (Grid({"task": TASKS, "n": (10, 20, 50, 100, 200)}, 100),),
}


def regression(task: str, n: int, seed: int = 0) -> dict[str, float]:
    """Return mean squared errors of numbers learnt from bags of n points, over the variance of the numbers.

    Parameters
    ----------
    task : {"entropy", "variance", "aerosol"}
        The numbers to learn, see the module.
    n : int
        Points in each bag, at least 2.
    seed : int, default 0
        Seed of the bags.

    Returns
    -------
    dict of {str: float}
        - ``"no bags: their mean"``: the mean of the numbers that are learnt from.
        - ``"the bag's mean"``: ridge regression on the mean of a bag's points, and on nothing else.
        - ``"linear kernel of bags"``: distribution regression by inner products of kernel means.
        - ``"Gaussian kernel of bags"``: distribution regression by the Gaussian kernel of their distances.

    Raises
    ------
    ValueError
        If `task` is unknown or `n` is below 2.
    TypeError
        If `n` or `seed` is not a whole number.

    Examples
    --------
    >>> from explorer.papers.bags import regression
    >>> errors = regression("variance", n=5, seed=0)
    >>> {name: round(error, 2) for name, error in errors.items()}
    {'no bags: their mean': 1.01, "the bag's mean": 1.01, 'linear kernel of bags': 0.6, 'Gaussian kernel of bags': 0.62}
    """
    checks.one_of(task, "task", TASKS)
    n, seed = checks.whole(n, "n", 2), checks.whole(seed, "seed")
    bags, y = draw_bags(task, 2 * BAGS, n, stream(seed, task))
    learnt, judged, middle = bags[:BAGS], bags[BAGS:], y[:BAGS].mean()
    pooled = np.concatenate(learnt)
    kernel = Gaussian(0.5 * Gaussian().select(pooled[:: max(1, len(pooled) // 1500)]).theta())
    means = [np.array([bag.mean(axis=0, keepdims=True) for bag in part]) for part in (learnt, judged)]
    predictions = {
        CONSTANT: np.zeros(BAGS),
        MEAN: DistributionRegression(Linear(offset=1.0)).fit(means[0], y[:BAGS] - middle).predict(means[1]),
        LINEAR: DistributionRegression(kernel).fit(learnt, y[:BAGS] - middle).predict(judged),
        NONLINEAR: DistributionRegression(kernel, LevelTwo("gaussian")).fit(learnt, y[:BAGS] - middle).predict(judged),
    }
    variance = y[BAGS:].var()
    return {name: float(np.mean((values + middle - y[BAGS:]) ** 2) / variance) for name, values in predictions.items()}


def draw_bags(task: str, count: int, n: int, rng: np.random.Generator) -> tuple[list[Matrix], Vector]:
    """Draw bags of shape (n, d) and the number of each, shape (count,)."""
    make = {"entropy": _entropy, "variance": _variance, "aerosol": _aerosol}[task]
    bags, numbers = zip(*(make(n, rng) for _ in range(count)), strict=True)
    return list(bags), np.array(numbers)


def _entropy(n, rng):
    angle, scales = rng.uniform(0, math.pi), np.exp(rng.uniform(-0.7, 0.7, 2))
    turned = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]) * scales
    return rng.normal(size=(n, 2)) @ turned.T, 0.5 * math.log(2 * math.pi * math.e * float(turned[0] @ turned[0]))


def _variance(n, rng):
    shape, scale = rng.uniform(1, 5), rng.uniform(0.5, 1.5)
    return rng.gamma(shape, scale, (n, 1)) - shape * scale, shape * scale**2


def _aerosol(n, rng):
    haze, channels = rng.uniform(0, 2), np.arange(1.0, 6.0) / 2
    ground = rng.normal(size=5)
    hazy = rng.random(n) < 0.5
    pixels = np.where(hazy[:, None], np.sin(haze * channels), 1.5 * ground)
    return pixels + NOISE * rng.normal(size=(n, 5)), haze
