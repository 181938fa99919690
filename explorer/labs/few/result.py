"""Result of the Few lab: the chosen points at every number of points, their errors, a test, and a flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.datasets.columns.quantity import coordinates
from explorer.kernels.named import NAMED
from explorer.learning import thin
from explorer.rng import stream
from explorer.types import Points, Rows, Vector
from explorer.workbench import Result, deferred, effect, for_picture, measure, stage, stage_when
from explorer.workbench.clouds import Ground, box_of_cloud
from explorer.workbench.cost import coordinates as columns_of
from explorer.workbench.cost import costs
from explorer.workbench.kernels import kernel_at, middle_of
from explorer.workbench.numbers import ratio
from explorer.workbench.samples import Sample, frame_of
from explorer.workbench.seeds import distant_seed, further_seed
from explorer.workbench.stages import Steps

from .choices import Chosen, Look, Mean, cluster_choice, in_random_order, thinned_choice
from .comparing import Compressed, Repeated, compressed, repeated
from .flow import AWAY, PARTICLES, WIDTH, Flow, compute_flow
from .lab import FewLab, halves

if TYPE_CHECKING:
    from explorer.datasets.columns.quantity import Quantity
    from explorer.kernels.base import Kernel


TESTED = 1024  # the number of points of each sample that the test compares
ALONG, ACROSS = 90, 40  # the number of points along both axes at which the witness is drawn
PLACES = ALONG * ACROSS
FITTED = (4, 64)  # the range of the numbers of points to which a rate is fitted
FAR = 4  # at most 1/FAR of the points: with more, the sample is nearly exhausted


class Rival(NamedTuple):
    """A method's numbers of points, shape (r,), and the MMD of its points at each of them, shape (r,)."""

    counts: np.ndarray
    errors: np.ndarray


# Seconds on the core on which the labs were timed, and numbers held.


def _choice(lab):
    """Return the seconds for the kernel's values, and for the choice of points with its numbers."""
    chosen = lab.m if lab.method == "k-means" else lab.most
    return 4e-3 + 4e-9 * lab.n**2 + 4e-9 * PLACES * lab.n + _choose(lab.method, lab.n, chosen) + _look(lab.n, lab.m)


def _choose(method, n, m):
    if method == "thinning":
        return 6e-3 + 4e-8 * n**2 + 1.5e-4 * m
    if method == "k-means":
        return 3e-3 + 3e-8 * n**2 + 1.2e-6 * n * m
    return m * (1.3e-4 + 3e-7 * n)


def _look(n, m):
    return 2.5e-3 + 2.5e-6 * n + 1e-9 * m * PLACES


def _every_count(lab):
    """Return the seconds for the numbers at every stop. Some methods choose anew for each count of points."""
    counts = {lab.count_at(stop) for stop in lab.stops}
    anew = lab.method in ("thinning", "k-means")
    return sum(_look(lab.n, count) + anew * _choose(lab.method, lab.n, count) for count in counts)


def _rivals(lab):
    dyadic = sum(_choose(method, lab.n, 2**k) for method in ("thinning", "k-means") for k in range(7))
    return dyadic + 8e-4 * len(lab.stops)


def _test(lab):
    return 5e-3 + 8e-9 * _tested(lab) ** 2


def _tested(lab):
    """Return the number of points of each sample that the test compares."""
    return TESTED if lab.toy else min(lab.rows or 600, 2 * TESTED) / 2


def _held(lab):
    return 4 * lab.n**2 + 3 * PLACES * lab.n


