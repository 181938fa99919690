"""Toy clouds in the plane, or the rows of a table: fields of their labs, and the part of the plane that is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from explorer.parameters import Choice, LogNumber
from explorer.types import Points, Vector

from .fields import tables
from .samples import most_of, square_about

CALLED = {"rings": "Two rings", "moons": "Two moons", "blobs": "Three blobs", "curve": "A curve"}
REACH = {"rings": 1.25, "moons": 1.7, "blobs": 1.25, "curve": 1.6}  # half the side of a square about each cloud
# left, right, lower and upper end of each cloud without noise
BOXES = {
    "rings": (-1.0, 1.0, -1.0, 1.0),
    "moons": (-1.5, 1.5, -0.75, 0.75),
    "blobs": (-0.87, 0.87, -0.5, 1.0),
    "curve": (-1.4, 1.4, -0.7, 0.7),
}
NOISY = 2.5  # how many standard deviations of the noise are visible around a cloud
LEAST_ROOM = 0.35  # margin around a cloud without noise
WIDE, HIGH = 3.5, 1.08  # half width and half height of the grid, in half sides of the square


def cloud_field(default: str) -> str:
    """Return the field of the source of a sample: a toy cloud or a table.

    Parameters
    ----------
    default : str
        Its default.

    Returns
    -------
    Choice
        The field.
    """
    clouds = {"two rings": "rings", "two moons": "moons", "three blobs": "blobs", "a curve": "curve"}
    words = {**clouds, **tables("your table")}
    return Choice(default=default, objects=words, doc="what the sample is drawn from", label="sample from")


def noise_field(doc: str, when: Callable[[Any], object] | None = None) -> float:
    """Return the field of a cloud's noise, a standard deviation.

    Parameters
    ----------
    doc : str
        Its documentation.
    when : callable or None, default None
        Called with a result; returns whether the field has an effect.

    Returns
    -------
    LogNumber
        The field.
    """
    return LogNumber(0.1, bounds=(0, 100), softbounds=(0.01, 1), symbol="noise", doc=doc, label="noise", when=when)


def square_of_cloud(lab: Any, X: Points) -> tuple[float, float, float]:
    """Return a square about the toy cloud with its noise, or about most rows of a table.

    Parameters
    ----------
    lab : Lab
        The lab.
    X : ndarray of shape (n, d)
        The sample.

    Returns
    -------
    tuple of float
        Centre (x, y) and half side.
    """
    if lab.toy:
        return 0.0, 0.0, max(REACH[lab.toy], 0.9 + NOISY * lab.noise)
    return square_about(*most_of(X))


def box_of_cloud(lab: Any, X: Points) -> tuple[Vector, Vector]:
    """Return the box that is drawn at least: a toy cloud with its noise, or most rows of a table.

    Parameters
    ----------
    lab : Lab
        The lab.
    X : ndarray of shape (n, d)
        The sample.

    Returns
    -------
    low, high : ndarray of shape (1,) or (2,)
        Its corners.
    """
    if not lab.toy:
        return most_of(X)
    left, right, lower, upper = BOXES[lab.toy]
    room = max(LEAST_ROOM, NOISY * lab.noise)
    return np.array([left, lower]) - room, np.array([right, upper]) + room


class Ground(NamedTuple):
    """A grid of points in the plane.

    Attributes
    ----------
    x : ndarray of shape (p,)
        Evenly spaced values.
    y : ndarray of shape (q,)
        Evenly spaced values.
    places : ndarray of shape (p q, d)
        The points of the plane that they span, x running first.
    """

    x: np.ndarray
    y: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, frame: tuple[float, float, float], X: Points, along: int, across: int) -> Ground:
        """Return the grid around a square, with the sample's further coordinates at their medians.

        Parameters
        ----------
        frame : tuple of float
            Centre (x, y) and half side of the square.
        X : ndarray of shape (n, d)
            The sample.
        along, across : int
            Numbers of points along x and along y.

        Returns
        -------
        Ground
            The grid.
        """
        cx, cy, half = frame
        x = np.linspace(cx - WIDE * half, cx + WIDE * half, along)
        y = np.linspace(cy - HIGH * half, cy + HIGH * half, across)
        places = np.tile(np.median(X, axis=0), (along * across, 1))
        places[:, 0] = np.tile(x, across)
        if places.shape[1] > 1:
            places[:, 1] = np.repeat(y, along)
        return cls(x, y, places)
