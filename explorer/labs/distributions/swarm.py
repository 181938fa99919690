"""Positions of bags along the line of spreads: at their spread, and above or below it if the line is occupied."""

from __future__ import annotations

import numpy as np

from explorer.types import Rows, Values, Vector

WIDTH = 0.4  # width of a cell in decades of the axis per height in shares of the picture: cells are square on a desktop
OVERLAP = 0.85  # share of a cell's width that neighbours must leave free; they have hardly a point in the rest
LARGEST, SMALLEST, FINER = 0.14, 0.01, 0.9  # tried heights of cells: from LARGEST down to SMALLEST by the factor FINER


def swarm(places: Vector, room: float) -> tuple[Values, float]:
    """Return the heights (l,) of bags above the line, and the height of a cell, for positions (l,) in decades.

    The bags stay within `room` above and below the line. The cells are as large as possible. From left to right, each
    bag gets the free lane that is closest to the line.
    """
    height = LARGEST
    while True:
        lanes = lanes_of(places, OVERLAP * WIDTH * height)
        if (np.abs(lanes).max() + 0.5) * height <= room or height < SMALLEST:
            return np.clip(lanes * height, -room, room, dtype=float), height
        height *= FINER


def lanes_of(places: Vector, width: float) -> Rows:
    """Return the lane of each position, shape (l,), from 0, 1, -1, 2, ...; gaps in a lane are at least `width`."""
    ends: list[float] = []  # last position of each lane, in the order 0, 1, -1, 2, ...
    found = np.zeros(len(places), int)
    for i in np.argsort(places, kind="stable"):
        place = float(places[i])
        lane = next((k for k, end in enumerate(ends) if place - end >= width), len(ends))
        ends[lane : lane + 1] = [place]
        found[i] = (lane + 1) // 2 * (1 if lane % 2 else -1)
    return found
