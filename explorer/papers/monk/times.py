"""Table 1 of "MONK: Outlier-Robust Mean Embedding Estimation by Median-of-Means" (paper 004), as a study of times.

table_1(n, blocks, seed=int) is one replicate: two Gaussian samples of n rows in ten dimensions, and the seconds that
each algorithm takes on them. Times start from the pooled Gram matrix, which is the input of the paper's algorithms. The
exponent of time in N or in Q is the slope of its logarithm, which `orders` compares with the printed orders.

The paper's algorithms factorise the Gram matrix, and those of this library do not (erratum E-19): both are timed. Ours
is `monk_mmd`. The printed ones are its variant printed="norm", which takes the Cholesky factors that the paper asks
for. Times are processor seconds of this process, with one thread for matrix products, so that other processes hardly
matter. They differ from run to run and from machine to machine, and a seed fixes the samples only.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from explorer import checks
from explorer.discrepancy import mmd2, monk_mmd, monk_of_differences, pair_differences
from explorer.discrepancy.monk.coordinate_descent import printed_norm
from explorer.discrepancy.monk.paired_sample import paired
from explorer.estimators.medianofmeans.blocks import block_count
from explorer.execution.processors import one_thread
from explorer.kernels import Gaussian, Precomputed
from explorer.papers.shrinkage import Grid
from explorer.rng import stream

DIMENSIONS, SHIFT, BANDWIDTH = 10, 0.2, 2.0  # these make the pooled Gram matrix regular, which Cholesky factors need
BLOCKS, ITERATIONS = 11, 100
RUNS, ENOUGH = 3, 0.1  # most runs, and seconds after which no further run starts: long runs are steady

# Seven replicates are the fewest that decide between two medians. The sizes show an order because each is several times
# the last. The blocks are few, because for many blocks most of the time is the overhead of calls.
TABLE_1 = {
    "fast": (
        Grid({"n": (150, 300, 600), "blocks": (BLOCKS,)}, 7),
        Grid({"n": (600,), "blocks": (2, 4, 8)}, 7),
    ),
    "full": (
        Grid({"n": (250, 500, 1000, 2000), "blocks": (BLOCKS,)}, 20),
        Grid({"n": (2000,), "blocks": (3, 6, BLOCKS, 21)}, 20),
    ),
}


def table_1(n: int, blocks: int = BLOCKS, seed: int = 0) -> dict[str, float]:
    """Return the processor seconds of each algorithm on one pair of samples.

    Parameters
    ----------
    n : int
        Number of pairs, at least 1.
    blocks : int, default 11
        Number of blocks Q, from 1 to n.
    seed : int, default 0
        Seed of the samples.

    Returns
    -------
    dict of {str: float}
        - ``"Gram matrix"``: the pooled Gram matrix (2n, 2n), which all need and Table 1 leaves out.
        - ``"U"``: the U-statistic, from the Gram matrix on, like all that follow.
        - ``"BCD"``, ``"Fast"``: `monk_mmd` with 100 iterations: the matrix D of differences, and iterations without a
          factorisation.
        - ``"direction"``: the best direction to a block mean, on eight partitions.
        - ``"BCD, factors"``: Algorithm 1 with its Cholesky factor of the pooled Gram matrix.
        - ``"Fast, factors"``: Algorithm 2 with a Cholesky factor for every block at every shuffle. Both are without D's
          time, which the printed algorithms do not need.
        - ``"BCD, iterations"``, ``"Fast, iterations"``: ``"BCD"`` and ``"Fast"`` without D's time.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.

    Examples
    --------
    >>> from explorer.papers.monk import table_1
    >>> seconds = table_1(22, blocks=11, seed=0)
    >>> list(seconds)[:5], max(seconds.values()) < 60
    (['Gram matrix', 'U', 'BCD', 'Fast', 'direction'], True)
    """
    n, seed = checks.whole(n, "n", 1), checks.whole(seed, "seed")
    blocks = block_count(blocks, n, "pairs")
    Z = stream(seed, "samples").normal(size=(2 * n, DIMENSIONS))
    Z[n:] += SHIFT
    gaussian = Gaussian(BANDWIDTH)
    two = paired(np.arange(n), n + np.arange(n), Precomputed.trusted(gaussian(Z)))
    kernel, X, Y = two.kernel, two.X, two.Y
    D = pair_differences(kernel, X, Y)

    def whole(method):
        return lambda: monk_mmd(X, Y, kernel, blocks, method, ITERATIONS, rng=seed)

    def iterations(method):
        return lambda: monk_of_differences(D, kernel, blocks, method, ITERATIONS, rng=seed)

    def with_factors(method):
        def act():
            norm = printed_norm("norm", method, kernel, X, Y)
            monk_of_differences(D, kernel, blocks, method, ITERATIONS, seed, norm)

        return act

    acts = {
        "Gram matrix": lambda: gaussian(Z),
        "U": lambda: mmd2(X, Y, kernel),
        "BCD": whole("bcd"),
        "Fast": whole("bcd-fast"),
        "direction": whole("direction"),
        "BCD, factors": with_factors("bcd"),
        "Fast, factors": with_factors("bcd-fast"),
        "BCD, iterations": iterations("bcd"),
        "Fast, iterations": iterations("bcd-fast"),
    }
    with one_thread():
        return {name: seconds(act) for name, act in acts.items()}


def seconds(act: Callable[..., Any]) -> float:
    """Return the processor seconds of a call: the median of three calls, or of fewer if they are long."""
    taken = []
    while len(taken) < RUNS and sum(taken) < ENOUGH:
        start = process_time()
        act()
        taken.append(process_time() - start)
    return float(median(taken))
