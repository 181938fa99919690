"""Tables of one space: their columns, levels and scales in common, and the kernel that compares their rows."""

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


ELSEWHERE = 0.5  # how alike two different levels are, where equal ones are 1
TABULATED = 50  # levels whose kernel is a matrix; that of more is computed at each pair of rows


@printed
@record
class Tables(Sequence[DataSet]):
    """Tables of one space: a sequence of `DataSet`s whose X hold the same columns in the same units.

    data      the tables in the order of their files; of each, X (n, d) holds numbers over their scale and categories as
              codes 0, 1, ..., the positions of their levels
    columns   a `ColumnTreatment` for every column of the files, those that are left out included
    scale     "common" where numbers were divided by scales, or "none"
    spread    the largest of the numbers' robust scales over the smallest, in the files' units
    remarks   what of each file only a lenient reader reads as it was read
    gaps      of each file, how many cells its columns miss for which rows were left out, by name
    rows      how many rows the files have, where `data` holds some of them only
    complete  of each file, which of its rows (n,) miss no cell and so are in its X
    sources   what was read, a file or a DataFrame each, and what sentences call it, so that it can be read again

    >>> from explorer.datasets import Tables, read_tables
    >>> first, second = b"x,kind\\n0,a\\n1,b\\n2,a\\n", b"x,kind\\n5,a\\n6,a\\n7,b\\n"
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
    def kept(self) -> tuple[ColumnTreatment, ...]:
        """The treatments of X's columns, in their order."""
        return tuple(column for column in self.columns if column.kind != "left out")

    @property
    def noted(self) -> tuple[str, ...]:
        """Sentences without a point on compared columns whose values a reader must know more of, see `meeting`.

        Limits that moved, units, flags, words that are taken as missing, numbers that may stand for missing ones.
        """
        return tuple(f"{column.label}: {', '.join(column.remarks)}" for column in self.kept if column.remarks)

    @property
    def scales(self) -> dict[str, float]:
        """What each column of numbers was divided by, by name."""
        return {column.name: column.scale for column in self.columns if column.kind == "number"}

    @property
    def levels(self) -> dict[str, tuple[str, str]] | dict[str, tuple[str, ...]]:
        """The levels of each category, by name."""
        return {column.name: column.levels for column in self.columns if column.kind == "category"}

    @property
    def uneven(self) -> bool:
        """Whether the numbers' scales differ so much, in the files' units, that the largest would decide alone."""
        return self.spread is not None and self.spread > FACTOR

    def _of_kind(self, kind):
        return [j for j, column in enumerate(self.kept) if column.kind == kind]

    @cached_property
    def gaps_of(self) -> dict[int, int]:
        """Which column of X says whether a cell is missing, by the column of X whose cells these are."""
        at = {column.name: j for j, column in enumerate(self.kept) if column.kind == "missing"}
        return {j: at[column.name] for j, column in enumerate(self.kept) if column.name in at and j != at[column.name]}

    def given(self, X: Points, j: int) -> Mask | None:
        """Return which rows of points X (n, d) have a cell in column j of X, (n,), or None if all have."""
        return X[:, self.gaps_of[j]] == 0 if j in self.gaps_of else None

    def cells(self, X: Points, j: int) -> Vector:
        """Return the cells that are given of column j of points X (n, d)."""
        given = self.given(X, j)
        return X[:, j] if given is None else X[given, j]

    def with_nan(self, X: Points, j: int) -> Vector:
        """Return column j of points X (n, d), NaN where its cell is missing, (n,)."""
        given = self.given(X, j)
        return X[:, j] if given is None else np.where(given, X[:, j], np.nan)

    @cached_property
    def _robust(self):
        """The `scales.robust_scale` of each column of numbers of all tables together, and whether it varies."""
        pooled = {j: np.concatenate([self.cells(one.X, j) for one in self.data]) for j in self._of_kind("number")}
        return {j: (robust_scale(x), x.max() > x.min()) for j, x in pooled.items()}

    def in_common_scales(self) -> Self:
        """These tables with their numbers divided by `scales.robust_scale` of all tables together."""
        if self.scale == "common":
            return self
        divisors = [self._robust[j][0] if j in self._robust else 1.0 for j in range(len(self.kept))]
        scales = {column.name: by for column, by in zip(self.kept, divisors, strict=True) if column.kind == "number"}
        columns = tuple(
            replace(column, scale=column.scale * scales[column.name]) if column.kind == "number" else column
            for column in self.columns
        )
        quantities = tuple(q.over(0.0, divisor) for q, divisor in zip(self.data[0].quantities, divisors, strict=True))
        data = tuple(replace(one, X=one.X / divisors, quantities=quantities) for one in self.data)
        return replace(self, data=data, columns=columns, scale="common")

    @property
    def kernel(self) -> Kernel:
        """What compares these tables: `product` with a Gaussian whose bandwidth is still to be chosen."""
        return self.product(Gaussian())

    def product(self, numeric: Kernel) -> Kernel:
        """The Product of `numeric` over the columns of numbers together and a kernel over each category's codes.

        Two equal levels are 1 and two different ones 1/2, where Delta has 0: under Delta only rows that agree in every
        category are compared at all, and with several categories hardly any two do. `numeric` itself where there are no
        categories. If cells are missing there is one factor more, 2^(-h(x, y) / max(h, 1)): h(x, y) counts the columns
        of which one of the rows x and y has a cell and the other has none, and h is its mean over two random rows.
        """
        numbers = tuple(self._of_kind("number"))
        categories = {j: _equality(len(self.kept[j].levels)) for j in self._of_kind("category")}
        gaps = tuple(self._of_kind("missing"))
        if not categories and not gaps:
            return numeric
        factors: dict[int | tuple[int, ...], Kernel] = {numbers: numeric} if numbers else {}
        if gaps:
            differ = sum(2 * self.kept[j].rate * (1 - self.kept[j].rate) for j in gaps)
            factors[gaps] = Laplacian(max(differ, 1.0) / np.log(1 / ELSEWHERE))
        return Product({**factors, **categories})

    def spoken(self, kernel: Kernel) -> str:
        """What `product` gives in words, its columns by their names."""
        return in_prose(kernel, [column.label for column in self.kept])

    def indicators(self) -> tuple[DataSet, ...]:
        """DataSets of vectors: the numbers, then for each category a column for each level, 1 where it holds, else 0.

        Two rows of different levels are sqrt(2) apart, as two values of a normal distribution are on average (root mean
        square) where its scale is 1.
        """
        numbers, categories = self._of_kind("number"), self._of_kind("category")
        levels = quantities_named([f"{self.kept[j].name}={level}" for j in categories for level in self.kept[j].levels])
        quantities = (*(self.data[0].quantities[j] for j in numbers), *levels)
        names = tuple(each.name for each in quantities)

        def vectors(X):
            codes = [X[:, [j]] == np.arange(len(self.kept[j].levels)) for j in categories]
            return np.hstack([X[:, numbers], *codes])

        return tuple(replace(one, X=vectors(one.X), names=names, quantities=quantities) for one in self.data)

    def over_indicators(self, numeric: Kernel) -> Any:
        """`product` as a kernel of the vectors that `indicators` gives: equal to it on rows, and defined between them.

        Of indicators u and v of one category (1 + <u, v>) / 2 is 1 for equal levels, 1/2 for different ones.
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
            called = [column.label for column in self.columns if column.kind == "number"]
            limited = {column.label: column.limited for column in self.columns if column.limited}
            plain = f"{join_list(called, 200)} in {'its' if len(numbers) == 1 else 'their'} own units"
            if self.spread is not None and self.uneven:
                plain += f", whose scales differ by a factor of {format_three_digits(self.spread)}: the largest outweigh the others"
            rows = sum(one.n + one.dropped for one in self.data) if self.rows is None else self.rows
            plain += "".join(f", {count} of {rows} values of {name} limits" for name, count in limited.items())
            plain += "".join(f"; {words}" for words in self.noted)
            rest = [str(column) for column in self.columns if column.kind != "number"]
            return f"Columns: {plain}; {join_list(rest, 200, '; ')}." if rest else f"Columns: {plain}."
        return f"Columns: {join_list(parts, 480, '; ')}."


def _equality(levels):
    """The kernel of a category's codes: 1 for equal levels, 1/2 for different ones; universal, as it has full rank."""
    if levels > TABULATED:
        return Equality()
    return Precomputed(np.full((levels, levels), ELSEWHERE) + (1 - ELSEWHERE) * np.eye(levels))
