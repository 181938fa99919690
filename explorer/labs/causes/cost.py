"""What a result of the Causes lab costs; the coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import Work


RESAMPLES = 499  # of every test


def works(lab: Any) -> list[Work]:
    """The Works of a state."""
    n = lab.n
    look = looked(lab.asks, n)
    parts = [measured("the tests", look, 12 * n**2, ("n",))]
    if lab.tabled:
        parts.append(measured("every bandwidth", len(lab.stops) * look, 12 * n**2, ("n",), late=True))
    if lab.samples and lab.toy:
        each = sampled(lab.asks, n)
        parts.append(measured("the further samples", lab.samples * each, 12 * n**2, ("samples", "n"), late=True))
    return parts


def looked(asks: str, n: int) -> float:
    """Seconds of all tests of a question at one bandwidth, and of what the pictures show beside them."""
    return sampled(asks, n) + (2 * kernel_test(n) + 3 * pair(n) if asks == "given" else 0.0)


def sampled(asks: str, n: int) -> float:
    """Seconds of the tests of a question alone."""
    if asks == "given":
        return kernel_test(n) + covariance(n) + pair(n)
    return 3 * pair(n) + (joint(n) if asks == "joint" else covariance(n))


def kernel_test(n: int) -> float:
    """Seconds of a kci_test."""
    return 3e-3 + 7e-7 * n**2 + 2.6e-9 * n**3


def covariance(n: int) -> float:
    """Seconds of a gcm_test, or of two regressions."""
    return 3e-3 + 1e-7 * n**2 + 2.5e-10 * n**3


def pair(n: int) -> float:
    """Seconds of an hsic_test."""
    return 3e-3 + 7e-8 * n**2


def joint(n: int) -> float:
    """Seconds of a dhsic_test of three variables."""
    return 7e-3 + 2.3e-6 * n**2
