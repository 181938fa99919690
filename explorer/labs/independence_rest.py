"""What the Independence lab adds once the hand rests.

Every σ, the other measures, power, a table's columns, fresh samples.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from explorer.discrepancy import (
    PowerByFraction,
    distance_test,
    hsic_level,
    hsic_test,
    level_check,
    pearson_test,
    power_by_fraction,
    rank_columns,
    rate_interval,
)
from explorer.kernels import Linear
from explorer.kernels.bandwidth import median_and_remark
from explorer.rng import stream

from .base import Cache
from .independence_peer import ask_dcor
from .independence_shapes import SHAPES
from .independence_sources import BUNDLED, roles, the_pairs, the_table
from .independence_trials import (
    LEAST,
    TABLED,
    data_key,
    draft,
    estimators,
    kernels,
    orders,
    size,
    stops,
    trial,
    trial_key,
)

ALL_SIGMAS = 600  # pairs beyond which not every σ has a row
FRACTIONS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0])  # of the pairs, where the power is drawn
REPETITIONS = 60  # parts of each size
SHUFFLES = 199  # of each test that is one of many


class Measure(NamedTuple):
    """One measure of dependence: its coefficient, the one from which p is at most the level, and p."""

    value: float
    limit: float
    p: float


class Measures(NamedTuple):
    """Pearson's r, signed (of several columns, the RV coefficient), and the distance correlation, with the distance
    covariance; Pearson's limit is of |r|. Both by the shuffles of the lab's own test."""

    pearson: Measure
    distance: Measure | None
    covariance: float


class Powers(NamedTuple):
    """Power on parts of the pairs, by the lab's HSIC and by Pearson's r."""

    kernel: PowerByFraction
    pearson: PowerByFraction


class Fresh(NamedTuple):
    """In how many of `count` fresh samples HSIC and Pearson's r found a dependence, None without a law.

    And HSIC in as many re-pairings of the present sample, which are independent."""

    count: int
    kernel: int | None
    pearson: int | None
    none: int

    def interval(self, found):
        """The 95 % interval of Clopper and Pearson for the chance of what happened `found` times."""
        return rate_interval(found, self.count)


def correlation(pairs, alpha, count, seed, cached):
    """Pearson's Measure, two-sided by the shuffles; of several columns the RV coefficient, from 0 to 1."""
    return _measure(pearson_test(pairs.X, pairs.Y, count, seed, orders=orders(pairs.n, count, seed, cached)), alpha)


def distance(pairs, alpha, count, seed, cached):
    """The Measure of the distance correlation, and the distance covariance."""
    own = distance_test(pairs.X, pairs.Y, count, seed, orders=orders(pairs.n, count, seed, cached))
    return _measure(own, alpha), math.sqrt(max(4 * own.test.statistic, 0.0))


def _measure(coefficient, alpha):
    return Measure(coefficient.value, coefficient.limit(alpha), coefficient.pvalue)


# what follows: (key in the lab's cache, what computes it) for each that this state asks for


def rows_key(lab):
    """Under which key there is a Trial for every σ of the slider; None where there is none."""
    if lab.kernel != "RBF" or size(lab) > ALL_SIGMAS or lab.shuffles > TABLED:
        return None
    return "every σ", data_key(lab), lab.level, lab.bandwidth, lab.shuffles, tuple(stops(lab))


def measures_key(lab, count):
    """That of the distance correlation."""
    return "distance", data_key(lab), lab.level, count


def study_keys(lab):
    """name -> key of what this state shows besides.

    Of `power`, `columns`, `fresh` and `peer` those that are asked for.
    """
    own = (lab.kernel, lab.bandwidth, lab.sigma) if lab.kernel == "RBF" else (lab.kernel, None, 0.0)
    asked = {
        "power": lab.picture == "power",
        "columns": lab.picture == "columns" and lab.source in (*BUNDLED, "file"),
        "fresh": lab.samples > 0,
        "peer": lab.peer and lab.picture == "measures",
    }
    keys = {
        "power": ("power", data_key(lab), *own),
        "columns": ("columns", data_key(lab), *own[:2], lab.permutations),
        "fresh": ("fresh", data_key(lab), *own, lab.level, lab.samples),
        "peer": ("peer", data_key(lab)),
    }
    return {name: key for name, key in keys.items() if asked[name]}


