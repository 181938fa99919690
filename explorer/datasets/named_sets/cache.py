"""Cache folder of downloaded sets. Each file carries the MD5 of its bytes in its name."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from explorer.checks import Refusal
from explorer.files.whole_files import make_folder, write

LEFT_SECONDS = 3600  # an unfinished file of this age is abandoned: a download takes two minutes at most


def folder() -> Any:
    """Return the cache folder, which need not exist yet.

    It is the folder that EXPLORER_CACHE names, or kernel-mean-explorer in the user's cache folder if the variable is
    not set.
    """
    named = os.environ.get("EXPLORER_CACHE")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "kernel-mean-explorer"


def md5(raw: bytes) -> str:
    """Return the MD5 of bytes, in hex.

    OpenML states it for its files. It guards against accidents, not against malice.
    """
    return hashlib.md5(raw, usedforsecurity=False).hexdigest()


def find(stem: str) -> Any:
    """Return the bytes that are stored under a stem, or None if there are none.

    Raises
    ------
    Refusal
        If the file's bytes have changed since they were stored.
    """
    for path in sorted(folder().glob(f"{stem}-*.arff")):
        raw = path.read_bytes()
        if md5(raw) != path.stem.rpartition("-")[2]:
            raise Refusal(f"{path} is no longer what was downloaded; delete it, and the set is fetched again.")
        return raw
    return None


def store(stem: str, raw: bytes) -> Path:
    """Write bytes under a stem, completely or not at all, and return the path.

    Raises
    ------
    OSError
        If the folder cannot be written.
    """
    path = folder() / f"{stem}-{md5(raw)}.arff"
    try:
        make_folder(path.parent)
        _remove_left(path.parent)
        return write(path, raw)
    except Refusal as error:
        reason = getattr(error.__cause__, "strerror", None) or "no file can be there"
        raise OSError(
            f"{path.parent} cannot be written ({reason}); set the environment variable EXPLORER_CACHE to a folder of"
            " yours."
        ) from error


def _remove_left(place: Path) -> None:
    """Remove the unfinished files of killed processes from the folder, which only the cache uses."""
    for part in place.glob("*.part"):
        with suppress(OSError):  # another process was faster
            if part.is_file() and time.time() - part.stat().st_mtime > LEFT_SECONDS:
                part.unlink()
