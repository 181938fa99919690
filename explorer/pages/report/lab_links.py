"""Links of the report to the labs that show the details of a line, opened with these files, columns or pairs."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets.column_selection import MOST_LEVELS
from explorer.markup import Markup, joined, markup
from explorer.printing import short_name
from explorer.workbench import registry
from explorer.workbench.links import address

from .comparison_request import SEED, ReportInput, digest

if TYPE_CHECKING:
    from explorer.comparison import Comparison
    from explorer.datasets.files.parsed_file import ParsedFile

MOST = 500  # most rows of a sample that a lab opens with, so that its controls respond at once
ROW_PAIRS = 200  # most pairs of rows that /monk opens with
FEWEST = 4  # fewest rows that every lab takes
SERIES, ROWS_IN_TIME = "drift", 20  # the lab of rows in order of time, and the fewest rows that it takes
TWO, PAIRS, MEDIAN = (registry.entry(name).title for name in ("twosample", "independence", "monk"))


class LabLinks:
    """Addresses of the labs for the lines of one comparison. Each of its samples has a file.

    A line links to the rows that it is about. If there are several batches, columns and pairs link to all batches
    together, and other lines to the batch that differs most. The lab computes the line's p-value again from the files.
    Within subjects no line links to a two-sample test: the labs treat rows as independent, so their p-value would
    differ.
    """

    def __init__(self, given: ReportInput, comparison: Comparison) -> None:
        self.comparison: Comparison = comparison
        self.sides: tuple[ParsedFile, ...] = given.sides(comparison)
        self.series: ParsedFile | None = given.series(comparison) if SERIES in registry.names() else None

    @cached_property
    def _digests(self):
        return [digest(side) for side in self.sides]

    @property
    def files(self) -> dict[str, ParsedFile]:
        """The files of all sides and of the series that they are split from, by hash."""
        sides = dict(zip(self._digests, self.sides, strict=True))
        return sides if self.series is None else sides | {digest(self.series): self.series}

    @cached_property
    def _most_different(self):
        """The index of the side to which lines on rows link."""
        batches = self.comparison.batches
        return 1 + min(range(len(batches)), key=lambda k: batches[k].adjusted) if batches else 1

    @property
    def _together(self):
        """The index of the side that lines on columns and pairs are about."""
        return len(self.sides) - 1

    def _rows(self, k, columns):
        """Return the number of rows of side k without missing values in these columns; labs drop the others."""
        tables = self.comparison.samples.tables
        if k == len(tables):
            return sum(self._rows(each, columns) for each in range(1, k))
        X = tables[k].X
        given = [tables.observed(X, tables[k].names.index(name)) for name in columns]
        return int(np.logical_and.reduce([np.ones(len(X), bool), *(each for each in given if each is not None)]).sum())

    def _two(self, k, columns):
        """Return the fields that make the reference and side k the two samples."""
        fields = {"file": self.sides[0].name, "rows": self._rows(0, columns), "hash": self._digests[0]}
        fields |= {"file2": self.sides[k].name, "rows2": self._rows(k, columns), "hash2": self._digests[k]}
        return {**fields, "missing": "drop", "lenient": True, "seed": SEED}

    def two_samples(self, columns: list[str], k: int | None = None, **fields: Any) -> str:
        """Return the address at which /twosample tests columns; k is the batch, by default the one that differs most.

        It is "" if a sample has too few rows for the test, or if a category has more levels than the lab draws.
        """
        k = self._most_different if k is None else k
        if not columns or not set(columns) <= set(self.names):
            return ""
        n, m = (min(self._rows(j, columns), MOST) for j in (0, k))
        if min(n, m) < FEWEST or self.comparison.subjects is not None:
            return ""
        named = {"source": "file", "columns": json.dumps(columns), "n": n, "m": m, **fields}
        return _at("twosample", **self._two(k, columns), **named)

    def pairs_of(self, first: str, second: str, k: int) -> str:
        """Return the address at which /independence shows two columns of side k, or "" if it cannot."""
        if not {first, second} <= set(self.names):
            return ""
        rows = self._rows(k, [first, second])
        n = min(rows, MOST)
        if n < FEWEST:
            return ""
        named = {"source": "file", "file": self.sides[k].name, "rows": rows, "hash": self._digests[k]}
        columns = {"columns": json.dumps([first, second]), "x": json.dumps([first]), "y": second}
        return _at("independence", **named, **columns, missing="drop", lenient=True, n=n, seed=SEED)

    @cached_property
    def names(self) -> list[str]:
        """The columns that are compared, except categories with more levels than a lab draws."""
        return [each.name for each in self.comparison.columns if len(each.quantity.levels) <= MOST_LEVELS]

    # the links of each line

    def verdict(self) -> Markup | str:
        """Return the link of the joint verdict: all columns."""
        return _links([(TWO, self.two_samples(self.names))])

    def batch(self, batch: Comparison) -> Markup | str:
        """Return the link of a batch: all columns, for the batch and the reference."""
        k = 1 + next(i for i, each in enumerate(self.comparison.batches) if each is batch)
        return _links([(TWO, self.two_samples(self.names, k))])

    def drift(self) -> Markup | str:
        """Return the link of periods: since when the numeric columns have changed, not tied to the calendar."""
        numbers = [each.name for each in self.comparison.columns if each.kind == "number"]
        n = sum(self._rows(k, numbers) for k in range(len(self.comparison.samples.tables)))
        if self.series is None or not numbers or n < ROWS_IN_TIME:
            return ""
        named = {"source": "file", "file": self.series.name, "rows": n, "hash": digest(self.series)}
        named |= {"columns": json.dumps(numbers), "missing": "drop", "lenient": True, "kind": "none", "seed": SEED}
        return _links([(registry.entry(SERIES).title, _at(SERIES, **named, n=min(n, MOST)))])

    def column(self, column: Any) -> Markup | str:
        """Return the link of a column: its two samples. Missing values have none, because no lab compares them."""
        if column.kind == "missing":
            return ""
        return _links([(TWO, self.two_samples([column.name], self._together))], column.name)

    def needed(self, column: Any) -> Markup | str:
        """Return the link of the effect that a column's test would have detected: the power of the test."""
        link = self.two_samples([column.name], self._together, picture="power")
        return _links([(TWO, link)], f"power, {column.name}")

    def pair(self, pair: Any) -> Markup | str:
        """Return the links of a pair of columns: its two samples with its test, and the dependence before and after."""
        k = self._together
        each = [(side, self.pairs_of(pair.first, pair.second, at)) for side, at in (("before", 0), ("after", k))]
        both = (TWO, self.two_samples([pair.first, pair.second], k))
        return _links(
            [both, *((f"{PAIRS} {side}", link) for side, link in each)],
            f"{short_name(pair.first)} and {short_name(pair.second)}",
        )

    def robustness(self) -> Markup | str:
        """Return the link of the verdict's robustness: the median of means of the numeric columns.

        If numeric columns differ, only these are used. The lab pairs rows, so it gets as many as the smaller sample
        has.
        """
        numbers = [each.name for each in self.comparison.columns if each.kind == "number"]
        differing = [each.name for each in self.comparison.differing if each.name in numbers]
        k = self._most_different
        columns = differing or numbers
        n = min(self._rows(0, columns), self._rows(k, columns), ROW_PAIRS)
        if not numbers or n < FEWEST or self.comparison.subjects is not None:
            return ""
        named = {"laws": "file", "columns": json.dumps(columns), "n": n, "outliers": 0}
        return _links([(MEDIAN, _at("monk", **self._two(k, columns), **named))])

    def rows(self) -> Markup | str:
        """Return the link of the rows: how much p depends on each."""
        return _links([(TWO, self.two_samples(self.names, picture="influence"))])


def _at(name: str, **fields: Any) -> str:
    lab = registry.entry(name).lab
    return address(name, lab(**{field: value for field, value in fields.items() if field in lab.fields}))


def _links(leads: list[tuple[str, str]], about: str = "") -> Markup | str:
    """Return links with these labels; `about` distinguishes links with equal labels for screen readers."""
    said = markup("<span class='unseen'>: {}</span>", short_name(about)) if about else ""
    drawn = [
        markup("<a href='{}' target='_blank' rel='noopener' title='Opens the lab in a new tab'>{} ↗{}</a>",
               link, words, said)
        for words, link in leads
        if link
    ]  # fmt: skip
    return markup(" <span class='leads'>{}</span>", joined(drawn, " ")) if drawn else ""
