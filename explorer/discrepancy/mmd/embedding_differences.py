"""Differences of embeddings: the witness of two samples, and MMD² between distributions in closed form."""

from __future__ import annotations

import math

from explorer.checks import Refusal
from explorer.embeddings import Embedding, Law
from explorer.embeddings.low_rank import approximate_mean
from explorer.execution.processors import limit_threads
from explorer.kernels import Kernel
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import PointsLike, Rng

from .mean_differences import difference_of_means
from .two_samples import exact_seconds, two_samples


@explain_wrong_calls
def witness(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    approximation: Approximation | None = None,
    rank: int | None = None,
    rng: Rng = 0,
) -> Embedding:
    """Return the witness μ̂_X - μ̂_Y of two samples: a function that is large where X has more mass than Y.

    Use it to see where two samples differ. To test whether they do, use `mmd_test`.

    It is negative where Y has more mass. Evaluate it by ``witness(X, Y)(points)``.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    approximation : {"auto", "cholesky", "nystrom", "features"} or None, default None
        Low-rank approximation, as in `mmd2`: one kernel of finite rank for both samples. The witness then has at most
        `rank` points and an `error`, as that of a KME.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, Generator or None, default 0
        Seed of the approximation.

    Returns
    -------
    Embedding
        The difference of the kernel means.

    Notes
    -----
    Divided by its norm, the biased MMD, the witness is the function f of the RKHS with norm at most 1 for which mean
    f(x_i) - mean f(y_j) is largest. MMD is that largest value (encyclopedia article).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, witness
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> f = witness(X, Y, Gaussian(1.0))
    >>> f([-1.0, 2.0]).round(2)
    array([ 0.42, -0.43])
    """
    two = two_samples(X, Y, kernel, numbers_alone=True)
    low = stand_in(two.kernel, two.P, approximation, rank, rng, exact_seconds(two.kernel, two.P, 0)).low
    if low is None:
        found = difference_of_means(two.kernel, two.X, two.Y)
        found = found if approximation is None else found.approximating(0.0)
    else:
        found = approximate_mean(low, [(1, two.X), (-1, two.Y)], rng)
    return found.over(two.columns or None)


@explain_wrong_calls
def mmd2_of_laws(P: Law, Q: Law, kernel: Kernel) -> float:
    r"""Compute MMD² between two distributions in closed form, such as GaussianMixtures.

    Use it as the truth that `mmd2` estimates from samples.

    Parameters
    ----------
    P : Law
        First distribution.
    Q : Law
        Second distribution, of the same dimension.
    kernel : Kernel
        Kernel with a given bandwidth.

    Returns
    -------
    float
        MMD², as exact as the embeddings.

    Raises
    ------
    Refusal
        If the kernel has no closed form for a distribution, or if a bandwidth is not given.

    Notes
    -----
    For x ~ N(m, S) and y ~ N(m', S') under Gaussian(θ) every inner product is

    .. math:: |I + (S + S')/\theta^2|^{-1/2} \exp(-(m-m')^\top (S + S' + \theta^2 I)^{-1} (m-m')/2).

    Under Linear(c) MMD² is :math:`|m - m'|^2`. Under Polynomial(2, c) in one dimension it is 2c (m - m')^2 + ((m^2 + S)
    - (m'^2 + S'))^2. Mixtures follow by bilinearity.

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture, mmd2_of_laws
    >>> P, Q = (GaussianMixture([1.0], [[mean]], [[1.0]]) for mean in (0.0, 1.0))
    >>> round(mmd2_of_laws(P, Q, Gaussian(1.0)), 4)
    0.1773
    """
    if P.d != Q.d:
        raise Refusal(f"P lives in {P.d} dimensions and Q in {Q.d}; both need the same coordinates.")
    apart = P.embed(kernel) - Q.embed(kernel)
    return apart.inner(apart)


@limit_threads
def mmd_of_laws(P: Law, Q: Law, kernel: Kernel) -> float:
    """Compute the MMD of two distributions, not squared, as `mmd2_of_laws`.

    Parameters
    ----------
    P : Law
        First distribution.
    Q : Law
        Second distribution.
    kernel : Kernel
        Kernel with a given bandwidth.

    Returns
    -------
    float
        MMD; 0 if P equals Q and has a kernel mean.

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.discrepancy import mmd_of_laws
    >>> P, Q = GaussianMixture([1.0], [[0.0]], [[1.0]]), GaussianMixture([1.0], [[1.0]], [[1.0]])
    >>> [round(mmd_of_laws(P, other, Gaussian(1.0)), 4) for other in (P, Q)]
    [0.0, 0.421]
    """
    if P == Q:
        P.embed(kernel)
        return 0.0
    return math.sqrt(max(mmd2_of_laws(P, Q, kernel), 0.0))


def signed_root(square: float) -> float:
    """Return an MMD from a statistic of MMD² that may be negative: the root of its size, with its sign.

    Parameters
    ----------
    square : float
        Statistic of MMD².

    Returns
    -------
    float
        The signed root.

    Examples
    --------
    >>> from explorer.discrepancy import signed_root
    >>> [round(signed_root(square), 2) for square in (0.25, -0.04)]
    [0.5, -0.2]
    """
    return math.copysign(math.sqrt(abs(square)), square)
