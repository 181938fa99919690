"""The bytes of a file that several readers ask for, parsed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from .encodings import named

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

    from .addresses import Part


def once(raw: bytes) -> Once:
    """Bytes as Once, with the Tables that were parsed of them where they are that already."""
    return raw if isinstance(raw, Once) else Once(raw)


class Once(bytes):
    """The bytes of a file, with the Tables that were parsed of them.

    part: the sheet, the table or the member of them that is meant, once it is chosen
    """

    part: Part = None
    _parsed: dict[tuple[str, bool, Part, str | None], Table]

    def parsed(self, name: str, lenient: bool, parse: Callable[[], Table], part: Part = None) -> Table:
        """The Table, parsed where there is none yet.

        What a lenient reader has read without a remark a strict one reads alike, but for dates: those are its words.
        """
        kept: dict[tuple[str, bool, Part, str | None], Table] = self.__dict__.setdefault("_parsed", {})
        letters = named()
        if (name, lenient, part, letters) not in kept:
            other = kept.get((name, True, part, letters))
            if other is None or other.remarks or any(column.dates for column in other.columns):
                kept[name, lenient, part, letters] = parse()
            else:
                kept[name, lenient, part, letters] = replace(other, lenient=False)
        return kept[name, lenient, part, letters]

    def forget(self) -> None:
        """Let go of what was parsed: of words it takes some ten times as much memory as the file."""
        self.__dict__.pop("_parsed", None)
