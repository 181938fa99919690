"""Costs of a result of the Independence lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.datasets import SHAPES
from explorer.kernels.low_rank.automatic import VALUE
from explorer.workbench.cost import automatic, coordinates, measured
from explorer.workbench.pairs import listed

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


MANY = 2**20  # with more entries of permuted matrices than this, only the entries cost time
# from FEWEST pairs on, a factor of at most FACTORS n columns is permuted instead of the matrix
FACTORS, FEWEST = 3, 128
SHUFFLES = 199  # permutations of a test that is one of many, and the fewest of the lab's own test
# parts of each size, the number of sizes, and the sum of the squared fractions
REPETITIONS, FRACTIONS, SQUARES = 60, 7, 2.04
HELD_OF_ALL = 2e7  # numbers stored by the test of all rows: cross-covariances of rank 128 under 1000 shifts
KINKED = ("distance", "LAP")
AGGREGATING = 999  # the fewest permutations of the test over all bandwidths
SEARCHED = 60  # the number of noise levels that are tried in search of the best one


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, resamples = lab.size, lab.resamples
    both = ("n",) if lab.source != "drawn" else ("placed",)
    if lab.source != "drawn" and lab.points:
        both = ("n", "placed") if lab.n >= len(lab.points) else ("placed", "n")
    often = ("permutations", *both) if resamples > SHUFFLES else both
    if not lab.enough:
        return [measured("the picture", 5e-3)]
    # Gram matrices of kernels with a kink have full rank, those of smooth kernels have low rank
    shape = 0.01 + 1e-7 * n**2 + (6e-10 if lab.kernel in KINKED else 3.5e-10) * n**3
    if lab.sigma is None:
        shape += SEARCHED * 2.5e-9 * n**2
    # full rank also takes more memory: the operators are whole matrices, and there are more of them
    numbers, orders = (14.4 if lab.kernel in KINKED else 7.2) * n**2, 1.2 * n
    parts = [
        measured("the shape of the dependence", shape, numbers, both),
        measured("the permutations", permuted(lab, lab.draft, ranks_of(lab)), numbers + lab.draft * orders, often),
    ]
    if lab.picture == "measures":
        distance = 3e-8 * n**2 + permuted(lab, lab.draft, None)
        parts.append(measured("the distance covariance", distance, numbers, often))
    if lab.picture == "ranks":
        parts.append(measured("the low-rank kernels", 5e-3 + 5e-6 * n, numbers, both))

    def late(name, seconds, lower, held=0.0):
        parts.append(measured(name, seconds, numbers + held, lower, late=True))

    trial, whole = shape + permuted(lab, resamples, ranks_of(lab)), resamples * orders
    if lab.tabled:
        late("the tests at every σ", 0.5 * len(lab.stops) * trial, often, whole)
    elif lab.draft < resamples:
        late("the test with all permutations", 0.6 * trial, often, whole)
    late("the distance covariance with all permutations", 0.35 * permuted(lab, resamples, None), often, whole)
    if lab.some_drawn:
        every = lab.own.n
        late("the test of all rows", automatic(every**2 * (2 * VALUE + resamples * 1e-9)), (), HELD_OF_ALL)
    if lab.picture == "power":
        whole_ones = permuted(lab, SHUFFLES, ranks_of(lab)) + 5e-8 * n**2
        chosen = 3 if lab.sigma is None else 1
        power = chosen * REPETITIONS * (2e-3 * FRACTIONS * min(1.0, n / 50) + SQUARES * whole_ones)
        late("the power on parts of the pairs", power, both)
    if lab.picture == "columns" and not lab.by_gram[0]:
        late("the ranking of the columns", 15 * (5e-3 + 2e-7 * n**2 + permuted(lab, min(resamples, 999), None)), often)
    if lab.picture == "elimination" and lab.tells_columns:
        c = 2 if lab.source == "eckerle4" else coordinates(lab)
        late("the columns one by one", c * (c - 1) / 2 * (6e-4 + 6e-8 * n**2), both)
    if lab.picture == "bandwidths" and not lab.by_gram[0]:
        count = max(resamples, AGGREGATING)
        late("the test over all bandwidths", 25 * (permuted(lab, count, None) + 5e-8 * n**2), often, count * orders)
    if lab.picture == "measures" and not any(lab.by_gram):
        late("mutual information", min(resamples, SHUFFLES) * (1e-3 + 8e-6 * n) + 1.0, both)
    if lab.picture == "canonical":
        refits = 5e-3 + 2e-8 * n**2 + 4e-9 * n**3
        parts.append(measured("the canonical functions", 2e-3 + 4e-9 * n**3, 8 * n**2, both))
        late("the canonical functions of pairs left out", (16 + 17 * (lab.eps is None)) * refits, both)
    if lab.samples:
        plain = 2.8e-4 + 1.5e-8 * n**2 + permuted(lab, SHUFFLES, None) * (1.0 if SHUFFLES * n**2 <= MANY else 0.5)
        each = plain + (SEARCHED * (4.5e-5 + 1.2e-9 * n**2) if lab.sigma is None else 0.0)
        if lab.source in (*SHAPES, "strings"):  # other sources have independent pairs only
            each += each + plain + 1.8e-3
        late("the fresh samples", lab.samples * each, ("samples", *both))
    return parts


def permuted(lab: Any, count: int, ranks: float | None) -> float:
    """Return the seconds for the sums of `count` permutations: by factors if their ranks are low, or entry by entry.

    The entries of large matrices do not stay in the processor's cache. numba gathers them, except in about the first
    second
    of a process.
    """
    n = lab.size
    if ranks is not None and n >= FEWEST and ranks <= FACTORS * n:
        return count * (1e-6 + 2e-10 * n * ranks)
    if count * n**2 <= MANY:
        return count * n**2 * 3e-9
    return count * n**2 * 5e-10 * min(5.0, max(1.0, (n / 600) ** 2))


def ranks_of(lab: Any) -> float | None:
    """Return roughly the product of both Gram matrices' ranks, or None if the ranks are not low."""
    columns = max(1, len(listed(lab.x)))
    if lab.kernel in KINKED or lab.by_gram[0]:
        return None
    if lab.kernel == "LIN":
        return columns
    if lab.kernel == "POLY2":
        return columns * (columns + 3)
    rank = 10 + 17 / lab.bandwidth
    return rank ** (columns + 1)
