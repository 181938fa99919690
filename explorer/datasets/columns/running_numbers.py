"""Detection of running numbers: whole numbers that hardly recur and fill their range, as of orders and tickets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import bdtr, gammaln

from explorer.types import Rows, Vector

from .row_numbers import LAST, RowNumberDetector, is_sampled, merge_counts

RECURRING = 0.05  # largest share of repeated numbers that hardly recur, as after copying some rows
FILLED = 2  # largest range, as a multiple of the count of distinct numbers
JUMP = 50  # number of distinct numbers for each jump that the numbering may have
CHANCE = 1e-10  # largest probability with which measurements would recur as rarely


def are_running(columns: Sequence[RowNumberDetector]) -> bool:
    r"""Return whether the numbers of one column of K tables are running numbers.

    They are if they are whole and not negative, if at least half of the numbers in their range occur, and if they recur
    so rarely that measurements hardly ever do. The range is that of the numbers of all tables, in steps of their
    greatest common divisor, minus its K - 1 + d // 50 widest gaps, where d is the number of distinct numbers: tables
    and groups may have separate ranges.

    Parameters
    ----------
    columns : sequence of RowNumberDetector
        The column's numbers in each table.

    Returns
    -------
    bool
        Whether they are running numbers.

    Notes
    -----
    Let n values be drawn at random from r numbers, with any distribution. At most n - d of them repeat an earlier one
    with probability at most

    .. math::

        \binom{n}{d} \frac{r!}{(r - d)!\, r^d},

    which is about sqrt(2) exp(-.307 n) for d = n and r = 2 n. No number occurs more than M times with probability at
    most P(Bin(n, 1/r) <= M)^r, because occupancies are negatively associated and the uniform distribution recurs least.

    If at most 5 % of the numbers are repeats, the first bound is computed for all tables together and for each by
    itself. If M <= K, as for numbers that begin anew in each table, the second is computed for all together. One of the
    three must be at most 1e-10. This takes at least 26 numbers without a gap, or 77 that fill half of their range. So
    numbers of exchangeable rows are left out with a smaller probability than this, and a permutation test of the
    compared columns keeps its level.
    """
    if not all(column.whole and not column.low < 0 and not column.high > LAST for column in columns):
        return False
    share = min(column.share for column in columns)
    parts = [_of_share(column, share) for column in columns]
    values, times = merge_counts(parts)
    if len(values) < 2:
        return False
    cells = _cells(values, len(columns) - 1 + len(values) // JUMP, share)
    if cells > FILLED * len(values) / share:
        return False
    most, n = int(times.max()), int(times.sum())
    chances = [_log_chance([(values, times)], cells, share), _log_chance(parts, cells, share)]
    if most <= len(columns):
        chances.append(cells * np.log(bdtr(most, round(n / share), 1 / cells)))
    return min(chances) <= np.log(CHANCE)


def hardly_recur(columns: Sequence[RowNumberDetector]) -> bool:
    """Return whether at most 5 % of the numbers of all tables are repeats, or no number recurs within a table."""
    share = min(column.share for column in columns)
    parts = [_of_share(column, share) for column in columns]
    return _repeats(merge_counts(parts)[1]) <= RECURRING or all(_repeats(times) == 0 for _, times in parts)


def words_hardly_recur(parts: Sequence[Sequence[int]], levels: int) -> bool:
    """Return whether words recur too rarely for a category with `levels` levels.

    `parts` holds the counts of the words of each table. At most 5 % of all words repeat an earlier one; or at most 5 %
    of each table's words do, as for subjects that are in all tables, and random levels would do so with a probability
    of at most 1e-10, see `are_running`.
    """
    times = [np.asarray(part) for part in parts]
    n = sum(int(part.sum()) for part in times)
    if n - levels <= RECURRING * n:
        return True
    chance = sum(log_chance(part.sum(), len(part), levels) for part in times)
    return all(_repeats(part) <= RECURRING for part in times) and chance <= np.log(CHANCE)


def log_chance(n: float, different: float, cells: float) -> float:
    """Return a bound on log P(at most n - d of n draws from r numbers repeat an earlier one).

    d is `different` and r is `cells`. The bound is log C(n, d) r! / ((r - d)! r^d). If at most n - d draws are repeats,
    some d of them are all different. Any d draws are all different with probability at most r! / ((r - d)! r^d).
    """
    chosen = gammaln(n + 1) - gammaln(different + 1) - gammaln(n - different + 1)
    return float(chosen + gammaln(cells + 1) - gammaln(cells - different + 1) - different * np.log(cells))


def _log_chance(parts, cells, share):
    """Return the sum of `log_chance` over parts, or 0 if too many numbers of one part are repeats."""
    total = 0.0
    for values, times in parts:
        if _repeats(times) > RECURRING:
            return 0.0
        if len(values):
            d = len(values) / share
            total += log_chance(times.sum() / share, d, max(cells, d))
    return total


def _repeats(times: Rows) -> float:
    """Return the share of numbers that repeat an earlier one."""
    return 1 - len(times) / max(times.sum(), 1)


def _of_share(column, share) -> tuple[Vector, Rows]:
    """Return those of a column's distinct numbers that are stored if `share` of all numbers are, and their counts."""
    values, times = column.numbers()
    kept = is_sampled(values, round(-np.log2(share)))
    return values[kept], times[kept]


def _cells(values, jumps, share):
    """Return how many numbers are in the range of sorted `values`, by their step, without the `jumps` widest gaps."""
    gaps = np.sort(np.diff(values))
    gaps = gaps[: max(len(gaps) - jumps, 1)]
    step = np.gcd.reduce(gaps.astype(np.int64))
    return float(gaps.sum() / step + (len(values) - len(gaps)) / share)
