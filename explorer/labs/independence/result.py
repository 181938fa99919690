"""Result of the Independence lab: its test, the shape of the dependence, and the coefficients."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import SHAPES
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
from explorer.kernels.low_rank.automatic import VALUE
from explorer.operators.dependence_shape import ShapedTest, widened_kernel
from explorer.types import Mask, Matrix, Points, Rows, Vector
from explorer.workbench import deferred, effect, measure, stage, stage_when
from explorer.workbench.cost import automatic, coordinates, costs
from explorer.workbench.dcor_check import ask_dcor
from explorer.workbench.kernels import kernel_of_all, middle_of
from explorer.workbench.pairs import LEAST, PermutedPairsResult, listed
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps, one_by_one

from .canonical import EPS, Canonical, held_out, learner, unit_of
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


CELLS = 36  # cells along one side of the picture of the Gram matrices
HIGHEST = 50  # largest rank of the picture of ranks
FRACTIONS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0])  # fractions of the pairs at which the power is drawn
REPETITIONS = 60  # number of random parts of each size
SHUFFLES = 199  # permutations of each test that is one of many
AGGREGATING = 999  # the fewest permutations of the test over all bandwidths


class Powers(NamedTuple):
    """Power on parts of the pairs, by the lab's HSIC and by Pearson's r."""

    kernel: PowerByFraction
    pearson: PowerByFraction


@dataclass(frozen=True)
class Fresh:
    """Numbers of fresh samples in which a test finds a dependence.

    Attributes
    ----------
    count : int
        The number of samples.
    kernel : int or None
        Rejections by HSIC, or None for a table.
    pearson : int or None
        Rejections by Pearson's r, or None for a table.
    none : int
        Rejections by HSIC in as many re-pairings of the current sample, which are independent.
    """

    count: int
    kernel: int | None
    pearson: int | None
    none: int

    def interval(self, times: int) -> tuple[float, float]:
        """Return the 95 % interval of Clopper and Pearson for the rate of an event that happened `times` times."""
        return rate_interval(times, self.count)


# Seconds on the core on which the labs were timed, and numbers held.

MANY = 2**20  # with more entries of permuted matrices than this, only the entries cost time
# from FEWEST pairs on, a factor of at most FACTORS n columns is permuted instead of the matrix
FACTORS, FEWEST = 3, 128
KINKED = ("distance", "LAP")
SEARCHED = 60  # the number of noise levels that are tried in search of the best one


def _held(lab):
    """Return the numbers that the operators hold, which are whole matrices, and more of them, if the rank is full."""
    return (14.4 if lab.kernel in KINKED else 7.2) * lab.size**2


def _smaller(lab):
    """Return the fields that make the sample smaller, the most effective first."""
    if lab.source == "drawn":
        return ("placed",)
    if not lab.points:
        return ("n",)
    return ("n", "placed") if lab.n >= len(lab.points) else ("placed", "n")


def _often(lab):
    """Return the fields that make permutations fewer or cheaper."""
    return ("permutations", *_smaller(lab)) if lab.resamples > SHUFFLES else _smaller(lab)


def _orders_held(lab):
    return 1.2 * lab.size * lab.resamples


def _shape(lab):
    """Return the seconds of the shape of the dependence. Gram matrices of smooth kernels have low rank."""
    n = lab.size
    shape = 0.01 + 1e-7 * n**2 + (6e-10 if lab.kernel in KINKED else 3.5e-10) * n**3
    return shape + (SEARCHED * 2.5e-9 * n**2 if lab.sigma is None else 0.0)


def _trial(lab):
    return _shape(lab) + _permuted(lab, lab.resamples, _ranks(lab))


def _distance(lab):
    """Return the seconds of the distance covariance, or 0 if no picture shows it."""
    shown = lab.enough and lab.picture == "measures"
    return 3e-8 * lab.size**2 + _permuted(lab, lab.draft) if shown else 0.0


def _power(lab):
    whole = _permuted(lab, SHUFFLES, _ranks(lab)) + 5e-8 * lab.size**2
    parts = 2e-3 * len(FRACTIONS) * min(1.0, lab.size / 50) + 2.04 * whole  # 2.04 is the sum of the squared fractions
    return (3 if lab.sigma is None else 1) * REPETITIONS * parts


def _ranking(lab):
    return 15 * (5e-3 + 2e-7 * lab.size**2 + _permuted(lab, min(lab.resamples, TABLED)))


def _elimination(lab):
    c = 2 if lab.source == "eckerle4" else coordinates(lab)
    return c * (c - 1) / 2 * (6e-4 + 6e-8 * lab.size**2)


def _information(lab):
    """Return the seconds of mutual information, or 0 without columns on both sides."""
    return 0.0 if any(lab.by_gram) else min(lab.resamples, SHUFFLES) * (1e-3 + 8e-6 * lab.size) + 1.0


def _left_out(lab):
    return (16 + 17 * (lab.eps is None)) * (5e-3 + 2e-8 * lab.size**2 + 4e-9 * lab.size**3)


def _fresh(lab):
    """Return the seconds of the tests of fresh samples. Some sources have independent pairs only."""
    n = lab.size
    plain = 2.8e-4 + 1.5e-8 * n**2 + _permuted(lab, SHUFFLES) * (1.0 if SHUFFLES * n**2 <= MANY else 0.5)
    each = plain + (SEARCHED * (4.5e-5 + 1.2e-9 * n**2) if lab.sigma is None else 0.0)
    if lab.source in (*SHAPES, "strings"):
        each += each + plain + 1.8e-3
    return lab.samples * each


def _permuted(lab, count, ranks=None):
    """Return the seconds for the sums of `count` permutations: by factors if their ranks are low, or entry by entry.

    The entries of large matrices do not stay in the processor's cache. numba gathers them, except in about the first
    second of a process.
    """
    n = lab.size
    if ranks is not None and n >= FEWEST and ranks <= FACTORS * n:
        return count * (1e-6 + 2e-10 * n * ranks)
    if count * n**2 <= MANY:
        return count * n**2 * 3e-9
    return count * n**2 * 5e-10 * min(5.0, max(1.0, (n / 600) ** 2))


def _ranks(lab):
    """Return roughly the product of both Gram matrices' ranks, or None if the ranks are not low."""
    columns = max(1, len(listed(lab.x)))
    if lab.kernel in KINKED or lab.by_gram[0]:
        return None
    if lab.kernel == "LIN":
        return columns
    if lab.kernel == "POLY2":
        return columns * (columns + 3)
    return (10 + 17 / lab.bandwidth) ** (columns + 1)


