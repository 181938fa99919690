"""The two estimates of the Shrinkage lab over λ: S-KMSE, and F-KMSE or another filter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.estimators import FKMSE
from explorer.estimators.filtering import FilterEstimates, Filtering, filter_estimates
from explorer.estimators.paths import (
    Path,
    Target,
    constant_estimates,
    simple_estimates,
    simplex_estimates,
    simplex_weights,
)
from explorer.estimators.refits import Refits

from .targets import Blob

FILTER_AT = np.geomspace(1e-4, 1e3, 81)  # where the filter's curve is drawn, in units of scale
FILTER_AT.flags.writeable = False


class Simple(NamedTuple):
    """S-KMSE over λ, see `SimpleEstimates`, and the blob that it is shrunk towards, None for 0."""

    path: Path
    share: float | None
    blob: Blob | None
    keeps: np.ndarray
    weights: np.ndarray
    coefficients: np.ndarray

    @classmethod
    def of(cls, lab, scene, lams):
        """At the slider's λ, and last at the one that leave-one-out chooses."""
        blob, made = _simple(lab, scene, lams)
        return cls(made.path, made.share, blob, made.keeps, made.weights, made.coefficients)


def _simple(lab, scene, lams):
    """The blob, and SimpleEstimates."""
    spectrum, truth, summary = scene.spectrum, scene.truth, scene.summary
    if lab.weights == "simplex":
        lams = np.append(lams, summary.best_lam())
        weights = scene.cached(("simplex", tuple(lams)), lambda: simplex_weights(scene.gram(), lams))
        return None, simplex_estimates(spectrum, summary, lams, weights, truth)
    if lab.target == "blob":  # its weights sum to one, and so do those of all between it and the average
        blob = Blob.of(lab.target_at, scene.source)
        target = scene.cached(("target", lab.target_at), lambda: _target(blob, scene))
        return blob, simple_estimates(spectrum, lams, truth, target)
    if lab.weights == "free":
        return None, simple_estimates(spectrum, lams, truth)
    return None, constant_estimates(spectrum, lams, summary.best_lam(), truth)


def _target(blob, scene):
    mean = None if scene.truth is None else scene.source.embed(scene.kernel)
    return Target.of(blob.law.embed(scene.kernel), scene.X, mean)


class Filtered:
    """A spectral filter over λ."""

    @staticmethod
    def of(lab, scene, lams) -> FilterEstimates:
        """At the slider's λ, in units of scale, and last at the one that leave-one-out chooses."""
        spectrum, scale = scene.spectrum, scene.scale
        filtering = Filtering(lab.filter, float(spectrum.gamma[-1]))
        chosen, score = _leave_one_out(lab, scene, filtering)
        lams = np.append(lams, chosen / scale)
        scores = None if lab.weights == "simplex" else score(lams * scale)
        return filter_estimates(
            filtering, spectrum, lams, scores, FILTER_AT, scale, scene.summary, scene.truth, lab.weights
        )


def _leave_one_out(lab, scene, filtering):
    """The λ of least leave-one-out score, in units of k, and the score at each λ (m,)."""
    spectrum = scene.spectrum
    if lab.filter == "tikhonov":
        estimator = FKMSE(selection=lab.selection, weights=lab.weights)
        name = ("chosen", lab.selection, lab.weights)
        return scene.cached(name, lambda: estimator.best_lam(spectrum)), estimator.score(spectrum)
    refits = scene.cached("refits", lambda: Refits(scene.gram()))
    chosen = scene.cached(("chosen", lab.filter), lambda: filtering.best(refits))

    def score(lams):
        return scene.cached(("score", lab.filter, tuple(lams)), lambda: filtering.score(refits, lams))

    return chosen, score
