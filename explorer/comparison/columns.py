"""Changes of columns: each column's own test, adjusted for all columns, and the size of the change in its own units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from explorer.datasets.columns.quantity import Quantity
from explorer.datasets.columns.treatment import ColumnTreatment
from explorer.datasets.common_space import Tables
from explorer.discrepancy.columns.categories import FEW, ManyLevels
from explorer.discrepancy.columns.scores import TERMS, level_scores, number_scores, scale_scores, with_others
from explorer.discrepancy.columns.step_down import adjusted_pvalues, pvalues, standardised, thresholds
from explorer.discrepancy.columns.ties import Ties
from explorer.discrepancy.results.answer import Answer
from explorer.execution.processors import limit_threads_of_methods, side_by_side
from explorer.printing import format_number, join_list, minus, percent, printed, short_name, value_of, with_unit
from explorer.record import record
from explorer.types import Matrix, Points, Rows, Vector

from .effect_sizes import moved_above, moved_share, probability_of_superiority, quartiles, shares, shift_interval
from .resamples import Resamples
from .subjects import Paired, differences, medians_of, modes_of, rises, typical_change
from .within import WithinSubjects

SCORES = 4  # about how many scores a column has; used to estimate the time only
# seconds per value on a typical core: to score it, and to measure its part of a column's change
SCORED, MEASURED = 2e-7, 4e-7
ABOVE = 10  # standard deviations; no standardised statistic is that far below its mean, so the sum is positive
ASPECTS = ("place", "spread")  # aspects that the first two scores measure; all other scores measure the shape


@limit_threads_of_methods
@printed
@record(kw_only=True)
class ColumnChange(Answer):
    """Difference of one column between samples a and b.

    Attributes
    ----------
    name : str
        The column's name.
    kind : {"number", "category", "missing"}
        What is compared: numbers, levels, or the share of rows that miss a cell of the column of this name.
    pvalue : float
        p of the column's own permutation test, as if there were no other columns.
    adjusted : float
        p adjusted for all columns: if no column differs, P(any adjusted <= level) <= level, see `adjusted_pvalues`.
    aspect : {"place", "spread", "shape", "shares"}
        What differs most: "place", "spread" or "shape" for numbers, "shares" for a category, any of these for an
        ordered scale.
    superiority : float or None
        P(a < b) + P(a = b)/2 for a random value of each, for numbers and ordered scales. Within subjects it is the
        share of subjects whose value rises, plus half of those whose value stays.
    medians : tuple of float or None
        Medians of a and of b in the column's units, for numbers.
    quartiles : tuple of (float, float) or None
        Lower and upper quartile of a, and of b, for numbers.
    shift : float or None
        Difference of the medians, b's minus a's. Within subjects it is their typical change: the median of all averages
        of two changes, each of which is the median of the subject's values in b minus that of its values in a, see
        `typical_change`.
    interval : tuple of float or None
        Interval that contains the shift with probability 1 - level at least, see `shift_interval`; infinite if there
        are too few rows. Within subjects it is right in the limit of many subjects, and exact if changes are symmetric.
    shares : dict or None
        level -> (share in a, share in b), for a category.
    common : tuple of float or None
        (value, its share in a, its share in b) of the value whose share differs most, in the column's units, if the
        medians of numbers are equal.
    ordered : bool
        Whether a category is an ordered scale, see `word_scales`. It then has a superiority as well.
    middle : tuple of str or None
        Median levels of a and of b, for an ordered scale.
    above : tuple or None
        (step, p, q) for an ordered scale: the shares of a and of b at this step or above, for the step where they
        differ most.
    unit : str
        Unit of the numbers according to the tables.
    subjects : int or None
        Number of subjects that have a value in both a and b, within subjects; None otherwise.
    changed : int or None
        Within subjects, for a category: number of subjects whose most frequent level differs between a and b. Among
        equally frequent levels the first one counts.
    threshold : float
        Value of the test statistic from which on the column is significant over all columns together, see
        `ColumnTests`.
    quantity : Quantity
        The column's unit, levels and format.

    Examples
    --------
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
    ordered: bool = False
    middle: tuple[str, str] | None = None
    above: tuple[str, float, float] | None = None
    unit: str = ""
    subjects: int | None = None
    changed: int | None = None
    threshold: float
    quantity: Quantity

    @property
    def label(self) -> str:
        """The column's name with its unit, if there is one; with "(missing)" for a column of missing cells."""
        if self.kind == "missing":
            return f"{short_name(self.name)} (missing)"
        return (
            f"{short_name(self.name)} ({self.unit})"
            if self.unit and self.unit not in self.name
            else short_name(self.name)
        )

    called = label  # the name of earlier releases

    @property
    def before(self) -> str:
        """The median of a as text, or for a category the share of the level whose share differs most.

        For an ordered scale it is the median level, if that moves.
        """
        return self._amount(0)

    @property
    def after(self) -> str:
        """The median of b as text, or for a category the share of the level whose share differs most; see `before`."""
        return self._amount(1)

    @property
    def change(self) -> str:
        """The change as text: the difference of medians with its interval, or the change of a level's share."""
        if self.shift is None or self.interval is None:
            (level, (p, q)), *_ = self.levels
            moved = "" if self.changed is None else f", {self.changed:,} of {self.subjects:,} subjects changed"
            if self.moves:
                return f"{short_name(level)} {percent(p)} → {percent(q)}{moved}"
            return f"{minus(f'{100 * (q - p):+.3g}')} points{moved}"
        low, high = (_signed(x, self.quantity) for x in self.interval)
        few = "too few rows for limits" if self.subjects is None else "too few subjects for limits"
        limits = f"{low} to {high}" if np.isfinite(self.interval).all() else few
        return f"{_signed(self.shift, self.quantity)} ({limits})"

    @property
    def beyond(self) -> str:
        """Text on what else differs, if more than the place of a column changes; empty if nothing does."""
        if self.common is not None:
            value, p, q = self.common
            said = value_of(self.quantity, float(self.quantity.from_file_units(np.array(value))))
            return f"{said} in {percent(p)} → {percent(q)}"
        if self.above is not None:
            step, p, q = self.above
            if step == list(self.shares or {})[-1]:  # its share is printed already
                return ""
            return f"from {short_name(step)} on {percent(p)} → {percent(q)}"
        if self.quartiles is None or self.aspect == "place":
            return ""
        first, second = (format_length(high - low, self.quantity) for low, high in self.quartiles)
        return f"interquartile range {first} → {second}"

    def _amount(self, which):
        """Return the median, the median level or a level's share in sample 0 (a) or 1 (b), as text."""
        if self.medians is not None:
            return value_of(self.quantity, float(self.quantity.from_file_units(np.array(self.medians[which]))))
        if self.moves and self.middle is not None:
            return short_name(self.middle[which])
        level, both = self.levels[0]
        return percent(both[which]) if self.kind == "missing" else f"{short_name(level)} {percent(both[which])}"

    @property
    def moves(self) -> bool:
        """True if the median level of an ordered scale moves."""
        return self.middle is not None and self.middle[0] != self.middle[1]

    @property
    def levels(self) -> list[tuple[str, tuple[float, float]]]:
        """The levels of a category with both shares, largest difference first; in a tie True, yes or 1 first."""
        # reversed, so that in a tie missing cells, True, yes and 1 come first
        last = list((self.shares or {}).items())[::-1]
        return sorted(last, key=lambda item: -round(abs(item[1][1] - item[1][0]), 12))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name in a form that JSON can hold, and the change as text.

        Returns
        -------
        dict
            The fields except `quantity`, and `before`, `after`, `change` and `beyond`.
        """
        fields = super().to_dict()
        del fields["quantity"]
        return fields | {"before": self.before, "after": self.after, "change": self.change, "beyond": self.beyond}

    def __str__(self) -> str:
        change = ", ".join(filter(None, (f"{self.before} → {self.after}", self.change, self.beyond)))
        return f"{self.label}: {change} (adjusted p = {self.adjusted:.3g})."


def about_intervals(columns: Sequence[ColumnChange], level: float) -> str:
    """Explain in sentences why a column's interval and its p seem to disagree; return "" if none do.

    An interval is about one column's medians alone, at 1 - level. p is adjusted for all columns, and is about spread
    and shape as well.

    Parameters
    ----------
    columns : sequence of ColumnChange
        The columns of one table.
    level : float
        Level of the comparison.

    Returns
    -------
    str
        One or two sentences, or "".
    """
    there = [column for column in columns if column.interval is not None]
    beyond = [column for column in there if column.interval and not column.interval[0] <= 0 <= column.interval[1]]
    apart = [column for column in beyond if column.adjusted > level]
    holding = [column for column in there if column not in beyond and column.adjusted <= level]
    words = []
    if apart:
        reason = f"the interval is for one column alone, and p is adjusted for all {len(columns)} tests"
        if any(column.pvalue > level for column in apart):
            of_all = f", adjusted for all {len(columns)} tests" if len(columns) > 1 else ""
            reason = f"the interval is for the medians alone, and p is for place, spread and shape{of_all}"
        words.append(f"0 lies outside the interval although p is above {level:g} in {_names(apart)}: {reason}.")
    if holding:
        reason = "the interval is for the medians alone, and p is for spread and shape too"
        words.append(f"0 lies in the interval although p is at most {level:g} in {_names(holding)}: {reason}.")
    return " ".join(words)


def _names(columns):
    """Return the labels of columns as a list of at most 160 characters."""
    return join_list([column.label for column in columns], 160)


def format_length(x: float, quantity: Quantity) -> str:
    """Format the difference of two values of a column with its unit; for dates it is a number of days."""
    return f"{format_number(x)} days" if quantity.dates else with_unit(format_number(x), quantity)


def _signed(x, quantity):
    """Format a difference with its sign and unit."""
    return f"{'+' if x > 0 else ''}{format_length(x, quantity)}"


def has_many_levels(column: ColumnTreatment) -> bool:
    """Return whether a column is a category with so many levels that it gets its own statistic, see `ManyLevels`."""
    return len(column.levels) > FEW and not column.ordered


def scores_of(x: Vector, column: ColumnTreatment) -> Matrix:
    """Return the scores, shape (N, K), of a column's pooled values, shape (N,)."""
    if column.ordered:
        codes = x.astype(int)
        shares = np.bincount(codes, minlength=len(column.levels)) / max(len(codes), 1)
        return scale_scores(shares, column.ordered)[codes]
    if not column.levels:
        return number_scores(Ties.of(x).ranks())
    count = min(len(column.levels), FEW + 1)  # the 50 most frequent levels, and one for all others
    return level_scores(with_others(x, count), count)


