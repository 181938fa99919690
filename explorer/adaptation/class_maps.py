"""How far a source is from a target whose classes were each stretched and moved, and the best maps of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from explorer.kernels.distances import squared_distances
from explorer.rng import stream
from explorer.types import Mask, Matrix, Points, Rows, Values, Vector

COARSE = (4.0, 2.0, 1.0)  # bandwidths that the search goes through, in those of the kernel
ITERATIONS = (40, 40, 300)  # of L-BFGS-B at each, at most
AGAIN = 3  # starts at random, where the first ones have not found a match
STRETCH = 1e3  # how much wider or narrower a class may become
SAME = 1e-6  # of the target mean's squared norm: starts that end as near as that have found the same


class Maps(NamedTuple):
    """x -> x * scale_c + shift_c for each class c: both (c, d); shares (c,) of the classes, which sum to one."""

    scale: np.ndarray
    shift: np.ndarray
    shares: np.ndarray


class ClassMatch:
    """J = |Σ_c π_c mean_{i in c} k(x_i * W_c + B_c, .) - μ_target|² of a Gaussian kernel, less |μ_target|².

    X, of_point  the source's points (n, d) and their classes (n,), from 0 on; target (m, d)
    free         whether the shares π may differ from the source's
    copies       (n,), for how many rows each point of the source stands; None is one

    The classes are counted in their own units, z = (x - mean_c) / sd_c, so that all numbers searched for are of one
    size: u = (log of the new sd / sd of the target, new mean, logits of π).
    """

    of_point: Rows
    free: bool
    origin: Any
    lengths: Values
    target: Any
    sd: Any
    copies: Vector
    counts: np.ndarray
    member: Matrix
    unit: Vector
    mean: Matrix
    stiff: Mask
    z: Matrix

    def __init__(
        self, X: Points, of_point: Rows, target: Matrix, bandwidth: float, free: bool, copies: Vector | None = None
    ) -> None:
        self.of_point, self.free = of_point, free
        self.copies = np.ones(len(X)) if copies is None else copies
        self.counts = np.bincount(of_point, self.copies)
        self.member = np.equal.outer(of_point, np.arange(len(self.counts))).astype(float)
        # in units of the target's spread, about its middle: the search knows no units
        self.origin, self.unit = target.mean(axis=0), np.where(target.std(axis=0) > 0, target.std(axis=0), 1.0)
        self.lengths = bandwidth / self.unit
        self.target = (target - self.origin) / self.unit
        there = (X - self.origin) / self.unit
        self.mean = self._averages(there)
        self.sd = np.sqrt(self._averages((there - self.mean[of_point]) ** 2))
        # a column that does not vary in a class has no scale; its deviations from a mean may be rounding
        self.stiff = np.array([np.ptp(X[of_point == c], axis=0) == 0 for c in range(len(self.counts))])
        self.sd[self.stiff] = 1.0
        self.z = (there - self.mean[of_point]) / self.sd[of_point]

    def _averages(self, values):
        return self.member.T @ (self.copies[:, None] * values) / self.counts[:, None]

    @property
    def _sizes(self):
        return len(self.counts), self.z.shape[1]

    def starts(self) -> list[Vector]:
        """Where the search begins: the classes as they are, and all of them moved as the two samples' moments are."""
        logits, n = np.log(self.counts), self.counts.sum()
        middle = self.counts @ self.mean / n
        spread = np.sqrt(self.counts @ ((self.mean - middle) ** 2 + self.sd**2) / n)
        as_they_are = np.concatenate([np.log(self.sd).ravel(), self.mean.ravel(), logits])
        moved = (self.mean - middle) / spread
        return [as_they_are, np.concatenate([np.log(self.sd / spread).ravel(), moved.ravel(), logits])]

    def other_starts(self) -> Iterator[Vector | None]:
        """Where it begins again: the classes at points of the target drawn at random, always the same ones."""
        (c, d), rng = self._sizes, stream(0, "starts")
        if c == 1 or len(self.target) < c:
            return
        for _ in range(AGAIN):
            middles = self.target[rng.choice(len(self.target), c, replace=False)]
            yield np.concatenate([np.full(c * d, np.log(1 / c)), middles.ravel(), np.log(self.counts)])

    def parts(self, u: Vector) -> tuple[Matrix, Matrix, Vector]:
        """(new sd (c, d), new mean (c, d), shares (c,)) of a vector u."""
        c, d = self._sizes
        logits = u[2 * c * d :]
        shares = np.exp(logits - logits.max())
        return np.exp(u[: c * d]).reshape(c, d), u[c * d : 2 * c * d].reshape(c, d), shares / shares.sum()

    def __call__(self, u: Vector, wider: float = 1.0) -> tuple[float, Vector]:
        """J and its gradient in u, under a bandwidth so many times the kernel's."""
        sd, mean, shares = self.parts(u)
        of, lengths = self.of_point, self.lengths * wider
        new = self.z * sd[of] + mean[of]
        p, m = (shares / self.counts)[of] * self.copies, len(self.target)
        own = np.exp(-0.5 * squared_distances(new / lengths, None))
        cross = np.exp(-0.5 * squared_distances(new / lengths, self.target / lengths))
        at = own @ p - cross.mean(axis=1)  # the witness: half of the gradient in p
        J = p @ (at - cross.mean(axis=1))
        pull = (own * p) @ new - (own @ p)[:, None] * new - (cross @ self.target - cross.sum(axis=1)[:, None] * new) / m
        by_new = 2 * p[:, None] * pull / lengths**2
        by_mean = self.member.T @ by_new
        by_sd = np.where(self.stiff, 0.0, (self.member.T @ (by_new * self.z)) * sd)
        by_logits = np.zeros(len(shares))
        if self.free:
            by_shares = 2 * (self.member.T @ (self.copies * at)) / self.counts
            by_logits = shares * (by_shares - shares @ by_shares)
        return float(J), np.concatenate([by_sd.ravel(), by_mean.ravel(), by_logits])

    def best(self) -> tuple[Maps, float]:
        """The Maps of the least J that the starts lead to, of equal ones those that move the classes least; and J."""
        m = len(self.target)
        norm = np.exp(-0.5 * squared_distances(self.target / self.lengths, None)).sum() / m**2
        ends = [self._search(u) for u in self.starts()]
        for u in self.other_starts():
            if min(J for J, _ in ends) + norm <= SAME * norm:
                break
            ends.append(self._search(u))
        least = min(J for J, _ in ends)
        # where nothing matches exactly, what is as near as two samples of one distribution are is equally near
        near = SAME * norm if least + norm <= SAME * norm else 0.5 * (1 - norm) * (1 / m + 1 / self.counts.sum())
        _, u = min((end for end in ends if end[0] <= least + near), key=lambda end: self._moved(end[1]))
        return self.maps(u), float(self(u)[0] + norm)

    def _moved(self, u):
        sd, mean, _ = self.parts(u)
        return float(((mean - self.mean) ** 2).sum() + (np.log(sd / self.sd) ** 2).sum())

    def _search(self, u):
        from scipy.optimize import minimize

        c, d = self._sizes
        middle = np.log(self.sd).ravel()
        low, high = middle - np.log(STRETCH), middle + np.log(STRETCH)
        bounds = [*zip(low, high, strict=True), *[(None, None)] * (c * d), *[(-30.0, 30.0)] * c]
        for wider, most in zip(COARSE, ITERATIONS, strict=True):
            options = {"maxiter": most, "ftol": 1e-16, "gtol": 1e-11, "maxcor": 20}
            u = minimize(self, u, (wider,), "L-BFGS-B", jac=True, bounds=bounds, options=options).x
        return float(self(u)[0]), u

    def maps(self, u: Vector) -> Maps:
        """The Maps of a vector u, in the units of the points."""
        sd, mean, shares = self.parts(u)
        scale = np.where(self.stiff, 1.0, sd / self.sd)
        # x -> unit * ((x - origin) / unit - old mean) * scale + unit * new mean + origin
        shift = self.origin * (1 - scale) + self.unit * (mean - scale * self.mean)
        return Maps(scale, shift, shares)
