"""Decisions whether the first line of a text names its columns, from its cells and those below it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns import number_notation

if TYPE_CHECKING:
    from .lazy_cells import LazyCells


YEARS = (1000, 2999)  # first and last number that may name a column, if the first line also holds words


def counts_columns(first: Sequence[str], cells: Sequence[LazyCells | Sequence[str]]) -> bool:
    """Return whether a first line is 0, 1, 2, ..., as pandas names columns without names.

    The cell above an index may be empty.
    """
    counts = first[1:] if first and not first[0] else first
    if len(counts) < 2 or counts != list(map(str, range(len(counts)))) or len(cells[0]) < 2:
        return False
    if len(counts) > 3 or counts is not first:
        return True
    return any(
        "." in cell for column in cells for cell in column[1:]
    )  # without fractions below, 0, 1 may be a row of codes


def has_header(first: Sequence[float | None], rest: Callable[..., Any], name: str) -> bool:
    """Return whether the first row names the columns: it holds only words, or a word above numbers.

    `first` holds the numbers of the first row, with None for a word and NaN for a missing cell. `rest` is a function
    that returns the numbers of each column below it, None for a column of words; they are rarely needed. Raises Refusal
    if the row may be either.
    """
    words = [value is None for value in first]
    numbers = [value is not None and not math.isnan(value) for value in first]
    if any(numbers) != any(words):
        return any(words)
    if any(word and below is not None for word, below in zip(words, rest(), strict=True)):
        return True
    raise Refusal(
        f"{name} begins with a line that may be a header or a row (it mixes words and numbers, or all of it is "
        "missing); begin it with a line of names, each a word."
    )


def names_by_numbers(first: Sequence[str], cells: Sequence[Sequence[str]]) -> bool:
    """Return whether a first line of words and numbers names columns.

    It does if its words do not recur below it, and if its numbers are years or count 0, 1, 2, ... or 1, 2, 3, ....
    """
    values = [(cell, number_notation.parse_number_lenient(cell)) for cell in first]
    numbers = [value for _, value in values if value is not None]
    years = all(YEARS[0] <= value <= YEARS[1] for value in numbers)
    years = years or (
        len(numbers) > 1 and numbers[0] in (0, 1) and np.array_equal(numbers, numbers[0] + np.arange(len(numbers)))
    )
    recurs = any(cell in column[1:] for (cell, value), column in zip(values, cells, strict=True) if value is None)
    return years and not recurs and any(value is None for _, value in values)
