"""What a visitor gives to compare: two files, or one with a column of groups or dates, and the Comparison of it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.citations import record_source
from explorer.comparison import Comparison, compare
from explorer.comparison.calls import call_of
from explorer.comparison.inputs import MOST, groups_of
from explorer.comparison.periods import PERIODS, dates_of
from explorer.datasets import ColumnPreview, TablePreview, preview_table
from explorer.datasets.columns.column_roles import GROUPS, likely_group_column
from explorer.datasets.columns.table import sha256
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.datasets.read_table import parse
from explorer.types import Rows

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

SUBJECTS = re.compile(
    r"(.*[ _.-])?(subject|patient|participant|person|proband|case|user|customer|client|kunde|student|pupil|animal|mouse"
    r"|rat|tier|unit|device|site|plot|id|pid|uid|nr|no|number|name)s?([ _.-]?(id|nr|no|number|code|key))?",
    re.IGNORECASE,
)
LARGE = 500_000  # bytes of a file that is read again in a few tenths of a second
SEED = 0  # that of `explorer report`, which gives the same numbers of the same files


class File(NamedTuple):
    """A file by its name, with its bytes."""

    name: str
    raw: ParsedFile

    def table(self) -> Table:
        """What it holds, parsed once."""
        return parse(self.raw, self.name, lenient=True)

    def preview(self) -> TablePreview:
        """What is shown of it, and what its columns are for."""
        return preview_table(self.raw, name=self.name, lenient=True)


class ReportInput(NamedTuple):
    """What is compared.

    before, after  the files
    by             the column, or the period of dates, that splits the first file if it is alone
    within         the column of subjects within which rows are compared; else ""
    reference      the group of `by` that the others are compared with; "" is the first one
    """

    before: File
    after: File | None = None
    by: str = ""
    within: str = ""
    reference: str = ""

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
        found = compare(*(file.table() for file in self.files), **self._how())
        found = replace(found, python=self._python())
        record_source(compare.__name__, found)  # whose papers it names
        return found

    def _how(self) -> dict[str, Any]:
        """The arguments of `compare` beside the tables."""
        names = {"by": self.by, "within": self.within, "reference": self.reference}
        return {name: value or None for name, value in names.items()} | {"rng": SEED}

    def _python(self):
        names = [file.name for file in self.files]
        if len(set(names)) < len(names):  # of one name, from two folders
            names = [str(PurePath(side, name)) for side, name in zip(("before", "after"), names, strict=True)]
        first, second = [*names, None][:2]
        return call_of(compare, first, second, **self._how())

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
        rows = rows[np.argsort(dates_of(table, self.by).numbers_or_nan[rows], kind="stable")]
        kept = [table.by_name[column.name] for column in comparison.columns]
        return File(f"{PurePath(self.before.name).stem} in time.csv", _written(kept, rows))


def _written(columns, rows: Rows) -> ParsedFile:
    """Some rows of some columns as a CSV file: numbers as they were read, whatever stood beside them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in columns)
    cells = [column.cells if column.numbers is None else column.numbers for column in columns]
    writer.writerows([column[i] for column in cells] for i in rows)
    return ParsedFile(text.getvalue().encode())


def splits(preview: TablePreview) -> dict[str, str]:
    """What may split a file into groups, in words -> `by`: periods where one column has dates, then its columns."""
    dates = [column.name for column in preview.columns if column.dates and column.numeric]
    names = [column.name for column in preview.columns]
    times = {f"{period} of {dates[0]}": period for period in PERIODS if period not in names} if len(dates) == 1 else {}
    groups = [column for column in preview.columns if 2 <= column.levels <= MOST and not column.dates]
    return times | {column.name: column.name for column in sorted(groups, key=lambda column: column.numeric)}


def default_split(preview: TablePreview) -> str:
    """The column that surely names groups, as one called treatment does; else "", as a second file may follow."""
    found = likely_group_column(preview.columns, preview.rows)
    return found if GROUPS.fullmatch(found) else ""


def subjects(previews: Sequence[TablePreview], by: str = "") -> list[str]:
    """The columns that may name subjects: identifiers and words that all files have, those called so first."""
    first, *others = previews
    common = [column for column in first.columns if all(_named(other, column.name) for other in others)]
    some = [column for column in common if column.name != by and _may_name_subjects(column)]
    return [column.name for column in sorted(some, key=lambda column: not SUBJECTS.fullmatch(column.name))]


def _named(preview: TablePreview, name: str) -> bool:
    return any(column.name == name for column in preview.columns)


def _may_name_subjects(column: ColumnPreview) -> bool:
    """Whether the cells of a column may be subjects: numbers only if they are no measurements, or are called so."""
    if column.levels < 2 or column.dates:
        return False
    return not column.numeric or bool(column.why) or bool(SUBJECTS.fullmatch(column.name))


def groups(file: File, by: str) -> list[str]:
    """The groups of two rows or more of a file, the first of which is the reference."""
    return list(map(str, groups_of(file.table(), by)))


def digest(file: File) -> str:
    """The SHA-256 of a file, by which a link names it."""
    return sha256(file.raw)
