"""Patch of Bokeh that remembers the defaults of properties, which Bokeh computes a hundred thousand times per page.

All that is remembered depends on a model's class alone. Bokeh 4.0 computes a default when it is first read.
"""

from __future__ import annotations

from functools import cache, wraps
from typing import Any

from bokeh.core.has_props import HasProps, MetaHasProps, is_DataModel
from bokeh.core.property.descriptors import PropertyDescriptor
from bokeh.core.property.singletons import Intrinsic, Undefined
from bokeh.core.property.wrappers import PropertyValueContainer, PropertyValueDict, PropertyValueList, PropertyValueSet
from bokeh.core.serialization import Ref, Serializer

from explorer.library_patch import patch

PLAIN: set[type] = {str, int, float, bool, type(None)}  # defaults of these types cannot be changed in place
EMPTY: set[type] = {PropertyValueList, PropertyValueDict, PropertyValueSet}


@patch(
    "Bokeh",
    "Each new model computes all defaults of its class, which takes a third of the time in which a page opens.",
    "https://github.com/bokeh/bokeh/pull/15355",
)
def cache_bokeh_defaults() -> None:
    """Make Bokeh compute each plain default once per class."""
    descriptor: Any = PropertyDescriptor  # the methods of Bokeh's classes are replaced
    descriptor._get_default = _cached_defaults(descriptor._get_default)
    model: Any = HasProps
    model._overridden_defaults = classmethod(cache(model._overridden_defaults.__func__))
    HasProps.__init__ = _begin
    HasProps.themed_values = _themed
    HasProps.apply_theme = _unless_plain(HasProps.apply_theme)
    HasProps.query_properties_with_values = _of_what_is_set(HasProps.query_properties_with_values)
    Serializer._encoders[MetaHasProps] = _cached_definitions(Serializer._encoders[MetaHasProps])


def _cached_defaults(work_out):
    """Wrap `_get_default` so that plain defaults are computed once per class."""
    known = {}

    @wraps(work_out)
    def default(self, model):
        name, themed = self.name, _themed(model)
        if themed is not None and name in themed:
            return work_out(self, model)
        if name in model._unstable_default_values:
            return model._unstable_default_values[name]
        key = type(model), name
        if key not in known:
            value = work_out(self, model)
            if type(value) not in PLAIN or name in model._unstable_default_values:
                return value
            known[key] = value
        return known[key]

    return default


def _begin(self, **properties):
    """Set a model's given values and those defaults that documents contain, as `HasProps.__init__` does."""
    super(HasProps, self).__init__()
    self._property_values, self._unstable_default_values, self._unstable_themed_values = {}, {}, {}
    for name, value in properties.items():
        if value is not Undefined and value is not Intrinsic:
            setattr(self, name, value)
    for name, descriptor in _documented_defaults(type(self)):
        if name not in properties:
            descriptor._get(self)
    self._initialized = True


@cache
def _documented_defaults(model):
    """Return (name, descriptor) of each default of a class that is written into documents and is new in each model.

    Empty containers are not written; they are made when they are first read.
    """
    found = []
    for name in model.properties(_with_props=True):
        descriptor = model.lookup(name)
        if descriptor.has_unstable_default(model):
            value = (
                None
                if descriptor.is_unstable(_declared_default(model, descriptor))
                else descriptor.class_default(model)
            )
            if value or type(value) not in EMPTY:
                found.append((name, descriptor))
    return tuple(found)


def _themed(self):
    """Return what `HasProps.themed_values` returns; that one raises and catches an error if there are none."""
    return vars(self).get("__themed_values__")


def _unless_plain(apply):
    """Wrap `apply_theme` so that it does nothing if there is neither a theme to apply nor one to remove."""

    @wraps(apply)
    def apply_theme(self, property_values):
        if property_values or _themed(self) is not None:
            apply(self, property_values)

    return apply_theme


def _of_what_is_set(look):
    """Wrap `query_properties_with_values`: if only set values are wanted, it looks at no other properties."""

    @wraps(look)
    def query_properties_with_values(self, query, *, include_defaults=True, include_undefined=False):
        if include_defaults or include_undefined:
            return look(self, query, include_defaults=include_defaults, include_undefined=include_undefined)
        of_its_own, themed = self._property_values.keys() | self._unstable_default_values.keys(), _themed(self) or {}
        values = {}
        for name in self.properties(_with_props=True):
            if name in of_its_own or name in themed or name in _required_properties(type(self)):
                descriptor = self.lookup(name)
                if not query(descriptor):
                    continue
                value = descriptor.get_value(self)  # raises if the property is required and has no value
                untouched = isinstance(value, PropertyValueContainer) and name in self._unstable_default_values
                if name in themed or not untouched:
                    values[name] = value
        return values

    return query_properties_with_values


@cache
def _required_properties(model):
    """Return the names of a class's properties that have no default."""
    names = model.properties(_with_props=True)
    return {name for name in names if _declared_default(model, model.lookup(name)) is Undefined}


def _declared_default(model, descriptor):
    """Return a default as a class declares it: a value, or a function that makes it."""
    return model._overridden_defaults().get(descriptor.name, descriptor.property._default)


def _cached_definitions(describe):
    """Wrap the encoder of model classes: the definition of a class, which every document has, is computed once."""
    known = {}

    @wraps(describe)
    def description(model, serializer):
        if not is_DataModel(model) or any(map(is_DataModel, model.__bases__)):
            return describe(model, serializer)
        if model in known:
            serializer.add_ref(model, Ref(id=model.__qualified_model__))
            return known[model]
        before = len(serializer.buffers)
        value = describe(model, serializer)
        if len(serializer.buffers) == before:
            known[model] = value
        return value

    return description
