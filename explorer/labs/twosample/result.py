"""Result of the Two-sample lab: the test, its null distribution, the witness, and the deferred stages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
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
from explorer.discrepancy.mmd.frequencies import has_moments
from explorer.embeddings import contaminate
from explorer.rng import stream
from explorer.types import Mask, Matrix, Rows, Vector
from explorer.workbench import Result, deferred, effect, measure, stage, stage_when
from explorer.workbench.cost import coordinates, costs
from explorer.workbench.fields import BUNDLED, TABLES
from explorer.workbench.kernels import BY_GRAM, has_bandwidth, kernel_at, middle_of
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps
from explorer.workbench.two_samples import (
    Draw,
    TwoSamples,
    labels_of,
    mmd2_where_finite,
    most_different,
    sides_of,
    sizes,
)
from explorer.workbench.verdicts import verdict_on, verdict_on_all

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


OUTLIERS = "far cluster"  # kind of the outliers, one of the kinds of `contaminate`
SIZES = np.unique(np.geomspace(5, 5000, 60).astype(int))  # sizes of P's sample at which the power is drawn
FREQUENCIES = np.geomspace(0.05, 50, 121)  # frequencies of the X-ray, in units of sqrt(d) / median distance
AIM = 0.8  # the power that the smallest sufficient n must reach
ROUNDING = 1e-12  # an MMD² whose exact value is 0 may be this far from 0 by rounding
MOST = 5  # the number of influential rows that are listed
MOST_PAIRED = 600  # the X-ray is computed for at most this many points in both samples together
RATE_SAMPLES = 40  # the number of fresh pairs of samples that estimate the error of the MMD
CHECK = 199  # permutations per repetition of the self-check


class Plan(NamedTuple):
    """The power of the test at other sizes.

    Attributes
    ----------
    power : ndarray of shape (sizes,) or None
        The power at SIZES, or None if it is not known.
    needed : int or None
        The least n whose power is AIM, or None if there is none.
    """

    power: np.ndarray | None
    needed: int | None


class SelfCheck(NamedTuple):
    """Rejection rates of the test.

    Attributes
    ----------
    equal : LevelCheck
        The rate if P = Q: in halves of P's sample.
    fresh : LevelCheck or None
        The rate in fresh samples of P and Q, or None for a table.
    """

    equal: LevelCheck
    fresh: LevelCheck | None


def rate_sizes(n: int, m: int) -> Rows:
    """Return pairs of sample sizes, shape (s, 2), in proportion n : m wherever both can grow from two points on."""
    larger, least = np.array(CONVERGENCE_SIZES), np.arange(2, 2 + len(CONVERGENCE_SIZES))
    return np.column_stack([np.maximum(np.rint(larger * side / max(n, m)).astype(int), least) for side in (n, m)])


def at_rest(result: TwoSampleResult) -> bool:
    """Return whether there are few enough points for the slow stages."""
    return result.lab.few


# Seconds on the core on which the labs were timed, and numbers held.

LOOKED_AT = 10  # the time of the X-ray grows with the coordinates up to this many
HELD = {"POLY3": 3.3, "LIN": 3.3, "distance": 4.4}  # numbers stored per pair of points; 2.2 for the other kernels
# seconds per pair of samples at the largest size
RATE = {"POLY3": 0.1, "distance": 0.07, "LIN": 0.035, "POLY2": 0.035, "LAP": 0.02}
HELD_OF_ALL = 1.2e7  # peak of `compare`, in numbers: sums of 700 features over 8192 blocks of rows, twice
ALL_PAIRS = 8000  # with more rows in both tables together, `compare` uses landmarks
NOISY = ("MKME", "MMKME")  # estimators that first search for the best noise


def _smaller(lab):
    """Return the fields that make the samples smaller, the most effective first."""
    return ("n", "m") if lab.n >= lab.m else ("m", "n")


def _often(lab):
    """Return the fields that make permutations cheaper or fewer."""
    return (*_smaller(lab), "permutations") if lab.resamples > CHECK else _smaller(lab)


def _numbers(lab):
    held = HELD.get(lab.kernel, 2.2)
    if lab.estimator in NOISY:
        held = 13.4 if lab.kernel == "LAP" else max(held, 3.3)
    return max(held * lab.points**2, 1.1 * max(lab.n, lab.m) * coordinates(lab) ** 2)


def _splits_held(lab):
    return lab.points * lab.resamples / 8


def _held(lab):
    return _numbers(lab) + _splits_held(lab)


def _late_held(lab):
    return 1.5 * _numbers(lab) + _splits_held(lab)


def _kernel(lab):
    """Return the seconds for the kernel's values of all pairs, and for the search for the best noise."""
    return _values(lab) + _noise(lab)


