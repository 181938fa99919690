"""Two samples to compare: of two distributions, two groups of a table or two tables, with rows moved or dropped."""

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
from .user_points import apply, moved_points

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables
    from explorer.embeddings.mixture import GaussianMixture
    from explorer.kernels.base import Kernel


ALONG, ACROSS = 34, 20  # numbers of points of the plane's axes at which a function of the points is drawn
ROOM = 0.05  # margin about all points of two distributions, relative to their width
LINE = 201  # number of points of a line
LEAST = 3  # fewest rows of a sample


def label_word(label: float | str) -> str:
    """Return a group's name on a page and in links, which do not use the minus sign "−".

    Parameters
    ----------
    label : float or str
        The group's label.

    Returns
    -------
    str
        The name.
    """
    numeric = isinstance(label, (float, np.floating, int, np.integer))
    return format_number(float(label)).replace("−", "-") if numeric else str(label)


def words_of(labels: Sequence[float | str]) -> dict[str, float | str]:
    """Return the labels by name, in their order.

    Parameters
    ----------
    labels : sequence of float or str
        Different labels.

    Returns
    -------
    dict of str to float or str
        The labels.
    """
    words = [label_word(label) for label in labels]
    alike = Counter(words)  # numbers that are equal to three digits keep all their digits
    whole = [str(label).removesuffix(".0") for label in labels]
    return {w if alike[w] == 1 else all_of_it: label for w, all_of_it, label in zip(words, whole, labels, strict=True)}


def known_labels(table: DataSet) -> dict[str, float | str]:
    """Return the labels of a table's groups by name, in their order.

    Parameters
    ----------
    table : DataSet
        The table.

    Returns
    -------
    dict of str to float or str
        Empty if the table has no groups.
    """
    return {} if table.target is None else words_of(np.unique(table.target).tolist())


def two_groups(text: str) -> list[str] | None:
    """Parse the two group names in a link, or return None if the text is empty.

    Parameters
    ----------
    text : str
        A JSON list.

    Returns
    -------
    list of str or None
        The names.

    Raises
    ------
    Refusal
        If the text does not name two different groups.
    """
    try:
        names: Any = json.loads(text) if text else None
        good = not text or (len(names) == 2 and all(isinstance(name, str) for name in names) and names[0] != names[1])
    except (TypeError, ValueError):
        names, good = None, False
    if not good:
        raise Refusal('groups must be like ["1", "2"], the names of two different groups, not {!r}.', text[:60])
    return names


def sizes(tables: Tables | Sequence[DataSet], groups: str = "") -> tuple[int, int]:
    """Return the numbers of rows of P and of Q: two tables, or two groups of one.

    Parameters
    ----------
    tables : Tables or sequence of DataSet
        The tables.
    groups : str, default ""
        The two groups, a JSON list; empty for the first two.

    Returns
    -------
    tuple of int
        Both numbers.

    Raises
    ------
    Refusal
        If the one table does not have these groups.
    """
    if len(tables) > 1:
        return tables[0].n, tables[1].n
    first, second = (int((tables[0].target == label).sum()) for label in labels_of(tables[0], groups, ""))
    return first, second


def labels_of(table: DataSet, groups: str, column: str) -> tuple[float | str, float | str]:
    """Return the labels of the two groups of a table that P and Q are.

    Parameters
    ----------
    table : DataSet
        The table.
    groups : str
        The two groups, a JSON list; empty for the first two.
    column : str
        The column of groups, for the message.

    Returns
    -------
    tuple of float or str
        Both labels.

    Raises
    ------
    Refusal
        If the table does not have these groups.
    """
    one, other = labels_called(table, two_groups(groups), column)[:2]
    return one, other


