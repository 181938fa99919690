"""Result of the MONK lab: both estimates, the vote of the blocks, and the errors in other samples."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import comb
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
from explorer.languages import message
from explorer.types import Mask, Matrix, Rows
from explorer.workbench import Result, deferred, effect, for_picture, measure, stage
from explorer.workbench.cost import coordinates, costs

from .lab import ITERATIONS, MonkLab, contaminated, with_outliers
from .means import (
    KernelMeanFunctions,
    every_mean,
    kernel_mean_functions,
    median_of_means,
    reach,
    robust_means,
    theorem_bound,
)
from .opening import study_at

if TYPE_CHECKING:
    from explorer.discrepancy.monk.error_study import ErrorStudy
    from explorer.discrepancy.monk.estimates import MonkResult
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.embeddings.law import Law
    from explorer.kernels.base import Kernel


COUNTS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)  # the numbers of outliers in the study of errors
SAMPLES = {"cliff": 20, "quantiles": 40}
FEWEST, WHOLE = 5, 200  # the fewest samples, for large N, and the largest N with the full number of samples
SWAPS = 199  # the number of random swaps within the user's pairs, for a test
LONGEST = 40.0  # the longest test that is run, in seconds
MEANS = (11, 21)  # the numbers of blocks of the medians of means
VOTES = (5, 11, 21)  # the numbers of blocks that have a line in the picture of errors
CANVAS = (-5.5, 22.5)  # the range in which the pairs of a distribution are drawn, in units of x
# The canvas extends past the central 98 % of the user's pairs by these multiples of their width.
BEFORE, BEYOND = 0.3, 0.8


def rivals_error(called: str, name: str) -> measure[float | None]:
    """Return the measure of the error of the MMD by another estimator, which exists if its picture is visible."""
    return measure(called, compute=lambda result: result.error(result.rivals[name]) if result.rivals else None)


# Seconds on the core on which the labs were timed, and numbers held.

# Seconds for a pair of pairs on a line, and the numbers held for it. Other kernels count as RBF.
PAIRS = {"LIN": 1e-7, "POLY2": 1e-7, "POLY3": 4e-7, "RBF": 1.4e-7}
NUMBERS = {"POLY3": 13.5, "RBF": 10.5}


def _pairs(lab):
    """Return the seconds for the kernel's values of all pairs of pairs.

    On a line the sums over blocks need few features only. Large matrices do not stay in the processor's cache.
    """
    sides = 1 if coordinates(lab) == 1 else 2
    return PAIRS.get(lab.kernel, PAIRS["RBF"]) * lab.n**2 * sides * (0.4 + 1.2 * (lab.n / 2000) ** 2)


def _votes(lab):
    """Return the seconds of the votes along the direction, or 0 for an iterative method."""
    return 4e-3 + 1.4e-6 * lab.blocks**2 if lab.method == "direction" else 0.0


def _test(lab):
    """Return the seconds of the tests by swaps of pairs, along the direction. Iterative methods take no longer."""
    return 0.02 + (3e-10 * lab.n**2 * (lab.blocks + 1) + 4.8e-7 * lab.blocks**2) * SWAPS


def _every_mean(lab):
    means = _median_of_means(lab, lab.blocks) + _robust(lab.n) + _geometric(lab.n, lab.blocks)
    return 3e-8 * lab.n**2 + means


def _both_means(lab):
    return 2 * (_geometric(lab.n, lab.blocks) + 2 * _robust(lab.n)) + 3e-8 * lab.n**2


def _cliff(lab):
    """Return the seconds of the study of errors by outliers, or 0 if it is stored."""
    samples = sample_count("cliff", lab.n) if lab.the_laws() else 1
    counts = 0 if study_at(lab) else sum(m <= lab.n for m in COUNTS)
    return samples * counts * (1.6e-3 + 0.45 * _pairs(lab))


def _quantiles(lab):
    """Return the seconds of the study of errors of means, or 0 for the user's pairs, whose errors are unknown."""
    n, votes = lab.n, [blocks for blocks in MEANS if blocks <= lab.n]
    each = 5e-3 + 1e-7 * n**2 + sum(_median_of_means(lab, blocks) for blocks in votes)
    each += _geometric(n, MEANS[0]) + 2 * _robust(n)
    return 0.6 * sample_count("quantiles", n) * each if lab.the_laws() else 0.0


