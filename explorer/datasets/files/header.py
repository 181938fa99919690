"""Whether the first line of a text names its columns, as far as its cells and those below say so."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns import number_notation

if TYPE_CHECKING:
    from .lazy_cells import Cells


YEARS = (1000, 2999)  # numbers that name columns, where the first line is not all numbers


def counts_columns(first: Sequence[str], cells: Sequence[Cells | Sequence[str]]) -> bool:
    """Whether a first line is 0, 1, 2, ..., as pandas names columns that have no names, perhaps beside an index."""
    counts = first[1:] if first and not first[0] else first
    if len(counts) < 2 or counts != list(map(str, range(len(counts)))) or len(cells[0]) < 2:
        return False
    if len(counts) > 3 or counts is not first:
        return True
    return any("." in cell for column in cells for cell in column[1:])  # else 0, 1 may be a row of codes


def has_header(first: Sequence[float | None], rest: Callable[..., Any], name: str) -> bool:
    """Whether the first row names the columns: it holds words only, None, or a word above numbers.

    rest: a function that gives the columns' numbers below it, None for one of words; seldom are they needed.
    """
    words = [value is None for value in first]
    given = [value is not None and not math.isnan(value) for value in first]
    if any(given) != any(words):
        return any(words)
    if any(word and below is not None for word, below in zip(words, rest(), strict=True)):
        return True
    raise Refusal(
        f"{name} begins with a line that may be a header or a row (it mixes words and numbers, or all of it is "
        "missing); begin it with a line of names, each a word."
    )


def names_by_numbers(first: Sequence[str], cells: Sequence[Sequence[str]]) -> bool:
    """Whether a first line of words and numbers names columns: its words do not recur, and its numbers are years or
    count.
    """
    values = [(cell, number_notation.parse_number_lenient(cell)) for cell in first]
    given = [value for _, value in values if value is not None]
    years = all(YEARS[0] <= value <= YEARS[1] for value in given)
    years = years or (len(given) > 1 and given[0] in (0, 1) and np.array_equal(given, given[0] + np.arange(len(given))))
    recurs = any(cell in column[1:] for (cell, value), column in zip(values, cells, strict=True) if value is None)
    return years and not recurs and any(value is None for _, value in values)
