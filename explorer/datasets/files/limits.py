"""Limits of the size of a table. Each is checked before the values become Python objects.

A cell of text takes about 100 bytes and a microsecond while it is read. At the limits a file of 20 MB is read in a few
seconds and with less than 600 MB; beyond them a file of 20 MB could take minutes and gigabytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from explorer.checks import Refusal
from explorer.printing import plural

CELLS = 2_500_000  # number of cells: as numbers they take 20 MB, the limit of a file's bytes, packed and unpacked
ROWS = 1_000_000  # number of rows: a row of text takes 200 bytes in addition to its cells
COLUMNS = 2_000  # number of columns: each is an array and a line in a menu
MEMBERS = 1_000  # number of members of an archive: each is opened, checked and parsed separately
GROUPS = 1_000  # number of row groups in a Parquet file: opening one column of one group takes 60 microseconds
CHUNKS = 20_000  # number of row groups times number of columns
TITLE = 1_000  # letters of a column's name: messages, menus and links contain names
LETTERS = 131_072  # letters of a cell: the csv module's limit, which other code in the process may have raised
WORDS = 100_000_000  # bytes of an array of text: it stores each text at the length of the longest, 4 bytes per letter
STRINGS = 500_000  # number of strings: one takes 300 bytes in addition to its letters while it is read
LINES = 1_000_000  # number of lines, blank ones included, of a file of strings or of a table with blanks between cells
CLASS = 100  # letters of a class's name, which is a line in a menu
LESS = "keep only the columns and rows you need"


class TooLarge(Refusal):
    """Refusal of a table that is too large to be read as a whole, though it may be read in chunks.

    Parameters
    ----------
    sentence : str
        The message.
    """


def refuse_shape(name: str, rows: int, columns: int) -> None:
    """Refuse a table of too many columns, rows or cells."""
    if columns > COLUMNS:
        raise Refusal(
            f"{name} has {plural(columns, 'column')}, more than {COLUMNS:,}, the limit; keep only those you need."
        )
    if rows > ROWS:
        raise TooLarge(f"{name} has more than {ROWS:,} rows, the limit; keep only those you need, or a sample of them.")
    if rows * columns > CELLS:
        raise TooLarge(
            f"{name} has more than {CELLS:,} cells, the limit, in {columns:,} column{'' if columns == 1 else 's'};"
            f" {LESS}."
        )


def refuse_lines(name: str, raw: bytes) -> None:
    """Refuse a file of too many lines. They are counted in its bytes."""
    if raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n") > LINES:
        raise Refusal(f"{name} has more than {LINES:,} lines, the limit; keep only those you need.")


def refuse_strings(name: str, lengths: Sequence[int]) -> None:
    """Refuse strings of these lengths if they are too many, or take too much memory at the length of the longest."""
    if len(lengths) > STRINGS:
        raise Refusal(
            f"{name} has {plural(len(lengths), 'string')}, more than {STRINGS:,}, the limit; keep only those you need."
        )
    refuse_words(name, len(lengths), max(lengths, default=0))


def refuse_words(name: str, count: int, longest: int) -> None:
    """Refuse an array of `count` words, the longest of `longest` letters, if it takes too much memory."""
    if 4 * count * longest > WORDS:
        raise Refusal(
            f"{name} holds {count:,} words, kept at the length of the longest, {longest:,} letters, which take more"
            f" than {WORDS // 1_000_000} MB, the limit; shorten or leave out the longest."
        )
