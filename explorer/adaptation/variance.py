"""Differences between the distributions of several samples: the variance of their kernel means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import Matrix, PointsLike, Rows, Vector

TILE = 2**22  # most entries of a Gram matrix that are computed at a time: 32 MB


@explain_wrong_calls
def distributional_variance(samples: Sequence[PointsLike], kernel: Kernel | None = None) -> float:
    r"""Measure how much N samples differ, by the variance of their kernel means, (1/N) Σ_i |μ_i - μ̄|².

    Use it to compare how different the samples of several collections are. To test whether samples differ, use
    `discrepancy.several_test`.

    Parameters
    ----------
    samples : list of array_like of shape (n_i, d)
        The samples.
    kernel : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on all samples together.

    Returns
    -------
    float
        The variance, in squared units of k.

    Raises
    ------
    ValueError
        If the samples have different numbers of columns.

    Notes
    -----
    With G_ij = <μ_i, μ_j> of the kernel means,

    .. math:: V = \frac1N \sum_i \| \mu_i - \bar\mu \|^2 = \frac1N \mathrm{tr}(G) - \frac1{N^2} \sum_{ij} G_{ij}.

    μ̄ is the average of the N means: every sample has the same weight, whatever its size. V is 0 for one sample and for
    samples of one empirical distribution; for two samples it is a quarter of their squared MMD. The cost is O(n²) for n
    points in all, in bounded memory.

    References
    ----------
    Wikipedia, Kernel embedding of distributions, section on domain generalization.

    Muandet, Balduzzi and Schölkopf 2013 (Int. Conf. Mach. Learn., 10).

    Examples
    --------
    >>> from explorer import Gaussian, distributional_variance
    >>> round(distributional_variance([[0.0, 1.0], [0.0, 1.0], [5.0]], Gaussian(1.0)), 4)
    0.4007
    """
    kernel = Gaussian() if kernel is None else kernel
    if isinstance(samples, np.ndarray) and samples.ndim < 3:
        raise Refusal("samples is one array; give a list of samples, such as [X[domains == d] for d in set(domains)].")
    if not isinstance(samples, (list, tuple, np.ndarray)):
        raise checks.WrongType(f"samples must be a list of samples (n_i, d), not {checks.echo(samples)}.")
    samples = frames.together(samples, [f"samples[{i}]" for i in range(len(samples))])
    points = [kernel.points(sample, f"samples[{i}]") for i, sample in enumerate(samples)]
    if not points:
        raise Refusal("samples is empty; give a list of at least one sample.")
    for i, sample in enumerate(points):
        checks.same_dimension(points[0], sample, ("samples[0]", f"samples[{i}]"))
    P = np.concatenate(points)
    of_point = np.repeat(np.arange(len(points)), [len(sample) for sample in points])
    W = deviations(of_point)
    # As the weights sum to zero, the kernel's increments give the same value and keep the digits far from zero.
    contrast = select(kernel, P, "points").contrast(P)
    rows, total = max(1, TILE // len(P)), 0.0
    for i in range(0, len(P), rows):
        part = slice(i, i + rows)
        total += float(np.sum(W[part] * (contrast.expected(P[part], None, P, None) @ W)))
    return max(total, 0.0) / len(points)


def deviations(of_point: Rows, copies: Vector | None = None) -> Matrix:
    """Return the weights (n, N) of μ_i - μ̄ over all points, a column for each of N domains.

    `of_point` (n,) are the points' domains, counted from 0. Each point represents `copies` (n,) rows, None for one.
    """
    copies = np.ones(len(of_point)) if copies is None else copies
    counts = np.bincount(of_point, copies)
    member = copies[:, None] * np.equal.outer(of_point, np.arange(len(counts))) / counts
    return member - member.mean(axis=1, keepdims=True)


def coefficients(of_point: Rows) -> Matrix:
    """Return Q (n, n) with V = tr(KQ): (N - 1)/(N² n_i²) within domain i, -1/(N² n_i n_j) across."""
    W = deviations(of_point)
    return W @ W.T / W.shape[1]
