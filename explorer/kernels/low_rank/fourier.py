"""Random Fourier features: a kernel of x - y as an average over waves of random frequencies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from zlib import crc32

import numpy as np
from scipy.special import stdtrit

from explorer import checks
from explorer.checks import Refusal
from explorer.kernels.base import Kernel
from explorer.kernels.gaussian import Gaussian
from explorer.kernels.laplacian import Laplacian
from explorer.parameters import Array, RequiredPart
from explorer.printing import model_text
from explorer.rng import stream
from explorer.types import ConvertedField, Gram, Matrix, MatrixLike, Points, PointsLike, Rng, Vector

from .finite import FiniteRank

# draws a frequency's coordinates, in units of 1/θ, from the kernel's Fourier transform as a density
SPECTRA: dict[type[Kernel], Callable[..., Any]] = {
    Gaussian: np.random.Generator.standard_normal,
    Laplacian: np.random.Generator.standard_cauchy,
}
CERTAIN = 0.995  # quantile of Student's t: between both quantiles lie 99 %
MANY, FEW = 2000, 100  # numbers of frequencies on which an error is measured, for few points and for many
WORK = 2**25  # largest number of features that this may take: a second


class FourierFeatures(FiniteRank):
    r"""Random Fourier features of a Gaussian or Laplacian kernel.

    Use it for very many points. `low_rank` draws the frequencies; for other kernels use `Landmarks`.

    .. math:: \hat k(x, y) = \frac1J \sum_j \cos \langle \omega_j, x - y \rangle

    Parameters
    ----------
    kernel : Kernel
        Gaussian(θ) or Laplacian(θ), whose Fourier transform the frequencies were drawn from.
    frequencies : array_like of shape (J, d)
        The frequencies ω, in units of 1/x.

    Raises
    ------
    ValueError
        If the kernel is another one.

    Notes
    -----
    The expectation of k̂(x, y) over random frequencies is k(x, y). Its 2J features are sqrt(1/J) (cos <ω_j, x>, sin
    <ω_j, x>), with ω of density proportional to the Fourier transform of k: N(0, I/θ²) for Gaussian(θ), independent
    Cauchy variables of scale 1/θ for Laplacian(θ). The error at a pair has standard deviation at most sqrt(1/(2J)) if x
    and y are far apart, and is 0 at x = y; it does not depend on the sample. Rahimi and Recht 2007 (NIPS 20).

    Examples
    --------
    >>> from explorer import FourierFeatures, Gaussian
    >>> FourierFeatures(Gaussian(1.0), [[0.0], [1.0]])([[0.0]], [[0.5]]).round(4)
    array([[0.9388]])
    """

    bounded = True
    kernel: Kernel = RequiredPart(
        class_=Kernel, doc="the kernel whose Fourier transform the frequencies were drawn from"
    )
    frequencies: ConvertedField[MatrixLike, Gram] = Array(doc="ω_j, one row each, in units of 1/x")

    def _check(self):
        refuse_other_kernels(self.kernel)
        self.kernel.chosen()
        if self.frequencies.ndim != 2 or not self.frequencies.size:
            raise Refusal(
                f"FourierFeatures.frequencies has shape {self.frequencies.shape}; give (J, d): one row for each"
                " frequency."
            )

    @classmethod
    def draw(cls, kernel: Kernel, d: int, rank: int = 200, rng: Rng = 0) -> FourierFeatures:
        """Draw rank // 2 random frequencies.

        Parameters
        ----------
        kernel : Kernel
            Gaussian(θ) or Laplacian(θ).
        d : int
            Number of coordinates of the points.
        rank : int, default 200
            Number of features.
        rng : int, Generator or None, default 0
            Seed of the frequencies.

        Returns
        -------
        FourierFeatures
            The kernel of finite rank.

        Raises
        ------
        ValueError
            If the rank is below 2.
        """
        refuse_other_kernels(kernel)
        rank = checks.whole(rank, "rank", 1)
        if rank < 2:
            raise Refusal("rank must be at least 2 for approximation='features': a frequency has a cosine and a sine.")
        ω = SPECTRA[type(kernel)](stream(rng, "frequencies"), (rank // 2, d))
        return cls(kernel, ω / kernel.chosen().length_scale)

    @property
    def rank(self) -> int:
        return 2 * len(self.frequencies)

    @property
    def _widest(self):
        return max(self.rank, self.frequencies.shape[1])

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        X = self.kernel.points(X, name, at_least)
        checks.same_dimension(X, self.frequencies, (name, "the frequencies"))
        return X

    def diagonal(self, X: PointsLike) -> Vector:
        return np.ones(len(self.points(X)))

    def _features(self, X, covariance):
        with np.errstate(over="ignore", invalid="ignore"):
            phases = X @ self.frequencies.T
        if not np.isfinite(phases).all():
            raise Refusal(
                "points are too large for random features, whose phases <ω, x> are no floats; subtract a point of the"
                " sample, or take approximation='cholesky'."
            )
        J = len(self.frequencies)
        F = np.empty((len(X), 2 * J))
        np.cos(phases, out=F[:, :J])
        np.sin(phases, out=F[:, J:])
        F *= math.sqrt(1 / J)
        if covariance is not None:  # multiply by E exp(i<ω, u>) of a Gaussian u
            ω = self.frequencies
            damped = np.exp(-0.5 * np.einsum("jd,de,je->j", ω, covariance, ω))
            F *= np.concatenate([damped, damped])
        return F

    def more_frequencies(self, points: int) -> FourierFeatures:
        """Draw features of other random frequencies, to measure an error at many points.

        There are 2000 frequencies; beyond 16,000 points there are fewer, but at least 100. They depend on the
        frequencies alone.

        Parameters
        ----------
        points : int
            Number of points.

        Returns
        -------
        FourierFeatures
            The kernel with the other frequencies.
        """
        count = min(MANY, max(WORK // max(points, 1), FEW))
        return self.draw(self.kernel, self.frequencies.shape[1], 2 * count, crc32(self.frequencies.tobytes()))

    further = more_frequencies  # its former name, which users may call

    def by_frequency(self, terms: Gram) -> Gram:
        """Return the estimate of each frequency alone; their average is the inner product.

        Parameters
        ----------
        terms : ndarray of shape (..., 2J)
            Terms of an inner product of features.

        Returns
        -------
        ndarray of shape (..., J)
            The estimates.
        """
        J = len(self.frequencies)
        return J * (terms[..., :J] + terms[..., J:])


def error_limit(estimates: Matrix, further: Matrix) -> float:
    """Compute a 99 % limit of the distance of an average of J independent estimates from its expectation.

    It is their distance from the average of all estimates, with the M further ones among them, plus the limit of that
    average: Student's t times its standard error. From few frequencies alone that limit would hold too rarely, in 67 to
    99 of 100 draws of 10, since the estimates have a long tail. The limit of m averages is the root of a mean square:
    among all sums of squares of normal variables of one expectation, that of a single one has the largest 99 %
    quantile, so no other lies above it.

    Parameters
    ----------
    estimates : ndarray of shape (J,) or (m, J)
        The estimates.
    further : ndarray of shape (M,) or (m, M)
        The further estimates.

    Returns
    -------
    float
        The limit.
    """
    every = np.concatenate([estimates, further], axis=-1)
    apart = np.mean(estimates, axis=-1) - np.mean(every, axis=-1)
    count = every.shape[-1]
    error = stdtrit(count - 1, CERTAIN) * np.sqrt(np.var(every, axis=-1, ddof=1).mean() / count)
    return float(np.sqrt(np.mean(np.square(apart))) + error)


def refuse_other_kernels(kernel: Kernel) -> None:
    """Refuse a kernel without random frequencies.

    Parameters
    ----------
    kernel : Kernel
        The kernel.

    Raises
    ------
    Refusal
        If it is neither Gaussian nor Laplacian.
    """
    if type(kernel) not in SPECTRA:
        raise Refusal(
            f"approximation='features' draws frequencies from the Fourier transform of Gaussian or Laplacian, and the"
            f" kernel is {model_text(kernel)}; take approximation='cholesky', which takes every kernel."
        )
