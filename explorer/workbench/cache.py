"""Cache bounded in bytes, which measures what its values hold, arrays inside any object included."""

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
PLAIN: set[type] = {str, int, float, bool, type(None)}  # types that refer to nothing
# types of what a value refers to without owning it: classes and modules exist anyway
SHARED = (type, ModuleType, BuiltinFunctionType, np.dtype, np.random.Generator)


class Cache:
    """Values by key, bounded in bytes: the least recently used are dropped beyond `limit`.

    A value that alone is larger than the limit is not stored. One lab owns the cache, so it dies with the session. The
    event loop and threads share it, so every access takes its lock.

    Parameters
    ----------
    limit : int, default 64 MiB
        Largest total size in bytes.

    Attributes
    ----------
    limit : int
        Largest total size in bytes.
    size : int
        Current size in bytes of the values that have been weighed.

    Examples
    --------
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
        self._entries: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()
        self._new: dict[Any, None] = {}  # keys of values that have not been weighed yet
        self.newest: Any = None  # the newest result: its values serve the next result, whatever their size
        self.refused: dict[Any, str] = {}  # (result class, deferred stage, the lab's key) -> why it cannot be computed
        self.ways: dict[
            Any, dict[Any, None]
        ] = {}  # first part of a key -> the rests with which it has been made; `result.py` reads it

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str | tuple[type[Any], str, Sequence[str], Sequence[Any]], default: Any = None) -> Any:
        """Return the value of an immutable key, and mark it as used."""
        with self._lock:
            if key not in self._entries:
                return default
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: Any, value: Any) -> Any:
        """Store a value and return it; the next `weigh` counts its size."""
        with self._lock:
            self.size -= self._entries.pop(key, (None, 0))[1]
            self._entries[key] = (value, 0)
            self._new[key] = None
        return value

    def weigh(self) -> None:
        """Measure the values added since the last call and drop what exceeds the limit.

        A value is measured after its first use, because it may have grown in it.
        """
        with self._lock:
            for key in [key for key in self._new if key in self._entries]:
                value = self._entries.pop(key)[0]
                size = bytes_of((key, value))
                if size <= self.limit:
                    self._entries[key] = (value, size)
                    self.size += size
            self._new.clear()
            while self.size > self.limit:
                self.size -= self._entries.popitem(last=False)[1][1]


def bytes_of(value: object) -> int:
    """Return the memory in bytes that a value holds: its own, and that of everything that it refers to.

    Parameters
    ----------
    value : object
        Any object. Classes, modules, dtypes and generators that it refers to are not counted.

    Returns
    -------
    int
        The size in bytes.
    """
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
                waiting.append(base)  # a view keeps the whole array alive
            else:
                size += each.nbytes
            size += getsizeof(each, 0) - (each.nbytes if each.flags.owndata else 0)
        elif not isinstance(each, SHARED):
            # An instance's dictionary shares its keys with those of other instances, so that the size it reports
            # changes as these come and go. A copy that shares nothing has a stable size.
            size += getsizeof(dict.fromkeys(each) if type(each) is dict else each, 0)
            waiting.extend(_referents(each))
    return size


def _referents(value):
    """Return the objects that a value refers to; for a function, only its closure and its defaults."""
    if isinstance(value, FunctionType):
        return [cell.cell_contents for cell in value.__closure__ or () if _filled(cell)] + [value.__defaults__]
    if isinstance(value, MethodType):
        return [value.__self__]
    if isinstance(value, partial):
        return [value.func, value.args, value.keywords]
    return gc.get_referents(value)


def _filled(cell):
    """Return whether a closure cell has a value."""
    try:
        cell.cell_contents  # noqa: B018, a cell that is not filled yet raises
    except ValueError:
        return False
    return True
