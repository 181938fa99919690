"""The mixtures that a fit goes through, kept so that a lab can play them."""

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
    """The blobs of every iteration of a fit, the start first: Σ_j π_j N(m_j, s_j I).

    weights (t, m), means (t, m, d), variances (t, m); arrays and nothing else, so that a thousand steps cost little.

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
        """The mixture of step i, 0 the start; negative i count from the end."""
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not -len(self) <= i < len(self):
            raise Refusal(f"i must be the number of a step, from 0 to {len(self) - 1}, not {checks.echo(i)}.")
        weights, means, d = self.weights[i], self.means[i], self.means.shape[2]
        # a softmax sums to one up to rounding, and the mixture is to do so too
        return GaussianMixture(weights / weights.sum(), means, self.variances[i][:, None, None] * np.eye(d))

    def scores(self, Z: PointsLike) -> Vector:
        """The mean log-likelihood of points Z (n, d) under every mixture, (t,)."""
        Z = checks.sample(Z, "Z")
        checks.same_dimension(Z, self.means[0], ("Z", "the density"))
        return np.array([_score(Z, *step) for step in zip(self.weights, self.means, self.variances, strict=True)])


def _score(Z, weights, means, variances):
    d = Z.shape[1]
    # a loop over blobs, and differences: no digits are lost far from 0, and memory stays that of Z
    squares = np.stack([((Z - mean) ** 2).sum(axis=1) for mean in means])
    with np.errstate(divide="ignore"):  # the weight of a blob may underflow
        logs = np.log(weights) - 0.5 * d * np.log(2 * np.pi * variances)
    log_densities = np.asarray(logsumexp(logs[:, None] - 0.5 * squares / variances[:, None], axis=0))
    return float(log_densities.mean())
