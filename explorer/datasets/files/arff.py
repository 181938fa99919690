"""Reader of ARFF, the text format in which OpenML publishes its tables."""

from __future__ import annotations

import io
import re

from explorer.checks import Refusal
from explorer.datasets.columns.table import Table, column_names, number_column, parse_column, sha256
from explorer.printing import plural

from . import limits
from .contents import reading


def parse(raw: bytes, name: str, codes: bool = False) -> Table:
    """Return the Table in the bytes of an ARFF file. Column names become lower case with underscores.

    If `codes` is true, each word of a column becomes its number in the declared list of words, counted from 1. The last
    column, the target, stays in words. Raises Refusal if scipy's reader fails, or if the table has no row.
    """
    rows = raw.count(b"\n")
    limits.refuse_shape(name, rows, 1 + raw.count(b",") // max(rows, 1))  # commas and lines bound the number of cells
    from scipy.io import arff  # imported late because it loads all of scipy.io

    with reading(
        name, "ARFF", "it was altered, or is of a kind that scipy does not read; use another copy of the data"
    ):
        values, declared = arff.loadarff(io.StringIO(raw.decode("utf-8", "replace")))
        keys = declared.names()
    if not keys or not len(values):
        raise Refusal(
            f"{name} has {plural(len(keys), 'column')} and {plural(len(values), 'row')}; a table has at least one of"
            " each."
        )
    names = column_names((re.sub(r"\W+", "_", title.lower()).strip("_") for title in keys), name)
    columns = []
    for i, (title, key) in enumerate(zip(names, keys, strict=True)):
        kind, listed = declared[key]
        if kind == "numeric":
            columns.append(number_column(title, values[key]))
            continue
        cells = [str(cell, "ascii") if isinstance(cell, bytes) else str(cell) for cell in values[key].tolist()]
        if codes and listed and i < len(keys) - 1:
            number = {"?": "", **{word: str(code) for code, word in enumerate(listed, 1)}}
            cells = [number[cell] for cell in cells]
        columns.append(parse_column(title, cells))
    return Table(name, tuple(columns), sha256(raw))
