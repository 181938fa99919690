"""What a result of the Density lab costs; the coefficients are seconds, measured on one core."""

from __future__ import annotations

from explorer.workbench.cost import timed

NOISY = ("MKME", "MMKME")  # whose noise is chosen on the sample
SAMPLES = 20  # more samples, for the paired differences
CELLS = {1: 240, 2: 30 * 30}  # of the grid of the most even density
MULTIPLES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # of the error of μ̂: the ε that are drawn


def works(lab):
    """The Works of a state."""
    n, m, rows = lab.n, lab.blobs, len(lab.stops)
    start = 0.03 + 6e-5 * n + 4e-3 * m
    plain, noisy = (_fit(n, m, lab.reach, name) for name in ("KME", "MKME"))
    ours = noisy if lab.estimator in NOISY else plain
    beside = plain if lab.estimator != "KME" else 0.0
    drawn = rows * (1e-3 + 5e-4 * m) + (rows * 2e-8 * n**2 if lab.moved else 0.0)
    lower = ("n", "blobs", "iteration")
    parts = [
        timed("the clusters that the fit begins from", start, 4 * n**2, ("n", "blobs")),
        timed("the fit of the blobs", ours + beside + drawn, 4 * n**2 + rows * 5000, lower),
    ]
    every = 3 * plain + 2 * noisy
    if lab.picture == "progress":
        parts.append(timed("the other estimators' fits", every, 4 * n**2, lower, late=True))
    elif lab.picture == "samples":
        parts.append(timed("the further samples", SAMPLES * (start + every), 4 * n**2, lower, late=True))
    elif lab.picture == "entropy":
        even, held = _even(lab), 4 * n**2 + CELLS[lab.d] ** 2
        parts.append(timed("the most even density", even, held, ("n", "d")))
        parts.append(timed("the most even densities over ε", len(MULTIPLES) * even, held, ("n", "d"), late=True))
    return parts


def _fit(n, m, steps, name):
    """Seconds of one fit, from a start that is there."""
    chosen = 0.02 + 4e-7 * n**2 if name in NOISY else 2e-10 * n**3 + 1e-7 * n**2
    return 0.005 + steps * (1.5e-4 + 1.2e-7 * n * m) + chosen


def _even(lab):
    """Seconds of one density on the grid: the narrower the kernel, the more features it has there."""
    if lab.d == 1:
        return 0.05
    return min(0.12 + 0.04 / lab.bandwidth**2, 2.0) + 1e-7 * lab.n * CELLS[2]
