"""Results of functions, if they are more than a number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, kw_only: bool = ..., repr: bool = ...) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type | None = None, /, **options: Any) -> Any:
    """Make a class a dataclass whose values are set once.

    As arrays have no plain equality, a record equals only itself.

    Use it as a decorator, with or without options.

    Parameters
    ----------
    **options : Any
        Options of `dataclasses.dataclass`.

    Returns
    -------
    type or callable
        The dataclass, or a decorator if no class is given.
    """
    return dataclass(cls, frozen=True, eq=False, **options)
