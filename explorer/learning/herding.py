"""A few points that represent an embedding: kernel herding, and thinning of a sample by herding or halving."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal, read_only_fields
from explorer.discrepancy.mmd.mean_estimators import checked_estimator
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.embeddings import Embedding
from explorer.embeddings.law import root
from explorer.estimators import Estimator
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.linalg import eigh_psd
from explorer.printing import printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.rng import stream
from explorer.types import Points, PointsLike, Rng

from .relative import Relative
from .thinning import halving_rounds, thin_rows

Thinning: TypeAlias = Literal["herding", "kernel-thinning"]
METHODS: tuple[Thinning, ...] = get_args(Thinning)
DRAWS = 1000  # number of candidates drawn from an embedding whose points are Gaussians


@printed
@record
class Herd:
    """Points of equal weights whose kernel mean is near to a target, in the order in which they were chosen.

    Attributes
    ----------
    points : ndarray of shape (m, d)
        The points.
    rows : ndarray of shape (m,)
        Their indices among the candidates.
    errors : ndarray of shape (m,)
        The RKHS distances to the target of the first 1, 2, ... m of them.
    target : Embedding
        The embedding that they represent.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.learning import Herd, thin
    >>> X = np.linspace(0.0, 1.0, 21)[:, None]
    >>> chosen: Herd = thin(X, 3, Gaussian(0.2))
    >>> chosen.points.round(2).tolist(), chosen.errors.round(2).tolist()
    ([[0.5], [0.1], [0.85]], [0.68, 0.39, 0.1])
    """

    points: Points
    rows: np.ndarray
    errors: np.ndarray
    target: Embedding

    __post_init__ = read_only_fields

    @property
    def embedding(self) -> Embedding:
        """The kernel mean of the points, weights 1/m."""
        return Embedding(self.target.kernel, self.points, np.full(len(self.points), 1 / len(self.points)))

    @property
    def reweighted(self) -> Embedding:
        """The embedding at these points that is nearest to the target: weights K⁺ μ(points), of any sign and sum."""
        points = self.points[np.sort(np.unique(self.rows, return_index=True)[1])]
        gamma, U = eigh_psd(self.target.kernel(points))
        kept = gamma > len(gamma) * np.finfo(float).eps * gamma.max(initial=0.0)
        along = U[:, kept].T @ self.target(points) / gamma[kept]
        return Embedding(self.target.kernel, points, U[:, kept] @ along)


@explain_wrong_calls
def herd(embedding: Embedding, m: int, candidates: PointsLike | None = None, rng: Rng = None) -> Herd:
    """Choose m points of equal weights that represent an embedding μ, greedily: kernel herding.

    Use it for the kernel mean of any distribution or estimate. For rows of a sample use `thin`.

    Parameters
    ----------
    embedding : Embedding
        The target, of any weights and noise.
    m : int
        The number of points, at least 1.
    candidates : array_like, optional
        Points to choose from, of any type that the kernel takes. None is the embedding's own points, or 1000 draws of
        it by `rng` if those are Gaussians.
    rng : int or None, default None
        Seed of the draws.

    Returns
    -------
    Herd
        The points.

    Raises
    ------
    TypeError
        If an argument is of another type.
    Refusal
        If the candidates have another dimension.

    Notes
    -----
    The t-th point is the candidate x that minimises |μ - (1/t) Σ_{s<=t} k(x_s, .)|; t² times its square depends on x by
    k(x, x) + 2 Σ_{s<t} k(x_s, x) - 2 t μ(x). If k(x, x) is constant this is the herding of Chen, Welling and Smola
    2010. A point may be chosen again. If μ is the kernel mean of a distribution on the candidates, the error after t
    points is at most sqrt((E k(x, x) - |μ|²)/t), that of t independent draws in the mean square. In an RKHS of finite
    dimension, with μ inside of the candidates' hull, it falls as 1/t.

    References
    ----------
    Chen, Welling and Smola 2010 (UAI).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import KME, Gaussian, herd
    >>> X = np.random.default_rng(0).normal(size=500)
    >>> mean = KME(Gaussian(1.0)).embed(X)
    >>> few = herd(mean, 20)
    >>> few.points.shape, mean.distance(few.embedding) < mean.distance(KME(Gaussian(1.0)).embed(X[:20])) / 2
    ((20, 1), True)
    """
    m = checks.whole(m, "m", 1)
    if candidates is None:
        points = embedding.points if embedding.covariance is None else _drawn(embedding, rng)
    else:
        ordered: Any = frames.in_order(candidates, embedding.columns, ("candidates", "the embedding"))
        points = embedding.kernel.points(ordered, "candidates")
        checks.same_dimension(points, embedding.blocks[0].points, ("candidates", "the embedding"))
    return _herded(embedding, m, points, again=True)


@explain_wrong_calls
def thin(
    X: PointsLike,
    m: int,
    kernel: Kernel | None = None,
    estimator: Estimator | None = None,
    again: bool = False,
    *,
    method: Thinning = "herding",
    rng: Rng = None,
) -> Herd:
    """Choose m rows of a sample that represent all of it, by herding or by kernel thinning.

    Use it to summarise a sample by few of its rows. For points that represent a distribution use `herd`, and for the
    rows that are left out worst `criticisms`.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample, of any type that the kernel takes.
    m : int
        The number of rows, at least 1, at most n unless `again`.
    kernel : Kernel or None, default None
        The kernel; None is the estimator's, or ``Gaussian()`` with the median heuristic on X.
    estimator : Estimator or None, default None
        The estimator of the kernel mean that the rows represent; None is KME().
    again : bool, default False
        Whether a row may be chosen more than once, as in `herd`.
    method : {"herding", "kernel-thinning"}, default "herding"
        "herding" has the sample's own rows as candidates. "kernel-thinning" halves the sample by a random walk that
        keeps the two halves' kernel means close, and the halves again, until m rows are left. Then it replaces each row
        by the one that leaves the least distance (KT-SPLIT and KT-SWAP). m must be n halved some times, where the last
        of an odd number is left out; estimator is None or KME().
    rng : int or None, default None
        Seed of the random walk.

    Returns
    -------
    Herd
        The rows; its `rows` are row numbers of X. With m = n all rows are chosen, and under KME the error is 0.

    Raises
    ------
    Refusal
        If kernel thinning cannot leave m rows; the message names the nearest numbers.

    Notes
    -----
    Kernel thinning takes O(n²) values of the kernel, herding O(nm). With m = √n rows of points from a distribution of
    light tails, under a smooth kernel and up to logarithms of n, the error of kernel thinning falls as n^(-1/2); that
    of √n random rows falls as n^(-1/4).

    References
    ----------
    Dwivedi and Mackey 2021, Kernel Thinning, COLT.

    Examples
    --------
    >>> from explorer import Gaussian, thin
    >>> thin([0.0, 0.1, 0.2, 5.0], 2, Gaussian(1.0)).points.ravel()
    array([0.1, 5. ])
    >>> thin([0.0, 0.1, 5.0, 5.1], 2, Gaussian(1.0), method="kernel-thinning", rng=0).points.round().ravel()
    array([0., 5.])
    """
    one_of(method, METHODS, "method")
    estimator = checked_estimator(estimator, kernel, "biased")
    kernel = kernel or estimator.kernel or Gaussian()
    if not isinstance(again, (bool, np.bool_)):
        raise checks.WrongType(f"again must be True or False, not {checks.echo(again)}.")
    X, m, halving = kernel.points(X), checks.whole(m, "m", 1), method == "kernel-thinning"
    if m > len(X) and not again:
        raise Refusal(f"m = {m} is more than the {len(X)} rows of X; take m of at most {len(X)}, or again=True.")
    if halving:
        _refuse_unhalved(estimator, len(X), m)
    kernel = select(kernel, X, "points") if len(X) > 1 else _of_one(kernel, X)
    target = estimator.replace(kernel=kernel).embed(X)
    if not halving:
        return _herded(target, m, X, again)
    relative = Relative(target, X)
    rows = thin_rows(relative, m, again, stream(rng, "halving"))
    return Herd(X[rows], rows, _errors(relative, rows), target)


def _refuse_unhalved(estimator, n, m):
    """Refuse an estimate that kernel thinning cannot represent, or a number of rows that it cannot leave."""
    if not estimator.plain:
        raise Refusal(
            f"kernel thinning keeps the plain average of a sample, and {checks.echo(estimator)} is another estimate;"
            " take estimator=None, or method='herding'."
        )
    if m > n:
        raise Refusal(f"m = {m} is more than the {n} rows of X, which kernel thinning halves; take m of at most {n}.")
    halving_rounds(n, m)


def _of_one(kernel, X):
    """Return a kernel for one point: as no bandwidth can be chosen on it, an open one is set to 1."""
    return kernel if not kernel.has_bandwidth or kernel.bandwidth is not None else kernel.with_bandwidth(1.0)


def _drawn(embedding, rng):
    """Return DRAWS points of the Gaussians of an embedding, drawn in proportion to the sizes of their weights."""
    weights, points, C = np.abs(embedding.weights), embedding.points, embedding.covariance
    if not weights.any():
        raise Refusal("embedding is 0 and names no points; give candidates to choose from.")
    rng = stream(rng, "candidates")
    which = rng.choice(len(points), DRAWS, p=weights / weights.sum())
    noise, found = rng.standard_normal((DRAWS, points.shape[1])), np.empty((DRAWS, points.shape[1]))
    for i in np.unique(which):  # one matrix root for each Gaussian that was drawn
        chosen = which == i
        found[chosen] = points[i] + noise[chosen] @ root(C[i]).T
    return found


def _herded(target, m, candidates, again):
    """Return the Herd of m candidates, chosen greedily."""
    relative = Relative(target, candidates)
    values, diagonal = relative.values, relative.diagonal
    sums, rows = np.zeros(len(candidates)), []
    open_ = np.ones(len(candidates), dtype=bool)
    own, reach = np.zeros(m), np.zeros(m)
    for t in range(1, m + 1):
        growth = diagonal + 2 * (sums - t * values)
        best = int(np.argmin(growth if again else np.where(open_, growth, np.inf)))
        open_[best] = False
        own[t - 1], reach[t - 1] = diagonal[best] + 2 * sums[best], values[best]
        sums += relative.column(best)
        rows.append(best)
    return Herd(candidates[rows], np.array(rows), _distances(relative, own, reach), target)


def _errors(relative, rows):
    """Return the distance to the target of the first 1, 2, ... m rows, (m,)."""
    own, sums = np.zeros(len(rows)), np.zeros(len(relative.points))
    for i, row in enumerate(rows):
        own[i] = relative.diagonal[row] + 2 * sums[row]
        sums += relative.column(row)
    return _distances(relative, own, relative.values[rows])


def _distances(relative, own, reach):
    """Return |μ - (1/t) Σ_{s<=t} k(x_s, .)| for t = 1 ... m, from the terms that each x_t adds.

    `own` are the terms of |Σ k(x_s, .)|², and `reach` those of Σ μ(x_s).
    """
    t = np.arange(1, len(own) + 1)
    square = relative.square - 2 * np.cumsum(reach) / t + np.cumsum(own) / t**2
    return np.sqrt(np.maximum(square, 0.0))  # a difference of larger terms may round to below 0
