"""What a state of the Distributions lab shows: the learner's value of every bag, and of one bag at every spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from explorer.checks import Refusal, join_list, truncate
from explorer.datasets.columns.quantity import coordinates
from explorer.kernels import Gaussian, median_and_remark
from explorer.learning import DistributionRegression, LevelTwo, OneClassSMM, SupportMeasureMachine
from explorer.printing import short_name
from explorer.types import Labels, Mask, Values, Vector
from explorer.workbench import Result, deferred, effect, for_picture, measure, stage
from explorer.workbench.samples import most_of, square_about
from explorer.workbench.stages import Steps
from explorer.workbench.two_samples import most_different, words_of

from .lab import ESTIMATORS, ROLES, USUAL, DistributionsLab, is_number
from .outputs import Outputs, outputs_of
from .sizes import sizes_of
from .space import distances_of, space_of

if TYPE_CHECKING:
    from explorer.datasets.bags import Bags
    from explorer.datasets.columns.quantity import Quantity
    from explorer.learning.bags.inner_products import Distances
    from explorer.learning.bags.samples import BagsLike

    from .sizes import Sizes
    from .space import Space


FLAT = 1e-9  # of the median spread: what rounding leaves of a bag of equal points, which nothing stretches
Machine: TypeAlias = DistributionRegression | SupportMeasureMachine | OneClassSMM  # of numbers, classes, odd bags
ROUNDING = 1e-9  # of a detector's value: a bag on the boundary lies inside
POOLED = 1500  # points of all bags, on which the median distance is chosen


class Held(NamedTuple):
    """The learner's values of new bags, or of bags left out, (m,), and their targets: signs or numbers."""

    values: np.ndarray
    targets: np.ndarray


