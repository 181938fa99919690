"""Standard input and other pipes. A pipe can be read only once, so its contents are copied to a temporary file."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Self

from explorer.checks import Refusal

from .limits import TooLarge

STANDARD_INPUT = "standard input"
INPUTS = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")  # names of standard input
NUMBERED = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")  # path that a shell substitutes for <(command)
MOST = 2_000  # largest size of a pipe's contents, in MB
BLOCK = 1_000_000  # number of bytes that are read at a time


class PipeCopy(str):
    """Path of the temporary file with the contents of a pipe. `source` is the user's name of the pipe."""

    source: str

    @classmethod
    def of(cls, path: str | Path, source: str) -> Self:
        """Return the path of a temporary file, with the user's name of the pipe whose contents it holds, `source`."""
        copy = cls(path)
        copy.source = source
        return copy


def original_path(source: str | Path) -> str:
    """Return a path as the user typed it: for the temporary file with the contents of a pipe, the name of the pipe.

    Parameters
    ----------
    source : str or Path
        The path, or the PipeCopy that replaces a pipe.

    Returns
    -------
    str
        The user's path.
    """
    return source.source if isinstance(source, PipeCopy) else str(source)


def is_pipe(source: Any) -> bool:
    """Return whether a path is standard input or another pipe, which can be read only once.

    Examples
    --------
    >>> from explorer.datasets.files.pipes import is_pipe
    >>> is_pipe("-"), is_pipe("a.csv")
    (True, False)
    """
    if not isinstance(source, (str, Path)):
        return False
    if str(source) in INPUTS:
        return True
    try:
        return stat.S_ISFIFO(os.stat(source).st_mode)
    except (OSError, ValueError):
        return False


def pipe_name(source: str | Path) -> str:
    """Return what messages call a pipe."""
    if str(source) in INPUTS:
        return STANDARD_INPUT
    numbered = NUMBERED.fullmatch(str(source))
    return f"pipe {numbered[1]}" if numbered else Path(source).name


@contextmanager
def open_pipe(source: str | Path) -> Iterator[BinaryIO]:
    """Open a pipe. A terminal is refused, as tables are not typed.

    Parameters
    ----------
    source : str or Path
        The pipe.

    Yields
    ------
    binary file
        The open pipe.

    Raises
    ------
    Refusal
        If it is a terminal, or if standard input is closed.
    """
    if str(source) not in INPUTS:
        with open(source, "rb") as file:
            yield file
        return
    stream: Any = sys.stdin
    if stream is None or stream.closed or not hasattr(stream, "buffer"):
        raise Refusal(f"{source} is {STANDARD_INPUT}, and nothing comes from there; give the path of a file.")
    if stream.isatty():
        raise Refusal(
            f"{source} is {STANDARD_INPUT}, and that is the keyboard here; let a command write the table there, as in"
            f" `cat a.csv | explorer test {source} b.csv`, or give the path of a file."
        )
    yield stream.buffer


@contextmanager
def copy_pipes(sources: Sequence[Any]) -> Iterator[list[Any]]:
    """Give the sources, with each pipe among them replaced by the path of a file with its contents.

    The files exist until the block ends, so that they can be read again.

    Parameters
    ----------
    sources : sequence of object
        Paths, pipes and other sources.

    Yields
    ------
    list
        The sources, with a PipeCopy for each pipe.

    Raises
    ------
    Refusal
        If a pipe occurs twice, or if the files do not fit on the disk.
    TooLarge
        If a pipe gives more than MOST MB.
    """
    if not any(map(is_pipe, sources)):
        yield list(sources)
        return
    _refuse_twice([source for source in sources if is_pipe(source)])
    with tempfile.TemporaryDirectory(prefix="explorer-") as folder:
        yield [_copy(each, Path(folder, str(k))) if is_pipe(each) else each for k, each in enumerate(sources)]


def _refuse_twice(pipes):
    """Refuse a pipe that occurs twice, under the same name or under two names."""
    same: dict[Any, str | Path] = {}
    for source in pipes:
        key = STANDARD_INPUT if str(source) in INPUTS else _identity(source)
        if key in same:
            names = " and ".join(dict.fromkeys(map(str, (same[key], source))))
            raise Refusal(
                f"{pipe_name(source)} ({names}) is given twice, and the contents of a pipe can be read once; save them"
                " to a file first, and give that file twice."
            )
        same[key] = source


def _identity(source):
    status = os.stat(source)
    return status.st_dev, status.st_ino


def _copy(source, folder):
    """Copy the contents of a pipe to a file and return its path."""
    folder.mkdir()
    name, size = pipe_name(source), 0
    path = folder / name
    try:
        with open_pipe(source) as pipe, path.open("wb") as file:
            while block := pipe.read(BLOCK):
                size += len(block)
                if size > MOST * 1_000_000:
                    raise TooLarge(
                        f"{name} gives more than {MOST:,} MB, the limit of a pipe; save it to a file, and give that."
                    )
                file.write(block)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise Refusal(
            f"{name} does not fit into the folder {folder.parent.parent}, which holds it while it is read; make room"
            " there, or name another folder by the environment variable TMPDIR."
        ) from error
    return PipeCopy.of(path, str(source))