def labels_called(table: DataSet, names: Sequence[str] | None, column: str) -> list[float | str]:
    """Return the labels of a table's groups with these names.

    Parameters
    ----------
    table : DataSet
        The table.
    names : sequence of str or None
        The names; None for all groups.
    column : str
        The column of groups, for the message.

    Returns
    -------
    list of float or str
        The labels.

    Raises
    ------
    Refusal
        If the table has fewer than two groups, or not these.
    """
    known = known_labels(table)
    if len(known) < 2:
        raise Refusal(
            "{} has {} group in column '{}', and a comparison needs two; choose another column, or a second file."
            if len(known) == 1
            else "{} has {} groups in column '{}', and a comparison needs two; choose another column, or a second"
            " file.",
            table.name,
            len(known),
            column,
        )
    if unknown := [name for name in names or () if name not in known]:
        raise Refusal("{} has no group '{}'; its groups are {}.", table.name, truncate(unknown[0]), join_list(known))
    return [known[name] for name in names or known]


def dropped_rows(text: str) -> dict[str, list[int]]:
    """Parse the dropped rows in a link.

    Parameters
    ----------
    text : str
        A JSON list such as ["P3", "Q10"], which counts from 1.

    Returns
    -------
    dict of str to list of int
        Rows of "P" and of "Q", counted from 0.

    Raises
    ------
    Refusal
        If the text is not such a list.
    """
    rows = {"P": [], "Q": []}
    try:
        numbered = [(word[0], int(word[1:])) for word in json.loads(text)] if text else []
        good = all(side in rows and count >= 1 for side, count in numbered)
    except (TypeError, ValueError, LookupError):
        numbered, good = [], False
    if not good:
        raise Refusal('dropped must be like ["P3", "Q10"], rows of the two samples from 1, not {!r}.', text[:60])
    for side, count in numbered:
        rows[side].append(count - 1)
    return rows


def with_dropped(text: str, word: str) -> str:
    """Return the text of the dropped rows with one more.

    Parameters
    ----------
    text : str
        The text.
    word : str
        The row, such as "P3".

    Returns
    -------
    str
        The text.
    """
    return json.dumps([*(json.loads(text) if text else []), word], separators=(",", ":"))


def sides_of(tables: Any, labels: Sequence[Any]) -> list[DataSet]:
    """Return the two groups of the first table with these labels or, without labels, the tables.

    Parameters
    ----------
    tables : Tables or sequence of DataSet
        The tables.
    labels : sequence of float or str
        Two labels, or none.

    Returns
    -------
    list of DataSet
        Both samples.
    """
    return [tables[0].where(label) for label in labels] or tables


def scaled_together(
    X: Points, Y: Points, quantities: Sequence[Quantity]
) -> tuple[Matrix, Matrix, tuple[Quantity, ...]]:
    """Scale two samples so that the columns of both together have mean 0 and variance 1.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The first sample.
    Y : ndarray of shape (m, d)
        The second sample.
    quantities : sequence of Quantity
        Quantities of the columns.

    Returns
    -------
    X, Y : ndarray
        The scaled samples.
    quantities : tuple of Quantity
        Their quantities.
    """
    names = tuple(each.name for each in quantities)
    both = DataSet("", np.concatenate([X, Y]), names, quantities=tuple(quantities)).standardised()
    return both.X[: len(X)], both.X[len(X) :], both.quantities


def most_different(X: Points, Y: Points) -> list[int]:
    """Return the columns of two samples, those that differ most first.

    The order is by the Kolmogorov-Smirnov distance, which units and outliers do not change. Ties keep the columns'
    order.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The first sample.
    Y : ndarray of shape (m, d)
        The second sample.

    Returns
    -------
    list of int
        Positions of the columns.
    """
    distances = [_kolmogorov_smirnov(x, y) for x, y in zip(np.transpose(X), np.transpose(Y), strict=True)]
    return sorted(range(len(distances)), key=lambda j: -distances[j])


def _kolmogorov_smirnov(x, y):
    """Return the largest distance of two samples' distribution functions, in units of 1 / (n m)."""
    ends = np.concatenate([x, y])  # whole numbers, so that equal distances do not differ by rounding
    below = [np.searchsorted(np.sort(sample), ends, side="right") for sample in (x, y)]
    return int(np.abs(below[0] * len(y) - below[1] * len(x)).max())


