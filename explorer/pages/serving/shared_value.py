"""Values that a process computes once for all its pages.

A thread computes a value on the first request, and later requests wait for it. A value lives as long as the process, so
it must be the same for every visitor.
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
    """A value that is computed once. If the computation fails, the next request tries again.

    Parameters
    ----------
    compute : callable
        Returns the value.
    seconds : float
        The expected run time in seconds.

    Attributes
    ----------
    value : object or None
        The value, or None until it is computed.
    """

    def __init__(self, compute: Callable[[], Any], seconds: float) -> None:
        self._compute, self._seconds = compute, seconds
        self.value: Any = None
        self._future = None
        self._alone = Lock()
        self._asking = Lock()

    def now(self) -> Any:
        """Return the value; compute it in this thread if necessary.

        Returns
        -------
        object
            The value.
        """
        with self._alone:
            if self.value is None:
                self.value = self._compute()
        return self.value

    def ask(self) -> Future[Any]:
        """Return a Future of the value; a thread computes it if necessary.

        Returns
        -------
        Future
            The Future, shared by all callers.
        """
        with self._asking:
            if self._future is None or (self._future.done() and self._future.exception()):
                self._future = TURNS.submit(self.now, self._seconds)
            return self._future

    async def soon(self) -> Any:
        """Wait for the value without blocking the event loop; a thread computes it if necessary.

        Returns
        -------
        object
            The value.
        """
        if self.value is None:
            await asyncio.wrap_future(self.ask())
        return self.value


class SharedValuePerLanguage:
    """A SharedValue whose content is translated: one value per language. Every method uses the current language."""

    def __init__(self, compute: Callable[[], Any], seconds: float) -> None:
        self._compute, self._seconds = compute, seconds
        self._each: dict[str, SharedValue] = {}

    @property
    def for_current_language(self) -> SharedValue:
        """The SharedValue of the current language."""
        return self._each.setdefault(current_language(), SharedValue(self._compute, self._seconds))

    @property
    def value(self) -> Any:
        """The value in the current language, or None until it is computed."""
        return self.for_current_language.value

    def now(self) -> Any:
        """Return the value; compute it in this thread if necessary."""
        return self.for_current_language.now()

    def ask(self) -> Future[Any]:
        """Return a Future of the value."""
        return self.for_current_language.ask()

    async def soon(self) -> Any:
        """Wait for the value without blocking the event loop; a thread computes it if necessary."""
        return await self.for_current_language.soon()
