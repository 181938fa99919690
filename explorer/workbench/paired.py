"""The user's pairs whose two sides are compared: columns of one table, or rows of two groups or two files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import DataSet, read_table
from explorer.datasets.columns.quantity import Quantity
from explorer.datasets.columns.scales import robust_scale
from explorer.parameters import Text
from explorer.printing import join_list, plural, short_name
from explorer.recipe import Recipe, recipe

from .fields import absent
from .kernels import gram_words
from .pairs import RolesOfTable
from .stages import derived
from .two_samples import known_labels, label_word, labels_of, most_different, sides_of, sizes
from .user_samples import reading


class Halves(NamedTuple):
    """Both sides of the user's whole tables: the source of the pairs that are drawn.

    Attributes
    ----------
    P, Q : DataSet
        The sides, on common scales; the columns that differ most come first.
    order : list of int
        Positions of these columns in the table that was read.
    names : tuple of str
        Names of the sides on an axis.
    called : str
        The sides as text.
    source : str
        The file or files.
    width : int
        How many columns of the files are compared. A text column becomes several here, one for each level.
    columns : tuple of list of str
        Names of x's and of y's columns in the file; empty if the sides are samples.
    scales : tuple of float
        The divisors of these columns; empty if they are not scaled.
    labels : tuple
        Labels of the two groups, if the sides are groups of a table.
    groups : int
        Number of groups in that table.
    """

    P: DataSet
    Q: DataSet
    order: list[int]
    names: tuple[str, str]
    called: str
    source: str
    width: int
    columns: tuple[list[str], list[str]] = ([], [])
    scales: tuple[float, ...] = ()
    labels: tuple[float | str, ...] = ()
    groups: int = 0

    @classmethod
    def of(cls, P: DataSet, Q: DataSet, names: Sequence[str | Sequence[str]], *others: Any) -> Self:
        """Create from both sides with their columns as read; `names` are those of the sides, or of each column."""
        order = most_different(P.X, Q.X)
        P, Q = (_with_columns(side, order) for side in (P, Q))
        first, second = (name if isinstance(name, str) else name[order[0]] for name in names)
        names = (first, second) if first != second else (f"{first}, first", f"{second}, second")
        return cls(P, Q, order, (short_name(names[0]), short_name(names[1])), *others)

    @property
    def in_order(self) -> bool:
        """True if rows are paired in their order: those of two samples are if their numbers are equal."""
        return self.P.n == self.Q.n

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Quantities of the columns, the one that differs most first."""
        return self.P.quantities

    @property
    def titles(self) -> tuple[list[str], ...]:
        """Names of each side's columns in a table of numbers."""
        if self.columns[0]:
            return tuple([names[j] for j in self.order] for names in self.columns)
        return tuple([f"{each.name}, {name}" for each in self.quantities] for name in self.names)


class Sides(NamedTuple):
    """Pairs drawn from the user's tables.

    Attributes
    ----------
    X, Y : ndarray of shape (n, d)
        Row i of X is paired with row i of Y.
    halves : Halves
        Both sides with all their rows, before the pairs were drawn.
    matched : str
        How they are paired, in sentences.
    """

    X: np.ndarray
    Y: np.ndarray
    halves: Halves
    matched: str

    @property
    def whole(self) -> bool:
        """True if all rows are drawn, so that another seed draws the same ones."""
        return len(self.X) == self.halves.P.n == self.halves.Q.n