class IndependenceResult(PermutedPairsResult[IndependenceLab]):
    """Numbers of a state. With fewer pairs than a test needs, it has only `pairs`.

    The rows of tables are the slider's σ, then the leave-one-out choice if the lab is at it. Until every σ is computed
    there
    is one row.

    Attributes
    ----------
    trial : ShapedTest
        The test at the current σ.
    kernels : tuple of two kernels
        The kernels under which HSIC equals the page's up to a factor.
    """

    slider_stages = ("trial", "rows")

    @deferred(lambda result: result.lab.some_drawn)
    @costs(
        "the test of all rows",
        lambda lab: automatic(lab.own.n**2 * (2 * VALUE + lab.resamples * 1e-9)),
        lambda lab: _held(lab) + 2e7,
    )
    def of_all(self) -> TestResult | str:
        """Test all rows of the user's table if only some of them are drawn.

        If the test is refused, for example because a row that is not drawn is too large, this is the message of the
        refusal.
        Its bandwidths are always the median distances, whatever the controls, and its kernel means are plain averages.
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
        """The test of all rows, or None if it is refused or not computed yet."""
        return None if isinstance(self.of_all, str) else self.of_all

    @deferred(lambda result: result.lab.tabled)
    @costs(
        "the tests at every σ",
        lambda lab: 0.5 * len(lab.stops) * _trial(lab),
        lambda lab: _held(lab) + _orders_held(lab),
        _often,
    )
    def rows(self) -> Steps[tuple[ShapedTest, ...]]:
        """Return a ShapedTest for every σ of the slider."""
        orders = self.orders_of(self.lab.resamples)
        return one_by_one(lambda sigma: self._trial(sigma, orders), self.lab.stops)

    @deferred(lambda result: result.lab.enough and not result.lab.tabled and result.lab.draft < result.lab.resamples)
    @costs(
        "the test with all permutations",
        lambda lab: 0.6 * _trial(lab),
        lambda lab: _held(lab) + _orders_held(lab),
        _often,
    )
    def full_trial(self) -> ShapedTest:
        """Run the current test with all permutations, unless `rows` has it."""
        return self._trial(self.lab.sigma, self.orders_of(self.lab.resamples))

    @deferred(lambda result: result.lab.enough)
    @costs(
        "the distance covariance with all permutations",
        lambda lab: 0.35 * _permuted(lab, lab.resamples),
        lambda lab: _held(lab) + _orders_held(lab),
        _often,
    )
    def full_distance(self) -> Coefficient:
        """Compute the distance correlation with all permutations, a Coefficient."""
        return self._distance(self.lab.resamples)

    @deferred(lambda result: result.lab.enough and result.lab.picture == "power")
    @costs("the power on parts of the pairs", _power, _held, _smaller)
    def power(self, stopped: Callable[[], bool]) -> Powers | None:
        """Compute the power on parts of the pairs, by the lab's HSIC and by Pearson's r."""
        kernel = self._power(self.lab.kernels(self.medians), self.lab.estimators(self.lab.sigma, self.medians), stopped)
        pearson = None if kernel is None else self._power((Linear(), Linear()), None, stopped)
        return None if kernel is None or pearson is None else Powers(kernel, pearson)

    @deferred(lambda r: r.lab.enough and r.lab.picture == "columns" and r.lab.tells_columns)
    @costs("the ranking of the columns", _ranking, _held, _often)
    def columns(self) -> ColumnRanking:
        """Rank all columns by their dependence on y."""
        columns, target, kernel = self._table()
        under = {name: self.kernel_of(column) for name, column in columns.items()}
        count = min(self.lab.resamples, TABLED)
        return rank_columns(columns, target, under, kernel, n_resamples=count, rng=self.lab.seed)

    @deferred(lambda r: r.lab.enough and r.lab.picture == "elimination" and r.lab.tells_columns)
    @costs("the columns one by one", _elimination, _held, _smaller)
    def elimination(self) -> Elimination:
        """Remove the columns one by one, by the HSIC of the remaining ones with y."""
        columns, target, kernel = self._table()
        return bahsic(columns, target, self.kernel_of, kernel)

    @deferred(lambda r: r.lab.enough and r.lab.picture == "bandwidths" and not r.lab.by_gram[0])
    @costs(
        "the test over all bandwidths",
        lambda lab: 25 * (_permuted(lab, max(lab.resamples, AGGREGATING)) + 5e-8 * lab.size**2),
        lambda lab: _held(lab) + 1.2 * lab.size * max(lab.resamples, AGGREGATING),
        _often,
    )
    def aggregated(self) -> AggregatedPairsResult | str:
        """Run HSICAgg over pairs of bandwidths, or return the message of its refusal, as for a constant side."""
        try:
            return hsicagg_test(self.pairs.X, self.pairs.Y, n_resamples=self.aggregating, rng=self.lab.seed)
        except Refusal as refusal:
            return str(refusal)

    @deferred(lambda r: r.lab.picture == "measures" and r.tells_information)
    @costs("mutual information", _information, _held, _smaller)
    def information(self, stopped: Callable[[], bool]) -> Information | None:
        """Estimate mutual information by nearest neighbours, against the first of the permutations."""
        pairs, count = self.pairs, min(self.lab.resamples, SHUFFLES)
        orders = self.orders_of(count)
        return information_test(pairs.X, pairs.Y, n_resamples=count, rng=self.lab.seed, orders=orders, stopped=stopped)

    @deferred(lambda r: r.draws_canonical and r.lab.eps is None)
    def chosen(self) -> float:
        """Choose λ of the canonical functions by leave-one-out; nan without such functions."""
        return self._canonical(None).lam

    @deferred(lambda r: r.draws_canonical and r.canonical is not None and not r.canonical.refused)
    def held_out(self) -> float:
        """Compute the rank correlation of the canonical functions at pairs left out, at the current ε."""
        fit: Any = self.canonical  # not None: the condition of this stage says so
        return held_out(learner(self.kernels, fit.lam, self.lab.robust), self.both)

    @deferred(lambda r: r.draws_canonical and r.canonical is not None and not r.canonical.refused)
    @costs("the canonical functions of pairs left out", _left_out, _held, _smaller)
    def course(self) -> Steps[Matrix]:
        """Compute the correlation on these pairs and the rank correlation on pairs left out, shape (2, m).

        Its columns are the values of ε in EPS.
        """

        def at(eps):
            cca = learner(self.kernels, eps * self.unit, self.lab.robust)
            fit = cca.replace().fit(*self.both)
            return fit.correlation() if len(fit.correlations_) else 0.0, held_out(cca, self.both)

        rows = yield from one_by_one(at, EPS)
        return np.array(rows).T

    @deferred(lambda result: result.lab.enough and result.lab.samples > 0)
    @costs("the fresh samples", _fresh, _held, "samples", _smaller)
    def fresh(self, stopped: Callable[[], bool]) -> Fresh | None:
        """Test fresh samples, with the seeds that follow."""
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
        """Compute the distance covariance by dcor."""
        return ask_dcor(self.pairs.X, self.pairs.Y, stopped)

    def middle(self, points: Points) -> tuple[float, str]:
        """Return the median distance that is the unit of the kernel's bandwidth on one side, and a remark."""
        return middle_of(points, self.lab.kernel)

    @stage_when(lambda result: result.lab.enough)
    @costs("the shape of the dependence", _shape, _held, _smaller)
    @costs(
        "the permutations",
        lambda lab: _permuted(lab, lab.draft, _ranks(lab)),
        lambda lab: _held(lab) + 1.2 * lab.size * lab.draft,
        _often,
    )
    def trial(self) -> ShapedTest:
        """Return the current ShapedTest: its row, or so far one with the permutations of a moving control."""
        if self.rows is not None and self.lab.sigma is not None:
            return self.rows[self.lab.stops.index(self.lab.sigma)]
        return self.full_trial or self._trial(self.lab.sigma, self.orders_of(self._count))

    @stage_when(lambda result: result.lab.enough)
    def pearson(self) -> Coefficient:
        """Compute Pearson's r, or for several columns of x the RV coefficient, a Coefficient."""
        pairs, count = self.pairs, self._count
        return pearson_test(pairs.X, pairs.Y, count, self.lab.seed, orders=self.orders_of(count))

    @stage
    @costs("the distance covariance", _distance, _held, _often)
    def distance(self) -> Coefficient | None:
        """Return the distance correlation, or None if it is not computed yet and no picture shows it."""
        full = self.full_distance
        if full is None and self.lab.enough and self.lab.picture == "measures":
            return self._distance(self._count)
        return full

    @stage_when(lambda result: result.lab.picture == "ranks" and result.lab.enough)
    @costs("the low-rank kernels", lambda lab: 5e-3 + 5e-6 * lab.size, _held, _smaller)
    def path(self) -> RankPath:
        """Compute HSIC of low-rank kernels and the bound on its loss, for every rank."""
        return hsic_ranks(self.pairs.X, self.pairs.Y, *self.kernels, HIGHEST)

    @stage_when(lambda result: result.path is not None)
    def gaps(self) -> Vector:
        """Return HSIC minus that of the low-rank kernels, for every rank (R + 1,). Rounding may take it below 0."""
        return hsic(self.pairs.X, self.pairs.Y, *self.kernels) - self.path.values

    @stage_when(lambda r: r.draws_canonical)
    def unit(self) -> float:
        """Return the λ at which ε is 1."""
        return unit_of(self.kernels, self.both)

    @stage_when(lambda r: r.draws_canonical)
    @costs("the canonical functions", lambda lab: 2e-3 + 4e-9 * lab.size**3, lambda lab: 8 * lab.size**2, _smaller)
    def canonical(self) -> Canonical | None:
        """Return the canonical functions, or None until their ε is chosen."""
        if self.lab.eps is not None:
            return self._canonical(self.lab.eps * self.unit)
        return None if self.chosen is None else self._canonical(None if np.isnan(self.chosen) else self.chosen)

    def _canonical(self, lam):
        return Canonical.of(learner(self.kernels, lam, self.lab.robust), self.both, self.pairs.finer)

    def kernel_of(self, points: Points) -> Kernel:
        """Return the lab's kernel for points of one side, at its multiple of their own median distance."""
        median = self.middle(points)[0]
        return self.lab.kernels((median, median))[0]

    def _table(self):
        """Return the columns of the table's sample by name, all except y, and y with its kernel."""
        lab, table = self.lab, self.lab.the_table()
        columns = dict(zip(table.names, table.sample(lab.n, lab.seed).T, strict=True))
        target = columns.pop(lab.roles(table)[1][0])
        return columns, target, self.kernel_of(target)

    @stage
    @costs("the picture", lambda lab: 0.0 if lab.enough else 5e-3)
    def order(self) -> Rows | None:
        """Return the order of y in the selected permutation, shape (n,), or None."""
        if not (self.lab.shuffle and self.lab.enough):
            return None
        return np.concatenate(self.orders)[self.lab.shuffle - 1]

    @property
    def _count(self):
        """The current number of permutations: all of them once a deferred stage has computed them."""
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
        """Compute the PowerByFraction fraction by fraction, so that it can be cancelled between two."""
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

    def trial_at(self, row: int | None = None) -> ShapedTest:
        """Return the ShapedTest of a row, by default the current one."""
        return self.trial if self.rows is None or row is None or row == self.row else self.rows[row]

    def sigma_at(self, row: int | None = None) -> float | None:
        """Return the σ of a row, by default the current one."""
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
        """True if mutual information can be estimated: it needs one column on each side."""
        return self.enough and not any(self.lab.by_gram) and self.pairs.X.shape[1] == self.pairs.Y.shape[1] == 1

    @property
    def draws_canonical(self) -> bool:
        """True if the canonical functions are shown."""
        return self.enough and self.lab.picture == "canonical"

    @property
    def agreed(self) -> AggregatedPairsResult | None:
        """The result of HSICAgg, or None if it is refused or not computed yet."""
        return None if isinstance(self.aggregated, str) else self.aggregated

    @property
    def reaching(self) -> Mask:
        """The mask of the pairs of bandwidths that reject alone at the level that all pairs share, shape (k,)."""
        test = self.agreed
        return np.zeros(0, bool) if test is None else test.weights / test.pvalues > test.threshold(self.lab.alpha)

    @property
    def test(self) -> TestResult:
        """The current TestResult."""
        return self.trial.test

    @property
    def draft(self) -> bool:
        """True if fewer permutations are computed so far than the lab asks for."""
        return self.enough and len(self.test.null_distribution) < self.lab.resamples

    @property
    def sigmas(self) -> tuple[float, float]:
        """The σ of each side, in its units, also if leave-one-out chose them."""
        if self.lab.sigma is None:
            return self.trial.dependence.sigmas
        x, y = (self.lab.sigma * median for median in self.medians)
        return x, y

    @property
    def kernels(self) -> tuple[Kernel, Kernel]:
        """The kernels under which HSIC equals the page's up to a factor, σ's noise included."""
        x, y = map(widened_kernel, self.lab.kernels(self.medians), self.sigmas)
        return x, y

    @property
    def covariance(self) -> float | None:
        """The distance covariance, or None until the distance correlation is computed."""
        return None if self.distance is None else math.sqrt(max(4 * self.distance.test.statistic, 0.0))

    @property
    def at_rank(self) -> tuple[int, float, float, float]:
        """The current rank, HSIC at it, and its loss by the bound and in fact."""
        r = min(self.lab.rank, len(self.path.values) - 1)
        return r, float(self.path.values[r]), float(self.bounds[r]), float(self.gaps[r])

    @property
    def bounds(self) -> Vector:
        """The bound on the loss of HSIC by low-rank kernels, for every rank, shape (R + 1,)."""
        bound: Any = self.path.bound  # not None: the biased statistic has a bound
        return bound

    @property
    def if_enough(self) -> IndependenceResult | None:
        """The result itself, or None if there are too few pairs for a test."""
        return self if self.enough else None

    # Numbers by which states are compared, and the effects that presets claim.

    pvalue: measure[float | None] = measure("p of HSIC", of="if_enough.test.pvalue")
    statistic: measure[float | None] = measure("HSIC", of="if_enough.test.statistic")
    standardised: measure[float | None] = measure(
        "standard deviations above the permutations", of="if_enough.test.standardised"
    )
    correlation: measure[float | None] = measure(
        "the correlation of HSIC", "normalised HSIC", of="if_enough.trial.correlation"
    )
    leading: measure[float | None] = measure("share of the leading pair", of="if_enough.trial.shape.share")
    pearson_value: measure[float | None] = measure("Pearson's r", of="if_enough.pearson.value")
    pearson_pvalue: measure[float | None] = measure("p of Pearson's r", of="if_enough.pearson.pvalue")
    gamma_pvalue: measure[float | None] = measure("p by the gamma distribution", of="if_enough.trial.gamma.pvalue")
    distance_value: measure[float | None] = measure("the distance correlation", of="distance.value")
    distance_pvalue: measure[float | None] = measure("p of the distance correlation", "its p", of="distance.pvalue")
    aggregated_pvalue: measure[float | None] = measure("p of HSICAgg", of="agreed.pvalue")
    information_correlation: measure[float | None] = measure(
        "mutual information as a correlation", of="information.correlation"
    )
    canonical_correlation: measure[float | None] = measure("canonical correlation", of="canonical.together")
    held_out_correlation: measure[float | None] = measure(
        "canonical rank correlation, pairs left out", of="held_out", compute=float
    )
    all_pvalue: measure[float | None] = measure("p of all rows", of="tested_of_all.pvalue")

    effect_pvalue: effect[float | None] = effect("p", of="if_enough.pvalue")
    effect_pearson: effect[float | None] = effect("Pearson's p", of="if_enough.pearson_pvalue")
    effect_ratio: effect[float | None] = effect(
        "Pearson's p relative to HSIC's", of="if_enough", compute=lambda r: r.pearson_pvalue / r.pvalue
    )
    effect_apart: effect[float | None] = effect(
        "the difference of the two p", of="if_enough", compute=lambda r: abs(r.pvalue - r.pearson_pvalue)
    )
    effect_fresh: effect[float | None] = effect(
        "the share of fresh samples in which HSIC finds something",
        of="fresh",
        compute=lambda f: None if f.kernel is None else f.kernel / f.count,
    )
    effect_aggregated: effect[float | None] = effect(
        "HSIC's p relative to HSICAgg's", compute=lambda r: None if r.agreed is None else r.pvalue / r.agreed.pvalue
    )
    effect_overfit: effect[float | None] = effect(
        "the correlation lost on pairs left out",
        compute=lambda r: None if r.held_out is None else r.canonical.together - r.held_out,
    )
    effect_kept: effect[float | None] = effect(
        "the correlation of the best columns relative to that of all",
        of="elimination",
        compute=lambda e: float(e.correlation.max() / e.correlation[-1]),
    )
    effect_leading: effect[float | None] = effect(
        "p of the leading column", of="columns", compute=lambda c: float(c.pvalue[0])
    )

    # Numbers that the stories let the user guess.

    reached = property(lambda self: self.trial.reached, doc="The number of permutations that reach the observed HSIC.")
    ends_of_f = property(
        lambda self: self.trial.shape.f[0] * self.trial.shape.f[-1], doc="The product of f's values at both ends of x."
    )
    pearson_excess = property(lambda self: self.pearson.pvalue - self.pvalue, doc="Pearson's p minus HSIC's.")
    fresh_count = property(
        lambda self: self.fresh and self.fresh.kernel, doc="The number of fresh samples in which HSIC rejects, or None."
    )
