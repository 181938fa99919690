"""Patch that makes param and Panel create components faster. Both do the same work thousands of times per page.

When param copies a class's parameters for an object, it reads each slot twice through a `__getattribute__` in Python,
and tests with an abstract class whether its value is a container. With each component, Panel sets flags of all
parameters, mostly to the values that they have, and asks for each parameter which ones it synchronises.
"""

from __future__ import annotations

from copy import copy
from functools import cache, wraps
from typing import Any

from panel.reactive import Syncable
from param import parameterized
from param._utils import MUTABLE_TYPES

from explorer.library_patch import patch

FLAGS = {"allow_refs", "readonly", "constant"}
READ, WRITE = object.__getattribute__, object.__setattr__


@patch(
    "param and Panel",
    "Copying the dozen parameters of each widget takes a tenth of the time in which a page opens.",
    "https://github.com/holoviz/param/pull/1167",
)
def speed_up_param_copies() -> None:
    """Replace the functions of param and Panel that copy parameters and set their flags."""
    parameterized._instantiate_param_obj = _copy_parameter
    parameterized.Parameter.__setattr__ = _unless_it_is_so(parameterized.Parameter.__setattr__)
    Syncable._init_params = _of_those_in_step


def _copy_parameter(parameter, owner=None):
    """Copy a parameter for one object: containers are copied except for the default, and watchers are not."""
    kind = type(parameter)
    new: Any = kind.__new__
    own = new(kind)
    for slot in kind._all_slots_:
        value = READ(parameter, slot)
        WRITE(own, slot, copy(value) if slot != "default" and _is_container(type(value)) else value)
    WRITE(own, "owner", owner)
    WRITE(own, "watchers", {})
    return own


def _unless_it_is_so(write):
    """Wrap `__setattr__` of parameters, so that a flag is not set again to the value that it has."""

    @wraps(write)
    def __setattr__(self, attribute, value):
        if not (attribute in FLAGS and READ(self, attribute) is value and attribute not in READ(self, "watchers")):
            write(self, attribute, value)

    return __setattr__


def _of_those_in_step(self):
    """Return the values of a component's parameters that are synchronised with its models."""
    in_step = set(self._synced_params)
    values = {name: getattr(self, name) for name in self.param if name in in_step}
    return {name: value for name, value in values.items() if value is not None}


@cache
def _is_container(kind):
    return issubclass(kind, MUTABLE_TYPES)
