"""DataFrames as tables: their columns say themselves whether they are numbers, words or dates."""

from __future__ import annotations

import hashlib
from typing import Any

import narwhals
import numpy as np

from explorer.checks import Refusal

from .columns import Column, Digits, Table, counted, in_seconds, not_compared, titles, words, written

SEPARATOR = "\x1f"  # between cells that are hashed


def table_of(frame: narwhals.DataFrame[Any], name: str) -> Table:
    """The Table of a DataFrame; its names are words. ValueError where it has no rows or columns."""
    if not frame.columns or not len(frame):
        raise Refusal(
            f"{name} has {len(frame.columns)} columns and {len(frame)} rows; give a table with at least one of each."
        )
    names = titles(map(str, frame.columns), name)
    columns = tuple(_column(title, frame[:, j]) for j, title in enumerate(names))
    return Table(name, columns, _hash(columns))


def _column(title, series):
    kind = series.dtype
    if kind.is_numeric():
        return counted(title, series.cast(narwhals.Float64).to_numpy() if _has_gaps(series) else series.to_numpy())
    if kind in (narwhals.Date, narwhals.Datetime):
        return Column(title, _cells(series), _days(series), dates=True)
    if kind == narwhals.Duration:
        return in_seconds(title, series.dt.total_microseconds().cast(narwhals.Float64).to_numpy() / 1e6)
    if what := _nested(series):
        return not_compared(title, what, len(series))
    if kind == narwhals.String:
        return written(title, _cells(series))
    values = series.to_list()
    if kind == narwhals.Object and not any(isinstance(value, (bool, np.bool_)) for value in values):
        return written(title, _cells(series))
    column = words(title, _cells(series))  # truth values, categories whatever they look like, lists
    order = _order(series)
    return column.in_order(order) if order else column


NESTED: dict[type, str] = {
    narwhals.List: "lists",
    narwhals.Array: "lists",
    narwhals.Struct: "records",
    narwhals.Binary: "bytes",
}
OBJECTS: dict[type | tuple[type, ...], str] = {(list, tuple, np.ndarray): "lists", dict: "records", bytes: "bytes"}


def _nested(series) -> str:
    """What the cells of a column hold that is not compared, "" if they hold none of this."""
    kind = series.dtype
    if kind != narwhals.Object:
        return NESTED.get(type(kind), "")
    return next((what for value in series.to_list() for held, what in OBJECTS.items() if isinstance(value, held)), "")


def _order(series) -> tuple[str, ...]:
    """The words of an ordered Categorical of pandas in their order; none of other columns."""
    kind = getattr(series.to_native(), "dtype", None)
    if not getattr(kind, "ordered", False):
        return ()
    return tuple(str(level).strip() for level in getattr(kind, "categories", ()))


def _has_gaps(series):
    return series.null_count() > 0 or series.dtype == narwhals.Decimal


def _cells(series):
    """The values as text, "" where one is missing."""
    gone = series.is_null().to_list()
    cells = (
        "" if gap or value != value else str(value).strip() for value, gap in zip(series.to_list(), gone, strict=True)
    )
    return tuple(cells)


def _days(series):
    """Return the days since 1970 of dates and time stamps as the clock of their zone has them, (n,).

    None if all are missing.
    """
    zone = getattr(series.dtype, "time_zone", None)
    local = series.dt.replace_time_zone(None) if zone else series
    days = local.dt.timestamp("us").cast(narwhals.Float64).to_numpy() / 86400e6
    return None if np.isnan(days).all() else days


def _hash(columns):
    """The SHA-256 of the names and the values."""
    total = hashlib.sha256()
    for column in columns:
        total.update(column.name.encode("utf-8", "surrogatepass") + b"\0")
        cells = column.cells
        raw = cells.values.tobytes() if isinstance(cells, Digits) else SEPARATOR.join(cells).encode("utf-8", "replace")
        total.update(raw)
    return total.hexdigest()
