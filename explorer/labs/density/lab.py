"""The Density lab's state: a sample, a kernel, an estimate of the kernel mean, and the mixture that is to match it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture, StudentT
from explorer.estimators import FKMSE, KME, MKME, MMKME, SKMSE
from explorer.parameters import Choice, LogNumber, Text, Whole
from explorer.types import Matrix
from explorer.workbench import derived, menu_models
from explorer.workbench.fields import df_field, picture_field, seed_field, size_field, tables
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.plane_lab import FirstColumns
from explorer.workbench.steps import WHOLE_STEPS
from explorer.workbench.user_points import moved_points

from .cost import works

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet
    from explorer.estimators.base import Estimator
    from explorer.workbench.cost import CostItem


LAWS = ("mixture", "student")
ESTIMATORS: dict[str, type[Estimator]] = {"KME": KME, "S-KMSE": SKMSE, "F-KMSE": FKMSE, "MKME": MKME, "MMKME": MMKME}
ROLES = {"KME": "kme", "S-KMSE": "skmse", "F-KMSE": "fkmse", "MKME": "mkme", "MMKME": "mmkme"}  # of their curves
LAST = 100  # steps of a fit, unless more are asked for
STEPS = [step for step in WHOLE_STEPS if step <= LAST]
STARTS = 10  # runs of k-means
LEAST, LEFT = 5, 10  # points at least, and rows of a table that are left to score a density on
K_MEANS, BY_HAND = "k-means", "by hand"  # where a fit begins
OWN, OWN_ROLE = "your estimator", "robust"  # the curve of an estimator of one's own, whose name the lab knows
FROM_K_MEANS = "from k-means"  # what a fit is called that is beside one that begins by hand
# the fields that name a sample and how many blobs it has: what the hand did speaks of these
SAMPLE = ("source", "n", "d", "df", "blobs", "law_seed", "seed", "hash", "columns", "missing", "standardise")


@menu_models.takes_models(estimators={"estimator": menu_models.as_it_is})
class DensityLab(FirstColumns):
    """A sample in one or two dimensions, an estimate of its kernel mean, and m spherical Gaussians near to that.

    The fit begins at k-means and goes on for LAST steps, or for as many as `iteration` says; a fit that ends earlier
    stays at its end. Blobs moved by hand are shown beside that fit or, where it is to `begin` by hand, are its start:
    centres as the hand has put them, weights and widths of k-means. The bandwidth counts in medians, and ε in the
    estimated error of the plain average.
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
    d: int = Whole(
        2, bounds=(1, 2), softbounds=(1, 2), step=1, symbol="d", doc="coordinates of a point", label="d coordinates"
    )
    df: float = df_field()
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
            raise Refusal(f"{self.blobs} components need as many points, and n is {self.n}; take fewer components.")

    def the_estimator(self, name: str | None = None) -> Estimator:
        """What is matched, or the estimator of a name; a Refusal where it has no such parameters."""
        name = name or self.estimator
        return ESTIMATORS[name]() if name in ESTIMATORS else menu_models.estimators()[name].of(self)

    @derived
    def compared(self) -> tuple[str, ...]:
        """The names of the estimators whose fits are compared: those of every menu, and one's own that is chosen."""
        return tuple(dict.fromkeys((*ESTIMATORS, self.estimator)))

    @property
    def cost(self) -> list[CostItem]:
        """What a result takes, a Work each, from the fields alone."""
        return works(self)

    def fitting(self) -> dict[str, Any]:
        """No more points than one's own table can spare, and no more coordinates than it has."""
        n = max(LEAST, min(self.n, self.own.n - LEFT))
        return {"n": n, "d": min(self.d, self.own.d), "blobs": min(self.blobs, n)}

    @derived
    def placed(self) -> str:
        """The blobs that were moved by hand, a text as `moved` is; those that the mixture does not have wait."""
        return self.moved if any(blob < self.blobs for blob in moved_points(self.moved)) else ""

    @derived
    def start_moved(self) -> str:
        """The blobs of the start that the hand has put elsewhere, a text; empty where the fit begins at k-means."""
        return self.placed if self.begin == BY_HAND else ""

    @derived
    def shown_moved(self) -> str:
        """The blobs that are shown where the hand has put them, whatever the fit does, a text."""
        return self.placed if self.begin == K_MEANS else ""

    @derived
    def judges(self) -> bool:
        """Whether the mixture itself is what the page is about, and so what the KSD test judges."""
        return self.picture != "entropy"

    @derived
    def reach(self) -> int:
        """How many steps a fit goes at most."""
        return max(LAST, self.iteration)

    def the_law(self) -> Any:
        """The true distribution, None for a table: the papers' mixture of four Gaussians, or Student's t."""
        if self.source == "student":
            return StudentT(self.df, [0.0] * self.d, 1.0)
        return GaussianMixture.random(self.d, self.law_seed) if self.source == "mixture" else None

    def the_rows(self, table: DataSet) -> Matrix:
        """All rows of a table in the seed's order, (rows, d): the first n are the sample, the others are held out."""
        if self.n > table.n - LEFT:
            most = table.n - LEFT
            way = f"take n of at most {most}" if most >= LEAST else "a density needs a longer table"
            raise Refusal(
                f"n = {self.n} leaves fewer than {LEFT} of the {table.n} rows of {table.name} to score the density on;"
                f" {way}."
            )
        return self.in_order(table)
