"""MMD² and its permutation null under the Gaussian kernel at every bandwidth at once, for curves and sliders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import BATCH, SLACK, observed_split, splits
from explorer.discrepancy.results.answer import Answer
from explorer.discrepancy.results.test_result import pvalue
from explorer.kernels import Gaussian
from explorer.printing import printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of
from explorer.svg import inline_pictures
from explorer.types import PointsLike, Rng, Statistic, VectorLike

from .two_samples import one_of, two_samples

NOTHING = 39  # distance in bandwidths beyond which exp(-r^2 / (2 θ^2)) < 1e-330 is 0
PAIRS = 2**17  # number of pairs of points at a time; with 128 splits they take 128 MB


@printed
@dataclass(frozen=True)
class BandwidthCurve(Answer):
    """MMD² over bandwidths, in squared units of k = 1. All arrays are read-only.

    The least of many p-values is not a p-value: `mmdagg_test` and `mmdfuse_test` are the tests over many bandwidths.

    Attributes
    ----------
    bandwidths : ndarray of shape (k,)
        Bandwidths in units of the points.
    statistic : ndarray of shape (k,)
        MMD² at each bandwidth.
    pvalue : ndarray of shape (k,)
        P-value of each bandwidth alone.
    null : ndarray of shape (B, k)
        MMD² of the same B splits at every bandwidth.
    error : ndarray of shape (k,)
        Limit of the error of the values, see `bandwidth_curve`.
    n : int
        Size of the first sample.
    m : int
        Size of the second sample.
    name : str
        Name of the statistic.
    seed : int or None
        Integer rng of the splits; None for a Generator or fresh entropy.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import BandwidthCurve, bandwidth_curve
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(40, 1)), rng.normal(1.0, 1.0, (40, 1))
    >>> curve: BandwidthCurve = bandwidth_curve(X, Y, [0.1, 1.0, 10.0], n_resamples=99, rng=0)
    >>> curve.statistic.round(3).tolist(), curve.pvalue.tolist()
    ([0.053, 0.338, 0.018], [0.01, 0.01, 0.01])
    """

    bandwidths: np.ndarray
    statistic: np.ndarray
    pvalue: np.ndarray
    null: np.ndarray
    error: np.ndarray
    n: int
    m: int
    name: str = "the unbiased MMD²"
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("bandwidths", "statistic", "pvalue", "null", "error"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    def _sentence(self):
        return f"MMD² under the Gaussian kernel, by its bandwidth, for n = {self.n} and m = {self.m}."

    def _picture(self):
        return inline_pictures.curve(self.bandwidths, self.statistic, self._sentence(), log=True)


@explain_wrong_calls
def bandwidth_curve(
    X: PointsLike,
    Y: PointsLike,
    bandwidths: VectorLike | None = None,
    statistic: Statistic = "unbiased",
    n_resamples: int = 999,
    rng: Rng = None,
    bins: int = 4096,
) -> BandwidthCurve:
    """Compute MMD² and its permutation null under Gaussian(θ) for every θ of `bandwidths`.

    Use it to see how MMD² depends on the bandwidth. For one p over all bandwidths use `mmdagg_test`.

    The p of each θ alone is exact if the n + m rows are exchangeable and θ was chosen without the labels. The least of
    them is not a p-value.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    bandwidths : array_like of shape (k,) or None, default None
        Bandwidths θ. None is 60 from a twentieth of the median distance to twenty times it.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD², as in `mmd2`.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed. The splits are those of `mmd_test` with the same rng.
    bins : int, default 4096
        Number of cells of the grid of distances.

    Returns
    -------
    BandwidthCurve
        The statistic, the null distribution and the p-value at each bandwidth.

    Raises
    ------
    Refusal
        If some θ is below 1e-6 r_max, or not a bandwidth of a Gaussian.

    Notes
    -----
    The distances r of the pairs go into a histogram. Each pair has the weight that MMD² gives it, shared between the
    two nearest nodes of a grid of `bins` cells. Then MMD²(θ) = H · k_θ(nodes), and H of B splits is one (B, bins)
    matrix for all θ. So k is interpolated linearly. As ``|d^2 k/dr^2| <= 1/θ^2`` and the magnitudes of the weights add
    up to at most 4, the error is at most 4 h^2 / (8 θ^2) with h = r_max / bins. r_max is the largest of the distances
    up to 39 times the largest θ. Beyond that k is 0, at a node at infinity. Each p is exact for its bandwidth alone,
    P(p <= α) <= α, as the interpolated kernel does not depend on which points belong to X. The cost is O(B (n + m)^2)
    without a factor k.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import bandwidth_curve
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> curve = bandwidth_curve(X, Y, [0.1, 1.0, 10.0], n_resamples=99, rng=0)
    >>> curve.statistic.round(3)
    array([0.065, 0.363, 0.018])
    >>> curve.pvalue
    array([0.01, 0.01, 0.01])
    """
    one_of(statistic, ("unbiased", "biased"), "statistic")
    n_resamples, bins = checks.whole(n_resamples, "n_resamples", 1), checks.whole(bins, "bins", 1)
    purpose = "for the unbiased statistic" if statistic == "unbiased" else ""
    at_least = 2 if statistic == "unbiased" else 1
    middle = Gaussian() if bandwidths is None else Gaussian(1.0)
    kernel, P, n, m, _ = two_samples(X, Y, middle, at_least, purpose, numbers_alone=True)
    median = kernel.length_scale or 1.0  # the median of the pooled points, used if no bandwidths are given
    given = np.geomspace(0.05, 20, 60) * median if bandwidths is None else checks.numbers(bandwidths, "bandwidths")
    thetas = np.atleast_1d(given)
    if thetas.ndim != 1 or not len(thetas):
        raise Refusal(f"bandwidths must be a list of numbers, not an array of shape {thetas.shape}.")
    for theta in (thetas.min(), thetas.max()):
        Gaussian(float(theta))  # raises an error if theta is not a bandwidth
    most = NOTHING * thetas.max()
    reach = _diameter(P, most)
    if thetas.min() <= 1e-6 * reach:
        raise Refusal(
            "bandwidths must be a list of numbers, all above 1e-6 times the largest distance that the widest of them "
            f"sees, {reach:.3g}; ask for narrow and wide ones in turn."
        )
    S = np.concatenate([observed_split(n + m, n), splits(n + m, n, n_resamples, rng)])
    H, size = _histograms(P, S, _pair_weights(n, m, statistic), (reach, most), bins)
    # The weights of all pairs add up to 0 (for V including the diagonal). So k may be replaced by k - 1, which loses no
    # digits for wide θ.
    nodes = np.append(np.linspace(0, reach, bins + 1), np.inf)
    with np.errstate(over="ignore"):
        K = np.expm1(-0.5 * (nodes[:, None] / thetas) ** 2)
    values = H @ K
    p = pvalue(values[1:], values[0], SLACK * (size @ -K))
    name = f"the {statistic} MMD²"
    return BandwidthCurve(
        thetas, values[0], p, values[1:], 4 * (reach / bins) ** 2 / (8 * thetas**2), n, m, name, seed_of(rng)
    )


def _pair_weights(n, m, statistic):
    """Return the weight in MMD² of an unordered pair with 0, 1 or 2 points in the first sample, (3,)."""
    less = 1 if statistic == "unbiased" else 0
    return np.array([2 / (m * (m - less)), -2 / (n * m), 2 / (n * (n - less))])


def _row_blocks(P):
    """Yield ranges of rows that have about PAIRS pairs with later points."""
    start = 0
    while start < len(P) - 1:
        stop = min(start + max(1, PAIRS // (len(P) - start)), len(P))
        yield start, stop
        start = stop


def _diameter(P, most):
    """Return the largest of the distances up to `most`, or 1 if all are 0."""
    blocks = (cdist(P[a:b], P[a:]) for a, b in _row_blocks(P))
    return float(max((r.max(where=r <= most, initial=0.0) for r in blocks), default=0.0)) or 1.0


def _histograms(P, S, weights, ranges, bins):
    """Return H (B, bins + 2) for the splits S (B, N), and the first split's histogram of absolute weights (bins + 2,).

    `ranges` holds the distance of the last node but one, and the distance beyond which all pairs belong to the last
    node.
    """
    from scipy.sparse import coo_array

    reach, most = ranges
    H, size = np.zeros((bins + 2, len(S))), np.zeros(bins + 2)
    members = np.ascontiguousarray(S.T).astype(np.uint8)
    for a, b in _row_blocks(P):
        i, j = np.nonzero(np.arange(a, b)[:, None] < np.arange(a, len(P)))
        apart = cdist(P[a:b], P[a:])[i, j]
        place = np.where(apart > most, bins + 1, np.minimum(apart, reach) * (bins / reach))
        i, j = i + a, j + a
        cell = np.where(apart > most, bins, np.minimum(place, bins - 1)).astype(np.intp)
        share, pair = place - cell, np.arange(len(place))
        both = np.concatenate([cell, cell + 1]), np.concatenate([pair, pair])
        cloud = coo_array((np.concatenate([1 - share, share]), both), shape=(bins + 2, len(place))).tocsr()
        for start in range(0, len(S), BATCH):
            batch = slice(start, start + BATCH)
            H[:, batch] += cloud @ weights[members[i, batch] + members[j, batch]]
        size += cloud @ np.abs(weights[members[i, 0] + members[j, 0]])
    return H.T, size
