"""Convex quadratic programme over a box with bounds on a weighted sum, solved to rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from explorer.linalg import lapack, power_of_two
from explorer.types import Vector

RIDGE = 1e-9  # ridge relative to the largest diagonal entry; it decides between several minimisers
ENOUGH = 1e-19  # the method ends at this complementarity, relative to the gradient's size; the ridge decides there
ROUNDS = 100  # most rounds of the method; 15 to 40 are typical
SETTLED = 12  # most rounds in which the active bounds are determined
ROUNDING = 1e-12  # residual, relative to the gradient, up to which the point with exact bounds is preferred
NEARLY = 0.995  # share of the way to the nearest bound that a step goes


class BoxProgram(NamedTuple):
    """The programme min ½ x'Hx - c'x over 0 <= x <= upper with low <= a'x <= high.

    If several x are minimal, the one nearest to one everywhere is taken, with the least Σ a (x - 1)², by a ridge of
    1e-9 of H's largest entry. The answer then does not depend on the order of the rows, and moves little if the data
    do.

    Attributes
    ----------
    H : ndarray of shape (q, q)
        Positive semi-definite, of any rank.
    c : ndarray of shape (q,)
        Linear term, in the range of H.
    a : ndarray of shape (q,)
        How often each entry of x counts, above 0.
    upper : float
        Upper bound of each entry.
    low, high : float
        Bounds of the sum, low <= upper Σa and 0 < high. Equal bounds make an equation.
    """

    H: np.ndarray
    c: np.ndarray
    a: np.ndarray
    upper: float
    low: float
    high: float

    def solve(self) -> Vector:
        """Return the minimiser by Mehrotra's interior-point method, and then Newton's method on the active bounds.

        Each round takes a Cholesky factor, O(q³). Active bounds hold exactly.

        Returns
        -------
        ndarray of shape (q,)
            The minimiser x.
        """
        total, upper = float(self.a.sum()), self.upper
        low, high = max(self.low, 0.0), min(self.high, total * upper)
        if low >= total * upper:
            return np.full(len(self.a), upper)  # the only feasible point
        largest = float(self.H.diagonal().max())
        if largest == 0:  # every feasible x is a minimiser
            return np.full(len(self.a), min(max(1.0, low / total), high / total))
        unit = power_of_two(largest)
        ridge, H = RIDGE * largest / unit * self.a / self.a.max(), self.H / unit
        H[np.diag_indices(len(H))] += ridge
        # The sum bounds every entry of x; this bound replaces an upper bound far above it.
        upper = min(upper, 2 * high / float(self.a.min()))
        regular = BoxProgram(H, self.c / unit + ridge, self.a, upper, low, high)
        return regular._with_exact_bounds(*regular._interior())

    @property
    def _equation(self):
        return self.low >= self.high

    @property
    def _size(self):
        """Size of the gradient's terms."""
        return float(max(np.abs(self.c).max(), self.H.diagonal().max()))

    def _start(self):
        """Return a point strictly inside; one everywhere if that is inside."""
        total = float(self.a.sum())
        low, high = self.low / total, min(self.high / total, self.upper)
        margin = 0.1 * (high - low)
        return np.full(len(self.a), min(max(1.0, low + margin), high - margin))

    def _slacks(self, x):
        """Return how far x is from each bound: (2q,), and two for the sum unless its bounds are an equation."""
        total = float(self.a @ x)
        return np.concatenate([x, self.upper - x, [] if self._equation else [total - self.low, self.high - total]])

    def _moves(self, dx):
        """Return the change of the slacks with x."""
        total = float(self.a @ dx)
        return np.concatenate([dx, -dx, [] if self._equation else [total, -total]])

    def _pull(self, duals):
        """Return the contribution of the bounds' duals to the gradient, shape (q,)."""
        q = len(self.a)
        pull = duals[:q] - duals[q : 2 * q]
        return pull if self._equation else pull + self.a * (duals[2 * q] - duals[2 * q + 1])

    def _interior(self):
        """Return (x, y) near the minimiser, where y is the multiplier of the sum."""
        x, y, q, size = self._start(), 0.0, len(self.a), self._size
        slacks, g = self._slacks(x), self.H @ x - self.c
        duals = (float(np.abs(g).mean()) or size) / slacks
        duals[: 2 * q] += np.concatenate([np.maximum(g, 0.0), np.maximum(-g, 0.0)])
        for _ in range(ROUNDS):
            mu = slacks @ duals / len(slacks)
            rest = self.H @ x - self.c - self._pull(duals) - (y * self.a if self._equation else 0.0)
            newton = None if mu <= ENOUGH * size else _Newton.of(self, slacks, duals, rest)
            if newton is None:
                break
            _, moves, turns, _ = newton.step(0.0)
            far = min(1.0, _longest(slacks, moves, duals, turns))
            ahead = (slacks + far * moves) @ (duals + far * turns) / len(slacks)
            dx, moves, turns, dy = newton.step((ahead / mu) ** 3 * mu - moves * turns)
            far = min(1.0, NEARLY * _longest(slacks, moves, duals, turns))
            x, y, slacks, duals = x + far * dx, y + far * dy, slacks + far * moves, duals + far * turns
        return x, y if self._equation else duals[2 * q] - duals[2 * q + 1]

    def _with_exact_bounds(self, x, y):
        """Return x with exact active bounds: the better of the given x and Newton's, which has entries at bounds."""
        best, least, seen = np.clip(x, 0.0, self.upper), self._residual(x, y), set()
        # Rate at which the gradient changes with x: its lower bound for x from the interior method, then H's diagonal.
        weight = RIDGE * float(self.H.diagonal().max())
        for _ in range(SETTLED):
            mean = np.mean(weight) / len(x)
            g, total = self.H @ x - self.c - y * self.a, float(self.a @ x)
            lower, upper = weight * x < g, weight * (self.upper - x) < -g
            at_low, at_high = mean * (total - self.low) < y, mean * (self.high - total) < -y
            sum_at = self.low if self._equation or at_low else self.high if at_high else None
            state = (lower.tobytes(), upper.tobytes(), sum_at)
            free = ~(lower | upper)
            solve = None if state in seen or not free.any() else _cholesky(self.H[np.ix_(free, free)])
            if solve is None:
                break
            seen.add(state)
            x, y = np.where(upper, self.upper, 0.0), 0.0
            k = solve(self.c[free] - self.H[free] @ x)
            if sum_at is not None:
                v = solve(self.a[free])
                y = float((sum_at - self.a @ x - self.a[free] @ k) / (self.a[free] @ v))
                k = k + y * v
            x[free] = k
            residual, weight = self._residual(x, y), self.H.diagonal()
            if residual <= max(least, ROUNDING):
                best, least = np.clip(x, 0.0, self.upper), residual
        return best

    def _residual(self, x, y):
        """Return how far x and y are from the Karush-Kuhn-Tucker conditions, for a gradient scaled to size one."""
        g = (self.H @ x - self.c - y * self.a) / self._size
        total = float(self.a @ x)
        beyond = max(self.low - total, total - self.high, 0.0) / float(self.a.sum())
        return max(float(np.abs(x - np.clip(x - g, 0.0, self.upper)).max()), beyond)


