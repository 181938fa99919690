"""State of the distributions lab: bags, the kernels of points and of bags, and the bag that is stretched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import BAGS, DataSet, cut_bags, table_bags, toy_bags
from explorer.estimators import FKMSE, KME, MKME, SKMSE
from explorer.learning import DistributionRegression, OneClassSMM, SupportMeasureMachine
from explorer.learning.bags.level_two import KINDS
from explorer.parameters import Choice, LogNumber, Text, Whole
from explorer.types import Labels
from explorer.workbench import copied, derived
from explorer.workbench.conditions import having
from explorer.workbench.fields import BUNDLED, UserTable, absent, picture_field, seed_field, size_field, tables
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.seeds import distant_seed

if TYPE_CHECKING:
    from explorer.datasets.bags import Bags
    from explorer.estimators.base import Estimator
    from explorer.learning.bags.level_two import Kind


ESTIMATORS: dict[str, type[Estimator]] = {"KME": KME, "S-KMSE": SKMSE, "F-KMSE": FKMSE, "MKME": MKME}
ROLES = {"KME": "kme", "S-KMSE": "skmse", "F-KMSE": "fkmse", "MKME": "mkme"}  # colour roles of the estimators' curves
SPREADS = [float(f"{2 ** (k / 6):.3g}") for k in range(-9, 10)]  # six stops per doubling of the spread
# the coordinates that are drawn
USUAL = {"wine": ("flavanoids", "color_intensity"), "wdbc": ("mean_radius", "mean_compactness")}
FLAT = 1e-9  # relative spread of a bag of equal points, due to rounding; such a bag cannot be stretched
TOLD = 5  # whole numbers with at most this many different values are classes
AWAY = 10**9  # offset from the seed of the bags to the seed of the new ones
# number of new bags: HELD, or fewer (at least FEWEST) if they make more than PAIRS pairs of points
HELD, FEWEST, PAIRS = 100, 20, 2e7


class DistributionsLab(UserTable):
    """Bags of points with a class or a number each, a classifier or regression of bags, and one stretched bag.

    The bandwidth is in units of the points' median distance. The spread of a bag is the root of the mean variance of
    its coordinates, in units of the bags' median spread. If there are more than two classes, one is separated from the
    others.
    """

    slider = "spread"
    default_stops: ClassVar[Sequence[float]] = SPREADS
    aside: ClassVar[tuple[str, ...]] = ("picture",)
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(
        ("bag", "label"), ("source", "hash", "bag_column", "label_column", "columns", "missing")
    )
    picture: str = picture_field("map", "distances", "size", "outputs", size="bag size", outputs="two outputs")
    source: str = Choice(
        default="spread",
        objects={
            "narrow and wide": "spread",
            "blobs and rings": "ring",
            "falling and rising": "turn",
            "entropies": "entropy",
            "a few odd ones": "odd",
            "one point that counts": "one",
            **tables("your bags"),
        },
        doc="what the bags are drawn from",
        label="bags of",
    )
    n: int = size_field(20, 500, "points in a bag", label="n points in a bag")
    bags: int = Whole(24, bounds=(4, 100), softbounds=(6, 60), symbol="bags", doc="training bags", label="bags")
    difference: float = LogNumber(
        0.5,
        bounds=(1e-3, 100),
        softbounds=(0.1, 5),
        symbol="difference",
        doc="how much the distributions differ",
        label="difference of the classes",
        when=having(toy=True),
    )
    spread: float = LogNumber(
        1.0,
        bounds=(1e-3, 1e3),
        softbounds=(SPREADS[0], SPREADS[-1]),
        unit="× median spread",
        symbol="spread",
        doc="the spread to which the bag is stretched about its mean",
        label="spread × median",
        when=lambda result: result.spreads[result.chosen] > FLAT,
    )
    bag: int = Whole(
        1,
        bounds=(1, 100),
        softbounds=(1, 24),
        symbol="bag",
        doc="the stretched bag, counted from 1",
        label="stretched bag",
    )
    bandwidth: float = bandwidth_field(1.0)
    level_two: Kind = Choice(
        default="gaussian", objects=list(KINDS), doc="the kernel between kernel means", label="kernel of bags"
    )
    estimator: str = Choice(
        default="KME", objects=list(ESTIMATORS), doc="the estimate of a bag's kernel mean", label="kernel mean"
    )
    learner: str = Choice(
        default="classifier",
        objects={"classifier": "classifier", "detector of odd bags": "detector"},
        doc="whether to learn classes or to find bags that differ from the others",
        label="learner",
        when=lambda result: not result.number,
    )
    nu: float = copied(OneClassSMM, "nu", step=0.01, label="ν, share outside at most")
    C: float = copied(
        SupportMeasureMachine,
        "C",
        default=10.0,
        bounds=(1e-6, 1e6),
        label="C, cost of an error",
        when=lambda result: not (result.number or result.detects),
    )
    lam: float | None = copied(
        DistributionRegression,
        "lam",
        label="λ of the regression",
        when=lambda result: result.number or result.outputs is not None,
    )
    label: str = Text(default="", doc="the class that is separated from the others; empty is the last one")
    seed: int = seed_field(1, "seed of the bags", when=lambda result: not result.whole)
    bag_column: str = Text(
        default="", doc="the column of your own table that names each row's bag; empty cuts bags from classes"
    )
    label_column: str = Text(default="", doc="the column of your own table that has each bag's class or number")

    def _check(self):
        if self.source in BAGS and self.bag > self.bags:
            raise Refusal("there is no bag {} to stretch; choose one of {}.", self.bag, self.bags)

    def fitting(self) -> dict[str, Any]:
        """Return no limits: the number of bags and of points per bag comes from the user's table itself."""
        return {}

    def the_table(self) -> Any:
        """Return the bundled table, the user's BagTable or, if bags are cut from classes, the user's DataSet."""
        if self.source in BUNDLED:
            return UserTable.the_table(
                self
            )  # super() fails here, because a stage calls this with a stand-in for the lab.
        if self.own is None or self.own.hash != self.named[0] or isinstance(self.own, DataSet) != self.cuts:
            raise absent(self)
        return self.own

    @derived
    def cuts(self) -> bool:
        """Return whether bags are cut from the rows of a table's classes."""
        return self.source in BUNDLED or (self.source == "file" and not self.bag_column)

    @property
    def new_bags(self) -> int:
        """Number of new bags on which a classifier is tested."""
        return int(min(HELD, max(FEWEST, PAIRS / (self.bags * self.n**2))))

    def the_bags(self, held: bool = False) -> Bags:
        """Return the training Bags, or new ones of known distributions if `held` is true."""
        if self.source in BAGS:
            seed, count = (distant_seed(self.seed, AWAY), self.new_bags) if held else (self.seed, self.bags)
            return toy_bags(self.source, count, self.n, self.difference, seed)
        cut = cut_bags if self.cuts else table_bags
        return cut(self.the_table(), self.bags, self.n, self.seed)

    def the_points(self) -> DataSet:
        """Return all points of a table as a DataSet whose target is the label of each point's bag."""
        table = self.the_table()
        return table if isinstance(table, DataSet) else replace(table.points, target=table.labels)


def is_number(targets: Labels) -> bool:
    """Return whether targets are numbers to learn. Strings, and few different whole numbers, are classes."""
    if targets.dtype.kind in "US":
        return False
    return bool((targets != np.round(targets)).any() or len(np.unique(targets)) > TOLD)