class Draw(NamedTuple):
    """P's and Q's samples as drawn.

    Attributes
    ----------
    points : tuple of ndarray
        X of shape (n, d) and Y of shape (m, d).
    rows : tuple of tuple of str
        Names of their rows.
    called : tuple of str
        Names of P and Q.
    quantities : tuple of Quantity
        Quantities of the coordinates.
    turns : tuple of ndarray of int
        Position at which each row is drawn, from 0, of shape (n,) and (m,). Moved and dropped rows are identified by
        it.
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
        """Draw samples of two distributions.

        Parameters
        ----------
        laws : tuple of GaussianMixture
            The distributions.
        counts : tuple of int
            Numbers of rows.
        seeds : tuple of int
            Seeds.

        Returns
        -------
        Draw
            The samples.
        """
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
        """Draw rows of two groups of the first table or, without labels, of two tables.

        Parameters
        ----------
        tables : sequence of DataSet
            The tables.
        labels : tuple
            Labels of the groups; empty for two tables.
        counts : tuple of int
            Numbers of rows.
        seeds : tuple of int
            Seeds.
        in_order : bool, default False
            Whether a table whose rows are all drawn keeps its order. Permutations by a seed are then those that the
            library and the command line draw for the same file.

        Returns
        -------
        Draw
            The samples.

        Raises
        ------
        Refusal
            If more rows are requested than there are.
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
                    "{} = {} is more than the {} rows of {}; take {} of at most {}.",
                    symbol,
                    count,
                    table.n,
                    call,
                    symbol,
                    table.n,
                )
            # row numbers are drawn, so that a seed draws the same rows of any table of that length
            order = DataSet(call, np.arange(table.n)[:, None], ("row",)).sample(count, seed)[:, 0].astype(int)
            turn = np.arange(count)
            # drawn rows keep their positions, which identify them in a smaller sample too
            if in_order and count == table.n:
                turn = np.argsort(order)
                order = order[turn]
            points.append(table.X[order])
            rows.append(tuple(of + table.place(i) for i in order))
            turns.append(turn)
        (X, Y), (p, q), (first, second) = points, rows, turns
        called = parts[0][1], parts[1][1]
        return cls((X, Y), (p, q), called, parts[0][0].quantities, (first, second))

    def frame(self, is_table: bool) -> tuple[Vector, Vector]:
        """Return the corners of what is shown: all points as drawn, or most of those of a table.

        Outliers, moved points and dropped rows do not affect it. A line has one coordinate.

        Parameters
        ----------
        is_table : bool
            Whether the points are a table's.

        Returns
        -------
        low, high : ndarray
            The corners.
        """
        points = np.concatenate(self.points)[:, :2]
        if is_table:
            low, high = most_of(points)
            constant = np.ptp(points, axis=0) == 0  # a constant column is drawn in the middle of an axis
            return low - constant * (1 + np.abs(low)), high + constant * (1 + np.abs(high))
        low, high = points.min(axis=0), points.max(axis=0)
        return low - ROOM * (high - low), high + ROOM * (high - low)

    def scaled(self) -> Self:
        """Return the samples scaled so that the columns of both together have mean 0 and variance 1.

        Returns
        -------
        Draw
            The samples.
        """
        *points, quantities = scaled_together(*self.points, self.quantities)
        return self._replace(points=tuple(points), quantities=quantities)

    def with_columns(self, columns: Sequence[int]) -> Self:
        """Return the samples with their columns in another order.

        Parameters
        ----------
        columns : sequence of int
            Current positions of the columns.

        Returns
        -------
        Draw
            The samples.
        """
        points = tuple(part.take(columns, axis=1) for part in self.points)
        return self._replace(points=points, quantities=tuple(self.quantities[j] for j in columns))