class _Newton(NamedTuple):
    """Newton's equations at an interior point, factorised.

    `solve` maps b to (H + diag(the box's duals / slacks))^-1 b, and v is its value at a. `slope` are the sum's duals /
    slacks, the factor of the rank-one term ρ aa'.
    """

    program: BoxProgram
    slacks: np.ndarray
    duals: np.ndarray
    rest: np.ndarray
    solve: Callable[[Vector], Vector]
    v: np.ndarray
    slope: float

    @classmethod
    def of(cls, program: BoxProgram, slacks: Vector, duals: Vector, rest: Vector) -> _Newton | None:
        """Return the factorised equations, or None if rounding leaves no factor."""
        q, ratio = len(program.a), duals / slacks
        M = program.H.copy()
        M[np.diag_indices(q)] += ratio[:q] + ratio[q : 2 * q]
        solve = _cholesky(M)
        return solve and cls(program, slacks, duals, rest, solve, solve(program.a), float(ratio[2 * q :].sum()))

    def step(self, target: float | Vector) -> tuple[Vector, Vector, Vector, float]:
        """Return (dx, change of the slacks, change of the duals, dy) towards slack x dual = target at every bound."""
        program, q = self.program, len(self.v)
        push = target / self.slacks - self.duals
        k, a = self.solve(push[:q] - push[q : 2 * q] - self.rest), program.a
        if program._equation:
            dy = -(a @ k) / (a @ self.v)
        else:
            dy = (push[2 * q] - push[2 * q + 1] - self.slope * (a @ k)) / (1 + self.slope * (a @ self.v))
        dx = k + self.v * dy
        moves = program._moves(dx)
        return dx, moves, push - self.duals / self.slacks * moves, float(dy)


def _longest(slacks, moves, duals, turns):
    """Return the step until a slack or a dual reaches 0, or 1 / NEARLY if that is shorter."""
    values, changes = np.concatenate([slacks, duals]), np.concatenate([moves, turns])
    falls = changes < 0
    return float(min(1 / NEARLY, (-values[falls] / changes[falls]).min(initial=np.inf)))


def _cholesky(M):
    """Return the map b -> M^-1 b for a positive definite M, or None if rounding leaves no factor."""
    try:
        factor = np.linalg.cholesky(M).T  # NumPy's factor, as in `linalg.Ridge`
    except np.linalg.LinAlgError:
        return None
    return lambda b: lapack.dpotrs(factor, b)[0]
