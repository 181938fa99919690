"""A lab: the state of a page as a model. Inputs in, an immutable result out; no widget, no colour."""

from __future__ import annotations

import copy
from collections import OrderedDict

from explorer.model import Model

CACHE_BYTES = 64 * 2**20


class Cache:
    """Results by key, the oldest dropped beyond 64 MB. One lab owns it, so it dies with the session."""

    def __init__(self, limit=CACHE_BYTES):
        self.limit, self.size, self._kept = limit, 0, OrderedDict()

    def get(self, key, make):
        """The value under an immutable key, made now if it is not there."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][0]
        return self.put(key, make())

    def put(self, key, value):
        """Keep a value that was made elsewhere."""
        size = _bytes(value)
        self.size += size - self._kept.pop(key, (None, 0))[1]
        self._kept[key] = (value, size)
        while self.size > self.limit and len(self._kept) > 1:
            self.size -= self._kept.popitem(last=False)[1][1]
        return value

    def peek(self, key):
        """The value under a key, or None."""
        return self._kept[key][0] if key in self._kept else None


def _bytes(value):
    """The memory of a cached value, near enough."""
    if isinstance(value, tuple):
        return sum(map(_bytes, value))
    return getattr(value, "nbytes", 64)


def copied(model, name, **changes):
    """A parameter of a model, copied with some slots changed, so that its bounds and its words are declared once."""
    field = copy.copy(model.param[name])
    for slot, value in changes.items():
        setattr(field, slot, value)
    return field


class Lab(Model):
    """A model that may change: by attribute, or several fields at once by `move`.

    It computes from a snapshot of itself.
    """

    editable = True
    aside = ()  # fields that a preset leaves as they are

    def __init__(self, *args, **kwargs):
        self._cache, self._moving, self._snapshot = Cache(), False, None
        super().__init__(*args, **kwargs)

    def __setattr__(self, attribute, value):
        if getattr(self, "_built", False) and not self._moving and attribute in type(self).fields:
            self._snapshot = self.replace(
                **{attribute: value}
            )  # refuses what the lab as a whole cannot be, before it changes
        super().__setattr__(attribute, value)

    def move(self, **changes):
        """Change several fields at once, all or none; watchers hear one batch."""
        after = self.replace(**changes)
        values = after.values()
        self._moving, self._snapshot = True, after
        try:
            self.param.update(**{name: values[name] for name in changes})
        finally:
            self._moving = False

    @property
    def snapshot(self):
        """The lab as it is now, as one that nobody changes."""
        if self._snapshot is None:
            self._snapshot = self.replace()
        return self._snapshot

    def task(self):
        """A function without arguments that computes the result of the lab as it is now; a thread may call it later."""
        raise NotImplementedError

    @property
    def quick(self):
        """Whether a result takes a frame or two: else a thread computes it, and the event loop stays free."""
        return True

    def more(self):
        """What takes longer than a result and adds to it: (key of the cache, a function of `stopped`), or None."""
        return None

    def keep(self, key, value):
        """Let the next results have what `more` gave."""
        self._cache.put(key, value)

    def result(self):
        """What the lab shows, from what has not changed since the last one."""
        return self.task()()
