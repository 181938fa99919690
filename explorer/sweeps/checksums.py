"""Checksums of a store: one for each cell, and one for everything else in the file."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from explorer.types import Mask, Rows, Vector

if TYPE_CHECKING:
    from .header import Area, Header


DONE = "computed"
CHECKSUM = "checksum"
FRAME = "checksum_of_the_rest"
PIECE = 1 << 20  # bytes that are read at a time
CELLS = 1 << 14  # cells that are checked at a time: little memory compared with the numbers themselves


def pack(index: int, values: Sequence[float]) -> bytes:
    """Return a cell's index, its numbers and their checksum, as bytes."""
    row = struct.pack(f">q{len(values)}d", index, *values)
    return row + struct.pack(">I", crc32(row))


def cells_of(file: int, header: Header, names: Sequence[str]) -> tuple[dict[str, Vector], Mask, Rows, Rows]:
    """Return the contents of a file's cells.

    These are {name: numbers}, nan for missing ones; flags of the complete cells; the indices of the damaged cells; and
    the indices of complete cells without a flag in the file.
    """
    raw = {
        name: np.frombuffer(read(file, header.variables[name]), ">u8") for name in names
    }  # as integers: nan keeps its bits
    flags = np.frombuffer(read(file, header.variables[DONE]), np.int8)
    sums = np.frombuffer(read(file, header.variables[CHECKSUM]), ">u4")
    touched = np.flatnonzero((flags != 0) | (sums != 0))
    fits = np.zeros(len(flags), bool)
    for part in (touched[i : i + CELLS] for i in range(0, len(touched), CELLS)):
        rows = np.stack([part.astype(np.uint64), *(raw[name][part] for name in names)], axis=1).astype(">u8")
        fits[part] = [crc32(row) for row in rows] == sums[part]
    complete = fits & ((flags == 0) | (flags == 1))
    values = {name: np.where(complete, raw[name].view(">f8"), np.nan) for name in names}
    return values, complete, np.flatnonzero((flags != 0) & ~complete), np.flatnonzero((flags == 0) & complete)


def frame_of(file: int, header: Header, mark: int | None = None) -> bytes:
    """Return the checksum of all bytes except the cells, the checksum itself, and the first bytes (written last).

    The byte at `mark` counts as "1", whatever the file has there.
    """
    cells = header.variables[DONE].dims if DONE in header.variables else None
    left_out = [(0, 3), header.attributes[FRAME][:2]]
    left_out += [area[:2] for area in header.variables.values() if area.dims == cells]
    left_out += [] if mark is None else [(mark, 1)]
    digest, at = sha256(), 0
    for start, size in [*sorted(left_out), (header.length, 0)]:
        for place in range(at, start, PIECE):
            digest.update(os.pread(file, min(PIECE, start - place), place))
        if start == mark:
            digest.update(b"1")
        at = start + size
    return digest.hexdigest().encode()


def blank_frame() -> str:
    """Return the placeholder of that checksum until it is computed."""
    return "0" * 2 * sha256().digest_size


def read(file: int, area: Area) -> bytes:
    """Return the bytes of an area; fewer if the file ends before it does."""
    pieces = []
    for place in range(area.start, area.start + area.size, PIECE):
        pieces.append(os.pread(file, min(PIECE, area.start + area.size - place), place))
        if not pieces[-1]:
            break
    return b"".join(pieces)
