"""Workbooks of spreadsheets (.xlsx, .xlsm, .xlsb, .xls and .ods): the cells of a sheet, read by python-calamine."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns.durations import parse_durations
from explorer.datasets.columns.table import duration_column, sha256
from explorer.datasets.refusal import TableRefusal

from . import addresses, contents, limits, table_frame, text
from .addresses import Part

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Column, Table

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # first bytes of .xls, and of a workbook with a password
TYPES = b"[Content_Types].xml"
XML = 400_000_000  # largest size of an unpacked workbook in bytes: its XML takes about ten times as much as its cells
SECONDS = 120  # longest time that the reader may take; the largest workbook takes ten seconds
FAULTS = (b"PanicException", b"MemoryError")  # exceptions of the reader that a workbook causes
PROGRAM = Path(__file__).with_name("workbook_process.py")


def is_workbook(members: Collection[str]) -> bool:
    """Return whether a zip archive with these members is a workbook."""
    office = TYPES.decode() in members and any(name.startswith("xl/") for name in members)
    return office or ("content.xml" in members and "mimetype" in members)


def parse(raw: bytes, name: str, lenient: bool = False, part: Part = None) -> Table:
    """Return the Table in a sheet of a workbook.

    `part` is the name of the sheet or its position; None means the only visible sheet that holds a table. Raises
    Refusal if there are several, and if the workbook is damaged, too large, or has a password.
    """
    _refuse_unpacked(raw, name)
    reply = _answer(raw, name, part)
    sheet = addresses.choose_part(name, "sheet", tuple(reply["sheets"]), part, tuple(reply["usable"]))
    if reply.keys() <= {"sheets", "usable"}:  # the requested name differs in case from the sheet's
        reply = _answer(raw, name, sheet)
    whole = f"sheet {sheet!r} of {name}"
    if "height" in reply:
        limits.refuse_shape(whole, reply["height"], reply["width"])
    columns, first = reply["columns"], reply["first"]
    filled = np.array([[cell != "" for cell in column] for column in columns]).any(axis=0) if columns else np.zeros(0)
    if not filled.any():
        raise Refusal(f"{whole} is empty; choose a sheet with at least one row, or add one.")
    rows = np.flatnonzero(filled)
    limits.refuse_shape(whole, len(rows), len(columns))
    contents.refuse_unpacked(whole, sum(len(cell) for column in columns for cell in column))
    if any(len(cell) > limits.LETTERS for column in columns for cell in column):
        raise Refusal(f"{whole} has a cell of more than {limits.LETTERS:,} letters, the limit; shorten it.")
    blank = len(filled) > len(rows)
    cells = [[column[i] for i in rows] if blank else column for column in columns]
    lines = (rows + first).tolist()
    digest = sha256(raw if part is None else raw + f"{addresses.MARK}{sheet}".encode())
    if lenient:
        return text.of_cells(lines, cells, name, digest, ["blank lines left out"] if blank else [])
    if above := table_frame.remarks_above(cells):
        raise TableRefusal(
            f"{whole} has {above} line{'s' * (above > 1)} above the table", "lenient", True, "to leave them out"
        )
    table = text.of_cells(lines, cells, name, digest)
    return replace(table, columns=tuple(map(_as_lengths, table.columns, reply["lengths"])))


def sheet_names(raw: bytes, name: str) -> tuple[str, ...]:
    """Return the names of the sheets of a workbook."""
    return tuple(_answer(raw, name, 0)["sheets"])


def _as_lengths(column: Column, last: int | None) -> Column:
    """Return a column as seconds if all its cells below the first are durations.

    `last` is the last row that holds something else, or None if the column has no duration.
    """
    if last is None or last > 0 or column.numbers is not None:
        return column
    durations = parse_durations({cell for cell in column.cells if cell})
    if durations is None:
        return column
    return duration_column(column.name, np.array([durations.seconds.get(cell, np.nan) for cell in column.cells]))


def _refuse_unpacked(raw: bytes, name: str) -> None:
    """Refuse a workbook that takes too much when unpacked, according to its directory."""
    if raw.startswith(OLE):
        return
    with contents.reading(name, "workbook"), zipfile.ZipFile(io.BytesIO(raw)) as archive:
        size = sum(info.file_size for info in archive.infolist())
    if size > XML:
        raise limits.TooLarge(
            f"{name} takes {size / 1e6:,.0f} MB when unpacked, and {XML / 1e6:.0f} MB is the limit; {limits.LESS}."
        )


def _answer(raw: bytes, name: str, part: Part) -> dict[str, Any]:
    """Run the reader in a separate process and return its answer about a workbook."""
    request = json.dumps({"part": part, "most": limits.CELLS})
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(PROGRAM), request], input=raw, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Refusal(
            f"{name} takes more than {SECONDS} s to read, the limit; {limits.LESS}, or save it as CSV."
        ) from None
    if done.returncode or not done.stdout:
        if b"python_calamine" in done.stderr and b"ModuleNotFoundError" in done.stderr:
            raise Refusal(f"{name} is a workbook, and reading it needs python-calamine: pip install python-calamine.")
        if b"Traceback" in done.stderr and not any(each in done.stderr for each in FAULTS):
            raise RuntimeError(done.stderr.decode(errors="replace"))
        raise Refusal(
            f"{name} takes more memory to read than a workbook of {limits.CELLS:,} cells, the limit, or is damaged;"
            " keep only the sheet that you need, without cells far from the others, or save that sheet as CSV."
        )
    reply = json.loads(done.stdout)
    if reply.get("error") == "password":
        raise Refusal(f"{name} is protected by a password; save it without one.")
    if "error" in reply:
        raise Refusal(
            f"{name} is no sound workbook ({reply['why']:.100}); it was cut short or altered: save it again, or as CSV."
        )
    return reply
