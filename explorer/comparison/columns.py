"""How each column differs: its own test among those of all columns, and how much, in its own units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from explorer.datasets.joint_tables import Tables
from explorer.datasets.quantity import Quantity
from explorer.datasets.treatment import ColumnTreatment
from explorer.discrepancy.answer import Answer
from explorer.discrepancy.column_scores import level_scores, number_scores
from explorer.discrepancy.column_ties import Ties
from explorer.printing import listed, minus, number, percent, printed, short, value_of, with_unit
from explorer.processors import hold_methods, side_by_side
from explorer.record import record
from explorer.types import Matrix, Points, Vector

from .amounts import moved_share, quartiles, shares, shift_interval, superiority
from .resamples import Resamples
from .stepdown import adjusted_pvalues, pvalues, thresholds

SCORES = 4  # of a column, about
SCORED, MEASURED = 2e-7, 4e-7  # s on a usual core for the scores of a value, and for its part of a column's change
ASPECTS = ("place", "spread")  # of the first two scores; what the others tell is the shape


@hold_methods
@printed
@record(kw_only=True)
class ColumnChange(Answer):
    """How one column differs between a and b.

    kind         "number" or "category"; or "missing", of the rows that miss a cell of the column of this name
    pvalue       of the column's own permutation test, as if there were no others
    adjusted     for all columns: where no column differs, P(any adjusted <= level) <= level, see `adjusted_pvalues`
    aspect       what differs most: "place", "spread" or "shape" of numbers, "shares" of a category
    superiority  of numbers, P(a < b) + P(a = b)/2 for a random value of each
    medians      of numbers, a's and b's, in the column's units; quartiles, the lower and the upper ones of a and of b
    shift        the difference of medians, b's less a's; interval, which holds it with probability 1 - level at least,
                 infinite of too few rows, see `shift_interval`
    shares       of a category, level -> (share in a, share in b)
    common       of numbers whose medians are equal: (value, its share in a, its share in b) of the value whose share
                 differs most, in the column's units; else None
    unit         what the tables say that the numbers are in
    threshold    the squared difference of mean scores from which on it would be found, for all columns together

    >>> import numpy as np
    >>> from explorer.comparison import ColumnChange, compare
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(0.0, 1.0, (60, 2)), rng.normal([0.0, 1.0], 1.0, (60, 2))
    >>> column: ColumnChange = compare(a, b, n_resamples=199, rng=0).columns[1]
    >>> column.name, column.aspect, round(column.shift, 1), [round(end, 1) for end in column.interval]
    ('x2', 'place', 0.7, [0.2, 1.5])
    """

    name: str
    kind: str
    pvalue: float
    adjusted: float
    aspect: str
    superiority: float | None = None
    medians: tuple[float, float] | None = None
    quartiles: tuple[tuple[float, float], tuple[float, float]] | None = None
    shift: float | None = None
    interval: tuple[float, float] | None = None
    shares: dict[str, tuple[float, float]] | None = None
    common: tuple[float, float, float] | None = None
    unit: str = ""
    threshold: float
    quantity: Quantity

    @property
    def called(self) -> str:
        """Its name, with its unit where the tables have one; of "missing" what is counted."""
        if self.kind == "missing":
            return f"{short(self.name)} (missing)"
        return f"{short(self.name)} ({self.unit})" if self.unit and self.unit not in self.name else short(self.name)

    @property
    def before(self) -> str:
        """The median of a in words; of a category the share of the level whose share differs most."""
        return self._amount(0)

    @property
    def after(self) -> str:
        """That of b."""
        return self._amount(1)

    @property
    def change(self) -> str:
        """How much it differs, in words: the difference of medians with its interval, or of that share."""
        if self.shift is None or self.interval is None:
            (_, (p, q)), *_ = self.levels
            return f"{minus(f'{100 * (q - p):+.3g}')} points"
        low, high = (_signed(x, self.quantity) for x in self.interval)
        limits = f"{low} to {high}" if np.isfinite(self.interval).all() else "too few rows for limits"
        return f"{_signed(self.shift, self.quantity)} ({limits})"

    @property
    def beyond(self) -> str:
        """What else differs of numbers that differ in more than their place, in words; "" of others."""
        if self.common is not None:
            value, p, q = self.common
            said = value_of(self.quantity, float(self.quantity.scaled(np.array(value))))
            return f"{said} in {percent(p)} → {percent(q)}"
        if self.quartiles is None or self.aspect == "place":
            return ""
        first, second = (length_in_words(high - low, self.quantity) for low, high in self.quartiles)
        return f"middle half {first} → {second} wide"

    def _amount(self, which):
        if self.medians is not None:
            return value_of(self.quantity, float(self.quantity.scaled(np.array(self.medians[which]))))
        level, both = self.levels[0]
        return percent(both[which]) if self.kind == "missing" else f"{short(level)} {percent(both[which])}"

    @property
    def levels(self) -> list[tuple[str, tuple[float, float]]]:
        """A category's levels with both shares, those that differ most first; of two, True, yes or 1 by their order."""
        last = list((self.shares or {}).items())[::-1]  # of "missing" the rows that miss a cell come first
        return sorted(last, key=lambda item: -round(abs(item[1][1] - item[1][0]), 12))

    def to_dict(self) -> dict[str, Any]:
        """The fields by name as JSON has them, and the change in words."""
        fields = super().to_dict()
        del fields["quantity"]
        return fields | {"before": self.before, "after": self.after, "change": self.change, "beyond": self.beyond}

    def __str__(self) -> str:
        change = ", ".join(filter(None, (f"{self.before} → {self.after}", self.change, self.beyond)))
        return f"{self.called}: {change} (adjusted p = {self.adjusted:.3g})."


