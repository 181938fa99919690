"""Where a netCDF file keeps its attributes and variables, read without believing a length before it is checked."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import NamedTuple

VERSION = b"CDF\x02"  # the classic format with places of 64 bits
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8}  # bytes of a value: byte, char, short, int, float, double
MOST = 100_000  # entries of a list, and bytes of a name: far more than a store has, far less than memory


class Damaged(ValueError):
    """A header that ends too soon, or that holds what none can."""


class Area(NamedTuple):
    """The bytes of an attribute's text or of a variable, and the variable's dimensions."""

    start: int
    size: int
    dims: tuple[int, ...] = ()


class Header(NamedTuple):
    """The attributes and variables of a file by their names, and how many bytes the file has."""

    attributes: dict[str, Area]
    variables: dict[str, Area]
    length: int


def header_of(file: int) -> Header:
    """The header of an open file."""
    reader = _Reader(file)
    reader.take(len(VERSION) + 4)  # the version, and the number of records
    lengths = [reader.named_length() for _ in reader.entries()]
    attributes = reader.attributes()
    variables = dict(reader.variable(lengths) for _ in reader.entries())
    return Header(attributes, variables, reader.length)


class _Reader:
    """Goes through a header from its start; each step raises Damaged where the file does not bear it."""

    def __init__(self, file: int) -> None:
        self.file, self.at, self.length = file, 0, os.fstat(file).st_size

    def skip(self, size: int) -> int:
        """The place of the next bytes, and go beyond them and their padding to a multiple of 4."""
        start, self.at = self.at, self.at + size + -size % 4
        if self.at > self.length:
            raise Damaged("the header is cut off")
        return start

    def take(self, size: int) -> bytes:
        start = self.skip(size)
        return os.pread(self.file, size, start)

    def number(self, size: int = 4) -> int:
        return int.from_bytes(self.take(size), "big")

    def count(self) -> int:
        number = self.number()
        if number > MOST:
            raise Damaged(f"the header has a list or a name of {number} entries")
        return number

    def entries(self) -> range:
        self.number()  # says of which kind they are
        return range(self.count())

    def name(self) -> str:
        return self.take(self.count()).decode("latin-1")

    def named_length(self) -> int:
        self.name()
        return self.number()

    def width(self) -> int:
        kind = self.number()
        if kind not in SIZES:
            raise Damaged(f"the header has a value of the kind {kind}")
        return SIZES[kind]

    def attributes(self) -> dict[str, Area]:
        areas = {}
        for _ in self.entries():
            name, width = self.name(), self.width()
            size = width * self.number()
            areas[name] = Area(self.skip(size), size)
        return areas

    def variable(self, lengths: Sequence[int]) -> tuple[str, Area]:
        name = self.name()
        dims = tuple(self.number() for _ in range(self.count()))
        if any(dim >= len(lengths) for dim in dims):
            raise Damaged("the header has a variable of a dimension that is not there")
        self.attributes()
        width = self.width()
        self.number()  # the size, which follows from the dimensions
        return name, Area(self.number(8), width * math.prod(lengths[dim] for dim in dims), dims)
