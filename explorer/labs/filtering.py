"""Every spectral filter over one λ, so that one slider moves them all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.checks import Refusal
from explorer.estimators import SpectralKMSE
from explorer.estimators.selection import first, least, least_whole
from explorer.estimators.spectral import ITERATIONS, LARGEST_CHOICE, LARGEST_NU

NAMES = {"tikhonov": "F-KMSE", "iterated-tikhonov": "iterated Tikhonov", "landweber": "Landweber", "nu": "ν-method",
         "tsvd": "truncated SVD"}  # fmt: skip
REACH = {"landweber": 1, "nu": 2}  # t steps keep what lies above about γ_max / t^reach, which stands for their λ
ESTIMATORS = {
    kind: SpectralKMSE(filter=kind, steps=ITERATIONS if kind == "iterated-tikhonov" else None) for kind in NAMES
}
LARGEST = {"landweber": 10**15, "nu": LARGEST_NU}


@dataclass(frozen=True)
class Filtering:
    """A filter h(γ) of the eigenvalues γ of one Gram matrix; λ in units of k, `top` = γ_max.

    The iterations, which have t and no λ, take t = (γ_max / λ)^(1 / reach), rounded: Landweber's reach is 1, as 1 - (1
    - ηγ)^t passes 1 - 1/e at γ = γ_max / t, that of the ν-method 2. Iterated Tikhonov makes two steps.
    """

    kind: str
    top: float

    @property
    def estimator(self):
        """The estimator whose filter it is."""
        return ESTIMATORS[self.kind]

    def values(self, lams):
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

    def lam(self, value):
        """The λ that a value of the filter's own stands for."""
        if self.kind not in REACH:
            return value
        return self.top / value ** REACH[self.kind] if value else np.inf

    def kept(self, gamma, lams):
        """h, (p, m), at eigenvalues gamma (p,) for each λ."""
        return self.estimator.filtered(gamma[:, None], self.values(lams), self.top)

    def least(self, objective, gamma):
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
