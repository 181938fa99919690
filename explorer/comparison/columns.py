"""How each column differs: its own test among those of all columns, and how much, in its own units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from explorer.datasets.columns.quantity import Quantity
from explorer.datasets.columns.treatment import ColumnTreatment
from explorer.datasets.common_space import Tables
from explorer.discrepancy.answer import Answer
from explorer.discrepancy.column_scores import TERMS, level_scores, number_scores, scale_scores, with_others
from explorer.discrepancy.column_ties import Ties
from explorer.discrepancy.many_levels import FEW, ManyLevels
from explorer.printing import format_number, join_list, minus, percent, printed, short_name, value_of, with_unit
from explorer.processors import limit_threads_of_methods, side_by_side
from explorer.record import record
from explorer.types import Matrix, Points, Rows, Vector

from .effect_sizes import moved_above, moved_share, quartiles, shares, shift_interval, superiority
from .resamples import Resamples
from .stepdown import adjusted_pvalues, pvalues, standardised, thresholds
from .subjects import Paired, differences, medians_of, modes_of, rises, typical_change
from .within import WithinSubjects

SCORES = 4  # of a column, about
SCORED, MEASURED = 2e-7, 4e-7  # s on a usual core for the scores of a value, and for its part of a column's change
ABOVE = 10  # deviations: no standardised statistic is as far below its mean
ASPECTS = ("place", "spread")  # of the first two scores; what the others tell is the shape


@limit_threads_of_methods
@printed
@record(kw_only=True)
class ColumnChange(Answer):
    """How one column differs between a and b.

    kind         "number" or "category"; or "missing", of the rows that miss a cell of the column of this name
    pvalue       of the column's own permutation test, as if there were no others
    adjusted     for all columns: where no column differs, P(any adjusted <= level) <= level, see `adjusted_pvalues`
    aspect       what differs most: "place", "spread" or "shape" of numbers, "shares" of a category, either of a scale
    superiority  of numbers and ordered scales, P(a < b) + P(a = b)/2 for a random value of each
    medians      of numbers, a's and b's, in the column's units; quartiles, the lower and the upper ones of a and of b
    shift        the difference of medians, b's less a's; interval, which holds it with probability 1 - level at least,
                 infinite of too few rows, see `shift_interval`
    shares       of a category, level -> (share in a, share in b)
    common       of numbers whose medians are equal: (value, its share in a, its share in b) of the value whose share
                 differs most, in the column's units; else None
    ordered      whether a category is an ordered scale, see `word_scales`; then it has a superiority, too
    middle       of an ordered scale, the median levels of a and of b
    above        of an ordered scale, (step, p, q): shares of a and b at that step or above, where they differ most
    unit         what the tables say that the numbers are in
    subjects     within subjects, how many of them have a value in a and in b; else None. Then shift is their typical
                 change, the median of all averages of two changes, each the median of the subject's values in b less
                 that of those in a; interval is right in the limit of many subjects, and exact if changes are
                 symmetric, see `typical_change`; superiority is the share of subjects whose value rises, plus half of
                 those whose value stays
    changed      of a category within subjects, how many of them have another level in b than in a, the most frequent
                 one of each, of equally frequent ones the first; else None
    threshold    the statistic of its test from which on it would be found, for all columns together, see `ColumnTests`

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
    def called(self) -> str:
        """Its name, with its unit where the tables have one; of "missing" what is counted."""
        if self.kind == "missing":
            return f"{short_name(self.name)} (missing)"
        return (
            f"{short_name(self.name)} ({self.unit})"
            if self.unit and self.unit not in self.name
            else short_name(self.name)
        )

    @property
    def before(self) -> str:
        """The median of a in words; of a category the share of the level whose share differs most.

        Of an ordered scale it is the median level, if that moves.
        """
        return self._amount(0)

    @property
    def after(self) -> str:
        """That of b."""
        return self._amount(1)

    @property
    def change(self) -> str:
        """How much it differs, in words: the difference of medians with its interval, or of that share."""
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
        """What else differs of numbers that differ in more than their place, in words; "" of others."""
        if self.common is not None:
            value, p, q = self.common
            said = value_of(self.quantity, float(self.quantity.from_file_units(np.array(value))))
            return f"{said} in {percent(p)} → {percent(q)}"
        if self.above is not None:
            step, p, q = self.above
            if step == list(self.shares or {})[-1]:  # whose share is said
                return ""
            return f"from {short_name(step)} on {percent(p)} → {percent(q)}"
        if self.quartiles is None or self.aspect == "place":
            return ""
        first, second = (length_in_words(high - low, self.quantity) for low, high in self.quartiles)
        return f"middle half {first} → {second} wide"

    def _amount(self, which):
        if self.medians is not None:
            return value_of(self.quantity, float(self.quantity.from_file_units(np.array(self.medians[which]))))
        if self.moves and self.middle is not None:
            return short_name(self.middle[which])
        level, both = self.levels[0]
        return percent(both[which]) if self.kind == "missing" else f"{short_name(level)} {percent(both[which])}"

    @property
    def moves(self) -> bool:
        """Whether the median level of an ordered scale moves."""
        return self.middle is not None and self.middle[0] != self.middle[1]

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
    return join_list([column.called for column in columns], 160)


def length_in_words(x: float, quantity: Quantity) -> str:
    """A difference of two of a column's values in words; days of dates."""
    return f"{format_number(x)} days" if quantity.dates else with_unit(format_number(x), quantity)


def _signed(x, quantity):
    return f"{'+' if x > 0 else ''}{length_in_words(x, quantity)}"


def has_many_levels(column: ColumnTreatment) -> bool:
    """Return whether a column is a category of so many levels that it has a statistic of its own, see `ManyLevels`."""
    return len(column.levels) > FEW and not column.ordered


