"""Error of the estimates of a bag's kernel mean, over the number of points in a bag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.embeddings.law import Law
from explorer.estimators import KME
from explorer.rng import stream
from explorer.types import Points
from explorer.workbench.stages import Steps

from .lab import ESTIMATORS

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


SIZES = (3, 5, 10, 20, 50, 100, 200)  # numbers of points in a bag for which errors are drawn
BAGS, FEW, POINTS = 24, 6, 1200  # bags of each size: at most BAGS, about POINTS points in total, and at least FEW
REPEATED = 2  # number of draws of each bag
CHOSEN = {  # seconds, seconds per n² and per n³ to choose the estimate of a bag, and seconds per pair of bags
    "KME": (3e-5, 0.0, 0.0, 0.0),
    "S-KMSE": (2.5e-4, 1.5e-8, 0.0, 0.0),
    "F-KMSE": (1.2e-3, 1e-7, 2.5e-10, 0.0),
    "MKME": (1.6e-3, 5e-8, 0.0, 7e-5),
}
SHARE = 0.5  # share of a table's rows: larger bags have almost no error relative to all of them


class Sizes(NamedTuple):
    """Errors of the estimators over the points in a bag.

    Attributes
    ----------
    counts : ndarray of shape (s,)
        Points in a bag.
    ratios : dict of str to ndarray of shape (s,)
        For each estimator, its mean squared error divided by that of the plain average.
    """

    counts: np.ndarray
    ratios: dict[str, np.ndarray]


def sizes_of(laws: Sequence[Law | Points], kernel: Kernel, n: int, seed: int) -> Steps[Sizes]:
    """Compute the Sizes of new bags from distributions, or from the rows of a table. `n` is one of the bag sizes.

    Every choice is made on the bag alone, and every estimator uses the same bags.
    """
    truths = [law.embed(kernel) if isinstance(law, Law) else KME(kernel).embed(law) for law in laws]
    most = min(max(SIZES[-1], n) if isinstance(law, Law) else int(SHARE * len(law)) for law in laws)
    counts: list[int] = sorted({*(size for size in SIZES if size <= most), *([n] if n <= most else [])}) or [most]
    losses = np.zeros((len(ESTIMATORS), len(counts)))
    for j, count in enumerate(counts):
        for i, law in enumerate(laws[: bags_of(count)]):
            for k in range(REPEATED):
                yield
                X = _fresh(law, count, stream(seed, f"sizes {i} {k}"))
                for e, make in enumerate(ESTIMATORS.values()):
                    losses[e, j] += make(kernel).embed(X).distance(truths[i]) ** 2
    return Sizes(np.array(counts, float), dict(zip(ESTIMATORS, losses / losses[0], strict=True)))


def _fresh(law, count, rng):
    return law.sample(count, rng) if isinstance(law, Law) else law[rng.permutation(len(law))[:count]]


def bags_of(n: int) -> int:
    """Return the largest number of bags of n points over which errors are averaged."""
    return max(FEW, min(BAGS, POINTS // n))


def size_seconds(n: int, bags: int, rows: float) -> float:
    """Return the seconds of the Sizes of so many bags of n points, from a table with so many rows."""
    sizes = {size for size in (*SIZES, n) if size <= rows / 4}
    return REPEATED * sum(min(bags, bags_of(size)) * _losses(size) for size in sizes)


def _losses(n):
    """Return the seconds of one bag's estimates and their losses."""
    return sum(3e-4 + c + a * n**2 + b * n**3 for c, a, b, _ in CHOSEN.values()) + 2e-7 * n**2
