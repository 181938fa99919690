"""Losses along a parameter, for one estimator or for several, with bands over replicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.marks import Columns, area, chart, curve
from explorer.printing import plural
from explorer.types import VectorLike

from .axes import axis_of
from .drawings import Drawing
from .intervals import LEVEL, TALL, decades, geometric, interval
from .roles import DASHES, own_dash, roles_of


def of_losses(
    losses: Any,
    x: VectorLike | None = None,
    x_label: Any = None,
    y_label: str = "loss",
    log_x: bool | None = None,
    log_y: bool | None = None,
) -> Drawing:
    """Draw curves of losses by name, or of one array, over the values x (m,).

    Parameters
    ----------
    losses : dict of array_like, or array_like
        Losses of shape (m,) or (m, replicates). An estimator's name, such as "S-KMSE", has its colour.
    x : array_like of shape (m,) or None, default None
        The values of the parameter. None counts 1, 2, ..., m.
    x_label, y_label : str, holoviews.Dimension or field, default None and "loss"
        Labels of the axes; a field is that of a model, such as SKMSE.fields["lam"].
    log_x, log_y : bool or None, default None
        Whether an axis is logarithmic. None chooses a log axis if positive values span more than a decade or so, and
        for x
        only if the steps are not equal.

    Returns
    -------
    drawing : Drawing
        With replicates a curve is the mean, and the band is the 95 % interval of that mean, by Student's t.

    Raises
    ------
    Refusal
        If there are no losses, shapes do not match, or a log axis has values that are not positive.
    """
    named = losses if isinstance(losses, Mapping) else {"": losses}
    if not named:
        raise Refusal("losses is empty; give at least one array under its name.")
    rows = {name: _rows(values, name) for name, values in named.items()}
    x = np.arange(1.0, 1.0 + len(next(iter(rows.values())))) if x is None else checks.numbers(x, "x")
    for name, values in rows.items():
        if x.ndim != 1 or len(values) != len(x):
            raise Refusal(
                f"losses[{checks.echo(name)}] has {plural(len(values), 'row')} and x has shape {x.shape}; give one"
                " row for each"
                " value of x."
            )
    order = np.argsort(x, kind="stable")
    parts = {name: _summary(values[order]) for name, values in rows.items()}
    ends = np.concatenate([mean + sign * half for mean, half in parts.values() for sign in (-1, 1)])
    across = axis_of(x_label, "parameter", _scale("log_x", log_x, x, geometric))
    up = axis_of(y_label, "loss", _scale("log_y", log_y, ends, partial(decades, ratio=TALL)))
    return _drawn(parts, x[order], across, up, rows)


def _rows(values, name):
    """Return losses as an array (m, replicates)."""
    if not isinstance(name, str):
        raise WrongType(f"losses are named by texts such as 'S-KMSE', not {checks.echo(name)}.")
    array = checks.numbers(values, f"losses[{checks.echo(name)}]")
    if array.ndim not in (1, 2) or not array.size:
        raise Refusal(f"losses[{checks.echo(name)}] has shape {array.shape}; give (m,) values or (m, replicates).")
    return array[:, None] if array.ndim == 1 else array


def _summary(values):
    """Return the mean (m,) of replicates (m, r), and half its interval, 0 for one replicate."""
    found = interval(values)
    return found.mean, np.nan_to_num(found.high - found.mean)


def _scale(option, wanted, values, by_itself):
    """Return whether an axis with these values is logarithmic, or refuse a log axis that is impossible."""
    if wanted and not values.min() > 0:
        raise Refusal(f"{option} needs values above 0, and the axis goes down to {values.min():.3g}; leave it out.")
    return by_itself(values) if wanted is None else bool(wanted)


def _drawn(parts, x, across, up, rows):
    counts, seen = sorted({values.shape[1] for values in rows.values()}), Counter()
    bands, curves = [], []
    for role, (name, (mean, half)) in zip(roles_of(parts), parts.items(), strict=True):
        # further names of one role, such as "MONK, 5 blocks" and "MONK, 11 blocks", differ by their dashes
        own = own_dash(role)
        dash = [own, *(dash for dash in DASHES if dash != own)][seen[role] % len(DASHES)]
        seen[role] += 1
        columns = Columns(x=x, y=mean, half=half, low=mean - half, high=mean + half)
        if rows[name].shape[1] > 1:
            bands.append(area(columns, role, low="low", high="high", fill=0.18, half="half"))
        curves.append(curve(columns, role, dash=dash, label=name, hover={}))
    title = ""
    if bands:
        count = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        title = f"Mean of {count} replicates with its {100 * LEVEL:.0f} % interval"
    return Drawing(chart(title, across, up, [*bands, *curves]))
