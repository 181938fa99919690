"""The Two-sample lab's tests: one at each bandwidth, all with the same shuffles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.discrepancy import bandwidth_sweep, pvalue, splits
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
    kernels = [FOUR[lab.kernel] if b is None else Gaussian(b * median) for b in bandwidths]
    how = lab.statistic, MAKE[estimator or lab.estimator](), count, lab.seed, at, S, stopped
    sweep = bandwidth_sweep(samples.X, samples.Y, kernels, *how)
    labels = np.array([lab.bandwidth if b is None else b for b in bandwidths])
    return sweep and Trials(labels, sweep.observed, sweep.tolerance, sweep.null, sweep.witness, sweep.heights)
