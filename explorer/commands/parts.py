"""Options that say which sheet, table or member of a file is read."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.datasets import TableRefusal
from explorer.datasets.files.addresses import part_of
from explorer.datasets.read_table import part_address

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

FILES = (
    "a CSV, JSON, Parquet, Arrow, Feather, NPY, NPZ, Stata, SPSS or SAS file, a workbook, a SQLite or DuckDB database,"
    " or a zip archive with one of them; book.xlsx#june is the sheet june, shop.sqlite#june the table june"
)


def arguments(parser: ArgumentParser) -> None:
    """Add --sheet and --table."""
    parser.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook; default: the only one with a table")
    parser.add_argument(
        "--table", metavar="NAME", help="the table of a database, or the file of a zip archive; default: the only one"
    )


def addressed(options: Namespace, *names: str) -> None:
    """Replace the options of these names by addresses: with --sheet june, book.xlsx becomes book.xlsx#june."""
    part = part_of(options.sheet, options.table)
    if part is None:
        return
    with in_options():
        for name in names:
            given = getattr(options, name)
            found = (
                [part_address(each, part) for each in given] if isinstance(given, list) else part_address(given, part)
            )
            setattr(options, name, found)
    options.sheet = options.table = None


@contextmanager
def in_options() -> Iterator[None]:
    """Turn a refusal of a table into one that advises the command's options instead of parameters."""
    try:
        yield
    except TableRefusal as error:
        if error.argument == "lenient":
            raise Refusal(f"{error.problem}; leave --strict out {error.effect}.") from error
        values: Any = [error.value] if isinstance(error.value, str) else error.value
        option = shlex.join([f"--{error.argument}", *values])
        raise Refusal(f"{error.problem}; give {option} {error.effect}.") from error
