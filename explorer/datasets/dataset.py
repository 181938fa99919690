"""DataSet: points with their names, target, terms of use and origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.markup import markup
from explorer.printing import Written, fields_of, truncate
from explorer.record import record
from explorer.rng import stream
from explorer.tables import html_tables
from explorer.types import Mask, Matrix, Points, Rng, Rows

from .columns.quantity import Quantity, quantities_named

BESIDE_X = ("target", "rows", "lines", "times")  # fields with a value for each row of X
SMALLEST, LARGEST = np.finfo(float).smallest_subnormal, np.finfo(float).max


@record(repr=False)  # too many digits to print
class DataSet(Written):
    """Points X (n, d), read-only float64, and what is known about them.

    Parameters
    ----------
    name : str
        The name of the set.
    X : array_like of shape (n, d)
        The points.
    names : tuple of str
        The names of the d columns of X.
    target : array_like of shape (n,) or None, default None
        The set's target: numbers if it is numeric, otherwise strings.
    licence : str, default ""
        Its terms; empty for the user's file.
    source : str, default ""
        Whom to cite; empty for the user's file.
    note : str, default ""
        What to beware of; empty for most of the user's files.
    left_out : tuple of str, default ()
        The columns of the file that X does not hold.
    dropped : int, default 0
        The number of rows that were left out for their missing cells.
    hash : str, default ""
        The SHA-256 of the file's bytes, in hex; empty if there was no file.
    axes : int, default 0
        The number of first columns of X that are coordinates of a Gram matrix.
    quantities : tuple of Quantity, default ()
        For each column, what its numbers are in the file's units, if X is scaled.
    rows : ndarray of int of shape (n,) or None, default None
        The position of each row in the file, counted from 0; None if there was no file.
    lines : ndarray of int of shape (n,) or None, default None
        The line of its file on which each row is, counted with the header. In a file without lines it is the number of
        the row, counted from 1. None if there was no file.
    times : ndarray of shape (n,) or None, default None
        The time of each row, datetime64 or numbers, if the rows were sorted by it.
    by_line : bool, default False
        Whether `lines` are lines of a file.

    Examples
    --------
    >>> from explorer.datasets import DataSet
    >>> data = DataSet("people", [[1.8, 80.0], [1.5, 50.0], [1.6, 70.0]], ("height", "weight"), target=["a", "b", "a"])
    >>> data.n, data.d, data.where("a").X.tolist()
    (3, 2, [[1.8, 80.0], [1.6, 70.0]])
    >>> data.standardised().X.round(2).tolist()
    [[1.34, 1.07], [-1.07, -1.34], [-0.27, 0.27]]
    """

    name: str
    X: np.ndarray
    names: tuple[str, ...]
    target: np.ndarray | None = None
    licence: str = ""
    source: str = ""
    note: str = ""
    left_out: tuple[str, ...] = ()
    dropped: int = 0
    hash: str = ""
    axes: int = 0
    quantities: tuple[Quantity, ...] = ()
    rows: np.ndarray | None = None
    lines: np.ndarray | None = None
    times: np.ndarray | None = None
    by_line: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", checks.read_only(checks.sample(self.X)))
        if [each.name for each in self.quantities] != list(self.names):
            object.__setattr__(self, "quantities", quantities_named(self.names))
        for name in BESIDE_X:
            if (values := getattr(self, name)) is not None:
                fits = name != "lines" or len(values) == len(self.X)  # lines of other rows are meaningless
                object.__setattr__(self, name, checks.read_only(values) if fits else None)

    @property
    def n(self) -> int:
        """The number of points."""
        return self.X.shape[0]

    @property
    def d(self) -> int:
        """The number of columns."""
        return self.X.shape[1]

    def quantities_of(self, names: Sequence[str]) -> tuple[Quantity, ...]:
        """Return the quantities of some columns.

        Parameters
        ----------
        names : sequence of str
            The names of the columns.

        Returns
        -------
        tuple of Quantity
            Their quantities.
        """
        known = dict(zip(self.names, self.quantities, strict=True))
        return tuple(known[name] for name in names)

    @property
    def row_numbers(self) -> Rows:
        """Number by which the user finds each row, (n,): its line, or its position counted from 1."""
        return np.arange(1, self.n + 1) if self.lines is None else self.lines

    def place(self, row: int) -> str:
        """Return the line of a row in its file, or its number, as text.

        Parameters
        ----------
        row : int
            The position of the row, counted from 0.

        Returns
        -------
        str
            For example "line 3" or "row 2".
        """
        return f"{'line' if self.by_line else 'row'} {self.row_numbers[row]:,}"

    def standardised(self) -> DataSet:
        """Return a copy whose columns have mean 0 and variance 1. Constant columns become 0.

        Tables that are standardised separately agree in mean and variance, whatever their difference was. `read_tables`
        scales them together.

        Returns
        -------
        DataSet
            The copy.
        """
        Z, centres, sizes = _standardise(self.X)
        quantities = zip(self.quantities, centres, sizes, strict=True)
        return replace(self, X=Z, quantities=tuple(each.over(*scale) for each, *scale in quantities))

    def sample(self, n: int, rng: Rng = None) -> Points:
        """Draw rows in random order, each at most once.

        Parameters
        ----------
        n : int
            The number of rows.
        rng : int, Generator or None, default None
            The seed. With an int a larger n only appends rows.

        Returns
        -------
        ndarray of shape (n, d)
            The rows.

        Raises
        ------
        Refusal
            If n is larger than the number of rows.
        """
        return self.X[self.drawn(n, rng)]

    def drawn(self, n: int, rng: Rng = None) -> Rows:
        """Return which rows `sample` draws, in the order in which they are drawn.

        Parameters
        ----------
        n : int
            The number of rows.
        rng : int, Generator or None, default None
            The seed.

        Returns
        -------
        ndarray of int of shape (n,)
            The positions of the rows, counted from 0.

        Raises
        ------
        Refusal
            If n is larger than the number of rows.
        """
        n = checks.whole(n, "n", 1)
        if n > self.n:
            raise Refusal(f"n = {n} is more than the {self.n} rows of {self.name}; take n of at most {self.n}.")
        return stream(rng, "rows").permutation(self.n)[:n]

    def in_order(self, n: int, rng: Rng = None) -> Rows:
        """Return which rows `sample` would draw, in the table's order: a thinned series.

        Parameters
        ----------
        n : int
            The number of rows.
        rng : int, Generator or None, default None
            The seed.

        Returns
        -------
        ndarray of int of shape (n,)
            The positions of the rows, counted from 0.
        """
        return np.sort(self.drawn(n, rng))

    def where(self, value: object) -> DataSet:
        """Return the rows whose target has a value.

        Parameters
        ----------
        value : object
            The value.

        Returns
        -------
        DataSet
            These rows.

        Raises
        ------
        Refusal
            If there are none.
        """
        rows = np.zeros(self.n, dtype=bool) if self.target is None else self.target == value
        if self.target is None or not np.any(rows):
            known = "no target" if self.target is None else f"{len(np.unique(self.target))} other values"
            raise Refusal(f"{self.name} has no row whose target is {checks.echo(value)}: {known}.")
        return some_rows(self, rows)

    def _parts(self):
        scaled = self.quantities != quantities_named(self.names)
        hidden = (*BESIDE_X[1:], "by_line") if scaled else (*BESIDE_X[1:], "by_line", "quantities")
        return [(field, value) for field, value in fields_of(self) if field not in hidden]

    def _brief(self, most):
        return truncate(f"<DataSet {self._sentence()}>", most)

    def _sentence(self):
        rows, columns = (f"{k} {word}{'' if k == 1 else 's'}" for k, word in ((self.n, "row"), (self.d, "column")))
        return f"{truncate(self.name)}: {rows}, {columns}"

    def _picture(self):
        head, rows = list(self.names), self.X[: html_tables.ROWS].tolist()
        if self.target is not None:
            head, rows = (
                ["target", *head],
                [[label, *row] for label, row in zip(self.target.tolist(), rows, strict=False)],
            )
        return html_tables.table(head, rows, self.n) + terms(self)


def some_rows(data: DataSet, rows: Mask | Rows, **fields: Any) -> DataSet:
    """Return a data set of some rows, with everything that belongs to them.

    Parameters
    ----------
    data : DataSet
        The data set.
    rows : ndarray
        A mask (n,) or positions.
    **fields : object
        Other fields that change, such as the name.

    Returns
    -------
    DataSet
        The rows.
    """
    parts = {name: values[rows] for name in BESIDE_X if (values := getattr(data, name)) is not None}
    return replace(data, X=data.X[rows], **parts, **fields)


def terms(data: Any) -> str:
    """Return the licence and the source of a data set as a line of HTML, or "" for the user's file."""
    lines = [
        f"{word}: {truncate(value, 300)}"
        for word, value in (("Licence", data.licence), ("Source", data.source))
        if value
    ]
    return markup("<p>{}</p>", ". ".join(lines)) if lines else ""


