"""The rows of a slider's table as a browser keeps them: for a page and for a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from explorer.types import Matrix

Tables: TypeAlias = Mapping[tuple[str, str], Matrix]  # (source, column) -> its rows, (rows, length)


class Packed(NamedTuple):
    """A table of many columns in one.

    flat     all columns, row by row, one after the other
    starts   where each column's first row lies
    lengths  how long a row of each is; 0 where all its rows are the same
    """

    flat: np.ndarray
    starts: list[int]
    lengths: list[int]


def packed(tables: Tables) -> Packed:
    """The columns of {(source, column): (rows, length)} as one table."""
    # float32 halves what is sent: a pixel needs no more digits, and the numbers on screen go as sentences
    # and a column that is the same in every row is not sent
    moving = [t if (t != t[0]).any() else t[:, :0] for t in tables.values()]
    with np.errstate(over="ignore"):  # what is too large for it lies beyond every picture
        columns = [np.asarray(t, dtype=np.float32) for t in moving]
    starts = np.cumsum([0, *(c.size for c in columns)])[:-1]
    return Packed(np.concatenate([c.ravel() for c in columns]), starts.tolist(), [c.shape[1] for c in columns])


def targets(sources: Iterable[str], drawn: Iterable[tuple[str, str]]) -> list[list[int | str]]:
    """Each (source, column) that is drawn as [the source's place among all, column]."""
    names = list(sources)
    return [[names.index(source), column] for source, column in drawn]
