"""What other samples of the same laws show.

The cliff where a majority of blocks is spoilt, and how often an error is large.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer import checks
from explorer.discrepancy import BlockPath, mmd2, pair_differences
from explorer.estimators import KME, MedianOfMeans

from .monk_laws import LAW_FIELDS, draw, the_laws, true_mmd
from .monk_pairs import KERNEL_FIELDS, kernel_of, signed_root, values_of
from .spoilt import spoil

COUNTS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)  # of outliers along the cliff
VOTES = (5, 11, 21)  # blocks of its lines
MEANS = (11, 21)  # blocks of the medians of means
SAMPLES = {"cliff": 20, "quantiles": 40}
FEWEST, WHOLE = 5, 200  # samples of large N, and the N up to which there are all of them


@dataclass(frozen=True, eq=False)
class Study:
    """Errors of further samples: estimator -> (samples,) or (samples, counts).

    and, along the cliff, the counts of outliers.
    """

    errors: dict[str, np.ndarray]
    counts: tuple[int, ...]

    def __post_init__(self):
        object.__setattr__(self, "errors", {name: checks.read_only(values) for name, values in self.errors.items()})

    @property
    def count(self):
        """How many samples there are."""
        return len(next(iter(self.errors.values())))

    @property
    def nbytes(self):
        """Memory, for a cache."""
        return sum(values.nbytes for values in self.errors.values())

    def quantile(self, name, share):
        """The quantile of an estimator's errors over samples."""
        return np.quantile(self.errors[name], share, axis=0)


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
    truth = true_mmd(P, Q, kernel)
    counts, votes = [m for m in COUNTS if m <= lab.n], [Q for Q in VOTES if Q <= lab.n]
    errors = {"U": [], **{blocks: [] for blocks in votes}}
    for seed in _seeds(lab):
        clean, rows = draw(P, Q, lab.n, seed), {name: [] for name in errors}
        for m in counts:
            if stopped():
                return None
            X, Y = spoil(*clean, m, lab.planted, lab.distance, ())
            path = BlockPath.of_differences(pair_differences(kernel, X, Y), kernel, lab.partition, votes)
            rows["U"].append(abs(signed_root(mmd2(X, Y, kernel)) - truth))
            for blocks in votes:
                rows[blocks].append(abs(path.value(blocks) - truth))
        for name, values in rows.items():
            errors[name].append(values)
    return Study({name: np.array(values) for name, values in errors.items()}, tuple(counts))


def spoilt_side(lab):
    """Whose sample the mean embeddings are of: the one that planted outliers are in, P's where both have some."""
    return 1 if lab.planted == "Q" else 0


def quantiles(lab, stopped):
    """|μ̂ - μ| of the plain average and of medians of means; None once `stopped()`."""
    laws, kernel, one = the_laws(lab), kernel_of(lab), spoilt_side(lab)
    mu = laws[one].embed(kernel)
    makers = {"KME": KME(kernel), **{Q: MedianOfMeans(kernel, Q) for Q in MEANS if lab.n >= Q}}
    errors = {name: [] for name in makers}
    for seed in _seeds(lab):
        X = spoil(*draw(*laws, lab.n, seed), lab.outliers, lab.planted, lab.distance, ())[one]
        for name, maker in makers.items():
            if stopped():
                return None
            found = maker.embed(X) if name == "KME" else maker.embed(X, lab.partition)
            errors[name].append(found.distance(mu))
    return Study({name: np.array(values) for name, values in errors.items()}, ())


STUDIES = {"cliff": cliff, "quantiles": quantiles}
