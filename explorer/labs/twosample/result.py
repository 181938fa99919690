"""What a state of the Two-sample lab shows: the test, its null distribution, the witness, and what follows at rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.comparison import Comparison
from explorer.comparison.pairs import MOST as MOST_OF_PAIRS
from explorer.discrepancy import (
    LevelCheck,
    bandwidth_sweep,
    energy_distance,
    level_check,
    mmd_convergence,
    mmd_level,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    moment_differences,
    most_influential,
    power_curve,
    spectral_difference,
    splits,
)
from explorer.discrepancy.mmd.convergence import SIZES as CONVERGENCE_SIZES
from explorer.embeddings import contaminate
from explorer.rng import stream
from explorer.types import Mask, Matrix, Rows, Vector
from explorer.workbench import Result, deferred, effect, measure, stage, stage_when
from explorer.workbench.fields import BUNDLED
from explorer.workbench.kernels import BY_GRAM, has_bandwidth, kernel_at, middle_of
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps, run_until_stopped
from explorer.workbench.two_samples import Draw, TwoSamples, labels_of, mmd2_where_finite, most_different, sides_of
from explorer.workbench.verdicts import verdict_on, verdict_on_all

from .cost import MOST_PAIRED, RATE_SAMPLES
from .lab import TwoSampleLab
from .ranks import RANKS, Ranked, by_rank

if TYPE_CHECKING:
    from explorer.comparison import ColumnChange, PairChange
    from explorer.datasets.common_space import Tables
    from explorer.datasets.dataset import DataSet
    from explorer.discrepancy.mmd.bandwidth_sweep import BandwidthSweep
    from explorer.discrepancy.mmd.convergence import Convergence
    from explorer.discrepancy.mmd.frequencies import Difference
    from explorer.discrepancy.mmd.influential_rows import LeftOut
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.embeddings.mixture import GaussianMixture
    from explorer.kernels.base import Kernel


OUTLIERS = "far cluster"  # what an outlier looks like, in `contaminate`'s words
SIZES = np.unique(np.geomspace(5, 5000, 60).astype(int))  # of P's sample, where the power is drawn
FREQUENCIES = np.geomspace(0.05, 50, 121)  # of the X-ray, in units of sqrt(d) / median distance
AIM = 0.8  # the power that a plan wants
ROUNDING = 1e-12  # what rounding may leave of an MMD² that is 0
MOST = 5  # rows that are named for their influence
CHECK = 199  # permutations of each repetition of the self-check


class Plan(NamedTuple):
    """The power (sizes,) at SIZES, or None if nothing is known of it, and the least n whose power is AIM, or None."""

    power: np.ndarray | None
    needed: int | None


class SelfCheck(NamedTuple):
    """How often the test rejects where P = Q, in halves of P's sample, and with fresh samples; None for a table."""

    equal: LevelCheck
    fresh: LevelCheck | None


def rate_sizes(n: int, m: int) -> Rows:
    """(s, 2), sizes of both samples, in proportion as far as both can rise from two points on."""
    larger, least = np.array(CONVERGENCE_SIZES), np.arange(2, 2 + len(CONVERGENCE_SIZES))
    return np.column_stack([np.maximum(np.rint(larger * side / max(n, m)).astype(int), least) for side in (n, m)])


def at_rest(result: TwoSampleResult) -> bool:
    """Whether there are few enough points for what takes long."""
    return result.lab.few


