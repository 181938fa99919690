"""Arrays of an NPZ archive, each measured by its header before it is unpacked, and read no further than that."""

from __future__ import annotations

import math
import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

import numpy as np

MOST = 20  # most arrays of an archive: a sketch has at most ten
END, END_BYTES = b"PK\x05\x06", 22  # start and length of the end record of an archive without a comment
LARGE = b"PK\x06\x07"  # start of the record before the end of archives of more than 65,535 members or 4 GB
LARGE_BYTES = 20  # length of that record
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # other methods are unpacked whole, however little is read
PLAIN = 100_000_000  # bytes that any archive may have after unpacking
PACKED = 16  # most bytes after unpacking per byte of a larger file: sums of cosines are compressed to a half at best


class Header(NamedTuple):
    """Header of an array: its shape and the type of its numbers."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


class Members:
    """Arrays of an open archive.

    Raises
    ------
    zipfile.BadZipFile
        If it has no arrays, or more or larger ones than allowed.
    """

    def __init__(self, file: IO[bytes]) -> None:
        size = file.seek(0, os.SEEK_END)
        _refuse_large_directory(file, size)
        self._archive = zipfile.ZipFile(file)
        infos = self._archive.infolist()
        self._infos = {info.filename.removesuffix(".npy"): info for info in infos if info.filename.endswith(".npy")}
        if not 0 < len(infos) == len(self._infos) <= MOST:
            raise zipfile.BadZipFile("it holds something else than a few arrays, each with a name of its own")
        if sum(info.file_size for info in infos) > max(PLAIN, PACKED * size):
            raise zipfile.BadZipFile("it holds more than what such a file is packed from")
        if any(info.compress_type not in BOUNDED for info in infos):
            raise zipfile.BadZipFile("it is packed in a way that numpy never packs")

    @property
    def names(self) -> set[str]:
        """Names of its arrays."""
        return set(self._infos)

    def scalar(self, name: str) -> Any:
        """Return a number or a short word, an array of shape ()."""
        return self.array(name, (), 256)

    def array(self, name: str, shape: Sequence[int | None], most: int) -> np.ndarray:
        """Return an array of this shape, None for any length, with at most `most` bytes."""
        with self.opened(name) as (header, member):
            length = math.prod(header.shape) * header.dtype.itemsize
            fits = len(header.shape) == len(shape)
            if not fits or any(k not in (None, n) for n, k in zip(header.shape, shape, strict=True)) or length > most:
                raise zipfile.BadZipFile(f"its {name} have another shape")
            return np.frombuffer(_read(member, length), header.dtype).reshape(header.shape)

    @contextmanager
    def opened(self, name: str) -> Iterator[tuple[Header, IO[bytes]]]:
        """Yield the header of an array and its values.

        The block has to read all values; their checksum is verified then.
        """
        info = self._infos[name]
        with self._archive.open(info) as member:
            if np.lib.format.read_magic(member) != (1, 0):  # headers of later versions may have any length
                raise zipfile.BadZipFile(f"its {name} are in a format that a sketch never has")
            shape, by_columns, dtype = np.lib.format.read_array_header_1_0(member)
            begin, length = member.tell(), math.prod(shape) * dtype.itemsize
            if min(shape, default=0) < 0 or dtype.hasobject or not dtype.itemsize or begin + length != info.file_size:
                raise zipfile.BadZipFile(f"its {name} are shorter or longer than they say")
            if by_columns and len(shape) > 1:
                raise zipfile.BadZipFile(f"its {name} are in an order that a sketch never has")
            yield Header(shape, dtype), member
            if member.read(1):
                raise zipfile.BadZipFile(f"its {name} go on")


def _read(member, length) -> bytes:
    """Return this number of bytes of an array."""
    raw = member.read(length)
    if len(raw) != length:
        raise EOFError
    return raw


def _refuse_large_directory(file, size):
    """Raise BadZipFile if an archive's directory has more entries than a sketch, before an object is made of each."""
    tail = LARGE_BYTES + END_BYTES
    file.seek(max(0, size - tail))
    raw = file.read(tail)
    end = raw[-END_BYTES:]
    if not end.startswith(END) or int.from_bytes(end[10:12], "little") > MOST or raw[:-END_BYTES].startswith(LARGE):
        raise zipfile.BadZipFile("it does not end as an archive of a few arrays does")
