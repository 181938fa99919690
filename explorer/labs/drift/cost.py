"""Costs of a result of the Drift lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


ORDERS = 199  # the number of other orders of the rows that test the scan


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, changed = lab.n, lab.changes
    look = watched(n)
    parts = [measured("the profile of the scan", look, 3 * n**2, ("n",))]
    test = scanned(n)
    if lab.null == "auto":
        chosen = needed(n)
        look, test = look + chosen, test + chosen
        parts.append(measured("which orders the rows need", chosen, 8e6, ("n",)))
    parts.append(measured("the scan of other orders", test, 3 * n**2, ("n",), late=True))
    if lab.tabled and changed:
        parts.append(measured("every place of the break", len(lab.stops) * (look + test), 4 * n**2, ("n",), late=True))
    if lab.several and not changed:
        parts.append(measured("the search for several breaks", segmented(n), 4 * n**2, ("n",), late=True))
    if lab.samples:
        each = 1e-3 + monitored(n)
        parts.append(measured("the series without a change", lab.samples * each, 1e5, ("samples", "n"), late=True))
    return parts


def watched(n: int) -> float:
    """Return the seconds of a profile, the looks and the wealth."""
    return 1e-3 + 5e-8 * n**2 + monitored(n)


def monitored(n: int) -> float:
    """Return the seconds of a Monitor of n rows; a third of them are its reference."""
    return 2e-3 + 2e-5 * n + 8e-9 * n**2


def needed(n: int) -> float:
    """Return the seconds of the tests for dependent neighbouring rows and for an effect of the time of day."""
    return 0.02 + 1.2e-4 * n


def segmented(n: int) -> float:
    """Return the seconds of a search for several breaks that finds some."""
    return 0.05 + 4e-8 * ORDERS * n**2


def scanned(n: int) -> float:
    """Return the seconds of a scan with all its orders."""
    return 2e-3 + ORDERS * (5e-5 + 2.2e-9 * n**2)
