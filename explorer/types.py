"""Types of the public API, with their shapes in one vocabulary.

n points of d coordinates are the rows of an (n, d) array; m counts a second sample, or values of a parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import IO, Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Arguments: anything that numpy converts to an array, lists and tables of pandas included.
PointsLike: TypeAlias = ArrayLike  # (n, d), or (n,) for d = 1; row numbers, labels or words if the kernel takes them
VectorLike: TypeAlias = ArrayLike  # (n,) numbers: weights, values of a parameter, bandwidths
MatrixLike: TypeAlias = ArrayLike  # (d, d) or (c, d, d) numbers: covariances, a Gram matrix
File: TypeAlias = str | PathLike[str] | bytes | IO[bytes]  # a path, the bytes themselves, or an open file
Seeds: TypeAlias = int | Sequence[int] | np.random.SeedSequence
Rng: TypeAlias = Seeds | np.random.Generator | np.random.BitGenerator | np.random.RandomState | None

# Results: read-only if an object keeps them.
Points: TypeAlias = NDArray[Any]  # (n, d): float64, or what the kernel takes
Gram: TypeAlias = NDArray[np.float64]  # (n, m): k(x_i, y_j)
Weights: TypeAlias = NDArray[np.float64]  # (n,), of any sign
Vector: TypeAlias = NDArray[np.float64]  # (n,) or (m,) numbers
Matrix: TypeAlias = NDArray[np.float64]  # (n, m) numbers
Values: TypeAlias = NDArray[np.float64]  # numbers in any number of dimensions
Rows: TypeAlias = NDArray[np.integer[Any]]  # numbers of rows, from 0, or counts
Mask: TypeAlias = NDArray[np.bool_]  # true for the selected rows or positions
Labels: TypeAlias = NDArray[Any]  # (n,): classes or groups, numbers or words
Covariances: TypeAlias = NDArray[np.float64]  # (d, d) or (n, d, d), in squared units of the points

# Options that several functions take.
Statistic: TypeAlias = Literal["unbiased", "biased"]
Constraint: TypeAlias = Literal["free", "sum-to-one", "simplex"]
MonkMethod: TypeAlias = Literal["bcd", "bcd-fast", "direction"]
Missing: TypeAlias = Literal["refuse", "drop"]
MissingCells: TypeAlias = Literal["value", "refuse", "drop"]  # "value" compares them as data

Input = TypeVar("Input", contravariant=True)
Value = TypeVar("Value", covariant=True)


class ConvertedField(Protocol[Input, Value]):
    """A field that takes values of one type and stores another: a list becomes a read-only array."""

    def __get__(self, instance: object, owner: type | None = None, /) -> Value: ...

    def __set__(self, instance: object, value: Input, /) -> None: ...
