"""What a state of the MONK lab shows: both estimates, the vote of the blocks, and what other samples add."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets.columns.quantity import Quantity
from explorer.discrepancy import (
    BlockPath,
    PairedSample,
    errors_beside_outliers,
    errors_of_means,
    flip_test,
    lepski,
    mmd_of_laws,
    monk_of_differences,
    monk_steps,
    signed_root,
)
from explorer.discrepancy.monk.estimates import counted_iterations, draw_orders
from explorer.estimators import KME
from explorer.estimators.medianofmeans.blocks import starts
from explorer.kernels.named import NAMED
from explorer.types import Mask, Matrix, Rows
from explorer.workbench import Result, deferred, effect, for_picture, measure, stage

from .cost import COUNTS, MEANS, SWAPS, is_tested, samples_of
from .lab import ITERATIONS, MonkLab, contaminated, with_outliers
from .means import Drawn, drawn_means, every_mean, median_of_means, promised, reach, robust_means
from .opening import study_at

if TYPE_CHECKING:
    from explorer.discrepancy.monk.error_study import ErrorStudy
    from explorer.discrepancy.monk.estimates import MonkResult
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.embeddings.law import Law
    from explorer.kernels.base import Kernel


VOTES = (5, 11, 21)  # blocks of the cliff's lines
CANVAS = (-5.5, 22.5)  # where the pairs of a distribution are drawn, in units of x
BEFORE, BEYOND = 0.3, 0.8  # of the width of most of one's own pairs: the canvas goes so much farther


def rivals_error(called: str, name: str) -> measure[float | None]:
    """The measure of how far the MMD by another estimator is from the truth, where a picture shows it."""
    return measure(called, compute=lambda result: result.error(result.rivals[name]) if result.rivals else None)


class MonkLabResult(Result[MonkLab]):
    """The numbers of a state: the pairs, their true MMD, MONK's estimate at the lab's Q, and along the direction at
    every other; the steps of an iteration, other estimators and errors in other samples where a picture shows them.
    """

    @stage
    def distributions(self) -> tuple[Law, Law]:
        """P and Q, or None where the pairs are one's own."""
        return self.lab.the_laws()

    @stage
    def kernel(self) -> Kernel:
        """The kernel; its bandwidth is in units of x, so that the truth stays where outliers move."""
        kernel = NAMED[self.lab.kernel]
        return kernel.with_bandwidth(self.lab.bandwidth) if kernel.has_bandwidth else kernel

    @stage
    def truth(self) -> float | None:
        """The MMD of P and Q; None where nobody knows it."""
        return mmd_of_laws(self.P, self.Q, self.kernel) if self.distributions else None

    @stage
    def halves(self) -> Any:
        """The Halves of one's own tables; None of distributions."""
        return None if self.distributions else self.lab.the_halves()

    @stage
    def sides(self) -> Any:
        """The Sides of one's own; None of distributions."""
        return self.lab.the_sides(self.halves) if self.halves else None

    @stage
    def clean(self) -> tuple[Matrix, Matrix]:
        """X and Y (n, d) without outliers."""
        return (self.sides.X, self.sides.Y) if self.sides else self._sample(self.lab.seed)

    @stage
    def reach(self) -> tuple[float, float]:
        """From where to where first coordinates are drawn; outliers do not move it."""
        if self.distributions:
            return CANVAS
        low, high = np.quantile(np.concatenate(self.clean)[:, 0], [0.01, 0.99])
        width = float(high - low) or 1.0
        return float(low) - BEFORE * width, float(high) + BEYOND * width

    @stage
    def pairs(self) -> PairedSample:
        """The PairedSample, with its outliers."""
        lab, points = self.lab, self.lab.points
        X, Y = with_outliers(*self.clean, lab.outliers, lab.planted, lab.distance, points)
        return PairedSample.of(X, Y, self.kernel, contaminated(lab.n, lab.outliers, points))

    @stage
    def ladder(self) -> BlockPath:
        """The BlockPath of the pairs, for the slider's numbers of blocks."""
        return BlockPath.of_differences(self.pairs.D, self.kernel, self.lab.partition)

    @stage
    def estimate(self) -> MonkResult:
        """MONK's estimate at the lab's Q, a MonkResult."""
        lab = self.lab
        if lab.method == "direction":
            return self.ladder.at(lab.blocks)
        return monk_of_differences(self.pairs.D, self.kernel, lab.blocks, lab.method, ITERATIONS, lab.partition)

    @stage
    def steps(self) -> Any:
        """The MonkSteps of the iteration where the picture shows them; the direction has none, so BCD stands in."""
        if self.lab.picture != "steps":
            return None
        lab, pairs = self.lab, self.pairs
        method = "bcd" if lab.method == "direction" else lab.method
        return tuple(monk_steps(pairs.X, pairs.Y, self.kernel, lab.blocks, method, ITERATIONS, lab.partition))

    @for_picture("embedding")
    def embeddings(self) -> Drawn:
        """The kernel means, Drawn, where the picture shows them."""
        law, X = self.shown_law, (self.pairs.X, self.pairs.Y)[self.side]
        embeds = every_mean(self.kernel, self.lab.blocks, self.lab.partition)
        return drawn_means(X, embeds, law and law.embed(self.kernel), reach(law) if law else self.reach)

    @for_picture("estimates")
    def rivals(self) -> dict[str, float]:
        """name -> |μ̂_X - μ̂_Y| by other estimators of a kernel mean, where the picture shows them."""
        X, Y = self.pairs.X, self.pairs.Y
        embeds = every_mean(self.kernel, self.lab.blocks, self.lab.partition)
        return {name: embed(X).distance(embed(Y)) for name, embed in embeds.items() if name != "median"}

    @stage
    def promise(self) -> Any:
        """What Theorem 1 promises, a Promise, where the picture shows it."""
        if self.lab.picture != "quantiles" or not self.distributions:
            return None
        return promised(self.distributions[self.side], self.kernel, self.lab.n, self.lab.outliers)

    @for_picture("cliff")
    def stored_cliff(self) -> ErrorStudy | None:
        """The study that the lab opens with; None where the state needs another one."""
        return study_at(self.lab)

    @deferred(lambda result: result.lab.picture == "cliff" and result.stored_cliff is None)
    def computed_cliff(self, stopped: Callable[[], bool]) -> ErrorStudy | None:
        """Errors of U and of MONK in new samples with more and more planted outliers, an ErrorStudy.

        Of pairs of one's own how far both move in these pairs.
        """
        n, partition, contaminate = self.lab.n, self.lab.partition, self._contaminate()
        counts, votes = [m for m in COUNTS if m <= n], [blocks for blocks in VOTES if blocks <= n]
        draws, truth, kernel = self._further("cliff") if self.distributions else [self.clean], self.truth, self.kernel
        return errors_beside_outliers(draws, contaminate, truth, kernel, counts, votes, partition, stopped)

    @property
    def cliff(self) -> ErrorStudy | None:
        """The study of errors by outliers: the stored one, or the computed one once it is there."""
        return self.stored_cliff or self.computed_cliff

    @deferred(lambda result: result.lab.picture == "quantiles" and result.distributions)
    def quantiles(self, stopped: Callable[[], bool]) -> ErrorStudy | None:
        """Errors |μ̂ - μ| of the plain average and of robust means in new samples, an ErrorStudy."""
        lab, kernel, side, contaminate = self.lab, self.kernel, self.side, self._contaminate()
        samples = (contaminate(*clean, lab.outliers)[side] for clean in self._further("quantiles"))
        medians = {Q: median_of_means(kernel, Q, lab.partition) for Q in MEANS if lab.n >= Q}
        others = robust_means(kernel, min(MEANS[0], lab.n), lab.partition)
        embeds = {"KME": KME(kernel).embed, **medians, **others}
        return errors_of_means(samples, self.distributions[side].embed(kernel), embeds, stopped)

    @deferred(lambda result: is_tested(result.lab))
    def plain_test(self, stopped: Callable[[], bool]) -> TestResult | None:
        """The test of one's own pairs by the U-statistic, a TestResult: its swaps are in the order of one block's."""
        return self._test(1, "direction", stopped)

    @deferred(lambda result: is_tested(result.lab))
    def test(self, stopped: Callable[[], bool]) -> TestResult | None:
        """The test of one's own pairs by MONK's estimate, a TestResult."""
        return self._test(self.lab.blocks, self.lab.method, stopped)

    def _test(self, blocks, method, stopped):
        partition = self.lab.partition
        return flip_test(self.pairs.D, self.kernel, blocks, method, SWAPS, ITERATIONS, partition, stopped)

    def _contaminate(self):
        """A function of clean X, Y and a count that plants so many outliers."""
        return partial(with_outliers, planted=self.lab.planted, distance=self.lab.distance, points=())

    def _sample(self, seed):
        """Clean X and Y of a seed; a larger n keeps the pairs that were there."""
        n = self.lab.n
        return self.P.sample(n, rng=2 * seed), self.Q.sample(n, rng=2 * seed + 1)

    def _further(self, picture):
        """Clean samples of the seeds that follow."""
        seed = self.lab.seed
        return (self._sample(seed + 1 + i) for i in range(samples_of(picture, self.lab.n)))

    @property
    def P(self) -> Law:
        """The distribution of the pairs' first points."""
        return self.distributions[0]

    @property
    def Q(self) -> Law:
        """That of their second points."""
        return self.distributions[1]

    @property
    def side(self) -> int:
        """Whose kernel mean is drawn: 1 is Q's, where Q alone has planted outliers, else 0, P's."""
        return int(self.lab.planted == "Q")

    @property
    def shown_law(self) -> Law | None:
        """The distribution whose kernel mean is drawn; None where the pairs are one's own."""
        return self.distributions and self.distributions[self.side]

    @property
    def names(self) -> tuple[str, str]:
        """What both sides are called."""
        return self.halves.names if self.halves else ("P", "Q")

    @property
    def axis(self) -> Quantity:
        """The Quantity of the first coordinates, of one's own tables that of the column that differs most."""
        return self.halves.quantities[0] if self.halves else Quantity("x (first coordinate)")

    @property
    def order(self) -> Rows:
        """The rows of the blocks, one after the other, (n,); along the direction it is that of every Q."""
        return np.concatenate(self.estimate.blocks)

    @property
    def study(self) -> Any:
        """The errors in new samples that the picture shows; None where it shows none, or not yet."""
        return self.cliff if self.lab.picture == "cliff" else self.quantiles

    @property
    def stops(self) -> list[int]:
        """The numbers of blocks that the slider stops at: the prepared ones, and the lab's own."""
        return sorted({*self.ladder.prepared, self.lab.blocks})

    @property
    def answers(self) -> bool:
        """Whether the estimate at another Q is a row of the ladder, and takes no iteration."""
        return self.lab.method == "direction"

    @property
    def row(self) -> int:
        """The row of the tables that the lab is at."""
        return self.stops.index(self.lab.blocks)

    def estimate_at(self, row: int) -> MonkResult:
        """MONK's estimate at a row of the tables."""
        return self.estimate if row == self.row else self.ladder.at(self.stops[row])

    @property
    def outliers(self) -> int:
        """How many pairs hold an outlier."""
        return int(self.pairs.contaminated.sum())

    def contaminated_blocks(self, row: int | None = None) -> Mask:
        """Which blocks of the last partition hold an outlier, (Q,)."""
        blocks = (self.estimate if row is None else self.estimate_at(row)).blocks
        return np.array([bool(self.pairs.contaminated[rows].any()) for rows in blocks])

    def majorities(self, row: int) -> tuple[int, int]:
        """In how many of the partitions that the estimate is made of most blocks are clean, and how many there are.

        They are the 8 of the direction, or those of the iterations that are averaged.
        """
        lab, blocks, marks = self.lab, self.stops[row], self.pairs.contaminated
        orders = draw_orders(lab.n, lab.method, ITERATIONS, lab.partition)
        orders = orders[counted_iterations(len(orders), lab.method)]
        bad = np.add.reduceat(marks[orders], starts(len(marks), blocks), axis=1) > 0
        return int((2 * bad.sum(axis=1) < blocks).sum()), len(orders)

    def vote_holds(self, row: int) -> bool:
        """Whether outliers cannot carry the estimate away: a median of partitions, of which most have a clean majority,
        or a mean of iterations that all have one.
        """
        good, of = self.majorities(row)
        return 2 * good > of if self.lab.method == "direction" else good == of

    def advised_blocks(self) -> int:
        """The odd number of blocks that Lepski's method advises for these pairs and partitions."""
        pairs = self.pairs
        return lepski(pairs.X, pairs.Y, pairs.kernel, method="direction", rng=self.lab.partition).advised_odd

    def error(self, value: float) -> float | None:
        """How far an estimate of the MMD is from the truth; None where nobody knows it."""
        return None if self.truth is None else abs(value - self.truth)

    @measure("MONK's error")
    def monk_error(self) -> float | None:
        """How far MONK is from the truth."""
        return self.error(self.estimate.value)

    @measure("the U-statistic's error")
    def u_error(self) -> float | None:
        """How far the root of the U-statistic is from the truth."""
        return self.error(self.u_mmd)

    @measure("MONK's MMD")
    def monk_mmd(self) -> float:
        """MONK's estimate."""
        return self.estimate.value

    @measure("U, of MMD squared", "U, of MMD²")
    def u_square(self) -> float:
        """The U-statistic itself."""
        return self.U

    @measure("the root of U")
    def u_mmd(self) -> float:
        """The root of the U-statistic; of a negative one minus the root of its size, as on the axis."""
        return signed_root(self.U)

    geometric_error: measure[float | None] = rivals_error("the geometric median's error", "geometric")
    huber_error: measure[float | None] = rivals_error("Huber's error", "Huber")
    hampel_error: measure[float | None] = rivals_error("Hampel's error", "Hampel")

    @measure("the true MMD")
    def true_mmd(self) -> float | None:
        """The MMD of the clean distributions."""
        return self.truth

    @effect("U")
    def U(self) -> float:
        """The unbiased statistic of MMD^2, signed."""
        return self.pairs.U

    u_error_of_presets: effect[float | None] = effect("U's error", compute=lambda r: r.u_error)

    @effect("MONK's error beside U's")
    def errors_ratio(self) -> float | None:
        """MONK's error in units of the U-statistic's."""
        monk, u = self.monk_error, self.u_error
        return None if monk is None or not u else monk / u

    @effect("MONK's error beside that of 11 blocks")
    def beside_eleven(self) -> float | None:
        """MONK's error in units of that along the direction with 11 blocks."""
        eleven = self.error(self.ladder.at(11).value) if self.lab.n >= 11 else None
        return None if self.monk_error is None or not eleven else self.monk_error / eleven
