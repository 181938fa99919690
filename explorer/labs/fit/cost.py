"""Cost of a result of the Fit lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


FLIPS, DRAWN = 499, 199  # the resamples of the tests: sign flips, and samples of the model
ACROSS, UP = 56, 25  # the number of cells of the plane in which the Stein witness is drawn, along both axes
KERNELS = 10  # the number of kernels of KSDAgg
NEW = 2000  # the number of points of the true distribution that estimate the divergence of the model


def cost_items(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, rows = lab.n, len(lab.stops)
    test, look = test_seconds(n), witness_seconds(n)
    parts = [measured("the test and the Stein witness", 2e-3 + test + look, 2 * n**2 + 8 * n * ACROSS * UP, ("n",))]
    if lab.family == "fitted" and lab.blobs > 1:
        fit = 0.02 + 0.03 * lab.blobs + 1.5e-4 * n + 3e-8 * n**2
        parts.append(measured("the fit of the model", fit, 4 * n**2, ("n", "blobs")))
    parts.append(measured("KSDAgg", KERNELS * test, 2 * n**2, ("n",), late=True))
    if lab.picture == "tests":
        drawn = DRAWN * (2e-4 + 3e-8 * n**2)
        parts.append(measured("samples of the model", drawn, 2 * n**2, ("n",), late=True))
    every = rows * (2 * (ACROSS * UP) + 6 * 150 + FLIPS)
    parts.append(measured("every bandwidth", rows * (test + look), every, ("n",), late=True))
    return parts


def test_seconds(n: int) -> float:
    """Return the seconds of a test by flipped signs."""
    return 1e-3 + FLIPS * (2e-7 + 1.2e-10 * n**2) + 4e-8 * n**2


def witness_seconds(n: int) -> float:
    """Return the seconds of the Stein witness in the whole picture."""
    return 1e-3 + 5e-8 * n * ACROSS * UP
