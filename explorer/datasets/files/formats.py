"""Which format bytes are in, told by their first ones, whatever the file is called; everything else is text."""

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
    """The Table in the bytes of a file; `name` is the file's name in sentences. ValueError where they hold none.

    lenient: whether what only `dialects` and `notation` read is read too.
    part: which sheet, table or member of an archive is meant, by its name or position; None is the only one.
    """
    if packed := contents.packed(raw):
        inner = name.removesuffix(next(filter(name.endswith, contents.ENDINGS), ""))
        return replace(parse(_unpacked(raw, name, *packed), inner, lenient, part), name=name, hash=sha256(raw))
    kind = kind_of(raw, name)
    if kind in SEVERAL:
        table = SEVERAL[kind](raw, name, lenient, part)
        return with_words_read(table) if lenient and not table.lenient else table
    addresses.refuse_part(name, part)
    if kind in TEXTS:
        return TEXTS[kind](raw, name, lenient)
    table = READERS[kind](raw, name)
    return with_words_read(table) if lenient else table


def _of_archive(raw, name, lenient, part):
    """The Table in a file of a zip archive."""
    found = archives.member(raw, name, part)
    called = addresses.called(name, found.name)
    if found.raw.startswith(numpy_files.ZIP) and kind_of_zip(found.raw, called) == "archive":
        raise Refusal(f"{called} is an archive in an archive; unpack it once.")
    table = parse(found.raw, PurePosixPath(found.name).name, lenient, found.part)
    asked = "" if part is None else f"{addresses.MARK}{found.name}{addresses.MARK}{found.part}"
    return replace(table, name=name, hash=sha256(raw + asked.encode()))


def kind_of(raw: bytes, name: str = "the file") -> str:
    """Return which format bytes are in, a key of `SEVERAL`, `TEXTS` or `READERS`."""
    if raw.startswith(numpy_files.NPY):
        return "NPY"
    if raw.startswith(numpy_files.ZIP):
        return kind_of_zip(raw, name)
    if raw.startswith(workbooks.OLE):
        return "workbook"
    if databases.kind_of(raw[:100]):
        return "database"
    if raw.startswith(parquet.MAGIC) and b"\0" in raw:  # a text file may begin with a column PAR1, without zero bytes
        return "Parquet"
    if arrow_files.is_arrow(raw):
        return "Arrow"
    if statistics_files.kind_of(raw):
        return "statistics"
    if found := MARKUP.match(raw[:LOOKED_AT]):
        what = "a page of HTML" if found[1].lower() != b"?xml" or b"<html" in raw[:LOOKED_AT].lower() else "XML"
        raise Refusal(
            f"{name} is {what}, whatever its name says; open it in a spreadsheet and save it as .xlsx or CSV."
        )
    return "JSON" if json_text.is_json(raw) else "text"


def kind_of_zip(raw: bytes, name: str) -> str:
    """Return what a zip archive is by its members: a workbook, an NPZ file, or an archive of files."""
    try:
        members = archives.members(raw, name)
    except Refusal:
        if workbooks.TYPES in raw[:LOOKED_AT]:
            raise
        return "NPZ"  # whose reader says what is wrong
    if workbooks.is_workbook(members):
        return "workbook"
    if not members or any(member.endswith(".npy") for member in members):
        return "NPZ"
    if other := next((what for start, what in OFFICE.items() if any(map(start, members))), ""):
        raise Refusal(
            f"{name} is {other}, and holds no table that is read; save the table in it as CSV or as a workbook."
        )
    return "archive"


def parts(raw: bytes, name: str) -> tuple[str, ...]:
    """Return the names of the sheets, tables or members of a file; none of one that holds a table alone."""
    kind = kind_of(raw, name)
    if kind == "workbook":
        return workbooks.names(raw, name)
    if kind == "database":
        return databases.names(raw, name)
    return archives.tables(archives.members(raw, name))[0] if kind == "archive" else ()


def _has_start(start):
    return lambda member: member.startswith(start)


LOOKED_AT = 4000  # bytes of an archive's beginning
OFFICE = {
    _has_start("word/"): "a text document",
    _has_start("ppt/"): "a presentation",
    _has_start("Index/Document.iwa"): "a document of Apple's, such as one of Numbers",
}
MARKUP = re.compile(rb"\s*<(\?xml|!doctype html|html|table|head|body)\b", re.IGNORECASE)  # which some call .xls
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


def _unpacked(raw, name, program, opened):
    """What is packed, as far as a table may be large."""
    with contents.reading(name, program), opened(io.BytesIO(raw)) as packed:
        whole = packed.read(contents.MEGABYTES * 1_000_000 + 1)
    contents.refuse_unpacked(name, len(whole))
    if contents.packed(whole):
        raise Refusal(f"{name} is packed twice; unpack it once.")
    return whole


def with_words_read(table: Table) -> Table:
    """A table whose columns of words are numbers or dates where their cells are, in some notation.

    Rows that are no observations are left out, see `framing.summaries`.
    """
    table, left = _without_summaries(table)
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
    """Whether a lenient reader looks into a column's words: the table does not say what they are."""
    return column.numbers is None and not (column.order or column.declared or column.opaque or column.dates)


def _is_plain(column):
    """Whether a column holds words that were read as numbers."""
    return column.numbers is not None and are_texts(column.cells) and not column.dates and column.cell_counts is NOTHING


def _without_summaries(table):
    """A table without the rows that are no observations, and remarks."""
    texts = [column.cells for column in table.columns]
    if not any(are_texts(column.cells) and column.numbers is None for column in table.columns):
        return table, []
    gone, said = table_frame.summaries([column.name for column in table.columns], texts)
    blank = np.all([is_empty(column) for column in table.columns], axis=0)
    if len(table.columns) > 1 and blank.any() and not blank.all():  # in one column it is a missing value
        gone, said = gone | set(np.flatnonzero(blank).tolist()), [*said, "blank lines left out"]
    if not gone:
        return table, []
    kept = [i for i in range(table.rows) if i not in gone]
    columns = tuple(column.take(kept) for column in table.columns)
    return replace(table, columns=columns, numbered=[i + 1 for i in kept]), said
