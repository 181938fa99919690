"""What part of space the Two-sample lab's pictures show: the clean laws, or most of a table; strays do not move it."""

from __future__ import annotations

import numpy as np

ALONG, ACROSS = 34, 20  # places of the plane where the witness is drawn
WIDE, HIGH = 1.9, 1.08  # of the half side: a picture is wider than it is high
LINE = 201  # the same, on a line


def frame(lab, samples):
    """Centre and half side of the square that is always to be seen."""
    laws = samples.laws
    if laws:
        means = np.concatenate([law.means[:, :2] for law in laws])
        reach = 2.8 * max(np.sqrt(law.variances[:2].max()) for law in laws)
        low, high = means.min(axis=0) - reach, means.max(axis=0) + reach
    else:
        clean = np.concatenate([samples.X, samples.Y[: lab.m - lab.outliers]])[:, :2]
        low, high = np.quantile(clean, [0.01, 0.99], axis=0)
        low, high = low - 0.15 * (high - low) - 1e-9, high + 0.15 * (high - low) + 1e-9
    centre, half = (low + high) / 2, float((high - low).max() / 2)
    return float(centre[0]), float(centre[1]) if len(centre) > 1 else 0.0, half


def places(seen, samples):
    """Where the witness is drawn, (g, d).

    Along the line, or over the plane of the first two coordinates, the others at their medians. `seen` is the frame."""
    cx, cy, half = seen
    P = samples.pooled
    if P.shape[1] == 1:
        return np.linspace(cx - half, cx + half, LINE)[:, None]
    x = np.linspace(cx - WIDE * half, cx + WIDE * half, ALONG)
    y = np.linspace(cy - HIGH * half, cy + HIGH * half, ACROSS)
    rows = np.tile(np.median(P, axis=0), (ALONG * ACROSS, 1))
    rows[:, 0], rows[:, 1] = np.repeat(x, ACROSS), np.tile(y, ALONG)
    return rows
