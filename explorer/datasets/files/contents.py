"""The bytes of a user's file: from a path, an upload or an open file, and never too many, packed or unpacked."""

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

MEGABYTES = 20  # the largest file that is read: its cells take some ten times as much memory
LONGEST = 255  # characters of a name
SPECIAL = {
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a disk",
    stat.S_ISSOCK: "a socket",
    stat.S_ISFIFO: "a pipe",
}
PACKED: dict[bytes, tuple[str, Callable[..., Any]]] = {  # first bytes: the program that packed them, and what opens it
    b"\x1f\x8b": ("gzip", gzip.open),
    b"BZh91AY&SY": ("bzip2", bz2.open),
}
PACK_AGAIN = "it was cut short or altered; pack it again"
ENDINGS = (".gz", ".bz2")  # of their names
TABLES = "a CSV, JSON, Parquet or NPY file, a workbook, a database or another table"


def read_contents(source: Any, what: str = "table", kinds: str = TABLES, less: str = LESS) -> tuple[str, bytes]:
    """The name and the bytes of a path, of bytes, or of a file open in binary mode, which is read from where it stands.

    The path may be that of a pipe; "-" is standard input.

    what, kinds, less: what sentences call it, which files hold it, and what makes it smaller.
    Raises FileNotFoundError, TypeError for what is none of these, ValueError above MEGABYTES.
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
                raw = file.read(limit + 1)  # a file that grows may hold more
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
    """Refuse the path of what is no file: nothing, a folder, a device, a socket or a pipe.

    `kinds` are the files to give.

    Raises
    ------
    FileNotFoundError
        If there is no file, or a folder in its place.
    Refusal
        If it is something else: a device may never end.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # also of a name that is too long for the system, or has a zero byte
        raise FileNotFoundError(f"There is no file {echo(str(path))}; give the path of {kinds}.") from None
    if stat.S_ISDIR(mode):
        raise FileNotFoundError(f"There is no file {echo(str(path))}: it is a folder; give the path of {kinds}.")
    if not stat.S_ISREG(mode):
        what = next((said for of, said in SPECIAL.items() if of(mode)), "no ordinary file")
        raise Refusal(f"{echo(str(path))} is {what}, and no file; give the path of {kinds}.")


def shorten_name(name: str) -> str:
    """What sentences call a table of this name; no system has files whose names are longer than LONGEST."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."


def too_large_error(name: str, less: str = LESS) -> TooLarge:
    """The Refusal of a file of more than MEGABYTES."""
    return TooLarge(f"{name} is larger than {MEGABYTES} MB, the limit; {less}.")


def refuse_unpacked(name: str, size: int) -> None:
    """Refuse what takes more than MEGABYTES once it is unpacked, however small its file is."""
    if size > MEGABYTES * 1_000_000:
        raise TooLarge(
            f"{name} takes more than {MEGABYTES} MB when unpacked, the limit ({MEGABYTES / 8:g} million numbers);"
            f" {LESS}."
        )


def packing_of(start: bytes) -> tuple[str, Callable[..., Any]] | None:
    """Return which program packed a file of these first bytes, and what opens it; None of a file that is not packed."""
    return next((how for first, how in PACKED.items() if start.startswith(first)), None)


def open_unpacked(path: str | os.PathLike[str]) -> BinaryIO:
    """Return a file, open for reading; a packed one as it is unpacked."""
    with open(path, "rb") as file:
        how = packing_of(file.read(max(map(len, PACKED))))
    return open(path, "rb") if how is None else how[1](path)


@contextmanager
def on_disk(source: str | bytes, ending: str) -> Iterator[Path]:
    """Give the path of a file, for libraries that read no bytes: the source's own, or that of a copy of its bytes."""
    if isinstance(source, str):
        yield Path(source)
        return
    with tempfile.TemporaryDirectory(prefix="explorer-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, f"table{ending}")
        path.write_bytes(source)
        yield path


@contextmanager
def require_package(package: str, name: str, what: str) -> Iterator[None]:
    """Turn the lack of a package that reads a kind of file into one sentence; `what` is the kind, with its article."""
    try:
        yield
    except ImportError as error:
        raise Refusal(
            f"{name} is {what}, and reading it needs {package}: pip install {package}, or save the table as CSV."
        ) from error


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
    except (MemoryError, Refusal):
        raise
    except Exception as error:  # which ones numpy, zipfile, pyarrow and scipy raise over damage, none of them says
        raise Refusal(f"{name} is no sound {kind} file: {advice}.") from error
