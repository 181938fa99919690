"""What a result of the Marginalized lab costs; the coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.kernels.noisy.gaussian import CACHED
from explorer.workbench.cost import TABLES, coordinates, measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


FAR, LOOKS = 0.1, 150  # the bandwidth below which pairs are looked at one by one, and how often about
THIRD = {"laplace": 6e-5, "t": 6e-5, "uniform": 6e-5}  # seconds a pair of points takes, along σ
COPIES = 50  # noisy copies of the sample: half of all their pairs are compared


def works(lab: Any) -> list[CostItem]:
    """The Works of a state."""
    n, d = lab.n, coordinates(lab)
    numbers = 2.2 * n**2 + n * d**2
    along = 5.5e-3 + 6e-5 * d + 2.2e-7 * n**2 + 8.5e-9 * n**2 * d + 1e-8 * n * d**2
    if n**2 / 2 * d > CACHED and lab.bandwidth is not None and lab.bandwidth < FAR:
        along += LOOKS * 2.9e-9 * n**2 / 2 * d
    mixed = 0.0  # a mixture of many Gaussians is decomposed once
    if lab.source == "student":
        along, mixed = along + 3e-3 + 2.5e-6 * d**2, 2.6e-5 * d**2
    parts = [measured("the noise along σ", 2e-3 + along + mixed, numbers, ("n", "d"))]
    if lab.samples and lab.source not in TABLES:
        parts.append(measured("the repetitions", lab.samples * along, numbers, ("samples", "n", "d"), late=True))
    if lab.projects:
        weights = 2e-7 * n**2 + 1.5e-10 * n**3
        parts.append(measured("the weights on the points", weights, numbers + 5.5 * n**2, ("n",)))
    if lab.third != "none":
        each = 3e-6 * n**3 * (1 + d / 4) if lab.third == "local" else THIRD.get(lab.third, 5e-6) * n**2 * (1 + d / 4)
        parts.append(measured("the third estimate", 5e-3 + each, numbers + 2 * n**2 * d**2, ("n", "d")))
    if lab.picture == "dice":
        pairs = COPIES**2 / 2 * n**2
        copies = pairs * (4e-9 + 1e-10 * d)
        parts.append(
            measured("the noisy copies", copies, numbers + 4.2 * COPIES * n**2 + 2 * COPIES * n * d, ("n", "d"))
        )
    return parts
