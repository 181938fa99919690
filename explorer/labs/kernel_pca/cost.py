"""What a result of the Kernel PCA lab costs; the coefficients are seconds, measured on one core."""

from __future__ import annotations

from explorer.workbench.cost import coordinates, measured

PLACES = 5120  # of the plane where a component is drawn
FITS = {"KPCA": 1.0, "S-centred": 1.1, "F-centred": 3.5, "S-COSE": 1.5, "F-COSE": 5.0}  # how long they take, beside


def works(lab):
    """The Works of a state."""
    n, d = lab.n, 2 if lab.toy else coordinates(lab)
    fit = FITS[lab.variant] * fit_of(n)
    look, back = fit + 2.5e-3 + 4e-7 * n * PLACES / 20, 1e-3 + 1e-5 * n
    numbers = 6 * n**2 + 4 * PLACES * n
    parts = [measured("the decomposition of the Gram matrix", look + back, numbers, ("n",))]
    if lab.picture == "denoised":
        parts.append(measured("the pre-images", backs_of(n, d), 20 * n**2, ("n",)))

    def late(name, seconds, *lower):
        parts.append(measured(name, seconds, numbers, lower, late=True))

    if lab.tabled:
        late("every bandwidth", len(lab.stops) * (look + back), "n")
    if lab.picture == "denoised":
        late("the pre-images by more components", 12 * backs_of(n, d), "n")
    if lab.picture == "errors":
        late("the errors of held-out points", 40 * sum(FITS.values()) * fit_of(n), "n")
    if lab.picture == "ghosts":
        late("the bootstrap resamples", lab.samples * (look + 1e-3), "samples", "n")
    return parts


def backs_of(n, d):
    """Seconds of the pre-images of all points."""
    return 3e-3 + 3e-7 * n**2 + 1e-8 * n**2 * d**2


def fit_of(n):
    """Seconds of a plain fit."""
    return 1e-3 + 4e-8 * n**2 + 1e-10 * n**3
