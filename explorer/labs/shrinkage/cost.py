"""Cost of a result of the Shrinkage lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import TABLES, coordinates, measured, timed

from .functions.values import ALONG, LARGEST

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


BATCH = 2**20  # the largest number of floats that the filters of the refits hold at a time
FILTERS = {  # time that a filter's scores take in addition to its refits: seconds, and seconds times n²
    "tsvd": (0.0, 0.0),
    "landweber": (1.5e-3, 1.2e-6),
    "iterated-tikhonov": (1.5e-3, 1.2e-6),
    "nu": (0.015, 2.5e-6),
}
# By dimension: seconds that a mixture's kernel mean under the Laplacian kernel takes, and seconds per point.
MEANS = {2: (6e-3, 4e-5), 3: (6e-3, 4e-4)}


def cost_items(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, d, rows = lab.n, coordinates(lab), len(lab.stops) + 1
    numbers = 5.2 * n**2 + n * d**2 + 4 * rows * n
    whole = 4e-3 + 8e-7 * d**2 + 4e-8 * n**2 + 1.4e-9 * n**2 * d + 1.7e-10 * n**3
    parts = [measured("the decomposition of the Gram matrix", whole, numbers, ("n", "d"))]
    if lab.kernel == "LAP" and lab.source == "mixture" and d in MEANS:
        once, growing = MEANS[d]
        parts.append(measured("the kernel mean under the Laplacian kernel", once + growing * n, numbers, ("n", "d")))
    if lab.filter in FILTERS:
        fixed, growing = FILTERS[lab.filter]
        refits = fixed + growing * n**2 + 5e-8 * n**3
        parts.append(measured("the filter's n refits", refits, numbers + 4.5 * min(rows * n**2, BATCH), ("n",)))
    if lab.beside != "none":
        parts.append(measured("the estimator that is compared", *_extra(lab, n, numbers), ("n",)))
    if lab.weights == "simplex":
        parts.append(measured("the weights on the simplex", 0.01 + 2e-4 * n + 4e-8 * n**3, numbers, ("n",)))
    if lab.picture == "values":
        along = 2e-3 + 2e-5 * n + 2e-8 * n**2 + ALONG * (MEANS[d][1] if lab.kernel == "LAP" and d in MEANS else 0.0)
        parts.append(measured("the averages of functions", along, numbers + 4 * ALONG * n, ("n",)))
    if lab.bayesian:
        again = whole if n <= LARGEST else 0.0  # the posterior also needs the evidence at another bandwidth
        parts.append(measured("the posterior", 2e-3 + 4e-8 * n**2 + again, numbers + n**2, ("n",)))
    if lab.samples and lab.source not in TABLES:
        # Each repetition holds its own spectrum in addition to the lab's.
        each, held = sum(part.seconds for part in parts), parts[-1].numbers + 3 * n**2
        parts.append(timed("the repetitions", 1.2 * lab.samples * each, held, ("samples", "n"), late=True))
    if lab.picture == "objective":
        parts.append(
            measured("the measured refits", 5e-3 + min(0.25, 4e-5 * n**2) + 1.2e-10 * n**3, 4 * n**2, ("n",), late=True)
        )
    return parts


def _extra(lab, n, numbers):
    """Return (seconds, numbers) of the extra estimator. On a table it is scored, which may take n refits."""
    refits = 3e-4 * min(n, 200) * (1 + 1e-4 * n**2) if lab.source in TABLES else 0.0
    return 6e-3 + 3e-7 * n**2 + refits, 3 * numbers
