"""Store of uploaded files, so that a visitor's second page can open a file without a second upload.

A link names a file only by its hash. A cookie in the visitor's browser, a random key that is not in any link, decides
which files a page may open. Files are stored as long as the page is open that received them. If several processes
serve, a page may open in another process than the one with the file: the files are then also written to a folder that
only this user of the system can read.
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
from explorer.files.whole_files import LOCK, write

COOKIE = "explorer_files"
KEY = re.compile(r"[\w-]{32}", re.ASCII)
HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
EVERYBODY = ""  # the key of files that every visitor may open


class UploadStore:
    """Files, as names and bytes, by the pages that received them and the visitors' keys."""

    def __init__(self) -> None:
        self._files: dict[object, tuple[str, dict[str, tuple[str, bytes]], str]] = {}
        self._lock = Lock()
        self._folder: Path | None = None
        self._process = 0
        self._writer = ThreadPoolExecutor(1, "writer")  # one thread, so that files are written before they are removed

    def join_workers(self, folder: Path, process: int) -> None:
        """Share files with the other processes through a folder; `process` is this process's number.

        Files that an earlier process of this number left there are removed.
        """
        self._folder, self._process = folder, process
        self._remove(f"{process}-*")

    def close(self) -> None:
        """Remove this process's files from the folder when it ends. The last process removes the folder."""
        if self._folder is not None:
            self._writer.shutdown(cancel_futures=True)
            self._remove(f"{self._process}-*")
            with suppress(OSError):  # another process has removed it
                # otherwise other processes have files in it
                if all(each.name == LOCK for each in self._folder.iterdir()):
                    rmtree(self._folder, ignore_errors=True)

    def add(self, owner: object, key: str, files: Mapping[str, tuple[str, bytes]]) -> None:
        """Store a page's files, hash -> (name, bytes), and discard those that it stored before."""
        place = f"{self._process}-{_visitor_id(key)}-{token_hex(8)}"
        self.discard(owner)
        with self._lock:
            self._files[owner] = key, dict(files), place
        self._later(lambda folder: _write(folder / place, files))

    def discard(self, owner: object) -> None:
        """Discard a page's files."""
        with self._lock:
            _, _, place = self._files.pop(owner, ("", {}, ""))
        if place:
            self._later(lambda folder: self._remove(place))

    def get(self, key: str, digest: str) -> tuple[str, bytes] | None:
        """Return (name, bytes) of the file with this hash that the visitor may open, or None if there is none."""
        with self._lock:
            there = [files for own, files, _ in self._files.values() if own in (key, EVERYBODY)]
        found = next((files[digest] for files in there if digest in files), None)
        return self._elsewhere(key, digest) if found is None else found

    def _elsewhere(self, key, digest):
        """Return a file that another process stores, or None."""
        if self._folder is None or not HASH.fullmatch(digest):
            return None
        for told in map(_visitor_id, (key, EVERYBODY)):
            for path in self._folder.glob(f"*-{told}-*/{digest}"):
                with suppress(OSError):  # its page has just been closed
                    name, raw = path.read_bytes().split(b"\n", 1)
                    return json.loads(name), raw
        return None

    def _later(self, work: Callable[[Path], object]):
        """Run a function of the folder in the writer's thread, if there is a folder."""
        if self._folder is not None:
            self._writer.submit(work, self._folder)

    def _remove(self, pattern):
        for place in () if self._folder is None else self._folder.glob(pattern):
            rmtree(place, ignore_errors=True)


def _visitor_id(key):
    """Return the name of a visitor in the folder, so that the key itself is not written there."""
    return sha256(key.encode()).hexdigest()[:32]


def _write(place, files):
    """Write files for other processes. If there is no space, their pages ask the user for the files again."""
    with suppress(OSError, Refusal):
        place.mkdir(mode=0o700)
        for digest, (name, raw) in files.items():
            write(place / digest, json.dumps(name).encode() + b"\n" + raw)


UPLOADS = UploadStore()


def visitor() -> str:
    """Return the key of the visitor whose page is being opened, or "" if the browser has none yet."""
    word = (pn.state.cookies or {}).get(COOKIE, "") if pn.state.curdoc else ""
    return word if isinstance(word, str) and KEY.fullmatch(word) else ""


def new_key() -> str:
    """Return a random key that cannot be guessed."""
    return token_urlsafe(24)


def files_of(values: Mapping[str, Any]) -> tuple[tuple[str, bytes], ...]:
    """Return the files that a lab's fields name if the visitor has all of them open on another page, else ()."""
    if "file" not in (values.get("source"), values.get("laws")):
        return ()
    key, digests = visitor(), [values[name] for name in ("hash", "hash2") if values.get(name)]
    found = [UPLOADS.get(key, digest) for digest in digests]
    there = tuple(file for file in found if file is not None)
    return there if len(there) == len(found) else ()
