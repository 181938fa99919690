"""A sample whose points carry independent noise: the means over its pairs that scores and losses need.

With u, v ~ N(0, diag(e)) independent, L_ij = E k(x_i, x_j + u) and Q_ij = E k(x_i + u, x_j + v), [xia2021corrupted],
eq. (26) and (27). Only the mean of each off the diagonal, and the mean of Q_ii, are needed. All three are stored as
their distance below ϱ, the mean of k(x_i, x_i): if the bandwidth is wide they nearly equal it, and the score consists
of the differences. `Kernel.noisy_pairs` computes them by the fastest way that the kernel has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from explorer.kernels.distances import pair_distances
from explorer.types import Matrix, Points, Vector


class Drops(NamedTuple):
    """Distances below ϱ, the mean of k(x_i, x_i), of three means under noise: L_ij and Q_ij over i != j, and Q_ii.

    L_ij = E k(x_i, x_j + u) has noise at one point and Q_ij = E k(x_i + u, x_j + v) at both, u, v ~ N(0, diag(e)).

    Attributes
    ----------
    L, Q, same : float or ndarray of shape (m,)
        The distances; numbers if m is one.
    """

    L: Any
    Q: Any
    same: Any


class NoisyPairs:
    """A sample under a kernel with a closed form for Gaussian noise: means of L and Q over its pairs, see the module.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : ndarray of shape (n, d)
        The sample, n >= 2.
    """

    kernel: Any
    n: Any
    d: Any

    def __init__(self, kernel: Any, X: Points) -> None:
        self.kernel, self.X = kernel, X
        self.n, self.d = X.shape

    @cached_property
    def diagonal(self) -> float:
        """The number ϱ, the mean of k(x_i, x_i)."""
        return float(self.kernel.diagonal(self.X).mean())

    def drops(self, variances: Matrix) -> Drops:
        """Compute how far the means under noise are below ϱ, see `Drops`, for several variances e of the noise.

        Parameters
        ----------
        variances : ndarray of shape (m, d)
            Variances e of the noise.

        Returns
        -------
        Drops
            Arrays of shape (m,).
        """
        return Drops(*np.array([self._drops(e) for e in variances]).reshape(-1, 3).T)

    def isotropic(self, variances: Sequence[float] | Vector) -> Drops:
        """Compute the `Drops` of noise with one variance in all coordinates, e = (v, ..., v), for several v.

        Parameters
        ----------
        variances : sequence of float of length m
            The variances v.

        Returns
        -------
        Drops
            Arrays of shape (m,).
        """
        return self.drops(np.repeat(np.asarray(variances, dtype=float)[:, None], self.d, axis=1))

    def score(self, drops: Drops) -> Any:
        """Compute the leave-one-out score ϱ - 2 mean(L) + ((n - 2) mean(Q) + mean(Q_ii)) / (n - 1).

        The means of L and Q are over i != j. ϱ cancels, as `drops` are the distances below it.

        Parameters
        ----------
        drops : Drops
            The means at some variances of the noise, as their distances below ϱ.

        Returns
        -------
        float or ndarray
            The score.
        """
        return 2 * drops.L - ((self.n - 2) * drops.Q + drops.same) / (self.n - 1)

    def square(self, drops: Drops) -> Vector:
        """Compute ``|μ̃|^2``, the squared norm of the marginalized estimate: the mean of Q over all i and j.

        Parameters
        ----------
        drops : Drops
            The means at some variances of the noise, as their distances below ϱ.

        Returns
        -------
        ndarray of shape (m,)
            The squared norms.
        """
        return self.diagonal - ((self.n - 1) * drops.Q + drops.same) / self.n

    def _drops(self, e):
        C = np.diag(e) if e.any() else None
        L, Q = (self.kernel.expected(self.X, C, self.X, D) for D in (None, C))
        same, pairs = np.trace(Q), self.n * (self.n - 1)
        return (
            self.diagonal - (L.sum() - np.trace(L)) / pairs,
            self.diagonal - (Q.sum() - same) / pairs,
            self.diagonal - same / self.n,
        )


class StationaryPairs(NoisyPairs):
    """Sample with noise under a kernel of x - y: noise e of both points is noise 2e of one, Q_e = L_2e.

    A subclass computes how far noise of variances v (d,) lowers the mean of k over i != j, and k(x, x), below 1.

    Parameters
    ----------
    kernel : Kernel
        A stationary kernel.
    X : ndarray of shape (n, d)
        The sample, n >= 2.

    Attributes
    ----------
    smallest : float
        The variance, in units of MKME's, down to which the score is smooth.
    """

    smallest: float = 0.0

    @cached_property
    def spread(self) -> float:
        """The root mean square distance of two points, over the pairs whose squares are floats."""
        squares = pair_distances(self.X)
        squares = squares[np.isfinite(squares)]
        largest = squares.max(initial=0.0)
        return math.sqrt(largest * (squares / largest).mean()) if largest > 0 else 0.0

    def _drops(self, e):
        return (self.noisy(e)[0], *self.noisy(2 * e))

    def score_and_gradient(self, e: Vector) -> tuple[float, Vector]:
        """Compute the leave-one-out score at variances e of the noise, and its derivatives by e.

        Parameters
        ----------
        e : ndarray of shape (d,)
            Variances of the noise.

        Returns
        -------
        score : float
            The score.
        gradient : ndarray of shape (d,)
            Its derivatives.
        """
        L, _, dL, _ = self.derivatives(e)
        Q, same, dQ, d_same = self.derivatives(2 * e)
        return self.score(Drops(L, Q, same)), 2 * dL - 2 * ((self.n - 2) * dQ + d_same) / (self.n - 1)

    def noisy(self, v: Vector) -> tuple[float, float]:
        """Compute 1 minus the mean of E k(x_i, x_j + u) over i != j, and 1 - E k(x, x + u), for u ~ N(0, diag(v)).

        Parameters
        ----------
        v : ndarray of shape (d,)
            Variances of the noise.

        Returns
        -------
        drop : float
            1 minus the mean over i != j.
        same : float
            1 - E k(x, x + u).
        """
        raise NotImplementedError

    def derivatives(self, v: Vector) -> tuple[float, float, Vector, Vector]:
        """Compute 1 - mean of E k(x_i, x_j + u) over i != j and 1 - E k(x, x + u), and their derivatives by v.

        u ~ N(0, diag(v)) is the noise.

        Parameters
        ----------
        v : ndarray of shape (d,)
            Variances of the noise.

        Returns
        -------
        drop, same : float
            These two numbers, as in `noisy`.
        d_drop, d_same : ndarray of shape (d,)
            Their derivatives by v.
        """
        raise NotImplementedError
