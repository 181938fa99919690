"""Toy samples in the plane with known noiseless positions: rings, moons, blobs and a curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.rng import stream

CLOUDS = ("rings", "moons", "blobs", "curve")
INNER = 0.3  # radius of the inner ring; the outer one's is 1


class Cloud(NamedTuple):
    """Points in the plane, their noiseless positions and their groups.

    Attributes
    ----------
    X : ndarray of shape (n, 2)
        The points.
    clean : ndarray of shape (n, 2)
        The position of each point without noise.
    groups : ndarray of shape (n,)
        The part of the shape that each point belongs to.

    Examples
    --------
    >>> from explorer.datasets import cloud
    >>> from explorer.datasets.toys.clouds import Cloud
    >>> rings: Cloud = cloud("rings", 6, noise=0.1, rng=0)
    >>> rings.X.shape, rings.groups.tolist(), round(float(abs(rings.X - rings.clean).max()), 2)
    ((6, 2), [0, 1, 0, 1, 0, 1], 0.14)
    """

    X: np.ndarray
    clean: np.ndarray
    groups: np.ndarray


def cloud(kind: str, n: int, noise: float = 0.1, rng: int | None = None) -> Cloud:
    r"""Draw n points around a shape in the plane.

    With an int seed a larger n only appends points. Row i belongs to group i modulo the number of groups.

    Parameters
    ----------
    kind : {"rings", "moons", "blobs", "curve"}
        The shape, see Notes.
    n : int
        Number of points, at least 1.
    noise : float, default 0.1
        Standard deviation of the normal noise in both coordinates.
    rng : int or None, default None
        Seed of the draws.

    Returns
    -------
    Cloud
        The points X, their noiseless positions and their groups.

    Raises
    ------
    ValueError
        If `kind` is another name, or n is below 1.

    Notes
    -----
    With t uniform on [-1, 1]:

    - "rings": :math:`r\, (\cos \pi t, \sin \pi t)` with r = 1 or 0.3.
    - "moons": two half circles that reach into each other.
    - "blobs": three corners of a triangle.
    - "curve": :math:`(1.4\, t,\; 0.7 \sin \pi t)`, one group.

    Examples
    --------
    >>> from explorer.datasets import cloud
    >>> cloud("blobs", 4, noise=0.0, rng=1).X.round(2)
    array([[ 0.  ,  1.  ],
           [-0.87, -0.5 ],
           [ 0.87, -0.5 ],
           [ 0.  ,  1.  ]])
    """
    if kind not in CLOUDS:
        raise Refusal(f"There is no cloud {checks.echo(kind)}; the clouds are {', '.join(CLOUDS)}.")
    n = checks.whole(n, "n", 1)
    count = {"rings": 2, "moons": 2, "blobs": 3, "curve": 1}[kind]
    groups, t = np.arange(n) % count, stream(rng, "place").uniform(-1, 1, n)
    half = np.pi * (t + 1) / 2
    x, y = {
        "rings": lambda: np.where(groups == 0, 1.0, INNER) * (np.cos(np.pi * t), np.sin(np.pi * t)),
        "moons": lambda: np.where(groups == 0, 1, -1) * (np.cos(half) - 0.5, np.sin(half) - 0.25),
        "blobs": lambda: (-np.sin(2 * np.pi * groups / 3), np.cos(2 * np.pi * groups / 3)),
        "curve": lambda: (1.4 * t, 0.7 * np.sin(np.pi * t)),
    }[kind]()
    clean = np.column_stack([x, y]) + 0.0  # turns -0.0 into 0.0
    X = clean + float(noise) * stream(rng, "noise").normal(size=(n, 2))
    return Cloud(*(checks.read_only(each) for each in (X, clean, groups)))