def next_study(lab, table, cache):
    """(key, a function of `stopped`) of what is to follow next; None where nothing can."""
    pairs = cache.peek(("pairs", data_key(lab)))
    if pairs is None or pairs.n < LEAST:
        return None  # what cannot be drawn has no more to it
    makers = []
    if key := rows_key(lab):
        makers.append((key, partial(_every, lab, table)))
    makers += [(trial_key(lab, lab.shuffles), partial(_own, lab, table))] * (not key and draft(lab) < lab.shuffles)
    makers.append((measures_key(lab, lab.shuffles), partial(_distance, lab, table)))
    makers += [(key, partial(STUDIES[name], lab, table)) for name, key in study_keys(lab).items()]
    for key, make in makers:
        if cache.peek(key) is None:
            return key, make
    return (
        "there",
        *(key for key, _ in makers),
    ), lambda stopped: True  # a page that shows an older result than the cache has


def _medians(pairs):
    return tuple(median_and_remark(Z)[0] for Z in (pairs.X, pairs.Y))


def _every(lab, table, stopped):
    own, pairs = Cache().get, the_pairs(lab, table)
    rows = []
    for sigma in stops(lab):
        if stopped():
            return None
        rows.append(trial(lab, pairs, _medians(pairs), sigma, lab.shuffles, own))
    return tuple(rows)


def _own(lab, table, stopped):
    pairs = the_pairs(lab, table)
    return trial(lab, pairs, _medians(pairs), lab.sigma, lab.shuffles, Cache().get)


def _distance(lab, table, stopped):
    return distance(the_pairs(lab, table), lab.alpha, lab.shuffles, lab.seed, Cache().get)


def _power(lab, table, stopped):
    pairs = the_pairs(lab, table)
    medians, fractions = _medians(pairs), FRACTIONS[np.floor(FRACTIONS * pairs.n + 0.5) >= LEAST]
    options = {"repetitions": REPETITIONS, "n_resamples": SHUFFLES, "rng": lab.seed, "stopped": stopped}
    found = []
    for both, estimator in ((kernels(lab, medians), estimators(lab.sigma, medians)), ((Linear(), Linear()), None)):
        parts = []
        for fraction in fractions:
            part = power_by_fraction(pairs.X, pairs.Y, *both, [fraction], estimator=estimator, **options)
            if part is None:
                return None
            parts.append(part)
        sizes, p = (np.concatenate([getattr(part, name) for part in parts]) for name in ("sizes", "pvalues"))
        found.append(PowerByFraction(fractions, sizes, p, pairs.n))
    return Powers(*found)


def _columns(lab, table, stopped):
    data = the_table(lab, table)
    y = roles(lab, data.names)[1]
    rows = data.X[stream(lab.seed, "rows").permutation(data.n)[: lab.n]]
    columns = dict(zip(data.names, rows.T, strict=True))
    under = {name: kernels(lab, (median_and_remark(column)[0],))[0] for name, column in columns.items()}
    target, kernel = columns.pop(y), under.pop(y)
    return rank_columns(columns, target, under, kernel, n_resamples=min(lab.shuffles, TABLED), rng=lab.seed)


def _fresh(lab, table, stopped):
    pairs, law = the_pairs(lab, table), lab.source in SHAPES
    medians = _medians(pairs)
    both, estimator = kernels(lab, medians), estimators(lab.sigma, medians)
    count = lab.samples
    none = hsic_level(pairs.X, pairs.Y, *both, estimator, lab.alpha, count, SHUFFLES, lab.seed, stopped)
    if none is None or not law:
        return none and Fresh(count, None, None, none.rejected)
    kernel = level_check(partial(_afresh, lab), count, lab.alpha, stopped)
    pearson = kernel and level_check(partial(_afresh_by_pearson, lab), count, lab.alpha, stopped)
    return pearson and Fresh(count, kernel.rejected, pearson.rejected, none.rejected)


def _further(lab, i):
    """The pairs of the i-th further sample."""
    return the_pairs(lab.replace(seed=(lab.seed + 1 + i) % 2**32, moved="", placed="", selected=0), None)


def _afresh(lab, i):
    """p of the lab's test of a further sample."""
    pairs = _further(lab, i)
    medians = _medians(pairs)
    both, estimator = kernels(lab, medians), estimators(lab.sigma, medians)
    return hsic_test(pairs.X, pairs.Y, *both, estimator=estimator, n_resamples=SHUFFLES, rng=i).pvalue


def _afresh_by_pearson(lab, i):
    """p by Pearson's r of a further sample."""
    pairs = _further(lab, i)
    return hsic_test(pairs.X, pairs.Y, Linear(), Linear(), n_resamples=SHUFFLES, rng=i).pvalue


def _peer(lab, table, stopped):
    pairs = the_pairs(lab, table)
    return ask_dcor(pairs.X, pairs.Y, stopped)


STUDIES = {"power": _power, "columns": _columns, "fresh": _fresh, "peer": _peer}
