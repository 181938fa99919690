"""Bytes of a file that several readers request. They are parsed only once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from .encodings import requested_encoding

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

    from .addresses import Part


def as_parsed_file(raw: bytes) -> ParsedFile:
    """Return bytes as a ParsedFile. A ParsedFile is returned unchanged, with the tables that it has parsed.

    Parameters
    ----------
    raw : bytes
        The bytes of a file.

    Returns
    -------
    ParsedFile
        These bytes.
    """
    return raw if isinstance(raw, ParsedFile) else ParsedFile(raw)


class ParsedFile(bytes):
    """Bytes of a file, with the tables that were parsed from them.

    Attributes
    ----------
    part : str, int or None
        The sheet, table or archive member that is meant, once it is chosen.
    """

    part: Part = None
    _parsed: dict[tuple[str, bool, Part, str | None], Table]

    def table(self, name: str, lenient: bool, parse: Callable[[], Table], part: Part = None) -> Table:
        """Return the Table of a part, which is parsed on the first call.

        If the lenient reader made no remark and found no dates, the strict reader would give the same table, so that
        the file is not parsed again. Dates are words to the strict reader.

        Parameters
        ----------
        name : str
            The file's name in messages.
        lenient : bool
            Whether the table is read by the lenient reader.
        parse : callable
            Called without arguments, parses the table.
        part : str, int or None, default None
            The sheet, table or archive member.

        Returns
        -------
        Table
            The table.
        """
        tables: dict[tuple[str, bool, Part, str | None], Table] = self.__dict__.setdefault("_parsed", {})
        encoding = requested_encoding()
        if (name, lenient, part, encoding) not in tables:
            other = tables.get((name, True, part, encoding))
            if other is None or other.remarks or any(column.dates for column in other.columns):
                tables[name, lenient, part, encoding] = parse()
            else:
                tables[name, lenient, part, encoding] = replace(other, lenient=False)
        return tables[name, lenient, part, encoding]

    def forget(self) -> None:
        """Release the tables: those of words take about ten times as much memory as the file."""
        self.__dict__.pop("_parsed", None)
