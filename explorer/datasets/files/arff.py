"""ARFF, the text format in which OpenML keeps its tables."""

from __future__ import annotations

import io
import re

from explorer.checks import Refusal
from explorer.datasets.columns.table import Table, column_names, number_column, parse_column, sha256

from . import limits
from .contents import reading


def parse(raw: bytes, name: str, codes: bool = False) -> Table:
    """The Table in the bytes of an ARFF file, names of columns in lower case with underscores.

    codes: True turns each word of a column into its number in the declared list of words, from 1; the last column, the
    target, keeps its words. Raises ValueError for what scipy's reader does not read, and for a table without a row.
    """
    rows = raw.count(b"\n")
    limits.refuse_shape(name, rows, 1 + raw.count(b",") // max(rows, 1))  # as many cells as commas and lines, at most
    from scipy.io import arff  # loads all of scipy.io, for those who ask for such a file

    with reading(
        name, "ARFF", "it was altered, or is of a kind that scipy does not read; use another copy of the data"
    ):
        values, declared = arff.loadarff(io.StringIO(raw.decode("utf-8", "replace")))
        given = declared.names()
    if not given or not len(values):
        raise Refusal(f"{name} has {len(given)} columns and {len(values)} rows; a table has at least one of each.")
    names = column_names((re.sub(r"\W+", "_", title.lower()).strip("_") for title in given), name)
    columns = []
    for i, (title, key) in enumerate(zip(names, given, strict=True)):
        kind, listed = declared[key]
        if kind == "numeric":
            columns.append(number_column(title, values[key]))
            continue
        cells = [str(cell, "ascii") if isinstance(cell, bytes) else str(cell) for cell in values[key].tolist()]
        if codes and listed and i < len(given) - 1:
            number = {"?": "", **{word: str(code) for code, word in enumerate(listed, 1)}}
            cells = [number[cell] for cell in cells]
        columns.append(parse_column(title, cells))
    return Table(name, tuple(columns), sha256(raw))
