"""Patch of Bokeh that finds a model's references faster. Bokeh walks through a whole page for this many times.

Only values that are set, and defaults of the model itself, can refer to another model.
"""

from __future__ import annotations

from bokeh.core.has_props import HasProps
from bokeh.model import Model, util
from bokeh.util.dataclasses import entries, is_dataclass

from explorer.library_patch import patch

PLAIN: set[type] = {str, int, float, bool, type(None)}


@patch(
    "Bokeh",
    "A search for references reads every property of every model, sixty times while a page opens.",
    "https://github.com/bokeh/bokeh/pull/13174",
)
def speed_up_reference_walks() -> None:
    """Replace Bokeh's functions that find references."""
    util.visit_immediate_value_references = _visit_what_it_has
    util.visit_value_and_its_immediate_references = _visit


def _visit_what_it_has(value, visitor):
    """Visit the models to which a value refers directly, but neither the value itself nor their references."""
    if not isinstance(value, HasProps):
        _visit(value, visitor)
        return
    own, changeable, themed = value._property_values, value._unstable_default_values, value.themed_values() or ()
    for name in value.properties_with_refs():
        if name in own:
            _visit(own[name], visitor)
        elif name in changeable or name in themed:
            _visit(getattr(value, name), visitor)


def _visit(value, visitor):
    """Visit a model, or the models in a container."""
    kind = type(value)
    if kind in PLAIN:
        return
    if issubclass(kind, Model):
        visitor(value)
    elif issubclass(kind, (list, tuple)):
        for each in value:
            _visit(each, visitor)
    elif issubclass(kind, dict):
        for key, each in value.items():
            _visit(key, visitor)
            _visit(each, visitor)
    elif issubclass(kind, HasProps):
        _visit_what_it_has(value, visitor)
    elif is_dataclass(value):
        for _, each in entries(value):
            _visit(each, visitor)