class TwoSamples(NamedTuple):
    """Two samples ready for a comparison: with outliers and moved points, and without the dropped rows.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        P's sample.
    Y : ndarray of shape (m, d)
        Q's sample.
    quantities : tuple of Quantity
        Quantities of the coordinates.
    rows : tuple of str
        Names of the rows, X's first.
    drawn : tuple of ndarray
        Positions at which the rows were drawn.
    touched : ndarray of bool of shape (n + m,)
        Which rows are outliers or were moved by the user.
    called : tuple of str
        Names of P and Q.
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
        """Create from a Draw whose Y may end with outliers.

        Parameters
        ----------
        draw : Draw
            The samples as drawn.
        moved : tuple of str
            Texts of the moved points of P and of Q.
        dropped : str
            Text of the dropped rows.
        outliers : int, default 0
            Number of outliers.

        Returns
        -------
        TwoSamples
            The samples.
        """
        points, gone, kept, touched = [], dropped_rows(dropped), [], []
        clean, called = (len(draw.points[0]), len(draw.points[1]) - outliers), []
        for k, side in enumerate("PQ"):
            part, turn, text = draw.points[k], draw.turns[k], moved[k]
            rows = np.flatnonzero(~np.isin(turn, gone[side]))
            checks.rows(rows, f"{side} ({draw.called[k]}), the dropped rows left out,", LEAST)
            by_turn = np.argsort(turn)
            points.append(apply(part[by_turn], text)[turn][rows])
            kept.append(turn[rows])
            touched.append(np.isin(turn[rows], list(moved_points(text))) | (rows >= clean[k]))
            called += [draw.rows[k][i] for i in rows]
        (X, Y), (first, second) = points, kept
        return cls(X, Y, draw.quantities, tuple(called), (first, second), np.concatenate(touched), draw.called)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return tuple(each.name for each in self.quantities)

    @property
    def own(self) -> dict[str, Vector]:
        """The coordinates by their names, each of shape (n + m,), X's rows first, in the units of its file."""
        return in_file_units(self.quantities, self.pooled)

    @property
    def pooled(self) -> Matrix:
        """X and Y, of shape (n + m, d)."""
        return np.concatenate([self.X, self.Y])

    def averages(self, kernel: Kernel, unbiased: bool) -> tuple[float, float, float]:
        """Return the means of k within X, within Y and between them.

        Parameters
        ----------
        kernel : Kernel
            The kernel k.
        unbiased : bool
            Whether to leave out k of each point with itself.

        Returns
        -------
        tuple of float
            The three means.
        """
        within = []
        for Z in (self.X, self.Y):
            total, own = float(kernel(Z).sum()), float(kernel.diagonal(Z).sum())
            n = len(Z)
            within.append((total - own) / (n * (n - 1)) if unbiased else total / n**2)
        return (*within, float(kernel(self.X, self.Y).mean()))

    def word(self, row: int) -> str:
        """Return the text by which the field `dropped` names a row of the pooled points.

        Parameters
        ----------
        row : int
            The row.

        Returns
        -------
        str
            Such as "P3".
        """
        n = len(self.X)
        return f"P{self.drawn[0][row] + 1}" if row < n else f"Q{self.drawn[1][row - n] + 1}"

    def places(self, frame: tuple[Vector, Vector]) -> Matrix:
        """Return the points at which a function is drawn: along a line, or over the plane of the first two coordinates.

        Points of the plane come row by row from below. Other coordinates are at their medians.

        Parameters
        ----------
        frame : tuple of ndarray
            Corners of what is shown.

        Returns
        -------
        ndarray of shape (g, d)
            The points.
        """
        (low, high), P = frame, self.pooled
        if P.shape[1] == 1:
            return np.linspace(low, high, LINE)
        x, y = np.linspace(low[0], high[0], ALONG), np.linspace(low[1], high[1], ACROSS)
        rows = np.tile(np.median(P, axis=0), (ALONG * ACROSS, 1))
        rows[:, 0], rows[:, 1] = np.tile(x, ACROSS), np.repeat(y, ALONG)
        return rows


def mmd2_where_finite(laws: tuple[GaussianMixture, GaussianMixture], kernel: Kernel) -> float | None:
    """Return MMD^2 of two distributions, or None if one has no finite kernel mean.

    A narrow exponential kernel can cause this.

    Parameters
    ----------
    laws : tuple of GaussianMixture
        The distributions.
    kernel : Kernel
        The kernel.

    Returns
    -------
    float or None
        MMD^2.
    """
    try:
        return mmd2_of_laws(*laws, kernel)
    except Refusal:
        return None
