"""Two samples to compare: of two distributions, two groups of a table or two tables, with points moved or dropped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal, join_list, truncate
from explorer.datasets import DataSet
from explorer.datasets.columns.quantity import Quantity, coordinates, in_file_units
from explorer.discrepancy import mmd2_of_laws
from explorer.printing import short_name
from explorer.types import Matrix, Points, Vector

from .numbers import format_number
from .samples import most_of
from .user_points import apply, places

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables
    from explorer.embeddings.mixture import GaussianMixture
    from explorer.kernels.base import Kernel


ALONG, ACROSS = 34, 20  # places of the plane where a function of the points is drawn
ROOM = 0.05  # beside all points of two distributions, of the width of what they fill
LINE = 201  # places, of one coordinate
LEAST = 3  # rows of a sample


def label_word(label: float | str) -> str:
    """What a group is called, on a page and in links, which take no minus sign."""
    numeric = isinstance(label, (float, np.floating, int, np.integer))
    return format_number(float(label)).replace("−", "-") if numeric else str(label)


def words_of(labels: Sequence[float | str]) -> dict[str, float | str]:
    """word -> label of labels that differ, in their order."""
    words = [label_word(label) for label in labels]
    alike = Counter(words)  # numbers that differ beyond three digits keep all of theirs
    whole = [str(label).removesuffix(".0") for label in labels]
    return {w if alike[w] == 1 else all_of_it: label for w, all_of_it, label in zip(words, whole, labels, strict=True)}


def known_labels(table: DataSet) -> dict[str, float | str]:
    """word -> label of a table's groups, in their order; empty where it has none."""
    return {} if table.target is None else words_of(np.unique(table.target).tolist())


def two_groups(text: str) -> list[str] | None:
    """The names of two groups from the text of a link, or None where it is empty; Refusal else."""
    try:
        names: Any = json.loads(text) if text else None
        good = not text or (len(names) == 2 and all(isinstance(name, str) for name in names) and names[0] != names[1])
    except (TypeError, ValueError):
        names, good = None, False
    if not good:
        raise Refusal(f'groups must be like ["1", "2"], the names of two different groups, not {text[:60]!r}.')
    return names


def sizes(tables: Tables | Sequence[DataSet], groups: str = "") -> tuple[int, int]:
    """How many rows there are for P and for Q: of two tables, or of two groups of one, by default the first two.

    Refusal where the one has no such groups.
    """
    if len(tables) > 1:
        return tables[0].n, tables[1].n
    first, second = (int((tables[0].target == label).sum()) for label in labels_of(tables[0], groups, ""))
    return first, second


def labels_of(table: DataSet, groups: str, column: str) -> tuple[float | str, float | str]:
    """The two labels in a table's column that P and Q are; Refusal where it has no such groups."""
    one, other = labels_called(table, two_groups(groups), column)[:2]
    return one, other


def labels_called(table: DataSet, names: Sequence[str] | None, column: str) -> list[float | str]:
    """The labels in a table's column of the groups called `names`, None of all; Refusal where it has no such groups."""
    known = known_labels(table)
    if len(known) < 2:
        raise Refusal(
            f"{table.name} has {len(known)} group{'' if len(known) == 1 else 's'} in column '{column}', and a"
            " comparison needs two; choose another column, or a second file."
        )
    if unknown := [name for name in names or () if name not in known]:
        raise Refusal(f"{table.name} has no group '{truncate(unknown[0])}'; its groups are {join_list(known)}.")
    return [known[name] for name in names or known]


def dropped_rows(text: str) -> dict[str, list[int]]:
    """{"P": rows, "Q": rows}, from 0, of the text ["P3", "Q10"], which counts from 1; Refusal where it is none."""
    rows = {"P": [], "Q": []}
    try:
        numbered = [(word[0], int(word[1:])) for word in json.loads(text)] if text else []
        good = all(side in rows and count >= 1 for side, count in numbered)
    except (TypeError, ValueError, LookupError):
        numbered, good = [], False
    if not good:
        raise Refusal(f'dropped must be like ["P3", "Q10"], rows of the two samples from 1, not {text[:60]!r}.')
    for side, count in numbered:
        rows[side].append(count - 1)
    return rows


def with_dropped(text: str, word: str) -> str:
    """The text of the dropped rows with one more."""
    return json.dumps([*(json.loads(text) if text else []), word], separators=(",", ":"))


def sides_of(tables: Any, labels: Sequence[Any]) -> list[DataSet]:
    """The two groups of the first table that have these labels or, where there are none, the tables."""
    return [tables[0].where(label) for label in labels] or tables


