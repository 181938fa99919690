"""Results of the distributions lab: the learner's value of every bag, and of one bag at every spread."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from explorer.checks import Refusal, join_list, truncate
from explorer.datasets import DataSet
from explorer.datasets.columns.quantity import coordinates
from explorer.datasets.named_sets.bundled import BUNDLED
from explorer.datasets.named_sets.registry import find_entry
from explorer.kernels import Gaussian, median_and_remark
from explorer.learning import DistributionRegression, LevelTwo, OneClassSMM, SupportMeasureMachine
from explorer.printing import short_name
from explorer.types import Labels, Mask, Values, Vector
from explorer.workbench import Result, deferred, effect, for_picture, measure, stage
from explorer.workbench.cost import costs
from explorer.workbench.samples import most_of, square_about
from explorer.workbench.stages import Steps
from explorer.workbench.two_samples import most_different, words_of

from .lab import ESTIMATORS, FLAT, ROLES, USUAL, DistributionsLab, is_number
from .outputs import Outputs, outputs_of
from .sizes import CHOSEN, size_seconds, sizes_of
from .space import distances_of, space_of

if TYPE_CHECKING:
    from explorer.datasets.bags import Bags
    from explorer.datasets.columns.quantity import Quantity
    from explorer.learning.bags.inner_products import Distances
    from explorer.learning.bags.samples import BagsLike

    from .sizes import Sizes
    from .space import Space


# learner of numbers, of classes, or of odd bags
Machine: TypeAlias = DistributionRegression | SupportMeasureMachine | OneClassSMM
ROUNDING = 1e-9  # rounding error of a detector's value: a bag on the boundary counts as inside
POOLED = 1500  # number of points, from all bags, that determine the median distance


class HeldOut(NamedTuple):
    """The learner's values of held-out bags, and their targets.

    Attributes
    ----------
    values : ndarray of shape (m,)
        Values of new bags, or of a table's bags, each left out in turn.
    targets : ndarray of shape (m,)
        Signs of the classes, or numbers.
    """

    values: np.ndarray
    targets: np.ndarray


# Seconds on the core on which the labs were timed.

PAIR, WIDE = 1.7e-9, 3.6e-9  # seconds per kernel value of two points; WIDE if exp is slow or digits cancel
EASY = (0.15, 6.0)  # a kernel value takes PAIR seconds if the bandwidth is in this range


def _means(lab):
    n, l, d = _shape(lab)
    stops, new = len(lab.stops), _new(lab)
    pairs = n**2 * (l**2 + 2 * l * stops + stops**2 / 2 + l * new + new)
    each, squared, cubed, pair = CHOSEN[lab.estimator]
    value = PAIR if EASY[0] <= lab.bandwidth <= EASY[1] else WIDE
    means = (3 * l + 2 * stops + new) * (each + squared * n**2 + cubed * n**3)
    return 0.015 + value * (1 + 0.05 * d) * pairs + means + pair * (l**2 + 3 * l * stops + l * new) + 2e-8 * l**3


def _means_held(lab):
    n, l, d = _shape(lab)
    return 4e6 + 4 * n * d * (3 * l + 2 * len(lab.stops) + _new(lab))


def _new(lab):
    return lab.new_bags if lab.toy else 0


def _shape(lab):
    """Return (points in a bag, bags, coordinates of a point). A table has at most as many as it contains."""
    if lab.toy:
        return lab.n, lab.bags, 2
    if lab.source in BUNDLED:
        table = find_entry(lab.source)
        return lab.n, min(lab.bags, table.n // lab.n), table.d
    if lab.own is None:
        return lab.n, lab.bags, 1
    if isinstance(lab.own, DataSet):  # bags are cut from its rows
        return lab.n, min(lab.bags, max(lab.own.n // lab.n, 1)), lab.own.d
    sizes = _bag_sizes(lab.own.points)
    return min(lab.n, int(sizes.max())), min(lab.bags, len(sizes)), lab.own.d


def _bags(lab):
    return _shape(lab)[1]


def _rows(lab):
    """Return the number of rows of a table, 0 if there is none, and infinity for known distributions."""
    if lab.toy:
        return np.inf
    return find_entry(lab.source).n if lab.source in BUNDLED else lab.own.n if lab.own is not None else 0


@lru_cache(8)
def _bag_sizes(points):
    """Return the number of rows of each bag of a table."""
    return np.unique(points.target, return_counts=True)[1]


class DistributionsResult(Result[DistributionsLab]):
    """Numbers of a state. Rows of its tables are the spreads at which the slider stops."""

    @stage
    def drawn(self) -> Bags:
        """Return the training bags, with the target of each."""
        return self.lab.the_bags()

    @stage
    def number(self) -> bool:
        """Return whether the bags' targets are numbers, which the learner predicts, instead of classes."""
        return is_number(self.drawn.targets)

    @stage
    def labels(self) -> dict[str, float | str]:
        """Return the labels of the classes by their names, sorted; empty if the learner predicts numbers."""
        return {} if self.number else words_of(np.unique(self.drawn.targets).tolist())

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""
        return tuple(self.labels)

    @stage
    def positive_class(self) -> str:
        """Return the class that is separated from the others, or "" if the learner predicts numbers.

        Raises
        ------
        Refusal
            If there is only one class, or no class with the lab's label.
        """
        if self.number:
            return ""
        if len(self.classes) < 2:
            raise Refusal(
                "all bags are of the class {}; a classifier needs bags of another class, too.", join_list(self.classes)
            )
        if self.lab.label and self.lab.label not in self.classes:
            raise Refusal(
                "there is no class '{}' here; there are {}.", truncate(self.lab.label), join_list(self.classes)
            )
        return self.lab.label or self.classes[-1]

    @stage
    def mean(self) -> float:
        """Return what is subtracted from numbers, as the regression has no intercept; 0 for classes."""
        return float(self.drawn.targets.mean()) if self.number else 0.0

    @stage
    def y(self) -> Vector:
        """Return the learner's targets (l,): centred numbers, or 1 for the separated class and -1 for the others."""
        return self.encode(self.drawn.targets)

    def encode(self, targets: Labels) -> Vector:
        """Convert the bags' targets to those of the learner."""
        if self.number:
            return targets - self.mean
        return np.where(targets == self.labels[self.positive_class], 1.0, -1.0)

    @stage
    def quantities(self) -> tuple[Quantity, ...]:
        """Return the quantities of the coordinates."""
        return coordinates(2) if self.lab.toy else self.lab.the_points().quantities

    @stage
    def coordinates(self) -> tuple[int, ...]:
        """Return the one or two drawn coordinates. In a user's table they are those in which the sides differ most."""
        names = [each.name for each in self.quantities]
        if self.lab.source in USUAL:
            return tuple(names.index(name) for name in USUAL[self.lab.source])
        if self.lab.toy:
            return 0, 1
        X, labels = (points := self.lab.the_points()).X, np.asarray(points.target)
        told = labels > np.median(labels) if self.number else labels == self.labels[self.positive_class]
        return tuple(most_different(X[told], X[~told])[:2])

    # Kernels and the learner.

    @stage
    def median(self) -> tuple[float, str]:
        """Return the median distance of some points of every bag, and a remark if a substitute had to be used."""
        each = max(2, POOLED // len(self.drawn.bags))
        return median_and_remark(np.concatenate([bag[:each] for bag in self.drawn.bags]))

    @stage
    def kernel(self) -> Gaussian:
        """Return the Gaussian kernel. The lab's bandwidth is in medians."""
        return Gaussian(self.lab.bandwidth * self.median[0])

    @stage
    def apart(self) -> Distances:
        """Return the RKHS distances between the kernel means of the bags."""
        return distances_of(self.drawn.bags, self.kernel, ESTIMATORS[self.lab.estimator]())

    @stage
    def level_two(self) -> tuple[LevelTwo, str]:
        """Return the kernel of kernel means, scaled by their median distance, and a remark if that is a substitute."""
        return self.scaled(self.apart)

    @stage
    def plain_level_two(self) -> tuple[LevelTwo, str] | None:
        """Return the same kernel for plain averages, or None if they are the lab's estimates."""
        if self.lab.estimator == "KME":
            return None
        return self.scaled(distances_of(self.drawn.bags, self.kernel, ESTIMATORS["KME"]()))

    def scaled(self, apart: Distances) -> tuple[LevelTwo, str]:
        """Return the kernel of kernel means with the scale of given Distances, and a remark."""
        return LevelTwo(self.lab.level_two).chosen_and_remark(apart.among())

    @stage
    @costs("the kernel means of the bags", _means, _means_held, "n", "bags")
    def machine(self) -> Machine:
        """Return the fitted learner."""
        return self.learner(self.lab.estimator).fit(self.drawn.bags, self.y)

    def learner(self, estimator: str) -> Machine:
        """Return the unfitted learner with the kernel means of an estimator: the lab's, or KME."""
        plain = None if estimator == self.lab.estimator else self.plain_level_two
        level_two, _ = plain or self.level_two
        means = ESTIMATORS[estimator]()
        if self.number:
            return DistributionRegression(self.kernel, level_two, self.lab.lam, means)
        if self.detects:
            return OneClassSMM(self.kernel, level_two, self.lab.nu, means)
        return SupportMeasureMachine(self.kernel, level_two, self.lab.C, means)

    def evaluate(self, machine: Machine, bags: BagsLike) -> Vector:
        """Return the learner's values of bags, shape (m,)."""
        if isinstance(machine, DistributionRegression):
            return machine.predict(bags)
        return machine.decision_function(bags)

    @stage
    def values(self) -> Vector:
        """Return the learner's values of its training bags, shape (l,)."""
        return self.evaluate(self.machine, self.drawn.bags) + self.mean

    # The stretched bag.

    @stage
    def spreads(self) -> Vector:
        """Return each bag's spread in units of their median, shape (l,): the root of the coordinates' mean variance."""
        own = np.array([np.sqrt(bag.var(axis=0).mean()) for bag in self.drawn.bags])
        return own / (float(np.median(own)) or 1.0)

    @stage
    def chosen(self) -> int:
        """Return the row of the stretched bag."""
        count = len(self.drawn.bags)
        if self.lab.bag > count:
            raise Refusal("there is no bag {} to stretch; choose one of {}.", self.lab.bag, count)
        return self.lab.bag - 1

    @stage
    def stretched(self) -> Values:
        """Return the stretched bag's points at every stop, shape (stops, n, d). Its mean does not move."""
        bag, own = self.drawn.bags[self.chosen], self.spreads[self.chosen]
        factors = np.array(self.stops) / own if own > FLAT else np.ones(len(self.stops))
        return bag.mean(axis=0) + factors[:, None, None] * (bag - bag.mean(axis=0))

    @stage
    def curve(self) -> Vector:
        """Return the learner's value of the stretched bag at every stop, shape (stops,)."""
        return self.by_stop(lambda points: self.evaluate(self.machine, points)) + self.mean

    @stage
    def true_curve(self) -> Vector | None:
        """Return the stretched bag's true entropy at every stop, (stops,), or None unless it is a known Gaussian."""
        if not (self.number and self.lab.toy):
            return None
        factors = np.array(self.stops) / self.spreads[self.chosen]
        return self.drawn.targets[self.chosen] + 2 * np.log(factors)

    @stage
    def space(self) -> Space:
        """Return the RKHS distances between the bags, and the bags' positions on a map."""
        return space_of(self.apart, self.y, self.kernel, ESTIMATORS[self.lab.estimator](), self.by_stop)

    def by_stop(self, compute: Callable[..., Any]) -> Values:
        """Apply a function to the stretched bag at every stop.

        A typed spread is computed separately, so that its extra row does not change the last bits of the others.
        """
        if self.lab.extra_stop is None:
            return compute(self.stretched)
        at = self.stops.index(self.lab.extra_stop)
        others = compute(np.delete(self.stretched, at, axis=0))
        return np.insert(others, at, compute(self.stretched[at : at + 1])[0], axis=0)

    # Quality of the learner.

    @stage
    def new(self) -> Bags | None:
        """Return the new Bags of known distributions, or None for a table."""
        return self.lab.the_bags(held=True) if self.lab.toy else None

    @stage
    @costs(
        "the refits without one bag",
        lambda lab: 0.0 if lab.toy else 5e-4 * _bags(lab),
        lambda lab: _bags(lab) ** 2,
        "bags",
    )
    def held_out(self) -> HeldOut:
        """Return the learner's values of held-out bags: of known distributions, or each of a table in turn."""
        return self.hold_out(self.lab.estimator, self.machine)

    @stage
    def held_out_plain(self) -> HeldOut | None:
        """Return the values of held-out bags by a learner of plain averages, or None if the lab uses these."""
        return None if self.lab.estimator == "KME" else self.hold_out("KME")

    def hold_out(self, estimator: str, machine: Machine | None = None) -> HeldOut:
        """Return the values of held-out bags by the learner with an estimator; `machine` is that learner if fitted."""
        new = self.new
        if new is None:
            learner = self.learner(estimator)
            if isinstance(learner, OneClassSMM):  # it does not use the classes, so no bag is left out
                return HeldOut(self.evaluate(machine or learner.fit(self.drawn.bags), self.drawn.bags), self.y)
            return HeldOut(learner.left_out(self.drawn.bags, self.y) + self.mean, self.y + self.mean)
        machine = machine or self.learner(estimator).fit(self.drawn.bags, self.y)
        return HeldOut(self.evaluate(machine, new.bags) + self.mean, self.encode(new.targets) + self.mean)

    def share_of(self, held: HeldOut) -> float:
        """Return the share of bags on the right side."""
        return float(np.mean((held.values >= 0) == (held.targets > 0)))

    def score_of(self, held: HeldOut) -> float | None:
        """Return the share of bags on the right side, or R² of numbers; None if the numbers do not vary."""
        if not self.number:
            return self.share_of(held)
        variance = float(held.targets.var())
        return 1 - float(np.mean((held.values - held.targets) ** 2)) / variance if variance > 0 else None

    @deferred(lambda result: result.lab.picture == "size")
    @costs("the errors over the size of bags", lambda lab: size_seconds(*_shape(lab)[:2], _rows(lab)), 4e6, "bags")
    def sizes(self) -> Steps[Sizes]:
        """Compute the Sizes: the error of every estimator of a bag's kernel mean over the points in a bag."""
        return sizes_of(self.drawn.laws, self.kernel, self.lab.n, self.lab.seed)

    @for_picture("outputs")
    @costs("two outputs of each bag", lambda lab: 0.01 + 1e-6 * _bags(lab) ** 2, 4e6, "bags")
    def outputs(self) -> Outputs:
        """Return the Outputs: two numbers of each bag, learnt jointly."""
        drawn, new = self.drawn, self.new
        learner = DistributionRegression(self.kernel, self.level_two[0], self.lab.lam, ESTIMATORS[self.lab.estimator]())
        return outputs_of(learner, drawn, new, self.coordinates[0], self.by_stop)

    # Numbers for pages and tables.

    @property
    def detects(self) -> bool:
        """True if the learner detects odd bags instead of classifying bags."""
        return self.lab.learner == "detector" and not self.number

    @property
    def verdicts(self) -> tuple[str, str]:
        """Names of the verdicts for a bag with a value above 0, and for any other bag."""
        return ("inside", "outside") if self.detects else self.sides

    @property
    def role(self) -> str:
        """Colour role of the estimate."""
        return ROLES[self.lab.estimator]

    @property
    def drawn_quantities(self) -> tuple[Quantity, ...]:
        """Quantities of the one or two drawn coordinates."""
        return tuple(self.quantities[j] for j in self.coordinates)

    @property
    def frame(self) -> tuple[float, float, float]:
        """Centre (x, y) and half side of the square that contains most points of all bags."""
        drawn = list(self.coordinates)
        return square_about(*most_of(np.concatenate([bag[:, drawn] for bag in self.drawn.bags])))

    @property
    def sides(self) -> tuple[str, str]:
        """Names of the separated class, and of the others together."""
        rest = [name for name in self.classes if name != self.positive_class]
        told, other = (self.in_words(name) for name in (self.positive_class, *rest[:1]))
        return told, other if len(rest) == 1 else "another class" if told != self.positive_class else f"not {told}"

    def in_words(self, name: str) -> str:
        """Return the name of a class for a sentence. A number is preceded by its column's name, or by "class"."""
        of = f"{short_name(self.lab.label_column)} =" if self.has_user_table else "class"
        return f"{of} {short_name(name)}" if name[:1].isdigit() else short_name(name)

    @property
    def has_user_table(self) -> bool:
        """True if the bags come from the user's table."""
        return self.lab.source == "file"

    @property
    def whole(self) -> bool:
        """True if all rows of all bags of a table are used, so that another seed draws the same."""
        if self.lab.toy or self.lab.cuts:
            return False
        bags = len(np.unique(self.lab.the_table().points.target))
        return len(self.drawn.bags) == bags and sum(map(len, self.drawn.bags)) == self.lab.own.n

    @property
    def crossings(self) -> tuple[float, ...]:
        """Spreads at which the learner's verdict on the stretched bag changes.

        They lie between the slider's stops. There are none if the learner predicts numbers.
        """
        if self.number:
            return ()
        x, f = np.log(self.stops), self.curve
        before = np.flatnonzero(np.diff(np.sign(f)) != 0)
        return tuple(float(np.exp(x[i] - f[i] * (x[i + 1] - x[i]) / (f[i + 1] - f[i]))) for i in before)

    @property
    def boundary(self) -> float | None:
        """Smallest spread at which the learner's verdict on the stretched bag changes, or None if there is none."""
        return next(iter(self.crossings), None)

    @property
    def right(self) -> Mask:
        """Mask (l,) of the bags that the classifier puts on the right side, or a detector inside; True for numbers."""
        if self.detects:
            return self.values >= -ROUNDING
        return np.ones(len(self.y), bool) if self.number else (self.values >= 0) == (self.y > 0)

    def saved(self, count: int | None = None, name: str | None = None) -> float | None:
        """Return an estimator's relative saving of squared error at a bag size, or None if it is not computed."""
        name = name or (self.lab.estimator if self.lab.estimator != "KME" else "S-KMSE")
        if self.sizes is None or (count or self.lab.n) not in self.sizes.counts:
            return None
        return 1 - float(self.sizes.ratios[name][np.flatnonzero(self.sizes.counts == (count or self.lab.n))[0]])

    # Measures and effects, for comparisons, sweeps and presets.

    share: measure[float | None] = measure(
        "share of new bags classified correctly", compute=lambda r: None if r.number else r.score_of(r.held_out)
    )
    r2: measure[float | None] = measure(
        "R² of new bags", compute=lambda r: r.score_of(r.held_out) if r.number else None
    )
    value: measure[float] = measure("value of the stretched bag", compute=lambda r: float(r.curve[r.row]))
    border: measure[float | None] = measure("spread at the boundary", of="boundary")
    own_distance: measure[float] = measure(
        "RKHS distance of the stretched bag to itself",
        "RKHS distance of the stretched bag to the original bag",
        compute=lambda r: float(r.space.stretched[r.row, r.chosen]),
    )

    effect_share: effect[float | None] = effect("the share classified correctly", of="share")
    effect_r2: effect[float | None] = effect("the share of the variance", of="r2")
    effect_saved: effect[float | None] = effect("the error that is saved", compute=lambda r: r.saved())

    outputs_mean: measure[float | None] = measure(
        "R² of the mean, two outputs", of="outputs.r2", compute=lambda r2: float(r2[0])
    )
    outputs_spread: measure[float | None] = measure(
        "R² of the spread, two outputs", of="outputs.r2", compute=lambda r2: float(r2[1])
    )
    effect_least: effect[float | None] = effect(
        "the share of the variance, of the harder output", of="outputs.r2", compute=lambda r2: float(min(r2))
    )
    effect_found: effect[float | None] = effect(
        "the share of odd bags found", compute=lambda r: float(np.mean(~r.right[r.y < 0])) if r.detects else None
    )

    @effect("what shrinking adds to the share")
    def effect_gain(self) -> float | None:
        """Return the increase of the share on the right side over plain averages."""
        if self.held_out_plain is None or self.number:
            return None
        return self.share_of(self.held_out) - self.share_of(self.held_out_plain)

    # Numbers that the stories let the user guess.

    outside = property(lambda self: int((~self.right).sum()), doc="The number of bags on the wrong side, or outside.")
