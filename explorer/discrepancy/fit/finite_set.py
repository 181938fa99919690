"""Finite set Stein discrepancy: a goodness-of-fit test in linear time, at a few locations."""

from __future__ import annotations

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import MOST
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import Kernel
from explorer.kernels.distances import squared_distances
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of, stream
from explorer.types import Matrix, Points, PointsLike, Rng

from .model import ModelLike, score_at
from .resamples import NULLS, checked_points, choose_kernel, signs
from .stein_kernel import tie_tolerance


@explain_wrong_calls
def fssd_test(
    X: PointsLike,
    model: ModelLike,
    kernel: Kernel | None = None,
    *,
    locations: int | PointsLike = 5,
    n_resamples: int = 999,
    rng: Rng = None,
) -> TestResult:
    """Test whether a sample is from a model, by the Stein witness at J locations v, in linear time.

    Use it for large samples, and to see where the model does not fit. If n² values of a kernel are affordable, use
    `ksd_test`.

    The null distribution is by flipped signs as in `ksd_test`. So p is right in the limit of many independent points,
    of a model that was given beforehand: measured at n = 20, 50 and 200, 3 to 5 % of the model's samples are rejected
    at level 5 %.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Sample.
    model : object or callable
        Model with a score, as in `ksd`.
    kernel : Kernel or None, default None
        Kernel, as in `ksd`. An automatic bandwidth is the median heuristic on X.
    locations : int or array_like of shape (J, d), default 5
        Number J of locations, drawn by rng from the Gaussian of X's mean and covariance, or the locations themselves.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the locations and flips.

    Returns
    -------
    TestResult
        The test; its statistic is in units of k² over squared units of X.

    Raises
    ------
    Refusal, TypeError
        As `ksd`.

    Notes
    -----
    The witness g(v) = E [s(x) k(x, v) + ∇_x k(x, v)], (d,), where s is the model's score, is 0 at every v if x is from
    the model. If x is not, it is nonzero at almost every v, for analytic kernels such as those of `ksd`. FSSD² = ``Σ_v
    |g(v)|^2 / (d J)``, whose unbiased estimate is the statistic. The paper draws the null distribution from its limit,
    a sum of weighted χ², instead of flipping signs.

    The cost is O(n d J B), in addition to that of a median.

    References
    ----------
    Jitkrittum, Xu, Szabó, Fukumizu and Gretton 2017, A linear-time kernel goodness-of-fit test, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import GaussianMixture, fssd_test
    >>> X = np.random.default_rng(0).normal(0.5, 1.0, (500, 1))
    >>> result = fssd_test(X, GaussianMixture([1.0], [[0.0]], [[1.0]]), n_resamples=199, rng=0)
    >>> result.pvalue
    0.005
    """
    count = checks.whole(n_resamples, "n_resamples", 1)
    columns, points = frames.names_of(X) or (), checked_points(X, 2)
    scores, kernel = score_at(model, points), choose_kernel(kernel, points)
    tau = _features(kernel, points, scores, _location_points(locations, points, rng))
    n = len(points)
    with np.errstate(over="ignore"):
        squares = np.einsum("ij,ij->i", tau, tau)
        if not n * squares.sum() < MOST:
            raise Refusal(
                f"the Stein witness under {kernel!r} overflows at these points, whose scores reach"
                f" {np.abs(scores).max():.3g}; rescale the points, or take a larger bandwidth."
            )
    totals = [tau.sum(axis=0)[None], *((2.0 * flips - 1.0) @ tau for flips in signs(n, count, rng))]
    values = (np.square(np.concatenate(totals)).sum(axis=1) - squares.sum()) / (n * (n - 1))
    # the term of each pair is at most |τ_i| |τ_j|
    tolerance = tie_tolerance(float(np.sqrt(squares).sum() ** 2), n)
    return TestResult(
        values[0],
        values[1:],
        "the unbiased FSSD²",
        kernel,
        n,
        tolerance=tolerance,
        resamples=NULLS["wild"],
        columns=columns,
        seed=seed_of(rng),
        counted="points",
    )


def _location_points(locations, X, rng) -> Points:
    """Return the locations (J, d): the given ones, or draws of the Gaussian with the mean and the covariance of X."""
    if np.ndim(locations):
        places = checks.sample(locations, "locations")
        checks.same_dimension(places, X, ("locations", "X"))
        return places
    draws = stream(rng, "locations").standard_normal((checks.whole(locations, "locations", 1), len(X)))
    middle = X.mean(axis=0)
    return middle + draws @ (X - middle) / np.sqrt(len(X) - 1)


def _features(kernel: Kernel, X: Points, scores: Matrix, places: Points) -> Matrix:
    """Return τ(x) = [s(x) k(x, v) + ∇_x k(x, v)] / √(d J) of all locations v, (n, d J).

    The mean of <τ(x), τ(y)> is FSSD².
    """
    n, d = X.shape
    with np.errstate(over="ignore", invalid="ignore"):
        value, first, _ = kernel.radial(squared_distances(X, places))
        tau = scores[:, None] * value[..., None] + 2 * first[..., None] * (X[:, None] - places)
    return tau.reshape(n, -1) / np.sqrt(d * len(places))
