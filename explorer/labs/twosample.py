"""The Two-sample lab: whether two samples differ by more than chance, and what that answer hangs on."""

from __future__ import annotations

import json
from functools import partial

import param

from explorer.checks import Refusal
from explorer.kernels import FOUR, Gaussian
from explorer.model import LogNumber, Whole
from explorer.workbench.moved import places

from .base import Lab, copied
from .twosample_compute import compute
from .twosample_rest import ALL_SHUFFLES, at_rest, self_check
from .twosample_sources import SAMPLE_FIELDS, SOURCES, dropped_rows
from .twosample_trials import data_key, rest_keys, size

ESTIMATORS = ("KME", "S-KMSE", "F-KMSE")
LARGEST_QUICK = 800  # points together: up to here a result takes a frame or two


class TwoSampleLab(Lab):
    """Two samples, a kernel, and the permutation test of P = Q by the MMD^2.

    Strays replace the last rows of Q's sample. The bandwidth counts in medians of the pooled sample's distances.
    """

    aside = ("samples", "picture")
    source = param.Selector(default="shift", objects=list(SOURCES), doc="what P and Q are")
    n = Whole(100, bounds=(3, 2000), softbounds=(5, 400), symbol="n", doc="points of P")
    m = Whole(100, bounds=(3, 2000), softbounds=(5, 400), symbol="m", doc="points of Q")
    d = Whole(2, bounds=(1, 100), softbounds=(1, 100), symbol="d", doc="coordinates of a point")
    size = LogNumber(
        0.5, bounds=(0, 1e6), softbounds=(0.1, 10), symbol="difference", unit="sd", doc="how far Q is from P"
    )
    kernel = param.Selector(default="RBF", objects=list(FOUR), doc="what makes two points alike")
    bandwidth = copied(Gaussian, "bandwidth", default=1.0, allow_None=False, unit="× median θ", symbol="bandwidth")
    statistic = param.Selector(default="unbiased", objects=["unbiased", "biased"], doc="which MMD²")
    estimator = param.Selector(default="KME", objects=list(ESTIMATORS), doc="what stands for a sample's kernel mean")
    level = param.Selector(
        default="0.05", objects=["0.01", "0.05", "0.1"], doc="of the test: how often it may err where P = Q"
    )
    permutations = param.Selector(default="999", objects=["199", "999", "9999"], doc="shuffles of the labels")
    outliers = Whole(0, bounds=(0, 1000), softbounds=(0, 30), symbol="strays", doc="rows of Q that were replaced")
    distance = LogNumber(
        30.0,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(2, 2000),
        unit="sd",
        symbol="distance",
        doc="of the strays from Q's mean",
    )
    moved_p = param.String(
        default="", doc="points of P moved by hand, a JSON map from a row to its first two coordinates"
    )
    moved_q = param.String(
        default="", doc="points of Q moved by hand, a JSON map from a row to its first two coordinates"
    )
    dropped = param.String(default="", doc='rows left out, a JSON list such as ["P3", "Q10"], counted from 1')
    seed = Whole(5, bounds=(0, 2**32 - 1), symbol="seed", doc="of samples and shuffles")
    samples = Whole(0, bounds=(0, 1000), doc="repetitions of the self-check")
    picture = param.Selector(
        default="bandwidths",
        objects=["bandwidths", "x-ray", "power", "influence"],
        doc="which of the small pictures is shown",
    )
    groups = param.String(default="", doc="the two groups of a table, a JSON list; empty is the first two")
    group = param.String(default="", doc="the column of your own table that names the groups")
    file = param.String(default="", doc="the name of your own table; the data stay in the session")
    rows = Whole(0, bounds=(0, None), doc="rows of your own table")
    hash = param.String(default="", doc="SHA-256 of your own table")
    file2 = param.String(default="", doc="the name of your second table, where Q has a file of its own")
    rows2 = Whole(0, bounds=(0, None), doc="rows of your second table")
    hash2 = param.String(default="", doc="SHA-256 of your second table")
    columns = param.String(
        default="", doc="the columns of your own table, a JSON list; empty is all that can be compared"
    )
    missing = param.Selector(default="refuse", objects=["refuse", "drop"], doc="rows with missing values")
    standardise = param.Boolean(default=True, doc="whether a table's numbers are scaled, those of P and Q together")

    def __init__(self, *args, **kwargs):
        self.tables = ()
        super().__init__(*args, **kwargs)

    def move(self, **changes):
        """The same; with another sample, moved points go back to their places and dropped rows return."""
        anew = any(name in SAMPLE_FIELDS and value != getattr(self, name) for name, value in changes.items())
        back = {name: "" for name in ("moved_p", "moved_q", "dropped") if anew and getattr(self, name)}
        super().move(**back | changes)

    def _check(self):
        places(self.moved_p), places(self.moved_q), dropped_rows(self.dropped)
        if self.samples and self.n < 4:
            raise Refusal(f"the self-check splits P's sample in two, and n is {self.n}; take n of at least 4.")
        if self.outliers >= self.m:
            raise Refusal(f"{self.outliers} strays need m of at least {self.outliers + 1}, and m is {self.m}.")
        if self.estimator == "F-KMSE" and self.statistic == "unbiased":
            raise Refusal(
                "F-KMSE's weights differ from point to point, and the unbiased MMD² has a meaning for equal weights "
                "only; take statistic 'biased'."
            )
        if self.estimator == "F-KMSE" and self.n + self.m > 400:
            raise Refusal(
                f"n + m is {self.n + self.m}; F-KMSE is fitted anew in every shuffle, so take at most 400 points."
            )
        _check_groups(self.groups)

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
        return size(self) <= LARGEST_QUICK and self.estimator != "F-KMSE"

    def task(self):
        """A function that computes this state's TwoSampleResult."""
        return partial(compute, self.snapshot, self.tables, self._cache)

    def more(self):
        """All shuffles, every bandwidth, the power and the influence of single rows.

        Once these are there, the self-check.

        What holds for every bandwidth is under way whatever becomes of the bandwidth meanwhile.
        """
        if size(self) > ALL_SHUFFLES or self._cache.peek(("samples", data_key(self))) is None:
            return None  # too many points, or none: what cannot be drawn has no more to it
        keys, lab = rest_keys(self), self.snapshot
        known = {key: self._cache.peek(key) for key in keys}
        every, here, check = keys
        if known[every] is None or known[here] is None:
            return (every if known[every] is None else here), partial(at_rest, lab, self.tables, known[every])
        if self.samples and known[check] is None:
            return check, partial(self_check, lab, self.tables)
        return keys, lambda stopped: known  # a page that shows an older result than the cache has

    def keep(self, key, value):
        """Let the next results have what `more` gave, key by key."""
        for one, part in value.items():
            self._cache.put(one, part)


def _check_groups(text):
    try:
        found = json.loads(text) if text else ["", " "]
        good = len(found) == 2 and all(isinstance(word, str) for word in found) and found[0] != found[1]
    except (TypeError, ValueError):
        good = False
    if not good:
        raise Refusal(f'groups must be like ["1", "2"], the names of two different groups, not {text[:60]!r}.')
