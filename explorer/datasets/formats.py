"""Which format bytes are in, told by their first ones: NPY, NPZ, Parquet, packed, and everything else is text."""

from __future__ import annotations

import bz2
import gzip
import io
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal

from . import arrays, files, notation, parquet, text
from .columns import kept, sha256

if TYPE_CHECKING:
    from .columns import Table


PACKED: dict[bytes, tuple[str, Callable[..., Any]]] = {  # first bytes: the program that packed them, and what opens it
    b"\x1f\x8b": ("gzip", gzip.open),
    b"BZh91AY&SY": ("bzip2", bz2.open),
}
ENDINGS = (".gz", ".bz2")


def parse(raw: bytes, name: str, lenient: bool = False) -> Table:
    """The Table in the bytes of a file; `name` is the file's name in sentences. ValueError where they hold none.

    lenient: whether what only `dialects` and `notation` read is read too.
    """
    if start := next(filter(raw.startswith, PACKED), None):
        inner = name.removesuffix(next(filter(name.endswith, ENDINGS), ""))
        return replace(parse(_unpacked(raw, name, *PACKED[start]), inner, lenient), name=name, hash=sha256(raw))
    if raw.startswith(arrays.NPY):
        table = arrays.npy(raw, name)
    elif raw.startswith(arrays.ZIP):
        table = arrays.npz(raw, name)
    elif raw.startswith(parquet.MAGIC) and b"\0" in raw:
        # a text file may begin with a column PAR1, and has no zero bytes
        table = parquet.parse(raw, name)
    else:
        return text.parse(raw, name, lenient)
    return with_words_read(table) if lenient else table


def _unpacked(raw, name, program, opened):
    """What is packed, as far as a table may be large."""
    with files.reading(name, program), opened(io.BytesIO(raw)) as packed:
        whole = packed.read(files.MEGABYTES * 1_000_000 + 1)
    files.refuse_unpacked(name, len(whole))
    if whole.startswith(tuple(PACKED)):
        raise Refusal(f"{name} is packed twice; unpack it once.")
    return whole


def with_words_read(table: Table) -> Table:
    """A table whose columns of words are numbers or dates where their cells are, in some notation."""
    words = [column for column in table.columns if column.numbers is None and not column.order]
    read, unusual = notation.columns([column.cells for column in words])
    again = {
        column.name: replace(column, **{**each._asdict(), "cells": kept(each.cells)})
        for column, each in zip(words, read, strict=True)
    }
    columns = tuple(again.get(column.name, column) for column in table.columns)
    return replace(table, columns=columns, unusual=tuple(unusual), lenient=True)
