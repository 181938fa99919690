"""A cache that knows what it holds: bounded in bytes, arrays inside anything included."""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from sys import getsizeof
from threading import Lock
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

CACHE_BYTES = 64 * 2**20
PLAIN: set[type] = {str, int, float, bool, type(None)}  # what refers to nothing
# what a value refers to without holding it: a class and a module are there anyway
SHARED = (type, ModuleType, BuiltinFunctionType, np.dtype, np.random.Generator)


class Cache:
    """Values by key, the least recently used dropped beyond `limit` bytes; a value that is larger alone is not kept.

    One lab owns it, so it dies with the session. The event loop and threads share it, so every access takes its lock.

    >>> import numpy as np
    >>> from explorer.workbench import Cache
    >>> cache = Cache(limit=20_000)
    >>> for key in ("first", "second", "third"):
    ...     values = cache.put(key, np.zeros(1000))
    ...     cache.weigh()
    >>> len(cache), cache.get("first") is None, cache.get("third").shape
    (2, True, (1000,))
    """

    limit: int
    size: int

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self.limit: int = limit
        self.size: int = 0
        self._kept: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()
        self._new: dict[Any, None] = {}  # the keys of what has not been weighed
        self.newest: Any = None  # the newest result: what it holds serves the next one, whatever its size
        self.refused: dict[Any, str] = {}  # (result class, late stage, the lab's key) -> why it cannot be computed
        self.ways: dict[
            Any, dict[Any, None]
        ] = {}  # of a key's first part, in how many ways the rest of it has been made: `result.py` reads it

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str | tuple[type[Any], str, Sequence[str], Sequence[Any]], default: Any = None) -> Any:
        """The value under an immutable key, which counts as used."""
        with self._lock:
            if key not in self._kept:
                return default
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: Any, value: Any) -> Any:
        """Keep a value, and return it; what it holds is counted by the next `weigh`."""
        with self._lock:
            self.size -= self._kept.pop(key, (None, 0))[1]
            self._kept[key] = (value, 0)
            self._new[key] = None
        return value

    def weigh(self) -> None:
        """Count what has come since, which may have grown in its first use, and drop what is too much."""
        with self._lock:
            for key in [key for key in self._new if key in self._kept]:
                value = self._kept.pop(key)[0]
                size = bytes_of((key, value))
                if size <= self.limit:
                    self._kept[key] = (value, size)
                    self.size += size
            self._new.clear()
            while self.size > self.limit:
                self.size -= self._kept.popitem(last=False)[1][1]


def bytes_of(value: object) -> int:
    """The memory that a value holds: its own, and that of all that it alone leads to."""
    size, waiting, counted = 0, [value], set()
    while waiting:
        each = waiting.pop()
        if id(each) in counted:
            continue
        counted.add(id(each))
        if type(each) in PLAIN:
            size += getsizeof(each)
        elif isinstance(each, np.ndarray):
            base = each if each.base is None else each.base
            if base is not each and isinstance(base, np.ndarray):
                waiting.append(base)  # a view keeps all of the array that it looks into
            else:
                size += each.nbytes
            size += getsizeof(each, 0) - (each.nbytes if each.flags.owndata else 0)
        elif not isinstance(each, SHARED):
            # an instance's dictionary shares its keys with others of its class: the size that it gives for itself
            # changes as these come and go, so it counts as one that shares nothing
            size += getsizeof(dict.fromkeys(each) if type(each) is dict else each, 0)
            waiting.extend(_held(each))
    return size


def _held(value):
    """What a value refers to; of a function, only what it was made with."""
    if isinstance(value, FunctionType):
        return [cell.cell_contents for cell in value.__closure__ or () if _filled(cell)] + [value.__defaults__]
    if isinstance(value, MethodType):
        return [value.__self__]
    if isinstance(value, partial):
        return [value.func, value.args, value.keywords]
    return gc.get_referents(value)


def _filled(cell):
    try:
        cell.cell_contents  # noqa: B018, a cell that is not filled yet raises
    except ValueError:
        return False
    return True
