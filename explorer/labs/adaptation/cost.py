"""Cost of a result of the adaptation lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


SAMPLES = 20  # number of additional samples, for the spread of the gain
BOUND = 7  # number of bounds in a typical state that change the weights


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, m = lab.n, lab.m
    fit = fit_of(lab)
    numbers = 6 * n**2 + 2 * n * m
    parts = [measured("the remedy", fit + 2e-3, numbers, ("n", "m"))]
    if lab.tabled and lab.picture != "treatment":
        rows = len(lab.stops)
        held = numbers + rows * (2 * n + 3 * m)
        parts.append(measured("the remedy at every shift", rows * (fit + 3e-3), held, ("n", "m"), late=True))
    if lab.picture == "bound" and lab.bounded:
        parts.append(measured("the remedy at every bound", 0.01 + BOUND * fit, numbers, ("n", "m"), late=True))
    if lab.picture == "samples":
        parts.append(measured("the remedy in more samples", SAMPLES * (fit + 2e-3), numbers, ("n", "m"), late=True))
    if lab.picture == "treatment":
        arms = 0.01 + 3e-7 * (n**2 + m**2) + 3e-9 * (n**3 + m**3)
        parts.append(measured("both arms", arms, 4 * (n + m) ** 2, ("n", "m")))
        test = 0.01 + 2e-6 * (n + m) ** 2 + 1e-9 * (n + m) ** 3
        test *= len(lab.stops) if lab.change else 1
        parts.append(measured("the test of no effect", test, 5 * (n + m) ** 2, ("n", "m"), late=True))
        if lab.change:
            held = len(lab.stops) * (2 * (n + m) + 1000)
            parts.append(measured("both arms at every shift", len(lab.stops) * arms, held, ("n", "m"), late=True))
    if lab.picture == "domains":
        rows = n if lab.change else n + m
        # with two domains transfer component analysis runs as well
        two = 2 if not lab.change or lab.domains == 2 else 1
        parts.append(measured("the components of the domains", two * (4e-3 + 8e-10 * rows**3), 8 * rows**2, ("n", "m")))
    return parts


def fit_of(lab: Any) -> float:
    """Return the seconds of one remedy."""
    n, m = lab.n, lab.m
    if lab.remedy.startswith("maps"):
        return 0.035 + 2e-6 * n * (n + m)
    return 1.5e-3 + 8e-6 * m + 1e-7 * n**2 + 4e-10 * n**3
