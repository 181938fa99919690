"""What a visitor gives to compare: two files, or one with a column of groups or dates, and the Comparison of it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.citations import given_by
from explorer.comparison import Comparison, compare
from explorer.comparison.calls import call_of
from explorer.comparison.periods import PERIODS, dates_of
from explorer.comparison.reading import MOST
from explorer.datasets import TablePreview, preview_table
from explorer.datasets.columns import sha256
from explorer.datasets.once import Once
from explorer.datasets.purpose import GROUPS, grouping
from explorer.datasets.tables import parse
from explorer.types import Rows

if TYPE_CHECKING:
    from explorer.datasets.columns import Table

LARGE = 500_000  # bytes of a file that is read again in a few tenths of a second
SEED = 0  # that of `explorer report`, which gives the same numbers of the same files


class File(NamedTuple):
    """A file by its name, with its bytes."""

    name: str
    raw: Once

    def table(self) -> Table:
        """What it holds, parsed once."""
        return parse(self.raw, self.name, lenient=True)

    def preview(self) -> TablePreview:
        """What is shown of it, and what its columns are for."""
        return preview_table(self.raw, name=self.name, lenient=True)


class Given(NamedTuple):
    """before and after: the files; by: the column, or the period of dates, that splits the first where it is alone."""

    before: File
    after: File | None = None
    by: str = ""

    @property
    def seconds(self) -> float:
        """About how long the comparison takes."""
        return 0.5 + sum(len(file.raw) for file in self.files) / 1e6

    @property
    def files(self) -> tuple[File, ...]:
        """The files that there are."""
        return (self.before,) if self.after is None else (self.before, self.after)

    def compared(self) -> Comparison:
        """The Comparison, whose Python reads the files by their names; what `compare` raises."""
        found = compare(*(file.table() for file in self.files), by=self.by or None, rng=SEED)
        found = replace(found, python=self._python())
        given_by("compare", found)
        return found

    def _python(self):
        names = [file.name for file in self.files]
        if len(set(names)) < len(names):  # of one name, from two folders
            names = [str(PurePath(side, name)) for side, name in zip(("before", "after"), names, strict=True)]
        first, second = [*names, None][:2]
        return call_of(compare, first, second, by=self.by or None, rng=SEED)

    def let_go(self) -> None:
        """Forget what was parsed of large files: their words take some ten times as much memory."""
        for file in self.files:
            if len(file.raw) > LARGE:
                file.raw.forget()

    def sides(self, comparison: Comparison) -> tuple[File, ...]:
        """A file for each sample that is compared: those that were given, or one of the rows of each group.

        Of several batches the last one has the rows of all of them.
        """
        if not self.by:
            return self.files
        table = self.before.table()
        kept = [table.by_name[column.name] for column in comparison.columns]
        stem = PurePath(self.before.name).stem
        names = [one.name for one in comparison.samples.tables]
        rows = list(comparison.samples.rows)
        if comparison.batches:
            names.append(f"without {names[0]}")
            rows.append(np.concatenate(rows[1:]))
        return tuple(
            File(f"{stem} {name}.csv".replace("/", "-"), _written(kept, some))
            for name, some in zip(names, rows, strict=True)
        )

    def series(self, comparison: Comparison) -> File | None:
        """The rows of a file that is split by its dates, in the order of time; None of another one."""
        if not comparison.grouping:
            return None
        table = self.before.table()
        rows = np.concatenate(comparison.samples.rows)
        rows = rows[np.argsort(dates_of(table, self.by).figures[rows], kind="stable")]
        kept = [table.by_name[column.name] for column in comparison.columns]
        return File(f"{PurePath(self.before.name).stem} in time.csv", _written(kept, rows))


def _written(columns, rows: Rows) -> Once:
    """Some rows of some columns as a CSV file: numbers as they were read, whatever stood beside them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in columns)
    cells = [column.cells if column.numbers is None else column.numbers for column in columns]
    writer.writerows([column[i] for column in cells] for i in rows)
    return Once(text.getvalue().encode())


def splits(preview: TablePreview) -> dict[str, str]:
    """What may split a file into groups, in words -> `by`: periods where one column has dates, then its columns."""
    dates = [column.name for column in preview.columns if column.dates and column.numeric]
    names = [column.name for column in preview.columns]
    times = {f"{period} of {dates[0]}": period for period in PERIODS if period not in names} if len(dates) == 1 else {}
    groups = [column for column in preview.columns if 2 <= column.levels <= MOST and not column.dates]
    return times | {column.name: column.name for column in sorted(groups, key=lambda column: column.numeric)}


def usual_split(preview: TablePreview) -> str:
    """The column that surely names groups, as one called treatment does; else "", as a second file may follow."""
    found = grouping(preview.columns, preview.rows)
    return found if GROUPS.fullmatch(found) else ""


def digest(file: File) -> str:
    """The SHA-256 of a file, by which a link names it."""
    return sha256(file.raw)
