"""Detection of a file's format by its first bytes, whatever its name. Everything that is not detected is text."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.column_selection import is_empty
from explorer.datasets.columns import number_notation
from explorer.datasets.columns.cell_counts import NOTHING
from explorer.datasets.columns.table import encode_cells, sha256

from . import (
    addresses,
    archives,
    arrow_files,
    contents,
    databases,
    json_text,
    numpy_files,
    parquet,
    statistics_files,
    table_frame,
    text,
    workbooks,
)
from .addresses import Part
from .lazy_cells import are_texts

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table


def parse(raw: bytes, name: str, lenient: bool = False, part: Part = None) -> Table:
    """Return the Table in the bytes of a file. `name` is the file's name in messages.

    If `lenient` is true, what only `csv_dialect` and `number_notation` understand is read too. `part` is the name or
    position of the sheet, table or archive member that is meant; None means the only one. Raises Refusal if there is no
    table.
    """
    if packed := contents.packing_of(raw):
        inner = name.removesuffix(next(filter(name.endswith, contents.ENDINGS), ""))
        return replace(parse(_unpack(raw, name, *packed), inner, lenient, part), name=name, hash=sha256(raw))
    kind = kind_of(raw, name)
    if kind in SEVERAL:
        table = SEVERAL[kind](raw, name, lenient, part)
        return parse_text_columns(table) if lenient and not table.lenient else table
    addresses.refuse_part(name, part)
    if kind in TEXTS:
        return TEXTS[kind](raw, name, lenient)
    table = READERS[kind](raw, name)
    return parse_text_columns(table) if lenient else table


def _of_archive(raw, name, lenient, part):
    """Return the Table in a member of a zip archive."""
    member = archives.read_member(raw, name, part)
    label = addresses.part_label(name, member.name)
    if member.raw.startswith(numpy_files.ZIP) and kind_of_zip(member.raw, label) == "archive":
        raise Refusal(f"{label} is an archive in an archive; unpack it once.")
    table = parse(member.raw, PurePosixPath(member.name).name, lenient, member.part)
    address = "" if part is None else f"{addresses.MARK}{member.name}{addresses.MARK}{member.part}"
    return replace(table, name=name, hash=sha256(raw + address.encode()))


def kind_of(raw: bytes, name: str = "the file") -> str:
    """Return the format of a file's bytes: a key of `SEVERAL`, `TEXTS` or `READERS`.

    Parameters
    ----------
    raw : bytes
        The bytes.
    name : str, default "the file"
        The file's name in messages.

    Returns
    -------
    str
        The format.

    Raises
    ------
    Refusal
        If the file is HTML, XML or a document that holds no table.
    """
    if raw.startswith(numpy_files.NPY):
        return "NPY"
    if raw.startswith(numpy_files.ZIP):
        return kind_of_zip(raw, name)
    if raw.startswith(workbooks.OLE):
        return "workbook"
    if databases.kind_of(raw[:100]):
        return "database"
    if (
        raw.startswith(parquet.MAGIC) and b"\0" in raw
    ):  # a text file may begin with a column PAR1, but has no zero bytes
        return "Parquet"
    if arrow_files.is_arrow(raw):
        return "Arrow"
    if statistics_files.kind_of(raw):
        return "statistics"
    if markup := MARKUP.match(raw[:LOOKED_AT]):
        what = "a page of HTML" if markup[1].lower() != b"?xml" or b"<html" in raw[:LOOKED_AT].lower() else "XML"
        raise Refusal(
            f"{name} is {what}, whatever its name says; open it in a spreadsheet and save it as .xlsx or CSV."
        )
    return "JSON" if json_text.is_json(raw) else "text"


def kind_of_zip(raw: bytes, name: str) -> str:
    """Return the format of a zip archive by its members: "workbook", "NPZ" or "archive"."""
    try:
        members = archives.members(raw, name)
    except Refusal:
        if workbooks.TYPES in raw[:LOOKED_AT]:
            raise
        return "NPZ"  # its reader explains what is wrong
    if workbooks.is_workbook(members):
        return "workbook"
    if not members or any(member.endswith(".npy") for member in members):
        return "NPZ"
    if other := next((what for start, what in OFFICE.items() if any(map(start, members))), ""):
        raise Refusal(
            f"{name} is {other}, and holds no table that is read; save the table in it as CSV or as a workbook."
        )
    return "archive"


def part_names(raw: bytes, name: str) -> tuple[str, ...]:
    """Return the names of the sheets, tables or members of a file, or () if it holds a single table."""
    kind = kind_of(raw, name)
    if kind == "workbook":
        return workbooks.sheet_names(raw, name)
    if kind == "database":
        return databases.table_names(raw, name)
    return archives.tables(archives.members(raw, name))[0] if kind == "archive" else ()


def _has_start(start):
    return lambda member: member.startswith(start)


LOOKED_AT = 4000  # number of first bytes of a file that are inspected
OFFICE = {
    _has_start("word/"): "a text document",
    _has_start("ppt/"): "a presentation",
    _has_start("Index/Document.iwa"): "a document of Apple's, such as one of Numbers",
}
MARKUP = re.compile(
    rb"\s*<(\?xml|!doctype html|html|table|head|body)\b", re.IGNORECASE
)  # some programs name these .xls
SEVERAL: dict[str, Callable[..., Table]] = {  # formats of files that may hold several tables
    "workbook": workbooks.parse,
    "database": databases.parse,
    "archive": _of_archive,
}
TEXTS: dict[str, Callable[..., Table]] = {"JSON": json_text.parse, "text": text.parse}
READERS: dict[str, Callable[..., Table]] = {
    "NPY": numpy_files.npy,
    "NPZ": numpy_files.npz,
    "Parquet": parquet.parse,
    "Arrow": arrow_files.parse,
    "statistics": statistics_files.parse,
}


def _unpack(raw, name, program, opened):
    """Unpack a file, up to the largest size of a table."""
    with contents.reading(name, program), opened(io.BytesIO(raw)) as packed:
        whole = packed.read(contents.MEGABYTES * 1_000_000 + 1)
    contents.refuse_unpacked(name, len(whole))
    if contents.packing_of(whole):
        raise Refusal(f"{name} is packed twice; unpack it once.")
    return whole


def parse_text_columns(table: Table) -> Table:
    """Return a table whose text columns become numbers or dates if their cells are, in some notation.

    Rows that are not observations are left out, see `table_frame.find_summaries`.
    """
    table, left = _strip_totals(table)
    words = [column for column in table.columns if _may_be_numbers(column)]
    plain = [column for column in table.columns if _is_plain(column)]
    if any(number_notation.may_be_read_otherwise(column.cells, column.numbers) for column in plain):
        words += plain
    read, unusual = number_notation.parse_columns([column.cells for column in words])
    again = {
        column.name: replace(column, **{**each._asdict(), "cells": encode_cells(each.cells)})
        for column, each in zip(words, read, strict=True)
    }
    columns = tuple(again.get(column.name, column) for column in table.columns)
    return replace(table, columns=columns, remarks=(*left, *unusual), lenient=True)


def _may_be_numbers(column):
    """Return whether a lenient reader inspects a column's words: the table does not declare what they are."""
    return column.numbers is None and not (column.order or column.declared or column.opaque or column.dates)


def _is_plain(column):
    """Return whether a column holds words that were read as numbers."""
    return column.numbers is not None and are_texts(column.cells) and not column.dates and column.cell_counts is NOTHING


def _strip_totals(table):
    """Return (table without the rows that are not observations, remarks)."""
    texts = [column.cells for column in table.columns]
    if not any(are_texts(column.cells) and column.numbers is None for column in table.columns):
        return table, []
    gone, remarks = table_frame.find_summaries([column.name for column in table.columns], texts)
    blank = np.all([is_empty(column) for column in table.columns], axis=0)
    if len(table.columns) > 1 and blank.any() and not blank.all():  # in a single column a blank is a missing value
        gone, remarks = gone | set(np.flatnonzero(blank).tolist()), [*remarks, "blank lines left out"]
    if not gone:
        return table, []
    rows = [i for i in range(table.rows) if i not in gone]
    columns = tuple(column.take(rows) for column in table.columns)
    return replace(table, columns=columns, numbered=[i + 1 for i in rows]), remarks
