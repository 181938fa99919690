"""A paired sample seen through a kernel: what every estimate of the MONK lab starts from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from explorer import checks
from explorer.discrepancy import BlockPath, mmd2, pair_differences
from explorer.discrepancy.monk.path import SLIDER
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.four import FOUR
from explorer.model import frozen

from .monk_laws import LAW_FIELDS, draw, the_laws, true_mmd
from .spoilt import placed, spoil, spoilt

DATA_FIELDS = (*LAW_FIELDS, "n", "seed", "outliers", "planted", "distance", "placed")
KERNEL_FIELDS = ("kernel", "bandwidth")


def values_of(lab, fields):
    """A key of some fields."""
    return tuple(frozen(getattr(lab, field)) for field in fields)


def kernel_of(lab):
    """The lab's kernel; its bandwidth is in units of x, so that the truth stays where outliers move."""
    return Gaussian(lab.bandwidth) if lab.kernel == "RBF" else FOUR[lab.kernel]


def signed_root(square):
    """An MMD from a statistic of MMD^2 that may be negative: the root of its size, with its sign."""
    return math.copysign(math.sqrt(abs(square)), square)


@dataclass(frozen=True, eq=False)
class Pairs:
    """X and Y (n, d) with outliers, which pairs are `spoilt` (n,), the kernel, the Gram matrix D (n, n) of the
    differences, and U, the unbiased statistic of MMD^2."""

    X: np.ndarray
    Y: np.ndarray
    spoilt: np.ndarray
    kernel: Kernel
    D: np.ndarray
    U: float

    def __post_init__(self):
        for name in ("X", "Y", "spoilt"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    @classmethod
    def of(cls, X, Y, marks, kernel):
        """From the two samples."""
        return cls(X, Y, marks, kernel, pair_differences(kernel, X, Y), mmd2(X, Y, kernel))

    @property
    def nbytes(self):
        """Memory, for a cache."""
        return self.D.nbytes + self.X.nbytes + self.Y.nbytes

    @property
    def reach(self):
        """A bound of what the mean of a block says at the slider's largest number of blocks.

        The longest ψ by a block's size.
        """
        n = len(self.D)
        return math.sqrt(max(float(self.D.diagonal().max()), 0.0)) / (n // min(n, SLIDER[-1]))


class Ladder:
    """MONK's results by the direction, for each number of blocks of one partition seed; each is computed once."""

    def __init__(self, pairs, seed):
        prepared = tuple(Q for Q in SLIDER if Q <= len(pairs.D))
        self.path, self._known = BlockPath.of_differences(pairs.D, pairs.kernel, seed, prepared), {}
        self._large = self.path.rank is None
        self._bytes = pairs.D.nbytes

    @property
    def stops(self):
        """The numbers of blocks that are prepared for."""
        return self.path.prepared

    @property
    def nbytes(self):
        """Memory, for a cache; without features each of 8 partitions has sums between all borders."""
        return 2 * self._bytes if self._large else self._bytes // 8

    def at(self, blocks):
        """The MonkResult."""
        if blocks not in self._known:
            self._known[blocks] = self.path.at(blocks)
        return self._known[blocks]


def pairs_of(lab, cache):
    """The Pairs of a lab, its laws, and the true MMD; each step is cached under the fields it depends on."""
    laws = values_of(lab, LAW_FIELDS)
    P, Q = cache.get(("laws", laws), lambda: the_laws(lab))
    kernel = kernel_of(lab)
    truth = cache.get(("truth", laws, kernel.key), lambda: true_mmd(P, Q, kernel))
    clean = cache.get(("clean", laws, lab.n, lab.seed), lambda: draw(P, Q, lab.n, lab.seed))

    def make():
        points = placed(lab.placed)
        X, Y = spoil(*clean, lab.outliers, lab.planted, lab.distance, points)
        return Pairs.of(X, Y, spoilt(lab.n, lab.outliers, points), kernel)

    return P, Q, truth, cache.get(("pairs", values_of(lab, DATA_FIELDS), kernel.key), make)


def ladder_of(lab, pairs, cache):
    """The Ladder of a lab's pairs."""
    key = "ladder", values_of(lab, DATA_FIELDS), pairs.kernel.key, lab.partition
    return cache.get(key, lambda: Ladder(pairs, lab.partition))
