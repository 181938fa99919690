"""The kernel means of many bags, pooled: points and weights of all of them in one array."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.mean_estimators import checked_estimator
from explorer.embeddings import Embedding
from explorer.embeddings.blocks import Block
from explorer.embeddings.law import Law
from explorer.estimators import Estimator
from explorer.kernels import Kernel
from explorer.linalg import ROUNDING
from explorer.types import Rows, Vector

TOGETHER = 128  # bags with at most this many points in total share a kernel call, as the call itself costs most


class Part(NamedTuple):
    """The points of all bags that carry one covariance.

    Attributes
    ----------
    points : ndarray of shape (N, d)
        The points.
    weights : ndarray of shape (N,)
        Their weights.
    bags : ndarray of shape (N,)
        The bag of each point, rising.
    covariance : ndarray of shape (d, d) or None
        The covariance; None for point masses.
    """

    points: np.ndarray
    weights: np.ndarray
    bags: np.ndarray
    covariance: np.ndarray | None


class Means(NamedTuple):
    """The kernel means Σ w_p E k(x_p + u_p, .) of `count` bags under one kernel, in parts."""

    kernel: Kernel
    parts: tuple[Part, ...]
    count: int  # pyright: ignore[reportIncompatibleMethodOverride], a tuple's own counts a value

    def of_bags(self, chosen: Rows) -> Means:
        """Return the means of some bags, given by indices in their order."""
        place = np.full(self.count, -1)
        place[chosen] = np.arange(len(chosen))
        parts = []
        for part in self.parts:
            kept = np.flatnonzero(place[part.bags] >= 0)
            if len(kept):
                kept = kept[np.argsort(place[part.bags[kept]], kind="stable")]
                parts.append(Part(part.points[kept], part.weights[kept], place[part.bags[kept]], part.covariance))
        return Means(self.kernel, tuple(parts), len(chosen))

    def batches(self) -> list[Means]:
        """Return the means in batches of bags: bags of few points together, unless their covariances differ."""
        first_part, *others = self.parts
        if others:
            return self.one_by_one()
        points, weights, bags, covariance = first_part
        found, first = [], 0
        starts = np.append(np.flatnonzero(np.diff(bags, prepend=-1)), len(bags))
        for i in range(1, self.count + 1):
            if i == self.count or starts[i + 1] - starts[first] > TOGETHER:
                rows = slice(starts[first], starts[i])
                part = Part(points[rows], weights[rows], bags[rows] - first, covariance)
                found.append(Means(self.kernel, (part,), i - first))
                first = i
        return found

    def one_by_one(self) -> list[Means]:
        """Return the means of each bag alone."""
        pieces: list[list[Part]] = [[] for _ in range(self.count)]
        for points, weights, bags, covariance in self.parts:
            cuts = np.flatnonzero(np.diff(bags)) + 1
            for x, w, own in zip(*(np.split(each, cuts) for each in (points, weights, bags)), strict=True):
                pieces[own[0]].append(Part(x, w, np.zeros(len(w), int), covariance))
        return [Means(self.kernel, tuple(each), 1) for each in pieces]

    @property
    def masses(self) -> Vector:
        """The sum of each bag's weights, (l,), rounded to a whole number if it differs from one by rounding alone."""
        total, size = np.zeros(self.count), np.zeros(self.count)
        for part in self.parts:
            np.add.at(total, part.bags, part.weights)
            np.add.at(size, part.bags, np.abs(part.weights))
        whole = np.round(total)
        return np.where(np.abs(total - whole) <= ROUNDING * size, whole, total)


def means_of(bags: list[Any], kernel: Kernel, estimator: Estimator | None) -> Means:
    """Return the kernel mean of each of checked `bags`; that of a sample is by the estimator.

    Parameters
    ----------
    bags : list
        Checked bags.
    kernel : Kernel
        The kernel, with its parameters chosen.
    estimator : Estimator or None
        The estimator, whose λ or σ is chosen on each sample alone; None is KME().

    Returns
    -------
    Means
        The kernel means.

    Raises
    ------
    Refusal
        If the estimator has another kernel, or cannot choose on a bag.
    """
    given = checked_estimator(estimator, kernel, "biased").replace(kernel=kernel)
    if given.plain and getattr(given, "approximation", None) is None and all(isinstance(b, np.ndarray) for b in bags):
        sizes = np.array([len(bag) for bag in bags])
        part = Part(np.concatenate(bags), np.repeat(1 / sizes, sizes), np.repeat(np.arange(len(bags)), sizes), None)
        return Means(kernel, (part,), len(bags))
    pieces: dict[Any, list[tuple[int, Block]]] = {}
    for i, bag in enumerate(bags):
        for block in _blocks(bag, kernel, given, i):
            key = None if block.covariance is None else block.covariance.tobytes()
            pieces.setdefault(key, []).append((i, block))
    return Means(kernel, tuple(_part(each) for each in pieces.values()), len(bags))


def _blocks(bag, kernel, estimator, i):
    """Return the blocks of the kernel mean of the i-th bag."""
    if isinstance(bag, Law):
        return bag.embed(kernel).blocks
    if isinstance(bag, Embedding):
        embedding = bag
    else:
        try:
            embedding = estimator.select(bag).embed(bag)
        except Refusal as refusal:
            raise Refusal(f"bags[{i}]: {refusal}") from None
    if embedding.kernel != kernel:
        raise Refusal(
            f"bags[{i}] is embedded under {checks.echo(embedding.kernel)} and the kernel of the bags is"
            f" {checks.echo(kernel)}; all bags need one kernel, with its bandwidth given."
        )
    return embedding.blocks


def _part(pieces):
    """Return the part of blocks with one covariance, each with the number of its bag."""
    sizes = [len(block.weights) for _, block in pieces]
    points, weights = (np.concatenate([getattr(block, name) for _, block in pieces]) for name in ("points", "weights"))
    return Part(points, weights, np.repeat([i for i, _ in pieces], sizes), pieces[0][1].covariance)
