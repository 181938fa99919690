"""Predictions of y at one x for every regulariser at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from explorer.types import Matrix, Points, Vector

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding
    from explorer.kernels.base import Kernel

    from .leave_one_out import Refits


ROUNDING = 100 * np.finfo(float).eps  # relative to the terms, a squared distance this small may be pure rounding


class Fan(NamedTuple):
    """Weights β(x) at one x for each λ, from one eigendecomposition, and their predictions of y.

    Attributes
    ----------
    weights : ndarray of shape (r, n)
        β(x), a row for each λ.
    mean : ndarray of shape (r,)
        Mean of y's first column.
    distance : ndarray of shape (r,)
        RKHS distance to the exact conditional kernel mean, nan if that is unknown.
    score : ndarray of shape (r,)
        Leave-one-out score.
    """

    weights: np.ndarray
    mean: np.ndarray
    distance: np.ndarray
    score: np.ndarray

    @classmethod
    def at(
        cls,
        refits: Refits,
        kernels: tuple[Kernel, Kernel],
        X: Points,
        Y: Points,
        x: Matrix,
        lams: Vector,
        scores: Vector,
        exact: Embedding | None = None,
    ) -> Self:
        """Return the Fan at x for each λ.

        Parameters
        ----------
        refits : Refits
            Refits of the pairs X, Y.
        kernels : tuple of Kernel
            Kernels of x and of y.
        X, Y : ndarray
            Points of the pairs.
        x : ndarray of shape (1, d)
            One point.
        lams : ndarray of shape (r,)
            Values of λ.
        scores : ndarray of shape (r,)
            Leave-one-out scores of these λ.
        exact : Embedding or None, default None
            The exact conditional kernel mean.

        Returns
        -------
        Fan
            A row for each λ.
        """
        B = refits.weights(kernels[0](X, x)[:, 0], lams)
        distance = np.full(len(B), np.nan)
        if exact is not None:
            terms = np.einsum("ri,ri->r", B @ kernels[1](Y), B), 2 * (B @ exact(Y)), exact.inner(exact)
            square = terms[0] - terms[1] + terms[2]
            distance = np.sqrt(np.where(square > ROUNDING * sum(map(np.abs, terms)), square, 0.0))
        return cls(B, B @ Y[:, 0], distance, scores)

    @property
    def total(self) -> Vector:
        """Sum of the weights, shape (r,)."""
        return self.weights.sum(axis=1)

    @property
    def negative(self) -> Vector:
        """Share of the weights' absolute sum that is negative, shape (r,); 0 if all weights are 0."""
        below, size = np.maximum(-self.weights, 0).sum(axis=1), np.abs(self.weights).sum(axis=1)
        return np.divide(below, size, out=np.zeros(len(size)), where=size > 0)
