"""What a state of the Independence lab shows: its test, the shape of the dependence, and what correlation finds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy import (
    Pairing,
    PowerByFraction,
    bahsic,
    distance_test,
    hsic,
    hsic_level,
    hsic_ranks,
    hsic_test,
    hsicagg_test,
    information_test,
    level_check,
    pearson_test,
    power_by_fraction,
    rank_columns,
    rate_interval,
)
from explorer.kernels import Linear
from explorer.operators.dependence_shape import ShapedTest, widened_kernel
from explorer.types import Mask, Matrix, Points, Rows, Vector
from explorer.workbench import deferred, effect, measure, stage, stage_when
from explorer.workbench.dcor_check import ask_dcor
from explorer.workbench.kernels import kernel_of_all, middle_of
from explorer.workbench.pairs import LEAST, PermutedPairsResult
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps, one_by_one

from .canonical import EPS, Canonical, held_out, learner, unit_of
from .cost import AGGREGATING
from .lab import DRAWN, TABLED, IndependenceLab

if TYPE_CHECKING:
    from explorer.discrepancy.dependence.aggregated import AggregatedPairsResult
    from explorer.discrepancy.dependence.coefficients import Coefficient
    from explorer.discrepancy.dependence.column_elimination import Elimination
    from explorer.discrepancy.dependence.column_ranking import ColumnRanking
    from explorer.discrepancy.dependence.information import Information
    from explorer.discrepancy.dependence.rank_path import RankPath
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.kernels.base import Kernel
    from explorer.workbench.dcor_check import DcorAnswer


CELLS = 36  # of the Gram matrices' picture, along one side
HIGHEST = 50  # rank that is looked at
FRACTIONS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0])  # of the pairs, where the power is drawn
REPETITIONS = 60  # parts of each size
SHUFFLES = 199  # of each test that is one of many


class Powers(NamedTuple):
    """Power on parts of the pairs, by the lab's HSIC and by Pearson's r."""

    kernel: PowerByFraction
    pearson: PowerByFraction


@dataclass(frozen=True)
class Fresh:
    """In how many of `count` fresh samples HSIC and Pearson's r find a dependence; None of a table.

    none: HSIC in as many re-pairings of the present sample, which are independent.
    """

    count: int
    kernel: int | None
    pearson: int | None
    none: int

    def interval(self, times: int) -> tuple[float, float]:
        """The 95 % interval of Clopper and Pearson for the chance of what happened so many times."""
        return rate_interval(times, self.count)


def _tested(read):
    """A number of a result, None where there are too few pairs for a test."""
    return lambda result: read(result) if result.enough else None


def _there(name, read):
    """A number of a late stage, None until it is there."""
    return lambda result: None if getattr(result, name) is None else read(getattr(result, name))


class IndependenceResult(PermutedPairsResult[IndependenceLab]):
    """The numbers of a state. Where there are fewer pairs than a test needs, `pairs` is all that there is.

    Rows of tables: the slider's σ, then the leave-one-out choice where the lab is at it; one row while not every σ has
    been computed. `trial` is the lab's own test, `kernels` those under which HSIC is that of the page but for a factor.
    """

    @deferred(lambda result: result.lab.some_drawn)
    def of_all(self) -> TestResult | str:
        """The test of all rows of a table of one's own, some of which are drawn.

        Or the sentence by which it is refused, where a row that is not drawn is too large, say.
        Its bandwidths are the median distances wherever the controls stand, and the kernel means are plain averages.
        """
        lab, table = self.lab, self.lab.the_table()
        X, Y = (table.X[:, [table.names.index(name) for name in names]] for names in lab.roles(table))
        try:
            k, l = (kernel_of_all(lab.kernel, Z) for Z in (X, Y))
            return hsic_test(X, Y, k, l, n_resamples=lab.resamples, rng=lab.seed, approximation="auto")
        except Refusal as refusal:
            return str(refusal)

    @property
    def tested_of_all(self) -> TestResult | None:
        """The test of all rows; None until it is there, and where it is refused."""
        return None if isinstance(self.of_all, str) else self.of_all

    @deferred(lambda result: result.lab.tabled)
    def rows(self) -> Steps[tuple[ShapedTest, ...]]:
        """A ShapedTest for every σ of the slider."""
        orders = self.orders_of(self.lab.resamples)
        return one_by_one(lambda sigma: self._trial(sigma, orders), self.lab.stops)

    @deferred(lambda result: result.lab.enough and not result.lab.tabled and result.lab.draft < result.lab.resamples)
    def full_trial(self) -> ShapedTest:
        """The lab's own test with all permutations, where there are no rows."""
        return self._trial(self.lab.sigma, self.orders_of(self.lab.resamples))

    @deferred(lambda result: result.lab.enough)
    def full_distance(self) -> Coefficient:
        """The distance correlation with all permutations, a Coefficient."""
        return self._distance(self.lab.resamples)

    @deferred(lambda result: result.lab.enough and result.lab.picture == "power")
    def power(self, stopped: Callable[[], bool]) -> Powers | None:
        """The Powers."""
        kernel = self._power(self.lab.kernels(self.medians), self.lab.estimators(self.lab.sigma, self.medians), stopped)
        pearson = None if kernel is None else self._power((Linear(), Linear()), None, stopped)
        return None if kernel is None or pearson is None else Powers(kernel, pearson)

    @deferred(lambda r: r.lab.enough and r.lab.picture == "columns" and r.lab.tells_columns)
    def columns(self) -> ColumnRanking:
        """The ColumnRanking of all columns by their dependence on y."""
        columns, target, kernel = self._table()
        under = {name: self.kernel_of(column) for name, column in columns.items()}
        count = min(self.lab.resamples, TABLED)
        return rank_columns(columns, target, under, kernel, n_resamples=count, rng=self.lab.seed)

    @deferred(lambda r: r.lab.enough and r.lab.picture == "elimination" and r.lab.tells_columns)
    def elimination(self) -> Elimination:
        """The Elimination of all columns, by the HSIC of those left with y."""
        columns, target, kernel = self._table()
        return bahsic(columns, target, self.kernel_of, kernel)

    @deferred(lambda r: r.lab.enough and r.lab.picture == "bandwidths" and not r.lab.by_gram[0])
    def aggregated(self) -> AggregatedPairsResult | str:
        """HSICAgg over pairs of bandwidths; or the sentence by which it is refused, as of a constant side."""
        try:
            return hsicagg_test(self.pairs.X, self.pairs.Y, n_resamples=self.aggregating, rng=self.lab.seed)
        except Refusal as refusal:
            return str(refusal)

    @deferred(lambda r: r.lab.picture == "measures" and r.tells_information)
    def information(self, stopped: Callable[[], bool]) -> Information | None:
        """Mutual information by nearest neighbours, against the first permutations of all."""
        pairs, count = self.pairs, min(self.lab.resamples, SHUFFLES)
        orders = self.orders_of(count)
        return information_test(pairs.X, pairs.Y, n_resamples=count, rng=self.lab.seed, orders=orders, stopped=stopped)

    @deferred(lambda r: r.draws_canonical and r.lab.eps is None)
    def chosen(self) -> float:
        """λ of the canonical functions by leave-one-out; nan where there are none."""
        return self._canonical(None).lam

    @deferred(lambda r: r.draws_canonical and r.canonical is not None and not r.canonical.refused)
    def held_out(self) -> float:
        """The rank correlation of the canonical functions at pairs left out, at the lab's own ε."""
        fit: Any = self.canonical  # which is there where this belongs
        return held_out(learner(self.kernels, fit.lam, self.lab.robust), self.both)

    @deferred(lambda r: r.draws_canonical and r.canonical is not None and not r.canonical.refused)
    def course(self) -> Steps[Matrix]:
        """(2, m): the correlation on these pairs and the rank correlation on pairs left out, at each ε of EPS."""

        def at(eps):
            cca = learner(self.kernels, eps * self.unit, self.lab.robust)
            fit = cca.replace().fit(*self.both)
            return fit.correlation() if len(fit.correlations_) else 0.0, held_out(cca, self.both)

        rows = yield from one_by_one(at, EPS)
        return np.array(rows).T

    @deferred(lambda result: result.lab.enough and result.lab.samples > 0)
    def fresh(self, stopped: Callable[[], bool]) -> Fresh | None:
        """The Fresh samples, of the seeds that follow."""
        lab, count, pairs = self.lab, self.lab.samples, self.pairs
        both, estimator, level = lab.kernels(self.medians), lab.estimators(lab.sigma, self.medians), lab.alpha
        none = hsic_level(pairs.X, pairs.Y, *both, estimator, level, count, SHUFFLES, lab.seed, stopped)
        if none is None or lab.source not in DRAWN:
            return none and Fresh(count, None, None, none.rejected)

        def pvalue(i, linear):
            again = self.elsewhere(seed=further_seed(lab.seed, i), moved="", placed="", selected=0).pairs
            kernels, estimators = (Linear(), Linear()), None
            if not linear:
                of_x, of_y = (self.middle(Z)[0] for Z in (again.X, again.Y))
                kernels, estimators = lab.kernels((of_x, of_y)), lab.estimators(lab.sigma, (of_x, of_y))
            return hsic_test(again.X, again.Y, *kernels, estimator=estimators, n_resamples=SHUFFLES, rng=i).pvalue

        kernel = level_check(partial(pvalue, linear=False), count, level, stopped)
        pearson = None if kernel is None else level_check(partial(pvalue, linear=True), count, level, stopped)
        if kernel is None or pearson is None:
            return None
        return Fresh(count, kernel.rejected, pearson.rejected, none.rejected)

    @deferred(lambda result: result.lab.enough and result.lab.peer and result.lab.picture == "measures")
    def peer(self, stopped: Callable[[], bool]) -> DcorAnswer | None:
        """The distance covariance by dcor."""
        return ask_dcor(self.pairs.X, self.pairs.Y, stopped)

    def middle(self, points: Points) -> tuple[float, str]:
        """The median distance that the kernel's bandwidth counts in on one side, and a remark."""
        return middle_of(points, self.lab.kernel)

    @stage_when(lambda result: result.lab.enough)
    def trial(self) -> ShapedTest:
        """The lab's own ShapedTest: its row or, until that is there, with as many permutations as there is time for."""
        if self.rows is not None and self.lab.sigma is not None:
            return self.rows[self.lab.stops.index(self.lab.sigma)]
        return self.full_trial or self._trial(self.lab.sigma, self.orders_of(self._count))

    @stage_when(lambda result: result.lab.enough)
    def pearson(self) -> Coefficient:
        """Pearson's r, of several columns of x the RV coefficient: a Coefficient."""
        pairs, count = self.pairs, self._count
        return pearson_test(pairs.X, pairs.Y, count, self.lab.seed, orders=self.orders_of(count))

    @stage
    def distance(self) -> Coefficient | None:
        """The distance correlation; None until it is there, where no picture shows it."""
        full = self.full_distance
        if full is None and self.lab.enough and self.lab.picture == "measures":
            return self._distance(self._count)
        return full

    @stage_when(lambda result: result.lab.picture == "ranks" and result.lab.enough)
    def path(self) -> RankPath:
        """HSIC of low-rank kernels and how far it may lie below, for every rank, where that picture is shown."""
        return hsic_ranks(self.pairs.X, self.pairs.Y, *self.kernels, HIGHEST)

    @stage_when(lambda result: result.path is not None)
    def gaps(self) -> Vector:
        """HSIC less that of the low-rank kernels, for every rank (R + 1,); rounding may leave something below 0."""
        return hsic(self.pairs.X, self.pairs.Y, *self.kernels) - self.path.values

    @stage_when(lambda r: r.draws_canonical)
    def unit(self) -> float:
        """λ where ε is 1."""
        return unit_of(self.kernels, self.both)

    @stage_when(lambda r: r.draws_canonical)
    def canonical(self) -> Canonical | None:
        """The canonical functions, None while their ε is still to be chosen."""
        if self.lab.eps is not None:
            return self._canonical(self.lab.eps * self.unit)
        return None if self.chosen is None else self._canonical(None if np.isnan(self.chosen) else self.chosen)

    def _canonical(self, lam):
        return Canonical.of(learner(self.kernels, lam, self.lab.robust), self.both, self.pairs.finer)

    def kernel_of(self, points: Points) -> Kernel:
        """The lab's kernel for points of one side, at its multiple of their own median distance."""
        median = self.middle(points)[0]
        return self.lab.kernels((median, median))[0]

    def _table(self):
        """name -> column of the table's sample, all but y, and y with its kernel."""
        lab, table = self.lab, self.lab.the_table()
        columns = dict(zip(table.names, table.sample(lab.n, lab.seed).T, strict=True))
        target = columns.pop(lab.roles(table)[1][0])
        return columns, target, self.kernel_of(target)

    @stage
    def order(self) -> Rows | None:
        """The order of y in the permutation that is looked at, (n,), or None."""
        if not (self.lab.shuffle and self.lab.enough):
            return None
        return np.concatenate(self.orders)[self.lab.shuffle - 1]

    @property
    def _count(self):
        """How many permutations there are now: all of them once a late stage has them."""
        lab = self.lab
        there = lab.draft == lab.resamples or self.rows is not None or self.full_trial is not None
        return lab.resamples if there else lab.draft

    def _trial(self, sigma, orders):
        lab, pairs = self.lab, self.pairs
        both, estimators = lab.kernels(self.medians), lab.estimators(sigma, self.medians)
        pairing = Pairing(pairs.X, pairs.Y, *both, "biased", estimators)
        return ShapedTest.of(pairing, sum(map(len, orders)), lab.seed, orders, *pairs.places, CELLS, lab.centred)

    def _distance(self, count):
        return distance_test(self.pairs.X, self.pairs.Y, count, self.lab.seed, orders=self.orders_of(count))

    def _power(self, kernels, estimator, stopped):
        """The PowerByFraction, one fraction after the other, so that it can be given up between two."""
        pairs = self.pairs
        fractions = FRACTIONS[np.floor(FRACTIONS * pairs.n + 0.5) >= LEAST]
        power = partial(
            power_by_fraction,
            pairs.X,
            pairs.Y,
            *kernels,
            estimator=estimator,
            repetitions=REPETITIONS,
            n_resamples=SHUFFLES,
            rng=self.lab.seed,
            stopped=stopped,
        )
        parts = [power(fractions=[fraction]) for fraction in fractions]
        if any(part is None for part in parts):
            return None
        sizes, pvalues = (np.concatenate([getattr(part, name) for part in parts]) for name in ("sizes", "pvalues"))
        return PowerByFraction(fractions, sizes, pvalues, pairs.n)

    @property
    def answers(self) -> bool:
        """Whether every σ has been computed."""
        return self.lab.tabled and self.rows is not None

    def trial_at(self, row: int | None = None) -> ShapedTest:
        """The ShapedTest of a row, or the lab's own."""
        return self.trial if self.rows is None or row is None or row == self.row else self.rows[row]

    def sigma_at(self, row: int | None = None) -> float | None:
        """The σ of a row, or the lab's own."""
        return self.lab.sigma if row is None or row == self.row else self.stops[row]

    @property
    def both(self) -> tuple[Points, Points]:
        """The points of both sides."""
        return self.pairs.X, self.pairs.Y

    @property
    def aggregating(self) -> int:
        """The permutations of HSICAgg, which needs more than the number of its pairs of kernels over the level."""
        return max(self.lab.resamples, AGGREGATING)

    @property
    def tells_information(self) -> bool:
        """Whether mutual information can be estimated: of one column on each side."""
        return self.enough and not any(self.lab.by_gram) and self.pairs.X.shape[1] == self.pairs.Y.shape[1] == 1

    @property
    def draws_canonical(self) -> bool:
        """Whether the canonical functions are shown."""
        return self.enough and self.lab.picture == "canonical"

    @property
    def agreed(self) -> AggregatedPairsResult | None:
        """HSICAgg's answer; None until it is there, and where it is refused."""
        return None if isinstance(self.aggregated, str) else self.aggregated

    @property
    def reaching(self) -> Mask:
        """Which pairs of bandwidths reject by themselves at the level that all have together, (k,)."""
        test = self.agreed
        return np.zeros(0, bool) if test is None else test.weights / test.pvalues > test.threshold(self.lab.alpha)

    @property
    def test(self) -> TestResult:
        """The lab's own TestResult."""
        return self.trial.test

    @property
    def draft(self) -> bool:
        """Whether there are fewer permutations than were asked for, as the hand still moves."""
        return self.enough and len(self.test.null_distribution) < self.lab.resamples

    @property
    def sigmas(self) -> tuple[float, float]:
        """The σ of each side, in its units; None leaves them to leave-one-out."""
        if self.lab.sigma is None:
            return self.trial.dependence.sigmas
        x, y = (self.lab.sigma * median for median in self.medians)
        return x, y

    @property
    def kernels(self) -> tuple[Kernel, Kernel]:
        """The kernels under which HSIC is that of the page but for a factor, σ's noise included."""
        x, y = map(widened_kernel, self.lab.kernels(self.medians), self.sigmas)
        return x, y

    @property
    def covariance(self) -> float | None:
        """The distance covariance; None until the distance correlation is there."""
        return None if self.distance is None else math.sqrt(max(4 * self.distance.test.statistic, 0.0))

    @property
    def at_rank(self) -> tuple[int, float, float, float]:
        """The rank that is looked at, HSIC there, and what it may still lack, by the bound and in fact."""
        r = min(self.lab.rank, len(self.path.values) - 1)
        return r, float(self.path.values[r]), float(self.bounds[r]), float(self.gaps[r])

    @property
    def bounds(self) -> Vector:
        """How far HSIC of the low-rank kernels may lie below, for certain, for every rank (R + 1,)."""
        bound: Any = self.path.bound  # the biased statistic has one
        return bound

    # what states are compared by, and what presets promise

    pvalue: measure[float | None] = measure("p of HSIC", compute=_tested(lambda r: r.test.pvalue))
    statistic: measure[float | None] = measure("HSIC", compute=_tested(lambda r: r.test.statistic))
    standardised: measure[float | None] = measure(
        "standard deviations above the permutations", compute=_tested(lambda r: r.test.standardised)
    )
    correlation: measure[float | None] = measure(
        "the correlation of HSIC", compute=_tested(lambda r: r.trial.correlation)
    )
    leading: measure[float | None] = measure(
        "share of the leading pair", compute=_tested(lambda r: r.trial.shape.share)
    )
    pearson_value: measure[float | None] = measure("Pearson's r", compute=_tested(lambda r: r.pearson.value))
    pearson_pvalue: measure[float | None] = measure("p of Pearson's r", compute=_tested(lambda r: r.pearson.pvalue))
    gamma_pvalue: measure[float | None] = measure(
        "p by the gamma distribution", compute=_tested(lambda r: r.trial.gamma.pvalue)
    )
    distance_value: measure[float | None] = measure(
        "the distance correlation", compute=_there("distance", lambda d: d.value)
    )
    distance_pvalue: measure[float | None] = measure(
        "p of the distance correlation", "its p", _there("distance", lambda d: d.pvalue)
    )
    aggregated_pvalue: measure[float | None] = measure(
        "p of HSICAgg", compute=_there("agreed", lambda test: test.pvalue)
    )
    information_correlation: measure[float | None] = measure(
        "mutual information as a correlation", compute=_there("information", lambda test: test.correlation)
    )
    canonical_correlation: measure[float | None] = measure(
        "canonical correlation", compute=_there("canonical", lambda fit: fit.together)
    )
    held_out_correlation: measure[float | None] = measure(
        "canonical rank correlation, pairs left out", compute=_there("held_out", float)
    )
    all_pvalue: measure[float | None] = measure(
        "p of all rows", compute=_there("tested_of_all", lambda test: test.pvalue)
    )

    effect_pvalue: effect[float | None] = effect("p", compute=_tested(lambda r: r.pvalue))
    effect_pearson: effect[float | None] = effect("Pearson's p", compute=_tested(lambda r: r.pearson_pvalue))
    effect_ratio: effect[float | None] = effect(
        "Pearson's p relative to HSIC's", compute=_tested(lambda r: r.pearson_pvalue / r.pvalue)
    )
    effect_apart: effect[float | None] = effect(
        "the difference of the two p", compute=_tested(lambda r: abs(r.pvalue - r.pearson_pvalue))
    )
    effect_fresh: effect[float | None] = effect(
        "the share of fresh samples in which HSIC finds something",
        compute=_there("fresh", lambda f: None if f.kernel is None else f.kernel / f.count),
    )
    effect_aggregated: effect[float | None] = effect(
        "HSIC's p relative to HSICAgg's",
        compute=lambda r: None if r.agreed is None else r.pvalue / r.agreed.pvalue,
    )
    effect_overfit: effect[float | None] = effect(
        "the correlation lost on pairs left out",
        compute=lambda r: None if r.held_out is None else r.canonical.together - r.held_out,
    )
    effect_kept: effect[float | None] = effect(
        "the correlation of the best columns relative to that of all",
        compute=_there("elimination", lambda e: float(e.correlation.max() / e.correlation[-1])),
    )
    effect_leading: effect[float | None] = effect(
        "p of the leading column", compute=_there("columns", lambda c: float(c.pvalue[0]))
    )
