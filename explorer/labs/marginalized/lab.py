"""State of the Marginalized lab: a sample, a Gaussian kernel, and the noise that MKME and MMKME put on the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.estimators import MKME
from explorer.estimators.marginalized.shapes import ellipse
from explorer.parameters import Choice, LogNumber, Real, Whole
from explorer.types import Matrix, Vector
from explorer.workbench import copied, derived
from explorer.workbench.conditions import having
from explorer.workbench.fields import (
    UserTable,
    df_field,
    dimension_field,
    picture_field,
    samples_field,
    seed_field,
    size_field,
    tables,
)
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.samples import law_of

if TYPE_CHECKING:
    from explorer.embeddings.law import Law


LAWS = ("mixture", "axis", "measured", "normal", "student")
GROUNDS = ("discs", "MKME", "MMKME")
SHAPE = ("first", "second", "others")  # the fields of MMKME's noise, as multiples of σ
# 24 factors of 1.07 to 1.15 in decimals as a user would type them: 61 stops, and 0.
DECADE = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.2, 3.6, 4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 9)
SIGMAS = [0.0, *(v for v in (float(f"{m}e{e}") for e in (-2, -1, 0) for m in DECADE) if v <= 3)]
WIDE, NARROW = 100.0, 0.25  # variances of the components along the useless axis, and along all others
LARGEST_THROWN = 400  # the largest number of points at which noisy copies are compared with one another
LARGEST_THIRD = 200  # the largest number of points for a third estimate
# Each point may have its own ellipse with this many points, from and to, and at most this many coordinates.
LOCAL, MOST_LOCAL = (3, 40), 20
ERROR, ELSEWHERE = (
    (5.0, 0.6, 35.0),
    0.6,
)  # the measurement error: long sd, short sd and tilt of its ellipse, and the sd of other coordinates
AXES = ("long", "across", "tilt")  # the fields of the ellipse


def _share(where, label, when=None):
    """Return the field of MMKME's noise in a coordinate, as a multiple of σ."""
    return LogNumber(
        None,
        bounds=(0, 1e3),
        softbounds=(0.05, 5),
        allow_None=True,
        unit="× σ",
        symbol=where,
        label=label,
        when=when,
        doc=f"MMKME's noise in {where}, as a multiple of σ",
    )


