"""Where bags are drawn along the line of spreads: at their own spread, and above or below it where that is taken."""

from __future__ import annotations

import numpy as np

from explorer.types import Rows, Values, Vector

WIDTH = 0.4  # of a cell in decades of the axis, over its height in shares of the picture: cells are square on a desk
OVERLAP = 0.85  # of a cell's width: neighbours may share the rest, where they have hardly a point
LARGEST, SMALLEST, FINER = 0.14, 0.01, 0.9  # heights of cells that are tried, each so much smaller than the last


def swarm(places: Vector, room: float) -> tuple[Values, float]:
    """(heights (l,) above the line, height of a cell) of bags at places (l,) in decades, within `room` up and down.

    The cells are as large as fit; a lane goes to the bags from left to right, the one nearest to the line first.
    """
    height = LARGEST
    while True:
        lanes = lanes_of(places, OVERLAP * WIDTH * height)
        if (np.abs(lanes).max() + 0.5) * height <= room or height < SMALLEST:
            return np.clip(lanes * height, -room, room, dtype=float), height
        height *= FINER


def lanes_of(places: Vector, width: float) -> Rows:
    """The lane of each place, (l,): 0, 1, -1, 2, ..., so that no two in a lane are nearer than `width`."""
    ends: list[float] = []  # of the lanes, in the order 0, 1, -1, 2, ...
    found = np.zeros(len(places), int)
    for i in np.argsort(places, kind="stable"):
        place = float(places[i])
        lane = next((k for k, end in enumerate(ends) if place - end >= width), len(ends))
        ends[lane : lane + 1] = [place]
        found[i] = (lane + 1) // 2 * (1 if lane % 2 else -1)
    return found
