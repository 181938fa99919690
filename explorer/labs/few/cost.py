"""Cost of a result of the Few lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.workbench.cost import coordinates, measured

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


PLACES = 3600  # the number of points of the plane at which the witness is drawn
TESTED = 1024  # the number of points of each sample that the test compares


def cost_items(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    n, m, numbers = lab.n, lab.m, 4 * lab.n**2 + 3 * PLACES * lab.n
    gram, look = 4e-3 + 4e-9 * n**2 + 4e-9 * PLACES * n, look_seconds(n, m)
    choose = choice_seconds(lab.method, n, m if lab.method == "k-means" else lab.most)
    parts = [measured("the choice of points", gram + choose + look, numbers, ("n", "m"))]
    stops = lab.stops
    if lab.picture == "flow":
        parts.append(measured("the flow", 0.08 + 4e-4 * n, 301 * 60 * coordinates_of(lab), ("n",), late=True))
        return parts
    if lab.picture == "test":
        rows = TESTED if lab.toy else min(lab.rows or 600, 2 * TESTED) / 2
        each = 5e-3 + 8e-9 * rows**2
        parts.append(measured("the compressed tests", 8 * each + 6e-8 * rows**2, 17 * rows**2, late=True))
        if lab.samples:
            parts.append(measured("the repeated tests", 2 * lab.samples * each, rows**2, ("samples",), late=True))
        return parts
    counts = {lab.count_at(stop) for stop in stops}
    every = sum(look_seconds(n, count) for count in counts)
    if lab.method in ("thinning", "k-means"):
        every += sum(choice_seconds(lab.method, n, count) for count in counts)
    parts.append(measured("every count of points", every, numbers, ("n",), late=True))
    dyadic = sum(choice_seconds(method, n, 2**k) for method in ("thinning", "k-means") for k in range(7))
    parts.append(measured("the other methods", dyadic + 8e-4 * len(stops), numbers, ("n",), late=True))
    return parts


def look_seconds(n: int, m: int) -> float:
    """Return the seconds for the numbers of m chosen points out of n."""
    return 2.5e-3 + 2.5e-6 * n + 1e-9 * m * PLACES


def choice_seconds(method: str, n: int, m: int) -> float:
    """Return the seconds that a method takes to choose m of n points."""
    if method == "thinning":
        return 6e-3 + 4e-8 * n**2 + 1.5e-4 * m
    if method == "k-means":
        return 3e-3 + 3e-8 * n**2 + 1.2e-6 * n * m
    return m * (1.3e-4 + 3e-7 * n)


def coordinates_of(lab: Any) -> int:
    """Return the number of coordinates of a point."""
    return 2 if lab.toy else coordinates(lab)
