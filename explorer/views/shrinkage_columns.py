"""What the Shrinkage lab's pictures draw, as columns.

`columns` turns a result into the columns of the figures' sources, `lam_tables` into the same columns for every λ of the
slider, so that a browser can answer the slider by itself.
"""

from __future__ import annotations

import numpy as np

LAM_RANGE, LOSS_RANGE = (1e-4, 1e2), (0.0, 1.6)
GAMMA_RANGE = (1e-4, 1e3)
SHARE_RANGE = (1e-3, 1.3)
# the pictures that share one place, and the sources that each alone draws
PICTURES = {"filter": {"filter", "level", "rug"}, "coefficients": {"coefficients"}, "risk": {"risk"}}
DOTS = {"size": np.array([13.0, 11.0, 7.0]), "fill": np.array([0.0, 1.0, 1.0])}  # best (hollow), chosen, here


def columns(result):
    """Source name -> column name -> array, at the lab's λ."""
    points, gamma = _points(result), np.clip(result.eigenvalues, *GAMMA_RANGE)
    drawn = {
        "curves": {"lam": np.clip(result.simple.lams[:-1], *LAM_RANGE), **_curves(result)},
        "bands": _bands(result),
        "simple": dict(DOTS),
        "flexible": dict(DOTS),
        "sample": {**points, "unit": np.full(len(result.X), unit_size(len(result.X)))},
        "weights": dict(points),
        "strays": _strays(result),
        "law": _law(result),
        "target": _target(result),
        "filter": {"gamma": result.filter_at},
        "rug": {"gamma": gamma, "y": np.zeros(len(gamma))},
        "coefficients": {"gamma": gamma, "before": np.clip(result.coefficients, *SHARE_RANGE)},
        "risk": _risk(result),
        "gamma0": _gamma0(result),
        "line": {},
        "level": {},
    }
    for (source, column), table in lam_tables(result).items():
        drawn[source][column] = table[result.row]
    return drawn


def lam_tables(result):
    """(source, column) -> (λ rows, length) float64.

    What changes with λ, for each λ of the slider and the automatic one.
    """
    n = len(result.X)
    share = n * result.weights
    simple, flexible = (_dots(path) for path in (result.simple, result.flexible))
    return {
        ("line", "x"): simple[0][:, 2:],
        ("simple", "x"): simple[0],
        ("simple", "y"): simple[1],
        ("flexible", "x"): flexible[0],
        ("flexible", "y"): flexible[1],
        ("weights", "size"): unit_size(n) * np.sqrt(np.abs(share)),
        ("weights", "alpha"): np.where(share < 0, 0.0, 0.75),
        ("level", "y"): result.simple_keeps[:, None],
        ("filter", "h"): result.filter,
        ("coefficients", "simple"): np.clip(result.simple_coefficients, *SHARE_RANGE),
        ("coefficients", "flexible"): np.clip(result.kept * result.coefficients, *SHARE_RANGE),
    }


def _hidden(result):
    """The sources of the pictures that are not to be seen: nobody waits for their columns."""
    return set().union(*(sources for name, sources in PICTURES.items() if name != result.lab.picture))


def seen_columns(result):
    """`columns` of what can be seen."""
    unseen = _hidden(result)
    return {source: data for source, data in columns(result).items() if source not in unseen}


def seen_tables(result):
    """`lam_tables` of what can be seen; the others' tables are empty."""
    unseen = _hidden(result)
    return {(source, column): t[:, :0] if source in unseen else t for (source, column), t in lam_tables(result).items()}


def unit_size(n):
    """The marker size, in px, of the weight 1/n."""
    return float(np.clip(62 / np.sqrt(n), 5, 18))


def _curves(result):
    blank = np.full(len(result.simple.lams) - 1, np.nan)
    return {
        f"{name}_{what}": blank if values is None else values[:-1]
        for name, path in (("simple", result.simple), ("flexible", result.flexible))
        for what, values in (("loss", path.loss), ("score", path.score))
    }


def _bands(result):
    """Where further samples lie: the ends of their bands for each estimator, nothing where there are none."""
    if result.replicates is None:
        return {name: np.zeros(0) for name in ("lam", *(f"{e}_{i}" for e in ("simple", "flexible") for i in range(4)))}
    ends = {name: np.clip(result.replicates.band(name)[:, :-1], *LOSS_RANGE) for name in ("simple", "flexible")}
    return {
        "lam": np.clip(result.simple.lams[:-1], *LAM_RANGE),
        **{f"{name}_{i}": ends[name][i] for name in ends for i in range(4)},
    }


