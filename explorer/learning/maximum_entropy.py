"""The most even density on a grid whose kernel mean is near to that of the data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.mean_estimators import checked_estimator
from explorer.embeddings import Embedding
from explorer.estimators import Estimator
from explorer.estimators.base import estimator_field
from explorer.frames import names_of
from explorer.kernels import Kernel
from explorer.learner import Learner
from explorer.parameters import RequiredPart, RequiredReal
from explorer.svg import inline_pictures
from explorer.types import Matrix, PointsLike, Vector, VectorLike

from .estimates import counted_rows, estimate
from .exponential_family import Dual, nearest_within
from .grid import default_grid, grid_of
from .relative import Relative

if TYPE_CHECKING:
    from explorer.learning.grid import Grid


class MaximumEntropy(Learner):
    """Density of largest entropy whose kernel mean is within ε of an estimate, on a grid.

    Use it for a density of one or two variables of any shape. For more variables use `MixtureDensity`.

    The density p has the largest entropy -∫ p log p among those with |μ̂ - μ_p| <= ε.

    Parameters
    ----------
    kernel : Kernel or None
        Any kernel of points; Gaussian() chooses its bandwidth on the data; None is ``Gaussian()``.
    eps : float
        The ε > 0, an RKHS distance: sqrt((1 - |μ|²)/n) is the order of the error of μ̂ itself.
    estimator : Estimator or None, default None
        Any estimator of a kernel mean; None is KME().

    Attributes
    ----------
    grid_ : ndarray of shape (g, d)
        The centres of the cells.
    cell_ : float
        The volume of a cell.
    density_ : ndarray of shape (g,)
        p at the centres; Σ density_ cell_ = 1.
    entropy_ : float
        -∫ p log p, in nats; it grows with ε.
    distance_ : float
        |μ̂ - μ_p| <= ε.
    embedding_, mean_ : Embedding
        μ̂ and μ_p.
    multiplier_ : float
        t >= 0.
    function_ : Embedding
        f.
    coefficients_, points_ : ndarray
        The weights a_j of f and its points g_j: log p(x) = Σ_j a_j k(g_j, x) - log_normaliser_ at the centres, for an
        estimate without noise.
    log_normaliser_ : float
        log Z, with ∫ p = 1.

    Notes
    -----
    The density is in one or two dimensions and constant in each cell, and its kernel mean is that of the cells'
    centres. The answer is an exponential family with the kernel as its features: log p = f - log Z with f = t (μ̂ -
    μ_p). This function of the RKHS contains the estimate itself, so f's coefficients are t times those of μ̂ and -t p.
    The multiplier t makes the constraint active, |μ̂ - μ_p| = ε, unless the even density already meets it: then f = 0.

    References
    ----------
    Encyclopedia article, section on the maximum entropy; Dudík, Phillips and Schapire 2007 (J. Mach. Learn. Res.
    8, 1217).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, MaximumEntropy
    >>> x = np.random.default_rng(0).normal(size=50)
    >>> grid = np.linspace(-5, 5, 101)
    >>> loose, tight = (MaximumEntropy(Gaussian(1.0), eps).fit(x, grid) for eps in (0.3, 0.05))
    >>> loose.entropy_ > tight.entropy_, tight.distance_ <= 0.05
    (True, True)
    >>> round(float(tight.density_.sum() * tight.cell_), 6)
    1.0
    """

    _kind = "density_estimator"
    kernel: Kernel | None = RequiredPart(class_=Kernel, allow_None=True, doc="the kernel; None is Gaussian()")
    eps: float = RequiredReal(
        bounds=(0, None), inclusive_bounds=(False, True), symbol="ε", doc="how far μ_p may lie from the estimate"
    )
    estimator: Estimator | None = estimator_field("the estimator of the kernel mean; None is KME()")

    def _check(self):
        checked_estimator(self.estimator, self.kernel, "biased")

    def fit(self, X: PointsLike, grid: PointsLike | None = None, weights: VectorLike | None = None) -> Self:
        """Learn from points, on a grid.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points, d = 1 or 2.
        grid : array_like of shape (g,) or (g, d), optional
            Evenly spaced centres of cells. None is 200 cells, or 40 by 40, over the data's range and a quarter of it on
            each side.
        weights : array_like of shape (n,), optional
            The number of times that each row counts, for averages. Whole numbers act as repeated rows, and a row of
            weight 0 is left out.

        Returns
        -------
        MaximumEntropy
            The fitted learner itself.

        Raises
        ------
        Refusal
            If data lie outside of the grid, the points are all equal without a grid, or no density reaches ε.
        """
        names, (X, counts) = names_of(X), counted_rows(checks.sample(X), weights)
        cells = default_grid(X) if grid is None else grid_of(grid)
        checks.same_dimension(X, cells.points, ("X", "grid"))
        outside = np.flatnonzero(~cells.contains(X))
        if len(outside):
            raise Refusal(
                f"{len(outside)} of the {len(X)} rows of X lie outside of the grid, the first is row {outside[0]};"
                " give a grid that covers the data."
            )
        kernel, estimator, embedding = estimate(self.kernel, self.estimator, X, counts, names)
        self.kernel_: Kernel = kernel
        self.estimator_: Estimator = estimator
        self.embedding_: Embedding = embedding
        self._solve(Dual(Relative(self.embedding_, cells.points)), cells)
        return self

    def _solve(self, dual, cells):
        """Find the density of distance ε by the dual."""
        aim, distance = self.eps, math.inf
        for _ in range(3):
            family, least = nearest_within(dual, aim)
            if family is None:
                self._refuse(least)
            mean = Embedding(self.kernel_, cells.points, family.probabilities).over(self.embedding_.columns)
            distance = self.embedding_.distance(mean)
            if distance <= self.eps:
                return self._keep(family, mean, distance, cells)
            aim -= 2 * (distance - self.eps)  # the features leave out directions of rounding, some 1e-8 of a norm
            if aim <= 0:
                break
        self._refuse(distance)

    def _refuse(self, least):
        """Raise a Refusal of an ε that no density reaches."""
        raise Refusal(
            f"eps={self.eps:g} is out of reach: no density on this grid comes nearer to the estimate than"
            f" {least:.3g}; take a larger eps, or a finer grid, which comes nearer to data between its centres."
        )

    def _keep(self, family, mean, distance, cells):
        """Set the learnt attributes."""
        self.grid_: Matrix = cells.points
        self.cell_: float = cells.cell
        self.cells_: Grid = cells
        log_density = family.logits - np.log(cells.cell)
        self.log_density_: Vector = checks.read_only(log_density)
        self.density_: Vector = checks.read_only(np.exp(log_density))
        self.entropy_: float = float(-(family.probabilities @ log_density))
        self.distance_: float = float(distance)
        self.mean_: Embedding = mean
        self.multiplier_: float = family.t
        self.function_: Embedding = family.t * (self.embedding_ - mean)
        self.points_: Matrix = self.function_.points
        self.coefficients_: Vector = self.function_.weights
        heavy = int(np.argmax(log_density))
        self.log_normaliser_: float = float(self.function_(cells.points[heavy : heavy + 1])[0] - log_density[heavy])

    def logpdf(self, Z: PointsLike) -> Vector:
        """Return the log density at points: linear between the centres of cells, -inf beyond the grid.

        Parameters
        ----------
        Z : array_like of shape (k, d)
            The points.

        Returns
        -------
        ndarray of shape (k,)
            The log densities.
        """
        fitted = self._fitted()
        Z = checks.sample(Z, "Z")
        checks.same_dimension(Z, fitted.grid_, ("Z", "the density"))
        inside = fitted.cells_.contains(Z)
        found = np.full(len(Z), -np.inf)
        if inside.any():
            found[inside] = fitted.cells_.interpolate(fitted.log_density_, Z[inside])
        return found

    def score(self, Z: PointsLike, y: Any = None) -> float:
        """Return the mean log-likelihood of points, -inf if one lies beyond the grid.

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

    def _sentence(self):
        if not hasattr(self, "density_"):
            return super()._sentence()
        near = f"{self.distance_:.3g} from its estimate"
        return f"A density on {len(self.grid_)} cells, {near}, of entropy {self.entropy_:.3g}."

    def _picture(self):
        if not hasattr(self, "density_") or self.grid_.shape[1] > 1:
            return super()._picture()
        return inline_pictures.curve(self.grid_[:, 0], self.density_, self._sentence())
