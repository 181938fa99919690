"""A user's file that several readers request: its bytes, and what has been read of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .encodings import requested_encoding

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

    from .addresses import Part


@dataclass(frozen=True, eq=False)
class ParsedFile:
    """File of the user, with the tables that were parsed from it.

    Attributes
    ----------
    name : str
        The file's name in messages; that of a sheet or table names both, such as book.xlsx#june.
    raw : bytes
        Its bytes.
    part : str, int or None
        The sheet, table or archive member that is meant, once it is chosen.
    tables : dict
        (name, lenient, encoding) -> the Table that was read so.
    notes : dict
        What readers have found out about the file: name of the finding -> finding.
    """

    name: str
    raw: bytes = field(repr=False)
    part: Part = None
    tables: dict[tuple[str, bool, str | None], Table] = field(default_factory=dict, repr=False)
    notes: dict[str, Any] = field(default_factory=dict, repr=False)

    def table(self, name: str, lenient: bool, parse: Callable[[], Table]) -> Table:
        """Return the Table, which is parsed on the first call.

        If the lenient reader made no remark and found no dates, the strict reader would give the same table, so that
        the file is not parsed again. Dates are words to the strict reader.

        Parameters
        ----------
        name : str
            The table's name in messages.
        lenient : bool
            Whether the table is read by the lenient reader.
        parse : callable
            Called without arguments, parses the table.

        Returns
        -------
        Table
            The table.
        """
        encoding = requested_encoding()
        if (name, lenient, encoding) not in self.tables:
            other = self.tables.get((name, True, encoding))
            if other is None or other.remarks or any(column.dates for column in other.columns):
                self.tables[name, lenient, encoding] = parse()
            else:
                self.tables[name, lenient, encoding] = replace(other, lenient=False)
        return self.tables[name, lenient, encoding]

    def forget(self) -> None:
        """Release the tables: those of words take about ten times as much memory as the file."""
        self.tables.clear()
