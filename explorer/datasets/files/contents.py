"""Bytes of a user's file, from a path, an upload or an open file. The size is limited before and after unpacking."""

from __future__ import annotations

import bz2
import gzip
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from explorer.checks import Refusal, WrongType
from explorer.printing import echo

from . import pipes
from .limits import LESS, TooLarge

MEGABYTES = 20  # largest file that is read, in MB: its cells take about ten times as much memory
LONGEST = 255  # largest length of a name, in characters
SPECIAL = {
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a disk",
    stat.S_ISSOCK: "a socket",
    stat.S_ISFIFO: "a pipe",
}
PACKED: dict[bytes, tuple[str, Callable[..., Any]]] = {  # first bytes -> the program that packed, what opens its files
    b"\x1f\x8b": ("gzip", gzip.open),
    b"BZh91AY&SY": ("bzip2", bz2.open),
}
PACK_AGAIN = "it was cut short or altered; pack it again"
ENDINGS = (".gz", ".bz2")  # file extensions of these programs
TABLES = "a CSV, JSON, Parquet or NPY file, a workbook, a database or another table"


def read_contents(source: Any, what: str = "table", kinds: str = TABLES, less: str = LESS) -> tuple[str, bytes]:
    """Return the name and the bytes of a path, of bytes, or of a file open in binary mode.

    An open file is read from its current position. The path may be that of a pipe; "-" is standard input. `what`,
    `kinds` and `less` are used in messages: the name of the contents, the files that hold them, and how to make them
    smaller. Raises FileNotFoundError if there is no such file, WrongType if `source` is none of these, and TooLarge
    above MEGABYTES.
    """
    limit, name = MEGABYTES * 1_000_000, f"the {what}"
    if pipes.is_pipe(source):
        name = pipes.pipe_name(source)
        with pipes.open_pipe(source) as pipe:
            raw = pipe.read(limit + 1)
        size = len(raw)
    elif isinstance(source, (str, Path)):
        refuse_special(source, kinds)
        name, size, raw = Path(source).name, os.path.getsize(source), b""
        if size <= limit:
            with open(source, "rb") as file:
                raw = file.read(limit + 1)  # the file may have grown since its size was read
            size = len(raw)
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
        tables = ", a DataFrame, a list of dicts or a dict of columns" if what == "table" else ""
        raise WrongType(
            f"A {what} is read from a path, bytes or a binary file{tables}, not from {type(source).__name__}; give one"
            " of these."
        )
    if size > limit:
        raise too_large_error(name, less)
    return name, raw


def refuse_special(path: str | os.PathLike[str], kinds: str = TABLES) -> None:
    """Refuse a path that is not a regular file: a missing file, a folder, a device, a socket or a pipe.

    Parameters
    ----------
    path : str or os.PathLike
        The path.
    kinds : str, default TABLES
        Names in messages the files that are accepted.

    Raises
    ------
    FileNotFoundError
        If there is no file, or if the path is a folder.
    Refusal
        If it is something else: a device may never end.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # ValueError if the name is too long for the system or has a zero byte
        raise FileNotFoundError(f"There is no file {echo(str(path))}; give the path of {kinds}.") from None
    if stat.S_ISDIR(mode):
        raise FileNotFoundError(f"There is no file {echo(str(path))}: it is a folder; give the path of {kinds}.")
    if not stat.S_ISREG(mode):
        what = next((kind for is_kind, kind in SPECIAL.items() if is_kind(mode)), "no ordinary file")
        raise Refusal(f"{echo(str(path))} is {what}, and no file; give the path of {kinds}.")


def shorten_name(name: str) -> str:
    """Shorten the name of a table for messages.

    Parameters
    ----------
    name : str
        The name.

    Returns
    -------
    str
        At most LONGEST characters; no file system has longer file names.
    """
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."


def too_large_error(name: str, less: str = LESS) -> TooLarge:
    """Return the Refusal of a file of more than MEGABYTES.

    Parameters
    ----------
    name : str
        The file's name in messages.
    less : str, default LESS
        What to do.

    Returns
    -------
    TooLarge
        The exception to raise.
    """
    return TooLarge(f"{name} is larger than {MEGABYTES} MB, the limit; {less}.")


def refuse_unpacked(name: str, size: int) -> None:
    """Refuse contents that take more than MEGABYTES when unpacked, however small the file is."""
    if size > MEGABYTES * 1_000_000:
        raise TooLarge(
            f"{name} takes more than {MEGABYTES} MB when unpacked, the limit ({MEGABYTES / 8:g} million numbers);"
            f" {LESS}."
        )


def packing_of(start: bytes) -> tuple[str, Callable[..., Any]] | None:
    """Return (program, function that opens its files) for the first bytes of a file, or None if it is not packed.

    Parameters
    ----------
    start : bytes
        The first bytes.

    Returns
    -------
    tuple of (str, callable), or None
        The program, and the function.
    """
    return next((how for first, how in PACKED.items() if start.startswith(first)), None)


def open_unpacked(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading. A packed file is unpacked while it is read.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Returns
    -------
    binary file
        The open file.
    """
    with open(path, "rb") as file:
        how = packing_of(file.read(max(map(len, PACKED))))
    return open(path, "rb") if how is None else how[1](path)


@contextmanager
def on_disk(source: str | bytes, ending: str) -> Iterator[Path]:
    """Give the path of a file, or of a temporary copy of its bytes, for libraries that cannot read bytes."""
    if isinstance(source, str):
        yield Path(source)
        return
    with tempfile.TemporaryDirectory(prefix="explorer-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, f"table{ending}")
        path.write_bytes(source)
        yield path


@contextmanager
def require_package(package: str, name: str, what: str) -> Iterator[None]:
    """Refuse with one sentence if an import fails because a package is not installed.

    `what` is the format that needs the package, with its article.
    """
    try:
        yield
    except ImportError as error:
        raise Refusal(
            f"{name} is {what}, and reading it needs {package}: pip install {package}, or save the table as CSV."
        ) from error


@contextmanager
def within_memory(name: str) -> Iterator[None]:
    """Refuse with one sentence if reading runs out of memory or recursion depth.

    Parameters
    ----------
    name : str
        The file's name in messages.

    Yields
    ------
    None
        The file is read inside the `with` block.

    Raises
    ------
    Refusal
        If the block raises MemoryError or RecursionError.
    """
    try:
        yield
    except (MemoryError, RecursionError) as error:
        raise Refusal(
            f"{name} takes more memory, or is nested more deeply, than can be read here; keep only what you need of it."
        ) from error


@contextmanager
def reading(name: str, kind: str, advice: str = "it was cut short or altered; save the table again") -> Iterator[None]:
    """Refuse with one sentence if a library raises an exception over a damaged file.

    Parameters
    ----------
    name : str
        The file's name in messages.
    kind : str
        The format in messages.
    advice : str, default "it was cut short or altered; save the table again"
        The probable reason, and what to do.

    Yields
    ------
    None
        The library is called inside the `with` block.

    Raises
    ------
    Refusal
        If the block raises any exception other than MemoryError or Refusal.
    """
    try:
        yield
    except (MemoryError, Refusal):
        raise
    except Exception as error:  # numpy, zipfile, pyarrow and scipy do not document what they raise over damage
        raise Refusal(f"{name} is no sound {kind} file: {advice}.") from error
