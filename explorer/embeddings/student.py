"""Student's t distribution: a Gaussian of random scale, hence an exact mixture of Gaussians."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betaln, gammaln, poch

from explorer import checks
from explorer.checks import Refusal
from explorer.parameters import Array, RequiredReal
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import stream
from explorer.types import Covariances, MatrixLike, Points, PointsLike, Rng, Vector, VectorLike

from .law import Law, gaussian_piece, gaussian_score, mahalanobis, root
from .quadrature import compress, laguerre

EPS = np.finfo(float).eps
WIDE = 1e-4  # ratio s/θ^2 below which the nodes of r are computed from those of 1 - r
FINE, EVEN = 0.35, 0.5  # steps of log w: exact to eps, and to e^(-π^2 / EVEN) = 3e-9
SPENT = 23.0  # the end of the tail, which is left out, adds less than e^-23 = 1e-10
LONG = 60.0  # log v at the end of a ladder: 1e13 standard deviations
FARTHEST = 600.0  # largest log v for which variances are floats


class StudentT(Law):
    r"""Student's t distribution, with moments below order ν only.

    Use it as a known distribution with heavy tails in any dimension. For light tails use `GaussianMixture`.

    .. math:: t(\nu, m, S) = N(m, S / w), \quad w \sim \mathrm{Gamma}(\nu/2, \text{rate } \nu/2)

    Parameters
    ----------
    df : float
        The degrees of freedom ν >= 0.1; the larger, the lighter the tail, and Gaussian in the limit.
    mean : array_like of shape (d,)
        The centre m, and the mean if ν > 1.
    covariance : array_like of shape (d, d)
        The scale matrix S: a variance, (d,) variances or (d, d), singular ones included. The distribution's covariance
        is S ν / (ν - 2), and exists for ν > 2 only.

    Notes
    -----
    Its embedding is a mixture of N(m, S v) over v = 1/w. Under a polynomial kernel one component is exact, for degree 2
    and 3 with the distribution's own mean and covariance: third moments about m vanish. Under bounded kernels it takes
    10 to 95 components, more for a small ν, few coordinates and a narrow bandwidth. Measured under the Gaussian kernel
    for ν from 0.5 to 100, θ^2 from 1e-8 to 1e8 times S and d from 1 to 40: μ(x) has an error of at most 3e-8 of its
    largest value, 4e-9 from ν = 2 on, and ``|μ|^2`` a relative one of 2e-8. Under the Laplacian, which has a kink, the
    error of μ(x) is 3e-5.

    Kernels that grow as ``|x|^g``, such as Energy, need more components the nearer ν is to g / 2, 1000 at 0.05 above
    it; the relative error of ``|μ|^2`` is at most 1e-7. Nearer than 0.04, or 0.02 g if g is above 2, the distribution
    is refused.

    Examples
    --------
    >>> from explorer import Linear, StudentT
    >>> law = StudentT(3.0, [1.0, 0.0], [[1.0, 0.0], [0.0, 4.0]])
    >>> round(law.embed(Linear()).norm(), 4)
    1.0
    >>> law.logpdf([[1.0, 0.0]]).round(4)
    array([-2.531])
    """

    df: float = RequiredReal(
        bounds=(0.1, None),
        softbounds=(1, 30),
        symbol="ν",
        doc="degrees of freedom: moments below this order are finite",
    )
    mean: Vector = Array(doc="m, the centre")
    covariance: Covariances = Array(doc="S, the scale matrix; the covariance is S ν / (ν - 2)")

    @explain_wrong_calls
    def __init__(self, df: float, mean: VectorLike, covariance: MatrixLike) -> None:
        mean = np.atleast_1d(checks.numbers(mean, "mean"))
        if mean.ndim != 1 or not len(mean):
            raise Refusal(f"mean has shape {mean.shape}; give one number for each coordinate.")
        scale = checks.covariance(covariance, len(mean))
        super().__init__(df, mean, scale)  # pyright: ignore[reportCallIssue], Model takes the fields

    @property
    def d(self) -> int:
        return len(self.mean)

    @property
    def means(self) -> Points:
        """The centre as the mean of a mixture's only component, shape (1, d)."""
        return self.mean[None]

    @property
    def covariances(self) -> Covariances:
        """The scale matrix as the covariance of a mixture's only component, shape (1, d, d)."""
        return self.covariance[None]

    @property
    def tail(self) -> float:
        """The order ν: ``E |x|^r`` is finite for r < ν."""
        return self.df if self.covariance.any() else math.inf

    _index = "df"

    def _described(self):
        return f"a t distribution of {self.df:g} degrees of freedom has those below {self.df:g} only"

    @explain_wrong_calls
    def sample(self, n: int, rng: Rng = None) -> Points:
        """Draw independent points.

        Parameters
        ----------
        n : int
            Number of points.
        rng : int, Generator or None, default None
            Seed. With an int seed a larger n only appends points.

        Returns
        -------
        ndarray of shape (n, d)
            The points.
        """
        n = checks.whole(n, "n")
        noise = stream(rng, "inliers").standard_normal((n, self.d)) @ root(self.covariance).T
        w = stream(rng, "scales").chisquare(self.df, n) / self.df
        return self.mean + noise / np.sqrt(w)[:, None]

    def logpdf(self, X: PointsLike) -> Vector:
        """Compute the logarithm of the density.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.

        Returns
        -------
        ndarray of shape (n,)
            The values log Γ((ν+d)/2) - log Γ(ν/2) - (d log(πν) + log det S + (ν+d) log(1 + q/ν)) / 2, where q =
            (x-m)'S^(-1)(x-m).

        Raises
        ------
        ValueError
            If S is singular: then the distribution has no density.
        """
        q, log_det = mahalanobis(self._checked(X), self.mean, self.covariance)
        nu, d = self.df, self.d
        ratio = gammaln(d / 2) - betaln(nu / 2, d / 2)  # log ratio of the Gammas, with no difference of large numbers
        return ratio - 0.5 * (d * np.log(np.pi * nu) + log_det + (nu + d) * np.log1p(q / nu))

    def score(self, X: PointsLike) -> Points:
        """Compute the gradient of `logpdf`, (ν + d) / (ν + q) S^(-1) (m - x).

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.

        Returns
        -------
        ndarray of shape (n, d)
            The gradients, in 1 / units of X.

        Raises
        ------
        ValueError
            If S is singular: then the distribution has no density.
        """
        X = self._checked(X)
        q, _ = mahalanobis(X, self.mean, self.covariance)
        return ((self.df + self.d) / (self.df + q))[:, None] * gaussian_score(X, self.mean, self.covariance)

    def _checked(self, X):
        X = checks.sample(X)
        checks.same_dimension(X, self.means, ("X", "the distribution"))
        return X

    def _pieces(self, kernel):
        p, order = kernel.degree, kernel.growth / 2
        if p is not None:
            # E (<x, y> + c)^p over independent x, y takes moments up to p of each, which hold powers of v up to p/2
            return self._mixture(lambda: self._moments(p // 2))
        return self._mixture(
            lambda: self._ladder(kernel, order, self._reach(kernel), EVEN) if order else self._scales(kernel)
        )

    def _diagonal_pieces(self, kernel):
        p, order = kernel.degree, kernel.growth
        if p is not None:
            # E (|x|^2 + c)^p takes moments up to 2p, powers of v up to p
            return self._mixture(lambda: self._moments(p))
        return self._mixture(lambda: self._ladder(kernel, order, LONG, FINE) if order else self._scales(kernel))

    def _mixture(self, scales):
        """Return the pieces N(m, S v) for (v, weights) = scales().

        If S = 0 it is the point m, which has no scale.
        """
        v, weights = scales() if self.covariance.any() else ([1.0], [1.0])
        return [gaussian_piece(p, self.mean, s * self.covariance) for s, p in zip(v, weights, strict=True)]

    def _moments(self, q):
        """Return values of v and weights with the distribution's E v^j for j = 0, 1, ... q.

        These are powers of w against w^(-q). The rule is Gauss-Laguerre for the distribution of w tilted by w^(-q),
        which exists for ν > 2q, exactly when E v^q does.
        """
        x, weights = laguerre(self.df / 2 - 1 - q, q // 2 + 1)
        return self.df / (2 * x), weights * x**q / poch(self.df / 2 - q, q)

    def _scales(self, kernel):
        """Return values of v = 1/w and weights for a bounded kernel.

        A Gaussian of variance s v under a kernel of bandwidth θ is a smooth function of r = θ / (θ + √(s v)), in (0,
        1). So Gauss quadrature of the distribution of r converges fast at any θ. Gauss-Laguerre in w fails for a small
        ν: a narrow kernel gives w^(d/2), a wide one a function that changes at w = s/θ^2 only, and neither is nearly a
        polynomial.
        """
        theta = kernel.length_scale
        s, rank = self._spread()
        # lam is s/θ^2, or 1 if the kernel has no length; beyond 1e8 only the unit of r would change
        lam = 1.0 if theta is None else np.exp(min(np.log(s) - 2 * np.log(theta), np.log(1e8)))
        # measured numbers of nodes that keep the stated error: for the tail of v, or for r^d if d is large
        tail = 125 * min(1.0, lam) ** (self.df / 10) / (self.df + (rank + 1) / 2)
        power = 2 * np.sqrt(rank) * min(1.0, lam * rank) ** (self.df / 10)
        n = math.ceil(10 + max(tail, power))
        nu = self.df
        w, masses = self._grid(FINE, max(-82 / nu - np.sqrt(164 / nu), -690.0), self.d)
        ratio = np.sqrt(lam / w)
        r = 1 / (1 + ratio)
        if lam > WIDE:
            r, weights = compress(r, masses, n)
            v = (1 / r - 1) ** 2 / lam
        else:  # compute with 1 - r, which has the same nodes: for a wide kernel r is 1 to all digits
            less, weights = compress(ratio * r, masses, n)
            r = np.maximum(1 - less, EPS)
            v = (less / r) ** 2 / lam
        return v, weights

    def _reach(self, kernel):
        """Return log v beyond which two points in the tail add less than e^-SPENT of |μ|^2.

        Raise ValueError if that is beyond all floats.
        """
        order = kernel.growth / 2
        farthest = FARTHEST / max(1.0, order)  # k itself is still a float there
        if SPENT / (self.df - order) > farthest:
            raise Refusal(
                f"{checks.echo(kernel)} takes a finite moment of order {order:g}, and {self._described()}: so close to"
                f" {order:g} what lies too far out for a float still counts. Take df of at least"
                f" {math.ceil(100 * (order + SPENT / farthest)) / 100:g}, or a bounded kernel such as Gaussian."
            )
        return max(SPENT / (self.df - order), LONG)

    def _ladder(self, kernel, order, longest, step):
        """Return values of v = 1/w and weights for a kernel that grows, by equal steps of log v.

        There E |x|^order decides. |x| under Energy is √v, and E k between v and v' nearly √min(v, v'): smooth in log v
        alone, at every scale that the tail reaches, up to `longest`. The mass beyond is
        placed such that it has the tail's own E v^(order/2).
        """
        nu, excess = self.df, self.df - order
        length = min(74 / excess, longest)  # e^(-74 / 2) = 1e-16 of one tail
        # only a kernel with a length changes as w^(d/2) under far wider Gaussians
        rank = 0.0 if kernel.length_scale is None else self._spread()[1]
        w, masses = self._grid(step, -length - np.sqrt(2 * min(length, 8.0)), rank)
        # a geometric series beyond the first w, which is so small that e^w is 1
        apart = np.log(w[1] / w[0])
        mass, moment = (-1 / np.expm1(-apart * power) for power in (nu / 2, excess / 2))
        v = 1 / w
        v[0] *= (moment / mass) ** (2 / order)
        masses[0] *= mass
        return v, masses / masses.sum()

    def _spread(self):
        """Return the variance in the directions that carry S, and the number of these directions."""
        trace = np.trace(self.covariance)
        share = np.sum((self.covariance / trace) ** 2)
        return trace * share, 1 / share

    def _grid(self, step, low, d):
        """Return the distribution of w on a grid: the trapezoidal rule in t = log w, with density e^(-ν (e^t - t) / 2).

        It runs from t = `low` to where 1e-17 is left out of it, and of it times w^(d/2), which a `step` resolves.
        """
        nu = self.df
        high = np.log1p((164 + 8 * d) / nu + np.sqrt(328 / nu))
        t = np.arange(low, high, step / np.sqrt(1 + (nu + d) / 4))
        masses = np.exp(-nu / 2 * (np.expm1(t) - t))
        return np.exp(t), masses / masses.sum()
