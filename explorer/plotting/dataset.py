"""The picture of a sweep's data set: lines with bands over replicates, heat maps, and panels for further axes."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
from bokeh.palettes import viridis

from explorer.checks import truncate
from explorer.marks import Axis
from explorer.marks.roles import colour

from .cells import Series, heat_map, lines, whiskers
from .drawings import Drawing, Panels
from .intervals import TALL, about, decades, geometric, interval
from .names import distinct
from .plan import numeric, plan_of
from .roles import DASHES, dash_of, names_estimator, role_of, roles_of, shades

if TYPE_CHECKING:
    import xarray
    from xarray import Dataset

    from explorer.marks import Chart


def of_dataset(
    data: xarray.Dataset,
    value: str | list[str] | None = None,
    x: str | None = None,
    by: str | None = None,
    row: str | None = None,
    col: str | None = None,
) -> Panels:
    """Draw a sweep's data set as lines with bands, or as heat maps, with panels for further axes.

    Parameters
    ----------
    data : xarray.Dataset
        The data set of `sweep`, or a part of it by `isel` and `sel`.
    value : str, list of str or None, default None
        The number or the numbers to draw. None draws all of them, each in its estimator's colour.
    x : str or None, default None
        The horizontal axis. None takes the numeric axis with the most values.
    by : str or None, default None
        The axis whose values have separate lines. None takes the next axis if one number is drawn; if that axis is
        numeric
        with more than eight values, it becomes the vertical axis of a heat map.
    row, col : str or None, default None
        The axes whose values have separate panels, on shared axes.

    Returns
    -------
    panels : Panels
        The panels.

    Raises
    ------
    Refusal
        If a name is not an axis or a number of the data set, or the data set has more axes than the picture has places.

    Notes
    -----
    Lines are means over `replicate` in bands of 95 % (Student's interval of the mean). Axes whose values are positive
    and
    span decades are logarithmic.

    Examples
    --------
    >>> from explorer import sweep
    >>> from explorer.plotting.dataset import of_dataset
    >>> from explorer.sweeps import InProcess
    >>> def study(n, seed):
    ...     return {"square": n**2}
    >>> ((picture, *_),), *_ = of_dataset(sweep(study, {"n": [1, 2, 3]}, executor=InProcess(), progress=False))
    >>> picture.given["0"]["y"]
    array([1., 4., 9.])
    """
    plan = plan_of(data, value, x, by, row, col)
    for name in (plan.x, plan.y, plan.by):
        if name and numeric(data, name):
            data = data.sortby(name)
    data = data.isel({name: 0 for name in plan.fixed})
    return (_HeatMaps if plan.y else _Lines)(data, plan).drawn()


class _Panels:
    """Base class: the panels of one picture, their shared settings and their arrangement."""

    def __init__(self, data, plan):
        self.data, self.plan = data, plan
        self.intervals = {name: self._interval(name) for name in plan.names}
        self.counts = np.concatenate([each.times.ravel() for each in self.intervals.values()])
        self.wide = {name: numeric(data, name) and geometric(data[name].values) for name in (plan.x, plan.y) if name}
        self.small = self._several()

    def about(self) -> str:
        """Return a description of the statistics over replicates."""
        raise NotImplementedError

    def panels(self) -> list[Chart]:
        """Return the panels, row by row."""
        raise NotImplementedError

    def _interval(self, name):
        """Return the interval of a number over its replicates, in every cell of the drawn axes."""
        values = self.data[name]
        if "replicate" not in values.dims:
            values = values.expand_dims("replicate", -1)
        missing = {each: self.data.sizes[each] for each in self.axes if each not in values.dims}
        return interval(values.expand_dims(missing).transpose(*self.axes, "replicate").values.astype(float))

    @property
    def axes(self):
        """The drawn axes, in the order of the arrays."""
        plan = self.plan
        return [name for name in (plan.row, plan.col, plan.by, plan.y, plan.x) if name]

    def at(self, name, places):
        """Return the interval of a number at places of its leading axes."""
        return type(self.intervals[name])(*(part[places] for part in self.intervals[name]))

    def frames(self):
        """Yield (places of row and column, labels of the panel's title) for each panel."""
        outer = [name for name in (self.plan.row, self.plan.col) if name]
        for places in itertools.product(*(range(self.data.sizes[name]) for name in outer)):
            yield places, [self.describe(name, i) for name, i in zip(outer, places, strict=True)]

    def describe(self, name, i):
        """Format an axis's value, such as "λ = 0.1"."""
        return f"{truncate(symbol(self.data, name))} = {truncate(word(self.data[name][i].item()))}"

    def title(self):
        """Return a title: the statistics over replicates, and the axes with one value."""
        fixed = [self.describe(name, ...) for name in self.plan.fixed]
        return "; ".join(filter(None, [self.about(), ", ".join(fixed)]))

    def axis(self, name):
        """Return an axis with its symbol and unit."""
        unit = self.data[name].attrs.get("units") or ""
        return Axis(symbol(self.data, name), unit=unit, name=name, log=self.wide[name])

    def drawn(self):
        """Return all panels, in as many columns as the axis `col` has values."""
        panels = [Drawing(each) for each in self.panels()]
        columns = self.data.sizes[self.plan.col] if self.plan.row else min(3, len(panels))
        return Panels(panels, columns, self.title(), shared_axes=True)

    def _several(self):
        return any(self.data.sizes[name] > 1 for name in (self.plan.row, self.plan.col) if name)


class _Lines(_Panels):
    """Lines over x, or dots if x has labels."""

    def about(self):
        return about(self.counts)

    def panels(self):
        return [self.panel(places, words) for places, words in self.frames()]

    def panel(self, places, words):
        plan, data = self.plan, self.data
        name = plan.names[0] if len(plan.names) == 1 else "value"
        unit = data[name].attrs.get("units") if name in data else ""
        y = Axis(name, unit=unit or "", name=name, log=self.tall())
        draw = lines if numeric(data, plan.x) else whiskers
        title = ", ".join(words) if self.small else self.title()
        return draw(self.series(places), title, self.axis(plan.x), y, self.small)

    def series(self, places):
        """Return the lines of a panel: one for each number at each value of `by`."""
        plan, data = self.plan, self.data
        x = data[plan.x].values
        x = x if numeric(data, plan.x) else np.array([word(value) for value in x])
        if not plan.by:
            roles = roles_of(plan.names) if len(plan.names) > 1 else [role_of(plan.names[0])]
            labels = distinct(plan.names)
            return [
                Series(label, x, self.at(name, places), role, dash_of(name, plan.names))
                for name, label, role in zip(plan.names, labels, roles, strict=True)
            ]
        values, single = data[plan.by].values, len(plan.names) == 1
        symbols, words = truncate(symbol(data, plan.by)), distinct([word(value) for value in values])
        found = []
        for name in plan.names:
            tints, dashes = _distinguish(role_of(name), values)
            for i in range(len(values)):
                label = f"{symbols} = {words[i]}" if single else f"{truncate(name)}, {symbols} = {words[i]}"
                found.append(Series(label, x, self.at(name, (*places, i)), tints[i], dashes[i]))
        return found

    def tall(self):
        """Return whether the vertical axis is logarithmic, for all panels alike."""
        parts = [part for each in self.intervals.values() for part in (each.mean, each.low, each.high)]
        return decades(np.concatenate([part.ravel() for part in parts]), TALL)


class _HeatMaps(_Panels):
    """Heat maps over x and y, one per number, with the names of the numbers as the first axis of panels."""

    def _several(self):
        return super()._several() or len(self.plan.names) > 1

    def about(self):
        return "mean of the replicates" if self.counts.max() > 1 else ""

    def panels(self):
        return [self.panel(name, places, words) for name in self.plan.names for places, words in self.frames()]

    def panel(self, name, places, words):
        plan, data = self.plan, self.data
        mean, everywhere = self.at(name, places).mean, self.intervals[name].mean
        finite = everywhere[np.isfinite(everywhere)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        if low == high:  # a colour bar needs a range
            high = low + (abs(low) or 1.0)
        unit = data[name].attrs.get("units") or ""
        bar = Axis(name, (low, high), unit=unit, name=name, log=decades(finite, TALL))
        title = ", ".join([truncate(name), *words]) if self.small else self.title()
        x, y = self.axis(plan.x), self.axis(plan.y)
        values = data[plan.x].values, data[plan.y].values
        return heat_map(title, x, y, values, mean, bar, role_of(name), self.small)


def _distinguish(role, values):
    """Return the roles or colours, and the dashes, of lines by an axis's values.

    They are the estimators' if there are any, or shades of the number's colour.

    A number without an estimator has colours from dark blue to green, because shades of grey are hard to distinguish.
    """
    words = [str(value) for value in values]
    if any(map(names_estimator, words)):  # those of the user's beside them have other roles
        return roles_of(words), [dash_of(each, words) for each in words]
    tints = viridis(len(words) + 1)[:-1] if role == "kme" else shades(colour(role), len(words))
    return tints, [DASHES[i % len(DASHES)] for i in range(len(words))]


def symbol(data: Dataset, name: str) -> str:
    """Return the symbol of the model parameter that an axis stands for, or the axis's name."""
    return data[name].attrs.get("symbol") or name


def word(value: float) -> str:
    """Format an axis's value."""
    if isinstance(value, (str, np.str_)) or not math.isfinite(value):
        return str(value)
    return f"{value:.4g}"