class FewResult(Result[FewLab]):
    """The numbers of a state. The rows of tables are the numbers of points, or a single row until all are computed."""

    slider_stages = ("look", "looks")
    shown_looks, look_at = Result.shown_rows, Result.at_row

    @stage_when(lambda result: not result.lab.toy)
    def table_rows(self) -> Rows:
        """The rows of the table that are drawn, in the sample's order, shape (n,)."""
        return self.lab.the_table().in_order(self.lab.n, self.lab.seed)

    @stage
    def drawn(self) -> Sample:
        """The sample."""
        if self.lab.toy:
            return Sample(self.lab.cloud_of(self.lab.n, self.lab.seed), coordinates(2))
        table = self.lab.the_table()
        return Sample(table.X[self.table_rows], table.quantities)

    @stage
    def frame(self) -> tuple[float, float, float]:
        """The centre and half side of the drawn square, with a flow's start. Moving points does not change it."""
        low, high = box_of_cloud(self.lab, self.X)
        if self.lab.picture == "flow":
            start = self.X[:, 0].mean() - (AWAY + 3 * WIDTH) * np.sqrt(self.X.var(axis=0).mean())
            low = np.array([min(low[0], start), *low[1:]])
        return frame_of(low, high)

    @stage
    def median(self) -> tuple[float, str]:
        """The median distance, and a remark if another number replaces it; (1, "") for a kernel without a bandwidth."""
        return middle_of(self.X, self.lab.kernel) if NAMED[self.lab.kernel].has_bandwidth else (1.0, "")

    @stage
    def kernel(self) -> Kernel:
        """The kernel, its bandwidth counted in medians."""
        return kernel_at(self.lab.kernel, self.lab.bandwidth, self.median[0])

    @stage
    def mean(self) -> Mean:
        """The kernel mean of all points."""
        return Mean.of(self.kernel, self.X)

    @stage
    def ground(self) -> Ground:
        """The grid in the plane at which the witness is drawn."""
        return Ground.of(self.frame, self.X, ALONG, ACROSS)

    @stage
    def heights(self) -> Vector:
        """The sample's kernel mean at the grid, shape (g,)."""
        return self.kernel(self.ground.places, self.X).mean(axis=1)

    # The chosen points.

    @stage
    def herded(self) -> tuple[Rows, Vector]:
        """The rows that herding chooses, in its order, and the MMD of the first 1, 2, ... of them."""
        found = thin(self.X, min(self.lab.most, self.lab.n), self.kernel)
        return found.rows, found.errors

    @stage
    @costs("the choice of points", _choice, _held, "n", "m")
    def look(self) -> Look:
        """The numbers at the lab's number of points."""
        return self.at_slider(lambda m: self._look(self.lab.count_at(m)))

    @deferred(lambda result: result.lab.picture == "criticisms")
    @costs("every count of points", _every_count, _held, "n")
    def looks(self) -> Steps[tuple[Look, ...]]:
        """The numbers at every number of points of the slider."""
        counts, found = [self.lab.count_at(stop) for stop in self.lab.stops], {}
        for count in counts:
            if count not in found:
                yield
                found[count] = self._look(count)
        return tuple(found[count] for count in counts)

    @deferred(lambda result: result.lab.picture == "criticisms")
    @costs("the other methods", _rivals, _held, "n")
    def rivals(self) -> Steps[dict[str, Rival]]:
        """The MMD of every method by number of points, without the user's moves."""
        mean, seed, stops = self.mean, self.lab.seed, np.array(self.lab.stops)
        counts = np.unique(np.minimum(stops, self.lab.n))
        order = in_random_order(self.lab.n, seed)
        found = {"herding": Rival(counts, self.herded[1][counts - 1])}
        ways = {"random": lambda count: Chosen.alike(order[:count])}
        ways |= {
            "thinning": lambda count: thinned_choice(mean, count, seed),
            "k-means": lambda c: cluster_choice(mean, c, seed),
        }
        powers = np.array([2**k for k in range(7) if 2**k <= self.lab.n])
        left = np.array([count for count in halves(self.lab.n)[::-1] if count <= counts[-1]])
        at = {"random": counts, "thinning": left, "k-means": powers}
        for name, choose in ways.items():
            errors = []
            for count in at[name].tolist():
                yield
                chosen = choose(count)
                errors.append(mean.error(self.X[chosen.rows], chosen.weights))
            found[name] = Rival(at[name], np.array(errors))
        return found

    def _look(self, count):
        return Look.at(self.mean, self.chosen(count), self.lab.moved, self.ground.places, self.heights)

    def chosen(self, count: int) -> Chosen:
        """Return the choice of the lab's method."""
        method, seed = self.lab.method, self.lab.seed
        if method == "thinning":
            return thinned_choice(self.mean, count, seed)
        if method == "k-means":
            return cluster_choice(self.mean, count, seed)
        order = self.herded[0] if method == "herding" else in_random_order(self.lab.n, seed)
        return Chosen.alike(order[:count])

    # The test.

    def pair(self, i: int | None = None, shift: float | None = None) -> tuple[Points, Points]:
        """Return the two samples that are compared, or the i-th additional pair. Y is shifted along the first column.

        They are random halves of a new toy sample, or of at most as many rows of a table, so that they are exchangeable
        without a shift. Consecutive points of a toy sample are not, because they alternate between its groups.
        """
        lab = self.lab
        seed = lab.seed if i is None else further_seed(lab.seed, i)
        P = lab.cloud_of(2 * TESTED, distant_seed(seed)) if lab.toy else lab.the_table().X
        order = stream(seed, "halves").permutation(len(P))[: 2 * TESTED]
        X, Y = P[order[: len(order) // 2]], P[order[len(order) // 2 :]]
        Y = Y.copy()
        Y[:, 0] += (lab.shift if shift is None else shift) * self.X[:, 0].std()
        return X, Y

    @deferred(lambda result: result.lab.picture == "test")
    @costs(
        "the compressed tests",
        lambda lab: 8 * _test(lab) + 6e-8 * _tested(lab) ** 2,
        lambda lab: 17 * _tested(lab) ** 2,
    )
    def tested(self) -> Steps[Compressed | tuple[()]]:
        """The compressed tests; empty if a table has too few rows."""
        return compressed(*self.pair(), self.kernel, self.lab.seed)

    @deferred(lambda result: result.lab.picture == "test" and result.lab.samples > 0 and result.tested)
    @costs("the repeated tests", lambda lab: 2 * lab.samples * _test(lab), lambda lab: _tested(lab) ** 2, "samples")
    def again(self) -> Steps[Repeated]:
        """The rejections of the compressed test in additional pairs of samples."""
        lab = self.lab
        tested: Any = self.tested
        size = int(tested.sizes[tested.default_index])
        return repeated(self.pair, lab.shift, self.kernel, size, lab.samples, lab.seed)

    # The flow.

    @deferred(lambda result: result.lab.picture == "flow")
    @costs("the flow", lambda lab: 0.08 + 4e-4 * lab.n, lambda lab: 301 * 60 * (2 if lab.toy else columns_of(lab)), "n")
    def flow(self) -> Flow:
        """The flow of the particles."""
        return compute_flow(self.mean, self.lab.spread, self.lab.seed)

    @for_picture("flow")
    def field(self) -> Vector:
        """The witness of sample and particles over the plane after the lab's steps, shape (g,).

        Until the flow is computed it is the sample's kernel mean.
        """
        if self.flow is None:
            return self.heights
        return self.heights - self.kernel(self.ground.places, self.particles).mean(axis=1)

    # Numbers that pages and tables read.

    @property
    def particles(self) -> Points:
        """The positions of the particles after the lab's steps, shape (PARTICLES, d)."""
        flow: Any = self.flow  # this is read only once the flow is computed
        return flow.positions[self.lab.steps]

    @property
    def X(self) -> Points:
        """The points, shape (n, d)."""
        return self.drawn.X

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the columns."""
        return self.drawn.quantities

    def number_of(self, row: int) -> int:
        """Return the number of a row of the sample: the line of a table's file, or the position counted from 1."""
        return int(self.numbers[row])

    @property
    def numbers(self) -> Rows:
        """The number of each row of the sample, shape (n,), as in `number_of`."""
        return np.arange(1, self.lab.n + 1) if self.lab.toy else self.lab.the_table().row_numbers[self.table_rows]

    @property
    def row_word(self) -> str:
        """The word for what these numbers count."""
        return "line" if not self.lab.toy and self.lab.the_table().by_line else "row"

    def slope(self, method: str) -> float | None:
        """Return the exponent of the MMD over m, by a line through the logarithms, or None if there are too few.

        For random rows the line goes through the root mean square over all choices.
        """
        if self.rivals is None:
            return None
        counts, errors = self.rivals[method]
        if method == "random":
            errors = self.mean.random(counts)
        fitted = (counts >= FITTED[0]) & (counts <= min(FITTED[1], self.lab.n / FAR)) & (errors > 0)
        if fitted.sum() < 3:
            return None
        return float(np.polyfit(np.log(counts[fitted]), np.log(errors[fitted]), 1)[0])

    # The measures by which states are compared, and the effects that presets claim.

    error: measure[float] = measure("MMD of the chosen points", of="look.error")
    worth: measure[float] = measure("random rows of the same MMD", compute=lambda r: r.mean.worth(r.look.error))
    times: measure[float | None] = measure(
        "MMD of random rows over that of the chosen points",
        compute=lambda r: float(r.mean.random(len(r.look.points))) / r.look.error if r.look.error > 0 else None,
    )
    rate: measure[float | None] = measure("exponent of the MMD over m", compute=lambda r: r.slope(r.lab.method))
    pvalue: measure[float | None] = measure(
        "p of the compressed test", of="tested", compute=lambda tested: float(tested.pvalues[tested.default_index])
    )
    left: measure[float | None] = measure(
        "MMD of the particles", compute=lambda r: float(r.flow.errors[r.lab.steps]) if r.flow else None
    )

    effect_times: effect[float | None] = effect("the MMD of random rows over that of the chosen points", of="times")
    effect_error: effect[float] = effect("the MMD of the chosen points", of="look.error")
    effect_cost: effect[float | None] = effect(
        "the MMD over that before a point was moved", compute=lambda r: ratio(r.look.error, r.look.before)
    )
    effect_rate: effect[float | None] = effect("the exponent of the MMD over m", of="rate")
    effect_p: effect[float | None] = effect("p of the compressed test", of="pvalue")
    effect_left: effect[float | None] = effect("the MMD of the particles over that of as many random rows", of="stuck")
    effect_noise: effect[float | None] = effect("the MMD of the particles over that without noise", of="gained")
    effect_false: effect[float | None] = effect(
        "the share of pairs without a difference in which the test rejects",
        of="again",
        compute=lambda again: again.false / again.count,
    )
    effect_witness: effect[float] = effect(
        "the size of the largest criticism", compute=lambda r: float(np.abs(r.look.witness[r.look.rows]).max(initial=0))
    )

    @property
    def cost_share(self) -> float | None:
        """The share of the kernel values that the compressed test needs, or None without a test."""
        return float(self.tested.costs[self.tested.default_index]) if self.tested else None

    @property
    def gained(self) -> float | None:
        """The MMD of the particles over that without noise, or None without a flow."""
        return ratio(*(float(errors[self.lab.steps]) for errors in self.flow[1:])) if self.flow else None

    @property
    def stuck(self) -> float | None:
        """The MMD of the particles over the root mean square MMD of as many rows drawn at random.

        It is None without a flow, and if all rows are equal.
        """
        if self.flow is None:
            return None
        return ratio(float(self.flow.errors[self.lab.steps]), self.mean.drawn(PARTICLES))

    # Numbers that the stories let the user guess.

    herding_rate = property(
        lambda self: self.slope("herding"), doc="The exponent of the MMD over m with herding, or None."
    )
