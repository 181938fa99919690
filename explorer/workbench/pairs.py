"""Labs of pairs (x, y): the pairs, those put by hand among them, and the permutations that all their tests share."""

from __future__ import annotations

import json
import math
from typing import NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy import permutations
from explorer.kernels.bandwidth import median_and_remark

from .result import Result
from .stages import stage

LEAST = 4  # pairs that a test needs
ALONG, ACROSS = 40, 28  # places of the plane where functions are drawn
WIDE = 1.06  # of a half side: how far a picture goes


class Pairs(NamedTuple):
    """X (n, d) and Y (n, 1), which may be empty.

    names  of the columns, y's last       rows   of the pairs
    called the pairs, in words            placed how many were put by hand; they come last
    moved  which others were moved        frame  the centre and half sides (x, y, x, y) of what is drawn
    """

    X: np.ndarray
    Y: np.ndarray
    names: tuple[str, ...]
    rows: tuple[str, ...]
    called: str
    placed: int
    moved: np.ndarray
    frame: tuple[float, float, float, float]

    @property
    def n(self):
        """How many pairs there are."""
        return len(self.X)

    @property
    def drawn(self):
        """How many came from the source."""
        return self.n - self.placed

    @property
    def axes(self):
        """Where the pictures of functions are drawn: x (ALONG,) and y (ACROSS,)."""
        cx, cy, half, high = self.frame
        return (
            np.linspace(cx - WIDE * half, cx + WIDE * half, ALONG),
            np.linspace(cy - WIDE * high, cy + WIDE * high, ACROSS),
        )

    @property
    def places(self):
        """The axes as points of x's space (ALONG, d), the other columns at their medians, and of y's (ACROSS, 1)."""
        x, y = self.axes
        points = np.tile(np.median(self.X, axis=0), (ALONG, 1))
        points[:, 0] = x
        return points, y[:, None]


def placed(text):
    """((x, y), ...) from the words [[x, y], ...] of a link; Refusal where they are none."""
    try:
        points = tuple((float(x), float(y)) for x, y in json.loads(text)) if text else ()
    except (TypeError, ValueError):
        points = ((math.nan, math.nan),)
    if not all(math.isfinite(v) for point in points for v in point):
        raise Refusal(f"placed must be like [[0.5, -1], [2, 0.3]], pairs of numbers, not {text[:60]!r}.")
    return points


class PairsResult(Result):
    """The stages that labs of pairs share.

    The lab has `the_pairs()`, `size` (how many they are), `enough` (whether these are enough for a test), and how many
    permutations it takes: `shuffles` of them and, while a hand moves, `draft`.
    """

    @stage
    def pairs(self):
        """The Pairs."""
        return self.lab.the_pairs()

    @stage
    def heuristics(self):
        """The median distance of each side, and a remark where it is not plainly that."""
        return tuple(map(median_and_remark, (self.pairs.X, self.pairs.Y))) if self.lab.enough else ((1.0, ""),) * 2

    @stage
    def orders(self):
        """The permutations, in batches, that all tests share while the hand moves."""
        lab = self.lab
        return tuple(permutations(lab.size, lab.draft, lab.seed)) if lab.enough else ()

    def orders_of(self, count):
        """That many permutations, in batches."""
        lab = self.lab
        return self.orders if count == lab.draft else tuple(permutations(lab.size, count, lab.seed))

    @property
    def enough(self):
        """Whether there are pairs enough for a test."""
        return self.lab.enough

    @property
    def medians(self):
        """The median distance of each side."""
        return tuple(median for median, _ in self.heuristics)

    @property
    def remarks(self):
        """Empty for each side, unless its bandwidth is not the plain median's."""
        return tuple(remark for _, remark in self.heuristics)