def about_intervals(columns: Sequence[ColumnChange], level: float) -> str:
    """Why the interval of a column and its p seem to disagree, sentences; "" where no column's do.

    An interval is of one column's medians alone, at 1 - level; p is adjusted for all columns, and of spread and shape
    too.
    """
    there = [column for column in columns if column.interval is not None]
    beyond = [column for column in there if column.interval and not column.interval[0] <= 0 <= column.interval[1]]
    apart = [column for column in beyond if column.adjusted > level]
    holding = [column for column in there if column not in beyond and column.adjusted <= level]
    words = []
    if apart:
        reason = f"an interval is of one column alone, and p is adjusted for all {len(columns)}"
        if any(column.pvalue > level for column in apart):
            of_all = f", adjusted for all {len(columns)}" if len(columns) > 1 else ""
            reason = f"an interval is of one column's medians alone, and p is of place, spread and shape{of_all}"
        words.append(f"0 lies outside the interval and p is above {level:g} in {_names(apart)}: {reason}.")
    if holding:
        reason = "an interval is of medians alone, and p is of spread and shape too"
        words.append(f"0 lies in the interval and p is at most {level:g} in {_names(holding)}: {reason}.")
    return " ".join(words)


def _names(columns):
    return listed([column.called for column in columns], 160)


def length_in_words(x: float, quantity: Quantity) -> str:
    """A difference of two of a column's values in words; days of dates."""
    return f"{number(x)} days" if quantity.dates else with_unit(number(x), quantity)


def _signed(x, quantity):
    return f"{'+' if x > 0 else ''}{length_in_words(x, quantity)}"


def scores_of(x: Vector, column: ColumnTreatment) -> Matrix:
    """The scores (N, K) of a column's pooled values (N,)."""
    return level_scores(x, len(column.levels)) if column.levels else number_scores(Ties.of(x).ranks())


class ColumnTests(NamedTuple):
    """The tests of all columns in the same resamples.

    statistics  (B + 1, d): the squared difference of the samples' mean scores, the observed split first
    aspects     of each column, which of its scores differs most, against its own spread
    """

    statistics: Matrix
    aspects: tuple[str, ...]

    @classmethod
    def of(cls, P: Points, tables: Tables, resamples: Resamples) -> ColumnTests:
        """Return the tests of the columns of pooled points P (N, d) of these tables, a's first, each of its own cells.

        They are exact if all rows are exchangeable. If cells are missing more often in one sample than in the other,
        and those that are given have one distribution, a column's p is right in the limit of many cells.
        """
        columns = tables.kept

        def test(j: int) -> tuple[Vector, str]:
            apart = resamples.differences(scores_of(tables.cells(P, j), columns[j]), tables.given(P, j))
            return np.square(apart).sum(axis=1), "shares" if columns[j].levels else _aspect(apart)

        seconds = len(columns) * (SCORED * len(P) + resamples.takes(SCORES))
        statistics, aspects = zip(*side_by_side(test, range(len(columns)), seconds), strict=True)
        return cls(np.column_stack(statistics), aspects)

    @property
    def pvalues(self) -> Vector:
        """Of each column alone, (d,)."""
        return pvalues(self.statistics)

    @property
    def adjusted(self) -> Vector:
        """For all columns together, (d,)."""
        return adjusted_pvalues(self.statistics)

    def thresholds(self, level: float) -> Vector:
        """The statistics that are found at the level over all columns, as the first of them, (d,)."""
        return thresholds(self.statistics, level)


def _aspect(apart):
    """Which score's difference is the largest of the observed split, over its deviation in all splits."""
    spread = np.sqrt(np.square(apart).mean(axis=0))
    largest = int(np.argmax(np.divide(np.abs(apart[0]), spread, out=np.zeros_like(spread), where=spread > 0)))
    return ASPECTS[largest] if largest < len(ASPECTS) else "shape"


def changes(tables: Tables, a: Points, b: Points, tests: ColumnTests, level: float) -> tuple[ColumnChange, ...]:
    """Return a ColumnChange for each column of points a (n, d) and b (m, d) of these tables, if both have cells."""
    tested = list(zip(tests.pvalues, tests.adjusted, tests.aspects, tests.thresholds(level), strict=True))
    cells = [(tables.cells(a, j), tables.cells(b, j)) for j in range(len(tables.kept))]

    def change(j: int) -> ColumnChange:
        return _change(tables.kept[j], tables[0].quantities[j], *cells[j], tested[j], level)

    both = [j for j, (x, y) in enumerate(cells) if len(x) and len(y)]
    return tuple(side_by_side(change, both, MEASURED * len(both) * (len(a) + len(b))))


def _change(column, quantity, x, y, tested, level):
    pvalue, adjusted, aspect, threshold = tested
    known = {"name": column.name, "kind": column.kind, "pvalue": float(pvalue), "adjusted": float(adjusted)}
    known |= {"aspect": aspect, "unit": column.unit, "threshold": float(threshold), "quantity": quantity}
    if column.levels:
        return ColumnChange(**known, shares=shares(x, y, column.levels))
    x, y = quantity.own(x), quantity.own(y)
    (low, p, high), (lower, q, upper) = quartiles(x), quartiles(y)
    return ColumnChange(
        **known,
        superiority=superiority(x, y),
        medians=(p, q),
        quartiles=((low, high), (lower, upper)),
        common=moved_share(x, y) if p == q else None,
        shift=q - p,
        interval=shift_interval(x, y, level),
    )
