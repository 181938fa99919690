"""Kernel Stein discrepancy of a sample and a model, and its test."""

from __future__ import annotations

from typing import Literal

from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import Kernel
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import PointsLike, Rng, Statistic

from .model import ModelLike, score_at
from .resamples import Resamples, checked_points, choose_kernel
from .stein_kernel import stein_sums


@explain_wrong_calls
def ksd(X: PointsLike, model: ModelLike, kernel: Kernel | None = None, statistic: Statistic = "unbiased") -> float:
    r"""Measure how far a sample is from a model by KSD², the squared kernel Stein discrepancy.

    Use it for a model whose density may be known up to a factor only. For a p use `ksd_test`, and for two samples
    `mmd2`.

    It is 0 in expectation if the model fits.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Sample.
    model : object or callable
        Object with a ``score(X)``, as GaussianMixture and StudentT have, or a function of X (n, d) that gives the
        score, (n, d). A fitted MixtureDensity is used as its mixture.
    kernel : Gaussian, InverseMultiquadric, RationalQuadratic or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on X.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of KSD², see Notes. "unbiased" needs n >= 2.

    Returns
    -------
    float
        KSD² in units of k over squared units of X.

    Raises
    ------
    Refusal
        If there are too few points, if the score has another shape, if the kernel has no Stein kernel, or if h
        overflows.
    TypeError
        If the model has no score.

    Notes
    -----
    KSD² is E h(x, x') over independent x, x' of the data's distribution, with the Stein kernel

    .. math::

        h(x, y) = \langle s(x), s(y) \rangle k + \langle s(x), \nabla_y k \rangle + \langle s(y), \nabla_x k
        \rangle + \sum_j \frac{\partial^2 k}{\partial x_j \partial y_j}

    of the model's score s = ∇ log p, which needs neither the constant of the density nor a sample of the model. Over x
    from the model E h(x, y) is 0 for every y, so KSD is the MMD of the data and the model under the kernel h.

    "unbiased" is Σ_{i≠j} h(x_i, x_j) / (n(n-1)). It is signed, and negative in more than half of the model's samples.
    "biased" is Σ_ij h(x_i, x_j) / n². It is at least 0, and too large by (E h(x, x) - E h(x, x')) / n.

    The score does not know how much mass lies in parts of space that the density all but separates: a mixture with the
    right modes, far apart, and wrong weights has a KSD near 0. The cost is O(n^2 d), and no Gram matrix is stored.

    References
    ----------
    Liu, Lee and Jordan 2016, A kernelized Stein discrepancy for goodness-of-fit tests, definition 3.2 and theorem 3.6;
    Chwialkowski, Strathmann and Gretton 2016, A kernel test of goodness of fit.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import GaussianMixture, ksd
    >>> X = np.random.default_rng(0).normal(1.0, 1.0, (50, 1))
    >>> round(ksd(X, GaussianMixture([1.0], [[0.0]], [[1.0]])), 3)
    0.676
    """
    one_of(statistic, ("unbiased", "biased"), "statistic")
    points = checked_points(X, 2 if statistic == "unbiased" else 1)
    n, scores = len(points), score_at(model, points)
    sums = stein_sums(choose_kernel(kernel, points), points, scores)
    if statistic == "biased":
        return (sums.apart + sums.diagonal) / n**2
    return sums.apart / (n * (n - 1))


@explain_wrong_calls
def ksd_test(
    X: PointsLike,
    model: ModelLike,
    kernel: Kernel | None = None,
    *,
    null: Literal["wild", "parametric"] = "wild",
    n_resamples: int = 999,
    rng: Rng = None,
) -> TestResult:
    """Test whether a sample is from a model, by the unbiased `ksd`.

    Use it for a model whose density may be known up to a factor only. If the model can only be sampled from, use
    `mmd_test` with a sample of it.

    p = (1 + #{null >= observed}) / (1 + B). It is for a model that is given beforehand: p is too large for a model
    whose parameters were fitted to X. The test cannot see what `ksd` cannot see.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Sample.
    model : object or callable
        Model with a score, as in `ksd`.
    kernel : Kernel or None, default None
        Kernel, as in `ksd`.
    null : {"wild", "parametric"}, default "wild"
        "wild" flips signs e_i at random, Σ_{i≠j} e_i e_j h(x_i, x_j) / (n(n-1)), and draws no sample of the model. p is
        right in the limit of many independent points, for models of bounded E h²: measured at n = 20, 50 and 200, 3 to
        6 % of the model's samples are rejected at level 5 %. "parametric" draws B samples of n points of the model, by
        its ``sample(n, rng)``, with an automatic bandwidth chosen on each: p is exact if the points are independent
        draws of the model, P(p <= α) <= α for every n and B.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed. An int gives the same flips to every kernel.

    Returns
    -------
    TestResult
        The test.

    Notes
    -----
    The cost is O(n^2 (d + B)) for "wild" and O(B n^2 d) for "parametric".

    References
    ----------
    Chwialkowski, Strathmann and Gretton 2016, A kernel test of goodness of fit, for independent points.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import GaussianMixture, ksd_test
    >>> X = np.random.default_rng(0).normal(0.5, 1.0, (50, 1))
    >>> result = ksd_test(X, GaussianMixture([1.0], [[0.0]], [[1.0]]), n_resamples=199, rng=0)
    >>> result.pvalue
    0.005
    """
    found = Resamples(X, model, lambda points: (choose_kernel(kernel, points),), null, n_resamples, rng)
    values, tolerance = found.values[:, 0], float(found.tolerance[0])
    return TestResult(values[0], values[1:], "the unbiased KSD²", found.kernels[0], tolerance=tolerance, **found.others)
