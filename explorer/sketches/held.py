"""Files that are too large to be read whole as text: their numbers are, where memory holds those with ease."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.joint_tables import Tables
from explorer.types import Missing, Rng

from .files import files_of, table_of
from .gathering import Watched
from .streamed import first_reading, second_reading, tables_of

MOST = 2**27  # numbers of all files: 1 GB


def held_tables(
    sources: Sequence[str | Path],
    columns: Sequence[str | int] | None = None,
    missing: Missing = "drop",
    scale: Any = "common",
    rng: Rng = None,
    watched: Watched = lambda pieces, about: pieces,
) -> Tables:
    """What `read_tables` makes of files of any size, or of folders of them, read piece by piece; all rows are kept.

    Scales are those of random rows, by `rng`. ValueError where the files have more than 2^27 numbers, and what
    `read_tables` refuses.
    """
    files = [[table_of(path) for path in files_of(Path(source))] for source in sources]
    first = first_reading(files, [Path(source).name for source in sources], columns, missing, rng, watched)
    numbers = sum(each.n for each in first.gathered) * len(first.kept)
    if numbers > MOST:
        raise Refusal(
            f"the files have {numbers:,} numbers in the columns that are compared, more than the {MOST:,} that are kept"
            " in memory; name fewer columns, or keep random rows of each file."
        )
    tables, _ = tables_of(first, scale)
    data, complete = [], []
    for each, gathered in zip(files, first.gathered, strict=True):
        X = np.concatenate(list(second_reading(each, tables.kept, gathered.n, watched)))
        complete.append(~np.isnan(X).any(axis=1))
        data.append(replace(tables[0], name=gathered.name, X=X[complete[-1]], dropped=len(X) - gathered.n, target=None))
    return replace(tables, data=tuple(data), complete=tuple(complete), rows=None)
