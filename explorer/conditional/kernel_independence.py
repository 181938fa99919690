"""Conditional independence by kernels: any dependence between the residuals of features after regressions on Z."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.dependence.pairing import one_side
from explorer.discrepancy.resampling.permutation import BATCH, SLACK, centred
from explorer.discrepancy.resampling.tiled_gram import select
from explorer.execution.cancellation import check_cancelled
from explorer.execution.processors import side_by_side
from explorer.kernels import Kernel, Precomputed
from explorer.linalg import frobenius
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of, stream
from explorer.tables.alignment import aligned
from explorer.types import Gram, PointsLike, Rng, Vector

from .conditioning import ConditionalResult, Given

if TYPE_CHECKING:
    from explorer.conditional.embedding import ConditionalEmbedding


@explain_wrong_calls
@aligned("X Y Z")
def kci_test(
    X: PointsLike,
    Y: PointsLike,
    Z: PointsLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    kernel_z: Kernel | None = None,
    *,
    lam: float | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
) -> ConditionalResult:
    r"""Test whether X and Y are independent given Z, by HSIC of residuals of their features after regressions on Z.

    Use it to see whether X tells something about Y that Z does not. Without a Z use `hsic_test`.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Points that kernel_x takes, n >= 6 and at most 6000 rows.
    Y : array_like of shape (n, e)
        Points that kernel_y takes.
    Z : array_like of shape (n, f)
        Points that kernel_z takes, not constant.
    kernel_x, kernel_y, kernel_z : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on that side.
    lam : float or None, default None
        Regulariser λ of both regressions. None takes the λ with the least leave-one-out score, for each by itself.
    n_resamples : int, default 999
        Number of draws of the limit distribution.
    rng : int, Generator or None, default None
        Seed or generator.

    Returns
    -------
    ConditionalResult
        The test, with λ of both regressions.

    Raises
    ------
    ValueError
        If the samples have different numbers of rows, or fewer than 6.
    TypeError
        If a sample is not of the type that its kernel takes.

    Notes
    -----
    The statistic is

    .. math::
        T = \frac1n \mathrm{tr}(AB), \quad A = R_x K R_x, \quad B = R_y L R_y,
        \quad R = I - K_z (K_z + \lambda I)^{-1},

    where K is the centred Gram matrix of (x_i, z_i) under k_x k_z and L that of y_i under k_y. R leaves the residuals
    of a `ConditionalEmbedding` on Z. (The paper chooses λ and the kernel of Z by the evidence of a Gaussian process and
    centres K_z, too.)

    The null distribution is that of

    .. math:: \frac1n \sum_k \gamma_k g_k^2

    for the eigenvalues γ of A ∘ B and independent g_k ~ N(0, 1); n_resamples values are drawn. p is right in the limit
    of many independent rows if the regressions' errors vanish fast enough, about right if they are small, and never
    exact: no test has its level for all X, Y and Z (Shah and Peters 2020, theorem 2). At level 0.05, for samples of n =
    20, 50 and 200 rows with x and y both f(z) plus independent noise, z ~ N(0, 1), it rejects 2, 3 and 6 % for f(z) = z
    and noise of deviation 1, but 12, 16 and 24 % for sin(2z) and 0.3, and 97 % and more for sin(8z) and 0.3, which
    varies faster than a median bandwidth follows. A narrower kernel_z helps: with Gaussian(0.3), 3 % for sin(2z) at n =
    50.

    The test with X, Y and Z = C'X asks whether the components C'X are everything in X that Y depends on (the central
    subspace), as those of `DICA` with labels are meant to be.

    The cost is O(n^3). The statistic is in units of k_x k_y k_z.

    References
    ----------
    Zhang, Peters, Janzing, Schölkopf 2011 (Uncertainty in Artificial Intelligence 27), proposition 5.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import kci_test
    >>> rng = np.random.default_rng(0)
    >>> z, a, b = rng.normal(size=(3, 100))
    >>> [kci_test(z + a, y, z, n_resamples=199, rng=0).pvalue for y in (z + b, a**2 + b)]
    [0.685, 0.01]
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    (X, kernel_x, of_x), (Y, kernel_y, of_y) = one_side(X, kernel_x, "X"), one_side(Y, kernel_y, "Y")
    X, Y = kernel_x.points(X), kernel_y.points(Y, "Y")
    given = Given.of(Z, kernel_z, (X, Y))
    for points, name, columns in ((X, "X", of_x), (Y, "Y", of_y)):
        checks.warn_of_lost_digits(points, name, columns)
    kernel_x, kernel_y = select(kernel_x, X, "rows"), select(kernel_y, Y, "rows")
    grams = [kernel_x(X) * given.kernel(given.Z), kernel_y(Y)]
    left = partial(_left, given, lam=lam)
    (A, first), (B, second) = side_by_side(left, grams, given.seconds)
    n, size = len(X), frobenius(A) * frobenius(B)
    if not np.isfinite(size):
        raise Refusal(
            f"the kernels' values at {n} rows are so large that sums of their products are no floats; divide the points"
            " of each sample by a common number."
        )
    return ConditionalResult(
        float(np.vdot(A, B)) / n,
        weighted_squares(eigenvalues(A * B) / n, n_resamples, rng),
        "the kernel statistic of conditional dependence",
        kernel=(kernel_x, kernel_y, given.kernel),
        n=n,
        tolerance=SLACK * (size + frobenius(grams[0]) * frobenius(grams[1])) / n,
        resamples="draws of its limit",
        columns=(of_x, of_y, given.columns),
        seed=seed_of(rng),
        lam=np.array([first.lam_, second.lam_]),
    )


def _left(given: Given, gram: Gram, lam: float | None) -> tuple[Gram, ConditionalEmbedding]:
    """Return R HKH R (n, n), the products of the residuals of K's features given Z, and the regression on Z."""
    gram = centred(gram)
    gram = (gram + gram.T) / 2
    regression = given.regression(np.arange(len(gram)), Precomputed(gram), lam)
    left = given.residuals(regression, given.residuals(regression, gram).T)
    return (left + left.T) / 2, regression


def eigenvalues(K: Gram) -> Vector:
    """Return the eigenvalues (n,) of a positive semi-definite K; values that rounding puts below 0 become 0."""
    return np.maximum(np.linalg.eigvalsh(K), 0.0)


def weighted_squares(weights: Vector, count: int, rng: Rng) -> Vector:
    """Return `count` draws of Σ_k w_k g_k^2, g_k ~ N(0, 1) independent, shape (count,); a larger count only appends."""
    generator, parts = stream(rng, "weighted squares"), []
    for start in range(0, count, BATCH):
        check_cancelled()
        parts.append(generator.standard_normal((min(BATCH, count - start), len(weights))) ** 2 @ weights)
    return np.concatenate(parts)
