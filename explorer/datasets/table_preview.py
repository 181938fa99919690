"""preview_table: what a table of yours holds, so that its columns can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from explorer.printing import printed
from explorer.types import File

from .column_selection import comma_number, is_empty, measured_columns, mostly_numbers
from .columns.column_roles import LEVELS, column_role
from .files.addresses import part_of
from .gram import LEAST, block_of, is_gram
from .read_table import parse

if TYPE_CHECKING:
    from .columns.table import Table

SHOWN = 5  # cells of a column in a preview


@printed
@dataclass(frozen=True)
class ColumnPreview:
    """A column of a file: whether it holds numbers, how many cells are missing, its first cells, how many cells
    differ.

    codes, dates        whether its numbers are codes 0, 1, ... or 1, 2, ..., and whether its cells are dates
    use, why, compared  what it becomes, and why it is better left out, as `purpose.Purpose` has it
    refused             whether the readers refuse the table for it where nobody names columns: most of its cells are
                        numbers and not all, or its commas may be decimal or between thousands
    gaps                which rows miss a cell, as packed bits

    >>> from explorer.datasets import ColumnPreview, preview_table
    >>> x: ColumnPreview = preview_table(b"x,name\\n1.5,Ann\\n,Bo\\n3.0,Cy\\n", name="people").columns[0]
    >>> x.name, x.numeric, x.missing, x.first
    ('x', True, 1, ('1.5', '', '3.0'))
    """

    name: str
    numeric: bool
    missing: int
    first: tuple[str, ...]
    levels: int
    codes: bool = False
    dates: bool = False
    use: str = ""
    why: str = ""
    compared: bool = False
    refused: bool = False
    gaps: bytes = field(default=b"", repr=False)


@printed
@dataclass(frozen=True)
class TablePreview:
    """What a file holds: its name, number of rows, columns, delimiter ("" where it is no text), SHA-256 of its
    bytes.

    unusual  what only a lenient reader reads so, in words
    square   the columns that measure something, where there are as many of them as rows; else none
    gram     these, where they may be a Gram matrix of the rows
    block    those that `read_table` takes for one where others stand beside them; none where there are none

    >>> from explorer.datasets import TablePreview, preview_table
    >>> preview: TablePreview = preview_table(b"x;name\\n1.5;Ann\\n2.5;Bo\\n", name="people")
    >>> preview.rows, preview.delimiter, [column.name for column in preview.columns]
    (2, ';', ['x', 'name'])
    """

    name: str
    rows: int
    columns: tuple[ColumnPreview, ...]
    delimiter: str
    hash: str
    unusual: tuple[str, ...] = ()
    square: tuple[str, ...] = ()
    gram: tuple[str, ...] = ()
    block: tuple[str, ...] = ()

    def incomplete(self, names: Sequence[str]) -> int:
        """How many rows miss a cell in these columns."""
        gaps = np.zeros(-(-self.rows // 8), dtype=np.uint8)
        for column in self.columns:
            if column.missing and column.name in names:
                gaps |= np.frombuffer(column.gaps, dtype=np.uint8)
        return int(np.unpackbits(gaps, count=self.rows).sum())


def preview_table(
    path: File,
    *,
    name: str | None = None,
    lenient: bool = False,
    sheet: str | int | None = None,
    table: str | int | None = None,
) -> TablePreview:
    """What a file holds that `read_table` reads, as a `TablePreview`, so that its columns can be chosen.

    path: a path, bytes, or a file open in binary mode; name: what sentences call it, else the file's own name;
    lenient, sheet, table: as in `read_table`. Raises what `read_table` raises for a file that is no table.

    >>> from explorer.datasets import preview_table
    >>> preview = preview_table(b"height,name,born\\n1.8,Ann,1990-05-01\\n1.6,Bo,1985-11-30\\n")
    >>> [(column.name, column.numeric, column.first) for column in preview.columns]
    [('height', True, ('1.8', '1.6')), ('name', False, ('Ann', 'Bo')), ('born', False, ('1990-05-01', '1985-11-30'))]
    """
    return preview_of(parse(path, name, lenient, part=part_of(sheet, table)))


def preview_of(table: Table) -> TablePreview:
    """Return what a table that has been read holds."""
    columns = tuple(_column(table, column) for column in table.columns)
    measured = [column.name for column in columns if column.numeric and not column.why]
    square = tuple(measured) if len(measured) == table.rows >= LEAST else ()
    numbers = [values for name in square if (values := table.by_name[name].numbers) is not None]
    gram = square if square and is_gram(numbers) else ()
    block = tuple(column.name for column in block_of(measured_columns(table), table.rows))
    found = square, gram, block
    return TablePreview(table.name, table.rows, columns, table.delimiter, table.hash, table.remarks, *found)


def _column(table, column):
    missing, levels = column.counts()
    numeric = column.numbers is not None
    use, why, compared = column_role(table, column, missing, levels)
    gaps = b""
    if missing:
        gaps = np.packbits(is_empty(column)).tobytes()
    return ColumnPreview(
        name=column.name,
        numeric=numeric,
        missing=missing,
        first=tuple(column.cells[:SHOWN]),
        levels=levels,
        codes=numeric and levels <= LEVELS and _are_codes(np.unique(column.numbers[~np.isnan(column.numbers)])),
        dates=column.dates,
        use=use,
        why=why,
        compared=compared,
        refused=not numeric and (bool(mostly_numbers(column)) or bool(comma_number(column))),
        gaps=gaps,
    )


def _are_codes(values):
    """Whether different numbers, in order, count from 0 or from 1."""
    return bool(len(values) and values[0] in (0, 1) and np.all(values == values[0] + np.arange(len(values))))
