"""Spectral filters along one λ: what each keeps of the eigendirections, and its losses and leave-one-out scores.

An iteration has steps t and no λ; here it takes the λ whose filter reaches as far, so that all are compared at one λ.
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
REACH = {"landweber": 1, "nu": 2}  # t steps keep what lies above about γ_max / t^reach, which stands for their λ
ESTIMATORS = {
    kind: SpectralKMSE(filter=kind, steps=ITERATIONS if kind == "iterated-tikhonov" else None)
    for kind in get_args(Filter)
}
LARGEST = {"landweber": 10**15, "nu": LARGEST_NU}


@printed
@dataclass(frozen=True)
class Filtering:
    """A filter h(γ) of the eigenvalues γ of one Gram matrix; λ in units of k, `top` = γ_max.

    The iterations, which have t and no λ, take t = (γ_max / λ)^(1 / reach), rounded: Landweber's reach is 1, as 1 - (1
    - ηγ)^t passes 1 - 1/e at γ = γ_max / t, that of the ν-method 2. Iterated Tikhonov makes two steps.
    """

    kind: str
    top: float

    @property
    def estimator(self) -> SpectralKMSE:
        """The estimator whose filter it is."""
        return ESTIMATORS[self.kind]

    def values(self, lams: Vector) -> Labels:
        """What the filter itself takes for each λ of lams (m,): λ or t."""
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
        """The λ that a value of the filter's own stands for."""
        if self.kind not in REACH:
            return value
        return self.top / value ** REACH[self.kind] if value else np.inf

    def filter_values(self, gamma: Vector, lams: Vector) -> Matrix:
        """h, (p, m), at eigenvalues gamma (p,) for each λ."""
        return self.estimator.filtered(gamma[:, None], self.values(lams), self.top)

    def best(self, refits: Refits) -> float:
        """The λ of least leave-one-out score, in units of k, on the `Refits` of a sample."""
        return self.lam(self.estimator.best(refits))

    def score(self, refits: Refits, lams: Vector) -> Vector:
        """The leave-one-out score at each λ of lams (m,), in units of k, on the `Refits` of a sample."""
        return refits.score(self.estimator.filtered, self.values(lams))

    def least(self, objective: Callable[..., Any], gamma: Vector) -> float:
        """The λ of the least objective of filter values h (p, m) at gamma (p,), where objective(h) is (m,)."""

        def at(values):
            return objective(self.estimator.filtered(gamma[:, None], np.asarray(values), self.top))

        if self.kind == "tsvd":  # it only moves where λ passes an eigenvalue
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
    """A spectral filter along λ.

    path       the Path, m + 1 values of λ in units of `scale`
    kept       (m + 1, n): what is kept of each eigendirection
    filter     (m + 1, p): the filter at other eigenvalues, for its curve
    weights    (m + 1, n)
    filtering  the Filtering
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
    """FilterEstimates at λ (m + 1,), the last the choice, in units of `scale`; `weights` as those of the estimators.

    score    (m + 1,): the leave-one-out scores there; None on the simplex
    at       (p,): eigenvalues, in units of `scale`, at which the filter's curve is wanted
    summary  the sample's `Summary`, relative to which scores count; truth a `Truth`, None where none is known
    """
    if weights == "simplex" or score is None:  # exactly the empirical mean: both parts of its objective are least there
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
    """The losses of a filter, and where they are least."""
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
