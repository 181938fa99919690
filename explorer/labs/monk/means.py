"""Kernel means by the compared estimators, and the bound of Theorem 1 on the median of means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from explorer.embeddings import GaussianMixture
from explorer.estimators import KME, MedianOfMeans, RobustKME
from explorer.estimators.medianofmeans import deviation_bound
from explorer.types import Points

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding
    from explorer.embeddings.law import Law
    from explorer.kernels.base import Kernel

    Embed: TypeAlias = Callable[[Points], Embedding]  # computes a sample's kernel mean by an estimator


POINTS = 121  # the number of points of a drawn function
WIDE = 4.0  # a function is drawn over this many standard deviations on either side of the mean
LEVELS = np.linspace(0.02, 3.6, 60)  # the values of ln(1/η) of the theorem's bound
ETA = 0.05  # the level that sentences use


class KernelMeanFunctions(NamedTuple):
    """Kernel means along the first coordinate: the true one, and estimates of it.

    Attributes
    ----------
    at : ndarray of shape (p,)
        The first coordinates.
    values : dict of str to ndarray of shape (p,)
        The functions of the estimators, and "truth", which is nan if it is unknown.
    errors : dict of str to float
        The RKHS distance of each estimate from the truth; empty if the truth is unknown.
    """

    at: np.ndarray
    values: dict[str, np.ndarray]
    errors: dict[str, float]

    @property
    def middle(self) -> str:
        """The name of the function that the picture centres on."""
        return "truth" if self.errors else "median"


def median_of_means(
    kernel: Kernel, blocks: int, partition: int, method: Literal["minmax", "geometric"] = "minmax"
) -> Embed:
    """Return a function that computes the median of means of a sample."""
    return partial(MedianOfMeans(kernel, blocks, method).embed, rng=partition)


def robust_means(kernel: Kernel, blocks: int, partition: int) -> dict[str, Embed]:
    """Return robust estimators: the geometric median of means, and Huber's and Hampel's loss, which need no blocks.

    The form is name -> a function that computes the kernel mean of a sample.
    """
    geometric = median_of_means(kernel, blocks, partition, "geometric")
    huber, hampel = RobustKME(kernel, "huber"), RobustKME(kernel, "hampel")
    return {"geometric": geometric, "Huber": huber.embed, "Hampel": hampel.embed}


def every_mean(kernel: Kernel, blocks: int, partition: int) -> dict[str, Embed]:
    """Return each compared estimator: name -> a function that computes the kernel mean of a sample."""
    median = median_of_means(kernel, blocks, partition)
    return {"plain average": KME(kernel).embed, "median": median, **robust_means(kernel, blocks, partition)}


def kernel_mean_functions(
    X: Points, embeds: Mapping[str, Embed], truth: Embedding | None, reach: tuple[float, float]
) -> KernelMeanFunctions:
    """Return the kernel means of a sample X, shape (n, d), by several estimators, as functions of the first coordinate.

    `embeds` has the estimators, `reach` the ends of the interval, and `truth` the true embedding, or None.
    """
    points = np.tile(np.zeros(X.shape[1]) if truth else np.median(X, axis=0), (POINTS, 1))
    points[:, 0] = np.linspace(*reach, POINTS)
    means = {name: embed(X) for name, embed in embeds.items()}
    values = {name: mean(points) for name, mean in means.items()}
    values["truth"] = truth(points) if truth else np.full(POINTS, np.nan)
    return KernelMeanFunctions(
        points[:, 0], values, {name: mean.distance(truth) for name, mean in means.items()} if truth else {}
    )


def reach(law: Law) -> tuple[float, float]:
    """Return the ends of the interval of the first coordinate where a distribution's kernel mean is drawn."""
    if not isinstance(law, GaussianMixture):  # Pareto's distribution begins at 1
        return 0.0, 2 * WIDE
    mean, sd = float(law.mean[0]), float(np.sqrt(law.variances[0]))
    return mean - WIDE * sd, mean + WIDE * sd


class TheoremBound(NamedTuple):
    """The bound of Theorem 1 on |μ̂ - μ|: at LEVELS, nan if there is none, and at the level ETA."""

    bound: np.ndarray
    at_eta: float


def theorem_bound(law: Law, kernel: Kernel, n: int, outliers: int) -> TheoremBound:
    """Return the theorem's bound for n points of a distribution, some of them outliers."""
    bound = deviation_bound(law, kernel, n, np.append(np.exp(-LEVELS), ETA), outliers)
    return TheoremBound(bound[:-1], float(bound[-1]))
