"""What other samples of the same laws show.

The cliff where a majority of blocks is spoilt, and how often an error is large.
"""

from __future__ import annotations

from functools import partial

from explorer.discrepancy import errors_beside_outliers, errors_of_means, mmd_of_laws
from explorer.estimators import KME, MedianOfMeans
from explorer.workbench.placed import spoil

from .monk_laws import LAW_FIELDS, draw, the_laws
from .monk_pairs import KERNEL_FIELDS, kernel_of, values_of

COUNTS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)  # of outliers along the cliff
VOTES = (5, 11, 21)  # blocks of its lines
MEANS = (11, 21)  # blocks of the medians of means
SAMPLES = {"cliff": 20, "quantiles": 40}
FEWEST, WHOLE = 5, 200  # samples of large N, and the N up to which there are all of them


def study_key(lab):
    """Under which key a lab's cache has the study that its picture shows."""
    fields = (*LAW_FIELDS, *KERNEL_FIELDS, "n", "seed", "planted", "distance", "picture", "partition")
    return "study", values_of(lab, fields), lab.outliers if lab.picture == "quantiles" else None


def samples_of(lab):
    """How many samples its study has: fewer of large ones, whose Gram matrices take long."""
    return max(FEWEST, round(SAMPLES[lab.picture] * min(1.0, (WHOLE / lab.n) ** 2)))


def _seeds(lab):
    """Those that follow the lab's own."""
    return [lab.seed + 1 + i for i in range(samples_of(lab))]


def cliff(lab, stopped):
    """|estimate - MMD| with more and more planted outliers, by U and by MONK along the direction.

    None once `stopped()`.
    """
    (P, Q), kernel = the_laws(lab), kernel_of(lab)

    def contaminate(X, Y, count):
        return spoil(X, Y, count, lab.planted, lab.distance, ())

    draws = (draw(P, Q, lab.n, seed) for seed in _seeds(lab))
    counts, votes = [m for m in COUNTS if m <= lab.n], [blocks for blocks in VOTES if blocks <= lab.n]
    truth = mmd_of_laws(P, Q, kernel)
    return errors_beside_outliers(draws, contaminate, truth, kernel, counts, votes, lab.partition, stopped)


def spoilt_side(lab):
    """Whose sample the mean embeddings are of: the one that planted outliers are in, P's where both have some."""
    return 1 if lab.planted == "Q" else 0


def quantiles(lab, stopped):
    """|μ̂ - μ| of the plain average and of medians of means; None once `stopped()`."""
    laws, kernel, one = the_laws(lab), kernel_of(lab), spoilt_side(lab)
    drawn = (draw(*laws, lab.n, seed) for seed in _seeds(lab))
    samples = (spoil(*clean, lab.outliers, lab.planted, lab.distance, ())[one] for clean in drawn)
    votes = {Q: partial(MedianOfMeans(kernel, Q).embed, rng=lab.partition) for Q in MEANS if lab.n >= Q}
    return errors_of_means(samples, laws[one].embed(kernel), {"KME": KME(kernel).embed, **votes}, stopped)


STUDIES = {"cliff": cliff, "quantiles": quantiles}