def _median_of_means(lab, blocks):
    """Return the seconds for the median of means, in as many coordinates as the blocks' means span."""
    d = coordinates(lab)
    smooth = d * (8 + 1.5 / lab.bandwidth)  # a narrower kernel distinguishes more coordinates
    spanned = {"LIN": d, "POLY2": comb(d + 2, 2) - 1, "POLY3": comb(d + 3, 3) - 1, "RBF": smooth}
    # A kernel with a kink spans all coordinates that there are.
    rank = min(blocks - 1, spanned.get(lab.kernel, blocks))
    return 0.01 + 5.5e-5 * blocks * rank**2 + 1.1e-7 * blocks**3


def _geometric(n, blocks):
    return 2e-3 + 4e-9 * n**2 + 5e-8 * blocks**2


def _robust(n):
    """Return the seconds for one robust kernel mean, which iterates over all points."""
    return 2e-3 + 5.5e-8 * n**2


def _held(lab):
    return NUMBERS.get(lab.kernel, NUMBERS["RBF"]) * lab.n**2 + lab.n * coordinates(lab) ** 2


class MonkLabResult(Result[MonkLab]):
    """The numbers of a state: the pairs, their true MMD, and MONK's estimate at the lab's Q.

    With the direction method there are estimates at every other Q too. The steps of an iteration, other estimators and
    errors in other samples are computed if a picture shows them.
    """

    @stage
    def distributions(self) -> tuple[Law, Law]:
        """P and Q, or None for the user's pairs."""
        return self.lab.the_laws()

    @stage
    def kernel(self) -> Kernel:
        """The kernel. Its bandwidth is in units of x, so that moving outliers does not change the truth."""
        kernel = NAMED[self.lab.kernel]
        return kernel.with_bandwidth(self.lab.bandwidth) if kernel.has_bandwidth else kernel

    @stage
    def truth(self) -> float | None:
        """The MMD of P and Q, or None if it is unknown."""
        return mmd_of_laws(self.P, self.Q, self.kernel) if self.distributions else None

    @stage
    def halves(self) -> Any:
        """Both halves of the user's tables, or None if the pairs come from distributions."""
        return None if self.distributions else self.lab.the_halves()

    @stage
    def sides(self) -> Any:
        """Both sides of the user's pairs, or None if the pairs come from distributions."""
        return self.lab.the_sides(self.halves) if self.halves else None

    @stage
    def clean(self) -> tuple[Matrix, Matrix]:
        """X and Y, shape (n, d), without outliers."""
        return (self.sides.X, self.sides.Y) if self.sides else self._sample(self.lab.seed)

    @stage
    def reach(self) -> tuple[float, float]:
        """The range in which first coordinates are drawn. Outliers do not change it."""
        if self.distributions:
            return CANVAS
        low, high = np.quantile(np.concatenate(self.clean)[:, 0], [0.01, 0.99])
        width = float(high - low) or 1.0
        return float(low) - BEFORE * width, float(high) + BEYOND * width

    @stage
    @costs("the Gram matrix of the pairs", lambda lab: 4e-3 + _pairs(lab), _held, "n")
    def pairs(self) -> PairedSample:
        """The paired sample with its outliers."""
        lab, points = self.lab, self.lab.points
        X, Y = with_outliers(*self.clean, lab.outliers, lab.planted, lab.distance, points)
        return PairedSample.of(X, Y, self.kernel, contaminated(lab.n, lab.outliers, points))

    @stage
    def ladder(self) -> BlockPath:
        """The estimates along the direction at the slider's numbers of blocks."""
        return BlockPath.of_differences(self.pairs.D, self.kernel, self.lab.partition)

    @stage
    @costs("the votes of the blocks", _votes, lambda lab: 4 * lab.n**2 + 36 * lab.blocks**2, "blocks")
    @costs("the iteration", lambda lab: 0.0 if lab.method == "direction" else 0.015, _held, "n")
    def estimate(self) -> MonkResult:
        """MONK's estimate at the lab's Q."""
        lab = self.lab
        if lab.method == "direction":
            return self.ladder.at(lab.blocks)
        return monk_of_differences(self.pairs.D, self.kernel, lab.blocks, lab.method, ITERATIONS, lab.partition)

    @for_picture("steps")
    @costs("the steps", lambda lab: 8e-3 + _pairs(lab) / 2, _held, "n")
    def steps(self) -> Any:
        """The steps of the iteration if the picture shows them. The direction has none, so BCD replaces it."""
        lab, pairs = self.lab, self.pairs
        method = "bcd" if lab.method == "direction" else lab.method
        return tuple(monk_steps(pairs.X, pairs.Y, self.kernel, lab.blocks, method, ITERATIONS, lab.partition))

    @for_picture("embedding")
    @costs(
        "the median of the blocks' means", _every_mean, lambda lab: 4 * lab.n**2 + 2.2 * lab.blocks**3, "blocks", "n"
    )
    def embeddings(self) -> KernelMeanFunctions:
        """The kernel means as functions, if the picture shows them."""
        law, X = self.shown_law, (self.pairs.X, self.pairs.Y)[self.side]
        embeds = every_mean(self.kernel, self.lab.blocks, self.lab.partition)
        return kernel_mean_functions(X, embeds, law and law.embed(self.kernel), reach(law) if law else self.reach)

    @for_picture("estimates")
    @costs("the robust means", _both_means, lambda lab: 8 * lab.n**2 + 6 * lab.blocks**2, "n", "blocks")
    def rivals(self) -> dict[str, float]:
        """The values |μ̂_X - μ̂_Y| by other estimators of a kernel mean, by name, if the picture shows them."""
        X, Y = self.pairs.X, self.pairs.Y
        embeds = every_mean(self.kernel, self.lab.blocks, self.lab.partition)
        return {name: embed(X).distance(embed(Y)) for name, embed in embeds.items() if name != "median"}

    @stage
    def promise(self) -> Any:
        """The bound of Theorem 1, if the picture shows it."""
        if self.lab.picture != "quantiles" or not self.distributions:
            return None
        return theorem_bound(self.distributions[self.side], self.kernel, self.lab.n, self.lab.outliers)

    @for_picture("cliff")
    def stored_cliff(self) -> ErrorStudy | None:
        """The study that the lab opens with; None if the state needs another one."""
        return study_at(self.lab)

    @deferred(lambda result: result.lab.picture == "cliff" and result.stored_cliff is None)
    @costs("the errors in new samples", _cliff, _held, "n")
    def computed_cliff(self, stopped: Callable[[], bool]) -> ErrorStudy | None:
        """Errors of U and of MONK in new samples, by the number of planted outliers.

        For the user's pairs these are the shifts of both estimates in the pairs themselves.
        """
        n, partition, contaminate = self.lab.n, self.lab.partition, self._contaminate()
        counts, votes = [m for m in COUNTS if m <= n], [blocks for blocks in VOTES if blocks <= n]
        draws, truth, kernel = self._further("cliff") if self.distributions else [self.clean], self.truth, self.kernel
        return errors_beside_outliers(draws, contaminate, truth, kernel, counts, votes, partition, stopped)

    @property
    def cliff(self) -> ErrorStudy | None:
        """The study of errors by outliers: the stored one, or the computed one once it is available."""
        return self.stored_cliff or self.computed_cliff

    @deferred(lambda result: result.lab.picture == "quantiles" and result.distributions)
    @costs("the errors in new samples", _quantiles, lambda lab: 4 * lab.n**2 + lab.n * coordinates(lab) ** 2, "n", "d")
    def quantiles(self, stopped: Callable[[], bool]) -> ErrorStudy | None:
        """Errors |μ̂ - μ| of the plain average and of robust means in new samples."""
        lab, kernel, side, contaminate = self.lab, self.kernel, self.side, self._contaminate()
        samples = (contaminate(*clean, lab.outliers)[side] for clean in self._further("quantiles"))
        medians = {Q: median_of_means(kernel, Q, lab.partition) for Q in MEANS if lab.n >= Q}
        others = robust_means(kernel, min(MEANS[0], lab.n), lab.partition)
        embeds = {"KME": KME(kernel).embed, **medians, **others}
        return errors_of_means(samples, self.distributions[side].embed(kernel), embeds, stopped)

    @deferred(lambda result: is_tested(result.lab))
    def plain_test(self, stopped: Callable[[], bool]) -> TestResult | None:
        """The test of the user's pairs by the U-statistic. Its swaps are in the order of a single block."""
        return self._test(1, "direction", stopped)

    @deferred(lambda result: is_tested(result.lab))
    @costs("the test", _test, lambda lab: 4 * lab.n**2 + SWAPS * lab.n, "n", "blocks")
    def test(self, stopped: Callable[[], bool]) -> TestResult | None:
        """The test of the user's pairs by MONK's estimate."""
        return self._test(self.lab.blocks, self.lab.method, stopped)

    def _test(self, blocks, method, stopped):
        partition = self.lab.partition
        return flip_test(self.pairs.D, self.kernel, blocks, method, SWAPS, ITERATIONS, partition, stopped)

    def _contaminate(self):
        """Return a function that plants a given number of outliers in clean X and Y."""
        return partial(with_outliers, planted=self.lab.planted, distance=self.lab.distance, points=())

    def _sample(self, seed):
        """Draw clean X and Y with a seed. A larger n keeps the pairs of a smaller one."""
        n = self.lab.n
        return self.P.sample(n, rng=2 * seed), self.Q.sample(n, rng=2 * seed + 1)

    def _further(self, picture):
        """Draw clean samples with the seeds that follow."""
        seed = self.lab.seed
        return (self._sample(seed + 1 + i) for i in range(sample_count(picture, self.lab.n)))

    @property
    def P(self) -> Law:
        """The distribution of the pairs' first points."""
        return self.distributions[0]

    @property
    def Q(self) -> Law:
        """The distribution of the pairs' second points."""
        return self.distributions[1]

    @property
    def side(self) -> int:
        """The side whose kernel mean is drawn: 1, Q, if only Q has planted outliers, otherwise 0, P."""
        return int(self.lab.planted == "Q")

    @property
    def shown_law(self) -> Law | None:
        """The distribution whose kernel mean is drawn; None for the user's pairs."""
        return self.distributions and self.distributions[self.side]

    @property
    def names(self) -> tuple[str, str]:
        """The names of both sides."""
        return self.halves.names if self.halves else ("P", "Q")

    @property
    def axis(self) -> Quantity:
        """The quantity of the first coordinates. In the user's tables this is the column that differs most."""
        return self.halves.quantities[0] if self.halves else Quantity("x (first coordinate)")

    @property
    def order(self) -> Rows:
        """The rows of the blocks, one block after the other, shape (n,). Along the direction every Q has this order."""
        return np.concatenate(self.estimate.blocks)

    @property
    def study(self) -> Any:
        """The errors in new samples that the picture shows; None if it shows none, or not yet."""
        return self.cliff if self.lab.picture == "cliff" else self.quantiles

    @property
    def stops(self) -> list[int]:
        """The slider's numbers of blocks: the prepared ones and the lab's current one."""
        return sorted({*self.ladder.prepared, self.lab.blocks})

    @property
    def answers(self) -> bool:
        """True if the estimate at another Q is a row of the ladder and needs no iteration."""
        return self.lab.method == "direction"

    @property
    def row(self) -> int:
        """The row of the slider's tables for the lab's number of blocks."""
        return self.stops.index(self.lab.blocks)

    def estimate_at(self, row: int) -> MonkResult:
        """Return MONK's estimate at a row of the slider's tables."""
        return self.estimate if row == self.row else self.ladder.at(self.stops[row])

    @property
    def outliers(self) -> int:
        """The number of pairs that hold an outlier."""
        return int(self.pairs.contaminated.sum())

    def contaminated_blocks(self, row: int | None = None) -> Mask:
        """Return the mask of the last partition's blocks that hold an outlier, shape (Q,)."""
        blocks = (self.estimate if row is None else self.estimate_at(row)).blocks
        return np.array([bool(self.pairs.contaminated[rows].any()) for rows in blocks])

    def majorities(self, row: int) -> tuple[int, int]:
        """Return (number of partitions with a majority of clean blocks, number of partitions) of the estimate.

        The partitions are the 8 of the direction, or those of the averaged iterations.
        """
        lab, blocks, marks = self.lab, self.stops[row], self.pairs.contaminated
        orders = draw_orders(lab.n, lab.method, ITERATIONS, lab.partition)
        orders = orders[counted_iterations(len(orders), lab.method)]
        bad = np.add.reduceat(marks[orders], starts(len(marks), blocks), axis=1) > 0
        return int((2 * bad.sum(axis=1) < blocks).sum()), len(orders)

    def vote_holds(self, row: int) -> bool:
        """Return whether outliers cannot shift the estimate arbitrarily.

        A median of partitions holds if most of them have a clean majority, a mean of iterations if all of them do.
        """
        good, of = self.majorities(row)
        return 2 * good > of if self.lab.method == "direction" else good == of

    def advised_blocks(self) -> int:
        """Return the odd number of blocks that Lepski's method advises for these pairs and partitions."""
        pairs = self.pairs
        return lepski(pairs.X, pairs.Y, pairs.kernel, method="direction", rng=self.lab.partition).advised_odd

    def error(self, value: float) -> float | None:
        """Return the error of an estimate of the MMD, or None if the truth is unknown."""
        return None if self.truth is None else abs(value - self.truth)

    @measure("MONK's error")
    def monk_error(self) -> float | None:
        """MONK's error."""
        return self.error(self.estimate.value)

    @measure("the U-statistic's error")
    def u_error(self) -> float | None:
        """The error of the root of the U-statistic."""
        return self.error(self.u_mmd)

    @measure("MONK's MMD")
    def monk_mmd(self) -> float:
        """MONK's estimate."""
        return self.estimate.value

    @measure("U, of MMD squared", "U, of MMD²")
    def u_square(self) -> float:
        """The U-statistic."""
        return self.U

    @measure("the root of U")
    def u_mmd(self) -> float:
        """The signed root of the U-statistic: for a negative one, minus the root of its absolute value, as drawn."""
        return signed_root(self.U)

    geometric_error: measure[float | None] = rivals_error(message("the geometric median's error"), "geometric")
    huber_error: measure[float | None] = rivals_error(message("Huber's error"), "Huber")
    hampel_error: measure[float | None] = rivals_error(message("Hampel's error"), "Hampel")

    @measure("the true MMD")
    def true_mmd(self) -> float | None:
        """The MMD of the clean distributions."""
        return self.truth

    @effect("U")
    def U(self) -> float:
        """The unbiased statistic of MMD^2, with its sign."""
        return self.pairs.U

    u_error_of_presets: effect[float | None] = effect("U's error", of="u_error")

    @effect("MONK's error beside U's")
    def errors_ratio(self) -> float | None:
        """MONK's error in units of the U-statistic's."""
        monk, u = self.monk_error, self.u_error
        return None if monk is None or not u else monk / u

    @effect("MONK's error beside that of 11 blocks")
    def beside_eleven(self) -> float | None:
        """MONK's error in units of the direction's error with 11 blocks."""
        eleven = self.error(self.ladder.at(11).value) if self.lab.n >= 11 else None
        return None if self.monk_error is None or not eleven else self.monk_error / eleven

    # Numbers that the stories let the user guess.

    excess_error = property(lambda self: self.monk_error - self.u_error, doc="MONK's error minus the U-statistic's.")
    u_ratio = property(lambda self: self.u_mmd / self.truth, doc="The root of U over the true MMD.")
    monk_ratio = property(lambda self: self.estimate.value / self.truth, doc="MONK's estimate over the true MMD.")
    u_size = property(lambda self: abs(self.U), doc="The absolute value of U.")
    contaminated_count = property(
        lambda self: int(self.contaminated_blocks().sum()), doc="The number of contaminated blocks."
    )


def is_tested(lab: MonkLab) -> bool:
    """Return whether the pairs are tested: only the user's pairs, and only if it takes at most LONGEST seconds."""
    return lab.laws == "file" and _test(lab) <= LONGEST


def sample_count(picture: str, n: int) -> int:
    """Return the number of new samples of a picture. It is lower for large samples, whose Gram matrices take long."""
    return max(FEWEST, round(SAMPLES[picture] * min(1.0, (WHOLE / n) ** 2)))