class ColumnTests(NamedTuple):
    """Tests of all columns in the same resamples.

    Attributes
    ----------
    statistics : ndarray of shape (B + 1, d)
        Squared difference of the samples' mean scores, observed split first. For a category of more than 50 levels it
        is the statistic of `ManyLevels`. Within subjects, the levels beyond the 50 most frequent are merged into one.
    aspects : tuple of str
        For each column, what differs most, such as "place", "spread" or "shares": the score with the largest difference
        relative to its spread over the splits.
    """

    statistics: Matrix
    aspects: tuple[str, ...]

    @classmethod
    def of(cls, P: Points, tables: Tables, resamples: Resamples) -> ColumnTests:
        """Test each column of pooled points.

        Parameters
        ----------
        P : ndarray of shape (N, d)
            The points, a's rows first.
        tables : Tables
            Tables whose columns the points have.
        resamples : Resamples
            Splits of the rows.
        """
        columns = tables.included

        def test(j: int) -> tuple[Vector, str]:
            x, given = tables.cells(P, j), tables.observed(P, j)
            if has_many_levels(columns[j]) and not isinstance(resamples, WithinSubjects):
                return _of_many_levels(x, len(columns[j].levels), resamples, given), "shares"
            apart = resamples.differences(scores_of(x, columns[j]), given)
            if columns[j].levels:
                return np.square(apart).sum(axis=1), _aspect(apart) if columns[j].ordered else "shares"
            if isinstance(resamples, WithinSubjects):
                return _of_either(apart, resamples.differences(resamples.aligned_scores(x, given), given))
            return np.square(apart).sum(axis=1), _aspect(apart)

        seconds = len(columns) * (SCORED * len(P) + resamples.takes(SCORES))
        statistics, aspects = zip(*side_by_side(test, range(len(columns)), seconds), strict=True)
        return cls(np.column_stack(statistics), aspects)

    @property
    def pvalues(self) -> Vector:
        """The p-value of each column alone, shape (d,)."""
        return pvalues(self.statistics)

    @property
    def adjusted(self) -> Vector:
        """The p-values adjusted for all columns together, shape (d,)."""
        return adjusted_pvalues(self.statistics)

    def thresholds(self, level: float) -> Vector:
        """Return the thresholds, shape (d,), of each column's statistic for it to be significant as the first of all.

        Parameters
        ----------
        level : float
            Level over all columns.

        Returns
        -------
        ndarray of shape (d,)
            Values of the statistics.
        """
        return thresholds(self.statistics, level)


