"""Copies: rows that occur more than once in a table, or in both of two tables, beyond what chance explains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.special import chdtr, pdtrc

from explorer.datasets.columns.row_numbers import RowNumberDetector
from explorer.datasets.columns.running_numbers import are_running
from explorer.datasets.columns.table import Table
from explorer.datasets.columns.tokens import are_identifiers
from explorer.printing import short_name
from explorer.types import Labels, Mask, Points, Rows

MANY = 0.05  # if a larger share of a table's rows are copies, its rows are not independent
TIMES = 2  # equal pairs must exceed this multiple of the chance, since columns may depend on each other
SURE = 1e-3  # largest probability of that many equal pairs at which rows count as copies
# A row that occurs more often than this multiple of the median frequency is a frequent value, as of a broken sensor
CLUMP = 8
DIFFERENT = 10  # least number of different rows of a table: of fewer, such as yes and no, each recurs by chance
FEW = 3  # least number of repeats that makes a row a frequent value
PAIRED = 8  # most columns whose pairs are examined
ROWS = 30_000  # random rows from which the chance is computed, if there are more
DISTINCT = 4_000  # random different rows that decide which columns follow from others
TESTED = 5  # least number of different rows that can show that one column follows from another
RICH = 3  # this number of columns with a value for every other row rules out words of one category
RICHER = 4  # the same limit if rows occur twice or more on average, and as unevenly as words do
# Up to this number of rows per different row, identifiers are those of rows. Numbers drawn until half occur have 1.39
SELDOM = 1.25
NEARLY = 0.9  # least share of different rows with a unique identifier
EVEN = 1e-6  # largest probability of random rows to occur this evenly
DIGITS = 5  # digits after the first one: numbers with more are not prices
ROUNDING = 1e-6  # differences below this part of the sixth digit are rounding
GRID = 1e-9  # gaps below this share of the range of numbers are rounding
NEIGHBOURS = 3  # least number of gaps of a grid that are one step wide
TINY, LARGEST = 1e-300, 1e307  # smallest magnitude to divide by, and largest to subtract without overflow
GAP = 2**62  # grid position of a missing number, far from all others


class Copies(NamedTuple):
    """Copies of rows within tables a and b, and between them.

    Attributes
    ----------
    rows : tuple of int
        Number of rows of each table.
    repeats : tuple of int
        Number of rows of each table that repeat an earlier row of it.
    copies : tuple of int
        How many of these are more than chance gives, see `copies_of`.
    times : tuple of int
        Every row of a table occurs this often, or a multiple of it: 8 for a table that was appended 7 times, 1 without
        copies.
    common : int
        Number of rows of b that occur in a, each row of a counted once.
    overlap : int
        How many of these are more than chance gives.
    distinct : tuple of ndarray of shape (n,)
        Which rows of each table remain without its copies: all of them if no copy is beyond chance, else the first of
        equal rows, or one of each `times` equal ones.
    new : tuple of ndarray of shape (n,)
        Which rows of each table do not occur in the other, each row counted once.
    columns : tuple of str
        Names of the columns by which rows were compared.
    """

    rows: tuple[int, int]
    repeats: tuple[int, int]
    copies: tuple[int, int]
    times: tuple[int, int]
    common: int
    overlap: int
    distinct: tuple[Mask, Mask]
    new: tuple[Mask, Mask]
    columns: tuple[str, ...] = ()

    @property
    def shares(self) -> tuple[float, float]:
        """Shares of copies among the rows of a and of b."""
        return self.copies[0] / max(self.rows[0], 1), self.copies[1] / max(self.rows[1], 1)

    @property
    def many(self) -> bool:
        """True if more than 5 % of the rows of a, or of b, are copies."""
        return max(self.shares) > MANY

    @property
    def contains(self) -> str:
        """The table that contains all rows of the other: "a", "b", "both" if they have the same rows, or ""."""
        if self.overlap <= MANY * min(self.rows):
            return ""
        whole = [self.common == rows for rows in self.rows]  # a is whole in b, b is whole in a
        return "both" if all(whole) else "b" if whole[0] else "a" if whole[1] else ""

    def sentences(self, first: str, second: str) -> str:
        """Return sentences on the rows of the two named tables that are copies or are in both; "" if there are none."""
        names, said = (short_name(first), short_name(second)), []
        for name, rows, repeats, copies, times in zip(
            names, self.rows, self.repeats, self.copies, self.times, strict=True
        ):
            if times > 1:
                said.append(f"Each row of {name} occurs {times} times.")
            elif copies:
                said.append(
                    f"{repeats:,} of the {rows:,} rows of {name} repeat an earlier one{_by_chance(repeats, copies)}."
                )
        if self.overlap and self.contains == "both":
            said.append(f"{names[0]} and {names[1]} have the same rows.")
        elif self.overlap:
            chance = _by_chance(self.common, self.overlap)
            said.append(f"{self.common:,} of the {self.rows[1]:,} rows of {names[1]} are in {names[0]} too{chance}.")
        return " ".join(said)


def _by_chance(count, beyond):
    """Return a note in brackets on how many of `count` rows are due to chance, or "" if none are."""
    return f" (about {count - beyond:,} by chance)" if beyond < count else ""


def copies_of(a: Points | Sequence[Labels], b: Points | Sequence[Labels], names: Iterable[str] = ()) -> Copies:
    """Return the copies of rows of tables a and b, which are matrices (n, d) or lists of d columns (n,).

    Rows are equal if all their cells are equal; NaN equals NaN. Identifiers and times are columns like others: an
    export that was appended twice repeats them, and a row that differs in one of them is not a copy. `columns_of`
    leaves out a column that only counts the rows, since it is new in each row whatever the row contains.

    Parameters
    ----------
    a : ndarray of shape (n, d) or sequence of ndarray of shape (n,)
        The first table.
    b : ndarray of shape (m, d) or sequence of ndarray of shape (m,)
        The second table, with the same columns.
    names : iterable of str, default ()
        Names of the columns, for `Copies.columns`.

    Returns
    -------
    Copies
        The copies within each table and between them.

    Notes
    -----
    Equal rows are not copies if columns are few and coarse. Let A be the number of pairs of rows that are equal, B_j of
    those that differ in column j alone, and C_jk of those that differ in columns j and k alone. If j and k are
    independent given the others, A / B_j = B_k / C_jk up to sampling noise, and chance gives B_j B_k / C_jk equal
    pairs, as Lincoln and Petersen estimate. If j contains numbers on a grid, chance gives about half as many equal
    pairs as there are pairs that are one step apart in j and equal otherwise. Copies count in A alone. The largest of
    these estimates is used, over at most eight columns with the largest B_j. There are copies if A is more than twice
    as large, as columns may depend on each other given the others, and if P(Poisson >= A) is at most .001 at twice the
    largest (B_j + 1)(B_k + 1) / (C_jk + 1). Then the share of repeats that chance gives is the estimate over A.

    A table of fewer than ten different rows has no copies. Columns that follow from another one, as a price does from
    its product, are left out first. A row that is more than eight times as frequent as the median one is a frequent
    value and not a copy; so is one with three repeats or more that are more than half of all repeats. If hardly any
    pairs differ in few columns, equal rows may also be words of one category, such as a product and its price. Then
    they are copies if three columns have a value for every other row (numbers of more than six digits count twice), or
    if the different rows occur equally often, more evenly than random ones do with probability 1e-6. All equal rows are
    copies if they share an identifier: a column of running numbers, hashes, e-mail addresses or numbered words that is
    new for each different row.

    In pairs of tables of 60, 300 and 1,000 independent rows of ratings, correlated answers, counts, lookups and rounded
    measurements, 33 kinds, no copy was found in any of 60, 60 and 30 pairs each. Of 100 copies in a table of 1,000
    others of an amount in cents and one of three kinds, 92 are counted.

    Rows are hashed to 64 bits, and those with equal hashes are compared cell by cell. Beyond 30,000 rows the chance is
    that of random rows. Nothing depends on the order of rows or columns, except the choice of these random rows.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.comparison.copies import copies_of
    >>> rng = np.random.default_rng(0)
    >>> a, new = rng.normal(size=(100, 3)), rng.normal(size=(20, 3))
    >>> found = copies_of(np.concatenate([a, a[:30]]), np.concatenate([a, new]))
    >>> found.copies, found.overlap, int(found.new[1].sum())
    ((30, 0), 100, 20)
    >>> ratings = rng.integers(1, 6, (2, 100, 2))
    >>> copies_of(*ratings).repeats, copies_of(*ratings).copies
    ((76, 75), (0, 0))
    """
    cells = [_Cells.of(one, other, j) for j, (one, other) in enumerate(zip(_columns(a), _columns(b), strict=True))]
    cells = [column for column in cells if np.any(column.hashes != column.hashes[:1])]
    n, rows = _rows(a), _rows(a) + _rows(b)
    group = _groups([column.hashes for column in cells], rows)
    sides = (slice(0, n), slice(n, rows))
    count = [np.bincount(group[side], minlength=int(group.max(initial=-1)) + 1) for side in sides]
    clumps = [_are_clumps(each) for each in count]
    repeats, copies, times, distinct = [], [], [], []
    for side, each, clump in zip(sides, count, clumps, strict=True):
        own, mine = group[side], [column.of_rows(side) for column in cells]
        again = int((each[(each > 1) & ~clump] - 1).sum()) if np.count_nonzero(each) >= DIFFERENT else 0
        beyond = round(again * (1 - _chance(mine, own, clump[own]))) if again else 0
        repeats.append(int((each[each > 0] - 1).sum()))
        copies.append(beyond)
        times.append(int(np.gcd.reduce(each)) if beyond else 1)
        left = np.where(clump & (times[-1] == 1), each, each // times[-1] if times[-1] > 1 else 1)
        distinct.append(~_beyond(own, left) if beyond else np.ones(len(own), bool))
    both, clump = np.minimum(*count), clumps[0] | clumps[1]
    shared = int(both[~clump].sum()) if min(map(np.count_nonzero, count)) >= DIFFERENT else 0
    overlap = round(shared * (1 - _chance(cells, group, clump[group], n))) if shared else 0
    return Copies(
        (n, rows - n),
        (repeats[0], repeats[1]),
        (copies[0], copies[1]),
        (times[0], times[1]),
        int(both.sum()),
        overlap,
        (distinct[0], distinct[1]),
        (_beyond(group[sides[0]], both), _beyond(group[sides[1]], both)),
        tuple(names),
    )


def copies_of_tables(
    a: Table, b: Table, names: Iterable[str] | None = None, rows: tuple[Rows, Rows] | None = None
) -> Copies:
    """Return the `copies_of` two tables as they were read.

    Parameters
    ----------
    a : Table
        The first table.
    b : Table
        The second table.
    names : iterable of str or None, default None
        Columns by which rows are compared; None takes `columns_of` the tables.
    rows : tuple of ndarray or None, default None
        Row numbers of each table to examine; None examines all. The masks of the result are about these rows.

    Returns
    -------
    Copies
        The copies within each table and between them.
    """
    columns = columns_of(a, b) if names is None else tuple(names)
    sides = [[table.by_name[name].array() for name in columns] for table in (a, b)]
    if rows is not None:
        sides = [[column[some] for column in side] for side, some in zip(sides, rows, strict=True)]
    return copies_of(sides[0], sides[1], columns)


def columns_of(a: Table, b: Table) -> tuple[str, ...]:
    """Return the names of the columns by which rows of two tables are compared.

    These are the columns that both tables have, as numbers or as words, except those that count the rows of both tables
    from 0 or 1.

    Parameters
    ----------
    a : Table
        The first table.
    b : Table
        The second table.

    Returns
    -------
    tuple of str
        Names in the order of a's columns.
    """
    names = []
    for column in a.columns:
        other = b.by_name.get(column.name)
        if other is None or (column.numbers is None) != (other.numbers is None):
            continue
        if column.numbers is None or not all(
            each.whole_numbers.is_consecutive and each.whole_numbers.first in (0, 1) for each in (column, other)
        ):
            names.append(column.name)
    return tuple(names)


def _columns(table) -> list[Labels]:
    """Return a table's columns as a list of arrays."""
    return list(table.T) if isinstance(table, np.ndarray) else [np.asarray(column) for column in table]


