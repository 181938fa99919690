"""Bags as points of the RKHS: how far their kernel means are apart, and a map of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.kernels import Precomputed
from explorer.learning import bag_gram
from explorer.operators import KernelPCA


class Space(NamedTuple):
    """RKHS distances between the bags' kernel means, (l, l), and of the stretched bag to them, (stops, l); places on
    the map: the first two kernel principal components, (l, 2) and (stops, 2).
    """

    distances: np.ndarray
    stretched: np.ndarray
    places: np.ndarray
    moved: np.ndarray


def space_of(bags, y, kernel, estimator, by_stop):
    """The Space of bags; `by_stop(compute)` is what `compute` makes of the stretched bags (stops, n, d)."""
    G = bag_gram(bags, kernel, estimator=estimator)
    squares = G.diagonal()
    pca = KernelPCA(Precomputed(G), 2).fit(np.arange(len(G))[:, None])
    scores = pca.transform(pca.X_)
    turn = np.where(scores.T @ (y - y.mean()) < 0, -1.0, 1.0)  # what is told lies to the right
    lacking = ((0, 0), (0, 2 - len(turn)))
    axes = np.pad(pca.components_ * turn, lacking)

    def seen(points):
        """Distances to the bags, and places beside them."""
        to = bag_gram(points, kernel, bags, estimator)
        own = np.array([bag_gram([each], kernel, estimator=estimator)[0, 0] for each in points])
        centred = to - to.mean(axis=1, keepdims=True) - G.mean(axis=0) + G.mean()
        return np.hstack([np.sqrt(np.maximum(own[:, None] + squares - 2 * to, 0.0)), centred @ axes])

    stretched, distances = by_stop(seen), np.sqrt(np.maximum(squares[:, None] + squares - 2 * G, 0.0))
    return Space(distances, stretched[:, :-2], np.pad(scores * turn, lacking), stretched[:, -2:])