class PairedTables(RolesOfTable):
    """A lab of pairs (x, y) of equal dimension that may be the user's data.

    They are columns x and y of one table or, row by row, two groups of one table, or two tables, P's and Q's.

    Parameters
    ----------
    lenient, gram, file, rows, hash, columns, missing, standardise : Any
        See `UserTable`.
    file2, rows2, hash2 : Any
        See `SecondTable`.
    x, y : str, default ""
        See `RolesOfTable`.
    group : str, default ""
        The column of the user's table that names the groups P and Q.
    """

    taken_from = "laws"
    groups = True  # y may be several columns, as many as x
    group: str = Text(default="", doc="the column of your own table that names the groups P and Q")
    takes_gram = False  # not for one side only: a Gram matrix of both samples has all their coordinates

    @derived
    def named(self) -> tuple[Any, ...]:
        """Identity of the user's tables: hashes and the fields that determine how the files are read."""
        reading = self.columns, self.missing, self.standardise, self.lenient, self.gram
        return self.hash, self.hash2, self.group, *reading

    @property
    def sampled(self) -> bool:
        """True if the sides are two samples, not columns of one table."""
        return bool(self.hash2 or self.group)

    def the_table(self) -> DataSet:
        """Return the table whose columns are the sides.

        Returns
        -------
        DataSet
            The table.

        Raises
        ------
        Refusal
            If this session does not have it.
        """
        if self.sampled or not isinstance(self.own, DataSet) or self.own.hash != self.named[0]:
            raise absent(self)
        return self.own

    def the_tables(self) -> Any:
        """Return the tables of the two samples.

        Returns
        -------
        Tables
            One table with two groups, or two tables.

        Raises
        ------
        Refusal
            If this session does not have them.
        """
        first, second, group, *_ = self.named
        own = self.own
        if own is None or isinstance(own, DataSet):
            raise absent(self)
        if own[0].hash != first or own[-1].hash != (second or first) or bool(group) != (len(own) == 1):
            raise absent(self)
        return own

    @property
    def whole(self) -> bool:
        """True if all the user's pairs are drawn in their order. Rows paired at random change with the seed."""
        if self.laws != "file" or self.own is None:
            return False
        return {self.n} == ({self.own.n} if isinstance(self.own, DataSet) else set(sizes(self.own)))

    def fitting(self) -> dict[str, Any]:
        """Return the fields that the user's tables limit: n is at most their number of pairs.

        Returns
        -------
        dict of str to Any
            The field n.
        """
        rows = self.own.n if isinstance(self.own, DataSet) else min(sizes(self.own))
        return {"n": min(self.n, rows)}

    def the_halves(self) -> Halves:
        """Return both sides with all rows of the user's tables, before any rows are drawn.

        Returns
        -------
        Halves
            The sides.
        """
        return self._halves_of_samples() if self.sampled else self._halves_of_columns()

    def _halves_of_columns(self):
        table = self.the_table()
        x, y = self.roles(table)
        if len(x) != len(y):
            raise Refusal(
                "x has {} column and y has {}; x and y are compared column by column, so take as many for one as for"
                " the other."
                if len(x) == 1
                else "x has {} columns and y has {}; x and y are compared column by column, so take as many for one as"
                " for the other.",
                len(x),
                len(y),
            )
        X, Y = (table.X[:, [table.names.index(name) for name in names]] for names in (x, y))
        scales = tuple(map(robust_scale, np.concatenate([X, Y]).T)) if self.standardise else ()
        pairs = zip(table.quantities_of(x), table.quantities_of(y), scales or (1.0,) * len(x), strict=True)
        quantities = tuple(_shared(first, second).over(0.0, scale) for first, second, scale in pairs)
        P, Q = (_side(table, part / np.array(scales) if scales else part, quantities) for part in (X, Y))
        words = f"{join_list(map(short_name, x))} and {join_list(map(short_name, y))} of {short_name(table.name)}"
        return Halves.of(P, Q, (x, y), words, short_name(table.name), len(x), (x, y), scales)

    def _halves_of_samples(self):
        tables = self.the_tables()
        treated = (tables.in_common_scales() if self.standardise else tables).indicators()
        labels = labels_of(treated[0], "", self.group) if self.group else ()
        P, Q = sides_of(treated, labels)
        if not labels:
            names = tuple(PurePath(side.name).stem for side in (P, Q))
            both = f"{short_name(P.name)} and {short_name(Q.name)}"
            return Halves.of(P, Q, names, both, both, tables[0].d)
        words = [short_name(label_word(label)) for label in labels]
        names = tuple(f"{short_name(self.group)} = {word}" if _says_nothing(word) else word for word in words)
        called = f"{names[0]} and {names[1]} of {short_name(P.name)}"
        groups = len(known_labels(treated[0]))
        return Halves.of(P, Q, names, called, short_name(P.name), tables[0].d, ([], []), (), labels, groups)

    def the_sides(self, halves: Halves) -> Sides:
        """Return n pairs drawn from the user's tables.

        Parameters
        ----------
        halves : Halves
            The whole tables.

        Returns
        -------
        Sides
            The pairs.

        Raises
        ------
        Refusal
            If n exceeds the number of rows.
        """
        P, Q = halves.P, halves.Q
        if self.n > min(P.n, Q.n):
            few = halves.names[int(Q.n < P.n)] if self.sampled else P.name
            raise Refusal(
                "n = {} is more than the {} rows of {}; take n of at most that many.", self.n, min(P.n, Q.n), few
            )
        seeds = self.seeds(halves.in_order) if self.sampled else (self.seed, self.seed)
        X, Y = (side.sample(self.n, seed) for side, seed in zip((P, Q), seeds, strict=True))
        if not self.sampled:
            return Sides(X, Y, halves, f"Each row of {short_name(P.name)} is a pair{self._drawn(P.n)}.")
        matched = self._matched(halves)
        if halves.groups > 2:
            matched += f" They are the first two of the {halves.groups} groups."
        if self.gram:
            matched += gram_words(self)
        return Sides(X, Y, halves, matched)

    def seeds(self, equal: bool) -> tuple[int, int]:
        """Return the seeds that draw the rows of both sides.

        Parameters
        ----------
        equal : bool
            Whether both sides have the same number of rows. One seed for both then keeps rows paired in their order.

        Returns
        -------
        tuple of int
            The seeds.
        """
        return (self.seed, self.seed) if equal else (2 * self.seed, 2 * self.seed + 1)

    def _matched(self, halves):
        (one, other), p, q = halves.names, halves.P.n, halves.Q.n
        if p == q:
            return f"Row i of {one} is paired with row i of {other}{self._drawn(p)}."
        left = [(size - self.n, name) for name, size in ((one, p), (other, q)) if size > self.n]
        unused = " and ".join(f"{count} row{'' if count == 1 else 's'} of {name}" for count, name in left)
        return (
            f"{one} has {plural(p, 'row')} and {other} has {q}, so no row belongs to another: {self.n} of each are"
            " paired by"
            f" chance, and {unused} {'is' if sum(count for count, _ in left) == 1 else 'are'} not used."
        )

    def _drawn(self, rows):
        return "" if self.n == rows else f", and {self.n} of the {rows} pairs were drawn by chance"


