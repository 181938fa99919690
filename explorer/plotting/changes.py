"""Rows ordered by time: the profile of a scan, and the wealth of a Monitor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.discrepancy.results.answer import checked_level
from explorer.marks.changes import OneScan, scan_profile, wealth_path

from .drawings import Drawing

if TYPE_CHECKING:
    from explorer.changes import Monitor, ScanResult


def of_scan(result: ScanResult, level: float = 0.05) -> Drawing:
    """Draw the profile of a scan, its threshold at a level, its largest value, and the breaks of a search for several.

    Parameters
    ----------
    result : ScanResult
        The result of `scan`.
    level : float, default 0.05
        The profile's largest value exceeds the threshold if p <= level.

    Returns
    -------
    drawing : Drawing
        The curves and lines.
    """
    return Drawing(scan_profile, OneScan(result, checked_level(level)), widens=True)


def of_monitor(monitor: Monitor) -> Drawing:
    """Draw the wealth after each row on a log axis, 1 / level, and the alarm."""
    return Drawing(wealth_path, monitor)
