"""The kernel Stein discrepancy of a sample and a model, and its test."""

from __future__ import annotations

from typing import Literal

from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.results.test_result import TestResult
from explorer.elsewhere import explain_wrong_calls
from explorer.kernels import Kernel
from explorer.types import PointsLike, Rng, Statistic

from .model import ModelLike, score_at
from .resamples import Resamples, checked_points, choose_kernel
from .stein_kernel import stein_sums


@explain_wrong_calls
def ksd(X: PointsLike, model: ModelLike, kernel: Kernel | None = None, statistic: Statistic = "unbiased") -> float:
    """KSD², the squared kernel Stein discrepancy of a sample X (n, d) from a model: in expectation 0 where it fits.

    It estimates E h(x, x') over independent x, x' of the data's distribution, with the Stein kernel

        h(x, y) = <s(x), s(y)> k + <s(x), ∇_y k> + <s(y), ∇_x k> + Σ_j ∂²k / ∂x_j ∂y_j

    of the model's score s = ∇ log p, which needs neither the constant of the density nor a sample of the model. Over x
    from the model E h(x, y) is 0 for every y, so KSD is the MMD of the data and the model under the kernel h.

    "unbiased"  Σ_{i≠j} h(x_i, x_j) / (n(n-1)), n >= 2: signed, and negative in more than half of the model's samples
    "biased"    Σ_ij h(x_i, x_j) / n^2: at least 0, and too large by (E h(x, x) - E h(x, x')) / n

    model   what has a score(X), as GaussianMixture and StudentT have, or a function of X (n, d) that gives the score,
            (n, d); a fitted MixtureDensity stands for its mixture
    kernel  Gaussian, InverseMultiquadric or RationalQuadratic; None is Gaussian(). An automatic bandwidth is the median
            heuristic on X

    In units of k over squared units of X; O(n^2 d), and no Gram matrix is stored. The score forgets how much mass lies
    in parts of space that the density all but separates: a mixture with the right modes, far apart, and wrong weights
    has a KSD near 0. Liu, Lee and Jordan 2016, A kernelized Stein discrepancy for goodness-of-fit tests, definition 3.2
    and theorem 3.6; Chwialkowski, Strathmann and Gretton 2016, A kernel test of goodness of fit. Raises ValueError for
    too few points, for a score of another shape, for a kernel that has no Stein kernel and where h overflows, TypeError
    for a model without a score.

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
    """The test that a sample X (n, d) is from a model, by the unbiased `ksd`: a TestResult.

    null "wild"        signs e_i are flipped at random, Σ_{i≠j} e_i e_j h(x_i, x_j) / (n(n-1)), and no sample of the
                       model is drawn. p is right in the limit of many independent points, for models of bounded E h^2:
                       measured at n = 20, 50 and 200, 3 to 6 % of the model's samples are rejected at level 5 %. O(n^2
                       (d + B)). Chwialkowski, Strathmann and Gretton 2016, A kernel test of goodness of fit, for
                       independent points
    null "parametric"  B samples of n points of the model, by its sample(n, rng), an automatic bandwidth chosen on each:
                       p is exact if the points are independent draws of the model, P(p <= α) <= α for every n and B.
                       O(B n^2 d)

    p = (1 + #{null >= observed}) / (1 + B). model and kernel as in `ksd`, and the test is blind to what `ksd` is blind
    to. All this is for a model that is given beforehand: p is too large for one whose parameters were fitted to X. An
    int rng gives the same flips to every kernel.

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
