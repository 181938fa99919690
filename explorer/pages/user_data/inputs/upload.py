"""A button to choose a file; the server takes no more of it than the library reads, whatever the browser sends."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias, TypeVar

import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets.files import contents
from explorer.printing import short_name

T = TypeVar("T")
Refuse: TypeAlias = Callable[[str], object]  # hears why a file is refused
BROWSER = 64_000_000  # bytes: the browser sends no more; between our limit and this one the server says a sentence
TOGETHER = 400_000_000  # bytes of unfinished uploads that a process holds, eight of the largest files
LASTS = 600  # seconds that an upload may take: the largest file comes in them by 0.7 Mbit/s
NAME = 255  # letters of a file's name, of which no common file system allows more
AGAIN = "{filename}: drop or choose another"  # what the zone says once it has a file
READERS = ThreadPoolExecutor(2, "reader")  # all sessions' files, two at a time: reading one takes up to 600 MB
ZONE = {  # a button that is large enough to drop a file on, and looks like it
    "minHeight": "76px",
    "borderStyle": "dashed !important",
    "borderColor": "color-mix(in srgb, currentColor 45%, transparent)",
    "color": "inherit",
    "&:focus-within": {"outline": "2px solid currentColor", "outlineOffset": "2px"},  # its input has the focus, unseen
}
UNCLEAR = "The file did not arrive as it was sent; choose it again."
FULL = "This server is taking as many files as it can hold; choose the file again in a minute."
TOO_SLOW = (
    f"The file did not arrive within {LASTS // 60} minutes, and what had come of it was forgotten; choose it again."
)
_arriving: weakref.WeakKeyDictionary[Upload, int] = weakref.WeakKeyDictionary()  # bytes of unfinished uploads


class Upload(pmui.FileInput):
    """A zone that takes one file, dropped on it or chosen, in parts: `value` its bytes, `filename` its name.

    `say(sentence)` hears why a file is refused: one without a byte, one too large, one with a name too long, and a
    message that no browser of ours sends. What had come of such a file is forgotten at once. Two files dropped together
    go to `both([(name, bytes), (name, bytes)])`, where the page takes two. Where there are two zones, `called` says
    which of them it is.
    """

    both: Any = None  # what takes two files that are dropped together

    def __init__(self, say: Refuse, called: str = "", wanted: str = "drop or choose a file", **params: Any) -> None:
        self._called, self._wanted = called, wanted
        if called:
            params["label"] = f"{called}: {wanted}"
        look = {"variant": "outlined", "sx": ZONE, "sizing_mode": "stretch_width", "margin": (8, 10)}
        # whatever is dropped is sent: its bytes tell what it is, and a sentence says where it is nothing to read
        super().__init__(multiple=False, max_file_size=BROWSER, uploaded_label=AGAIN, **{**look, **params})
        self._say = say
        self._clock: asyncio.TimerHandle | None = None
        self._forget()

    def say_its_name(self, file: str) -> None:
        """Show the name of the file that one of two zones has: the browser knows only what was dropped on it."""
        words = (
            f"{self._called}: {short_name(file)} (drop or choose another)"
            if file
            else f"{self._called}: {self._wanted}"
        )
        self.param.update(label=words, uploaded_label=words)

    def _forget(self, taking=False):
        """Let go of what has come of a file; `taking` says whether an upload has begun."""
        self._whole: list[tuple[str, bytes]] = []  # files of this upload that have come
        self._begin()
        self._taking, self._expired = taking, False
        _arriving.pop(self, None)
        if self._clock is not None:
            self._clock.cancel()
        self._clock = _clock_of(self) if taking else None

    def _begin(self):
        """Begin the next file of an upload."""
        self._parts: list[bytes] = []
        self._size = 0  # bytes of all parts
        self._about = ("", 0)  # the file's name and the number of its parts

    @property
    def _linked_properties(self):
        """None: a file comes as messages, and no property is the browser's to change."""
        return ()

    def _handle_msg(self, msg):
        """Take a message; each of an upload that was refused is ignored until the next upload begins."""
        status = msg.get("status") if isinstance(msg, dict) else None
        try:
            if status == "initializing":
                self._forget(taking=True)
            elif status == "error":
                raise Refusal(
                    f"The browser cannot send the file; {contents.MEGABYTES} MB is the limit: choose another."
                )
            elif status not in ("upload_event", "finished"):
                raise Refusal(UNCLEAR)
            elif self._expired:
                raise Refusal(TOO_SLOW)
            elif self._taking and status == "upload_event":
                self._take(msg)
            elif self._taking:
                self._finish()
        except Refusal as error:
            self._forget()
            self.clear()
            self._send_msg({"status": "error", "error": str(error)})
            self._say(str(error))

    def _take(self, msg):
        """Keep a part, if it is the next one of this file and not too much."""
        name, data, place, last = (msg.get(key) for key in ("name", "data", "chunk", "total_chunks"))
        kinds = ((name, str), (data, (bytes, bytearray, memoryview)), (place, int), (last, int))
        if not all(isinstance(value, kind) for value, kind in kinds) or not name:
            raise Refusal(UNCLEAR)
        if len(name) > NAME:
            raise Refusal(f"The chosen file's name has {len(name):,} letters, and {NAME} is the limit; rename it.")
        if place == 1 and self._parts and len(self._parts) == self._about[1]:
            self._keep()
        self._about = self._about if self._parts else (name, last)
        if self._about != (name, last) or place != len(self._parts) + 1 or place > last:
            raise Refusal(UNCLEAR)
        self._size += memoryview(data).nbytes
        if self._size > contents.MEGABYTES * 1_000_000:
            raise contents.too_large_error(name)
        _arriving[self] = self._size + sum(len(raw) for _, raw in self._whole)
        if sum(_arriving.values()) > TOGETHER:
            raise Refusal(FULL)
        self._parts.append(bytes(data))

    def _keep(self):
        """A file of the upload is whole; refuse more of them than the page takes."""
        self._whole.append((self._about[0], b"".join(self._parts)))
        self._begin()
        if len(self._whole) > (2 if self.both else 1):
            raise Refusal(f"{'Two files are' if self.both else 'One file is'} taken here, and more came; drop no more.")

    def _finish(self):
        """Hand over what has come, which a file without a byte never is: it has no part."""
        if not self._parts:
            raise Refusal("The chosen file is empty; choose one with at least one row.")
        if len(self._parts) != self._about[1]:
            raise Refusal(UNCLEAR)
        self._keep()
        whole = self._whole
        self._forget()
        if len(whole) == 1:
            self._update_file(whole[0][0], "", whole[0][1])
        else:
            self.both(whole)
        self._send_msg({"status": "finished"})


def _clock_of(upload):
    """The timer of an upload that begins; None where no event loop runs, as in a notebook without a page."""
    with suppress(RuntimeError):
        return asyncio.get_running_loop().call_later(LASTS, _expire, weakref.ref(upload))


def _expire(upload: weakref.ref[Upload]):
    """Forget what has come of an upload that takes too long; its next message is told so."""
    late = upload()
    if late is not None:
        late._forget()
        late._expired = True


async def elsewhere(function: Callable[..., T], *args: Any, **options: Any) -> T:
    """Call a function that reads a file, in a thread: the pages of other sessions go on meanwhile."""
    return await asyncio.get_running_loop().run_in_executor(READERS, partial(function, *args, **options))
