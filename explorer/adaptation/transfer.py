"""Transfer component analysis by its own equation, the limit of DICA as the kernel grows."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import centred
from explorer.execution.processors import limit_threads
from explorer.kernels import Kernel
from explorer.tables.alignment import aligned
from explorer.types import Labels, PointsLike, Vector


@limit_threads
@aligned("X domains")
def transfer_ratios(X: PointsLike, domains: Labels, kernel: Kernel, mu: float, count: int = 2) -> Vector:
    """Return the largest ratios b'K² b / b'(KMK + μI)b of transfer component analysis, falling.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Points.
    domains : array_like of shape (n,)
        Domain of each point, two in all.
    kernel : Kernel
        Kernel of the points.
    mu : float
        Regulariser μ > 0, in squared units of k.
    count : int, default 2
        Largest number of ratios to return.

    Returns
    -------
    ndarray of shape (count,) or shorter
        The ratios.

    Raises
    ------
    ValueError
        If there are not two domains.

    Notes
    -----
    K is the centred Gram matrix of the points, and b'KMKb the squared difference of the domains' means along b. The
    `ratios_` of DICA(a * kernel, lam=a**2 * mu / 4) times n/4 tend to these ratios as a grows. The cost is O(n³).

    References
    ----------
    Pan, Tsang, Kwok, Yang 2011 (IEEE Trans. Neural Netw. 22, 199).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.adaptation import transfer_ratios
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0.0, 1.0, (20, 2)), rng.normal(1.0, 1.0, (20, 2))])
    >>> transfer_ratios(X, ["source"] * 20 + ["target"] * 20, Gaussian(2.0), mu=1.0).round(1).tolist()
    [14.8, 11.5]
    """
    X = kernel.points(X, "X", 2)
    names, of = np.unique(checks.labels(domains, "domains"), return_inverse=True)
    if len(names) != 2 or len(of) != len(X):
        raise Refusal(f"domains names {len(names)} domains of {len(of)} points; give one of two for each of {len(X)}.")
    if not 0 < mu < np.inf:
        raise Refusal(f"mu must be a number above 0, not {checks.echo(mu)}.")
    K = centred(kernel(X))
    means = K @ np.where(of == 0, 1 / (of == 0).sum(), -1 / (of == 1).sum())
    n = len(K)
    squares = K @ K
    values = scipy.linalg.eigh(
        (squares + squares.T) / 2,
        np.outer(means, means) + mu * np.eye(n),
        eigvals_only=True,
        subset_by_index=(n - min(count, n), n - 1),
    )
    return values[::-1]
