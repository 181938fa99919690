"""The one file that a command writes, or standard output in its place, which - names."""

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
from explorer.file_endings import kind_of
from explorer.sketches.files import files_of
from explorer.whole_files import BUFFER, is_same_file, is_standard_output, writable, written

STANDARD = "-"


class Output(NamedTuple):
    """Where a command writes its file; None is standard output, and then what is said goes to standard error."""

    path: Path | None

    @classmethod
    def of(cls, word: str, inputs: Iterable[str] = ()) -> Output:
        """Return the Output that a word names; Refusal if it cannot be written, or would replace an input."""
        if word == STANDARD or is_standard_output(word):
            return cls(None)
        path = writable(word, _files_behind(inputs))
        if any(each in INPUTS for each in inputs) and _is_standard_input(path):
            raise Refusal(f"{path} is the table that standard input brings, and would be lost; give another name.")
        return cls(path)

    @property
    def name(self) -> str:
        """What sentences call it."""
        return "standard output" if self.path is None else str(self.path)

    @property
    def place(self) -> str:
        """Where sentences say that it is."""
        return "on standard output" if self.path is None else str(self.path)

    @property
    def replaced(self) -> str:
        """What is said of a file that another one of its name is written over."""
        return ", in place of the one that was there" if self.path is not None and self.path.is_file() else ""

    def kind(self, kinds: Sequence[str], what: str) -> str:
        """Return the ending of its name, "" if that is no kind of file; Refusal if `what` is not written so."""
        return "" if self.path is None else kind_of(self.path, kinds, what)

    def write(self, contents: str | bytes) -> None:
        """Write all of it; BrokenPipeError if the reader of standard output has gone."""
        with self.opened() as file:
            file.write(contents.encode() if isinstance(contents, str) else contents)

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Yield an open file, whose bytes are in the output once the block has ended."""
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
            else:  # a notebook's, or one that collects a text
                sys.stdout.write(file.read().decode("utf-8", "replace"))
            sys.stdout.flush()

    def say(self, sentence: str) -> None:
        """Print a sentence where it does not come between the bytes of the file."""
        print(sentence, file=sys.stderr if self.path is None else sys.stdout, flush=True)


def _files_behind(inputs: Iterable[str]) -> Iterator[str | Path]:
    """The files that arguments of a command name: those of a folder, and book.xlsx of book.xlsx#june."""
    for each in inputs:
        yield parse_address(each).path
        if os.path.isdir(each):
            try:
                yield from files_of(Path(each))
            except Refusal:  # of a folder without tables, which is said once it is read
                continue


def _is_standard_input(path: Path) -> bool:
    """Return whether standard input is read from this file."""
    return is_same_file(path, "/dev/fd/0")
