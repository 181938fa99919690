"""The function `preview_table`: what a user's table holds, so that its columns can be chosen."""

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

SHOWN = 5  # number of cells of a column in a preview


@printed
@dataclass(frozen=True)
class ColumnPreview:
    r"""Column of a file, before the columns of points are chosen.

    Attributes
    ----------
    name : str
        The column's name.
    numeric : bool
        Whether it holds numbers.
    missing : int
        The number of missing cells.
    first : tuple of str
        Its first cells.
    levels : int
        The number of distinct cells.
    codes : bool
        Whether its numbers are codes 0, 1, ... or 1, 2, ...
    dates : bool
        Whether its cells are dates.
    use, why, compared : str, str, bool
        What it becomes, why it is better left out, and whether it is compared, as in `column_roles`.
    refused : bool
        Whether the readers refuse the table because of this column if no columns are named: most but not all of its
        cells are numbers, or its commas may be decimal or between thousands.
    gaps : bytes
        The rows that miss a cell, as packed bits.

    Examples
    --------
    >>> from explorer.datasets import ColumnPreview, preview_table
    >>> x: ColumnPreview = preview_table(b"x,name\n1.5,Ann\n,Bo\n3.0,Cy\n", name="people").columns[0]
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
    r"""Table of a file, before the columns of points are chosen.

    Attributes
    ----------
    name : str
        The file's name.
    rows : int
        The number of rows.
    columns : tuple of ColumnPreview
        The columns.
    delimiter : str
        What separates cells, "" if the file is not text.
    hash : str
        The SHA-256 of the file's bytes.
    unusual : tuple of str
        Remarks on what only the lenient reader accepts.
    square : tuple of str
        The columns that measure something, if there are as many of them as rows; otherwise ().
    gram : tuple of str
        These columns, if they may be a Gram matrix of the rows.
    block : tuple of str
        The columns that `read_table` takes for a Gram matrix if others accompany it, or ().

    Examples
    --------
    >>> from explorer.datasets import TablePreview, preview_table
    >>> preview: TablePreview = preview_table(b"x;name\n1.5;Ann\n2.5;Bo\n", name="people")
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
        """Return the number of rows that miss a cell in some columns.

        Parameters
        ----------
        names : sequence of str
            The names of the columns.

        Returns
        -------
        int
            The number of rows.
        """
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
    r"""Return what a file holds that `read_table` reads, so that its columns can be chosen.

    Parameters
    ----------
    path : str, Path, bytes or binary file
        The file.
    name : str or None, default None
        The file's name in messages. None is its own name.
    lenient : bool, default False
        As in `read_table`.
    sheet, table : str, int or None, default None
        As in `read_table`.

    Returns
    -------
    TablePreview
        The columns, with their first cells.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        If the file is not a table, as `read_table` raises them.

    Examples
    --------
    >>> from explorer.datasets import preview_table
    >>> preview = preview_table(b"height,name,born\n1.8,Ann,1990-05-01\n1.6,Bo,1985-11-30\n")
    >>> [(column.name, column.numeric, column.first) for column in preview.columns]
    [('height', True, ('1.8', '1.6')), ('name', False, ('Ann', 'Bo')), ('born', False, ('1990-05-01', '1985-11-30'))]
    """
    return preview_of(parse(path, name, lenient, part=part_of(sheet, table)))


def preview_of(table: Table) -> TablePreview:
    """Return the preview of a table that has been parsed.

    Parameters
    ----------
    table : Table
        The table.

    Returns
    -------
    TablePreview
        Its columns, with their first cells.
    """
    columns = tuple(_column(table, column) for column in table.columns)
    measured = [column.name for column in columns if column.numeric and not column.why]
    square = tuple(measured) if len(measured) == table.rows >= LEAST else ()
    numbers = [values for name in square if (values := table.by_name[name].numbers) is not None]
    gram = square if square and is_gram(numbers) else ()
    block = tuple(column.name for column in block_of(measured_columns(table), table.rows))
    matrices = square, gram, block
    return TablePreview(table.name, table.rows, columns, table.delimiter, table.hash, table.remarks, *matrices)


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
    """Return whether sorted distinct numbers count from 0 or from 1."""
    return bool(len(values) and values[0] in (0, 1) and np.all(values == values[0] + np.arange(len(values))))