def scores_of(x: Vector, column: ColumnTreatment) -> Matrix:
    """The scores (N, K) of a column's pooled values (N,)."""
    if column.ordered:
        codes = x.astype(int)
        shares = np.bincount(codes, minlength=len(column.levels)) / max(len(codes), 1)
        return scale_scores(shares, column.ordered)[codes]
    if not column.levels:
        return number_scores(Ties.of(x).ranks())
    count = min(len(column.levels), FEW + 1)  # the 50 most frequent, and all others
    return level_scores(with_others(x, count), count)


class ColumnTests(NamedTuple):
    """The tests of all columns in the same resamples.

    statistics  (B + 1, d): the squared difference of the samples' mean scores, or of a category of more than 50 levels
                that of `ManyLevels`, the observed split first; within subjects, levels beyond the 50 most frequent
                are one
    aspects     of each column, which of its scores differs most, against its own spread
    """

    statistics: Matrix
    aspects: tuple[str, ...]

    @classmethod
    def of(cls, P: Points, tables: Tables, resamples: Resamples) -> ColumnTests:
        """Return the tests of the columns of pooled points P (N, d) of these tables, a's first, each of its own cells.

        They are exact if all rows are exchangeable. If cells are missing more often in one sample than in the other,
        and those that are given have one distribution, a column's p is right in the limit of many cells. Within
        subjects exchangeable rows of each subject will do, and numbers are also compared by their ranks after the
        subject's mean is taken off, see `WithinSubjects.aligned_scores`: these see a change of place better, and the
        others alone see values that come nearer to each other. A column's statistic is the larger of both.
        """
        columns = tables.kept

        def test(j: int) -> tuple[Vector, str]:
            x, given = tables.cells(P, j), tables.given(P, j)
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
        """Of each column alone, (d,)."""
        return pvalues(self.statistics)

    @property
    def adjusted(self) -> Vector:
        """For all columns together, (d,)."""
        return adjusted_pvalues(self.statistics)

    def thresholds(self, level: float) -> Vector:
        """The statistics that are found at the level over all columns, as the first of them, (d,)."""
        return thresholds(self.statistics, level)


def _of_many_levels(codes, levels, resamples, given) -> Vector:
    """The statistics (B + 1,) of a category of many levels, of the cells that are given."""
    category = ManyLevels.of(codes, levels)
    found = [category.statistics(first, first.sum(axis=1)) for first in resamples.counts(codes, levels, given)]
    return np.concatenate(found)


def _of_either(apart, aligned):
    """The statistic of each split by the scores of all ranks or those of ranks within subjects, and the aspect.

    It is the larger of both, after each is standardised, as a cube: `standardised` takes its root again.
    """
    z = standardised(np.column_stack([np.square(each).sum(axis=1) for each in (apart, aligned)]))
    larger = np.maximum(z.max(axis=1) + ABOVE, 0.0)
    return larger**3, _aspect(apart) if z[0, 0] > z[0, 1] else "place"


def _aspect(apart):
    """Which score's difference is the largest of the observed split, over its deviation in all splits."""
    spread = np.sqrt(np.square(apart).mean(axis=0))
    largest = int(np.argmax(np.divide(np.abs(apart[0]), spread, out=np.zeros_like(spread), where=spread > 0)))
    if largest >= TERMS:  # a level of an ordered scale
        return "shares"
    return ASPECTS[largest] if largest < len(ASPECTS) else "shape"


def changes(
    tables: Tables, a: Points, b: Points, tests: ColumnTests, level: float, groups: Rows | None = None
) -> tuple[ColumnChange, ...]:
    """Return a ColumnChange for each column of points a (n, d) and b (m, d) of these tables, if both have cells.

    groups  codes of the subjects of all rows (n + m,), within which values change; None of rows that are no subjects'
    """
    tested = list(zip(tests.pvalues, tests.adjusted, tests.aspects, tests.thresholds(level), strict=True))
    cells = [(tables.cells(a, j), tables.cells(b, j)) for j in range(len(tables.kept))]

    def change(j: int) -> ColumnChange:
        found = _change(tables.kept[j], tables[0].quantities[j], *cells[j], tested[j], level)
        if groups is None:
            return found
        subjects = (groups[: len(a)][_given(tables, a, j)], groups[len(a) :][_given(tables, b, j)])
        return _within(found, *cells[j], *subjects, level)

    both = [j for j, (x, y) in enumerate(cells) if len(x) and len(y)]
    return tuple(side_by_side(change, both, MEASURED * len(both) * (len(a) + len(b))))


def _on_a_scale(column, x, y) -> dict[str, Any]:
    """What else a change of an ordered scale says, of codes x (n,) and y (m,): of those that are steps of it."""
    x, y = x[x < column.ordered], y[y < column.ordered]
    found: dict[str, Any] = {"ordered": True}
    if len(x) and len(y):
        step, p, q = moved_above(x, y)
        middle = tuple(column.levels[int(np.quantile(z, 0.5, method="lower"))] for z in (x, y))
        found |= {"superiority": superiority(x, y), "middle": middle, "above": (column.levels[step], p, q)}
    return found


def _given(tables, X, j):
    given = tables.given(X, j)
    return slice(None) if given is None else given


def _within(change, x, y, subjects_x, subjects_y, level):
    """A change of a column with what is known within subjects, whose values are x and y."""
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
        superiority=superiority(x, y),
        medians=(p, q),
        quartiles=((low, high), (lower, upper)),
        common=moved_share(x, y) if p == q else None,
        shift=q - p,
        interval=shift_interval(x, y, level),
    )