def scaled_together(
    X: Points, Y: Points, quantities: Sequence[Quantity]
) -> tuple[Matrix, Matrix, tuple[Quantity, ...]]:
    """X (n, d), Y (m, d) and their quantities, where the columns of both together have mean 0 and variance 1."""
    names = tuple(each.name for each in quantities)
    both = DataSet("", np.concatenate([X, Y]), names, quantities=tuple(quantities)).standardised()
    return both.X[: len(X)], both.X[len(X) :], both.quantities


def most_different(X: Points, Y: Points) -> list[int]:
    """The columns of two samples X (n, d) and Y (m, d), as positions, those first that differ most.

    By the Kolmogorov-Smirnov distance, which no unit and no outlier changes; of equal ones the first column is first.
    """
    distances = [_kolmogorov_smirnov(x, y) for x, y in zip(np.transpose(X), np.transpose(Y), strict=True)]
    return sorted(range(len(distances)), key=lambda j: -distances[j])


def _kolmogorov_smirnov(x, y):
    """The largest distance between the distribution functions of two samples of numbers, in units of 1 / (n m)."""
    ends = np.concatenate([x, y])  # whole numbers: shares that are equal must not differ by their rounding
    below = [np.searchsorted(np.sort(sample), ends, side="right") for sample in (x, y)]
    return int(np.abs(below[0] * len(y) - below[1] * len(x)).max())


class Draw(NamedTuple):
    """P's and Q's samples as they are drawn.

    points      X (n, d) and Y (m, d)
    rows        what their rows are called
    called      what P and Q are called
    quantities  of the coordinates
    turns       the turn at which each row is drawn, from 0, (n,) and (m,): rows moved or dropped by hand go by it
    """

    points: tuple[np.ndarray, np.ndarray]
    rows: tuple[tuple[str, ...], tuple[str, ...]]
    called: tuple[str, str]
    quantities: tuple[Quantity, ...]
    turns: tuple[np.ndarray, np.ndarray]

    @classmethod
    def of_laws(
        cls, laws: tuple[GaussianMixture, GaussianMixture], counts: tuple[int, int], seeds: tuple[int, int]
    ) -> Self:
        """Samples of two distributions."""
        X, Y = (law.sample(n, seed) for law, n, seed in zip(laws, counts, seeds, strict=True))
        p, q = (tuple(f"row {i + 1} of {side}" for i in range(n)) for side, n in zip("PQ", counts, strict=True))
        first, second = map(np.arange, counts)
        return cls((X, Y), (p, q), ("P", "Q"), coordinates(X.shape[1]), (first, second))

    @classmethod
    def of_tables(
        cls,
        tables: Sequence[DataSet],
        labels: tuple[float | str, float | str],
        counts: tuple[int, int],
        seeds: tuple[int, int],
        in_order: bool = False,
    ) -> Self:
        """Rows of two groups of the first table or, where no labels are given, of two tables.

        Where `in_order`, a table of which all rows are drawn keeps its order: then permutations by a seed are those
        that the library and the command line draw for the same file.
        """
        parts = [(table, short_name(table.name), f"{short_name(table.name)} ") for table in tables]
        if labels:
            whole = tables[0]
            numbered = whole if whole.lines is not None else replace(whole, lines=whole.row_numbers)
            groups = [(numbered.where(label), label_word(label)) for label in labels]
            parts = [(table, f"group {short_name(word)} of {short_name(whole.name)}", "") for table, word in groups]
        points, rows, turns = [], [], []
        for (table, call, of), count, seed, symbol in zip(parts, counts, seeds, "nm", strict=True):
            if count > table.n:
                raise Refusal(
                    f"{symbol} = {count} is more than the {table.n} rows of {call}; take {symbol} of at most {table.n}."
                )
            # one seed draws the same rows of any table of that length: here, of their numbers
            order = DataSet(call, np.arange(table.n)[:, None], ("row",)).sample(count, seed)[:, 0].astype(int)
            turn = np.arange(count)
            if in_order and count == table.n:  # rows drawn keep their turns, by which they go in a smaller sample too
                turn = np.argsort(order)
                order = order[turn]
            points.append(table.X[order])
            rows.append(tuple(of + table.place(i) for i in order))
            turns.append(turn)
        (X, Y), (p, q), (first, second) = points, rows, turns
        called = parts[0][1], parts[1][1]
        return cls((X, Y), (p, q), called, parts[0][0].quantities, (first, second))

    def frame(self, is_table: bool) -> tuple[Vector, Vector]:
        """The lowest and the highest corner of what is shown: all points as drawn, or most of those of a table.

        On these points outliers, moved points and dropped rows have no influence. A line has one coordinate.
        """
        points = np.concatenate(self.points)[:, :2]
        if is_table:
            low, high = most_of(points)
            constant = np.ptp(points, axis=0) == 0  # such a column is drawn in the middle of an axis
            return low - constant * (1 + np.abs(low)), high + constant * (1 + np.abs(high))
        low, high = points.min(axis=0), points.max(axis=0)
        return low - ROOM * (high - low), high + ROOM * (high - low)

    def scaled(self) -> Self:
        """The samples with columns of mean 0 and variance 1, those of both together."""
        *points, quantities = scaled_together(*self.points, self.quantities)
        return self._replace(points=tuple(points), quantities=quantities)

    def with_columns(self, columns: Sequence[int]) -> Self:
        """The samples with their columns in another order, positions in the present one."""
        points = tuple(part.take(columns, axis=1) for part in self.points)
        return self._replace(points=points, quantities=tuple(self.quantities[j] for j in columns))


