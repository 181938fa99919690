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
from explorer.parameters import Choice, Whole
from explorer.types import Constraint, Gram, PointsLike, Values, Vector, VectorLike

from . import filters
from .base import Estimator
from .constraints import refuse_simplex, summing_to_one, weights_field
from .flexible import FKMSE
from .refits import Refits
from .selection import first, free_field, lams_of, least, least_whole, values_of
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
ITERATIONS = 2  # steps of iterated Tikhonov if `steps` is None: the least number that is not Tikhonov itself
# The most steps that a sample may choose: t steps of the ν-method reach about as far as t^2 of Landweber.
LARGEST_CHOICE = {"landweber": 10**6, "nu": 10**3}
LARGEST_NU = 10**5  # the most steps of the ν-method, whose filter is a recursion: they take about one second


class SpectralKMSE(Estimator):
    """Spectral shrinkage: β = U h(γ) c / n for K = U diag(γ) U', c = U'1, with a filter h of K's eigenvalues.

    Use it to compare filters of the spectrum, or to shrink by early stopping. For one good default use `SKMSE` or
    `FKMSE`.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    filter : {"tikhonov", "iterated-tikhonov", "landweber", "nu", "tsvd"}, default "tikhonov"
        The filter h(γ), see the list below.
    lam : float or None, default None
        The λ >= 0 or infinite, in units of k, for the filters that have a λ; None takes the least leave-one-out score.
    steps : int or None, default None
        The t from 0 to 10^15, for the filters that take steps; None takes the least leave-one-out score, except that
        iterated Tikhonov takes 2.
    weights : {"free", "sum-to-one"}, default "free"
        "sum-to-one" divides the weights by their sum; a Refusal if that is 0. "simplex" is refused, as a filter
        minimises no function of the weights. λ and t are chosen for the free weights; the scores are those
        of the constrained weights.

    Notes
    -----
    The filters are

    * "tikhonov": γ / (γ + λ), exactly FKMSE;
    * "iterated-tikhonov": 1 - (λ / (γ + λ))^t;
    * "landweber": 1 - (1 - ηγ)^t, gradient descent that stops after t steps of length η = 1 / γ_max;
    * "nu": the ν-method with ν = 1, gradient descent with momentum, η = 1 / γ_max, t <= 100000;
    * "tsvd": 1[γ >= λ], the truncated decomposition.

    λ = 0 is the empirical mean, null directions included. λ = inf and t = 0 are 0; t -> inf tends to the empirical
    mean. A choice is compared with both ends, and a tie goes to the first: the smaller λ or t, or λ = inf before values
    between the ends. Landweber's t is searched up to 10^6, that of the ν-method up to 10^3.

    The score is that of n genuine refits to n - 1 points, with the same λ or t and η = 1 / γ_max of the refit's own K.
    It costs O(n · n^3) once, then O(n^2) for each value; Tikhonov's has a closed form and costs one O(n^3).

    References
    ----------
    Muandet, Sriperumbudur, Schölkopf 2014 (NeurIPS 27), who filter K / n: their λ is the λ here over n.

    Examples
    --------
    >>> from explorer import Gaussian, SpectralKMSE
    >>> X = [[0.0], [1.0], [4.0]]
    >>> [SpectralKMSE(Gaussian(1.0), "landweber", steps=t).embed(X).weights.round(3).tolist() for t in (1, 100)]
    [[0.333, 0.336, 0.21], [0.333, 0.333, 0.333]]
    """

    filter: Filter = Choice(
        default="tikhonov", objects={CALLED[each]: each for each in USES}, doc="how much of each eigendirection is kept"
    )
    lam: float | None = free_field("λ", "eigendirections below it fade", "units of k")
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
        """The name of the parameter that a sample chooses: λ or the steps of the filter."""
        return USES[self.filter][0]

    @property
    def equal_weights(self) -> bool:
        """True if the estimate is the empirical mean: at λ = 0, unless an iteration stops after 0 steps."""
        return self.lam == 0 and self.steps != 0

    @property
    def ridge(self) -> float | None:
        """The ridge λ of the filter "tikhonov", whose weights are (K + λI)^(-1) K 1/n; None for other filters."""
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
        spectrum = Spectrum(K)  # no Embedding is made: tests need weights thousands of times
        return spectrum.constrained_weights(self, self.filter_at(spectrum.gamma))

    def loocv(self, X: PointsLike, values: VectorLike) -> Vector:
        """Return the score at each λ, or at each t for "landweber" and "nu".

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample, n >= 2.
        values : array_like of shape (m,)
            The values of λ or of t.

        Returns
        -------
        ndarray of shape (m,)
            The scores; nan if the weights have to sum to one and those of some refit sum to 0.
        """
        K = self._gram(X, 2)[2]
        values, normalised = self._values(values), self.weights == "sum-to-one"
        if self.filter == "tikhonov":
            return Spectrum(K).leave_one_out(values, normalised)
        return Refits(K).score(self.filtered, values, normalised)

    def filter_at(self, gamma: Vector, top: float | None = None) -> Vector:
        """Return the filter's values h at eigenvalues.

        Parameters
        ----------
        gamma : array_like of shape (p,)
            The eigenvalues.
        top : float, optional
            The largest eigenvalue γ_max; None takes the largest of gamma.

        Returns
        -------
        ndarray of shape (p,)
            The values of h.

        Raises
        ------
        Refusal
            If the estimator has yet to choose its parameter, or an eigenvalue is below 0.
        """
        if not self.settled:
            raise Refusal(f"{checks.echo(self)} has yet to choose {self.free} on a sample; take select(X) first.")
        gamma = checks.numbers(gamma, "gamma").reshape(-1)
        if (gamma < 0).any():
            raise Refusal(f"gamma holds {gamma.min():g}; a Gram matrix has no eigenvalue below 0.")
        largest = float(gamma.max(initial=0.0)) if top is None else top
        return self.filtered(gamma[:, None], np.array([getattr(self, self.free)]), largest)[:, 0]

    def filtered(self, gamma: Values, values: Values, top: float | Values) -> Values:
        """Return h(γ) at values of the parameter that a sample chooses.

        Parameters
        ----------
        gamma : ndarray of shape (..., 1)
            The eigenvalues.
        values : ndarray of shape (m,)
            The values of λ or t.
        top : float or ndarray
            The largest eigenvalue.

        Returns
        -------
        ndarray of shape (..., m)
            The values of h.
        """
        if self.filter == "tikhonov":
            return filters.tikhonov(gamma, values)
        if self.filter == "iterated-tikhonov":
            return filters.iterated_tikhonov(gamma, values, ITERATIONS if self.steps is None else self.steps)
        if self.filter == "landweber":
            return filters.landweber(gamma, values, top)
        return filters.nu(gamma, values, top) if self.filter == "nu" else filters.tsvd(gamma, values)

    def _chosen(self, X):
        """Return this estimator with its open parameters chosen on X, and the spectrum if the choice computed one."""
        chosen = self.replace(steps=ITERATIONS) if self.filter == "iterated-tikhonov" and self.steps is None else self
        if self.settled:
            return chosen.replace(kernel=self._kernel(X)[0]), None
        kernel, _, K = self._gram(X, 2)
        if self.filter == "tikhonov":
            spectrum = Spectrum(K)
            return self.replace(kernel=kernel, lam=FKMSE().best_lam(spectrum)), spectrum
        return chosen.replace(kernel=kernel, **{self.free: self.best(Refits(K))}), None

    def best(self, refits: Refits) -> float:
        """Return the parameter that a sample chooses, the λ or t of least score.

        Parameters
        ----------
        refits : Refits
            The refits of the sample.

        Returns
        -------
        float
            The λ or t.
        """
        if self.filter == "tsvd":
            return refits.best_threshold()
        if self.filter == "nu":  # the path computes every t, and the score is not smooth in t, so all t are compared
            path = filters.nu_path(refits.gamma, refits.gamma[:, -1:])
            return first(refits.along(itertools.islice(path, LARGEST_CHOICE["nu"] + 1)))
        score = partial(refits.score, self.filtered)
        if self.filter == "landweber":
            return least_whole(score, LARGEST_CHOICE["landweber"])
        if refits.top == 0:  # every point is 0 in the RKHS
            return 0.0
        return least(score, 1e-6 * refits.top, 1e4 * refits.top, ends=(0.0, math.inf))

    def _values(self, values):
        """Return checked values of the free parameter (m,)."""
        if self.free == "lam":
            return lams_of(values)
        values = values_of(values, "steps", "iu", "whole numbers")
        if values.size:
            self._check_steps(int(values.max()))
        return values

    def _check_steps(self, steps):
        """Raise a Refusal if the ν-method has too many steps."""
        if self.filter == "nu" and steps > LARGEST_NU:
            raise Refusal(
                f"the ν-method walks its steps one by one, and {steps} are asked for; "
                f"give at most {LARGEST_NU}, or take 'landweber' or 'tikhonov' for weaker shrinkage."
            )
