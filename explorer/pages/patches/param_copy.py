"""How param copies the parameters of a class for an object, and Panel sets their flags: thousands of times a page.

param asks each slot by a `__getattribute__` of Python's own, twice, and whether its value is any kind of container by
an abstract class. Panel sets flags of all parameters with each part of a page, mostly to what they are, and asks once
for each of a part's parameters which of all it keeps in step. It is written for the versions that the project pins.
"""

from __future__ import annotations

from copy import copy
from functools import cache, wraps
from typing import Any

from panel.reactive import Syncable
from param import parameterized
from param._utils import MUTABLE_TYPES

FLAGS = {"allow_refs", "readonly", "constant"}
READ, WRITE = object.__getattribute__, object.__setattr__


def speed_up_param_copies() -> None:
    """Let param and Panel do so."""
    parameterized._instantiate_param_obj = _copied
    parameterized.Parameter.__setattr__ = _unless_it_is_so(parameterized.Parameter.__setattr__)
    Syncable._init_params = _of_those_in_step


def _copied(parameter, owner=None):
    """A parameter for one object: its own containers, but for the default, and no watchers."""
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
    @wraps(write)
    def __setattr__(self, attribute, value):
        if not (attribute in FLAGS and READ(self, attribute) is value and attribute not in READ(self, "watchers")):
            write(self, attribute, value)

    return __setattr__


def _of_those_in_step(self):
    """A part's values that its models follow."""
    in_step = set(self._synced_params)
    values = {name: getattr(self, name) for name in self.param if name in in_step}
    return {name: value for name, value in values.items() if value is not None}


@cache
def _is_container(kind):
    return issubclass(kind, MUTABLE_TYPES)
