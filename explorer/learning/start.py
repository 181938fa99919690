"""The start of a fit of blobs: its units, and k-means."""

from __future__ import annotations

import warnings
from typing import NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.linalg import power_of_two
from explorer.rng import stream
from explorer.types import Matrix, Points, Rng, Vector

from .gaussian_match import Blobs

FLOOR = 1e-6  # the least variance of a blob over the typical variance, that of the nearer half of the points
CEILING = 10.0  # the largest variance of a blob over the mean variance of the coordinates, far points included


class Units(NamedTuple):
    """Coordinates z = (x - origin) / unit about the median; the median of |z|² is d, the dimension.

    So a far point neither takes digits from the others nor makes the least variance of a blob too wide for them. If
    half of the points are equal, the mean of |z|² is d. `variance` is the mean over the coordinates of their variances,
    in the units z: of the order of 1 if no point is far.
    """

    origin: np.ndarray
    unit: float
    variance: float

    @classmethod
    def of(cls, X: Points, counts: Vector | None = None) -> Self:
        """Return the units of points X (n, d) with their counts (n,).

        Raises
        ------
        Refusal
            If all are one point.
        """
        origin = np.median(X, axis=0) if counts is None else np.array([_median(column, counts) for column in X.T])
        with np.errstate(over="ignore"):
            centred = X - origin
        largest = float(np.abs(centred).max())
        if not np.isfinite(largest):
            raise Refusal("X is too large for differences of its points to be floats; rescale it, to below 1e300 say.")
        if largest == 0:
            raise Refusal("all rows of X are the same point, which has no density to fit; give points that differ.")
        lengths = power_of_two(largest) * np.linalg.norm(centred / power_of_two(largest), axis=1)
        typical = float(np.median(lengths) if counts is None else _median(lengths, counts))
        if typical == 0:
            typical = largest * float(np.sqrt(np.average((lengths / largest) ** 2, weights=counts)))
        unit = typical / float(np.sqrt(X.shape[1]))
        return cls(origin, unit, _variance(centred / unit, counts))

    def to_units(self, X: Points) -> Matrix:
        """Return points X (n, d) in these units."""
        return (X - self.origin) / self.unit

    @property
    def ceiling(self) -> float:
        """The largest variance of a blob, in the units z."""
        return CEILING * self.variance


def k_means_blobs(Z: Points, m: int, starts: int, rng: Rng, ceiling: float, counts: Vector | None = None) -> Blobs:
    """Return blobs of the best of `starts` runs of k-means on Z (n, d): shares, means and variances of m clusters.

    Z is in `Units`, `ceiling` is the largest variance, and counts (n,) is the number of times that each point counts,
    None once. A cluster's variance is (Σ |x - mean|² + d v) / (d (size + 1)) with the v of all clusters pooled, as a
    cluster of one point has none of its own. Clusters that stay empty, as all do beyond the number of distinct points,
    copy the heaviest ones and take half of their weight.
    """
    labels = _labels(Z, m, starts, rng, counts)
    once, d = np.ones(len(Z)) if counts is None else counts, Z.shape[1]
    sizes, n = np.bincount(labels, once), once.sum()
    means = np.stack([np.bincount(labels, once * column) for column in Z.T], axis=1) / sizes[:, None]
    within = np.bincount(labels, once * ((Z - means[labels]) ** 2).sum(axis=1))
    pooled = within.sum() / (n * d)
    if pooled <= FLOOR:  # every cluster is nearly a point, so only the distances between points are known
        pooled = _variance(Z, counts) / n ** (2 / d)
    variances = np.clip((within + d * pooled) / (d * (sizes + 1)), FLOOR, ceiling)
    weights = sizes / n
    while len(weights) < m:
        heaviest = int(np.argmax(weights))
        weights[heaviest] /= 2
        weights = np.append(weights, weights[heaviest])
        means = np.vstack([means, means[heaviest]])
        variances = np.append(variances, variances[heaviest])
    return Blobs(weights, means, variances)


def blobs_of_mixture(mixture: str | GaussianMixture, m: int, units: Units) -> Blobs:
    """Return the Blobs of a mixture that a fit is to begin from.

    Raises
    ------
    Refusal
        If the mixture is not m spheres within the bounds.
    """
    if not isinstance(mixture, GaussianMixture):
        raise checks.WrongType(f"start must be a GaussianMixture or None, not {checks.echo(mixture)}.")
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
    rounding = 1e-9  # share by which the start of another fit may exceed its bound
    if inside.min() < FLOOR * (1 - rounding) or inside.max() > units.ceiling * (1 + rounding):
        low, high = (share * units.unit**2 for share in (FLOOR, units.ceiling))
        raise Refusal(
            f"start has variances from {variances.min():.3g} to {variances.max():.3g}; on these data a fit keeps them"
            f" between {low:.3g} and {high:.3g}."
        )
    return Blobs(mixture.weights, units.to_units(mixture.means), np.clip(inside, FLOOR, units.ceiling))


def _median(values, counts):
    """Return the median of values (n,) with counts; for whole counts that of the repeated values."""
    order = np.argsort(values)
    passed = np.cumsum(counts[order])
    lower, upper = (np.searchsorted(passed, passed[-1] / 2, side) for side in ("left", "right"))
    return (values[order][lower] + values[order][min(upper, len(values) - 1)]) / 2


def _variance(Z, counts):
    """Return the mean over the coordinates of their variances, for points Z (n, d) with counts."""
    if counts is None:
        return float(Z.var(axis=0).mean())
    mean = np.average(Z, axis=0, weights=counts)
    return float(np.average((Z - mean) ** 2, axis=0, weights=counts).mean())


def _labels(Z, m, starts, rng, counts):
    """Return the cluster of each point, numbers 0 ... without a gap."""
    distinct, labels = np.unique(Z, axis=0, return_inverse=True)
    if len(distinct) <= m:
        return labels.reshape(-1)
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    asked = {} if counts is None else {"sample_weight": counts}
    seed = int(stream(rng, "k-means").integers(2**31))
    with warnings.catch_warnings():
        # Points that differ by less than their digits leave clusters empty; k_means_blobs fills these.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(m, n_init=starts, random_state=seed).fit_predict(Z, **asked)
    return np.unique(found, return_inverse=True)[1].reshape(-1)
