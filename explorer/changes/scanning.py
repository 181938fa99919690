"""`scan`: a search for changes of distribution in rows ordered by time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.resampling.permutation import permutations
from explorer.execution.processors import side_by_side
from explorer.kernels import Kernel, Linear
from explorer.kernels.bandwidth_selection import LARGE
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.rng import seed_of, stream
from explorer.tables.alignment import aligned
from explorer.types import Matrix, Points, PointsLike, Rng, Rows, Vector

from .columns import ColumnScores, column_breaks
from .days import FEWEST as FEW_DAYS
from .days import WholeDays, whole_days
from .neighbours import SURE_LEVEL, RowMemory, row_memory
from .points import one_sample
from .result import ScanResult
from .segments import breaks
from .splits import FEATURE, ORDER, FeatureRows, GramRows, OrderedRows, standardise

Null: TypeAlias = Literal["auto", "permutation", "shuffle", "shift", "blocks"]

LEVEL = 0.05  # level of the breaks
MEMORY_LEVEL = 0.1  # level of the test for a memory; missing one costs more than seeing one too many
ENOUGH = 20  # a scan of fewer independent rows has no level
BLOCK = 4  # length of a block, in units of the rows that count as one independent row
WIDER = 1.5  # factor on the length of a block in the search for several breaks, which uses short intervals
SHORTEST = 2  # least number of rows of a block
CARRIED = 1.2  # if more than this many days count as one, days come in blocks even if the test finds no memory
PARTS = 10  # least number of blocks: fewer have too few orders
NULLS = ("auto", "permutation", "shuffle", "shift", "blocks")
CALLED = {"permutation": "permutations", "shift": "circular shifts", "blocks": "orders of circular blocks"}
LONGEST = 5.0  # most seconds that the orders may take by features
FEWEST = 50  # least number of features


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
    r"""Find when rows in order of time change their distribution, and test whether they do.

    Use it for complete data whose time of change is unknown. For rows that still arrive use `Monitor`, and for two
    samples that were given as two use `mmd_test` or `compare`.

    Parameters
    ----------
    X : array_like of shape (n, d) or DataFrame
        Points in order of time. Words of a DataFrame are compared by equality. Rows with times, in a pandas index
        (dates, periods, lengths of time) or in one column of dates, are sorted by them first: rows with equal times
        keep their order, rows without a time are left out and counted, `undated`. Other rows are taken to be in order
        of time.
    kernel : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on all rows.
    min_size : int, default 10
        Least number of rows on either side of a split, 2 or more; n >= 2 min_size.
    segments : bool, default False
        Whether several breaks are sought, `breaks`, see Notes.
    n_resamples : int, default 199
        Number B of other orders.
    rng : int, Generator or None, default None
        Seed or generator of the orders.
    null : {"auto", "permutation", "shuffle", "shift", "blocks"}, default "auto"
        Orders of the null distribution, see Notes; `null` of the result names those that were used.
    approximation : {None, "auto", "cholesky", "nystrom", "features"}, default "auto"
        As in `mmd_test`: "auto" is the kernel itself if that takes about two seconds at most, as it does up to some
        2000 rows, and otherwise as many landmarks as make the orders take about five seconds at most.
    rank : int or None, default None
        Rank of the approximation.
    time : str, array_like of shape (n,) or None, default None
        The column of dates or of numbers that sorts the rows, or one time for each row. It is needed if X has several
        columns of dates.

    Returns
    -------
    ScanResult
        The split of largest standardised MMD², its test, and the profile of this over all splits. `changes` has a test
        of each column before and after the break; `changed` are those with an adjusted p of 0.05 at most.

    Raises
    ------
    ValueError
        If there are fewer than 2 min_size rows, or more than 6000 rows without an approximation.
    TypeError
        If X is not a sample.

    Notes
    -----
    At every split t the statistic is the unbiased MMD² U_t of the rows [0, t) and [t, n), divided by its standard
    deviation over all orders of the rows:

    .. math:: Z_t = \frac{U_t}{\mathrm{sd}(U_t)}, \quad \mathrm{sd}(U_t)^2 \propto \frac{1}{t (t-1) (n-t) (n-t-1)}.

    Its mean is 0 and its variance 1 at every t, exactly (see `splits`), so that the best split is no nearer to an end
    than chance alone explains. All n values take one pass of cumulated sums of the centred Gram matrix. The test
    statistic is the largest value, `index` its position, and p = (1 + #{null >= observed}) / (1 + B) over B other
    orders, ties counted.

    Orders of the null distribution:

    - "permutation", or "shuffle": random orders. p is exact if rows are exchangeable when nothing changes, and too
      small if neighbouring rows are alike.
    - "shift": circular shifts, which move the end of the sequence to its front. p is about right if the sequence is
      stationary and many times as long as its memory, and exact if it closes a circle.
    - "blocks": the circle is cut into blocks, which come in any order. A block has four times as many rows as count as
      one independent row, see `RowMemory`, and a tenth of all rows at most. p is about right for stationary rows.
    - "auto": whole days if a test at level 0.1 finds that rows vary with the time of day, see `WholeDays`. A day is
      then the mean of its rows' features, splits are between days, and days come in other orders as rows do. p is then
      exact if days are exchangeable, and `null` is "days". Otherwise permutations, or blocks if a test at level 0.1
      finds that neighbouring rows are alike.

    The test for similar neighbours permutes rows within stretches of about 20, none of them across the best split, so
    that a break does not count as memory. The result begins with its finding, `memory`. For independent rows p is about
    right, because blocks are used for one such sample in ten: 5 % was 4.8 % of 2,000 samples of 150 normal rows. It is
    also about right for stationary rows: 6.8 % of 2,000 autoregressions of 150 rows with ρ = 0.5, and 8.8 % and 7.8 %
    of 1,000 with ρ = 0.3 and 0.8; permutations reject some 20 % and 90 % of these. If fewer than 20 rows would be
    independent, no test has a level: p is 1 and the result says so. A memory as long as the rows themselves, or a
    trend, is a change.

    Several breaks: the first one is the best split of all seeded intervals, if 95 % of the orders have none as high.
    Then the same search is made in the rows on either side, under orders of their own, at the level times their share
    of all rows. If nothing changes, P(any break) <= 0.05, and about so too for the rows between two breaks that were
    found: exact or about right as p is, under the same kind of orders. Blocks are longer by half, and rows that are too
    few for ten of them are not searched.

    Columns: each is tested by the scores of `compare`. The split was chosen on the same rows, and in every other order
    it is chosen in the same way: columns are compared at that order's own best split. So p is exact, or about right, as
    that of the scan is, if nothing changes; for a column that does not change while others do it is about right.

    The cost is O(B n²), or O(B n rank) by landmarks; several breaks take up to some twenty times as long.

    References
    ----------
    Standardising is the M-statistic's: Li, Xie, Dai and Song 2015, NIPS 28.

    Scans by kernels: Harchaoui, Moulines and Bach 2008 (NIPS 21), Arlot, Celisse and Harchaoui 2019 (JMLR 20, 162).

    Examples
    --------
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
            f"X has {plural(n, 'row')}, and the kernel itself takes a Gram matrix of {8e-9 * n * n:.1f} GB; beyond"
            f" {LARGE} rows"
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
    result = _search(units, least, segments, n_resamples, rng, null, carried)
    if days is not None:
        result = result.of_rows(days, n)
    changes = () if scores is None else column_breaks(scores, result.differences, P, result.index, columns, quantities)
    return ScanResult(
        result.profile[result.index],
        result.peaks,
        "the largest standardised MMD²",
        kernel,
        n,
        tolerance=result.tolerance,
        resamples=CALLED[result.null] + ("" if days is None else " of whole days"),
        columns=columns,
        seed=seed_of(rng),
        approximation=name,
        index=result.index,
        profile=result.profile,
        breaks=result.breaks,
        segments=segments,
        min_size=min_size,
        null=result.null if days is None else "days",
        memory=result.memory,
        block=result.block,
        too_few=result.too_few or (null == "auto" and days is not None and days.count < FEW_DAYS),
        sought=result.sought,
        days=days,
        changes=changes,
        time="" if when is None else when.name,
        times=() if when is None else tuple(when.written.tolist()),
        rows=None if when is None or not (when.moved or when.missing) else when.rows,
        undated=0 if when is None else when.missing,
    )


class Units(NamedTuple):
    """Units that are put in other orders: the rows, or whole days as the means of their rows."""

    kernel: Kernel
    points: Points
    rows: OrderedRows
    scores: ColumnScores | None
    columns: tuple[str, ...] = ()

    def of_days(self, days: WholeDays) -> Units:
        """Return whole days as units, under the linear kernel of the means of their rows' features."""
        F, scores = self.rows.means(days.starts), self.scores
        return Units(Linear(), F, FeatureRows.of(F), None if scores is None else scores.means(days.starts))


@record
class SearchResult:
    """Result of the search among some units: fields of a ScanResult.

    `differences` (B + 1, K) are the differences of the columns' mean scores at the best split of every order, the
    observed order first.
    """

    index: int
    profile: Vector
    peaks: Vector
    differences: Matrix
    null: str
    memory: RowMemory | None
    block: int | None
    too_few: bool
    breaks: tuple[int, ...]
    sought: bool
    tolerance: float

    def of_rows(self, days: WholeDays, n: int) -> SearchResult:
        """Return the result for rows, from the result for whole days: a day's first row replaces its number."""
        counts = np.diff(days.starts, append=n)
        index, first_rows = int(days.starts[self.index]), tuple(int(days.starts[day]) for day in self.breaks)
        memory = None if self.memory is None else replace(self.memory, counted="days")
        return replace(self, index=index, profile=np.repeat(self.profile, counts), breaks=first_rows, memory=memory)


def _search(
    units: Units,
    min_size: int,
    segments: bool,
    n_resamples: int,
    rng: Rng,
    null: str,
    carried: Callable[[int], float] | None,
) -> SearchResult:
    """Find the split of largest standardised MMD², and the breaks, and compare them with those of other orders.

    `carried` gives the least number of days that count as one, from the memory of their rows, for a split before some
    day.
    """
    kernel, P, rows, scores, columns = units
    n, observed = len(P), np.arange(len(P))
    profile = standardise(rows, rows.squares(observed), observed, min_size)
    index = int(np.nanargmax(profile))
    memory = row_memory(kernel, P, MEMORY_LEVEL, index, columns, rng) if null in ("auto", "blocks") else None
    too_few = null == "auto" and memory is not None and memory.rejected(SURE_LEVEL) and memory.independent(n) < ENOUGH
    orders_taken = null_of(null, memory)
    if memory is not None and carried is not None and (length := carried(index)) > CARRIED:
        orders_taken, memory = "blocks", replace(memory, length=max(memory.length, length))
        too_few = too_few or memory.independent(n) < ENOUGH
    block = None if memory is None else block_of(memory, n)
    orders = partial(other_orders, rng=rng, null=orders_taken, block=block)

    def peak(order: Rows) -> tuple[float, Vector]:
        values = standardise(rows, rows.squares(order), order, min_size)
        split = int(np.nanargmax(values))
        return float(values[split]), np.zeros(0) if scores is None else scores.differences(order, split)

    takes = rows.takes(False)
    peaks, differences = zip(*side_by_side(peak, orders(n, n_resamples), n_resamples * takes, takes), strict=True)
    first = np.zeros(0) if scores is None else scores.differences(observed, index)
    wider = None if block is None or memory is None else math.ceil(WIDER * BLOCK * memory.length)
    within = partial(orders_of_parts, rng=rng, null=orders_taken, block=wider)
    return SearchResult(
        index=index,
        profile=profile,
        peaks=np.array(peaks),
        differences=np.array([first, *differences]),
        null=orders_taken,
        memory=memory,
        block=block if orders_taken == "blocks" else None,
        too_few=too_few,
        breaks=breaks(rows, min_size, LEVEL, n_resamples, within) if segments else (),
        sought=segments and (orders_taken != "blocks" or n >= PARTS * (wider or 0)),
        tolerance=rows.tolerance(min_size),
    )


def _days(kernel, P, when, null, rng) -> WholeDays | None:
    """Return the whole days to put in other orders in place of the rows, or None if rows do not vary with the day."""
    days = whole_days(kernel, P, when, rng) if null == "auto" else None
    level = SURE_LEVEL if days is not None and days.count < FEW_DAYS else MEMORY_LEVEL
    return days if days is not None and days.count >= 2 * SHORTEST and days.pvalue <= level else None


def null_of(null: str, memory: RowMemory | None) -> str:
    """Return the orders that a null means: "permutation", "shift" or "blocks"."""
    if null == "auto":
        return "blocks" if memory is not None and memory.found else "permutation"
    return "permutation" if null == "shuffle" else null


def block_of(memory: RowMemory, n: int) -> int:
    """Return about how many of n rows a block has: a tenth of them at most, or there would be too few orders."""
    return max(SHORTEST, min(math.ceil(BLOCK * memory.length), n // PARTS))


def other_orders(n: int, count: int, rng: Rng, null: str, block: int | None = None) -> Iterator[Rows]:
    """Yield the orders of the null distribution; each shift comes once, so that there may be fewer than `count`.

    For blocks, a random start on the circle is drawn, and the circle is cut from there into blocks of about equal
    lengths, in random order (circular blocks: Politis and Romano 1992, in Exploring the Limits of Bootstrap).

    Parameters
    ----------
    n : int
        Number of rows.
    count : int
        Number of orders.
    rng : int, Generator or None
        Seed or generator.
    null : {"permutation", "shift", "blocks"}
        Kind of orders.
    block : int or None, default None
        Rows of a block.

    Yields
    ------
    ndarray of shape (n,)
        An order of the rows.
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
    """Return the orders under which several breaks are sought: none if the rows are too few for ten blocks.

    Short intervals see the memory inside each block; longer blocks have that memory in all orders.
    """
    if null == "blocks" and n < PARTS * (block or SHORTEST):
        return ()
    return other_orders(n, count, rng, null, block)
