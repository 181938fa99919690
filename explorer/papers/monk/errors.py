"""Figure 1 of "MONK: Outlier-Robust Mean Embedding Estimation by Median-of-Means" (paper 004), as a study.

Six panels: a clean Gaussian pair, the same with outliers, and Pareto(3) against itself, each under the quadratic and
the RBF kernel. figure_1(panel, n, seed=int) is one replicate: two samples of a seed, and |estimate - MMD| for each
estimator, where the MMD is known exactly. The figure shows the logarithm of the median over replicates and its
quartiles; FIGURE_1 has the cells.

The paper leaves the following open. Here (μ, σ) = (.35, .45) and (.75, .85), which the paper has "randomly chosen from
the [0, 1] interval". The quadratic kernel is (<x, y> + 1)^2, and θ = 1, the paper's σ. There are 100 iterations. The
Pareto distribution is on x >= 1.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy import mmd2, mmd2_of_laws, monk_of_differences, pair_differences
from explorer.embeddings import GaussianMixture, Pareto
from explorer.kernels import Gaussian, Polynomial
from explorer.papers.shrinkage import Grid
from explorer.rng import stream
from explorer.types import Points

if TYPE_CHECKING:
    from explorer.kernels import Kernel


KERNELS: dict[str, Kernel] = {"quadratic": Polynomial(2), "RBF": Gaussian(1.0)}
PANELS = {
    "a": ("clean", "quadratic"), "b": ("outliers", "quadratic"), "c": ("pareto", "quadratic"),
    "d": ("clean", "RBF"), "e": ("outliers", "RBF"), "f": ("pareto", "RBF"),
}  # fmt: skip
OUTLIERS, AT = 5, (2000.0, 4000.0)  # the last five rows of X and of Y are replaced by these values
BLOCKS = (5, 11, 21)

# 40 replicates are enough for orders of magnitude; the paper has 100 at each of ten N
FIGURE_1 = {
    "fast": (Grid({"panel": tuple(PANELS), "n": (200, 600)}, 40),),
    "full": (Grid({"panel": tuple(PANELS), "n": tuple(range(200, 2001, 200))}, 100),),
}


def laws(experiment: str) -> Any:
    """Return P and Q of an experiment: "clean" and "outliers" have the same, "pareto" has one distribution twice."""
    if experiment == "pareto":
        return Pareto(3.0), Pareto(3.0)
    return tuple(GaussianMixture([1.0], [[mean]], [[[sd**2]]]) for mean, sd in ((0.35, 0.45), (0.75, 0.85)))


@cache
def truth(panel: str) -> float:
    """Return the MMD of a panel's distributions, not squared: 1.114 for a and b, .317 for d and e, 0 for c and f."""
    experiment, kernel = PANELS[panel]
    P, Q = laws(experiment)
    return 0.0 if P == Q else math.sqrt(mmd2_of_laws(P, Q, KERNELS[kernel]))


def draw(panel: str, n: int, seed: int) -> tuple[Points, Points]:
    """Draw X and Y (n, 1) of a seed from the streams "P" and "Q"; for "outliers" the last five rows are replaced."""
    experiment, _ = PANELS[panel]
    X, Y = (law.sample(n, stream(seed, name)) for law, name in zip(laws(experiment), "PQ", strict=True))
    if experiment == "outliers":
        X[-OUTLIERS:], Y[-OUTLIERS:] = AT
    return X, Y


def figure_1(panel: str, n: int = 200, seed: int = 0) -> dict[str, float]:
    """Return |estimate - MMD| of one replicate for each estimator.

    Parameters
    ----------
    panel : {"a", "b", "c", "d", "e", "f"}
        The panel of the figure.
    n : int, default 200
        Number of pairs, at least 21.
    seed : int, default 0
        Seed of the samples and of the blocks.

    Returns
    -------
    dict of {str: float}
        - ``"U"``: ``sqrt|U|``, where U is the unbiased statistic: how the authors' toolbox makes an MMD of it.
        - ``"U, clipped"``: sqrt(max(U, 0)), which on the Pareto distribution is 0, the truth, in every other sample.
          Under the quadratic kernel E k(x, x) is infinite there. So the theorems' assumption fails, and U's error does
          not fall (erratum E-23).
        - ``"U, printed"``: (8) unchanged, which estimates MMD^2 and may be negative (erratum E-16).
        - ``"BCD Q"``: Algorithm 1, the mean of the last two thirds of the iterations, for Q = 5, 11 and 21.
        - ``"BCD Q, last"``: the same as printed, by the last iteration alone.
        - ``"Fast Q"``: Algorithm 2; ``"Fast Q, last"`` is the same by its last iteration.
        - ``"Fast Q, kept"``: Algorithm 2 as printed, by its last iteration: witnesses are kept when blocks are shuffled
          (erratum E-18).
        - ``"direction Q"``: the best direction to a block mean.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.

    Examples
    --------
    >>> from explorer.papers.monk import figure_1
    >>> errors = figure_1("a", n=21, seed=0)
    >>> {name: round(errors[name], 2) for name in ("U", "BCD 5", "Fast 5", "direction 5")}
    {'U': 0.02, 'BCD 5': 0.09, 'Fast 5': 0.39, 'direction 5': 0.12}
    """
    checks.one_of(panel, "panel", PANELS)
    n, seed = checks.whole(n, "n", max(BLOCKS)), checks.whole(seed, "seed")
    kernel = KERNELS[PANELS[panel][1]]
    X, Y = draw(panel, n, seed)
    U = mmd2(X, Y, kernel)
    found = {"U": u_mmd(U), "U, clipped": u_mmd(U, "clipped"), "U, printed": u_mmd(U, printed=True)}
    D = pair_differences(kernel, X, Y)
    for Q in BLOCKS:
        for name, method in (("BCD", "bcd"), ("Fast", "bcd-fast")):
            result = monk_of_differences(D, kernel, Q, method, rng=seed)
            found[f"{name} {Q}"], found[f"{name} {Q}, last"] = result.value, result.history[-1]
        found[f"Fast {Q}, kept"] = monk_of_differences(D, kernel, Q, "bcd-fast", rng=seed, keep=True).history[-1]
        found[f"direction {Q}"] = monk_of_differences(D, kernel, Q, "direction", rng=seed).value
    return {name: float(abs(value - truth(panel))) for name, value in found.items()}


def u_mmd(U: float, rule: str = "magnitude", printed: bool = False) -> float:
    """Return an MMD from the unbiased statistic U of MMD^2, which is negative in about half of the samples if P = Q.

    Parameters
    ----------
    U : float
        The statistic.
    rule : {"magnitude", "clipped"}, default "magnitude"
        ``sqrt|U|`` or sqrt(max(U, 0)). The verdict on the Pareto panels depends on it.
    printed : bool, default False
        Whether to return U itself, as (8) of paper 004 does, next to (7), which has the root (erratum E-16).

    Returns
    -------
    float
        The MMD.
    """
    if rule not in ("magnitude", "clipped"):
        raise Refusal(f"rule must be 'magnitude' or 'clipped', not {checks.echo(rule)}.")
    if printed:
        return U
    return float(np.sqrt(abs(U) if rule == "magnitude" else max(U, 0.0)))
