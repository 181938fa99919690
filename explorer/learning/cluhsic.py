"""CLUHSIC: clusters whose labels depend on the points as much as possible."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.estimators import KME
from explorer.execution.cancellation import check_cancelled
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.kernels.base import kernel_field
from explorer.learner import Learner
from explorer.parameters import Array, Flag, Seed, Whole
from explorer.rng import stream
from explorer.types import Matrix, PointsLike, Rows, Vector, VectorLike

from .kernel_k_means import Rounds, refuse_sizes

ROUNDING = 1e-12  # a move that gains less than this share of tr HKH is not made


class CLUHSIC(Learner):
    """Clusters of points whose labels depend most on the points, by HSIC; they may be arranged in a row or a ring.

    Use it if the clusters have an arrangement, which `between` gives. For clusters without one use `KernelKMeans`.

    The labels c_i maximise n² HSIC = tr(H K H L) with L_ij = A[c_i, c_j].

    Parameters
    ----------
    n_clusters : int, default 2
        The number c of clusters, at least 1, at most n.
    kernel : Kernel or None, default None
        The kernel of the points; None is ``Gaussian()`` with the median heuristic.
    between : array_like of shape (c, c) or None, default None
        A, symmetric and positive semi-definite, the similarity of clusters; None is the identity.
    normalized : bool, default True
        Whether each cluster counts by its mean, not by the sum over its points: L_ij is then divided by the root of
        both clusters' sizes.
    rng : int, numpy.random.Generator or None, default None
        Seed of the starts. A Generator gives the seed, None is fresh at each fit.
    starts : int, default 10
        The number of starts, by distances as in k-means++; the best counts.
    iterations : int, default 100
        The most rounds over all points of one start.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each point, 0 to n_clusters - 1.
    objective_ : float
        HSIC, in units of k times those of A.
    history_ : ndarray of shape (t,)
        HSIC after each round of the best start.
    kernel_ : Kernel
        The kernel with its bandwidth chosen.
    counts_ : ndarray
        The number of times that each row of X_ counts.

    Notes
    -----
    A is the kernel of labels: the identity, Delta's Gram matrix, for clusters that are only separate, [[2, 1, 0], [1,
    2, 1], [0, 1, 2]] for three that lie in a row. If `normalized`, with the identity n² HSIC = tr(HKH) - J, where J =
    Σ_i |k(x_i, .) - μ_c|² is the objective of `KernelKMeans` under KME: the same clustering.

    A point at a time goes to the cluster that gives the largest HSIC, and two clusters exchange their labels if that
    raises it, until neither does. No cluster becomes empty. HSIC never falls.

    References
    ----------
    Song, Smola, Gretton and Borgwardt 2007 (Proc. 24th Int. Conf. Machine Learning, 815).

    Examples
    --------
    >>> from explorer import CLUHSIC, Gaussian
    >>> X = [0.0, 0.1, 4.0, 4.1, 2.0, 2.1]
    >>> row = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]
    >>> labels = CLUHSIC(3, Gaussian(1.0), row, rng=0).fit(X).labels_
    >>> int(labels[4])  # the middle of the line is the middle of the row
    1
    """

    _kind = "clusterer"
    n_clusters: int = Whole(default=2, bounds=(1, None), softbounds=(1, 20), symbol="c", doc="how many clusters")
    kernel: Kernel | None = kernel_field()
    between: Any = Array(default=None, required=False, doc="the similarity of clusters (c, c); None is the identity")
    normalized: bool = Flag(default=True, doc="whether each cluster counts by its mean")
    rng: int | np.random.Generator | None = Seed(default=None, doc="the seed of the starts")
    starts: int = Whole(default=10, bounds=(1, None), softbounds=(1, 50), doc="how often to begin anew")
    iterations: int = Whole(default=100, bounds=(1, None), softbounds=(1, 300), doc="rounds of one start at most")

    def _check(self):
        if self.between is not None:
            _kernel_of_labels(self.between, self.n_clusters)

    def fit(self, X: PointsLike, y: Any = None, weights: VectorLike | None = None) -> Self:
        """Learn from points, in O(n² + n c³) for each round.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points, n >= n_clusters.
        y : object, optional
            Ignored.
        weights : array_like of shape (n,), optional
            The number of times that each row counts. Whole numbers act as repeated rows that stay together. A row of
            weight 0 gets the label that `predict` gives.

        Returns
        -------
        CLUHSIC
            The fitted learner itself.

        Raises
        ------
        Refusal
            If there are fewer points than clusters.
        """
        kernel = self.kernel or Gaussian()
        everything = kernel.points(X)
        counts = np.ones(len(everything)) if weights is None else checks.counts(weights, len(everything))
        X, chosen = everything[counts > 0], None if weights is None else counts[counts > 0]
        c = self.n_clusters
        refuse_sizes(len(X), c)
        self.X_ = checks.read_only(X)
        self.kernel_: Kernel = select(kernel, X, "points", chosen) if len(X) > 1 else kernel
        self.counts_: Vector = checks.read_only(counts[counts > 0])
        A = np.eye(c) if self.between is None else _kernel_of_labels(self.between, c)
        contrast = self.kernel_.contrast(X)(X)
        search = _Search(contrast, A, self.normalized, self.counts_)
        begin, rng = Rounds(self.kernel_, KME(self.kernel_), X, c, chosen), stream(self.rng, "starts")
        starts = [begin.fill_empty(begin.start(rng), None) for _ in range(self.starts)]
        history, found = max((search.run(start, self.iterations) for start in starts), key=lambda run: run[0][-1])
        self.history_: Vector = checks.read_only(np.array(history) / self.counts_.sum() ** 2)
        self.objective_: float = float(self.history_[-1])
        self.shares_: Matrix = checks.read_only(self.counts_[:, None] * np.eye(c)[found])
        labels = np.empty(len(everything), dtype=int)
        labels[counts > 0] = found
        if len(X) < len(everything):
            labels[counts == 0] = self.predict(everything[counts == 0])
        self.labels_: Rows = checks.read_only(labels)
        return self

    def fit_predict(self, X: PointsLike, y: Any = None, weights: VectorLike | None = None) -> Rows:
        """Fit, and return the cluster of each point.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points.
        y : object, optional
            Ignored.
        weights : array_like of shape (n,), optional
            The number of times that each row counts, as for `fit`.

        Returns
        -------
        ndarray of shape (n,)
            The clusters.
        """
        return self.fit(X, weights=weights).labels_

    def predict(self, Z: PointsLike) -> Rows:
        """Return the cluster where each point would add the most to HSIC, by its derivative.

        With the identity and `normalized` it is the cluster whose kernel mean is nearest.

        Parameters
        ----------
        Z : array_like of shape (k, d)
            The points.

        Returns
        -------
        ndarray of shape (k,)
            The clusters.
        """
        fitted = self._fitted()
        Z = fitted.kernel_.points(Z, "Z")
        checks.same_dimension(Z, fitted.X_, ("Z", "the sample"))
        c, W, sizes = fitted.n_clusters, fitted.shares_, fitted.shares_.sum(axis=0)
        A = np.eye(c) if fitted.between is None else _kernel_of_labels(fitted.between, c)
        contrast, share = fitted.kernel_.contrast(fitted.X_), fitted.counts_ / fitted.counts_.sum()
        K = contrast(fitted.X_)
        mean = K @ share
        C = K - (mean[:, None] + mean) + share @ mean
        toward = contrast(Z, fitted.X_) @ W
        toward = toward - (contrast(Z, fitted.X_) @ share)[:, None] * sizes - mean @ W + (share @ mean) * sizes
        if not fitted.normalized:
            return np.argmax(toward @ A, axis=1)
        unit = A / np.sqrt(np.outer(sizes, sizes))
        return np.argmax(2 * toward @ unit - (unit * (W.T @ C @ W)).sum(axis=0) / sizes, axis=1)


class _Search:
    """Greedy search for labels that maximise tr(C L), for the centred Gram matrix C (n, n) and a kernel A of labels.

    A row that counts several times is one point of C whose entries are multiplied by its count.
    """

    def __init__(self, K: Matrix, A: Matrix, normalized: bool, counts: Vector) -> None:
        share = counts / counts.sum()
        mean = K @ share
        C = K - (mean[:, None] + mean) + share @ mean
        self.C: Matrix = C * np.outer(counts, counts)
        self.A, self.normalized, self.counts = A, normalized, counts
        self.least = ROUNDING * max(float(counts @ C.diagonal()), 0.0)

    def values(self, sums: Matrix, sizes: Matrix) -> Vector:
        """Return tr(C L) of several labelings.

        It takes the sums (k, c, c) of C over their clusters, and their sizes (k, c).
        """
        if self.normalized:
            root = np.sqrt(sizes)
            sums = sums / (root[:, :, None] * root[:, None, :])
        return np.einsum("kab,ab->k", sums, self.A)

    def run(self, labels: Rows, iterations: int) -> tuple[list[float], Rows]:
        """Return tr(C L) after each round, and the final labels, from initial labels on."""
        c, n = len(self.A), len(labels)
        labels = labels.copy()
        toward = self.C @ np.eye(c)[labels]  # the sum of each point's row over each cluster, shape (n, c)
        sums, sizes = np.eye(c)[labels].T @ toward, self.counts @ np.eye(c)[labels]
        history = [float(self.values(sums[None], sizes[None])[0])]
        for _ in range(iterations):
            check_cancelled()
            for i in range(n):
                if np.count_nonzero(labels == labels[i]) > 1:
                    self._move(i, labels, toward, sums, sizes)
            labels, toward, sums, sizes = self._exchanged(labels, toward, sums, sizes)
            history.append(float(self.values(sums[None], sizes[None])[0]))
            if history[-1] <= history[-2] + self.least:
                break
        return history, labels

    def _move(self, i, labels, toward, sums, sizes):
        """Move a point to the cluster where HSIC is largest, in place; it stays if nothing is gained."""
        c, own = len(self.A), labels[i]
        step = np.eye(c) - np.eye(c)[own]  # the change of the point's indicator for each target cluster, shape (c, c)
        outer = step[:, :, None] * toward[i]
        moved = sums + outer + outer.swapaxes(1, 2) + self.C[i, i] * step[:, :, None] * step[:, None, :]
        values = self.values(moved, sizes + self.counts[i] * step)
        to = int(np.argmax(values))
        if values[to] > values[own] + self.least:
            labels[i] = to
            sums[:], sizes[:] = moved[to], sizes + self.counts[i] * step[to]
            toward += self.C[:, i : i + 1] * step[to]

    def _exchanged(self, labels, toward, sums, sizes):
        """Return labels and sums after exchanging the labels of two clusters as long as that raises HSIC."""
        c = len(self.A)
        best = self.values(sums[None], sizes[None])[0]
        pairs = [(a, b) for a in range(c) for b in range(a)]
        while pairs:
            orders = np.tile(np.arange(c), (len(pairs), 1))
            for order, (a, b) in zip(orders, pairs, strict=True):
                order[[a, b]] = b, a
            values = self.values(np.array([sums[np.ix_(order, order)] for order in orders]), sizes[orders])
            k = int(np.argmax(values))
            if values[k] <= best + self.least:
                break
            order, best = orders[k], values[k]
            labels = order[labels]  # an exchange is its own inverse
            toward, sums, sizes = toward[:, order], sums[np.ix_(order, order)], sizes[order]
        return labels, toward, sums, sizes


def _kernel_of_labels(between, c):
    """Return the checked similarity A (c, c)."""
    A = checks.numbers(between, "between")
    if A.shape != (c, c):
        raise Refusal(f"between has the shape {A.shape}; give the similarity of {c} clusters, ({c}, {c}).")
    if not np.array_equal(A, A.T):
        raise Refusal("between is not symmetric; cluster 0 is to be as similar to cluster 1 as that is to it.")
    if np.linalg.eigvalsh(A)[0] < -1e-10 * np.abs(A).max():
        raise Refusal("between has an eigenvalue below 0, so it is no kernel; a larger diagonal makes it one.")
    return A
