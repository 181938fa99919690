"""Whether a store is whole: a checksum for each cell, and one for all that is no cell."""

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
PIECE = 1 << 20  # bytes read at a time
CELLS = 1 << 14  # cells checked at a time: memory stays small beside the numbers themselves


def packed(index: int, values: Sequence[float]) -> bytes:
    """A cell's index, its numbers and their checksum, as bytes."""
    row = struct.pack(f">q{len(values)}d", index, *values)
    return row + struct.pack(">I", crc32(row))


def cells_of(file: int, header: Header, names: Sequence[str]) -> tuple[dict[str, Vector], Mask, Rows, Rows]:
    """What a file has in its cells.

    {name: numbers}, nan where there is none; flags of the cells that are there; the indices of those that are damaged;
    and of those that are there without a flag in the file.
    """
    raw = {name: np.frombuffer(read(file, header.variables[name]), ">u8") for name in names}  # nan as it is, in bits
    flags = np.frombuffer(read(file, header.variables[DONE]), np.int8)
    sums = np.frombuffer(read(file, header.variables[CHECKSUM]), ">u4")
    touched = np.flatnonzero((flags != 0) | (sums != 0))
    fits = np.zeros(len(flags), bool)
    for part in (touched[i : i + CELLS] for i in range(0, len(touched), CELLS)):
        rows = np.stack([part.astype(np.uint64), *(raw[name][part] for name in names)], axis=1).astype(">u8")
        fits[part] = [crc32(row) for row in rows] == sums[part]
    there = fits & ((flags == 0) | (flags == 1))
    values = {name: np.where(there, raw[name].view(">f8"), np.nan) for name in names}
    return values, there, np.flatnonzero((flags != 0) & ~there), np.flatnonzero((flags == 0) & there)


def frame_of(file: int, header: Header) -> bytes:
    """The checksum of all bytes but those of the cells, of the checksum itself, and the first, which come last."""
    cells = header.variables[DONE].dims if DONE in header.variables else None
    left_out = [(0, 3), header.attributes[FRAME][:2]]
    left_out += [area[:2] for area in header.variables.values() if area.dims == cells]
    digest, at = sha256(), 0
    for start, size in [*sorted(left_out), (header.length, 0)]:
        for place in range(at, start, PIECE):
            digest.update(os.pread(file, min(PIECE, start - place), place))
        at = start + size
    return digest.hexdigest().encode()


def blank_frame() -> str:
    """What stands in the place of that checksum until it is known."""
    return "0" * 2 * sha256().digest_size


def read(file: int, area: Area) -> bytes:
    """The bytes of an area; fewer where the file ends."""
    pieces = []
    for place in range(area.start, area.start + area.size, PIECE):
        pieces.append(os.pread(file, min(PIECE, area.start + area.size - place), place))
        if not pieces[-1]:
            break
    return b"".join(pieces)