def standardise(X: Points) -> Matrix:
    """Return points whose columns have mean 0 and variance 1, the variance with 1/n. Constant columns become 0.

    Parameters
    ----------
    X : array_like of shape (n, d) or (n,)
        The points, or one column.

    Returns
    -------
    ndarray of shape (n, d)
        The standardised points, float64.

    Examples
    --------
    >>> from explorer.datasets import standardise
    >>> standardise([[1.0, 5.0], [3.0, 5.0]]).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    return _standardise(np.ascontiguousarray(checks.sample(X)))[0]  # the rounding of sums depends on the memory layout


def _standardise(X):
    """Return (standardised points, what was subtracted from each column, what it was divided by)."""
    varies = X.max(axis=0) > X.min(axis=0)  # exact, whereas the deviation of a constant may round to 1e-17
    _, exponent = np.frexp(np.abs(X).max(axis=0))
    Z = np.ldexp(X, -exponent)  # scaling by a power of two is exact, and squares then neither overflow nor vanish
    centre = Z.mean(axis=0)
    Z -= centre
    Z -= Z.mean(axis=0)  # remove the rounding error of the first mean
    deviation = np.where(varies, np.sqrt(np.mean(Z**2, axis=0)), 1.0)
    Z = np.divide(Z, deviation, out=np.zeros_like(Z), where=varies)
    with np.errstate(over="ignore"):  # a mean may exceed the largest float, and is clipped below
        centre, deviation = np.ldexp(centre, exponent), np.ldexp(deviation, exponent)
    return Z, np.clip(centre, -LARGEST, LARGEST), np.where(varies, np.clip(deviation, SMALLEST, LARGEST), 1.0)
