"""Density by matching means: the mixture of spherical Gaussians whose kernel mean is nearest to an estimate's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.special import softmax

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.mean_estimators import checked_estimator
from explorer.embeddings import GaussianMixture
from explorer.estimators import Estimator
from explorer.estimators.base import estimator_field
from explorer.frames import names_of
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import LARGE
from explorer.kernels.base import kernel_field
from explorer.kernels.polynomial import Linear, Polynomial
from explorer.learner import Learner
from explorer.parameters import Seed, Whole
from explorer.types import PointsLike, Rows, Vector, VectorLike

from .estimates import counted_rows, estimate, kernel_of
from .fit_path import FitPath
from .gaussian_match import Blobs, GaussianMatch
from .polynomial_match import PolynomialMatch
from .start import FLOOR, Units, blobs_of_mixture, k_means_blobs

if TYPE_CHECKING:
    from explorer.embeddings import Embedding


PRECISION = 1e-12  # share of |μ̂|² that an iteration has to gain; J itself is some 1e-4 of |μ̂|²
NOTHING = 1e-28  # share of the squares of the estimate's moments at which a sum of squared differences is only rounding
LIGHTEST = 1e-12  # the least weight of a blob at the start: a softmax has no gradient at 0
AT_BOUND = 1e-3  # a variance whose logarithm is this near to that of a bound is at the bound


class MixtureDensity(Learner):
    """Density that is a mixture of Gaussians whose kernel mean is nearest to an estimate of the data's.

    Use it to turn a kernel mean back into a density that can be sampled. For a density of one or two variables without
    components use `MaximumEntropy`.

    It is Q = Σ_j π_j N(m_j, s_j I), with m blobs.

    Parameters
    ----------
    kernel : Kernel or None, default None
        Gaussian, Linear, or Polynomial of degree 1 to 3; None is the estimator's kernel, or ``Gaussian()``.
    estimator : Estimator or None, default None
        Any estimator of a kernel mean, negative weights and noise included; None is KME().
    n_components : int, default 10
        The number of blobs, m >= 1, at most n.
    rng : int, numpy.random.Generator or None, default None
        Seed of k-means. A Generator gives the seed, None is fresh at each fit.
    starts : int, default 50
        The number of runs of k-means; the best counts (Lloyd's objective).
    iterations : int, default 2000
        The most steps; a small number stops early.

    Attributes
    ----------
    kernel_, estimator_ : Kernel, Estimator
        The kernel and the estimator with all parameters chosen on the sample.
    embedding_ : Embedding
        μ̂, which is matched.
    mixture_, start_ : GaussianMixture
        The mixture at the end and from k-means.
    objective_ : float
        J at the end, its constant |μ̂|² included, in squared units of k.
    history_ : ndarray of shape (t,)
        J from the start to the end.
    path_ : FitPath
        The blobs of every step.
    at_ceiling_, at_floor_ : ndarray
        The indices of the blobs whose variance is at its bound.
    bounds_ : tuple of float
        The smallest and the largest variance.

    Notes
    -----
    The fit minimises J = |μ̂ - μ_Q|², an RKHS distance in closed form, over weights π >= 0 of sum 1 (a softmax of free
    numbers), means, and variances between 1e-6 of a typical one and 10 times the mean variance of the coordinates. It
    uses L-BFGS-B with exact gradients, from the clusters of the best of several runs of k-means. The data's units do
    not matter. [muandet2014stein] and [muandet2016shrinkage] leave out π >= 0 (erratum 33).

    The result is not a maximum of the likelihood: the likelihood of new points is often highest at the start and falls
    while J does (erratum 14), so `start_`, `history_` and `path_` are kept. A shrunk estimate has a mass Σβ below 1,
    which a mixture cannot have. The rest goes into a blob as wide as the bound, whose kernel mean is nearly 0 (erratum
    34): `at_ceiling_` names such blobs. Their means are free, and may end many ranges of the data away, where their
    kernel means are even nearer to 0: kept near the data they would leave a larger J. Only if a step from a poor start
    throws all blobs away from the data, where J is flat, the fit is started again with means near the data. The linear
    kernel determines Σ π_j m_j alone and a polynomial one finitely many moments. Everything else, under the linear
    kernel every variance, stays as k-means has set it (erratum 33).

    References
    ----------
    Song et al. 2008, eq. 4; Kernel Mean Estimation and Stein Effect ([muandet2014stein]), section 4.2, and Xia et al.
    2021 ([xia2021corrupted]), section 5.2.2.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, MixtureDensity
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(-2, 0.5, 60), rng.normal(2, 1.0, 40)])
    >>> fit = MixtureDensity(Gaussian(1.0), n_components=2, rng=0).fit(X)
    >>> heavy = np.argmax(fit.mixture_.weights)
    >>> fit.mixture_.weights[heavy].round(1), fit.mixture_.means[heavy].round(1)
    (np.float64(0.6), array([-2.]))
    >>> bool(fit.objective_ < fit.history_[0])
    True
    """

    _kind = "density_estimator"
    kernel: Kernel | None = kernel_field("the kernel whose means are matched; None is Gaussian()")
    estimator: Estimator | None = estimator_field("the estimator of the kernel mean; None is KME()")
    n_components: int = Whole(
        default=10, bounds=(1, None), softbounds=(1, 30), symbol="m", doc="how many blobs the mixture has"
    )
    rng: int | np.random.Generator | None = Seed(default=None, doc="the seed of k-means")
    starts: int = Whole(default=50, bounds=(1, None), softbounds=(1, 50), doc="runs of k-means; the best is the start")
    iterations: int = Whole(
        default=2000, bounds=(0, None), softbounds=(0, 2000), doc="the largest number of steps of the optimiser"
    )

    def _check(self):
        checked_estimator(self.estimator, self.kernel, "biased")
        _refuse_other_kernels(kernel_of(self.kernel, self.estimator))

    def fit(
        self,
        X: PointsLike,
        y: Any = None,
        start: GaussianMixture | None = None,
        progress: Callable[[int], bool | None] | None = None,
        weights: VectorLike | None = None,
    ) -> Self:
        """Learn from points.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points, n >= m.
        y : object, optional
            Ignored, except that a GaussianMixture here is the start.
        start : GaussianMixture, optional
            A mixture of m spherical Gaussians to begin from, such as blobs that were placed by hand or another fit's
            `start_`; None is k-means.
        progress : callable, optional
            Called with the number of each step, 1, 2, ...; the fit ends if it returns True.
        weights : array_like of shape (n,), optional
            The number of times that each row counts, for averages. Whole numbers act as repeated rows, and a row of
            weight 0 is left out.

        Returns
        -------
        MixtureDensity
            The fitted learner itself.

        Raises
        ------
        Refusal
            If there are fewer points than blobs, or all points are equal. Fewer distinct points than blobs are allowed:
            some blobs then start together.
        """
        start = y if start is None and isinstance(y, GaussianMixture) else start
        names, (X, counts) = names_of(X), counted_rows(checks.sample(X), weights)
        m, units = self.n_components, Units.of(X, counts)
        if m > len(X):
            raise Refusal(
                f"n_components={m} blobs are more than the {len(X)} rows of X; take at most as many blobs as points."
            )
        kernel, estimator, embedding = estimate(self.kernel, self.estimator, X, counts, names)
        self.kernel_: Kernel = kernel
        self.estimator_: Estimator = estimator
        self.embedding_: Embedding = embedding
        match, scale = self._match(units)
        if start is None:
            blobs = k_means_blobs(units.to_units(X), m, self.starts, self.rng, units.ceiling, counts)
        else:
            blobs = blobs_of_mixture(start, m, units)
        if isinstance(match, GaussianMatch):
            least = PRECISION * match.square
        else:  # |μ̂|² depends on the location of the data, but the digits of J do not
            least = max(PRECISION * match(blobs)[0], NOTHING * match.size)
        variances = FLOOR, units.ceiling
        steps, J = _descent(match, blobs, self.iterations, least, variances, progress)
        if isinstance(match, GaussianMatch) and _lost(match, J):
            within = _descent(match, blobs, self.iterations, least, variances, progress, _box(units.to_units(X)))
            steps, J = min((steps, J), within, key=lambda each: each[1][-1])
        self._keep(steps, J * scale, units)
        return self

    def _match(self, units):
        """Return J in the blobs' units as a function of Blobs, and its unit in squared units of k."""
        unit = units.unit
        blocks = [
            (units.to_units(b.points), b.weights, None if b.covariance is None else b.covariance / unit / unit)
            for b in self.embedding_.blocks
        ]
        if isinstance(self.kernel_, Gaussian):
            return GaussianMatch(blocks, self.kernel_.bandwidth / unit, self.embedding_.norm() ** 2), 1.0
        kernel: Any = self.kernel_  # a polynomial one
        match = PolynomialMatch(blocks, kernel.degree, kernel.offset, units.origin / unit, unit)
        return match, float(np.exp(match.log_scale))

    def _keep(self, steps, values, units):
        """Set the path of a fit, its J in the units of the data, and the attributes of its end."""
        unit = units.unit
        self.path_: FitPath = FitPath(
            np.array([b.weights for b in steps]),
            units.origin + unit * np.array([b.means for b in steps]),
            unit**2 * np.array([b.variances for b in steps]),
        )
        self.start_: GaussianMixture = self.path_.mixture(0)
        self.mixture_: GaussianMixture = self.path_.mixture(-1)
        if isinstance(self.kernel_, Gaussian) and len(self.embedding_.points) <= LARGE:
            # For both ends J is recomputed by the library's own distance, which keeps the digits of a small J. It takes
            # n² more kernel values.
            for i, law in ((0, self.start_), (-1, self.mixture_)):
                values[i] = self.embedding_.distance(law.embed(self.kernel_)) ** 2
        self.history_: Vector = checks.read_only(values)
        self.objective_: float = float(values[-1])
        self.bounds_: tuple[float, float] = (unit**2 * FLOOR, unit**2 * units.ceiling)
        log_variances = np.log(steps[-1].variances)
        self.at_floor_: Rows = checks.read_only(np.flatnonzero(log_variances <= np.log(FLOOR) + AT_BOUND))
        self.at_ceiling_: Rows = checks.read_only(np.flatnonzero(log_variances >= np.log(units.ceiling) - AT_BOUND))

    def logpdf(self, Z: PointsLike) -> Vector:
        """Return the log density at points, in units of 1 / the units of X to the power d.

        Parameters
        ----------
        Z : array_like of shape (k, d)
            The points.

        Returns
        -------
        ndarray of shape (k,)
            The log densities.
        """
        return self._fitted().mixture_.logpdf(Z)

    def score(self, Z: PointsLike, y: Any = None) -> float:
        """Return the mean log-likelihood of points, whose negative is the papers' average NLL.

        Parameters
        ----------
        Z : array_like of shape (k, d)
            The points.
        y : object, optional
            Ignored.

        Returns
        -------
        float
            The mean log-likelihood, in nats per point.
        """
        return float(np.mean(self.logpdf(Z)))

    def start_score(self, Z: PointsLike) -> float:
        """Return the mean log-likelihood of points under the start; it is above `score` more often than not.

        Parameters
        ----------
        Z : array_like of shape (k, d)
            The points.

        Returns
        -------
        float
            The mean log-likelihood, in nats per point.
        """
        return float(np.mean(self._fitted().start_.logpdf(Z)))


