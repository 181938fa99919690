"""Files that a visitor has given one page of this server, and that another one opens without asking for them again.

A link names a file by its hash alone. Whose files a page may open is told by a cookie of the visitor's browser, a
random key that no link has; they are held as long as the page that they were given is open. Where several processes
serve, a page may open in another one than the link's: then they lie in a folder as well, which nobody else may read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex, token_urlsafe
from shutil import rmtree
from threading import Lock
from typing import Any

import panel as pn

from explorer.checks import Refusal
from explorer.whole_files import LOCK, write

COOKIE = "explorer_files"
KEY = re.compile(r"[\w-]{32}", re.ASCII)
HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
EVERYBODY = ""  # the key of what is no visitor's own


class UploadStore:
    """Files, each a name and bytes, by the pages that hold them, under their visitors' keys."""

    def __init__(self) -> None:
        self._files: dict[object, tuple[str, dict[str, tuple[str, bytes]], str]] = {}
        self._lock = Lock()
        self._folder: Path | None = None
        self._process = 0
        self._writer = ThreadPoolExecutor(1, "writer")  # one by one, so that what is dropped is written by then

    def join_workers(self, folder: Path, process: int) -> None:
        """From now on the processes of this folder find what each of them holds; `process` is this one's number.

        What a process of this number has left there is removed.
        """
        self._folder, self._process = folder, process
        self._remove(f"{process}-*")

    def close(self) -> None:
        """This process ends: nothing of it stays in the folder, and the last one removes it."""
        if self._folder is not None:
            self._writer.shutdown(cancel_futures=True)
            self._remove(f"{self._process}-*")
            with suppress(OSError):  # it is gone already
                if all(each.name == LOCK for each in self._folder.iterdir()):  # else others have something in it
                    rmtree(self._folder, ignore_errors=True)

    def add(self, owner: object, key: str, files: Mapping[str, tuple[str, bytes]]) -> None:
        """Hold files, hash -> (name, bytes), for a page, in the place of those that it held before."""
        place = f"{self._process}-{_told(key)}-{token_hex(8)}"
        self.discard(owner)
        with self._lock:
            self._files[owner] = key, dict(files), place
        self._later(lambda folder: _write(folder / place, files))

    def discard(self, owner: object) -> None:
        """Let go of a page's files."""
        with self._lock:
            _, _, place = self._files.pop(owner, ("", {}, ""))
        if place:
            self._later(lambda folder: self._remove(place))

    def get(self, key: str, digest: str) -> tuple[str, bytes] | None:
        """The file of this hash that a visitor, or everybody, may open; None where there is none."""
        with self._lock:
            there = [files for own, files, _ in self._files.values() if own in (key, EVERYBODY)]
        found = next((files[digest] for files in there if digest in files), None)
        return self._elsewhere(key, digest) if found is None else found

    def _elsewhere(self, key, digest):
        """A file that another process holds."""
        if self._folder is None or not HASH.fullmatch(digest):
            return None
        for told in map(_told, (key, EVERYBODY)):
            for path in self._folder.glob(f"*-{told}-*/{digest}"):
                with suppress(OSError):  # dropped this moment
                    name, raw = path.read_bytes().split(b"\n", 1)
                    return json.loads(name), raw
        return None

    def _later(self, work: Callable[[Path], object]):
        """Have a thread write to the folder, where there is one."""
        if self._folder is not None:
            self._writer.submit(work, self._folder)

    def _remove(self, pattern):
        for place in () if self._folder is None else self._folder.glob(pattern):
            rmtree(place, ignore_errors=True)


def _told(key):
    """What names a visitor in the folder: no key is written there."""
    return sha256(key.encode()).hexdigest()[:32]


def _write(place, files):
    """Write files for other processes; where there is no room their pages ask for the files again."""
    with suppress(OSError, Refusal):
        place.mkdir(mode=0o700)
        for digest, (name, raw) in files.items():
            write(place / digest, json.dumps(name).encode() + b"\n" + raw)


UPLOADS = UploadStore()


def visitor() -> str:
    """The key of the visitor whose page is being opened; "" where the browser has none yet."""
    word = (pn.state.cookies or {}).get(COOKIE, "") if pn.state.curdoc else ""
    return word if isinstance(word, str) and KEY.fullmatch(word) else ""


def new_key() -> str:
    """A key that nobody guesses."""
    return token_urlsafe(24)


def files_of(values: Mapping[str, Any]) -> tuple[tuple[str, bytes], ...]:
    """The files that a lab's fields name, where its visitor has all of them open on another page; else none."""
    if "file" not in (values.get("source"), values.get("laws")):
        return ()
    key, digests = visitor(), [values[name] for name in ("hash", "hash2") if values.get(name)]
    found = [UPLOADS.get(key, digest) for digest in digests]
    there = tuple(file for file in found if file is not None)
    return there if len(there) == len(found) else ()
