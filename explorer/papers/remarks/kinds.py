"""HSIC between data of two kinds, strings and numbers (paper 003), as a study of power.

kinds(carries, n, seed=int) is one sample of n pairs, a number and a string of a and b. The string depends on the number
in how many of either letter it has, in their order alone, or not at all. Each kind of data has its own kernel; the test
is the same.
"""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.discrepancy import hsic_test
from explorer.kernels import Gaussian, Subsequence
from explorer.papers.shrinkage import Grid
from explorer.rng import stream

LETTERS = 12
NOTHING, COMPOSITION, ORDER = "nothing", "composition", "order"
STRINGS, COUNTS = "subsequences", "letter counts"


def _grids(sizes, replicates, n_resamples):
    return (Grid({"n": sizes, "carries": (NOTHING, COMPOSITION, ORDER), "n_resamples": (n_resamples,)}, replicates),)


SIZES = {"fast": _grids((40,), 60, 99), "full": _grids((20, 40, 80), 200, 199)}


def kinds(carries: str, n: int = 40, seed: int = 0, n_resamples: int = 199) -> dict[str, float]:
    """Return the p-value of HSIC's test between strings and numbers, by two kernels of strings.

    Parameters
    ----------
    carries : {"nothing", "composition", "order"}
        What of a string depends on its number.
    n : int, default 40
        Number of pairs, at least 3.
    seed : int, default 0
        Seed of the sample and of the permutations.
    n_resamples : int, default 199
        Number of permutations.

    Returns
    -------
    dict of {str: float}
        - ``"subsequences"``: under Subsequence(2), which sees pairs of letters in their order.
        - ``"letter counts"``: under a Gaussian kernel of the numbers of a and b.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.
    """
    checks.one_of(carries, "carries", (NOTHING, COMPOSITION, ORDER))
    n, seed = checks.whole(n, "n", 3), checks.whole(seed, "seed")
    x, strings = stream(seed, "numbers").random(n), []
    for number, draws in zip(x, stream(seed, "letters").random((n, LETTERS)), strict=True):
        strings.append(write_string(number, draws, carries))
    counts = np.array([[word.count("a"), word.count("b")] for word in strings], float)
    return {
        STRINGS: hsic_test(strings, x, Subsequence(2), n_resamples=n_resamples, rng=seed).pvalue,
        COUNTS: hsic_test(counts, x, Gaussian(2.0), n_resamples=n_resamples, rng=seed).pvalue,
    }


def write_string(number: float, draws: np.ndarray, carries: str) -> str:
    """Return a string of twelve letters for a number in [0, 1], from uniform draws (12,).

    "composition" makes each letter an a with probability `number`. "order" makes each of six pairs "ab" with that
    probability and "ba" otherwise, so that there are six of either letter. "nothing" uses the draws alone.
    """
    if carries == ORDER:
        return "".join("ab" if draw < number else "ba" for draw in draws[: LETTERS // 2])
    chance = number if carries == COMPOSITION else 0.5
    return "".join("a" if draw < chance else "b" for draw in draws)