def _rows(table):
    """Return the number of rows of a table."""
    return len(table) if isinstance(table, np.ndarray) else len(table[0]) if len(table) else 0


class _Cells(NamedTuple):
    """One column of both tables as 64-bit numbers: `hashes`, shape (n,), equal for equal cells of this column only.

    `values`, shape (n,), are the cells: numbers or words.
    """

    hashes: np.ndarray
    values: Labels

    @classmethod
    def of(cls, a: Labels, b: Labels, j: int) -> _Cells:
        """Return the cells of column j of both tables."""
        salt = _mixed(np.array([j + 1], np.uint64))
        if all(part.dtype.kind in "biuf" for part in (a, b)):
            values = np.concatenate([a, b]).astype(np.float64) + 0.0  # -0.0 becomes 0.0
            values[np.isnan(values)] = np.nan
            return cls(_mixed(values.view(np.uint64) ^ salt), values)
        place: dict[object, int] = {}
        codes = [place.setdefault(cell, len(place)) for part in (a, b) for cell in part.tolist()]
        words = np.concatenate([part.astype(object) for part in (a, b)])
        return cls(_mixed(np.array(codes, np.uint64) ^ salt), words)

    def of_rows(self, rows) -> _Cells:
        """Return the cells of some of the rows."""
        return _Cells(self.hashes[rows], self.values[rows])

    @property
    def numeric(self) -> bool:
        """True if the cells are numbers."""
        return self.values.dtype.kind == "f"

    def identifies(self, different: Mask, n: int) -> bool:
        """Return whether the column identifies the `different` rows among the first n rows, and among the others.

        Identifiers are running numbers, hashes, e-mail addresses and numbered words, see `running_numbers` and
        `tokens`.
        """
        parts = [self.values[:n][different[:n]], self.values[n:][different[n:]]]
        if self.numeric:
            return are_running([RowNumberDetector().add(part) for part in parts if len(part)])
        words = {str(word) for part in parts for word in part}
        return len(words) >= NEARLY * max(map(len, parts)) and are_identifiers(words)


