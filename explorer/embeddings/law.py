"""Base class of the distributions: they can be sampled, and know their own kernel mean."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.kernels import Kernel
from explorer.model import Model
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import Matrix, Points, PointsLike, Rng, Values, Vector

from .blocks import Block
from .embedding import Embedding
from .forms import contrast_of, over_pairs

LOST = 1e-9  # largest share of a variance that a root may lose


class Law(Model):
    """Probability distribution on R^d that can be sampled and embedded exactly.

    A subclass returns Gaussians and point masses whose mixture has its embedding (`_pieces`); Embedding does the rest.

    Examples
    --------
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.embeddings import Law
    >>> law: Law = GaussianMixture([0.5, 0.5], [[-1.0], [1.0]], [[0.5]])
    >>> law.d, law.sample(3, rng=0).shape, law.logpdf([[0.0]]).round(3).tolist()
    (1, (3, 1), [-1.572])
    >>> mean = law.embed(Gaussian(1.0))
    >>> round(mean([[0.0]]).item(), 3)
    0.585
    """

    _index = ""  # the parameter that sets how many moments there are

    @property
    def tail(self) -> float:
        """The order below which moments are finite, ``E |x|^r < inf`` for r < tail; inf if all moments are finite."""
        return math.inf

    @property
    def d(self) -> int:
        """The dimension."""
        raise NotImplementedError

    @explain_wrong_calls
    def sample(self, n: int, rng: Rng = None) -> Points:
        """Draw independent points.

        Parameters
        ----------
        n : int
            Number of points.
        rng : int, Generator or None, default None
            Seed. With an int seed a larger n only appends points.

        Returns
        -------
        ndarray of shape (n, d)
            The points.
        """
        raise NotImplementedError

    def logpdf(self, X: PointsLike) -> Vector:
        """Compute the logarithm of the density.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.

        Returns
        -------
        ndarray of shape (n,)
            The values.
        """
        raise NotImplementedError

    @explain_wrong_calls
    def embed(self, kernel: Kernel) -> Embedding:
        """Return the kernel mean E k(x, .).

        Parameters
        ----------
        kernel : Kernel
            The kernel.

        Returns
        -------
        Embedding
            The kernel mean.

        Raises
        ------
        ValueError
            If it does not exist because E sqrt(k(x, x)) is infinite, if the kernel has no closed form for Gaussians, or
            if its bandwidth is still open.
        """
        kernel = kernel.chosen()
        order = kernel.growth / 2
        if not self._has(order):
            raise checks.Refusal(f"{checks.echo(kernel)} has no mean embedding here: {self._lacks(order)}.")
        embedding = Embedding._of(kernel, self._pieces(kernel))
        embedding(embedding.blocks[0].points[:1])  # a kernel without a closed form says so here
        return embedding

    @explain_wrong_calls
    def expected_diagonal(self, kernel: Kernel) -> float:
        """Compute E k(x, x), with the same x in both arguments: the first term of the empirical kernel mean's variance.

        Parameters
        ----------
        kernel : Kernel
            The kernel.

        Returns
        -------
        float
            The expectation.

        Raises
        ------
        ValueError
            If it is infinite; the mean embedding may exist nevertheless (004, eq. 3 and 4; erratum E-22).
        """
        self._require_diagonal(kernel)
        return _diagonal(self._diagonal_pieces(kernel), kernel)

    @explain_wrong_calls
    def variance(self, kernel: Kernel) -> float:
        """Compute ``E |k(x, .) - μ|^2 = E k(x, x) - |μ|^2``, n times the risk of a sample's plain average.

        Parameters
        ----------
        kernel : Kernel
            The kernel.

        Returns
        -------
        float
            The variance, in squared units of k.

        Raises
        ------
        ValueError
            If `expected_diagonal` is infinite.

        Notes
        -----
        If k is nearly constant, or an offset is nearly all of it, the two terms agree in most of their digits. Then the
        variance is computed from increments.
        """
        mean = self.embed(kernel)
        self._require_diagonal(mean.kernel)
        contrast = contrast_of(mean.kernel, mean.blocks)
        if contrast is mean.kernel:
            return _diagonal(self._diagonal_pieces(mean.kernel), mean.kernel) - mean.norm() ** 2
        square, _ = over_pairs(contrast, mean.blocks, mean.blocks)
        return float(_diagonal(self._increment_pieces(mean), contrast) - square)

    def _pieces(self, kernel):
        """Return blocks whose mixture has the distribution's embedding."""
        raise NotImplementedError

    def _diagonal_pieces(self, kernel):
        """Return blocks whose mixture has the distribution's E k(x, x)."""
        return self._pieces(kernel)

    def _require_diagonal(self, kernel):
        """Raise ValueError if E k(x, x) is infinite."""
        order = kernel.growth
        if not self._has(order):
            raise checks.Refusal(
                f"E k(x, x) is infinite for {checks.echo(kernel)}, and with it the risk of a sample's plain average: "
                f"{self._lacks(order)}."
            )

    def _increment_pieces(self, mean):
        """Return blocks whose mixture has the distribution's E k_o(x, x).

        For bounded kernels E k_o(x, x) = 2 - 2 E k(x, o), and they are those of its mean embedding.
        """
        return mean.blocks if mean.kernel.bounded else self._diagonal_pieces(mean.kernel)

    def _has(self, order):
        # without a heavy tail all moments exist; the kernel checks whether an exponential moment does
        return order < self.tail or math.isinf(self.tail)

    def _lacks(self, order):
        """Describe which moment the distribution lacks, and what to do."""
        needs, way_out = f"a finite moment of order {order:g}", f", or {self._index} above {order:g}"
        if math.isinf(order):
            needs, way_out = "all moments, since the kernel names no order of growth", ""
        return f"that needs {needs}, and {self._described()}; take a bounded kernel such as Gaussian{way_out}"

    def _described(self):
        """Describe in words which moments the distribution has; `_index` is the field that sets them."""
        raise NotImplementedError


