"""Labs of pairs (x, y): the pairs, those added by the user included, and the permutations that their tests share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from explorer.checks import Refusal, truncate
from explorer.checks import join_list as in_a_sentence
from explorer.datasets import DataSet
from explorer.datasets.columns.quantity import Quantity, in_file_units, quantities_named
from explorer.discrepancy import permutations
from explorer.kernels.bandwidth import median_and_remark
from explorer.parameters import Text, Whole
from explorer.printing import short_name
from explorer.types import Matrix, Points, Rows, Vector

from .fields import listed
from .gram_pairs import GramInput
from .result import Result
from .stages import derived, stage
from .user_points import check_selected, moved_points, placed

LEAST = 4  # fewest pairs for a test
ALONG, ACROSS = 40, 28  # numbers of points of the plane's axes at which functions are drawn
FINE = 161  # number of points along an axis for a function that may vary fast
WIDE = 1.06  # half width of a picture, in half sides of its frame


class PairedSample(NamedTuple):
    """Pairs X (n, d) and Y (n, e), possibly none; the user can move and add pairs if e is 1.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        First members.
    Y : ndarray of shape (n, e)
        Second members.
    quantities : tuple of Quantity
        Quantities of the columns, y's last.
    rows : tuple of str
        Names of the pairs.
    called : str
        The pairs as text.
    frame : tuple of float
        Centre and half sides (x, y, x, y) of what is drawn.
    placed : int
        How many pairs the user added; they come last.
    moved : ndarray of int
        Rows of the other pairs that the user moved.
    """

    X: np.ndarray
    Y: np.ndarray
    quantities: tuple[Quantity, ...]
    rows: tuple[str, ...]
    called: str
    frame: tuple[float, float, float, float]
    placed: int = 0
    moved: np.ndarray = np.zeros(0, dtype=int)

    @classmethod
    def none(cls, frame: tuple[float, float, float, float]) -> Self:
        """Return an empty canvas: no pairs, in a frame.

        Parameters
        ----------
        frame : tuple of float
            Centre and half sides (x, y, x, y).

        Returns
        -------
        PairedSample
            No pairs.
        """
        return cls(
            np.zeros((0, 1)), np.zeros((0, 1)), quantities_named("xy"), (), "Pairs that were drawn by hand", frame
        )

    def by_hand(self, moved: Mapping[int, Any], points: Sequence[tuple[float, float]]) -> Self:
        """Return the pairs with some of them moved and others appended.

        Parameters
        ----------
        moved : mapping
            Row -> its new (x, y).
        points : sequence of tuple
            The added (x, y).

        Returns
        -------
        PairedSample
            The pairs.

        Raises
        ------
        Refusal
            If points are added and x has several columns.
        """
        if points and self.X.shape[1] > 1:
            columns = self.X.shape[1]
            raise Refusal("A click gives x one number, and x has {} columns here; take one column for x.", columns)
        if not moved and not points:
            return self
        both, moved = np.column_stack([self.X, self.Y]), {row: at for row, at in moved.items() if row < self.n}
        for row, at in moved.items():
            both[row, [0, -1]] = at
        X, Y = (
            np.concatenate([part, *([np.reshape([p[k] for p in points], (-1, 1))] if points else [])])
            for k, part in enumerate((both[:, :-1], both[:, -1:]))
        )
        rows = (*self.rows, *(f"point {i + 1} by hand" for i in range(len(points))))
        return self._replace(X=X, Y=Y, rows=rows, placed=len(points), moved=np.array(sorted(moved), dtype=int))

    @property
    def n(self) -> int:
        """Number of pairs."""
        return len(self.X)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, y's last."""
        return tuple(each.name for each in self.quantities)

    @property
    def on_axes(self) -> tuple[Quantity, Quantity]:
        """Quantities of the first column of x and of y."""
        return self.quantities[0], self.quantities[self.X.shape[1]]

    @property
    def own(self) -> dict[str, Vector]:
        """The columns by their names, each of shape (n,) in the units of its file."""
        return in_file_units(self.quantities, np.column_stack([self.X, self.Y]))

    @property
    def drawn(self) -> int:
        """Number of pairs that came from the source."""
        return self.n - self.placed

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Ends (low, high) of the picture along x and along y."""
        cx, cy, half, high = self.frame
        return (cx - WIDE * half, cx + WIDE * half), (cy - WIDE * high, cy + WIDE * high)

    @property
    def axes(self) -> tuple[Vector, Vector]:
        """Positions at which functions are drawn: x of shape (ALONG,) and y of shape (ACROSS,)."""
        along, up = self.ends
        return np.linspace(*along, ALONG), np.linspace(*up, ACROSS)

    @property
    def places(self) -> tuple[Matrix, Matrix]:
        """The axes as points of x's space, (ALONG, d), and of y's, (ACROSS, e), with other columns at their medians."""
        x, y = self.axes
        return _along(self.X, x), _along(self.Y, y)

    @property
    def finer(self) -> tuple[Matrix, Matrix]:
        """`places` for functions that may vary fast, with FINE points on each axis."""
        x, y = (np.linspace(*ends, FINE) for ends in self.ends)
        return _along(self.X, x), _along(self.Y, y)


def _along(Z, places):
    """Return points (p, d) along the first column of Z (n, d) at positions (p,), other columns at their medians."""
    points = np.tile(np.median(Z, axis=0), (len(places), 1))
    points[:, 0] = places
    return points


def _available(asked, names):
    """Return the requested columns, or raise a Refusal if one is not among the names."""
    for name in asked:
        if name not in names:
            raise Refusal("The table has no column '{}'; it has {}.", truncate(name), in_a_sentence(names))
    return asked


class RolesOfTable(GramInput):
    """A lab of pairs (x, y) that may be columns of a table: x is some of them, y is one or, if `groups`, some.

    Parameters
    ----------
    lenient, gram, file, rows, hash, columns, missing, standardise : Any
        See `UserTable`.
    file2, rows2, hash2 : Any
        See `SecondTable`.
    x : str, default ""
        JSON list of the columns of x; empty for the default one.
    y : str, default ""
        The column of y, or a JSON list; empty for the default one.
    """

    if TYPE_CHECKING:

        @derived
        def enough(self) -> bool: ...
        @derived
        def size(self) -> int: ...
        @derived
        def draft(self) -> int: ...
        def drawn_pairs(self) -> PairedSample: ...

        def the_pairs(self) -> PairedSample: ...

    groups = False
    # table -> default x and y; those of any other table are its first and last column
    usual: ClassVar[Mapping[str, tuple[str, str]]] = {}
    x: str = Text(default="", doc="the columns of a table that x is, a JSON list; empty is the usual one")
    y: str = Text(default="", doc="the column of a table that y is, or a JSON list; empty is the usual one")

    def _check(self):
        listed(self.x)
        if self.groups:
            listed(self.y, "y")

    def roles(self, table: DataSet) -> tuple[list[str], list[str]]:
        """Return the columns of a table that x is, and those that y is.

        Parameters
        ----------
        table : DataSet
            The table.

        Returns
        -------
        x, y : list of str
            The columns.

        Raises
        ------
        Refusal
            If the table lacks one, or a column is both x and y.
        """
        names = table.names
        if self.by_gram[0]:
            x, names = self.coordinates(table)
            y = names if self.by_gram[1] else self._asked_y() or names[-1:]
            return x, _available(y, names)
        first, last = self.usual.get(self.source, (names[0], names[-1]))
        y = self._asked_y() or [last]
        x = listed(self.x) or [next((name for name in (first, *names) if name not in y), y[0])]
        _available([*x, *y], names)
        if both := [name for name in y if name in x]:
            raise Refusal(
                "column '{}' is x and y at once; take two columns, as every column depends on itself.", both[0]
            )
        return x, y

    def _asked_y(self):
        """Return the columns requested for y; empty for the default."""
        return listed(self.y, "y") if self.groups else [self.y] * bool(self.y)

    def pairs_of_table(self, rows: Rows | None = None) -> PairedSample:
        """Return pairs of the table's columns.

        Parameters
        ----------
        rows : ndarray of int or None, default None
            The rows; None for n rows at random.

        Returns
        -------
        PairedSample
            The pairs.

        Raises
        ------
        Refusal
            If n exceeds the number of rows.
        """
        table = self.the_table()
        x, y = self.roles(table)
        if self.n > table.n:
            raise Refusal(
                "n = {} is more than the {} rows of {}; take n of at most {}.", self.n, table.n, table.name, table.n
            )
        if rows is None:
            every = DataSet(table.name, np.arange(table.n)[:, None], ("row",))
            rows = every.sample(self.n, self.seed)[:, 0].astype(int)
        X, Y = (table.X[rows][:, [table.names.index(name) for name in names]] for names in (x, y))
        low, high = np.quantile(np.column_stack([X[:, 0], Y[:, 0]]), [0.01, 0.99], axis=0)
        centre, half = (low + high) / 2, 0.65 * (high - low) + 1e-9
        of, on = (names[0] if len(names) == 1 else f"{len(names)} columns" for names in (x, y))
        called = tuple(map(table.place, rows))
        of, on, whole = short_name(of), short_name(on), short_name(table.name)
        words = f"{of} and {on} of {whole}"
        quantities = table.quantities_of((*x, *y))
        if self.by_gram[0]:
            x = x if self.by_gram[1] else [f"{axis} of x" for axis in x]
            quantities = (*quantities_named(x), *quantities[len(x) :])
            words = f"The Gram matrices {whole}" if self.by_gram[1] else f"The Gram matrix of {whole} and {on}"
        (cx, cy), (wide, high) = map(float, centre), map(float, half)
        return PairedSample(X, Y, quantities, called, words, (cx, cy, wide, high))


class LabOfPairs(RolesOfTable):
    """A lab of pairs (x, y) some of which the user may move or add; in a table, y is one column.

    A subclass has `drawn_pairs()`, which returns the pairs without the user's changes, and the fields that it needs.

    Parameters
    ----------
    lenient, gram, file, rows, hash, columns, missing, standardise : Any
        See `UserTable`.
    file2, rows2, hash2 : Any
        See `SecondTable`.
    x, y : str, default ""
        See `RolesOfTable`.
    moved : str, default ""
        Moved pairs, a JSON map from a row to its position.
    placed : str, default ""
        Added pairs, a JSON list of [x, y].
    selected : int, default 0
        Number of the selected added pair, from 1; 0 for none.
    """

    moved: str = Text(default="", doc="pairs moved by hand, a JSON map from a row to its place")
    placed: str = Text(default="", doc="pairs added by hand, a JSON list of [x, y]")
    selected: int = Whole(0, bounds=(0, None), doc="the added pair that is selected, from 1; 0 is none")

    def _check(self):
        super()._check()
        if moved_points(self.moved) or self.points:
            self._check_places()
        check_selected(self.selected, self.points, "pairs")

    def _check_places(self):
        if self.by_gram[0]:
            raise Refusal(
                "A Gram matrix says nothing of a pair at another place, so none is moved or added here; take a table of"
                " columns to do that."
            )

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """The pairs that the user added, ((x, y), ...)."""
        return placed(self.placed)

    def the_pairs(self) -> PairedSample:
        """Return the pairs with the user's changes; a larger n keeps the pairs of a smaller one.

        Returns
        -------
        PairedSample
            The pairs.
        """
        return self.drawn_pairs().by_hand(moved_points(self.moved), self.points)


Paired = TypeVar("Paired", bound=RolesOfTable)  # class of a lab of pairs


class PairsResult(Result[Paired]):
    """Stages that labs of pairs share; the lab has `the_pairs()`, and `enough`, whether there are enough pairs.

    Parameters
    ----------
    lab : RolesOfTable
        The snapshot.
    cache : Cache or None, default None
        The lab's cache; None for a new one.
    """

    @stage
    def pairs(self) -> PairedSample:
        """Pairs of the lab, a PairedSample."""
        return self.lab.the_pairs()

    @stage
    def heuristics(self) -> tuple[tuple[float, str], tuple[float, str]]:
        """Median distance of each side, and a remark if it is not the plain median."""
        if not self.lab.enough:
            return (1.0, ""), (1.0, "")
        sides = zip((self.pairs.X, self.pairs.Y), self.lab.by_gram, strict=True)
        x, y = ((1.0, "") if gram else self.middle(Z) for Z, gram in sides)  # a Gram matrix has no bandwidth
        return x, y

    def middle(self, points: Points) -> tuple[float, str]:
        """Return the median distance of one side, and a remark if it is not the plain median.

        Parameters
        ----------
        points : ndarray of shape (n, d)
            The side.

        Returns
        -------
        median : float
            The distance.
        remark : str
            Empty if it is the plain median.
        """
        return median_and_remark(points)

    @property
    def enough(self) -> bool:
        """True if there are enough pairs."""
        return self.lab.enough

    @property
    def medians(self) -> tuple[float, float]:
        """Median distance of each side."""
        (x, _), (y, _) = self.heuristics
        return x, y

    @property
    def remarks(self) -> tuple[str, str]:
        """Remark on each side's bandwidth; empty if it is the plain median."""
        (_, x), (_, y) = self.heuristics
        return x, y


class PermutedPairsResult(PairsResult[Paired]):
    """Result of a lab of pairs whose tests all share their permutations.

    The lab has the number of pairs, `size`, and the numbers of permutations: `resamples` and, while a control moves,
    `draft`.

    Parameters
    ----------
    lab : RolesOfTable
        The snapshot.
    cache : Cache or None, default None
        The lab's cache; None for a new one.
    """

    @stage
    def orders(self) -> tuple[Rows, ...]:
        """Permutations, in batches, that all tests share while a control moves."""
        lab = self.lab
        return tuple(permutations(lab.size, lab.draft, lab.seed)) if lab.enough else ()

    def orders_of(self, count: int) -> tuple[Rows, ...]:
        """Return a number of permutations, in batches.

        Parameters
        ----------
        count : int
            How many.

        Returns
        -------
        tuple of ndarray
            The batches.
        """
        lab = self.lab
        return self.orders if count == lab.draft else tuple(permutations(lab.size, count, lab.seed))
