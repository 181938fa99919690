"""Patches of other libraries: changes at run time, each with the fault that it repairs, and one switch for all."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import update_wrapper

VARIABLE = "EXPLORER_PATCHES"  # 0 turns all patches off


def patches_are_on() -> bool:
    """Return whether the environment leaves the patches on.

    Returns
    -------
    bool
        False if `EXPLORER_PATCHES` is 0 or empty.
    """
    return os.environ.get(VARIABLE, "1") not in ("", "0")


class Patch:
    """A function that changes another library, and that does nothing if the patches are off.

    Parameters
    ----------
    library : str
        The library's name.
    fault : str
        What the library does without the patch.
    upstream : str
        Address of the issue or pull request of the library about the fault, or "" if there is none.
    change : callable
        The function that changes the library.
    """

    def __init__(self, library: str, fault: str, upstream: str, change: Callable[..., None]) -> None:
        self.library, self.fault, self.upstream, self.change = library, fault, upstream, change
        update_wrapper(self, change)

    def __call__(self, *arguments: object) -> None:
        if patches_are_on():
            self.change(*arguments)


def patch(library: str, fault: str, upstream: str = "") -> Callable[[Callable[..., None]], Patch]:
    """Return a decorator that makes a patch of a function.

    Parameters
    ----------
    library : str
        The library's name.
    fault : str
        What the library does without the patch.
    upstream : str, default ""
        Address of the issue or pull request of the library about the fault.

    Returns
    -------
    callable
        The decorator.
    """
    return lambda change: Patch(library, fault, upstream, change)
