"""Files that a visitor has given one page of this process, and that another one opens without asking for them again.

A link names a file by its hash alone. Whose files a page may open is told by a cookie of the visitor's browser, a
random key that no link has; they are held as long as the page that they were given is open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from secrets import token_urlsafe
from threading import Lock
from typing import Any

import panel as pn

COOKIE = "explorer_files"
KEY = re.compile(r"[\w-]{32}", re.ASCII)
EVERYBODY = ""  # the key of what is no visitor's own


class Held:
    """Files, each a name and bytes, by the pages that hold them, under their visitors' keys."""

    def __init__(self) -> None:
        self._files: dict[object, tuple[str, dict[str, tuple[str, bytes]]]] = {}
        self._lock = Lock()

    def keep(self, owner: object, key: str, files: Mapping[str, tuple[str, bytes]]) -> None:
        """Hold files, hash -> (name, bytes), for a page, in the place of those that it held before."""
        with self._lock:
            self._files[owner] = key, dict(files)

    def drop(self, owner: object) -> None:
        """Let go of a page's files."""
        with self._lock:
            self._files.pop(owner, None)

    def find(self, key: str, digest: str) -> tuple[str, bytes] | None:
        """The file of this hash that a visitor, or everybody, may open; None where there is none."""
        with self._lock:
            there = [files for own, files in self._files.values() if own in (key, EVERYBODY)]
        return next((files[digest] for files in there if digest in files), None)


HELD = Held()


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
    found = [HELD.find(key, digest) for digest in digests]
    there = tuple(file for file in found if file is not None)
    return there if len(there) == len(found) else ()
