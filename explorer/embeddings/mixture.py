"""Gaussian mixtures: distributions whose kernel mean is known exactly."""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy.special import logsumexp, softmax

from explorer import checks
from explorer.checks import Refusal
from explorer.parameters import Array
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import stream
from explorer.svg import inline_pictures
from explorer.tables import html_tables
from explorer.types import Covariances, MatrixLike, Points, PointsLike, Rng, Vector, VectorLike, Weights

from .law import Law, gaussian_piece, gaussian_score, mahalanobis, root


class GaussianMixture(Law):
    r"""Mixture of Gaussian distributions, singular ones included.

    Use it as a distribution that is known: it has samples, a density and an exact kernel mean. For heavy tails use
    `StudentT` or `Pareto`.

    .. math:: \sum_c \pi_c N(m_c, S_c)

    Parameters
    ----------
    weights : array_like of shape (c,)
        The components' probabilities π, at least 0 and of sum 1.
    means : array_like of shape (c, d)
        The components' means.
    covariances : array_like of shape (c, d, d) or (d, d)
        The components' covariances, or one for all; positive semi-definite.

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture
    >>> law = GaussianMixture([0.5, 0.5], [[-1.0], [1.0]], [[[1.0]], [[1.0]]])
    >>> law.sample(3, rng=0).shape
    (3, 1)
    >>> mean = law.embed(Gaussian(1.0))
    >>> round(mean.norm(), 4)
    0.661
    """

    weights: Weights = Array(doc="π, the components' probabilities")
    means: Points = Array(doc="the components' means")
    covariances: Covariances = Array(doc="the components' covariances")

    @explain_wrong_calls
    def __init__(self, weights: VectorLike, means: PointsLike, covariances: MatrixLike) -> None:
        weights = checks.numbers(weights, "weights").reshape(-1)
        means = checks.sample(means, "means")
        d = means.shape[1]
        if len(weights) != len(means):
            raise Refusal(
                f"weights has {plural(len(weights), 'entry', 'entries')} and means {plural(len(means), 'row')}; give"
                " one each a component."
            )
        # 1e-9: decimal weights such as 0.05 + 0.3 + 0.4 + 0.25 miss 1 by a few eps only
        if (weights < 0).any() or abs(weights.sum() - 1) > 1e-9:
            raise Refusal(f"weights must not be negative and must sum to 1, not to {weights.sum():g}.")
        covariances = checks.numbers(covariances, "covariances")
        if covariances.ndim < 3:
            each = [checks.covariance(covariances, d, "covariances")] * len(weights)
        elif covariances.shape == (len(weights), d, d):
            each = [checks.covariance(S, d, "covariances") for S in covariances]
        else:
            raise Refusal(f"covariances has shape {covariances.shape}; give ({len(weights)}, {d}, {d}).")
        super().__init__(weights, means, each)  # pyright: ignore[reportCallIssue], Model takes the fields

    @classmethod
    @explain_wrong_calls
    def random(cls, d: int, rng: Rng = None) -> Self:
        """Draw the papers' mixture of four: x ~ sum_c π_c N(m_c, S_c) + N(0, 0.2 I).

        Parameters
        ----------
        d : int
            Number of coordinates.
        rng : int, Generator or None, default None
            Seed of the means and covariances.

        Returns
        -------
        GaussianMixture
            The mixture.

        Notes
        -----
        The means are m ~ U(-10, 10)^d and S ~ Wishart(2 I, 7): [xia2021corrupted], eq. 35 ([muandet2016shrinkage],
        section 4.1.1). For d > 7 the Wishart distribution has no density and S is the rank-7 matrix G G' with G (d, 7)
        of N(0, 2) entries (erratum 36); the noise makes every component's covariance S_c + 0.2 I.
        """
        d = checks.whole(d, "d", 1)
        rng = stream(rng, "law")
        means = rng.uniform(-10, 10, (4, d))
        factors = rng.normal(0, np.sqrt(2), (4, d, 7))
        return cls([0.05, 0.3, 0.4, 0.25], means, factors @ factors.transpose(0, 2, 1) + 0.2 * np.eye(d))

    @property
    def d(self) -> int:
        """The dimension."""
        return self.means.shape[1]

    @property
    def mean(self) -> Vector:
        """The mean E x, shape (d,)."""
        return self.weights @ self.means

    @property
    def variances(self) -> Vector:
        """The variance of each coordinate, shape (d,): within the components plus between them."""
        return self.weights @ (np.diagonal(self.covariances, axis1=1, axis2=2) + (self.means - self.mean) ** 2)

    @explain_wrong_calls
    def sample(self, n: int, rng: Rng = None) -> Points:
        """Draw independent points.

        Parameters
        ----------
        n : int
            Number of points.
        rng : int, Generator or None, default None
            Seed. With an int seed a larger n only appends points.

        Returns
        -------
        ndarray of shape (n, d)
            The points.
        """
        n = checks.whole(n, "n")
        component = np.searchsorted(np.cumsum(self.weights)[:-1], stream(rng, "components").random(n), side="right")
        noise = stream(rng, "inliers").standard_normal((n, self.d))
        return self.means[component] + np.einsum("nij,nj->ni", root(self.covariances)[component], noise)

    def _pieces(self, kernel):
        return [gaussian_piece(*part) for part in zip(self.weights, self.means, self.covariances, strict=True)]

    def _sentence(self):
        one = "1 Gaussian" if len(self.weights) == 1 else f"A mixture of {len(self.weights)} Gaussians"
        return f"{one} in {self.d} {'dimension' if self.d == 1 else 'dimensions'}."

    def _picture(self):
        if self.d == 2:
            return inline_pictures.ellipses(self.weights, self.means, self.covariances, self._sentence())
        deviations = np.sqrt(np.diagonal(self.covariances, axis1=1, axis2=2))
        columns = [f"{what} of x{j}" for j in range(1, self.d + 1) for what in ("mean", "deviation")]
        moments = np.stack([self.means, deviations], axis=2).reshape(len(self.weights), -1)
        return html_tables.table(
            ("weight", *columns), [(w, *row) for w, row in zip(self.weights, moments, strict=True)]
        )

    def logpdf(self, X: PointsLike) -> Vector:
        """Compute the logarithm of the density.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.

        Returns
        -------
        ndarray of shape (n,)
            The values.

        Raises
        ------
        ValueError
            If a component's covariance is singular: then there is no density.
        """
        return np.asarray(logsumexp(self._log_parts(self._checked(X)), axis=0))

    def score(self, X: PointsLike) -> Points:
        """Compute the gradient of the log density: Σ_c p(c | x) S_c^(-1) (m_c - x).

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.

        Returns
        -------
        ndarray of shape (n, d)
            The gradients, in 1 / units of X.

        Raises
        ------
        ValueError
            If a component's covariance is singular, or a point is so far from all components that every density is 0.
        """
        X = self._checked(X)
        logs = self._log_parts(X)
        lost = np.isneginf(logs).all(axis=0)
        if lost.any():
            raise Refusal(
                f"row {int(np.argmax(lost))} of X (counted from 0) lies so far from the distribution that its density"
                " is 0 in floats, which has no score; leave that row out."
            )
        pulls = np.stack([gaussian_score(X, m, S) for m, S in zip(self.means, self.covariances, strict=True)])
        return np.einsum("cn,cnj->nj", softmax(logs, axis=0), pulls)

    def _checked(self, X):
        X = checks.sample(X)
        checks.same_dimension(X, self.means, ("X", "the distribution"))
        return X

    def _log_parts(self, X):
        """Compute log π_c N(x; m_c, S_c), (c, n)."""
        logs = np.full((len(self.weights), len(X)), -np.inf)
        for c, (w, m, S) in enumerate(zip(self.weights, self.means, self.covariances, strict=True)):
            q, log_det = mahalanobis(X, m, S)
            if w > 0:
                logs[c] = np.log(w) - 0.5 * (q + self.d * np.log(2 * np.pi) + log_det)
        return logs
