"""Losses of many replicates, their difference from another reproduction's numbers, and its standard errors."""

import itertools
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from explorer import GaussianMixture
from explorer.papers import shrinkage
from explorer.papers.shrinkage import FIGURE_1, Replicate, figure_1, figure_2

FAST, FULL = FIGURE_1["fast"][0].replicates, FIGURE_1["full"][0].replicates
T4 = "F-KMSE, theorem 4"


# a seed has one law and sample whatever the kernel, and one eigendecomposition whatever λ: they are made once
@cache
def random_law(d, seed):
    law = GaussianMixture.random(d, seed)
    return SimpleNamespace(sample=cache(law.sample), embed=law.embed)


draw = lru_cache(maxsize=FULL)(Replicate.draw)


def cells(grids):
    """Return the cells of some grids; a cell that two of them share appears once."""
    found = [dict(zip(g.axes, values, strict=True)) for g in grids for values in itertools.product(*g.axes.values())]
    return [cell for i, cell in enumerate(found) if cell not in found[:i]]


@cache
def _losses(study, replicates, cell):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shrinkage, "GaussianMixture", SimpleNamespace(random=random_law))
        patch.setattr(Replicate, "draw", draw)
        rows = [study(**dict(cell), seed=seed) for seed in range(replicates)]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def losses(study, replicates, **cell):
    """Return {estimator: losses (replicates,)} of a cell."""
    return _losses(study, replicates, tuple(cell.items()))


class Ratio(NamedTuple):
    """A mean loss over KME's, on the same samples, and the spread that one replicate contributes to it."""

    value: float
    spread: float
    count: int

    @classmethod
    def of(cls, table, name):
        """Compute the ratio by the delta method: mean(L) / mean(K) varies like the mean of (L_i - r K_i) / mean(K)."""
        loss, plain = table[name], table["KME"]
        value = loss.mean() / plain.mean()
        return cls(value, np.std(loss - value * plain, ddof=1) / plain.mean(), len(loss))

    @property
    def z(self):
        """Return the number of standard errors by which the ratio is above 1."""
        return (self.value - 1) / (self.spread / self.count**0.5)

    def off(self, printed):
        """Return by how many standard errors of the difference another reproduction's number is above the ratio.

        The other one is the mean over 30 distributions of its own. So it errs by spread / sqrt(30), and by its
        rounding: a uniform error of half a unit of the last digit, with variance unit^2 / 12.
        """
        unit = 10.0 ** -len(printed.split(".")[1])
        return (float(printed) - self.value) / np.sqrt(self.spread**2 * (1 / self.count + 1 / 30) + unit**2 / 12)


# another reproduction ------------------------------------------------------------------------------------------------
# Mean losses over KME's as other code gave them, 30 laws a cell, other random numbers.

RATIOS_1 = {  # at c = .01, .1, 1, 10
    ("LIN", "S-KMSE"): ".85 1.84 2.92 3.15",
    ("LIN", "F-KMSE"): "1.000 .999 .990 .941",
    ("POLY2", "S-KMSE"): "2.47 2.47 2.47 2.47",
    ("POLY2", "F-KMSE"): "1.000 .995 .959 .856",
    ("POLY3", "S-KMSE"): "1.38 1.38 1.38 1.38",
    ("POLY3", "F-KMSE"): ".999 .993 .936 .748",
    ("RBF", "S-KMSE"): ".999 .995 .969 1.68",
    ("RBF", "F-KMSE"): "1.000 .999 .994 .980",
}
CS = FIGURE_1["fast"][0].axes["c"]
WINS_1 = {  # samples of 30 where the estimate is nearer to the truth than KME
    ("LIN", "S-KMSE"): dict(zip(CS, (22, 3, 0, 0), strict=True)),
    ("LIN", "F-KMSE"): {10.0: 25},
    ("POLY2", "S-KMSE"): dict.fromkeys(CS, 0),
    ("POLY2", "F-KMSE"): {1.0: 30, 10.0: 26},
    ("POLY3", "S-KMSE"): dict.fromkeys(CS, 5),
    ("POLY3", "F-KMSE"): {10.0: 30},
    ("RBF", "S-KMSE"): {1.0: 28, 10.0: 5},
    ("RBF", "F-KMSE"): {10.0: 23},
}
ALL = ("S-KMSE", T4, "F-KMSE")
RATIOS_2 = {  # (kernel, n, d) -> S-KMSE, F-KMSE by Theorem 4, F-KMSE by genuine leave-one-out
    ("RBF", 10, 20): ".941 1.021 .959",
    ("RBF", 20, 20): ".973 1.094 .982",
    ("RBF", 50, 20): ".990 1.157 .991",
    ("RBF", 100, 20): ".989 1.092 .994",
    ("RBF", 20, 5): ".966 1.037 .973",
    ("RBF", 20, 50): ".974 1.079 .983",
    ("RBF", 20, 100): ".972 1.085 .984",
    ("LIN", 10, 20): ".895 .926 .975",
    ("LIN", 20, 20): ".936 1.029 .991",
    ("LIN", 100, 20): ".947 1.051 .998",
    ("LIN", 20, 5): "- - 1.05",
    ("LIN", 20, 100): ".884 1.022 .979",
    ("POLY2", 10, 20): ".840 .882 .912",
    ("POLY2", 20, 20): ".884 1.002 .969",
    ("POLY2", 100, 20): ".951 1.104 1.000",
    ("POLY2", 20, 100): ".826 .947 .927",
    ("POLY3", 10, 20): ".712 .759 .826",
    ("POLY3", 20, 20): ".768 .923 .936",
    ("POLY3", 100, 20): ".926 1.097 1.000",
    ("POLY3", 20, 5): "- - 1.03",
    ("POLY3", 20, 100): ".742 .868 .866",
}


def compared(replicates, cells_2):
    """Return (name, z) for every number of the other reproduction."""
    for (kernel, name), printed in RATIOS_1.items():
        for c, number in zip(CS, printed.split(), strict=True):
            table = losses(figure_1, replicates, kernel=kernel, c=c, n=10, d=30)
            yield (kernel, c, name), Ratio.of(table, name).off(number)
    for kernel, n, d in cells_2:
        table = losses(figure_2, replicates, kernel=kernel, n=n, d=d)
        for name, number in zip(ALL, RATIOS_2[kernel, n, d].split(), strict=True):
            if number != "-":
                yield (kernel, n, d, name), Ratio.of(table, name).off(number)