def _steps(values):
    """Return the integer position of each number on the grid of the smallest gap, or None if there is no grid."""
    finite = values[np.isfinite(values)]
    different = np.unique(finite)
    if len(different) < 2 or different[-1] / 2 - different[0] / 2 > LARGEST:
        return None
    gaps, span = np.diff(different), different[-1] - different[0]
    step = gaps[gaps > GRID * span].min(initial=span)
    if np.count_nonzero(gaps < 1.5 * step) < NEIGHBOURS:
        return None
    places = np.full(len(values), GAP, np.uint64)
    places[np.isfinite(values)] = np.rint((finite - different[0]) / step).astype(np.uint64)
    return places


def _are_fine(column):
    """Return whether most of a column's numbers have more than six digits."""
    some = column.values if column.numeric else np.zeros(0)
    some = some[np.isfinite(some) & (np.abs(some) > TINY)]
    if not len(some):
        return False
    unit = 10.0 ** (np.floor(np.log10(np.abs(some))) - DIGITS)
    return bool(np.mean(np.abs(some / unit - np.rint(some / unit)) > ROUNDING) > 1 / 2)


def _mixed(x):
    """Return x after the mixing function of SplitMix64, which is one-to-one."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _summed(columns, rows):
    """Return the sum of columns of hashes, modulo 2^64."""
    total = np.zeros(rows, np.uint64)
    for column in columns:
        total += column
    return total


def _groups(columns, rows) -> Rows:
    """Return the number of the group of equal rows that each row belongs to, shape (rows,)."""
    total = _summed(columns, rows)
    while True:
        order = np.argsort(total, kind="stable")
        alike = total[order[1:]] == total[order[:-1]]
        one, after = order[:-1][alike], order[1:][alike]
        if all(np.array_equal(column[one], column[after]) for column in columns):
            break
        columns = [_mixed(column) for column in columns]  # different rows had the same sum, so mix the hashes anew
        total = _summed(columns, rows)
    group = np.empty(rows, np.intp)
    group[order] = np.cumsum(np.concatenate([[0], ~alike])[:rows])
    return group


def _are_clumps(count) -> Mask:
    """Return which different rows are far more frequent than the median one, or have more than half of all repeats."""
    if not np.any(count):
        return np.zeros(len(count), bool)
    again = np.maximum(count - 1, 0)
    return (count > CLUMP * np.median(count[count > 0])) | ((again >= FEW) & (2 * again > again.sum()))


def _first(group) -> Mask:
    """Return which rows are the first of their group."""
    first = np.zeros(len(group), bool)
    first[np.unique(group, return_index=True)[1]] = True
    return first


def _beyond(group, both) -> Mask:
    """Return which rows are not among the first `both` of their group."""
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(both)))
    place = np.empty(len(group), np.intp)
    place[order] = np.arange(len(group)) - starts[group[order]]
    return place >= both[group]


def _chance(cells, group, clump, n=None) -> float:
    """Return the share of equal pairs that chance gives, in one table, or between its first n rows and the others.

    It is computed with and without frequent rows: frequent rows hide copies, and the other rows alone may look like
    copies.
    """
    share = _share_of(cells, group, n)
    if share < 1 and clump.any():
        rows = np.flatnonzero(~clump)
        left = None if n is None else int(np.searchsorted(rows, n))
        share = max(share, _share_of([column.of_rows(rows) for column in cells], group[rows], left))
    return share


def _share_of(cells, group, n):
    """Return the share of equal pairs that chance gives, from 0 to 1, counting frequent rows like others."""
    different = _first(group) if n is None else np.concatenate([_first(group[:n]), _first(group[n:])])
    known = len(group) < SELDOM * different.sum()  # if rows recur more often, an identifier may be that of a product
    if known and any(column.identifies(different, len(group) if n is None else n) for column in cells):
        return 0.0
    if len(group) > ROWS:
        rows = np.sort(np.random.default_rng(0).choice(len(group), ROWS, replace=False))
        cells, group = [column.of_rows(rows) for column in cells], group[rows]
        n = None if n is None else int(np.searchsorted(rows, n))
    first = np.flatnonzero(_first(group))
    if len(first) > DISTINCT:
        first = np.random.default_rng(0).choice(first, DISTINCT, replace=False)
    levels = [len(np.unique(column.hashes[first])) for column in cells]
    rich = sum((2 * count >= len(first)) * (1 + _are_fine(column)) for count, column in zip(levels, cells, strict=True))
    cells = [cells[j] for j in _free([column.hashes[first] for column in cells], levels)]
    every = _summed([column.hashes for column in cells], len(group))
    equal = _pairs(every, n)
    if not equal:
        return 0.0
    without = [_pairs(every - column.hashes, n) - equal for column in cells]
    chance, most = _by_near(cells, every, equal, without, n)
    if TIMES * chance >= equal or (most and pdtrc(equal - 1, TIMES * most) > SURE):
        return 1.0
    if chance or _are_even(group, n):
        return chance / equal
    times = np.bincount(group)
    times = times[times > 0]
    words = times.mean() >= 2 and times.var() >= times.mean() / 2  # counts vary as if rows were drawn from categories
    return float(rich + any(without) < (RICHER if words else RICH))


def _free(columns, levels):
    """Return the positions of columns that do not follow from another one, judged by different rows."""
    free = list(range(len(columns)))
    for j in sorted(free, key=lambda j: levels[j]):
        for k in free:
            tested = k != j and len(columns[j]) - levels[k] >= TESTED
            if tested and len(np.unique(columns[k] + columns[j] * np.uint64(3))) == levels[k]:
                free.remove(j)
                break
    return free


def _by_near(cells, every, equal, without, n):
    """Return (equal pairs that chance gives, an upper limit if few are seen), estimated from nearly equal rows."""
    order = sorted(range(len(cells)), key=lambda j: -without[j])[:PAIRED]
    chances, most = [0.0], 0.0
    for j, k in combinations(order, 2):
        third = _pairs(every - cells[j].hashes - cells[k].hashes, n) - without[j] - without[k] - equal
        if third > 0:
            chances.append(without[j] * without[k] / third)
            most = max(most, (without[j] + 1) * (without[k] + 1) / (third + 1))
    for j in order:
        steps = _steps(cells[j].values) if cells[j].numeric and without[j] else None
        if steps is not None:
            near = _a_step_apart(every - cells[j].hashes, steps, n)
            chances.append(near / 2)
            most = max(most, (near + 1) / 2)
    return max(chances), most


def _a_step_apart(others, steps, n):
    """Return the number of pairs of rows that are one step apart in a column and equal in the others."""
    here, after = others + _mixed(steps), others + _mixed(steps + np.uint64(1))
    if n is None:
        return _pairs(np.concatenate([here, after]), len(here))
    return sum(_pairs(np.concatenate([one[:n], other[n:]]), n) for one, other in ((here, after), (after, here)))


def _are_even(group, n):
    """Return whether rows occur equally often, or as often in both tables, more evenly than random ones do."""
    if n is None:
        times = np.bincount(group)
        times = times[times > 0].astype(float)
        return (
            bool(chdtr(len(times) - 1, ((times - times.mean()) ** 2).sum() / times.mean()) <= EVEN) and times.min() > 1
        )
    size = int(group.max()) + 1
    one, other = (np.bincount(part, minlength=size).astype(float) for part in (group[:n], group[n:]))
    total = one + other
    seen = total > 0
    return bool(chdtr(seen.sum() - 1, ((one - other)[seen] ** 2 / total[seen]).sum()) <= EVEN)


def _pairs(hashes, n=None) -> float:
    """Return the number of pairs of rows with equal hashes, within a table or between its first n rows and others."""
    if n is None:
        ordered = np.sort(hashes)
        ends = np.flatnonzero(np.concatenate([ordered[1:] != ordered[:-1], [True]]))
        times = np.diff(ends, prepend=-1).astype(float)
        return float((times * (times - 1)).sum() / 2)
    _, code = np.unique(hashes, return_inverse=True)
    size = int(code.max(initial=-1)) + 1
    return float(np.bincount(code[:n], minlength=size).astype(float) @ np.bincount(code[n:], minlength=size))