def _with_columns(side, order):
    """Return a DataSet with the columns at these positions."""
    return _side(side, side.X[:, order], tuple(side.quantities[j] for j in order))


def _side(table, X, quantities):
    """Return a DataSet of these columns of a table's rows."""
    names = tuple(each.name for each in quantities)
    return DataSet(table.name, X, names, quantities=quantities, lines=table.lines, by_line=table.by_line)


def _shared(x, y):
    """Return the Quantity of an axis that two columns share."""
    name = x.name if x.name == y.name else f"{x.name} and {y.name}"
    return Quantity(name, x.unit if x.unit == y.unit else "", dates=x.dates and y.dates)


def _says_nothing(word):
    """Return whether a group's name needs its column's name to be understood."""
    return word.lower() in ("true", "false", "yes", "no") or not any(letter.isalpha() for letter in word)


def pairing(lab: PairedTables, halves: Halves) -> Recipe[[], Any]:
    """Return the steps that draw X and Y from a lab's tables and refuse other files.

    Parameters
    ----------
    lab : PairedTables
        The lab.
    halves : Halves
        Its whole tables.

    Returns
    -------
    Recipe
        The steps, which return X and Y.
    """
    columns: Any = json.loads(lab.columns) if lab.columns else None
    missing = None if lab.missing == "refuse" else lab.missing
    options: Any = {"columns": columns, "missing": missing, "lenient": lab.lenient}
    options = {name: value for name, value in options.items() if value}
    read = reading(lab, halves.labels)
    (x, y), scales, (p, q) = halves.columns, list(halves.scales), lab.seeds(halves.in_order)

    @recipe
    def steps():
        if lab.sampled:
            P, Q = read()
            X, Y = P.sample(lab.n, rng=p), Q.sample(lab.n, rng=q)
        else:
            data = read_table(lab.file, **options)
            if data.hash != lab.hash:
                raise ValueError(f"this is another {lab.file} than the one on the page")
            rows = data.sample(lab.n, rng=lab.seed)
            X = rows[:, [data.names.index(name) for name in x]]
            Y = rows[:, [data.names.index(name) for name in y]]
            if scales:
                X, Y = X / scales, Y / scales  # one scale for x and y
        if halves.order != sorted(halves.order):
            order = halves.order  # the column that differs most is the one that is drawn
            X, Y = X[:, order], Y[:, order]
        return X, Y

    return steps
