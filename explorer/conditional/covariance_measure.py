"""Conditional independence by the covariance of residuals, the generalised covariance measure."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer import checks
from explorer.discrepancy.resampling.permutation import BATCH, SLACK, check_cancelled
from explorer.execution.processors import side_by_side
from explorer.kernels import Kernel, Linear
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of, stream
from explorer.tables.alignment import aligned
from explorer.types import Matrix, PointsLike, Rng, Vector

from .conditioning import ConditionalResult, Given, standardise
from .embedding import ConditionalEmbedding


@explain_wrong_calls
@aligned("X Y Z")
def gcm_test(
    X: PointsLike,
    Y: PointsLike,
    Z: PointsLike,
    kernel_z: Kernel | None = None,
    *,
    lam: float | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
) -> ConditionalResult:
    r"""Test that X and Y are independent given Z by the covariance of residuals, the generalised covariance measure.

    Use it if X and Y are numbers whose residuals, if they depend, are correlated. For any dependence use `kci_test`,
    and without a Z `hsic_test`.

    The test is blind to a dependence without covariance of the residuals, such as that of x and x^2. `kci_test` sees
    such a dependence.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, n >= 6 and at most 6000 rows.
    Y : array_like of shape (n, e)
        Numbers.
    Z : array_like of shape (n, f)
        Points that kernel_z takes, not constant.
    kernel_z : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on Z.
    lam : float or None, default None
        Regulariser λ of both regressions. None takes the λ with the least leave-one-out score, for each by itself.
    n_resamples : int, default 999
        Number of random changes of the signs.
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
    R_i = e_i f_i are the products of the residuals that X and Y have after their regressions on Z, each a
    `ConditionalEmbedding`. The statistic is the absolute value of

    .. math::
        T = \sqrt n\, \frac{\overline R}{(\overline{R^2} - \overline R^2)^{1/2}},

    and for several columns the maximum of :math:`|T_{jk}|` over their pairs.

    The null distribution is that of random changes of the signs of R_1, ..., R_n, for all columns together: in the
    limit N(0, 1) for one pair of columns, and the paper's multiplier bootstrap for many. p is right in the limit of
    many independent rows if the product of both regressions' errors vanishes faster than n^(-1/2), about right if it is
    small, and never exact: no test has its level for all X, Y and Z (theorem 2). At level 0.05, for samples of n = 20,
    50 and 200 rows with x and y both f(z) plus independent noise, z ~ N(0, 1), it rejects 6, 6 and 6 % for f(z) = z and
    noise of deviation 1, 8, 6 and 6 % for sin(2z) and 0.3, but 81, 76 and 79 % for sin(8z) and 0.3, which varies faster
    than a median bandwidth follows. A narrower kernel_z helps: with Gaussian(0.1), 15 % for sin(8z) at n = 50. The cost
    is O(n^3).

    References
    ----------
    Shah and Peters 2020 (Ann. Stat. 48, 1514).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import gcm_test
    >>> rng = np.random.default_rng(0)
    >>> z, a, b = rng.normal(size=(3, 100))
    >>> [gcm_test(z + a, y, z, n_resamples=199, rng=0).pvalue for y in (z + b, a + b)]
    [0.685, 0.005]
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    sides = checks.sample(X, "X"), checks.sample(Y, "Y")
    given = Given.of(Z, kernel_z, sides)
    scaled = [standardise(side) for side in sides]

    def left(side: Matrix) -> tuple[ConditionalEmbedding, Matrix]:
        regression = given.regression(side, Linear(), lam)
        return regression, given.residuals(regression, side)

    (first, e), (second, f) = side_by_side(left, scaled, given.seconds)
    n = len(e)
    products = (e[:, :, None] * f[:, None, :]).reshape(n, -1)
    share = float(_shares(products, np.ones((1, n)))[0])
    observed = float(_studentised(share, n))
    nearly = float(_studentised(max(share - SLACK, 0.0), n))
    return ConditionalResult(
        observed,
        _studentised(_null(products, n_resamples, rng), n),
        "the generalised covariance measure",
        kernel=(given.kernel,),
        n=n,
        tolerance=0.0 if math.isinf(observed) else observed - nearly,
        resamples="changes of sign",
        columns=(given.columns,),
        seed=seed_of(rng),
        lam=np.array([first.lam_, second.lam_]),
    )


def _shares(products: Matrix, signs: Matrix) -> Vector:
    """Return max |Σ_i s_i R_i| / (n Σ_i R_i^2)^(1/2), from 0 to 1, over the columns of R (n, q), for signs (b, n)."""
    sizes = np.sqrt(len(products) * (products**2).sum(axis=0))
    return (np.abs(signs @ products) / np.where(sizes > 0, sizes, 1.0)).max(axis=1)


def _null(products, count, rng):
    generator = stream(rng, "signs")
    parts = []
    for start in range(0, count, BATCH):
        check_cancelled()
        signs = generator.choice([-1.0, 1.0], size=(min(BATCH, count - start), len(products)))
        parts.append(_shares(products, signs))
    return np.concatenate(parts)


def _studentised(share: Any, n: int) -> Any:
    """Return √n mean R / (mean R^2 - (mean R)^2)^(1/2) from |mean R| / (mean R^2)^(1/2), or inf if R is constant."""
    rest = np.maximum(1 - np.square(share), 0.0)
    constant = rest < SLACK
    return np.where(constant, np.inf, math.sqrt(n) * np.asarray(share) / np.sqrt(np.where(constant, 1.0, rest)))
