"""The folder of the sets that were downloaded once: files that carry the MD5 of their bytes in their names."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from explorer.checks import Refusal
from explorer.whole_files import make_folder, write

LEFT_SECONDS = 3600  # after which a file that is not finished never will be: a download takes two minutes at most


def folder() -> Any:
    """The folder that EXPLORER_CACHE names, else kernel-mean-explorer among the user's caches.

    It need not exist yet.
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
    """The MD5 of bytes, in hex: what OpenML states of its files, a guard against accidents and not against malice."""
    return hashlib.md5(raw, usedforsecurity=False).hexdigest()


def find(stem: str) -> Any:
    """The bytes that were kept under a stem, or None; ValueError where they are no longer those that were kept."""
    for path in sorted(folder().glob(f"{stem}-*.arff")):
        raw = path.read_bytes()
        if md5(raw) != path.stem.rpartition("-")[2]:
            raise Refusal(f"{path} is no longer what was downloaded; delete it, and the set is fetched again.")
        return raw
    return None


def store(stem: str, raw: bytes) -> Path:
    """Write bytes under a stem, whole or not at all, and give the path."""
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
    """Remove the unfinished files that killed processes have left in the folder, which is the cache's alone."""
    for part in place.glob("*.part"):
        with suppress(OSError):  # another process was faster
            if part.is_file() and time.time() - part.stat().st_mtime > LEFT_SECONDS:
                part.unlink()
