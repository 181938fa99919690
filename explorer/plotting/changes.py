"""Rows ordered by time: the profile of a scan, and the wealth of a Monitor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.discrepancy.results.answer import checked_level
from explorer.marks.changes import OneScan, ScanProfile, WealthPath

from .pictures import drawn

if TYPE_CHECKING:
    from explorer.changes import Monitor, ScanResult


def of_scan(result: ScanResult, level: float = 0.05) -> Any:
    """An Overlay of the profile, the threshold that its largest value exceeds for p <= level, the best split, and the
    breaks where several were sought.
    """
    return drawn(ScanProfile, OneScan(result, checked_level(level)), widens=True)


def of_monitor(monitor: Monitor) -> Any:
    """An Overlay of the wealth after each row, on a logarithmic axis, 1 / level, and where the alarm was raised."""
    return drawn(WealthPath, monitor)
