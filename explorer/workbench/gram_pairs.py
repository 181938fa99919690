"""Pairs with a side that is known by the user's Gram matrix: its coordinates, compared by their linear kernel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import DataSet
from explorer.kernels import Linear

from .fields import SecondTable, UserTable, absent
from .stages import derived

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.kernels.gaussian import Gaussian


class GramInput(SecondTable, UserTable):
    """A lab of pairs (x, y) whose x, or x and y, may be Gram matrices of the user.

    One file has x's matrix and, in further columns, the candidates for y; `columns` names those. A second file has y's
    matrix, of the same rows in the same order. The coordinates of such a side are those of `read_table(gram=True)`.
    They are compared by their linear kernel, which is the matrix itself.
    """

    takes_gram = True

    @derived
    def by_gram(self) -> tuple[bool, bool]:
        """Two booleans: x is known by a Gram matrix, and y is."""
        x = self.takes_gram and self.gram and self.source == "file"
        return x, x and bool(self.hash2)

    @property
    def taken_as(self) -> str:
        """The argument of `read_table` that gets the lab's `columns`: "beside" if x is known by a Gram matrix."""
        return "beside" if self.by_gram[0] else "columns"

    @derived
    def named(self) -> tuple[Any, ...]:
        """Identity of the user's tables: hashes and the fields that determine how the files are read."""
        return self.hash + self.hash2, self.columns, self.missing, self.standardise, self.lenient, self.gram

    def the_table(self) -> DataSet:
        """Return the table that the source names; with x's Gram matrix, the first columns are x's coordinates.

        Raises a Refusal if this session does not have the table, or has read it in another way.
        """
        # called by its class: a stage reads through another self, which super() refuses
        table = UserTable.the_table(self)
        if self.source == "file" and bool(table.axes) != self.by_gram[0]:
            raise absent(self)  # the same file, read in another way
        return table

    def compared(self, kernels: Iterable[Any] | tuple[Gaussian, Gaussian]) -> tuple[Kernel, Kernel]:
        """Return the kernels of both sides: the linear kernel for a side known by a Gram matrix."""
        x, y = (Linear() if gram else kernel for gram, kernel in zip(self.by_gram, kernels, strict=True))
        return x, y

    def coordinates(self, table: DataSet) -> tuple[list[str], list[str]]:
        """Return the names of x's coordinates, and of the columns that y may be, if a table has x's Gram matrix.

        Raises
        ------
        Refusal
            If the field x names a column, or if there is no column for y.
        """
        if self.x:
            raise Refusal(
                "x names a column, but x is already given by the Gram matrix in {}. Leave x empty.", table.name
            )
        x, others = list(table.names[: table.axes]), list(table.names[table.axes :])
        if not others:
            raise Refusal(
                "{} is a Gram matrix without any other column, so there is no y; add one to the file, or take a"
                " second file, with y's Gram matrix.",
                table.name,
            )
        return x, others

    @property
    def gram_in_words(self) -> str:
        """Sentence on how the sides given by Gram matrices are compared and drawn; empty if there are none."""
        if not self.by_gram[0]:
            return ""
        if self.by_gram[1]:
            return (
                "x and y are compared by their Gram matrices themselves, the linear kernels of their principal axes;"
                " the first axis of each is drawn, the others held at their medians."
            )
        return (
            "x is compared by the Gram matrix itself, the linear kernel of its principal axes; the first axis is drawn,"
            " the others held at their medians."
        )


def both_by_gram(first: DataSet, second: DataSet) -> DataSet:
    """Return the DataSet of two Gram matrices of the same rows: the coordinates of x, then those of y.

    Parameters
    ----------
    first, second : DataSet
        The coordinates of x and of y.

    Returns
    -------
    DataSet
        Its hash is that of the first file followed by that of the second.

    Raises
    ------
    Refusal
        If the numbers of rows differ.
    """
    if first.n != second.n:
        raise Refusal(
            "{} is a Gram matrix of {} rows and {} one of {}; pairs need equally many, row i of one beside"
            " row i of the other.",
            first.name,
            first.n,
            second.name,
            second.n,
        )
    names = [f"{axis} of {side}" for side, data in (("x", first), ("y", second)) for axis in data.names]
    name = f"{first.name} and {second.name}"
    X = np.hstack([first.X, second.X])
    return DataSet(name, X, tuple(names), hash=first.hash + second.hash, axes=first.axes)
