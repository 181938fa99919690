"""From a state of the Independence lab to its result."""

from __future__ import annotations

from explorer.discrepancy import hsic_ranks
from explorer.discrepancy.permutation import BATCH
from explorer.kernels.bandwidth import median_and_remark

from .independence_rest import Measures, correlation, distance, measures_key, rows_key, study_keys
from .independence_result import IndependenceResult
from .independence_sources import the_pairs
from .independence_trials import LEAST, data_key, draft, kernels, orders, stops, trial, trial_key, wider

HIGHEST = 50  # rank that is looked at


def compute(lab, table, cache):
    """An IndependenceResult from a snapshot of the lab.

    What has not changed since the last one comes from the cache.
    """
    data, key = data_key(lab), rows_key(lab)
    pairs = cache.get(("pairs", data), lambda: the_pairs(lab, table))
    if pairs.n < LEAST:
        return IndependenceResult(lab, pairs)
    medians, remarks = zip(
        *cache.get(("medians", data), lambda: tuple(map(median_and_remark, (pairs.X, pairs.Y)))), strict=True
    )
    rows, full = key and cache.peek(key), cache.peek(trial_key(lab, lab.shuffles))
    count = lab.shuffles if rows or full else draft(lab)
    if rows and lab.sigma is not None:
        own = rows[stops(lab).index(lab.sigma)]
    else:
        own = full or cache.get(trial_key(lab, count), lambda: trial(lab, pairs, medians, lab.sigma, count, cache.get))
    shuffled = lab.alpha, count, lab.seed, cache.get
    pearson = cache.get(("correlation", data, lab.level, count), lambda: correlation(pairs, *shuffled))
    apart = cache.peek(measures_key(lab, lab.shuffles))
    if apart is None and lab.picture == "measures":
        apart = cache.get(measures_key(lab, count), lambda: distance(pairs, *shuffled))
    both = tuple(map(wider, kernels(lab, medians), own.sigmas))
    path = None
    if lab.picture == "ranks":
        path = cache.get(
            ("ranks", data, both[0].key, both[1].key), lambda: hsic_ranks(pairs.X, pairs.Y, *both, HIGHEST)
        )
    order = None
    if lab.shuffle:
        batch, row = divmod(lab.shuffle - 1, BATCH)
        order = orders(pairs.n, count, lab.seed, cache.get)[batch][row]
    late = {name: cache.peek(key) for name, key in study_keys(lab).items()}
    found = Measures(pearson, *(apart or (None, None)))
    return IndependenceResult(lab, pairs, medians, remarks, both, own, rows or None, found, path, order, **late)
