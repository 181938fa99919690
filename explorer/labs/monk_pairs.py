"""A paired sample seen through a kernel: what every estimate of the MONK lab starts from."""

from __future__ import annotations

from explorer.discrepancy import BlockPath, PairedSample, mmd_of_laws
from explorer.discrepancy import signed_root as signed_root
from explorer.discrepancy.monk import SLIDER
from explorer.kernels import FOUR, Gaussian
from explorer.model import frozen
from explorer.workbench.placed import placed, spoil, spoilt

from .monk_laws import LAW_FIELDS, draw, the_laws

DATA_FIELDS = (*LAW_FIELDS, "n", "seed", "outliers", "planted", "distance", "placed")
KERNEL_FIELDS = ("kernel", "bandwidth")


def values_of(lab, fields):
    """A key of some fields."""
    return tuple(frozen(getattr(lab, field)) for field in fields)


def kernel_of(lab):
    """The lab's kernel; its bandwidth is in units of x, so that the truth stays where outliers move."""
    return Gaussian(lab.bandwidth) if lab.kernel == "RBF" else FOUR[lab.kernel]


class Pairs(PairedSample):
    """A PairedSample as the pages read it."""

    @property
    def spoilt(self):
        """Which pairs are spoilt, (n,)."""
        return self.contaminated

    @property
    def reach(self):
        """How far one pair can move the mean of a block at the slider's largest number of blocks."""
        return self.moved_by_one(SLIDER[-1])


def pairs_of(lab, cache):
    """The Pairs of a lab, its laws, and the true MMD; each step is cached under the fields it depends on."""
    laws = values_of(lab, LAW_FIELDS)
    P, Q = cache.get(("laws", laws), lambda: the_laws(lab))
    kernel = kernel_of(lab)
    truth = cache.get(("truth", laws, kernel.key), lambda: mmd_of_laws(P, Q, kernel))
    clean = cache.get(("clean", laws, lab.n, lab.seed), lambda: draw(P, Q, lab.n, lab.seed))

    def make():
        points = placed(lab.placed)
        X, Y = spoil(*clean, lab.outliers, lab.planted, lab.distance, points)
        return Pairs.of(X, Y, kernel, spoilt(lab.n, lab.outliers, points))

    return P, Q, truth, cache.get(("pairs", values_of(lab, DATA_FIELDS), kernel.key), make)


def ladder_of(lab, pairs, cache):
    """The BlockPath of a lab's pairs, for the slider's numbers of blocks."""
    key = "ladder", values_of(lab, DATA_FIELDS), pairs.kernel.key, lab.partition
    return cache.get(key, lambda: BlockPath.of_differences(pairs.D, pairs.kernel, lab.partition))
