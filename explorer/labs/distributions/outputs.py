"""Joint regression of two numbers of each bag: a coordinate's mean, and the spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.types import Vector

if TYPE_CHECKING:
    from explorer.datasets.bags import Bags
    from explorer.learning import DistributionRegression


class Outputs(NamedTuple):
    """True and predicted pairs: the mean of a coordinate, and the logarithm of the spread.

    Attributes
    ----------
    true, predicted : ndarray of shape (m, 2)
        Pairs of new bags, or of a table's bags, each predicted while it is left out.
    moved : ndarray of shape (stops, 2)
        Predictions for the stretched bag.
    r2 : ndarray of shape (2,)
        R² of both outputs.
    lam : float
        λ of the regression.
    """

    true: np.ndarray
    predicted: np.ndarray
    moved: np.ndarray
    r2: np.ndarray
    lam: float


def outputs_of(
    learner: DistributionRegression, drawn: Bags, new: Bags | None, coordinate: int, by_stop: Callable[..., Any]
) -> Outputs:
    """Return the Outputs of a learner. `by_stop(compute)` applies a function to the stretched bags."""
    targets = np.array([_both(law, coordinate) for law in drawn.laws])
    middle = targets.mean(axis=0)  # subtracted, as the regression has no intercept
    machine = learner.fit(drawn.bags, targets - middle)
    if new is None:
        true, predicted = targets, learner.left_out(drawn.bags, targets - middle) + middle
    else:
        true = np.array([_both(law, coordinate) for law in new.laws])
        predicted = machine.predict(new.bags) + middle
    variance = true.var(axis=0)
    missed = ((predicted - true) ** 2).mean(axis=0)
    r2 = 1 - np.divide(missed, variance, out=np.ones(2), where=variance > 0)
    return Outputs(true, predicted, by_stop(lambda points: machine.predict(points)) + middle, r2, machine.lam_)


def _both(law: Any, coordinate: int) -> Vector:
    """Return the mean of a coordinate, and the log of the root mean variance, of a law or of rows (N, d)."""
    mean, variances = (law.mean(axis=0), law.var(axis=0)) if isinstance(law, np.ndarray) else (law.mean, law.variances)
    return np.array([mean[coordinate], np.log(max(float(np.mean(variances)), 1e-300)) / 2])
