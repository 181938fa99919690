"""The bytes of a user's file: from a path, an upload or an open file, and never too many, packed or unpacked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from explorer.checks import Refusal, WrongType

from .limits import LESS, TooLarge

MEGABYTES = 20  # the largest file that is read: its cells take some ten times as much memory
LONGEST = 255  # characters of a name
TABLES = "a CSV, JSON, Parquet or NPY file, a workbook, a database or another table"


def contents(source: Any, what: str = "table", kinds: str = TABLES, less: str = LESS) -> tuple[str, bytes]:
    """The name and the bytes of a path, of bytes, or of a file open in binary mode, which is read from where it stands.

    what, kinds, less: what sentences call it, which files hold it, and what makes it smaller.
    Raises FileNotFoundError, TypeError for what is none of these, ValueError above MEGABYTES.
    """
    limit, name = MEGABYTES * 1_000_000, f"the {what}"
    if isinstance(source, (str, Path)):
        if not os.path.isfile(source):  # unlike Path.is_file, no surprise at a name too long for the system
            raise FileNotFoundError(f"There is no file {str(source)[:100]!r}; give the path of {kinds}.")
        name, size = Path(source).name, os.path.getsize(source)
        raw = Path(source).read_bytes() if size <= limit else b""
    elif isinstance(source, bytes):
        size, raw = len(source), source
    elif hasattr(source, "read"):
        if isinstance(getattr(source, "name", None), str):
            name = Path(source.name).name
        raw = source.read(limit + 1)
        if not isinstance(raw, bytes):
            raise WrongType(f"{name} gives {type(raw).__name__} where bytes are needed; open it in binary mode.")
        size = len(raw)
    else:
        raise WrongType(f"A {what} is read from a path, bytes or a binary file, not from {type(source).__name__}.")
    if size > limit:
        raise too_large(name, less)
    return name, raw


def called(name: str) -> str:
    """What sentences call a table of this name; no system has files whose names are longer than LONGEST."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."


def too_large(name: str, less: str = LESS) -> TooLarge:
    """The Refusal of a file of more than MEGABYTES."""
    return TooLarge(f"{name} is larger than {MEGABYTES} MB, the limit; {less}.")


def refuse_unpacked(name: str, size: int) -> None:
    """Refuse what takes more than MEGABYTES once it is unpacked, however small its file is."""
    if size > MEGABYTES * 1_000_000:
        raise TooLarge(
            f"{name} takes more than {MEGABYTES} MB when unpacked, the limit ({MEGABYTES / 8:g} million numbers);"
            f" {LESS}."
        )


@contextmanager
def within_memory(name: str) -> Iterator[None]:
    """Turn memory or recursion that gives out into one sentence."""
    try:
        yield
    except (MemoryError, RecursionError) as error:
        raise Refusal(
            f"{name} takes more memory, or is nested more deeply, than can be read here; keep only what you need of it."
        ) from error


@contextmanager
def reading(name: str, kind: str, advice: str = "it was cut short or altered; save the table again") -> Iterator[None]:
    """Turn what a library raises over a damaged file into one sentence."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # which ones numpy, zipfile, pyarrow and scipy raise over damage, none of them says
        raise Refusal(f"{name} is no sound {kind} file: {advice}.") from error
