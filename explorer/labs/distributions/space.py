"""Bags as points of the RKHS: how far their kernel means are apart, and a map of them."""

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
    """RKHS distances between the bags' kernel means, (l, l), and of the stretched bag to them, (stops, l); places on
    the map: the first two kernel principal components, (l, 2) and (stops, 2).
    """

    distances: np.ndarray
    stretched: np.ndarray
    places: np.ndarray
    moved: np.ndarray


def distances_of(bags: Sequence[Matrix], kernel: Gaussian, estimator: Estimator) -> Distances:
    """The Distances between the kernel means of bags."""
    return Distances(means_of(list(bags), kernel, estimator))


def space_of(apart: Distances, y: Vector, kernel: Gaussian, estimator: Estimator, by_stop: Callable[..., Any]) -> Space:
    """The Space of bags by their Distances; `by_stop(compute)` is what `compute` makes of the stretched bags."""
    squared = apart.among()
    places, among = classical_scaling(squared, 2)
    turn = np.where(places.T @ (y - y.mean()) < 0, -1.0, 1.0)  # what is told lies to the right

    def seen(points):
        """Distances to the bags, and places beside them."""
        to = apart.to(means_of(list(points), kernel, estimator))
        return np.hstack([np.sqrt(to), among(to) * turn])

    stretched = by_stop(seen)
    return Space(np.sqrt(squared), stretched[:, :-2], places * turn, stretched[:, -2:])