def _of_many_levels(codes, levels, resamples, given) -> Vector:
    """Return the statistics, shape (B + 1,), of a category of many levels, from the cells that are not missing."""
    category = ManyLevels.of(codes, levels)
    found = [category.statistics(first, first.sum(axis=1)) for first in resamples.counts(codes, levels, given)]
    return np.concatenate(found)


def _of_either(apart, aligned):
    """Return each split's statistic and what differs most, from scores of overall ranks or of ranks within subjects.

    The statistic is the larger of both after each is standardised. It is returned as a cube, since `standardised` takes
    the cube root.
    """
    z = standardised(np.column_stack([np.square(each).sum(axis=1) for each in (apart, aligned)]))
    larger = np.maximum(z.max(axis=1) + ABOVE, 0.0)
    return larger**3, _aspect(apart) if z[0, 0] > z[0, 1] else "place"


def _aspect(apart):
    """Return what differs most, relative to its deviation over all splits: "place", "spread", "shape" or "shares"."""
    spread = np.sqrt(np.square(apart).mean(axis=0))
    largest = int(np.argmax(np.divide(np.abs(apart[0]), spread, out=np.zeros_like(spread), where=spread > 0)))
    if largest >= TERMS:  # the indicator of a level of an ordered scale
        return "shares"
    return ASPECTS[largest] if largest < len(ASPECTS) else "shape"


