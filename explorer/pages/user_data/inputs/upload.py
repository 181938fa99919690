"""Upload zone for a file. The server accepts no more bytes than the library reads, whatever the browser sends."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import panel_material_ui as pmui
import param

from explorer.checks import Refusal
from explorer.datasets.files import contents
from explorer.languages import bind_language, translate
from explorer.printing import short_name

Refuse: TypeAlias = Callable[[str], object]  # receives the reason if a file is refused
# most bytes that the browser sends; between its own limit and this one the server refuses a file with a reason
BROWSER = 64_000_000
TOGETHER = 400_000_000  # most bytes of unfinished uploads that a process stores: eight of the largest files
LASTS = 600  # most seconds of an upload: enough for the largest file at 0.7 Mbit/s
NAME = 255  # most characters of a file name on common file systems
AGAIN = "{filename}: drop or choose another"  # label of the zone once it has a file
ZONE = {  # style of a button that is large enough to drop a file on
    "minHeight": "76px",
    "borderStyle": "dashed !important",
    "borderColor": "color-mix(in srgb, currentColor 45%, transparent)",
    "color": "inherit",
    "&:focus-within": {"outline": "2px solid currentColor", "outlineOffset": "2px"},  # its hidden input has the focus
}
UNCLEAR = "The file arrived damaged; choose it again."
FULL = "This server is taking as many files as it can hold; choose the file again in a minute."
TOO_SLOW = f"The file did not arrive within {LASTS // 60} minutes, so the upload was cancelled; choose the file again."
_arriving: weakref.WeakKeyDictionary[Upload, int] = weakref.WeakKeyDictionary()  # bytes of unfinished uploads


class Upload(pmui.FileInput):
    """Upload zone that takes one file, dropped or chosen, in parts: `value` has its bytes, `filename` its name.

    `say(sentence)` is called with the reason if a file is refused: it is empty or too large, its name is too long, or a
    message is not one that this project's script sends. What has arrived of such a file is discarded at once. Two files
    dropped together go to `both([(name, bytes), (name, bytes)])` if the page takes two. If there are two zones,
    `called` is the label of this one.
    """

    both: Any = None  # function that takes two files dropped together

    def __init__(self, say: Refuse, called: str = "", wanted: str = "drop or choose a file", **params: Any) -> None:
        self._called, self._wanted = called, wanted
        if called:
            params["label"] = f"{called}: {wanted}"
        look = {"variant": "outlined", "sx": ZONE, "sizing_mode": "stretch_width", "margin": (8, 10)}
        # Every dropped file is sent: its bytes show what it is, and a message follows if it cannot be read.
        super().__init__(multiple=False, max_file_size=BROWSER, uploaded_label=AGAIN, **{**look, **params})
        self._say = say
        self._clock: asyncio.TimerHandle | None = None
        self._hear: Callable[[Any], None] = bind_language(self._on_message)
        self._forget()

    def show_file_name(self, file: str) -> None:
        """Label this zone, one of two, with the name of its file, or with what is wanted if that is "".

        The browser does this by itself only for a file that was dropped on this zone.
        """
        words = (
            translate("{}: {} (drop or choose another)", self._called, short_name(file))
            if file
            else f"{self._called}: {self._wanted}"
        )
        self.param.update(label=words, uploaded_label=words)

    def _forget(self, taking=False):
        """Discard what has arrived of a file; `taking` says whether an upload has begun."""
        self._whole: list[tuple[str, bytes]] = []  # files of this upload that have arrived
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
        """No properties: a file arrives as messages, and the browser may change no property."""
        return ()

    def _handle_msg(self, msg):
        self._hear(msg)

    def _on_message(self, msg):
        """Handle a message. After a refusal the messages are ignored until the next upload begins."""
        status = msg.get("status") if isinstance(msg, dict) else None
        try:
            if status == "initializing":
                self._forget(taking=True)
            elif status == "error":
                raise Refusal(
                    "The browser cannot send the file; {} MB is the limit: choose another.", contents.MEGABYTES
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
            self._send_msg({"status": "error", "error": translate(str(error))})
            self._say(str(error))

    def _take(self, msg):
        """Store a part, if it is the next one of this file and does not exceed the limits."""
        name, data, place, last = (msg.get(key) for key in ("name", "data", "chunk", "total_chunks"))
        kinds = ((name, str), (data, (bytes, bytearray, memoryview)), (place, int), (last, int))
        if not all(isinstance(value, kind) for value, kind in kinds) or not name:
            raise Refusal(UNCLEAR)
        if len(name) > NAME:
            raise Refusal("The chosen file's name has {:,} letters, and {} is the limit; rename it.", len(name), NAME)
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
        """Complete a file of the upload, and refuse more files than the page takes."""
        self._whole.append((self._about[0], b"".join(self._parts)))
        self._begin()
        if len(self._whole) > (2 if self.both else 1):
            raise Refusal("Drop at most {} here.", "two files" if self.both else "one file")

    def _finish(self):
        """Pass on the files of an upload. An empty file has no part and is refused."""
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
    """Return the timer of an upload that begins, or None if no event loop runs, as in a notebook without a page."""
    with suppress(RuntimeError):
        return asyncio.get_running_loop().call_later(LASTS, _expire, weakref.ref(upload))


def _expire(upload: weakref.ref[Upload]):
    """Discard an upload that takes too long. The answer to its next message says so."""
    late = upload()
    if late is not None:
        late._forget()
        late._expired = True


class DroppedTogether(param.Parameterized):
    """Two files that were dropped together. A watcher may be a coroutine function."""

    files: param.List[list[Any]] = param.List(doc="(name, bytes) of each")


def take_two(zones: Sequence[Upload], receive: Callable[[Any], Awaitable[None]]) -> None:
    """Enable zones to take two files that are dropped together; `receive(event)` finds them in `event.new`."""
    together = DroppedTogether()
    together.param.watch(bind_language(receive), "files", onlychanged=False)
    for zone in zones:
        zone.both = partial(setattr, together, "files")
