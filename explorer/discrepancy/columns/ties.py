"""The order of a sample's values, with equal ones together, and their ranks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.types import Rows, Values, Vector


class Ties(NamedTuple):
    """The rows of a sample in increasing order, with equal values together: what sums over larger values need."""

    order: Rows
    """Rows, (n,), in increasing order of their values."""
    starts: Rows
    """Where in that order each of the g different values starts, (g,)."""
    stops: Rows
    """Where it ends, (g,)."""
    value: Rows
    """Which of the g values each row has, (n,)."""

    @classmethod
    def of(cls, x: Vector) -> Ties:
        """Of a sample's column x (n,)."""
        order = np.argsort(x, kind="stable")
        increases = np.diff(x[order], prepend=-np.inf) > 0
        starts = np.flatnonzero(increases)
        value = np.empty(len(x), np.intp)
        value[order] = np.cumsum(increases) - 1
        return cls(order, starts, np.append(starts[1:], len(x)), value)

    def midranks(self) -> Vector:
        """The ranks 1, ..., n, equal values sharing the mean of theirs, (n,)."""
        return ((self.starts + 1 + self.stops) / 2)[self.value]

    def ranks(self) -> Vector:
        """Midranks u from 0 to 1, (n,), each in the middle of its step: (rank - 1/2) / n."""
        return ((self.starts + self.stops) / (2 * max(len(self.value), 1)))[self.value]

    def by_ranks(self, weights: Values) -> Values:
        """Influence of each row on Σ_t w_t u_t / n through the ranks alone, of weights (..., n) that stay.

        (1/n) Σ_t (h(x_i, x_t) - u_t) w_t with h(x, y) = 1 for x < y, 1/2 for x = y: as u_t = (1/n) Σ_i h(x_i, x_t),
        row i moves the rank of every larger value.
        """
        n = len(self.value)
        sums = np.zeros((*weights.shape[:-1], n + 1))
        np.cumsum(weights.take(self.order, axis=-1), axis=-1, out=sums[..., 1:])
        not_above = (sums[..., self.starts] + sums[..., self.stops]) / 2  # Σ w_t of smaller values, half of equal ones
        average = (not_above * (self.stops - self.starts)).sum(axis=-1, keepdims=True) / n
        return ((average - not_above) / n).take(self.value, axis=-1)
