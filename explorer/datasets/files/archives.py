"""Zip archives that hold a table in any format. Unpacking stops at the size limit."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath
from typing import NamedTuple

from explorer.checks import Refusal, echo

from . import addresses, contents, limits, numpy_files
from .addresses import Part

ENDINGS = frozenset(
    ".csv .tsv .tab .json .jsonl .ndjson .npy .npz .parquet .pq .xlsx .xlsm .xlsb .xls .ods .arrow .feather .ipc .dta"
    " .sav .zsav .por .sas7bdat .xpt .sqlite .sqlite3 .db .duckdb .gz .bz2".split()
)
TEXT = frozenset((".txt", ".dat", ".data", ""))  # extensions of tables, but also of the notes about them
AGAIN = "it was cut short or altered; pack the table again"
ENCRYPTED = 1  # flag bit of a member with a password


def members(raw: bytes, name: str) -> tuple[str, ...]:
    """Return the names of the members of an archive. Raises Refusal if it is damaged or has too many members."""
    if raw.count(numpy_files.ENTRY) > limits.MEMBERS:  # zipfile would create an object for each
        raise Refusal(f"{name} holds more than {limits.MEMBERS:,} files, the limit; pack the table alone.")
    with contents.reading(name, "zip", AGAIN), zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return tuple(archive.namelist())


def tables(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the files in an archive, and of those that are tables by their extensions."""
    files = tuple(each for each in names if not each.endswith("/") and not _is_hidden(each))
    for endings in (ENDINGS, ENDINGS | TEXT):
        if usable := tuple(each for each in files if PurePosixPath(each).suffix.lower() in endings):
            return files, usable
    return files, files


def _is_hidden(member):
    return member.startswith("__MACOSX/") or any(part.startswith(".") for part in PurePosixPath(member).parts)


class Member(NamedTuple):
    """File of an archive: its name, its bytes, and the part of it that is meant."""

    name: str
    raw: bytes
    part: Part


def read_member(raw: bytes, name: str, part: Part = None) -> Member:
    """Return the file of an archive that `part` names, or the only one that is a table.

    In archive.zip#book.xlsx#june `part` names the member and one of its sheets.
    """
    names, usable = tables(members(raw, name))
    inner: Part = None
    if isinstance(part, str) and part not in names:
        known = [each for each in names if part.startswith(each + addresses.MARK)]
        if known:
            whole = max(known, key=len)
            part, inner = whole, part[len(whole) + 1 :]
        elif len(usable) == 1 and not any(part.casefold() == each.casefold() for each in names):
            part, inner = None, part  # it names a sheet of the only table
    chosen = addresses.choose_part(name, "file", names, part, usable)
    return Member(chosen, _content(raw, name, chosen), inner)


def _content(raw, name, member):
    """Return the bytes of a member, up to the largest size of a table."""
    with contents.reading(name, "zip", AGAIN), zipfile.ZipFile(io.BytesIO(raw)) as archive:
        info = archive.getinfo(member)
    if info.flag_bits & ENCRYPTED:
        raise Refusal(f"{name} is protected by a password; pack {echo(member)} without one.")
    if info.compress_type not in numpy_files.BOUNDED:
        raise Refusal(f"{name} is packed in a way whose size cannot be limited; pack {echo(member)} by deflate.")
    contents.refuse_unpacked(addresses.part_label(name, member), info.file_size)
    with (
        contents.reading(name, "zip", AGAIN),
        zipfile.ZipFile(io.BytesIO(raw)) as archive,
        archive.open(info) as opened,
    ):
        content = opened.read(contents.MEGABYTES * 1_000_000 + 1)
    contents.refuse_unpacked(addresses.part_label(name, member), len(content))
    return content