def _values(lab):
    each = 2.5e-8 + 7e-10 * coordinates(lab) + 1.5e-8 * _categories(lab) + (1.5e-7 if lab.kernel == "POLY3" else 0.0)
    return lab.points**2 * each


def _noise(lab):
    return 5e-3 + 2.5e-7 * lab.points**2 if lab.estimator in NOISY else 0.0


def _categories(lab):
    """Return the number of categorical columns in the user's tables.

    Each of them has a kernel of its own, whose values multiply the others'.
    """
    return len(lab.tables.levels) if lab.source == "file" and lab.tables else 0


def _tested(n, count):
    return 7e-11 * count * n**2


def _refit(lab):
    """Return the seconds for both samples' estimates in one permutation, or 0 if they keep their weights."""
    return sum(5e-5 + 2.5e-6 * size + 1e-8 * size**2 for size in (lab.n, lab.m)) if lab.refitted else 0.0


def _all_permutations(lab):
    return _values(lab) + _tested(lab.points, lab.resamples) + _refit(lab) * lab.resamples


def _strip_test(lab):
    pairs = lab.points**2 * (1.3e-8 + 4e-10 * coordinates(lab) + 1.5e-8 * _categories(lab))
    return 9e-4 + pairs + _noise(lab) / 4 + _tested(lab.points, lab.strip_resamples)


def _rate(lab):
    """Return the seconds of the errors in fresh samples, or 0 for a table."""
    return RATE_SAMPLES * RATE.get(lab.kernel, 0.01) if lab.source not in TABLES else 0.0


def _ranks(lab):
    n, features = lab.points, 0.07 if lab.approximation == "features" else 0.0
    return (len(RANKS) + 2) * (4e-3 + 5e-5 * n + 2e-8 * min(n, 3000) ** 2 + features)


def _verdict(lab):
    """Return the seconds that `compare` takes on all rows of the user's tables, twice if it reports all columns too."""
    rows = sum(sizes(lab.tables, lab.groups))
    once = 5e-4 * (0.6 + 0.1 * lab.tables[0].d) * (min(rows, ALL_PAIRS) + 0.05 * rows)
    return (2 if lab.chosen in (1, 2) else 1) * once


def _xray(lab):
    """Return the seconds of the X-ray, or 0 for samples too large for it."""
    if lab.points > MOST_PAIRED:
        return 0.0
    d = coordinates(lab)
    return 4e-7 * lab.points**2 * min(d, LOOKED_AT) if d > 1 else 0.01


def _self_check(lab):
    """Return the seconds of the self-check, which has no fresh samples of a table."""
    each = 4e-4 + lab.n**2 * 2.5e-8 + _tested(lab.n, CHECK)
    if lab.source not in TABLES:
        each += 1.9e-3 + _values(lab) + _tested(lab.points, CHECK)
    return lab.samples * each


