"""The mixtures of all steps of a fit, stored so that a lab can play them."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from explorer import checks
from explorer.checks import Refusal, read_only_fields
from explorer.embeddings import GaussianMixture
from explorer.printing import printed
from explorer.record import record
from explorer.types import PointsLike, Vector


@printed
@record
class FitPath:
    """The blobs Σ_j π_j N(m_j, s_j I) of every iteration of a fit, the start first.

    They are stored as arrays, so a thousand steps take little memory.

    Attributes
    ----------
    weights : ndarray of shape (t, m)
        The weights π.
    means : ndarray of shape (t, m, d)
        The means.
    variances : ndarray of shape (t, m)
        The variances s.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import MixtureDensity
    >>> from explorer.learning import FitPath
    >>> X = np.random.default_rng(0).normal(size=(30, 1))
    >>> path: FitPath = MixtureDensity(n_components=2, rng=0).fit(X).path_
    >>> path.mixture(0).weights.shape
    (2,)
    >>> len(path.scores([[0.0], [1.0]])) == len(path)
    True
    """

    weights: np.ndarray
    means: np.ndarray
    variances: np.ndarray

    __post_init__ = read_only_fields

    def __len__(self) -> int:
        return len(self.weights)

    def mixture(self, i: int) -> GaussianMixture:
        """Return the mixture of a step.

        Parameters
        ----------
        i : int
            The step, 0 is the start; negative i count from the end.

        Returns
        -------
        GaussianMixture
            The mixture.
        """
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not -len(self) <= i < len(self):
            raise Refusal(f"i must be the number of a step, from 0 to {len(self) - 1}, not {checks.echo(i)}.")
        weights, means, d = self.weights[i], self.means[i], self.means.shape[2]
        # A softmax sums to one up to rounding only, but a mixture's weights have to sum to one.
        return GaussianMixture(weights / weights.sum(), means, self.variances[i][:, None, None] * np.eye(d))

    def scores(self, Z: PointsLike) -> Vector:
        """Return the mean log-likelihood of points under every mixture.

        Parameters
        ----------
        Z : array_like of shape (n, d)
            The points.

        Returns
        -------
        ndarray of shape (t,)
            The mean log-likelihoods, in nats per point.
        """
        Z = checks.sample(Z, "Z")
        checks.same_dimension(Z, self.means[0], ("Z", "the density"))
        return np.array([_score(Z, *step) for step in zip(self.weights, self.means, self.variances, strict=True)])


def _score(Z, weights, means, variances):
    """Return the mean log-likelihood of points under one mixture."""
    d = Z.shape[1]
    # A loop over blobs that computes differences loses no digits far from 0 and takes no more memory than Z.
    squares = np.stack([((Z - mean) ** 2).sum(axis=1) for mean in means])
    with np.errstate(divide="ignore"):  # the weight of a blob may underflow
        logs = np.log(weights) - 0.5 * d * np.log(2 * np.pi * variances)
    log_densities = np.asarray(logsumexp(logs[:, None] - 0.5 * squares / variances[:, None], axis=0))
    return float(log_densities.mean())
