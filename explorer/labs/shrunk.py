"""The two estimates of the Shrinkage lab over λ: S-KMSE, and F-KMSE or another filter."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from explorer.estimators import FKMSE
from explorer.estimators.constraints import on_simplex
from explorer.estimators.refits import Refits
from explorer.estimators.simple import Summary

from .filtering import Filtering
from .paths import Path, Seen, level_path, relative, simple_path, weights_path
from .targets import Blob

FILTER_AT = np.geomspace(1e-4, 1e3, 81)  # where the filter's curve is drawn, in units of scale
FILTER_AT.flags.writeable = False


class Simple(NamedTuple):
    """S-KMSE over λ (m + 1,): its path, its best share α* where it is known, its target, which share of μ̂ it keeps (m
    + 1,) where that is one number, the weights (m + 1, n), and how long it is along each eigendirection, |<estimate,
    v_i>| / |μ̂|
    (m + 1, n)."""

    path: Path
    share: float | None
    blob: Blob | None
    keeps: np.ndarray
    weights: np.ndarray
    coefficients: np.ndarray

    @classmethod
    def of(cls, lab, scene, lams):
        """At the slider's λ, and last at the one that leave-one-out chooses."""
        spectrum, truth, summary = scene.spectrum, scene.truth, scene.summary
        before = np.sqrt(spectrum.gamma) * spectrum.c / spectrum.n  # <μ̂, v_i>
        length = np.linalg.norm(before) or 1.0
        if lab.weights == "simplex":
            lams = np.append(lams, summary.best_lam())
            weights = scene.cached(("simplex", tuple(lams)), lambda: _on_simplex(scene.gram(), lams))
            path = weights_path(lams, relative(summary.loocv(lams), summary), weights, spectrum, truth)
            coefficients = np.sqrt(spectrum.gamma) * np.abs(weights @ spectrum.U) / length
            return cls(path, None, None, np.full(len(lams), np.nan), weights, coefficients)
        blob, seen, along = _target(lab, scene)
        if (
            lab.weights == "free" or blob
        ):  # a blob's weights sum to one, and so do those of all between it and the average
            truth = truth and truth.seen_from(seen)
            path = simple_path(lams, Summary.of_spectrum(spectrum, seen.z.mean(), seen.square), truth)
            share, keeps = truth and truth.share, 1 / (1 + path.lams)
        else:
            path, share, keeps = level_path(lams, summary.best_lam(), truth), None, np.ones(len(lams) + 1)
        coefficients = np.abs(np.outer(keeps, before) + np.outer(1 - keeps, along)) / length
        return cls(path, share, blob, keeps, np.repeat(keeps[:, None] / spectrum.n, spectrum.n, axis=1), coefficients)


def _target(lab, scene):
    """The blob, what an estimate needs of its kernel mean f*, and <f*, v_i> (n,); no blob is f* = 0."""
    if lab.target != "blob":
        return None, Seen(np.zeros(len(scene.X)), 0.0, 0.0), np.zeros(len(scene.X))
    blob, spectrum = Blob.of(lab.target_at, scene.source), scene.spectrum

    def make():
        target = blob.law.embed(scene.kernel)
        inner = 0.0 if scene.truth is None else scene.source.embed(scene.kernel).inner(target)
        return Seen(target(scene.X), target.norm() ** 2, inner)

    seen = scene.cached(("target", lab.target_at), make)
    # an eigenvalue that is 0 but for rounding has no eigenfunction
    real = spectrum.gamma > spectrum.n * np.finfo(float).eps * spectrum.gamma[-1]
    along = np.divide(seen.z @ spectrum.U, np.sqrt(spectrum.gamma), out=np.zeros(spectrum.n), where=real)
    return blob, seen, along


def _on_simplex(K, lams):
    return np.array([on_simplex(K, 1 / (1 + lam)) for lam in lams])


class Filtered(NamedTuple):
    """A spectral filter over λ (m + 1,).

    Its path, what it keeps (m + 1, n) of the eigendirections, the filter (m + 1, p) at FILTER_AT, and the weights (m +
    1, n).
    """

    path: Path
    kept: np.ndarray
    filter: np.ndarray
    weights: np.ndarray
    filtering: Filtering

    @classmethod
    def of(cls, lab, scene, lams):
        """With λ in units of scale."""
        spectrum, truth, scale = scene.spectrum, scene.truth, scene.scale
        filtering = Filtering(lab.filter, float(spectrum.gamma[-1]))
        chosen, score = _leave_one_out(lab, scene, filtering)
        lams = np.append(lams, chosen / scale)
        if lab.weights == "simplex":  # exactly the empirical mean: both parts of its objective are least there
            path = level_path(lams[:-1], lams[-1], truth)
            ones = np.ones((len(lams), spectrum.n))
            return cls(path, ones, np.ones((len(lams), len(FILTER_AT))), ones / spectrum.n, filtering)
        n, everywhere = spectrum.n, np.append(spectrum.gamma, FILTER_AT * scale)
        h = filtering.kept(everywhere, lams * scale)
        held = spectrum.normalised if lab.weights == "sum-to-one" else None
        if held:
            h = h * _times(spectrum, h[:n])
        path = _path(lams, h[:n], held, relative(score(lams * scale), scene.summary), scene, filtering)
        return cls(path, h[:n].T, h[n:].T, spectrum.apply(h[:n]).T, filtering)


def _times(spectrum, kept):
    """What weights of filter values kept (n, m) are multiplied by to sum to one, (m,)."""
    sums = spectrum.c**2 @ kept / spectrum.n
    return np.divide(1, sums, out=np.full(len(sums), np.nan), where=~spectrum.vanishes(kept))


def _path(lams, kept, held, score, scene, filtering):
    """The losses of a filter, and where they are least."""
    spectrum, truth = scene.spectrum, scene.truth
    if truth is None:
        return Path(lams, None, score, None, None)
    kme = truth.empirical_loss(spectrum)

    def loss(h):
        return spectrum.loss_of(h, truth.z, truth.square) / kme

    def held_loss(h):
        return np.nan_to_num(loss(held(h)), nan=np.inf) if held else loss(h)

    best = filtering.least(held_loss, spectrum.gamma)
    least = held_loss(filtering.kept(spectrum.gamma, np.array([best])))
    return Path(lams, loss(kept), score, best / scene.scale, float(least[0]))


def _leave_one_out(lab, scene, filtering):
    """The λ of least leave-one-out score, in units of k, and the score at each λ (m,)."""
    spectrum = scene.spectrum
    if lab.filter == "tikhonov":
        estimator = FKMSE(selection=lab.selection, weights=lab.weights)
        name = ("chosen", lab.selection, lab.weights)
        return scene.cached(name, lambda: estimator.best_lam(spectrum)), estimator.score(spectrum)
    refits = scene.cached("refits", lambda: Refits(scene.gram()))
    chosen = scene.cached(("chosen", lab.filter), lambda: filtering.lam(filtering.estimator.best(refits)))

    def score(lams):
        make = partial(refits.score, filtering.estimator.filtered, filtering.values(lams))
        return scene.cached(("score", lab.filter, tuple(lams)), make)

    return chosen, score