class MarginalizedLab(UserTable):
    """Samples of a distribution or a table under a Gaussian kernel, and MKME and MMKME of them over a range of σ.

    σ is in standard deviations of the data. sigma=None leaves each estimator at its leave-one-out choice. MMKME's
    noise is σ times a factor in each coordinate. If the factor is None, leave-one-out divides the noise so that its
    mean square is σ².
    """

    slider = "sigma"
    default_stops: ClassVar[Sequence[float]] = SIGMAS
    aside: ClassVar[tuple[str, ...]] = ("samples", "picture", "ground")
    source: str = Choice(
        default="mixture",
        objects={
            "mixture of four": "mixture",
            "mixture, one useless axis": "axis",
            "clusters, measured with error": "measured",
            "one Gaussian": "normal",
            "Student's t": "student",
            **tables("your table"),
        },
        doc="what the sample is drawn from",
        label="sample of",
    )
    n: int = size_field(20, 1000, "points in the sample")
    d: int = dimension_field(when=having(toy=True))
    df: float = df_field(when=having(source="student"))
    bandwidth: float = bandwidth_field(0.32)
    sigma: float | None = copied(
        MKME,
        "sigma",
        bounds=(0, 1e3),
        softbounds=(1e-2, 3),
        unit="data sd",
        symbol="σ",
        label="σ of the noise, in sd of the data",
    )
    first: float | None = _share("the first coordinate", label="first σ")
    second: float | None = _share("the second coordinate", label="second σ", when=lambda result: result.X.shape[1] > 1)
    others: float | None = _share("all other coordinates", label="other σ")
    third: str = Choice(
        default="none",
        objects={
            "none": "none",
            "one ellipse for all points": "full",
            "an ellipse for each point": "local",
            "the known measurement error": "known",
            "Laplace noise": "laplace",
            "Student's t noise": "t",
            "uniform noise": "uniform",
        },
        doc="what noise a third estimate has",
        label="third estimate",
    )
    long: float | None = _share("the ellipse's long axis", "long axis", when=having(third="full"))
    across: float | None = _share("the ellipse's short axis", "short axis", when=having(third="full"))
    tilt: float | None = Real(
        None,
        bounds=(-180, 180),
        softbounds=(0, 180),
        step=5,
        allow_None=True,
        unit="degrees",
        symbol="tilt",
        label="tilt",
        doc="angle between the ellipse's long axis and the first coordinate",
        when=having(third="full"),
    )
    neighbours: int = Whole(
        5,
        bounds=(1, 199),
        softbounds=(2, 30),
        symbol="neighbours",
        label="neighbours",
        doc="points whose spread shapes the ellipse of each point",
    )
    seed: int = seed_field(5)
    dice: int = seed_field(symbol="dice", doc="seed of the noisy copies")
    samples: int = samples_field()
    picture: str = picture_field(
        "kernel", "filter", "approximation", "dice", filter="kept", approximation="weighted points", dice="noisy copies"
    )
    ground: str = Choice(
        default="discs",
        objects={"discs": "discs", "density of MKME": "MKME", "density of MMKME": "MMKME"},
        doc="what is drawn under the sample: the noise of a few points, or the density of all points with their noise",
        label="noise as",
    )
    law_seed: int = seed_field(symbol="distribution", doc="seed of the mixture's means and covariances")

    def _check(self):
        if self.source == "axis" and self.d < 2:
            raise Refusal("With one coordinate the useless axis would be the only one; take d of at least 2.")
        if self.picture == "dice" and self.n > LARGEST_THROWN:
            raise Refusal(
                "This picture compares all noisy copies with one another, so n may be at most {}, not {}; take"
                " fewer points, or another picture.",
                LARGEST_THROWN,
                self.n,
            )
        self._check_third()

    def _check_third(self):
        """Check that the third estimate is defined in this state."""
        if self.third == "none":
            return
        if self.n > LARGEST_THIRD:
            raise Refusal(
                "A third estimate is drawn for n up to {}, not {}; take fewer points, or none.", LARGEST_THIRD, self.n
            )
        if self.third == "known" and self.source != "measured":
            raise Refusal(
                "Only 'clusters, measured with error' has a known measurement error; take that source, or one ellipse"
                " for all points, whose axes you can set."
            )
        if self.third != "local":
            return
        if not LOCAL[0] <= self.n <= LOCAL[1]:
            raise Refusal(
                "An ellipse for each point is drawn for {} to {} points, as its score takes n refits, and n is"
                " {}; take another n, or one ellipse for all points.",
                LOCAL[0],
                LOCAL[1],
                self.n,
            )
        if self.toy and self.d > MOST_LOCAL:
            raise Refusal(
                "An ellipse for each point is drawn for up to {} coordinates, not {}; take fewer, or one ellipse"
                " for all points.",
                MOST_LOCAL,
                self.d,
            )

    def the_law(self) -> Law | None:
        """Return the true distribution, or None for a table.

        It is the papers' mixture, a mixture with a useless axis, clusters with measurement error, a Gaussian or a t.
        """
        if self.source == "measured":
            mixture = GaussianMixture.random(self.d, self.law_seed)
            return GaussianMixture(mixture.weights, mixture.means, self.error + NARROW * np.eye(self.d))
        return _useless_axis(self.d, self.law_seed) if self.source == "axis" else law_of(self, self.source)

    @property
    def error(self) -> Matrix:
        """The covariance of the measurement error, shape (d, d): an ellipse in the first two coordinates."""
        made = ELSEWHERE**2 * np.eye(self.d)
        made[:2, :2] = ellipse(*ERROR)[: self.d, : self.d]
        return made

    def shape_of(self, d: int) -> Vector:
        """Return MMKME's noise in each of d coordinates as a multiple of σ, shape (d,); nan is automatic."""
        first, second, others = (np.nan if v is None else v for v in (self.first, self.second, self.others))
        return np.array([first, second, *[others] * (d - 2)])[:d]

    @derived
    def projects(self) -> bool:
        """True if the secondary picture shows weights on the points. They need the Gram matrix's decomposition."""
        return self.picture in ("filter", "approximation")


def _useless_axis(d, seed):
    """Return a mixture of four, wide along the first coordinate, where all means are 0, and narrow along all others."""
    mixture = GaussianMixture.random(d, seed)
    means = mixture.means.copy()
    means[:, 0] = 0.0
    return GaussianMixture(mixture.weights, means, [WIDE, *[NARROW] * (d - 1)])
