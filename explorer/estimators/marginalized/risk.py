"""Exact risk and exact loss of marginalized estimates, without sampling, also along many σ at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.execution.processors import limit_threads
from explorer.types import Points, Vector

if TYPE_CHECKING:
    from explorer.embeddings.law import Law
    from explorer.kernels.base import Kernel


NEARLY_ONE = 0.5  # if <μ, μ> / k(x, x) is above this, k(x, x) - <μ, μ> is computed directly


def marginalized_risk(law: Law, kernel: Kernel, n: int, variances: Vector) -> float:
    """Return the exact risk E |μ̃ - μ|^2 of MKME or MMKME over samples of n points.

    Parameters
    ----------
    law : Law
        The true distribution.
    kernel : Kernel
        A stationary kernel such as Gaussian or Laplacian.
    n : int
        The number of points of a sample.
    variances : ndarray of shape (d,)
        The variances e of the noise.

    Returns
    -------
    float
        The risk, in squared units of k.

    Raises
    ------
    Refusal
        If the kernel is not stationary: q below must not depend on the point.

    Notes
    -----
    The risk is (q - C_2e) / n + C_2e - 2 C_e + C_0, with C_e = <P * N(0, diag(e)), P> in the RKHS and q = E k(u, v) for
    independent u, v ~ N(0, diag(e)). Under a Gaussian kernel it falls at e = 0, unless the distribution is a point.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.estimators.marginalized import marginalized_risk
    >>> law = GaussianMixture([1.0], [[0.0, 0.0]], [np.eye(2)])
    >>> [round(marginalized_risk(law, Gaussian(1.0), 20, np.full(2, v)), 4) for v in (0.0, 0.1, 1.0)]
    [0.0333, 0.0267, 0.04]
    """
    n, kernel = checks.whole(n, "n", 1), _stationary(kernel)
    mu = law.embed(kernel)
    if not variances.any():
        return law.variance(kernel) / n
    D, origin = np.diag(variances), np.zeros((1, law.d))
    noisy = _widened(mu, D)
    # If E k and k(x, x) nearly agree, their difference is computed: then only that of q and C_2e matters.
    expected = kernel.less_one if noisy.inner(noisy) > NEARLY_ONE * kernel.diagonal(origin)[0] else kernel.expected
    q = expected(origin, D, origin, D)[0, 0]
    square = sum(
        a.weights @ expected(a.points, a.covariance, b.points, b.covariance) @ b.weights
        for a in noisy.blocks
        for b in noisy.blocks
    )
    return float((q - square) / n + noisy.distance(mu) ** 2)


@limit_threads
def marginalized_risks(law: Law, kernel: Kernel, n: int, sigmas: Sequence[float] | Vector) -> Vector:
    """Return the exact risk of MKME at each σ.

    Parameters
    ----------
    law : Law
        The true distribution.
    kernel : Kernel
        A stationary kernel.
    n : int
        The number of points of a sample.
    sigmas : array_like of shape (m,)
        The values of σ.

    Returns
    -------
    ndarray of shape (m,)
        The risks. Under a Gaussian kernel each costs O(c^2 d), where c is the number of the distribution's components.

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.estimators import marginalized_risks
    >>> law = GaussianMixture([1.0], [[0.0]], [[1.0]])
    >>> marginalized_risks(law, Gaussian(1.0), 20, [0.0, 0.3, 1.0]).round(4).tolist()
    [0.0211, 0.0184, 0.0311]
    """
    n, kernel, v = checks.whole(n, "n", 1), _stationary(kernel), _variances(sigmas)
    mixture = _mixture(law, kernel)
    if mixture is None:
        return np.array([marginalized_risk(law, kernel, n, np.full(law.d, each)) for each in v])
    exp = np.expm1 if mixture.squares([0.0])[0] > NEARLY_ONE else np.exp  # 1 drops out of the risk
    C0, C1, C2 = np.split(mixture.squares(np.concatenate([[0.0], v, 2 * v]), exp), [1, len(v) + 1])
    q = exp(-0.5 * law.d * np.log1p(2 * v / mixture.theta2))
    return (q - C2) / n + C2 - 2 * C1 + C0


@limit_threads
def marginalized_losses(X: Points, law: Law, kernel: Kernel, sigmas: Sequence[float] | Vector) -> Vector:
    """Return the exact loss |μ̃ - μ|^2 of MKME at each σ.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample, n >= 2.
    law : Law
        The true distribution.
    kernel : Kernel
        A stationary kernel.
    sigmas : array_like of shape (m,)
        The values of σ.

    Returns
    -------
    ndarray of shape (m,)
        The losses, in O(c n d) each.

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.estimators import marginalized_losses
    >>> law = GaussianMixture([1.0], [[0.0]], [[1.0]])
    >>> marginalized_losses(law.sample(20, rng=0), law, Gaussian(1.0), [0.0, 0.3, 1.0]).round(4).tolist()
    [0.0044, 0.0045, 0.0275]
    """
    kernel, v = _stationary(kernel), _variances(sigmas)
    X = checks.sample(X, "X", 2)
    mixture = _mixture(law, kernel)
    if mixture is not None:
        pairs = kernel.noisy_pairs(X)
        return pairs.square(pairs.isotropic(v)) - 2 * mixture.means(X, v) + mixture.squares(np.zeros(1))
    mu, weights = law.embed(kernel), np.full(len(X), 1 / len(X))
    return np.array([Embedding(kernel, X, weights, each).distance(mu) ** 2 for each in v])


def _mixture(law, kernel):
    """Return the distribution under the kernel and any noise N(0, vI), see `Kernel.noisy_mixture`."""
    mu = law.embed(kernel)
    return kernel.noisy_mixture(mu.weights, mu.points, mu.covariance)


def _widened(embedding, D):
    """Return the embedding of the distribution with noise N(0, D) added."""
    blocks = [
        b._replace(covariance=checks.read_only(D if b.covariance is None else b.covariance + D))
        for b in embedding.blocks
    ]
    return Embedding._of(embedding.kernel, blocks)


def _stationary(kernel):
    """Return the kernel with its parameters chosen, or raise a Refusal if it is not stationary."""
    if not kernel.stationary:
        raise Refusal(
            f"{checks.echo(kernel)} has no exact risk with noise here; take Gaussian, ARDGaussian, Matern, "
            "RationalQuadratic, Laplacian or a sum of them, or average losses over samples."
        )
    return kernel.chosen()


def _variances(sigmas):
    """Return the checked variances of standard deviations."""
    sigmas = checks.numbers(sigmas, "sigmas").reshape(-1)
    if (sigmas < 0).any():
        raise Refusal(f"sigmas holds {sigmas.min():g}; σ is never below 0.")
    return sigmas**2
