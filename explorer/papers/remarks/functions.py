"""Embeddings of functions of random variables, `embedding.map`: points moved, weights kept, as a study.

functions(f, n, seed=int) is one sample of n points of N(0, 1): the kernel mean of f(x) with the weights of three
embeddings of x. Paper 004 names this as an application (section 1, probabilistic programming). By the theorem of
Simon-Gabriel, Ścibior, Tolstikhin and Schölkopf (2016, NeurIPS), an embedding that is consistent for x is also
consistent for f(x) if f is continuous and the magnitudes of the weights have a bounded sum. The true kernel mean of
f(x) is Gauss and Hermite's quadrature, mapped by the same f.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from explorer import checks
from explorer.embeddings import Embedding
from explorer.estimators import KME, SKMSE
from explorer.kernels import Gaussian
from explorer.papers.shrinkage import Grid
from explorer.rng import stream
from explorer.types import Points

KERNEL, NODES, WIDE = Gaussian(1.0), 120, 1.5  # with 120 nodes the kernel means of these f are exact to ten digits
FUNCTIONS: dict[str, Callable[[Points], Points]] = {
    "x": lambda x: x,
    "sin 3x": lambda x: np.sin(3 * x),
    "x^2": lambda x: x**2,
    "|x|": np.abs,
}
AVERAGE, SHRUNK, IMPORTANCE = "average", "S-KMSE", "importance weights"
SIZES = {
    "fast": (Grid({"n": (30, 100, 300), "f": tuple(FUNCTIONS)}, 200),),
    "full": (Grid({"n": (30, 60, 125, 250, 500, 1000), "f": tuple(FUNCTIONS)}, 500),),
}


def functions(f: str, n: int, seed: int = 0) -> dict[str, float]:
    """Return |μ̂_f(X) - μ_f(X)| with the weights of three embeddings of x.

    Parameters
    ----------
    f : {"x", "sin 3x", "x^2", "|x|"}
        The function.
    n : int
        Number of points, at least 2.
    seed : int, default 0
        Seed of the sample.

    Returns
    -------
    dict of {str: float}
        - ``"average"``: weights 1/n.
        - ``"S-KMSE"``: λ by leave-one-out on x.
        - ``"importance weights"``: weights of points of N(0, 1.5²), in proportion to the ratio of densities.

    Raises
    ------
    ValueError
        If `f` is unknown or `n` is below 2.
    TypeError
        If `n` or `seed` is not a whole number.
    """
    checks.one_of(f, "f", FUNCTIONS)
    n, seed, act = checks.whole(n, "n", 2), checks.whole(seed, "seed"), FUNCTIONS[f]
    x = stream(seed, "sample").normal(size=(n, 1))
    ratio = np.exp(((WIDE * x[:, 0]) ** 2) * (WIDE**-2 - 1) / 2)
    found = {
        AVERAGE: KME(KERNEL).embed(x),
        SHRUNK: SKMSE(KERNEL).embed(x),
        IMPORTANCE: Embedding(KERNEL, WIDE * x, ratio / ratio.sum()),
    }
    mean = truth().map(act)
    return {name: float(embedding.map(act).distance(mean)) for name, embedding in found.items()}


def truth() -> Embedding:
    """Return N(0, 1) as 120 weighted points, by Gauss and Hermite's quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return Embedding(KERNEL, nodes[:, None], weights / math.sqrt(2 * math.pi))
