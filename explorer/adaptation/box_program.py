"""A convex quadratic programme over a box with bounds on a weighted sum, solved to rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from explorer.linalg import lapack, power_of_two
from explorer.types import Vector

RIDGE = 1e-9  # of the largest entry on the diagonal: it says which of several minimisers is taken
ENOUGH = 1e-19  # of the gradient's size: the complementarity at which the method ends, where the ridge decides
ROUNDS = 100  # of it at most; 15 to 40 are usual
SETTLED = 12  # rounds at most in which the active bounds are settled
ROUNDING = 1e-12  # of the gradient's size: of two points that are both as good, the one with exact bounds is taken
NEARLY = 0.995  # of the way to the nearest bound that a step goes


class BoxProgram(NamedTuple):
    """min ½ x'Hx - c'x over 0 <= x <= upper with low <= a'x <= high.

    H  (q, q), positive semi-definite, of any rank; c (q,), in its range
    a  (q,), above 0: how many each entry of x stands for
    low, high  low <= upper Σa and 0 < high; equal ones make an equation

    Where several x are least, it takes the one nearest to one everywhere, Σ a (x - 1)² least, by a ridge of 1e-9 of
    H's largest entry: the answer depends on no order of the rows, and moves little where the data do.
    """

    H: np.ndarray
    c: np.ndarray
    a: np.ndarray
    upper: float
    low: float
    high: float

    def solve(self) -> Vector:
        """x (q,), by Mehrotra's interior-point method, and then Newton's method on the bounds that are active.

        Each round takes a Cholesky factor, O(q³). Active bounds hold exactly.
        """
        total, upper = float(self.a.sum()), self.upper
        low, high = max(self.low, 0.0), min(self.high, total * upper)
        if low >= total * upper:
            return np.full(len(self.a), upper)  # the only point there is
        largest = float(self.H.diagonal().max())
        if largest == 0:  # every x is least
            return np.full(len(self.a), min(max(1.0, low / total), high / total))
        unit = power_of_two(largest)
        ridge, H = RIDGE * largest / unit * self.a / self.a.max(), self.H / unit
        H[np.diag_indices(len(H))] += ridge
        # a bound that the sum keeps every x below takes the place of one far above it
        upper = min(upper, 2 * high / float(self.a.min()))
        regular = BoxProgram(H, self.c / unit + ridge, self.a, upper, low, high)
        return regular._settled(*regular._interior())

    @property
    def _equation(self):
        return self.low >= self.high

    @property
    def _size(self):
        """The size of the gradient's terms."""
        return float(max(np.abs(self.c).max(), self.H.diagonal().max()))

    def _start(self):
        """A point strictly inside, one everywhere where that is."""
        total = float(self.a.sum())
        low, high = self.low / total, min(self.high / total, self.upper)
        margin = 0.1 * (high - low)
        return np.full(len(self.a), min(max(1.0, low + margin), high - margin))

    def _slacks(self, x):
        """How far x is from each bound: (2q,), and those of the sum unless they are an equation."""
        total = float(self.a @ x)
        return np.concatenate([x, self.upper - x, [] if self._equation else [total - self.low, self.high - total]])

    def _moves(self, dx):
        """How the slacks change with x."""
        total = float(self.a @ dx)
        return np.concatenate([dx, -dx, [] if self._equation else [total, -total]])

    def _pull(self, duals):
        """What the duals of the bounds add to the gradient, (q,)."""
        q = len(self.a)
        pull = duals[:q] - duals[q : 2 * q]
        return pull if self._equation else pull + self.a * (duals[2 * q] - duals[2 * q + 1])

    def _interior(self):
        """(x, y) near to the minimiser, y the multiplier of the sum."""
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

    def _settled(self, x, y):
        """x with its active bounds exact: the better of the x given and Newton's, which holds some entries there."""
        best, least, seen = np.clip(x, 0.0, self.upper), self._residual(x, y), set()
        # how fast the gradient changes with x: at least so much, where x comes from inside, and then as x itself does
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
        """How far x and y are from the conditions of Karush, Kuhn and Tucker, of a gradient of size one."""
        g = (self.H @ x - self.c - y * self.a) / self._size
        total = float(self.a @ x)
        beyond = max(self.low - total, total - self.high, 0.0) / float(self.a.sum())
        return max(float(np.abs(x - np.clip(x - g, 0.0, self.upper)).max()), beyond)


class _Newton(NamedTuple):
    """Newton's equations of a point inside, factorised.

    solve   b -> (H + diag(the box's duals / slacks))^-1 b; v, that of a
    slope   the sum's duals / slacks, which the rank-one term ρ aa' has for a factor
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
        """None where rounding leaves no factor."""
        q, ratio = len(program.a), duals / slacks
        M = program.H.copy()
        M[np.diag_indices(q)] += ratio[:q] + ratio[q : 2 * q]
        solve = _cholesky(M)
        return solve and cls(program, slacks, duals, rest, solve, solve(program.a), float(ratio[2 * q :].sum()))

    def step(self, target: float | Vector) -> tuple[Vector, Vector, Vector, float]:
        """(dx, change of the slacks, change of the duals, dy) towards slack x dual = target at every bound."""
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
    """How far one can go, at most 1 / NEARLY, until a slack or a dual is 0."""
    values, changes = np.concatenate([slacks, duals]), np.concatenate([moves, turns])
    falls = changes < 0
    return float(min(1 / NEARLY, (-values[falls] / changes[falls]).min(initial=np.inf)))


def _cholesky(M):
    """b -> M^-1 b for a positive definite M, None where rounding leaves no factor."""
    try:
        factor = np.linalg.cholesky(M).T  # numpy's, as in `linalg.Ridge`
    except np.linalg.LinAlgError:
        return None
    return lambda b: lapack.dpotrs(factor, b)[0]
