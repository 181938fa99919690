"""Points that carry noise under a Laplacian kernel: sums over all pairs."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from explorer.kernels.laplacian_noise import one_dimension
from explorer.types import Vector

from .pairs import StationaryPairs

ENTRIES = 2**20  # pairs times coordinates computed at a time: 8 MB


class LaplacianPairs(StationaryPairs):
    """Sample under the Laplacian kernel whose points carry noise of variances v, one for each coordinate.

    The mean of k is prod_l g(x_l - y_l, v_l), g(δ, v) = E exp(-|δ + u| / θ), u ~ N(0, v). g solves ∂g/∂v = (g / θ - 2
    N(δ; 0, v)) / (2 θ), for that is half of its second derivative by δ, and exp(-|x| / θ) has a kink at 0, where the
    slope at a vanishing v is -inf.
    """

    smallest: float = 1e-10

    @cached_property
    def _order(self):
        return np.triu_indices(self.n, 1)

    def noisy(self, v: Vector) -> tuple[float, float]:
        return self.derivatives(v, slopes=False)[:2]

    def derivatives(self, v: Vector, slopes: bool = True) -> tuple[float, float, Vector, Vector]:
        theta, (i, j) = self.kernel.bandwidth, self._order
        s, wide = np.sqrt(v) / theta, max(1, ENTRIES // self.d)
        total, slope = 0.0, 0.0
        for start in range(0, len(i), wide):
            part = slice(start, start + wide)
            value, rates = _product((self.X[i[part]] - self.X[j[part]]) / theta, s, slopes)
            total += value.sum()
            slope += value @ rates
        same, rates = _product(np.zeros((1, self.d)), s, slopes)
        per = 2 * theta**2
        return 1 - total / len(i), 1 - same[0], -slope / (len(i) * per), -(same @ rates) / per


def _product(delta, s, slopes):
    """Compute prod_l E exp(-|δ_l + s_l ε|), (p,), and the rates 2 ∂log/∂s_l^2, (p, d).

    The rates are 1 - 2 N(δ_l; 0, s_l^2) / E exp(-|δ_l + s_l ε|).
    """
    if (s == s[0]).all():
        factors = one_dimension(delta, s[0])
    else:
        factors = np.column_stack([one_dimension(*pair) for pair in zip(delta.T, s, strict=True)])
    rates = np.ones(delta.shape)
    if slopes:
        # squares of far points are infinite, and s = 0 has no slope
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            density = np.exp(-0.5 * (delta / s) ** 2) / (np.sqrt(2 * np.pi) * s)
        rates -= 2 * np.divide(density, factors, out=np.zeros(delta.shape), where=(factors > 0) & (s > 0))
    return factors.prod(axis=1), rates
