"""k-means in the RKHS, with any estimator of a cluster's kernel mean."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.mean_estimators import checked_estimator
from explorer.embeddings import Embedding
from explorer.estimators import Estimator
from explorer.estimators.base import estimator_field
from explorer.frames import names_of
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.kernels.base import kernel_field
from explorer.learner import Learner
from explorer.parameters import Seed, Whole
from explorer.printing import plural
from explorer.rng import stream
from explorer.types import Mask, Matrix, Points, PointsLike, Rows, Vector, VectorLike

MOST = 12_000  # the most rows: their Gram matrix takes 1.2 GB


class KernelKMeans(Learner):
    """Clusters of points around kernel means, by Lloyd's alternation, for any kernel and any estimator.

    Use it for clusters that no straight line separates, and for strings. If the clusters lie in a row or a ring, use
    `CLUHSIC`.

    The clusters c make Σ_i min_c |k(x_i, .) - μ_c|² small.

    Parameters
    ----------
    n_clusters : int, default 2
        The number of clusters, at least 1, at most n.
    kernel : Kernel or None, default None
        The kernel; None is the estimator's, or ``Gaussian()`` with the median heuristic.
    estimator : Estimator or None, default None
        The estimator of a cluster's mean; None is KME(). Its free parameter is chosen once, on all of the sample.
    rng : int, numpy.random.Generator or None, default None
        Seed of the starts. A Generator gives the seed, None is fresh at each fit.
    starts : int, default 10
        The number of starts, by distances as in k-means++; the best counts.
    iterations : int, default 300
        The most rounds of one start.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each point, 0 to n_clusters - 1.
    objective_ : float
        The value of the objective, in squared units of k.
    history_ : ndarray of shape (t,)
        The values of the rounds of the best start.
    means_ : tuple of Embedding
        The clusters' kernel means.
    kernel_, estimator_ : Kernel, Estimator
        The kernel and the estimator with all parameters chosen.

    Notes
    -----
    |k(x, .) - μ_c|² = k(x, x) - 2 μ_c(x) + |μ_c|². Each point goes to the nearest mean, each mean is estimated from its
    points, until no point moves. Under KME the objective never grows, and under the linear kernel this is k-means
    itself. Other estimates are not means, so the best state is kept. A cluster that loses all of its points takes the
    point farthest from its own mean, so that none is empty. [muandet2014stein] and [muandet2016shrinkage] name kernel
    k-means among the methods that use the plain average.

    References
    ----------
    Dhillon, Guan and Kulis 2004; Kernel Mean Estimation and Stein Effect, and Kernel Mean Shrinkage Estimators
    ([muandet2014stein] and [muandet2016shrinkage]).

    Examples
    --------
    >>> from explorer import Gaussian, KernelKMeans
    >>> fit = KernelKMeans(2, Gaussian(1.0), rng=0).fit([0.0, 0.2, 5.0, 5.1, 5.2])
    >>> bool(fit.labels_[0] == fit.labels_[1] != fit.labels_[2] == fit.labels_[4])
    True
    """

    _kind = "clusterer"
    n_clusters: int = Whole(default=2, bounds=(1, None), softbounds=(1, 20), symbol="c", doc="how many clusters")
    kernel: Kernel | None = kernel_field()
    estimator: Estimator | None = estimator_field("the estimator of a cluster's kernel mean; None is KME()")
    rng: int | np.random.Generator | None = Seed(default=None, doc="the seed of the starts")
    starts: int = Whole(default=10, bounds=(1, None), softbounds=(1, 50), doc="how often to begin anew")
    iterations: int = Whole(default=300, bounds=(1, None), softbounds=(1, 300), doc="rounds of one start at most")

    def _check(self):
        checked_estimator(self.estimator, self.kernel, "biased")

    def fit(
        self, X: PointsLike, y: Any = None, labels: VectorLike | None = None, weights: VectorLike | None = None
    ) -> Self:
        """Learn from points.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points, n >= n_clusters.
        y : object, optional
            Ignored.
        labels : array_like of shape (n,), optional
            Whole numbers from 0 to n_clusters - 1 to begin from, instead of the starts.
        weights : array_like of shape (n,), optional
            The number of times that each row counts, for averages. Whole numbers act as repeated rows. A row of weight
            0 does not move a mean, and goes to the nearest.

        Returns
        -------
        KernelKMeans
            The fitted learner itself.

        Raises
        ------
        Refusal
            If there are fewer points than clusters, or labels or weights are invalid.
        """
        theirs = None if self.estimator is None else self.estimator.kernel
        kernel = self.kernel or theirs or Gaussian()
        names, X = names_of(X), kernel.points(X)
        everything, labels = X, None if labels is None else _given_labels(labels, len(X), self.n_clusters)
        counts = None if weights is None else checks.counts(weights, len(X))
        counting = np.arange(len(X)) if counts is None else np.flatnonzero(counts)
        X = X[counting]
        labels, counts = (None if each is None else each[counting] for each in (labels, counts))
        n, c = len(X), self.n_clusters
        refuse_sizes(n, c)
        self.X_ = checks.read_only(X)
        self.kernel_: Kernel = select(kernel, X, "points", counts) if n > 1 else kernel
        given = checked_estimator(self.estimator, self.kernel_, "biased").replace(kernel=self.kernel_)
        self.estimator_: Estimator = given.select(X) if n > 1 and counts is None else given
        rounds = Rounds(self.kernel_, self.estimator_, X, c, counts)
        if labels is None:
            rng = stream(self.rng, "starts")
            begun = [rounds.start(rng) for _ in range(self.starts)]
        else:
            begun = [labels]
        history, found = min((rounds.run(each, self.iterations) for each in begun), key=lambda run: min(run[0]))
        self.history_: Vector = checks.read_only(history)
        self.objective_: float = float(min(history))
        self.means_: tuple[Embedding, ...] = tuple(rounds.mean(found == j).over(names) for j in range(c))
        self.shares_: Vector | None = checks.read_only(rounds.shares(found)) if self.estimator_.plain else None
        labels = np.empty(len(everything), dtype=found.dtype)
        labels[counting] = found
        if n < len(everything):
            aside = np.setdiff1d(np.arange(len(everything)), counting)
            labels[aside] = self.predict(everything[aside])
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
        """Return the cluster whose mean is nearest to each point.

        Parameters
        ----------
        Z : array_like of shape (k, d)
            The points.

        Returns
        -------
        ndarray of shape (k,)
            The clusters.
        """
        return np.argmin(self._apart(Z)[1], axis=1)

    def score(self, Z: PointsLike, y: Any = None) -> float:
        """Return -Σ_j min_c |k(z_j, .) - μ_c|² of points, as scikit-learn's k-means does.

        Parameters
        ----------
        Z : array_like of shape (k, d)
            The points.
        y : object, optional
            Ignored.

        Returns
        -------
        float
            The score.
        """
        own, apart = self._apart(Z)
        return -float(np.maximum(own + apart.min(axis=1), 0.0).sum())

    def _apart(self, Z):
        """Return k(z, z), (k,), and the remaining terms of |k(z, .) - μ_c|², (k, c).

        Both are those of increments if the fit is.
        """
        fitted = self._fitted()
        Z = fitted.kernel_.points(Z, "Z")
        checks.same_dimension(Z, fitted.X_, ("Z", "the sample"))
        if fitted.shares_ is None:
            return fitted.kernel_.diagonal(Z), np.stack([mean.norm() ** 2 - 2 * mean(Z) for mean in fitted.means_], 1)
        contrast, W = fitted.kernel_.contrast(fitted.X_), fitted.shares_
        norms = (W * (contrast.expected(fitted.X_, None, fitted.X_, None) @ W)).sum(axis=0)
        own = contrast.expected_diagonal(Z, None)
        return own, norms - 2 * contrast.expected(Z, None, fitted.X_, None) @ W


class Rounds:
    """Lloyd's alternation on one sample: squared distances of all points to estimates of clusters' means."""

    def __init__(self, kernel: Kernel, estimator: Estimator, X: Points, c: int, counts=None) -> None:
        self.kernel, self.estimator, self.X, self.c, self.counts = kernel, estimator, X, c, counts
        self.row_counts = np.ones(len(X)) if counts is None else counts  # the number of times that each point counts
        # KME's weights sum to one, so k may be replaced by its increments, which keep the digits far from zero.
        self.K = (kernel.contrast(X) if estimator.plain else kernel)(X)
        self.diagonal = self.K.diagonal()

    def distances(self, labels: Rows) -> Matrix:
        """Return |k(x_i, .) - μ_c|², (n, c), for the means of the clusters of labels (n,), none of them empty."""
        if self.estimator.noisy or self.estimator.target is not None:
            means = [self.mean(labels == j) for j in range(self.c)]
            return np.stack([self.diagonal - 2 * mean(self.X) + mean.norm() ** 2 for mean in means], axis=1)
        W = self.shares(labels)
        KW = self.K @ W
        return self.diagonal[:, None] - 2 * KW + (W * KW).sum(axis=0)

    def shares(self, labels: Rows) -> Matrix:
        """Return the weights (n, c) of the points in the clusters' means."""
        W = np.zeros((len(labels), self.c))
        for j in range(self.c):
            rows = np.flatnonzero(labels == j)
            if self.counts is not None:
                W[rows, j] = self.estimator.counted(self.counts[rows])
            elif self.estimator.plain:
                W[rows, j] = 1 / len(rows)
            else:
                W[rows, j] = self.estimator.on_gram(self.K[np.ix_(rows, rows)])
        return W

    def mean(self, own: Mask) -> Embedding:
        """Return the mean of the points of a cluster, which are given by n truth values."""
        if self.counts is None:
            return self.estimator.embed(self.X[own])
        return Embedding(self.kernel, self.X[own], self.estimator.counted(self.counts[own]))

    def start(self, rng: np.random.Generator) -> Rows:
        """Return labels by the nearest of c points, drawn by squared distances from those before (k-means++)."""
        n, passed = len(self.diagonal), np.cumsum(self.row_counts)
        whole = (self.row_counts == np.round(self.row_counts)).all() and passed[-1] <= checks.EXACT
        place = rng.integers(int(passed[-1])) if whole else passed[-1] * rng.random()
        centres = [min(int(np.searchsorted(passed, place, "right")), n - 1)]
        nearest = self._to(centres[0])
        while len(centres) < self.c:
            pull = self.row_counts * nearest
            total = pull.sum()
            weights = pull / total if total > 0 else self.row_counts / passed[-1]
            centres.append(int(rng.choice(n, p=weights)))
            nearest = np.minimum(nearest, self._to(centres[-1]))
        return np.argmin([self._to(centre) for centre in centres], axis=0)

    def _to(self, i):
        """Return the squared distances of all points from one."""
        return np.maximum(self.diagonal - 2 * self.K[i] + self.diagonal[i], 0.0)

    def run(self, labels: Any, iterations: int) -> tuple[list[float], Any]:
        """Return the sum of squared distances in each round, from initial labels on, and the labels of the least."""
        labels, history, best = self.fill_empty(labels, None), [], None
        for _ in range(iterations):
            apart = self.distances(labels)
            own = apart[np.arange(len(labels)), labels]
            history.append(float(self.row_counts @ own))
            if history[-1] <= min(history):
                best = labels
            nearest = np.argmin(apart, axis=1)
            # If two means are equally near, a point keeps its own: otherwise rounding could move points forever.
            nearer = np.where(apart[np.arange(len(labels)), nearest] < own, nearest, labels)
            moved = self.fill_empty(nearer, own)
            if np.array_equal(moved, labels):
                break
            labels = moved
        return history, best

    def fill_empty(self, labels: Rows, own: Vector | None) -> Rows:
        """Return labels without an empty cluster.

        Each empty cluster takes the point farthest from its mean, among points that are not alone in their cluster.
        """
        labels = labels.copy()
        own = np.zeros(len(labels)) if own is None else own.copy()
        for j in range(self.c):
            sizes = np.bincount(labels, minlength=self.c)
            if sizes[j] == 0:
                farthest = int(np.argmax(np.where(sizes[labels] > 1, own, -np.inf)))
                labels[farthest], own[farthest] = j, -np.inf
        return labels


def refuse_sizes(n: int, c: int) -> None:
    """Refuse more clusters than rows, or more rows than a Gram matrix can have."""
    if c > n:
        raise Refusal(f"n_clusters={c} is more than the {n} rows of X; take at most as many clusters as points.")
    if n > MOST:
        raise Refusal(
            f"X has {plural(n, 'row')}, whose Gram matrix is too large; give at most {MOST:,}, as thin(X, m).points."
        )


def _given_labels(labels, n, c):
    """Return checked labels (n,), whole numbers below c."""
    values = checks.numbers(labels, "labels")
    if values.shape != (n,) or (values != np.round(values)).any() or values.min() < 0 or values.max() >= c:
        raise Refusal(f"labels must be {n} whole numbers from 0 to {c - 1}, one for each row of X.")
    return values.astype(int)
