"""State of the Fit lab: a sample, a model that the user moves over it, and the kernel of the tests of the fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture, StudentT
from explorer.kernels import Gaussian, InverseMultiquadric
from explorer.parameters import Choice, LogNumber, Real, Text, Whole
from explorer.types import Matrix
from explorer.workbench import derived
from explorer.workbench.fields import (
    TestsAtLevel,
    df_field,
    dimension_field,
    level_field,
    picture_field,
    seed_field,
    size_field,
    tables,
)
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.plane_lab import FirstColumns
from explorer.workbench.samples import Gaussians
from explorer.workbench.slider_stops import log_steps
from explorer.workbench.user_points import FAR, finite, moved_points, read

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet
    from explorer.kernels.base import Kernel


KERNELS: dict[str, Kernel] = {"RBF": Gaussian(), "IMQ": InverseMultiquadric()}
BANDWIDTHS = log_steps(0.1, 10)
LEAST, MOST = 5, 10  # the fewest points, and the most components of a model
START = (0.8, 0.4)  # the centre of a model with one component before the user moves it
LIKE = "[[0.5, 1, -2, 0], [0.5, 1, 2, 0]], a weight, a standard deviation and a centre for each component"


def components(text: str) -> tuple[tuple[float, ...], ...]:
    """Parse the components in the text of a link: ((weight, standard deviation, *centre), ...).

    Raises
    ------
    Refusal
        If the text is not such a list.
    """
    try:
        rows = tuple(tuple(map(finite, row)) for row in read(text, ()))
        good = len(rows) <= MOST and all(len(row) in (3, 4) and len(row) == len(rows[0]) for row in rows)
        good = good and all(row[0] >= 0 and row[1] > 0 and max(map(abs, row)) <= FAR for row in rows)
        good = good and (not rows or abs(math.fsum(row[0] for row in rows) - 1) < 1e-6)
    except (TypeError, ValueError, OverflowError):
        rows, good = (), False
    if not good:
        raise Refusal(
            f"given must be like {LIKE}: at most {MOST} of them, weights that sum to 1, numbers up to {FAR:g}; it is"
            f" {text[:60]!r}."
        )
    return rows


class FitLab(TestsAtLevel, FirstColumns):
    """n points on a line or in the plane, a model whose components the user moves, and tests of the fit.

    The bandwidth is in medians of the sample's distances. `width` multiplies the standard deviations of the model's
    components. A model of the family "fitted" is fitted to the points that are tested, or to n other points.
    """

    slider = "bandwidth"
    default_stops: ClassVar[Sequence[float]] = BANDWIDTHS
    aside: ClassVar[tuple[str, ...]] = ("picture",)
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {"moved": ("family", "blobs", "d", "given"), "width": ("family",)}
    source: str = Choice(
        default="gaussian",
        objects={
            "one Gaussian": "gaussian",
            "two groups": "two",
            "Student's t": "student",
            "mixture of four": "mixture",
            **tables("your table"),
        },
        doc="what the points are drawn from",
        label="points from",
    )
    n: int = size_field(150, 1000, "points that are tested", least=LEAST)
    d: int = dimension_field(most=2, step=1)
    df: float = df_field()
    apart: float = LogNumber(
        4.0,
        bounds=(0, 1e3),
        inclusive_bounds=(False, True),
        softbounds=(1, 20),
        symbol="distance",
        doc="distance of the two groups, in standard deviations of either",
        label="distance of the groups",
    )
    share: float = Real(
        0.5,
        bounds=(0, 1),
        softbounds=(0, 1),
        step=0.05,
        symbol="share",
        doc="share of the left group in the distribution of the points",
        label="share of the left group",
    )
    family: str = Choice(
        default="gaussian",
        objects={
            "Gaussian": "gaussian",
            "two Gaussians": "two",
            "Student's t": "student",
            "Gaussians fitted to points": "fitted",
            "mixture from a link": "given",
        },
        doc="the model",
        label="model",
    )
    width: float = LogNumber(
        1.0,
        bounds=(1e-3, 1e3),
        softbounds=(0.25, 4),
        symbol="width",
        unit="×",
        doc="factor of the standard deviations of the model's components",
        label="width of the model ×",
    )
    moved: str = Text(
        default="", doc="components moved by hand, a JSON map from a component to the place of its centre"
    )
    blobs: int = Whole(
        1, bounds=(1, 6), softbounds=(1, 6), step=1, symbol="m", doc="Gaussians that are fitted", label="m components"
    )
    fitted_on: str = Choice(
        default="same",
        objects={"the same points": "same", "other points": "other"},
        doc="the points that the model is fitted to: the tested ones, or as many others",
        label="fitted to",
    )
    given: str = Text(default="", doc="the components of the model from a link, a JSON list")
    kernel: str = Choice(
        default="RBF",
        objects={"RBF (Gaussian)": "RBF", "inverse multiquadric": "IMQ"},
        doc="kernel: how fast the similarity of two points falls with their distance",
        label="kernel",
    )
    bandwidth: float = bandwidth_field(1.0, softbounds=(0.1, 10))
    level: str = level_field("tests: how often they may reject a model that fits")
    seed: int = seed_field(2, "seed of the points and of the tests")
    picture: str = picture_field("bandwidths", "tests", bandwidths="all bandwidths", tests="four tests")
    law_seed: int = seed_field(51, "seed of the mixture's means and covariances", symbol="distribution")

    def _check(self):
        moved_points(self.moved)
        rows = components(self.given)
        if self.family == "given":
            if not rows:
                raise Refusal(f"A mixture from a link needs its components: given must be like {LIKE}.")
            if len(rows[0]) != 2 + self.d:
                raise Refusal(f"The mixture of this link has {len(rows[0]) - 2} coordinates, and d is {self.d}.")
        if self.family == "fitted" and self.blobs > self.n:
            raise Refusal(f"{self.blobs} components need as many points, and n is {self.n}; take fewer components.")

    @derived
    def beside(self) -> int:
        """The number of additional points to which the model is fitted. They are not tested."""
        return self.n if self.family == "fitted" and self.fitted_on == "other" else 0

    @derived
    def biased(self) -> bool:
        """True if the model is fitted to the tested points, so that p is too large."""
        return self.family == "fitted" and self.fitted_on == "same"

    def fitting(self) -> dict[str, Any]:
        """Return the fields that fit the user's table: at most its points and columns, and a model fitted to it."""
        n = min(self.n, self.own.n // 2 if self.fitted_on == "other" else self.own.n)
        return {"n": max(LEAST, n), "d": min(self.d, self.own.d), "family": "fitted"}

    def the_rows(self, table: DataSet) -> Matrix:
        """Return a table's rows in the seed's order: the tested ones, then those to which the model is fitted."""
        rows = self.in_order(table)
        if self.n + self.beside > len(rows):
            most = table.n // 2 if self.beside else table.n
            beside = "and as many others that the model is fitted to " if self.beside else ""
            advice = f"take n of at most {most}" if most >= LEAST else "use a longer table"
            raise Refusal(
                f"{table.name} has {table.n} rows, fewer than the {self.n} that are tested {beside}need; {advice}."
            )
        return rows

    def the_law(self) -> Gaussians | None:
        """Return the distribution of the points, or None for a table."""
        d, middle = self.d, [0.0] * self.d
        if self.source == "mixture":
            return GaussianMixture.random(d, self.law_seed)
        if self.source == "student":
            return StudentT(self.df, middle, 1.0)
        if self.source == "two":
            parts = zip((self.share, 1 - self.share), self.sides, strict=True)
            weights, centres = zip(*[part for part in parts if part[0] > 0], strict=True)
            return GaussianMixture(weights, centres, np.eye(d))
        return GaussianMixture([1.0], [middle], np.eye(d)) if self.source == "gaussian" else None

    @property
    def sides(self) -> list[list[float]]:
        """The centres of two groups."""
        return [[x, 0.0][: self.d] for x in (-self.apart / 2, self.apart / 2)]

    def the_model(self) -> Gaussians | None:
        """Return the model before the user moves it, or None for a fitted one."""
        d = self.d
        if self.family == "two":
            return GaussianMixture([0.5, 0.5], self.sides, np.eye(d))
        if self.family == "student":
            return StudentT(self.df, list(START[:d]), 1.0)
        if self.family == "gaussian":
            return GaussianMixture([1.0], [START[:d]], np.eye(d))
        if self.family == "given":
            weights, deviations, *centres = np.array(components(self.given)).T
            covariances = deviations[:, None, None] ** 2 * np.eye(d)
            return GaussianMixture(weights / weights.sum(), np.column_stack(centres), covariances)
        return None
