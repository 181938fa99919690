"""Centred features φ~(x) = k(x, .) - m for any embedding m, and the kernel of their tensor powers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.embeddings import Embedding
from explorer.embeddings.forms import contrast_of, coordinates
from explorer.embeddings.scaled_gaussians import inner, join_scales, values
from explorer.kernels import Kernel
from explorer.kernels.increments import Increments
from explorer.kernels.low_rank import FiniteRank
from explorer.linalg import ROUNDING
from explorer.parameters import RequiredPart, Whole
from explorer.types import Gram, Matrix, Points, PointsLike, Vector

if TYPE_CHECKING:
    from explorer.embeddings.blocks import Block
    from explorer.embeddings.scaled_gaussians import ScaledGaussians


class Centre:
    """An embedding m that is subtracted from features, computed by a contrast that several centres may share.

    With increments from an origin o, φ(x) - m = (φ(x) - φ(o)) - m_o + rest φ(o). m_o has the weights of m on
    increments, and rest is 1 minus their sum, 0 for a mean, so nothing large is subtracted. Without increments m_o is
    m, and rest is 0.

    Parameters
    ----------
    embedding : Embedding
        The centre m.
    contrast : Kernel or Increments, optional
        The contrast; None takes that of the embedding.
    """

    rest: float
    contrast: Any  # a kernel, or its Increments: only these have the methods that a `rest` other than 0 needs
    blocks: tuple[Block, ...]
    fans: list[ScaledGaussians]
    kernel: Kernel
    low: FiniteRank | None
    place: Vector

    def __init__(self, embedding: Embedding, contrast: Kernel | Increments | None = None) -> None:
        self.blocks, self.fans = embedding.blocks, join_scales(embedding.blocks)
        self.contrast = contrast_of(embedding.kernel, embedding.blocks) if contrast is None else contrast
        self.kernel, self.rest = embedding.kernel, 0.0
        self.low = self.kernel if isinstance(self.kernel, FiniteRank) else None
        self.place = np.zeros(0) if self.low is None else coordinates(self.low, self.blocks)
        if isinstance(self.contrast, Increments):
            weights = embedding.weights
            rest = 1 - math.fsum(weights)
            self.rest = rest if abs(rest) > ROUNDING * (1 + np.abs(weights).sum()) else 0.0

    def features(self, X: Points) -> Matrix:
        """Return φ(x_i) - m in coordinates, for a kernel of finite rank.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The points.

        Returns
        -------
        ndarray of shape (n, r)
            The features; r = 0 for other kernels.
        """
        return np.zeros((len(X), 0)) if self.low is None else self.low.features(X) - self.place

    def at(self, X: Points) -> Vector:
        """Return <m_o, φ(x_i)>.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The points.

        Returns
        -------
        ndarray of shape (n,)
            The values.
        """
        return sum((values(self.contrast, fan, X) for fan in self.fans), np.zeros(len(X)))

    def inner(self, other: Centre) -> float:
        """Return <m_o, l_o> with another centre of the same contrast.

        Parameters
        ----------
        other : Centre
            The other centre.

        Returns
        -------
        float
            The inner product.
        """
        return sum(inner(self.contrast, a, b)[0] for a in self.fans for b in other.fans)

    def is_on(self, X: Points) -> bool:
        """Return whether the centre is a combination of the k(x_i, .) in their order.

        Their Gram matrix then determines it.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The points.

        Returns
        -------
        bool
            The answer.
        """
        block = self.blocks[0]
        return len(self.blocks) == 1 and block.covariance is None and np.array_equal(block.points, X)

    def size(self, F: Matrix) -> float:
        """Return the size of the squares from which features were subtracted, a bound of their rounding.

        Parameters
        ----------
        F : ndarray of shape (n, r)
            The features.

        Returns
        -------
        float
            The size.
        """
        return float(np.square(F).sum(axis=1).max() + self.place @ self.place)

    def beyond(self, X: Points) -> Any:
        """Return <φ(x_i) - φ(o) - m_o, φ(o)> for an origin o.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The points.

        Returns
        -------
        ndarray of shape (n,)
            The inner products.
        """
        own = sum(float(b.weights @ self.contrast.to_origin(b.points, b.covariance)) for b in self.blocks)
        return self.contrast.to_origin(X, None) - own

    def gram(self, X: Points) -> tuple[Matrix, float]:
        """Return the Gram matrix of centred features, and the size of the terms from which it was subtracted.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The points.

        Returns
        -------
        K : ndarray of shape (n, n)
            The inner products <φ(x_i) - m, φ(x_j) - m>.
        size : float
            The size of the terms.
        """
        if self.low is not None:
            F = self.features(X)
            return F @ F.T, self.size(F)
        K = self.contrast(X)
        if self.is_on(X):
            at = K @ self.blocks[0].weights
            square = at @ self.blocks[0].weights
        else:
            at, square = self.at(X), self.inner(self)
        moved: Any = at - square / 2
        if self.rest:
            moved = moved - self.rest * (self.beyond(X) + self.rest * self.contrast.at_origin / 2)
        size = float(K.diagonal().max() + 2 * np.abs(moved).max())
        # The second subtraction is in place, as they take half of the time for many points. The first one makes a
        # copy, since K may be a kernel's own table.
        K = K - moved[:, None]
        K -= moved
        return K, size

    def between(self, X: Points, other: Centre, Y: Points) -> Matrix:
        """Return <φ(x_i) - m, φ(y_j) - l>, for a centre l of the same contrast.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The points of this centre.
        other : Centre
            The centre l.
        Y : ndarray of shape (p, d)
            The points of the other centre.

        Returns
        -------
        ndarray of shape (n, p)
            The inner products.
        """
        if self.low is not None:
            return self.features(X) @ other.features(Y).T
        K = self.contrast(X, Y)
        at = K @ other.blocks[0].weights if other.is_on(Y) else other.at(X)
        K = K - at[:, None] - self.at(Y) + self.inner(other)
        if other.rest:
            K += other.rest * self.beyond(X)[:, None]
        if self.rest:
            K += self.rest * (other.beyond(Y) + other.rest * self.contrast.at_origin)
        return K

    def diagonal(self, X: Points) -> Vector:
        """Return |φ(x_i) - m|^2; rounding below 0 is 0.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The points.

        Returns
        -------
        ndarray of shape (n,)
            The squares.
        """
        if self.low is not None:
            return np.square(self.features(X)).sum(axis=1)
        square = self.contrast.expected_diagonal(X, None) - 2 * self.at(X) + self.inner(self)
        if self.rest:
            square = square + self.rest * (2 * self.beyond(X) + self.rest * self.contrast.at_origin)
        return np.maximum(square, 0.0)


class CentredKernel(Kernel):
    """Kernel <k(x, .) - m, k(y, .) - m>^p of tensor powers φ~(x)^⊗p of centred features.

    Parameters
    ----------
    kernel : Kernel
        The kernel k, with its bandwidth chosen.
    centre : Embedding
        The centre m, an Embedding under k: a kernel mean, or any estimate of it.
    order : int, default 1
        The power p: 1 for the centred features themselves, 2 for those of covariance operators.

    Notes
    -----
    A sample's kernel mean under it is Σ β_i φ~(x_i)^⊗p, for p = 2 a covariance operator, with the Hilbert-Schmidt inner
    product. Digits that k loses far from 0 or under a wide bandwidth are kept, see `Kernel.contrast`. Values are in
    units of k^p; points carry no noise.

    References
    ----------
    Muandet et al. 2016, Kernel Mean Shrinkage Estimators ([muandet2016shrinkage]), appendices D and E.

    Examples
    --------
    >>> from explorer import KME, Linear
    >>> from explorer.operators import CentredKernel
    >>> X = [[0.0], [2.0]]
    >>> CentredKernel(Linear(), KME(Linear()).embed(X), 2)(X)
    array([[1., 1.],
           [1., 1.]])
    """

    kernel: Kernel = RequiredPart(class_=Kernel, doc="the kernel whose features are centred")
    centre: Embedding = RequiredPart(class_=Embedding, doc="what is subtracted from the features")
    order: int = Whole(default=1, bounds=(1, None), symbol="p", doc="how many features are multiplied")

    @property
    def bounded(self) -> bool:
        return self.kernel.bounded

    @property
    def text(self) -> bool:
        return self.kernel.text

    @property
    def space(self) -> str:
        return self.kernel.space

    @property
    def growth(self) -> float:
        return self.kernel.growth * self.order

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        return self.kernel.points(X, name, at_least)

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        """Return <φ~(x_i), φ~(y_j)>, (n, m), of order one."""
        seen = Centre(self.centre)
        return seen.gram(X)[0] if Y is None else seen.between(X, seen, Y)

    def of_pairs(self, S: Matrix) -> Matrix:
        return S if self.order == 1 else S**self.order

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        return self.of_pairs(self.pairs(*self._two(X, Y)))

    def diagonal(self, X: PointsLike) -> Vector:
        return self.of_pairs(Centre(self.centre).diagonal(self.points(X)))