class TwoSampleResult(Result[TwoSampleLab]):
    """The numbers of a state. Rows of `trials` are bandwidths: all stops of the slider at rest, before it this one."""

    @stage
    def laws(self) -> tuple[GaussianMixture, GaussianMixture] | None:
        """The clean distributions P and Q, or None for a table."""
        return self.lab.the_laws()

    @stage
    def labels(self) -> tuple[Any, ...]:
        """The labels of a table that P and Q are; none where P and Q are no groups."""
        lab = self.lab
        two_files = lab.source == "file" and lab.hash2
        return () if self.laws or two_files else labels_of(lab.the_tables()[0], lab.groups, lab.group)

    @stage_when(lambda result: not (result.laws or result.lab.source in BUNDLED))
    def space(self) -> Tables:
        """One's own tables as they are compared, Tables; None for distributions and bundled tables."""
        tables = self.lab.the_tables()
        return tables.in_common_scales() if self.lab.standardise else tables

    @stage_when(lambda result: not result.laws)
    def treated(self) -> tuple[tuple[DataSet, ...], str]:
        """The tables to draw from, and what was done with the columns of one's own; None for distributions."""
        if self.space is None:
            return self.lab.the_tables(), ""
        return self.space.indicators(), BY_GRAM if self.lab.gram else str(self.space)

    @stage_when(lambda result: result.space is not None)
    def order(self) -> list[int]:
        """The columns of one's own tables, as positions: first the numbers that differ most, which are drawn."""
        tables, numbers = self.treated[0], len(self.space.scales)
        if self.lab.gram:
            return list(range(tables[0].d))
        sides = (side.X[:, :numbers] for side in sides_of(tables, self.labels))
        return [*most_different(*sides), *range(numbers, tables[0].d)]

    @stage
    def drawn(self) -> Draw:
        """The samples as they are drawn; larger ones keep the rows that were there."""
        lab = self.lab
        counts, seeds = (lab.n, lab.m), lab.seeds
        if self.laws:
            return Draw.of_laws(self.laws, counts, seeds)
        draw = Draw.of_tables(self.treated[0], self.labels, counts, seeds, in_order=self.space is not None)
        if self.space is None:
            return draw.scaled() if lab.standardise else draw
        return draw.with_columns(self.order)

    @stage
    def samples(self) -> TwoSamples:
        """The TwoSamples, with outliers and moved points, and without the dropped rows."""
        lab, draw = self.lab, self.drawn
        if lab.outliers:
            X, Y = draw.points
            draw = draw._replace(points=(X, contaminate(Y, lab.outliers, OUTLIERS, lab.distance, lab.seed)))
        return TwoSamples.of(draw, (lab.moved_p, lab.moved_q), lab.dropped, lab.outliers)

    @stage
    def frame(self) -> tuple[Vector, Vector]:
        """The lowest and the highest corner of what the samples' picture shows."""
        return self.drawn.frame(is_table=not self.laws)

    @stage
    def places(self) -> Matrix:
        """Where the witness is drawn, (g, d)."""
        return self.samples.places(self.frame)

    @property
    def coordinates(self) -> int:
        """How many coordinates the kernel has."""
        return self.numbers

    @stage
    def numbers(self) -> int:
        """How many coordinates are numbers, the first ones: the others are indicators of a table's categories."""
        return self.samples.X.shape[1] if self.space is None else len(self.space.scales)

    @stage
    def middle(self) -> tuple[float, str]:
        """The median distance of the pooled points by their numbers, and a remark where it is not plainly that."""
        return self._middle_of(self.samples.pooled)

    def _middle_of(self, points):
        return middle_of(points[:, : self.numbers], self.lab.kernel) if self.numbers else (1.0, "")

    @property
    def median(self) -> float:
        """The median distance, which the bandwidth counts in."""
        return self.middle[0]

    @stage
    def second_median(self) -> float:
        """The median distance that the bandwidth of a second kernel counts in; 1 where there is none."""
        return self._second_median_of(self.samples.pooled)

    def _second_median_of(self, points):
        return self.lab.second_median(points[:, : self.numbers]) if self.numbers else 1.0

    @stage
    def kernel(self) -> Kernel:
        """The kernel, its bandwidth counted in medians."""
        return self._kernel_at(self.lab.bandwidth)

    def _kernel_at(self, bandwidth):
        """The kernel at a bandwidth that counts in medians."""
        return self._whole(self.lab.kernel_on(bandwidth, self.median, self.numbers, self.second_median))

    def _kernel_on(self, points):
        """The kernel at the median distances of other points."""
        median, second = self._middle_of(points)[0], self._second_median_of(points)
        return self._whole(self.lab.kernel_on(self.lab.bandwidth, median, self.numbers, second))

    def _whole(self, numeric):
        """A kernel of the numbers; on one's own tables times one of each category, as the command's."""
        return numeric if self.space is None else self.space.over_indicators(numeric)

    @stage_when(lambda result: result.lab.by_distances and result.space is None)
    def energy(self) -> float:
        """The energy distance from the distances alone, of the lab's statistic, under whose kernel 2 MMD² is that."""
        statistic: Any = self.lab.statistic  # of all pairs: "unbiased" or "biased"
        return energy_distance(self.samples.X, self.samples.Y, statistic)

    @property
    def has_bandwidth(self) -> bool:
        """Whether the kernel has a bandwidth to move: categories alone have none."""
        return bool(self.numbers) and has_bandwidth(self)

    @stage
    def moments(self) -> Vector | None:
        """MMD^2 by the moments that a polynomial kernel compares; None for another kernel."""
        kernel: Any = self.kernel
        if kernel.degree is None:
            return None
        return moment_differences(self.samples.X, self.samples.Y, kernel)

    @stage
    def splits(self) -> Mask:
        """The permutations that there is time for while a hand moves."""
        return splits(sum(self.lab.kept), self.lab.kept[0], self.lab.inline, self.lab.seed)

    @deferred(lambda result: result.lab.has_verdict)
    def compared(self, stopped: Callable[[], bool]) -> Comparison | str | None:
        """The Comparison of all rows of one's own tables, which the commands and the report give of the same files.

        Or the sentence by which it is refused. No control of the kernel and of the rows drawn changes it.
        """
        return self._of_tables(verdict_on, stopped)

    @deferred(lambda result: result.lab.has_verdict and result.lab.chosen in (1, 2))
    def among(self, stopped: Callable[[], bool]) -> Comparison | str | None:
        """Where one or two columns are chosen, the Comparison of all columns: p of the column, or pair, is in it."""
        return self._of_tables(verdict_on_all, stopped)

    @deferred(at_rest)
    def strip(self, stopped: Callable[[], bool]) -> BandwidthSweep | None:
        """The tests at every stop of the slider, as a BandwidthSweep: under RBF where the kernel has no bandwidth."""
        if self.lab.at_every_bandwidth:
            kernels = [self._kernel_at(stop) for stop in self.lab.stops]
        else:
            kernels = [self._whole(kernel_at("RBF", stop, self.median)) for stop in self.lab.stops]
        return self._tests(kernels, self.lab.strip_estimator, self.lab.strip_resamples, stopped)

    @deferred(lambda result: result.lab.finished_late)
    def whole(self, stopped: Callable[[], bool]) -> BandwidthSweep | None:
        """The test with all permutations, where there was no time for them and no other stage has it."""
        return self._tests([self.kernel], self.lab.estimator, self.lab.resamples, stopped)

    def _of_tables(self, asked, stopped):
        """A Comparison of one's own tables, or why there is none; None once `stopped()`."""
        named = self.lab.named  # other files, groups or columns are another question
        try:
            return run_until_stopped(partial(asked, self.lab, self.labels), stopped) if named else None
        except Refusal as refusal:
            return str(refusal)

    @property
    def verdict(self) -> Comparison | None:
        """The Comparison at the lab's level; None until it is there, and where it is refused."""
        found = self.compared
        return replace(found, level=self.lab.alpha) if isinstance(found, Comparison) else None

    @property
    def line(self) -> ColumnChange | PairChange | None:
        """What the report on all columns says of the column that is chosen alone, or of the pair; None elsewhere."""
        found, chosen = self.among, self.lab.columns
        if not isinstance(found, Comparison):
            return None
        names = set(json.loads(chosen))
        lines = [(column, {column.name}) for column in found.columns]
        if len(names) > 1 and len(found.columns) <= MOST_OF_PAIRS:
            lines = [(pair, {pair.first, pair.second}) for pair in found.pairs]
        return next((line for line, those in lines if those == names), None)

    @stage
    def trials(self) -> BandwidthSweep:
        """The tests that are drawn, with their witness: at all stops of the slider or, until these are there, here."""
        if self.lab.tabled and self.strip is not None:
            return self.strip
        return self.whole or self._tests([self.kernel], self.lab.estimator, self.lab.inline)

    def _tests(self, kernels, estimator, resamples, stopped=lambda: False) -> Any:
        """`bandwidth_sweep` of the samples, with the witness at the picture's places; None once `stopped()`."""
        lab, samples = self.lab, self.samples
        prepared = self.splits if resamples == lab.inline else None
        how = (
            lab.of_pairs,
            lab.the_estimator(estimator),
            resamples,
            lab.seed,
            self.places,
            prepared,
            stopped,
            lab.block_size,
        )
        return bandwidth_sweep(samples.X, samples.Y, kernels, *how)

    @stage
    def tests(self) -> tuple[TestResult, ...]:
        """The TestResult of each row of `trials`."""
        return tuple(self.trials.test(row) for row in range(len(self.trials.kernels)))

    @deferred(
        lambda result: at_rest(result) and result.lab.all_pairs and min(result.lab.kept) > 3 and not result.lab.refitted
    )
    def influence(self, stopped: Callable[[], bool]) -> tuple[LeftOut, ...] | None:
        """The rows without which MMD^2 changes most, a tuple of LeftOut: what the page would show without each."""
        lab, samples = self.lab, self.samples
        how = lab.of_pairs, lab.the_estimator(), MOST, lab.strip_resamples, lab.seed
        X, Y = samples.X, samples.Y
        return most_influential(X, Y, self.kernel, *how, rekernel=self._kernel_on, stopped=stopped)

    @stage
    def apart(self) -> float | None:
        """The MMD² of the distributions of P's and Q's rows, None if it is not known.

        It is not known of a table, nor once rows are outliers, moved or left out; 0 is what rounding leaves of it.
        """
        lab = self.lab
        if self.laws is None or lab.dropped or self.samples.touched.any():
            return None
        square = 0.0 if lab.source == "equal" else self.truth
        return 0.0 if square is not None and abs(square) <= ROUNDING else square

    @deferred(lambda result: at_rest(result) and result.lab.all_pairs)
    def plan(self) -> Plan:
        """The power at other sizes, Q's in proportion, against the difference that P and Q have.

        If that is not known, it is the difference of these samples if they show one, and else there is no power to
        tell: that of a difference which was not found is no plan.
        """
        lab, samples = self.lab, self.samples
        options = {"level": lab.alpha, "n_resamples": lab.strip_resamples, "rng": lab.seed, "truth": self.apart}
        if self.apart is None and self.pvalue > lab.alpha:
            return Plan(None, None)
        try:
            curve = power_curve(samples.X, samples.Y, self.kernel, aim=AIM, **options)
        except Refusal:  # k takes one value on all these points
            return Plan(None, None)
        return Plan(curve.at(SIZES), curve.needed)

    @deferred(lambda result: result.lab.picture == "rate" and result.truth is not None)
    def rate(self, stopped: Callable[[], bool]) -> Convergence | tuple[()] | None:
        """The Convergence of the MMD of fresh samples; empty where the kernel has no closed form for it."""
        if self.laws is None:
            return ()
        (P, Q), sizes = self.laws, rate_sizes(self.lab.n, self.lab.m)
        try:
            return mmd_convergence(P, Q, self.kernel, sizes, RATE_SAMPLES, self.lab.seed, stopped)
        except Refusal:
            return ()

    @deferred(lambda result: result.lab.picture == "rank" and result.lab.all_pairs)
    def over_ranks(self) -> Steps[Ranked | tuple[()]]:
        """The Ranked of many ranks; empty where the kernel has none by this approximation."""
        return self._ranked(RANKS)

    @deferred(lambda result: result.lab.picture == "rank" and result.lab.all_pairs)
    def at_rank(self) -> Steps[Ranked | tuple[()]]:
        """The Ranked of the lab's own rank."""
        return self._ranked((self.lab.rank,))

    def _ranked(self, ranks):
        lab, samples = self.lab, self.samples
        how = self.kernel, lab.of_pairs, lab.approximation, lab.seed, ranks
        try:
            return (yield from by_rank(samples.X, samples.Y, *how))
        except Refusal:
            return ()

    @deferred(at_rest)
    def aggregated(self) -> float:
        """p of MMDAgg, over many bandwidths at once."""
        return self._over_bandwidths(mmdagg_test)

    @deferred(at_rest)
    def fused(self) -> float:
        """p of MMD-FUSE, over many bandwidths at once."""
        return self._over_bandwidths(mmdfuse_test)

    def _over_bandwidths(self, test):
        """p of a test; nan where all points are equal or no two are alike, so that there is nothing to aggregate."""
        try:
            return test(self.samples.X, self.samples.Y, n_resamples=self.lab.strip_resamples, rng=self.lab.seed).pvalue
        except Refusal:
            return np.nan

    @deferred(lambda result: at_rest(result) and sum(result.lab.kept) <= MOST_PAIRED)
    def difference(self) -> Difference:
        """The X-ray: the difference of the samples' characteristic functions, over frequencies."""
        samples = self.samples
        return spectral_difference(samples.X, samples.Y, FREQUENCIES * np.sqrt(samples.X.shape[1]) / self.median)

    @deferred(lambda result: at_rest(result) and result.lab.samples > 0)
    def checked(self, stopped: Callable[[], bool]) -> SelfCheck | None:
        """The SelfCheck: a permutation test keeps its level whatever P is, so it must reject halves of P that often."""
        lab, samples = self.lab, self.samples
        how = self.kernel, lab.of_pairs, lab.alpha, lab.samples, CHECK, lab.seed, stopped
        equal = mmd_level(samples.X, *how)
        fresh = level_check(self._afresh, lab.samples, lab.alpha, stopped) if equal and self.laws else None
        return None if equal is None or (self.laws and fresh is None) else SelfCheck(equal, fresh)

    def _afresh(self, i):
        """p of the test of fresh samples of the distributions."""
        seed, statistic = self.lab.seed, self.lab.of_pairs
        other = self.elsewhere(seed=further_seed(seed, i), moved_p="", moved_q="", dropped="")
        rng = stream(seed + i, "self-check shuffles")
        X, Y = other.samples.X, other.samples.Y
        return mmd_test(X, Y, other.kernel, statistic, n_resamples=CHECK, rng=rng).pvalue

    # the slider

    @property
    def answers(self) -> bool:
        """Whether there is a test for every stop: under a kernel without a bandwidth all stops are the same."""
        return not self.has_bandwidth or len(self.trials.kernels) == len(self.stops)

    def of(self, row: int | None = None) -> int:
        """The row of `trials` for a row of the tables, by default the lab's own."""
        if len(self.trials.kernels) == 1:
            return 0
        return self.row if row is None else row

    # what readers are told

    def test(self, row: int | None = None) -> TestResult:
        """The test at a row, as the library gives it."""
        return self.tests[self.of(row)]

    @property
    def draft(self) -> bool:
        """Whether there are fewer permutations than were asked for, as the hand still moves."""
        return self.trials.null.shape[1] < self.lab.resamples

    @property
    def heights(self) -> Matrix:
        """The witness at the pooled points, for each row of `trials`."""
        heights: Any = self.trials.heights  # the tests of the page all have it
        return heights

    def extremes(self, row: int | None = None) -> tuple[int, int]:
        """The points where the witness is highest and lowest, as rows of the pooled ones."""
        heights = self.heights[self.of(row)]
        return int(np.argmax(heights)), int(np.argmin(heights))

    @property
    def picture(self) -> str:
        """The small picture that is shown: under a polynomial kernel the X-ray shows moments."""
        return "moments" if self.lab.picture == "x-ray" and self.moments is not None else self.lab.picture

    @property
    def measures(self) -> dict[str, float]:
        """What two states are compared by; also the tests over all bandwidths, once they are there."""
        verdict = None if self.verdict is None else self.verdict.pvalue
        late_ones = {"p of MMDAgg": self.aggregated, "p of MMD-FUSE": self.fused, "p of the verdict": verdict}
        return super().measures | {label: p for label, p in late_ones.items() if p is not None}

    pvalue: measure[float] = measure("p", compute=lambda r: r.test().pvalue)
    statistic: measure[float] = measure("MMD squared", "MMD²", lambda r: r.test().statistic)
    standardised: measure[float] = measure(
        "standard deviations above the permutations", compute=lambda r: r.test().standardised
    )
    truth: measure[float | None] = measure(
        "MMD squared of P and Q", "MMD² of P and Q", lambda r: mmd2_where_finite(r.laws, r.kernel) if r.laws else None
    )
    p_of_presets: effect[float] = effect("p", compute=lambda r: r.pvalue)
    truth_of_presets: effect[float | None] = effect("MMD² of the laws", compute=lambda r: r.truth)
