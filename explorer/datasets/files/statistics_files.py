"""Reader of files of statistics programs: Stata, by pandas; SPSS and SAS, by pyreadstat if it is installed."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

from explorer import frames
from explorer.datasets import dataframes
from explorer.datasets.columns.table import sha256

from . import contents, limits

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

STATA = b"<stata_dta>"
OLD_STATA = {bytes([version, order, 1, 0]) for version in (104, 105, 108, 110, 111, 113, 114, 115) for order in (1, 2)}
SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
XPORT = (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!", b"HEADER RECORD*******LIBV8   HEADER RECORD!!!!!!!")
PORTABLE = b"ASCII SPSS PORT FILE"
TIMES = ("TIME", "DTIME", "MTIME", "TOD", "HHMM", "MMSS")  # beginnings of the formats of durations
READERS = {  # kind -> function of pyreadstat that reads it, extension of its files
    "SPSS": ("read_sav", ".sav"),
    "packed SPSS": ("read_sav", ".zsav"),
    "portable SPSS": ("read_por", ".por"),
    "SAS": ("read_sas7bdat", ".sas7bdat"),
    "SAS transport": ("read_xport", ".xpt"),
}


def kind_of(raw: bytes) -> str:
    """Return the program whose files begin with these bytes: "Stata", a key of `READERS`, or "" if there is none."""
    if raw.startswith(STATA) or (raw[:4] in OLD_STATA and b"\0" in raw[:200]):
        return "Stata"
    if raw.startswith(b"$FL2"):
        return "SPSS"
    if raw.startswith(b"$FL3"):
        return "packed SPSS"
    if raw.startswith(SAS):
        return "SAS"
    if raw.startswith(XPORT):
        return "SAS transport"
    return "portable SPSS" if PORTABLE in raw[:200].replace(b"\r", b"").replace(b"\n", b"") else ""


def parse(raw: bytes, name: str) -> Table:
    """Return the Table in the bytes of a file. Labelled values become words and missing values gaps."""
    kind = kind_of(raw)
    frame = _stata(raw, name) if kind == "Stata" else _by_pyreadstat(raw, name, kind)
    known_frame: Any = frames.frame_of(frame)
    table = dataframes.table_of(known_frame, name)
    return table.with_hash(sha256(raw))


def _stata(raw, name):
    """Return a DataFrame of a Stata file. If labels are not unique, the numbers are returned without them."""
    import pandas

    with warnings.catch_warnings(), contents.reading(name, "Stata"):
        warnings.simplefilter("ignore")
        frame: Any
        try:
            frame = pandas.read_stata(io.BytesIO(raw), order_categoricals=False)
        except ValueError as error:
            if "not unique" not in str(error):
                raise
            frame = pandas.read_stata(io.BytesIO(raw), convert_categoricals=False)
    limits.refuse_shape(name, *frame.shape)
    return frame


def _by_pyreadstat(raw, name, kind):
    """Return a DataFrame of an SPSS or SAS file."""
    import pandas

    with contents.require_package(
        "pyreadstat", name, f"a file of {kind.removeprefix('packed ').removeprefix('portable ')}"
    ):
        import pyreadstat
    function, ending = READERS[kind]
    read: Any = getattr(pyreadstat, function)
    with contents.on_disk(raw, ending) as path:
        with contents.reading(name, kind):
            _, known = read(str(path), metadataonly=True)
        limits.refuse_shape(name, max(known.number_rows or 0, 0), known.number_columns)
        contents.refuse_unpacked(name, 8 * max(known.number_rows or 0, 0) * known.number_columns)
        labels = {} if kind.startswith("SAS") else {"apply_value_formats": True, "formats_as_category": False}
        formats = known.original_variable_types
        lasting = [each for each, form in formats.items() if (form or "").upper().startswith(TIMES)]
        with contents.reading(name, kind):
            frame, _ = read(str(path), row_limit=limits.ROWS + 1, **labels)
            if lasting:  # read as times of day, they would restart after 24 hours
                seconds, _ = read(
                    str(path), row_limit=limits.ROWS + 1, usecols=lasting, disable_datetime_conversion=True
                )
                frame[lasting] = seconds.apply(pandas.to_timedelta, unit="s")
    limits.refuse_shape(name, *frame.shape)
    return frame
