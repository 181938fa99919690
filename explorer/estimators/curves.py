"""S-KMSE and the spectral filters over a whole range of λ.

losses, scores, weights and what is kept of each direction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.labs.filtering import Filtering
from explorer.labs.paths import Path, Seen, Truth, level_path, relative, simple_path, weights_path

from .constraints import on_simplex
from .flexible import FKMSE
from .simple import Summary
from .spectrum import Spectrum


class Setting(NamedTuple):
    """A sample seen through a kernel: the spectrum of its Gram matrix, and the truth where one is known."""

    spectrum: Spectrum
    truth: Truth | None

    @property
    def summary(self):
        """What S-KMSE needs of the sample."""
        return Summary.of_spectrum(self.spectrum)

    @property
    def scale(self):
        """The mean of k(x, x), in whose units λ counts; 1 where it is 0."""
        diagonal = self.summary.diagonal
        return diagonal if diagonal > 0 else 1.0


class SimpleCurve(NamedTuple):
    """S-KMSE over λ (m + 1,), the last one the choice of leave-one-out.

    share         its best share α* of the target, where it is known
    keeps         (m + 1,), the share of μ̂ that it keeps, nan where that is not one number
    weights       (m + 1, n) on the points, those of the target aside
    coefficients  (m + 1, n), how long it is along each eigendirection: |<estimate, v_i>| / |μ̂|
    """

    path: Path
    share: float | None
    keeps: np.ndarray
    weights: np.ndarray
    coefficients: np.ndarray


class FilteredCurve(NamedTuple):
    """A spectral filter over λ (m + 1,), in units of the mean of k(x, x), the last one the choice of leave-one-out.

    kept (m + 1, n) of the eigendirections, the filter's curve (m + 1, p) at the places asked for, weights (m + 1, n).
    """

    path: Path
    kept: np.ndarray
    curve: np.ndarray
    weights: np.ndarray


def simple_curve(setting, lams, weights="free", target=None, gram=None):
    """The SimpleCurve at λ (m,), with weights "free", "sum-to-one" or on the "simplex", shrunk towards a target f*.

    target is the Seen of f* at the points, None for 0. Weights that sum to one leave the empirical mean where the
    target is 0; with a target of weight one, (1 - α) μ̂ + α f* sums to one by itself. `gram()` gives the Gram matrix
    (n, n), which the simplex alone asks for.
    """
    spectrum, summary, truth = setting.spectrum, setting.summary, setting.truth
    before = np.sqrt(spectrum.gamma) * spectrum.c / spectrum.n  # <μ̂, v_i>
    length = np.linalg.norm(before) or 1.0
    if weights == "simplex":
        lams = np.append(lams, summary.best_lam())
        K = gram()
        mixed = np.array([on_simplex(K, 1 / (1 + lam)) for lam in lams])
        path = weights_path(lams, relative(summary.loocv(lams), summary), mixed, spectrum, truth)
        coefficients = np.sqrt(spectrum.gamma) * np.abs(mixed @ spectrum.U) / length
        return SimpleCurve(path, None, np.full(len(lams), np.nan), mixed, coefficients)
    if target is None:
        target, along = Seen(np.zeros(spectrum.n), 0.0, 0.0), np.zeros(spectrum.n)
        free = weights == "free"
    else:
        along, free = _along(target, spectrum), True
    if free:
        truth = truth and truth.seen_from(target)
        path = simple_path(lams, Summary.of_spectrum(spectrum, target.z.mean(), target.square), truth)
        share, keeps = truth and truth.share, 1 / (1 + path.lams)
    else:
        path, share, keeps = level_path(lams, summary.best_lam(), truth), None, np.ones(len(lams) + 1)
    coefficients = np.abs(np.outer(keeps, before) + np.outer(1 - keeps, along)) / length
    equal = np.repeat(keeps[:, None] / spectrum.n, spectrum.n, axis=1)
    return SimpleCurve(path, share, keeps, equal, coefficients)


def _along(target, spectrum):
    """<f*, v_i> (n,); an eigenvalue that is 0 but for rounding has no eigenfunction."""
    real = spectrum.gamma > spectrum.n * np.finfo(float).eps * spectrum.gamma[-1]
    return np.divide(target.z @ spectrum.U, np.sqrt(spectrum.gamma), out=np.zeros(spectrum.n), where=real)


class Score(NamedTuple):
    """Leave-one-out of a filter: the λ of least score, in units of k, and the scores at λ (m,)."""

    chosen: float
    at: object


def tikhonov_score(setting, selection="leave-one-out", weights="free"):
    """The Score of F-KMSE, from the spectrum alone."""
    estimator = FKMSE(selection=selection, weights=weights)
    return Score(estimator.best_lam(setting.spectrum), estimator.score(setting.spectrum))


def refit_score(setting, kind, refits):
    """The Score of another filter, from the Refits of the sample, which are O(n^4) once for all filters and λ."""
    filtering = Filtering(kind, float(setting.spectrum.gamma[-1]))
    filtered = filtering.estimator.filtered

    def at(lams):
        return refits.score(filtered, filtering.values(lams))

    return Score(filtering.lam(filtering.estimator.best(refits)), at)


def filtered_curve(setting, kind, lams, score, places, weights="free"):
    """The FilteredCurve of a filter at λ (m,) in units of the scale, with its `score`, drawn at `places` (p,)."""
    spectrum, truth, scale = setting.spectrum, setting.truth, setting.scale
    filtering = Filtering(kind, float(spectrum.gamma[-1]))
    lams = np.append(lams, score.chosen / scale)
    if weights == "simplex":  # exactly the empirical mean: both parts of its objective are least there
        path, ones = level_path(lams[:-1], lams[-1], truth), np.ones((len(lams), spectrum.n))
        return FilteredCurve(path, ones, np.ones((len(lams), len(places))), ones / spectrum.n)
    n, everywhere = spectrum.n, np.append(spectrum.gamma, places * scale)
    h, held = filtering.kept(everywhere, lams * scale), weights == "sum-to-one"
    if held:
        h = h / spectrum.sums(h[:n])
    relative_score = relative(score.at(lams * scale), setting.summary)
    path = _filtered_path(lams, h[:n], held, relative_score, setting, filtering)
    return FilteredCurve(path, h[:n].T, h[n:].T, spectrum.apply(h[:n]).T)


def _filtered_path(lams, kept, held, score, setting, filtering):
    """The losses of a filter, and where they are least."""
    spectrum, truth = setting.spectrum, setting.truth
    if truth is None:
        return Path(lams, None, score, None, None)
    unit = truth.empirical_loss(spectrum)

    def loss(h):
        return spectrum.loss_of(h, truth.z, truth.square) / unit

    def objective(h):
        return np.nan_to_num(loss(spectrum.normalised(h)), nan=np.inf) if held else loss(h)

    best = filtering.least(objective, spectrum.gamma)
    least = objective(filtering.kept(spectrum.gamma, np.array([best])))
    return Path(lams, loss(kept), score, best / setting.scale, float(least[0]))