def changes(
    tables: Tables, a: Points, b: Points, tests: ColumnTests, level: float, groups: Rows | None = None
) -> tuple[ColumnChange, ...]:
    """Return a ColumnChange for each column that has cells in both a and b.

    Parameters
    ----------
    tables : Tables
        Tables whose columns the points have.
    a : ndarray of shape (n, d)
        Points of the first sample.
    b : ndarray of shape (m, d)
        Points of the second sample.
    tests : ColumnTests
        Tests of the same columns.
    level : float
        Level of the comparison and of the intervals.
    groups : ndarray of shape (n + m,) or None, default None
        Codes of the subjects of all rows, within which values change; None if rows do not belong to subjects.

    Returns
    -------
    tuple of ColumnChange
        In the order of the columns.
    """
    tested = list(zip(tests.pvalues, tests.adjusted, tests.aspects, tests.thresholds(level), strict=True))
    cells = [(tables.cells(a, j), tables.cells(b, j)) for j in range(len(tables.included))]

    def change(j: int) -> ColumnChange:
        found = _change(tables.included[j], tables[0].quantities[j], *cells[j], tested[j], level)
        if groups is None:
            return found
        subjects = (groups[: len(a)][_available(tables, a, j)], groups[len(a) :][_available(tables, b, j)])
        return _within(found, *cells[j], *subjects, level)

    both = [j for j, (x, y) in enumerate(cells) if len(x) and len(y)]
    return tuple(side_by_side(change, both, MEASURED * len(both) * (len(a) + len(b))))


def _on_a_scale(column, x, y) -> dict[str, Any]:
    """Return the extra fields of an ordered scale, from the codes x (n,) and y (m,) that are steps of the scale."""
    x, y = x[x < column.ordered], y[y < column.ordered]
    found: dict[str, Any] = {"ordered": True}
    if len(x) and len(y):
        step, p, q = moved_above(x, y)
        middle = tuple(column.levels[int(np.quantile(z, 0.5, method="lower"))] for z in (x, y))
        found |= {
            "superiority": probability_of_superiority(x, y),
            "middle": middle,
            "above": (column.levels[step], p, q),
        }
    return found


def _available(tables, X, j):
    """Return which rows of X have a cell in column j, as a mask or a slice."""
    given = tables.observed(X, j)
    return slice(None) if given is None else given


def _within(change, x, y, subjects_x, subjects_y, level):
    """Add to a column's change what is known within subjects; x and y are the column's values."""
    some, others, paired = Paired.of(subjects_x, subjects_y)
    x, y, count = x[some], y[others], paired.subjects
    if change.shares is not None:
        moved = modes_of(x, paired.a, count) != modes_of(y, paired.b, count)
        return replace(change, subjects=count, changed=None if change.kind == "missing" else int(moved.sum()))
    own = change.quantity.own
    apart = differences(medians_of(own(x), paired.a, count), medians_of(own(y), paired.b, count))
    if not count:
        return replace(change, subjects=0, shift=math.nan, interval=(-math.inf, math.inf), superiority=math.nan)
    shift, *ends = typical_change(apart, level)
    common = moved_share(own(x), own(y)) if np.median(apart) == 0 else None
    known = {"shift": shift, "interval": tuple(ends), "superiority": rises(apart), "common": common}
    return replace(change, subjects=count, **known)


def _change(column, quantity, x, y, tested, level):
    """Return the ColumnChange of one column from its values x and y in the two samples."""
    pvalue, adjusted, aspect, threshold = tested
    known = {"name": column.name, "kind": column.kind, "pvalue": float(pvalue), "adjusted": float(adjusted)}
    known |= {"aspect": aspect, "unit": column.unit, "threshold": float(threshold), "quantity": quantity}
    if column.levels:
        known |= {"shares": shares(x, y, column.levels)}
        return ColumnChange(**known, **_on_a_scale(column, x, y)) if column.ordered else ColumnChange(**known)
    x, y = quantity.to_file_units(x), quantity.to_file_units(y)
    (low, p, high), (lower, q, upper) = quartiles(x), quartiles(y)
    return ColumnChange(
        **known,
        superiority=probability_of_superiority(x, y),
        medians=(p, q),
        quartiles=((low, high), (lower, upper)),
        common=moved_share(x, y) if p == q else None,
        shift=q - p,
        interval=shift_interval(x, y, level),
    )