class TwoSampleResult(Result[TwoSampleLab]):
    """Numbers of a state.

    The rows of `trials` are bandwidths: all stops of the slider once the page is idle, and until then the current one.
    """

    @stage
    def laws(self) -> tuple[GaussianMixture, GaussianMixture] | None:
        """Return the clean distributions P and Q, or None for a table."""
        return self.lab.the_laws()

    @stage
    def labels(self) -> tuple[Any, ...]:
        """Return the labels of the two groups of a table, or () if P and Q are not groups."""
        lab = self.lab
        two_files = lab.source == "file" and lab.hash2
        return () if self.laws or two_files else labels_of(lab.the_tables()[0], lab.groups, lab.group)

    @stage_when(lambda result: not (result.laws or result.lab.source in BUNDLED))
    def space(self) -> Tables:
        """Return the user's tables in the space in which they are compared, or None for other samples."""
        tables = self.lab.the_tables()
        return tables.in_common_scales() if self.lab.standardise else tables

    @stage_when(lambda result: not result.laws)
    def treated(self) -> tuple[tuple[DataSet, ...], str]:
        """Return the tables to draw from and a note on their columns, or None for distributions."""
        if self.space is None:
            return self.lab.the_tables(), ""
        return self.space.indicators(), BY_GRAM if self.lab.gram else str(self.space)

    @stage_when(lambda result: result.space is not None)
    def order(self) -> list[int]:
        """Return the column positions of the user's tables: first the numbers that differ most, which are drawn."""
        tables, numbers = self.treated[0], len(self.space.scales)
        if self.lab.gram:
            return list(range(tables[0].d))
        sides = (side.X[:, :numbers] for side in sides_of(tables, self.labels))
        return [*most_different(*sides), *range(numbers, tables[0].d)]

    @stage
    def drawn(self) -> Draw:
        """Draw the samples. Larger samples keep the rows of smaller ones."""
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
        """Return the TwoSamples with outliers and moved points, and without the dropped rows."""
        lab, draw = self.lab, self.drawn
        if lab.outliers:
            X, Y = draw.points
            draw = draw._replace(points=(X, contaminate(Y, lab.outliers, OUTLIERS, lab.distance, lab.seed)))
        return TwoSamples.of(draw, (lab.moved_p, lab.moved_q), lab.dropped, lab.outliers)

    @stage
    def frame(self) -> tuple[Vector, Vector]:
        """Return the lower left and the upper right corner of the picture of the samples."""
        return self.drawn.frame(is_table=not self.laws)

    @stage
    def places(self) -> Matrix:
        """Return the points at which the witness is drawn, shape (g, d)."""
        return self.samples.places(self.frame)

    @property
    def coordinates(self) -> int:
        """The number of coordinates that the kernel compares."""
        return self.numbers

    @stage
    def numbers(self) -> int:
        """Return the number of numeric coordinates, which come first: the others are indicators of categories."""
        return self.samples.X.shape[1] if self.space is None else len(self.space.scales)

    @stage
    def middle(self) -> tuple[float, str]:
        """Return the median distance of the pooled points by their numbers, and a remark if it had to be replaced."""
        return self._middle_of(self.samples.pooled)

    def _middle_of(self, points):
        return middle_of(points[:, : self.numbers], self.lab.kernel) if self.numbers else (1.0, "")

    @property
    def median(self) -> float:
        """The median distance, which is the unit of the bandwidth."""
        return self.middle[0]

    @stage
    def second_median(self) -> float:
        """Return the median distance for the bandwidth of the second kernel, or 1 without one."""
        return self._second_median_of(self.samples.pooled)

    def _second_median_of(self, points):
        return self.lab.second_median(points[:, : self.numbers]) if self.numbers else 1.0

    @stage
    @costs("the kernel of the pooled points", lambda lab: 0.006 + _kernel(lab), _held, _smaller, "d")
    def kernel(self) -> Kernel:
        """Return the kernel; the unit of its bandwidth is the median distance."""
        return self._kernel_at(self.lab.bandwidth)

    def _kernel_at(self, bandwidth):
        """Return the kernel at a bandwidth in units of the median distance."""
        return self._whole(self.lab.kernel_on(bandwidth, self.median, self.numbers, self.second_median))

    def _kernel_on(self, points):
        """Return the kernel at the median distances of other points."""
        median, second = self._middle_of(points)[0], self._second_median_of(points)
        return self._whole(self.lab.kernel_on(self.lab.bandwidth, median, self.numbers, second))

    def _whole(self, numeric):
        """Return the kernel of the numbers, on the user's tables times a kernel per category, as in the commands."""
        return numeric if self.space is None else self.space.over_indicators(numeric)

    @stage_when(lambda result: result.lab.by_distances and result.space is None)
    def energy(self) -> float:
        """Compute the energy distance from the distances alone: 2 MMD² under the distance kernel."""
        statistic: Any = self.lab.statistic  # "unbiased" or "biased", since all pairs are used
        return energy_distance(self.samples.X, self.samples.Y, statistic)

    @property
    def has_bandwidth(self) -> bool:
        """True if the kernel has a bandwidth to move: categories alone have none."""
        return bool(self.numbers) and has_bandwidth(self)

    @stage
    def moments(self) -> Vector | None:
        """Return MMD² by the moments that a polynomial kernel compares, or None for another kernel."""
        kernel: Any = self.kernel
        return moment_differences(self.samples.X, self.samples.Y, kernel) if has_moments(kernel) else None

    @stage
    @costs("the permutations", lambda lab: _tested(lab.points, lab.inline), _held, _often)
    def splits(self) -> Mask:
        """Draw the permutations that are computed while a control moves."""
        return splits(sum(self.lab.included), self.lab.included[0], self.lab.inline, self.lab.seed)

    @deferred(lambda result: result.lab.has_verdict)
    @costs("the verdict on all rows and columns", _verdict, lambda lab: _late_held(lab) + HELD_OF_ALL)
    def compared(self) -> Comparison | str | None:
        """Compare all rows of the user's tables, as the commands and the report do for the same files.

        If `compare` refuses, this is the message of the refusal. The controls of the kernel and of the drawn rows do
        not change it.
        """
        return self._of_tables(verdict_on)

    @deferred(lambda result: result.lab.has_verdict and result.lab.chosen in (1, 2))
    def among(self) -> Comparison | str | None:
        """Compare all columns if one or two columns are chosen: it contains the p of the column, or of the pair."""
        return self._of_tables(verdict_on_all)

    @deferred(at_rest)
    @costs(
        "the tests at every bandwidth", lambda lab: 1.1 * (len(lab.stops) + 12) * _strip_test(lab), _late_held, _often
    )
    def strip(self, stopped: Callable[[], bool]) -> BandwidthSweep | None:
        """Run the tests at every stop of the slider, under RBF if the kernel has no bandwidth."""
        if self.lab.at_every_bandwidth:
            kernels = [self._kernel_at(stop) for stop in self.lab.stops]
        else:
            kernels = [self._whole(kernel_at("RBF", stop, self.median)) for stop in self.lab.stops]
        return self._tests(kernels, self.lab.strip_estimator, self.lab.strip_resamples, stopped)

    @deferred(lambda result: result.lab.finished_late)
    @costs("the test with all permutations", _all_permutations, _late_held, _often)
    def whole(self, stopped: Callable[[], bool]) -> BandwidthSweep | None:
        """Run the test with all permutations, if no other stage has them."""
        return self._tests([self.kernel], self.lab.estimator, self.lab.resamples, stopped)

    def _of_tables(self, asked):
        """Return a Comparison of the user's tables, or the message of its refusal, or None without tables."""
        named = self.lab.named  # this stage depends on the files, the groups and the columns
        try:
            return asked(self.lab, self.labels) if named else None
        except Refusal as refusal:
            return str(refusal)

    @property
    def verdict(self) -> Comparison | None:
        """The Comparison at the lab's level, or None if it is refused or not computed yet."""
        found = self.compared
        return replace(found, level=self.lab.alpha) if isinstance(found, Comparison) else None

    @property
    def line(self) -> ColumnChange | PairChange | None:
        """The entry for the chosen column or pair in the report on all columns, or None if there is none."""
        found, chosen = self.among, self.lab.columns
        if not isinstance(found, Comparison):
            return None
        names = set(json.loads(chosen))
        lines = [(column, {column.name}) for column in found.columns]
        if len(names) > 1 and len(found.columns) <= MOST_OF_PAIRS:
            lines = [(pair, {pair.first, pair.second}) for pair in found.pairs]
        return next((line for line, those in lines if those == names), None)

    @stage
    @costs("the refits in every permutation", lambda lab: lab.inline * _refit(lab), _numbers, _often)
    def trials(self) -> BandwidthSweep:
        """Return the tests that are drawn, with their witness: at all stops, or so far at the current one."""
        if self.lab.tabled and self.strip is not None:
            return self.strip
        return self.whole or self._tests([self.kernel], self.lab.estimator, self.lab.inline)

    def _tests(self, kernels, estimator, resamples, stopped=lambda: False) -> Any:
        """Run `bandwidth_sweep` on the samples, with the witness at the picture's points; None once `stopped()`."""
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
        """Return the TestResult of each row of `trials`."""
        return tuple(self.trials.test(row) for row in range(len(self.trials.kernels)))

    @deferred(
        lambda result: (
            at_rest(result) and result.lab.all_pairs and min(result.lab.included) > 3 and not result.lab.refitted
        )
    )
    @costs("the tests without the rows that count most", lambda lab: (MOST + 1) * _strip_test(lab), _late_held, _often)
    def influence(self, stopped: Callable[[], bool]) -> tuple[LeftOut, ...] | None:
        """Find the rows without which MMD² changes most, and what the page would show without each."""
        lab, samples = self.lab, self.samples
        how = lab.of_pairs, lab.the_estimator(), MOST, lab.strip_resamples, lab.seed
        X, Y = samples.X, samples.Y
        return most_influential(X, Y, self.kernel, *how, rekernel=self._kernel_on, stopped=stopped)

    @stage
    def apart(self) -> float | None:
        """Return the MMD² of the distributions of P's and Q's rows, or None if it is not known.

        It is not known for a table, or if rows are outliers, moved or left out. A value within rounding error of 0 is
        0.
        """
        lab = self.lab
        if self.laws is None or lab.dropped or self.samples.touched.any():
            return None
        square = 0.0 if lab.source == "equal" else self.truth
        return 0.0 if square is not None and abs(square) <= ROUNDING else square

    @property
    def is_null(self) -> bool:
        """True if P and Q are known to be one distribution, so that a rejection is a false alarm."""
        return self.lab.source == "equal" and self.apart == 0

    @deferred(lambda result: at_rest(result) and result.lab.all_pairs)
    @costs("the power at other sizes", lambda lab: 4e-3 + 8e-8 * lab.points**2, _late_held, _often)
    def plan(self) -> Plan:
        """Compute the power at other sizes, with Q's size in proportion, against the difference of P and Q.

        If that difference is not known, the power is for the difference of these samples, provided that the test
        rejects.
        Otherwise the power is None: a difference that was not detected cannot be planned for.
        """
        lab, samples = self.lab, self.samples
        options = {"level": lab.alpha, "n_resamples": lab.strip_resamples, "rng": lab.seed, "truth": self.apart}
        if self.apart is None and self.pvalue > lab.alpha:
            return Plan(None, None)
        try:
            curve = power_curve(samples.X, samples.Y, self.kernel, aim=AIM, **options)
        except Refusal:  # the kernel has one value on all these points
            return Plan(None, None)
        return Plan(curve.at(SIZES), curve.needed)

    @deferred(lambda result: result.lab.picture == "rate" and result.truth is not None)
    @costs("the errors of the MMD at other sizes", _rate, _late_held)
    def rate(self, stopped: Callable[[], bool]) -> Convergence | tuple[()] | None:
        """Compute the convergence of the MMD in fresh samples, or () if the kernel has no closed form for it."""
        if self.laws is None:
            return ()
        (P, Q), sizes = self.laws, rate_sizes(self.lab.n, self.lab.m)
        try:
            return mmd_convergence(P, Q, self.kernel, sizes, RATE_SAMPLES, self.lab.seed, stopped)
        except Refusal:
            return ()

    @deferred(lambda result: result.lab.picture == "rank" and result.lab.all_pairs)
    @costs("the MMD² by kernels of low rank", _ranks, _late_held, _smaller)
    def over_ranks(self) -> Steps[Ranked | tuple[()]]:
        """Compute MMD² at the ranks of the curve, or () if the approximation does not support the kernel."""
        return self._ranked(RANKS)

    @deferred(lambda result: result.lab.picture == "rank" and result.lab.all_pairs)
    def at_rank(self) -> Steps[Ranked | tuple[()]]:
        """Compute MMD² at the lab's rank, or () if the approximation does not support the kernel."""
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
        """Compute p of MMDAgg, over many bandwidths at once."""
        return self._over_bandwidths(mmdagg_test)

    @deferred(at_rest)
    def fused(self) -> float:
        """Compute p of MMD-FUSE, over many bandwidths at once."""
        return self._over_bandwidths(mmdfuse_test)

    def _over_bandwidths(self, test):
        """Return p of a test, or nan if all points are equal or no two are alike: nothing can be aggregated."""
        try:
            return test(self.samples.X, self.samples.Y, n_resamples=self.lab.strip_resamples, rng=self.lab.seed).pvalue
        except Refusal:
            return np.nan

    @deferred(lambda result: at_rest(result) and sum(result.lab.included) <= MOST_PAIRED)
    @costs("the X-ray", _xray, _late_held, _smaller)
    def difference(self) -> Difference:
        """Compute the X-ray: the difference of the samples' characteristic functions, by frequency."""
        samples = self.samples
        return spectral_difference(samples.X, samples.Y, FREQUENCIES * np.sqrt(samples.X.shape[1]) / self.median)

    @deferred(lambda result: at_rest(result) and result.lab.samples > 0)
    @costs("the self-check", _self_check, _late_held, "samples", _smaller)
    def checked(self, stopped: Callable[[], bool]) -> SelfCheck | None:
        """Run the self-check: a permutation test keeps its level for every P, so it must reject halves of P.

        The rate at which it rejects them must be the level.
        """
        lab, samples = self.lab, self.samples
        how = self.kernel, lab.of_pairs, lab.alpha, lab.samples, CHECK, lab.seed, stopped
        equal = mmd_level(samples.X, *how)
        fresh = level_check(self._afresh, lab.samples, lab.alpha, stopped) if equal and self.laws else None
        return None if equal is None or (self.laws and fresh is None) else SelfCheck(equal, fresh)

    def _afresh(self, i):
        """Return p of the test of the i-th fresh samples of the distributions."""
        seed, statistic = self.lab.seed, self.lab.of_pairs
        other = self.elsewhere(seed=further_seed(seed, i), moved_p="", moved_q="", dropped="")
        rng = stream(seed + i, "self-check shuffles")
        X, Y = other.samples.X, other.samples.Y
        return mmd_test(X, Y, other.kernel, statistic, n_resamples=CHECK, rng=rng).pvalue

    # Attributes for the slider.

    @property
    def answers(self) -> bool:
        """True if every stop has a test. Under a kernel without a bandwidth all stops are the same."""
        return not self.has_bandwidth or len(self.trials.kernels) == len(self.stops)

    def of(self, row: int | None = None) -> int:
        """Return the row of `trials` for a row of the tables, by default for the current one."""
        if len(self.trials.kernels) == 1:
            return 0
        return self.row if row is None else row

    # Attributes for the page's text.

    def test(self, row: int | None = None) -> TestResult:
        """Return the library's TestResult at a row."""
        return self.tests[self.of(row)]

    @property
    def draft(self) -> bool:
        """True if fewer permutations are computed so far than the lab asks for."""
        return self.trials.null.shape[1] < self.lab.resamples

    @property
    def heights(self) -> Matrix:
        """The witness at the pooled points, for each row of `trials`."""
        heights: Any = self.trials.heights  # all tests of the page have a witness
        return heights

    def extremes(self, row: int | None = None) -> tuple[int, int]:
        """Return the points at which the witness is highest and lowest, as rows of the pooled sample."""
        heights = self.heights[self.of(row)]
        return int(np.argmax(heights)), int(np.argmin(heights))

    @property
    def picture(self) -> str:
        """The small picture to show: under a polynomial kernel the X-ray shows moments."""
        return "moments" if self.lab.picture == "x-ray" and self.moments is not None else self.lab.picture

    @property
    def measures(self) -> dict[str, float]:
        """Numbers by which two states are compared, with the tests over all bandwidths once they are computed."""
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
    p_of_presets: effect[float] = effect("p", of="pvalue")
    truth_of_presets: effect[float | None] = effect("MMD² of the laws", of="truth")

    # Numbers that the stories let the user guess.

    @property
    def first_row(self) -> int | None:
        """The most influential row, counted through P's and then Q's, or None until it is known."""
        return self.influence[0].row if self.influence else None

    @property
    def combined(self) -> tuple[float, float] | None:
        """The smaller and the larger p of MMDAgg and MMD-FUSE, or None until both are there."""
        if self.aggregated is None or self.fused is None:
            return None
        return min(self.aggregated, self.fused), max(self.aggregated, self.fused)

    least_p = property(
        lambda self: None if self.strip is None else self.strip.pvalues.min(),
        doc="The smallest p of all bandwidths, or None.",
    )
    smaller_combined_p = property(
        lambda self: self.combined and self.combined[0], doc="The smaller p of MMDAgg and MMD-FUSE, or None."
    )
    larger_combined_p = property(
        lambda self: self.combined and self.combined[1], doc="The larger p of MMDAgg and MMD-FUSE, or None."
    )
