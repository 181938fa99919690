"""How much of a table is read: each limit is counted before the values become Python's objects.

A cell of text takes some 100 bytes while it is read, and a microsecond. At the limits a file of 20 MB is answered in a
few seconds and with less than 600 MB; beyond them one of 20 MB could take minutes and gigabytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from explorer.checks import Refusal

CELLS = 2_500_000  # as numbers, 20 MB: the limit of a file's bytes, packed and unpacked
ROWS = 1_000_000  # a row of text takes 200 bytes beside its cells
COLUMNS = 2_000  # each is an array and a name of its own, and a line in a menu
MEMBERS = 1_000  # of an archive: each is opened, checked and parsed by itself
GROUPS = 1_000  # of rows in a Parquet file: each column of each is opened by itself, which takes 60 microseconds
CHUNKS = 20_000  # row groups times columns
TITLE = 1_000  # letters of a column's name: sentences, menus and links carry names
LETTERS = 131_072  # of a cell: the csv module's own limit, which other code in the process may have raised
WORDS = 100_000_000  # bytes of an array of text, which keeps each at the length of the longest, 4 bytes a letter
STRINGS = 500_000  # beside its letters a string takes 300 bytes while it is read
LINES = 1_000_000  # of a file of strings or one with blanks between cells, the blank ones too
CLASS = 100  # letters of a class's name, and of a menu's line
LESS = "keep only the columns and rows you need"


class TooLarge(Refusal):
    """A table that cannot be read as a whole; one who reads pieces may read it."""


def refuse_shape(name: str, rows: int, columns: int) -> None:
    """Refuse a table of too many columns, rows or cells."""
    if columns > COLUMNS:
        raise Refusal(f"{name} has {columns:,} columns, more than {COLUMNS:,}, the limit; keep only those you need.")
    if rows > ROWS:
        raise TooLarge(f"{name} has more than {ROWS:,} rows, the limit; keep only those you need, or a sample of them.")
    if rows * columns > CELLS:
        raise TooLarge(
            f"{name} has more than {CELLS:,} cells, the limit, in {columns:,} column{'' if columns == 1 else 's'};"
            f" {LESS}."
        )


def refuse_lines(name: str, raw: bytes) -> None:
    """Refuse a file of too many lines, which are counted in its bytes."""
    if raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n") > LINES:
        raise Refusal(f"{name} has more than {LINES:,} lines, the limit; keep only those you need.")


def refuse_strings(name: str, lengths: Sequence[int]) -> None:
    """Refuse strings of these lengths, where they are too many or take too much at the length of the longest."""
    if len(lengths) > STRINGS:
        raise Refusal(
            f"{name} has {len(lengths):,} strings, more than {STRINGS:,}, the limit; keep only those you need."
        )
    refuse_words(name, len(lengths), max(lengths, default=0))


def refuse_words(name: str, count: int, longest: int) -> None:
    """Refuse an array of so many words, the longest of so many letters."""
    if 4 * count * longest > WORDS:
        raise Refusal(
            f"{name} holds {count:,} words, kept at the length of the longest, {longest:,} letters, which take more"
            f" than {WORDS // 1_000_000} MB, the limit; shorten or leave out the longest."
        )