def _lost(match, J):
    """Return whether a fit is at least as far from the estimate as the zero function, as no blob is near a point."""
    return len(J) > 1 and J[-1] >= match.square


def _box(Z):
    """Return the least and the largest means (d,) within one range of the points Z (n, d) on either side of them."""
    low, high = Z.min(axis=0), Z.max(axis=0)
    wide = np.where(high > low, high - low, (high - low).max())
    return low - wide, high + wide


def _refuse_other_kernels(kernel):
    """Refuse a kernel whose means have no closed form here."""
    known = isinstance(kernel, Gaussian) or (isinstance(kernel, (Linear, Polynomial)) and kernel.degree <= 3)
    if not known:
        raise Refusal(
            "MixtureDensity matches means under Gaussian, Linear and Polynomial kernels of degree 1 to 3, not under"
            f" {checks.echo(kernel)}; take one of those."
        )


def _descent(match, start, iterations, precision, variances, progress, means=None):
    """Return the Blobs of every step from `start` on and J at each, by L-BFGS-B on logits, means and log variances.

    The means are between the two of `means`, or free.
    """
    from scipy.optimize import minimize

    m, d = start.means.shape
    logits = np.log(np.maximum(start.weights, LIGHTEST))
    start = np.concatenate([logits - logits.max(), start.means.ravel(), np.log(start.variances)])
    first = match(_blobs(start, m, d))[0]
    known = {start.tobytes(): first}  # J at each point that the optimiser has evaluated; each step is one of them
    scale = first if first > 0 else 1.0  # makes the optimiser's own tolerances relative to J at the start

    def value(v):
        blobs = _blobs(v, m, d)
        J, by_pi, by_M, by_s = match(blobs)
        known[v.tobytes()] = J
        by_logits = blobs.weights * (by_pi - blobs.weights @ by_pi)
        return J / scale, np.concatenate([by_logits, by_M.ravel(), by_s * blobs.variances]) / scale

    low, high = np.log(variances)
    places = [(None, None)] * d if means is None else list(zip(*means, strict=True))
    steps = [start]

    def step(v):
        steps.append(np.array(v))
        if progress is not None and progress(len(steps) - 1):
            raise StopIteration  # ends scipy's loop without an error

    if iterations and first > precision:
        minimize(
            value,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=[(None, None)] * m + places * m + [(low, high)] * m,
            callback=step,
            options={"maxiter": iterations, "maxfun": 20 * iterations, "ftol": precision / scale, "gtol": 1e-9},
        )
    path = [_blobs(v, m, d) for v in steps]
    J = [known.get(v.tobytes()) for v in steps]
    return path, np.array([match(b)[0] if value is None else value for b, value in zip(path, J, strict=True)])


def _blobs(v, m, d):
    """Return the blobs of a vector of logits (m), means (m d) and logarithms of variances (m)."""
    return Blobs(softmax(v[:m]), v[m:-m].reshape(m, d), np.exp(v[-m:]))
