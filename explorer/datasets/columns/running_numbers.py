"""Running numbers: whole numbers that hardly recur and fill their range, as those of orders and tickets do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import bdtr, gammaln

from explorer.types import Rows, Vector

from .row_numbers import LAST, RowNumberDetector, merge_counts, is_sampled

RECURRING = 0.05  # the share of repeated numbers up to which they still hardly recur, as after a copy of some rows
FILLED = 2  # numbers of the range for each one that occurs, at most
JUMP = 50  # different numbers for each jump of the numbering that is allowed
CHANCE = 1e-10  # the largest chance with which measurements may recur so seldom


def are_running(columns: Sequence[RowNumberDetector]) -> bool:
    """Return whether the numbers of one column, as each of K tables has it, are running numbers.

    They are if they are whole and not negative, if at least half of the numbers in their range occur, and if they recur
    so seldom that measurements hardly ever do. The range is that of the numbers of all tables, in steps of their
    greatest common divisor, less its K - 1 + d // 50 widest gaps, d the number of different ones: tables and groups may
    have ranges of their own.

    Of n values drawn at random from r numbers, by whatever distribution, at most n - d repeat an earlier one with
    probability at most C(n, d) r! / ((r - d)! r^d), which is about sqrt(2) exp(-.307 n) for d = n and r = 2 n; and none
    occurs more than M times with probability at most P(Bin(n, 1/r) <= M)^r, as occupancies are negatively associated
    and the uniform distribution recurs least. If the repeats are at most 5 %, the first is asked of all tables together
    and of each by itself; if M <= K, as of numbers that begin anew in each table, the second of all together. One of
    the three must be at most 1e-10. This takes at least 26 numbers without a gap or 77 that fill half of their range.
    Numbers of exchangeable rows thus have less than this chance to be left out, and a permutation test of what is
    compared keeps its level.
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
    """Return whether at most 5 % of the numbers of all tables repeat an earlier one, or none in any table does."""
    share = min(column.share for column in columns)
    parts = [_of_share(column, share) for column in columns]
    return _repeats(merge_counts(parts)[1]) <= RECURRING or all(_repeats(times) == 0 for _, times in parts)


def words_hardly_recur(parts: Sequence[Sequence[int]], levels: int) -> bool:
    """Return whether words recur too seldom for a category of so many levels; of each table how often each word occurs.

    At most 5 % of all words repeat an earlier one. Or at most 5 % of each table's words do, as of subjects that are in
    all tables, and random levels would have a chance of at most 1e-10 for it, see `are_running`.
    """
    times = [np.asarray(part) for part in parts]
    n = sum(int(part.sum()) for part in times)
    if n - levels <= RECURRING * n:
        return True
    chance = sum(log_chance(part.sum(), len(part), levels) for part in times)
    return all(_repeats(part) <= RECURRING for part in times) and chance <= np.log(CHANCE)


def log_chance(n: float, different: float, cells: float) -> float:
    """Return log C(n, d) r! / ((r - d)! r^d), a bound on log P(at most n - d of n draws from r numbers repeat one).

    Of draws with at most n - d repeats some d are all different, and of any d draws this has the probability
    r! / ((r - d)! r^d) at most.
    """
    chosen = gammaln(n + 1) - gammaln(different + 1) - gammaln(n - different + 1)
    return float(chosen + gammaln(cells + 1) - gammaln(cells - different + 1) - different * np.log(cells))


def _log_chance(parts, cells, share):
    """The bound over parts that hardly recur; 0 if one of them does not."""
    total = 0.0
    for values, times in parts:
        if _repeats(times) > RECURRING:
            return 0.0
        if len(values):
            d = len(values) / share
            total += log_chance(times.sum() / share, d, max(cells, d))
    return total


def _repeats(times: Rows) -> float:
    """The share of numbers that repeat an earlier one."""
    return 1 - len(times) / max(times.sum(), 1)


def _of_share(column, share) -> tuple[Vector, Rows]:
    """The numbers of a column of which a share is kept that is no larger than its own."""
    values, times = column.numbers()
    kept = is_sampled(values, round(-np.log2(share)))
    return values[kept], times[kept]


def _cells(values, jumps, share):
    """How many numbers there are in the range of values, without so many of its widest gaps."""
    gaps = np.sort(np.diff(values))
    gaps = gaps[: max(len(gaps) - jumps, 1)]
    step = np.gcd.reduce(gaps.astype(np.int64))
    return float(gaps.sum() / step + (len(values) - len(gaps)) / share)
