"""The eigendecomposition of a Gram matrix, and what a filter of it costs once it is there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from explorer.linalg import eigh_psd, power_of_two
from explorer.types import Gram, Mask, Matrix, Values, Vector, VectorLike

from .constraints import Constrained, inverse_sum, vanishes
from .filters import tikhonov

SURE = 1e3  # a sum of weights divides where it is this many times its rounding: then scores err by 1e-3 at most


class Spectrum:
    """K = U diag(γ) U' (γ rising), c = U'1: everything below is O(n) or O(n^2) for each λ, in batches of λ.

    Estimates are β = U h(γ) c / n with the filter h(γ) = γ / (γ + λ): F-KMSE. h = 1 at λ = 0, null directions included,
    so that λ = 0 is the empirical mean; h = 0 at λ = inf.

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
        # a power of two, by which dividing rounds nothing: the cubes of eigenvalues in the scores neither over- nor
        # underflow
        self.unit = power_of_two(self.gamma[-1])

    def filter(self, lam: VectorLike) -> Matrix:
        """h(γ), (n, m), at each λ of lam (m,)."""
        return tikhonov(self.gamma[:, None], np.asarray(lam, dtype=float))

    def weights(self, lam: Sequence[float]) -> Matrix:
        """β, (n, m)."""
        return self.apply(self.filter(lam))

    def apply(self, h: Matrix) -> Matrix:
        """U h c / n, (n, m), for any filter's values h (n, m) at the eigenvalues."""
        return self.U @ (h * (self.c / self.n)[:, None])

    def coefficients(self) -> Vector:
        """|<μ̂, v_i>| / |μ̂| = sqrt(γ_i) |c_i| / (n |μ̂|), (n,), for the unit eigenfunctions v_i; all 0 where μ̂ is."""
        inner = np.sqrt(self.gamma) * np.abs(self.c)
        norm = np.linalg.norm(inner)
        return inner / norm if norm > 0 else inner

    def constrained_weights(self, estimator: Constrained, h: Vector) -> Vector:
        """The weights β (n,) of filter values h (n,), free or divided by their sum as the estimator says."""
        beta = self.apply(h[:, None])[:, 0]
        return beta if estimator.weights == "free" else beta * inverse_sum(beta, estimator, self.vanishes(h))

    def vanishes(self, h: Values) -> Mask:
        """Whether the weights of h (n,) or of each column of h (n, m) sum to 0, rounding aside."""
        return vanishes(h, self.gamma, self.c)

    def normalised(self, h: Matrix) -> Matrix:
        """Filter values h (n, m) with weights that sum to 1; nan where their sum vanishes."""
        return h * self.inverse_sums(h)

    def inverse_sums(self, h: Matrix) -> Vector:
        """1 / 1'β = 1 / sum_l h_l c_l^2 / n for filter values h (n, m), (m,); nan where the sum vanishes."""
        sums = self.c**2 @ h / self.n
        return np.divide(1.0, sums, out=np.full(sums.shape, np.nan), where=~self.vanishes(h))

    def loss(self, lam: VectorLike, z: Vector, square: float) -> Vector:
        """|μ_β - μ|^2, (m,), at each λ; z_i = μ(x_i) (n,) and square = |μ|^2 describe the true embedding μ."""
        return self.loss_of(self.filter(lam), z, square)

    def loss_of(self, h: Matrix, z: Vector, square: float) -> Vector:
        """The loss of any filter's values h (n, m) at the eigenvalues, O(n) for each column."""
        # from the empirical mean's loss on: what is added is small where the loss is, and nothing cancels
        mean = self.total / self.n**2 - 2 * z.mean() + square
        b = (self.c / self.n)[:, None]
        moved = (h - 1) * b
        return mean + self.gamma @ (moved * (2 * b + moved)) - 2 * (z @ self.U) @ moved

    def leave_one_out(self, lam: Sequence[float] | Vector, normalised: bool = False) -> Vector:
        """Score of the true refits at each λ: (1/n) sum_i |k(x_i, .) - β^(-i)|^2, in seven products (n, n) x (n, m).

        β^(-i) solves the problem of the n - 1 other points with the same λ. With A = (K + λ)^(-1), H = KA,
        t_i = ((A1)_i - A_ii) / A_ii and r_i = 1 + t_i it is (H1 - r_i H e_i + t_i e_i) / (n - 1), for which K need not
        be regular: its i-th entry is 0, and (K + λ) times the brackets is K (1 - e_i) + λ t_i e_i.

        normalised  whether each β^(-i) is divided by its sum, (1'H1 - r_i (H1)_i + t_i) / (n - 1). λ = 0 is then the
                    empirical mean still, λ = inf the limit, in proportion to (K 1)_j of the n - 1 others. nan where for
                    some i the sum is 0 but for rounding: there is no such refit, as where the others' mean embeds as 0
        """
        lam = np.asarray(lam, dtype=float)
        scores = np.full(lam.shape, self._leave_one_out_mean)
        scores[lam > 0] = self._leave_one_out(lam[lam > 0], normalised)
        return scores

    @cached_property
    def _leave_one_out_mean(self):
        n, rho = self.n, self.diagonal.mean()
        u = min((self.total / n - rho) / (n - 1), rho)
        return rho - 2 * u + (rho + (n - 2) * u) / (n - 1)

    def _leave_one_out(self, lam, normalised):
        n, U, gamma, one = self.n, self.U, self.gamma[:, None] / self.unit, self.c[:, None]
        with np.errstate(over="ignore"):  # a λ beyond the floats in this unit is infinite for all purposes
            lam = lam / self.unit
        # eigenvalues far below eps γ_max are rounding, so a λ there is as good as any other
        lam = np.maximum(lam, max(1e-18 * gamma[-1, 0], np.finfo(float).tiny))
        # λA, λH, λt and so on: they keep their digits for the largest λ, and are finite for an infinite one
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
        """1 / (1'H1 - r_i (H1)_i + t_i) / λ, (n, m), from a = λA, h = λH, r λH1 and λt.

        nan where rounding may be all of it.
        """
        parts = np.array(np.broadcast_arrays(self.c**2 @ h, -of_left_out, t))
        sums = parts.sum(axis=0)
        # K is known to eps γ_max only, which moves 1'H1 by that times |A1|^2; and a sum to eps times what is added
        doubt = np.finfo(float).eps * (self.gamma[-1] / self.unit * (self.c**2 @ a**2) + np.abs(parts).sum(axis=0))
        return np.divide(1.0, sums, out=np.full(sums.shape, np.nan), where=sums > SURE * doubt)

    @cached_property
    def _squares(self):
        return self.U**2

    def theorem_4(self, lam: Vector) -> Vector:
        """The score that paper 002 prints as Theorem 4 at each λ of lam (m,), (m,); O(n) each, any γ >= 0.

        (1/n) sum_k γ_k [(1 + g_k)^2 + c_k^2 ((n - 2) g_k^2 - 2 g_k)], g = γ / ((n - 1) γ + n λ). Its "left out" point
        still lends its direction to the fit (erratum 24), so it shrinks too much; it is here to show that.
        """
        n, gamma = self.n, self.gamma[:, None] / self.unit
        with np.errstate(over="ignore"):
            lam = np.asarray(lam, dtype=float) / self.unit
        scores = np.full(lam.shape, self.diagonal.mean())
        inside = np.isfinite(lam)
        bottom = (n - 1) * gamma + n * lam[inside]
        # null directions carry no weight: γ = 0 multiplies whatever g is there
        g = np.divide(gamma, bottom, out=np.zeros(bottom.shape), where=bottom > 0)
        c2 = self.c[:, None] ** 2
        scores[inside] = self.unit * np.sum(gamma * ((1 + g) ** 2 + c2 * ((n - 2) * g**2 - 2 * g)), axis=0) / n
        return scores
