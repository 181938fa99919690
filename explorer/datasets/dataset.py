"""DataSet: points with the names, target, terms and origin that belong to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer import checks, html_tables
from explorer.checks import Refusal
from explorer.markup import markup
from explorer.printing import Written, fields_of, truncate
from explorer.record import record
from explorer.rng import stream
from explorer.types import Mask, Matrix, Points, Rng, Rows

from .columns.quantity import Quantity, quantities_named

BESIDE_X = ("target", "rows", "lines", "times")  # what has a value for each row of X
SMALLEST, LARGEST = np.finfo(float).smallest_subnormal, np.finfo(float).max


@record(repr=False)  # too many digits to print
class DataSet(Written):
    """Points X (n, d), read-only float64, and what is known about them.

    names: the d columns of X. target: (n,) the set's target, numbers where it is numeric, else strings, or None.
    licence, source, note: its terms, whom to cite and what to beware of; empty for a file of yours.
    left_out: the columns that X does not hold. dropped: how many rows were left out for their missing cells.
    hash: the SHA-256 of the file's bytes, in hex; empty where there was no file.
    axes: how many of X's first columns are coordinates that a Gram matrix gave; 0 of ordinary columns.
    quantities: of each column what its numbers are in the file's own units, where X is scaled.
    rows: (n,) the position of each row in the file, from 0; None if there was no file.
    lines: (n,) at which line of its file each row stands, the header counted; of a file without lines which of its rows
    it is, counted from 1; None if there was no file. by_line: whether they are lines.
    times: (n,) the time of each row, datetime64 or numbers, if the rows were sorted by it; else None.

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
                kept = checks.read_only(values) if name != "lines" or len(values) == len(self.X) else None
                object.__setattr__(self, name, kept)  # lines of other rows than these say nothing

    @property
    def n(self) -> int:
        """The number of points."""
        return self.X.shape[0]

    @property
    def d(self) -> int:
        """The number of columns."""
        return self.X.shape[1]

    def quantities_of(self, names: Sequence[str]) -> tuple[Quantity, ...]:
        """The quantities of these columns."""
        known = dict(zip(self.names, self.quantities, strict=True))
        return tuple(known[name] for name in names)

    @property
    def row_numbers(self) -> Rows:
        """The number of each row where its owner finds it, (n,): its `lines`, or its place counted from 1."""
        return np.arange(1, self.n + 1) if self.lines is None else self.lines

    def place(self, row: int) -> str:
        """Return what a row, counted from 0, is called: the line of its file, or its number."""
        return f"{'line' if self.by_line else 'row'} {self.row_numbers[row]:,}"

    def standardised(self) -> DataSet:
        """A copy whose columns have mean 0 and variance 1; constant columns become 0.

        Tables standardised apart agree in mean and variance, whatever their difference was: `read_tables` scales them
        together.
        """
        Z, centres, sizes = _standardised(self.X)
        quantities = zip(self.quantities, centres, sizes, strict=True)
        return replace(self, X=Z, quantities=tuple(each.over(*scale) for each, *scale in quantities))

    def sample(self, n: int, rng: Rng = None) -> Points:
        """n of its rows in random order, each at most once, (n, d). With an int seed a larger n only appends rows."""
        return self.X[self.drawn(n, rng)]

    def drawn(self, n: int, rng: Rng = None) -> Rows:
        """Return which n of its rows `sample` draws, counted from 0, in the order in which they are drawn, (n,)."""
        n = checks.whole(n, "n", 1)
        if n > self.n:
            raise Refusal(f"n = {n} is more than the {self.n} rows of {self.name}; take n of at most {self.n}.")
        return stream(rng, "rows").permutation(self.n)[:n]

    def in_order(self, n: int, rng: Rng = None) -> Rows:
        """Which n of its rows `sample` would draw, counted from 0, in the table's order, (n,): a thinned series."""
        return np.sort(self.drawn(n, rng))

    def where(self, value: object) -> DataSet:
        """The rows whose target is `value`, a DataSet; ValueError where there are none."""
        rows = np.zeros(self.n, dtype=bool) if self.target is None else self.target == value
        if self.target is None or not np.any(rows):
            known = "no target" if self.target is None else f"{len(np.unique(self.target))} other values there"
            raise Refusal(f"{self.name} has no row whose target is {checks.echo(value)}: {known}.")
        return some_rows(self, rows)

    def _parts(self):
        scaled = self.quantities != quantities_named(self.names)
        unsaid = (*BESIDE_X[1:], "by_line") if scaled else (*BESIDE_X[1:], "by_line", "quantities")
        return [(field, value) for field, value in fields_of(self) if field not in unsaid]

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
    """Return a data set of some rows of `data`, a mask (n,) or positions, with what belongs to them.

    fields: others that change, such as its name.
    """
    beside = {name: values[rows] for name in BESIDE_X if (values := getattr(data, name)) is not None}
    return replace(data, X=data.X[rows], **beside, **fields)


def terms(data: Any) -> str:
    """The licence and the source of a data set as a line of HTML; empty for a file of the user's."""
    lines = [
        f"{word}: {truncate(value, 300)}"
        for word, value in (("Licence", data.licence), ("Source", data.source))
        if value
    ]
    return markup("<p>{}</p>", ". ".join(lines)) if lines else ""


def standardise(X: Points) -> Matrix:
    """Points whose columns have mean 0 and variance 1, the variance with 1/n; constant columns become 0.

    X: (n, d), or (n,) for one column. Returns (n, d) float64.

    >>> from explorer.datasets import standardise
    >>> standardise([[1.0, 5.0], [3.0, 5.0]]).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    return _standardised(np.ascontiguousarray(checks.sample(X)))[0]  # sums go by the order of the memory


def _standardised(X):
    """(Those points, what was taken off each column, what was divided by)."""
    varies = X.max(axis=0) > X.min(axis=0)  # exact, where the deviation of a constant may round to 1e-17
    _, exponent = np.frexp(np.abs(X).max(axis=0))
    Z = np.ldexp(X, -exponent)  # a power of two keeps every digit, and squares then neither overflow nor vanish
    centre = Z.mean(axis=0)
    Z -= centre
    Z -= Z.mean(axis=0)  # what rounding left of the first mean
    deviation = np.where(varies, np.sqrt(np.mean(Z**2, axis=0)), 1.0)
    Z = np.divide(Z, deviation, out=np.zeros_like(Z), where=varies)
    with np.errstate(over="ignore"):  # at the end of the floats a mean is none itself
        centre, deviation = np.ldexp(centre, exponent), np.ldexp(deviation, exponent)
    return Z, np.clip(centre, -LARGEST, LARGEST), np.where(varies, np.clip(deviation, SMALLEST, LARGEST), 1.0)
