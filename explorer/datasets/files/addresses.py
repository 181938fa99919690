"""Addresses of tables: the path of a file and the sheet, table or member that is meant, as in book.xlsx#june."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from explorer.checks import Refusal, echo
from explorer.datasets.refusal import TableRefusal
from explorer.printing import join_list

Part = str | int | None  # name of a sheet, a table or a member of an archive, or its position counted from 0
MARK = "#"


class Address(NamedTuple):
    """Path of a file, and the part of it that is meant. None means the only part that holds a table."""

    path: str
    part: Part = None


def parse_address(source: str | os.PathLike[str], part: Part = None) -> Address:
    """Split a path such as `book.xlsx#june` into the file and its part.

    A path that names an existing file is that file, even if it contains a `#`.

    Parameters
    ----------
    source : str or os.PathLike
        The path, with or without a part.
    part : str, int or None, default None
        The part that is asked for in addition to the path.

    Returns
    -------
    Address
        The path of the file and the part.

    Raises
    ------
    Refusal
        If the path names another part than `part`.
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
        raise Refusal(f"{path} names {echo(named)}, but {echo(part)} is requested as well; leave one of them out.")
    return Address(path[:split], part if named is None else named)


def part_of(sheet: Part = None, table: Part = None) -> Part:
    """Return the part that the arguments `sheet` and `table` name.

    Parameters
    ----------
    sheet : str, int or None, default None
        Name or position of a sheet of a workbook.
    table : str, int or None, default None
        Name or position of a table of a database or an archive.

    Returns
    -------
    str, int or None
        The one that is given, or None if neither is.

    Raises
    ------
    Refusal
        If both are given, or if one is neither a name nor a position.
    """
    if sheet is not None and table is not None:
        raise Refusal("sheet= is for workbooks and table= for databases; leave one of them out.")
    part = table if sheet is None else sheet
    if part is not None and (isinstance(part, bool) or not isinstance(part, (str, int))):
        raise Refusal(f"a sheet or a table is given by its name, or its position from 0, not by {echo(part)}.")
    return part


class SeveralTables(TableRefusal):
    """Refusal of a file that holds several tables while none of them is chosen.

    Parameters
    ----------
    problem : str
        States what the file holds.
    what : {"sheet", "table"}
        The argument that chooses one.
    names : tuple of str
        The tables that may be chosen.

    Attributes
    ----------
    names : tuple of str
        The tables that may be chosen.

    Examples
    --------
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

    def __init__(self, problem: str, what: str, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__(problem, what, names[0], "to read that one")


def choose_part(name: str, what: str, names: tuple[str, ...], part: Part, usable: tuple[str, ...] | None = None) -> str:
    """Return the name of the part that is meant: the requested one, or the only usable one.

    `name` and `what` are what messages call the file and its parts: "sheet", "table" or "file". `usable` lists the
    names that may be chosen without a request; None means all. Raises Refusal if there is no such part, and
    SeveralTables if the choice is open.
    """
    if isinstance(part, int):
        if not -len(names) <= part < len(names):
            raise Refusal(
                f"{name} has {_count(len(names), what)} but no position {part} (counted from 0): {_join(names)}."
            )
        return names[part]
    if part is not None:
        if part not in names:
            alike = [each for each in names if each.strip().casefold() == part.strip().casefold()]
            if len(alike) == 1:
                return alike[0]
            raise Refusal(f"{name} has no {what} {echo(part)}; it has {_join(names)}.")
        return part
    candidates = names if usable is None else usable
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        argument = "sheet" if what == "sheet" else "table"
        raise SeveralTables(f"{name} has {_count(len(candidates), what)}, {_join(candidates)}", argument, candidates)
    if names:
        raise Refusal(f"{name} has no visible {what} that holds a table; name one of {_join(names)} to read it.")
    raise Refusal(f"{name} has no table; give a file with at least one.")


def refuse_part(name: str, part: Part) -> None:
    """Refuse a part of a file that holds a single table.

    Parameters
    ----------
    name : str
        The file's name in messages.
    part : str, int or None
        The requested part.

    Raises
    ------
    Refusal
        If `part` is not None.
    """
    if part is not None:
        raise Refusal(
            f"{name} holds one table, and no sheet or table {echo(part)}; leave that out, or add it to the path of the"
            " file that has it, as in book.xlsx#june."
        )


def part_label(name: str, part: Part) -> str:
    """Return what messages call a part of a file.

    Parameters
    ----------
    name : str
        The file's name.
    part : str, int or None
        The part; None for the file itself.

    Returns
    -------
    str
        The name, followed by "#" and the part if there is one.
    """
    return name if part is None else f"{name}{MARK}{part}"


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _join(names: Sequence[str]) -> str:
    return join_list([echo(each) for each in names], 400)
