"""The Independence lab: whether y depends on x, in what way, and what correlation makes of it."""

from __future__ import annotations

from functools import partial

import param

from explorer.checks import Refusal
from explorer.estimators import MKME
from explorer.kernels import Gaussian
from explorer.model import LogNumber, Whole
from explorer.workbench.moved import places

from .base import Lab, copied
from .independence_compute import compute
from .independence_rest import next_study
from .independence_sources import SAMPLE_FIELDS, SOURCES, listed, placed
from .independence_trials import DRAFT, KERNELS, size

LARGEST_QUICK = 150  # pairs: up to here a result takes a frame or two
PICTURES = ("pair", "gram", "measures", "ranks", "power", "columns")


class IndependenceLab(Lab):
    """Pairs (x, y), a kernel on each side, and the permutation test of independence by the biased HSIC.

    Pairs put by hand come after those of the source. Bandwidth and σ count in medians of each side's own distances; σ
    is the noise of a marginalized estimator, None its own leave-one-out choice on each side.
    """

    aside = ("samples", "picture", "rank", "shuffle", "peer", "selected")
    source = param.Selector(default="ring", objects=list(SOURCES), doc="where the pairs come from")
    n = Whole(100, bounds=(4, 2000), softbounds=(5, 400), symbol="n", doc="pairs of the source")
    noise = LogNumber(
        0.1, bounds=(0, 1e3), softbounds=(0.02, 5), symbol="noise", doc="of a shape's points, a standard deviation"
    )
    waves = Whole(2, bounds=(1, 50), softbounds=(1, 12), symbol="waves", doc="of the sine")
    kernel = param.Selector(default="RBF", objects=list(KERNELS), doc="what makes two values alike, in x and in y")
    bandwidth = copied(Gaussian, "bandwidth", default=0.5, allow_None=False, unit="× median θ", symbol="bandwidth")
    sigma = copied(MKME, "sigma", default=0.0, softbounds=(0.1, 10), unit="× median θ")
    level = param.Selector(
        default="0.05", objects=["0.01", "0.05", "0.1"], doc="of the tests: how often they may err by chance"
    )
    permutations = param.Selector(default="999", objects=["199", "999", "9999"], doc="shuffles of the pairing")
    moved = param.String(default="", doc="pairs moved by hand, a JSON map from a row to its place")
    placed = param.String(default="", doc="pairs put by hand, a JSON list of [x, y]")
    selected = Whole(0, bounds=(0, None), doc="which of those put by hand is selected, from 1; 0 is none")
    seed = Whole(3, bounds=(0, 2**32 - 1), symbol="seed", doc="of the pairs and the shuffles")
    samples = Whole(0, bounds=(0, 1000), doc="fresh samples, and as many of independent pairs, that are tested too")
    picture = param.Selector(default="pair", objects=list(PICTURES), doc="which of the small pictures is shown")
    rank = Whole(
        8, bounds=(1, 50), softbounds=(1, 50), symbol="rank", doc="of the kernels' approximations that is looked at"
    )
    shuffle = Whole(0, bounds=(0, DRAFT), doc="which of the shuffles is drawn; 0 is none")
    peer = param.Boolean(default=False, doc="whether the library dcor computes the distance covariance once more")
    x = param.String(default="", doc="the columns of a table that x is, a JSON list; empty is the usual one")
    y = param.String(default="", doc="the column of a table that y is; empty is the usual one")
    file = param.String(default="", doc="the name of your own table; the data stay in the session")
    rows = Whole(0, bounds=(0, None), doc="rows of your own table")
    hash = param.String(default="", doc="SHA-256 of your own table")
    columns = param.String(default="", doc="the columns read of your own table, a JSON list; empty is all numeric ones")
    missing = param.Selector(default="refuse", objects=["refuse", "drop"], doc="rows with missing values")
    standardise = param.Boolean(default=True, doc="whether a table's columns are scaled to mean 0 and variance 1")

    def __init__(self, *args, **kwargs):
        self.table = None
        super().__init__(*args, **kwargs)

    def move(self, **changes):
        """The same; with other pairs, moved ones go back to their places, and with another source those put by hand
        go.
        """
        other = {name for name, value in changes.items() if name in SAMPLE_FIELDS and value != getattr(self, name)}
        gone = ["moved", "shuffle"] * bool(other) + ["placed", "selected"] * bool(other & {"source", "x", "y", "hash"})
        defaults = {name: type(self).fields[name].default for name in gone}
        super().move(**{**defaults, **changes})

    def _check(self):
        places(self.moved), listed(self.x)
        points = placed(self.placed)
        if self.selected > len(points):
            raise Refusal(
                f"selected is {self.selected}, and {len(points)} pairs were put by hand; take one of them, or 0."
            )
        if self.sigma != 0 and self.kernel != "RBF":
            raise Refusal(
                f"sigma is the noise of a marginalized RBF kernel, and the kernel is {self.kernel}; take sigma = 0."
            )

    @property
    def alpha(self):
        """The level as a number."""
        return float(self.level)

    @property
    def shuffles(self):
        """The shuffles as a number."""
        return int(self.permutations)

    @property
    def quick(self):
        """Whether a result takes a frame or two."""
        return size(self) <= LARGEST_QUICK

    def task(self):
        """A function that computes this state's IndependenceResult."""
        return partial(compute, self.snapshot, self.table, self._cache)

    def more(self):
        """What follows at rest and is not there yet, one after the other.

        All shuffles for every σ, then what a picture shows.
        """
        return next_study(self.snapshot, self.table, self._cache)
