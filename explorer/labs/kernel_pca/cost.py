"""Costs of a result of the Kernel PCA lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import coordinates, measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


POLYNOMIAL = ("LIN", "POLY2", "POLY3")
PLACES = 5120  # points of the plane at which a component is drawn
FITS = {
    "KPCA": 1.0,
    "S-centred": 1.1,
    "F-centred": 3.5,
    "S-COSE": 1.5,
    "F-COSE": 5.0,
}  # times of the fits, relative to KPCA


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, d, algebraic = lab.n, 2 if lab.toy else coordinates(lab), lab.kernel in POLYNOMIAL
    often = 0.5 if algebraic else 0.75  # fraction of its time that a fit takes if it is one of many
    fit = FITS.get(lab.variant, FITS["F-centred"]) * fit_of(n)
    look, back = fit + 2.5e-3 + 4e-7 * n * PLACES / 20, 1e-3 + 1e-5 * n
    numbers = 6 * n**2 + 4 * PLACES * n
    parts = [measured("the decomposition of the Gram matrix", look + back, numbers, ("n",))]
    if lab.picture == "denoised":
        parts.append(measured("the pre-images", backs_of(n, d, algebraic), 20 * n**2, ("n",)))

    def late(name, seconds, *lower):
        parts.append(measured(name, seconds, numbers, lower, late=True))

    if lab.tabled:
        late("every bandwidth", often * len(lab.stops) * (look + back), "n")
    if lab.picture == "denoised":
        late("the pre-images by more components", 12 * backs_of(n, d, algebraic), "n")
    if lab.picture == "errors":
        late("the errors of held-out points", often * 40 * sum(FITS.values()) * fit_of(n), "n")
    if lab.picture == "discriminant":
        late("the discriminant", fit + 2e-3 + 4e-7 * n * PLACES / 20, "n")
    if lab.picture == "clusters":
        late("the clusters", 5 * (5e-3 + 1e-4 * n * lab.clusters + 2e-8 * n**2), "n")
    if lab.picture == "ghosts":
        late("the bootstrap resamples", often * lab.samples * (look + 1e-3), "samples", "n")
    return parts


def backs_of(n: int, d: int, algebraic: bool) -> float:
    """Return the seconds for the pre-images of all points. Those of a polynomial kernel are solved for."""
    if algebraic:
        return 1e-3 + 4.5e-8 * n**2
    return 3e-3 + 3e-7 * n**2 + 1e-8 * n**2 * d**2


def fit_of(n: int) -> float:
    """Return the seconds of a plain fit."""
    return 1e-3 + 4e-8 * n**2 + 1e-10 * n**3
