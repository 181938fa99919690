"""read_table: a table of yours, from a path or from uploaded bytes, in any format of `formats`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.types import File, Missing

from . import files, formats
from .choosing import (
    asked_columns,
    complete_rows,
    level_columns,
    numeric_columns,
    one_column,
    points,
    refuse_unknown_policy,
)
from .dataset import DataSet
from .dataset import standardise as standardised
from .gram import axes, coordinates


def read_table(
    path: File,
    columns: Sequence[str | int] | None = None,
    missing: Missing = "refuse",
    standardise: bool = False,
    *,
    target: str | int | None = None,
    name: str | None = None,
    lenient: bool = False,
    gram: bool = False,
) -> DataSet:
    """A CSV, TSV, NPY, NPZ or Parquet file of yours as a `DataSet`; X (n, d) holds the chosen columns.

    path: a path, bytes, or a file open in binary mode; at most 20 MB, packed and unpacked, and no
    more than `limits` has of rows, columns and cells (a million, 2,000 and 2.5 million). Its first bytes tell its
    format, whatever its name ends in. Columns without a name are called x1, x2, ...
      text: UTF-8; commas, semicolons or tabs between cells, a decimal point in numbers. A first row of numbers is a
      row. NPY: an array (n,), (n, d) or of named fields. NPZ: one such array, or arrays (n,), a column each under its
      key. Parquet: needs pyarrow. Decimals are numbers; dates, truth values and nested columns are words.
    columns: names, or positions from 0; None takes every column of numbers. `left_out` lists the rest.
    missing: cells that are empty, NA, NaN, ? or null are refused, or their rows left out with "drop".
    standardise: True gives columns of mean 0 and variance 1; constant ones become 0. Each file by itself: two files
      standardised apart agree in every mean and variance, so a shift between them is gone; `read_tables` scales them
      together. name: as in `preview_table`.
    target: a column, of numbers or words, that becomes the set's target, and no part of X unless it is asked for too;
    its missing cells are refused or dropped as those of X are. None is no target.
    lenient: True also reads what other programs and countries write, and only that in another way:
      text in UTF-16 and Latin-1; blanks or bars between cells, blank lines, columns of one name, a line of numbers
      numbers with decimal commas, or with marks between thousands where no decimal point or comma is meant
      -, ., N/A and None as missing cells; None stays a word among words, where it is a level more often than a gap
      dates, where `columns` names them, as days since 1970; words of at most 50 levels, where `columns` names them, as
      a column for each level, kind=a, 1 where it holds and else 0, which `standardise` leaves as it is
    gram: True says that the chosen columns are the Gram matrix of the rows: X holds coordinates whose inner products
      it has, so that under Linear() the kernel's values are the file's, and every estimator and test is that of it.
    Raises FileNotFoundError, TypeError or ValueError with what was found, where, and what to do.

    >>> from explorer import read_table
    >>> table = read_table(b"height,weight,name\\n1.8,80,Ann\\n1.6,55,Bo\\n", name="people")
    >>> table.X
    array([[ 1.8, 80. ],
           [ 1.6, 55. ]])
    >>> table.left_out
    ('name',)
    """
    refuse_unknown_policy(missing)
    table = parse(path, name, lenient)
    label = None if target is None else one_column(table, target)
    chosen = numeric_columns(table, label) if columns is None else asked_columns(table, columns, words=lenient)
    used = {label, *chosen}
    kept = complete_rows(table, chosen if label is None else [*chosen, label], missing)
    numbers = [column for column in chosen if column.numbers is not None]
    names, X = [column.name for column in numbers], points(numbers, kept)
    if gram:
        X = coordinates(X, table.name)
        names = list(axes(X.shape[1]))
    elif standardise and numbers:
        X = standardised(X)
    for column in chosen:
        if column.numbers is None and not gram:
            more, levels = level_columns(column, kept)
            names, X = names + more, np.hstack([X, levels])
    return DataSet(
        name=table.name,
        X=X,
        names=tuple(names),
        target=None if label is None else label.array()[kept],
        left_out=tuple(column.name for column in table.columns if column not in used),
        dropped=int((~kept).sum()),
        hash=table.hash,
    )


def parse(path, name=None, lenient=False):
    """The columns.Table in a file; `name` is what sentences call it, else the file's own name."""
    given, raw = files.contents(path)
    name = name or given
    with files.within_memory(name):
        return formats.parse(raw, name, lenient)
