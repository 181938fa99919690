"""How param copies the parameters of a class for an object: slot by slot, thousands of times a page.

param asks each slot by a `__getattribute__` of Python's own, twice, and whether its value is any kind of container by
an abstract class. It is written for the param that the project pins.
"""

from __future__ import annotations

from copy import copy
from functools import cache

from param import parameterized
from param._utils import MUTABLE_TYPES

READ, WRITE = object.__getattribute__, object.__setattr__


def copy_quickly():
    """Let param copy parameters so."""
    parameterized._instantiate_param_obj = _copied


def _copied(parameter, owner=None):
    """A parameter for one object: its own containers, but for the default, and no watchers."""
    kind = type(parameter)
    own = kind.__new__(kind)
    for slot in kind._all_slots_:
        value = READ(parameter, slot)
        WRITE(own, slot, copy(value) if slot != "default" and _is_container(type(value)) else value)
    WRITE(own, "owner", owner)
    WRITE(own, "watchers", {})
    return own


@cache
def _is_container(kind):
    return issubclass(kind, MUTABLE_TYPES)
