"""Features with a centre taken off, φ~(x) = k(x, .) - m for any embedding m, and the kernel of their tensor powers."""

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
    """An embedding m that features are seen from, by a contrast that may be common to several of them.

    With increments from an origin o, φ(x) - m = (φ(x) - φ(o)) - m_o + rest φ(o), where m_o has the weights of m on
    increments and rest is 1 less their sum, 0 for a mean: nothing large is subtracted. Else m_o is m, and rest 0.
    """

    rest: float
    contrast: Any  # a kernel, or its Increments, which alone have what `rest` asks for
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
        """φ(x_i) - m in coordinates, (n, r), for a kernel of finite rank; (n, 0) for others."""
        return np.zeros((len(X), 0)) if self.low is None else self.low.features(X) - self.place

    def at(self, X: Points) -> Vector:
        """<m_o, φ(x_i)>, (n,)."""
        return sum((values(self.contrast, fan, X) for fan in self.fans), np.zeros(len(X)))

    def inner(self, other: Centre) -> float:
        """<m_o, l_o> with another centre of the same contrast."""
        return sum(inner(self.contrast, a, b)[0] for a in self.fans for b in other.fans)

    def is_on(self, X: Points) -> bool:
        """Whether it is a combination of the k(x_i, .) in their order, so that their Gram matrix knows all of it."""
        block = self.blocks[0]
        return len(self.blocks) == 1 and block.covariance is None and np.array_equal(block.points, X)

    def size(self, F: Matrix) -> float:
        """The size of the squares that features F (n, r) were subtracted in."""
        return float(np.square(F).sum(axis=1).max() + self.place @ self.place)

    def beyond(self, X: Points) -> Any:
        """<φ(x_i) - φ(o) - m_o, φ(o)>, (n,), for an origin o."""
        own = sum(float(b.weights @ self.contrast.to_origin(b.points, b.covariance)) for b in self.blocks)
        return self.contrast.to_origin(X, None) - own

    def gram(self, X: Points) -> tuple[Matrix, float]:
        """<φ(x_i) - m, φ(x_j) - m>, (n, n), and the size of the terms that it was subtracted from."""
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
        # in place: of many points these are half of the time; K may be a kernel's own table
        K = K - moved[:, None]
        K -= moved
        return K, size

    def between(self, X: Points, other: Centre, Y: Points) -> Matrix:
        """<φ(x_i) - m, φ(y_j) - l>, (n, p), for a centre l of the same contrast."""
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
        """|φ(x_i) - m|^2, (n,); rounding below 0 is 0."""
        if self.low is not None:
            return np.square(self.features(X)).sum(axis=1)
        square = self.contrast.expected_diagonal(X, None) - 2 * self.at(X) + self.inner(self)
        if self.rest:
            square = square + self.rest * (2 * self.beyond(X) + self.rest * self.contrast.at_origin)
        return np.maximum(square, 0.0)


class CentredKernel(Kernel):
    """<k(x, .) - m, k(y, .) - m>^p, the kernel of tensor powers φ~(x)^⊗p of features with a centre taken off.

    kernel  k, its bandwidth chosen
    centre  m, an Embedding under k: a kernel mean, or any estimate of it
    order   p: 1 for the centred features themselves, 2 for those of covariance operators

    A sample's kernel mean under it is Σ β_i φ~(x_i)^⊗p, for p = 2 a covariance operator, with the Hilbert-Schmidt inner
    product. Digits that k loses far from 0 or under a wide bandwidth are kept, see `Kernel.contrast`. In units of k^p;
    points carry no noise. Paper 002, appendices D and E.

    >>> from explorer import KME, Linear
    >>> from explorer.operators import CentredKernel
    >>> X = [[0.0], [2.0]]
    >>> CentredKernel(Linear(), KME(Linear()).embed(X), 2)(X)
    array([[1., 1.],
           [1., 1.]])
    """

    kernel: Kernel = RequiredPart(class_=Kernel, doc="the kernel whose features are centred")
    centre: Embedding = RequiredPart(class_=Embedding, doc="what is taken off the features")
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
        """<φ~(x_i), φ~(y_j)>, (n, m), of the first order."""
        seen = Centre(self.centre)
        return seen.gram(X)[0] if Y is None else seen.between(X, seen, Y)

    def of_pairs(self, S: Matrix) -> Matrix:
        return S if self.order == 1 else S**self.order

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        return self.of_pairs(self.pairs(*self._two(X, Y)))

    def diagonal(self, X: PointsLike) -> Vector:
        return self.of_pairs(Centre(self.centre).diagonal(self.points(X)))
