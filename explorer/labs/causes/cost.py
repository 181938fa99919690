"""Cost of a result of the causes lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


RESAMPLES = 499  # number of resamples of every test


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n = lab.n
    look, rest = looked(lab.asks, n), 2 * kernel_test(n) if lab.asks == "given" else 0.0
    parts = [measured("the tests", look, 12 * n**2, ("n",))]
    if rest:
        parts.append(measured("the tests of the other pairs", rest + 2 * pair(n), 12 * n**2, ("n",), late=True))
    if lab.tabled:
        each = len(lab.stops)
        parts.append(measured("every bandwidth", each * look, 12 * n**2, ("n",), late=True))
        if rest:
            parts.append(measured("the other pairs at every bandwidth", each * rest, 12 * n**2, ("n",), late=True))
    if lab.samples and lab.toy:
        each = sampled(lab.asks, n)
        parts.append(measured("the further samples", lab.samples * each, 12 * n**2, ("samples", "n"), late=True))
    return parts


def looked(asks: str, n: int) -> float:
    """Return the seconds of a question's tests at one bandwidth, including the displayed regressions."""
    return sampled(asks, n) + (0.0 if asks == "joint" else covariance(n))


def sampled(asks: str, n: int) -> float:
    """Return the seconds of a question's tests alone."""
    if asks == "given":
        return kernel_test(n) + covariance(n) + pair(n)
    return 3 * pair(n) + (joint(n) if asks == "joint" else covariance(n))


def kernel_test(n: int) -> float:
    """Return the seconds of a kci_test."""
    return 3e-3 + 7e-7 * n**2 + 2.6e-9 * n**3


def covariance(n: int) -> float:
    """Return the seconds of a gcm_test, or of two regressions."""
    return 3e-3 + 1e-7 * n**2 + 2.5e-10 * n**3


def pair(n: int) -> float:
    """Return the seconds of an hsic_test."""
    return 3e-3 + 7e-8 * n**2


def joint(n: int) -> float:
    """Return the seconds of a dhsic_test of three variables."""
    return 7e-3 + 2.3e-6 * n**2