class DistributionsResult(Result[DistributionsLab]):
    """The numbers of a state. Rows of tables: the spreads that the slider stops at."""

    @stage
    def drawn(self) -> Bags:
        """The Bags."""
        return self.lab.the_bags()

    @stage
    def number(self) -> bool:
        """Whether bags have numbers to learn, and not classes."""
        return is_number(self.drawn.targets)

    @stage
    def labels(self) -> dict[str, float | str]:
        """What the classes are called -> their labels, sorted; none of numbers."""
        return {} if self.number else words_of(np.unique(self.drawn.targets).tolist())

    @property
    def classes(self) -> tuple[str, ...]:
        """What the classes are called."""
        return tuple(self.labels)

    @stage
    def told(self) -> str:
        """The class that is separated from the others, "" of numbers; Refusal where one of the two sides has no bag."""
        if self.number:
            return ""
        if len(self.classes) < 2:
            raise Refusal(
                f"all bags are of the class {join_list(self.classes)}; a classifier needs bags of another class, too."
            )
        if self.lab.label and self.lab.label not in self.classes:
            raise Refusal(f"there is no class '{truncate(self.lab.label)}' here; there are {join_list(self.classes)}.")
        return self.lab.label or self.classes[-1]

    @stage
    def mean(self) -> float:
        """What is taken off numbers before they are learnt, as the regression has no intercept; 0 of classes."""
        return float(self.drawn.targets.mean()) if self.number else 0.0

    @stage
    def y(self) -> Vector:
        """What is learnt, (l,): numbers less their mean, or 1 for the class that is told and -1 for the others."""
        return self.taught(self.drawn.targets)

    def taught(self, targets: Labels) -> Vector:
        """Targets as the learner is taught them."""
        if self.number:
            return targets - self.mean
        return np.where(targets == self.labels[self.told], 1.0, -1.0)

    @stage
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the coordinates."""
        return coordinates(2) if self.lab.toy else self.lab.the_points().quantities

    @stage
    def coordinates(self) -> tuple[int, ...]:
        """Which one or two coordinates are drawn: of one's own table those by which the sides differ most."""
        names = [each.name for each in self.quantities]
        if self.lab.source in USUAL:
            return tuple(names.index(name) for name in USUAL[self.lab.source])
        if self.lab.toy:
            return 0, 1
        X, labels = (points := self.lab.the_points()).X, np.asarray(points.target)
        told = labels > np.median(labels) if self.number else labels == self.labels[self.told]
        return tuple(most_different(X[told], X[~told])[:2])

    # kernels and the learner

    @stage
    def median(self) -> tuple[float, str]:
        """The median distance of some points of every bag, and a remark where it is not plainly that."""
        each = max(2, POOLED // len(self.drawn.bags))
        return median_and_remark(np.concatenate([bag[:each] for bag in self.drawn.bags]))

    @stage
    def kernel(self) -> Gaussian:
        """The Gaussian kernel, its bandwidth counted in medians."""
        return Gaussian(self.lab.bandwidth * self.median[0])

    @stage
    def apart(self) -> Distances:
        """The Distances between the kernel means of the bags."""
        return distances_of(self.drawn.bags, self.kernel, ESTIMATORS[self.lab.estimator]())

    @stage
    def level_two(self) -> tuple[LevelTwo, str]:
        """The kernel of kernel means, its scale the median distance, and a remark where it is not plainly that."""
        return self.scaled(self.apart)

    @stage
    def plain_level_two(self) -> tuple[LevelTwo, str] | None:
        """That of the plain averages; None where the lab's estimates are these."""
        if self.lab.estimator == "KME":
            return None
        return self.scaled(distances_of(self.drawn.bags, self.kernel, ESTIMATORS["KME"]()))

    def scaled(self, apart: Distances) -> tuple[LevelTwo, str]:
        """The kernel of kernel means with the scale of some Distances, and a remark."""
        return LevelTwo(self.lab.level_two).chosen_and_remark(apart.among())

    @stage
    def machine(self) -> Machine:
        """The fitted learner."""
        return self.learner(self.lab.estimator).fit(self.drawn.bags, self.y)

    def learner(self, estimator: str) -> Machine:
        """The learner, with the kernel means of an estimator: the lab's own, or KME."""
        plain = None if estimator == self.lab.estimator else self.plain_level_two
        level_two, _ = plain or self.level_two
        means = ESTIMATORS[estimator]()
        if self.number:
            return DistributionRegression(self.kernel, level_two, self.lab.lam, means)
        if self.detects:
            return OneClassSMM(self.kernel, level_two, self.lab.nu, means)
        return SupportMeasureMachine(self.kernel, level_two, self.lab.C, means)

    def asked(self, machine: Machine, bags: BagsLike) -> Vector:
        """The learner's values of bags, (m,)."""
        if isinstance(machine, DistributionRegression):
            return machine.predict(bags)
        return machine.decision_function(bags)

    @stage
    def values(self) -> Vector:
        """The learner's values of its training bags, (l,)."""
        return self.asked(self.machine, self.drawn.bags) + self.mean

    # the bag that is stretched

    @stage
    def spreads(self) -> Vector:
        """The root of the mean variance of each bag's coordinates, (l,), over the median of them."""
        own = np.array([np.sqrt(bag.var(axis=0).mean()) for bag in self.drawn.bags])
        return own / (float(np.median(own)) or 1.0)

    @stage
    def chosen(self) -> int:
        """The row of the bag that is stretched."""
        count = len(self.drawn.bags)
        if self.lab.bag > count:
            raise Refusal(f"there is no bag {self.lab.bag} to stretch; choose one of {count}.")
        return self.lab.bag - 1

    @stage
    def stretched(self) -> Values:
        """Its points at every stop, (stops, n, d): the mean stays where it is."""
        bag, own = self.drawn.bags[self.chosen], self.spreads[self.chosen]
        factors = np.array(self.stops) / own if own > FLAT else np.ones(len(self.stops))
        return bag.mean(axis=0) + factors[:, None, None] * (bag - bag.mean(axis=0))

    @stage
    def curve(self) -> Vector:
        """The learner's value of it at every stop, (stops,)."""
        return self.by_stop(lambda points: self.asked(self.machine, points)) + self.mean

    @stage
    def true_curve(self) -> Vector | None:
        """What it would have to be, (stops,), of the entropy of a known Gaussian; None else."""
        if not (self.number and self.lab.toy):
            return None
        factors = np.array(self.stops) / self.spreads[self.chosen]
        return self.drawn.targets[self.chosen] + 2 * np.log(factors)

    @stage
    def space(self) -> Space:
        """The Space."""
        return space_of(self.apart, self.y, self.kernel, ESTIMATORS[self.lab.estimator](), self.by_stop)

    def by_stop(self, compute: Callable[..., Any]) -> Values:
        """What `compute` makes of the stretched bag at every stop.

        Apart for a typed spread, so that a row more changes no last bit of the others.
        """
        if self.lab.extra_stop is None:
            return compute(self.stretched)
        at = self.stops.index(self.lab.extra_stop)
        others = compute(np.delete(self.stretched, at, axis=0))
        return np.insert(others, at, compute(self.stretched[at : at + 1])[0], axis=0)

    # how good it is

    @stage
    def new(self) -> Bags | None:
        """The new Bags of known distributions; None of a table."""
        return self.lab.the_bags(held=True) if self.lab.toy else None

    @stage
    def held(self) -> Held:
        """The Held: new bags of known distributions, else each bag left out in turn."""
        return self.tried(self.lab.estimator, self.machine)

    @stage
    def held_plain(self) -> Held | None:
        """The Held of the plain averages; None where the lab's estimates are these."""
        return None if self.lab.estimator == "KME" else self.tried("KME")

    def tried(self, estimator: str, machine: Machine | None = None) -> Held:
        """The Held of an estimator; `machine`, where it is fitted already."""
        new = self.new
        if new is None:
            learner = self.learner(estimator)
            if isinstance(learner, OneClassSMM):  # which looks at no class
                return Held(self.asked(machine or learner.fit(self.drawn.bags), self.drawn.bags), self.y)
            return Held(learner.left_out(self.drawn.bags, self.y) + self.mean, self.y + self.mean)
        machine = machine or self.learner(estimator).fit(self.drawn.bags, self.y)
        return Held(self.asked(machine, new.bags) + self.mean, self.taught(new.targets) + self.mean)

    def share_of(self, held: Held) -> float:
        """The share of bags on the right side."""
        return float(np.mean((held.values >= 0) == (held.targets > 0)))

    def score_of(self, held: Held) -> float | None:
        """The share of bags on the right side, or R² of numbers; None where these do not vary."""
        if not self.number:
            return self.share_of(held)
        variance = float(held.targets.var())
        return 1 - float(np.mean((held.values - held.targets) ** 2)) / variance if variance > 0 else None

    @deferred(lambda result: result.lab.picture == "size")
    def sizes(self) -> Steps[Sizes]:
        """The Sizes: what every estimator of a bag's kernel mean errs by, over the points in a bag."""
        return sizes_of(self.drawn.laws, self.kernel, self.lab.n, self.lab.seed)

    @for_picture("outputs")
    def outputs(self) -> Outputs:
        """The Outputs: two numbers of each bag, learnt at once."""
        drawn, new = self.drawn, self.new
        learner = DistributionRegression(self.kernel, self.level_two[0], self.lab.lam, ESTIMATORS[self.lab.estimator]())
        return outputs_of(learner, drawn, new, self.coordinates[0], self.by_stop)

    # what pages and tables read

    @property
    def detects(self) -> bool:
        """Whether odd bags are looked for, and no class is learnt."""
        return self.lab.learner == "detector" and not self.number

    @property
    def verdicts(self) -> tuple[str, str]:
        """What a bag of a value above 0 is called, and another one."""
        return ("inside", "outside") if self.detects else self.sides

    @property
    def role(self) -> str:
        """The role whose colour the estimate has."""
        return ROLES[self.lab.estimator]

    @property
    def drawn_quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the one or two coordinates that are drawn."""
        return tuple(self.quantities[j] for j in self.coordinates)

    @property
    def frame(self) -> tuple[float, float, float]:
        """Centre and half side of the square that holds most of the points of all bags."""
        drawn = list(self.coordinates)
        return square_about(*most_of(np.concatenate([bag[:, drawn] for bag in self.drawn.bags])))

    @property
    def sides(self) -> tuple[str, str]:
        """What the class that is asked for is called, and the others together."""
        rest = [name for name in self.classes if name != self.told]
        told, other = (self.in_words(name) for name in (self.told, *rest[:1]))
        return told, other if len(rest) == 1 else "another class" if told != self.told else f"not {told}"

    def in_words(self, name: str) -> str:
        """What a class is called in a sentence: a number with the name of its column, if it has one."""
        of = f"{short_name(self.lab.label_column)} =" if self.own else "class"
        return f"{of} {short_name(name)}" if name[:1].isdigit() else short_name(name)

    @property
    def own(self) -> bool:
        """Whether the bags are of one's own table."""
        return self.lab.source == "file"

    @property
    def whole(self) -> bool:
        """Whether all rows of all bags of a table are there, so that another seed draws no others."""
        if self.lab.toy or self.lab.cuts:
            return False
        bags = len(np.unique(self.lab.the_table().points.target))
        return len(self.drawn.bags) == bags and sum(map(len, self.drawn.bags)) == self.lab.own.n

    @property
    def crossings(self) -> tuple[float, ...]:
        """The spreads at which the stretched bag changes sides; none of numbers."""
        if self.number:
            return ()
        x, f = np.log(self.stops), self.curve
        before = np.flatnonzero(np.diff(np.sign(f)) != 0)
        return tuple(float(np.exp(x[i] - f[i] * (x[i + 1] - x[i]) / (f[i + 1] - f[i]))) for i in before)

    @property
    def boundary(self) -> float | None:
        """The least spread at which the stretched bag changes sides; None of numbers, and where it never does."""
        return next(iter(self.crossings), None)

    @property
    def right(self) -> Mask:
        """Which of the bags the classifier puts on the right side, or a detector inside, (l,); of numbers all."""
        if self.detects:
            return self.values >= -ROUNDING
        return np.ones(len(self.y), bool) if self.number else (self.values >= 0) == (self.y > 0)

    def saved(self, count: int | None = None, name: str | None = None) -> float | None:
        """By how much an estimator's squared error is below the plain average's at a size; None while unknown."""
        name = name or (self.lab.estimator if self.lab.estimator != "KME" else "S-KMSE")
        if self.sizes is None or (count or self.lab.n) not in self.sizes.counts:
            return None
        return 1 - float(self.sizes.ratios[name][np.flatnonzero(self.sizes.counts == (count or self.lab.n))[0]])

    # what states are compared by, and what presets promise

    share: measure[float | None] = measure(
        "share of new bags classified correctly", compute=lambda r: None if r.number else r.score_of(r.held)
    )
    r2: measure[float | None] = measure("R² of new bags", compute=lambda r: r.score_of(r.held) if r.number else None)
    value: measure[float] = measure("value of the stretched bag", compute=lambda r: float(r.curve[r.row]))
    border: measure[float | None] = measure("spread at the boundary", compute=lambda r: r.boundary)
    own_distance: measure[float] = measure(
        "RKHS distance of the stretched bag to itself",
        compute=lambda r: float(r.space.stretched[r.row, r.chosen]),
    )

    effect_share: effect[float | None] = effect("the share classified correctly", compute=lambda r: r.share)
    effect_r2: effect[float | None] = effect("the share of the variance", compute=lambda r: r.r2)
    effect_saved: effect[float | None] = effect("the error that is saved", compute=lambda r: r.saved())

    outputs_mean: measure[float | None] = measure(
        "R² of the mean, two outputs", compute=lambda r: r.outputs and float(r.outputs.r2[0])
    )
    outputs_spread: measure[float | None] = measure(
        "R² of the spread, two outputs", compute=lambda r: r.outputs and float(r.outputs.r2[1])
    )
    effect_least: effect[float | None] = effect(
        "the share of the variance, of the harder output", compute=lambda r: r.outputs and float(min(r.outputs.r2))
    )
    effect_found: effect[float | None] = effect(
        "the share of odd bags found", compute=lambda r: float(np.mean(~r.right[r.y < 0])) if r.detects else None
    )

    @effect("what shrinking adds to the share")
    def effect_gain(self) -> float | None:
        """How much larger the share on the right side is than with plain averages."""
        if self.held_plain is None or self.number:
            return None
        return self.share_of(self.held) - self.share_of(self.held_plain)
