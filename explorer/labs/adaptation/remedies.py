"""What is done about a target that differs, and the line that is learnt after it."""

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


ROUNDING = 1e-10  # of the largest y: what a line that passes through all points misses them by


class Pair(NamedTuple):
    """X (n, d) and y (n,) of the source, Z (m, d) of the target, and its y, which no remedy sees.

    quantities  of the columns of x, and of y; called, source and target in words
    lines       of each, the column of a table of numbers that says which rows of the user's table these are, or {}
    """

    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    hidden: np.ndarray
    quantities: tuple[Quantity, ...]
    called: tuple[str, str]
    lines: tuple[Mapping[str, Labels], Mapping[str, Labels]] = ({}, {})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of x, and of y."""
        return tuple(each.name for each in self.quantities)


class Fit(NamedTuple):
    """A source after a remedy, and its line.

    weights  (n,), of the points; X (n, d), where they are
    line     (d + 1,), intercept and slopes of the weighted least squares
    error    its mean squared error on points of the target
    size     the effective sample size; distance, of the kernel means of source and target, and norm, of the target's
    scale, shift  (c, d) the maps of the classes, None without
    shares   (c,) of the classes in the target, None where none are estimated
    remark   what the library would warn of
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
        """The distance that is left, as a share of the target mean's norm."""
        return self.distance / self.norm


def fitted(remedy: str, bound: float, pair: Pair, kernel: Gaussian, test: tuple[Matrix, Vector]) -> Fit:
    """The Fit of a remedy on a Pair, its line scored on `test`, (Z (t, d), y (t,)) of the target."""
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
    """Intercept and slopes (d + 1,) of the line of least weighted squares; of several the shortest."""
    root = np.sqrt(weights)
    return np.linalg.lstsq(root[:, None] * np.column_stack([np.ones(len(X)), X]), root * y, rcond=None)[0]


def heights(line: Vector, X: Points) -> Vector:
    """The line at points X (g, d), (g,)."""
    return line[0] + X @ line[1:]


def error_of(line: Vector, Z: Points, y: Vector) -> float:
    """The mean squared error of a line on points (Z, y); 0 where nothing but rounding is left of y."""
    error = float(np.mean((heights(line, Z) - y) ** 2))
    return error if error > (ROUNDING * np.abs(y).max()) ** 2 else 0.0


def own_line(pair: Pair, line: Vector) -> Vector:
    """A line (d + 1,), intercept and slopes, in the own units of a Pair's columns."""
    *of_x, of_y = pair.quantities
    slopes = of_y.size * line[1:] / [each.size for each in of_x]
    return np.append(of_y.centre + of_y.size * line[0] - slopes @ [each.centre for each in of_x], slopes)
