"""`scan`: where rows in order of time change."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from explorer import checks
from explorer.alignment import aligned
from explorer.checks import Refusal
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.resampling.permutation import permutations
from explorer.kernels import Kernel, Linear
from explorer.kernels.bandwidth_selection import LARGE
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.processors import side_by_side
from explorer.record import record
from explorer.rng import seed_of, stream
from explorer.synonyms import explain_wrong_calls
from explorer.types import Matrix, Points, PointsLike, Rng, Rows, Vector

from .columns import ColumnScores, column_breaks
from .days import FEWEST as FEW_DAYS
from .days import WholeDays, whole_days
from .neighbours import SURE_LEVEL, RowMemory, row_memory
from .points import one_sample
from .result import ScanResult
from .segments import breaks
from .splits import FEATURE, ORDER, FeatureRows, GramRows, OrderedRows, standardised

Null: TypeAlias = Literal["auto", "permutation", "shuffle", "shift", "blocks"]

LEVEL = 0.05  # of the breaks
MEMORY_LEVEL = 0.1  # of the test whether rows have a memory: not to see one costs more than to see one too many
ENOUGH = 20  # independent rows: a scan of fewer has no level
BLOCK = 4  # rows of a block, times those that count as one independent row
WIDER = 1.5  # times as many has a block of the search for several breaks, which looks at short intervals
SHORTEST = 2  # rows of a block
CARRIED = 1.2  # days that count as one: from here on, days come in blocks whether or not these are found to be alike
PARTS = 10  # blocks: fewer have too few orders
NULLS = ("auto", "permutation", "shuffle", "shift", "blocks")
CALLED = {"permutation": "permutations", "shift": "circular shifts", "blocks": "orders of circular blocks"}
LONGEST = 5.0  # s that the orders may take by features
FEWEST = 50  # features


@explain_wrong_calls
@aligned("X time")
def scan(
    X: PointsLike,
    kernel: Kernel | None = None,
    *,
    min_size: int = 10,
    segments: bool = False,
    n_resamples: int = 199,
    rng: Rng = None,
    null: Null = "auto",
    approximation: Approximation | None = "auto",
    rank: int | None = None,
    time: Any = None,
) -> ScanResult:
    """Find where the rows of X (n, d), in order of time, change their distribution, and test that they do.

    At every split t the unbiased MMD² U_t of the rows [0, t) and [t, n), divided by its standard deviation over all
    orders of the rows:

        Z_t = U_t / sd(U_t),   sd(U_t)² proportional to 1 / (t (t-1) (n-t) (n-t-1)).

    Its mean is 0 and its variance 1 at every t, exactly (see `splits`), so that the best split is no nearer to an end
    than chance alone has it. All n values take one pass of cumulated sums of the centred Gram matrix. The statistic is
    the largest one, `index` where it is, and p = (1 + #{null >= observed}) / (1 + B) over B other orders, ties counted.
    Standardising is the M-statistic's (Li, Xie, Dai and Song 2015, NIPS 28); scans by kernels: Harchaoui, Moulines and
    Bach 2008 (NIPS 21), Arlot, Celisse and Harchaoui 2019 (JMLR 20, 162).

    X         points in order of time, or a DataFrame, whose words are compared by equality. Rows with times, in an
              index of pandas (dates, periods, lengths of time) or in one column of dates, are sorted by them first;
              rows of one time keep their order, rows without one are left out and counted, `undated`. Other rows are in
              order of time as they are given
    time      the column of dates or of numbers that sorts the rows, or one time for each row; it is needed if X has
              several columns of dates
    kernel    None is Gaussian(); an automatic bandwidth is the median heuristic on all rows
    min_size  how many rows lie on either side of a split at least, 2 or more; n >= 2 min_size
    segments  whether several breaks are sought, `breaks`: the best split of all seeded intervals where 95 % of the
              orders have none as high, and then that of the rows on either side under orders of their own, at the
              level times their share of all rows. Where nothing changes, P(any break) <= 0.05, and of the rows between
              two breaks that were found about so too: exact or about as p is, under the same kind of orders. Blocks
              are longer by half, and rows that are too few for ten of them are not searched
    null      the orders of the null distribution, `null` of the result:
              "permutation", or "shuffle": orders at random; p is exact if rows are exchangeable when nothing changes,
              and too small if neighbouring rows are alike;
              "shift": circular shifts, the end of the sequence is moved to its front; p is about right if the sequence
              is stationary and many times as long as it remembers, and exact if it closes a circle;
              "blocks": the circle is cut into blocks, which come in any order. A block has four times as many rows as
              count as one independent row, see `RowMemory`, and a tenth of all at most; p is about right for stationary
              rows;
              "auto": whole days if a test at level 0.1 finds that rows go with the time of day, see `WholeDays`: a
              day is the mean of its rows' features, splits are between days, and days come in other orders as rows
              do. p is then exact if days are exchangeable. `null` is "days".
              Otherwise permutations, or blocks if a test at level 0.1 finds that neighbouring rows are alike. The test
              permutes rows within stretches of about 20, none of them across the best split, so that a break is no
              memory, and the result begins with what it found, its `memory`. Of independent rows p is about
              right, as blocks are taken for one such sample in ten: 5 % was 4.8 % of 2,000 samples of 150 normal rows.
              So it is of stationary rows: 6.8 % of 2,000 autoregressions of 150 rows with ρ = 0.5, and 8.8 % and 7.8 %
              of 1,000 with ρ = 0.3 and 0.8, of which permutations reject some 20 % and 90 %. If fewer than 20
              rows would be independent, no test has a level: p is 1 and the result says so. A memory as long as the
              rows themselves, or a trend, is a change
    approximation, rank  as in `mmd_test`: "auto" is the kernel itself where that takes some two seconds at most, as it
              does up to some 2000 rows, and else as many landmarks as have the orders take some five seconds at most

    `changes` of the result has a test of each column before and after the break, by the scores of `compare`; `changed`
    are those with an adjusted p of 0.05 at most. The split was chosen on the same rows, and in every other order it is
    chosen in the same way: columns are compared at that order's own best split. So p is exact, or about right, as that
    of the scan is, if nothing changes; of a column that does not change while others do it is about right.

    O(B n²), or O(B n rank) by landmarks; several breaks take up to some twenty times as long. Raises ValueError
    for fewer than 2 min_size rows, and beyond 6000 rows without an approximation; TypeError for what is no sample.

    >>> import numpy as np
    >>> from explorer import scan
    >>> rows = np.random.default_rng(0).normal(size=(300, 1))
    >>> rows[100:200] *= 4
    >>> result = scan(rows, segments=True, rng=0)
    >>> result.breaks
    (100, 200)
    """
    min_size, n_resamples = checks.whole(min_size, "min_size", 2), checks.whole(n_resamples, "n_resamples", 1)
    one_of(null, NULLS, "null")
    called = f"X, for min_size={min_size} rows on either side,"
    kernel, P, columns, quantities, when = one_sample(X, kernel, 2 * min_size, called, time, sort=True)
    n = len(P)
    segments = bool(segments)
    exact = values_take(kernel, n**2, P.shape[1]) + ORDER[segments] * n_resamples * n**2
    most = max(FEWEST, int(LONGEST / (FEATURE[segments] * n_resamples * n)))
    low, name = stand_in(kernel, P, approximation, rank, 0 if rng is None else rng, exact, most=most)
    if low is None and n > LARGE:
        raise Refusal(
            f"X has {n} rows, and the kernel itself takes a Gram matrix of {8e-9 * n * n:.1f} GB; beyond {LARGE} rows"
            " leave approximation at 'auto'."
        )
    rows = GramRows(kernel, P) if low is None else FeatureRows(low, P)
    numbers = kernel.space in ("numbers", "tables") and P.dtype.kind == "f"
    scores = ColumnScores.of(P, tuple(len(each.levels) for each in quantities)) if numbers else None
    units, days = Units(kernel, P, rows, scores, columns), _days(kernel, P, when, null, rng)
    least = min_size
    if days is not None:
        units, least = units.of_days(days), max(SHORTEST, math.ceil(min_size * days.count / n))
    carried = None if days is None or scores is None else partial(days.carried, scores.values)
    found = _searched(units, least, segments, n_resamples, rng, null, carried)
    if days is not None:
        found = found.of_rows(days, n)
    changes = () if scores is None else column_breaks(scores, found.apart, P, found.index, columns, quantities)
    return ScanResult(
        found.profile[found.index],
        found.peaks,
        "the largest standardised MMD²",
        kernel,
        n,
        tolerance=found.tolerance,
        resamples=CALLED[found.null] + ("" if days is None else " of whole days"),
        columns=columns,
        seed=seed_of(rng),
        approximation=name,
        index=found.index,
        profile=found.profile,
        breaks=found.breaks,
        segments=segments,
        min_size=min_size,
        null=found.null if days is None else "days",
        memory=found.memory,
        block=found.block,
        too_few=found.too_few or (null == "auto" and days is not None and days.count < FEW_DAYS),
        sought=found.sought,
        days=days,
        changes=changes,
        time="" if when is None else when.name,
        times=() if when is None else tuple(when.written.tolist()),
        rows=None if when is None or not (when.moved or when.missing) else when.rows,
        undated=0 if when is None else when.missing,
    )


class Units(NamedTuple):
    """What is put in other orders: the rows, or whole days as the means of theirs."""

    kernel: Kernel
    points: Points
    rows: OrderedRows
    scores: ColumnScores | None
    columns: tuple[str, ...] = ()

    def of_days(self, days: WholeDays) -> Units:
        """Whole days under the linear kernel of the means of their rows' features."""
        F, scores = self.rows.means(days.starts), self.scores
        return Units(Linear(), F, FeatureRows.of(F), None if scores is None else scores.means(days.starts))


@record
class Found:
    """What the search among some units has found: fields of a ScanResult.

    apart  (B + 1, K), how far the columns' mean scores are apart at the best split of every order, the given one first
    """

    index: int
    profile: Vector
    peaks: Vector
    apart: Matrix
    null: str
    memory: RowMemory | None
    block: int | None
    too_few: bool
    breaks: tuple[int, ...]
    sought: bool
    tolerance: float

    def of_rows(self, days: WholeDays, n: int) -> Found:
        """What was found among whole days, by the first rows of these."""
        counts = np.diff(days.starts, append=n)
        index, found = int(days.starts[self.index]), tuple(int(days.starts[day]) for day in self.breaks)
        memory = None if self.memory is None else replace(self.memory, counted="days")
        return replace(self, index=index, profile=np.repeat(self.profile, counts), breaks=found, memory=memory)


def _searched(
    units: Units,
    min_size: int,
    segments: bool,
    n_resamples: int,
    rng: Rng,
    null: str,
    carried: Callable[[int], float] | None,
) -> Found:
    """Find the best split of units, and the breaks, beside those of other orders.

    carried  how many days count as one at least, as far as is known of their rows, for a split before some day
    """
    kernel, P, rows, scores, columns = units
    n, observed = len(P), np.arange(len(P))
    profile = standardised(rows, rows.squares(observed), observed, min_size)
    index = int(np.nanargmax(profile))
    memory = row_memory(kernel, P, MEMORY_LEVEL, index, columns, rng) if null in ("auto", "blocks") else None
    too_few = null == "auto" and memory is not None and memory.rejected(SURE_LEVEL) and memory.independent(n) < ENOUGH
    taken = null_of(null, memory)
    if memory is not None and carried is not None and (length := carried(index)) > CARRIED:
        taken, memory = "blocks", replace(memory, length=max(memory.length, length))
        too_few = too_few or memory.independent(n) < ENOUGH
    block = None if memory is None else block_of(memory, n)
    orders = partial(other_orders, rng=rng, null=taken, block=block)

    def peak(order: Rows) -> tuple[float, Vector]:
        values = standardised(rows, rows.squares(order), order, min_size)
        split = int(np.nanargmax(values))
        return float(values[split]), np.zeros(0) if scores is None else scores.apart(order, split)

    takes = rows.takes(False)
    peaks, apart = zip(*side_by_side(peak, orders(n, n_resamples), n_resamples * takes, takes), strict=True)
    first = np.zeros(0) if scores is None else scores.apart(observed, index)
    wider = None if block is None or memory is None else math.ceil(WIDER * BLOCK * memory.length)
    within = partial(orders_of_parts, rng=rng, null=taken, block=wider)
    return Found(
        index=index,
        profile=profile,
        peaks=np.array(peaks),
        apart=np.array([first, *apart]),
        null=taken,
        memory=memory,
        block=block if taken == "blocks" else None,
        too_few=too_few,
        breaks=breaks(rows, min_size, LEVEL, n_resamples, within) if segments else (),
        sought=segments and (taken != "blocks" or n >= PARTS * (wider or 0)),
        tolerance=rows.tolerance(min_size),
    )


def _days(kernel, P, when, null, rng) -> WholeDays | None:
    """The whole days that are put in other orders in place of the rows, if rows go with the time of day."""
    days = whole_days(kernel, P, when, rng) if null == "auto" else None
    level = SURE_LEVEL if days is not None and days.count < FEW_DAYS else MEMORY_LEVEL
    return days if days is not None and days.count >= 2 * SHORTEST and days.pvalue <= level else None


def null_of(null: str, memory: RowMemory | None) -> str:
    """Which orders a null asks for: "permutation", "shift" or "blocks"."""
    if null == "auto":
        return "blocks" if memory is not None and memory.found else "permutation"
    return "permutation" if null == "shuffle" else null


def block_of(memory: RowMemory, n: int) -> int:
    """How many of n rows a block has, about: a tenth of them at most, or there would be too few orders."""
    return max(SHORTEST, min(math.ceil(BLOCK * memory.length), n // PARTS))


def other_orders(n: int, count: int, rng: Rng, null: str, block: int | None = None) -> Iterator[Rows]:
    """The orders of the null distribution: of shifts, each other one once where `count` reaches their number.

    Of blocks, a random start on the circle, which is cut into blocks of about equal lengths from there, in random order
    (circular blocks: Politis and Romano 1992, in Exploring the Limits of Bootstrap).
    """
    if null == "permutation":
        for some in permutations(n, count, rng):
            yield from some
        return
    if null == "blocks":
        generator, parts = stream(rng, "blocks"), n // (block or SHORTEST)
        cuts = np.linspace(0, n, parts + 1).astype(int)[1:-1]
        for _ in range(count):
            circle = np.split(np.roll(np.arange(n), generator.integers(n)), cuts)
            yield np.concatenate([circle[i] for i in generator.permutation(parts)])
        return
    shifts = stream(rng, "shift").permutation(np.arange(1, n))[:count]
    for shift in shifts:
        yield np.roll(np.arange(n), shift)


def orders_of_parts(n: int, count: int, rng: Rng, null: str, block: int | None = None) -> Iterable[Rows]:
    """The orders under which several breaks are sought: none if the rows are too few for ten blocks.

    Intervals of few rows see the memory that is in each block, which longer blocks have in all orders.
    """
    if null == "blocks" and n < PARTS * (block or SHORTEST):
        return ()
    return other_orders(n, count, rng, null, block)
