"""Figure 2 of "MONK: Outlier-Robust Mean Embedding Estimation by Median-of-Means" (paper 004), as a study.

DNA subsequences.

Three panels, EI against IE, EI against EI and IE against IE, over N. figure_2(panel, n, seed=int) is one replicate: two
samples of N strings, drawn without replacement from 766 of a class. It returns for each estimator its MMD minus the
95 % quantile of 150 null values: the test of the paper rejects if that is positive. The figure shows the mean and the
standard deviation over 400 replicates; FIGURE_2 has the cells. The strings are those of load("splice"), so the folder
of data sets must be available.

The paper leaves the following open. Here the strings are the first 766 of either class, of 767 and 768. The kernel has
subsequences of 3 letters with decay 0.5, normalised. Both algorithms run 100 iterations. Two samples of one class are
drawn independently, as the paper states, and may share strings, which makes them more alike than two samples are.
`disjoint` draws them without common strings, up to N = 383.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.datasets import load
from explorer.discrepancy import MONK_NULLS, mmd_test, monk_test
from explorer.kernels import Precomputed, Subsequence
from explorer.papers.shrinkage import Grid
from explorer.rng import stream
from explorer.types import MonkMethod, Rows

if TYPE_CHECKING:
    from explorer.discrepancy import TestResult


PANELS = {"EI-IE": ("EI", "IE"), "EI-EI": ("EI", "EI"), "IE-IE": ("IE", "IE")}
STRINGS, BLOCKS, LEVEL, RESAMPLED = 766, 5, 0.05, 150
METHODS: dict[str, MonkMethod] = {"BCD": "bcd", "Fast": "bcd-fast"}

# 20 replicates distinguish most means from 0; the paper has 400
FIGURE_2 = {
    "fast": (Grid({"panel": tuple(PANELS), "n": (20, 60)}, 20),),
    "full": (Grid({"panel": tuple(PANELS), "n": (50, 100, 200, 300, 400, 500, 600, 700)}, 400),),
}


@lru_cache(maxsize=1)
def gram(length: int = 3, decay: float = 0.5, normalized: bool = True):
    """Return the kernel of the 1532 strings by their row numbers: 766 of EI, then 766 of IE."""
    data = load("splice")
    X = np.concatenate([data.only(label).X[:STRINGS] for label in ("EI", "IE")])
    return Precomputed(Subsequence(length, decay, normalized)(X))


def draw(panel: str, n: int, seed: int, disjoint: bool = False) -> tuple[Rows, Rows]:
    """Draw the row numbers of both samples (n,) from the streams "P" and "Q".

    If `disjoint`, two samples of one class have no row in common.
    """
    first, second = (STRINGS * ("EI", "IE").index(label) for label in PANELS[panel])
    P = stream(seed, "P").permutation(STRINGS)
    if disjoint and first == second:
        return first + P[:n], first + P[n : 2 * n]
    return first + P[:n], second + stream(seed, "Q").permutation(STRINGS)[:n]


def figure_2(
    panel: str,
    n: int = 100,
    seed: int = 0,
    null: Literal["flip", "pool"] = "pool",
    disjoint: bool = False,
    length: int = 3,
    decay: float = 0.5,
    normalized: bool = True,
) -> dict[str, float]:
    """Return MMD minus the quantile, and the p-value, of one replicate for each estimator.

    Parameters
    ----------
    panel : {"EI-IE", "EI-EI", "IE-IE"}
        The classes of the two samples.
    n : int, default 100
        Strings in each sample, from 5 to 766; up to 383 for disjoint samples of one class.
    seed : int, default 0
        Seed of the samples and of the null values.
    null : {"pool", "flip"}, default "pool"
        "pool" re-pairs all strings, as the paper does; "flip" swaps pairs.
    disjoint : bool, default False
        Whether two samples of one class share no string.
    length : int, default 3
        Length of the subsequences.
    decay : float, default 0.5
        Decay of the kernel.
    normalized : bool, default True
        Whether the kernel is normalised.

    Returns
    -------
    dict of {str: float}
        - ``"U"``, ``"BCD"``, ``"Fast"``: the estimate minus the 95 % quantile of its null values, computed as numpy
          does (erratum E-20). That of U is of sign(U) ``sqrt|U|``, an MMD with the sign of U.
        - ``"U, p"``, ``"BCD, p"``, ``"Fast, p"``: (1 + #{null >= estimate}) / 151, of level 0.05 at most.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.
    FileNotFoundError
        If the data set splice is not available.
    """
    checks.one_of(panel, "panel", PANELS)
    checks.one_of(null, "null", MONK_NULLS)
    n, seed = checks.whole(n, "n", BLOCKS), checks.whole(seed, "seed")
    most = STRINGS // 2 if disjoint and len(set(PANELS[panel])) == 1 else STRINGS
    if n > most:
        raise Refusal(f"n must be at most {most}, the strings that there are, not {n}.")
    kernel, (X, Y) = gram(length, decay, normalized), draw(panel, n, seed, disjoint)
    found = {"U": mmd_test(X, Y, kernel, n_resamples=RESAMPLED, rng=seed)}
    for name, method in METHODS.items():
        found[name] = monk_test(X, Y, kernel, BLOCKS, method, null=null, n_resamples=RESAMPLED, rng=seed)
    gaps = {name: gap(test, _root if name == "U" else float) for name, test in found.items()}
    return gaps | {f"{name}, p": test.pvalue for name, test in found.items()}


def gap(test: TestResult, scale: Callable[[float], float] = float) -> float:
    """Return how far a test's statistic is above the quantile of its null values, both on another scale."""
    return float(scale(test.statistic) - np.quantile([scale(value) for value in test.null_distribution], 1 - LEVEL))


def _root(square):
    """Return sign(U) sqrt|U|, the MMD of a U."""
    return float(np.sign(square) * np.sqrt(abs(square)))
