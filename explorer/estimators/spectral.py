"""Spectral kernel mean shrinkage: any filter of the Gram matrix's eigenvalues."""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import Literal, Self, TypeAlias

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.parameters import Choice, LogNumber, Whole
from explorer.types import Constraint, Gram, PointsLike, Values, Vector, VectorLike

from . import filters
from .base import Estimator
from .constraints import refuse_simplex, summing_to_one, weights_field
from .flexible import FKMSE
from .refits import Refits
from .selection import first, lams_of, least, least_whole, values_of
from .spectrum import Spectrum

Filter: TypeAlias = Literal["tikhonov", "iterated-tikhonov", "landweber", "nu", "tsvd"]
USES: dict[Filter, tuple[str, ...]] = {
    "tikhonov": ("lam",),
    "iterated-tikhonov": ("lam", "steps"),
    "landweber": ("steps",),
    "nu": ("steps",),
    "tsvd": ("lam",),
}
CALLED = {
    "tikhonov": "F-KMSE",
    "iterated-tikhonov": "iterated Tikhonov",
    "landweber": "Landweber",
    "nu": "ν-method",
    "tsvd": "truncated SVD",
}
ITERATIONS = 2  # of iterated Tikhonov where steps is None: the first that is not Tikhonov
LARGEST_CHOICE = {"landweber": 10**6, "nu": 10**3}  # t steps of the ν-method reach about as far as t^2 of Landweber
LARGEST_NU = 10**5  # its filter is a recursion: about a second


