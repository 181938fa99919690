"""Columns of pyarrow arrays, from Parquet files and from pyarrow tables. Only this module reads values by pyarrow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.datasets.columns import pandas_kinds, unreadable_kinds
from explorer.datasets.columns.table import (
    Column,
    duration_column,
    number_column,
    opaque_column,
    parse_column,
    word_column,
)

PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
PANDAS = b"pandas."  # prefix of the names of pandas' extension types in a file's schema


def categories(metadata: Mapping[bytes, bytes] | None) -> set[str]:
    """Return the names of the columns that pandas declared as categories, if pandas wrote the table.

    Parameters
    ----------
    metadata : mapping of bytes to bytes, or None
        The metadata of the table's schema.

    Returns
    -------
    set of str
        The names.
    """
    try:
        described = json.loads((metadata or {}).get(b"pandas", b"{}"))["columns"]
        return {each["field_name"] for each in described if each["pandas_type"] == "categorical"}
    except (ValueError, KeyError, TypeError, RecursionError):  # not from pandas, or damaged: the values decide
        return set()


def register_pandas_kinds(schema: Any) -> bool:
    """Return whether a schema uses extension types of pandas, and register these with pyarrow if it does."""
    named = [(field.metadata or {}).get(b"ARROW:extension:name", b"") for field in schema]
    if not any(name.startswith(PANDAS) for name in named):
        return False
    import pandas

    periods: Any = pandas.array(["2000"], dtype="period[D]")
    periods.__arrow_array__()  # registers the types as a side effect
    return True


def opaque_kind(pa: Any, kind: Any) -> str:
    """Return what the cells of a column of this type hold if they cannot be compared, or "" if they can."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if isinstance(kind, pa.BaseExtensionType):
        return "" if is_named(kind) else opaque_kind(pa, kind.storage_type)
    for name, tests in OPAQUE.items():
        if any(getattr(pa.types, test)(kind) for test in tests if hasattr(pa.types, test)):
            return name
    return ""


OPAQUE = {
    unreadable_kinds.LISTS: (
        *("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view"),
    ),
    unreadable_kinds.MAPS: ("is_map",),
    unreadable_kinds.RECORDS: ("is_struct",),
    unreadable_kinds.BYTES: ("is_binary", "is_large_binary", "is_binary_view", "is_fixed_size_binary"),
    unreadable_kinds.SPANS: ("is_interval",),
    unreadable_kinds.SEVERAL: ("is_union",),
}


def is_named(kind: Any) -> bool:
    """Return whether the values of an extension type are read by that type and not by their storage type."""
    return getattr(kind, "extension_name", "") in ("arrow.uuid", "pandas.period", "pandas.interval")


def is_time_of_day(pa: Any, kind: Any) -> bool:
    """Return whether a column of this kind holds times of day, without a day."""
    return pa.types.is_time32(kind) or pa.types.is_time64(kind)


def is_numeric(pa: Any, kind: Any) -> bool:
    """Return whether a column of this kind holds numbers, durations or times of day.

    Parameters
    ----------
    pa : module
        The module pyarrow.
    kind : pyarrow.DataType
        The type.

    Returns
    -------
    bool
        True for numbers, durations and times of day, also in a dictionary.
    """
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_duration(kind) or is_time_of_day(pa, kind):
        return True
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def is_category(pa: Any, field: Any) -> bool:
    """Return whether a field declares its words as categories: a dictionary of words does."""
    return pa.types.is_dictionary(field.type) and is_word(pa, field.type.value_type)


def is_word(pa: Any, kind: Any) -> bool:
    """Return whether a column of this kind holds text."""
    return kind in (pa.string(), pa.large_string(), pa.string_view())


def order_of(pa: Any, chunks: Sequence[Any]) -> tuple[str, ...]:
    """Return the words of an ordered dictionary in their order, or () for other types."""
    kind = chunks[0].type
    if not (pa.types.is_dictionary(kind) and kind.ordered):
        return ()
    return tuple(dict.fromkeys(word for chunk in chunks for word in cells(pa, chunk.dictionary)))


