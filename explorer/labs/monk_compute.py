"""From a state of the MONK lab to its result."""

from __future__ import annotations

import numpy as np

from explorer.discrepancy import monk_of_differences, monk_steps
from explorer.embeddings import Pareto
from explorer.estimators import KME, MedianOfMeans

from .monk_pairs import DATA_FIELDS, ladder_of, pairs_of, values_of
from .monk_result import Drawn, MonkLabResult
from .monk_studies import spoilt_side, study_key

ITERATIONS = 100
POINTS = 121  # of a drawn function
WIDE = 4.0  # standard deviations of a law that its function is drawn over


def compute(lab, cache):
    """A MonkLabResult from a snapshot of the lab; what has not changed since the last one comes from the cache."""
    P, Q, truth, pairs = pairs_of(lab, cache)
    ladder = ladder_of(lab, pairs, cache)
    key = values_of(lab, DATA_FIELDS), pairs.kernel.key, lab.partition, lab.blocks

    def estimated():
        if lab.method == "direction":
            return ladder.at(lab.blocks)
        return monk_of_differences(pairs.D, pairs.kernel, lab.blocks, lab.method, ITERATIONS, lab.partition)

    def stepped():
        return tuple(monk_steps(pairs.X, pairs.Y, pairs.kernel, lab.blocks, iterated(lab), ITERATIONS, lab.partition))

    return MonkLabResult(
        lab,
        P,
        Q,
        truth,
        pairs,
        ladder,
        cache.get(("estimate", lab.method, *key), estimated),
        cache.get(("steps", iterated(lab), *key), stepped) if lab.picture == "steps" else None,
        cache.get(("embeddings", *key), lambda: embeddings(lab, P, Q, pairs)) if lab.picture == "embedding" else None,
        cache.peek(study_key(lab)),
    )


def iterated(lab):
    """Whose steps are shown: the direction has none, so BCD's stand in for it."""
    return "bcd" if lab.method == "direction" else lab.method


def reach(law):
    """Over which first coordinates the function of a law is drawn."""
    if isinstance(law, Pareto):
        return 0.0, 2 * WIDE
    mean, sd = float(law.mean[0]), float(np.sqrt(law.variances[0]))
    return mean - WIDE * sd, mean + WIDE * sd


def embeddings(lab, P, Q, pairs):
    """The embedding of the law whose sample has the outliers, and two estimates of it, along the first coordinate."""
    one = spoilt_side(lab)
    law, X = (P, Q)[one], (pairs.X, pairs.Y)[one]
    at = np.linspace(*reach(law), POINTS)
    points = np.column_stack([at, np.zeros((POINTS, lab.d - 1))])
    truth, kme = law.embed(pairs.kernel), KME(pairs.kernel).embed(X)
    median = MedianOfMeans(pairs.kernel, lab.blocks).embed(X, lab.partition)
    return Drawn(at, truth(points), kme(points), median(points), kme.distance(truth), median.distance(truth))
