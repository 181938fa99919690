"""What the Marginalized lab's picture of the sample draws.

points, noise, the density that it makes of them, noisy copies.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from . import marks
from .marks import plane as _plane

DISCS = 60  # points that have discs: more would be one blot
COPIED = 2000  # points of noisy copies that are drawn
ALONG, ACROSS = 34, 20  # cells of the density
WIDE, HIGH = 1.9, 1.08  # of the frame's half side: a picture is wider than it is high
__all__ = ["cells", "copies", "densities", "discs", "frame", "law_ellipses", "points"]


def frame(result):
    """Centre and half-width of what is shown."""
    return marks.frame(result.law, result.X[: result.clean])


def points(result):
    """The sample in the plane."""
    return marks.within(result.X, frame(result))


def law_ellipses(result):
    """The components of the law."""
    return marks.ellipses(result.law)


def discs(result):
    """Centres of MKME's discs and MMKME's ellipses, of one standard deviation; nothing under a density."""
    count = min(DISCS, len(result.X)) if result.lab.ground == "discs" else 0
    centres = {name: column[:count] for name, column in points(result).items()}
    return {"discs": dict(centres), "ellipses": dict(centres)}


def copies(result):
    """The points of the first noisy copies, where the dice shows them."""
    thrown = getattr(result.small, "points", None)
    if thrown is None:
        return {"x": np.zeros(0), "y": np.zeros(0)}
    x, y = _plane(thrown[: max(1, COPIED // len(result.X))].reshape(-1, result.X.shape[1]))
    return {"x": x, "y": y}


def cells(result):
    """The cells of the plane that a density is drawn in; none where there is none."""
    if result.lab.ground == "discs":
        return {name: np.zeros(0) for name in ("x", "y", "width", "height")}
    x, y = (edges[:-1] + np.diff(edges) / 2 for edges in _edges(result))
    width, height = (float(edges[1] - edges[0]) for edges in _edges(result))
    return {
        "x": np.repeat(x, ACROSS),
        "y": np.tile(y, ALONG),
        "width": np.full(ALONG * ACROSS, width),
        "height": np.full(ALONG * ACROSS, height),
    }


def densities(result):
    """The kernel density estimate in each cell for every σ, (σ rows, cells), in units of its peak at the chosen σ.

    (1/n) sum_i N(x_i, diag(σ²)) in the first two coordinates, averaged over the cell.
    """
    rows, ground = len(result.mkme.sigmas), result.lab.ground
    if ground == "discs":
        return np.zeros((rows, 0))
    deviations = (result.mkme if ground == "MKME" else result.mmkme).deviations
    x, y = (
        _shares(edges, column, deviations[:, min(j, deviations.shape[1] - 1)])
        for j, (edges, column) in enumerate(zip(_edges(result), _plane(result.X), strict=True))
    )
    found = np.einsum("rnx,rny->rxy", x, y).reshape(rows, -1)
    return found / (found[-1].max() or 1.0)


def _edges(result):
    cx, cy, half = frame(result)
    return (
        np.linspace(cx - WIDE * half, cx + WIDE * half, ALONG + 1),
        np.linspace(cy - HIGH * half, cy + HIGH * half, ACROSS + 1),
    )


def _shares(edges, column, deviations):
    """How much of each point's noise lies between neighbouring edges, (σ rows, n, cells)."""
    apart = (edges - column[:, None]) / np.maximum(deviations, 1e-9 * np.ptp(edges))[:, None, None]
    return np.diff(ndtr(apart), axis=2)
