"""Cost of a result of the density lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


CHOSEN = {  # seconds per n² and per n³ for an estimator to choose its parameter on the sample
    "KME": (0.0, 0.0),
    "S-KMSE": (3e-9, 0.0),
    "F-KMSE": (2e-8, 2e-10),
    "MKME": (6e-9, 0.0),
    "MMKME": (1e-7, 0.0),
}
OWN = (1e-6, 1e-9)  # the same for a user's estimator: at most this
# MMKME avoids matrix products below the bandwidth FAR; it then takes FAR_PAIRS seconds per n²
FAR, FAR_PAIRS = 1e-3, 1.6e-6
STEPS = {1: 15, 2: 45, 3: 150, 4: 400}  # by number of components: the steps after which most fits have converged
# above WIDE medians components are indistinguishable, and a fit converges within WIDE_STEPS
WIDE, WIDE_STEPS = 2.0, 120
SAMPLES = 20  # number of additional samples for the paired differences
JUDGED, FLIPS = 200, 499  # held-out points on which KSDAgg tests the mixture, and its sign flips
CELLS = {1: 240, 2: 30 * 30}  # by dimension: number of grid cells of the maximum-entropy density
MULTIPLES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # the values of ε that are drawn, in units of the error of μ̂


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, m, rows = lab.n, lab.blobs, len(lab.stops)
    start = 0.005 + 1.2e-5 * n + 1.4e-8 * n**2 + 1e-3 * m
    drawn = 0.004 + 4e-4 * m + (rows * 2e-8 * n**2 if lab.shown_moved else 0.0)
    ours = _fit(lab, lab.estimator)
    beside = _fit(lab, "KME") if lab.estimator != "KME" else 0.0
    if lab.start_moved:
        beside += ours
    lower = ("n", "blobs", "iteration")
    parts = [
        measured("the clusters that the fit starts from", start, 4 * n**2, ("n", "blobs")),
        measured("the fit of the mixture", ours + beside + drawn, 4 * n**2 + rows * 4000 * (m + 1), lower),
    ]
    if lab.judges:
        judged = 0.04 + 1e-3 * m
        parts.append(measured("KSDAgg of the mixture", judged, 2 * JUDGED**2, ("blobs",), late=True))
    every = sum(_fit(lab, name) + 1.5e-3 for name in lab.compared)
    if lab.picture == "progress":
        parts.append(measured("the other estimators' fits", every, 4 * n**2, lower, late=True))
    elif lab.picture == "samples":
        parts.append(measured("the additional samples", 1.3 * SAMPLES * (start + every), 4 * n**2, lower, late=True))
    elif lab.picture == "entropy":
        even, held = _even(lab), 4 * n**2 + CELLS[lab.d] ** 2
        parts.append(measured("the maximum-entropy density", even, held, ("n", "d")))
        parts.append(
            measured("the maximum-entropy densities over ε", 1.1 * len(MULTIPLES) * even, held, ("n", "d"), late=True)
        )
    return parts


def _fit(lab, name):
    """Return the seconds of one fit whose start is known."""
    n, (squared, cubed) = lab.n, CHOSEN.get(name, OWN)
    if name == "MMKME" and lab.bandwidth < FAR:
        squared = FAR_PAIRS
    ends = STEPS[lab.blobs] if lab.blobs in STEPS else lab.reach
    steps = min(lab.reach, ends, WIDE_STEPS if lab.bandwidth > WIDE else lab.reach)
    return 0.005 + steps * (1.5e-4 + 1.2e-7 * n) + (1.2e-8 + squared) * n**2 + cubed * n**3


def _even(lab):
    """Return the seconds of one maximum-entropy density. A narrower kernel has more features on the grid."""
    n, bandwidth = lab.n, max(lab.bandwidth, 1e-9)
    if lab.d == 1:
        return 0.012 + 2e-5 * n + min(0.016, 5e-3 / bandwidth)
    return 0.02 + 6e-5 * n + min(0.12, 0.06 / bandwidth)
