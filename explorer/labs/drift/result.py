"""What a state of the Drift lab shows: the scan of the series, the p of every look, and the wealth of who bets."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.changes import Monitor, look_pvalues, scan
from explorer.changes.columns import ColumnScores
from explorer.changes.scanning import LEVEL, other_orders
from explorer.changes.segments import breaks
from explorer.changes.splits import GramRows, standardise
from explorer.datasets import drifted
from explorer.datasets.columns.quantity import coordinates
from explorer.datasets.columns.times import format_times
from explorer.datasets.toys.series import series
from explorer.discrepancy import rate_interval
from explorer.kernels.named import NAMED
from explorer.rng import stream
from explorer.types import Points, Rows
from explorer.workbench import Result, deferred, effect, measure, stage, stage_when
from explorer.workbench.kernels import kernel_at, middle_of
from explorer.workbench.samples import Sample
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps, one_by_one

from .cost import ORDERS
from .lab import SIDE, DriftLab

if TYPE_CHECKING:
    from explorer.changes import ScanResult
    from explorer.datasets.columns.quantity import Quantity
    from explorer.kernels.base import Kernel


class Watch(NamedTuple):
    """A series X (n, d) and what is seen of it at once.

    row      the first row after the break
    profile  (n,), the standardised MMD² at every split, nan near the ends
    split    where it is largest
    pvalues  (L,), p of the t test at every look
    path     the wealth before the first row that is watched and after each
    alarm    the row of the series at which the betting test raises its alarm; None where it does not
    """

    row: int
    X: np.ndarray
    profile: np.ndarray
    split: int
    pvalues: np.ndarray
    path: np.ndarray
    alarm: int | None

    @property
    def peak(self) -> float:
        """The largest value of the profile."""
        return float(self.profile[self.split])


class Scanned(NamedTuple):
    """A Watch, and the test of its largest value under other orders; None until that is there."""

    watch: Watch
    test: ScanResult | None


@dataclass(frozen=True)
class Quiet:
    """In how many of `count` series without a change the looks, and who bets, raise an alarm."""

    count: int
    looks: int
    betting: int

    def interval(self, times: int) -> tuple[float, float]:
        """The 95 % interval of Clopper and Pearson for the chance of what happened so many times."""
        return rate_interval(times, self.count)


def _float(row):
    """A row, or a number of rows, as a number that states are compared by; None for none."""
    return None if row is None else float(row)


class DriftResult(Result[DriftLab]):
    """The numbers of a state. Rows of tables: the places of the break; one row while not all of them are there."""

    @stage
    def drawn(self) -> Sample:
        """The Sample in order of time, before anything is made to change."""
        if self.lab.toy:
            return Sample(series(self.lab.source, self.lab.n, self.lab.seed), coordinates(2))
        table = self.lab.the_table()
        return Sample(table.X[self.table_rows], table.quantities)

    @stage_when(lambda result: not result.lab.toy)
    def table_rows(self) -> Rows:
        """Which rows of a table are drawn, in its order, (n,)."""
        return self.lab.the_table().in_order(self.lab.n, self.lab.seed)

    @stage_when(lambda result: not result.lab.toy)
    def total(self) -> int:
        """How many rows the table has."""
        return self.lab.the_table().n

    @stage_when(lambda result: not result.lab.toy)
    def times(self) -> Any:
        """The times of the drawn rows, (n,), datetime64 or numbers, if the table was sorted by them; else None."""
        times = self.lab.the_table().times
        return None if times is None else times[self.table_rows]

    @property
    def timed(self) -> Any:
        """The times that the scan is told, if it chooses its orders itself; rows that are made to change have none."""
        asked = self.lab.null == "auto" and not self.lab.changes and not self.lab.toy
        return np.maximum.accumulate(self.times) if asked and self.times is not None else None

    @stage
    def median(self) -> tuple[float, str]:
        """The median distance of these rows, and a remark; (1, "") for a kernel without a bandwidth."""
        return middle_of(self.drawn.X, self.lab.kernel) if NAMED[self.lab.kernel].has_bandwidth else (1.0, "")

    @stage
    def kernel(self) -> Kernel:
        """The kernel, its bandwidth counted in medians: the same wherever the break is."""
        return kernel_at(self.lab.kernel, self.lab.bandwidth, self.median[0])

    @stage
    def watch(self) -> Watch:
        """The Watch at the lab's own break."""
        if self.rows is not None:
            return self.rows[self.lab.stops.index(self.lab.at)].watch
        return self.watch_at(self.lab.at)

    @deferred(lambda result: result.rows is None)
    def test(self) -> ScanResult:
        """The scan of the lab's own series with other orders, until every place of the break has its own."""
        return self.scanned(self.watch.X)

    @deferred(lambda result: result.lab.tabled)
    def rows(self) -> Steps[tuple[Scanned, ...]]:
        """What is Scanned with the break at every stop of the slider."""
        return one_by_one(self._row, self.lab.stops)

    @deferred(lambda result: result.lab.several and not result.lab.changes)
    def breaks(self, stopped: Callable[[], bool]) -> tuple[int, ...] | None:
        """The rows at which `scan(..., segments=True)` finds breaks, at level 0.05 over all of them."""
        lab = self.lab
        if lab.null == "auto":
            return None if stopped() else self.scanned(self.watch.X, segments=True).breaks
        rows = GramRows(self.kernel, self.watch.X)

        def orders(n, count):
            return itertools.takewhile(lambda order: not stopped(), other_orders(n, count, lab.seed, lab.null))

        found = breaks(rows, SIDE, LEVEL, ORDERS, orders)
        return None if stopped() else found

    @deferred(lambda result: result.lab.samples > 0)
    def quiet(self, stopped: Callable[[], bool]) -> Quiet | None:
        """The Quiet series: of known distributions of the seeds that follow, else the rows in random orders."""
        lab, looks, betting = self.lab, 0, 0
        for i in range(lab.samples):
            if stopped():
                return None
            X, seed = self.unchanged(i), further_seed(lab.seed, i)
            reference, rest = X[: lab.start], X[lab.start :]
            looks += bool((look_pvalues(reference, rest, lab.every) <= lab.alpha).any())
            betting += Monitor(reference, self.kernel, lab.alpha, seed).update(rest).alarm
        return Quiet(lab.samples, looks, betting)

    def unchanged(self, i: int) -> Points:
        """The i-th series without a change, (n, d)."""
        lab, seed = self.lab, further_seed(self.lab.seed, i)
        if lab.toy:
            return series(lab.source, lab.n, seed)
        return self.drawn.X[stream(seed, "order").permutation(lab.n)]

    def watch_at(self, at: float) -> Watch:
        """The Watch with the break elsewhere."""
        lab, n = self.lab, self.lab.n
        row = lab.row_at(at)
        X = drifted(self.drawn.X, lab.kind, row, lab.size)
        if lab.null == "auto":
            profile = np.array(self.scanned(X, 1).profile)
        else:
            gram, order = GramRows(self.kernel, X), np.arange(n)
            profile = standardise(gram, gram.squares(order), order, SIDE)
        reference, rest = X[: lab.start], X[lab.start :]
        monitor = Monitor(reference, self.kernel, lab.alpha, lab.seed).update(rest)
        alarm = None if monitor.alarm_at is None else lab.start + monitor.alarm_at
        pvalues = look_pvalues(reference, rest, lab.every)
        return Watch(row, X, profile, int(np.nanargmax(profile)), pvalues, monitor.path, alarm)

    def scanned(self, X: Points, n_resamples: int = ORDERS, segments: bool = False) -> ScanResult:
        """The scan of a series with other orders."""
        lab = self.lab
        how = {"min_size": SIDE, "n_resamples": n_resamples, "rng": lab.seed, "null": lab.null, "approximation": None}
        return scan(X, self.kernel, **how, segments=segments, time=self.timed)

    def _row(self, at):
        watch = self.watch_at(at)
        return Scanned(watch, self.scanned(watch.X))

    # what pages and tables read

    @property
    def thinned(self) -> bool:
        """Whether only some rows of a table are drawn."""
        return not self.lab.toy and self.lab.n < self.total

    @property
    def answers(self) -> bool:
        """Whether every place of the break has its row."""
        return self.lab.tabled and self.rows is not None

    @property
    def shown(self) -> tuple[Scanned, ...]:
        """What is Scanned in each row of the tables."""
        return self.rows if self.answers and self.rows else (Scanned(self.watch, self.test),)

    def scanned_at(self, row: int | None = None) -> Scanned:
        """What is Scanned in a row, or at the lab's own break."""
        return self.shown[self.row if row is None else row] if self.answers else self.shown[0]

    @property
    def own_test(self) -> ScanResult | None:
        """The lab's own test; None until it is there."""
        return self.scanned_at().test

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the columns."""
        return self.drawn.quantities

    @property
    def drawn_columns(self) -> tuple[int, ...]:
        """Which two columns are drawn and described, or the one: of a table those that differ most at the best split.

        The first ones where rows are made to change, as the change is theirs.
        """
        X, split = self.watch.X, self.watch.split
        scores = None if self.lab.toy or self.lab.changes else ColumnScores.of(X, ())
        if scores is None:
            return tuple(range(min(2, X.shape[1])))
        (apart,) = scores.statistics(scores.differences(np.arange(len(X)), split)[None])
        return tuple(np.argsort(-apart, kind="stable")[:2].tolist())

    @property
    def drawn_quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the columns that are drawn."""
        return tuple(self.quantities[j] for j in self.drawn_columns)

    def place(self, row: int, dated: bool = True) -> str:
        """Return which row that is, in words: of a file its own line, with its date if `dated` and if it has one."""
        if self.lab.toy:
            return f"row {row}"
        place = self.lab.the_table().place(int(self.table_rows[row]))
        return f"{place}, {self.dates[row]}" if dated and self.times is not None else place

    @stage_when(lambda result: not result.lab.toy)
    def dates(self) -> Any:
        """The times of the drawn rows in words, (n,); "" if they have none."""
        return np.full(self.lab.n, "", dtype=object) if self.times is None else format_times(self.times)

    @property
    def looks(self) -> Rows:
        """The row of the series that is the last one at every look, (L,)."""
        return self.lab.start + np.arange(1, len(self.watch.pvalues) + 1) * self.lab.every - 1

    def first_look(self, watch: Watch | None = None) -> int | None:
        """The last row of the first look whose p is at most the level; None where there is none."""
        found = np.flatnonzero((self.watch if watch is None else watch).pvalues <= self.lab.alpha)
        return int(self.looks[found[0]]) if len(found) else None

    def apart(self, watch: Watch | None = None) -> int | None:
        """How many rows lie between the break and the best split; None where there is no sudden one."""
        watch = self.watch if watch is None else watch
        return abs(watch.split - watch.row) if self.lab.kind != "slow" and self.changes(watch) else None

    def changes(self, watch: Watch | None = None) -> bool:
        """Whether something is made to change in time: not where the break is before the first row or after the last.

        A slow drift may begin with the first row.
        """
        row = (self.watch if watch is None else watch).row
        first = 0 if self.lab.kind == "slow" else 1
        return self.lab.changes and first <= row < self.lab.n

    # what states are compared by, and what presets promise

    split: measure[float] = measure("best split", compute=lambda r: float(r.watch.split))
    peak: measure[float] = measure(
        "largest standardised MMD squared", "largest standardised MMD²", compute=lambda r: r.watch.peak
    )
    missed: measure[float | None] = measure(
        "rows from the break to the best split", compute=lambda r: _float(r.apart())
    )
    least: measure[float | None] = measure(
        "smallest p of the looks", compute=lambda r: float(r.watch.pvalues.min()) if len(r.watch.pvalues) else None
    )
    look: measure[float | None] = measure(
        "row of the first look that rejects", compute=lambda r: _float(r.first_look())
    )
    alarm: measure[float | None] = measure("row of the betting test's alarm", compute=lambda r: _float(r.watch.alarm))
    wealth: measure[float] = measure("wealth at the end", compute=lambda r: float(r.watch.path[-1]))
    pvalue: measure[float | None] = measure(
        "p of the scan", compute=lambda r: None if r.own_test is None else r.own_test.pvalue
    )

    effect_p: effect[float | None] = effect("p of the scan", compute=lambda r: r.pvalue)
    effect_apart: effect[float | None] = effect("the rows from the break to the best split", compute=lambda r: r.missed)
    effect_least: effect[float | None] = effect("the smallest p of the looks", compute=lambda r: r.least)
    effect_most: effect[float] = effect("the largest wealth", compute=lambda r: float(r.watch.path.max()))
    effect_looks: effect[float | None] = effect(
        "the share of quiet series in which a look rejects",
        compute=lambda r: None if r.quiet is None else r.quiet.looks / r.quiet.count,
    )
    effect_betting: effect[float | None] = effect(
        "the share of quiet series in which the betting test raises an alarm",
        compute=lambda r: None if r.quiet is None else r.quiet.betting / r.quiet.count,
    )
    effect_split: effect[float] = effect("the best split", compute=lambda r: float(r.watch.split))
