"""Groups of a sample: Fisher discriminants that separate given groups, and the clusters that HSIC finds."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from explorer.kernels import Kernel
from explorer.learning import CLUHSIC, KernelKMeans
from explorer.operators import KernelFDA
from explorer.types import Matrix, Points, Rows

from .components import Look

STARTS = 5  # random starts of the clustering


class Discriminant(NamedTuple):
    """The Fisher discriminants of a sample's groups, compared with its principal components.

    Attributes
    ----------
    fit : KernelFDA
        The discriminants, with λ by leave-one-out.
    image : ndarray of shape (g,)
        The first discriminant over the plane.
    seen : float
        The share of the sample that the nearest group mean classifies correctly, by the discriminants' values.
    fresh : float
        The same share of new points.
    component : float
        The share of new points that are classified correctly by the scores of the drawn component.
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
        """Fit the discriminants on points with groups, and draw the first at places (g, d).

        `look` has the component k, from 1 on.
        """
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
    """Return the share of points with values T (m, r) whose nearest group mean is that of their own group.

    The means are those of values S (n, r).
    """
    names = np.unique(groups)
    means = np.array([S[groups == group].mean(axis=0) for group in names])
    apart = ((T[:, None] - means) ** 2).sum(axis=2)
    return float(np.mean(names[apart.argmin(axis=1)] == others))


class Clusters(NamedTuple):
    """The clusters that maximise HSIC with their labels, and both sides of the identity with kernel k-means.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The clusters, from 0 on, in the order of the row or the ring.
    hsic : float
        n² HSIC of points and labels.
    scatter : float
        tr(HKH), the sum of the squared distances of all features to their mean.
    within : float
        J, the sum of the squared distances to the means of their clusters, by KernelKMeans. For separate clusters
        n² HSIC = tr(HKH) - J.
    """

    labels: np.ndarray
    hsic: float
    scatter: float
    within: float

    @classmethod
    def of(cls, kernel: Kernel, X: Points, between: Matrix, seed: int) -> Self:
        """Cluster points under the kernel of labels (c, c)."""
        c, n = len(between), len(X)
        fit = CLUHSIC(c, kernel, between, rng=seed, starts=STARTS).fit(X)
        K = kernel.contrast(X)(X)
        means = KernelKMeans(c, kernel, iterations=1).fit(X, labels=fit.labels_)
        scatter = float(K.trace() - K.sum() / n)
        return cls(fit.labels_, fit.objective_ * n**2, scatter, float(means.history_[0]))
