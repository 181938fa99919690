"""Columns of the types that only pandas has, periods and intervals, in its Series and in the files that it writes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .table import Column, word_column


def periods(title: str, series: Any) -> Column:
    """Return the Column of a Series of periods: the dates at which they begin."""
    starts = series.dt.to_timestamp()
    cells = ["" if gone else str(start) for start, gone in zip(starts, starts.isna(), strict=True)]
    counts = starts.to_numpy(dtype="datetime64[us]").astype(np.int64) / 86400e6
    values = np.where(starts.isna(), np.nan, counts)
    return Column(title, tuple(cells), None if np.isnan(values).all() else values, dates=True)


def intervals(title: str, series: Any) -> Column:
    """Return the Column of a Series of intervals: categories in their order."""
    cells = ["" if gone else str(value) for value, gone in zip(series, series.isna(), strict=True)]
    column = replace(word_column(title, cells), declared=True)
    return column.with_order(tuple(map(str, sorted(series.dropna().unique()))))
