"""Widgets for the fields of a model: a slider, a menu or a box for each field that has a suitable widget."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.models import CustomJSTickFormatter

from explorer.parameters import Choice, Flag, LogNumber, Real, Whole, label_of

WIDTH = 260  # width of a control in px
# labels of a slider on a log scale, which moves the power of ten
FIGURES = CustomJSTickFormatter(code="return String(Number((10 ** tick).toPrecision(3)))")
AUTOMATIC = "automatic"


def control_of(field: Any, on_change: Callable[[Any], object]) -> Number | Chosen | None:
    """Return the control of a field, or None if no widget has its values.

    `on_change(value)` is called when the user moves it.
    """
    if isinstance(field, Real) and all(end is not None for end in reach(field)):
        return Number(field, on_change)
    if isinstance(field, Flag):
        return Chosen(pn.widgets.Checkbox(label=label_of(field), width=WIDTH), on_change)
    if isinstance(field, Choice):
        return Chosen(pn.widgets.Select(label=label_of(field), options=field.words, width=WIDTH), on_change)
    return None


def reach(field: Real) -> Any:
    """Return the ends of a number's slider: its soft bounds, or else its bounds."""
    soft = getattr(field, "softbounds", None) or (None, None)
    hard = field.bounds or (None, None)
    return tuple(each if each is not None else other for each, other in zip(soft, hard, strict=True))


class Chosen:
    """A menu or a box for a field."""

    widget: Any
    view: Any

    def __init__(self, widget: Any, on_change: Callable[..., Any]) -> None:
        self.widget = self.view = widget
        self._quiet = False
        widget.param.watch(lambda event: None if self._quiet else on_change(event.new), "value")

    def show(self, value: str, resolved: Any) -> None:
        """Show a value without notifying the listener."""
        self._quiet = True
        try:
            self.widget.value = value
        finally:
            self._quiet = False


class Number:
    """A slider for a number, on a log scale if its field is, and a box for the automatic choice if it has one."""

    by_factors: bool
    field: Real
    slider: Any
    box: Any
    view: Any

    def __init__(self, field: Real, on_change: Callable[[Any], object]) -> None:
        self.field, self._on_change, self._quiet = field, on_change, False
        self.by_factors = isinstance(field, LogNumber)
        name = label_of(field)
        low, high = (self._place(end) for end in reach(field))
        if isinstance(field, Whole):
            self.slider = pn.widgets.IntSlider(label=name, start=low, end=high, value=low, width=WIDTH)
        else:
            look = {"format": FIGURES} if self.by_factors else {}
            step = (high - low) / 200
            self.slider = pn.widgets.FloatSlider(
                label=name, start=low, end=high, step=step, value=low, width=WIDTH, **look
            )
        self.slider.param.watch(self._slid, "value")
        self.box = (
            pn.widgets.Checkbox(label=f"{field.symbol or field.name} {AUTOMATIC}", width=WIDTH)
            if field.allow_None
            else None
        )
        if self.box is not None:
            self.box.param.watch(self._ticked, "value")
        self.view = self.slider if self.box is None else pn.Column(self.slider, self.box, margin=0)

    def show(self, value: float | None, resolved: float | None) -> None:
        """Show a value without notifying the listener.

        `resolved` is the number that an automatic choice gives, or None.
        """
        self._quiet, at = True, resolved if value is None else value
        self._resolved = at
        try:
            if self.box is not None:
                self.box.value = value is None
            if at is not None:
                place = self._place(at)
                if math.isfinite(place):
                    low, high = min(self.slider.start, place), max(self.slider.end, place)
                    self.slider.param.update(start=low, end=high, value=place)
                else:  # an infinite λ, or λ = 0 on a log scale
                    self.slider.value = self.slider.end if place > 0 else self.slider.start
        finally:
            self._quiet = False

    def _place(self, value):
        if not self.by_factors:
            return value
        return math.log10(value) if value > 0 else -math.inf

    def _slid(self, event):
        if not self._quiet:
            self._on_change(10.0**event.new if self.by_factors else event.new)

    def _ticked(self, event):
        if not self._quiet:
            self._on_change(None if event.new else self._resolved)
