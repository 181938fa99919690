"""Output of a command: the one file that it writes, or standard output, which the argument "-" names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple

from explorer.checks import Refusal
from explorer.datasets.files.addresses import parse_address
from explorer.datasets.files.pipes import INPUTS
from explorer.files.file_endings import kind_of
from explorer.files.whole_files import BUFFER, is_same_file, is_standard_output, writable, written
from explorer.sketches.files import files_of

STANDARD = "-"


class Output(NamedTuple):
    """Destination of a command's file. Path None is standard output; messages then go to standard error.

    Attributes
    ----------
    path : Path or None
        The file, or None for standard output.
    """

    path: Path | None

    @classmethod
    def of(cls, word: str, inputs: Iterable[str] = ()) -> Output:
        """Return the Output that an argument names.

        Parameters
        ----------
        word : str
            The name of a file, or "-" for standard output.
        inputs : iterable of str, default ()
            The files that the command reads.

        Raises
        ------
        Refusal
            If the file cannot be written, or would replace an input.
        """
        if word == STANDARD or is_standard_output(word):
            return cls(None)
        path = writable(word, _files_behind(inputs))
        if any(each in INPUTS for each in inputs) and _is_standard_input(path):
            raise Refusal(f"{path} is the table on standard input, and would be overwritten; give another name.")
        return cls(path)

    @property
    def name(self) -> str:
        """The output's name in messages."""
        return "standard output" if self.path is None else str(self.path)

    @property
    def place(self) -> str:
        """The output's location in messages, such as "on standard output"."""
        return "on standard output" if self.path is None else str(self.path)

    @property
    def replaced(self) -> str:
        """A remark that the file replaces an existing one; empty if it does not."""
        return ", in place of the one that was there" if self.path is not None and self.path.is_file() else ""

    def kind(self, kinds: Sequence[str], what: str) -> str:
        """Return the ending of the file's name, or "" for standard output.

        Parameters
        ----------
        kinds : sequence of str
            The allowed endings.
        what : str
            Names the contents in the message, such as "a report".

        Raises
        ------
        Refusal
            If the ending is not one of `kinds`.
        """
        return "" if self.path is None else kind_of(self.path, kinds, what)

    def write(self, contents: str | bytes) -> None:
        """Write the whole contents.

        Raises
        ------
        BrokenPipeError
            If the reader of standard output has gone.
        """
        with self.opened() as file:
            file.write(contents.encode() if isinstance(contents, str) else contents)

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Yield an open binary file; the output receives its bytes when the block ends."""
        if self.path is not None:
            with written(self.path) as file:
                yield file
            return
        with SpooledTemporaryFile(BUFFER) as file:
            yield file
            file.seek(0)
            sys.stdout.flush()
            if hasattr(sys.stdout, "buffer"):
                copyfileobj(file, sys.stdout.buffer)
            else:  # a text stream without a binary buffer, as in a notebook or in tests
                sys.stdout.write(file.read().decode("utf-8", "replace"))
            sys.stdout.flush()

    def say(self, sentence: str) -> None:
        """Print a sentence to the stream that does not receive the file's bytes."""
        print(sentence, file=sys.stderr if self.path is None else sys.stdout, flush=True)


def _files_behind(inputs: Iterable[str]) -> Iterator[str | Path]:
    """Yield the files that a command's arguments name: those in a folder, and book.xlsx for book.xlsx#june."""
    for each in inputs:
        yield parse_address(each).path
        if os.path.isdir(each):
            try:
                yield from files_of(Path(each))
            except Refusal:  # a folder without tables, which is refused later, when it is read
                continue


def _is_standard_input(path: Path) -> bool:
    """Return whether standard input is read from this file."""
    return is_same_file(path, "/dev/fd/0")