def _diagonal(pieces, kernel):
    """Compute E k(x, x) over the mixture of the pieces."""
    return float(sum(b.weights @ kernel.expected_diagonal(b.points, b.covariance) for b in pieces))


def gaussian_piece(weight: float, mean: Vector, covariance: Matrix) -> Block:
    """Return a block of one Gaussian, or of one point mass if its covariance is zero; mean (d,), covariance (d, d)."""
    C = checks.read_only(covariance) if covariance.any() else None
    return Block(checks.read_only(mean[None]), checks.read_only([weight]), C)


def root(S: Points) -> Values:
    """Compute R with R R' = S, (..., d, d), also for singular S.

    R is the symmetric root unless coordinates are of very different units. An eigenvalue is known to eps of the
    largest, which may be more than a narrow coordinate's whole variance. Then R = T Q^(1/2), with the standard
    deviations T and the correlations Q.

    Parameters
    ----------
    S : ndarray of shape (..., d, d)
        Positive semi-definite matrices.

    Returns
    -------
    ndarray of shape (..., d, d)
        The roots.
    """
    R = _symmetric_root(S)
    variances = np.diagonal(S, axis1=-2, axis2=-1)
    lost = ((np.abs(np.square(R).sum(axis=-1) - variances) > LOST * variances) & (variances > 0)).any(axis=-1)
    if lost.any():
        s, correlation = _standardised(S)
        R = np.where(lost[..., None, None], s[..., None] * _symmetric_root(correlation), R)
    return R


def _symmetric_root(S):
    gamma, U = np.linalg.eigh(S)
    return (U * np.sqrt(np.maximum(gamma, 0.0))[..., None, :]) @ np.swapaxes(U, -1, -2)


def _standardised(S):
    """Return standard deviations (..., d) and correlations (..., d, d).

    A coordinate without variance has correlation 0 with itself too.
    """
    s = np.sqrt(np.maximum(np.diagonal(S, axis1=-2, axis2=-1), 0.0))
    unit = np.where(s > 0, s, 1.0)
    return s, S / unit[..., None] / unit[..., None, :]


def mahalanobis(X: Points, mean: Vector, S: Matrix) -> tuple[Vector, float]:
    """Compute (x - m)' S^(-1) (x - m) and log det S.

    The computation is in standard deviations, so that the units of the coordinates do not matter.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    mean : ndarray of shape (d,)
        The mean m.
    S : ndarray of shape (d, d)
        The covariance.

    Returns
    -------
    squares : ndarray of shape (n,)
        The squared distances.
    log_det : float
        The logarithm of the determinant.

    Raises
    ------
    ValueError
        If S is singular: then the distribution has no density.
    """
    s, W, log_det = _whitening(S)
    with np.errstate(over="ignore"):  # farther than 1e154 standard deviations the density is 0, and its logarithm -inf
        return ((((X - mean) / s) @ W) ** 2).sum(1), log_det


def gaussian_score(X: Points, mean: Vector, S: Matrix) -> Points:
    """Compute S^(-1) (m - x), (n, d), the gradient of log N(x; m, S); raise ValueError if S is singular."""
    s, W, _ = _whitening(S)
    return ((mean - X) / s) @ W @ W.T / s


def _whitening(S):
    """Return s (d,) and W (d, d), with which x / s @ W has the covariance I if x has S, and log det S."""
    s, correlation = _standardised(S)
    gamma, U = np.linalg.eigh(correlation)
    if not s.all() or gamma[0] <= len(gamma) * np.finfo(float).eps * gamma[-1]:
        raise Refusal(
            "a covariance of the distribution is singular, so it has no density; add a little to its diagonal."
        )
    return s, U / np.sqrt(gamma), np.log(gamma).sum() + 2 * np.log(s).sum()
