"""The Marginalized lab: what noise does to a kernel mean when it is put on the data on purpose."""

from __future__ import annotations

from functools import partial

import param

from explorer.checks import Refusal
from explorer.estimators import MKME
from explorer.kernels import Gaussian
from explorer.model import LogNumber, Whole
from explorer.workbench.replicates import repeat

from .base import Cache, Lab, copied
from .marginalized_compute import compute, own_sigma, replicates_key
from .marginalized_small import SMALL
from .marginalized_sources import LAWS, SOURCES

LARGEST_INLINE, LARGEST_THROWN_INLINE = 120, 40  # points: up to here a result takes a frame or two, and with the dice
LARGEST_THROWN = 400  # points whose copies the dice compares with one another
GROUNDS = ("discs", "MKME", "MMKME")


def _share(where):
    """MMKME's noise in a coordinate beside σ."""
    return LogNumber(
        None,
        bounds=(0, 1e3),
        softbounds=(0.05, 5),
        allow_None=True,
        unit="× σ",
        symbol=where,
        doc=f"MMKME's noise in {where}, beside σ",
    )


class MarginalizedLab(Lab):
    """Samples of a law or a table under a Gaussian kernel, and MKME and MMKME of them over a range of σ.

    σ counts in standard deviations of the data. sigma=None leaves each estimator at its own leave-one-out choice.
    MMKME's noise is σ times a number in each coordinate: where it is None leave-one-out divides the noise, its mean
    square being σ².
    """

    aside = ("samples", "picture", "ground")
    source = param.Selector(default="mixture", objects=list(SOURCES), doc="where the sample comes from")
    n = Whole(20, bounds=(2, 1000), softbounds=(5, 400), symbol="n", doc="points in the sample")
    d = Whole(2, bounds=(1, 100), softbounds=(1, 100), symbol="d", doc="coordinates of a point")
    bandwidth = copied(Gaussian, "bandwidth", default=0.32, allow_None=False, unit="× median θ", symbol="bandwidth")
    sigma = copied(MKME, "sigma", bounds=(0, 1e3), softbounds=(1e-2, 3), unit="data sd", symbol="σ")
    first = _share("the first coordinate")
    second = _share("the second coordinate")
    others = _share("all further coordinates")
    seed = Whole(5, bounds=(0, 2**32 - 1), symbol="seed", doc="of the sample; one seed is one sample")
    dice = Whole(1, bounds=(0, 2**32 - 1), symbol="dice", doc="seed of the noisy copies")
    samples = Whole(0, bounds=(0, 1000), doc="further samples of the law, for the bands and the win rate")
    picture = param.Selector(default="kernel", objects=list(SMALL), doc="which of the small pictures is shown")
    ground = param.Selector(
        default="discs", objects=list(GROUNDS), doc="what is drawn under the sample: noise, or a density"
    )
    law_seed = Whole(1, bounds=(0, 2**32 - 1), symbol="law", doc="of the mixture's means and covariances")
    file = param.String(default="", doc="the name of your own table; the data stay in the session")
    rows = Whole(0, bounds=(0, None), doc="rows of your own table")
    hash = param.String(default="", doc="SHA-256 of your own table")
    columns = param.String(
        default="", doc="the columns taken of your own table, a JSON list; empty is all numeric ones"
    )
    missing = param.Selector(default="refuse", objects=["refuse", "drop"], doc="rows with missing values")
    standardise = param.Boolean(default=True, doc="whether a table's columns are scaled to mean 0 and variance 1")

    def __init__(self, *args, **kwargs):
        self.table = None
        super().__init__(*args, **kwargs)

    def _check(self):
        if self.source == "axis" and self.d < 2:
            raise Refusal("with one coordinate the useless axis would be the only one; take d of at least 2.")
        if self.picture == "dice" and self.n > LARGEST_THROWN:
            raise Refusal(
                f"n is {self.n}, and the dice compares all noisy copies with one another, for which n may be "
                f"{LARGEST_THROWN}; take fewer points, or another picture."
            )

    @property
    def quick(self):
        """Whether a result takes a frame or two."""
        return self.n <= (LARGEST_THROWN_INLINE if self.picture == "dice" else LARGEST_INLINE)

    def task(self):
        """A function that computes this state's MarginalizedResult."""
        return partial(compute, self.snapshot, self.table, self._cache)

    def more(self):
        """The Replicates of further samples, of the seeds that follow.

        None where no law is known or none are asked for.
        """
        if self.samples == 0 or self.source not in LAWS:
            return None
        here = self.replace(sigma=own_sigma(self), picture="kernel")

        def one(i):
            return compute(here.replace(seed=(here.seed + 1 + i) % 2**32), None, Cache())

        return replicates_key(self), partial(repeat, one, here.samples, names=("mkme", "mmkme"))
