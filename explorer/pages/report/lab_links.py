"""Where a line of the report leads: the lab that shows why, opened at these files, columns or pairs."""

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

from .inputs import SEED, File, ReportInput, digest

if TYPE_CHECKING:
    from explorer.comparison import Comparison

MOST = 500  # rows of a sample that a lab opens with: its controls follow a hand there
ROW_PAIRS = 200  # that /monk opens with
FEWEST = 4  # rows that every lab takes
SERIES, ROWS_IN_TIME = "drift", 20  # a lab of rows in order of time, and the fewest that it takes
TWO, PAIRS, MEDIAN = (registry.entry(name).title for name in ("twosample", "independence", "monk"))


class LabLinks:
    """The addresses of the labs for the lines of one comparison, whose samples are files of their own.

    A line leads to the rows that it is about: of several batches those of columns and pairs to all batches together,
    other lines to the batch that differs most. The lab computes the line's own p again from the files. Within subjects
    no line leads to a test of two samples: the labs take rows as independent, and their p would be another.
    """

    def __init__(self, given: ReportInput, comparison: Comparison) -> None:
        self.comparison: Comparison = comparison
        self.sides: tuple[File, ...] = given.sides(comparison)
        self.series: File | None = given.series(comparison) if SERIES in registry.names() else None

    @cached_property
    def _digests(self):
        return [digest(side) for side in self.sides]

    @property
    def files(self) -> dict[str, File]:
        """hash -> file of each side, and of the series that it is split from."""
        sides = dict(zip(self._digests, self.sides, strict=True))
        return sides if self.series is None else sides | {digest(self.series): self.series}

    @cached_property
    def _most_different(self):
        """The number of the side that lines on rows lead to."""
        batches = self.comparison.batches
        return 1 + min(range(len(batches)), key=lambda k: batches[k].adjusted) if batches else 1

    @property
    def _together(self):
        """The number of the side that lines of columns and pairs are about."""
        return len(self.sides) - 1

    def _rows(self, k, columns):
        """How many rows of side k miss no cell of these columns: labs drop the others."""
        tables = self.comparison.samples.tables
        if k == len(tables):
            return sum(self._rows(each, columns) for each in range(1, k))
        X = tables[k].X
        given = [tables.observed(X, tables[k].names.index(name)) for name in columns]
        return int(np.logical_and.reduce([np.ones(len(X), bool), *(each for each in given if each is not None)]).sum())

    def _two(self, k, columns):
        """The fields that name the reference and side k as two samples."""
        fields = {"file": self.sides[0].name, "rows": self._rows(0, columns), "hash": self._digests[0]}
        fields |= {"file2": self.sides[k].name, "rows2": self._rows(k, columns), "hash2": self._digests[k]}
        return {**fields, "missing": "drop", "lenient": True, "seed": SEED}

    def two_samples(self, columns: list[str], k: int | None = None, **fields: Any) -> str:
        """Where /twosample shows the test of some columns; k is the batch, the one that differs most if there is none.

        "" if a sample has too few rows for it, or if a category has more levels than it draws.
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
        """Where /independence shows how two columns go together in side k; "" if it does not take them."""
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
        """The columns that are compared, but for categories of more levels than a lab draws."""
        return [each.name for each in self.comparison.columns if len(each.quantity.levels) <= MOST_LEVELS]

    # what a line has of them

    def verdict(self) -> Markup | str:
        """Of the joint verdict: all columns."""
        return _links([(TWO, self.two_samples(self.names))])

    def batch(self, batch: Comparison) -> Markup | str:
        """Of a batch: all columns of it and the reference."""
        k = 1 + next(i for i, each in enumerate(self.comparison.batches) if each is batch)
        return _links([(TWO, self.two_samples(self.names, k))])

    def drift(self) -> Markup | str:
        """Of periods: since when the columns of numbers are no longer what they were, whatever day a month begins."""
        numbers = [each.name for each in self.comparison.columns if each.kind == "number"]
        n = sum(self._rows(k, numbers) for k in range(len(self.comparison.samples.tables)))
        if self.series is None or not numbers or n < ROWS_IN_TIME:
            return ""
        named = {"source": "file", "file": self.series.name, "rows": n, "hash": digest(self.series)}
        named |= {"columns": json.dumps(numbers), "missing": "drop", "lenient": True, "kind": "none", "seed": SEED}
        return _links([(registry.entry(SERIES).title, _at(SERIES, **named, n=min(n, MOST)))])

    def column(self, column: Any) -> Markup | str:
        """Of a column: its own two samples; nothing of its gaps, which no lab compares."""
        if column.kind == "missing":
            return ""
        return _links([(TWO, self.two_samples([column.name], self._together))], column.name)

    def needed(self, column: Any) -> Markup | str:
        """Of what would have been found of a column: the power of its test."""
        link = self.two_samples([column.name], self._together, picture="power")
        return _links([(TWO, link)], f"power, {column.name}")

    def pair(self, pair: Any) -> Markup | str:
        """Of a pair of columns: its own two samples, with its own test, and how they go together before and after."""
        k = self._together
        each = [(side, self.pairs_of(pair.first, pair.second, at)) for side, at in (("before", 0), ("after", k))]
        both = (TWO, self.two_samples([pair.first, pair.second], k))
        return _links(
            [both, *((f"{PAIRS} {side}", link) for side, link in each)],
            f"{short_name(pair.first)} and {short_name(pair.second)}",
        )

    def robustness(self) -> Markup | str:
        """Of what the verdict rests on: the median of means of the columns of numbers, those that differ where some do.

        Row is paired with row, so there are as many as the smaller sample has.
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
        """Of the rows: how much p depends on each."""
        return _links([(TWO, self.two_samples(self.names, picture="influence"))])


def _at(name: str, **fields: Any) -> str:
    lab = registry.entry(name).lab
    return address(name, lab(**{field: value for field, value in fields.items() if field in lab.fields}))


def _links(leads: list[tuple[str, str]], about: str = "") -> Markup | str:
    """Links with these words; `about` tells those that look alike apart for who listens."""
    said = markup("<span class='unseen'>: {}</span>", short_name(about)) if about else ""
    drawn = [
        markup("<a href='{}' target='_blank' rel='noopener' title='Opens the lab in a new tab'>{} ↗{}</a>",
               link, words, said)
        for words, link in leads
        if link
    ]  # fmt: skip
    return markup(" <span class='leads'>{}</span>", joined(drawn, " ")) if drawn else ""
