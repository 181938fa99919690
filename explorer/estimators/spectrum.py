"""Eigendecomposition of a Gram matrix, and the filters of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from explorer.execution.processors import limit_threads_of_methods
from explorer.linalg import eigh_psd, power_of_two
from explorer.types import Gram, Mask, Matrix, Values, Vector, VectorLike

from .constraints import Constrained, inverse_sum, vanishes
from .filters import tikhonov

SURE = 1e3  # weights are divided by their sum if it is this many times its rounding: scores then err by at most 1e-3


@limit_threads_of_methods
class Spectrum:
    """Eigendecomposition K = U diag(γ) U' of a Gram matrix, with γ rising and c = U'1.

    All methods cost O(n) or O(n^2) for each λ, in batches of λ. Estimates are β = U h(γ) c / n with the filter h(γ) = γ
    / (γ + λ): F-KMSE. h = 1 at λ = 0, null directions included, so that λ = 0 is the empirical mean; h = 0 at λ = inf.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The Gram matrix.

    Attributes
    ----------
    gamma : ndarray of shape (n,)
        The eigenvalues, rising.
    U : ndarray of shape (n, n)
        The eigenvectors, in columns.
    diagonal : ndarray of shape (n,)
        The diagonal of K.
    n : int
        The number of points.
    total : float
        The sum of the entries of K.
    c : ndarray of shape (n,)
        U'1.
    unit : float
        A power of two near the largest eigenvalue.

    Examples
    --------
    >>> from explorer import Gaussian
    >>> from explorer.estimators import Spectrum
    >>> spectrum = Spectrum(Gaussian(1.0)([[0.0], [1.0], [3.0]]))
    >>> spectrum.gamma.round(3).tolist(), spectrum.weights([0.0, 0.5]).round(3).T.tolist()
    ([0.381, 0.995, 1.624], [[0.333, 0.333, 0.333], [0.251, 0.265, 0.229]])
    """

    gamma: Vector
    diagonal: Values
    n: int
    total: float
    c: Any
    unit: float

    def __init__(self, K: Gram) -> None:
        self.gamma, self.U = eigh_psd(K)
        self.diagonal = np.diag(K).copy()
        self.n, self.total = len(K), float(K.sum())
        self.c = self.U.sum(axis=0)
        # Division by a power of two is exact. In this unit the cubes of eigenvalues in the scores neither over- nor
        # underflow.
        self.unit = power_of_two(self.gamma[-1])

    def filter(self, lam: VectorLike) -> Matrix:
        """Return the Tikhonov filter h(γ) = γ / (γ + λ) of all eigenvalues at each λ.

        Parameters
        ----------
        lam : array_like of shape (m,)
            The values of λ.

        Returns
        -------
        ndarray of shape (n, m)
            The filter's values.
        """
        return tikhonov(self.gamma[:, None], np.asarray(lam, dtype=float))

    def weights(self, lam: Sequence[float]) -> Matrix:
        """Return the weights β of F-KMSE at each λ.

        Parameters
        ----------
        lam : array_like of shape (m,)
            The values of λ.

        Returns
        -------
        ndarray of shape (n, m)
            The weights.
        """
        return self.apply(self.filter(lam))

    def apply(self, h: Matrix) -> Matrix:
        """Return the weights U h c / n of any filter.

        Parameters
        ----------
        h : ndarray of shape (n, m)
            The filter's values at the eigenvalues.

        Returns
        -------
        ndarray of shape (n, m)
            The weights.
        """
        return self.U @ (h * (self.c / self.n)[:, None])

    def coefficients(self) -> Vector:
        """Return |<μ̂, v_i>| / |μ̂| = sqrt(γ_i) |c_i| / (n |μ̂|) for the unit eigenfunctions v_i; all 0 if μ̂ is 0.

        Returns
        -------
        ndarray of shape (n,)
            The coefficients.
        """
        inner = np.sqrt(self.gamma) * np.abs(self.c)
        norm = np.linalg.norm(inner)
        return inner / norm if norm > 0 else inner

    def constrained_weights(self, estimator: Constrained, h: Vector) -> Vector:
        """Return the weights of a filter, free or divided by their sum as the estimator's constraint says.

        Parameters
        ----------
        estimator : Constrained
            The estimator.
        h : ndarray of shape (n,)
            The filter's values at the eigenvalues.

        Returns
        -------
        ndarray of shape (n,)
            The weights β.
        """
        beta = self.apply(h[:, None])[:, 0]
        return beta if estimator.weights == "free" else beta * inverse_sum(beta, estimator, self.vanishes(h))

    def vanishes(self, h: Values) -> Mask:
        """Return whether the weights of h (n,), or of each column of h (n, m), sum to 0 apart from rounding.

        Parameters
        ----------
        h : ndarray of shape (n,) or (n, m)
            The filter's values at the eigenvalues.

        Returns
        -------
        bool or ndarray of shape (m,)
            The answer, for each column.
        """
        return vanishes(h, self.gamma, self.c)

    def normalised(self, h: Matrix) -> Matrix:
        """Return filter values whose weights sum to 1.

        Parameters
        ----------
        h : ndarray of shape (n, m)
            The filter's values at the eigenvalues.

        Returns
        -------
        ndarray of shape (n, m)
            The scaled values; nan if the sum vanishes.
        """
        return h * self.inverse_sums(h)

    def inverse_sums(self, h: Matrix) -> Vector:
        """Return 1 / 1'β = 1 / sum_l h_l c_l^2 / n for filter values.

        Parameters
        ----------
        h : ndarray of shape (n, m)
            The filter's values at the eigenvalues.

        Returns
        -------
        ndarray of shape (m,)
            The inverse sums; nan if the sum vanishes.
        """
        sums = self.c**2 @ h / self.n
        return np.divide(1.0, sums, out=np.full(sums.shape, np.nan), where=~self.vanishes(h))

    def loss(self, lam: VectorLike, z: Vector, square: float) -> Vector:
        """Return |μ_β - μ|^2 at each λ.

        Parameters
        ----------
        lam : array_like of shape (m,)
            The values of λ.
        z : ndarray of shape (n,)
            The values μ(x_i) of the true embedding μ.
        square : float
            |μ|^2.

        Returns
        -------
        ndarray of shape (m,)
            The losses.
        """
        return self.loss_of(self.filter(lam), z, square)

    def loss_of(self, h: Matrix, z: Vector, square: float) -> Vector:
        """Return the loss of any filter, in O(n) for each column.

        Parameters
        ----------
        h : ndarray of shape (n, m)
            The filter's values at the eigenvalues.
        z : ndarray of shape (n,)
            The values μ(x_i) of the true embedding μ.
        square : float
            |μ|^2.

        Returns
        -------
        ndarray of shape (m,)
            The losses.
        """
        # The loss is the empirical mean's plus a difference that is small if the loss is, so nothing large cancels.
        mean = self.total / self.n**2 - 2 * z.mean() + square
        b = (self.c / self.n)[:, None]
        moved = (h - 1) * b
        return mean + self.gamma @ (moved * (2 * b + moved)) - 2 * (z @ self.U) @ moved

    def leave_one_out(self, lam: Sequence[float] | Vector, normalised: bool = False) -> Vector:
        """Return the score of the true refits at each λ, (1/n) sum_i |k(x_i, .) - β^(-i)|^2.

        Parameters
        ----------
        lam : array_like of shape (m,)
            The values of λ.
        normalised : bool, default False
            Whether each β^(-i) is divided by its sum. λ = 0 is then still the empirical mean; λ = inf is the limit, in
            proportion to (K 1)_j of the n - 1 others.

        Returns
        -------
        ndarray of shape (m,)
            The scores; nan if for some i the sum is 0 apart from rounding. There is no such refit then, for example if
            the others' mean embeds as 0.

        Notes
        -----
        β^(-i) solves the problem of the n - 1 other points with the same λ. With A = (K + λ)^(-1), H = KA, t_i =
        ((A1)_i - A_ii) / A_ii and r_i = 1 + t_i it is (H1 - r_i H e_i + t_i e_i) / (n - 1). K need not be regular for
        this: the i-th entry is 0, and (K + λ) times the brackets is K (1 - e_i) + λ t_i e_i. The sum of β^(-i) is (1'H1
        - r_i (H1)_i + t_i) / (n - 1). The cost is seven products (n, n) x (n, m).
        """
        lam = np.asarray(lam, dtype=float)
        scores = np.full(lam.shape, self._leave_one_out_mean)
        scores[lam > 0] = self._leave_one_out(lam[lam > 0], normalised)
        return scores

    @cached_property
    def _leave_one_out_mean(self):
        """The leave-one-out score of the empirical mean."""
        n, rho = self.n, self.diagonal.mean()
        u = min((self.total / n - rho) / (n - 1), rho)
        return rho - 2 * u + (rho + (n - 2) * u) / (n - 1)

    def _leave_one_out(self, lam, normalised):
        """Return the leave-one-out scores at each λ > 0."""
        n, U, gamma, one = self.n, self.U, self.gamma[:, None] / self.unit, self.c[:, None]
        with np.errstate(over="ignore"):  # a λ that overflows in this unit counts as infinite
            lam = lam / self.unit
        # Eigenvalues far below eps γ_max are rounding, so all λ below them give the same scores up to rounding.
        lam = np.maximum(lam, max(1e-18 * gamma[-1, 0], np.finfo(float).tiny))
        # The variables are λA, λH, λt and so on, which keep their digits for the largest λ and are finite at λ = inf.
        a = 1 / (1 + gamma / lam)
        h = gamma * a
        kh, hkh = gamma * h, gamma * h**2
        A, H, KH, HKH = self._squares @ np.array([a, h, kh, hkh])  # diagonals
        H1, KH1, HKH1 = U @ (np.array([h, kh, hkh]) * one)
        t = (H - H1) / A
        r = 1 + t / lam
        k = self.diagonal[:, None] / self.unit
        at_left_out = KH1 - r * KH + t * k
        square = (self.c**2 @ hkh) - 2 * r * HKH1 + r**2 * HKH + 2 * t * (KH1 - r * KH) + t**2 * k
        times = self._over_sums(a, h, r * H1, t) if normalised else 1 / ((n - 1) * lam)
        return self.unit * np.mean(k - times * (2 * at_left_out - times * square), axis=0)

    def _over_sums(self, a, h, of_left_out, t):
        """Return 1 / (1'H1 - r_i (H1)_i + t_i) / λ, (n, m), from a = λA, h = λH, r λH1 and λt.

        An entry is nan if rounding may be all of its sum.
        """
        parts = np.array(np.broadcast_arrays(self.c**2 @ h, -of_left_out, t))
        sums = parts.sum(axis=0)
        # K is known to eps γ_max only, which moves 1'H1 by that times |A1|^2; a sum is known to eps times its terms.
        doubt = np.finfo(float).eps * (self.gamma[-1] / self.unit * (self.c**2 @ a**2) + np.abs(parts).sum(axis=0))
        return np.divide(1.0, sums, out=np.full(sums.shape, np.nan), where=sums > SURE * doubt)

    @cached_property
    def _squares(self):
        """The squared entries of U."""
        return self.U**2

    def theorem_4(self, lam: Vector) -> Vector:
        """Return the score that [muandet2016shrinkage] prints as Theorem 4 at each λ.

        Parameters
        ----------
        lam : ndarray of shape (m,)
            The values of λ.

        Returns
        -------
        ndarray of shape (m,)
            The scores, in O(n) each, for any γ >= 0.

        Notes
        -----
        The score is (1/n) sum_k γ_k [(1 + g_k)^2 + c_k^2 ((n - 2) g_k^2 - 2 g_k)], g = γ / ((n - 1) γ + n λ). Its "left
        out" point still contributes its direction to the fit (erratum 24), so it shrinks too much. It is implemented to
        show that.
        """
        n, gamma = self.n, self.gamma[:, None] / self.unit
        with np.errstate(over="ignore"):
            lam = np.asarray(lam, dtype=float) / self.unit
        scores = np.full(lam.shape, self.diagonal.mean())
        inside = np.isfinite(lam)
        bottom = (n - 1) * gamma + n * lam[inside]
        # Null directions have no effect: their g is multiplied by γ = 0.
        g = np.divide(gamma, bottom, out=np.zeros(bottom.shape), where=bottom > 0)
        c2 = self.c[:, None] ** 2
        scores[inside] = self.unit * np.sum(gamma * ((1 + g) ** 2 + c2 * ((n - 2) * g**2 - 2 * g)), axis=0) / n
        return scores
