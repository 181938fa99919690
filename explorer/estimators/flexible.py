"""F-KMSE: each eigendirection of the Gram matrix is shrunk, the more the less evidence there is for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, Self

import numpy as np

from explorer import checks
from explorer.embeddings import Embedding
from explorer.parameters import Choice
from explorer.types import Constraint, PointsLike, Vector, VectorLike

from .base import Estimator
from .constraints import summing_to_one, weights_field
from .selection import free_field, lams_of, least
from .spectrum import Spectrum


class FKMSE(Estimator):
    """Flexible shrinkage (F-KMSE): the filter γ / (γ + λ) on the eigenvalues γ of the Gram matrix.

    Use it if the sample is small for its dimension and you can afford O(n³). `SKMSE`, which shrinks all directions
    alike, takes O(n²).

    The weights are β = (K + λI)^(-1) K 1/n.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    lam : float or None, default None
        The λ >= 0 or infinite, in units of k; None takes the least leave-one-out score.
    selection : {"leave-one-out", "theorem-4"}, default "leave-one-out"
        The score that chooses λ: the genuine leave-one-out score, or the one that Theorem 4 of the paper prints
        (erratum 24 in `explorer list errata`).
    weights : {"free", "sum-to-one", "simplex"}, default "free"
        "sum-to-one" divides the weights by their sum; a Refusal if that is 0. "simplex" minimises |μ̂ - Σ β_i
        k(x_i, .)|^2 + λ |β|^2 over β >= 0 with sum 1. That is exactly KME, as both terms are least at 1/n. λ is always
        chosen for the free weights, and Theorem 4 is a score of the free weights. The leave-one-out score is that of
        the constrained weights.

    Notes
    -----
    λ = 0 is the empirical mean, also for a singular K; λ = inf is 0. γ are eigenvalues of K, which is n times the
    uncentred second-moment operator (erratum 22).

    References
    ----------
    [muandet2014stein] and [muandet2016shrinkage], eq. 15: Muandet, Fukumizu, Sriperumbudur, Gretton, Schölkopf 2014,
    Kernel Mean Estimation and Stein Effect; Muandet et al. 2016, Kernel Mean Shrinkage Estimators.

    Examples
    --------
    >>> from explorer import FKMSE, Gaussian
    >>> X = [[0.0], [1.0], [4.0]]
    >>> mean = FKMSE(Gaussian(1.0), lam=0.5).embed(X)
    >>> mean.weights.round(4)
    array([0.2538, 0.2552, 0.2228])
    """

    label = "F-KMSE"

    lam: float | None = free_field("λ", "eigendirections below it fade", "units of k")
    selection: Literal["leave-one-out", "theorem-4"] = Choice(
        default="leave-one-out",
        objects={"leave-one-out": "leave-one-out", "Theorem 4, as printed": "theorem-4"},
        doc="the score that chooses λ",
    )
    weights: Constraint = weights_field(default="free")
    free = "lam"

    @property
    def equal_weights(self) -> bool:
        """True if all points have the same weight: at λ = 0 and on the simplex."""
        return self.lam == 0 or self.weights == "simplex"

    @property
    def ridge(self) -> float | None:
        """The ridge λ if the weights are (K + λI)^(-1) K 1/n; None under weights="simplex"."""
        return None if self.weights == "simplex" else self.lam

    def constrained(self, beta: Vector) -> Vector:
        return summing_to_one(beta, self)

    def embed(self, X: PointsLike) -> Embedding:
        chosen, spectrum = self, None
        if self.lam is None:
            chosen, spectrum = self._selected(X)
        kernel, X = chosen._kernel(X)
        if chosen.lam == 0 or self.weights == "simplex":  # the weights are known without an eigendecomposition
            return Embedding(kernel, X, np.full(len(X), 1 / len(X)))
        if chosen.lam == math.inf and self.weights == "free":
            return Embedding(kernel, X, np.zeros(len(X)))
        spectrum = spectrum or Spectrum(kernel(X))
        return Embedding(kernel, X, spectrum.constrained_weights(chosen, spectrum.filter(np.array([chosen.lam]))[:, 0]))

    def select(self, X: PointsLike) -> Self:
        return self.replace(kernel=self._kernel(X)[0]) if self.lam is not None else self._selected(X)[0]

    def loocv(self, X: PointsLike, values: VectorLike) -> Vector:
        """Return the score that `selection` names at each λ.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample, n >= 2.
        values : array_like of shape (m,)
            The values of λ.

        Returns
        -------
        ndarray of shape (m,)
            The scores; nan if the weights of some refit sum to 0.
        """
        return self.score(Spectrum(self._gram(X, 2)[2]))(lams_of(values))

    def score(self, spectrum: Spectrum) -> Callable[..., Any]:
        """Return the score that `selection` names as a function of λ, on a spectrum.

        Parameters
        ----------
        spectrum : Spectrum
            The eigendecomposition of the sample's Gram matrix.

        Returns
        -------
        callable
            Maps λ (m,) to scores (m,).
        """
        if self.selection == "theorem-4":
            return spectrum.theorem_4
        if self.weights == "simplex":
            return lambda lam: spectrum.leave_one_out(np.zeros(np.shape(lam)))
        return partial(spectrum.leave_one_out, normalised=self.weights == "sum-to-one")

    def best_lam(self, spectrum: Spectrum) -> float:
        """Return the λ of least score of the free weights, on a spectrum.

        Parameters
        ----------
        spectrum : Spectrum
            The eigendecomposition of the sample's Gram matrix.

        Returns
        -------
        float
            The λ, in units of k.
        """
        top = float(spectrum.gamma[-1])
        if top == 0:  # every point is 0 in the RKHS
            return 0.0
        free = spectrum.leave_one_out if self.selection == "leave-one-out" else spectrum.theorem_4
        return least(free, 1e-6 * top, 1e4 * top, ends=(0.0, math.inf))

    def _selected(self, X):
        """Return this estimator with its λ chosen on X, and the spectrum of the Gram matrix."""
        kernel, X, K = self._gram(X, 2)
        checks.rows(X, "X", 2)
        spectrum = Spectrum(K)
        return self.replace(kernel=kernel, lam=self.best_lam(spectrum)), spectrum
