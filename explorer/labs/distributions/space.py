"""Bags as points of the RKHS: the distances between their kernel means, and a map of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.learning.bags.inner_products import Distances
from explorer.learning.bags.means import means_of
from explorer.linalg import classical_scaling
from explorer.types import Matrix, Vector

if TYPE_CHECKING:
    from explorer.estimators.base import Estimator
    from explorer.kernels.gaussian import Gaussian


class Space(NamedTuple):
    """RKHS distances between bags, and their positions on a map.

    Attributes
    ----------
    distances : ndarray of shape (l, l)
        RKHS distances between the bags' kernel means.
    stretched : ndarray of shape (stops, l)
        RKHS distances of the stretched bag to them.
    positions : ndarray of shape (l, 2)
        First two kernel principal components of the bags.
    moved : ndarray of shape (stops, 2)
        Those of the stretched bag.
    """

    distances: np.ndarray
    stretched: np.ndarray
    positions: np.ndarray
    moved: np.ndarray


def distances_of(bags: Sequence[Matrix], kernel: Gaussian, estimator: Estimator) -> Distances:
    """Return the Distances between the kernel means of bags."""
    return Distances(means_of(list(bags), kernel, estimator))


def space_of(apart: Distances, y: Vector, kernel: Gaussian, estimator: Estimator, by_stop: Callable[..., Any]) -> Space:
    """Return the Space of bags from their Distances. `by_stop(compute)` applies a function to the stretched bags."""
    squared = apart.among()
    places, among = classical_scaling(squared, 2)
    # orient the map so that the separated class lies to the right
    turn = np.where(places.T @ (y - y.mean()) < 0, -1.0, 1.0)

    def distances_and_positions(points):
        """Return the distances to the bags, followed by the positions on the map."""
        to = apart.to(means_of(list(points), kernel, estimator))
        return np.hstack([np.sqrt(to), among(to) * turn])

    stretched = by_stop(distances_and_positions)
    return Space(np.sqrt(squared), stretched[:, :-2], places * turn, stretched[:, -2:])
