"""Groups of a sample: the Fisher discriminants that tell given ones apart, and the clusters that HSIC finds."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from explorer.kernels import Kernel
from explorer.learning import CLUHSIC, KernelKMeans
from explorer.operators import KernelFDA
from explorer.types import Matrix, Points, Rows

from .components import Look

STARTS = 5  # of the clusters


class Discriminant(NamedTuple):
    """The Fisher discriminants of a sample's groups beside its principal components.

    fit        the KernelFDA, λ by leave-one-out
    image      (g,) its first function over the plane
    seen       the share of the sample that the nearest group's mean is right about, among the discriminants' values
    fresh      that of new points
    component  that of new points by the scores of the component that is drawn
    """

    fit: KernelFDA
    image: np.ndarray
    seen: float
    fresh: float
    component: float

    @classmethod
    def of(
        cls, kernel: Kernel, sample: tuple[Points, Rows], new: tuple[Points, Rows], look: Look, k: int, at: Matrix
    ) -> Self:
        """Of points and their groups, at places (g, d); `look` has the component k, from 1 on."""
        (X, groups), (Z, others) = sample, new
        fit = KernelFDA(kernel).fit(X, groups)
        F = fit.transform(X)
        seen, fresh = (
            nearest_mean(F, groups, values, own) for values, own in ((F, groups), (fit.transform(Z), others))
        )
        one = slice(k - 1, k)
        component = nearest_mean(look.model.transform(X)[:, one], groups, look.model.transform(Z)[:, one], others)
        return cls(fit, fit.transform(at)[:, 0], seen, fresh, component)


def nearest_mean(S: Matrix, groups: Rows, T: Matrix, others: Rows) -> float:
    """The share of points with values T (m, r) whose nearest group's mean, of values S (n, r), is that of their own."""
    names = np.unique(groups)
    means = np.array([S[groups == group].mean(axis=0) for group in names])
    apart = ((T[:, None] - means) ** 2).sum(axis=2)
    return float(np.mean(names[apart.argmin(axis=1)] == others))


class Clusters(NamedTuple):
    """The clusters that maximise HSIC with their labels, and both sides of what makes them kernel k-means.

    labels   (n,) from 0 on, in the order of the row or the ring
    hsic     n² HSIC of points and labels
    scatter  tr(HKH), the squared distances of all features to their mean
    within   J, those to the means of their clusters, by KernelKMeans: n² HSIC = tr(HKH) - J for clusters apart
    """

    labels: np.ndarray
    hsic: float
    scatter: float
    within: float

    @classmethod
    def of(cls, kernel: Kernel, X: Points, between: Matrix, seed: int) -> Self:
        """Of points under the kernel of labels (c, c)."""
        c, n = len(between), len(X)
        fit = CLUHSIC(c, kernel, between, rng=seed, starts=STARTS).fit(X)
        K = kernel.contrast(X)(X)
        means = KernelKMeans(c, kernel, iterations=1).fit(X, labels=fit.labels_)
        scatter = float(K.trace() - K.sum() / n)
        return cls(fit.labels_, fit.objective_ * n**2, scatter, float(means.history_[0]))
