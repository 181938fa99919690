"""What a function answers with, where it is more than a number."""

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
    """A dataclass whose values are set once; as arrays have no plain equality, a record equals itself alone."""
    return dataclass(cls, frozen=True, eq=False, **options)
