"""Input of the report: two files, or one with a column of groups or dates, and the Comparison of them."""

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
from explorer.datasets import ColumnPreview, TablePreview
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
LARGE = 500_000  # bytes; a smaller file is read again in a few tenths of a second
SEED = 0  # seed of `explorer report`, so that both give the same numbers for the same files


def table_of(file: ParsedFile) -> Table:
    """Return the table in a file; it is parsed only once."""
    return parse(file, lenient=True)


class ReportInput(NamedTuple):
    """Files to compare, and how.

    Attributes
    ----------
    before, after : ParsedFile
        The files. `after` is None if the first one is split.
    by : str
        The column, or the period of dates, that splits the first file if it is the only one, or "".
    within : str
        The column of subjects within which rows are compared, or "".
    reference : str
        The group of `by` that the others are compared with; "" is the first one.
    """

    before: ParsedFile
    after: ParsedFile | None = None
    by: str = ""
    within: str = ""
    reference: str = ""

    @property
    def seconds(self) -> float:
        """Estimated duration of the comparison, in seconds."""
        return 0.5 + sum(len(file.raw) for file in self.files) / 1e6

    @property
    def files(self) -> tuple[ParsedFile, ...]:
        """The files that are present, one or two."""
        return (self.before,) if self.after is None else (self.before, self.after)

    def compared(self) -> Comparison:
        """Return the Comparison, with Python that reads the files by name. Exceptions of `compare` pass through."""
        found = compare(*(table_of(file) for file in self.files), **self._how())
        found = replace(found, python=self._python())
        record_source(compare.__name__, found)  # so that its papers can be cited
        return found

    def _how(self) -> dict[str, Any]:
        """Return the arguments of `compare` other than the tables."""
        names = {"by": self.by, "within": self.within, "reference": self.reference}
        return {name: value or None for name, value in names.items()} | {"rng": SEED}

    def _python(self):
        names = [file.name for file in self.files]
        if len(set(names)) < len(names):  # files with the same name, from two folders
            names = [str(PurePath(side, name)) for side, name in zip(("before", "after"), names, strict=True)]
        first, second = [*names, None][:2]
        return call_of(compare, first, second, **self._how())

    def release(self) -> None:
        """Release what was parsed of large files: text columns take about ten times as much memory as the bytes."""
        for file in self.files:
            if len(file.raw) > LARGE:
                file.forget()

    def sides(self, comparison: Comparison) -> tuple[ParsedFile, ...]:
        """Return a file for each sample that is compared: the user's files, or one with the rows of each group.

        If there are several batches, a last file has the rows of all of them.
        """
        if not self.by:
            return self.files
        table = table_of(self.before)
        kept = [table.by_name[column.name] for column in comparison.columns]
        stem = PurePath(self.before.name).stem
        names = [one.name for one in comparison.samples.tables]
        rows = list(comparison.samples.rows)
        if comparison.batches:
            names.append(f"without {names[0]}")
            rows.append(np.concatenate(rows[1:]))
        return tuple(
            ParsedFile(f"{stem} {name}.csv".replace("/", "-"), _written(kept, some))
            for name, some in zip(names, rows, strict=True)
        )

    def series(self, comparison: Comparison) -> ParsedFile | None:
        """Return the rows of a file that is split by dates, in order of time, or None for other input."""
        if not comparison.grouping:
            return None
        table = table_of(self.before)
        rows = np.concatenate(comparison.samples.rows)
        rows = rows[np.argsort(dates_of(table, self.by).numbers_or_nan[rows], kind="stable")]
        kept = [table.by_name[column.name] for column in comparison.columns]
        return ParsedFile(f"{PurePath(self.before.name).stem} in time.csv", _written(kept, rows))


def _written(columns, rows: Rows) -> bytes:
    """Return some rows of some columns as a CSV file. Numbers are written without the decorations of their cells."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in columns)
    cells = [column.cells if column.numbers is None else column.numbers for column in columns]
    writer.writerows([column[i] for column in cells] for i in rows)
    return text.getvalue().encode()


def splits(preview: TablePreview) -> dict[str, str]:
    """Return what may split a file into groups, label -> `by`.

    These are periods, if exactly one column has dates, and then the file's columns.
    """
    dates = [column.name for column in preview.columns if column.dates and column.numeric]
    names = [column.name for column in preview.columns]
    times = {f"{period} of {dates[0]}": period for period in PERIODS if period not in names} if len(dates) == 1 else {}
    groups = [column for column in preview.columns if 2 <= column.levels <= MOST and not column.dates]
    return times | {column.name: column.name for column in sorted(groups, key=lambda column: column.numeric)}


def default_split(preview: TablePreview) -> str:
    """Return the column that clearly names groups, such as one called treatment, or "", as a second file may follow."""
    found = likely_group_column(preview.columns, preview.rows)
    return found if GROUPS.fullmatch(found) else ""


def subjects(previews: Sequence[TablePreview], by: str = "") -> list[str]:
    """Return the columns that may name subjects: identifiers and texts in all files, those with typical names first."""
    first, *others = previews
    common = [column for column in first.columns if all(_named(other, column.name) for other in others)]
    some = [column for column in common if column.name != by and _may_name_subjects(column)]
    return [column.name for column in sorted(some, key=lambda column: not SUBJECTS.fullmatch(column.name))]


def _named(preview: TablePreview, name: str) -> bool:
    return any(column.name == name for column in preview.columns)


def _may_name_subjects(column: ColumnPreview) -> bool:
    """Return whether the cells may name subjects. Numbers may if they are not measurements or the name is typical."""
    if column.levels < 2 or column.dates:
        return False
    return not column.numeric or bool(column.why) or bool(SUBJECTS.fullmatch(column.name))


def groups(file: ParsedFile, by: str) -> list[str]:
    """Return the groups of a file that have two rows or more. The first one is the reference."""
    return list(map(str, groups_of(table_of(file), by)))


def digest(file: ParsedFile) -> str:
    """Return the SHA-256 of a file, which identifies the file in links."""
    return sha256(file.raw)
