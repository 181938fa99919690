"""What the Sweep lab's pictures draw, as columns."""

from __future__ import annotations

import math

import numpy as np

from .style import nice_ticks

# whose colour a measure has; the first that its name names
NAMED = {"F-KMSE": "fkmse", "S-KMSE": "skmse", "MMKME": "mmkme", "MKME": "mkme", "MONK": "monk"}
ROLES = (*dict.fromkeys(NAMED.values()), "kme", "harm")
PALE, FULL = 0.05, 0.5  # how much of its colour a cell has, at the ends of the scale; words on it stay legible
SPELT_COLUMNS, SPELT_ROWS = 10, 16  # up to so many a cell has room for its number
DECADES = 2  # beyond so many a measure is drawn on a logarithmic scale


def role(measure):
    """The colour that stands for a measure's estimator."""
    return next((mine for name, mine in NAMED.items() if name in measure), "kme")


def scale(result):
    """How a measure is drawn: 'relative' to the plain average, as 'p', or from its least to its largest, 'linear' or
    'log'.
    """
    if "relative to" in result.measure:
        return "relative"
    if result.measure == "p" or result.measure.startswith("p "):
        return "p"
    found = result.quartiles[1][np.isfinite(result.quartiles[1])]
    return "log" if found.size and found.min() > 0 and found.max() > 10**DECADES * found.min() else "linear"


def strength(result):
    """The colour's role of each cell of some medians, and how much of it the cell has."""
    middle, kind, own = result.quartiles[1], scale(result), role(result.measure)
    roles = np.full(middle.shape, own, dtype=object)
    with np.errstate(invalid="ignore", divide="ignore"):
        if kind == "relative":
            roles[middle > 1] = "harm"
            share = np.clip(np.abs(1 - middle), 0, 1)
        elif kind == "p":
            share = np.clip(-np.log10(middle) / 3, 0, 1)
        else:
            height = np.log(middle) if kind == "log" else middle
            found = height[np.isfinite(height)]
            low, high = (found.min(), found.max()) if found.size else (0.0, 1.0)
            share = (height - low) / (high - low) if high > low else np.where(np.isfinite(height), 0.5, np.nan)
    return roles, PALE + (FULL - PALE) * share


def columns(result):
    """Source -> column -> array."""
    return {**_map(result), **_line(result)}


def _map(result):
    """The cells by their colours, their numbers, those that cannot be, and the one that is picked.

    None of a single axis.
    """
    empty = {"x": np.zeros(0), "y": np.zeros(0)}
    if len(result.axes) == 1:
        return {
            **{f"cells_{name}": {**empty, "alpha": np.zeros(0)} for name in ROLES},
            "words": {**empty, "words": np.array([], dtype=str)},
            "void": empty,
            "picked": empty,
        }
    middle = result.quartiles[1]
    x, y = np.indices(middle.shape).astype(float)
    roles, alpha = strength(result)
    there, found = np.isfinite(middle), {}
    for name in ROLES:
        mine = there & (roles == name)
        found[f"cells_{name}"] = {"x": x[mine], "y": y[mine], "alpha": alpha[mine]}
    spelt = there & (middle.shape[0] <= SPELT_COLUMNS) & (middle.shape[1] <= SPELT_ROWS)
    found["words"] = {"x": x[spelt], "y": y[spelt], "words": np.array([short(v) for v in middle[spelt]], dtype=str)}
    gone = ~there & (result.cells.done.reshape(result.grid.shape).all(axis=-1) if result.cells is not None else False)
    ring = (
        empty if result.picked is None else dict(zip("xy", np.array(result.picked, dtype=float)[:, None], strict=True))
    )
    return {**found, "void": {"x": x[gone], "y": y[gone]}, "picked": ring}


def short(value):
    """Two digits of a number, and three from 1 on, as a cell has room for."""
    if value != 0 and not 1e-3 <= abs(value) < 1e4:
        return f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e").replace("-", "−")
    return f"{float(f'{value:.{2 if abs(value) < 1 else 3}g}'):.5f}".rstrip("0").rstrip(".").replace("-", "−")


def along(result):
    """The quartiles along the first axis, (3, values).

    Of a second axis at the value that is picked, else at its first.
    """
    if len(result.axes) == 1:
        return result.quartiles
    return result.quartiles[:, :, 0 if result.picked is None else result.picked[1]]


def _line(result):
    low, middle, high = along(result)
    logarithmic = scale(result) == "log"
    here = np.isfinite(middle) & ((low > 0) if logarithmic else True)
    place = np.arange(len(middle), dtype=float)[here]
    part = {
        "x": place,
        **{
            name: np.log10(v[here]) if logarithmic else v[here]
            for name, v in (("low", low), ("middle", middle), ("high", high))
        },
    }
    none = {name: np.zeros(0) for name in part}
    own = role(result.measure)
    mark = {"relative": [1.0], "p": [0.05]}.get(scale(result), [])
    spot = result.picked
    at = [] if spot is None or not np.isfinite(middle[spot[0]]) else [float(spot[0])]
    return {
        **{f"line_{name}": part if name == own else none for name in ROLES if name != "harm"},
        "mark": {"y": np.array(mark)},
        "spot": {"x": np.array(at)},
    }


def heights(result):
    """The range of the line's heights and its ticks, position -> words."""
    low, _, high = along(result)
    kind = scale(result)
    found = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)]])
    if kind == "relative":
        top = max(1.2, 1.08 * float(found.max())) if found.size else 1.2
        return (0.0, top), nice_ticks(0.0, top)
    if kind == "p":
        return (-0.03, 1.03), nice_ticks(0.0, 1.0)
    if not found.size:
        return (0.0, 1.0), nice_ticks(0.0, 1.0)
    if kind == "log":
        found = np.log10(found[found > 0])
        bottom, top = math.floor(found.min()), math.ceil(found.max())
        return (bottom - 0.1, top + 0.1), {float(e): f"{10.0**e:g}" for e in range(bottom, top + 1)}
    bottom, top = float(found.min()), float(found.max())
    room = 0.08 * (top - bottom) or 0.5 * abs(top) or 1.0
    return (bottom - room, top + room), nice_ticks(bottom - room, top + room)


def pinned(result):
    """The median along the first axis of a sweep that is kept; nothing where none is."""
    if result is None:
        return {"x": np.zeros(0), "y": np.zeros(0)}
    middle = along(result)[1]
    return {"x": np.arange(len(middle), dtype=float), "y": np.log10(middle) if scale(result) == "log" else middle}
