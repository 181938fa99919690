"""The Two-sample lab's tests: one at each bandwidth, all with the same shuffles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.discrepancy import witness
from explorer.discrepancy.mmd import gram_of
from explorer.discrepancy.permutation import mmd2_of_splits, observed_split, splits, tie_tolerance
from explorer.discrepancy.result import pvalue
from explorer.discrepancy.weighted import Plain, means
from explorer.estimators import FKMSE, KME, SKMSE
from explorer.kernels import FOUR, Gaussian
from explorer.model import frozen
from explorer.workbench.steps import log_steps

from .twosample_plane import frame, places
from .twosample_sources import DATA_FIELDS

BANDWIDTHS = log_steps(1e-2, 1e1)
DRAFT, INLINE = 199, 6e7  # shuffles while a hand moves, where all would take more than so many products a frame
TABLED = 999  # shuffles up to which every bandwidth has a row of its own
MAKE = {"KME": KME, "S-KMSE": SKMSE, "F-KMSE": FKMSE}


class Trials(NamedTuple):
    """Tests at r bandwidths: the observed MMD^2 and how close a tie is (r,), its null distribution (r, B), and the
    witness at the picture's places (r, g) and at the points (r, n + m)."""

    bandwidths: np.ndarray
    observed: np.ndarray
    tolerance: np.ndarray
    null: np.ndarray
    witness: np.ndarray
    heights: np.ndarray

    @property
    def pvalues(self):
        """Each row's own p-value, (r,)."""
        return np.array([pvalue(*row) for row in zip(self.null, self.observed, self.tolerance, strict=True)])

    def row(self, index):
        """One row of them, as Trials."""
        return Trials(*(column[index : index + 1] for column in self))


def size(lab):
    """How many points there are together, dropped ones too."""
    return lab.n + lab.m


def data_key(lab):
    """The fields that the points depend on."""
    return tuple(frozen(getattr(lab, field)) for field in DATA_FIELDS)


def rest_keys(lab):
    """Under which keys a lab's cache has what follows at rest.

    For all bandwidths, for this one, and the self-check of it.
    """
    estimator = "KME" if lab.estimator == "F-KMSE" else lab.estimator
    own = None if lab.bandwidth in BANDWIDTHS else lab.bandwidth  # a typed one has a row of its own
    every = ("every bandwidth", data_key(lab), lab.statistic, estimator, min(lab.shuffles, TABLED), own)
    bandwidth = lab.bandwidth if lab.kernel == "RBF" else None
    here = ("here", every, lab.kernel, lab.estimator, lab.permutations, lab.level, bandwidth)
    return every, here, ("self-check", here, lab.samples)


def draft(lab):
    """How many shuffles there is time for while a hand moves."""
    return lab.shuffles if lab.shuffles * size(lab) ** 2 <= INLINE else min(DRAFT, lab.shuffles)


def trials(lab, samples, bandwidths, median, count, cached, estimator=None, stopped=lambda: False):
    """The lab's test at each bandwidth, with `count` shuffles; the same shuffles everywhere.

    None as soon as `stopped()`.
    """
    P, n = samples.pooled, len(samples.X)
    S = cached(("splits", len(P), n, count, lab.seed), lambda: splits(len(P), n, count, lab.seed))
    at = cached(("places", data_key(lab)), lambda: places(frame(lab, samples), samples))
    rows = []
    for bandwidth in bandwidths:
        if stopped():
            return None
        kernel = FOUR[lab.kernel] if bandwidth is None else Gaussian(bandwidth * median)
        rows.append(_trial(lab, P, n, kernel, S, at, estimator or lab.estimator))
    observed, tolerance, null, heat, heights = (np.array(column) for column in zip(*rows, strict=True))
    return Trials(
        np.array([lab.bandwidth if b is None else b for b in bandwidths]), observed, tolerance, null, heat, heights
    )


def _trial(lab, P, n, kernel, S, at, estimator):
    """One row of Trials."""
    chosen, weighing = means(MAKE[estimator](), kernel, P)
    if isinstance(weighing, Plain):
        gram, square = gram_of(kernel, P), weighing.scale**2
        observed = square * float(mmd2_of_splits(gram, observed_split(len(P), n), lab.statistic)[0])
        null, magnitude = square * mmd2_of_splits(gram, S, lab.statistic), square * gram.magnitude
        apart = witness(P[:n], P[n:], kernel)
    else:
        observed, null, magnitude = weighing.observed(n), weighing.null(n, len(S), lab.seed), weighing.magnitude
        apart = chosen.embed(P[:n]) - chosen.embed(P[n:])
    return observed, tie_tolerance(magnitude, n, len(P) - n), null, apart(at), apart(P)
