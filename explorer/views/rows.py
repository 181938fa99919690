"""Rows of a slider's table as the browser stores them, for pages and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from explorer.types import Matrix

Tables: TypeAlias = Mapping[tuple[str, str], Matrix]  # (source, column) -> its rows, of shape (rows, length)


class Packed(NamedTuple):
    """A table of many columns in one array.

    Attributes
    ----------
    flat : ndarray
        All columns, row by row, one after the other.
    starts : list of int
        Position of each column's first row.
    lengths : list of int
        Length of a row of each column; 0 if all its rows are equal.
    """

    flat: np.ndarray
    starts: list[int]
    lengths: list[int]


def packed(tables: Tables) -> Packed:
    """Return the columns of {(source, column): (rows, length)} as one array."""
    # float32 halves the data sent: a pixel needs no more digits, and the numbers on screen are sent as text. A column
    # with equal rows is not sent.
    moving = [t if (t != t[0]).any() else t[:, :0] for t in tables.values()]
    with np.errstate(over="ignore"):  # values that overflow lie beyond every picture
        columns = [np.asarray(t, dtype=np.float32) for t in moving]
    starts = np.cumsum([0, *(c.size for c in columns)])[:-1]
    return Packed(np.concatenate([c.ravel() for c in columns]), starts.tolist(), [c.shape[1] for c in columns])


def targets(sources: Iterable[str], drawn: Iterable[tuple[str, str]]) -> list[list[int | str]]:
    """Return each drawn (source, column) as [position of the source among all, column]."""
    names = list(sources)
    return [[names.index(source), column] for source, column in drawn]
