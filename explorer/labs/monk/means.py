"""Kernel means by the estimators that are compared, and what Theorem 1 promises of the median of means."""

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

    Embed: TypeAlias = Callable[[Points], Embedding]  # a kernel mean of a sample, by an estimator


POINTS = 121  # of a drawn function
WIDE = 4.0  # standard deviations of a distribution that its function is drawn over
LEVELS = np.linspace(0.02, 3.6, 60)  # ln(1/η) of the theorem's bound
ETA = 0.05  # the level that words speak of


class Drawn(NamedTuple):
    """Kernel means along the first coordinate: the true one, and estimates of it.

    at      (p,)
    values  name -> (p,): those of the estimators, and "truth", nan where nobody knows it
    errors  name -> the RKHS distance of an estimate from the truth; empty where nobody knows it
    """

    at: np.ndarray
    values: dict[str, np.ndarray]
    errors: dict[str, float]

    @property
    def middle(self) -> str:
        """The name of the function that the picture is made for."""
        return "truth" if self.errors else "median"


def median_of_means(
    kernel: Kernel, blocks: int, partition: int, method: Literal["minmax", "geometric"] = "minmax"
) -> Embed:
    """An embed of a median of means, which takes a sample."""
    return partial(MedianOfMeans(kernel, blocks, method).embed, rng=partition)


def robust_means(kernel: Kernel, blocks: int, partition: int) -> dict[str, Embed]:
    """name -> an embed: of the geometric median of means, and of Huber's and Hampel's loss, which need no blocks."""
    geometric = median_of_means(kernel, blocks, partition, "geometric")
    huber, hampel = RobustKME(kernel, "huber"), RobustKME(kernel, "hampel")
    return {"geometric": geometric, "Huber": huber.embed, "Hampel": hampel.embed}


def every_mean(kernel: Kernel, blocks: int, partition: int) -> dict[str, Embed]:
    """name -> an embed of each estimator that is compared."""
    median = median_of_means(kernel, blocks, partition)
    return {"plain average": KME(kernel).embed, "median": median, **robust_means(kernel, blocks, partition)}


def drawn_means(X: Points, embeds: Mapping[str, Embed], truth: Embedding | None, reach: tuple[float, float]) -> Drawn:
    """The Drawn of a sample X (n, d): `truth` is the true Embedding or None, `reach` where the functions are drawn."""
    points = np.tile(np.zeros(X.shape[1]) if truth else np.median(X, axis=0), (POINTS, 1))
    points[:, 0] = np.linspace(*reach, POINTS)
    means = {name: embed(X) for name, embed in embeds.items()}
    values = {name: mean(points) for name, mean in means.items()}
    values["truth"] = truth(points) if truth else np.full(POINTS, np.nan)
    return Drawn(points[:, 0], values, {name: mean.distance(truth) for name, mean in means.items()} if truth else {})


def reach(law: Law) -> tuple[float, float]:
    """Over which first coordinates the kernel mean of a distribution is drawn."""
    if not isinstance(law, GaussianMixture):  # Pareto's, which begins at 1
        return 0.0, 2 * WIDE
    mean, sd = float(law.mean[0]), float(np.sqrt(law.variances[0]))
    return mean - WIDE * sd, mean + WIDE * sd


class Promise(NamedTuple):
    """What Theorem 1 promises |μ̂ - μ| stays below: at LEVELS, nan where nothing, and at the level ETA."""

    bound: np.ndarray
    at_eta: float


def promised(law: Law, kernel: Kernel, n: int, outliers: int) -> Promise:
    """The Promise for n points of a distribution, some of them outliers."""
    bound = deviation_bound(law, kernel, n, np.append(np.exp(-LEVELS), ETA), outliers)
    return Promise(bound[:-1], float(bound[-1]))
