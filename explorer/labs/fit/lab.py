"""State of the Fit lab: a sample, a model that the user moves over it, and the kernel of the tests of the fit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.kernels import Gaussian, InverseMultiquadric
from explorer.parameters import Choice, LogNumber, Real, Text, Whole
from explorer.types import Matrix
from explorer.workbench import derived
from explorer.workbench.conditions import having
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
from explorer.workbench.samples import Gaussians, law_of
from explorer.workbench.slider_stops import log_steps
from explorer.workbench.user_points import moved_points, rows_of

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet
    from explorer.kernels.base import Kernel


KERNELS: dict[str, Kernel] = {"RBF": Gaussian(), "IMQ": InverseMultiquadric()}
BANDWIDTHS = log_steps(0.1, 10)
LEAST, MOST = 5, 10  # the fewest points, and the most components of a model
START = (0.8, 0.4)  # the centre of a model with one component before the user moves it
LIKE = "[[0.5, 1, -2, 0], [0.5, 1, 2, 0]], a weight, a standard deviation and a centre for each component"


def components(text: str) -> tuple[tuple[float, ...], ...]:
    """Parse the components in the text of a link: ((weight, standard deviation, *centre), ...), or raise a Refusal."""
    like = f"{LIKE}: at most {MOST} of them, weights that sum to 1"
    return rows_of(text, "given", like, (3, 4), are_components)


def are_components(rows: tuple[tuple[float, ...], ...]) -> bool:
    """Return whether rows are components: weights that sum to 1, and positive standard deviations."""
    weights, deviations, *_ = zip(*rows, strict=True)
    return len(rows) <= MOST and min(weights) >= 0 and min(deviations) > 0 and abs(math.fsum(weights) - 1) < 1e-6


class FitLab(TestsAtLevel, FirstColumns):
    """n points on a line or in the plane, a model whose components the user moves, and tests of the fit.

    The bandwidth is in medians of the sample's distances. `width` multiplies the standard deviations of the model's
    components. A model of the family "fitted" is fitted to the points that are tested, or to n other points.
    """

    slider, default_stops, aside = "bandwidth", BANDWIDTHS, ("picture",)
    tied = {"moved": ("family", "blobs", "d", "given"), "width": ("family",)}
    source: str = Choice(
        default="gaussian", label="points from", doc="what the points are drawn from",
        objects={"one Gaussian": "gaussian", "two groups": "two", "Student's t": "student",
                 "mixture of four": "mixture", **tables("your table")},
    )  # fmt: skip
    n: int = size_field(150, 1000, "points that are tested", least=LEAST)
    d: int = dimension_field(most=2, step=1)
    df: float = df_field(when=having(source="student") | having(family="student"))
    apart: float = LogNumber(
        4.0, bounds=(0, 1e3), inclusive_bounds=(False, True), softbounds=(1, 20), symbol="distance",
        label="distance of the groups", doc="distance of the two groups, in standard deviations of either",
        when=having(source="two") | having(family="two"),
    )  # fmt: skip
    share: float = Real(
        0.5, bounds=(0, 1), softbounds=(0, 1), step=0.05, symbol="share",
        label="share of the left group", doc="share of the left group in the distribution of the points",
        when=having(source="two"),
    )  # fmt: skip
    family: str = Choice(
        default="gaussian", label="model", doc="the model",
        objects={"Gaussian": "gaussian", "two Gaussians": "two", "Student's t": "student",
                 "Gaussians fitted to points": "fitted", "mixture from a link": "given"},
    )  # fmt: skip
    width: float = LogNumber(
        1.0, bounds=(1e-3, 1e3), softbounds=(0.25, 4), symbol="width", unit="×",
        label="width of the model ×", doc="factor of the standard deviations of the model's components",
    )  # fmt: skip
    moved: str = Text("", doc="components moved by hand, a JSON map from a component to the place of its centre")
    blobs: int = Whole(
        1,
        bounds=(1, 6),
        softbounds=(1, 6),
        step=1,
        symbol="m",
        doc="Gaussians that are fitted",
        label="m components",
        when=having(family="fitted"),
    )
    fitted_on: str = Choice(
        default="same", objects={"the same points": "same", "other points": "other"}, label="fitted to",
        doc="the points that the model is fitted to: the tested ones, or as many others", when=having(family="fitted"),
    )  # fmt: skip
    given: str = Text("", doc="the components of the model from a link, a JSON list")
    kernel: str = Choice(
        default="RBF", objects={"RBF (Gaussian)": "RBF", "inverse multiquadric": "IMQ"}, label="kernel",
        doc="kernel: how fast the similarity of two points falls with their distance",
    )  # fmt: skip
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
                raise Refusal("A mixture from a link needs its components: given must be like {}.", LIKE)
            if len(rows[0]) != 2 + self.d:
                raise Refusal("The mixture of this link is of dimension {}, and d is {}.", len(rows[0]) - 2, self.d)
        if self.family == "fitted" and self.blobs > self.n:
            raise Refusal("{} components need as many points, and n is {}; take fewer components.", self.blobs, self.n)

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
        rows = super().the_rows(table)
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
        if self.source == "two":
            parts = zip((self.share, 1 - self.share), self.sides, strict=True)
            weights, centres = zip(*[part for part in parts if part[0] > 0], strict=True)
            return GaussianMixture(weights, centres, np.eye(self.d))
        return law_of(self, self.source)

    @property
    def sides(self) -> list[list[float]]:
        """The centres of two groups."""
        return [[x, 0.0][: self.d] for x in (-self.apart / 2, self.apart / 2)]

    def the_model(self) -> Gaussians | None:
        """Return the model before the user moves it, or None for a fitted one."""
        if self.family == "two":
            return GaussianMixture([0.5, 0.5], self.sides, np.eye(self.d))
        if self.family == "given":
            weights, deviations, *centres = np.array(components(self.given)).T
            covariances = deviations[:, None, None] ** 2 * np.eye(self.d)
            return GaussianMixture(weights / weights.sum(), np.column_stack(centres), covariances)
        return law_of(self, self.family, START[: self.d])
