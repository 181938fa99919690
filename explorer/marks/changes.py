"""Pictures of tests on rows ordered by time: the profile of a scan, and the wealth of a Monitor."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from explorer.languages import translate
from explorer.printing import format_number

from .axes import Axis, decades
from .mark import curve, horizontal_lines, tipped, vertical_lines
from .picture import Picture, Sources
from .thumbnails import HEIGHT

SHOWN = 1000  # largest number of points of a line
RARE = 4  # fewest decades of an axis of wealth


class OneScan(NamedTuple):
    """A scan's result and the level of its threshold.

    Attributes
    ----------
    scan : Scan
        The result.
    level : float
        The level.
    """

    scan: Any
    level: float


def profile_sides(result: Any) -> tuple[Axis, Axis]:
    """Return both axes."""
    scan, limit = result.scan, result.scan.threshold(result.level)
    seen = [*scan.profile[np.isfinite(scan.profile)], *([limit] if math.isfinite(limit) else [])]
    low, high = float(min(0.0, *seen)), float(max(0.0, *seen))
    room = 0.05 * (high - low) or 1.0
    x = Axis("row", (0.0, float(scan.n)))
    return x, Axis("standardised MMD²", (low - room, high + room))


@Picture(
    "profile",
    height=330,
    marks=(
        curve("profile", "kme", width=2, label="standardised MMD²"),
        tipped(
            horizontal_lines(
                "threshold",
                "harm",
                dash="dashed",
                width=2,
                label=lambda of: translate("threshold at level {:g}", of.level),
            )
        ),
        tipped(
            vertical_lines(
                "breaks", "harm", width=2, alpha=1.0, follows_slider=False, label="breaks over all intervals"
            )
        ),
        tipped(
            vertical_lines(
                "index",
                width=3,
                alpha=1.0,
                follows_slider=False,
                label=lambda of: translate("best split, row {}", of.scan.index),
            )
        ),
    ),
    sides=profile_sides,
    title=lambda of: f"p = {of.scan.pvalue:.3g}",
    description=lambda of: str(of.scan),
)
def scan_profile(result: Any) -> Sources:
    """Draw the profile of a OneScan: the standardised MMD² at every split, the threshold, and the breaks."""
    scan, limit = result.scan, result.scan.threshold(result.level)
    rows = np.flatnonzero(np.isfinite(scan.profile))
    # Keep the largest value of each stretch of a long profile, so that peaks stay in place.
    stretch = -(-len(rows) // SHOWN)
    stretches = np.split(rows, range(stretch, len(rows), stretch))
    kept = np.array([some[scan.profile[some].argmax()] for some in stretches])
    limits = np.array([limit] if math.isfinite(limit) else [])
    index = {"x": np.array([float(scan.index)]), "tip": [translate("row {}: {:.6g}", scan.index, scan.statistic)]}
    tips = [translate("threshold {:.6g} at level {:g}", each, result.level) for each in limits]
    return {
        "profile": {"x": kept.astype(float), "y": scan.profile[kept]},
        "threshold": {"y": limits, "tip": tips},
        "breaks": {
            "x": np.array(scan.breaks, float),
            "tip": [translate("break at row {}", row) for row in scan.breaks],
        },
        "index": index,
    }


def little_profile_sides(result: Any) -> tuple[Axis, Axis]:
    """Return both axes: the row axis has its ends, the other one has no ticks."""
    x, y = profile_sides(result)
    return x._replace(label="row", ticks={0.0: "0", x.range[1]: str(result.scan.n)}), y._replace(ticks={})


# A profile as a thumbnail below a sentence.
little_profile = replace(scan_profile, height=HEIGHT, sides=little_profile_sides)


def wealth_sides(result: Any) -> tuple[Axis, Axis]:
    """Return both axes."""
    path = result.path
    ends = [math.log10(each) for each in (max(float(path.min()), 1e-300), float(path.max()), 1 / result.level)]
    low, high = math.floor(min(ends) - 0.1), math.ceil(max(ends) + 0.1)
    step = max(1, (high - low) // RARE)
    y = Axis("wealth", (10.0**low, min(10.0**high, 1e308)), decades(low, min(high, 308), step), log=True)
    return Axis("rows of the stream", (0.0, float(max(result.n, 1)))), y


def wealth_title(result: Any) -> str:
    """Return the title: the alarm, and the wealth."""
    alarm = "no alarm" if result.alarm_at is None else translate("alarm at row {}", result.alarm_at)
    return translate("{}, wealth {}", alarm, format_number(result.wealth))


@Picture(
    "wealth",
    height=330,
    marks=(
        curve("wealth", "kme", width=2, label="wealth"),
        tipped(
            horizontal_lines(
                "limit",
                "harm",
                dash="dashed",
                width=2,
                label=lambda of: translate("1 / level = {}", format_number(1 / of.level)),
            )
        ),
        tipped(
            vertical_lines(
                "alarm",
                width=2,
                alpha=1.0,
                follows_slider=False,
                label=lambda of: translate("alarm at row {}", of.alarm_at),
            )
        ),
    ),
    sides=wealth_sides,
    title=wealth_title,
    description=str,
)
def wealth_path(result: Any) -> Sources:
    """Draw the wealth of a Monitor at each look, on a logarithmic axis, and the wealth 1 / level."""
    path = result.path
    kept = np.unique(np.linspace(0, len(path) - 1, min(len(path), SHOWN)).astype(int))
    at = [] if result.alarm_at is None else [result.alarm_at]
    return {
        "wealth": {"x": result.looks[kept].astype(float), "y": np.maximum(path[kept], 1e-300)},
        "limit": {"y": np.array([1 / result.level]), "tip": [translate("1 / level = {:.6g}", 1 / result.level)]},
        "alarm": {"x": np.array(at, float), "tip": [translate("alarm at row {}", row) for row in at]},
    }


def little_wealth_sides(result: Any) -> tuple[Axis, Axis]:
    """Return both axes: the row axis has its ends, the other one has no ticks."""
    x, y = wealth_sides(result)
    ticks = {0.0: "0", x.range[1]: str(max(result.n, 1))}
    return x._replace(label=translate("rows, wealth {}", format_number(result.wealth)), ticks=ticks), y._replace(
        ticks={}
    )


# A wealth path as a thumbnail below a sentence.
little_wealth = replace(wealth_path, height=HEIGHT, sides=little_wealth_sides)
