"""Blocks of an embedding: points and weights that share one covariance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.printing import printed
from explorer.types import Points, Values, Weights


@printed
class Block(NamedTuple):
    """Points that share one covariance; None stands for zero: point masses.

    Attributes
    ----------
    points : ndarray of shape (n, d)
        The points.
    weights : ndarray of shape (n,)
        Their weights.
    covariance : ndarray of shape (d, d) or None
        Their covariance.
    """

    points: np.ndarray
    weights: np.ndarray
    covariance: np.ndarray | None

    def signature(self) -> tuple[Any, ...]:
        """Return a cheap summary that equal blocks share, so that few of many blocks need to be compared in full.

        Returns
        -------
        tuple
            The shape of the points, and the first numbers of points and covariance.
        """
        first = None if self.covariance is None else self.covariance.flat[0]
        return self.points.shape, self.points.flat[0], first

    def coincides(self, other: Block) -> bool:
        """Return whether both blocks have the same points and the same covariance.

        Parameters
        ----------
        other : Block
            The other block.

        Returns
        -------
        bool
            Whether they do.
        """
        return _same(self.points, other.points) and _same(self.covariance, other.covariance)

    @classmethod
    def of(cls, points: Points, weights: Weights, covariance: Values | None) -> Self:
        """Create a block of read-only arrays; a covariance of zeros becomes None.

        Parameters
        ----------
        points : ndarray of shape (n, d)
            The points.
        weights : ndarray of shape (n,)
            Their weights.
        covariance : ndarray or None
            Their covariance: a variance, (d,) variances or (d, d).

        Returns
        -------
        Block
            The block.
        """
        if covariance is not None:
            covariance = checks.covariance(covariance, points.shape[1])
            covariance = checks.read_only(covariance) if covariance.any() else None
        return cls(checks.read_only(points), checks.read_only(weights), covariance)


def merge_blocks(blocks: Iterable[Any] | Sequence[Block]) -> tuple[Block, ...]:
    """Merge blocks at the same points, so that e - f of two weightings of a sample cancels exactly.

    Parameters
    ----------
    blocks : iterable of Block
        The blocks.

    Returns
    -------
    tuple of Block
        The merged blocks.
    """
    merged, alike = [], {}
    for block in blocks:
        candidates = alike.setdefault(block.signature(), [])
        for i in candidates:
            if block.coincides(merged[i]):
                merged[i] = merged[i]._replace(weights=checks.read_only(merged[i].weights + block.weights))
                break
        else:
            candidates.append(len(merged))
            merged.append(block)
    return tuple(merged)


def _same(a, b):
    return a is b or (a is not None and b is not None and np.array_equal(a, b))
