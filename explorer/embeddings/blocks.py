"""What an embedding is made of: points and weights that share one covariance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.printing import printed
from explorer.types import Points, Values, Weights


@printed
class Block(NamedTuple):
    """Points that share one covariance; None stands for zero: point masses."""

    points: np.ndarray
    weights: np.ndarray
    covariance: np.ndarray | None

    def signature(self) -> tuple[Any, ...]:
        """What blocks that meet share, at the cost of two numbers: of many blocks few need to be compared in full."""
        first = None if self.covariance is None else self.covariance.flat[0]
        return self.points.shape, self.points.flat[0], first

    def coincides(self, other: Block) -> bool:
        """Whether both blocks sit at the same points with the same covariance."""
        return _same(self.points, other.points) and _same(self.covariance, other.covariance)

    @classmethod
    def of(cls, points: Points, weights: Weights, covariance: Values | None) -> Self:
        """The block of arrays that nobody else may write to; a covariance of zeros is None."""
        if covariance is not None:
            covariance = checks.covariance(covariance, points.shape[1])
            covariance = checks.read_only(covariance) if covariance.any() else None
        return cls(checks.read_only(points), checks.read_only(weights), covariance)


def merge_blocks(blocks: Iterable[Any] | Sequence[Block]) -> tuple[Block, ...]:
    """Blocks at the same points become one, so that e - f of two weightings of a sample cancels exactly."""
    kept, alike = [], {}
    for block in blocks:
        candidates = alike.setdefault(block.signature(), [])
        for i in candidates:
            if block.coincides(kept[i]):
                kept[i] = kept[i]._replace(weights=checks.read_only(kept[i].weights + block.weights))
                break
        else:
            candidates.append(len(kept))
            kept.append(block)
    return tuple(kept)


def _same(a, b):
    return a is b or (a is not None and b is not None and np.array_equal(a, b))
