"""What is known of y at one x for every regulariser at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from explorer.types import Matrix, Points, Vector

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding
    from explorer.kernels.base import Kernel

    from .leave_one_out import Refits


ROUNDING = 100 * np.finfo(float).eps  # of the terms' size: what is left where the two means are the same


class Fan(NamedTuple):
    """β(x) for each λ, a row each, from one eigendecomposition, and what it says of y.

    weights (r, n); mean (r,), of y's first column; distance (r,), to the exact conditional kernel mean, nan where that
    is unknown; score (r,) of leave-one-out
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
        """At x (1, d) and λ (r,) with their scores (r,): the Refits of pairs X, Y under kernels of x and of y.

        exact is an Embedding, or None.
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
        """The sum of the weights, (r,)."""
        return self.weights.sum(axis=1)

    @property
    def negative(self) -> Vector:
        """The share of the weights' size that is negative, (r,); 0 where all weights are."""
        below, size = np.maximum(-self.weights, 0).sum(axis=1), np.abs(self.weights).sum(axis=1)
        return np.divide(below, size, out=np.zeros(len(size)), where=size > 0)
