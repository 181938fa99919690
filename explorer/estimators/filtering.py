"""Spectral filters along one λ: filter values, losses and leave-one-out scores.

An iteration has a number of steps t and no λ. Here it gets a λ: it keeps little of the eigenvalues below
that, as the other filters do, so that all filters are compared at one λ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np

from explorer.checks import Refusal
from explorer.printing import printed
from explorer.types import Labels, Matrix, Vector

from .paths import RegularisationPath, level_path, relative, unit_of_losses
from .selection import first, least, least_whole
from .spectral import ITERATIONS, LARGEST_CHOICE, LARGEST_NU, Filter, SpectralKMSE

if TYPE_CHECKING:
    from explorer.estimators.paths import Truth
    from explorer.estimators.simple import Summary
    from explorer.estimators.spectrum import Spectrum

    from .refits import Refits


NAMES = {"tikhonov": "F-KMSE", "iterated-tikhonov": "iterated Tikhonov", "landweber": "Landweber", "nu": "ν-method",
         "tsvd": "truncated SVD"}  # fmt: skip
REACH = {"landweber": 1, "nu": 2}  # r: t steps keep eigenvalues above about γ_max / t^r, which counts as their λ
ESTIMATORS = {
    kind: SpectralKMSE(filter=kind, steps=ITERATIONS if kind == "iterated-tikhonov" else None)
    for kind in get_args(Filter)
}
LARGEST = {"landweber": 10**15, "nu": LARGEST_NU}


@printed
@dataclass(frozen=True)
class Filtering:
    """A filter h(γ) of the eigenvalues γ of one Gram matrix, as a function of λ.

    Attributes
    ----------
    kind : {"tikhonov", "iterated-tikhonov", "landweber", "nu", "tsvd"}
        The filter.
    top : float
        γ_max, the largest eigenvalue, in units of k like λ.

    Notes
    -----
    Landweber and the ν-method have a number of steps t instead of λ. After t steps they keep the eigenvalues above
    about γ_max / t^r, which counts as their λ, so t = (γ_max / λ)^(1 / r), rounded. r = 1 for Landweber, as 1 - (1 -
    ηγ)^t passes 1 - 1/e at γ = γ_max / t, and r = 2 for the ν-method. Iterated Tikhonov makes two steps.
    """

    kind: str
    top: float

    @property
    def estimator(self) -> SpectralKMSE:
        """The estimator that uses this filter."""
        return ESTIMATORS[self.kind]

    def values(self, lams: Vector) -> Labels:
        """Return the values of the filter's own parameter, λ or t, for each λ.

        Parameters
        ----------
        lams : ndarray of shape (m,)
            Values of λ, in units of k.

        Returns
        -------
        ndarray of shape (m,)
            The values of λ or of t.

        Raises
        ------
        Refusal
            If a λ takes too many steps.
        """
        if self.kind not in REACH:
            return np.asarray(lams, dtype=float)
        lams = np.asarray(lams, dtype=float)
        if (lams == 0).any():
            raise Refusal(f"λ = 0 would take {NAMES[self.kind]} endless steps; give λ above 0, or take another filter.")
        steps, limit = np.rint((self.top / lams) ** (1 / REACH[self.kind])), LARGEST[self.kind]
        if steps.max(initial=0) > limit:
            raise Refusal(
                f"That λ would take {NAMES[self.kind]} {steps.max():.3g} steps, more than {limit:g}; give a larger λ."
            )
        return steps.astype(np.int64)

    def lam(self, value: float) -> float:
        """Return the λ that corresponds to a value of the filter's own parameter.

        Parameters
        ----------
        value : float
            A value of λ or of t.

        Returns
        -------
        float
            The λ, in units of k.
        """
        if self.kind not in REACH:
            return value
        return self.top / value ** REACH[self.kind] if value else np.inf

    def filter_values(self, gamma: Vector, lams: Vector) -> Matrix:
        """Return the filter's values h at eigenvalues for each λ.

        Parameters
        ----------
        gamma : ndarray of shape (p,)
            The eigenvalues.
        lams : ndarray of shape (m,)
            The values of λ, in units of k.

        Returns
        -------
        ndarray of shape (p, m)
            The values of h.
        """
        return self.estimator.filtered(gamma[:, None], self.values(lams), self.top)

    def best(self, refits: Refits) -> float:
        """Return the λ of least leave-one-out score.

        Parameters
        ----------
        refits : Refits
            The refits of a sample.

        Returns
        -------
        float
            The λ, in units of k.
        """
        return self.lam(self.estimator.best(refits))

    def score(self, refits: Refits, lams: Vector) -> Vector:
        """Return the leave-one-out score at each λ.

        Parameters
        ----------
        refits : Refits
            The refits of a sample.
        lams : ndarray of shape (m,)
            The values of λ, in units of k.

        Returns
        -------
        ndarray of shape (m,)
            The scores.
        """
        return refits.score(self.estimator.filtered, self.values(lams))

    def least(self, objective: Callable[..., Any], gamma: Vector) -> float:
        """Return the λ at which a function of the filter's values, such as a loss, is least.

        Parameters
        ----------
        objective : callable
            Maps filter values h (p, m), for m values of λ, to the m numbers that are compared.
        gamma : ndarray of shape (p,)
            The eigenvalues.

        Returns
        -------
        float
            The λ, in units of k.
        """

        def at(values):
            return objective(self.estimator.filtered(gamma[:, None], np.asarray(values), self.top))

        if self.kind == "tsvd":  # the objective changes only if λ passes an eigenvalue
            values = np.array([0.0, np.inf, *gamma])
            return float(values[first(at(values))])
        if self.kind == "nu":
            values = np.arange(LARGEST_CHOICE["nu"] + 1)
            return self.lam(int(first(at(values))))
        if self.kind == "landweber":
            return self.lam(least_whole(at, LARGEST_CHOICE["landweber"]))
        return least(at, 1e-6 * self.top, 1e4 * self.top, ends=(0.0, np.inf)) if self.top > 0 else 0.0


@printed
class FilterEstimates(NamedTuple):
    """Estimates by a spectral filter at several λ: their losses, scores, weights and filter values.

    Attributes
    ----------
    path : RegularisationPath
        The losses and scores at m + 1 values of λ, in units of `scale`.
    filter_values : ndarray of shape (m + 1, n)
        The share kept of each eigendirection.
    filter : ndarray of shape (m + 1, p)
        The filter's values at p other eigenvalues, for a drawing of its curve.
    weights : ndarray of shape (m + 1, n)
        The weights of the points.
    filtering : Filtering
        The filter.
    """

    path: RegularisationPath
    filter_values: np.ndarray
    filter: np.ndarray
    weights: np.ndarray
    filtering: Filtering


def filter_estimates(
    filtering: Filtering,
    spectrum: Spectrum,
    lams: Vector,
    score: Vector | None,
    at: Vector,
    scale: float,
    summary: Summary,
    truth: Truth | None = None,
    weights: str = "free",
) -> FilterEstimates:
    """Return the losses, scores, weights and filter values of a filter's estimates at each λ; the last λ is the choice.

    Parameters
    ----------
    filtering : Filtering
        The filter.
    spectrum : Spectrum
        The eigendecomposition of the sample's Gram matrix.
    lams : ndarray of shape (m + 1,)
        The values of λ, in units of `scale`; the last is the choice.
    score : ndarray of shape (m + 1,) or None
        The leave-one-out score at each λ; None if `weights` is "simplex".
    at : ndarray of shape (p,)
        The eigenvalues at which the filter's curve is evaluated, in units of `scale`.
    scale : float
        The unit of `lams` and `at`, in units of k.
    summary : Summary
        The sample's `Summary`, the reference of relative scores.
    truth : Truth, optional
        The true distribution; None if it is not known.
    weights : {"free", "sum-to-one", "simplex"}, default "free"
        The constraint on the weights, as in the estimators.

    Returns
    -------
    FilterEstimates
        One record for all λ: its arrays have a row for each.
    """
    if weights == "simplex" or score is None:  # the empirical mean, which minimises both parts of the objective
        ones = np.ones((len(lams), spectrum.n))
        path = level_path(lams[:-1], lams[-1], truth)
        return FilterEstimates(path, ones, np.ones((len(lams), len(at))), ones / spectrum.n, filtering)
    n, normalised = spectrum.n, weights == "sum-to-one"
    h = filtering.filter_values(np.append(spectrum.gamma, at * scale), lams * scale)
    if normalised:
        h = h * spectrum.inverse_sums(h[:n])
    path = _filter_path(filtering, spectrum, lams, h[:n], relative(score, summary), scale, truth, normalised)
    return FilterEstimates(path, h[:n].T, h[n:].T, spectrum.apply(h[:n]).T, filtering)


def _filter_path(filtering, spectrum, lams, kept, score, scale, truth, normalised):
    """Return the losses and scores of a filter at each λ, and the λ of its least loss, as a RegularisationPath."""
    if truth is None:
        return RegularisationPath(lams, None, score, None, None)
    kme = unit_of_losses(truth.empirical_loss(spectrum))

    def loss(h):
        return spectrum.loss_of(h, truth.z, truth.square) / kme

    def held_loss(h):
        return np.nan_to_num(loss(spectrum.normalised(h)), nan=np.inf) if normalised else loss(h)

    best = filtering.least(held_loss, spectrum.gamma)
    least_loss = held_loss(filtering.filter_values(spectrum.gamma, np.array([best])))
    return RegularisationPath(lams, loss(kept), score, best / scale, float(least_loss[0]))
