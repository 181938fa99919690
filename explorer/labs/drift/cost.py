"""What a result of the Drift lab costs; the coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


ORDERS = 199  # of the rows, under which the scan is tested


def works(lab: Any) -> list[CostItem]:
    """The Works of a state."""
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
    """Seconds of a profile, the looks and the wealth."""
    return 1e-3 + 5e-8 * n**2 + monitored(n)


def monitored(n: int) -> float:
    """Seconds of a Monitor of so many rows, a third of which are its reference."""
    return 2e-3 + 2e-5 * n + 8e-9 * n**2


def needed(n: int) -> float:
    """Seconds of the tests whether neighbouring rows are alike and whether rows go with the time of day."""
    return 0.02 + 1.2e-4 * n


def segmented(n: int) -> float:
    """Seconds of a search for several breaks in which some are found."""
    return 0.05 + 4e-8 * ORDERS * n**2


def scanned(n: int) -> float:
    """Seconds of a scan with all its orders."""
    return 2e-3 + ORDERS * (5e-5 + 2.2e-9 * n**2)
