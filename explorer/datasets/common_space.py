"""Tables of one space, with common columns, levels and scales, and the kernel that compares their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np

from explorer.kernels import Equality, Gaussian, Laplacian, Linear, Precomputed, Product, in_prose
from explorer.printing import filled_fields, join_list, printed
from explorer.record import record
from explorer.types import Mask, Points, Vector

from .columns.quantity import quantities_named
from .columns.scales import FACTOR, robust_scale
from .columns.treatment import ColumnTreatment, format_three_digits
from .dataset import DataSet

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


ELSEWHERE = 0.5  # kernel value of two different levels; that of equal ones is 1
TABULATED = 50  # largest number of levels whose kernel is stored as a matrix


@printed
@record
class Tables(Sequence[DataSet]):
    r"""Tables of one space: a sequence of `DataSet` whose X hold the same columns in the same units.

    Parameters
    ----------
    data : tuple of DataSet
        The tables in the order of their files. X (n, d) of each holds numbers over their scale, and categories as codes
        0, 1, ..., the positions of their levels.
    columns : tuple of ColumnTreatment
        The treatment of every column of the files, including those that are left out.
    scale : {"none", "common"}, default "none"
        "common" if numbers were divided by common scales.
    spread : float or None, default None
        The largest of the numbers' robust scales over the smallest, in the files' units. None computes it.
    remarks : tuple of tuple of str, default ()
        For each file, what only the lenient reader accepts.
    gaps : tuple of dict of str to int, default ()
        For each file, the number of missing cells of each column for which rows were left out, by name.
    rows : int or None, default None
        The number of rows of the files, if `data` holds only some of them.
    complete : tuple of ndarray of bool of shape (n,), default ()
        For each file, which of its rows miss no cell and so are in its X.
    sources : tuple of (object, str or None), default ()
        The files or DataFrames that were read, with their names in messages, so that they can be read again.

    Examples
    --------
    >>> from explorer.datasets import Tables, read_tables
    >>> first, second = b"x,kind\n0,a\n1,b\n2,a\n", b"x,kind\n5,a\n6,a\n7,b\n"
    >>> tables: Tables = read_tables([first, second])
    >>> [table.X.round(1).tolist() for table in tables]
    [[[0.0, 0.0], [0.3, 1.0], [0.6, 0.0]], [[1.5, 0.0], [1.8, 0.0], [2.1, 1.0]]]
    >>> tables.levels
    {'kind': ('a', 'b')}
    """

    data: tuple[DataSet, ...]
    columns: tuple[ColumnTreatment, ...]
    scale: str = "none"
    spread: float | None = None
    remarks: tuple[tuple[str, ...], ...] = ()
    gaps: tuple[dict[str, int], ...] = ()
    rows: int | None = None
    complete: tuple[np.ndarray, ...] = ()
    sources: tuple[tuple[Any, str | None], ...] = ()

    def __post_init__(self) -> None:
        if self.spread is None:
            scales = [scale for scale, varies in self._robust.values() if varies]
            object.__setattr__(self, "spread", max(scales) / min(scales) if scales else 1.0)

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, index: int) -> DataSet: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[DataSet, ...]: ...
    def __getitem__(self, index: int | slice) -> DataSet | tuple[DataSet, ...]:
        return self.data[index]

    def _parts(self):
        return [(name, value) for name, value in filled_fields(self) if name != "sources"]

    @cached_property
    def included(self) -> tuple[ColumnTreatment, ...]:
        """Treatments of X's columns, in their order."""
        return tuple(column for column in self.columns if column.kind != "left out")

    @property
    def kept(self) -> tuple[ColumnTreatment, ...]:
        """Former name of `included`."""
        return self.included

    @property
    def noted(self) -> tuple[str, ...]:
        """Notes on compared columns, as sentences without a period, see `common_units`.

        They concern limits that were raised, units, flags, words that are treated as missing, and numbers that may
        stand for missing values.
        """
        return tuple(f"{column.label}: {', '.join(column.remarks)}" for column in self.included if column.remarks)

    @property
    def scales(self) -> dict[str, float]:
        """Divisor of each column of numbers, by name."""
        return {column.name: column.scale for column in self.columns if column.kind == "number"}

    @property
    def levels(self) -> dict[str, tuple[str, str]] | dict[str, tuple[str, ...]]:
        """Levels of each category, by name."""
        return {column.name: column.levels for column in self.columns if column.kind == "category"}

    @property
    def uneven(self) -> bool:
        """True if the numbers' scales differ so much, in the files' units, that the largest would dominate."""
        return self.spread is not None and self.spread > FACTOR

    def _of_kind(self, kind):
        return [j for j, column in enumerate(self.included) if column.kind == kind]

    @cached_property
    def gaps_of(self) -> dict[int, int]:
        """Position of the indicator of missing cells, by the position of the column in X that it belongs to."""
        at = {column.name: j for j, column in enumerate(self.included) if column.kind == "missing"}
        return {
            j: at[column.name] for j, column in enumerate(self.included) if column.name in at and j != at[column.name]
        }

    def observed(self, X: Points, j: int) -> Mask | None:
        """Return which rows have a cell in a column.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points of this space.
        j : int
            Position of the column in X.

        Returns
        -------
        ndarray of bool of shape (n,) or None
            True if the cell is not missing; None if no cell is.
        """
        return X[:, self.gaps_of[j]] == 0 if j in self.gaps_of else None

    given = observed  # its former name

    def cells(self, X: Points, j: int) -> Vector:
        """Return the non-missing cells of a column.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points of this space.
        j : int
            Position of the column in X.

        Returns
        -------
        ndarray of shape (m,)
            The cells.
        """
        observed = self.observed(X, j)
        return X[:, j] if observed is None else X[observed, j]

    def with_nan(self, X: Points, j: int) -> Vector:
        """Return a column with NaN for missing cells.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points of this space.
        j : int
            Position of the column in X.

        Returns
        -------
        ndarray of shape (n,)
            The cells.
        """
        observed = self.observed(X, j)
        return X[:, j] if observed is None else np.where(observed, X[:, j], np.nan)

    @cached_property
    def _robust(self):
        """The `scales.robust_scale` of each column of numbers of all tables together, and whether it varies."""
        pooled = {j: np.concatenate([self.cells(one.X, j) for one in self.data]) for j in self._of_kind("number")}
        return {j: (robust_scale(x), x.max() > x.min()) for j, x in pooled.items()}

    def in_common_scales(self) -> Self:
        """Return these tables with numbers divided by `scales.robust_scale` of all tables together.

        Returns
        -------
        Tables
            Tables whose `scale` is "common".
        """
        if self.scale == "common":
            return self
        divisors = [self._robust[j][0] if j in self._robust else 1.0 for j in range(len(self.included))]
        scales = {
            column.name: by for column, by in zip(self.included, divisors, strict=True) if column.kind == "number"
        }
        columns = tuple(
            replace(column, scale=column.scale * scales[column.name]) if column.kind == "number" else column
            for column in self.columns
        )
        quantities = tuple(q.over(0.0, divisor) for q, divisor in zip(self.data[0].quantities, divisors, strict=True))
        data = tuple(replace(one, X=one.X / divisors, quantities=quantities) for one in self.data)
        return replace(self, data=data, columns=columns, scale="common")

    @property
    def kernel(self) -> Kernel:
        """Kernel that compares these tables: `product` with a Gaussian whose bandwidth is still to be chosen."""
        return self.product(Gaussian())

    def product(self, numeric: Kernel) -> Kernel:
        r"""Return the kernel of all columns: a product of `numeric` over the numbers and a kernel over each category.

        Parameters
        ----------
        numeric : Kernel
            The kernel of the columns of numbers together.

        Returns
        -------
        Kernel
            The product, or `numeric` itself if there are neither categories nor missing cells.

        Notes
        -----
        The kernel of a category is 1 for equal levels and 1/2 for different ones. Delta is 0 for those: under Delta
        only rows that agree in every category are compared at all, and with several categories hardly any two do.

        If cells are missing, there is one factor more,

        .. math:: 2^{-h(x, y) / \max(\bar h, 1)}.

        Here :math:`h(x, y)` counts the columns where one of the rows x and y has a cell and the other has none, and
        :math:`\bar h` is its mean over two random rows.
        """
        numbers = tuple(self._of_kind("number"))
        categories = {j: _equality(len(self.included[j].levels)) for j in self._of_kind("category")}
        gaps = tuple(self._of_kind("missing"))
        if not categories and not gaps:
            return numeric
        factors: dict[int | tuple[int, ...], Kernel] = {numbers: numeric} if numbers else {}
        if gaps:
            differ = sum(2 * self.included[j].rate * (1 - self.included[j].rate) for j in gaps)
            factors[gaps] = Laplacian(max(differ, 1.0) / np.log(1 / ELSEWHERE))
        return Product({**factors, **categories})

    def spoken(self, kernel: Kernel) -> str:
        """Describe the kernel of `product` in words, with the names of the columns.

        Parameters
        ----------
        kernel : Kernel
            The kernel.

        Returns
        -------
        str
            Its description.
        """
        return in_prose(kernel, [column.label for column in self.included])

    def indicators(self) -> tuple[DataSet, ...]:
        r"""Return the tables as vectors, with an indicator for each level of each category.

        Returns
        -------
        tuple of DataSet
            X holds the numbers, and then for each category one column per level: 1 if a row has the level, otherwise 0.

        Notes
        -----
        Two rows of different levels are :math:`\sqrt 2` apart. That is also the root mean square distance of two values
        of a normal distribution whose scale is 1.
        """
        numbers, categories = self._of_kind("number"), self._of_kind("category")
        levels = quantities_named(
            [f"{self.included[j].name}={level}" for j in categories for level in self.included[j].levels]
        )
        quantities = (*(self.data[0].quantities[j] for j in numbers), *levels)
        names = tuple(each.name for each in quantities)

        def vectors(X):
            codes = [X[:, [j]] == np.arange(len(self.included[j].levels)) for j in categories]
            return np.hstack([X[:, numbers], *codes])

        return tuple(replace(one, X=vectors(one.X), names=names, quantities=quantities) for one in self.data)

    def over_indicators(self, numeric: Kernel) -> Any:
        r"""Return `product` as a kernel of the vectors of `indicators`: it is equal on rows, and defined between them.

        Parameters
        ----------
        numeric : Kernel
            The kernel of the columns of numbers together.

        Returns
        -------
        Kernel
            The product, or `numeric` itself if there are no categories.

        Notes
        -----
        For indicators u and v of one category, :math:`(1 + \langle u, v \rangle) / 2` is 1 for equal levels and 1/2 for
        different ones.
        """
        at, categories = len(self._of_kind("number")), {}
        numbers = tuple(range(at))
        for levels in self.levels.values():
            categories[tuple(range(at, at + len(levels)))] = (1 - ELSEWHERE) * Linear(ELSEWHERE / (1 - ELSEWHERE))
            at += len(levels)
        if not categories:
            return numeric
        factors: dict[int | tuple[int, ...], Kernel] = {numbers: numeric} if numbers else {}
        return Product({**factors, **categories})

    def __str__(self) -> str:
        numbers = list(self.scales)
        parts = [str(column) for column in self.columns]
        if numbers and self.scale == "none":
            labels = [column.label for column in self.columns if column.kind == "number"]
            limited = {column.label: column.limited for column in self.columns if column.limited}
            plain = f"{join_list(labels, 200)} in {'its' if len(numbers) == 1 else 'their'} own units"
            if self.spread is not None and self.uneven:
                factor = format_three_digits(self.spread)
                plain += f", whose scales differ by a factor of {factor}: the largest outweigh the others"
            rows = sum(one.n + one.dropped for one in self.data) if self.rows is None else self.rows
            plain += "".join(f", {count} of {rows} values of {name} limits" for name, count in limited.items())
            plain += "".join(f"; {words}" for words in self.noted)
            rest = [str(column) for column in self.columns if column.kind != "number"]
            return f"Columns: {plain}; {join_list(rest, 200, '; ')}." if rest else f"Columns: {plain}."
        return f"Columns: {join_list(parts, 480, '; ')}."


def _equality(levels):
    """Return the kernel of a category's codes: 1 for equal levels, 1/2 for different ones.

    It is universal, as its matrix has full rank.
    """
    if levels > TABULATED:
        return Equality()
    return Precomputed(np.full((levels, levels), ELSEWHERE) + (1 - ELSEWHERE) * np.eye(levels))
