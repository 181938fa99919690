"""The columns that change at the break of a scan: a test of each, whose split is chosen anew in every other order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from explorer.discrepancy.column_scores import level_scores, number_scores, with_others
from explorer.discrepancy.column_stepdown import adjusted_pvalues, pvalues
from explorer.discrepancy.column_ties import Ties
from explorer.printing import format_number, percent, printed, short_name
from explorer.record import record
from explorer.types import Matrix, Points, Rows, Vector

MOST_LEVELS = 50  # of a category with a score of their own
MOST_COLUMNS = 200  # beyond it no column is tested by itself
MOST_VALUES = 2**24  # scores of all rows, 128 MB
ASPECTS = ("place", "spread")  # of the first two scores; the others are about the shape


@printed
@record(kw_only=True)
class ColumnBreak:
    """How one column differs before and after the break that `scan` found.

    pvalue    of the column's own test: its mean scores before and after the split, as in `compare`, beside those of
              each other order at the split that the scan takes there. So the choice of the split is counted, and p is
              exact, or about right, where the scan's own p is and nothing changes; see `scan`
    adjusted  for all columns together, by step-down maxima
    aspect    what differs most: "place", "spread" or "shape" of numbers, "shares" of a category
    medians, widths  of numbers, before and after: the median, and the width of the middle half; else None
    level, shares    of a category, the level whose share differs most, and its share before and after; else "" and None

    >>> import numpy as np
    >>> from explorer import scan
    >>> from explorer.changes import ColumnBreak
    >>> rows = np.random.default_rng(0).normal(size=(200, 2))
    >>> rows[120:, 1] += 4
    >>> column: ColumnBreak = scan(rows, rng=0).changed[0]
    >>> column.name, column.adjusted, column.aspect
    ('x2', 0.005, 'place')
    """

    name: str
    pvalue: float
    adjusted: float
    aspect: str
    medians: tuple[float, float] | None = None
    widths: tuple[float, float] | None = None
    level: str = ""
    shares: tuple[float, float] | None = None

    @property
    def change(self) -> str:
        """What it was before the break and is after it, in words."""
        if self.shares is not None:
            first, second = map(percent, self.shares)
            return f"{short_name(self.level)} {first} → {second}"
        (p, q), (v, w) = self.medians or (0.0, 0.0), self.widths or (0.0, 0.0)
        middle = f", middle half {format_number(v)} → {format_number(w)} wide" if self.aspect != "place" else ""
        return f"median {format_number(p)} → {format_number(q)}{middle}"

    def __str__(self) -> str:
        return f"{short_name(self.name)}: {self.change} (adjusted p = {self.adjusted:.3g})."


class ColumnScores(NamedTuple):
    """Scores of each column of n rows, centred, side by side.

    values  (n, K)
    starts  where those of each column begin, (d,)
    """

    values: Matrix
    starts: Rows

    @classmethod
    def of(cls, P: Points, levels: tuple[int, ...]) -> ColumnScores | None:
        """Of rows P (n, d); `levels` are how many each column has, 0 of numbers. None if there are too many.

        Of a category of more than 50 levels the rare ones share one score.
        """
        n, d = P.shape
        given = levels or (0,) * d
        levels = tuple(min(count, MOST_LEVELS) for count in given)
        if d > MOST_COLUMNS or n * sum(each or 5 for each in levels) > MOST_VALUES:
            return None
        each = [
            level_scores(with_others(x, count), count) if count else number_scores(Ties.of(x).ranks())
            for x, count in zip(P.T, levels, strict=True)
        ]
        values = np.column_stack(each)
        starts = np.cumsum([0, *(scores.shape[1] for scores in each[:-1])])
        return cls(values - values.mean(axis=0), starts)

    def means(self, starts: Rows) -> ColumnScores:
        """Those of stretches of rows that begin at these rows: the means of theirs."""
        values = np.add.reduceat(self.values, starts, axis=0) / np.diff(starts, append=len(self.values))[:, None]
        return ColumnScores(values - values.mean(axis=0), self.starts)

    def apart(self, order: Rows, split: int) -> Vector:
        """Return the differences of mean scores after and before a split, (K,), times sqrt(t (n - t) / n)."""
        n = len(self.values)
        before = np.zeros(n)
        before[order[:split]] = 1.0
        return -(before @ self.values) * np.sqrt(n / (split * (n - split)))

    def statistics(self, apart: Matrix) -> Matrix:
        """Return the squared difference of each column, (B + 1, d), of differences (B + 1, K)."""
        return np.add.reduceat(np.square(apart), self.starts, axis=1)


def column_breaks(
    scores: ColumnScores, apart: Matrix, P: Points, split: int, names: tuple[str, ...], quantities: tuple[Any, ...]
) -> tuple[ColumnBreak, ...]:
    """Return a ColumnBreak for each column of rows P (n, d), from the differences (B + 1, K) of all orders."""
    statistics = scores.statistics(apart)
    found = []
    ends = [*scores.starts[1:], scores.values.shape[1]]
    alone, adjusted = pvalues(statistics), adjusted_pvalues(statistics)
    for j, (start, end) in enumerate(zip(scores.starts, ends, strict=True)):
        name = names[j] if names else f"x{j + 1}"
        known: dict[str, Any] = {"name": name, "pvalue": float(alone[j]), "adjusted": float(adjusted[j])}
        quantity = quantities[j] if quantities else None
        if quantity is not None and quantity.levels:
            found.append(ColumnBreak(**known, aspect="shares", **_shares(P[:, j], split, quantity.levels)))
        else:
            x = P[:, j] if quantity is None else quantity.to_file_units(P[:, j])
            found.append(ColumnBreak(**known, aspect=_aspect(apart[:, start:end]), **_amounts(x, split)))
    return tuple(found)


def _aspect(apart):
    """Which score of a column differs most, over its deviation in all orders."""
    spread = np.sqrt(np.square(apart).mean(axis=0))
    largest = int(np.argmax(np.divide(np.abs(apart[0]), spread, out=np.zeros_like(spread), where=spread > 0)))
    return ASPECTS[largest] if largest < len(ASPECTS) else "shape"


def _amounts(x: Vector, split: int) -> dict[str, Any]:
    first, second = (np.quantile(part, [0.25, 0.5, 0.75]).tolist() for part in (x[:split], x[split:]))
    return {"medians": (first[1], second[1]), "widths": (first[2] - first[0], second[2] - second[0])}


def _shares(codes: Vector, split: int, levels: tuple[str, ...]) -> dict[str, Any]:
    counts = [np.bincount(part.astype(int), minlength=len(levels)) for part in (codes[:split], codes[split:])]
    first, second = (count / count.sum() for count in counts)
    most = int(np.argmax(np.abs(second - first)))
    return {"level": levels[most], "shares": (float(first[most]), float(second[most]))}
