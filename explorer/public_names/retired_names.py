"""Names of earlier versions, which labs and scripts of users may still import, override or pass: they work and warn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from explorer.checks import warn


def forward(module: str, names: Mapping[str, str], namespace: Mapping[str, Any]) -> Callable[[str], Any]:
    """Return a module's `__getattr__` that answers to retired names.

    Parameters
    ----------
    module : str
        The module's dotted name.
    names : dict
        New name of each retired one, or "module:name" if another module has it now, which is imported when it is used.
    namespace : dict
        The module's `globals()`, which have the other new names.

    Returns
    -------
    callable
        It returns what the new name is, with an `ExplorerWarning`, and raises `AttributeError` for other names.
    """

    def attribute(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, new = names[name].rpartition(":")
        _warn(f"{module}.{name}", f"{home or namespace['__name__']}.{new}")
        return getattr(import_module(home), new) if home else namespace[new]

    return attribute


def adopt(user: type | ModuleType, names: Mapping[str, str]) -> None:
    """Give a class or a module of the user that defines hooks by their retired names the new names too.

    Parameters
    ----------
    user : type or module
        The subclass, as `__init_subclass__` gets it, or the module.
    names : dict
        New name of each retired hook.
    """
    for old, new in names.items():
        if old in vars(user) and new not in vars(user):
            _warn(f"{user.__name__}.{old}", new)
            setattr(user, new, vars(user)[old])


def options(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return keyword arguments with retired names replaced by the new ones.

    Parameters
    ----------
    values : dict
        The keyword arguments, as a caller passed them.
    names : dict
        New name of each retired keyword.

    Returns
    -------
    dict
        The arguments by their new names.
    """
    for old in names.keys() & values.keys():
        _warn(f"the keyword {old}", names[old])
    return {names.get(name, name): value for name, value in values.items()}


def _warn(old, new):
    warn(f"{old} is now called {new}; the old name will go in the next version.")
