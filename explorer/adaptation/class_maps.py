"""Distance of a source from a target whose classes were each stretched and moved, and the best maps of the classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from explorer.kernels.distances import squared_distances
from explorer.rng import stream
from explorer.types import Mask, Matrix, Points, Rows, Values, Vector

COARSE = (4.0, 2.0, 1.0)  # bandwidths of the search, one after the other, in units of the kernel's bandwidth
ITERATIONS = (40, 40, 300)  # most iterations of L-BFGS-B at each bandwidth
AGAIN = 3  # random starts if the first ones do not lead to a match
STRETCH = 1e3  # largest factor by which a class may become wider or narrower
SAME = 1e-6  # ends that are this near, relative to the target mean's squared norm, are the same match


class Maps(NamedTuple):
    """The maps x -> x * scale_c + shift_c of classes c, both (c, d), and the classes' shares (c,) of sum one."""

    scale: np.ndarray
    shift: np.ndarray
    shares: np.ndarray


class ClassMatch:
    r"""The objective J of matching mapped classes to a target under a Gaussian kernel, and its minimisation.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points of the source.
    of_point : ndarray of shape (n,)
        Class of each point, counted from 0.
    target : ndarray of shape (m, d)
        Points of the target.
    bandwidth : float or ndarray of shape (d,)
        Bandwidth of the kernel.
    free : bool
        Whether the classes' shares π may differ from the source's.
    copies : ndarray of shape (n,) or None, default None
        Number of rows that each point of the source represents. None is one each.

    Notes
    -----
    The objective is

    .. math::
        J = \Bigl\| \sum_c \pi_c\, \mathrm{mean}_{i \in c}\, k(x_i * W_c + B_c, \cdot) - \mu_\mathrm{target} \Bigr\|^2
        - \| \mu_\mathrm{target} \|^2.

    The classes are expressed in their own units, z = (x - mean_c) / sd_c, so that all unknowns are of one size: u =
    (log of the new sd / sd of the target, new mean, logits of π).
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
        # The search works in units of the target's spread about its mean, so that it does not depend on units.
        self.origin, self.unit = target.mean(axis=0), np.where(target.std(axis=0) > 0, target.std(axis=0), 1.0)
        self.lengths = bandwidth / self.unit
        self.target = (target - self.origin) / self.unit
        scaled = (X - self.origin) / self.unit
        self.mean = self._averages(scaled)
        self.sd = np.sqrt(self._averages((scaled - self.mean[of_point]) ** 2))
        # A column that does not vary in a class has no scale; its deviations from the mean may be pure rounding.
        self.stiff = np.array([np.ptp(X[of_point == c], axis=0) == 0 for c in range(len(self.counts))])
        self.sd[self.stiff] = 1.0
        self.z = (scaled - self.mean[of_point]) / self.sd[of_point]

    def _averages(self, values):
        return self.member.T @ (self.copies[:, None] * values) / self.counts[:, None]

    @property
    def _sizes(self):
        return len(self.counts), self.z.shape[1]

    def starts(self) -> list[Vector]:
        """Return the first starts: the classes unchanged, and all of them moved by the two samples' moments."""
        logits, n = np.log(self.counts), self.counts.sum()
        middle = self.counts @ self.mean / n
        spread = np.sqrt(self.counts @ ((self.mean - middle) ** 2 + self.sd**2) / n)
        unchanged = np.concatenate([np.log(self.sd).ravel(), self.mean.ravel(), logits])
        moved = (self.mean - middle) / spread
        return [unchanged, np.concatenate([np.log(self.sd / spread).ravel(), moved.ravel(), logits])]

    def other_starts(self) -> Iterator[Vector | None]:
        """Yield more starts: the classes at points of the target, drawn at random with a fixed seed."""
        (c, d), rng = self._sizes, stream(0, "starts")
        if c == 1 or len(self.target) < c:
            return
        for _ in range(AGAIN):
            middles = self.target[rng.choice(len(self.target), c, replace=False)]
            yield np.concatenate([np.full(c * d, np.log(1 / c)), middles.ravel(), np.log(self.counts)])

    def parts(self, u: Vector) -> tuple[Matrix, Matrix, Vector]:
        """Return (new sd (c, d), new mean (c, d), shares (c,)) of a vector u."""
        c, d = self._sizes
        logits = u[2 * c * d :]
        shares = np.exp(logits - logits.max())
        return np.exp(u[: c * d]).reshape(c, d), u[c * d : 2 * c * d].reshape(c, d), shares / shares.sum()

    def __call__(self, u: Vector, wider: float = 1.0) -> tuple[float, Vector]:
        """Return J and its gradient in u, under the kernel's bandwidth times `wider`."""
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
        """Return the Maps of the least J of all starts, and J. Of equal ones those that move the classes least."""
        m = len(self.target)
        norm = np.exp(-0.5 * squared_distances(self.target / self.lengths, None)).sum() / m**2
        ends = [self._search(u) for u in self.starts()]
        for u in self.other_starts():
            if min(J for J, _ in ends) + norm <= SAME * norm:
                break
            ends.append(self._search(u))
        least = min(J for J, _ in ends)
        # Without an exact match, all ends within the distance of two samples of one distribution count as equal.
        near = SAME * norm if least + norm <= SAME * norm else 0.5 * (1 - norm) * (1 / m + 1 / self.counts.sum())
        _, u = min((end for end in ends if end[0] <= least + near), key=lambda end: self._move_size(end[1]))
        return self.maps(u), float(self(u)[0] + norm)

    def _move_size(self, u):
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
        """Return the Maps of a vector u, in the units of the points."""
        sd, mean, shares = self.parts(u)
        scale = np.where(self.stiff, 1.0, sd / self.sd)
        # x -> unit * ((x - origin) / unit - old mean) * scale + unit * new mean + origin
        shift = self.origin * (1 - scale) + self.unit * (mean - scale * self.mean)
        return Maps(scale, shift, shares)
