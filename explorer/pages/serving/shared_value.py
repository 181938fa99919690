"""What a process computes once for all its pages: the first that asks has a thread do it, and the others wait with it.

It lives as long as the process, so it is for what every visitor sees alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any

from explorer.languages import current_language

from .scheduler import TURNS

if TYPE_CHECKING:
    from concurrent.futures import Future


class SharedValue:
    """A value that `compute()` makes; `value` is None until it is there. Where it fails, the next visitor tries again.

    seconds: about how long it takes
    """

    def __init__(self, compute: Callable[[], Any], seconds: float) -> None:
        self._compute, self._seconds = compute, seconds
        self.value: Any = None
        self._future = None
        self._alone = Lock()
        self._asking = Lock()

    def now(self) -> Any:
        """The value, computed by whoever calls where it is not there yet."""
        with self._alone:
            if self.value is None:
                self.value = self._compute()
        return self.value

    def ask(self) -> Future[Any]:
        """A Future of the value, which a thread computes where it is not there yet."""
        with self._asking:
            if self._future is None or (self._future.done() and self._future.exception()):
                self._future = TURNS.submit(self.now, self._seconds)
            return self._future

    async def soon(self) -> Any:
        """The value, computed by a thread where it is not there yet; a page's event loop stays free."""
        if self.value is None:
            await asyncio.wrap_future(self.ask())
        return self.value


class SharedValuePerLanguage:
    """A Once of what has words, one for each language: all that is asked of it is asked of that of the spoken one."""

    def __init__(self, compute: Callable[[], Any], seconds: float) -> None:
        self._compute, self._seconds = compute, seconds
        self._each: dict[str, SharedValue] = {}

    @property
    def for_current_language(self) -> SharedValue:
        """The Once of the language that is spoken."""
        return self._each.setdefault(current_language(), SharedValue(self._compute, self._seconds))

    @property
    def value(self) -> Any:
        """Its value, None until it is there."""
        return self.for_current_language.value

    def now(self) -> Any:
        """The value, computed by whoever calls where it is not there yet."""
        return self.for_current_language.now()

    def ask(self) -> Future[Any]:
        """A Future of the value."""
        return self.for_current_language.ask()

    async def soon(self) -> Any:
        """The value, computed by a thread where it is not there yet."""
        return await self.for_current_language.soon()
