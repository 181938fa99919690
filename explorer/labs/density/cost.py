"""What a result of the Density lab costs; the coefficients are seconds, measured on one core."""

from __future__ import annotations

from explorer.workbench.cost import timed

CHOSEN = {  # seconds times n² and times n³ that an estimator takes to choose its parameter on the sample
    "KME": (1e-8, 0.0),
    "S-KMSE": (1.5e-8, 0.0),
    "F-KMSE": (1e-7, 2.5e-10),
    "MKME": (5e-8, 0.0),
    "MMKME": (1e-7, 0.0),
}
SAMPLES = 20  # more samples, for the paired differences
CELLS = {1: 240, 2: 30 * 30}  # of the grid of the most even density
MULTIPLES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # of the error of μ̂: the ε that are drawn


def works(lab):
    """The Works of a state."""
    n, m, rows = lab.n, lab.blobs, len(lab.stops)
    start = 0.006 + 2e-5 * n + 1.2e-8 * n**2 + 1e-3 * m
    drawn = 0.004 + 7e-4 * m + (rows * 2e-8 * n**2 if lab.shown_moved else 0.0)
    ours = _fit(n, lab.reach, lab.estimator)
    beside = _fit(n, lab.reach, "KME") if lab.estimator != "KME" else 0.0
    if lab.start_moved:
        beside += ours
    lower = ("n", "blobs", "iteration")
    parts = [
        timed("the clusters that the fit begins from", start, 4 * n**2, ("n", "blobs")),
        timed("the fit of the blobs", ours + beside + drawn, 4 * n**2 + rows * 4000 * (m + 1), lower),
    ]
    every = sum(_fit(n, lab.reach, name) for name in CHOSEN)
    if lab.picture == "progress":
        parts.append(timed("the other estimators' fits", every, 4 * n**2, lower, late=True))
    elif lab.picture == "samples":
        parts.append(timed("the further samples", SAMPLES * (start + every), 4 * n**2, lower, late=True))
    elif lab.picture == "entropy":
        even, held = _even(lab), 4 * n**2 + CELLS[lab.d] ** 2
        parts.append(timed("the most even density", even, held, ("n", "d")))
        parts.append(timed("the most even densities over ε", 1.3 * len(MULTIPLES) * even, held, ("n", "d"), late=True))
    return parts


def _fit(n, steps, name):
    """Seconds of one fit, from a start that is there."""
    squared, cubed = CHOSEN[name]
    return 0.003 + steps * (2e-4 + 2.5e-7 * n) + squared * n**2 + cubed * n**3


def _even(lab):
    """Seconds of one density on the grid: the narrower the kernel, the more features it has there."""
    if lab.d == 1:
        return 0.015
    return 0.03 + 0.05 / max(lab.bandwidth, 0.05) + 1e-4 * lab.n