class TwoSamples(NamedTuple):
    """Two samples as they are compared, with outliers and moved points, and without the dropped rows.

    X, Y        (n, d) and (m, d)
    quantities  of the coordinates
    rows        what their rows are called, X's first
    drawn       the turns at which they were drawn, two arrays
    touched     which of all rows are outliers or were moved by hand, (n + m,)
    called      what P and Q are called
    """

    X: np.ndarray
    Y: np.ndarray
    quantities: tuple[Quantity, ...]
    rows: tuple[str, ...]
    drawn: tuple[np.ndarray, np.ndarray]
    touched: np.ndarray
    called: tuple[str, str]

    @classmethod
    def of(cls, draw: Draw, moved: tuple[str, str], dropped: str, outliers: int = 0) -> Self:
        """A Draw whose Y may end with outliers; `moved` holds the texts of the points moved, of P and of Q."""
        points, gone, kept, touched = [], dropped_rows(dropped), [], []
        clean, called = (len(draw.points[0]), len(draw.points[1]) - outliers), []
        for k, side in enumerate("PQ"):
            part, turn, text = draw.points[k], draw.turns[k], moved[k]
            rows = np.flatnonzero(~np.isin(turn, gone[side]))
            checks.rows(rows, f"{side} ({draw.called[k]}), the dropped rows left out,", LEAST)
            by_turn = np.argsort(turn)
            points.append(apply(part[by_turn], text)[turn][rows])
            kept.append(turn[rows])
            touched.append(np.isin(turn[rows], list(places(text))) | (rows >= clean[k]))
            called += [draw.rows[k][i] for i in rows]
        (X, Y), (first, second) = points, kept
        return cls(X, Y, draw.quantities, tuple(called), (first, second), np.concatenate(touched), draw.called)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return tuple(each.name for each in self.quantities)

    @property
    def own(self) -> dict[str, Vector]:
        """name -> the coordinate (n + m,) in its file's own units."""
        return in_file_units(self.quantities, self.pooled)

    @property
    def pooled(self) -> Matrix:
        """X and Y, (n + m, d)."""
        return np.concatenate([self.X, self.Y])

    def averages(self, kernel: Kernel, unbiased: bool) -> tuple[float, float, float]:
        """The mean of k within X, within Y and between them; `unbiased` leaves each point's own with itself out."""
        within = []
        for Z in (self.X, self.Y):
            total, own = float(kernel(Z).sum()), float(kernel.diagonal(Z).sum())
            n = len(Z)
            within.append((total - own) / (n * (n - 1)) if unbiased else total / n**2)
        return (*within, float(kernel(self.X, self.Y).mean()))

    def word(self, row: int) -> str:
        """The entry of `dropped` that drops a row of the pooled points."""
        n = len(self.X)
        return f"P{self.drawn[0][row] + 1}" if row < n else f"Q{self.drawn[1][row - n] + 1}"

    def places(self, frame: tuple[Vector, Vector]) -> Matrix:
        """Where a function of the points is drawn, (g, d): along the line, or over the plane of two coordinates.

        Of the plane they come line by line, from below. The other coordinates are at their medians.
        """
        (low, high), P = frame, self.pooled
        if P.shape[1] == 1:
            return np.linspace(low, high, LINE)
        x, y = np.linspace(low[0], high[0], ALONG), np.linspace(low[1], high[1], ACROSS)
        rows = np.tile(np.median(P, axis=0), (ALONG * ACROSS, 1))
        rows[:, 0], rows[:, 1] = np.tile(x, ACROSS), np.repeat(y, ALONG)
        return rows


def mmd2_where_finite(laws: tuple[GaussianMixture, GaussianMixture], kernel: Kernel) -> float | None:
    """MMD^2 of two distributions; None where one has no finite kernel mean, as under a narrow exponential kernel."""
    try:
        return mmd2_of_laws(*laws, kernel)
    except Refusal:
        return None