def _risk(result):
    """The expected loss of S-KMSE over λ, relative to the empirical mean's.

    The variance, and the squared bias on top of it.
    """
    parts = result.risk_parts()
    if parts is None:
        return {name: np.zeros(0) for name in ("lam", "variance", "total")}
    lams = np.clip(result.simple.lams[:-1], *LAM_RANGE)
    return {"lam": lams, "variance": parts[0][:-1], "total": np.minimum((parts[0] + parts[1])[:-1], 9 * LOSS_RANGE[1])}


def _gamma0(result):
    """The λ that paper 001 takes, c times the smallest eigenvalue that is not 0, where they lie on the axis."""
    c = np.array([0.01, 0.1, 1.0, 10.0])
    x = c * result.gamma0
    seen = (x >= LAM_RANGE[0]) & (x <= LAM_RANGE[1])
    return {"x": x[seen], "y": np.full(seen.sum(), 0.05), "c": c[seen]}


def pinned(result):
    """The curves of a result that is kept beside the present one; nothing for None."""
    if result is None:
        return {name: np.zeros(0) for name in ("lam", "simple", "flexible")}
    lams = np.clip(result.simple.lams[:-1], *LAM_RANGE)
    return {"lam": lams, "simple": result.simple.height[:-1], "flexible": result.flexible.height[:-1]}


def _dots(path):
    """x and y, (λ rows, 3), of an estimator's dots: the best λ, the chosen one, and where the slider is."""
    height, rows = path.height, len(path.lams)
    best = (np.nan, np.nan) if path.best is None else (path.best, path.best_loss)
    x = np.column_stack([np.full(rows, best[0]), np.full(rows, path.chosen), path.lams])
    y = np.column_stack([np.full(rows, best[1]), np.full(rows, height[-1]), height])
    return np.clip(x, *LAM_RANGE), np.clip(y, *LOSS_RANGE)


def _plane(points):
    """The first two coordinates; a second one of 0 where there is none."""
    return points[:, 0], points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))


def frame(result):
    """Centre and half-width of the square that shows the clean law, or most of a table: outliers do not move it."""
    if result.law is not None:
        mean, sd = result.law.mean[:2], np.sqrt(result.law.variances[:2])
        low, high = mean - 2.8 * sd, mean + 2.8 * sd
    else:
        low, high = np.quantile(result.X[: result.clean, :2], [0.01, 0.99], axis=0)
        low, high = low - 0.15 * (high - low) - 1e-9, high + 0.15 * (high - low) + 1e-9
    centre, half = (low + high) / 2, float((high - low).max() / 2)
    return (float(centre[0]), float(centre[1]) if len(centre) > 1 else 0.0, half)


def _points(result):
    x, y = _plane(result.X)
    cx, cy, half = frame(result)
    # a point beyond the frame stays at its edge, as a cross of `strays`
    return {"x": np.clip(x, cx - half, cx + half), "y": np.clip(y, cy - half, cy + half)}


def _strays(result):
    points = _points(result)
    return {k: v[result.touched] for k, v in points.items()}


def _target(result):
    """The blob: its centre, which stays in the frame, and two standard deviations; nothing where there is none."""
    if result.blob is None:
        return {name: np.zeros(0) for name in ("x", "y", "width")}
    x, y = _plane(np.array([result.blob.mean]))
    cx, cy, half = frame(result)
    return {
        "x": np.clip(x, cx - half, cx + half),
        "y": np.clip(y, cy - half, cy + half),
        "width": np.array([2 * result.blob.spread]),
    }


def _law(result):
    """Ellipses of one standard deviation of the law's components, first two coordinates."""
    if result.law is None or result.law.d < 2:
        return {k: np.zeros(0) for k in ("x", "y", "width", "height", "angle")}
    gamma, U = np.linalg.eigh(result.law.covariances[:, :2, :2])
    width, height = 2 * np.sqrt(np.maximum(gamma, 0)).T
    return {
        "x": result.law.means[:, 0],
        "y": result.law.means[:, 1],
        "width": width,
        "height": height,
        "angle": np.arctan2(U[:, 1, 0], U[:, 0, 0]),
    }
