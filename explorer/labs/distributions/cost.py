"""Cost of a result of the distributions lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import DataSet
from explorer.datasets.named_sets.bundled import BUNDLED
from explorer.datasets.named_sets.registry import find_entry
from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


PAIR, WIDE = 1.7e-9, 3.6e-9  # seconds per kernel value of two points; WIDE if exp is slow or digits cancel
EASY = (0.15, 6.0)  # a kernel value takes PAIR seconds if the bandwidth is in this range
CHOSEN = {  # seconds, seconds per n² and per n³ to choose the estimate of a bag, and seconds per pair of bags
    "KME": (3e-5, 0.0, 0.0, 0.0),
    "S-KMSE": (2.5e-4, 1.5e-8, 0.0, 0.0),
    "F-KMSE": (1.2e-3, 1e-7, 2.5e-10, 0.0),
    "MKME": (1.6e-3, 5e-8, 0.0, 7e-5),
}
SIZES = (3, 5, 10, 20, 50, 100, 200)  # numbers of points in a bag for which errors are drawn
BAGS, FEW, POINTS = 24, 6, 1200  # bags of each size: at most BAGS, about POINTS points in total, and at least FEW
REPEATED = 2  # number of draws of each bag
REFIT = 5e-4  # seconds to refit a classifier of two classes without one bag


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, l, d = shape(lab)
    stops, new = len(lab.stops), lab.new_bags if lab.toy else 0
    pairs = n**2 * (l**2 + 2 * l * stops + stops**2 / 2 + l * new + new)
    each, squared, cubed, pair = CHOSEN[lab.estimator]
    value = PAIR if EASY[0] <= lab.bandwidth <= EASY[1] else WIDE
    bags = 3 * l + 2 * stops + new
    seconds = 0.015 + value * (1 + 0.05 * d) * pairs + bags * (each + squared * n**2 + cubed * n**3)
    seconds += pair * (l**2 + 3 * l * stops + l * new) + 2e-8 * l**3
    parts = [measured("the kernel means of the bags", seconds, 4e6 + 4 * n * d * bags, ("n", "bags"))]
    if not lab.toy:
        parts.append(measured("the refits without one bag", REFIT * l, l**2, ("bags",)))
    if lab.picture == "outputs":
        parts.append(measured("two outputs of each bag", 0.01 + 1e-6 * l**2, 4e6, ("bags",)))
    if lab.picture == "size":
        sizes = {*SIZES, n} if lab.toy else {size for size in (*SIZES, n) if size <= rows_of(lab) / 4}
        each = sum(min(l, bags_of(size)) * _losses(size) for size in sizes)
        parts.append(measured("the errors over the size of bags", REPEATED * each, 4e6, ("bags",), late=True))
    return parts


def shape(lab: Any) -> tuple[int, int, int]:
    """Return (points in a bag, bags, coordinates of a point). A table has at most as many as it contains."""
    if lab.toy:
        return lab.n, lab.bags, 2
    if lab.source in BUNDLED:
        table = find_entry(lab.source)
        return lab.n, min(lab.bags, table.n // lab.n), table.d
    if lab.own is None:
        return lab.n, lab.bags, 1
    if isinstance(lab.own, DataSet):  # bags are cut from its rows
        return lab.n, min(lab.bags, max(lab.own.n // lab.n, 1)), lab.own.d
    sizes = _sizes(lab.own.points)
    return min(lab.n, int(sizes.max())), min(lab.bags, len(sizes)), lab.own.d


def rows_of(lab: Any) -> int:
    """Return the number of rows of a table, or 0 if there is none."""
    return find_entry(lab.source).n if lab.source in BUNDLED else lab.own.n if lab.own is not None else 0


@lru_cache(8)
def _sizes(points):
    """Return the number of rows of each bag of a table."""
    return np.unique(points.target, return_counts=True)[1]


def bags_of(n: int) -> int:
    """Return the largest number of bags of n points over which errors are averaged."""
    return max(FEW, min(BAGS, POINTS // n))


def _losses(n):
    """Return the seconds of one bag's estimates and their losses."""
    return sum(3e-4 + c + a * n**2 + b * n**3 for c, a, b, _ in CHOSEN.values()) + 2e-7 * n**2
