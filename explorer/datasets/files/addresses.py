"""Addresses of tables: the path of a file and the sheet, table or member of it that is meant, as in book.xlsx#june."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from explorer.checks import Refusal, echo
from explorer.datasets.refusal import TableRefusal
from explorer.printing import join_list

Part = str | int | None  # the name of a sheet, a table or a member of an archive, or its position from 0
MARK = "#"


class Address(NamedTuple):
    """The path of a file and which part of it is meant; None is the only one that holds a table."""

    path: str
    part: Part = None


def parse_address(source: str | os.PathLike[str], part: Part = None) -> Address:
    """Return the Address in a path: `book.xlsx#june` is the sheet june of book.xlsx, unless a file is called so.

    part: what is asked for beside the path. Raises Refusal if the path names another one.
    """
    path = os.fspath(source)
    if os.path.exists(path):
        return Address(path, part)
    places = [k for k, letter in enumerate(path) if letter == MARK]
    split = next((k for k in places if os.path.isfile(path[:k])), None)
    if split is None:
        return Address(path, part)
    named = path[split + 1 :] or None
    if named is not None and part is not None and str(part) != named:
        raise Refusal(f"{path} names {echo(named)}, and {echo(part)} is asked for beside it; leave one of them out.")
    return Address(path[:split], part if named is None else named)


def part_of(sheet: Part = None, table: Part = None) -> Part:
    """Return the part that the arguments `sheet` and `table` name, of which a file has one kind."""
    if sheet is not None and table is not None:
        raise Refusal("sheet= is for workbooks and table= for databases; leave one of them out.")
    part = table if sheet is None else sheet
    if part is not None and (isinstance(part, bool) or not isinstance(part, (str, int))):
        raise Refusal(f"a sheet or a table is given by its name, or its position from 0, not by {echo(part)}.")
    return part


class SeveralTables(TableRefusal):
    """A file of several tables of which none is chosen; `names` are what may be chosen, `what` is "sheet" or "table".

    >>> import pandas, sqlite3
    >>> from explorer.datasets import SeveralTables, read_table
    >>> connection = sqlite3.connect(":memory:")
    >>> _ = connection.executescript("create table june (x); create table july (x)")
    >>> try:
    ...     read_table(connection.serialize(), name="shop.sqlite")
    ... except SeveralTables as refusal:
    ...     print(refusal.names, refusal.argument)
    ('june', 'july') table
    >>> connection.close()
    """

    names: tuple[str, ...]

    def __init__(self, found: str, what: str, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__(found, what, names[0], "to read that one")


def choose_part(name: str, what: str, names: tuple[str, ...], part: Part, usable: tuple[str, ...] | None = None) -> str:
    """Return which of the parts of a file is meant: the one asked for, or the only one that is usable.

    name, what   what sentences call the file, and its parts: "sheet", "table" or "file"
    usable       those of the names that may be taken without being asked for; None is all
    """
    if isinstance(part, int):
        if not -len(names) <= part < len(names):
            raise Refusal(
                f"{name} has {_counted(len(names), what)}, and no position {part} (counted from 0): {_listed(names)}."
            )
        return names[part]
    if part is not None:
        if part not in names:
            alike = [each for each in names if each.strip().casefold() == part.strip().casefold()]
            if len(alike) == 1:
                return alike[0]
            raise Refusal(f"{name} has no {what} {echo(part)}; it has {_listed(names)}.")
        return part
    found = names if usable is None else usable
    if len(found) == 1:
        return found[0]
    if found:
        argument = "sheet" if what == "sheet" else "table"
        raise SeveralTables(f"{name} has {_counted(len(found), what)}, {_listed(found)}", argument, found)
    if names:
        raise Refusal(f"{name} has no {what} with a table that is shown; name one of {_listed(names)} to read it.")
    raise Refusal(f"{name} has no table; give a file with at least one.")


def refuse_part(name: str, part: Part) -> None:
    """Refuse a part of a file that holds one table alone."""
    if part is not None:
        raise Refusal(
            f"{name} holds one table, and no sheet or table {echo(part)}; leave that out, or name it behind the"
            " file that has it, as in book.xlsx#june."
        )


def part_label(name: str, part: Part) -> str:
    """Return what sentences call a part of a file."""
    return name if part is None else f"{name}{MARK}{part}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    return join_list([echo(each) for each in names], 400)
