"""Differences of embeddings: the witness of two samples, and MMD^2 between distributions in closed form."""

from __future__ import annotations

import math

from explorer.checks import Refusal
from explorer.elsewhere import explain_wrong_calls
from explorer.embeddings import Embedding, Law
from explorer.embeddings.low_rank import approximate_mean
from explorer.kernels import Kernel
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in
from explorer.processors import limit_threads
from explorer.types import PointsLike, Rng

from .two_samples import difference_of_means, exact_seconds, two_samples


@explain_wrong_calls
def witness(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    approximation: Approximation | None = None,
    rank: int | None = None,
    rng: Rng = 0,
) -> Embedding:
    """μ̂_X - μ̂_Y as an Embedding: a function, large where X has more mass than Y, negative where Y has.

    Evaluate it by witness(X, Y)(points). Divided by its norm, the biased MMD, it is the f of |f| <= 1 in the RKHS for
    which mean f(x_i) - mean f(y_j) is largest, and MMD is that largest value (paper 003). kernel=None is Gaussian(), an
    automatic bandwidth the pooled median. With an approximation as in `mmd2` it has at most `rank` points and an
    `error`, as KME's: one kernel of finite rank serves both samples.

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
    """MMD^2 = |μ_P - μ_Q|^2 between two distributions, such as GaussianMixtures, exactly as their embeddings are.

    For x ~ N(m, S), y ~ N(m', S') under Gaussian(θ) every inner product is |I + (S + S')/θ^2|^(-1/2)
    exp(-(m-m')'(S + S' + θ^2 I)^(-1)(m-m')/2); under Linear(c) MMD^2 is |m - m'|^2, under Polynomial(2, c) in one
    dimension 2c (m - m')^2 + ((m^2 + S) - (m'^2 + S'))^2. Mixtures by bilinearity. ValueError where the kernel has no
    closed form for a distribution, or a bandwidth is open.

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
    """The MMD of two distributions, not squared, as `mmd2_of_laws`; 0 for one twice, if it has a kernel mean.

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
    """An MMD from a statistic of MMD^2 that may be negative: the root of its size, with its sign.

    >>> from explorer.discrepancy import signed_root
    >>> [round(signed_root(square), 2) for square in (0.25, -0.04)]
    [0.5, -0.2]
    """
    return math.copysign(math.sqrt(abs(square)), square)
