"""Sorted order of a sample's values with ties grouped, and their ranks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.types import Rows, Values, Vector


class Ties(NamedTuple):
    """Rows of a sample in increasing order, with equal values grouped. Sums over larger values need this order.

    Attributes
    ----------
    order : ndarray of shape (n,)
        Rows in increasing order of their values.
    starts : ndarray of shape (g,)
        Position in that order at which each of the g different values starts.
    stops : ndarray of shape (g,)
        Position at which each value ends.
    value : ndarray of shape (n,)
        Number of the value that each row has, from 0 to g - 1.
    """

    order: Rows
    starts: Rows
    stops: Rows
    value: Rows

    @classmethod
    def of(cls, x: Vector) -> Ties:
        """Sort a column and group its ties.

        Parameters
        ----------
        x : ndarray of shape (n,)
            Column of a sample.

        Returns
        -------
        Ties
            The sorted rows.
        """
        order = np.argsort(x, kind="stable")
        increases = np.diff(x[order], prepend=-np.inf) > 0
        starts = np.flatnonzero(increases)
        value = np.empty(len(x), np.intp)
        value[order] = np.cumsum(increases) - 1
        return cls(order, starts, np.append(starts[1:], len(x)), value)

    def midranks(self) -> Vector:
        """Return the ranks 1, ..., n. Equal values share the mean of their ranks.

        Returns
        -------
        ndarray of shape (n,)
            The midrank of each row.
        """
        return ((self.starts + 1 + self.stops) / 2)[self.value]

    def ranks(self) -> Vector:
        """Return midranks u from 0 to 1, each in the middle of its step: (rank - 1/2) / n.

        Returns
        -------
        ndarray of shape (n,)
            The rank of each row.
        """
        return ((self.starts + self.stops) / (2 * max(len(self.value), 1)))[self.value]

    def by_ranks(self, weights: Values) -> Values:
        """Compute the influence of each row on Σ_t w_t u_t / n through the ranks alone, for fixed weights.

        Parameters
        ----------
        weights : ndarray of shape (..., n)
            Weights w of the ranks u.

        Returns
        -------
        ndarray of shape (..., n)
            The influence of each row.

        Notes
        -----
        The influence of row i is (1/n) Σ_t (h(x_i, x_t) - u_t) w_t, with h(x, y) = 1 for x < y and 1/2 for x = y. As
        u_t = (1/n) Σ_i h(x_i, x_t), row i moves the rank of every larger value.
        """
        n = len(self.value)
        sums = np.zeros((*weights.shape[:-1], n + 1))
        np.cumsum(weights.take(self.order, axis=-1), axis=-1, out=sums[..., 1:])
        not_above = (sums[..., self.starts] + sums[..., self.stops]) / 2  # Σ w_t of smaller values, half of equal ones
        average = (not_above * (self.stops - self.starts)).sum(axis=-1, keepdims=True) / n
        return ((average - not_above) / n).take(self.value, axis=-1)
