"""The Shrinkage lab: what a little shrinking does to a kernel mean."""

from __future__ import annotations

from functools import partial

import param

from explorer.embeddings.contamination import KINDS
from explorer.estimators import FKMSE, SKMSE, SpectralKMSE
from explorer.kernels import FOUR, Gaussian
from explorer.model import LogNumber, Whole

from .base import Cache, Lab, copied
from .moved import places
from .replicates import repeat
from .shrinkage_compute import compute, own_lam, replicates_key
from .sources import LAWS, SAMPLE_FIELDS, SOURCES, the_law
from .targets import centre

LARGEST_INLINE = 400  # points: up to here a result takes a frame or two
LARGEST_REFITS, LARGEST_QUICK = 200, 30  # up to where n refits take a second or two, and a frame or two


class ShrinkageLab(Lab):
    """Samples of a law or a table, and S-KMSE and F-KMSE of them over a range of λ.

    λ has one scale for all kernels: S-KMSE takes λ, F-KMSE λ times the mean of k(x, x). lam=None leaves each estimator
    at its own leave-one-out choice. Outliers replace the last rows of a sample; the loss is always to the clean law.
    """

    aside = ("samples", "picture")
    source = param.Selector(default="mixture", objects=list(SOURCES), doc="where the sample comes from")
    n = Whole(20, bounds=(2, 2000), softbounds=(5, 400), symbol="n", doc="points in the sample")
    d = Whole(2, bounds=(1, 100), softbounds=(1, 100), symbol="d", doc="coordinates of a point")
    mean = LogNumber(
        0.0, bounds=(0, 1e6), softbounds=(0.05, 5), symbol="mean", doc="of the one Gaussian, in every coordinate"
    )
    kernel = param.Selector(default="RBF", objects=list(FOUR), doc="what makes two points alike")
    bandwidth = copied(Gaussian, "bandwidth", default=0.32, allow_None=False, unit="× median θ", symbol="bandwidth")
    lam = copied(SKMSE, "lam")
    selection = copied(FKMSE, "selection")
    filter = copied(SpectralKMSE, "filter")
    weights = copied(FKMSE, "weights")
    target = param.Selector(default="zero", objects=["zero", "blob"], doc="what S-KMSE is shrunk towards")
    target_at = param.String(default="", doc="the centre of the blob, a JSON list of its first two coordinates")
    outliers = Whole(0, bounds=(0, 1000), softbounds=(0, 30), symbol="outliers", doc="rows that were replaced")
    distance = LogNumber(
        10.0,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(2, 2000),
        unit="sd",
        symbol="distance",
        doc="of the outliers from the mean",
    )
    kind = param.Selector(default=KINDS[0], objects=list(KINDS), doc="what the outliers look like")
    moved = param.String(
        default="", doc="points that were moved by hand, a JSON map from a row to its first two coordinates"
    )
    seed = Whole(1, bounds=(0, 2**32 - 1), symbol="seed", doc="of the sample; one seed is one sample")
    samples = Whole(0, bounds=(0, 1000), doc="further samples of the law, for the bands and the win rate")
    picture = param.Selector(
        default="filter", objects=["filter", "coefficients", "risk"], doc="which of the small pictures is shown"
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

    def move(self, **changes):
        """The same; moved points go back to their places with another sample, whose points they would not be."""
        anew = any(name in SAMPLE_FIELDS and value != getattr(self, name) for name, value in changes.items())
        super().move(**({"moved": ""} if anew and self.moved else {}) | changes)

    def _check(self):
        places(self.moved), centre(self.target_at)
        if self.outliers >= self.n:
            raise ValueError(f"{self.outliers} outliers need n of at least {self.outliers + 1}, and n is {self.n}.")
        self._check_refits()
        self._check_weights()

    def _check_refits(self):
        """Where every score takes n refits."""
        limit = LARGEST_QUICK if self.samples else LARGEST_REFITS
        if self.filter != "tikhonov" and self.n > limit:
            further = ", and with further samples" if self.samples else ""
            raise ValueError(
                f"n is {self.n}, and the filter '{self.filter}' is scored by n refits, for which{further} n may be"
                f" {limit}; take fewer points or the filter 'tikhonov', which is F-KMSE."
            )

    def _check_weights(self):
        """Where the weights are held to something."""
        if self.weights != "free" and self.filter != "tikhonov":
            raise ValueError(
                f"weights '{self.weights}' go with the filter 'tikhonov' only; take weights 'free' for '{self.filter}'."
            )
        if self.weights != "simplex":
            return
        if self.target != "zero":
            raise ValueError("weights on the simplex mix the points alone, so there is no target; take target 'zero'.")
        if self.source not in LAWS:
            raise ValueError(
                "weights on the simplex have no score of their own, so a law must be known; take a mixture or a"
                " Gaussian."
            )
        if self.n > LARGEST_REFITS:
            raise ValueError(f"n is {self.n}; weights on the simplex are drawn for n up to {LARGEST_REFITS}.")

    @property
    def quick(self):
        """Whether a result takes a frame or two."""
        return self.n <= (LARGEST_QUICK if self.filter != "tikhonov" or self.weights == "simplex" else LARGEST_INLINE)

    def task(self):
        """A function that computes this state's ShrinkageResult."""
        return partial(compute, self.snapshot, self.table, self._cache)

    def more(self):
        """The Replicates of further samples, of the seeds that follow.

        None where no law is known or none are asked for.
        """
        if self.samples == 0 or the_law(self) is None:
            return None
        here = self.replace(lam=own_lam(self), moved="")

        def one(i):
            return compute(here.replace(seed=(here.seed + 1 + i) % 2**32), None, Cache())

        return replicates_key(self), partial(repeat, one, here.samples)
