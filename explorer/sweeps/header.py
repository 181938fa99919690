"""Positions of a netCDF file's attributes and variables; every length is checked before it is used."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import NamedTuple

VERSION = b"CDF\x02"  # the classic format with offsets of 64 bits
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8}  # bytes of a value: byte, char, short, int, float, double
MOST = 100_000  # most entries of a list, and bytes of a name: far more than a store has, far less than memory


class Damaged(ValueError):
    """A header that ends too soon, or that has invalid content."""


class Area(NamedTuple):
    """Bytes of an attribute's text or of a variable, and the variable's dimensions."""

    start: int
    size: int
    dims: tuple[int, ...] = ()


class Header(NamedTuple):
    """Attributes and variables of a file by name, and the file's length in bytes."""

    attributes: dict[str, Area]
    variables: dict[str, Area]
    length: int


def header_of(file: int) -> Header:
    """Return the header of an open file."""
    reader = _Reader(file)
    reader.take(len(VERSION) + 4)  # the version, and the number of records
    lengths = [reader.named_length() for _ in reader.entries()]
    attributes = reader.attributes()
    variables = dict(reader.variable(lengths) for _ in reader.entries())
    return Header(attributes, variables, reader.length)


class _Reader:
    """Reader of a header from its start; each step raises Damaged if the file does not support it."""

    def __init__(self, file: int) -> None:
        self.file, self.at, self.length = file, 0, os.fstat(file).st_size

    def skip(self, size: int) -> int:
        """Return the position of the next bytes, and move past them and their padding to a multiple of 4."""
        start, self.at = self.at, self.at + size + -size % 4
        if self.at > self.length:
            raise Damaged("the header is cut off")
        return start

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        start = self.skip(size)
        return os.pread(self.file, size, start)

    def read_int(self, size: int = 4) -> int:
        """Return the next unsigned integer."""
        return int.from_bytes(self.take(size), "big")

    def count(self) -> int:
        """Return the next integer, which is a length; refuse one that is too large."""
        number = self.read_int()
        if number > MOST:
            raise Damaged(f"the header has a list or a name of {number} entries")
        return number

    def entries(self) -> range:
        """Return the range over the entries of the list that begins here."""
        self.read_int()  # the kind of the entries
        return range(self.count())

    def name(self) -> str:
        """Return the next name."""
        return self.take(self.count()).decode("latin-1")

    def named_length(self) -> int:
        """Return the length of the dimension that begins here."""
        self.name()
        return self.read_int()

    def width(self) -> int:
        """Return the bytes of a value of the next type."""
        kind = self.read_int()
        if kind not in SIZES:
            raise Damaged(f"the header has a value of the kind {kind}")
        return SIZES[kind]

    def attributes(self) -> dict[str, Area]:
        """Return the areas of the attributes that begin here, by name."""
        areas = {}
        for _ in self.entries():
            name, width = self.name(), self.width()
            size = width * self.read_int()
            areas[name] = Area(self.skip(size), size)
        return areas

    def variable(self, lengths: Sequence[int]) -> tuple[str, Area]:
        """Return the name and the area of the variable that begins here."""
        name = self.name()
        dims = tuple(self.read_int() for _ in range(self.count()))
        if any(dim >= len(lengths) for dim in dims):
            raise Damaged("the header has a variable of a dimension that is not there")
        self.attributes()
        width = self.width()
        self.read_int()  # the size, which follows from the dimensions
        return name, Area(self.read_int(8), width * math.prod(lengths[dim] for dim in dims), dims)
