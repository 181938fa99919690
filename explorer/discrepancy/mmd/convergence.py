"""Rate at which the MMD of samples converges to that of their distributions: N1^(-1/2) + N2^(-1/2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.tiled_gram import contrast_gram
from explorer.embeddings.risk import variance
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.rng import stream
from explorer.svg import inline_pictures
from explorer.types import Rng, Vector

from .embedding_differences import mmd_of_laws

if TYPE_CHECKING:
    from explorer.embeddings.law import Law
    from explorer.kernels import Kernel


SIZES = tuple(10 * 2**k for k in range(7))
LINE = 200  # number of resamples of the replicates for the interval of a fitted power


@printed
class Convergence(NamedTuple):
    """Errors of the biased MMD in samples of growing sizes.

    Attributes
    ----------
    sizes : ndarray of shape (s, 2)
        Sizes of X and of Y.
    errors : ndarray of shape (replicates, s)
        ``|MMD_b(X, Y) - MMD(P, Q)|``, in units of the root of k.
    truth : float
        MMD(P, Q).
    bound : ndarray of shape (s,)
        ``(E|μ̂_P - μ_P|^2)^(1/2) + (E|μ̂_Q - μ_Q|^2)^(1/2)``, which no mean error exceeds.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import Convergence
    >>> sizes = np.array([[100, 100], [400, 400]])
    >>> errors = np.array([[0.08, 0.04], [0.10, 0.05]])
    >>> study = Convergence(sizes, errors, truth=0.3, bound=np.array([0.16, 0.08]))
    >>> study.rate.tolist(), study.mean.round(3).tolist(), round(study.power, 3)
    ([0.2, 0.1], [0.09, 0.045], 1.0)
    """

    sizes: np.ndarray
    errors: np.ndarray
    truth: float
    bound: np.ndarray

    @property
    def rate(self) -> Vector:
        """N1^(-1/2) + N2^(-1/2) at each of the sizes, shape (s,)."""
        return (self.sizes**-0.5).sum(axis=1)

    @property
    def mean(self) -> Vector:
        """Mean error at each of the sizes, shape (s,)."""
        return self.errors.mean(axis=0)

    @property
    def power(self) -> float:
        """Exponent of the rate to which the mean error is proportional, by least squares over logarithms."""
        return float(self._powers(self.mean[None])[0])

    def interval(self, share: float = 0.95) -> tuple[float, float]:
        """Compute a bootstrap interval of the power: its quantiles if replicates are resampled.

        Parameters
        ----------
        share : float, default 0.95
            Coverage of the interval.

        Returns
        -------
        low : float
            Lower end of the interval.
        high : float
            Upper end of the interval.
        """
        from scipy.stats import bootstrap  # imported late, since a picture of the errors does not need it

        def power(*columns, axis):
            return self._powers(np.stack([errors.mean(axis) for errors in columns], axis=-1))

        found = bootstrap(
            tuple(self.errors.T),
            power,
            paired=True,
            n_resamples=LINE,
            confidence_level=share,
            method="percentile",
            rng=0,
        )
        return float(found.confidence_interval.low), float(found.confidence_interval.high)

    def _powers(self, means):
        """Return the slope of each row of mean errors (r, s)."""
        x = np.log(self.rate)
        x = x - x.mean()
        with np.errstate(divide="ignore", invalid="ignore"):  # the error is 0 if all points are equal
            return np.log(means) @ x / (x @ x)

    def _sentence(self):
        return (
            f"The error of the MMD over {len(self.sizes)} sizes of samples, in {len(self.errors)} replicates: it goes"
            f" with the power {self.power:.2f} of N1^(-1/2) + N2^(-1/2)."
        )

    def _picture(self):
        return inline_pictures.curve(self.sizes[:, 0], self.mean, self._sentence(), log=True)


@limit_threads
def mmd_convergence(
    P: Law,
    Q: Law,
    kernel: Kernel,
    sizes: ArrayLike = SIZES,
    replicates: int = 40,
    rng: Rng = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Convergence | None:
    """Compute ``|MMD_b(X, Y) - MMD(P, Q)|`` of samples of two distributions over sizes, in repeated draws.

    Parameters
    ----------
    P : Law
        First distribution; the kernel needs a closed form for it, as for GaussianMixtures.
    Q : Law
        Second distribution.
    kernel : Kernel
        Kernel with a given bandwidth.
    sizes : array_like of shape (s,) or (s, 2), optional
        Two or more rising whole numbers, the sizes of X and of Y, or pairs (N1, N2) of them.
    replicates : int, default 40
        Number of draws. The samples of all sizes are the first rows of a draw.
    rng : int, Generator or None, default None
        Seed of all draws.
    stopped : callable, optional
        Asked before each replicate; the function returns None once it is true.

    Returns
    -------
    Convergence or None
        The errors, or None if stopped.

    Raises
    ------
    Refusal
        If a distribution has no closed form under the kernel, or if the sizes do not rise.

    Notes
    -----
    MMD_b is that of the empirical kernel means. By the triangle inequality its error is at most ``|μ̂_P - μ_P| + |μ̂_Q
    - μ_Q|``, whose root mean squares are (Δ_P / N1)^(1/2) and (Δ_Q / N2)^(1/2) with ``Δ = E k(x, x) - |μ|^2``. This is
    the rate N1^(-1/2) + N2^(-1/2), which no estimator improves for radial universal kernels (004, section 1, after
    Tolstikhin, Sriperumbudur and Schölkopf 2016). If P and Q differ, the error of small samples falls faster: it is
    mostly the bias of MMD_b², which is Δ_P / N1 + Δ_Q / N2 on average.

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.discrepancy import mmd_convergence
    >>> P, Q = (GaussianMixture([1.0], [[mean]], [[1.0]]) for mean in (0.0, 1.0))
    >>> study = mmd_convergence(P, Q, Gaussian(1.0), replicates=20, rng=0)
    >>> 0.8 < study.power < 1.3
    True
    """
    pairs = _pairs(sizes)
    checks.whole(replicates, "replicates", 2)
    truth = mmd_of_laws(P, Q, kernel)
    bound = sum(np.sqrt(variance(law, kernel, 1) / side) for law, side in zip((P, Q), pairs.T, strict=True))
    draws, errors = stream(rng, "convergence of the MMD"), []
    for _ in range(replicates):
        if stopped():
            return None
        X, Y = (law.sample(n, rng=draws) for law, n in zip((P, Q), pairs[-1].tolist(), strict=True))
        errors.append(np.abs(_nested(contrast_gram(kernel, np.concatenate([X, Y])), pairs) - truth))
    return Convergence(checks.read_only(pairs), checks.read_only(np.array(errors)), truth, checks.read_only(bound))


def _nested(K, sizes):
    """Return MMD_b of the first rows of both samples at each of the sizes, from the Gram matrix of all, (s,)."""
    starts = [np.concatenate([[0], side[:-1]]) for side in sizes.T]
    first = np.concatenate([starts[0], sizes[-1, 0] + starts[1]])
    # Each size adds a strip to the one before: sum the blocks between sizes, then cumulate these from the corner.
    blocks = np.add.reduceat(np.add.reduceat(K, first, axis=0), first, axis=1)
    s, n, m = len(sizes), *sizes.T
    within, other, between = (
        np.diagonal(part.cumsum(axis=0).cumsum(axis=1)) for part in (blocks[:s, :s], blocks[s:, s:], blocks[:s, s:])
    )
    return np.sqrt(np.maximum(within / n**2 + other / m**2 - 2 * between / (n * m), 0.0))


def _pairs(sizes):
    """Return sizes (s, 2) from numbers or pairs."""
    sizes = np.asarray(sizes)
    if sizes.ndim == 1:
        sizes = np.column_stack([sizes, sizes])
    whole = np.issubdtype(sizes.dtype, np.integer) and sizes.shape[1:] == (2,)
    if not whole or len(sizes) < 2 or sizes[0].min() < 1 or not (np.diff(sizes, axis=0) > 0).all():
        raise Refusal("sizes are two or more whole numbers that rise, or pairs (N1, N2) of them, such as (10, 20, 40).")
    return sizes
