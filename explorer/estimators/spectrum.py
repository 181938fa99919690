"""The eigendecomposition of a Gram matrix, and what a filter of it costs once it is there."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from explorer.linalg import eigh_psd

from .filters import tikhonov


class Spectrum:
    """K = U diag(γ) U' (γ rising), c = U'1: everything below is O(n) or O(n^2) for each λ, in batches of λ.

    Estimates are β = U h(γ) c / n with the filter h(γ) = γ / (γ + λ): F-KMSE. h = 1 at λ = 0, null directions included, so
    that λ = 0 is the empirical mean; h = 0 at λ = inf.
    """

    def __init__(self, K):
        self.gamma, self.U = eigh_psd(K)
        self.diagonal = np.diag(K).copy()
        self.n, self.total = len(K), float(K.sum())
        self.c = self.U.sum(axis=0)
        self.nbytes = 2 * self.U.nbytes + 3 * self.gamma.nbytes

    def filter(self, lam):
        """h(γ), (n, m), at each λ of lam (m,)."""
        return tikhonov(self.gamma[:, None], np.asarray(lam, dtype=float))

    def weights(self, lam):
        """β, (n, m)."""
        return self.apply(self.filter(lam))

    def apply(self, h):
        """U h c / n, (n, m), for any filter's values h (n, m) at the eigenvalues."""
        return self.U @ (h * (self.c / self.n)[:, None])

    def coefficients(self):
        """|<μ̂, v_i>| / |μ̂| = sqrt(γ_i) |c_i| / (n |μ̂|), (n,), for the unit eigenfunctions v_i; all 0 where μ̂ is."""
        inner = np.sqrt(self.gamma) * np.abs(self.c)
        norm = np.linalg.norm(inner)
        return inner / norm if norm > 0 else inner

    def vanishes(self, h):
        """Whether the weights of h (n,) sum to 0, rounding aside: no direction that the empirical mean has is kept.

        1'β = sum_l h_l c_l^2 / n. (U'K1)_l = γ_l c_l tells a direction of the mean from rounding, which a tiny γ_l or c_l
        alone may be.
        """
        seen = self.gamma * np.abs(self.c) > self.n**1.5 * np.finfo(float).eps * self.gamma[-1]
        return not (h[seen] > 0).any()

    def loss(self, lam, z, square):
        """|μ_β - μ|^2, (m,), in O(n) for each λ; z_i = μ(x_i) (n,) and square = |μ|^2 describe the true embedding μ."""
        # from the empirical mean's loss on: what is added is small where the loss is, and nothing cancels
        mean = self.total / self.n**2 - 2 * z.mean() + square
        b = (self.c / self.n)[:, None]
        moved = (self.filter(lam) - 1) * b
        return mean + self.gamma @ (moved * (2 * b + moved)) - 2 * (z @ self.U) @ moved

    def leave_one_out(self, lam):
        """Score of the true refits at each λ: (1/n) sum_i |k(x_i, .) - β^(-i)|^2, in five products (n, n) x (n, m).

        β^(-i) solves the problem of the n - 1 other points with the same λ. With A = (K + λ)^(-1), H = KA,
        t_i = ((A1)_i - A_ii) / A_ii and r_i = 1 + t_i it is (H1 - r_i H e_i + t_i e_i) / (n - 1), for which K need not be
        regular.
        """
        lam = np.asarray(lam, dtype=float)
        inside = (lam > 0) & np.isfinite(lam)
        scores = np.full(lam.shape, self.diagonal.mean())  # λ = inf predicts 0 for every point
        scores[inside] = self._leave_one_out(lam[inside])
        scores[lam == 0] = self._leave_one_out_mean()
        return scores

    def _leave_one_out_mean(self):
        n, rho = self.n, self.diagonal.mean()
        u = min((self.total / n - rho) / (n - 1), rho)
        return rho - 2 * u + (rho + (n - 2) * u) / (n - 1)

    def _leave_one_out(self, lam):
        n, U, gamma, one = self.n, self.U, self.gamma[:, None], self.c[:, None]
        a = 1 / (gamma + lam)
        h = gamma * a
        kh = gamma * h
        hkh = h * kh
        A_diagonal, KH_diagonal, HKH_diagonal = self._squares @ a, self._squares @ kh, self._squares @ hkh
        H1, HKH1 = U @ (h * one), U @ (hkh * one)
        # KH = K - λH, and both sides are of the size of K; A = (I - H) / λ would lose A where λ is small
        KH1 = (U @ (self.gamma * self.c))[:, None] - lam * H1
        # (A1 - A_ii) λ = (1 - H1) - (1 - H_ii), and H_ii = 1 - λ A_ii
        t = (1 - lam * A_diagonal - H1) / (lam * A_diagonal)
        r = 1 + t
        k = self.diagonal[:, None]
        at_left_out = KH1 - r * KH_diagonal + t * k
        square = (self.c**2 @ hkh) - 2 * r * HKH1 + r**2 * HKH_diagonal + 2 * t * (KH1 - r * KH_diagonal) + t**2 * k
        return np.mean(k - 2 * at_left_out / (n - 1) + square / (n - 1) ** 2, axis=0)

    @cached_property
    def _squares(self):
        return self.U**2

    def theorem_4(self, lam):
        """The score that paper 002 prints as Theorem 4, in O(n) for each λ, any γ >= 0.

        (1/n) sum_k γ_k [(1 + g_k)^2 + c_k^2 ((n - 2) g_k^2 - 2 g_k)], g = γ / ((n - 1) γ + n λ). Its "left out" point still
        lends its direction to the fit (erratum 24), so it shrinks too much; it is here to show that.
        """
        lam, gamma, n = np.asarray(lam, dtype=float), self.gamma[:, None], self.n
        scores = np.full(lam.shape, self.diagonal.mean())
        inside = np.isfinite(lam)
        bottom = (n - 1) * gamma + n * lam[inside]
        # null directions carry no weight: γ = 0 multiplies whatever g is there
        g = np.divide(gamma, bottom, out=np.zeros(bottom.shape), where=bottom > 0)
        c2 = self.c[:, None] ** 2
        scores[inside] = np.sum(gamma * ((1 + g) ** 2 + c2 * ((n - 2) * g**2 - 2 * g)), axis=0) / n
        return scores
