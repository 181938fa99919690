"""Exact risk and exact loss of marginalized estimates, with no sampling, and both along many σ at once."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.embeddings import Embedding
from explorer.kernels import Gaussian, Laplacian

from .marginalized_pairs import noisy_pairs

NEARLY_ONE = 0.5  # <μ, μ> under a kernel of k(x, x) = 1 from which on 1 - <μ, μ> is computed as such


def marginalized_risk(law, kernel, n, variances):
    """E |μ̃ - μ|^2 over samples of n points, for noise N(0, diag(e)) of variances e (d,).

    MKME's and MMKME's risk, exactly.

    (q - C_2e) / n + C_2e - 2 C_e + C_0, with C_e = <P * N(0, diag(e)), P> in the RKHS and q = E k(u, v) for independent
    u, v ~ N(0, diag(e)). Under a Gaussian kernel it falls at e = 0, unless the law is a point. ValueError for a kernel
    that is neither Gaussian nor Laplacian: q must not depend on the point.
    """
    n, kernel = checks.whole(n, "n", 1), _stationary(kernel)
    mu = law.embed(kernel)
    if not variances.any():
        return law.variance(kernel) / n
    D, origin = np.diag(variances), np.zeros((1, law.d))
    noisy = _widened(mu, D)
    # of E k - 1 where E k is nearly 1: the difference of q and C_2e is all that counts then
    expected = kernel.less_one if noisy.inner(noisy) > NEARLY_ONE else kernel.expected
    own = expected(origin, D, origin, D)[0, 0]
    square = sum(
        a.weights @ expected(a.points, a.covariance, b.points, b.covariance) @ b.weights
        for a in noisy.blocks
        for b in noisy.blocks
    )
    return float((own - square) / n + noisy.distance(mu) ** 2)


def marginalized_risks(law, kernel, n, sigmas):
    """The exact risk of MKME at each σ of `sigmas` (m,), (m,).

    Under a Gaussian kernel O(c^2 d) each, c the law's components.
    """
    n, kernel, v = checks.whole(n, "n", 1), _stationary(kernel), _variances(sigmas)
    if not isinstance(kernel, Gaussian):
        return np.array([marginalized_risk(law, kernel, n, np.full(law.d, each)) for each in v])
    seen = SeenLaw(law, kernel)
    exp = np.expm1 if seen.squares([0.0])[0] > NEARLY_ONE else np.exp  # 1 drops out of the risk
    C0, C1, C2 = np.split(seen.squares(np.concatenate([[0.0], v, 2 * v]), exp), [1, len(v) + 1])
    own = exp(-0.5 * law.d * np.log1p(2 * v / kernel.bandwidth**2))
    return (own - C2) / n + C2 - 2 * C1 + C0


def marginalized_losses(X, law, kernel, sigmas):
    """The exact loss |μ̃ - μ|^2 of MKME on X (n, d), n >= 2, at each σ of `sigmas` (m,), (m,); O(c n d) each."""
    kernel, v = _stationary(kernel), _variances(sigmas)
    X = checks.sample(X, "X", 2)
    if isinstance(kernel, Gaussian):
        seen, pairs = SeenLaw(law, kernel), noisy_pairs(kernel, X)
        return pairs.square(pairs.isotropic(v)) - 2 * seen.means(X, v) + seen.squares(np.zeros(1))
    mu, weights = law.embed(kernel), np.full(len(X), 1 / len(X))
    return np.array([Embedding(kernel, X, weights, each).distance(mu) ** 2 for each in v])


class SeenLaw:
    """A law seen through a Gaussian kernel and any noise N(0, vI) on top, each covariance diagonalised once for all
    v.
    """

    def __init__(self, law, kernel):
        mu = law.embed(kernel)
        self.theta2 = kernel.bandwidth**2
        self.weights, self.points = mu.weights, mu.points
        p, d = self.points.shape
        self.covariances = np.zeros((p, d, d)) if mu.covariance is None else mu.covariance

    def squares(self, variances, exp=np.exp):
        """C_v = <P * N(0, vI), P> for v (m,), (m,); C_v - 1 with expm1 in the place of exp."""
        i, j = np.triu_indices(len(self.weights))
        lam, y2 = _rotated(self.points[i] - self.points[j], self.covariances[i] + self.covariances[j])
        w = self.weights[i] * self.weights[j] * np.where(i == j, 1, 2)
        return np.array(
            [w @ self._gaussian(lam + v, (y2 / (self.theta2 + lam + v)).sum(axis=1), exp) for v in variances]
        )

    def means(self, X, variances):
        """(1/n) sum_i E k(x_i + u, x), u ~ N(0, vI), over x of the law, for v (m,), (m,)."""
        checks.same_dimension(X, self.points, ("X", "the law"))
        v, found = np.asarray(variances, dtype=float), 0.0
        for w, point, S in zip(self.weights, self.points, self.covariances, strict=True):
            lam, U = np.linalg.eigh(S)
            wide = np.maximum(lam, 0.0)[:, None] + v
            found = found + w * self._gaussian(wide.T, ((X - point) @ U) ** 2 @ (1 / (self.theta2 + wide))).mean(axis=0)
        return found

    def _gaussian(self, wide, square, exp=np.exp):
        """prod_l (θ^2 / (θ^2 + s_l))^(1/2) e^(-q/2), the product over the last axis of the variances s, for squares
        q.
        """
        return exp(-0.5 * (np.log1p(wide / self.theta2).sum(axis=-1) + square))


def _rotated(apart, S):
    """Eigenvalues (p, d) of S (p, d, d), and the squared coordinates of apart (p, d) in the eigenvectors."""
    lam, U = np.linalg.eigh(S)
    return np.maximum(lam, 0.0), np.einsum("pi,pij->pj", apart, U) ** 2


def _widened(embedding, D):
    """The embedding of the law with noise N(0, D) added."""
    blocks = [
        b._replace(covariance=checks.read_only(D if b.covariance is None else b.covariance + D))
        for b in embedding.blocks
    ]
    return Embedding._of(embedding.kernel, blocks)


def _stationary(kernel):
    if not isinstance(kernel, (Gaussian, Laplacian)):
        raise ValueError(
            f"{checks.shown(kernel)} has no exact risk with noise here, as k(x, x) depends on x; "
            "take Gaussian or Laplacian, or average losses over samples."
        )
    return kernel.chosen()


def _variances(sigmas):
    sigmas = checks.numbers(sigmas, "sigmas").reshape(-1)
    if (sigmas < 0).any():
        raise ValueError(f"sigmas holds {sigmas.min():g}; σ is never below 0.")
    return sigmas**2
