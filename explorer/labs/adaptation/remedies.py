"""Remedies for a target that differs from the source, and the line that is learnt after a remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.adaptation import CovariateShift, LocationScaleShift, TargetShift
from explorer.adaptation.covariate import effective_sample_size
from explorer.datasets.columns.quantity import Quantity
from explorer.types import Labels, Matrix, Points, Vector, Weights

if TYPE_CHECKING:
    from explorer.kernels.gaussian import Gaussian


ROUNDING = 1e-10  # relative to the largest y: the rounding error of a line that passes through all points


class Pair(NamedTuple):
    """A source sample and a target sample.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Covariates of the source.
    y : ndarray of shape (n,)
        Outcomes of the source.
    Z : ndarray of shape (m, d)
        Covariates of the target.
    hidden : ndarray of shape (m,)
        Outcomes of the target, which no remedy uses.
    quantities : tuple of Quantity
        Quantities of the columns of x and of y.
    sample_names : tuple of str
        Names of source and target.
    lines : tuple of dict
        For each sample a column of row numbers in the user's table, by name; empty if there is none.
    """

    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    hidden: np.ndarray
    quantities: tuple[Quantity, ...]
    sample_names: tuple[str, str]
    lines: tuple[Mapping[str, Labels], Mapping[str, Labels]] = ({}, {})

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of x and of y."""
        return tuple(each.name for each in self.quantities)


class Fit(NamedTuple):
    """A source after a remedy, and its line.

    Attributes
    ----------
    weights : ndarray of shape (n,)
        Weights of the points.
    X : ndarray of shape (n, d)
        The points, which maps have moved.
    line : ndarray of shape (d + 1,)
        Intercept and slopes of the weighted least squares.
    error : float
        Mean squared error of the line on points of the target.
    size : float
        Effective sample size.
    distance : float
        RKHS distance between the kernel means of source and target.
    norm : float
        RKHS norm of the target's kernel mean.
    scale, shift : ndarray of shape (c, d) or None
        Maps of the classes, or None if the remedy has none.
    shares : ndarray of shape (c,) or None
        Shares of the classes in the target, or None if they are not estimated.
    remark : str
        Text of the library's warning, or "".
    """

    weights: np.ndarray
    X: np.ndarray
    line: np.ndarray
    error: float
    size: float
    distance: float
    norm: float
    scale: np.ndarray | None
    shift: np.ndarray | None
    shares: np.ndarray | None
    remark: str

    @property
    def far(self) -> float:
        """Remaining distance as a share of the target mean's norm."""
        return self.distance / self.norm


def fitted(remedy: str, bound: float, pair: Pair, kernel: Gaussian, test: tuple[Matrix, Vector]) -> Fit:
    """Apply a remedy to a Pair and return its Fit. The line is scored on `test`, (Z (t, d), y (t,)) of the target."""
    X, weights, maps, shares = pair.X, None, (None, None), None
    if remedy == "weights of x":
        found = CovariateShift(kernel, bound, tolerance=0.0).learn(pair.X, pair.Z)
        weights = found.weights_
    elif remedy == "weights of y":
        found = TargetShift(kernel, bound=bound).learn(pair.X, pair.y, pair.Z)
        weights, shares = np.maximum(found.identified_weights_, 0.0), getattr(found, "proportions_", None)
    else:
        found = LocationScaleShift(kernel, reweight=remedy.endswith("weights")).learn(pair.X, pair.y, pair.Z)
        X, weights, maps = found.transform(pair.X, pair.y), found.weights_, (found.scale_, found.shift_)
        shares = found.proportions_
    line, norm = line_of(X, pair.y, weights), float(np.sqrt(kernel(pair.Z).mean()))
    return Fit(
        weights, X, line, error_of(line, *test), effective_sample_size(weights), found.distance_, norm, *maps, shares,
        found.remark_,
    )  # fmt: skip


def line_of(X: Points, y: Vector, weights: Weights) -> Any:
    """Return intercept and slopes (d + 1,) of weighted least squares; the shortest solution if there are several."""
    root = np.sqrt(weights)
    return np.linalg.lstsq(root[:, None] * np.column_stack([np.ones(len(X)), X]), root * y, rcond=None)[0]


def heights(line: Vector, X: Points) -> Vector:
    """Return the heights of a line at points X (g, d), shape (g,)."""
    return line[0] + X @ line[1:]


def error_of(line: Vector, Z: Points, y: Vector) -> float:
    """Return the mean squared error of a line on points (Z, y), or 0 if only rounding error remains."""
    error = float(np.mean((heights(line, Z) - y) ** 2))
    return error if error > (ROUNDING * np.abs(y).max()) ** 2 else 0.0


def own_line(pair: Pair, line: Vector) -> Vector:
    """Convert a line (d + 1,), intercept and slopes, to the units of a Pair's columns."""
    *of_x, of_y = pair.quantities
    slopes = of_y.size * line[1:] / [each.size for each in of_x]
    return np.append(of_y.centre + of_y.size * line[0] - slopes @ [each.centre for each in of_x], slopes)
