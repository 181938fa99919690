"""Files that arrive while others are being read: each is read in a thread, and the last one at each zone counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import panel as pn

from explorer.checks import Refusal
from explorer.datasets.files import contents
from explorer.languages import bind_language

if TYPE_CHECKING:
    from bokeh.document import Document

T = TypeVar("T")
# reads the files of all sessions, two at a time, because reading one takes up to 600 MB
READERS = ThreadPoolExecutor(2, "reader")


class Arrivals:
    """Files that arrive at the zones of a panel.

    Parameters
    ----------
    in_order : bool, default False
        Whether a file is read only after those that have arrived before it at any zone.
    """

    def __init__(self, in_order: bool = False) -> None:
        self._turn: Any = asyncio.Lock() if in_order else nullcontext()
        self._newest: dict[int, object] = {}  # zone -> identifies the file that is being read

    def cancel(self, zone: int) -> None:
        """Forget the file that is being read for a zone."""
        self._newest.pop(zone, None)

    async def read(
        self,
        zone: int,
        look: Callable[[], T],
        take: Callable[[T | None, Refusal | None], object],
        doc: Document | None,
    ) -> None:
        """Read a file that has arrived, unless another one arrives at its zone in the meantime.

        Parameters
        ----------
        zone : int
            The zone.
        look : callable
            Reads the file in a thread, or raises Refusal.
        take : callable
            Called with (result, None) on success, or with (None, error). Its changes of `doc` become one message.
        doc : Document or None
            The page's document.
        """
        self._newest[zone] = file = object()

        def looked():
            return or_error(look) if self._newest.get(zone) is file else (None, None)

        async with self._turn:
            found = await in_reader_thread(looked)
            if self._newest.get(zone) is file:
                with pn.io.hold(doc):
                    take(*found)


async def in_reader_thread(function: Callable[..., T], *args: Any, **options: Any) -> T:
    """Call a function that reads a file in a thread, so that the pages of other sessions stay responsive."""
    return await asyncio.get_running_loop().run_in_executor(READERS, bind_language(partial(function, *args, **options)))


def or_error(function: Callable[..., T], *args: Any) -> tuple[T | None, Refusal | None]:
    """Return (result, None) on success, or (None, error) if the function raised Refusal."""
    try:
        with contents.within_memory("the file"):
            return function(*args), None
    except Refusal as error:
        return None, error


def or_sentence(function: Callable[..., T], *args: Any) -> tuple[T | None, str]:
    """Return (result, "") on success, or (None, message) if the function raised Refusal."""
    given, error = or_error(function, *args)
    return given, "" if error is None else str(error)
