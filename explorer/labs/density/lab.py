"""State of the density lab: a sample, a kernel, an estimate of the kernel mean, and the mixture fitted to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from explorer.checks import Refusal
from explorer.estimators import FKMSE, KME, MKME, MMKME, SKMSE
from explorer.parameters import Choice, LogNumber, Text, Whole
from explorer.types import Matrix
from explorer.workbench import derived, menu_models
from explorer.workbench.conditions import having
from explorer.workbench.fields import df_field, dimension_field, picture_field, seed_field, size_field, tables
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.plane_lab import FirstColumns
from explorer.workbench.samples import law_of
from explorer.workbench.slider_stops import WHOLE_STEPS
from explorer.workbench.user_points import moved_points

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet
    from explorer.estimators.base import Estimator


LAWS = ("mixture", "student")
ESTIMATORS: dict[str, type[Estimator]] = {"KME": KME, "S-KMSE": SKMSE, "F-KMSE": FKMSE, "MKME": MKME, "MMKME": MMKME}
# colour roles of the estimators' curves
ROLES = {"KME": "kme", "S-KMSE": "skmse", "F-KMSE": "fkmse", "MKME": "mkme", "MMKME": "mmkme"}
LAST = 100  # steps of a fit by default
STEPS = [step for step in WHOLE_STEPS if step <= LAST]
STARTS = 10  # runs of k-means
LEAST, LEFT = 5, 10  # a sample has at least LEAST points, and at least LEFT rows of a table are held out
K_MEANS, BY_HAND = "k-means", "by hand"  # values of `begin`: the start of the fit
# label and colour role of a user's estimator; its own name comes from the lab
OWN, OWN_ROLE = "your estimator", "robust"
FROM_K_MEANS = "from k-means"  # label of the fit from k-means next to a fit from the user's centres
# Centres moved by the user are forgotten if one of these fields changes: together they identify the sample and the
# components.
SAMPLE = ("source", "n", "d", "df", "blobs", "law_seed", "seed", "hash", "columns", "missing", "standardise")


@menu_models.takes_models(estimators={"estimator": menu_models.as_it_is})
class DensityLab(FirstColumns):
    """A sample in one or two dimensions, an estimate of its kernel mean, and a mixture of m spherical Gaussians.

    The mixture is fitted to the estimate. The fit starts at k-means and takes LAST steps, or `iteration` steps if that
    is more. A fit that converges earlier stays at its end. If `begin` is "k-means", components moved by the user are
    shown together with that fit. If it is "by hand", they are its start: the centres are the user's, the weights and
    widths those of k-means. The bandwidth is in units of the median distance, and ε in units of the plain average's
    estimated error.
    """

    slider = "iteration"
    default_stops: ClassVar[Sequence[float]] = STEPS
    aside: ClassVar[tuple[str, ...]] = ("picture",)
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {"moved": SAMPLE, "begin": SAMPLE}
    source: str = Choice(
        default="mixture",
        objects={"mixture of four": "mixture", "Student's t": "student", **tables("your table")},
        doc="what the sample is drawn from",
        label="sample of",
    )
    n: int = size_field(60, 1000, "points in the sample", least=LEAST)
    d: int = dimension_field(most=2, step=1)
    df: float = df_field(when=having(source="student"))
    bandwidth: float = bandwidth_field(0.5)
    estimator: str = Choice(
        default="KME",
        objects=list(ESTIMATORS),
        doc="the estimate that the mixture is to match",
        label="estimate to match",
    )
    blobs: int = Whole(
        4, bounds=(1, 10), softbounds=(1, 10), step=1, symbol="m", doc="components of the mixture", label="m components"
    )
    iteration: int = Whole(
        LAST,
        bounds=(0, 2000),
        softbounds=(0, LAST),
        symbol="iteration",
        doc="steps of the fit; 0 is its start",
        label="steps of the fit",
    )
    moved: str = Text(
        default="", doc="components moved by hand, a JSON map from a component to the place of its centre"
    )
    begin: str = Choice(default=K_MEANS, objects=[K_MEANS, BY_HAND], doc="where the fit begins")
    eps: float = LogNumber(
        1.0,
        bounds=(0, 1e3),
        inclusive_bounds=(False, True),
        softbounds=(0.25, 8),
        unit="× error of μ̂",
        symbol="ε",
        doc="how far the kernel mean of the maximum-entropy density may lie from the estimate",
        label="ε, in errors of μ̂",
    )
    seed: int = seed_field()
    picture: str = picture_field(
        "progress", "blobs", "samples", "entropy", blobs="components", samples="20 samples", entropy="maximum entropy"
    )
    law_seed: int = seed_field(51, symbol="distribution", doc="seed of the mixture's means and covariances")

    def _check(self):
        moved_points(self.moved)
        self.the_estimator()
        if self.blobs > self.n:
            raise Refusal("{} components need as many points, and n is {}; take fewer components.", self.blobs, self.n)

    def the_estimator(self, name: str | None = None) -> Estimator:
        """Return the estimator to match, or the one with a given name.

        Raises
        ------
        Refusal
            If the estimator does not accept its parameters.
        """
        name = name or self.estimator
        return ESTIMATORS[name]() if name in ESTIMATORS else menu_models.estimators()[name].of(self)

    @derived
    def compared(self) -> tuple[str, ...]:
        """Return the names of the compared estimators: the default ones, and the user's estimator if it is selected."""
        return tuple(dict.fromkeys((*ESTIMATORS, self.estimator)))

    def fitting(self) -> dict[str, Any]:
        """Return limits of n, d and m, which depend on the numbers of rows and columns of the user's table."""
        n = max(LEAST, min(self.n, self.own.n - LEFT))
        return {"n": n, "d": min(self.d, self.own.d), "blobs": min(self.blobs, n)}

    @derived
    def placed(self) -> str:
        """Return the components moved by the user, in the format of `moved`; empty if the mixture has none of them."""
        return self.moved if any(blob < self.blobs for blob in moved_points(self.moved)) else ""

    @derived
    def start_moved(self) -> str:
        """Return the components that the user moved in the start, as a text; empty if the fit starts at k-means."""
        return self.placed if self.begin == BY_HAND else ""

    @derived
    def shown_moved(self) -> str:
        """Return the components that are displayed where the user put them, independent of the fit, as a text."""
        return self.placed if self.begin == K_MEANS else ""

    @derived
    def judges(self) -> bool:
        """Return whether the KSD test is shown: every picture except maximum entropy is about the mixture."""
        return self.picture != "entropy"

    @derived
    def reach(self) -> int:
        """Return the largest number of steps of a fit."""
        return max(LAST, self.iteration)

    def the_law(self) -> Any:
        """Return the true distribution: the papers' mixture of four Gaussians, or Student's t. None for a table."""
        return law_of(self, self.source)

    def the_rows(self, table: DataSet) -> Matrix:
        """Return a table's rows in the seed's order, (rows, d). The first n are the sample, the rest is held out."""
        if self.n > table.n - LEFT:
            most = table.n - LEFT
            way = f"take n of at most {most}" if most >= LEAST else "a density needs a longer table"
            raise Refusal(
                "n = {} leaves fewer than {} of the {} rows of {} to score the density on; {}.",
                self.n,
                LEFT,
                table.n,
                table.name,
                way,
            )
        return super().the_rows(table)
