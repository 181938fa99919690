"""Columns that change at the break of a scan: a test of each column, with the split chosen again in every order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from explorer.discrepancy.columns.scores import level_scores, number_scores, with_others
from explorer.discrepancy.columns.step_down import adjusted_pvalues, pvalues
from explorer.discrepancy.columns.ties import Ties
from explorer.printing import format_number, percent, printed, short_name
from explorer.record import record
from explorer.types import Matrix, Points, Rows, Vector

MOST_LEVELS = 50  # most levels of a category that have their own scores
MOST_COLUMNS = 200  # most columns that are tested one by one
MOST_VALUES = 2**24  # most scores of all rows together, 128 MB
ASPECTS = ("place", "spread")  # aspects of the first two scores; the others are about the shape


@printed
@record(kw_only=True)
class ColumnBreak:
    """Difference of one column before and after the break that `scan` found.

    Attributes
    ----------
    name : str
        Name of the column.
    pvalue : float
        p-value of the column's own test. Its mean scores before and after the split, as in `compare`, are compared with
        those of each other order at the split that the scan chooses there. So the choice of the split is accounted for,
        and p is exact, or about right, if the scan's own p is and nothing changes; see `scan`.
    adjusted : float
        p-value adjusted for all columns together, by step-down maxima.
    aspect : str
        The aspect that differs most: "place", "spread" or "shape" of numbers, "shares" of a category.
    medians, widths : tuple of float or None
        Of numbers, before and after: the median, and the width of the middle half. None for a category.
    level : str
        Of a category, the level whose share differs most; "" for numbers.
    shares : tuple of float or None
        Share of this level before and after; None for numbers.

    Examples
    --------
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
        """Text with the values before and after the break."""
        if self.shares is not None:
            first, second = map(percent, self.shares)
            return f"{short_name(self.level)} {first} → {second}"
        (p, q), (v, w) = self.medians or (0.0, 0.0), self.widths or (0.0, 0.0)
        spread = f", interquartile range {format_number(v)} → {format_number(w)}" if self.aspect != "place" else ""
        return f"median {format_number(p)} → {format_number(q)}{spread}"

    def __str__(self) -> str:
        return f"{short_name(self.name)}: {self.change} (adjusted p = {self.adjusted:.3g})."


class ColumnScores(NamedTuple):
    """Scores of each column of n rows, centred, side by side.

    Attributes
    ----------
    values : ndarray of shape (n, K)
        The scores.
    starts : ndarray of shape (d,)
        First score of each column.
    """

    values: Matrix
    starts: Rows

    @classmethod
    def of(cls, P: Points, levels: tuple[int, ...]) -> ColumnScores | None:
        """Return the scores of rows P, or None if there are too many.

        If a category has more than 50 levels, the rare ones share one score.

        Parameters
        ----------
        P : ndarray of shape (n, d)
            Rows.
        levels : tuple of int
            Number of levels of each column, 0 for numbers; () if all columns are numbers.

        Returns
        -------
        ColumnScores or None
            The centred scores.
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
        """Return the scores of stretches of rows: the means of their rows' scores.

        Parameters
        ----------
        starts : ndarray of shape (k,)
            First row of each stretch.

        Returns
        -------
        ColumnScores
            Scores of the k stretches.
        """
        values = np.add.reduceat(self.values, starts, axis=0) / np.diff(starts, append=len(self.values))[:, None]
        return ColumnScores(values - values.mean(axis=0), self.starts)

    def differences(self, order: Rows, split: int) -> Vector:
        """Return the differences of mean scores after and before a split, shape (K,), times sqrt(t (n - t) / n).

        Parameters
        ----------
        order : ndarray of shape (n,)
            Order of the rows.
        split : int
            Number t of rows before the split.

        Returns
        -------
        ndarray of shape (K,)
            The differences.
        """
        n = len(self.values)
        before = np.zeros(n)
        before[order[:split]] = 1.0
        return -(before @ self.values) * np.sqrt(n / (split * (n - split)))

    def statistics(self, differences: Matrix) -> Matrix:
        """Return the squared difference of each column, shape (B + 1, d).

        Parameters
        ----------
        differences : ndarray of shape (B + 1, K)
            Differences of the mean scores in each order.

        Returns
        -------
        ndarray of shape (B + 1, d)
            The statistics.
        """
        return np.add.reduceat(np.square(differences), self.starts, axis=1)


def column_breaks(
    scores: ColumnScores,
    differences: Matrix,
    P: Points,
    split: int,
    names: tuple[str, ...],
    quantities: tuple[Any, ...],
) -> tuple[ColumnBreak, ...]:
    """Return a ColumnBreak for each column of rows P (n, d), from the differences (B + 1, K) of all orders."""
    statistics = scores.statistics(differences)
    breaks = []
    ends = [*scores.starts[1:], scores.values.shape[1]]
    alone, adjusted = pvalues(statistics), adjusted_pvalues(statistics)
    for j, (start, end) in enumerate(zip(scores.starts, ends, strict=True)):
        name = names[j] if names else f"x{j + 1}"
        known: dict[str, Any] = {"name": name, "pvalue": float(alone[j]), "adjusted": float(adjusted[j])}
        quantity = quantities[j] if quantities else None
        if quantity is not None and quantity.levels:
            breaks.append(ColumnBreak(**known, aspect="shares", **_shares(P[:, j], split, quantity.levels)))
        else:
            x = P[:, j] if quantity is None else quantity.to_file_units(P[:, j])
            breaks.append(ColumnBreak(**known, aspect=_aspect(differences[:, start:end]), **_amounts(x, split)))
    return tuple(breaks)


def _aspect(differences):
    """Return the aspect of a column that differs most, relative to its deviation over all orders."""
    spread = np.sqrt(np.square(differences).mean(axis=0))
    largest = int(np.argmax(np.divide(np.abs(differences[0]), spread, out=np.zeros_like(spread), where=spread > 0)))
    return ASPECTS[largest] if largest < len(ASPECTS) else "shape"


def _amounts(x: Vector, split: int) -> dict[str, Any]:
    first, second = (np.quantile(part, [0.25, 0.5, 0.75]).tolist() for part in (x[:split], x[split:]))
    return {"medians": (first[1], second[1]), "widths": (first[2] - first[0], second[2] - second[0])}


def _shares(codes: Vector, split: int, levels: tuple[str, ...]) -> dict[str, Any]:
    counts = [np.bincount(part.astype(int), minlength=len(levels)) for part in (codes[:split], codes[split:])]
    first, second = (count / count.sum() for count in counts)
    most = int(np.argmax(np.abs(second - first)))
    return {"level": levels[most], "shares": (float(first[most]), float(second[most]))}