def column_of(pa: Any, title: str, chunks: Sequence[Any], categorical: bool) -> Column:
    """Return the Column of a table's arrays, one array per chunk. `categorical` says whether words are categories."""
    kind = chunks[0].type
    if what := opaque_kind(pa, kind):
        return opaque_column(title, what, sum(map(len, chunks)))
    if isinstance(kind, pa.BaseExtensionType):
        if is_named(kind):
            return _extended(pa, title, chunks)
        return column_of(pa, title, [chunk.storage for chunk in chunks], categorical)
    if hasattr(pa.types, "is_run_end_encoded") and pa.types.is_run_end_encoded(kind):
        from pyarrow.compute import call_function

        decoded = [call_function("run_end_decode", [chunk]) for chunk in chunks]
        return column_of(pa, title, decoded, categorical)
    value_kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if categorical:
        column = replace(word_column(title, [cell for chunk in chunks for cell in cells(pa, chunk)]), declared=True)
        order = order_of(pa, chunks)
        return column.with_order(order) if order else column
    if value_kind is not kind and not is_word(pa, value_kind):  # a dictionary stores each word once, so words stay
        return column_of(pa, title, [chunk.dictionary_decode() for chunk in chunks], categorical)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        text = tuple(cell for chunk in chunks for cell in cells(pa, chunk))
        return Column(title, text, days(pa, chunks), dates=True, zone=zone_of(pa, kind))
    if pa.types.is_duration(kind) or is_time_of_day(pa, kind):
        return duration_column(title, seconds(pa, chunks))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return number_column(title, np.concatenate([chunk.to_numpy(zero_copy_only=False) for chunk in chunks]))
    text = [cell for chunk in chunks for cell in cells(pa, chunk)]
    may_be_numbers = pa.types.is_decimal(value_kind) or pa.types.is_null(value_kind) or is_word(pa, value_kind)
    return (parse_column if may_be_numbers else word_column)(title, text)


def _extended(pa, title, chunks):
    """Return the Column of UUIDs, of pandas' periods or of pandas' intervals."""
    if chunks[0].type.extension_name == "arrow.uuid":
        return word_column(
            title, ["" if value is None else str(value) for chunk in chunks for value in chunk.to_pylist()]
        )
    column = {"pandas.period": pandas_kinds.periods, "pandas.interval": pandas_kinds.intervals}
    return column[chunks[0].type.extension_name](title, pa.chunked_array(chunks).to_pandas())


def zone_of(pa: Any, kind: Any) -> str:
    """Return the time zone in whose local time the days of such a column are counted, or ""."""
    return unreadable_kinds.zone_name(kind.tz) if pa.types.is_timestamp(kind) else ""


def days(pa: Any, chunks: Sequence[Any]) -> Any:
    """Return the days since 1970 of dates and time stamps in their local time, shape (n,).

    Returns None if all are missing.
    """
    local = [_local(pa, chunk).cast(pa.timestamp("us"), safe=False).cast(pa.int64()) for chunk in chunks]
    microseconds = [each.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) for each in local]
    counts = np.concatenate(microseconds)
    return None if np.isnan(counts).all() else counts / 86400e6


def _local(pa, chunk):
    """Convert time stamps to the local time of their zone. Arrays without a zone are returned unchanged."""
    if not (pa.types.is_timestamp(chunk.type) and chunk.type.tz):
        return chunk
    from pyarrow.compute import call_function

    return call_function("local_timestamp", [chunk])


def seconds(pa: Any, chunks: Sequence[Any]) -> Any:
    """Return the seconds of durations, or of times of day since midnight, shape (n,). Missing values are NaN."""
    per_second = PER_SECOND[chunks[0].type.unit]
    whole = pa.int32() if pa.types.is_time32(chunks[0].type) else pa.int64()
    counts = [chunk.cast(whole).cast(pa.float64(), safe=False) for chunk in chunks]
    return np.concatenate([each.to_numpy(zero_copy_only=False) for each in counts]) / per_second


def cells(pa: Any, chunk: Any) -> list[str]:
    """Return the values of an array as text, with "" for missing values."""
    kind = chunk.type
    if pa.types.is_dictionary(kind):
        values = cells(pa, chunk.dictionary)
        return ["" if i is None else values[i] for i in chunk.indices.to_pylist()]
    if isinstance(kind, pa.BaseExtensionType):
        return ["" if value is None else str(value) for value in chunk.to_pandas()]
    if pa.types.is_timestamp(kind) and kind.tz:
        return _zoned(pa, chunk)
    if pa.types.is_temporal(kind):
        chunk = chunk.cast(pa.string())
    return ["" if value is None else str(value).strip() for value in chunk.to_pylist()]


def _zoned(pa, chunk):
    """Return time stamps with a zone as text: their local time and its offset from UTC."""
    local, plain = _local(pa, chunk), pa.timestamp("us")
    both = [each.cast(plain, safe=False).cast(pa.int64()).fill_null(0).to_numpy() for each in (local, chunk)]
    ahead = np.round((both[0] - both[1]) / 60e6).astype(int).tolist()
    texts = local.cast(pa.string()).to_pylist()
    return [
        "" if text is None else text + unreadable_kinds.format_utc_offset(minutes)
        for text, minutes in zip(texts, ahead, strict=True)
    ]