class SpectralKMSE(Estimator):
    """Spectral shrinkage: β = U h(γ) c / n for K = U diag(γ) U', c = U'1, with a filter h of K's eigenvalues.

    filter  "tikhonov"           γ / (γ + λ): exactly FKMSE
            "iterated-tikhonov"  1 - (λ / (γ + λ))^t; steps=None is t = 2
            "landweber"          1 - (1 - ηγ)^t, gradient descent stopped after t steps of length η = 1 / γ_max
            "nu"                 the ν-method with ν = 1, gradient descent with momentum, η = 1 / γ_max, t <= 100000
            "tsvd"               1[γ >= λ], the truncated decomposition
    lam     λ >= 0 or infinite, in units of k, for the filters that have a λ; None takes the least leave-one-out score
    steps   t from 0 to 10^15, for the filters that take steps; None takes the least leave-one-out score, except as said
            above
    weights "free", or "sum-to-one": divided by their sum, ValueError where that is 0. A filter has no objective to hold
            to the simplex, so "simplex" is refused. λ and t are chosen for the free weights, scored for those that are
            held

    λ = 0 is the empirical mean, null directions included, λ = inf and t = 0 are 0; t -> inf tends to the empirical
    mean. What is chosen is compared with both ends, and a tie goes to the first: the smaller λ or t, or λ = inf before
    what lies between. Landweber's t is sought up to 10^6, that of the ν-method up to 10^3. The score is that of n
    genuine refits to n - 1 points (with the same λ or t, η = 1 / γ_max of the refit's own K), and costs O(n · n^3)
    once, then O(n^2) for each value; Tikhonov's has a closed form and costs one O(n^3). Muandet,
    Sriperumbudur, Schölkopf 2014 (NeurIPS 27), who filter K / n: their λ is ours over n.

    >>> from explorer import Gaussian, SpectralKMSE
    >>> X = [[0.0], [1.0], [4.0]]
    >>> [SpectralKMSE(Gaussian(1.0), "landweber", steps=t).embed(X).weights.round(3).tolist() for t in (1, 100)]
    [[0.333, 0.336, 0.21], [0.333, 0.333, 0.333]]
    """

    filter: Filter = Choice(
        default="tikhonov", objects={CALLED[each]: each for each in USES}, doc="how much of each eigendirection is kept"
    )
    lam: float | None = LogNumber(
        default=None,
        bounds=(0, None),
        softbounds=(1e-4, 1e2),
        infinite=True,
        allow_None=True,
        symbol="λ",
        unit="units of k",
        doc="eigendirections below it fade",
    )
    steps: int | None = Whole(
        default=None,
        bounds=(0, 10**15),
        softbounds=(1, 1000),
        allow_None=True,
        symbol="t",
        doc="after how many steps an iteration stops",
    )
    weights: Constraint = weights_field(default="free")

    @property
    def free(self) -> str:
        """The name of the parameter that a sample chooses, λ or the steps of the filter."""
        return USES[self.filter][0]

    @property
    def equal_weights(self) -> bool:
        return self.lam == 0 and self.steps != 0

    @property
    def ridge(self) -> float | None:
        """λ under the filter "tikhonov", whose weights are (K + λI)^(-1) K 1/n; None under another."""
        return self.lam if self.filter == "tikhonov" else None

    def constrained(self, beta: Vector) -> Vector:
        return summing_to_one(beta, self)

    def _check(self):
        for name, meaning in (("lam", "λ"), ("steps", "steps")):
            if getattr(self, name) is not None and name not in USES[self.filter]:
                others = ", ".join(f"'{f}'" for f, used in USES.items() if name in used)
                raise Refusal(
                    f"SpectralKMSE's filter '{self.filter}' has no {meaning}, and {name}={getattr(self, name)} was"
                    f" given; leave it None, or take one that has: {others}."
                )
        if self.steps is not None:
            self._check_steps(self.steps)
        refuse_simplex(self, "a filter minimises no objective over weights; FKMSE does, with Tikhonov's filter")

    def embed(self, X: PointsLike) -> Embedding:
        chosen, spectrum = self._chosen(X)
        kernel, X = chosen._kernel(X)
        if chosen.lam == 0 and chosen.steps != 0:  # the empirical mean, null directions included
            return Embedding(kernel, X, np.full(len(X), 1 / len(X)))
        spectrum = spectrum or Spectrum(kernel(X))
        return Embedding(kernel, X, spectrum.constrained_weights(chosen, chosen.filter_at(spectrum.gamma)))

    def select(self, X: PointsLike) -> Self:
        return self._chosen(X)[0]

    def on_gram(self, K: Gram) -> Vector:
        if not self.settled or self.equal_weights:
            return super().on_gram(K)
        spectrum = Spectrum(K)  # without the models that an embedding takes: tests ask for thousands of weights
        return spectrum.constrained_weights(self, self.filter_at(spectrum.gamma))

    def loocv(self, X: PointsLike, values: VectorLike) -> Vector:
        """The score at each λ of `values` (m,), or each t for "landweber" and "nu"; n >= 2.

        nan where some refit's weights sum to 0 and are to sum to one."""
        K = self._gram(X, 2)[2]
        values, normalised = self._values(values), self.weights == "sum-to-one"
        if self.filter == "tikhonov":
            return Spectrum(K).leave_one_out(values, normalised)
        return Refits(K).score(self.filtered, values, normalised)

    def filter_at(self, gamma: Vector, top: float | None = None) -> Vector:
        """h at the eigenvalues gamma (p,), (p,); `top` is γ_max, None the largest of gamma.

        ValueError before a choice.
        """
        if not self.settled:
            raise Refusal(f"{checks.echo(self)} has yet to choose {self.free} on a sample; take select(X) first.")
        gamma = checks.numbers(gamma, "gamma").reshape(-1)
        if (gamma < 0).any():
            raise Refusal(f"gamma holds {gamma.min():g}; a Gram matrix has no eigenvalue below 0.")
        largest = float(gamma.max(initial=0.0)) if top is None else top
        return self.filtered(gamma[:, None], np.array([getattr(self, self.free)]), largest)[:, 0]

    def filtered(self, gamma: Values, values: Values, top: float | Values) -> Values:
        """h(γ) at values (m,) of the parameter that a sample chooses, for gamma (..., 1) of largest one `top`."""
        if self.filter == "tikhonov":
            return filters.tikhonov(gamma, values)
        if self.filter == "iterated-tikhonov":
            return filters.iterated_tikhonov(gamma, values, ITERATIONS if self.steps is None else self.steps)
        if self.filter == "landweber":
            return filters.landweber(gamma, values, top)
        return filters.nu(gamma, values, top) if self.filter == "nu" else filters.tsvd(gamma, values)

    def _chosen(self, X):
        """This estimator with what was None chosen on X, and the spectrum where the choice took one."""
        chosen = self.replace(steps=ITERATIONS) if self.filter == "iterated-tikhonov" and self.steps is None else self
        if self.settled:
            return chosen.replace(kernel=self._kernel(X)[0]), None
        kernel, _, K = self._gram(X, 2)
        if self.filter == "tikhonov":
            spectrum = Spectrum(K)
            return self.replace(kernel=kernel, lam=FKMSE().best_lam(spectrum)), spectrum
        return chosen.replace(kernel=kernel, **{self.free: self.best(Refits(K))}), None

    def best(self, refits: Refits) -> float:
        """The parameter that a sample chooses, λ or t, of least score on refits that are already there."""
        if self.filter == "tsvd":
            return refits.best_threshold()
        if self.filter == "nu":  # its path passes every t, and the score wavers from one to the next: all are compared
            path = filters.nu_path(refits.gamma, refits.gamma[:, -1:])
            return first(refits.along(itertools.islice(path, LARGEST_CHOICE["nu"] + 1)))
        score = partial(refits.score, self.filtered)
        if self.filter == "landweber":
            return least_whole(score, LARGEST_CHOICE["landweber"])
        if refits.top == 0:  # every point is 0 in the RKHS
            return 0.0
        return least(score, 1e-6 * refits.top, 1e4 * refits.top, ends=(0.0, math.inf))

    def _values(self, values):
        """Values of the free parameter (m,), checked."""
        if self.free == "lam":
            return lams_of(values)
        values = values_of(values, "steps", "iu", "whole numbers")
        if values.size:
            self._check_steps(int(values.max()))
        return values

    def _check_steps(self, steps):
        if self.filter == "nu" and steps > LARGEST_NU:
            raise Refusal(
                f"the ν-method walks its steps one by one, and {steps} are asked for; "
                f"give at most {LARGEST_NU}, or take 'landweber' or 'tikhonov' for weaker shrinkage."
            )
