"""The picture of a sweep's data set: lines with bands over replicates, heat maps, and panels for further axes."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from bokeh.palettes import viridis

from explorer.marks.roles import colour

from .intervals import TALL, about, decades, geometric, interval
from .plan import numeric, plan_of
from .roles import DASHES, dash_of, names_estimator, role_of, scale, shades

if TYPE_CHECKING:
    import xarray
    from xarray import Dataset


def of_dataset(
    data: xarray.Dataset,
    value: str | list[str] | None = None,
    x: str | None = None,
    by: str | None = None,
    row: str | None = None,
    col: str | None = None,
    backend: str = "bokeh",
) -> Any:
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
    backend : {"bokeh", "matplotlib"}, default "bokeh"
        The backend. "matplotlib" writes PNG and SVG.

    Returns
    -------
    picture : holoviews.Overlay, holoviews.QuadMesh or holoviews.Layout
        Several panels are a Layout.

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
    >>> picture = of_dataset(sweep(study, {"n": [1, 2, 3]}, executor=InProcess(), progress=False))
    >>> picture.Curve.I["square"]
    array([1., 4., 9.])
    """
    plan = plan_of(data, value, x, by, row, col)
    data, plan = _seemly(data, plan, backend)
    for name in (plan.x, plan.y, plan.by):
        if name and numeric(data, name):
            data = data.sortby(name)
    data = data.isel({name: 0 for name in plan.fixed})
    return _HeatMaps(data, plan, backend).drawn() if plan.y else _Lines(data, plan, backend).drawn()


def _seemly(data, plan, backend):
    """Return the data set and the plan with names and labels that a picture can show."""
    from .style import seemly

    def called(words):
        shown = [seemly(each, backend) for each in words]
        return [each if shown.count(each) == 1 else f"{each} ({i})" for i, each in enumerate(shown, 1)]

    names = list(map(str, {**data.sizes, **data.variables}))
    new = dict(zip(names, called(names), strict=True))
    for name in data.dims:
        if name in data.coords and data[name].dtype.kind in "UO":
            attributes = data[name].attrs
            data = data.assign_coords({name: (name, called(map(str, data[name].values.tolist())), attributes)})
    parts = (tuple(map(new.get, part)) if isinstance(part, tuple) else new.get(part, "") for part in plan)
    return data.rename({name: each for name, each in new.items() if name != each}), type(plan)(*parts)


class _Panels:
    """Base class: the panels of one picture, their shared settings and their arrangement."""

    def __init__(self, data, plan, backend):
        self.data, self.plan, self.backend = data, plan, backend
        self.intervals = {name: self._interval(name) for name in plan.names}
        self.counts = np.concatenate([each.times.ravel() for each in self.intervals.values()])
        self.wide = {name: numeric(data, name) and geometric(data[name].values) for name in (plan.x, plan.y) if name}
        self.small = self._several()

    def about(self) -> str:
        """Return a description of the statistics over replicates."""
        raise NotImplementedError

    def panels(self) -> list[Any]:
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
        return f"{symbol(self.data, name)} = {word(self.data[name].values[i])}"

    def title(self):
        """Return a title: the statistics over replicates, and the axes with one value."""
        fixed = [f"{symbol(self.data, name)} = {word(self.data[name].item())}" for name in self.plan.fixed]
        return "; ".join(filter(None, [self.about(), ", ".join(fixed)]))

    def dimension(self, name):
        """Return the dimension of an axis with its symbol and unit."""
        from .style import holoviews

        unit = self.data[name].attrs.get("units") or None
        return holoviews(self.backend).Dimension(name, label=symbol(self.data, name), unit=unit)

    def drawn(self):
        """Return all panels: a single one, or a Layout with as many columns as the axis `col` has values."""
        from .cells import several

        panels = self.panels()
        if len(panels) == 1:
            return panels[0]
        columns = self.data.sizes[self.plan.col] if self.plan.row else min(3, len(panels))
        return several(panels, columns, self.title(), self.backend)

    def _several(self):
        return any(self.data.sizes[name] > 1 for name in (self.plan.row, self.plan.col) if name)


class _Lines(_Panels):
    """Lines over x, or dots if x has labels."""

    def about(self):
        return about(self.counts)

    def panels(self):
        return [self.panel(places, words) for places, words in self.frames()]

    def panel(self, places, words):
        from .cells import lines, whiskers
        from .style import holoviews

        hv, plan, data = holoviews(self.backend), self.plan, self.data
        called = plan.names[0] if len(plan.names) == 1 else "value"
        unit = data[called].attrs.get("units") if called in data else None
        y = hv.Dimension(called, unit=unit or None)
        options = {"ylabel": y.pprint_label}
        if self.backend == "matplotlib":  # here HoloViews would take a label that names a dimension for its values
            y = y.clone(f"{called}, up")
        options |= {"title": ", ".join(words) if self.small else self.title(), "small": self.small, "logy": self.tall()}
        series = self.series(places)
        if not numeric(data, plan.x):
            return whiskers(series, self.dimension(plan.x), y, self.backend, xrotation=30, **options)
        return lines(series, self.dimension(plan.x), y, self.backend, logx=self.wide[plan.x], **options)

    def series(self, places):
        """Return the lines of a panel: one for each number at each value of `by`."""
        from .cells import Series
        from .style import roles_of

        plan, data = self.plan, self.data
        x = data[plan.x].values
        x = x if numeric(data, plan.x) else np.array([word(value) for value in x])
        if not plan.by:
            roles = roles_of(plan.names) if len(plan.names) > 1 else [role_of(plan.names[0])]
            return [
                Series(name, x, self.at(name, places), colour(role), dash_of(name, plan.names))
                for name, role in zip(plan.names, roles, strict=True)
            ]
        values, single = data[plan.by].values, len(plan.names) == 1
        found = []
        for name in plan.names:
            tints, dashes = _distinguish(role_of(name), values)
            for i in range(len(values)):
                label = self.describe(plan.by, i) if single else f"{name}, {self.describe(plan.by, i)}"
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
        from .cells import heat_map
        from .style import holoviews

        hv, plan, data = holoviews(self.backend), self.plan, self.data
        mean, everywhere = self.at(name, places).mean, self.intervals[name].mean
        finite = everywhere[np.isfinite(everywhere)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        if low == high:  # a colour bar needs a range
            high = low + (abs(low) or 1.0)
        unit, ratios = data[name].attrs.get("units") or None, decades(finite, TALL)
        z = hv.Dimension(name, unit=unit)
        return heat_map(
            (data[plan.x].values, data[plan.y].values),
            mean,
            self.dimension(plan.x),
            self.dimension(plan.y),
            z,
            scale(colour(role_of(name))),
            self.backend,
            (low, high),
            (self.wide[plan.x], self.wide[plan.y], ratios),
            title=", ".join([name, *words]) if self.small else self.title(),
            small=self.small,
            logx=self.wide[plan.x],
            logy=self.wide[plan.y],
        )


def _distinguish(role, values):
    """Return the colours and dashes of lines by an axis's values: the estimators', or shades of the number's colour.

    A number without an estimator has colours from dark blue to green, because shades of grey are hard to distinguish.
    """
    words = [str(value) for value in values]
    if all(map(names_estimator, words)):
        return [colour(role_of(each)) for each in words], [dash_of(each, words) for each in words]
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
