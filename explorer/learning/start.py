"""Where a fit of blobs begins: units of its own, and k-means."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.linalg import power_of_two
from explorer.rng import stream

from .gaussian_match import Blobs

FLOOR, CEILING = 1e-6, 10.0  # of the mean variance of the coordinates: what a blob's variance may be


class Units(NamedTuple):
    """Coordinates z = (x - origin) / unit in which the mean over the coordinates of their variances is 1.

    The origin is the median, so that a far point takes no digits from the others.
    """

    origin: np.ndarray
    unit: float

    @classmethod
    def of(cls, X):
        """The units of points X (n, d); a sentence where all are one point."""
        origin = np.median(X, axis=0)
        with np.errstate(over="ignore"):
            centred = X - origin
        largest = float(np.abs(centred).max())
        if not np.isfinite(largest):
            raise Refusal("X is too large for differences of its points to be floats; rescale it, to below 1e300 say.")
        if largest == 0:
            raise Refusal("all rows of X are the same point, which has no density to fit; give points that differ.")
        first = power_of_two(largest)  # squares of what is divided by it neither overflow nor vanish
        return cls(origin, first * float(np.sqrt((centred / first).var(axis=0).mean())))

    def there(self, X):
        """Points X (n, d) in these units."""
        return (X - self.origin) / self.unit


def k_means_blobs(Z, m, starts, rng):
    """Blobs of the best of `starts` runs of k-means on Z (n, d): shares, means and variances of m clusters.

    Z has a mean variance of 1, as in `Units`. A cluster's variance is (Σ |x - mean|² + d v) / (d (size + 1)) with the v
    of all clusters pooled, as a cluster of one point has none of its own. Clusters that stay empty, as all do
    beyond the number of distinct points, copy the heaviest ones and take half of their weight.
    """
    labels = _labels(Z, m, starts, rng)
    sizes = np.bincount(labels)
    means = np.stack([np.bincount(labels, column) for column in Z.T], axis=1) / sizes[:, None]
    within = np.bincount(labels, ((Z - means[labels]) ** 2).sum(axis=1))
    n, d = Z.shape
    pooled = within.sum() / (n * d)
    if pooled <= FLOOR:  # every cluster is a point or nearly so: how far apart the points are is all that is known
        pooled = 1 / n ** (2 / d)
    variances = np.clip((within + d * pooled) / (d * (sizes + 1)), FLOOR, CEILING)
    weights = sizes / n
    while len(weights) < m:
        heaviest = int(np.argmax(weights))
        weights[heaviest] /= 2
        weights = np.append(weights, weights[heaviest])
        means = np.vstack([means, means[heaviest]])
        variances = np.append(variances, variances[heaviest])
    return Blobs(weights, means, variances)


def given_blobs(mixture, m, units):
    """The Blobs of a mixture that a fit is to begin from; a sentence where it is not m spheres within the bounds."""
    if not isinstance(mixture, GaussianMixture):
        raise checks.WrongType(f"start must be a GaussianMixture or None, not {checks.shown(mixture)}.")
    d = len(units.origin)
    if mixture.means.shape != (m, d):
        raise Refusal(
            f"start has {len(mixture.weights)} components in {mixture.d} dimensions, and the fit has {m} in {d}; give"
            " a mixture of that shape."
        )
    variances = mixture.covariances[:, 0, 0]
    if not np.array_equal(mixture.covariances, variances[:, None, None] * np.eye(d)):
        raise Refusal("start has a component that is no sphere; give covariances that are multiples of the identity.")
    inside = variances / units.unit / units.unit
    rounding = 1e-9  # what another fit's own start may lie beyond its bound
    if inside.min() < FLOOR * (1 - rounding) or inside.max() > CEILING * (1 + rounding):
        low, high = (share * units.unit**2 for share in (FLOOR, CEILING))
        raise Refusal(
            f"start has variances from {variances.min():.3g} to {variances.max():.3g}; on these data a fit keeps them"
            f" between {low:.3g} and {high:.3g}."
        )
    return Blobs(mixture.weights, units.there(mixture.means), np.clip(inside, FLOOR, CEILING))


def _labels(Z, m, starts, rng):
    """The cluster of each point, numbers 0 ... without a gap."""
    distinct, labels = np.unique(Z, axis=0, return_inverse=True)
    if len(distinct) <= m:
        return labels.reshape(-1)
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    seed = int(stream(rng, "k-means").integers(2**31))
    with warnings.catch_warnings():
        # points that differ by less than their digits leave clusters empty, which are filled above
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(m, n_init=starts, random_state=seed).fit_predict(Z)
    return np.unique(found, return_inverse=True)[1].reshape(-1)
