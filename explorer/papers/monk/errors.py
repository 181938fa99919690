"""Figure 1 of "MONK: Outlier-Robust Mean Embedding Estimation by Median-of-Means" (paper 004), as a study.

Six panels: a clean Gaussian pair, the same with outliers, and Pareto(3) against itself, each under the quadratic and
the RBF kernel. figure_1(panel, n, seed=int) is one replicate: two samples of a seed, and |estimate - MMD| for each
estimator, the MMD being known exactly. The figure shows the logarithm of the median over replicates and its quartiles;
FIGURE_1 has the cells.

What the paper leaves open is fixed here: (μ, σ) = (.35, .45) and (.75, .85), "randomly chosen from the [0, 1] interval"
there; (<x, y> + 1)^2 and θ = 1, the paper's σ; 100 iterations; the Pareto distribution on x >= 1.
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
OUTLIERS, AT = 5, (2000.0, 4000.0)  # the last rows of both samples
BLOCKS = (5, 11, 21)

# 40 replicates tell orders of magnitude; the paper has 100 at each of ten N
FIGURE_1 = {
    "fast": (Grid({"panel": tuple(PANELS), "n": (200, 600)}, 40),),
    "full": (Grid({"panel": tuple(PANELS), "n": tuple(range(200, 2001, 200))}, 100),),
}


def laws(experiment: str) -> Any:
    """P and Q of an experiment: "clean" and "outliers" have the same, "pareto" has one distribution twice."""
    if experiment == "pareto":
        return Pareto(3.0), Pareto(3.0)
    return tuple(GaussianMixture([1.0], [[mean]], [[[sd**2]]]) for mean, sd in ((0.35, 0.45), (0.75, 0.85)))


@cache
def truth(panel: str) -> float:
    """The MMD of a panel's distributions, not squared: 1.114 for a and b, .317 for d and e, 0 for c and f."""
    experiment, kernel = PANELS[panel]
    P, Q = laws(experiment)
    return 0.0 if P == Q else math.sqrt(mmd2_of_laws(P, Q, KERNELS[kernel]))


def draw(panel: str, n: int, seed: int) -> tuple[Points, Points]:
    """X and Y (n, 1) of a seed: the streams "P" and "Q", and for the outliers the last five rows replaced."""
    experiment, _ = PANELS[panel]
    X, Y = (law.sample(n, stream(seed, name)) for law, name in zip(laws(experiment), "PQ", strict=True))
    if experiment == "outliers":
        X[-OUTLIERS:], Y[-OUTLIERS:] = AT
    return X, Y


def figure_1(panel: str, n: int = 200, seed: int = 0) -> dict[str, float]:
    """|estimate - MMD| of one replicate for each estimator; a plain dict of numbers.

    panel  "a" to "f"
    n      pairs, at least 21

    "U"              sqrt|U|, U the unbiased statistic: how the authors' toolbox makes an MMD of it
    "U, clipped"     sqrt(max(U, 0)), which on the Pareto distribution is 0, the truth, in every other sample. Under the
                     quadratic kernel E k(x, x) is infinite there: the theorems' assumption fails, and U's error does
                     not fall (erratum E-23)
    "U, printed"     (8) as it stands, which estimates MMD^2 and may be negative (erratum E-16)
    "BCD Q"          Algorithm 1, the mean of the last two thirds of the iterations, for Q = 5, 11 and 21
    "BCD Q, last"    the same as printed, by the last iteration alone
    "Fast Q"         Algorithm 2; "Fast Q, last" the same by its last iteration
    "Fast Q, kept"   Algorithm 2 as printed, by its last iteration: witnesses kept when blocks are shuffled (erratum
                     E-18)
    "direction Q"    the best direction to a block mean

    Raises ValueError or TypeError for arguments that are none of these.

    >>> from explorer.papers.monk import figure_1
    >>> errors = figure_1("a", n=21, seed=0)
    >>> {name: round(errors[name], 2) for name in ("U", "BCD 5", "Fast 5", "direction 5")}
    {'U': 0.02, 'BCD 5': 0.09, 'Fast 5': 0.39, 'direction 5': 0.12}
    """
    if not isinstance(panel, str) or panel not in PANELS:
        raise Refusal(f"panel must be one of {', '.join(PANELS)}, not {checks.echo(panel)}.")
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
    """An MMD from the unbiased statistic U of MMD^2, which is negative in about half of the samples where P = Q.

    rule     "magnitude" sqrt|U|, or "clipped" sqrt(max(U, 0)); the verdict on the Pareto panels depends on it
    printed  True: U itself, as (8) of paper 004 has it beside (7), which has the root (erratum E-16)
    """
    if rule not in ("magnitude", "clipped"):
        raise Refusal(f"rule must be 'magnitude' or 'clipped', not {checks.echo(rule)}.")
    if printed:
        return U
    return float(np.sqrt(abs(U) if rule == "magnitude" else max(U, 0.0)))
