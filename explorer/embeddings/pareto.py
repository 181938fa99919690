"""Pareto distribution: one dimension, an edge and a heavy tail."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.parameters import LogNumber, RequiredReal
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import stream
from explorer.types import Points, PointsLike, Rng, Vector

from .blocks import Block
from .law import Law
from .octaves import RATIO, mass_beyond, mean_over, octaves
from .quadrature import jacobi

TOLERANCE = 1e-10  # share of the largest value of μ in the tail that one wide Gaussian replaces
SPENT, FARTHEST = 18.4, math.log(1e100)  # e^-18.4 = 1e-8 of |μ|^2 under Energy; log x of the last octave


class Pareto(Law):
    r"""Pareto distribution, one-dimensional, with moments below order a only.

    Use it as a known distribution with one heavy tail, on positive numbers. For tails on both sides use `StudentT`.

    .. math:: p(x) = a s^a / x^{a+1}, \quad P(X > x) = (s / x)^a, \quad x \ge s

    Parameters
    ----------
    shape : float
        The tail index a >= 0.1: E X^j = a s^j / (a - j) for j < a.
    scale : float, default 1.0
        The lower end s of the distribution, in units of x. scipy.stats calls a `b` and s `scale`; numpy's pareto
        starts at 0.

    Notes
    -----
    Under polynomial kernels of any degree the embedding is exact: a few point masses with the distribution's moments.
    Under other kernels it is a mixture of one to two thousand Gaussians (see `octaves`). Measured under the Gaussian
    kernel for a from 0.5 to 50 and θ from 1e-4 s to 1000 s: μ(x) has an error of at most 2e-10 of its largest value and
    ``|μ|^2`` a relative one of 1e-9; for wider ones ``1 - |μ|^2``, which risks consist of, has a relative error of 2e-5
    from a = 3 on.

    Under the Laplacian kernel the error of μ(x) is 1e-7. Under Energy it is 2e-8, and ``|μ|^2`` has a relative error
    of 1e-7 for a from 0.55 on, near which it takes seconds. Below 0.54 that is refused.

    Examples
    --------
    >>> from explorer import Linear, Pareto
    >>> law = Pareto(shape=3.0)
    >>> round(law.embed(Linear()).norm(), 4)
    1.5
    >>> float(law.sample(1000, rng=0).min()) >= 1.0
    True
    """

    shape: float = RequiredReal(
        bounds=(0.1, None), softbounds=(0.5, 10), symbol="a", doc="tail index: moments below this order are finite"
    )
    scale: float = LogNumber(
        default=1.0, bounds=(1e-50, 1e50), softbounds=(0.1, 10), symbol="s", unit="units of x", doc="the lower end"
    )

    d = 1  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType], constant: one coordinate

    @property
    def tail(self) -> float:
        """The order a: E X^r is finite for r < a."""
        return self.shape

    _index = "shape"

    def _described(self):
        return f"a Pareto distribution of shape {self.shape:g} has those below {self.shape:g} only"

    @explain_wrong_calls
    def sample(self, n: int, rng: Rng = None) -> Points:
        """Draw independent points as s U^(-1/a), U uniform on (0, 1].

        Parameters
        ----------
        n : int
            Number of points.
        rng : int, Generator or None, default None
            Seed. With an int seed a larger n only appends points.

        Returns
        -------
        ndarray of shape (n, 1)
            The points.
        """
        n = checks.whole(n, "n")
        U = 1 - stream(rng, "inliers").random((n, 1))
        return self.scale * U ** (-1 / self.shape)

    def logpdf(self, X: PointsLike) -> Vector:
        """Compute log a + a log s - (a + 1) log x; -inf below s.

        Parameters
        ----------
        X : array_like of shape (n, 1)
            Points.

        Returns
        -------
        ndarray of shape (n,)
            The values.
        """
        X = checks.sample(X)
        checks.same_dimension(X, np.empty((0, 1)), ("X", "the distribution"))
        x = X[:, 0] / self.scale
        inside = np.log(self.shape / self.scale) - (self.shape + 1) * np.log(np.maximum(x, 1.0))
        return np.where(x >= 1, inside, -np.inf)

    def _pieces(self, kernel):
        p = kernel.degree
        # E (<x, y> + c)^p over independent x, y takes moments up to p of each
        return self._mixture(kernel) if p is None else [self._moments(p, p // 2 + 1)]

    def _diagonal_pieces(self, kernel):
        # x^g times something smooth in 1/x: for a polynomial kernel a polynomial of degree g = 2p
        return [self._moments(kernel.growth, 20)]

    def _increment_pieces(self, mean):
        # from an origin other than 0, only polynomial kernels give x^g times something smooth in 1/x
        return mean.blocks if mean.kernel.degree is None else self._diagonal_pieces(mean.kernel)

    def _moments(self, q, n):
        """Return n point masses x with E x^j exact for j = q, q - 1, ... down to q - 2n + 1.

        u = s/x has density a u^(a-1) on (0, 1), so E x^q f is a Gauss-Jacobi sum for the weight u^(a-1-q), which exists
        for a > q, exactly when E x^q does.
        """
        u, weights = jacobi(self.shape - 1 - q, n)
        return _block(self.scale / u, weights * u**q * self.shape / (self.shape - q))

    def _mixture(self, kernel):
        """Return Gaussians and point masses that add up to the density.

        They reach from well below the bandwidth to the end of the tail.
        """
        a, theta = self.shape, kernel.length_scale
        if theta is not None:
            theta /= self.scale
            if theta < 1e-8:
                raise Refusal(
                    f"{checks.echo(kernel)} sees less than 1e-8 of the scale {self.scale:g}, where floats no longer"
                    " distinguish points of the distribution; take a wider bandwidth."
                )
        start = min(1.0 if theta is None else theta, 1 / (a + 1)) / 64
        count = math.ceil((self._end(kernel, theta) - math.log(start)) / math.log(RATIO))
        parts = list(octaves(lambda t: a * np.exp(-(a + 1) * np.log1p(t)), start, count))
        end = start * RATIO**count
        # the remaining tail becomes one Gaussian as wide as it is far away, with the tail's own E x^(g / 2)
        rest, order = mass_beyond(lambda t: (1 + t) ** -a, end), kernel.growth / 2
        if order and rest:
            moment = mass_beyond(lambda t: a / (a - order) * (1 + t) ** (order - a), end)
            end = (moment / rest / mean_over(lambda z: np.abs(1 + z / 4) ** order)) ** (1 / order)
        parts.append((np.array([end]), np.array([rest]), (end / 4) ** 2))
        total = sum(w.sum() for _, w, _ in parts)  # 1 up to 1e-11
        return [_block(self.scale * (1 + t), w / total, self.scale**2 * v) for t, w, v in parts]

    def _end(self, kernel, theta):
        """Return log x, x in units of the scale, beyond which the tail adds less than TOLERANCE times the largest μ."""
        if theta is None:
            return self._growing_end(kernel)
        return max(self._bounded_end(theta), self._growing_end(kernel)) if kernel.growth else self._bounded_end(theta)

    def _growing_end(self, kernel):
        """Return log x beyond which two points add less than e^-SPENT of |μ|^2 under Energy, where k = min(x, y).

        Other kernels that grow contain polynomials, whose moments are exact anyway. Raise ValueError if octaves end
        earlier.
        """
        reach = SPENT / (2 * self.shape - 1)
        if reach > FARTHEST:
            raise Refusal(
                f"{checks.echo(kernel)} takes a finite moment of order 0.5, and {self._described()}: so close to 0.5"
                " what lies beyond 1e100 still counts. Take shape of at least 0.54, or a bounded kernel such as"
                " Gaussian."
            )
        return max(reach, min(-math.log(TOLERANCE) / (self.shape - 0.5), math.log(1e14)))

    def _bounded_end(self, theta):
        """Return log x beyond which a bounded kernel of width theta has no contribution from the tail."""
        a = self.shape
        # sup μ is about min(1, p(1) θ √(2π)); beyond x a kernel of width θ receives min(x^(-a), p(x) θ √(2π))
        reach = a * theta * math.sqrt(2 * math.pi)
        # a wide kernel's 1 - |μ|^2 is of order 1/θ^2, and should be as exact as μ
        least = math.log(TOLERANCE * min(1.0, reach)) - 2 * max(math.log(theta), 0.0)
        return min(-least / a, (math.log(reach) - least) / (a + 1), math.log(1e100))


def _block(x, weights, variance=0.0):
    covariance = checks.read_only([[variance]]) if variance else None
    return Block(checks.read_only(x[:, None]), checks.read_only(weights), covariance)
